"""What an engine is worth, against two rivals and in a proof. May import ``core``, ``engines``."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from webapp.analysis.matchup import Matchup, Proof, matchup, proof
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES

RIVALS = ("easy", "hard")  # random play, and an engine that never loses


class Worth(NamedTuple):
    """Results by rival and by the engine's mark, and a proof for each mark."""

    results: Mapping[tuple[str, Mark], Matchup]
    proofs: Mapping[Mark, Proof]

    @property
    def unbeatable(self) -> bool:
        return not any(proof.beatable for proof in self.proofs.values())


@lru_cache(512)
def worth(engine: Engine) -> Worth:
    results = {}
    for slug in RIVALS:
        if Mark.X in engine.marks:
            results[slug, Mark.X] = matchup(engine, ENGINES[slug])
        if Mark.O in engine.marks:
            results[slug, Mark.O] = matchup(ENGINES[slug], engine)
    return Worth(results, {mark: proof(engine, mark) for mark in engine.marks})
