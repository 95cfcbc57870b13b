"""Who is the host: any browser that has sent the key, for some hours."""

import math
import secrets
import threading
import time
from collections.abc import Callable

from webapp.service.clock import Clock
from webapp.service.host_key import HostKey
from webapp.service.refusals import Refusal
from webapp.store import Database
from webapp.store import hosts as stored

HOURS = 12
"""The length of a session; then the key must be sent again."""

A_SECOND = 5
"""The wrong keys from one address that up to five workers together answer in a second."""

LONGEST = 2.0
"""The most seconds that a wrong key waits for its answer."""

AT_ONCE = 64
"""The wrong keys that wait in a worker, each on a thread."""


class WrongKey(Refusal):
    """What was sent is not the key.

    :ivar wait: after how many seconds that is to be answered
    """

    def __init__(self, wait: float) -> None:
        super().__init__("This is not the key.")
        self.wait = wait


class TooManyTries(Refusal):
    """What was sent is not the key, and too many wrong ones wait for their answers.

    :ivar seconds: after how many seconds those have them
    """

    def __init__(self) -> None:
        super().__init__("This is not the key. Too many wrong ones have come: wait a moment.")
        self.seconds = math.ceil(LONGEST)


class _Turns:
    """When wrong keys are answered: those of one address come one after the other.

    :param pause: the seconds between two of them
    :param now: a clock that no one sets
    """

    def __init__(self, pause: float, now: Callable[[], float] = time.monotonic) -> None:
        self._pause, self._now = pause, now
        self._changing = threading.Lock()
        # When each answer is due that someone waits for, by address, the last one last.
        self._due: dict[str, list[float]] = {}

    def take(self, line: str) -> float:
        """Return after how many seconds the next wrong key of an address is to be answered.

        :raises TooManyTries: if too many wait already
        """
        with self._changing:
            now = self._now()
            waiting = ((one, [due for due in some if due > now]) for one, some in self._due.items())
            self._due = {one: some for one, some in waiting if some}
            due = self._due.get(line, [now])[-1] + self._pause
            # A little more, since sums of pauses are not exact.
            too_late = due - now > LONGEST + self._pause / 2
            if too_late or sum(map(len, self._due.values())) >= AT_ONCE:
                raise TooManyTries
            self._due.setdefault(line, []).append(due)
            return due - now


class Hosts:
    """The browsers that are signed in as the host.

    :param workers: how many processes of this server answer
    """

    def __init__(self, database: Database, key: HostKey, clock: Clock, workers: int = 1) -> None:
        self._database = database
        self._key = key
        self._clock = clock
        self._turns = _Turns(min(1, workers / A_SECOND))

    def sign_in(self, typed: str, line: str | None) -> str:
        """Begin a session, and return the token that the browser is to keep.

        The key itself never waits, whatever else comes from its address; a wrong one is to be
        answered in its turn.

        :param typed: the key as it was typed
        :param line: the address that it came from; ``None`` where wrong keys need not wait
        :raises WrongKey: if it is not the key
        :raises TooManyTries: if it is not, and too many wrong ones wait already
        """
        if not self.fits(typed):
            raise WrongKey(self._turns.take(line) if line is not None else 0.0)
        token = secrets.token_urlsafe(32)
        with self._database.write(stored.ABOUT) as connection:
            now = int(self._clock())
            stored.begin(connection, self._key.seal(token), now, now - HOURS * 60 * 60)
        return token

    def fits(self, typed: str) -> bool:
        """Tell whether this is the key."""
        return self._key.fits(typed)

    def knows(self, token: str) -> bool:
        """Tell whether a token is that of a host, whose session goes on."""
        with self._database.read() as connection:
            began = stored.began_at(connection, self._key.seal(token))
        # If the clock jumped, ask for the key again.
        return began is not None and 0 <= int(self._clock()) - began < HOURS * 60 * 60

    def sign_out(self, token: str) -> None:
        """End a session."""
        with self._database.write(stored.ABOUT) as connection:
            stored.end(connection, self._key.seal(token))
