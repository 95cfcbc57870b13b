"""Many requests at one moment, in real processes: what may happen once happens once."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable

import pytest

from tests.support import races
from tests.support.page import Page
from tests.support.people import challenge, code_of, name_of, player_of, sit_down
from tests.support.visitor import Site, Visitor, journal_of, lesson_of
from webapp.classroom import Act
from webapp.service import games, lobby, sessions
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.service.teacher import number

REQUESTS = 100
AT_A_TIME = 25
"""Rounds between which the processes are asked whether they still live."""


def cookie_of(visitor: Visitor) -> str:
    visitor.get("/")
    cookie = visitor.cookie()
    assert cookie
    return cookie


def statuses(answers: list[races.Answer]) -> Counter[int]:
    """How many answers have which status."""
    return Counter(status for status, _ in answers)


def where(answers: list[races.Answer]) -> set[str]:
    """Where the accepted requests lead."""
    return {location for status, location in answers if status == 303}


def batches(rounds: int) -> list[int]:
    """So many rounds, in portions."""
    return [min(AT_A_TIME, rounds - done) for done in range(0, rounds, AT_A_TIME)]


@pytest.mark.parametrize("opponent,plies", [("medium", 3), ("friend", 2), ("classmate", 1)])
def test_of_a_hundred_moves_at_once_one_is_played(
    race: races.Race, site: Site, times: Callable[[int, int], int], *, opponent: str, plies: int
) -> None:
    for rounds in batches(times(1, 1000)):
        starts = [begin(site, opponent) for _ in range(rounds)]
        posts: list[list[races.Post]] = [
            [
                (
                    cookie_of(who[number % len(who)]),
                    f"{game.address}/moves",
                    {"cell": str(number % 9), "version": str(game.version)},
                )
                for number in range(REQUESTS)
            ]
            for who, game in starts
        ]
        answered = race.post(site.settings, *posts)
        for (_, game), answers in zip(starts, answered, strict=True):
            assert statuses(answers) == {303: 1, 409: REQUESTS - 1}
            assert where(answers) == {game.address}
            row = site.stored(game.address)
            moves = row["moves"]
            assert (row["version"], len(moves), len({*moves})) == (game.version + 1, plies, plies)


def begin(site: Site, opponent: str) -> tuple[list[Visitor], Page]:
    """A game that has just begun, and everybody who plays it."""
    alice, bob = site.visitor(), site.visitor()
    if opponent == "classmate":
        return [alice, bob], alice.get(sit_down(alice, bob).address)
    fields = {"mark": "x", "cell": 4} if opponent == "friend" else {"mark": "o"}
    return [alice], alice.follow(alice.post("/games", {"opponent": opponent, **fields}))


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
    rows = [site.stored(game.address) for game in games]
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
    # A newcomer's, at that.
    assert len(site.dump()["players"]) == (0 if "moves" in fields else 1)


def test_a_game_that_many_end_at_once_teaches_menace_once(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    cookie = cookie_of(alice)
    going, played = [alice.start("menace", "o").address for _ in range(6)], list[str]()
    rows = {game: site.stored(game) for game in going}
    while going:
        (answers,) = race.post(
            site.settings,
            [
                (cookie, f"{game}/moves", {"version": str(row["version"]), "cell": str(cell)})
                for game in going
                for row in [rows[game]]
                for cell in set(range(9)) - {*map(int, row["moves"])}
                for _ in range(3)
            ],
        )
        assert statuses(answers)[303] == len(going)
        rows = {game: site.stored(game) for game in going}
        played += [row["moves"] for row in rows.values() if row["outcome"]]
        going = [game for game, row in rows.items() if not row["outcome"]]
    lessons = [(number, moves) for number, _at, _who, _rival, moves in site.dump()["menace"]]
    assert [number for number, _moves in lessons] == [*range(1, 7)]
    assert sorted(moves for _number, moves in lessons) == sorted(played)


def test_of_a_hundred_who_want_the_last_seat_one_sits(
    race: races.Race, site: Site, times: Callable[[int, int], int]
) -> None:
    pupils = [secrets.token_urlsafe(32) for _ in range(REQUESTS)]
    for rounds in batches(times(1, 1000)):
        pages = [challenge(site.visitor()) for _ in range(rounds)]
        posts: list[list[races.Post]] = [
            [(pupil, f"/join/{code_of(page)}", {}) for pupil in pupils] for page in pages
        ]
        known = len(site.dump()["players"])
        for page, answers in zip(pages, race.post(site.settings, *posts), strict=True):
            assert statuses(answers) == {303: 1, 409: REQUESTS - 1}
            assert where(answers) == {page.address}
            game = site.stored(page.address)
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
    # The other one's has been withdrawn, or the sender is in a game already.
    seen = statuses(answers)
    assert (seen[303], seen[404] + seen[409]) == (len(pairs), len(pairs))
    assert len(site.dump()["games"]) == len(pairs)


def test_two_who_agree_at_the_same_moment_get_one_rematch(race: races.Race, site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    before = site.stored(pair.address)["version"]
    posts: list[races.Post] = [
        (cookie_of((alice, bob)[number % 2]), f"{pair.address}/again", {}) for number in range(40)
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: 40}
    game = site.stored(pair.address)
    # Once asked for, once agreed to.
    assert game["version"] == before + 2
    assert where(answers) - {pair.address} == {f"/games/{game['next_id']}"}
    assert len(site.dump()["games"]) == 2


# --- the host -------------------------------------------------------------------------------------


def host_of(site: Site) -> str:
    """The cookie of a host."""
    key = HostKey(site.settings).ensure()
    return sessions.sign_in(site.service, key, None)


def seated(site: Site) -> races.Seats:
    """Two people whom no one has asked for their cookies yet, at a game."""
    x, o = (secrets.token_urlsafe(32) for _ in "xo")
    players = [hashlib.sha256(cookie.encode()).hexdigest() for cookie in (x, o)]
    host = site.service
    game = lobby.challenge(host, players[0], "x")
    lobby.join(host, games.look(host, game, players[0]).game.code or "", players[1])
    return races.Seats(f"/games/{game}", x, o)


def test_no_move_is_stored_that_was_sent_after_a_pause_was_answered(
    race: races.Race, site: Site
) -> None:
    games = [seated(site) for _ in range(REQUESTS)]
    hosts = [host_of(site), *[""] * (races.PROCESSES - 1)]
    shares = [games[part :: races.PROCESSES] for part in range(races.PROCESSES)]
    sent = race.run(races.play_and_pause, site.settings, [*zip(hosts, shares, strict=True)])
    (pause,) = [one for one in sent if one.address == "/host/pause"]
    moves = [one for one in sent if one is not pause]
    late = [move for move in moves if move.at > pause.answered]
    assert (pause.status, {move.status for move in late}) == (303, {409})
    played = Counter(move.address for move in moves if move.status == 303)
    assert 0 < played.total() < len(moves)
    for game in games:
        assert len(site.stored(game.address)["moves"]) == played[f"{game.address}/moves"]


def test_two_hosts_at_once_do_not_overwrite_each_other(race: races.Race, site: Site) -> None:
    host: Service = site.service
    ada, cookie = site.visitor(), host_of(site)
    ada.get("/class")
    address, was = f"/host/players/{number(player_of(ada))}/rename", name_of(ada)
    version = str(lesson_of(host).wall.version)
    walls, names, pauses = race.post(
        site.settings,
        [(cookie, "/host/wall", {"moves": f"{n}", "version": version}) for n in range(9)] * 4,
        [(cookie, address, {"name": f"Ada {n}", "was": was}) for n in range(36)],
        [(cookie, f"/host/{what}", {}) for what in ("pause", "resume") for _ in range(18)],
    )
    assert statuses(walls) == statuses(names) == {303: 1, 409: 35}
    assert lesson_of(host).wall.version == int(version) + 1
    assert statuses(pauses) == {303: 36}
    done = [entry.act for entry in reversed(journal_of(host))]
    assert done[:2] == [Act.SHOW_REVIEW, Act.RENAME]
    assert done[2::2] == [Act.PAUSE] * len(done[2::2])
    assert done[3::2] == [Act.RESUME] * len(done[3::2])
    assert (lesson_of(host).paused_at is not None) is (done[-1] is Act.PAUSE)
