"""``GET /games/<id>``: a game, to its player and to those who watch."""

import pytest

from tests.support.page import Page
from tests.support.rules import NAMES
from tests.support.visitor import Site, Visitor


def played(visitor: Visitor, cells: tuple[int, ...], opponent: str = "friend") -> Page:
    page = visitor.start(opponent, "x")
    for cell in cells:
        page = visitor.move(page, cell)
    return page


@pytest.mark.parametrize("cell", range(9))
def test_every_cell_has_its_name(alice: Visitor, cell: int) -> None:
    name = NAMES[cell].capitalize()
    assert played(alice, ()).cell(cell).label == f"{name}, empty"
    assert played(alice, (cell,)).cell(cell).label == f"{name}, X"
    assert played(alice, ((cell + 1) % 9, cell)).cell(cell).label == f"{name}, O"


def test_the_cells_of_the_winning_line_say_so(alice: Visitor) -> None:
    page = played(alice, (0, 4, 1, 2, 3, 6))
    assert [cell.label for cell in page.cells] == [
        "Top left, X",
        "Top centre, X",
        "Top right, O, winning line",
        "Middle left, X",
        "Centre, O, winning line",
        "Middle right, empty",
        "Bottom left, O, winning line",
        "Bottom centre, empty",
        "Bottom right, empty",
    ]


def test_a_taken_cell_keeps_its_id_but_submits_nothing(alice: Visitor) -> None:
    taken = played(alice, (4,)).cell(4).element
    assert taken.tag == "button"
    assert taken.get("type") == "button"
    assert taken.get("aria-disabled") == "true"
    assert not taken.has("disabled")


def test_after_the_end_no_cell_can_be_played(alice: Visitor) -> None:
    page = played(alice, (0, 3, 1, 4, 2))
    assert page.outcome == "x"
    assert page.playable == []
    assert all(cell.element.tag == "button" for cell in page.cells)


