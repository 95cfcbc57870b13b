"""``POST /games/<id>/moves``: the player's move and the engine's reply."""

import random
from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor

ENGINES = ("easy", "medium", "hard")
How: TypeAlias = Callable[[Page, random.Random], int]


def clumsily(page: Page, rng: random.Random) -> int:
    """A cell as somebody who does not think would choose it."""
    return rng.choice(page.playable)


def well(page: Page, rng: random.Random) -> int:
    """A cell as somebody who thinks of everything would choose it."""
    worth = {cell: rules.value(rules.put(page.board, cell)) for cell in page.playable}
    lowest = min(value for value, _ in worth.values())
    return rng.choice([cell for cell, (value, _) in worth.items() if value == lowest])


@pytest.mark.parametrize("opponent", ENGINES)
@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("how", [clumsily, well])
def test_whole_games_follow_the_rules(
    alice: Visitor, opponent: str, mark: str, htmx: bool, how: How
) -> None:
    rng = random.Random(f"{opponent} {mark} {htmx} {how is well}")
    page = alice.get("/", query_string={"opponent": opponent, "mark": mark})
    if mark == "o":
        page = alice.press(page, "Let the computer begin", htmx=htmx)
        assert page.version == 1
    while page.outcome == "":
        before, version, cell = page.board, page.version, how(page, rng)
        page = alice.press(page, page.cell(cell), htmx=htmx)
        mine = rules.put(before, cell)
        if rules.outcome(mine):
            assert page.board == mine
        else:
            assert page.board in [rules.put(mine, reply) for reply in rules.free(mine)]
        assert page.outcome == rules.outcome(page.board)
        assert page.version == version + 1
        assert page.playable == ([] if page.outcome else rules.free(page.board))
        assert len(page.moves) == 9 - page.board.count(".")
        if not page.outcome:
            assert page.heading == "Your turn"
    assert opponent != "hard" or page.outcome != mark


def test_two_friends_play_a_whole_game(alice: Visitor) -> None:
    page = alice.start("friend", "x")
    board = rules.EMPTY
    for cell in (4, 0, 8, 2, 1, 7, 3, 5, 6):
        assert page.heading == f"{rules.to_move(board)} to move"
        page = alice.move(page, cell)
        board = rules.put(board, cell)
        assert page.board == board
    assert (page.outcome, page.heading) == ("draw", "A draw")
    assert page.sentence == "Every cell is taken, and nobody has a line."


@pytest.mark.parametrize(
    "cells,outcome,heading",
    [
        ((0, 3, 1, 4, 2), "x", "X wins: top row"),
        ((3, 0, 4, 1, 5), "x", "X wins: middle row"),
        ((6, 0, 7, 1, 8), "x", "X wins: bottom row"),
        ((0, 1, 3, 2, 6), "x", "X wins: left column"),
        ((1, 0, 4, 2, 7), "x", "X wins: middle column"),
        ((2, 0, 5, 1, 8), "x", "X wins: right column"),
        ((0, 1, 4, 2, 8), "x", "X wins: diagonal"),
        ((2, 0, 4, 1, 6), "x", "X wins: diagonal"),
        ((0, 2, 1, 4, 3, 6), "o", "O wins: diagonal"),
        ((0, 1, 2, 3, 6, 5, 8, 7, 4), "x", "X wins: both diagonals"),
        ((0, 3, 1, 4, 5, 6, 8, 7, 2), "x", "X wins: top row and right column"),
    ],
)
def test_the_end_names_the_winner_and_the_line(
    alice: Visitor, cells: tuple[int, ...], outcome: str, heading: str
) -> None:
    page = alice.start("friend", "x")
    for cell in cells:
        page = alice.move(page, cell)
    assert (page.outcome, page.heading) == (outcome, heading)
    struck = {cell for line in rules.complete(page.board) for cell in cells_of(line, page.board)}
    assert {cell.number for cell in page.cells if cell.label.endswith("winning line")} == struck
    assert page.buttons[0] == "Play again"


def cells_of(name: str, board: str) -> set[int]:
    return {
        cell
        for line, cells in rules.LINES
        for cell in cells
        if line == name and len({board[other] for other in cells}) == 1 and board[cells[0]] != "."
    }


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize(
    "opponent,how,wanted",
    [("easy", clumsily, "won"), ("medium", clumsily, "lost"), ("hard", well, "drawn")],
)
def test_against_an_engine_the_end_says_who_won(
    alice: Visitor, opponent: str, mark: str, how: How, wanted: str
) -> None:
    rng = random.Random(mark)
    names = {"draw": "drawn", mark: "won"}
    for _ in range(60):
        page = alice.start(opponent, mark)
        while not page.outcome:
            page = alice.move(page, how(page, rng))
        if names.get(page.outcome, "lost") == wanted:
            break
    lines = " and ".join(rules.complete(page.board)).replace(
        "diagonal and diagonal", "both diagonals"
    )
    assert (
        page.heading
        == {
            "won": f"You win: {lines}",
            "lost": f"{opponent.capitalize()} wins: {lines}",
            "drawn": "A draw",
        }[wanted]
    )
    assert page.buttons == ["Play again"]
    assert page.title.startswith(page.heading)


def test_a_move_and_its_reply_are_stored_together(site: Site, alice: Visitor) -> None:
    page = alice.start("medium", "x")
    page = alice.move(page, 4)
    row = site.stored(page.address.removeprefix("/games/"))
    assert row["moves"][0] == "4"
    assert len(row["moves"]) == 2
    assert row["version"] == page.version == 2


def test_with_htmx_a_move_answers_with_the_game_and_says_it(alice: Visitor) -> None:
    page = alice.start("easy", "x")
    answer = alice.try_to("moves", page, {"cell": 4}, fragment=True)
    assert answer.status == 200
    assert answer.is_fragment
    assert "HX-Push-Url" not in answer.headers
    assert answer.cell(4).mark == "X"
    assert answer.announcement == f"{answer.sentence} Your turn."


def test_the_live_region_is_empty_on_a_page_and_filled_by_a_fragment(alice: Visitor) -> None:
    page = alice.start("easy", "x")
    assert page.the("live").text == ""
    answer = alice.try_to("moves", page, {"cell": 4}, fragment=True)
    assert answer.the("live").text == answer.announcement
    assert answer.the("live").get("role") == "status"
