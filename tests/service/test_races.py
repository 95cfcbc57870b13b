"""Many requests at one moment, in real processes: what may happen once happens once."""

import secrets
from collections import Counter
from itertools import cycle, repeat

from tests.service.conftest import on_both
from tests.support import races
from tests.support.page import Page
from tests.support.patience import Times
from tests.support.people import challenge, code_of, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service import sessions, teacher
from webapp.service.key import HostKey

pytestmark = on_both


def cookie_of(visitor: Visitor) -> str:
    visitor.get("/")
    return visitor.cookie() or ""


def statuses(answers: list[races.Answer]) -> Counter[int]:
    return Counter(status for status, _ in answers)


def where(answers: list[races.Answer]) -> set[str]:
    return {location for status, location in answers if status == 303}


def begin(site: Site, opponent: str) -> tuple[list[Visitor], Page]:
    alice, bob = site.visitor(), site.visitor()
    if opponent == "classmate":
        return [alice, bob], alice.get(sit_down(alice, bob).address)
    fields = {"mark": "x", "cell": 4} if opponent == "friend" else {"mark": "o"}
    return [alice], alice.follow(alice.post("/games", {"opponent": opponent, **fields}))


def test_of_many_moves_at_once_one_is_played(race: races.Race, site: Site, times: Times) -> None:
    marks = {"medium": 3, "friend": 2, "classmate": 1}  # on the board after a move
    requests = times(24, 100)
    for _ in range(times(1, 40)):
        starts = [(begin(site, kind), marks[kind]) for kind in [*marks] * times(1, 8)]
        posts = list[list[races.Post]]()
        for (who, game), _ in starts:
            sent = [{"cell": str(n % 9), "version": str(game.version)} for n in range(requests)]
            cookies, moves = [cookie_of(one) for one in who], f"{game.address}/moves"
            posts.append([*zip(cycle(cookies), repeat(moves), sent, strict=False)])
        answered = race.post(site.settings, *posts)
        for ((_, game), plies), answers in zip(starts, answered, strict=True):
            assert statuses(answers) == {303: 1, 409: requests - 1}
            assert where(answers) == {game.address}
            row = site.stored(game.address)
            assert row["version"] == game.version + 1
            assert len(row["moves"]) == len({*row["moves"]}) == plies


def test_of_many_times_again_at_most_one_next_game_comes(
    race: races.Race, site: Site, alice: Visitor, bob: Visitor, times: Times
) -> None:
    pair = sit_down(alice, bob)
    pair.play("03142")
    before = site.stored(pair.address)["version"]
    games = [pair.address, *(alice.start("hard", "o").address for _ in range(3))]
    posts: list[races.Post] = [
        (cookie_of((alice, bob)[number % 2 * (game == pair.address)]), f"{game}/again", {})
        for number in range(times(12, 40))
        for game in games
    ]
    (answers,) = race.post(site.settings, posts)
    assert statuses(answers) == {303: len(posts)}
    both, *rows = [site.stored(game) for game in games]
    assert both["version"] == before + 2, "once asked for, once agreed to"
    assert {(row["version"], row["outcome"]) for row in rows} == {(2, "left")}
    following = {f"/games/{row['next_id']}" for row in (both, *rows)}
    assert where(answers) - {pair.address} == following
    assert len(site.dump()["games"]) == 8


def test_the_same_key_sent_by_many_makes_one_game(race: races.Race, site: Site) -> None:
    posts = list[list[races.Post]]()
    for begun in ({"mark": "o"}, {"mark": "x", "moves": "40"}):
        cookie, keys = cookie_of(site.visitor()), [f"k{number % 3}" for number in range(60)]
        posts.append([(cookie, "/games", {"opponent": "easy", "key": k, **begun}) for k in keys])
    for answers in race.post(site.settings, *posts):
        assert (statuses(answers), len(where(answers))) == ({303: 60}, 3)
    assert len(site.dump()["games"]) == 6
    # A newcomer's, at that: given moves alone make no player.
    assert len(site.dump()["players"]) == 1


def test_of_a_hundred_for_a_seat_one_sits(race: races.Race, site: Site, times: Times) -> None:
    pupils = [secrets.token_urlsafe(32) for _ in range(100)]
    for _ in range(times(1, 40)):
        hosts = [site.visitor() for _ in range(times(1, 25))]
        posts: list[list[races.Post]] = [
            [(pupil, f"/join/{code_of(challenge(host))}", {}) for pupil in pupils] for host in hosts
        ]
        known = len(site.dump()["players"])
        for host, answers in zip(hosts, race.post(site.settings, *posts), strict=True):
            assert statuses(answers) == {303: 1, 404: 99}
            (address,) = where(answers)
            game = site.stored(address)
            assert game["version"] == 1
            assert game["x_seat"] == player_of(host)
            assert game["o_seat"] not in (None, game["x_seat"])
        assert len(site.dump()["players"]) <= known + len(hosts)


def test_two_who_join_each_other_at_once_sit_at_one_game(race: races.Race, site: Site) -> None:
    pairs = [(site.visitor(), site.visitor()) for _ in range(12)]
    posts: list[races.Post] = []
    for pair in pairs:
        codes = [code_of(challenge(who)) for who in pair]
        for who, code in zip(pair, reversed(codes), strict=True):
            posts.append((cookie_of(who), f"/join/{code}", {}))
    (answers,) = race.post(site.settings, posts)
    # The second is led to the game that the first has begun.
    assert statuses(answers) == {303: 2 * len(pairs)}
    assert len(where(answers)) == len(site.dump()["games"]) == len(pairs)


def test_no_move_is_stored_after_a_pause(race: races.Race, site: Site, times: Times) -> None:
    key = HostKey(site.settings).ensure()
    pause: races.Post = (sessions.sign_in(site.service, key) or "", "/host/pause", {})
    for _ in range(times(2, 20)):
        pairs = [sit_down(site.visitor(), site.visitor()) for _ in range(24)]
        played = [(pair.address, cookie_of(pair.x), cookie_of(pair.o)) for pair in pairs]
        first, second, third = (
            [
                (o if ply % 2 else x, f"{game}/moves", {"cell": cell, "version": str(1 + ply)})
                for game, x, o in played
            ]
            for ply, cell in enumerate("041")
        )
        begun, during, late = race.post(site.settings, first, [*second, pause], [*second, *third])
        assert statuses(begun) == {303: len(played)}
        assert statuses(late) == {409: 2 * len(played)}
        in_time = where(during)
        assert in_time - {game for game, _, _ in played} == {"/host#now"}
        for game, _, _ in played:
            assert len(site.stored(game)["moves"]) == 1 + (game in in_time)
        teacher.pause(site.service, paused=False)
