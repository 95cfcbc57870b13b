"""The table that ranks the players: computed on demand, and cached until a result changes."""

import time
from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

import sqlalchemy as sa

from webapp.analysis.ratings import Rated
from webapp.analysis.ratings import table as computed
from webapp.core.places import placed
from webapp.live import Live
from webapp.store import records, topics

_BREAK_S = 60 * 60.0  # after this time without a page that asks, a new lesson begins


class Place(NamedTuple):
    """A player's place in the table.

    :param place: from 1; equal ratings share one; ``None`` before the first few games
    :param rating: likewise
    :param games: finished games
    :param met: the number of people played with
    :param risen: places gained since the lesson began, as this process knows it; negative if lost
    """

    player: str
    place: int | None = None
    rating: int | None = None
    games: int = 0
    met: int = 0
    risen: int = 0


Table = Mapping[str, Place]  # places by player, the best first, then players without a place


class Ranking:
    """The table, cached in one process."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._number, self._rated = -1, dict[str, Rated]()  # at the last computation
        self._table: Table = {}
        self._began: Table = {}
        self._asked_at = -inf

    def table(self, connection: sa.Connection) -> Table:
        """The current table."""
        now, number = time.monotonic(), self._live.number(topics.RESULTS)
        if now - self._asked_at > _BREAK_S:
            self._began = {}
        self._asked_at = now
        if number != self._number:
            # Starting from the last ratings is three times as quick.
            self._rated = computed(records.results(connection), self._rated)
            self._number, self._table = number, _table(self._rated)
        return self._table

    def since_the_lesson_began(self, places: Iterable[Place]) -> list[Place]:
        """Return places with the number of places gained."""
        self._began = self._began or self._table
        return [
            now._replace(risen=before.place - now.place) if before.place and now.place else now
            for now in places
            for before in [self._began.get(now.player, now)]
        ]


def _table(rated: Mapping[str, Rated]) -> Table:
    """Number the players; equal ratings share a place."""
    lines = [
        Place(player=player, rating=result.shown, games=result.games, met=result.met)
        for player, result in rated.items()
    ]
    lines.sort(key=lambda line: (-line.met, -line.games, line.player))
    return {
        line.player: line if line.rating is None else line._replace(place=place)
        for place, line in placed(lines, lambda line: (line.rating is None, -(line.rating or 0)))
    }
