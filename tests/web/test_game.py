"""``GET /games/<id>``: a game, to its player and to those who watch."""

import pytest

from tests.support.rules import NAMES
from tests.support.visitor import Site, Visitor


def test_every_cell_has_its_name_and_keeps_its_id(alice: Visitor) -> None:
    for cell, name in enumerate(NAMES):
        page = alice.start("friend", "x", cell=cell)
        empty, other = alice.start("friend", "x", cell=(cell + 1) % 9), name.capitalize()
        assert empty.cell(cell).label == f"{other}, empty"
        assert alice.move(empty, cell).cell(cell).label == f"{other}, O"
        taken = page.cell(cell)
        assert (taken.label, taken.element.tag) == (f"{other}, X", "button")
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


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "address",
    [
        *(f"/games/{bad}" for bad in ("%00", "%FF%FE", "٣", "a" * 5000, "..%2f..%2fetc", "x/y")),
        *("/games/'%20OR%20''='", "/games/<script>alert(1)</script>", "/games/x/moves/y"),
        *("/nothing", "/static/nothing.css", "/static/../pyproject.toml"),
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
