"""All results of the class, for a spreadsheet."""

from collections.abc import Iterator
from math import inf

from webapp import store
from webapp.classroom import Counted, Played
from webapp.service.ranking import Place
from webapp.service.site import Site


def standings(site: Site) -> list[tuple[Place, Counted]]:
    """Return all players who have a name, the best first."""
    with site.database.read() as connection:
        table = site.ranking.table(connection, whole=True)
        found = store.results.counted(connection)
    lines = [(table.places.get(line.player, Place(line.player)), line) for line in found]
    return sorted(lines, key=lambda line: (line[0].place or inf, -line[0].games))


def games(site: Site) -> Iterator[Played]:
    """Return all games that are over, in the order in which they began."""
    with site.database.snapshot() as connection:
        yield from store.results.played(connection)
