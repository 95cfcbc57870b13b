"""``POST /games/<id>/hint`` and ``/undo``: what is shown and said of them."""

import pytest

from tests.support import rules
from tests.support.people import played_out
from tests.support.visitor import Visitor

BOTH_WAYS = pytest.mark.parametrize("htmx", [False, True])


@BOTH_WAYS
def test_the_hint_is_said_and_lasts_until_the_next_move(alice: Visitor, htmx: bool) -> None:
    page = alice.start("hard", "x", cell=4)
    assert any(cell.element.has("data-new") for cell in page.cells)
    page = alice.press(page, "Hint", htmx=htmx)
    (hinted,) = page.hinted
    assert [one.number for one in page.cells if one.label.endswith(", suggested")] == [hinted]
    assert -rules.value(rules.put(page.board, hinted))[0] == rules.value(page.board)[0]
    assert page.sentence.startswith(f"Try the {rules.NAMES[hinted]}")
    assert page.cell(hinted).playable
    assert not any(cell.element.has("data-new") for cell in page.cells), "no mark is drawn again"
    if htmx:
        assert page.announcement.startswith(page.sentence)
    assert alice.get(page.address).hinted == [hinted]
    page = alice.move(page, next(cell for cell in page.playable if cell not in page.hinted))
    assert page.hinted == []
    assert "suggested" not in page.game.text
    page = played_out(alice, page=page)
    assert "Not counted: you used a hint or an undo." in page.document.text


@BOTH_WAYS
def test_an_undo_takes_back_the_move_and_the_reply_and_says_so(alice: Visitor, htmx: bool) -> None:
    first = alice.act("hint", alice.start("medium", "x", cell=4))
    page = alice.move(first, first.playable[0])
    page = alice.press(page, "Undo", htmx=htmx)
    assert (page.board, page.moves, page.heading) == (first.board, first.moves, "Your turn")
    assert (page.hinted, page.version) == ([], 4)
    if htmx:
        assert page.announcement == "Move taken back. Your turn."
    page = alice.press(page, "Undo", htmx=htmx)
    assert (page.board, page.buttons) == (rules.EMPTY, ["Hint", "New game"])
