"""``POST /games/<id>/moves``: the player's move and the engine's reply, as the page shows them."""

import random

import pytest

from tests.support import rules
from tests.support.visitor import Site, Visitor


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("htmx", [False, True])
def test_whole_games_follow_the_rules_and_the_end_says_who_won(
    site: Site, alice: Visitor, *, opponent: str, mark: str, htmx: bool
) -> None:
    rng = random.Random(f"{opponent} {mark} {htmx}")
    page = alice.get("/", query_string={"opponent": opponent, "mark": mark})
    if mark == "o":
        page = alice.press(page, "Let the computer begin", htmx=htmx)
    while page.outcome == "":
        before, version, cell = page.board, page.version, rng.choice(page.playable)
        page = alice.press(page, page.cell(cell), htmx=htmx)
        mine = rules.put(before, cell)
        replies = [mine] if rules.outcome(mine) else [rules.put(mine, n) for n in rules.free(mine)]
        assert page.board in replies
        assert page.outcome == rules.outcome(page.board)
        assert page.version == version + 1
        assert page.playable == ([] if page.outcome else rules.free(page.board))
        assert len(page.moves) == 9 - page.board.count(".")
        if not page.outcome:
            assert page.heading == "Your turn"
            assert page.announcement == (f"{page.sentence} Your turn." if htmx else "")
    lines = " and ".join(rules.complete(page.board))
    lines = lines.replace("diagonal and diagonal", "both diagonals")
    winner = "You win" if page.outcome == mark else f"{opponent.capitalize()} wins"
    assert page.heading == ("A draw" if page.outcome == "draw" else f"{winner}: {lines}")
    assert page.buttons == ["Play again"]
    assert alice.get(page.address).title == f"{page.heading} · Tic-Tac-Toe"
    won = {cell.number for cell in page.cells if cell.label.endswith(", winning line")}
    assert won == {
        cell
        for _, line in rules.LINES
        if {page.board[cell] for cell in line} in ({"X"}, {"O"})
        for cell in line
    }
