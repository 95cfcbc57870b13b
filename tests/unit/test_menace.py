from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest

from webapp.analysis import menace as curves
from webapp.analysis.matchup import matchup
from webapp.analysis.menace import Life, chances, exploited, training
from webapp.core.board import Board, Mark, unpacked
from webapp.core.game import boards, moves_of
from webapp.core.solver import positions
from webapp.core.symmetry import SYMMETRIES, fold, images
from webapp.engines.base import Engine, EngineFault, NotExact
from webapp.engines.menace import Beads, boxes, colours, draw, learn, menace
from webapp.engines.registry import ENGINES, LEVELS

HARD = ENGINES["hard"]
WITH_A_BOX = [b for b in positions() if not b.outcome and b.turn is Mark.X and b.ply < 8]


def life(games: int, rival: Engine | None = HARD, seed: str = "7") -> Life:
    found = Life()
    for moves in islice(training(found.beads, rival, Random(seed)), games):
        found.learn(moves)
    return found


def test_there_are_304_boxes_for_x_with_fewer_beads_at_each_move() -> None:
    assert Counter(box.bit_count() for box in boxes()) == {0: 1, 2: 12, 4: 108, 6: 183}
    beads = {(box.bit_count(), number) for box, held in boxes().items() for number in held}
    assert beads == {(0, 4), (2, 3), (4, 2), (6, 1)}
    assert [boxes()[fold(board.packed)] for board in boards((4, 0))[::2]] == [(4,) * 3, (3,) * 4]


def test_images_of_a_position_share_a_box_and_its_moves_turn_with_it() -> None:
    learnt = menace(life(300).beads)
    for board in WITH_A_BOX:
        here = board.packed
        assert sorted(sum(colours(here), ())) == list(board.legal_moves)
        try:
            drawn = {one.cell: one.probability for one in learnt.choices(board)}
        except EngineFault:
            continue
        assert sum(drawn.values()) == 1
        for symmetry, there in zip(SYMMETRIES, images(here), strict=True):
            turned = {symmetry[cell]: chance for cell, chance in drawn.items()}
            assert turned == {one.cell: one.probability for one in learnt.choices(unpacked(there))}


def test_beads_are_added_and_taken_away_by_the_result() -> None:
    for moves, change in (("40583", 3), ("402635178", 1), ("012437", -1), ("0124", -1)):
        game = moves_of(moves)
        before, after = boxes(), learn(boxes(), game)
        course = zip(boards(game), game, strict=False)
        drawn = {board.packed: cell for board, cell in course if board in WITH_A_BOX}
        assert {box for box in before if before[box] != after[box]} == {*map(fold, drawn)}
        for here, cell in drawn.items():
            was, now = before[fold(here)], after[fold(here)]
            for old, new, cells in zip(was, now, colours(here), strict=True):
                assert new == old + change * (cell in cells)


def test_no_box_holds_fewer_beads_than_none_and_the_first_is_filled_again() -> None:
    beads, seen = boxes(), Random(1)
    for _ in range(40):
        moves = next(training(beads, HARD, seen))
        beads = learn(beads, moves)
        assert all(number >= 0 for held in beads.values() for number in held)
        assert any(beads[0])
    empty = {box: (0,) * len(held) for box, held in boxes().items()}
    assert learn({**empty, 0: (1, 0, 0)}, moves_of("012437"))[0] == boxes()[0]
    board = Board.parse("X...O....")
    assert draw(empty, board, seen) is None
    with pytest.raises(EngineFault, match="no bead left"):
        menace(empty).choices(board)
    with pytest.raises(NotExact):
        menace(empty).choices(Board.parse("X........"))
    [last] = menace(empty).choices(Board.parse("XOXXOOOX."))
    assert (last.cell, float(last.probability)) == (8, 1.0)


def test_after_500_games_against_hard_it_draws() -> None:
    """In the mean of ten lives, of which few have learnt nothing."""
    lives = [islice(training(boxes(), HARD, Random(seed)), 450, 500) for seed in range(10)]
    ends = [boards(moves)[-1].outcome for life in lives for moves in life]
    assert sum(end is not None and end.winner is None for end in ends) >= 0.95 * 10 * 50


def test_its_worth_is_what_the_exact_fractions_say_and_least_to_who_looks_into_its_boxes() -> None:
    def lost(beads: Beads) -> float:
        @cache
        def value(board: Board) -> float:
            if board.outcome:
                return float(board.outcome.winner is Mark.O)
            if board.turn is Mark.O:
                return max(value(board.play(cell)) for cell in board.legal_moves)
            try:
                drawn = menace(beads).choices(board)
            except EngineFault:
                return 1.0
            return sum(float(one.probability) * value(board.play(one.cell)) for one in drawn)

        return value(Board())

    for games in (0, 150):
        beads = life(games, ENGINES["medium"]).beads
        for level in LEVELS:
            exact, found = matchup(menace(beads), level), chances(beads, level)
            assert found == pytest.approx(tuple(map(float, exact.for_mark(Mark.X))), abs=1e-12)
            assert exploited(beads) >= found.lost
        assert exploited(beads) == pytest.approx(lost(beads), abs=1e-12)


@pytest.fixture
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    assert curves.MAX_POINTS == 300
    monkeypatch.setattr(curves, "MAX_POINTS", 20)


@pytest.mark.usefixtures("few_points")
def test_a_curve_has_so_many_points_at_the_most_from_the_first_to_the_last_game() -> None:
    for games, step in ((0, 1), (19, 1), (87, 8)):
        found = Life()
        for moves in islice(training(found.beads, HARD, Random("7")), games):
            found.learn(moves)
            if found.games == 33:
                found.curve()  # what is known then goes on being known
        curve = found.curve()
        assert [point.games for point in curve] == sorted({*range(0, games + 1, step), games})
        assert len(curve) <= 20 + 1
        for point in (curve[len(curve) // 2], curve[-1]):
            beads = life(point.games).beads
            assert point.against == {level.slug: chances(beads, level) for level in LEVELS}


@pytest.mark.usefixtures("few_points")
def test_the_same_seed_has_the_same_life_also_where_it_goes_on_from_what_was_stored() -> None:
    for rival in (None, ENGINES["easy"]):
        one, same, other = (life(50, rival, seed).beads for seed in ("a", "a", "b"))
        assert one == same != other
    for games in (0, 47):
        whole, part = life(games + 60), Life(life(games).stored())
        for moves in islice(training(boxes(), HARD, Random("7")), games, games + 60):
            part.learn(moves)
        assert (part.beads, part.last, part.curve()) == (whole.beads, whole.last, whole.curve())
