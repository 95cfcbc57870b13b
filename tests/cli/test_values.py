"""``tictactoe values``: what each free cell leads to, and how many positions lie ahead."""

import random
import re

import pytest

from tests.support import rules
from tests.support.commands import as_json, as_text, run


def ahead(board: str) -> dict[str, dict[str, int]]:
    """What each free cell leads to: the value for who plays it, and the plies left then."""
    found = {}
    for cell in rules.free(board) if not rules.outcome(board) else ():
        theirs, plies = rules.value(rules.put(board, cell))
        found[str(cell)] = {"value": -theirs, "distance": plies}
    return found


POSITIONS = [board for board, _ in rules.ways()]
SOME = random.Random("values").sample(POSITIONS, 60)


@pytest.mark.parametrize("board", SOME)
def test_the_values_of_a_board_are_exact(capsys: pytest.CaptureFixture[str], board: str) -> None:
    assert as_json(capsys, "values", board) == {
        "board": board,
        "turn": rules.to_move(board),
        "positions": len(list(rules.ways(board))),
        "cells": ahead(board),
    }


def test_without_a_board_it_is_the_empty_one(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "values")
    assert found == as_json(capsys, "values", rules.EMPTY)
    assert found["positions"] == len(POSITIONS) == 5478
    assert {cell["value"] for cell in found["cells"].values()} == {0}


def test_people_read_the_board_and_a_line_for_each_cell(capsys: pytest.CaptureFixture[str]) -> None:
    assert as_text(capsys, "values", "xo./.x./..o").splitlines() == [
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


@pytest.mark.parametrize("board", SOME)
def test_what_people_read_agrees_with_what_scripts_read(
    capsys: pytest.CaptureFixture[str], board: str
) -> None:
    text, found = as_text(capsys, "values", board), ahead(board)
    lines = re.findall(r"^(\d) +(.+?) {2,}(draw|win in \d|loss in \d)$", text, re.MULTILINE)
    assert [cell for cell, _, _ in lines] == list(found)
    for cell, name, said in lines:
        value, plies = found[cell]["value"], found[cell]["distance"]
        assert name == rules.NAMES[int(cell)]
        assert (
            said
            == {
                0: "draw",
                1: f"win in {plies // 2 + 1}",
                -1: f"loss in {(plies + 1) // 2}",
            }[value]
        )


@pytest.mark.parametrize(
    "arguments, why",
    [
        (("XX",), "here are 2"),
        (("XX.......",), "here are 2 X and 0 O"),
        (("XXXOOO...",), "Both X and O have a complete line"),
        (("X...Z....",), "'Z' is none of them"),
        (("",), "here are 0"),
        (("X........", "O"), "unexpected extra argument"),
        (("--engine", "hard"), "No such option"),
    ],
)
def test_bad_input_ends_with_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    status, out, err = run(capsys, "values", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("tictactoe: ")
    assert err.count("\n") == 1
    assert why in err
    assert err.rstrip().endswith(".")
