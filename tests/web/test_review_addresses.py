"""The address of a review: what leads there, what it refuses, and that it is all there is."""

import random
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor, open_site
from webapp.engines.registry import ENGINES

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])


# --- from a finished game -----------------------------------------------------------------------


def played(visitor: Visitor, opponent: str, mark: str, outcome: str) -> Page:
    """A game that ended so."""
    rng = random.Random(f"{opponent} {mark} {outcome}")
    for _ in range(200):
        page = visitor.start(opponent, mark)
        while not page.outcome:
            page = visitor.move(page, rng.choice(page.playable))
        if page.outcome == outcome:
            return page
    raise AssertionError("no game ended so")


def ending(board: str) -> str:
    """How a game ended, said by marks."""
    lines = rules.complete(board)
    named = " and ".join(lines).replace("diagonal and diagonal", "both diagonals")
    return f"{rules.other(rules.to_move(board))} wins: {named}" if lines else "A draw"


@pytest.mark.parametrize("outcome", ["x", "o", "draw"])
@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "slips", "rules:win,edge"])
def test_every_game_against_an_engine_leads_to_its_review_when_it_is_over(
    site: Site, alice: Visitor, bob: Visitor, *, opponent: str, mark: str, outcome: str
) -> None:
    page = played(alice, opponent, mark, outcome)
    moves = site.stored(page.address.removeprefix("/games/"))["moves"]
    engine = ENGINES[opponent].name if opponent in ENGINES else "Rule list"
    x, o = ("a person", engine) if mark == "x" else (engine, "a person")
    for visitor in (alice, bob):
        address = urlsplit(visitor.get(page.address).links["Review this game"])
        assert address.path == f"/review/{moves}"
        assert dict(parse_qsl(address.query)) == {"opponent": opponent, "mark": mark}
        review = visitor.get(address.geturl())
        assert "".join(review.cell(cell).mark for cell in range(9)) == page.board
        assert review.title == f"Review: {ending(page.board)} · Tic-Tac-Toe"
        assert f"X was {x}, O {o}." in review.document.text


@pytest.mark.parametrize("outcome", ["x", "o", "draw"])
def test_a_game_of_friends_leads_to_its_review_when_it_is_over(
    alice: Visitor, bob: Visitor, outcome: str
) -> None:
    page = played(alice, "friend", "x", outcome)
    for visitor in (alice, bob):
        address = urlsplit(visitor.get(page.address).links["Review this game"])
        assert dict(parse_qsl(address.query)) == {"opponent": "friend"}
        review = visitor.get(address.geturl())
        assert review.title == f"Review: {ending(page.board)} · Tic-Tac-Toe"
        assert "X was" not in review.document.text


@pytest.mark.parametrize("opponent", ENGINES)
def test_whoever_it_was_against_there_is_a_review(alice: Visitor, opponent: str) -> None:
    page = alice.start(opponent, "o")
    while not page.outcome:
        page = alice.move(page, page.playable[-1])
    review = alice.get(page.links["Review this game"])
    assert f"X was {ENGINES[opponent].name}, O a person." in review.document.text


def test_with_htmx_the_link_comes_with_the_last_move(alice: Visitor) -> None:
    page = alice.start("friend", "x")
    for cell in (0, 3, 1, 4):
        page = alice.press(page, page.cell(cell), htmx=True)
        assert "Review this game" not in page.links
    page = alice.press(page, page.cell(2), htmx=True)
    assert page.links["Review this game"] == "/review/03142?opponent=friend"


