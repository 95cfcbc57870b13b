"""``POST /games/<id>/hint``: the best cell, and why."""

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_a_hint_suggests_one_best_cell_and_says_why(
    alice: Visitor, opponent: str, mark: str
) -> None:
    page = alice.start(opponent, mark)
    while not page.outcome:
        hinted = alice.act("hint", page)
        assert hinted.version == page.version + 1
        assert hinted.board == page.board
        (cell,) = hinted.hinted
        best, _ = rules.value(page.board)
        assert -rules.value(rules.put(page.board, cell))[0] == best
        corner = " corner" if cell in (0, 2, 6, 8) else ""
        assert hinted.sentence.startswith(f"Try the {rules.NAMES[cell]}{corner}: ")
        page = alice.move(hinted, cell)
    assert page.outcome in (mark, "draw")


@pytest.mark.parametrize("htmx", [False, True])
def test_the_button_suggests(alice: Visitor, htmx: bool) -> None:
    page = alice.press(alice.start("easy", "x", cell=4), "Hint", htmx=htmx)
    (cell,) = page.hinted
    assert page.cell(cell).element.has("data-hint")
    assert page.cell(cell).label.endswith(", empty, suggested")
    assert page.cell(cell).playable
    assert [one.number for one in page.cells if "suggested" in one.label] == [cell]


def test_the_hint_lasts_until_the_next_move(alice: Visitor) -> None:
    page = alice.act("hint", alice.start("hard", "x", cell=4))
    assert alice.get(page.address).hinted == page.hinted
    other = next(cell for cell in page.playable if cell not in page.hinted)
    page = alice.move(page, other)
    assert page.hinted == []
    assert "suggested" not in "".join(cell.label for cell in page.cells)


def test_a_second_hint_is_accepted_and_counted(alice: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    again = alice.act("hint", alice.act("hint", page))
    assert again.version == page.version + 2
    assert len(again.hinted) == 1


def test_a_hint_may_be_had_for_the_first_move(alice: Visitor) -> None:
    page = alice.act("hint", alice.start("medium", "x"))
    assert len(page.hinted) == 1
    assert page.version == 2


def test_the_hint_is_said(alice: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    answer = alice.try_to("hint", page, fragment=True)
    assert answer.announcement.startswith(answer.sentence)


def without_hints(visitor: Visitor) -> dict[str, Page]:
    friends = visitor.start("friend", "x", cell=4)
    lost = visitor.start("hard", "x")
    while not lost.outcome:
        lost = visitor.move(lost, lost.playable[0])
    return {"friends": friends, "finished": lost}


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize("which", ["friends", "finished"])
def test_a_hint_is_refused_between_friends_and_after_the_end(
    site: Site, alice: Visitor, which: str, fragment: bool
) -> None:
    page = without_hints(alice)[which]
    before = site.dump()
    answer = alice.try_to("hint", page, fragment=fragment)
    assert answer.status == 409
    assert (answer.board, answer.version, answer.hinted) == (page.board, page.version, [])
    assert answer.refusal
    assert "Hint" not in page.buttons
    assert site.dump() == before


def test_a_hint_draws_no_mark_again(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    assert any(cell.element.has("data-new") for cell in page.cells)
    page = alice.act("hint", page)
    assert not any(cell.element.has("data-new") for cell in page.cells)
