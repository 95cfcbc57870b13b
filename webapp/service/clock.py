"""The time, and how long the clock has been reliable. Standard library only."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

_NOTICED = 2.0  # seconds that a clock must jump to count as set


class Clock:
    """The computer's time, checked against a second clock that no one can set.

    Sleep counts as setting the clock: no one could move meanwhile.

    :param wall: the time in seconds since 1970
    :param steady: a steady clock in seconds
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._steady = wall, steady
        self._set_at, self._apart = float("-inf"), wall() - steady()

    def __call__(self) -> float:
        """The time in seconds since 1970."""
        return self._wall()

    def today(self) -> int:
        """When today began, in the server's time zone, in seconds since 1970."""
        now = datetime.fromtimestamp(self._wall(), UTC).astimezone()
        return int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp())

    def since(self, moment: int, until: int | None = None) -> int:
        """The seconds that have certainly passed since a moment: since the clock was set, if so.

        :param until: when it stopped, if it has
        """
        now = int(self._wall())
        end = now if until is None else min(now, until)
        return int(max(0, min(end - moment, self.steady_for())))

    def steady_for(self) -> float:
        """Seconds since the clock was last set; infinite if it never was."""
        steady = self._steady()
        apart = self._wall() - steady
        if abs(apart - self._apart) > _NOTICED:
            self._set_at = steady
        self._apart = apart
        return steady - self._set_at
