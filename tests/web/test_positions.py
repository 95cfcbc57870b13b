"""``POST /games`` with ``moves``: a game begun from a position."""

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Fields, Site, Visitor

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
NOT_COUNTED = "Not counted: it began from a position."


def after(moves: str) -> str:
    return rules.after(map(int, moves))


@pytest.mark.parametrize("opponent", ["hard", "friend", None])
@pytest.mark.parametrize("moves", ["4", "40", "031", "04817625"])
def test_a_position_stands_for_good_and_is_played_on_from(
    site: Site, alice: Visitor, bob: Visitor, moves: str, opponent: str | None
) -> None:
    fields = {"moves": moves, **({"opponent": opponent} if opponent else {})}
    page = alice.follow(alice.post("/games", fields))
    stored = site.stored(page.address)
    engine = None if opponent == "friend" else opponent or "medium"
    assert (stored["given"], stored["engine"]) == (len(moves), engine)
    assert (page.board, page.playable) == (after(moves), rules.free(after(moves)))
    assert page.sentence == "Play on from here."
    assert not any(cell.element.has("data-new") for cell in page.cells)
    assert (NOT_COUNTED in page.document.text) is (opponent != "friend")
    seen = bob.get(page.address)
    assert (seen.watching, seen.board, seen.moves) == (True, page.board, page.moves)
    assert NOT_COUNTED not in seen.document.text
    refused = alice.try_to("undo", page)
    assert (refused.status, refused.board) == (409, page.board)


# --- refused ------------------------------------------------------------------------------------

GOOD = {"moves": "40", "opponent": "easy", "mark": "x"}
NO_CELLS = "Write a game's moves as the cells played, 0 to 8, such as 402."
CANNOT = "A game cannot start with these moves. "
REFUSED: list[tuple[Fields, int, str]] = [
    ({"moves": "44"}, 422, f"{CANNOT}Cell 4 already holds X."),
    ({"moves": "031425"}, 422, f"{CANNOT}The game is over."),
    ({"moves": "03142"}, 422, f"{CANNOT}The game is over after these moves."),
    ({"moves": "0" * 3000}, 422, f"{CANNOT}Cell 0 already holds X."),
    *(({"moves": bad}, 422, NO_CELLS) for bad in ("9", "x", "4 0", "-1", "٤", "²", "\x00", "4\n")),
    ([("moves", "4"), ("moves", "4")], 422, NO_CELLS),
    ({"moves": ""}, 422, "Choose an opponent for the new game."),
    ({"moves": "", "opponent": "easy"}, 422, "Choose a mark for the new game: X, O or Alternate."),
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


@pytest.mark.parametrize("query", [{}, {"opponent": "hard"}, {"opponent": "easy", "mark": "o"}])
def test_a_game_can_be_tried_again_from_every_position(
    alice: Visitor, query: dict[str, str]
) -> None:
    for at in range(len(GAME) + 1):
        review = alice.get(f"/review/{GAME}", query_string={"at": at, **query})
        page, board = press(alice, review, "Try again from here"), after(GAME[:at])
        if query.get("mark", "x" if at % 2 == 0 else "o") == ("o" if at % 2 else "x"):
            assert page.board == board
        else:
            assert page.board in [rules.put(board, cell) for cell in rules.free(board)]
        assert page.score_against == query.get("opponent", "medium").capitalize()
        if at:
            assert press(alice, review, "Try again from here").address == page.address


def test_a_mistake_can_be_played_differently_in_a_game_of_its_own(alice: Visitor) -> None:
    review = alice.get(f"/review/{GAME}", query_string={"at": 4, "opponent": "hard"})
    page = press(alice, review, "Play this move differently")
    assert (page.board, page.heading) == (after(GAME[:3]), "Your turn")
    assert press(alice, review, "Try again from here").address != page.address
    page = alice.move(page, 6)
    assert page.board == "O.XXX.O.."  # the threat is blocked, and so is the one that follows
    assert press(alice, review, "Play this move differently").address == page.address
