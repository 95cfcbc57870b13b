"""A game that a tournament, or its end, has cut off: it is no draw, and every page says why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.support.page import Page
from tests.support.people import name_of, sit_down
from tests.support.visitor import Site, Visitor
from tests.web.test_results import table
from tests.web.test_tournaments import Event, begin
from webapp.service import tournaments
from webapp.tournament.event import Format, Opening

NEITHER, ENDED, CALLED = WHYS = (
    "neither player had moved",
    "the tournament ended first",
    "a player was called to a tournament",
)
A_RESULT = re.compile(r"\b(draw|drew|drawn|win|wins|won|beat|lost|decided)\b", re.IGNORECASE)


@dataclass
class Cut:
    """A game that was cancelled, with its two players."""

    event: Event
    address: str
    x: Visitor
    o: Visitor


def _play(address: str, x: Visitor, o: Visitor, moves: int) -> None:
    """Make so many moves, none of which ends the game."""
    for _ in range(moves):
        mover = x if x.get(address).playable else o
        page = mover.get(address)
        lines = (0, 4, 8, 2, 6, *page.playable)
        mover.move(page, next(cell for cell in lines if cell in page.playable))


def in_a_tournament(site: Site, moves: int, opening: Opening = Opening.EMPTY) -> Cut:
    """A game that the host ends together with its tournament."""
    event = begin(site, "waiting")
    tournaments.end(event.service, event.id)
    event.id = tournaments.create(event.service, Format.SWISS, opening, 15, 1)
    for who in event.players:
        who.post(f"{event.address}/join")
    tournaments.start(event.service, event.id)
    address, x, o = event.game()
    _play(address, x, o, moves)
    tournaments.end(event.service, event.id)
    return Cut(event, address, x, o)


def from_an_opening(site: Site, moves: int) -> Cut:
    return in_a_tournament(site, moves, Opening.SHARP)


def outside(site: Site, moves: int) -> Cut:
    """A game of two people whom a tournament brings together."""
    event = begin(site, "waiting")
    x, o = event.players
    address = sit_down(x, o).address
    _play(address, x, o, moves)
    tournaments.start(event.service, event.id)
    event.goes_on(4)
    tournaments.end(event.service, event.id)
    return Cut(event, address, x, o)


CASES: list[tuple[Callable[[Site, int], Cut], int, str]] = [
    *((in_a_tournament, moves, ENDED if moves else NEITHER) for moves in (0, 1, 2, 5)),
    *((from_an_opening, moves, ENDED if moves else NEITHER) for moves in (0, 1, 2)),
    *((outside, moves, CALLED) for moves in (0, 1, 2, 5)),
]


def told(page: Page) -> str:
    """All that a page of a game says, but for the headings of a score, and where it is shared."""
    metas = [one.get("content") for one in page.document.all("meta") if one.has("content")]
    return " ".join((page.title, *metas, page.document.all("main")[0].text.replace("Draws", "")))


@pytest.mark.parametrize("make,moves,why", CASES)
def test_a_cancelled_game_says_why_on_every_page(
    own_site: Site, make: Callable[[Site, int], Cut], moves: int, why: str
) -> None:
    cut = make(own_site, moves)
    heading = f"Cancelled: {why}"
    for who in (cut.x, cut.o, own_site.visitor()):
        page = who.get(cut.address)
        assert (page.outcome, page.heading) == ("cancelled", heading)
        assert page.title == f"{heading} · Tic-Tac-Toe"
        assert f'<meta property="og:description" content="A game of tic-tac-toe. {heading}.">' in (
            page.text
        )
        assert page.sentence == "It counts for neither player."
        assert not A_RESULT.search(told(page)), told(page)
        assert ("Review" in page.links) is (moves > 0)
        if moves:
            review = who.get(page.links["Review"])
            assert not A_RESULT.search(f"{review.title} {review.document.all('h1')[0].text}")
            assert "The move that decided it" not in review.document.text
        if who in (cut.x, cut.o):
            assert page.score == (None if make is not outside else (0, 0, 0))
            assert "Not counted" not in page.document.text, "which is said already"
    line = f"{name_of(cut.x)} against {name_of(cut.o)}: cancelled ({why})"
    assert cut.event.host.press(cut.event.host.get("/host"), "Class on the wall").status == 200
    wall = own_site.visitor().get("/class/board").document.text
    assert (f"Cancelled: {why}" in wall) is (moves > 0), "a board that was played on"
    assert (line in cut.event.host.get("/host").document.text) is (moves > 0)
    assert f"{name_of(cut.x)} against" not in cut.x.get("/class").document.text
    lines = [
        tuple(one[column] for column in ("X", "O", "Result", "How it ended"))
        for one in table(cut.event.host, "games")
    ]
    assert (name_of(cut.x), name_of(cut.o), "Cancelled", why) in lines


@pytest.mark.parametrize("moves,why", [(0, NEITHER), (1, ENDED), (2, ENDED)])
def test_the_page_of_a_tournament_says_why_a_game_was_cancelled(
    own_site: Site, moves: int, why: str
) -> None:
    cut = from_an_opening(own_site, moves)
    address = cut.event.address
    page = cut.x.get(address)
    (mine,) = (one for one in page.document.all("ul") if one.get("aria-label") == "Your games")
    assert f"No result against {name_of(cut.o)}" in mine.text
    assert f"Cancelled: {why}." in mine.text
    assert bool(mine.all("a")) is (moves > 0), "given moves alone are nothing to review"
    (pairs,) = (one for one in page.document.all("ul") if one.get("aria-label") == "Round 1")
    assert f"cancelled ({why})" in pairs.text
    (found,) = own_site.visitor().get(f"{address}.json").json["rounds"]
    assert found["pairings"][0]["results"] == ["cancelled"]
    assert "Your next game begins by itself." not in cut.x.get(cut.address).document.text
