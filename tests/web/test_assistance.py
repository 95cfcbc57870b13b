"""``POST /games/<id>/hint`` and ``/undo``: a game with help counts nowhere."""

import pytest

from tests.support import rules
from tests.support.people import played_out
from tests.support.visitor import Visitor

BOTH_WAYS = pytest.mark.parametrize("htmx", [False, True])


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_a_hint_suggests_one_best_cell_and_says_why(
    alice: Visitor, opponent: str, mark: str
) -> None:
    page = alice.start(opponent, mark, **({"cell": 4} if mark == "x" else {}))
    while not page.outcome:
        hinted = alice.act("hint", page)
        assert (hinted.version, hinted.board) == (page.version + 1, page.board)
        (cell,) = hinted.hinted
        best, _ = rules.value(page.board)
        assert -rules.value(rules.put(page.board, cell))[0] == best
        corner = " corner" if cell in (0, 2, 6, 8) else ""
        assert hinted.sentence.startswith(f"Try the {rules.NAMES[cell]}{corner}: ")
        page = alice.move(hinted, cell)
    assert page.outcome in (mark, "draw")


@BOTH_WAYS
def test_the_hint_is_said_and_lasts_until_the_next_move(alice: Visitor, htmx: bool) -> None:
    page = alice.start("hard", "x", cell=4)
    assert any(cell.element.has("data-new") for cell in page.cells)
    page = alice.press(page, "Hint", htmx=htmx)
    (hinted,) = page.hinted
    assert [one.number for one in page.cells if one.label.endswith(", suggested")] == [hinted]
    assert page.cell(hinted).playable
    assert not any(cell.element.has("data-new") for cell in page.cells), "no mark is drawn again"
    if htmx:
        assert page.announcement.startswith(page.sentence)
    assert alice.get(page.address).hinted == [hinted]
    page = alice.act("hint", page)
    assert len(page.hinted) == 1
    page = alice.move(page, next(cell for cell in page.playable if cell not in page.hinted))
    assert page.hinted == []
    assert "suggested" not in page.game.text


@BOTH_WAYS
def test_an_undo_takes_back_the_move_and_the_reply_and_says_so(alice: Visitor, htmx: bool) -> None:
    first = alice.act("hint", alice.start("medium", "x", cell=4))
    page = alice.move(first, first.playable[0])
    page = alice.press(page, "Undo", htmx=htmx)
    assert (page.board, page.moves, page.heading) == (first.board, first.moves, "Your turn")
    assert (page.hinted, page.version) == ([], 4)
    if htmx:
        assert page.announcement == "Taken back. Your turn."
    page = alice.press(page, "Undo", htmx=htmx)
    assert (page.board, page.buttons) == (rules.EMPTY, ["Hint", "New game"])
    page = alice.press(page, page.cell(0), htmx=htmx)
    assert (page.cell(0).mark, page.board.count("O")) == ("X", 1)


def test_the_engines_opening_stays_and_friends_take_back_one_mark(alice: Visitor) -> None:
    opened = alice.start("hard", "o")
    assert "Undo" not in opened.buttons
    back = alice.act("undo", alice.move(opened, opened.playable[0]))
    assert back.board == opened.board
    page = alice.move(alice.start("friend", "x", cell=4), 0)
    for board in ("....X....", rules.EMPTY):
        page = alice.act("undo", page)
        assert page.board == board
    assert "Undo" not in page.buttons


@pytest.mark.parametrize("help_", ["hint", "undo"])
def test_a_game_with_help_counts_neither_now_nor_later(alice: Visitor, help_: str) -> None:
    page = alice.act(help_, alice.start("hard", "x", cell=1))
    page = played_out(alice, page=page)
    assert page.score == (0, 0, 0)
    assert "With a hint or an undo, this game does not count." in page.document.text
    following = played_out(alice, "hard")
    assert sum(following.score or ()) == 1
    assert "does not count" not in following.document.text
    assert alice.get(page.address).score == following.score
