"""nginx and Caddy with the examples of ``deploy/``, of which only ports and names are changed."""

import os
import random
import re
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from tests.support.patience import PATIENCE, until
from tests.support.programs import needs

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
_NGINX = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/1; uwsgi_temp_path {folder}/2; scgi_temp_path {folder}/3;
{site}
}}
"""


def throw_away_certificate(folder: Path) -> Path:
    """Make a certificate for this computer, signed by itself; return the file of it and its key."""
    made = folder / "certificate.pem"
    command = [needs("openssl"), "req", "-x509", "-days", "2", "-nodes", "-subj", "/CN=localhost"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    run(*command, "-out", str(made), "-keyout", str(made))
    return made


def run(*command: str) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def free_port() -> int:
    while True:
        # Below those that the system deals out, or a connection could have it by then.
        port = random.SystemRandom().randrange(10_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def nginx_site(example: str, port: int, certificate: Path, servers: Sequence[str]) -> str:
    named = "".join(f"    server {server} max_fails=0;\n" for server in servers)
    # Not everybody may take ports under 1024, and not every computer has IPv6.
    text = (DEPLOY / example).read_text()
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    for pattern, instead in (
        (r"listen 443 ", f"listen 127.0.0.1:{port} "),
        (r" *listen \[::\]:.*;\n", ""),
        (r"server_name .*;", "server_name localhost;"),
        (r"ssl_certificate .*;", f"ssl_certificate {certificate};"),
        (r"ssl_certificate_key .*;", f"ssl_certificate_key {certificate};"),
        # Four names in all, as in the example.
        (r"(    server 127\.0\.0\.1:8000 max_fails=0;\n)+", named * (4 // len(servers))),
    ):
        text, count = re.subn(pattern, instead, text)
        assert count, f"{example} has no {pattern}"
    return text


@contextmanager
def nginx(site: str, port: int, folder: Path, *, expected: str | None = None) -> Iterator[None]:
    """Run nginx with a site until the end; it must complain of nothing but what is expected."""
    configuration, log = folder / "nginx.conf", folder / "error.log"
    user = "user root;" if os.geteuid() == 0 else ""
    configuration.write_text(_NGINX.format(user=user, folder=folder, site=site))
    with _running([needs("nginx"), "-e", str(log), "-c", str(configuration)], port, folder):
        yield
    lines = log.read_text().splitlines()
    assert [line for line in lines if not expected or not re.search(expected, line)] == []


def caddy(how: str, text: str, folder: Path) -> list[str]:
    file = folder / "Caddyfile"
    # The container's Caddy knows this option, and Debian's does not yet.
    file.write_text(text.replace("\t\trequest_buffers 32KiB\n", ""))
    # What it keeps is not to be at the home of who runs the tests.
    set_up = ["env", "-u", "XDG_DATA_HOME", "-u", "XDG_CONFIG_HOME", f"HOME={folder}"]
    set_up += ["SITE=tictactoe.example", "APPLICATIONS=app:8000", needs("caddy")]
    return [*set_up, how, "--adapter", "caddyfile", "--config", str(file)]


def run_example(
    example: str, port: int, certificate: Path, server: str, folder: Path
) -> AbstractContextManager[None]:
    if example.startswith("nginx"):
        return nginx(nginx_site(example, port, certificate, [server]), port, folder)
    # This one would ask for a certificate.
    text = (DEPLOY / example).read_text().replace("127.0.0.1:8000", server)
    assert "\ntictactoe.example {\n" in text
    site = f"https://localhost:{port} {{\n\ttls {certificate} {certificate}\n"
    text = text.replace("tictactoe.example {\n", site)
    text = f"{{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}}\n{text}"
    return _running(caddy("run", text, folder), port, folder)


@contextmanager
def _running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    output = folder / "output.txt"
    with output.open("w") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        until(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, f"it ended at once:\n{output.read_text()}"
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
