"""``tictactoe values``: what each free cell leads to, and how many positions lie ahead."""

import random

import pytest

from tests.cli.conftest import Run, as_json, as_text
from tests.support import rules

POSITIONS = [board for board, _ in rules.ways()]


@pytest.mark.parametrize("board", random.Random("values").sample(POSITIONS, 40))
def test_the_values_of_a_board_are_exact(run: Run, board: str) -> None:
    ahead = {}
    for cell in rules.free(board) if not rules.outcome(board) else ():
        theirs, plies = rules.value(rules.put(board, cell))
        ahead[str(cell)] = {"value": -theirs, "distance": plies}
    assert as_json(run, "values", board) == {
        "board": board,
        "turn": rules.to_move(board),
        "positions": len(list(rules.ways(board))),
        "cells": ahead,
    }


def test_without_a_board_it_is_the_empty_one(run: Run) -> None:
    found = as_json(run, "values")
    assert (found["board"], found["positions"]) == (rules.EMPTY, 5478)


def test_people_read_the_board_and_a_line_for_each_cell(run: Run) -> None:
    assert as_text(run, "values", "xo./.x./..o").splitlines() == [
        " X | O |",
        "---+---+---",
        "   | X |",
        "---+---+---",
        "   |   | O",
        "",
        "cell  where          for X",
        "2     top right      draw",
        "3     middle left    win in 2",
        "5     middle right   draw",
        "6     bottom left    win in 2",
        "7     bottom centre  draw",
        "",
        "Positions that can be reached from here, this one included: 85.",
    ]
