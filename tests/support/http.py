"""A player at a real server: a connection for each request, a cookie, and the seconds it took."""

from __future__ import annotations

import http.client
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from tests.support.patience import PATIENCE

_GAME = re.compile(r'data-game="([\w-]*)" data-version="(\d+)" data-outcome="(\w*)"')
_PLAYABLE = re.compile(r'name="cell" value="(\d)"(?! type)')

MISSING = (OSError, http.client.HTTPException)
"""What a client meets whose server dies."""


@dataclass(frozen=True)
class Answer:
    """What came back.

    :param seconds: how long that took
    """

    status: int
    headers: http.client.HTTPMessage
    text: str
    seconds: float

    @property
    def version(self) -> int:
        """The version of the game that it shows."""
        found = _GAME.search(self.text)
        assert found, self.text[:300]
        return int(found[2])

    @property
    def playable(self) -> list[int]:
        """The cells that can be played."""
        return [int(cell) for cell in _PLAYABLE.findall(self.text)]


class Player:
    """Sends what a browser would.

    :param headers: what the browser sends besides
    :ivar game: the path of the game that was begun last
    """

    patience = PATIENCE

    def __init__(self, url: str, **headers: str) -> None:
        self._headers = headers
        self._host = urlsplit(url).netloc
        self._cookies = f"player={secrets.token_urlsafe(32)}"
        self.game = ""

    def signs_in(self, key: str) -> None:
        """Become the host."""
        cookie = self.post("/host", key=key).headers["Set-Cookie"]
        self._cookies += f"; {cookie.partition(';')[0]}"

    def get(self, path: str) -> Answer:
        """Look at a page."""
        return self._send("GET", path, None)

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form."""
        return self._send("POST", path, urlencode(fields))

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

    def _send(self, method: str, path: str, body: str | None) -> Answer:
        headers = {**self._headers, "Cookie": self._cookies}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(self._host, timeout=self.patience)
        begun = time.monotonic()
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        return Answer(answer.status, answer.headers, text, time.monotonic() - begun)


def answers(url: str, path: str = "/healthz") -> bool:
    """Tell whether a server answers with this page, by a connection of its own."""
    with suppress(*MISSING):
        return Player(url).get(path).status == 200
    return False
