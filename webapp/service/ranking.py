"""The table that ranks the players: computed where it is read, and kept until a result changes."""

import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, suppress
from math import inf
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp.analysis.ratings import Rated
from webapp.analysis.ratings import table as computed
from webapp.core.places import placed
from webapp.live import Live
from webapp.store import Database, records, topics

AT_ONCE = 5_000
"""With up to so many records the page that asks computes the table itself, in 40 ms at the most:
250 players with 20 opponents each."""

BATCH = 500
"""How many records are read at a time otherwise."""

_BREAK_S = 60 * 60.0
"""Once no page has asked for the table for so long, another lesson begins."""

_STINT, _REST = 0.005, 0.095
"""After how many seconds of work a long computation rests, and for how many: moves need the
interpreter too."""


class Place(NamedTuple):
    """Where a player stands.

    :param place: from 1; equal ratings share one; ``None`` before the first few games
    :param rating: likewise
    :param games: how many the player has finished
    :param met: with how many people
    :param risen: by how many places since the lesson began, as this process knows it; fallen where
        it is negative
    """

    player: str
    place: int | None = None
    rating: int | None = None
    games: int = 0
    met: int = 0
    risen: int = 0


class Table(NamedTuple):
    """Where all stand.

    :param results: how many changes of the results were known when it was computed
    :param age: for how many seconds there may have been newer ones: 0 if there are none, infinite
        where no table has been computed yet
    :param rated: what each player's results come to
    :param places: by player, the best first, and then those without a place
    """

    results: int
    age: float
    rated: Mapping[str, Rated]
    places: Mapping[str, Place]


NO_TABLE = Table(-1, inf, {}, {})
"""What is known before the first computation."""


class Ranking:
    """The table, as one worker knows it."""

    def __init__(self, database: Database, live: Live) -> None:
        self._database, self._topics = database, live.topics
        self._table = NO_TABLE
        self._current_at = self._asked_at = -inf
        self._began: Mapping[str, Place] = {}
        self._apart = threading.Lock()

    def table(self, connection: sa.Connection, *, whole: bool = False) -> Table:
        """Return the table as it is now; where there are many results, as it was the last time.

        In that case it is computed meanwhile, and pages of the class are told when it is there.

        :param whole: whether to wait for the latest in any case
        """
        now, number = time.monotonic(), self._topics.number(topics.RESULTS)
        if now - self._asked_at > _BREAK_S:
            self._began = {}
        self._asked_at = now
        if number == self._table.results:
            self._current_at = now
            return self._table
        if whole or not records.are_more_than(connection, AT_ONCE):
            self._compute(number, records.results(connection))
            return self._table
        shown = self._table._replace(age=now - self._current_at)
        if self._apart.acquire(blocking=False):
            threading.Thread(target=self._compute_apart, args=(number,), daemon=True).start()
        return shown

    def since_the_lesson_began(self, places: Iterable[Place]) -> list[Place]:
        """Return places that say by how many they have risen."""
        self._began = self._began or self._table.places
        return [
            now._replace(risen=before.place - now.place) if before.place and now.place else now
            for now in places
            for before in [self._began.get(now.player, now)]
        ]

    def _compute(
        self, number: int, results: Iterable[Any], rest: Callable[[], object] = bool
    ) -> None:
        begun_at = time.monotonic()
        rated = computed(results, self._table.rated, rest)
        self._table, self._current_at = Table(number, 0.0, rated, _places(rated)), begun_at

    def _compute_apart(self, number: int) -> None:
        try:
            with suppress(sa.exc.SQLAlchemyError):  # out of reach: the next page asks again
                with closing(self._read()) as results:
                    self._compute(number, results, _Pace())
                self._topics.publish((topics.CLASS,))
        finally:
            self._apart.release()

    def _read(self) -> Generator[Any, None, None]:
        with (
            self._database.snapshot() as connection,
            records.results(connection.execution_options(yield_per=BATCH)) as rows,
        ):
            yield from rows


class _Pace:
    """Works for a twentieth of the time, as it is called again and again."""

    def __init__(self) -> None:
        self._worked = time.thread_time()

    def __call__(self) -> None:
        if time.thread_time() - self._worked > _STINT:
            time.sleep(_REST)
            self._worked = time.thread_time()


def _places(rated: Mapping[str, Rated]) -> dict[str, Place]:
    """Number the players: equal ratings share a place."""
    lines = [
        Place(player=player, place=None, rating=one.shown, games=one.games, met=one.met)
        for player, one in rated.items()
    ]
    lines.sort(key=lambda line: (-line.met, -line.games, line.player))
    return {
        line.player: line if line.rating is None else line._replace(place=place)
        for place, line in placed(lines, lambda line: (line.rating is None, -(line.rating or 0)))
    }
