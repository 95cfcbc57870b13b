"""``GET /games/<id>``: a game, to its player and to those who watch."""

import pytest

from tests.support.page import Page
from tests.support.rules import NAMES
from tests.support.visitor import Site, Visitor


def played(visitor: Visitor, *cells: int) -> Page:
    page = visitor.start("friend", "x", cell=cells[0])
    for cell in cells[1:]:
        page = visitor.move(page, cell)
    return page


@pytest.mark.parametrize("cell", range(9))
def test_every_cell_has_its_name_and_keeps_its_id(alice: Visitor, cell: int) -> None:
    name, other = NAMES[cell].capitalize(), (cell + 1) % 9
    assert played(alice, other).cell(cell).label == f"{name}, empty"
    assert played(alice, other, cell).cell(cell).label == f"{name}, O"
    taken = played(alice, cell).cell(cell)
    assert (taken.label, taken.element.tag) == (f"{name}, X", "button")
    assert (taken.element.get("type"), taken.element.get("aria-disabled")) == ("button", "true")
    assert not taken.element.has("disabled")


def test_looking_changes_nothing_and_a_reload_shows_the_same_game(
    site: Site, alice: Visitor, bob: Visitor
) -> None:
    page = alice.act("hint", alice.start("hard", "x", cell=4))
    before = site.dump()
    for fragment in (False, True):
        bob.get(page.address, fragment=fragment)
        again = alice.get(page.address, fragment=fragment)
        for name in ("board", "version", "hinted", "moves", "sentence", "score"):
            assert getattr(again, name) == getattr(page, name)
    assert site.dump() == before


def test_the_list_keeps_what_every_move_did(alice: Visitor) -> None:
    page = played(alice, 0, 4, 8, 6, 2, 1, 5)
    assert page.moves == [
        "1 X top left",
        "2 O centre",
        "3 X bottom right",
        "4 O bottom left · threatens the diagonal",
        "5 X top right · blocks the diagonal, a fork",
        "6 O top centre · blocks the top row, threatens the middle column",
        "7 X middle right · wins",
    ]
    assert (page.outcome, page.playable) == ("x", [])
    winning = [cell.number for cell in page.cells if cell.label.endswith(", winning line")]
    assert winning == [2, 5, 8]


def test_the_list_keeps_why_the_engine_moved(alice: Visitor) -> None:
    page = alice.start("medium", "x", cell=0)
    while page.outcome == "" and len(page.moves) < 4:
        # Threaten early: the second mark goes beside the first.
        page = alice.move(page, next(cell for cell in (1, 2, 3, 6, 4, 8) if cell in page.playable))
    assert page.moves[1].endswith(" · a random free cell")
    assert page.moves[3].split(" · ")[1].startswith(("blocks the ", "wins", "a random free cell"))


# --- watching ---------------------------------------------------------------------------------


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
    assert seen.sentence.startswith("O took the ")
    assert "you" not in f"{seen.heading} {seen.sentence}".lower().split()
    assert seen.links["Play a game of your own"] == "/"


def test_a_watcher_of_an_undone_game_is_told_so(alice: Visitor, bob: Visitor) -> None:
    page = alice.act("undo", alice.start("medium", "x", cell=4))
    assert bob.get(page.address).sentence == "Nobody has moved yet."


def polled(page: Page) -> str | None:
    """The address that a page asks again and again by itself."""
    every = page.game.get("hx-trigger").startswith("every ")
    return page.game.get("hx-get") if every else None


def test_a_watcher_sees_every_move_without_asking(site: Site, alice: Visitor, bob: Visitor) -> None:
    page = alice.start("friend", "x", cell=0)
    assert polled(page) is None, "a player does not poll"
    seen = bob.get(page.address)
    for cell in (3, 1, 4, 2):
        before = site.dump()
        nothing = bob.get(polled(seen) or "", fragment=True)
        assert (nothing.status, nothing.response.data) == (204, b"")
        assert nothing.headers["Cache-Control"] == "no-store"
        assert site.dump() == before
        page = alice.move(page, cell)
        seen = bob.get(polled(seen) or "", fragment=True, onto=seen)
        assert (seen.status, seen.board, seen.version) == (200, page.board, page.version)
        assert seen.watching
    assert (seen.outcome, seen.heading, polled(seen)) == ("x", "X wins: top row", None)


@pytest.mark.parametrize(
    "since,status",
    [
        *((number, 200) for number in ("0", "2", "9" * 30, "9" * 5000)),
        *((other, 422) for other in ("", "x", "-1", "٣", "1.0", "1&since=1")),
    ],
)
def test_whatever_else_a_page_says_that_it_shows_the_board_is_the_answer(
    alice: Visitor, bob: Visitor, since: str, status: int
) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(f"{page.address}?since={since}", fragment=True)
    assert (seen.status, seen.board, bool(seen.refusal)) == (status, page.board, status == 422)


# --- no such game -----------------------------------------------------------------------------


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "address",
    [
        "/games/AAAAAAAAAAAAAAAAAAAAAA",
        "/games/%00",
        "/games/%FF%FE",
        "/games/٣",
        "/games/" + "a" * 5000,
        "/games/..%2f..%2fetc",
        "/games/'%20OR%20''='",
        "/games/<script>alert(1)</script>",
        "/games/x/moves/y",
        "/nothing",
        "/static/nothing.css",
        "/static/../pyproject.toml",
    ],
)
def test_where_there_is_no_game_there_is_a_friendly_page(
    alice: Visitor, address: str, fragment: bool
) -> None:
    page = alice.get(address, fragment=fragment)
    assert (page.status, page.has_board) == (404, False)
    assert "/" in page.links.values()
    assert "alert(1)" not in page.text


def test_the_id_of_a_game_is_exact(alice: Visitor) -> None:
    address = alice.start("friend", "x", cell=4).address
    name = address.removeprefix("/games/")
    for other in (name.swapcase(), f"{name}a", name[:-1], f"{name} "):
        assert alice.get(f"/games/{other}").status == 404
