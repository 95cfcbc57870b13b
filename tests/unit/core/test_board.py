from itertools import product

import pytest

from webapp.core.board import LINES, Board, IllegalBoard, IllegalMove, Mark, Outcome
from webapp.core.solver import positions

SEQUENCES = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
"""How many sequences of legal moves there are, by length."""


def test_the_game_tree_has_its_known_size() -> None:
    lengths = [0] * 10
    results = {"X": 0, "O": 0, "draw": 0}

    def visit(board: Board, ways: int) -> None:
        lengths[board.ply] += ways
        outcome = board.outcome
        if outcome:
            results[str(outcome.winner or "draw")] += ways
            assert board.legal_moves == ()
        for cell in board.legal_moves:
            visit(board.play(cell), ways)

    # A corner stands for the four corners, and an edge for the four edges.
    lengths[0] = 1
    for first, alike in ((0, 4), (1, 4), (4, 1)):
        visit(Board().play(first), alike)
    assert tuple(lengths) == SEQUENCES
    assert results == {"X": 131_184, "O": 77_904, "draw": 46_080}
    assert sum(results.values()) == 255_168


def test_exactly_the_reachable_boards_can_be_built_and_their_notation_round_trips() -> None:
    buildable = set()
    for marks in map("".join, product(".XO", repeat=9)):
        try:
            board = Board.parse(marks)
        except IllegalBoard:
            continue
        buildable.add(board)
        assert str(board) == marks
        assert Board.parse(f"{marks[:3]}/{marks[3:6]}/{marks[6:]}".lower()) == board
    assert buildable == set(positions())
    assert len(buildable) == 5_478


NO_BOARDS = {
    "nine cells": [""], "this one has 8": ["XO......"], "this one has 10": ["XO........"],
    "'/' is not one of these": ["XO./..../..", "X/O......./"],
    "' ' is not one of these": ["XO. ...."],
    "'О' is not one of these": ["XО......."],  # a Cyrillic O
    "'S' is not one of these": ["ß........"], "2 X and 0 O": ["XX......."],
    "0 X and 1 O": ["O........"], "Both X and O": ["XXXOOO..."],
    "O cannot have moved": ["XXXOO.O.."], "X cannot have moved": ["OOOXX.X.X"],
}  # fmt: skip


def test_what_is_no_board_or_no_legal_move_is_refused_and_told_why() -> None:
    for why, texts in NO_BOARDS.items():
        for text in texts:
            with pytest.raises(IllegalBoard, match=why):
                Board.parse(text)
    for x, o, why in ((1, 1, "both"), (512, 0, "between 0 and 511"), (-1, 0, "between 0 and 511")):
        with pytest.raises(IllegalBoard, match=why):
            Board(x, o)
    for board, cell, why in (
        ("X........", 0, "already holds X"), ("X........", 9, "no cell 9"),
        ("X........", -1, "no cell -1"), ("XXXOO....", 8, "The game is over"),
    ):  # fmt: skip
        with pytest.raises(IllegalMove, match=why):
            Board.parse(board).play(cell)


def test_outcomes_agree_with_the_lines_in_every_position() -> None:
    for board in positions():
        complete = {
            mark: tuple(line for line in LINES if all(board[cell] is mark for cell in line))
            for mark in Mark
        }
        winners = [mark for mark in Mark if complete[mark]]
        if winners:
            assert board.outcome == Outcome(winners[0], complete[winners[0]])
        else:
            assert board.outcome == (None if board.free else Outcome(None))
