"""``POST /games`` and ``POST /games/<id>/again``: where a game begins, settings are kept."""

import re

import pytest

from tests.support.page import Page
from tests.support.people import played_out
from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("htmx", [False, True])
LEVELS = pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
GAME = re.compile(r"/games/[\w-]{22}")
HARD_O = {"opponent": "hard", "mark": "o"}


def settings(visitor: Visitor) -> tuple[str, str]:
    """What the next game of this visitor would be."""
    page = visitor.get("/")
    return page.opponent, page.mark


def games_in(site: Site) -> int:
    return len(site.dump()["games"])


# --- starting -----------------------------------------------------------------------------------


@LEVELS
@pytest.mark.parametrize("cell", range(9))
def test_the_first_click_is_played_and_answered(alice: Visitor, opponent: str, cell: int) -> None:
    answer = alice.post("/games", {"opponent": opponent, "mark": "x", "cell": cell})
    assert GAME.fullmatch(answer.headers["Location"])
    page = alice.follow(answer)
    assert (page.version, page.cell(cell).mark, page.heading) == (1, "X", "Your turn")
    assert (page.board.count("X"), page.board.count("O")) == (1, 1)
    assert (page.opponent, page.mark, page.score_against) == (opponent, "x", opponent.capitalize())


@LEVELS
def test_the_engine_opens_where_it_has_x_and_no_cell_is_played_for_it(
    site: Site, alice: Visitor, opponent: str
) -> None:
    before = site.dump()
    refused = alice.post("/games", {"opponent": opponent, "mark": "o", "cell": "4"})
    assert (refused.status, refused.board, refused.version) == (422, EMPTY, 0)
    assert refused.refusal == "The computer has X and goes first."
    assert refused.buttons == ["Let the computer begin"]
    assert site.dump() == before
    page = alice.press(refused, "Let the computer begin")
    assert (page.board.count("X"), page.board.count("O"), page.version) == (1, 0, 1)
    assert page.sentence.startswith("I took the ")


@BOTH_WAYS
@pytest.mark.parametrize("moves", [None, ""])
@pytest.mark.parametrize("opponent", ["easy", "friend"])
def test_without_a_first_move_no_game_is_stored_but_the_settings_are(
    site: Site, alice: Visitor, *, opponent: str, moves: str | None, htmx: bool
) -> None:
    front, before = alice.get("/"), games_in(site)
    fields = {
        "opponent": opponent,
        "mark": "x",
        "key": "k",
        **({} if moves is None else {"moves": ""}),
    }
    answer = alice.post("/games", fields, fragment=htmx, onto=front)
    assert (answer.status, answer.location) == (200 if htmx else 303, "/")
    page = answer if htmx else alice.follow(answer)
    assert (page.board, page.version, page.playable) == (EMPTY, 0, list(range(9)))
    assert settings(alice) == (opponent, "x")
    assert games_in(site) == before


def test_alternate_begins_with_x_and_takes_turns_against_engines_only(alice: Visitor) -> None:
    def opened_by_me() -> bool:
        empty = alice.start("easy", "alternate").version == 0
        if empty:  # with nothing played, nothing alternates
            alice.start("easy", "alternate", cell=4)
        return empty

    assert [opened_by_me() for _ in range(4)] == [True, False, True, False]
    alice.start("friend", "x", cell=4)
    assert opened_by_me()
    alice.start("easy", "x", cell=4)
    assert not opened_by_me()


# --- the key --------------------------------------------------------------------------------------


@BOTH_WAYS
def test_the_same_key_of_the_same_player_leads_to_the_same_game(
    site: Site, alice: Visitor, bob: Visitor, htmx: bool
) -> None:
    fields = {"opponent": "medium", "mark": "x", "cell": "4", "key": f"key {htmx}"}
    front = alice.get("/")
    first = alice.post("/games", fields, fragment=htmx, onto=front)
    stored = site.dump()
    again = alice.post("/games", {**fields, "cell": "0"}, fragment=htmx, onto=front)
    assert (again.location, site.dump()) == (first.location, stored)
    others = [
        bob.start(**fields),
        *(alice.start(**{**fields, "key": key}) for key in ("", "", "l")),
    ]
    assert len({first.location, *(page.address for page in others)}) == 5
    page = alice.get(first.location)
    page = alice.move(page, page.playable[0])
    assert alice.start(**fields).board == page.board, "the game as it stands by now"


@pytest.mark.parametrize("key", ["'; DROP TABLE games; --", "ü٣\x00", "k" * 3000, "<b>", " "])
def test_a_key_may_be_anything(alice: Visitor, key: str) -> None:
    alice.get("/")
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "key": key}
    first, second = (alice.post("/games", fields) for _ in range(2))
    assert (first.status, first.location) == (303, second.location)


