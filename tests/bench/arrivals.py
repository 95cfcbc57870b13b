"""A lesson begins: everybody opens the address at once, and wants to play somebody.

Every second one opens a game, the others each join one that the page of the class shows. Each is a
thread that waits for answers most of the time, with the connections that a browser would open.
Nobody pauses to think, so that whatever a person waits for is the server, the second until their
page asks for news, or somebody who has not arrived yet.
"""

from __future__ import annotations

import random
import re
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from threading import Thread

from tests.bench.classmates import JOINED, Browser, sent_to
from tests.bench.client import Answer, Connection, status, unpacked
from tests.bench.servers import BenchError, Server

_STATIC = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_OPEN = re.compile(rb'action="(/join/\w+)"')
# As many connections as a browser opens to one server.
_CONNECTIONS = 6
# After how many seconds somebody who finds no game to join looks again.
_IMPATIENCE = 0.3
# After how many seconds without a game people give up.
_PATIENCE = 15.0


@dataclass
class Arrivals:
    """How the lesson began.

    :ivar within: the seconds in which they arrived
    :ivar loaded: until somebody's page of the class was there, in seconds since their arrival
    :ivar playing: likewise, until their page showed the first move of their game
    :ivar requests: all that were answered
    :ivar taken: seats for which somebody else was quicker; they took another one
    :ivar refusals: what else was refused
    """

    people: int
    within: float
    loaded: list[float] = field(default_factory=list)
    playing: list[float] = field(default_factory=list)
    requests: int = 0
    taken: int = 0
    refusals: list[str] = field(default_factory=list)


def arrive(server: Server, people: int, within: float) -> Arrivals:
    """Let so many people arrive, each at any moment of so many seconds.

    :param people: an even number, so that nobody is left over
    """
    rng = random.Random(9)
    moments = sorted(rng.uniform(0, within) for _ in range(people))
    newcomers = [
        _Newcomer(server, moment, opens=n % 2 == 0, rng=random.Random(n))
        for n, moment in enumerate(moments)
    ]
    threads = [Thread(target=newcomer.come) for newcomer in newcomers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Arrivals(
        people,
        within,
        [one.loaded for one in newcomers if one.loaded is not None],
        [one.playing for one in newcomers if one.playing is not None],
        sum(one.requests for one in newcomers),
        sum(one.taken for one in newcomers),
        [one.refusal for one in newcomers if one.refusal],
    )


class _InVainError(Exception):
    """Somebody has waited so long that they give up."""


@dataclass
class _Newcomer:
    """Somebody who has never been here: no cookie, nothing kept by the browser."""

    server: Server
    moment: float
    opens: bool
    rng: random.Random
    loaded: float | None = None
    playing: float | None = None
    requests: int = 0
    taken: int = 0
    refusal: str = ""
    _arrival: float = field(default_factory=time.perf_counter)

    def come(self) -> None:
        """Arrive when it is time, and play."""
        self._arrival += self.moment
        time.sleep(max(0.0, self._arrival - time.perf_counter()))
        try:
            with ExitStack() as stack:
                browser = Browser(self.server, self._connection(stack, 200, 204, 303, 409))
                self._look_around(browser, stack)
                self._follow(browser, self._open(browser) if self.opens else self._join(browser))
                self._begin(browser)
        except _InVainError:
            return
        except (BenchError, OSError) as error:
            self.refusal = str(error)

    @property
    def _elapsed(self) -> float:
        return time.perf_counter() - self._arrival

    def _connection(self, stack: ExitStack, *expected: int) -> Connection:
        return stack.enter_context(closing(Connection(self.server, *expected)))

    # --- the steps ------------------------------------------------------------------------------

    def _look_around(self, browser: Browser, stack: ExitStack) -> None:
        """Load the front page and what it needs, on several connections, as a browser would."""
        browser.ask("/")
        needed = sorted(set(_STATIC.findall(unpacked(self._answer(browser)))))
        lanes = [browser]
        while len(lanes) < min(len(needed), _CONNECTIONS):
            connection = self._connection(stack, 200)
            lanes.append(Browser(self.server, connection, browser.cookie))
        for first in range(0, len(needed), len(lanes)):
            busy = list(zip(lanes, needed[first : first + len(lanes)], strict=False))
            for lane, path in busy:
                lane.ask(path.decode())
            for lane, _ in busy:
                self._answer(lane)

    def _open(self, browser: Browser) -> str:
        """Open a game; return its address."""
        self._class(browser)
        browser.post("/challenges", "mark=random")
        return sent_to(self._answer(browser, 303))

    def _join(self, browser: Browser) -> str:
        """Take any free seat; return the address of the game."""
        while True:
            seats = _OPEN.findall(self._class(browser))
            if not seats:
                self._wait(_IMPATIENCE)
                continue
            browser.post(self.rng.choice(seats).decode())
            answer = self._answer(browser, 303, 409)
            if status(answer) == 303:
                return sent_to(answer)
            self.taken += 1  # who looks again sees who else is waiting

    def _begin(self, browser: Browser) -> None:
        """Make the first move or see it."""
        while browser.page.version <= JOINED:
            if browser.page.news:
                self._wait(browser.page.pace)
                browser.ask(browser.page.news, htmx=True)
                answer = self._answer(browser, 200, 204)
                if status(answer) == 200:
                    browser.show(answer)
            else:
                browser.send_move(self.rng)
                browser.take_move(self._answer(browser))
        self.playing = self._elapsed

    # --- their parts ----------------------------------------------------------------------------

    def _class(self, browser: Browser) -> bytes:
        browser.ask("/class")
        body = unpacked(self._answer(browser))
        if self.loaded is None:
            self.loaded = self._elapsed
        return body

    def _follow(self, browser: Browser, address: str) -> None:
        browser.ask(address)
        browser.show(self._answer(browser))

    def _answer(self, browser: Browser, *allowed: int) -> Answer:
        answer = browser.receive()
        self.requests += 1
        if status(answer) not in (allowed or (200,)):
            raise BenchError(f"A request was answered with {status(answer)}.")
        return answer

    def _wait(self, seconds: float) -> None:
        if self._elapsed > _PATIENCE:
            raise _InVainError
        time.sleep(seconds)
