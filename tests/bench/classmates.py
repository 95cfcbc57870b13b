"""People who play each other, as their browsers do: pages, cookies, and asking for news.

What they ask for is what their page says, address and interval alike.
"""

from __future__ import annotations

import html
import random
import re
from dataclasses import dataclass

from tests.bench.client import PLAYABLE, Answer, Connection, encoded_get, encoded_post, unpacked
from tests.bench.servers import BenchError, Server

JOINED = 2
"""The version of a game in which somebody has just taken the free seat; each move adds 1."""

_GAME = re.compile(
    rb'<div id="game" data-game="([\w-]+)" data-version="(\d+)" data-outcome="(\w*)"([^>]*)>'
)
_NEWS = re.compile(r'hx-get="([^"]+)" hx-trigger="every (\d+)s"')
_CODE = re.compile(rb'class="code">(\w+)<')
_SENT_TO = re.compile(rb"\r\n(?:location|hx-redirect): *(\S+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *player=([\w-]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Page:
    """A game between two people, as the page of one of them shows it.

    :param news: the address that the page asks for news, empty while it is one's own turn
    :param pace: after how many seconds, again and again
    :param code: of a challenge that nobody has taken
    """

    game: str
    version: int
    over: bool
    news: str
    pace: float
    cells: tuple[int, ...]
    code: str

    @classmethod
    def read(cls, answer: Answer) -> Page:
        """Read it from a whole page or from what htmx gets.

        :raises BenchError: if it shows no game
        """
        body = unpacked(answer)
        game = _GAME.search(body)
        if game is None:
            raise BenchError("An answer came without a game.")
        news, code = _NEWS.search(game[4].decode()), _CODE.search(body)
        return cls(
            game=game[1].decode(),
            version=int(game[2]),
            over=bool(game[3]),
            news=html.unescape(news[1]) if news else "",
            pace=float(news[2]) if news else 0.0,
            cells=tuple(map(int, PLAYABLE.findall(body))),
            code=code[1].decode() if code else "",
        )


class Browser:
    """A connection that stays open, and the cookie of the one whose browser it is.

    :param cookie: empty for somebody new: the first answer that brings one is kept
    :ivar page: the game that it shows, from the first one on
    """

    page: Page

    def __init__(self, server: Server, connection: Connection, cookie: str = "") -> None:
        self.connection = connection
        self.cookie = cookie
        self._server = server

    def ask(self, path: str, *, htmx: bool = False) -> None:
        self.connection.send(encoded_get(path, self._server, htmx=htmx, cookie=self.cookie))

    def post(self, path: str, body: str = "", *, htmx: bool = False) -> None:
        request = encoded_post(path, body, self._server, htmx=htmx, cookie=self.cookie)
        self.connection.send(request)

    def send_move(self, rng: random.Random) -> None:
        """Click any free cell."""
        cell = f"version={self.page.version}&cell={rng.choice(self.page.cells)}"
        self.post(f"/games/{self.page.game}/moves", cell, htmx=True)

    def take_move(self, answer: Answer) -> None:
        """Show the answer to a move.

        :raises BenchError: if the move was not accepted
        """
        before = self.page.version
        self.show(answer)
        if self.page.version != before + 1:
            raise BenchError("A move was answered without being accepted.")

    def show(self, answer: Answer) -> None:
        """Show another game, or how the same one stands now."""
        self.page = Page.read(answer)

    def receive(self) -> Answer:
        """Wait for the answer.

        :raises BenchError: if it is a refusal
        """
        answer = self.connection.receive()
        if not self.cookie and (given := _COOKIE.search(answer[0])):
            self.cookie = given[1].decode()
        return answer


def sent_to(answer: Answer) -> str:
    """The address that an answer sends the browser to, empty if to none."""
    found = _SENT_TO.search(answer[0])
    return found[1].decode() if found else ""
