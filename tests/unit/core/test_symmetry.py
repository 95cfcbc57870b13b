"""The eight symmetries."""

from webapp.core.board import CELLS, LINES, Board
from webapp.core.solver import evaluate, positions
from webapp.core.symmetry import SYMMETRIES, canonical, images


def test_there_are_eight_different_symmetries_and_they_keep_the_lines() -> None:
    assert len(set(SYMMETRIES)) == 8
    assert SYMMETRIES[0] == tuple(CELLS)
    lines = {frozenset(line) for line in LINES}
    for symmetry in SYMMETRIES:
        assert {frozenset(symmetry[cell] for cell in line) for line in LINES} == lines


def test_symmetries_form_a_group() -> None:
    for one in SYMMETRIES:
        for other in SYMMETRIES:
            assert tuple(other[one[cell]] for cell in CELLS) in SYMMETRIES


def test_images_move_every_mark_where_the_symmetry_says() -> None:
    board = Board.parse("XO.......")
    for symmetry, image in zip(SYMMETRIES, images(board), strict=True):
        assert image[symmetry[0]] is board[0]
        assert image[symmetry[1]] is board[1]


def test_positions_up_to_symmetry_have_their_known_number() -> None:
    classes = {canonical(board) for board in positions()}
    assert len(classes) == 765
    assert sum(board.outcome is None for board in classes) == 627


def test_symmetric_positions_are_worth_the_same() -> None:
    for board in positions():
        assert evaluate(canonical(board)) == evaluate(board)
