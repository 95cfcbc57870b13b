"""Wrong keys: the answers to those of one address come one after the other."""

import math
import threading
import time
from collections.abc import Callable

from webapp.core.messages import N_
from webapp.service.refusals import Refusal

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
        super().__init__(N_("This is not the key."))
        self.wait = wait


class TooManyTries(Refusal):
    """What was sent is not the key, and too many wrong ones wait for their answers.

    :ivar seconds: after how many seconds those have them
    """

    def __init__(self) -> None:
        super().__init__(N_("This is not the key. Too many wrong ones have come: wait a moment."))
        self.seconds = math.ceil(LONGEST)


class WrongKeys:
    """When wrong keys are answered: those of one address come one after the other.

    :param workers: how many processes of this server answer
    :param now: a clock that no one sets
    """

    def __init__(self, workers: int = 1, now: Callable[[], float] = time.monotonic) -> None:
        self._pause, self._now = min(1, workers / A_SECOND), now
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
