"""Whether the site can be reached as it should: its port, and its address from outside.

What a site answers is judged apart from asking it, so that each answer can be tried.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from html.parser import HTMLParser
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from webapp import __version__
from webapp.config import Settings
from webapp.service.findings import Finding, ok, warning, wrong

_PATIENCE = 10
_LONGEST = 1_000_000
"""Bytes of an answer to read; our pages are far shorter."""

_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a program on this machine asks
_EVERYBODY = {"0.0.0.0/0", "::/0"}
_PROXY = "the proxy's address (127.0.0.1 for one on this machine)"


class UnreachableError(Exception):
    """Nobody answers; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    :param url: where from, after redirections
    """

    url: str
    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    body: str

    @property
    def health(self) -> dict[str, Any] | None:
        """What our ``/healthz`` says; ``None`` where it is not ours."""
        try:
            told = json.loads(self.body)
        except ValueError:
            return None
        if not isinstance(told, dict) or not {"status", "version", "database"} <= told.keys():
            return None
        return told

    @property
    def ours(self) -> bool:
        """Whether this program has sent it, as far as its headers tell."""
        policy = self.headers.get("content-security-policy", "")
        return policy.startswith("default-src 'none'; script-src 'self'")


Ask = Callable[..., Answer]


def ask(url: str, *, post: bool = False) -> Answer:
    """Ask a server, by the way that a browser here would take.

    :param post: send an empty form as the site's own page would
    :raises UnreachableError: if nobody answers
    """
    parts = urlsplit(url)
    headers = {"User-Agent": "tictactoe doctor", "Origin": f"{parts.scheme}://{parts.netloc}"}
    request = Request(url, b"" if post else None, headers)  # noqa: S310 - the caller's own site
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=_PATIENCE) as response:
            return _answer(response.url, response.status, response.headers, response.read(_LONGEST))
    except HTTPError as error:
        with error:
            return _answer(error.url or url, error.code, error.headers, error.read(_LONGEST))
    except URLError as error:
        reason = error.reason
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise UnreachableError(
                f"its certificate is not valid: {reason.verify_message}"
            ) from error
        raise UnreachableError(getattr(reason, "strerror", None) or str(reason)) from error
    except HTTPException as error:
        raise UnreachableError("what answers there speaks no HTTP") from error
    except (OSError, ValueError) as error:
        raise UnreachableError(str(error) or type(error).__name__) from error


def _answer(url: str, status: int, headers: Message, body: bytes) -> Answer:
    return Answer(
        url,
        status,
        {name.lower(): value for name, value in headers.items()},
        tuple(headers.get_all("Set-Cookie") or ()),
        body.decode("utf-8", "replace"),
    )


# --- the port ---------------------------------------------------------------------------------


def check_port(settings: Settings, ask: Ask = ask) -> Finding:
    """Look whether the port is free, or our own server has it."""
    about, host = "port", _HERE.get(settings.host, settings.host)
    if settings.port == 0:
        return ok(about, "a free one is picked at the start")
    where = f"{settings.port} on {settings.host}"
    try:
        with socket.create_connection((host, settings.port), timeout=_PATIENCE):
            pass
    except ConnectionRefusedError:
        return ok(about, f"{where} is free")
    except OSError as error:
        return wrong(
            about, f"{where} cannot be used: {error.strerror or error}", "correct TTT_HOST"
        )
    netloc = f"[{host}]" if ":" in host else host
    try:
        health = ask(f"http://{netloc}:{settings.port}{settings.base_path}/healthz").health
    except UnreachableError:
        health = None
    if health is None:
        return wrong(
            about, f"{where} is in use by another program", "stop it, or choose another TTT_PORT"
        )
    return _running(about, where, health)


def _running(about: str, where: str, health: Mapping[str, Any]) -> Finding:
    if not health["database"]:
        return wrong(
            about,
            f"our server answers on {where}, and cannot reach its database",
            "see what is said of the database here",
        )
    if health["version"] != __version__:
        return warning(
            about,
            f"version {health['version']} answers on {where}, and {__version__} is installed",
            "restart the server",
        )
    return ok(about, f"our server answers on {where} (version {health['version']})")


# --- from outside -----------------------------------------------------------------------------


def check_site(address: str, settings: Settings, ask: Ask = ask) -> list[Finding]:
    """Visit the site by the address that its players use, through whatever stands before it."""
    about, address = "address", address.rstrip("/")
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname:
        return [wrong(about, f"{address} is no address", "write it like https://play.example.org")]
    try:
        health = ask(f"{address}/healthz")
        if health.health is None:
            return [stranger(address, health)]
        front = ask(f"{address}/")
        posted = ask(f"{address}/games/doctor/moves", post=True)
    except UnreachableError as error:
        advice = "see that the proxy runs, and that name, port, firewall and certificate are right"
        return [wrong(about, f"{address} cannot be reached: {error}", advice)]
    running = _running(about, address, health.health)
    return [running, *encryption(front), links(front), host_header(posted), *proxies(settings)]


def stranger(address: str, answer: Answer) -> Finding:
    """Judge an answer to ``/healthz`` that is not what ours would be."""
    path = urlsplit(address).path
    if answer.ours and not path:
        return wrong(
            "address",
            "our server answers, but its pages are below a path",
            "add that path, its TTT_BASE_PATH, to the address",
        )
    if answer.ours:
        return wrong(
            "address",
            f"our server answers, but has nothing at {path}",
            f"set TTT_BASE_PATH={path}, and let the proxy pass the path on as it is",
        )
    if answer.status in (502, 503, 504):
        return wrong(
            "address",
            f"a proxy answers at {address} that cannot reach the server ({answer.status})",
            "start the server, and compare its TTT_HOST and TTT_PORT with the proxy's",
        )
    return wrong(
        "address",
        f"another site answers at {address} ({answer.status})",
        "compare the proxy's configuration with those in deploy/",
    )


def encryption(front: Answer) -> list[Finding]:
    """Judge whether site and browser agree on being encrypted."""
    about = "HTTPS"
    secure = any(re.search(r";\s*secure\b", cookie, re.IGNORECASE) for cookie in front.cookies)
    secure = secure and "strict-transport-security" in front.headers
    if urlsplit(front.url).scheme == "https":
        if secure:
            return [
                ok(about, "the application knows of it: cookies are Secure, and HSTS is sent"),
                ok("proxy", "what it says of visitors is believed"),
            ]
        return [
            wrong(
                about,
                "visitors come by HTTPS, and the application takes it for plain HTTP",
                f"set TTT_TRUSTED_PROXIES to {_PROXY}, and let it send X-Forwarded-Proto and "
                "X-Forwarded-For",
            )
        ]
    if secure:
        return [
            wrong(
                about,
                "visitors come by plain HTTP, and their browsers will drop the Secure cookie",
                "let the proxy send the true X-Forwarded-Proto",
            )
        ]
    return [
        warning(
            about,
            "the site is not encrypted",
            "outside of a network that you trust, put it behind a proxy with HTTPS",
        )
    ]


class _Links(HTMLParser):
    """The addresses on this site that a page leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            value
            for name, value in attrs
            if name in ("href", "src", "action") and value and value.startswith("/")
        ]


