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
    only = "After a hint or undo, only a loss counts."
    assert only in page.document.text
    page = alice.move(page, next(cell for cell in page.playable if cell not in page.hinted))
    assert page.hinted == []
    assert "suggested" not in page.game.text
    page = played_out(alice, page=page)
    assert page.outcome == "draw"
    assert only in page.document.text


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


@BOTH_WAYS
@pytest.mark.parametrize("what", ["hint", "undo"])
def test_a_game_with_a_hint_or_an_undo_counts_where_it_is_left(
    alice: Visitor, what: str, htmx: bool
) -> None:
    page = alice.act(what, alice.start("hard", "x", cell=4))
    assert page.score == (0, 0, 0)
    front = alice.press(page, "New game", htmx=htmx)
    assert front.sentence == "If you start a new game, you lose this one."
    alice.press(front, "Give it up", htmx=htmx)
    left = alice.get(page.address)
    assert (left.outcome, left.heading, left.score) == ("o", "Hard wins: you left", (0, 0, 1))
    assert "only a loss counts" not in left.document.text


def test_a_game_with_a_hint_counts_where_it_is_lost(alice: Visitor) -> None:
    page = alice.act("hint", alice.start("hard", "x", cell=1))
    while not page.outcome:
        values = {cell: rules.value(rules.put(page.board, cell)) for cell in page.playable}
        page = alice.move(page, max(page.playable, key=values.__getitem__))
    assert (page.outcome, page.score) == ("o", (0, 0, 1))
