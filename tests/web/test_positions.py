"""``POST /games`` with ``moves``: a game begun from a position."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.people import played_out
from tests.support.visitor import Fields, Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
NOT_COUNTED = "Begun from a position, this game does not count."


def positions(number: int, seed: str) -> Iterator[str]:
    """Beginnings of games, of every length from 1 to 8 in turn, as moves."""
    rng, length = random.Random(seed), 0
    while number:
        moves = ""
        while len(moves) <= length and not rules.outcome(after(moves)):
            moves += str(rng.choice(rules.free(after(moves))))
        if not rules.outcome(after(moves)):
            yield moves
            number, length = number - 1, (length + 1) % 8


def after(moves: str) -> str:
    return rules.after(map(int, moves))


def turn(moves: str) -> str:
    return rules.to_move(after(moves)).lower()


def begin(visitor: Visitor, moves: str, **fields: object) -> Page:
    """Begin a game from a position."""
    return visitor.follow(visitor.post("/games", {"moves": moves, **fields}))


def row(site: Site, page: Page) -> dict[str, Any]:
    return site.stored(page.address.removeprefix("/games/"))


# --- beginning, and playing on --------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "hard", "minimax", "rules:win,block", "friend"])
def test_the_position_stands_for_good_and_the_engine_answers_where_it_is_its_turn(
    site: Site, alice: Visitor, bob: Visitor, opponent: str, mark: str
) -> None:
    for moves in positions(16, f"{opponent} {mark}"):
        start = page = begin(alice, moves, opponent=opponent, mark=mark)
        board, stored = after(moves), row(site, page)
        assert (stored["given"], stored["helped"], stored["version"]) == (len(moves), 1, 1)
        assert (stored["opponent"], stored["moves"][: len(moves)]) == (opponent, moves)
        mine = opponent == "friend" or turn(moves) == mark
        assert page.board in ([board] if mine else [rules.put(board, n) for n in rules.free(board)])
        assert page.outcome == rules.outcome(page.board)
        assert page.playable == ([] if page.outcome else rules.free(page.board))
        if mine:
            assert page.sentence == "Play on from here."
            assert not any(cell.element.has("data-new") for cell in page.cells)
        assert (NOT_COUNTED in page.document.text) is (opponent != "friend")
        seen = bob.get(page.address)
        assert (seen.watching, seen.board, seen.moves) == (True, page.board, page.moves)
        assert NOT_COUNTED not in seen.document.text
        refused = alice.try_to("undo", page)
        assert (refused.status, refused.board) == (409, page.board)
        while page.playable and len(page.moves) < 7:
            page = alice.move(page, page.playable[0])
        while "Undo" in page.buttons:
            page = alice.act("undo", page)
        assert page.outcome or (page.board, page.moves) == (start.board, start.moves)


def test_unless_chosen_otherwise_it_is_against_medium_with_the_mark_to_move(
    alice: Visitor,
) -> None:
    alice.start("hard", "o")
    for moves in positions(16, "no wish"):
        page = begin(alice, moves)
        assert (page.score_against, page.board) == ("Medium", after(moves))
        assert page.playable == rules.free(page.board)


@pytest.mark.parametrize(
    "moves,cell,outcome", [("0314", 2, "x"), ("03148", None, "o"), ("04817625", 3, "draw")]
)
def test_however_it_ends_it_counts_in_no_score_but_the_next_game_does(
    alice: Visitor, moves: str, cell: int | None, outcome: str
) -> None:
    page = begin(alice, moves, opponent="hard", mark="x")
    if cell is not None:
        assert alice.get("/").links["Continue your game against Hard"] == page.address
        page = alice.move(page, cell)
    assert (page.outcome, page.score_against, page.score) == (outcome, "Hard", (0, 0, 0))
    assert NOT_COUNTED in page.document.text
    front = alice.act("again", page, opponent="hard", mark="x")
    assert NOT_COUNTED not in front.document.text
    assert sum(played_out(alice, "hard").score or ()) == 1


# --- refused ------------------------------------------------------------------------------------

GOOD = {"moves": "40", "opponent": "easy", "mark": "x"}
NO_CELLS = "The moves of a game are the cells played, 0 to 8, such as 402."
REFUSED: list[tuple[Fields, int, str]] = [
    ({"moves": "44"}, 422, "A game cannot begin so: Cell 4 already holds X."),
    ({"moves": "031425"}, 422, "A game cannot begin so: The game is over."),
    ({"moves": "03142"}, 422, "A game cannot begin so: The game is over there."),
    ({"moves": "402658137"}, 422, "A game cannot begin so: The game is over."),
    ({"moves": "0" * 3000}, 422, "A game cannot begin so: Cell 0 already holds X."),
    *(({"moves": bad}, 422, NO_CELLS) for bad in ("9", "x", "4 0", "-1", "٤", "²", "\x00", "4\n")),
    ([("moves", "4"), ("moves", "4")], 422, NO_CELLS),
    ({"moves": ""}, 422, "A new game needs to know its opponent."),
    ({"moves": "", "opponent": "easy"}, 422, "A new game needs to know its mark."),
    ({**GOOD, "opponent": "nobody"}, 422, "There is no such opponent here"),
    ({**GOOD, "mark": "X"}, 422, "There is no such mark here"),
    ({**GOOD, "cell": "9"}, 422, "There is no such cell here"),
    ({**GOOD, "cell": "4"}, 409, "That cell is taken"),
    ({**GOOD, "mark": "o", "cell": "8"}, 422, "It is the computer's turn."),
]


@BOTH_WAYS
@pytest.mark.parametrize("fields,status,why", REFUSED)
def test_a_position_that_nobody_can_play_on_from_is_refused(
    site: Site, alice: Visitor, *, fields: Fields, status: int, why: str, fragment: bool
) -> None:
    front, before = alice.get("/"), site.dump()
    page = alice.post("/games", fields, fragment=fragment, onto=front)
    assert (page.status, page.is_fragment) == (status, fragment)
    assert page.refusal.startswith(why)
    assert len(page.refusal.split()) <= 15
    assert (page.board, page.version) == (rules.EMPTY, 0)
    assert site.dump() == before


# --- from a review ------------------------------------------------------------------------------

GAME = "40281"


def press(visitor: Visitor, page: Page, name: str) -> Page:
    """Press a button of a page that is no game: what its form holds is all that is sent."""
    button = page.button(name)
    (form,) = [one for one in page.document.all("form") if button in one.all("button")]
    fields = {one.get("name"): one.get("value") for one in form.all("input")}
    return visitor.follow(visitor.post(form.get("action"), fields))


@pytest.mark.parametrize("mark", ["x", "o", None])
@pytest.mark.parametrize("opponent", ["hard", "rules:win,edge", "friend", None])
def test_a_game_can_be_tried_again_from_every_position(
    site: Site, alice: Visitor, opponent: str | None, mark: str | None
) -> None:
    query = {"opponent": opponent, "mark": mark}
    for at in range(len(GAME) + 1):
        asked = {"at": at, **{name: value for name, value in query.items() if value}}
        review = alice.get(f"/review/{GAME}", query_string=asked)
        page, board = press(alice, review, "Try again from here"), after(GAME[:at])
        engine_moves = opponent != "friend" and mark and turn(GAME[:at]) != mark
        if engine_moves:
            assert page.board in [rules.put(board, cell) for cell in rules.free(board)]
        else:
            assert page.board == board
        if at or engine_moves:
            stored = row(site, page)
            assert (stored["given"], stored["opponent"]) == (at, opponent or "medium")
            assert press(alice, review, "Try again from here").address == page.address
        else:
            assert (page.version, page.opponent) == (0, opponent or "medium")


@pytest.mark.parametrize("query", [{}, {"opponent": "hard"}, {"opponent": "easy", "mark": "o"}])
def test_a_mistake_can_be_played_differently_in_a_game_of_its_own(
    site: Site, alice: Visitor, query: dict[str, str]
) -> None:
    review = alice.get(f"/review/{GAME}", query_string={"at": 4, **query})
    page = press(alice, review, "Play this move differently")
    assert (page.board, page.heading) == (after(GAME[:3]), "Your turn")
    stored = row(site, page)
    assert (stored["given"], stored["opponent"]) == (3, query.get("opponent", "medium"))
    assert press(alice, review, "Try again from here").address != page.address
    page = alice.move(page, 6)
    assert page.board == "O.XXX.O.."  # the threat is blocked, and so is the one that follows
    assert press(alice, review, "Play this move differently").address == page.address
