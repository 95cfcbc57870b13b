"""What an engine is worth, against two rivals and against anyone.

May import ``core`` and ``engines``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from webapp.analysis.matchup import Matchup, Proof, matchup, proof
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES

RIVALS = ("easy", "hard")
"""What an engine is measured against: random play, and one that never loses."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What is known about an engine: results by rival and its mark, and a proof for each mark."""

    results: Mapping[tuple[str, Mark], Matchup]
    proofs: Mapping[Mark, Proof]

    @property
    def unbeatable(self) -> bool:
        """Whether it cannot be beaten, whichever mark it has."""
        return not any(found.beatable for found in self.proofs.values())


@lru_cache(512)
def worth(engine: Engine) -> Worth:
    """Compute what an engine is worth; where it has no answer, it loses."""
    results = {}
    for slug in RIVALS:
        if Mark.X in engine.marks:
            results[slug, Mark.X] = matchup(engine, ENGINES[slug])
        if Mark.O in engine.marks:
            results[slug, Mark.O] = matchup(ENGINES[slug], engine)
    return Worth(results, {mark: proof(engine, mark) for mark in engine.marks})