def links(front: Answer) -> Finding:
    """Judge whether the page's links stay below the address."""
    about, path = "links", urlsplit(front.url).path.rstrip("/")
    page = _Links()
    page.feed(front.body)
    astray = [link for link in page.found if not f"{link}/".startswith(f"{path}/")]
    if not page.found:
        return wrong(about, "the first page has none", "compare the proxy's configuration")
    if astray:
        return wrong(
            about,
            f"{astray[0]} is not below {path}",
            f"set TTT_BASE_PATH={path}, and let the proxy pass the path on as it is",
        )
    return ok(about, f"they begin with {path}/")


def host_header(posted: Answer) -> Finding:
    """Judge the answer to a move in a game that does not exist: only a wrong host is a 403."""
    about = "host"
    if posted.status == 403:
        return wrong(
            about,
            "the proxy hides the name that visitors use, so that no move is accepted",
            "let it pass the Host header on (nginx: proxy_set_header Host $http_host)",
        )
    if posted.status in (404, 429):
        return ok(about, "the name that visitors use arrives")
    return wrong(
        about,
        f"a move is answered with {posted.status}",
        "let the proxy pass POST requests on, without conditions",
    )


def proxies(settings: Settings) -> list[Finding]:
    """Judge whom the application believes."""
    if _EVERYBODY.isdisjoint(settings.trusted_proxies):
        return []
    return [
        warning(
            "proxy",
            "everybody's word about their address is taken",
            f"set TTT_TRUSTED_PROXIES to {_PROXY}",
        )
    ]
