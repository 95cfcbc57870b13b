"""Results of many players, and what a table makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

from webapp.analysis.ratings import Rated, table

Results: TypeAlias = dict[tuple[str, str], str]
"""By player and opponent, all results in order: ``w``, ``d``, ``l``."""

TURNED = str.maketrans("wl", "lw")


def both(results: Results, one: str, other: str, how: str) -> None:
    """Add games between two people, as each of them has them; ``how`` is to the first."""
    results[one, other] = results.get((one, other), "") + how
    results[other, one] = results.get((other, one), "") + how.translate(TURNED)


def round_robin(people: Sequence[str], chance: Random, draws: float = 0.0) -> list[tuple[str, ...]]:
    """Every pair once in a random order, the first of the list being the strongest.

    :return: of each game the two players, and the result to the first of them
    """
    pairs = list(combinations(people, 2))
    chance.shuffle(pairs)
    return [(*pair, "d" if chance.random() < draws else "w") for pair in pairs]


def fitted(results: Results) -> dict[str, Rated]:
    people = {one for one, _ in results}
    rows = ((*pair, pair[1] in people, how[-5:], len(how)) for pair, how in results.items())
    return table(rows, {})


def kendall(strongest_first: Iterable[str], ratings: Mapping[str, float]) -> float:
    """Kendall's tau between an order and a table: 1 if they agree in all pairs, -1 if in none."""
    pairs = list(combinations(strongest_first, 2))
    agreed = [(ratings[one] > ratings[two]) - (ratings[one] < ratings[two]) for one, two in pairs]
    return sum(agreed) / len(pairs)
