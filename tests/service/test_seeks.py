import secrets
from collections.abc import Callable

import pytest

from tests.service.conftest import ALICE, BOB, CAROL, DAN, Class, on_both
from tests.support import races
from tests.support.patience import Times
from tests.support.people import Clock
from tests.support.visitor import Site
from webapp.core.game import ABSENT_AFTER
from webapp.live import SETTLED_S
from webapp.polls import Life
from webapp.service import games, lobby, players, polls, wishes
from webapp.service.seats import AlreadyPlaying
from webapp.service.wishes import SAME_AGAIN
from webapp.store import wishes as stored

DRAWN = "048176253"


def test_a_code_is_read_as_people_type_or_paste_it() -> None:
    pasted = "http://192.168.1.20:8000/join/K7M2QX/"
    for typed in ("k7m2qx", " K7M-2QX. ", "Ｋ７Ｍ２ＱＸ", "k٧m۲qx", pasted):
        assert wishes.as_code(typed) == "K7M2QX"


def test_a_game_left_before_a_move_counts_for_neither(pupils: Class) -> None:
    host = pupils.host
    ways: list[Callable[[], object]] = [
        lambda: wishes.join(host, wishes.invite(host, BOB, "x"), CAROL, give_up=True),
        lambda: wishes.invite(host, CAROL, "x", give_up=True),
        lambda: pupils.seek(CAROL, give_up=True),
    ]
    for onward in ways:
        code = wishes.invite(host, ALICE, "x", give_up=True)
        first = wishes.join(host, code, CAROL, give_up=True)
        pupils.play(first, "4")
        onward()
        assert pupils.game(first).cancelled


def test_the_second_who_looks_plays_the_first_and_the_third_waits(pupils: Class) -> None:
    asked = polls.ask(pupils.host, "0")
    assert [pupils.seek(player) for player in (ALICE, ALICE, BOB)] == [None] * 3
    wishes.pair_all(pupils.host)
    assert pupils.looking() == "ab", "while a question is open no one meets"
    polls.advance(pupils.host, asked, Life.CLOSED)
    wishes.pair_all(pupils.host)
    game = pupils.game(lobby.begun(pupils.host, ALICE))
    assert game.players == {ALICE, BOB}
    assert game.moves == ()
    assert pupils.seek(CAROL) is None
    wishes.pair_all(pupils.host)
    assert pupils.looking() == "c", "no one meets themselves"


def test_marks_are_drawn_by_lot_and_then_alternate(pupils: Class, clock: Clock) -> None:
    firsts = set()
    for number in range(20):
        one, other = (f"{number:02}{letter}".ljust(64, "0") for letter in "xy")
        pupils.seek(one)
        firsts.add(pupils.game(pupils.seek(other)).x_seat == one)
    assert firsts == {True, False}
    crosses = []
    for _ in range(4):
        pupils.here(ALICE, BOB)
        pupils.seek(ALICE)
        game_id = pupils.seek(BOB)
        if game_id is None:
            clock.goes_on(SAME_AGAIN)
            wishes.pair_all(pupils.host)
            game_id = lobby.begun(pupils.host, ALICE)
        crosses.append(pupils.play(game_id, DRAWN).x_seat)
        clock.goes_on(1)
    assert crosses in ([ALICE, BOB] * 2, [BOB, ALICE] * 2)


def test_two_who_have_just_played_wait_for_someone_else(pupils: Class, clock: Clock) -> None:
    pupils.seek(ALICE)
    first = pupils.play(pupils.seek(BOB), DRAWN)
    for one in (ALICE, BOB):
        game = games.again(pupils.host, first.id, one, {}).game
    assert pupils.play(game.id, DRAWN).changed_at == first.changed_at, "in the same second"
    assert [pupils.seek(one) for one in (ALICE, BOB)] == [None, None]
    clock.goes_on(SAME_AGAIN - 1)
    wishes.pair_all(pupils.host)
    assert pupils.looking() == "ab"
    assert CAROL in pupils.game(pupils.seek(CAROL)).players
    one, other = (ALICE, BOB) if lobby.begun(pupils.host, ALICE) else (BOB, ALICE)
    pupils.play(lobby.begun(pupils.host, one), DRAWN)
    assert pupils.looking() == other[0]
    assert pupils.seek(one), "they have not just played each other any more"


