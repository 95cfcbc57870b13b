"""The five sources' claims, beside the proofs. May import ``core`` and ``engines``."""

from dataclasses import dataclass

from webapp.analysis.matchup import Proof, proof
from webapp.core.board import Mark
from webapp.core.messages import N_
from webapp.engines.registry import ENGINES

BOTH = (Mark.X, Mark.O)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a source claims about an engine with one or both marks, in our words.

    :param perfect: whether it is also claimed to keep the value of every position
    """

    source: str
    engine: str
    text: str
    marks: tuple[Mark, ...]
    beatable: bool
    perfect: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim, and the proof for each mark that it is about."""

    claim: Claim
    proofs: tuple[Proof, ...]

    @property
    def holds(self) -> bool:
        """Whether the proofs confirm all of it."""
        claim, proofs = self.claim, self.proofs
        kept = not claim.perfect or all(found.perfect for found in proofs)
        return kept and all(found.beatable is claim.beatable for found in proofs)

    @property
    def losing_game(self) -> tuple[int, ...] | None:
        """Where an engine is called unbeatable and is not: the shortest game that shows it."""
        games = [found.game for found in self.proofs if found.game and not self.claim.beatable]
        return min(games, key=len) if games else None


CLAIMS = (
    # Translators: what an article claims, after a computer player's name: "Minimax: cannot lose"
    Claim("A", "human", N_("plays perfectly"), BOTH, beatable=False, perfect=True),
    Claim("B", "minimax", N_("plays flawlessly"), BOTH, beatable=False, perfect=True),
    Claim("C", "corners", N_("can be beaten with either mark"), BOTH, beatable=True),
    Claim("C", "forks", N_("cannot be beaten when it moves first"), (Mark.X,), beatable=False),
    Claim("C", "forks", N_("can be beaten when it moves second"), (Mark.O,), beatable=True),
    Claim("C", "fork-blocker", N_("can never be beaten"), BOTH, beatable=False),
    Claim("D", "minimax", N_("no one will ever beat it"), BOTH, beatable=False),
    Claim("E", "scenarios", N_("cannot lose"), BOTH, beatable=False),
)


def verdicts() -> tuple[Verdict, ...]:
    """Return the verdict on every claim."""
    return tuple(
        Verdict(claim, tuple(proof(ENGINES[claim.engine], mark) for mark in claim.marks))
        for claim in CLAIMS
    )
