"""The eight symmetries."""

from webapp.core.board import CELLS, LINES, Board
from webapp.core.solver import evaluate, positions
from webapp.core.symmetry import SYMMETRIES, fold, image, images, orbit, unfolding


def packed(board: Board) -> int:
    return board.x | board.o << 9


def test_the_eight_symmetries_form_a_group_and_keep_the_lines() -> None:
    assert len(set(SYMMETRIES)) == 8
    assert SYMMETRIES[0] == tuple(CELLS)
    lines = {frozenset(line) for line in LINES}
    for one in SYMMETRIES:
        assert {frozenset(one[cell] for cell in line) for line in LINES} == lines
        for other in SYMMETRIES:
            assert tuple(other[one[cell]] for cell in CELLS) in SYMMETRIES


def test_images_move_every_mark_where_the_symmetry_says() -> None:
    for board in positions():
        for symmetry, imaged in zip(SYMMETRIES, images(packed(board)), strict=True):
            there = Board(imaged & 511, imaged >> 9)
            assert all(there[symmetry[cell]] is board[cell] for cell in CELLS)


def test_every_position_unfolds_from_one_of_765_and_is_worth_the_same() -> None:
    found, unfinished = set[int](), set[int]()
    for board in positions():
        first = fold(packed(board))
        found.add(first)
        if not board.outcome:
            unfinished.add(first)
        assert image(first, unfolding(packed(board))) == packed(board)
        assert set(orbit(packed(board))) == set(images(first))
        assert evaluate(Board(first & 511, first >> 9)) == evaluate(board)
    assert (len(found), len(unfinished)) == (765, 627)
