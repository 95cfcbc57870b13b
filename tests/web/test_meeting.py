"""The class can always meet: one live game each, challenges of players who are there."""

from pathlib import Path

import pytest

from tests.support.people import Clock, Pair, be_here, challenge, code_of, name_of, sit_down
from tests.support.visitor import Site, Visitor, open_site
from webapp.core.game import ABSENT_AFTER
from webapp.live.presence import HIDDEN_FOR_S, PRESENT_FOR_S
from webapp.service import lobby

LOOKED = lobby._REMEMBERED


@pytest.fixture
def clock(own_site: Site) -> Clock:
    """A clock that stands still until the test moves it on."""
    return Clock(own_site)


def waiting(who: Visitor) -> set[str]:
    """The names of the open challenges that the class page shows."""
    lists = [one for one in who.get("/class").document.all("ul") if one.get("aria-label")]
    found = [one for one in lists if one.get("aria-label") == "Open games"]
    return {line.all("b")[0].text for one in found for line in one.all("li")}


def test_a_player_in_a_game_is_asked_before_another_one(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    code = code_of(challenge(carol))
    before = own_site.dump()
    for address, fields in ((f"/join/{code}", {}), ("/challenges", {"mark": "x"})):
        asked = bob.post(address, fields)
        assert asked.status == 409
        assert f"{name_of(alice)} against {name_of(bob)}" in asked.document.text
        assert asked.links["Go to the game"] == pair.address
    assert own_site.dump() == before
    joined = bob.press(bob.post(f"/join/{code}"), "Give up and continue")
    assert joined.heading == f"{name_of(carol)} is thinking"
    left = alice.get(pair.address)
    assert left.heading == "Waiting for a classmate"
    assert "The other player has gone. Your game is open again." in left.text
    again = own_site.visitor().post(f"/join/{code_of(left)}")
    assert (again.status, again.location) == (303, pair.address)
    assert "is here. You have X" in alice.get(pair.address).document.text


def test_to_open_a_game_the_present_one_can_be_given_up(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    opened = alice.press(alice.post("/challenges", {"mark": "o"}), "Give up and continue")
    assert opened.heading == "Waiting for a classmate"
    assert bob.get(pair.address).outcome == "o"


def test_an_opponent_who_is_away_holds_nobody(own_site: Site, clock: Clock) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    sit_down(alice, bob)  # it is Alice's turn
    clock.goes_on(ABSENT_AFTER)
    assert alice.post("/challenges", {"mark": "x"}).status == 409
    assert bob.post("/challenges", {"mark": "x"}).status == 303
    assert carol.post(f"/join/{code_of(challenge(bob))}").status == 303


def test_nobody_is_drawn_into_a_second_game_by_a_rematch(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    pair.play("03142")
    pair.act(alice, "again")
    other = sit_down(carol, alice)
    refused = pair.act(bob, "again")
    assert (refused.status, refused.refusal) == (409, "Your opponent is in another game now.")
    Pair(carol, alice, other.address).act(carol, "resign")
    assert pair.act(bob, "again").status == 303


def test_a_challenge_is_shown_while_its_player_is_here_and_reached_by_its_code_always(
    own_site: Site, clock: Clock
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    page = challenge(alice)
    news = page.game.get("hx-get")
    assert waiting(bob) == {name_of(alice)}, "its page is about to ask"
    for _ in range(5):
        assert alice.get(news, fragment=True).status == 204
        be_here(own_site)
        clock.goes_on(PRESENT_FOR_S)
        assert waiting(bob) == {name_of(alice)}
    clock.goes_on(LOOKED + 1)
    bob.get(news, fragment=True)
    be_here(own_site)
    assert waiting(bob) == set(), "others who look at it do not count"
    assert waiting(alice) == {name_of(alice)}
    alice.get(f"{page.address}?since=0")  # without JavaScript
    be_here(own_site)
    clock.goes_on(HIDDEN_FOR_S)
    assert waiting(bob) == {name_of(alice)}
    clock.goes_on(LOOKED + 1)
    be_here(own_site)
    assert waiting(bob) == set()
    assert bob.post(f"/join/{code_of(page)}").status == 303


def test_however_many_challenges_one_visitor_opens_others_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "_MOST_WAITING", 5)
    with open_site(tmp_path) as site:
        alice = site.visitor()
        people = [alice, *(site.visitor() for _ in range(15))]
        for who in people:
            challenge(who)
        be_here(site, *people)
        shown = [waiting(site.visitor()) for _ in range(40)]
        assert {len(one) for one in shown} == {5}
        assert any(name_of(alice) in one for one in shown)
        viewer = site.visitor()
        viewer.get("/")
        assert waiting(viewer) == waiting(viewer)
        assert name_of(alice) in waiting(alice)
