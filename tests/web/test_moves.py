"""``POST /games/<id>/moves``: the player's move and the engine's reply."""

import random
from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor

How: TypeAlias = Callable[[Page, random.Random], int]


def clumsily(page: Page, rng: random.Random) -> int:
    """A cell as a player who does not think would choose it."""
    return rng.choice(page.playable)


def well(page: Page, rng: random.Random) -> int:
    """A cell as a player who thinks of everything would choose it."""
    worth = {cell: rules.value(rules.put(page.board, cell)) for cell in page.playable}
    lowest = min(value for value, _ in worth.values())
    return rng.choice([cell for cell, (value, _) in worth.items() if value == lowest])


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("how", [clumsily, well])
def test_whole_games_follow_the_rules_and_the_end_says_who_won(
    site: Site, alice: Visitor, *, opponent: str, mark: str, htmx: bool, how: How
) -> None:
    rng = random.Random(f"{opponent} {mark} {htmx} {how is well}")
    page = alice.get("/", query_string={"opponent": opponent, "mark": mark})
    if mark == "o":
        page = alice.press(page, "Let the computer begin", htmx=htmx)
    while page.outcome == "":
        before, version, cell = page.board, page.version, how(page, rng)
        page = alice.press(page, page.cell(cell), htmx=htmx)
        mine = rules.put(before, cell)
        replies = [mine] if rules.outcome(mine) else [rules.put(mine, n) for n in rules.free(mine)]
        assert page.board in replies
        assert page.outcome == rules.outcome(page.board)
        assert page.version == version + 1
        assert page.playable == ([] if page.outcome else rules.free(page.board))
        assert len(page.moves) == 9 - page.board.count(".")
        stored = site.stored(page.address.removeprefix("/games/"))
        assert (stored["version"], len(stored["moves"])) == (page.version, len(page.moves))
        if not page.outcome:
            assert page.heading == "Your turn"
            assert page.announcement == (f"{page.sentence} Your turn." if htmx else "")
    assert opponent != "hard" or page.outcome != mark
    lines = " and ".join(rules.complete(page.board))
    lines = lines.replace("diagonal and diagonal", "both diagonals")
    winner = "You win" if page.outcome == mark else f"{opponent.capitalize()} wins"
    assert page.heading == ("A draw" if page.outcome == "draw" else f"{winner}: {lines}")
    assert page.buttons == ["Play again"]
    assert alice.get(page.address).title == f"{page.heading} · Tic-Tac-Toe"


@pytest.mark.parametrize(
    "cells,outcome,heading",
    [
        ((0, 3, 1, 4, 2), "x", "X wins: top row"),
        ((2, 0, 5, 1, 8), "x", "X wins: right column"),
        ((0, 2, 1, 4, 3, 6), "o", "O wins: diagonal"),
        ((0, 1, 2, 3, 6, 5, 8, 7, 4), "x", "X wins: both diagonals"),
        ((0, 3, 1, 4, 5, 6, 8, 7, 2), "x", "X wins: top row and right column"),
    ],
)
def test_the_end_names_the_winner_and_the_line_and_shows_it(
    alice: Visitor, cells: tuple[int, ...], outcome: str, heading: str
) -> None:
    page = alice.start("friend", "x", cell=cells[0])
    for cell in cells[1:]:
        page = alice.move(page, cell)
    assert (page.outcome, page.heading) == (outcome, heading)
    struck = {
        cell
        for _, line in rules.LINES
        if {page.board[cell] for cell in line} == {outcome.upper()}
        for cell in line
    }
    won = {cell.number for cell in page.cells if cell.label.endswith(", winning line")}
    assert won == struck
