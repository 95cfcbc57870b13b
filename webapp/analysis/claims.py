"""The five sources' claims, beside the proofs. May import ``core`` and ``engines``."""

from typing import NamedTuple

from webapp.analysis.matchup import Proof, proof
from webapp.core.board import Mark
from webapp.core.messages import N_
from webapp.engines.registry import ENGINES


class Claim(NamedTuple):
    """What a source claims about an engine; ``perfect``: it keeps the value of every position."""

    source: str
    engine: str
    text: str
    beatable: bool
    marks: tuple[Mark, ...] = tuple(Mark)
    perfect: bool = False


class Verdict(NamedTuple):
    """A claim, and a proof for each of its marks."""

    claim: Claim
    proofs: tuple[Proof, ...]

    @property
    def holds(self) -> bool:
        return all(
            proof.beatable is self.claim.beatable and (proof.perfect or not self.claim.perfect)
            for proof in self.proofs
        )

    @property
    def losing_game(self) -> tuple[int, ...] | None:
        """The shortest game that refutes a claim to be unbeatable."""
        games = [proof.game for proof in self.proofs if proof.game and not self.claim.beatable]
        return min(games, key=len) if games else None


CLAIMS = (
    # Translators: what an article claims, after a computer player's name: "Minimax: cannot lose"
    Claim("A", "human", N_("plays perfectly"), beatable=False, perfect=True),
    Claim("B", "minimax", N_("plays flawlessly"), beatable=False, perfect=True),
    Claim("C", "corners", N_("can be beaten with either mark"), beatable=True),
    Claim(
        "C", "forks", N_("cannot be beaten when it moves first"), beatable=False, marks=(Mark.X,)
    ),
    Claim("C", "forks", N_("can be beaten when it moves second"), beatable=True, marks=(Mark.O,)),
    Claim("C", "fork-blocker", N_("can never be beaten"), beatable=False),
    Claim("D", "minimax", N_("no one will ever beat it"), beatable=False),
    Claim("E", "scenarios", N_("cannot lose"), beatable=False),
)


def verdicts() -> tuple[Verdict, ...]:
    return tuple(
        Verdict(claim, tuple(proof(ENGINES[claim.engine], mark) for mark in claim.marks))
        for claim in CLAIMS
    )
