"""``POST /games``: starting a game."""

import re

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])


def games_in(site: Site) -> int:
    return len(site.dump()["games"])


def test_starting_leads_to_the_game(alice: Visitor) -> None:
    answer = alice.post("/games", {"opponent": "medium", "mark": "x", "cell": "4"})
    assert answer.status == 303
    assert re.fullmatch(r"/games/[\w-]+", answer.headers["Location"])
    page = alice.follow(answer)
    assert page.cell(4).mark == "X"
    assert page.board.count("O") == 1


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
@pytest.mark.parametrize("cell", range(9))
def test_the_first_click_is_played_and_answered(alice: Visitor, opponent: str, cell: int) -> None:
    page = alice.start(opponent, "x", cell=cell)
    assert page.version == 1
    assert page.cell(cell).mark == "X"
    assert (page.board.count("X"), page.board.count("O")) == (1, 1)
    assert page.heading == "Your turn"


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_without_a_cell_the_board_is_empty_and_the_players(alice: Visitor, opponent: str) -> None:
    page = alice.start(opponent, "x")
    assert (page.board, page.version, page.heading) == (EMPTY, 1, "Your turn")
    assert page.playable == list(range(9))


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_the_engine_opens_where_it_has_x(alice: Visitor, opponent: str) -> None:
    page = alice.start(opponent, "o")
    assert (page.board.count("X"), page.board.count("O")) == (1, 0)
    assert len(page.playable) == 8
    assert page.version == 1
    assert page.sentence.startswith("I took the ")


@BOTH_WAYS
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_a_cell_is_refused_where_the_engine_has_x(
    site: Site, alice: Visitor, opponent: str, fragment: bool
) -> None:
    before = site.dump()
    page = alice.post("/games", {"opponent": opponent, "mark": "o", "cell": "4"}, fragment=fragment)
    assert page.status == 422
    assert (page.board, page.version) == (EMPTY, 0)
    assert page.refusal
    assert page.buttons == ["Let the computer begin"]
    assert site.dump() == before


@pytest.mark.parametrize("mark", ["x", "o", "alternate"])
def test_a_friend_plays_both_marks_with_the_player(alice: Visitor, mark: str) -> None:
    page = alice.start("friend", mark, cell=0)
    assert page.board == "X........"
    assert page.heading == "O to move"
    assert page.score is None
    page = alice.move(page, 8)
    assert page.board == "X.......O"
    assert page.heading == "X to move"


def test_alternate_begins_with_x_and_then_takes_turns(alice: Visitor) -> None:
    opened_by_the_player = []
    for _ in range(5):
        page = alice.start("easy", "alternate")
        opened_by_the_player.append(page.board == EMPTY)
        page = alice.move(page, page.playable[0])
    assert opened_by_the_player == [True, False, True, False, True]


def test_alternate_is_the_opposite_of_the_last_mark(alice: Visitor) -> None:
    alice.start("easy", "o")
    assert alice.start("easy", "alternate").board == EMPTY
    alice.start("easy", "x", cell=4)
    assert alice.start("easy", "alternate").board != EMPTY


def test_a_game_with_a_friend_does_not_turn_alternate_round(alice: Visitor) -> None:
    alice.start("easy", "o")
    alice.start("friend", "x", cell=4)
    assert alice.start("easy", "alternate").board == EMPTY


# --- the key ----------------------------------------------------------------------------------


def with_key(key: str, **fields: str) -> dict[str, str]:
    return {"opponent": "medium", "mark": "x", "cell": "4", "key": key, **fields}


@BOTH_WAYS
def test_the_same_key_leads_to_the_same_game(site: Site, alice: Visitor, fragment: bool) -> None:
    before = games_in(site)
    alice.get("/")
    first = alice.post("/games", with_key("k"), fragment=fragment)
    stored = site.dump()
    second = alice.post("/games", with_key("k"), fragment=fragment)
    assert first.location == second.location
    assert games_in(site) == before + 1
    assert site.dump() == stored


def test_the_same_key_shows_the_game_as_it_stands_by_now(alice: Visitor) -> None:
    page = alice.start(**with_key("k"))
    page = alice.move(page, page.playable[0])
    again = alice.follow(alice.post("/games", with_key("k", cell="0")))
    assert (again.board, again.version) == (page.board, page.version)


def test_the_same_key_of_another_player_makes_another_game(alice: Visitor, bob: Visitor) -> None:
    first = alice.start(**with_key("k"))
    second = bob.start(**with_key("k"))
    assert first.address != second.address
    assert not second.watching


def test_another_key_or_none_makes_another_game(alice: Visitor) -> None:
    games = [
        alice.post("/games", {"opponent": "easy", "mark": "x", "cell": "4", **key}).location
        for key in ({"key": "a"}, {"key": "b"}, {}, {}, {"key": ""}, {"key": ""})
    ]
    assert len(set(games)) == 6


@pytest.mark.parametrize("key", ["'; DROP TABLE games; --", "ü٣\x00", "k" * 3000, "<b>", " "])
def test_a_key_may_be_anything(alice: Visitor, key: str) -> None:
    alice.get("/")
    first, second = (alice.post("/games", with_key(key)) for _ in range(2))
    assert first.status == second.status == 303
    assert first.location == second.location


def test_the_key_of_a_page_makes_a_double_click_one_game(site: Site, alice: Visitor) -> None:
    page = alice.get("/")
    before = games_in(site)
    once, twice = (alice.press(page, page.cell(4)) for _ in range(2))
    assert once.address == twice.address
    assert games_in(site) == before + 1


# --- fields -----------------------------------------------------------------------------------


@BOTH_WAYS
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"opponent": "easy"},
        {"mark": "x"},
        {"opponent": "", "mark": "x"},
        {"opponent": "easy", "mark": ""},
        {"opponent": "Easy", "mark": "x"},
        {"opponent": "easy", "mark": "X"},
        {"opponent": "nobody", "mark": "x"},
        {"opponent": "perfect ", "mark": "x"},
        {"opponent": "easy", "mark": "both"},
        {"opponent": "easy", "mark": "x", "cell": ""},
        {"opponent": "easy", "mark": "x", "cell": "9"},
    ],
)
def test_a_missing_or_unknown_field_is_refused_with_the_empty_board(
    site: Site, alice: Visitor, fields: dict[str, str], fragment: bool
) -> None:
    before = site.dump()
    page = alice.post("/games", fields, fragment=fragment)
    assert page.status == 422
    assert page.is_fragment is fragment
    assert (page.board, page.version) == (EMPTY, 0)
    assert page.refusal
    assert site.dump() == before


def test_after_a_refusal_the_board_can_be_played(alice: Visitor) -> None:
    page: Page = alice.post("/games", {"opponent": "easy", "mark": "x", "cell": "9"})
    page = alice.press(page, page.cell(4))
    assert page.cell(4).mark == "X"
    assert page.score_against == "Easy"
