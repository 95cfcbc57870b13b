"""``GET /``, ``POST /games`` and ``POST /games/<id>/again``: where a game begins.

What is stored and refused then, in any order of requests, is the part of ``test_sequences``.
"""

import pytest

from tests.support.people import played_out
from tests.support.rules import EMPTY, NAMES
from tests.support.visitor import Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("htmx", [False, True])


def games_in(site: Site) -> int:
    return len(site.dump()["games"])


def test_a_newcomer_finds_an_empty_board_that_is_ready_to_play_medium(alice: Visitor) -> None:
    page = alice.get("/")
    assert (page.status, page.version, page.outcome) == (200, 0, "")
    assert [cell.label for cell in page.cells] == [f"{name.capitalize()}, empty" for name in NAMES]
    assert (page.playable, page.heading, page.moves) == (list(range(9)), "Your turn", [])
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


# --- the key --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["'; DROP TABLE games; --", "ü٣\x00", "k" * 3000, "<b>", " "])
def test_a_key_may_be_anything(alice: Visitor, key: str) -> None:
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "key": key}
    first, second = (alice.post("/games", fields) for _ in range(2))
    assert (first.status, first.location) == (303, second.location)


@BOTH_WAYS
def test_a_double_click_or_back_and_another_click_make_one_game(
    site: Site, alice: Visitor, htmx: bool
) -> None:
    page, other, before = alice.get("/"), alice.get("/"), games_in(site)
    once, twice = (alice.press(page, page.cell(cell), htmx=htmx) for cell in (4, 0))
    assert once.address == twice.address
    assert games_in(site) == before + 1
    assert alice.press(other, other.cell(4), htmx=htmx).address != once.address


# --- the next game --------------------------------------------------------------------------------


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
        assert front.heading == "Continue, or give up?"
        assert "Your game against Hard goes on." in front.document.text
        assert (front.board, front.playable) == (page.board, [])
        assert front.links["Continue"] == page.address
        assert alice.get(page.address).outcome == "", "to be asked ends nothing"
        front = alice.press(front, "Give it up", htmx=htmx)
    assert (front.board, front.version, front.heading) == (EMPTY, 0, "Your turn")
    left = alice.get(page.address)
    assert left.buttons == ["Play again"]
    if which != "finished":
        assert left.heading == ("Hard wins: you left" if lost else "You left this game")


def test_the_controls_are_for_the_next_game(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    page = alice.act("undo", page, opponent="hard", mark="o")
    assert (page.score_against, page.playable) == ("Easy", list(range(9)))
    following = alice.act("again", page, opponent="hard", mark="o")
    assert (following.board.count("X"), following.score_against) == (1, "Hard")
