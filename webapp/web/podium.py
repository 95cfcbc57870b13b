"""The podium at the end of a tournament or a quiz."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from webapp.names import People
from webapp.polls import Score
from webapp.tournament.table import Line
from webapp.web.respond import Shown
from webapp.words.language import ngettext

PLACES, NAMES_ON_A_STEP = 3, 3


def podium(table: Iterable[Line | Score], people: People) -> list[Shown]:
    """The steps of the first three places with points.

    A shared place has its first ``players``, and how many ``more``.
    """
    steps = list[Shown]()
    with_points = (line for line in table if line.points and line.place <= PLACES)
    for place, equal in groupby(with_points, attrgetter("place")):
        lines = list(equal)
        points, players = lines[0].points, [people[line.player] for line in lines]
        message = ngettext("{points} point", "{points} points", points)
        steps.append(
            {
                "place": place,
                "players": players[:NAMES_ON_A_STEP],
                "more": max(0, len(players) - NAMES_ON_A_STEP),
                "points": message.format(points=points),
            }
        )
    return steps


def first_ten(table: Sequence[Line | Score]) -> list[Line | Score]:
    """The first ten, but never the last; none if a podium shows them all."""
    first = [line for line in table[:10] if line.place < table[-1].place]
    return first if first and first[-1].place > PLACES else []
