"""What `tictactoe doctor` finds at the site's address, from the application's own answers."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest

from tests.service.test_doctor import check_form
from tests.support.files import content
from webapp import __version__
from webapp.config import Settings
from webapp.service import reachability
from webapp.service.findings import Finding
from webapp.service.reachability import Answer, Ask, UnreachableError, check_port, check_site
from webapp.web import create_app

Way = Callable[[str], str]


def behind(
    settings: Settings, *, seen_as: Way = lambda url: url, forwarded: str | None = None
) -> Ask:
    """Ask the application through a proxy.

    :param seen_as: from an address as visitors use it to the one that the application sees
    :param forwarded: what the proxy says in ``X-Forwarded-Proto``
    """
    app = create_app(settings)

    def ask(url: str, *, post: bool = False) -> Answer:
        outside, inside = urlsplit(url), urlsplit(seen_as(url))
        headers = {"Origin": f"{outside.scheme}://{outside.netloc}"}
        if forwarded:
            headers |= {"X-Forwarded-Proto": forwarded, "X-Forwarded-For": "203.0.113.9"}
        response = app.test_client().open(
            inside.path,
            method="POST" if post else "GET",
            base_url=f"{inside.scheme}://{inside.netloc}",
            headers=headers,
            environ_overrides={"REMOTE_ADDR": "127.0.0.1"},
        )
        return Answer(
            url,
            response.status_code,
            {name.lower(): value for name, value in response.headers},
            tuple(response.headers.getlist("Set-Cookie")),
            response.text,
        )

    return ask


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path)


def ill(found: list[Finding]) -> list[str]:
    """What is not well, by its subject; every finding's form checked."""
    for one in found:
        check_form(one)
    return [one.about for one in found if one.level != "ok"]


def plain(url: str) -> str:
    return url.replace("https://", "http://")


def test_https_that_the_application_knows_of_is_well(settings: Settings) -> None:
    trusting = replace(settings, trusted_proxies=("127.0.0.1",))
    ask = behind(trusting, seen_as=plain, forwarded="https")
    found = check_site("https://play.example/", trusting, ask)
    assert ill(found) == []
    assert {one.about for one in found} == {"address", "HTTPS", "proxy", "links", "host"}


def test_a_proxy_that_is_not_trusted_is_found_and_the_setting_is_named(settings: Settings) -> None:
    ask = behind(settings, seen_as=plain, forwarded="https")
    found = check_site("https://play.example", settings, ask)
    assert ill(found) == ["HTTPS"]
    (finding,) = [one for one in found if one.level == "wrong"]
    assert "TTT_TRUSTED_PROXIES" in finding.advice


def test_a_proxy_that_does_not_say_https_is_found(settings: Settings) -> None:
    trusting = replace(settings, trusted_proxies=("127.0.0.1",))
    ask = behind(trusting, seen_as=plain)
    assert ill(check_site("https://play.example", trusting, ask)) == ["HTTPS"]


def test_plain_http_is_a_warning(settings: Settings) -> None:
    found = check_site("http://192.168.1.20:8000", settings, behind(settings))
    assert [(one.about, one.level) for one in found if one.level != "ok"] == [("HTTPS", "warning")]


def test_plain_http_that_is_taken_for_https_is_wrong(settings: Settings) -> None:
    trusting = replace(settings, trusted_proxies=("127.0.0.1",))
    found = check_site("http://play.example", trusting, behind(trusting, forwarded="https"))
    assert [(one.about, one.level) for one in found if one.level != "ok"] == [("HTTPS", "wrong")]


def test_a_path_that_the_application_knows_of_is_well(settings: Settings) -> None:
    below = replace(settings, base_path="/games", trusted_proxies=("127.0.0.1",))
    ask = behind(below, seen_as=plain, forwarded="https")
    assert ill(check_site("https://school.example/games/", below, ask)) == []


def test_a_path_that_the_application_does_not_know_of_is_found(settings: Settings) -> None:
    (finding,) = check_site("http://school.example/games", settings, behind(settings))
    assert finding.level == "wrong"
    assert finding.advice.startswith("set TTT_BASE_PATH=/games")
    check_form(finding)


def test_an_address_without_the_path_is_found(settings: Settings) -> None:
    below = replace(settings, base_path="/games")
    (finding,) = check_site("http://school.example", below, behind(below))
    assert finding.level == "wrong"
    assert "below a path" in finding.says
    assert "TTT_BASE_PATH" in finding.advice
    check_form(finding)


