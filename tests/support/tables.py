"""Results of many players, and what a table makes of them."""

from typing import TypeAlias

from webapp.analysis.ratings import Rated, table

Results: TypeAlias = dict[tuple[str, str], str]
"""By player and opponent, all results in order: ``w``, ``d``, ``l``."""

TURNED = str.maketrans("wl", "lw")


def both(results: Results, one: str, other: str, how: str) -> None:
    """Add games between two people, as each of them has them; ``how`` is to the first."""
    results[one, other] = results.get((one, other), "") + how
    results[other, one] = results.get((other, one), "") + how.translate(TURNED)


def fitted(results: Results) -> dict[str, Rated]:
    people = {one for one, _ in results}
    rows = ((*pair, pair[1] in people, how[-5:], len(how)) for pair, how in results.items())
    return table(rows, {})
