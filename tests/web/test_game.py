"""A game from its first move on, to its player and to anyone who watches.

What is stored and refused, in any order of requests, is the part of ``test_sequences``.
"""

import pytest

from tests.support import rules
from tests.support.people import played_out
from tests.support.rules import EMPTY, NAMES
from tests.support.visitor import Visitor

BOTH_WAYS = pytest.mark.parametrize("htmx", [False, True])


def test_a_newcomer_finds_an_empty_board_that_is_ready_to_play_medium(alice: Visitor) -> None:
    page = alice.get("/")
    assert (page.status, page.version, page.outcome) == (200, 0, "")
    assert [cell.label for cell in page.cells] == [f"{name.capitalize()}, empty" for name in NAMES]
    assert (page.playable, page.heading, page.moves) == (list(range(9)), "You against Medium", [])
    assert page.sentence == "Your turn: you are X, Medium is O."
    assert (page.opponent, page.mark) == ("medium", "x")
    assert (page.score_against, page.score) == ("Medium", (0, 0, 0))
    assert page.the("live") not in page.game.walk()


@BOTH_WAYS
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_the_engine_opens_where_it_has_x_and_no_cell_is_played_for_it(
    alice: Visitor, opponent: str, htmx: bool
) -> None:
    refused = alice.post("/games", {"opponent": opponent, "mark": "o", "cell": "4"})
    assert (refused.status, refused.board, refused.playable) == (422, EMPTY, [])
    assert refused.refusal == "The computer has X and goes first."
    page = alice.get("/", query_string={"opponent": opponent, "mark": "o"})
    assert page.buttons == ["Let the computer begin"]
    page = alice.press(page, "Let the computer begin", htmx=htmx)
    assert (page.board.count("X"), page.board.count("O"), page.version) == (1, 0, 1)
    assert page.sentence.startswith("I took the ")
    assert (page.heading, page.score_against) == ("Your turn", opponent.capitalize())


@pytest.mark.parametrize("key", ["'; DROP TABLE games; --", "ü٣\x00", "k" * 3000, "<b>", " "])
def test_a_key_may_be_anything(alice: Visitor, key: str) -> None:
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "key": key}
    first, second = (alice.post("/games", fields) for _ in range(2))
    assert (first.status, first.location) == (303, second.location)


@BOTH_WAYS
@pytest.mark.parametrize("which", ["finished", "early", "forfeited", "undone"])
def test_a_new_game_asks_first_where_it_counts_the_one_before_as_lost(
    alice: Visitor, which: str, htmx: bool
) -> None:
    page = alice.start("hard", "x", cell=1)
    if which == "finished":
        page = played_out(alice, page=page)
    elif which == "undone":
        page = alice.act("undo", page)
    elif which == "forfeited":
        page = alice.move(page, page.playable[0])
    front = alice.press(page, "Play again" if which == "finished" else "New game", htmx=htmx)
    if lost := which in ("forfeited", "undone"):
        assert front.heading == "Start a new game?"
        assert "Your game against Hard goes on." in front.document.text
        assert (front.board, front.playable) == (page.board, [])
        assert front.links["Keep playing"] == page.address
        assert "If you start a new game, you lose this one." in front.document.text
        assert "lose this one" not in alice.get("/?opponent=easy").document.text, "it can wait"
        assert alice.get(page.address).outcome == "", "to be asked ends nothing"
        front = alice.press(front, "New game", htmx=htmx)
    assert (front.board, front.version, front.heading) == (EMPTY, 0, "You against Hard")
    assert front.buttons == []
    left = alice.get(page.address)
    assert left.buttons == ["Play again"]
    if which != "finished":
        assert left.heading == ("Hard wins: you left" if lost else "You left this game")


def test_the_board_of_a_page_begins_one_game_and_its_controls_are_for_the_next(
    alice: Visitor,
) -> None:
    page, other = alice.get("/?opponent=easy&mark=x"), alice.get("/")
    once, twice = (alice.press(page, page.cell(cell)) for cell in (4, 0))
    assert once.address == twice.address, "a double click, or back and another click"
    assert alice.press(other, other.cell(4)).address != once.address
    back = alice.act("undo", once, opponent="hard", mark="o")
    assert (back.score_against, back.playable) == ("Easy", list(range(9)))
    following = alice.act("again", back, opponent="hard", mark="o")
    assert (following.board.count("X"), following.score_against) == (1, "Hard")


# --- hint and undo --------------------------------------------------------------------------------


@BOTH_WAYS
def test_the_hint_is_said_and_lasts_until_the_next_move(alice: Visitor, htmx: bool) -> None:
    page = alice.start("hard", "x", cell=4)
    assert any(cell.element.has("data-new") for cell in page.cells)
    page = alice.press(page, "Hint", htmx=htmx)
    (hinted,) = page.hinted
    assert [one.number for one in page.cells if one.label.endswith(", suggested")] == [hinted]
    assert -rules.value(rules.put(page.board, hinted))[0] == rules.value(page.board)[0]
    assert page.sentence.startswith(f"Try the {NAMES[hinted]}")
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
    assert (page.board, page.buttons) == (EMPTY, ["Hint", "New game"])


# --- what is seen of it ---------------------------------------------------------------------------


def test_a_taken_cell_keeps_its_button_and_says_what_is_there(alice: Visitor) -> None:
    page = alice.start("friend", "x", cell=4)
    taken = page.cell(4)
    assert (taken.label, taken.element.tag) == ("Centre, X", "button")
    assert (taken.element.get("type"), taken.element.get("aria-disabled")) == ("button", "true")
    assert not taken.element.has("disabled")


def test_a_watcher_sees_the_board_in_marks_without_hint_score_or_controls(
    alice: Visitor, bob: Visitor
) -> None:
    page = alice.start("hard", "x", cell=4)
    hinted = alice.act("hint", page)
    seen = bob.get(page.address, query_string={"opponent": "friend", "mark": "o"})
    assert (seen.status, seen.watching) == (200, True)
    assert (seen.board, seen.version, seen.moves) == (page.board, hinted.version, page.moves)
    assert [cell.label for cell in seen.cells] == [cell.label for cell in page.cells]
    assert all(cell.element.tag != "button" for cell in seen.cells)
    assert (seen.hinted, seen.score, seen.heading) == ([], None, "X to move")
    assert seen.links["Play a game"] == "/"
    assert (seen.game.has("data-news"), seen.game.has("data-alone")) == (True, False)
    nothing = bob.get(seen.game.get("hx-get"), fragment=True)
    assert (nothing.status, nothing.response.data) == (204, b"")
    alice.move(hinted, hinted.playable[0])
    assert bob.get(seen.game.get("hx-get"), fragment=True, onto=seen).version == 3


@pytest.mark.parametrize(
    "since,status",
    [
        *((other, 200) for other in ("0", "2", "9" * 9, "2.0.0", "1.0.1", "1.0.0.1")),
        *(
            (bad, 422)
            for bad in ("", "x", "-1", "٣", "1.", "1.0.2", "1.0.0.2", "1.0.0.0.0", "9" * 5000)
        ),
        ("1&since=1", 422),
    ],
)
def test_whatever_else_a_page_says_that_it_shows_the_board_is_the_answer(
    alice: Visitor, bob: Visitor, since: str, status: int
) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(f"{page.address}?since={since}", fragment=True)
    assert (seen.status, seen.board, bool(seen.refusal)) == (status, page.board, status == 422)