def test_a_path_that_the_proxy_takes_away_is_found(settings: Settings) -> None:
    ask = behind(settings, seen_as=lambda url: url.replace("/toe", "", 1))
    found = check_site("http://school.example/toe", settings, ask)
    assert "links" in ill(found)
    (finding,) = [one for one in found if one.about == "links"]
    assert finding.advice.startswith("set TTT_BASE_PATH=/toe")


def test_a_proxy_that_hides_the_host_is_found(settings: Settings) -> None:
    ask = behind(settings, seen_as=lambda url: url.replace("play.example", "127.0.0.1:8000"))
    found = check_site("http://play.example", settings, ask)
    assert ill(found) == ["HTTPS", "host"]
    assert "Host header" in found[-1].advice


def test_trust_in_everybody_is_a_warning(settings: Settings) -> None:
    trusting = replace(settings, trusted_proxies=("0.0.0.0/0",))
    ask = behind(trusting, seen_as=plain, forwarded="https")
    assert ill(check_site("https://play.example", trusting, ask)) == ["proxy"]


def test_asking_stores_nothing(settings: Settings) -> None:
    ask = behind(settings)
    before = content(settings.data / "tictactoe.db")
    check_site("http://play.example", settings, ask)
    assert content(settings.data / "tictactoe.db") == before


@pytest.mark.parametrize("address", ["play.example", "ftp://play.example", "https://", ""])
def test_what_is_no_address_is_said(settings: Settings, address: str) -> None:
    (finding,) = check_site(address, settings)
    assert (finding.level, "is no address" in finding.says) == ("wrong", True)


def test_nobody_there_is_said(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (finding,) = check_site(f"http://127.0.0.1:{port}", settings)
    assert finding.level == "wrong"
    assert "cannot be reached: Connection refused" in finding.says
    check_form(finding)


# --- over the wire ----------------------------------------------------------------------------


@contextmanager
def answering(status: int, body: str) -> Iterator[int]:
    """Another program, which answers everything alike; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        thread = threading.Thread(target=other.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield other.server_port
        finally:
            other.shutdown()
            thread.join()


@pytest.mark.parametrize(
    "status, part", [(200, "another site"), (404, "another site"), (502, "cannot reach the server")]
)
def test_another_site_at_the_address_is_said(settings: Settings, status: int, part: str) -> None:
    with answering(status, "<h1>Welcome</h1>") as port:
        (finding,) = check_site(f"http://127.0.0.1:{port}", settings)
    assert finding.level == "wrong"
    assert part in finding.says
    check_form(finding)


def test_a_program_that_speaks_no_http_is_unreachable() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer() -> None:
            other, _ = listener.accept()
            with other:
                other.recv(1000)
                other.sendall(b"SSH-2.0-OpenSSH\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(UnreachableError):
            reachability.ask(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        thread.join()


def test_a_certificate_that_is_not_valid_is_said(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Opener:
        def open(self, *arguments: object, **more: object) -> None:
            refused = ssl.SSLCertVerificationError()
            refused.verify_message = "self-signed certificate"
            raise URLError(refused)

    monkeypatch.setattr(reachability, "build_opener", lambda *handlers: Opener())
    (finding,) = check_site("https://play.example", settings)
    assert finding.level == "wrong"
    assert "its certificate is not valid: self-signed certificate" in finding.says
    check_form(finding)


def health(version: str = __version__, database: str = "true") -> str:
    return f'{{"status": "ok", "version": "{version}", "database": {database}}}'


@pytest.mark.parametrize(
    "status, body, level, part",
    [
        (200, health(), "ok", "our server answers"),
        (200, health("0.0.1"), "warning", "version 0.0.1 answers"),
        (503, health(database="false"), "wrong", "cannot reach its database"),
        (200, "[]", "wrong", "in use by another program"),
        (200, '{"status": "up"}', "wrong", "in use by another program"),
        (404, "nothing", "wrong", "in use by another program"),
    ],
)
def test_who_has_the_port_is_said(
    settings: Settings, *, status: int, body: str, level: str, part: str
) -> None:
    with answering(status, body) as port:
        finding = check_port(replace(settings, port=port))
    assert finding.level == level
    assert part in finding.says
    check_form(finding)


def test_a_port_that_is_free_is_well(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    finding = check_port(replace(settings, port=port, host="0.0.0.0"))
    assert finding.level == "ok"
    assert "is free" in finding.says
    assert check_port(replace(settings, port=0)).level == "ok"


def test_a_host_that_is_no_host_is_wrong(settings: Settings) -> None:
    finding = check_port(replace(settings, host="no host"))
    assert finding.level == "wrong"
    check_form(finding)
