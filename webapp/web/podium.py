"""The podium at the end of a tournament or a quiz."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from webapp.names import People, Player
from webapp.polls import Score
from webapp.tournament.table import Line
from webapp.words.language import ngettext

PLACES, NAMES_ON_A_STEP = 3, 3


class StepView(NamedTuple):
    """A step of the podium.

    :param players: the first of those who share the place; ``more`` counts the others
    :param points: what each of them has, in words
    """

    place: int
    players: tuple[Player, ...]
    more: int
    points: str


def podium(table: Iterable[Line | Score], people: People) -> list[StepView]:
    """The first three places with points; a shared place holds several players."""
    steps = list[StepView]()
    with_points = (line for line in table if line.points and line.place <= PLACES)
    for place, equal in groupby(with_points, attrgetter("place")):
        lines = list(equal)
        points = lines[0].points
        message = ngettext("{points} point", "{points} points", points)
        steps.append(
            StepView(
                place=place,
                players=tuple(people[line.player] for line in lines[:NAMES_ON_A_STEP]),
                more=max(0, len(lines) - NAMES_ON_A_STEP),
                points=message.format(points=points),
            )
        )
    return steps


def first_ten(table: Sequence[Line | Score]) -> list[Line | Score]:
    """The first ten, but never the last; none if a podium shows them all."""
    first = [line for line in table[:10] if line.place < table[-1].place]
    return first if first and first[-1].place > PLACES else []
