"""``POST /games`` with ``moves``: a game begun from a position."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Fields, Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
NOT_COUNTED = "Begun from a position, this game does not count."


def positions(number: int, seed: str) -> Iterator[tuple[int, ...]]:
    """Beginnings of games, of every length from 1 to 8 in turn."""
    rng, length = random.Random(seed), 0
    while number:
        moves: tuple[int, ...] = ()
        while len(moves) <= length and not rules.outcome(rules.after(moves)):
            moves = (*moves, rng.choice(rules.free(rules.after(moves))))
        if not rules.outcome(rules.after(moves)):
            yield moves
            number, length = number - 1, (length + 1) % 8


def text(moves: tuple[int, ...]) -> str:
    return "".join(map(str, moves))


def begin(visitor: Visitor, moves: tuple[int, ...], **fields: object) -> Page:
    """Begin a game from a position."""
    return visitor.follow(visitor.post("/games", {"moves": text(moves), **fields}))


def row(site: Site, page: Page) -> dict[str, Any]:
    return site.stored(page.address.removeprefix("/games/"))


def turn(moves: tuple[int, ...]) -> str:
    return rules.to_move(rules.after(moves)).lower()


# --- beginning ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard", "minimax", "rules:win,block"])
def test_the_position_is_on_the_board_and_the_engine_answers_where_it_is_its_turn(
    site: Site, alice: Visitor, opponent: str, mark: str
) -> None:
    for moves in positions(16, f"{opponent} {mark}"):
        page, board = begin(alice, moves, opponent=opponent, mark=mark), rules.after(moves)
        stored = row(site, page)
        assert (stored["given"], stored["helped"], stored["version"]) == (len(moves), 1, 1)
        assert stored["opponent"] == opponent
        assert stored["moves"].startswith(text(moves))
        if turn(moves) == mark:
            assert page.board == board
            assert page.sentence == "Play on from here."
        else:
            assert page.board in [rules.put(board, cell) for cell in rules.free(board)]
            assert page.sentence.startswith("I took the ") or page.outcome == "draw"
        assert page.outcome == rules.outcome(page.board)
        assert page.playable == ([] if page.outcome else rules.free(page.board))
        assert page.score_against == ("Rule list" if "rules" in opponent else opponent.capitalize())
        assert page.heading == "Your turn" or page.outcome


def test_without_a_wish_it_is_against_medium_with_the_mark_to_move(alice: Visitor) -> None:
    alice.start("hard", "o")
    for moves in positions(16, "no wish"):
        page = begin(alice, moves)
        assert page.score_against == "Medium"
        assert page.board == rules.after(moves)
        assert page.playable == rules.free(page.board)


def test_whoever_alternates_gets_the_mark_that_is_next(alice: Visitor) -> None:
    alice.start("easy", "x", cell=4)
    assert begin(alice, (4,), mark="alternate").board == "....X...."
    assert begin(alice, (4, 0), mark="alternate").board.count("X") == 2


@pytest.mark.parametrize("mark", ["x", "o", "alternate"])
def test_two_friends_can_begin_from_a_position(site: Site, alice: Visitor, mark: str) -> None:
    page = begin(alice, (4, 0, 8), opponent="friend", mark=mark)
    assert (page.board, page.heading, page.score) == ("O...X...X", "O to move", None)
    assert NOT_COUNTED not in page.document.text
    for cell in (2, 1, 7):
        page = alice.move(page, cell)
    assert page.board == "OXO.X..OX"
    assert row(site, page)["given"] == 3


def test_a_cell_that_comes_along_is_played_from_there(site: Site, alice: Visitor) -> None:
    page = begin(alice, (4, 0), cell=8, opponent="hard", mark="x")
    assert (page.cell(8).mark, page.board.count("O")) == ("X", 2)
    assert (row(site, page)["given"], page.version) == (2, 1)
    page = alice.act("undo", page)
    assert page.board == "O...X...."


def test_the_moves_before_it_are_listed_as_moves_of_nobody(alice: Visitor) -> None:
    page = begin(alice, (0, 3, 1), opponent="hard", mark="o")
    assert page.moves == [
        "1 X top left",
        "2 O middle left",
        "3 X top centre · threatens the top row",
    ]
    assert not any(cell.element.has("data-new") for cell in page.cells)


def test_a_watcher_sees_it(alice: Visitor, bob: Visitor) -> None:
    for moves in positions(8, "watched"):
        page = begin(alice, moves, opponent="hard")
        seen = bob.get(page.address)
        assert seen.watching
        assert (seen.board, seen.moves) == (page.board, page.moves)
        assert seen.heading == f"{turn(moves).upper()} to move"
        assert seen.sentence.startswith(f"{rules.other(turn(moves).upper())} took the ")
        assert NOT_COUNTED not in seen.document.text


# --- the key ------------------------------------------------------------------------------------


@BOTH_WAYS
def test_the_same_key_leads_to_the_same_game(site: Site, alice: Visitor, fragment: bool) -> None:
    fields = {"moves": "40", "opponent": "hard", "mark": "x", "key": f"position {fragment}"}
    alice.get("/")
    first = alice.post("/games", fields, fragment=fragment)
    stored = site.dump()
    second = alice.post("/games", fields, fragment=fragment)
    assert first.location == second.location
    assert site.dump() == stored


def test_without_a_key_each_begins_another(alice: Visitor, bob: Visitor) -> None:
    pages = [begin(who, (4, 0), **key) for who in (alice, bob) for key in ({}, {"key": "k"})]
    assert len({page.address for page in pages}) == 4


# --- playing on ---------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["hard", "friend"])
@pytest.mark.parametrize("mark", ["x", "o"])
def test_an_undo_goes_back_to_the_start_and_no_further(
    site: Site, alice: Visitor, opponent: str, mark: str
) -> None:
    for moves in positions(12, f"undo {opponent} {mark}"):
        start = page = begin(alice, moves, opponent=opponent, mark=mark)
        before = site.dump()
        refused = alice.try_to("undo", start)
        assert (refused.status, refused.board) == (409, start.board)
        assert site.dump() == before
        while page.playable and len(page.moves) < 7:
            page = alice.move(page, page.playable[0])
        while "Undo" in page.buttons:
            page = alice.act("undo", page)
        assert page.outcome or (page.board, page.moves) == (start.board, start.moves)


def test_a_hint_suggests_one_of_the_best_cells(alice: Visitor) -> None:
    for moves in positions(16, "hint"):
        page = alice.act("hint", begin(alice, moves, opponent="hard"))
        (cell,) = page.hinted
        value, plies = rules.value(page.board)
        theirs, left = rules.value(rules.put(page.board, cell))
        assert (-theirs, left + 1) == (value, plies)
        assert NOT_COUNTED in page.document.text


@pytest.mark.parametrize(
    "moves,cells,outcome",
    [
        ((0, 3, 1, 4), (2,), "x"),
        ((0, 3, 1, 4, 8), (), "o"),
        ((0, 4, 8, 1, 7, 6, 2, 5), (3,), "draw"),
    ],
)
def test_however_it_ends_it_counts_in_no_score(
    alice: Visitor, moves: tuple[int, ...], cells: tuple[int, ...], outcome: str
) -> None:
    page = begin(alice, moves, opponent="hard", mark="x")
    for cell in cells:
        assert NOT_COUNTED in page.document.text
        page = alice.move(page, cell)
    assert page.outcome == outcome
    assert (page.score_against, page.score) == ("Hard", (0, 0, 0))
    assert NOT_COUNTED in page.document.text
    following = alice.act("again", page, opponent="hard")
    assert NOT_COUNTED not in following.document.text
    assert following.score == (0, 0, 0)


def test_the_next_game_counts_again(alice: Visitor) -> None:
    page = begin(alice, (0, 3, 1, 4), cell=2, opponent="hard", mark="x")
    page = alice.act("again", page, opponent="hard", mark="x")
    while not page.outcome:
        page = alice.move(page, page.playable[0])
    assert sum(page.score or ()) == 1


def test_it_waits_to_be_continued_like_any_other(alice: Visitor) -> None:
    page = begin(alice, (4, 0), opponent="minimax")
    assert alice.get("/").links["Continue your game against Minimax"] == page.address


# --- what is remembered -------------------------------------------------------------------------


@pytest.mark.parametrize("preferred", [None, ("easy", "x"), ("easy", "alternate"), ("friend", "o")])
def test_what_one_prefers_stays_as_it_was(
    site: Site, alice: Visitor, preferred: tuple[str, str] | None
) -> None:
    if preferred:
        page = alice.start(*preferred)
        alice.move(page, page.playable[0])
    known, front = site.dump()["players"], alice.get("/")
    for mark in ("x", "o", "alternate"):
        page = begin(alice, (4, 0, 8), opponent="hard", mark=mark)
        # As a browser does, with the controls beside the board in every form.
        assert (page.opponent, page.mark) == (front.opponent, front.mark)
        page = alice.press(page, page.cell(page.playable[0]))
        if not page.outcome:
            page = alice.press(alice.press(page, "Hint"), "Undo")
        assert site.dump()["players"] == known
    again = alice.get("/")
    assert (again.opponent, again.mark, again.board) == (front.opponent, front.mark, rules.EMPTY)


def test_alternate_goes_on_where_it_was(alice: Visitor) -> None:
    alice.start("easy", "alternate", cell=4)
    begin(alice, (4,), opponent="easy", mark="o")
    assert alice.start("easy", "alternate").board.count("X") == 1


def test_no_moves_are_an_ordinary_game(site: Site, alice: Visitor) -> None:
    alice.start("hard", "o")
    page = alice.start("easy", "x", moves="", cell=4)
    stored = row(site, page)
    assert (stored["given"], stored["helped"]) == (0, 0)
    assert (alice.get("/").opponent, alice.get("/").mark) == ("easy", "x")
    while not page.outcome:
        page = alice.move(page, page.playable[0])
    assert sum(page.score or ()) == 1


# --- refused ------------------------------------------------------------------------------------

GOOD = {"moves": "40", "opponent": "easy", "mark": "x"}
REFUSED: list[tuple[Fields, int, str]] = [
    ({"moves": "44"}, 422, "A game cannot begin so: Cell 4 already holds X."),
    ({"moves": "031425"}, 422, "A game cannot begin so: The game is over."),
    ({"moves": "03142"}, 422, "A game cannot begin where it is over."),
    ({"moves": "402658137"}, 422, ""),
    ({"moves": "0" * 3000}, 422, "A game cannot begin so: Cell 0 already holds X."),
    *(({"moves": bad}, 422, "cells played, 0 to 8") for bad in ("9", "x", "4 0", "4,0", "-1")),
    *(({"moves": bad}, 422, "cells played, 0 to 8") for bad in ("٤", "４", "²", "\x00", "4\n")),
    ([("moves", "4"), ("moves", "4")], 422, "cells played, 0 to 8"),
    ([("moves", ""), ("moves", "4")], 422, "cells played, 0 to 8"),
    ({"moves": ""}, 422, "A new game needs to know its opponent."),
    ({"moves": "", "opponent": "easy"}, 422, "A new game needs to know its mark."),
    ({**GOOD, "opponent": "nobody"}, 422, "There is no such opponent here"),
    ({**GOOD, "mark": "X"}, 422, "There is no such mark here"),
    ({**GOOD, "cell": "9"}, 422, "There is no such cell here"),
    ({**GOOD, "cell": "4"}, 409, "That cell is taken"),
]


@BOTH_WAYS
@pytest.mark.parametrize("fields,status,why", REFUSED)
def test_a_position_that_nobody_can_play_on_from_is_refused(
    site: Site, alice: Visitor, *, fields: Fields, status: int, why: str, fragment: bool
) -> None:
    alice.get("/")
    before = site.dump()
    page = alice.post("/games", fields, fragment=fragment)
    assert (page.status, page.is_fragment) == (status, fragment)
    assert why in page.refusal
    assert 0 < len(page.refusal.split()) <= 15
    assert (page.board, page.version) == (rules.EMPTY, 0)
    assert site.dump() == before


@pytest.mark.parametrize("moves,mark", [("4", "x"), ("40", "o")])
def test_a_cell_is_refused_where_it_is_the_engines_turn_and_that_is_said(
    site: Site, alice: Visitor, moves: str, mark: str
) -> None:
    before = site.dump()
    fields = {"moves": moves, "opponent": "easy", "mark": mark, "cell": "8"}
    page = alice.post("/games", fields)
    assert page.status == 422
    assert "goes first" not in page.refusal, "the game has begun already"
    assert site.dump() == before


# --- from a review ------------------------------------------------------------------------------


def press(visitor: Visitor, page: Page, name: str) -> Page:
    """Press a button of a page that is no game: what its form holds is all that is sent."""
    button = page.button(name)
    (form,) = [one for one in page.document.all("form") if button in one.all("button")]
    assert form.get("method") == "post"
    fields = {one.get("name"): one.get("value") for one in form.all("input")}
    return visitor.follow(visitor.post(form.get("action"), fields))


GAME = (4, 0, 2, 8, 1)


@pytest.mark.parametrize("mark", ["x", "o", None])
@pytest.mark.parametrize("opponent", ["hard", "rules:win,edge", "friend", None])
def test_one_can_try_again_from_every_position(
    site: Site, alice: Visitor, opponent: str | None, mark: str | None
) -> None:
    query = {"opponent": opponent, "mark": mark}
    for at in range(len(GAME) + 1):
        asked = {"at": at, **{name: value for name, value in query.items() if value}}
        review = alice.get(f"/review/{text(GAME)}", query_string=asked)
        page = press(alice, review, "Try again from here")
        board = rules.after(GAME[:at])
        if opponent != "friend" and mark and turn(GAME[:at]) != mark:
            assert page.board in [rules.put(board, cell) for cell in rules.free(board)]
        else:
            assert page.board == board
        stored = row(site, page)
        assert stored["given"] == at
        assert stored["opponent"] == (opponent or "medium")
        assert press(alice, review, "Try again from here").address == page.address


@pytest.mark.parametrize("query", [{}, {"opponent": "hard"}, {"opponent": "easy", "mark": "o"}])
def test_a_mistake_can_be_played_differently(
    site: Site, alice: Visitor, query: dict[str, str]
) -> None:
    review = alice.get("/review/40281", query_string={"at": 4, **query})
    page = press(alice, review, "Play this move differently")
    assert (page.board, page.heading) == (rules.after(GAME[:3]), "Your turn")
    assert row(site, page)["given"] == 3
    assert row(site, page)["opponent"] == query.get("opponent", "medium")
    page = alice.move(page, 6)
    assert page.board == "O.XXX.O.."  # the threat is blocked, and so is the one that follows
    assert press(alice, review, "Play this move differently").address == page.address


def test_both_forms_of_a_page_begin_games_of_their_own(alice: Visitor) -> None:
    review = alice.get("/review/40281?at=4")
    names = ("Play this move differently", "Try again from here")
    pages = [press(alice, review, name) for name in names]
    assert pages[0].address != pages[1].address
    assert [page.board for page in pages] == [rules.after(GAME[:3]), rules.after(GAME[:4])]
