"""nginx and Caddy with the examples of ``deploy/``, on ports of their own, in front of servers.

An example is copied, and of the copy only what belongs to a certain machine is changed: ports,
names, the certificate and the servers' addresses. So what the tests prove is true of the examples.
"""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
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
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""


@dataclass(frozen=True)
class Certificate:
    """A certificate that only this run of the tests believes, and its key."""

    chain: Path
    key: Path


def throw_away_certificate(folder: Path) -> Certificate:
    """Make a certificate for this computer, signed by itself."""
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = [needs("openssl"), "req", "-x509", "-days", "2", "-nodes", "-subj", "/CN=localhost"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-addext", "subjectAltName=DNS:localhost,DNS:tictactoe.example,IP:127.0.0.1"]
    command += ["-out", str(made.chain), "-keyout", str(made.key)]
    run(*command)
    return made


def run(*command: str, **environment: str) -> str:
    """Run a program that must go well; return what it printed."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def free_port() -> int:
    """Return a port that nobody listens on.

    It is below those that the system deals out, or a connection could have it by the time that it
    is listened on.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def nginx_site(
    example: str, port: int, certificate: Certificate | None, servers: Sequence[str]
) -> str:
    """An example's text for this computer.

    :param certificate: ``None`` for plain HTTP
    :param servers: where the applications listen, such as ``127.0.0.1:8000``
    """
    text = (DEPLOY / example).read_text()
    # Not everybody may take ports under 1024, and not every computer has IPv6.
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = re.sub(r"    listen \[::\]:.*;\n", "", text)
    text = re.sub(r"server_name .*;", "server_name localhost;", text)
    secure = " ssl" if certificate else ""
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port}{secure};")
    if certificate is None:
        text = re.sub(r"    ssl_certificate(_key)? .*;\n", "", text)
    else:
        text = re.sub(r"ssl_certificate .*;", f"ssl_certificate {certificate.chain};", text)
        text = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {certificate.key};", text)
    named = "".join(f"    server {server} max_fails=0;\n" for server in servers)
    # Four names in all, as in the example.
    named *= 4 // len(servers)
    text, count = re.subn(r"(    server 127\.0\.0\.1:8000 max_fails=0;\n)+", named, text)
    assert count == 1
    assert f"listen 127.0.0.1:{port}" in text
    return text


@contextmanager
def nginx(site: str, port: int, folder: Path, *, expected: str | None = None) -> Iterator[None]:
    """Run nginx with a site until the end; it must have nothing to complain about.

    :param expected: a pattern of the complaints that the test provokes
    """
    configuration, log = folder / "nginx.conf", folder / "error.log"
    user = "user root;" if os.geteuid() == 0 else ""
    configuration.write_text(_NGINX.format(user=user, folder=folder, site=site))
    with _running([needs("nginx"), "-e", str(log), "-c", str(configuration)], port, folder):
        yield
    lines = log.read_text().splitlines()
    assert [line for line in lines if not expected or not re.search(expected, line)] == []


def caddy_site(example: str, port: int, certificate: Certificate, servers: Sequence[str]) -> str:
    """An example's text for this computer, which asks nobody for a certificate."""
    text = (DEPLOY / example).read_text()
    text = re.sub(r"127\.0\.0\.1:8000|app-1:8000 app-2:8000", " ".join(servers), text)
    site = rf"https://localhost:{port} {{\n\ttls {certificate.chain} {certificate.key}\n"
    text, count = re.subn(r"^(tictactoe\.example|\{\$SITE\}) \{\n", site, text, flags=re.MULTILINE)
    assert count == 1
    return f"{{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}}\n{text}"


def check_caddy(text: str, folder: Path, how: str = "validate", **environment: str) -> str:
    """Let Caddy itself read a site's text; return what it says, having found no fault.

    :param how: ``adapt`` returns what Caddy makes of the text, as JSON
    """
    return run(*_caddy(how, text, folder), **_home(folder), **environment)


@contextmanager
def caddy(text: str, port: int, folder: Path) -> Iterator[None]:
    """Run Caddy with a site until the end."""
    with _running(_caddy("run", text, folder), port, folder, **_home(folder)):
        yield


def run_example(
    example: str, port: int, certificate: Certificate | None, server: str, folder: Path
) -> AbstractContextManager[None]:
    """Run the program that an example is for, in front of a server, until the end."""
    if certificate is None or example.startswith("nginx"):
        return nginx(nginx_site(example, port, certificate, [server]), port, folder)
    return caddy(caddy_site(example, port, certificate, [server]), port, folder)


def _caddy(how: str, text: str, folder: Path) -> list[str]:
    file = folder / "Caddyfile"
    file.write_text(text if _caddy_buffers() else text.replace("\t\trequest_buffers 32KiB\n", ""))
    return [needs("caddy"), how, "--adapter", "caddyfile", "--config", str(file)]


@cache
def _caddy_buffers() -> bool:
    """Tell whether Caddy knows an option that the container's does, and Debian's does not yet."""
    major, minor = re.findall(r"\d+", run(needs("caddy"), "version"))[:2]
    return (int(major), int(minor)) >= (2, 7)


def _home(folder: Path) -> dict[str, str]:
    """Where Caddy keeps what it makes: not at the home of who runs the tests."""
    return {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


@contextmanager
def _running(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[None]:
    """Run a program that listens, from when it does until the end."""
    output = folder / "output.txt"
    with output.open("w") as file:
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
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
