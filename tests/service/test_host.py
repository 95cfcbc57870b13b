"""What the server does by itself every day, with a clock that a test moves on."""

from __future__ import annotations

import pytest

from tests.support.people import Clock, challenge, name_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service.host import DAY, IDLE_DAYS, UNFINISHED_DAYS, Host
from webapp.service.refusals import Conflict, Unacceptable, Unknown


@pytest.fixture
def clock(site: Site) -> Clock:
    return Clock(site)


@pytest.fixture
def host(site: Site) -> Host:
    found: Host = site.app.extensions["host"]
    return found


def finished(who: Visitor) -> str:
    page = who.start("easy", "x", cell=4)
    while not page.outcome:
        page = who.move(page, page.playable[0])
    return page.address


def test_the_promises_are_those_of_the_page_on_privacy(site: Site) -> None:
    text = site.visitor().get("/privacy").document.text
    assert f"{IDLE_DAYS} days" in text
    assert f"{UNFINISHED_DAYS} days" in text


def test_who_has_not_played_for_ninety_days_is_forgotten(
    site: Site, clock: Clock, host: Host
) -> None:
    alice, bob = site.visitor(), site.visitor()
    finished(alice)
    clock.goes_on(DAY)
    kept = finished(bob)
    clock.goes_on((IDLE_DAYS - 1) * DAY)
    host.tidy()
    assert len(site.dump()["players"]) == 2
    clock.goes_on(1)
    host.tidy()
    assert name_of(alice) == ""
    assert name_of(bob)
    left = site.dump()
    assert [row[0] for row in left["games"]] == [kept.removeprefix("/games/")]
    assert len(left["players"]) == len(left["records"]) == 1


def test_who_plays_on_is_remembered(site: Site, clock: Clock, host: Host) -> None:
    alice = site.visitor()
    for _ in range(4):
        finished(alice)
        clock.goes_on(60 * DAY)
        host.tidy()
    assert name_of(alice)
    assert len(site.dump()["games"]) == 4


def test_who_only_goes_on_to_rematches_is_remembered(site: Site, clock: Clock, host: Host) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    for _ in range(4):
        pair.play("03142")
        clock.goes_on(40 * DAY)
        pair.act(alice, "again")
        following = pair.act(bob, "again").location
        first, second = pair.o, pair.x
        pair = type(pair)(first, second, following)
        host.tidy()
    assert name_of(alice)
    assert name_of(bob)


def test_an_unfinished_game_goes_after_seven_days(site: Site, clock: Clock, host: Host) -> None:
    alice, bob = site.visitor(), site.visitor()
    kept = finished(alice)
    games = [
        alice.start("hard", "x", cell=4).address,
        alice.start("friend", "x", cell=4).address,
        sit_down(alice, bob).address,
        challenge(bob).address,
    ]
    clock.goes_on(UNFINISHED_DAYS * DAY)
    host.tidy()
    assert {alice.get(game).status for game in games} == {200}
    clock.goes_on(1)
    host.tidy()
    assert {alice.get(game).status for game in games} == {404}
    assert alice.get(kept).status == 200
    assert name_of(alice)


def test_a_game_that_is_played_on_within_seven_days_stays(
    site: Site, clock: Clock, host: Host
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    for cell in "0415":
        clock.goes_on(6 * DAY)
        host.tidy()
        pair.play(cell)
    assert alice.get(pair.address).board == "XX..OO..."


def test_play_again_leads_on_although_the_next_game_has_gone(
    site: Site, clock: Clock, host: Host
) -> None:
    alice = site.visitor()
    page = alice.get(finished(alice))
    alice.act("again", page)
    clock.goes_on(8 * DAY)
    host.tidy()
    assert alice.try_to("again", alice.get(page.address)).status == 303


def test_a_rematch_can_be_had_although_the_one_before_has_gone(
    site: Site, clock: Clock, host: Host
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    pair.act(alice, "again")
    pair.act(bob, "again")
    clock.goes_on(8 * DAY)
    host.tidy()
    assert pair.act(alice, "again").status == 303
    page = alice.get(pair.address)
    assert page.status == 200


def test_names_are_found_as_people_write_them(site: Site, host: Host) -> None:
    alice = site.visitor()
    finished(alice)
    assert host.rename(name_of(alice).upper().replace(" ", ""), "Ada") == "Ada"
    assert name_of(alice) == "Ada"
    assert [one.name for one in host.players()] == ["Ada"]
    assert [one.games for one in host.players()] == [1]


def test_what_the_host_cannot_do_changes_nothing(site: Site, host: Host) -> None:
    alice, bob = site.visitor(), site.visitor()
    finished(alice)
    finished(bob)
    before = site.dump()
    with pytest.raises(Unknown, match="Nobody here is called Eve"):
        host.rename("Eve", "Ada")
    with pytest.raises(Unknown, match="Nobody here is called Eve"):
        host.remove("Eve")
    with pytest.raises(Conflict, match="already"):
        host.rename(name_of(alice), name_of(bob))
    with pytest.raises(Unacceptable, match="empty"):
        host.rename(name_of(alice), " ")
    assert site.dump() == before


def test_resetting_the_standings_leaves_names_and_games(site: Site, host: Host) -> None:
    alice = site.visitor()
    game = finished(alice)
    before = site.dump()
    host.reset_standings()
    after = site.dump()
    assert after.pop("records") == []
    assert before.pop("records")
    assert after == before
    assert alice.get(game).status == 200
