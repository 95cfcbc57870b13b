"""Many people at one moment, in real processes: a seat is taken once, a turn is played once."""

from __future__ import annotations

import secrets

from tests.support import races
from tests.support.people import challenge, code_of, sit_down
from tests.support.visitor import Site, Visitor


def cookies(number: int) -> list[str]:
    return [secrets.token_urlsafe(32) for _ in range(number)]


def cookie_of(visitor: Visitor) -> str:
    cookie = visitor.cookie()
    assert cookie is not None
    return cookie


def dealt_out(posts: list[races.PostAs]) -> list[list[races.PostAs]]:
    """The posts, dealt out to the processes."""
    return [posts[number :: races.PROCESSES] for number in range(races.PROCESSES)]


def stored(site: Site, address: str) -> dict[str, object]:
    return site.stored(address.removeprefix("/games/"))


def test_of_a_hundred_who_want_the_last_seat_one_sits(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    page = challenge(alice)
    address = f"/join/{code_of(page)}"
    posts: list[races.PostAs] = [(cookie, address, {}) for cookie in cookies(100)]
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert sorted(status for status, _ in answers) == [303] + [409] * 99
    assert [location for status, location in answers if status == 303] == [page.address]
    game = stored(site, page.address)
    assert game["version"] == 2
    assert game["o_seat"]
    assert game["o_seat"] != game["x_seat"]
    # Whoever came too late has left no trace.
    assert len(site.dump()["players"]) == 2


def test_two_who_join_each_other_at_the_same_moment_sit_at_one_game(
    race: races.Race, site: Site
) -> None:
    pairs = [(site.visitor(), site.visitor()) for _ in range(20)]
    posts: list[races.PostAs] = []
    for pair in pairs:
        codes = [code_of(challenge(who)) for who in pair]
        for who, code in zip(pair, reversed(codes), strict=True):
            posts.append((cookie_of(who), f"/join/{code}", {}))
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert {status for status, _ in answers} <= {303, 404}
    assert sorted(status for status, _ in answers) == [303] * len(pairs) + [404] * len(pairs)
    assert len(site.dump()["games"]) == len(pairs)


def test_one_person_who_joins_many_times_at_once_sits_once(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    page = challenge(alice)
    (bob,) = cookies(1)
    posts: list[races.PostAs] = [(bob, f"/join/{code_of(page)}", {}) for _ in range(40)]
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert {status for status, _ in answers} <= {303, 409}
    assert (303, page.address) in answers
    assert stored(site, page.address)["version"] == 2


def test_of_a_hundred_moves_of_two_people_at_once_one_is_played(
    race: races.Race, site: Site
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    posts = [
        (
            cookie_of((alice, bob)[number % 2]),
            f"{pair.address}/moves",
            {"cell": str(number % 9), "version": "2"},
        )
        for number in range(100)
    ]
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert sorted(status for status, _ in answers) == [303] + [409] * 99
    page = alice.get(pair.address)
    assert (page.version, page.board.count("X"), page.board.count("O")) == (3, 1, 0)


def test_two_who_agree_at_the_same_moment_get_one_rematch(race: races.Race, site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    posts: list[races.PostAs] = [
        (cookie_of((alice, bob)[number % 2]), f"{pair.address}/again", {}) for number in range(40)
    ]
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert {status for status, _ in answers} == {303}
    assert len(site.dump()["games"]) == 2
    following = {location for _, location in answers} - {pair.address}
    assert following == {f"/games/{stored(site, pair.address)['next_id']}"}


def test_a_last_move_and_a_resignation_at_once_end_it_once(race: races.Race, site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("0314")
    version = str(alice.get(pair.address).version)
    posts = [
        (cookie_of(alice), f"{pair.address}/moves", {"cell": "2", "version": version}),
        (cookie_of(bob), f"{pair.address}/resign", {"version": version}),
    ] * 10
    answers = race.run(races.post_as, site.settings, dealt_out(posts))
    assert sorted(status for status, _ in answers) == [303] + [409] * 19
    assert sorted(row[2] for row in site.dump()["records"]) == ["l", "w"]
    assert stored(site, pair.address)["outcome"] == "x"
