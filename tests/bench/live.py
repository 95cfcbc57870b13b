"""Many games between two people at once: how soon does a move show on the other one's page?

Everybody has a connection and a cookie of their own. Who waits asks for news as their page says,
once a second, so that a move waits half a second on the average, and a second at the most, before
the server is to blame.
"""

from __future__ import annotations

import random
import secrets
import selectors
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import chain, count

from tests.bench.classmates import Browser, sent_to
from tests.bench.client import Answer, Connection, status
from tests.bench.measure import Meter
from tests.bench.servers import BenchError, Server

# Between the dates of two moves in a game, in seconds: at least, at most, on the average.
_THOUGHT = (2.0, 4.0)
PACE = sum(_THOUGHT) / 2
# A game begins with up to so many moves made, so that from the start some end and others begin.
_BEFORE = 4
# How many games are opened at the same time.
_AT_ONCE = 30
# For how long everybody only waits, until all have asked for news once.
_ASIDE = 1.0
# How long to wait for what is on its way at the end, in seconds.
_PATIENCE = 10.0


@dataclass
class Live:
    """What came of the games.

    :ivar updates: a figure a move that reached the other one's page: seconds since it was sent
    :ivar answers: how long the one who moved waited for the answer, in seconds
    :ivar unchanged: requests for news that were answered 204, and how long each took
    :ivar changed: those that were answered 200, likewise
    :ivar rematches: games that both went on to
    :ivar lateness: how much later than due the client did something, where that was its own fault
    """

    meter: Meter
    games: int
    moves: int = 0
    updates: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    unchanged: list[float] = field(default_factory=list)
    changed: list[float] = field(default_factory=list)
    rematches: int = 0
    lateness: list[float] = field(default_factory=list)


def play(server: Server, games: int, seconds: float) -> Live:
    """Let two people play at each of so many boards, one move there every three seconds.

    A date is kept however long the news of the last move took: who comes to know too late moves at
    once. A finished game goes on with a rematch, which both ask for as soon as they see it.
    """
    found, rng = Live(Meter(server), games), random.Random(9)
    with _pairs(server, games, rng) as pairs, _Hall(found, rng) as hall:
        start = time.perf_counter() + _ASIDE
        for pair in pairs:
            hall.seat(pair, start + rng.uniform(0, PACE))
        hall.run(start)
        hall.playing = True
        found.lateness.clear()
        with found.meter.running():
            hall.run(start + seconds)
        hall.playing = False
        hall.run(start + seconds + _PATIENCE, lambda: len(found.updates) == found.moves)
    return found


Pair = tuple[Browser, Browser]


@contextmanager
def _pairs(server: Server, number: int, rng: random.Random) -> Iterator[list[Pair]]:
    """People in the middle of games, one of each two having opened it and the other joined."""
    with ExitStack() as stack:
        pairs: list[Pair] = []
        while len(pairs) < number:
            pairs += _opened(server, min(_AT_ONCE, number - len(pairs)), rng)
        # Anew, because the server closes connections on which nobody has asked for half a minute.
        for browser in chain.from_iterable(pairs):
            browser.connection = stack.enter_context(_connection(server))
        yield pairs


def _opened(server: Server, number: int, rng: random.Random) -> list[Pair]:
    with ExitStack() as stack:
        hosts, guests = [
            [
                Browser(server, stack.enter_context(_connection(server)), secrets.token_urlsafe(32))
                for _ in range(number)
            ]
            for _ in ("hosts", "guests")
        ]
        _follow(hosts, ["/challenges"] * number, "mark=random")
        _follow(guests, [f"/join/{host.page.code}" for host in hosts])
        _look(hosts)
        pairs = list(zip(hosts, guests, strict=True))
        for moves in range(_BEFORE):
            # One in five games begins with no move, one with one, and so on.
            _move([pair for n, pair in enumerate(pairs) if n % (_BEFORE + 1) > moves], rng)
    return pairs


def _connection(server: Server) -> AbstractContextManager[Connection]:
    return closing(Connection(server, 200, 204, 303))


def _follow(browsers: Sequence[Browser], paths: Sequence[str], body: str = "") -> None:
    """Let everybody send a form at once, and show the page that this leads to."""
    for browser, path in zip(browsers, paths, strict=True):
        browser.post(path, body)
    addresses = [sent_to(browser.receive()) for browser in browsers]
    for browser, address in zip(browsers, addresses, strict=True):
        browser.ask(address)
    for browser in browsers:
        browser.show(browser.receive())


def _look(browsers: Sequence[Browser]) -> None:
    """Let everybody ask for news that are there."""
    for browser in browsers:
        browser.ask(browser.page.news, htmx=True)
    for browser in browsers:
        browser.show(browser.receive())


def _move(pairs: Sequence[Pair], rng: random.Random) -> None:
    """Let one of each two make a move, and the other one see it."""
    turns = [(guest, host) if host.page.news else (host, guest) for host, guest in pairs]
    for mover, _ in turns:
        mover.send_move(rng)
    for mover, _ in turns:
        mover.take_move(mover.receive())
    _look([other for _, other in turns])


