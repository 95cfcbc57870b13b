"""What the server does by itself every day, with a clock that a test moves on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest

from tests.support.people import (
    Clock,
    Pair,
    challenge,
    name_of,
    played_out,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor, journal_of
from webapp.classroom import Act
from webapp.service import players, results
from webapp.service import teacher as acts
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.service.site import Site as Service
from webapp.service.teacher import DAY, IDLE_DAYS, UNFINISHED_DAYS, number
from webapp.store.lesson import KEPT_FOR
from webapp.words import journal


def test_the_promises_are_those_of_the_page_on_privacy(site: Site) -> None:
    text = site.visitor().get("/privacy").document.text
    assert f"{IDLE_DAYS} days" in text
    assert f"{UNFINISHED_DAYS} days" in text


def test_after_ninety_days_without_a_game_a_player_is_forgotten(
    site: Site, clock: Clock, host: Service
) -> None:
    alice, bob = site.visitor(), site.visitor()
    played_out(alice)
    clock.goes_on(DAY)
    kept = played_out(bob).address
    clock.goes_on((IDLE_DAYS - 1) * DAY + 1)
    acts.tidy(host)
    clock.goes_on(DAY - 1)
    acts.tidy(host)
    assert len(site.dump()["players"]) == 2, "she has been seen to be idle for less than a day"
    clock.goes_on(1)
    acts.tidy(host)
    assert name_of(alice) == ""
    assert name_of(bob)
    left = site.dump()
    assert [row[0] for row in left["games"]] == [kept.removeprefix("/games/")]
    assert [len(left[table]) for table in ("players", "records")] == [1, 1]


def test_anyone_who_plays_on_is_remembered(site: Site, clock: Clock, host: Service) -> None:
    alice, bob, carol = (site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    for _ in range(4):
        played_out(carol)
        pair.play("03142")
        clock.goes_on(40 * DAY)
        # A rematch is a game as well.
        pair.act(pair.x, "again")
        pair = Pair(pair.o, pair.x, pair.act(pair.o, "again").location)
        clock.tidied(host)
    assert all(map(name_of, (alice, bob, carol)))
    assert len(site.dump()["games"]) == 4 + 4 + 1


def test_an_unfinished_game_goes_after_seven_days(site: Site, clock: Clock, host: Service) -> None:
    alice, bob = site.visitor(), site.visitor()
    kept = played_out(alice).address
    games = [
        alice.start("hard", "x", cell=4).address,
        alice.start("friend", "x", cell=4).address,
        sit_down(alice, bob).address,
        challenge(site.visitor()).address,
    ]
    played_on = sit_down(site.visitor(), site.visitor())
    clock.goes_on(UNFINISHED_DAYS * DAY + 1)
    played_on.play("0")
    acts.tidy(host)
    assert {alice.get(game).status for game in games} == {200}
    clock.goes_on(DAY)
    acts.tidy(host)
    assert {alice.get(game).status for game in games} == {404}
    assert alice.get(kept).status == alice.get(played_on.address).status == 200
    assert name_of(alice)


def test_a_rematch_can_be_had_although_the_one_before_has_gone(
    clock: Clock, host: Service, alice: Visitor, bob: Visitor
) -> None:
    pair, found = sit_down(alice, bob), {""}
    pair.play("03142")
    for two in ((alice, bob), (bob, alice)):
        asked, following = (pair.act(who, "again").location for who in two)
        assert (asked, following in found | {pair.address}) == (pair.address, False)
        found.add(following)
        clock.goes_on(8 * DAY)
        clock.tidied(host)


def test_the_host_finds_names_as_people_write_them_and_gives_none_that_cannot_be(
    site: Site, host: Service
) -> None:
    alice, bob = site.visitor(), site.visitor()
    for who in (alice, bob):
        played_out(who)
    assert (
        acts.rename(host, acts.named(host, name_of(alice).upper().replace(" ", "")), "Ada")
        == name_of(alice)
        == "Ada"
    )
    before = site.dump()
    with pytest.raises(Unknown, match="No player here is called Eve"):
        acts.rename(host, acts.named(host, "Eve"), "Grace")
    with pytest.raises(Unknown, match="No player here is called Eve"):
        acts.remove(host, acts.named(host, "Eve"))
    with pytest.raises(Conflict, match="already"):
        acts.rename(host, acts.named(host, "Ada"), name_of(bob))
    with pytest.raises(Unacceptable, match="empty"):
        acts.rename(host, acts.named(host, "Ada"), " ")
    assert site.dump() == before


# --- players who go -------------------------------------------------------------------------------


def forget(site: Site, player: str) -> None:
    """Let a player delete their data."""
    players.forget(site.service, player)


def remove(site: Site, player: str) -> None:
    """Let the host remove a player."""
    acts.remove(site.service, player)


GOINGS = pytest.mark.parametrize("go", [forget, remove])


@GOINGS
def test_games_with_others_stay_without_the_name_of_who_goes(
    site: Site, go: Callable[[Site, str], None]
) -> None:
    alice, bob = site.visitor(), site.visitor()
    played = sit_down(alice, bob)
    played.play("03142")
    alice.start("easy", "x", cell=4)
    alice.start("friend", "x", cell=4)
    name, player = name_of(alice), player_of(alice)
    go(site, player)
    left = site.dump()
    assert [row[0] for row in left["games"]] == [played.address.removeprefix("/games/")]
    assert player not in str(left)
    assert [row[5] for row in left["players"]] == [name_of(bob)]
    page = bob.get(played.address).text
    assert name not in page
    assert "A player who left" in page
    assert "Lost to a player who left" in bob.get("/you").text
    assert bob.get(played.address).score == (0, 0, 1), "it still stands beside the board"
    assert (
        alice.get(played.address).document.text == site.visitor().get(played.address).document.text
    )


@GOINGS
def test_a_game_that_goes_on_is_given_up_and_a_challenge_withdrawn(
    site: Site, go: Callable[[Site, str], None]
) -> None:
    alice, bob = site.visitor(), site.visitor()
    going = sit_down(alice, bob)
    going.play("03")
    go(site, player_of(alice))
    assert site.stored(going.address)["outcome"] == "o"
    challenge(bob)
    go(site, player_of(bob))
    left = site.dump()
    assert (left["players"], left["games"], left["records"]) == ([], [], []), "no one has them"


def test_the_name_of_whoever_deletes_their_data_goes_from_the_journal_too(
    site: Site, host: Service
) -> None:
    alice, bob = site.visitor(), site.visitor()
    for who in (alice, bob):
        who.start("easy", "x", cell=4)
    before, name = name_of(alice), name_of(bob)
    acts.rename(host, player_of(alice), "Ada")
    alice.post("/you/name")  # which no line of the journal tells
    acts.rename(host, player_of(alice))
    acts.rename(host, player_of(bob), "Bob")
    forget(site, player_of(alice))
    remove(site, player_of(bob))
    assert [entry[1:] for entry in reversed(journal_of(host))] == [
        (Act.RENAME, None, None),
        (Act.RENAME, None, None),
        (Act.RENAME, name, "Bob"),
        (Act.REMOVE, "Bob", None),
    ]
    said = [journal.done(entry) for entry in journal_of(host)]
    assert said.count("A player who left got another name.") == 2
    assert not {before, "Ada"}.intersection(" ".join(said).split())


def test_lines_of_the_journal_go_after_seven_days_although_nothing_more_is_written(
    clock: Clock, host: Service
) -> None:
    acts.pause(host)
    clock.goes_on(KEPT_FOR)
    acts.tidy(host)
    assert len(journal_of(host)) == 1
    clock.goes_on(1)
    acts.tidy(host)
    assert journal_of(host) == []


def test_who_is_removed_no_longer_counts_as_an_opponent(site: Site, host: Service) -> None:
    several = [site.visitor() for _ in range(6)]
    for one, other in combinations(several, 2):
        sit_down(one, other).play("03142")
    standings = partial(results.standings, host)
    assert [place.games for place, _ in standings()] == [5] * 6
    acts.remove(host, player_of(several[0]))
    assert [place.games for place, _ in standings()] == [4] * 5
    assert [sum(player.people) for _, player in standings()] == [5] * 5, (
        "they have still been played"
    )


# --- the journal, and names that stay -------------------------------------------------------------


def test_each_act_is_a_line_of_the_journal(site: Site, clock: Clock, host: Service) -> None:
    alice = site.visitor()
    alice.start("easy", "x", cell=4)
    name, player = name_of(alice), player_of(alice)
    assert acts.numbered(host, number(player)).id == player
    acts.rename(host, player, "Ada")
    dealt = acts.rename(host, player)
    assert name_of(alice) == dealt
    acts.lock_names(host, locked=True)
    acts.lock_names(host, locked=True)
    acts.lock_names(host, locked=False)
    acts.reset_standings(host)
    clock.goes_on(60)
    acts.remove(host, player)
    assert [entry[1:] for entry in reversed(journal_of(host))] == [
        (Act.RENAME, name, "Ada"),
        (Act.RENAME, "Ada", dealt),
        (Act.LOCK_NAMES, None, None),
        (Act.UNLOCK_NAMES, None, None),
        (Act.RESET_STANDINGS, None, None),
        (Act.REMOVE, dealt, None),
    ]
    assert journal_of(host)[0].at == journal_of(host)[1].at + 60
    with pytest.raises(Unknown, match="no longer here"):
        acts.numbered(host, number(player))
