"""Exact results and proofs, held against slow and plain computations and against the sources."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tests.support.functions import engine_of
from tests.unit.analysis.test_league import plain_shortest
from webapp.analysis.matchup import Matchup, matchup, proof
from webapp.analysis.policy import unpack
from webapp.core import solver, tactics
from webapp.core.board import Board, Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, engine

ALL = tuple(ENGINES.values())


def plain_matchup(x: Engine, o: Engine) -> Matchup:
    @cache
    def visit(board: Board) -> tuple[Fraction, Fraction, Fraction]:
        if outcome := board.outcome:
            ends = (Mark.X, None, Mark.O)
            won, drawn, lost = (Fraction(outcome.winner is end) for end in ends)
            return won, drawn, lost
        total = [Fraction(0)] * 3
        for choice in (x if board.turn is Mark.X else o).choices(board):
            for at, value in enumerate(visit(board.play(choice.cell))):
                total[at] += choice.probability * value
        return total[0], total[1], total[2]

    return Matchup(*visit(Board()))


def test_easy_and_hard_have_their_known_figures_against_random_play() -> None:
    hard, easy = ENGINES["hard"], ENGINES["easy"]
    assert matchup(easy, easy) == Matchup(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert matchup(hard, easy) == Matchup(Fraction(191, 192), Fraction(1, 192), Fraction(0))
    assert matchup(easy, hard) == Matchup(Fraction(0), Fraction(79, 945), Fraction(866, 945))
    passed_up = [len(proof(ENGINES["minimax"], mark).passed_up) for mark in Mark]
    assert passed_up == [10, 33], "wins that it does not see"


UNBEATABLE = {
    ("hard", Mark.X), ("hard", Mark.O), ("human", Mark.X), ("human", Mark.O),
    ("minimax", Mark.X), ("minimax", Mark.O), ("forks", Mark.X), ("fork-blocker", Mark.X),
    ("fork-blocker", Mark.O), ("scenarios", Mark.X),
}  # fmt: skip


@pytest.mark.parametrize("mark", Mark)
def test_what_cannot_be_beaten_loses_to_nobody(mark: Mark) -> None:
    for mind in ALL:
        found = proof(mind, mark)
        assert found.beatable == ((mind.slug, mark) not in UNBEATABLE)
        for rival in ALL:
            pair = matchup(mind, rival) if mark is Mark.X else matchup(rival, mind)
            lost = pair.for_mark(mark)[2]
            assert not lost or found.beatable
            # Random play finds every way to lose, in the end.
            assert rival.slug != "easy" or bool(lost) == found.beatable


def test_a_perfect_engine_keeps_the_value_of_every_position_it_meets() -> None:
    perfect = {(mind.slug, mark) for mind in ALL for mark in Mark if proof(mind, mark).perfect}
    assert perfect == UNBEATABLE - {("forks", Mark.X), ("scenarios", Mark.X)}
    for packed in proof(ENGINES["forks"], Mark.X).giving_away:
        assert solver.evaluate(unpack(packed)).value == 1


LISTS = ("win,block,centre,any", "block,edge", "force,opposite-corner,corner,win")
SOME = [engine(name) for name in ("minimax", "slips", "scenarios", *map("rules:{}".format, LISTS))]
MINDS = {mind.slug: mind for mind in (*ALL, *SOME)}.values()


def met(mind: Engine, mark: Mark) -> set[Board]:
    seen, waiting = set[Board](), [Board()]
    while waiting:
        board = waiting.pop()
        if board in seen or board.outcome:
            continue
        seen.add(board)
        mine = board.turn is mark
        cells = {c.cell for c in mind.choices(board)} if mine else board.legal_moves
        waiting += [board.play(cell) for cell in cells]
    return {board for board in seen if board.turn is mark}


def test_what_is_found_with_symmetry_or_without_is_what_plain_search_finds() -> None:
    for mind, rival in product(SOME, (ENGINES["hard"], ENGINES["medium"])):
        assert matchup(mind, rival) == plain_matchup(mind, rival)
        assert matchup(rival, mind) == plain_matchup(rival, mind)


@pytest.mark.parametrize("mind", MINDS, ids=lambda mind: mind.slug)
def test_a_proof_is_what_plain_search_finds(mind: Engine) -> None:
    for mark in Mark:
        found, boards = proof(mind, mark), met(mind, mark)
        # Easy may do whatever anyone may do.
        players = (mind, ENGINES["easy"]) if mark is Mark.X else (ENGINES["easy"], mind)
        assert found.game == plain_shortest(*players, [mark.other])
        assert found.positions == len(boards)
        assert len(set(found.passed_up)) == len(found.passed_up)
        after = {b: [b.play(choice.cell) for choice in mind.choices(b)] for b in boards}
        wins = {b for b in boards if tactics.wins(b, mark)}
        assert set(found.passed_up) == {b for b in wins if any(not a.outcome for a in after[b])}
        assert found.perfect is all(
            -solver.evaluate(a).value == solver.evaluate(b).value for b in boards for a in after[b]
        )


def test_engines_that_differ_are_not_taken_for_each_other() -> None:
    # These play alike, but each is proved under the name that it was given.
    assert proof(engine("rules:win,any"), Mark.X).engine == "rules:win,any"
    assert proof(engine("rules:win"), Mark.X).engine == "rules:win"
    first, last = engine_of(lambda board: board.index(".")), engine_of(lambda b: b.rindex("."))
    assert proof(first, Mark.O).game != proof(last, Mark.O).game
