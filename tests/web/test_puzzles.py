"""Puzzles over HTTP: today's, runs, and what an answer is told."""

from __future__ import annotations

import pytest

from tests.support import rules
from tests.support.visitor import Visitor
from webapp.analysis.puzzles import of_position
from webapp.core.game import boards, moves_of

CORNER = "0"
"""O is to move, and only the centre (4) is a draw."""


def position_of(visitor: Visitor, address: str) -> tuple[str, tuple[int, ...]]:
    """The position that a page shows, and its right cells."""
    page = visitor.get(address)
    (field,) = (one for one in page.document.all("input") if one.get("name") == "position")
    moves = field.get("value")
    puzzle = of_position(boards(moves_of(moves))[-1])
    assert puzzle
    return moves, puzzle.right


def test_todays_puzzle_is_the_same_for_all(alice: Visitor, bob: Visitor) -> None:
    moves, _right = position_of(alice, "/puzzles")
    assert position_of(bob, "/puzzles")[0] == moves
    page = alice.get("/puzzles")
    assert "moves ahead." in page.text
    assert "Medium goes wrong here in" in page.text
    board = rules.after(map(int, moves))
    assert not rules.completions(board, "X")
    assert not rules.completions(board, "O"), "nothing is to be seen at once"


def test_a_right_answer_is_told_why_and_a_wrong_one_what_refutes_it(alice: Visitor) -> None:
    right = alice.post("/puzzles/answer", {"position": CORNER, "cell": "4"})
    assert "The only cell that holds the draw." in right.the("right").text
    wrong = alice.post("/puzzles/answer", {"position": CORNER, "cell": "8"})
    told = wrong.the("wrong").text
    assert told.startswith("Not yet. Gives the draw away: X can now win")
    review = alice.get(wrong.the("line").get("href"))
    assert "Gives the draw away" in review.text


@pytest.mark.parametrize(
    "fields",
    [
        {"position": CORNER, "cell": "0"},
        {"position": CORNER, "cell": "9"},
        {"position": CORNER},
        {"position": "00", "cell": "4"},
        {"position": "x", "cell": "4"},
        {"position": "03142", "cell": "5"},
        {"position": "", "cell": "4"},
        {"position": "", "cell": ""},
    ],
)
def test_what_is_no_answer_is_refused(alice: Visitor, fields: dict[str, str]) -> None:
    assert alice.post("/puzzles/answer", fields).status == 422


def test_a_run_goes_on_until_three_mistakes_and_the_best_is_kept(alice: Visitor) -> None:
    assert "run of puzzles" not in alice.get("/you").text
    for solved in range(3):
        moves, right = position_of(alice, "/puzzles/run")
        answer = alice.post("/puzzles/answer", {"position": moves, "cell": str(right[0])})
        assert (
            f"{solved + 1} right, 0 of 3 mistakes, best run {solved + 1}"
            in answer.the("puzzle").text
        )
        again = alice.post("/puzzles/answer", {"position": moves, "cell": str(right[0])})
        assert "mistakes" not in again.the("puzzle").text, "it counts once"
    for mistakes in range(1, 4):
        moves, right = position_of(alice, "/puzzles/run")
        free = rules.free(rules.after(map(int, moves)))
        wrong = next(cell for cell in free if cell not in right)
        answer = alice.post("/puzzles/answer", {"position": moves, "cell": str(wrong)})
        assert f"3 right, {mistakes} of 3 mistakes" in answer.the("puzzle").text
        assert answer.the("wrong").text.startswith("Wrong.")
    assert "Another run" in answer.text
    assert alice.post("/puzzles/run").status == 303
    assert "0 right, 0 of 3 mistakes, best run 3" in alice.get("/puzzles/run").the("puzzle").text
    assert "Best run of puzzles: 3 right" in alice.get("/you").text