def test_who_gives_a_game_up_has_just_played_its_opponent(pupils: Class, clock: Clock) -> None:
    pupils.seek(ALICE)
    game = pupils.game(pupils.seek(BOB))
    clock.goes_on(ABSENT_AFTER)
    pupils.here(ALICE, BOB)
    assert pupils.seek(game.o_seat or "") is None, "who need not wait for the other's move"
    assert pupils.seek(game.x_seat or "", give_up=True) is None
    assert pupils.game(game.id).outcome
    clock.goes_on(SAME_AGAIN)
    wishes.pair_all(pupils.host)
    assert pupils.game(lobby.begun(pupils.host, ALICE)).x_seat == game.o_seat


def test_who_has_gone_meets_no_one_but_pages_may_come_back(pupils: Class, clock: Clock) -> None:
    pupils.seek(ALICE)
    clock.goes_on(1)  # a good-bye within the same second is of the page that she comes from
    pupils.host.live.closed(ALICE)
    clock.goes_on(3)
    assert pupils.seek(BOB) is None
    wishes.pair_all(pupils.host)
    pupils.here(ALICE)
    assert pupils.looking() == "b", "the seek ended with the presence"
    clock.goes_on(60)
    pupils.host.live._began = clock._steady()
    wishes.pair_all(pupils.host)
    assert pupils.seek(CAROL) is None, "he is not known to be here"
    assert pupils.looking() == "bc"
    clock.goes_on(SETTLED_S)
    pupils.here(CAROL)
    wishes.pair_all(pupils.host)
    assert pupils.looking() == "c"


def test_a_seek_ends_with_any_other_way_to_a_game(pupils: Class) -> None:
    pupils.seek(ALICE)
    code = wishes.invite(pupils.host, ALICE, "x")
    assert pupils.looking() == ""
    assert pupils.seek(BOB) is None, "she waits for the one who has the code"
    joined = wishes.join(pupils.host, code, BOB)
    assert pupils.looking() == ""
    pupils.seek(CAROL)
    wishes.cancel(pupils.host, CAROL)
    assert pupils.seek(DAN) is None
    with pytest.raises(AlreadyPlaying):
        pupils.seek(ALICE)
    players.forget(pupils.host, DAN)
    assert pupils.looking() == ""
    assert pupils.seek(DAN) is None
    assert pupils.seek(ALICE, give_up=True)
    assert pupils.game(joined).outcome
    rematch = pupils.play(lobby.begun(pupils.host, ALICE), DRAWN)
    games.again(pupils.host, rematch.id, ALICE, {})
    pupils.seek(ALICE)
    games.again(pupils.host, rematch.id, DAN, {})
    assert pupils.looking() == "", "a rematch ends it too"


def test_who_is_in_a_game_again_is_paired_with_no_one(pupils: Class, clock: Clock) -> None:
    pupils.seek(ALICE)
    game = pupils.play(pupils.seek(BOB), "4")
    x, o = game.x_seat or "", game.o_seat or ""
    clock.goes_on(ABSENT_AFTER)
    pupils.here(x)
    assert pupils.seek(x) is None
    pupils.play(game.id, "0")
    assert pupils.seek(CAROL) is None
    pupils.here(x, CAROL)
    wishes.pair_all(pupils.host)
    assert pupils.looking() == "c"
    pupils.play(game.id, "813")
    with pytest.raises(AlreadyPlaying):
        pupils.seek(o)


@on_both
def test_sixty_who_press_are_in_thirty_games(race: races.Race, site: Site, times: Times) -> None:
    posts: list[list[races.Post]] = [
        [(secrets.token_urlsafe(32), "/seeks", {}) for _ in range(60)] for _ in range(times(1, 100))
    ]
    for answers in race.post(site.settings, *posts):
        assert {status for status, _ in answers} == {303}
        assert sum("/games/" in location for _, location in answers) == 30
    with site.database.read() as connection:
        assert stored.waiting(connection) == []
    seats = [seat for game in site.dump()["games"] for seat in game[3:5]]
    assert len(seats) == len({*seats} - {None}) == len(posts) * 60
