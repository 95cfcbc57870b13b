"""A tap on a face asks for a game: the chip, the other player's strip, and where both are led."""

from __future__ import annotations

import pytest

from tests.support.page import Page
from tests.support.people import Clock, be_here, challenge, name_of, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.core.game import ABSENT_AFTER
from webapp.service import teacher
from webapp.service.refusals import PAUSED
from webapp.service.teacher import number

TARGET = {"HX-Target": "div#class"}


@pytest.fixture
def people(own_site: Site, own_clock: Clock) -> list[Visitor]:
    """Three who have the page of the class open."""
    del own_clock  # on which no one goes meanwhile
    found = [own_site.visitor() for _ in "abc"]
    for who in found:
        who.get("/class")
    be_here(own_site, *found)
    return found


def number_of(who: Visitor) -> int:
    return number(player_of(who))


def ask(who: Visitor, other: Visitor, page: Page | None = None, **fields: object) -> Page:
    """Tap a chip, as htmx does where the page is told."""
    sent = {"to": number_of(other), **fields}
    headers = TARGET if page else {}
    return who.post("/challenges", sent, fragment=bool(page), headers=headers, onto=page)


def chip(page: Page, who: Visitor) -> str:
    """What the chip of a player says, without the name."""
    return page.the(f"here-{number_of(who)}").text.removeprefix(name_of(who)).strip()


def test_a_chip_says_what_was_asked_and_a_tap_takes_it_back(people: list[Visitor]) -> None:
    alice, bob, carol = people
    page = alice.get("/class")
    assert [chip(page, one) for one in (bob, carol)] == ["free", "free"]
    assert page.document.with_id(f"here-{number_of(alice)}") is None, "who is the viewer"
    asked = ask(alice, bob, page)
    assert (asked.status, chip(asked, bob), chip(asked, carol)) == (200, "asked · undo", "free")
    assert "looking=1" in asked.the("class").get("hx-get"), "which leads to the game"
    assert chip(carol.get("/class"), bob) == "free"
    assert alice.get("/class").the(f"ask-{number_of(bob)}").get("form") == "undoing"
    taken = alice.post("/seeks/cancel", fragment=True, headers=TARGET, onto=asked)
    assert (taken.status, chip(taken, bob)) == (200, "free")


def test_the_strip_calls_and_accepting_leads_both_to_the_game(people: list[Visitor]) -> None:
    alice, bob, carol = people
    here, learn = bob.get("/class"), bob.get("/learn")
    assert (here.the("calls").text, learn.the("calls").text) == ("", "")
    page = ask(alice, bob, alice.get("/class"))
    said = f"{name_of(alice)} asks you for a game"
    told = bob.ask(here, "class")
    assert (chip(told, alice), told.the("calls").get("data-title")) == ("asks you", said)
    assert "hx-get" in told.the("calls").attributes, "from now on it asks by itself"
    assert "Accept" in told.the("calls").text
    assert "Decline" in told.the("calls").text
    for address in ("/learn", "/you", "/class", "/calls"):
        assert said in bob.get(address).the("calls").text
        assert said not in carol.get(address).text
    game = bob.press(bob.get("/learn"), "Accept").address
    assert alice.ask(page, "class").headers["HX-Redirect"] == game
    assert bob.ask(told, "calls").the("calls").text != said


def test_a_decline_leaves_the_page_and_the_asker_reads_that_the_other_is_busy(
    people: list[Visitor],
) -> None:
    alice, bob, carol = people
    page = ask(alice, bob, alice.get("/class"))
    learn = bob.get("/learn")
    declined = bob.press(learn, "Decline", htmx=True)
    assert (declined.is_fragment, declined.the("calls").text) == (True, "")
    told = alice.ask(page, "class")
    assert chip(told, bob) == "is busy"
    assert told.the(f"ask-{number_of(bob)}").get("aria-disabled") == "true"
    again = ask(alice, bob, told)
    assert (again.status, again.the("refused").text) == (409, f"{name_of(bob)} is busy.")
    assert f"{name_of(bob)} is busy." in ask(alice, bob).document.text
    assert chip(ask(alice, carol, told), carol) == "asked · undo"
    assert ask(bob, alice).location == "/class", "who asks her himself"
    assert bob.get("/class").text.count("asked · undo") == 1
    plain = carol.press(carol.get("/class"), "Decline")
    assert plain.document.with_class("class-page")
    assert alice.get("/class").the("calls").get("data-title").startswith(name_of(bob))


def test_requests_that_cannot_be_are_refused_in_words(
    people: list[Visitor], own_site: Site
) -> None:
    alice, bob, carol = people
    page, before = alice.get("/class"), own_site.dump()
    for to, status, said in (
        (number_of(alice), 409, "You cannot play against yourself here."),
        (number_of(bob) + 1, 404, "This player is no longer here."),
        ("Bob", 422, "This request does not say whom you would like to play."),
        ("", 422, "This request does not say whom you would like to play."),
    ):
        for answer in (
            alice.post("/challenges", {"to": to}),
            alice.post("/challenges", {"to": to}, fragment=True, headers=TARGET, onto=page),
        ):
            assert (answer.status, answer.the("refused").text) == (status, said)
    pair = sit_down(bob, carol)
    be_here(own_site, *people)
    assert ask(alice, bob, page).the("refused").text == f"{name_of(bob)} is playing."
    assert chip(alice.get("/class"), bob) == f"playing {name_of(carol)}"
    asks = ask(bob, alice, bob.get("/class"))
    assert (asks.status, asks.headers["HX-Retarget"]) == (409, "body")
    plain = ask(bob, alice)
    assert plain.links["Go to the game"] == pair.address
    assert bob.press(plain, "Give up and continue").document.with_class("asked")
    teacher.pause(own_site.service)
    paused = ask(alice, bob, page)
    assert (paused.status, paused.the("refused").text) == (409, PAUSED)
    assert before["games"] == []
    missing = alice.post(f"/challenges/{number_of(bob) + 1}/decline")
    assert missing.status == 404


def test_a_tap_on_a_player_with_an_open_game_joins_it(people: list[Visitor]) -> None:
    alice, bob, _carol = people
    page = challenge(alice, "o")
    assert ask(bob, alice, bob.get("/class")).headers["HX-Redirect"] == page.address
    assert bob.get(page.address).heading == "Your turn"


def test_an_ask_beside_an_idle_game_stays_on_the_page(
    people: list[Visitor], own_site: Site, own_clock: Clock
) -> None:
    alice, bob, carol = people
    pair = sit_down(alice, bob)
    pair.play("0")
    own_clock.goes_on(ABSENT_AFTER)
    be_here(own_site, alice, carol)
    asked = ask(alice, carol, alice.get("/class"))
    assert (asked.status, chip(asked, carol)) == (200, "asked · undo")
