"""What time it is, and for how long that has been reliable: people and networks set clocks.

Standard library only.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

_NOTICED = 2.0
"""How many seconds a clock must jump to count as set."""


class Clock:
    """The time of this computer, checked against a second clock that no one can set.

    A computer that was asleep counts as one whose clock was set: no one could move meanwhile.

    :param wall: the time in seconds since 1970
    :param steady: seconds that pass evenly, counted from any moment
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._steady = wall, steady
        self._set_at, self._apart = float("-inf"), wall() - steady()

    def __call__(self) -> float:
        """Return the time in seconds since 1970."""
        return self._wall()

    def today(self) -> int:
        """Return when the day began at which the server stands, in seconds since 1970."""
        now = datetime.fromtimestamp(self._wall(), UTC).astimezone()
        return int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp())

    def since(self, moment: int, until: int | None = None) -> int:
        """Return how many seconds have certainly passed since then.

        Where the clock has been set, only what has passed since is certain.

        :param until: when it stopped, if it has
        """
        now = int(self._wall())
        end = now if until is None else min(now, until)
        return int(max(0, min(end - moment, self.steady_for())))

    def steady_for(self) -> float:
        """Return for how many seconds the clock has not been set; infinite if it never was."""
        steady = self._steady()
        apart = self._wall() - steady
        if abs(apart - self._apart) > _NOTICED:
            self._set_at = steady
        self._apart = apart
        return steady - self._set_at
