"""All results of the class, for a spreadsheet."""

from collections.abc import Iterator

from webapp.core.results import Played, Standing
from webapp.store import Database
from webapp.store import results as stored


class Results:
    """What the players of this server have achieved, and all games that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def standings(self) -> list[tuple[int | None, Standing]]:
        """Return all players who have a name, the best first, each with their place.

        Players with the same rating share a place; those without a rating have none.
        """
        with self._database.read() as connection:
            found = stored.standings(connection)
        places = dict[int, int]()
        for line, one in enumerate(found, 1):
            if one.rating is not None:
                places.setdefault(one.rating, line)
        return [(None if one.rating is None else places[one.rating], one) for one in found]

    def games(self) -> Iterator[Played]:
        """Return all games that are over, in the order in which they began."""
        with self._database.snapshot() as connection:
            yield from stored.played(connection)