# --- the hall where all of it happens -----------------------------------------------------------


class _Hall:
    """The clock and the post: whoever is to do something, and whoever gets an answer.

    :ivar playing: whether moves are made, and counted
    """

    def __init__(self, found: Live, rng: random.Random) -> None:
        self.found, self.rng, self.playing = found, rng, False
        self._diary: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> _Hall:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()

    def seat(self, pair: Pair, due: float) -> None:
        """Let two people go on with their game, the next move being due at this date."""
        table, now = _Table(due), time.perf_counter()
        for browser in pair:
            seat = _Seat(self, table, browser)
            self._selector.register(browser.connection.socket, selectors.EVENT_READ, seat)
            # Nobody's second begins when anybody else's does.
            seat.go_on(now - self.rng.random())

    def at(self, date: float, act: Callable[[], None]) -> None:
        heappush(self._diary, (date, next(self._numbers), act))

    def run(self, until: float, enough: Callable[[], bool] = lambda: False) -> None:
        while (now := time.perf_counter()) < until and not enough():
            date = self._diary[0][0] if self._diary else until
            if date <= now:
                _, _, act = heappop(self._diary)
                self.found.lateness.append(now - date)
                act()
                continue
            for key, _ in self._selector.select(min(date, until) - now):
                key.data.receive()


@dataclass
class _Table:
    """What two people have in common.

    :ivar due: the date of the next move
    :ivar mover: who made the last one
    :ivar made: the version that it made
    :ivar sent: when it was sent; ``None`` once the other one's page shows it
    """

    due: float
    mover: _Seat | None = None
    made: int = 0
    sent: float | None = None


class _Seat:
    """One of the two, with one thing to do next or one request on its way."""

    def __init__(self, hall: _Hall, table: _Table, browser: Browser) -> None:
        self._hall, self._table, self._browser = hall, table, browser
        self._asks_at = 0.0
        self._take: Callable[[Answer, float], None] | None = None

    def go_on(self, since: float) -> None:
        """Decide what to do next on a page that has been there since then."""
        table, page = self._table, self._browser.page
        # Whoever did not make the last move asks for a rematch; the version after that says so.
        if page.over and (table.mover is self) == (page.version > table.made):
            self._hall.at(since, self._ask_again)
        elif page.news:
            self._asks_at = since + page.pace
            self._hall.at(self._asks_at, self._ask_for_news)
        elif page.over:
            raise BenchError("The page of a finished game does not ask for news.")
        else:
            self._hall.at(max(since, table.due), self._move)

    def receive(self) -> None:
        """Read what has come, and go on when it is complete."""
        answer = self._browser.connection.receive_some()
        if answer is not None and self._take is not None:
            take, self._take = self._take, None
            take(answer, time.perf_counter())

    # --- what one may do, and what is done with the answer --------------------------------------

    def _move(self) -> None:
        if not self._hall.playing:
            return
        table, rng = self._table, self._hall.rng
        self._hall.found.moves += 1
        table.due += rng.uniform(*_THOUGHT)
        table.mover, table.made, table.sent = (
            self, self._browser.page.version + 1, time.perf_counter()
        )  # fmt: skip
        self._take = partial(self._moved, table.sent)
        self._browser.send_move(rng)

    def _moved(self, sent: float, answer: Answer, now: float) -> None:
        self._hall.found.answers.append(now - sent)
        self._browser.take_move(answer)
        self.go_on(now)

    def _ask_for_news(self) -> None:
        self._take = partial(self._heard, time.perf_counter())
        self._browser.ask(self._browser.page.news, htmx=True)

    def _heard(self, sent: float, answer: Answer, now: float) -> None:
        found, browser = self._hall.found, self._browser
        unchanged = status(answer) == 204
        if self._hall.playing:
            (found.unchanged if unchanged else found.changed).append(now - sent)
        if unchanged:
            self._asks_at += browser.page.pace
            self._hall.at(self._asks_at, self._ask_for_news)
        elif address := sent_to(answer):
            self._take = self._arrived
            browser.ask(address)
        else:
            self._show(answer, now)

    def _ask_again(self) -> None:
        if not self._hall.playing:
            return
        self._take = self._arrived
        self._browser.post(f"/games/{self._browser.page.game}/again", htmx=True)

    def _arrived(self, answer: Answer, now: float) -> None:
        before = self._browser.page.game
        # The one who agrees is the first to see the new board, and may move before the other one
        # sees it: this page can bring a move as well.
        agreed = self._table.mover is self
        self._show(answer, now)
        self._hall.found.rematches += agreed and self._browser.page.game != before

    def _show(self, answer: Answer, now: float) -> None:
        browser, table = self._browser, self._table
        browser.show(answer)
        if table.sent and table.mover is not self and browser.page.version == table.made:
            self._hall.found.updates.append(now - table.sent)
            table.sent = None
        self.go_on(now)
