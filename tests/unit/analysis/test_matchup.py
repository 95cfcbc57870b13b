"""Exact results and proofs, held against slow and plain computations and against the sources."""

from fractions import Fraction
from functools import cache

import pytest

from tests.unit.analysis.test_league import plain_shortest
from webapp.analysis.matchup import Matchup, matchup, proof, table
from webapp.core import solver, tactics
from webapp.core.board import Board, Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, engine

ALL = tuple(ENGINES.values())


def plain_matchup(x: Engine, o: Engine) -> Matchup:
    """The same by recursion in Fractions, from the end backwards."""

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


def test_no_other_engine_that_cannot_be_beaten_wins_more_than_hard_against_random_play() -> None:
    easy, hard = ENGINES["easy"], ENGINES["hard"]
    for mind in ALL:
        if not proof(mind, Mark.X).beatable:
            assert matchup(mind, easy).x_wins <= matchup(hard, easy).x_wins
        if not proof(mind, Mark.O).beatable:
            assert matchup(easy, mind).o_wins <= matchup(easy, hard).o_wins


def test_against_others_hard_does_not_win_the_most_and_so_claims_random_play_only() -> None:
    medium, minimax, hard = ENGINES["medium"], ENGINES["minimax"], ENGINES["hard"]
    assert not proof(minimax, Mark.O).beatable
    assert matchup(medium, minimax).o_wins > matchup(medium, hard).o_wins
    assert "beats random play as often" in hard.idea


UNBEATABLE = {
    ("hard", Mark.X), ("hard", Mark.O), ("human", Mark.X), ("human", Mark.O),
    ("minimax", Mark.X), ("minimax", Mark.O), ("forks", Mark.X), ("fork-blocker", Mark.X),
    ("fork-blocker", Mark.O), ("scenarios", Mark.X),
}  # fmt: skip


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("mind", ALL, ids=ENGINES)
def test_what_cannot_be_beaten_loses_to_nobody(mind: Engine, mark: Mark) -> None:
    found = proof(mind, mark)
    assert found.beatable == ((mind.slug, mark) not in UNBEATABLE)
    for rival in ALL:
        pair = matchup(mind, rival) if mark is Mark.X else matchup(rival, mind)
        lost = pair.for_mark(mark)[2]
        assert not lost or found.beatable
    # Random play finds every way to lose, in the end.
    easy = ENGINES["easy"]
    against_all = matchup(mind, easy) if mark is Mark.X else matchup(easy, mind)
    assert bool(against_all.for_mark(mark)[2]) == found.beatable


def test_a_proof_counts_the_wins_that_an_engine_passes_up() -> None:
    counts = {
        slug: [len(proof(ENGINES[slug], mark).passed_up) for mark in Mark]
        for slug in ("hard", "minimax", "human")
    }
    assert counts == {"hard": [0, 0], "minimax": [10, 33], "human": [0, 0]}


def test_a_perfect_engine_keeps_the_value_of_every_position_it_meets() -> None:
    perfect = {(mind.slug, mark) for mind in ALL for mark in Mark if proof(mind, mark).perfect}
    assert perfect == UNBEATABLE - {("forks", Mark.X), ("scenarios", Mark.X)}
    for board in proof(ENGINES["forks"], Mark.X).given_away:
        assert solver.evaluate(board).value == 1


SOME = [
    engine(name)
    for name in (
        "minimax", "slips", "scenarios", "rules:win,block,centre,any", "rules:block,edge",
        "rules:any", "rules:force,opposite-corner,corner,win",
    )
]  # fmt: skip
MINDS = {mind.slug: mind for mind in (*ALL, *SOME)}.values()


def met(mind: Engine, mark: Mark) -> set[Board]:
    """Every position that an engine can meet on its move."""
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


def test_against_two_forks_fork_blocker_makes_a_threat_as_its_idea_says() -> None:
    mind, threats = ENGINES["fork-blocker"], 0
    for mark in Mark:
        for board in met(mind, mark):
            (choice,) = mind.choices(board)
            if choice.reason.rule == "edge-against-forks":
                assert tactics.wins(board.play(choice.cell), mark)
                threats += 1
    assert threats == 8


@pytest.mark.parametrize("mind", SOME, ids=lambda mind: mind.slug)
def test_what_is_found_with_symmetry_or_without_is_what_plain_search_finds(mind: Engine) -> None:
    for rival in ("easy", "hard", "medium"):
        assert matchup(mind, ENGINES[rival]) == plain_matchup(mind, ENGINES[rival])
        assert matchup(ENGINES[rival], mind) == plain_matchup(ENGINES[rival], mind)


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
        assert set(found.given_away) == {
            b
            for b in boards
            if any(-solver.evaluate(a).value < solver.evaluate(b).value for a in after[b])
        }


def test_every_matchup_sums_to_one() -> None:
    found = table(ALL)
    assert len(found) == 100
    assert all(pair.x_wins + pair.draws + pair.o_wins == 1 for pair in found.values())