def test_a_game_that_goes_on_has_no_review_yet(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("medium", "x", cell=4)
    for visitor in (alice, bob):
        assert "Review this game" not in visitor.get(page.address).links


def test_a_game_against_a_function_that_is_gone_can_still_be_reviewed(
    tmp_path: Path, mine: Path
) -> None:
    with open_site(tmp_path / "site", engine=f"{mine}:first") as site:
        alice = site.visitor()
        page = alice.start("mine.py:first", "x")
        while not page.outcome:
            page = alice.move(page, page.playable[-1])
        assert alice.get(page.links["Review this game"]).status == 200
    with open_site(tmp_path / "site") as later:
        seen = later.visitor().get(page.address)
        review = later.visitor().get(seen.links["Review this game"])
        assert review.status == 200
        assert review.title == f"Review: {ending(page.board)} · Tic-Tac-Toe"


@pytest.mark.parametrize("mark", ["x", "o", None])
def test_only_ones_own_mistakes_are_to_be_mended(alice: Visitor, mark: str | None) -> None:
    query = {"mark": mark} if mark else {}
    # O loses in the middle with its second move, and X wins a move too late.
    for at, who in ((4, "o"), (5, "x")):
        page = alice.get("/review/40281", query_string={"at": at, **query})
        assert ("Play this move differently" in page.buttons) is (mark in (None, who))


# --- refused ------------------------------------------------------------------------------------


@BOTH_WAYS
@pytest.mark.parametrize(
    "moves,why",
    [
        ("44", "There is no such game. Cell 4 already holds X."),
        ("9", "There is no such game. There is no cell 9; cells are numbered 0 to 8."),
        ("031425", "There is no such game. The game is over."),
        ("0123456789", "There is no such game."),
        ("40281" + "3" * 5000, "There is no such game. Cell 3 already holds O."),
        ("4x", "A game to review is the cells played, 0 to 8, as in /review/40281."),
        ("-1", "A game to review is"),
        ("4,0", "A game to review is"),
        ("4%200", "A game to review is"),
        ("٤", "A game to review is"),
        ("４０", "A game to review is"),
        ("²", "A game to review is"),
        ("%00", "A game to review is"),
        ("%FF%FE", "A game to review is"),
        ("<script>alert(1)<script>", "A game to review is"),
        ("40281/x", "There is no game or page at this address."),
        ("", "There is no game or page at this address."),
    ],
)
def test_a_game_that_cannot_be_played_has_no_page(
    alice: Visitor, moves: str, why: str, fragment: bool
) -> None:
    page = alice.get(f"/review/{moves}", fragment=fragment)
    check_refused(page, 404)
    assert why in page.document.text
    assert "alert(1)" not in page.text
    assert (page.headers.get("HX-Retarget") == "body") is fragment


NUMBERS = (
    "-1",
    "6",
    "99999999999",
    "9" * 5000,
    "",
    "x",
    "1.0",
    "1e0",
    "٣",
    "１",
    " 1",
    "+1",
    "0x1",
)
BAD = [
    *(("at", value) for value in (*NUMBERS, "1&at=1")),
    *(("values", value) for value in ("", "0", "2", "01", "true", "on", "١", "1&values=1")),
    *(("opponent", value) for value in ("", "Easy", "nobody", "x", "mine.py:first", "hard ")),
    *(("opponent", value) for value in ("rules:", "rules:win,win", "rules:eval", "<b>")),
    ("opponent", "hard&opponent=hard"),
    *(("mark", value) for value in ("", "X", "z", "both", "0", "х", "x&mark=x")),
]


@BOTH_WAYS
@pytest.mark.parametrize("field,value", BAD)
def test_a_bad_value_is_refused_with_a_sentence(
    alice: Visitor, field: str, value: str, fragment: bool
) -> None:
    page = alice.get(f"/review/40281?{field}={value.replace('+', '%2B')}", fragment=fragment)
    check_refused(page, 422)
    assert page.document.all("main")[0].all("p")[0].text.endswith(".")
    assert "<b>" not in page.text


@pytest.mark.parametrize("value", ["0", "2", "", "true", "1&values=1"])
def test_what_is_switched_on_with_another_value_is_refused_with_the_right_one(
    alice: Visitor, value: str
) -> None:
    page = alice.get(f"/review/40281?values={value}")
    check_refused(page, 422)
    assert "An address may say values=1, or leave values out." in page.document.text


@pytest.mark.parametrize("query", ["at=0", "at=7", "values=2", "opponent=nobody", "mark=z"])
def test_that_there_is_no_such_game_comes_before_what_is_wrong_with_its_values(
    alice: Visitor, query: str
) -> None:
    for moves in ("44", "9", "031425"):
        assert alice.get(f"/review/{moves}?{query}").status == 404


def test_fields_that_nobody_reads_do_no_harm(alice: Visitor) -> None:
    page = alice.get("/review/40281?since=1&x=y&list=z")
    assert page.status == 200


def check_refused(page: Page, status: int) -> None:
    """A refusal is a small page with a sentence that leads on."""
    assert page.status == status
    assert not page.is_fragment
    assert page.document.with_id("review") is None
    assert page.links["Play a game"] == "/"


# --- all there is -------------------------------------------------------------------------------

QUERIES: list[Mapping[str, object]] = [
    {},
    {"at": 2},
    {"at": 0, "values": 1},
    {"opponent": "hard", "mark": "o"},
    {"at": 9},
]


def test_looking_stores_nothing(own_site: Site) -> None:
    alice = own_site.visitor()
    before = own_site.dump()
    for query in QUERIES:
        for fragment in (False, query == {"at": 9}):  # that one is refused, and then a page
            alice.get("/review/40281", query_string=query, fragment=fragment)
    own_site.app.test_client().get("/review/40281", headers={"HX-Request": "true"})
    assert own_site.dump() == before
    assert before["games"] == before["players"] == []


def test_a_game_that_was_never_stored_is_reviewed_without_any_records(own_site: Site) -> None:
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    own_site.file.write_bytes(b"this is no database, but it is quite long" * 100)
    alice = own_site.visitor()
    assert alice.get("/").status in (500, 503)
    for query in QUERIES[:4]:
        assert alice.get("/review/40281", query_string=query).status == 200


def test_the_same_address_shows_everybody_the_same(alice: Visitor, bob: Visitor) -> None:
    alice.start("hard", "o")
    for query in QUERIES[:4]:
        mine, theirs = (one.get("/review/40281", query_string=query) for one in (alice, bob))
        (mine_main,), (their_main,) = (one.document.all("main") for one in (mine, theirs))
        assert mine_main.text == their_main.text
