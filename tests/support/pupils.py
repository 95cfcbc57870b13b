"""Pupils at a real server who do as the pages do, also while it is out of order."""

import http.client
import random
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from tests.support import rules
from tests.support.http import Somebody
from tests.support.visitor import FRAGMENT

_STATE = re.compile(r'data-game="([\w-]*)" data-version="(\d+)" data-outcome="(\w*)"')
_CELL = re.compile(r'id="c(\d)"[^>]*>(?:<svg class="([xo])")?')
_CODE = re.compile(r'class="code"[^>]*>([^<]+)<')

LONGEST = 15.0
"""Seconds after which htmx gives up, as the head of every page sets it."""

_PATIENCE = 20
"""How often a pupil tries again before giving up."""

_PAUSE = 0.1
"""Seconds from an answer to the next click."""


@dataclass(frozen=True)
class Seen:
    """A game as an answer showed it.

    :param board: nine characters, as in ``tests.support.rules``
    """

    game: str
    version: int
    outcome: str
    board: str


class Pupil:
    """Somebody at a browser who clicks again where the page says so.

    :ivar answered: what the answers to moves showed
    :ivar errors: which requests the page said did not work
    :ivar refused: how often the board had changed already
    :ivar good: how often an answer came as it should
    """

    def __init__(self, url: str) -> None:
        self.answered: list[Seen] = []
        self.errors: list[str] = []
        self.refused = self.good = 0
        self._browser = Somebody(url, **FRAGMENT)
        self._browser.patience = LONGEST

    def ask(self, path: str, fields: Mapping[str, object] | None = None) -> str:
        """Send a form, or look, and again as long as the page says that it did not work.

        :return: the page, or where the answer leads
        """
        for _ in range(_PATIENCE):
            wait = 1.0
            try:
                if fields is None:
                    answer = self._browser.get(path)
                else:
                    answer = self._browser.post(path, **fields)
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(f"{path}: {error!r}")
            else:
                if answer.status < 500:
                    self.refused += answer.status == 409
                    assert answer.status in (200, 204, 303, 409), f"{path}: {answer.status}"
                    self.good += 1
                    return answer.headers.get("Location", answer.text)
                self.errors.append(f"{path}: {answer.status} after {answer.seconds:.1f} s")
                wait = float(answer.headers.get("Retry-After", 1))
            time.sleep(wait)
        raise AssertionError(f"nothing but errors: {self.errors}")

    def begin(self, opponent: str = "easy") -> Seen:
        """Begin a game with the middle; sent twice, it is the same one."""
        fields = {"opponent": opponent, "mark": "x", "cell": 4, "key": secrets.token_urlsafe(16)}
        return read(self.ask("/games", fields))

    def move(self, seen: Seen) -> Seen:
        """Click a free cell, and remember what the answer promised."""
        cell = random.choice(rules.free(seen.board))
        fields = {"cell": cell, "version": seen.version}
        now = read(self.ask(f"/games/{seen.game}/moves", fields))
        self.answered.append(now)
        return now

    def look(self, seen: Seen) -> Seen:
        """Ask for news of a game, as a page that waits does."""
        text = self.ask(f"/games/{seen.game}?since={seen.version}")
        return read(text) if text else seen


def read(text: str) -> Seen:
    """Read the board of an answer."""
    state = _STATE.search(text)
    assert state, text
    cells = {int(number): mark.upper() or "." for number, mark in _CELL.findall(text)}
    return Seen(state[1], int(state[2]), state[3], "".join(cells[cell] for cell in range(9)))


# --- what they do all the while -----------------------------------------------------------------


def alone(pupil: Pupil, stopped: threading.Event) -> None:
    """Play one game after the other against the computer."""
    while not stopped.is_set():
        seen = pupil.begin()
        while not seen.outcome and not stopped.wait(_PAUSE):
            seen = pupil.move(seen)


def together(x: Pupil, o: Pupil, stopped: threading.Event) -> None:
    """Play one game after the other against each other."""
    while not stopped.is_set():
        # No answer to a challenge is a challenge all the same: whoever waits has one.
        page = x.ask(x.ask("/challenges", {"mark": "x"}))
        found = _CODE.search(page)
        assert found, page
        o.ask(f"/join/{found[1]}", {})
        seen = x.look(read(page))
        while not seen.outcome and not stopped.wait(_PAUSE):
            mover, other = (x, o) if rules.to_move(seen.board) == "X" else (o, x)
            mover.move(mover.look(seen))
            seen = other.look(seen)


@contextmanager
def playing(url: str, singles: int, pairs: int) -> Iterator[list[Pupil]]:
    """Let so many play, until the end of the block; what fails them fails the test."""
    everybody = [Pupil(url) for _ in range(singles + 2 * pairs)]
    stopped, failed = threading.Event(), list[BaseException]()

    def run(play: Callable[[], None]) -> None:
        try:
            play()
        except BaseException as error:  # noqa: BLE001 - handed on below
            failed.append(error)

    of_pairs = iter(everybody[singles:])
    plays = [
        *(partial(alone, one, stopped) for one in everybody[:singles]),
        *(partial(together, x, o, stopped) for x, o in zip(of_pairs, of_pairs, strict=True)),
    ]
    threads = [threading.Thread(target=run, args=(play,)) for play in plays]
    for thread in threads:
        thread.start()
    try:
        yield everybody
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