def test_looking_changes_nothing(site: Site, alice: Visitor, bob: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    before = site.dump()
    for visitor in (alice, bob):
        for fragment in (False, True):
            again = visitor.get(page.address, fragment=fragment)
            assert (again.board, again.version) == (page.board, page.version)
    assert site.dump() == before


def test_a_reload_shows_the_same_game(alice: Visitor) -> None:
    page = alice.start("medium", "x", cell=4)
    page = alice.act("hint", page)
    again = alice.get(page.address)
    assert (again.board, again.version, again.hinted, again.moves, again.sentence) == (
        page.board,
        page.version,
        page.hinted,
        page.moves,
        page.sentence,
    )


# --- the list of moves ------------------------------------------------------------------------


def test_the_list_keeps_what_every_move_did(alice: Visitor) -> None:
    assert played(alice, (0, 4, 8, 6, 2, 1, 5)).moves == [
        "1 X top left",
        "2 O centre",
        "3 X bottom right",
        "4 O bottom left · threatens the diagonal",
        "5 X top right · blocks the diagonal, a fork",
        "6 O top centre · blocks the top row, threatens the middle column",
        "7 X middle right · wins",
    ]


def test_the_list_keeps_why_the_engine_moved(alice: Visitor) -> None:
    page = alice.start("medium", "x", cell=0)
    while page.outcome == "" and len(page.moves) < 4:
        # Threaten as early as can be: the second mark goes beside the first.
        page = alice.move(page, next(cell for cell in (1, 2, 3, 6, 4, 8) if cell in page.playable))
    assert page.moves[1].endswith(" · a random free cell")
    assert page.moves[3].split(" · ")[1].startswith(("blocks the ", "wins", "a random free cell"))


# --- watching ---------------------------------------------------------------------------------


def test_a_watcher_sees_the_board_without_controls(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(page.address)
    assert seen.status == 200
    assert seen.watching
    assert (seen.board, seen.version, seen.outcome) == (page.board, page.version, "")
    assert seen.moves == page.moves
    assert seen.score is None


def test_a_watcher_sees_labelled_elements_with_the_same_ids(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("friend", "x", cell=4)
    seen = bob.get(page.address)
    assert [cell.label for cell in seen.cells] == [cell.label for cell in page.cells]
    assert not any(cell.playable for cell in seen.cells)
    assert all(cell.element.tag != "button" for cell in seen.cells)


def test_a_watcher_reads_marks_instead_of_you(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(page.address)
    assert seen.heading == "X to move"
    assert seen.sentence.startswith("O took the ")
    assert "you" not in f"{seen.heading} {seen.sentence}".lower().split()


def test_a_watcher_sees_no_hint(alice: Visitor, bob: Visitor) -> None:
    page = alice.act("hint", alice.start("hard", "x", cell=4))
    seen = bob.get(page.address)
    assert page.hinted
    assert seen.hinted == []
    assert "suggested" not in "".join(cell.label for cell in seen.cells)
    assert seen.version == page.version


def test_a_watcher_sees_who_won(alice: Visitor, bob: Visitor) -> None:
    page = played(alice, (0, 3, 1, 4, 2))
    seen = bob.get(page.address)
    assert (seen.outcome, seen.heading) == ("x", "X wins: top row")
    assert seen.watching


def test_a_watcher_is_shown_the_way_to_a_game_of_their_own(alice: Visitor, bob: Visitor) -> None:
    seen = bob.get(alice.start("friend", "x", cell=4).address)
    assert "Play a game of your own" in seen.links
    assert seen.links["Play a game of your own"] == "/"


def test_a_watcher_of_an_untouched_game_is_told_so(alice: Visitor, bob: Visitor) -> None:
    seen = bob.get(alice.start("medium", "x").address)
    assert seen.watching
    assert seen.sentence == "Nobody has moved yet."


def test_a_watcher_cannot_prepare_the_game(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("medium", "x")
    seen = bob.get(page.address, query_string={"opponent": "friend", "mark": "o"})
    assert seen.watching
    assert seen.board == page.board


def polled(page: Page) -> tuple[str, str] | None:
    """The address that a page asks again and again by itself, and how often."""
    trigger = page.game.get("hx-trigger")
    return (page.game.get("hx-get"), trigger) if trigger.startswith("every ") else None


def test_a_watcher_sees_every_move_without_asking(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("friend", "x")
    seen = bob.get(page.address)
    for cell in (0, 3, 1, 4):
        poll = polled(seen)
        assert poll is not None
        page = alice.move(page, cell)
        seen = bob.get(poll[0], fragment=True, onto=seen)
        assert (seen.status, seen.board, seen.version) == (200, page.board, page.version)
        assert seen.watching
    alice.move(page, 2)
    poll = polled(seen)
    assert poll is not None
    seen = bob.get(poll[0], fragment=True, onto=seen)
    assert (seen.outcome, seen.heading) == ("x", "X wins: top row")
    assert polled(seen) is None


def test_while_nothing_has_changed_a_poll_is_answered_with_nothing(
    site: Site, alice: Visitor, bob: Visitor
) -> None:
    page = alice.start("hard", "x", cell=4)
    poll = polled(bob.get(page.address))
    assert poll is not None
    before = site.dump()
    answer = bob.get(poll[0], fragment=True)
    assert (answer.status, answer.response.data) == (204, b"")
    assert answer.headers["Cache-Control"] == "no-store"
    assert site.dump() == before


def test_a_player_does_not_poll(alice: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    assert polled(page) is None
    assert polled(alice.get("/")) is None


@pytest.mark.parametrize("since", ["0", "2", "99", "9" * 30, "9" * 5000])
def test_whatever_else_a_watcher_knows_the_board_is_shown(
    alice: Visitor, bob: Visitor, since: str
) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(f"{page.address}?since={since}", fragment=True)
    assert (seen.status, seen.board) == (200, page.board)


@pytest.mark.parametrize("since", ["", "x", "-1", "٣", "1.0", "1&since=1"])
def test_a_poll_that_makes_no_sense_is_refused_with_the_board(
    alice: Visitor, bob: Visitor, since: str
) -> None:
    page = alice.start("hard", "x", cell=4)
    seen = bob.get(f"{page.address}?since={since}", fragment=True)
    assert (seen.status, seen.board) == (422, page.board)
    assert seen.refusal


# --- no such game -----------------------------------------------------------------------------


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "address",
    [
        "/games/nothing",
        "/games/AAAAAAAAAAAAAAAAAAAAAA",
        "/games/%00",
        "/games/%FF%FE",
        "/games/٣",
        "/games/" + "a" * 5000,
        "/games/..%2f..%2fetc",
        "/games/'%20OR%20''='",
        "/games/<script>alert(1)</script>",
        "/games/x/y",
        "/games/x/moves/y",
        "/nothing",
        "/index.html",
        "/games.json",
        "/static/nothing.css",
        "/static/../pyproject.toml",
    ],
)
def test_where_there_is_no_game_there_is_a_friendly_page(
    alice: Visitor, address: str, fragment: bool
) -> None:
    page = alice.get(address, fragment=fragment)
    assert page.status == 404
    assert not page.has_board
    assert "/" in page.links.values()
    assert "alert(1)" not in page.text


def test_the_id_of_a_game_is_exact(alice: Visitor) -> None:
    page = alice.start("friend", "x", cell=4)
    for address in (
        page.address.swapcase(),
        page.address + "a",
        page.address[:-1],
        page.address + " ",
    ):
        assert alice.get(address.replace("/GAMES/", "/games/")).status == 404
