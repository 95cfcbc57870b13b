"""All results of the class, for a spreadsheet."""

from collections.abc import Iterator

from webapp.core.results import Played, Standing
from webapp.service.ranking import Place, Ranking
from webapp.store import Database
from webapp.store import results as stored


class Results:
    """What the players of this server have achieved, and all games that are over."""

    def __init__(self, database: Database, ranking: Ranking) -> None:
        self._database = database
        self._ranking = ranking

    def standings(self) -> list[tuple[int | None, Standing]]:
        """Return all players who have a name, the best first, each with their place.

        Players with the same rating share a place; those without a rating have none.
        """
        with self._database.read() as connection:
            table = self._ranking.table(connection, whole=True)
            found = stored.counted(connection)
        lines = list[tuple[int | None, Standing]]()
        for player, name, people, computer, seen_at in found:
            _, place, rating, games = table.places.get(player, Place(player, None, None, 0))
            lines.append((place, Standing(name, rating, games, people, computer, seen_at)))
        return sorted(lines, key=lambda line: (line[0] is None, line[0] or 0, -line[1].games))

    def games(self) -> Iterator[Played]:
        """Return all games that are over, in the order in which they began."""
        with self._database.snapshot() as connection:
            yield from stored.played(connection)
