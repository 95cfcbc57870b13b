"""Who is here: anyone whose page waits or has just asked, until it says good-bye.

All moments are on a clock that no one sets. Standard library only.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from math import inf
from typing import NamedTuple

PRESENT_FOR_S, HIDDEN_FOR_S = 5.0, 20.0
"""How long a player is here after a page has asked; a hidden page, or one without a script, asks
seldom."""

GOING_S = 2.5
"""How long a player is here after a good-bye: most go to another page of this site."""

SETTLED_S = 10.0
"""How long after a start, or a sleep, no one counts as away: all pages have to come back first."""

ASLEEP_S = 5.0
"""A server that has not ticked for so long was asleep, and no player could reach it."""

_KEPT_S = 60.0
"""How long it is known when a player was last here."""


def through_sleep() -> float:
    """Return the seconds on a monotonic clock that goes on while the computer sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    # On Windows the usual one does.
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Seen(NamedTuple):
    """Until when a player is here.

    :param has_left: whether that follows from a good-bye
    :param heard: whether another process has said so; ``teaches``: of a teacher
    :param since: when the player came, as this process knows it
    """

    until: float
    has_left: bool = False
    heard: bool = False
    teaches: bool = False
    since: float = 0.0


class Presence:
    """The players of whom this process has heard, from its own pages or from another process."""

    def __init__(self, now: Callable[[], float] = through_sleep) -> None:
        self.now, self._began = now, now()
        self._ticked = inf
        self._changing = threading.Lock()
        self._seen: dict[str, Seen] = {}
        self._here = self._teachers = frozenset[str]()

    def tick(self) -> None:
        """Note that the server runs. To be called several times a second."""
        self._began, self._ticked = self.began, self.now()

    @property
    def began(self) -> float:
        """When the server started or woke; now, if it has just woken."""
        now = self.now()
        return now if now - self._ticked > ASLEEP_S else self._began

    @property
    def settles_in_s(self) -> float:
        """After how many seconds all pages have had the time to ask since then; or 0."""
        return max(0.0, SETTLED_S - (self.now() - self.began))

    @property
    def is_settled(self) -> bool:
        """Whether all pages have had the time to ask since then."""
        return not self.settles_in_s

    def asked(self, player: str, *, seldom: bool = False) -> None:
        """Note that a page of this player has asked.

        :param seldom: whether it asks again only after some time
        """
        with self._changing:
            self._extend(player, HIDDEN_FOR_S if seldom else PRESENT_FOR_S)

    def left(self, player: str) -> None:
        """Note that a page of this player has said good-bye; another one asks again."""
        if not self.is_here(player):
            return  # the wall alone was open
        with self._changing:
            until = self.now() + GOING_S
            self._seen[player] = Seen(until, has_left=True, since=self._since(player))

    def _extend(self, player: str, for_s: float) -> None:
        until, before = self.now() + for_s, self._seen.get(player)
        until = max(until, before.until) if before else until
        self._seen[player] = Seen(until, since=self._since(player))

    def _since(self, player: str) -> float:
        """When a player came: a pupil who was away for less than a minute has not come again."""
        known = self._seen.get(player)
        return known.since if known else self.now()

    def is_here(self, player: str) -> bool:
        """Tell whether a player is here."""
        seen = self._seen.get(player)
        return seen is not None and self.now() <= seen.until

    def is_away(self, player: str) -> bool:
        """Tell whether a player is not here, once all pages had the time to come back."""
        return self.is_settled and not self.is_here(player)

    def has_left(self, player: str) -> bool:
        """Tell whether a player has said good-bye, and not come back."""
        seen = self._seen.get(player)
        return seen is not None and seen.has_left and self.now() > seen.until

    def here(self) -> frozenset[str]:
        """Return the players who are here."""
        now = self.now()
        with self._changing:
            return frozenset(one for one, seen in self._seen.items() if now <= seen.until)

    def note_teacher(self, player: str, *, teaches: bool) -> bool:
        """Note whether a player's browser is signed in as the teacher; tell whether that is new."""
        before = self._teachers
        self._teachers = before | {player} if teaches else before - {player}
        return self._teachers != before

    def teachers(self) -> frozenset[str]:
        """Return the players whose browsers are signed in as the teacher, as far as is known."""
        with self._changing:
            return self._teachers.union(one for one, seen in self._seen.items() if seen.teaches)

    def newest(self) -> list[str]:
        """Return the players who are here, who has come last first."""
        now = self.now()
        with self._changing:
            came = [(-one.since, player) for player, one in self._seen.items() if now <= one.until]
        return [player for _since, player in sorted(came)]

    def beat(self, waiting: Iterable[str]) -> Collection[str]:
        """Count those who wait as here; return who has come or gone since the last beat."""
        now = self.now()
        with self._changing:
            for player in waiting:
                self._extend(player, PRESENT_FOR_S)
            self._seen = {
                one: seen for one, seen in self._seen.items() if now - seen.until < _KEPT_S
            }
        before_beat, self._here = self._here, self.here()
        return before_beat ^ self._here

    # --- between processes ----------------------------------------------------------------------

    def own(self) -> dict[str, int]:
        """Return for how many milliseconds more players are here by this process's own pages.

        Less than none for a teacher.
        """
        now = self.now()
        with self._changing:
            return {
                player: int(1000 * (seen.until - now)) * (-1 if player in self._teachers else 1)
                for player, seen in self._seen.items()
                if seen.until > now and not (seen.heard or seen.has_left)
            }

    def hear(self, told: Mapping[str, int]) -> None:
        """Learn from another process for how many milliseconds players are here by its pages."""
        now = self.now()
        with self._changing:
            for player, milliseconds in told.items():
                until, teaches = now + abs(milliseconds) / 1000, milliseconds < 0
                heard = Seen(until, heard=True, teaches=teaches, since=self._since(player))
                known = self._seen.get(player, heard)
                if known.heard or known.has_left or known.until <= heard.until:
                    self._seen[player] = heard
