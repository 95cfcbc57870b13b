"""``POST /games/<id>/undo``: taking back the player's last move and the reply."""

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor


def test_undo_takes_back_the_move_and_the_reply(alice: Visitor) -> None:
    first = alice.start("medium", "x", cell=4)
    second = alice.move(first, first.playable[0])
    back = alice.act("undo", second)
    assert back.board == first.board
    assert back.moves == first.moves
    assert back.version == second.version + 1
    assert back.heading == "Your turn"
    assert alice.act("undo", back).board == EMPTY


@pytest.mark.parametrize("htmx", [False, True])
def test_the_button_undoes(alice: Visitor, htmx: bool) -> None:
    page = alice.start("medium", "x", cell=4)
    page = alice.press(page, "Undo", htmx=htmx)
    assert page.board == EMPTY
    assert "Undo" not in page.buttons


def test_with_o_the_engines_opening_stays(alice: Visitor) -> None:
    opened = alice.start("hard", "o")
    assert "Undo" not in opened.buttons
    page = alice.move(opened, opened.playable[0])
    back = alice.act("undo", page)
    assert back.board == opened.board
    assert alice.try_to("undo", back).status == 409


def test_friends_take_back_one_mark(alice: Visitor) -> None:
    page = alice.move(alice.start("friend", "x", cell=4), 0)
    page = alice.act("undo", page)
    assert page.board == "....X...."
    page = alice.act("undo", page)
    assert page.board == EMPTY
    assert "Undo" not in page.buttons


def test_after_an_undo_another_cell_may_be_played(alice: Visitor) -> None:
    page = alice.act("undo", alice.start("hard", "x", cell=4))
    page = alice.move(page, 0)
    assert page.cell(0).mark == "X"
    assert page.board.count("X") == page.board.count("O") == 1


def test_undo_forgets_the_hint(alice: Visitor) -> None:
    page = alice.act("undo", alice.act("hint", alice.start("easy", "x", cell=4)))
    assert page.hinted == []
    assert not page.sentence.startswith("Try ")


def test_with_htmx_it_is_said_that_the_move_was_taken_back(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    answer = alice.try_to("undo", page, fragment=True)
    assert answer.announcement == "Taken back. Your turn."


def nothing_to_undo(visitor: Visitor) -> dict[str, Page]:
    finished = visitor.start("friend", "x")
    for cell in (0, 3, 1, 4, 2):
        finished = visitor.move(finished, cell)
    return {
        "untouched": visitor.start("easy", "x"),
        "opened by the engine": visitor.start("easy", "o"),
        "untouched, of friends": visitor.start("friend", "x"),
        "finished": finished,
    }


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "which", ["untouched", "opened by the engine", "untouched, of friends", "finished"]
)
def test_undo_is_refused_where_there_is_nothing_to_take_back(
    site: Site, alice: Visitor, which: str, fragment: bool
) -> None:
    page = nothing_to_undo(alice)[which]
    before = site.dump()
    answer = alice.try_to("undo", page, fragment=fragment)
    assert answer.status == 409
    assert (answer.board, answer.version) == (page.board, page.version)
    assert answer.refusal
    assert "Undo" not in page.buttons
    assert site.dump() == before
