"""A person at a real server, by HTTP or HTTPS: a cookie jar that heeds the browsers' rules."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from tests.support.html import Element, parse
from tests.support.patience import PATIENCE

_ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post")


@dataclass(frozen=True)
class Answer:
    """What came back."""

    url: str
    status: int
    headers: Message
    text: str

    @property
    def document(self) -> Element:
        """The page, read strictly."""
        return parse(self.text)

    @property
    def location(self) -> str:
        """Where it sends the browser, written out."""
        return urljoin(self.url, str(self.headers["Location"]))

    @property
    def game(self) -> Element:
        """The region of the game."""
        found = self.document.with_id("game")
        assert found is not None, f"no game at {self.url}: {self.status}"
        return found

    @property
    def addresses(self) -> set[str]:
        """Every address on the page, but for parts of the page itself."""
        elements = self.document.walk()
        found = {one.get(name) for one in elements for name in _ADDRESSES if one.has(name)}
        return {address for address in found if not address.startswith("#")}

    @property
    def invitation(self) -> str:
        """The address to join at, which a waiting page shows in a field."""
        field = self.document.with_id("invitation")
        assert field is not None, f"nobody waits at {self.url}"
        return field.get("value")

    @property
    def playable(self) -> list[int]:
        """The cells that one may play."""
        return [
            int(cell.get("value"))
            for cell in self.game.all("button")
            if cell.get("name") == "cell" and cell.get("aria-disabled") != "true"
        ]


class Person:
    """One person with a browser.

    :param url: where the site begins, without a slash at the end
    :param certificate: whom to believe besides the usual authorities
    :param source: the address of this computer that they ask from
    """

    def __init__(
        self, url: str, certificate: Path | None = None, source: str = "127.0.0.1"
    ) -> None:
        self.url = url
        self.cookies: dict[str, str] = {}
        self.answers: list[Answer] = []
        """Every answer that they have got."""
        self._trust = ssl.create_default_context(cafile=certificate) if certificate else None
        self._source = source

    def send(
        self,
        method: str,
        where: str,
        fields: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request and read the answer, without following where it leads.

        :param where: a path below the site's beginning, or a whole address
        """
        url = where if "://" in where else self.url + where
        parts = urlsplit(url)
        sent = dict(headers or {})
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if fields is not None:
            body = urlencode({name: str(value) for name, value in fields.items()})
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        connection = self._connection(parts.hostname or "", parts.port)
        try:
            path = f"{parts.path or '/'}?{parts.query}".rstrip("?")
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            picture = response.msg.get_content_type() == "image/png"
            text = response.read().decode(errors="replace" if picture else "strict")
            answer = Answer(url, response.status, response.msg, text)
        finally:
            connection.close()
        self.answers.append(answer)
        for cookie in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(cookie).items():
                self.cookies[name] = morsel.value
        return answer

    def get(self, where: str = "/", **headers: str) -> Answer:
        """Look at an address."""
        return self.send("GET", where, headers=headers)

    def post(self, where: str, **fields: object) -> Answer:
        """Send a form as a page of this site does, and go where it leads."""
        origin = re.match(r"https?://[^/]+", self.url)
        assert origin
        answer = self.send("POST", where, fields, {"Origin": origin[0]})
        if answer.status != 303:
            return answer
        found = self.get(answer.location)
        assert found.status == 200, f"{answer.location}: {found.status}"
        return found

    def move(self, page: Answer, cell: int) -> Answer:
        """Play a cell of the game that a page shows."""
        version = page.game.get("data-version")
        return self.post(f"{page.url}/moves", cell=cell, version=version)

    def _connection(self, host: str, port: int | None) -> http.client.HTTPConnection:
        more: Any = {"timeout": PATIENCE, "source_address": (self._source, 0)}
        if self._trust is not None:
            return http.client.HTTPSConnection(host, port, context=self._trust, **more)
        return http.client.HTTPConnection(host, port, **more)


def sit_down(x: Person, o: Person) -> Answer:
    """Let ``x`` challenge, and ``o`` join by the link; return what ``x`` saw while waiting."""
    waiting = x.post("/challenges", mark="x")
    link = waiting.invitation
    invitation = o.get(link)
    (form,) = [one for one in invitation.document.all("form") if "/join/" in one.get("action")]
    joined = o.post(urljoin(link, form.get("action")))
    assert joined.url == waiting.url
    return waiting
