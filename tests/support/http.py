"""A player at a real server, by HTTP or HTTPS: a cookie jar, and a connection for each request."""

from __future__ import annotations

import http.client
import re
import secrets
import ssl
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from tests.support.html import Element, parse
from tests.support.patience import PATIENCE

_GAME = re.compile(r'data-game="([\w-]*)" data-version="(\d+)" data-outcome="(\w*)"')
_PLAYABLE = re.compile(r'name="cell" value="(\d)"(?! type)')
_ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post")

MISSING = (OSError, http.client.HTTPException)
"""What a client meets whose server dies."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    url: str
    status: int
    headers: http.client.HTTPMessage
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
    def version(self) -> int:
        """The version of the game that it shows."""
        return int(self._game[2])

    @property
    def outcome(self) -> str:
        """How that game ended; empty while it goes on."""
        return self._game[3]

    @property
    def _game(self) -> re.Match[str]:
        found = _GAME.search(self.text)
        assert found, f"no game at {self.url}: {self.status} {self.text[:300]}"
        return found

    @property
    def playable(self) -> list[int]:
        """The cells that can be played."""
        return [int(cell) for cell in _PLAYABLE.findall(self.text)]

    @property
    def addresses(self) -> set[str]:
        """Every address on the page, but for parts of the page itself."""
        elements = self.document.walk()
        found = {one.get(name) for one in elements for name in _ADDRESSES if one.has(name)}
        return {address for address in found if not address.startswith("#")}

    def the(self, identifier: str) -> Element:
        """The element that has this id."""
        found = self.document.with_id(identifier)
        assert found is not None, f"there is no #{identifier} at {self.url}"
        return found


class Player:
    """Sends what a browser would.

    :param url: where the site begins, without a slash at the end
    :param headers: what the browser sends besides
    :ivar cookies: to begin with one that the player has made up
    :ivar answers: what they have got last
    :ivar game: the path of the game that was begun last
    """

    def __init__(self, url: str, **headers: str) -> None:
        self.url = url
        self.cookies = {"player": secrets.token_urlsafe(32)}
        self.answers = deque[Answer](maxlen=100)
        self.game = ""
        self._headers = headers
        self._options: dict[str, Any] = {"timeout": PATIENCE}

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
        parts, body = urlsplit(url), None
        sent = {**self._headers, **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if fields is not None:
            body = urlencode(fields)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        secure = "context" in self._options
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(parts.netloc, **self._options)
        try:
            path = f"{parts.path or '/'}?{parts.query}".rstrip("?")
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            picture = response.msg.get_content_type() == "image/png"
            text = response.read().decode(errors="replace" if picture else "strict")
        finally:
            connection.close()
        answer = Answer(url, response.status, response.msg, text)
        self.answers.append(answer)
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: one.value for name, one in SimpleCookie(cookie).items()}
        return answer

    def get(self, where: str = "/", **headers: str) -> Answer:
        """Look at a page."""
        return self.send("GET", where, headers=headers)

    def post(self, where: str, **fields: object) -> Answer:
        """Send a form."""
        return self.send("POST", where, fields)

    def go(self, where: str, **fields: object) -> Answer:
        """Send a form as a page of this site does, and go where it leads."""
        parts = urlsplit(self.url)
        answer = self.send("POST", where, fields, {"Origin": f"{parts.scheme}://{parts.netloc}"})
        if answer.status == 303:
            answer = self.get(answer.location)
            assert answer.status == 200, f"{answer.url}: {answer.status}"
        return answer

    def signs_in(self, key: str) -> None:
        """Become the host."""
        self.post("/host", key=key)

    def start(self, cell: int = 4) -> Answer:
        """Begin a game against Easy."""
        answer = self.post("/games", opponent="easy", mark="x", cell=cell)
        if answer.status == 303:
            self.game = answer.headers["Location"]
        return answer

    def move(self) -> Answer:
        """Play the first free cell of the game."""
        page = self.get(self.game)
        return self.post(f"{self.game}/moves", cell=page.playable[0], version=page.version)

    def play(self, page: Answer, cell: int) -> Answer:
        """Play a cell of the game that a page shows, and look at the game."""
        return self.go(f"{page.url}/moves", cell=cell, version=page.version)


def newcomer(url: str, certificate: Path | None = None, source: str = "127.0.0.1") -> Player:
    """A player who has no cookie yet.

    :param certificate: whom to believe besides the usual authorities
    :param source: the address of this computer that they ask from
    """
    player = Player(url)
    player.cookies.clear()
    player._options["source_address"] = source, 0
    if certificate:
        player._options["context"] = ssl.create_default_context(cafile=certificate)
    return player


def sit_down(x: Player, o: Player) -> Answer:
    """Let ``x`` challenge, and ``o`` join by the link; return what ``x`` saw while waiting."""
    waiting = x.go("/challenges", mark="x")
    invitation = o.get(waiting.the("invitation").get("value"))
    (form,) = [one for one in invitation.document.all("form") if "/join/" in one.get("action")]
    joined = o.go(urljoin(invitation.url, form.get("action")))
    assert joined.url == waiting.url
    return waiting


def answers(url: str, path: str = "/healthz") -> bool:
    """Tell whether a server answers with this page, by a connection of its own."""
    with suppress(*MISSING):
        return Player(url).get(path).status == 200
    return False
