"""Many requests at one moment, in real processes: what may happen once happens once."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable

import pytest

from tests.support import races, rules
from tests.support.people import challenge, code_of, sit_down
from tests.support.visitor import Site, Visitor

REQUESTS = 100
AT_A_TIME = 25
"""Rounds between which the processes are asked whether they still live."""


def cookie_of(visitor: Visitor) -> str:
    visitor.get("/")
    cookie = visitor.cookie()
    assert cookie
    return cookie


def stored(site: Site, address: str) -> dict[str, object]:
    return site.stored(address.removeprefix("/games/"))


def statuses(answers: list[races.Answer]) -> dict[int, int]:
    """How many answers have which status."""
    return dict(Counter(status for status, _ in answers))


def where(answers: list[races.Answer]) -> set[str]:
    """Where the accepted requests lead."""
    return {location for status, location in answers if status == 303}


def batches(rounds: int) -> list[int]:
    """So many rounds, in portions."""
    return [min(AT_A_TIME, rounds - done) for done in range(0, rounds, AT_A_TIME)]


# --- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent,plies", [("medium", 3), ("friend", 2)])
def test_of_a_hundred_moves_at_once_one_is_played(
    race: races.Race, site: Site, times: Callable[[int, int], int], *, opponent: str, plies: int
) -> None:
    alice = site.visitor()
    for rounds in batches(times(3, 1000)):
        # Where the engine has X, a game has a move in it and is version 1 as well.
        games = [
            alice.start("friend", "x", cell=4)
            if opponent == "friend"
            else alice.start(opponent, "o")
            for _ in range(rounds)
        ]
        posts: list[list[races.Post]] = [
            [
                (cookie_of(alice), f"{game.address}/moves", {"cell": str(one % 9), "version": "1"})
                for one in range(REQUESTS)
            ]
            for game in games
        ]
        for game, answers in zip(games, race.post(site.settings, *posts), strict=True):
            assert statuses(answers) == {303: 1, 409: REQUESTS - 1}
            assert where(answers) == {game.address}
            row = stored(site, game.address)
            moves = str(row["moves"])
            assert (row["version"], len(moves), len({*moves})) == (2, plies, plies)


def test_a_move_an_undo_and_a_hint_at_once_are_one_change(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    game = alice.start("hard", "x", cell=4)
    fields = {"version": "1", "cell": str(game.playable[0])}
    posts = [
        (cookie_of(alice), f"{game.address}/{what}", fields)
        for what in ("moves", "undo", "hint")
        for _ in range(16)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 1, 409: 47}
    assert alice.get(game.address).version == 2


def test_moves_in_many_games_at_once_are_all_played(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    games = [alice.start("medium", "x", cell=4) for _ in range(40)]
    posts = [
        (
            cookie_of(alice),
            f"{game.address}/moves",
            {"cell": str(game.playable[0]), "version": "1"},
        )
        for game in games
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 40}
    for game in games:
        page = alice.get(game.address)
        assert (page.version, page.board.count("X")) == (2, 2)
        assert rules.outcome(page.board) == page.outcome


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
        for number in range(REQUESTS)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 1, 409: REQUESTS - 1}
    page = alice.get(pair.address)
    assert (page.version, page.board.count("X"), page.board.count("O")) == (3, 1, 0)


def test_a_last_move_and_a_resignation_at_once_end_it_once(race: races.Race, site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("0314")
    version = str(alice.get(pair.address).version)
    posts = [
        (cookie_of(alice), f"{pair.address}/moves", {"cell": "2", "version": version}),
        (cookie_of(bob), f"{pair.address}/resign", {"version": version}),
    ] * 10
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 1, 409: 19}
    # Whichever came first, Alice has won, and both hear of it once.
    assert stored(site, pair.address)["outcome"] == "x"
    assert sorted(row[2] for row in site.dump()["records"]) == ["l", "w"]
    assert sorted(row[2:] for row in site.dump()["scores"]) == [(0, 0, 1), (1, 0, 0)]


# --- the next game --------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["x", "o"])
def test_of_forty_times_again_at_most_one_next_game_comes(
    race: races.Race, site: Site, mark: str
) -> None:
    alice = site.visitor()
    games = [alice.start("hard", mark, **({"cell": 4} if mark == "x" else {})) for _ in range(3)]
    posts: list[races.Post] = [
        (cookie_of(alice), f"{game.address}/again", {}) for _ in range(40) for game in games
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 120}
    rows = [stored(site, game.address) for game in games]
    assert {(row["version"], row["outcome"]) for row in rows} == {(2, "left")}
    # Where the player has X, the next game begins with their move only.
    following = {f"/games/{row['next_id']}" for row in rows} if mark == "o" else {"/"}
    assert where(answers) == following
    assert len(site.dump()["games"]) == (6 if mark == "o" else 3)


@pytest.mark.parametrize(
    "fields", [{"mark": "x", "cell": "4"}, {"mark": "o"}, {"mark": "x", "moves": "40"}]
)
def test_the_same_key_sent_by_many_makes_one_game(
    race: races.Race, site: Site, fields: dict[str, str]
) -> None:
    cookie = cookie_of(site.visitor())
    posts: list[races.Post] = [
        (cookie, "/games", {"opponent": "easy", "key": f"k{number % 3}", **fields})
        for number in range(60)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 60}
    assert len(where(answers)) == len(site.dump()["games"]) == 3


def test_a_newcomer_who_starts_many_games_at_once_gets_them_all(
    race: races.Race, site: Site
) -> None:
    cookie = cookie_of(site.visitor())
    posts = [
        (cookie, "/games", {"opponent": ("easy", "hard")[number % 2], "mark": "o"})
        for number in range(60)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 60}
    assert len(where(answers)) == len(site.dump()["games"]) == 60
    assert len(site.dump()["players"]) == 1


# --- two people -----------------------------------------------------------------------------------


def test_of_a_hundred_who_want_the_last_seat_one_sits(
    race: races.Race, site: Site, times: Callable[[int, int], int]
) -> None:
    pupils = [secrets.token_urlsafe(32) for _ in range(REQUESTS)]
    for rounds in batches(times(3, 1000)):
        pages = [challenge(site.visitor()) for _ in range(rounds)]
        posts: list[list[races.Post]] = [
            [(pupil, f"/join/{code_of(page)}", {}) for pupil in pupils] for page in pages
        ]
        known = len(site.dump()["players"])
        for page, answers in zip(pages, race.post(site.settings, *posts), strict=True):
            assert statuses(answers) == {303: 1, 409: REQUESTS - 1}
            assert where(answers) == {page.address}
            game = stored(site, page.address)
            assert game["version"] == 2
            assert game["o_seat"] not in (None, game["x_seat"])
        # Anyone who came too late has left no trace.
        assert len(site.dump()["players"]) <= known + rounds


def test_two_who_join_each_other_at_the_same_moment_sit_at_one_game(
    race: races.Race, site: Site
) -> None:
    pairs = [(site.visitor(), site.visitor()) for _ in range(20)]
    posts: list[races.Post] = []
    for pair in pairs:
        codes = [code_of(challenge(who)) for who in pair]
        for who, code in zip(pair, reversed(codes), strict=True):
            posts.append((cookie_of(who), f"/join/{code}", {}))
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: len(pairs), 404: len(pairs)}
    assert len(site.dump()["games"]) == len(pairs)


def test_a_player_who_joins_many_times_at_once_sits_once(race: races.Race, site: Site) -> None:
    page = challenge(site.visitor())
    posts: list[races.Post] = [(secrets.token_urlsafe(32), f"/join/{code_of(page)}", {})] * 40
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 40}
    assert where(answers) == {page.address}
    assert stored(site, page.address)["version"] == 2


def test_two_who_agree_at_the_same_moment_get_one_rematch(race: races.Race, site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    before = int(str(stored(site, pair.address)["version"]))
    posts: list[races.Post] = [
        (cookie_of((alice, bob)[number % 2]), f"{pair.address}/again", {}) for number in range(40)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 40}
    game = stored(site, pair.address)
    # Once asked for, once agreed to.
    assert game["version"] == before + 2
    assert where(answers) - {pair.address} == {f"/games/{game['next_id']}"}
    assert len(site.dump()["games"]) == 2
