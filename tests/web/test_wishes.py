"""``opponent`` and ``mark`` may accompany every POST: the controls beside the board."""

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor

WISH = {"opponent": "hard", "mark": "o"}


def remembered(visitor: Visitor) -> tuple[str, str]:
    page = visitor.get("/")
    return page.opponent, page.mark


# --- in the middle of a game ------------------------------------------------------------------


@pytest.mark.parametrize("what", ["moves", "undo", "hint", "again"])
@pytest.mark.parametrize("fragment", [False, True])
def test_a_wish_that_accompanies_a_post_is_remembered(
    alice: Visitor, what: str, fragment: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    fields = {**WISH, **({"cell": page.playable[0]} if what == "moves" else {})}
    answer = alice.try_to(what, page, fields, fragment=fragment)
    assert answer.status == (200 if fragment else 303)
    assert remembered(alice) == ("hard", "o")


@pytest.mark.parametrize("what", ["moves", "undo", "hint", "again"])
@pytest.mark.parametrize(
    "wish,expected",
    [
        ({"opponent": "hard"}, ("hard", "alternate")),
        ({"mark": "o"}, ("easy", "o")),
        ({}, ("easy", "alternate")),
    ],
)
def test_what_a_wish_leaves_open_stays_as_it_was(
    alice: Visitor, what: str, wish: dict[str, str], expected: tuple[str, str]
) -> None:
    page = alice.start("easy", "alternate", cell=4)
    fields = {**wish, **({"cell": page.playable[0]} if what == "moves" else {})}
    alice.act(what, page, **fields)
    assert remembered(alice) == expected


@pytest.mark.parametrize("what", ["moves", "hint"])
def test_in_mid_game_a_wish_loses_nothing(alice: Visitor, what: str) -> None:
    page = alice.start("easy", "x", cell=4)
    fields = {**WISH, **({"cell": page.playable[0]} if what == "moves" else {})}
    after = alice.act(what, page, **fields)
    assert after.score_against == "Easy"
    assert after.cell(4).mark == "X"
    assert (after.opponent, after.mark) == ("hard", "o")


def test_a_wish_is_for_the_next_game(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    page = alice.move(page, page.playable[0], **WISH)
    following = alice.act("again", page)
    assert following.score_against == "Hard"
    assert following.board.count("X") == 1
    assert len(following.playable) == 8


def test_a_wish_with_again_is_for_the_game_that_follows(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    following = alice.act("again", page, opponent="friend", mark="x")
    assert following.heading == "X to move"


def test_a_wish_with_again_is_remembered_even_if_the_next_game_is_there(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    following = alice.move(alice.act("again", page), 4)
    again = alice.act("again", page, opponent="hard", mark="o")
    assert again.address == following.address
    assert again.board == following.board
    assert remembered(alice) == ("hard", "o")


def test_the_page_says_that_it_applies_to_the_next_game(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    assert "applies to the next game" in page.the("setup").text


@pytest.mark.parametrize("htmx", [False, True])
def test_the_controls_go_with_every_button(alice: Visitor, htmx: bool) -> None:
    page = alice.start("easy", "x", cell=4)
    page = page.choosing("hard", "alternate")
    page = alice.press(page, page.cell(page.playable[0]), htmx=htmx)
    assert remembered(alice) == ("hard", "alternate")
    page = alice.press(page.choosing("medium", "o"), "Hint", htmx=htmx)
    assert remembered(alice) == ("medium", "o")
    page = alice.press(page.choosing("friend", "x"), "Undo", htmx=htmx)
    assert remembered(alice) == ("friend", "x")
    page = alice.press(page.choosing("hard", "o"), "New game", htmx=htmx)
    assert (page.score_against, page.board.count("X")) == ("Hard", 1)


def test_using_the_controls_in_mid_game_asks_nothing(site: Site, alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    changed = alice.choose(page, "hard", "o")
    assert changed.board == page.board
    assert changed.response is page.response
    assert site.dump() == before


# --- a refused request ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what,fields,status",
    [
        ("moves", {"cell": 4, **WISH}, 409),
        ("moves", {"cell": 0, "version": 77, **WISH}, 409),
        ("moves", {"cell": 9, **WISH}, 422),
        ("undo", {"version": 77, **WISH}, 409),
        ("hint", {"version": "", **WISH}, 422),
    ],
)
def test_a_wish_that_accompanies_a_refused_post_is_not_remembered(
    site: Site, alice: Visitor, what: str, fields: dict[str, object], status: int
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    assert alice.try_to(what, page, fields).status == status
    assert site.dump() == before
    assert remembered(alice) == ("easy", "x")


def test_a_watchers_wish_is_not_remembered(site: Site, alice: Visitor, bob: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    assert bob.try_to("moves", page, {"cell": 0, **WISH}).status == 403
    assert site.dump() == before
    assert remembered(bob) == ("medium", "x")


# --- on an untouched board that is stored -----------------------------------------------------


def untouched(visitor: Visitor) -> dict[str, Page]:
    return {
        "after again": visitor.act("again", visitor.start("easy", "x", cell=4)),
        "after undo": visitor.act("undo", visitor.start("easy", "x", cell=4)),
        "without a cell": visitor.start("easy", "x"),
    }


UNTOUCHED = pytest.mark.parametrize("which", ["after again", "after undo", "without a cell"])


@UNTOUCHED
def test_on_an_untouched_board_another_opponent_plays_at_once(alice: Visitor, which: str) -> None:
    page = alice.move(untouched(alice)[which], 4, opponent="hard", mark="x")
    assert page.score_against == "Hard"
    assert (page.board.count("X"), page.board.count("O")) == (1, 1)
    assert alice.get(page.address).score_against == "Hard"


@UNTOUCHED
def test_on_an_untouched_board_a_friend_plays_at_once(alice: Visitor, which: str) -> None:
    page = alice.move(untouched(alice)[which], 4, opponent="friend")
    assert page.board == "....X...."
    assert page.heading == "O to move"
    assert alice.move(page, 0).board == "O...X...."


@UNTOUCHED
@pytest.mark.parametrize("fragment", [False, True])
def test_an_untouched_board_can_be_looked_at_as_it_would_be(
    site: Site, alice: Visitor, which: str, fragment: bool
) -> None:
    page = untouched(alice)[which]
    before = site.dump()
    seen = alice.get(page.address, query_string=WISH, fragment=fragment)
    assert seen.buttons == ["Let the computer begin"]
    assert seen.playable == []
    assert (seen.board, seen.version) == (EMPTY, page.version)
    assert seen.score_against == "Hard"
    assert site.dump() == before


@UNTOUCHED
def test_the_computer_begins_from_an_untouched_board(alice: Visitor, which: str) -> None:
    page = alice.choose(untouched(alice)[which], "hard", "o")
    page = alice.press(page, "Let the computer begin", htmx=True)
    assert page.board.count("X") == 1
    assert page.score_against == "Hard"
    assert len(page.playable) == 8


@UNTOUCHED
def test_a_cell_is_refused_where_the_engine_would_now_begin(
    site: Site, alice: Visitor, which: str
) -> None:
    page = untouched(alice)[which]
    before = site.dump()
    answer = alice.try_to("moves", page, {"cell": 4, **WISH})
    assert answer.status == 422
    assert answer.refusal
    assert site.dump() == before


@UNTOUCHED
def test_the_controls_prepare_an_untouched_board(alice: Visitor, which: str) -> None:
    page = alice.choose(untouched(alice)[which], opponent="hard")
    assert page.score_against == "Hard"
    page = alice.press(page, page.cell(4), htmx=True)
    assert page.score_against == "Hard"
    page = alice.get(page.address)
    assert page.score_against == "Hard"


@UNTOUCHED
def test_a_hint_on_an_untouched_board_is_for_the_opponent_that_was_chosen(
    alice: Visitor, which: str
) -> None:
    page = alice.choose(untouched(alice)[which], opponent="hard")
    page = alice.press(page, "Hint", htmx=True)
    assert (page.score_against, page.opponent) == ("Hard", "hard")
    assert alice.get(page.address).score_against == "Hard"


def test_whatever_button_an_untouched_board_offers_does_something(alice: Visitor) -> None:
    for before in ("easy", "friend"):
        for after in ("easy", "friend", "hard"):
            for mark in ("x", "o"):
                start = alice.act("again", alice.start(before, "x", cell=4))
                page = alice.choose(start, after, mark)
                for button in page.buttons:
                    answer = alice.press(page, button, htmx=True)
                    assert answer.status == 200, (before, after, mark, button, answer.refusal)
                    page = alice.choose(alice.get(start.address), after, mark)


def test_a_wish_on_an_untouched_board_does_not_change_a_watchers_view(
    alice: Visitor, bob: Visitor
) -> None:
    page = untouched(alice)["after again"]
    alice.choose(page, "hard", "o")
    assert bob.get(page.address).board == EMPTY
    assert alice.get(page.address).score_against == "Easy"


def test_after_the_first_move_a_wish_no_longer_applies_to_this_game(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    seen = alice.get(page.address, query_string=WISH)
    assert seen.score_against == "Easy"
    assert seen.board == page.board


@pytest.mark.parametrize("htmx", [False, True])
def test_with_alternate_the_first_move_can_be_undone_and_played_anew(
    alice: Visitor, htmx: bool
) -> None:
    page = alice.get("/").choosing(mark="alternate")
    page = alice.press(page, page.cell(4), htmx=htmx)
    page = alice.press(page, "Undo", htmx=htmx)
    page = alice.press(page, page.cell(0), htmx=htmx)
    assert page.status == 200
    assert page.cell(0).mark == "X"


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("mark", ["x", "alternate"])
@pytest.mark.parametrize("meanwhile", [("hard", "o"), ("friend", "x"), ("hard", "alternate")])
def test_an_untouched_game_can_be_played_after_another_was_begun_in_a_second_tab(
    alice: Visitor, mark: str, meanwhile: tuple[str, str], htmx: bool
) -> None:
    page = alice.act("undo", alice.start("easy", mark, cell=4))
    alice.start(*meanwhile)
    page = alice.get(page.address)
    if page.playable:
        page = alice.press(page, page.cell(0), htmx=htmx)
        assert page.status == 200
        assert page.cell(0).mark == "X"
    else:
        page = alice.press(page, "Let the computer begin", htmx=htmx)
        assert page.board.count("X") == 1


def test_the_controls_of_an_untouched_game_agree_with_it(alice: Visitor) -> None:
    page = alice.act("again", alice.start("easy", "x", cell=4))
    alice.start("hard", "o")
    page = alice.get(page.address)
    assert page.opponent == page.score_against.lower()
    assert (page.mark == "o") is (page.playable == [])
