"""How much is measured, on what, and how it is printed."""

import statistics
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from webapp.config import Settings

T = TypeVar("T")


class Plan(NamedTuple):
    """How much to measure: 0 for a first look, 2 for what takes long."""

    size: int

    def of(self, *choices: T) -> T:
        """Return the choice for this size; where there are only two, the last is usual as well."""
        return choices[min(self.size, len(choices) - 1)]


Make: TypeAlias = Callable[[], Settings]
"""Makes an empty database."""
Row: TypeAlias = Sequence[object]
Part: TypeAlias = Callable[[Make, Plan], Coroutine[None, None, list[Row]]]
"""What measures on one database, and returns lines of a table."""


def table(heads: str, rows: Iterable[Row]) -> str:
    """Set a table in Markdown, figures to the right; the heads are parted by bars."""
    lines = [f"| {heads} |", f"| --- |{' ---: |' * heads.count('|')}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def spread(seconds: Sequence[float]) -> list[str]:
    """Half of them took no longer than the first of these, 99 of 100 than the second; the longest.

    >>> spread([0.001, 0.002, 0.003, 0.004])
    ['2.5 ms', '4.0 ms', '4.0 ms']
    """
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return [f"{each * 1e3:,.1f} ms" for each in (cuts[49], cuts[98], max(seconds))]
