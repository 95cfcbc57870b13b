"""Places in a table. Standard library only."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, TypeVar

_Line = TypeVar("_Line")


def placed(lines: Iterable[_Line], key: Callable[[_Line], Any]) -> Iterator[tuple[int, _Line]]:
    """Sort the lines of a table, and number them from 1: equal ones share a place.

    >>> [*placed("bcab", str)]
    [(1, 'a'), (2, 'b'), (2, 'b'), (4, 'c')]
    """
    place = 1
    for _, equal in groupby(sorted(lines, key=key), key):
        shared = [(place, line) for line in equal]
        yield from shared
        place += len(shared)
