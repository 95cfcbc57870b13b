"""The table that ranks the players: computed on demand, and cached until a result changes."""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.analysis.ratings import Rated
from webapp.analysis.ratings import table as computed
from webapp.core.places import placed
from webapp.live import Live
from webapp.store import records, topics


class Place(NamedTuple):
    """A player's place in the table.

    :param place: from 1; equal ratings share one; ``None`` before the first few games
    :param rating: likewise
    :param games: finished games
    :param met: the number of people played with
    """

    player: str
    place: int | None = None
    rating: int | None = None
    games: int = 0
    met: int = 0


Table = Mapping[str, Place]  # places by player, the best first, then players without a place


class Ranking:
    """The table, cached in one process."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._number, self._rated = -1, dict[str, Rated]()  # at the last computation
        self._table: Table = {}

    def table(self, connection: sa.Connection) -> Table:
        """The current table."""
        number = self._live.number(topics.RESULTS)
        if number != self._number:
            # Starting from the last ratings is three times as quick.
            self._rated = computed(records.results(connection), self._rated)
            self._number, self._table = number, _table(self._rated)
        return self._table


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
