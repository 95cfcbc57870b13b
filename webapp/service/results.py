"""All results of the class, for a spreadsheet."""

from collections.abc import Iterator
from math import inf

from webapp.core.results import Counted, Played
from webapp.service.ranking import Place, Ranking
from webapp.store import Database
from webapp.store import results as stored


class Results:
    """What the players of this server have achieved, and all games that are over."""

    def __init__(self, database: Database, ranking: Ranking) -> None:
        self._database = database
        self._ranking = ranking

    def standings(self) -> list[tuple[Place, Counted]]:
        """Return all players who have a name, the best first."""
        with self._database.read() as connection:
            table = self._ranking.table(connection, whole=True)
            found = stored.counted(connection)
        lines = [(table.places.get(line.player, Place(line.player)), line) for line in found]
        return sorted(lines, key=lambda line: (line[0].place or inf, -line[0].games))

    def games(self) -> Iterator[Played]:
        """Return all games that are over, in the order in which they began."""
        with self._database.snapshot() as connection:
            yield from stored.played(connection)
