"""Places in a table. Standard library only."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, TypeVar

_Row = TypeVar("_Row")


def placed(rows: Iterable[_Row], key: Callable[[_Row], Any]) -> Iterator[tuple[int, _Row]]:
    """Sort rows and give them places from 1; equal rows share a place.

    >>> [*placed("bcab", str)]
    [(1, 'a'), (2, 'b'), (2, 'b'), (4, 'c')]
    """
    place = 1
    for _, equal in groupby(sorted(rows, key=key), key):
        tied = [(place, row) for row in equal]
        yield from tied
        place += len(tied)