@BOTH_WAYS
def test_a_double_click_or_back_and_another_click_make_one_game(
    site: Site, alice: Visitor, htmx: bool
) -> None:
    page, before = alice.get("/"), games_in(site)
    once, twice = (alice.press(page, page.cell(cell), htmx=htmx) for cell in (4, 0))
    assert once.address == twice.address
    assert games_in(site) == before + 1


# --- the next game --------------------------------------------------------------------------------


def begun(visitor: Visitor, which: str) -> Page:
    """A game that can be followed by another."""
    page = visitor.start("friend" if which == "friends" else "hard", "x", cell=1)
    if which == "finished":
        return played_out(visitor, page=page)
    if which == "forfeited":
        page = visitor.move(page, page.playable[0])
    return visitor.act("undo", page) if which == "undone" else page


@BOTH_WAYS
@pytest.mark.parametrize(
    "which,outcome,heading",
    [
        ("finished", None, None),
        ("early", "left", "You left this game"),
        ("forfeited", "o", "Hard wins: you left"),
        ("undone", "left", "You left this game"),
        ("friends", "left", "You left this game"),
    ],
)
def test_again_ends_a_game_once_and_for_good_and_leads_to_the_empty_board(
    site: Site, alice: Visitor, *, which: str, outcome: str | None, heading: str | None, htmx: bool
) -> None:
    page = begun(alice, which)
    before = site.dump()["games"]
    button = next(name for name in page.buttons if name.startswith(("New game", "Play again")))
    assert ("lost" in button) is (which == "forfeited")
    front = alice.press(page.choosing("easy", "x"), button, htmx=htmx)
    assert (front.board, front.version, front.heading) == (EMPTY, 0, "Your turn")
    if htmx:
        assert front.headers["HX-Push-Url"] == "/"
    assert settings(alice) == ("easy", "x")
    left = alice.get(page.address)
    assert (left.board, left.outcome) == (page.board, outcome or page.outcome)
    assert left.version == page.version + (which != "finished")
    assert heading in (None, left.heading)
    assert left.buttons == ["Play again"]
    assert sum(left.score or ()) == (which in ("finished", "forfeited"))
    assert alice.try_to("moves", left, {"cell": 8}).status == 409
    assert alice.post(f"{page.address}/again").location == "/"
    assert alice.get(page.address).version == left.version
    assert len(site.dump()["games"]) == len(before)


@BOTH_WAYS
def test_where_the_engine_has_x_the_next_game_is_the_same_one_each_time(
    site: Site, alice: Visitor, htmx: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    first = alice.press(page.choosing("hard", "o"), "New game", htmx=htmx)
    assert (first.board.count("X"), first.score_against, first.version) == (1, "Hard", 1)
    assert GAME.fullmatch(first.address)
    assert first.address != page.address
    stored = site.dump()
    second = alice.press(page.choosing("friend", "x"), "New game", htmx=htmx)
    assert (second.address, second.board) == (first.address, first.board)
    assert site.dump() == stored
    assert settings(alice) == ("hard", "o")


# --- where settings are not read ------------------------------------------------------------------


@BOTH_WAYS
@pytest.mark.parametrize("sent", [HARD_O, {"opponent": "nobody", "mark": "X"}])
@pytest.mark.parametrize("what", ["moves", "undo", "hint"])
def test_a_game_in_progress_neither_reads_settings_nor_changes_them(
    site: Site, alice: Visitor, *, what: str, sent: dict[str, str], htmx: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    known = site.dump()["players"]
    fields = {**sent, **({"cell": page.playable[0]} if what == "moves" else {})}
    answer = alice.try_to(what, page, fields, fragment=htmx)
    assert answer.status == (200 if htmx else 303)
    seen = alice.get(page.address, query_string=sent)
    assert (seen.status, seen.score_against, seen.version) == (200, "Easy", 2)
    assert site.dump()["players"] == known


@BOTH_WAYS
def test_undone_to_the_start_a_game_keeps_its_opponent_and_marks(
    alice: Visitor, htmx: bool
) -> None:
    page = alice.start("easy", "alternate", cell=4)
    alice.start("friend", "x", cell=4)
    page = alice.press(page, "Undo", htmx=htmx)
    assert (page.board, page.playable, page.score_against) == (EMPTY, list(range(9)), "Easy")
    changed = alice.choose(page, "hard", "o")
    assert changed.response is page.response, "the controls are for the next game"
    page = alice.press(changed, changed.cell(0), htmx=htmx)
    assert (page.cell(0).mark, page.score_against) == ("X", "Easy")
    assert settings(alice) == ("friend", "x")
