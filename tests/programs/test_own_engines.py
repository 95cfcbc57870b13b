"""A function that does what one of our engines does gets that engine's results, to the fraction."""

from pathlib import Path

import pytest

from tests.programs.conftest import known
from webapp.analysis.matchup import matchup, proof
from webapp.core.board import Board, Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.programs.minds import exact_engine

OWN = Path(__file__).with_name("samples") / "own"


def chances(engine: Engine, board: Board) -> dict[int, object]:
    found: dict[int, object] = {}
    for choice in engine.choices(board):
        found[choice.cell] = found.get(choice.cell, 0) + choice.probability  # type: ignore[operator]
    return found


def test_each_engine_has_a_function_like_it() -> None:
    assert {file.stem.replace("_", "-") for file in OWN.glob("*.py")} == set(ENGINES)


@pytest.mark.parametrize("slug", ENGINES)
def test_a_function_like_an_engine_is_that_engine_exactly(slug: str) -> None:
    engine = ENGINES[slug]
    found = known(OWN / f"{slug.replace('-', '_')}.py", every=True)
    assert (found.doubt, found.faults, found.finished) == (None, {}, True)
    assert len(found.answers) == 4520
    theirs = exact_engine(found, "theirs", "Theirs")
    for board in found.answers:
        assert chances(theirs, board) == chances(engine, board), board
    for rival in ENGINES["easy"], ENGINES["hard"]:
        assert matchup(theirs, rival) == matchup(engine, rival)
        assert matchup(rival, theirs) == matchup(rival, engine)
    for mark in Mark:
        one, other = proof(theirs, mark), proof(engine, mark)
        assert (one.game, one.positions) == (other.game, other.positions)
        assert set(one.passed_up) == set(other.passed_up)
        assert set(one.given_away) == set(other.given_away)
