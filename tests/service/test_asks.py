from itertools import chain

import pytest

from tests.service.conftest import ALICE, BOB, CAROL, DAN, Class, on_both
from tests.support import races
from tests.support.patience import Times
from tests.support.people import Clock, player_of
from tests.support.visitor import Site, Visitor
from webapp.core.game import ABSENT_AFTER, NotAllowed
from webapp.live import LEFT_S
from webapp.service import games, lobby, players, teacher, tournaments, wishes
from webapp.service.lobby import Ask
from webapp.service.refusals import Paused, Unknown
from webapp.service.seats import AlreadyPlaying
from webapp.store.wishes import BUSY_S, waiting
from webapp.tournament.event import Format, Opening


def test_only_the_two_see_who_is_asked_and_accepting_begins_the_game(pupils: Class) -> None:
    assert pupils.ask(ALICE, BOB) is None
    wishes.pair_all(pupils.host)
    seen = [pupils.seen(one) for one in (ALICE, BOB, CAROL)]
    assert seen == [{"b": Ask.ASKED}, {"a": Ask.ASKS}, {}]
    assert not any(one.looking for one in lobby.overview(pupils.host, CAROL).here)
    assert [pupils.asker(one) for one in (ALICE, BOB, CAROL)] == [None, "a", None]
    game = pupils.ask(BOB, ALICE, accept=True)
    assert pupils.seats(game) == {ALICE, BOB}
    assert lobby.begun(pupils.host, ALICE) == game
    assert (pupils.seen(ALICE), pupils.asker(BOB)) == ({}, None)
    assert pupils.ask(BOB, ALICE, accept=True) == pupils.ask(ALICE, BOB) == game, "pressed again"


def test_anyone_who_asks_back_or_looks_or_has_an_open_game_is_met_at_once(pupils: Class) -> None:
    pupils.ask(ALICE, BOB)
    assert pupils.seats(pupils.ask(BOB, ALICE)) == {ALICE, BOB}
    pupils.ask(CAROL, DAN)
    assert pupils.seats(pupils.seek(DAN)) == {CAROL, DAN}
    eve, finn = "e" * 64, "f" * 64
    pupils.seek(eve)
    pupils.here(eve)
    assert pupils.seats(pupils.ask(finn, eve)) == {eve, finn}
    wishes.invite(pupils.host, DAN, "o", give_up=True)
    assert pupils.game(pupils.ask(CAROL, DAN)).o_seat == DAN


def test_one_is_asked_at_a_time_and_asking_and_looking_exclude_each_other(pupils: Class) -> None:
    pupils.ask(ALICE, BOB)
    pupils.ask(ALICE, CAROL)
    assert [pupils.asker(one) for one in (BOB, CAROL)] == [None, "a"]
    assert pupils.seek(ALICE) is None
    assert pupils.asker(CAROL) is None
    assert pupils.looking() == "a"
    pupils.ask(ALICE, BOB)
    assert pupils.looking() == ""
    assert pupils.seek(DAN) is None, "she waits for no one but him"
    wishes.cancel(pupils.host, ALICE)
    assert pupils.asker(BOB) is None
    code = wishes.invite(pupils.host, CAROL, "x")
    pupils.ask(CAROL, BOB)
    with pytest.raises(Unknown):  # an open game is withdrawn
        wishes.join(pupils.host, code, ALICE)
    wishes.invite(pupils.host, CAROL, "x")
    assert pupils.asker(BOB) is None, "and takes back what was asked"


def test_of_several_who_ask_the_first_calls_the_others_wait(pupils: Class, clock: Clock) -> None:
    for one in (CAROL, ALICE):
        pupils.ask(one, BOB)
        clock.goes_on(1)
    assert pupils.asker(BOB) == "c"
    wishes.decline(pupils.host, BOB, CAROL)
    assert pupils.asker(BOB) == "a"
    pupils.ask(CAROL, DAN)
    pupils.ask(BOB, ALICE, accept=True)
    wishes.pair_all(pupils.host)
    assert pupils.asker(DAN) == "c", "what others ask goes on"


def test_a_decline_makes_busy_for_five_minutes(pupils: Class, clock: Clock, site: Site) -> None:
    pupils.ask(ALICE, BOB)
    wishes.decline(pupils.host, BOB, ALICE)
    wishes.decline(pupils.host, BOB, ALICE)
    assert pupils.asker(BOB) is None
    assert pupils.seen(ALICE) == {"b": Ask.BUSY}
    assert pupils.seen(BOB) == pupils.seen(CAROL) == {}
    assert pupils.refused(ALICE, BOB) == "NAME is busy."
    pupils.seek(BOB)
    assert pupils.refused(ALICE, BOB) == "NAME is busy.", "also while he looks for anyone"
    wishes.cancel(pupils.host, BOB)
    assert lobby.overview(pupils.host, ALICE).free_in_s == BUSY_S + 1
    clock.goes_on(BUSY_S)
    pupils.here(ALICE, BOB, CAROL)
    with pytest.raises(NotAllowed, match="is busy"):
        wishes.ask(clock.another(site.service), ALICE, BOB)
    assert pupils.ask(CAROL, BOB) is None, "who has not been declined"
    clock.goes_on(1)
    assert pupils.ask(ALICE, BOB) is None
    assert pupils.seen(ALICE) == {"b": Ask.ASKED}


def test_anyone_who_has_declined_may_ask_and_that_can_be_accepted(pupils: Class) -> None:
    pupils.ask(ALICE, BOB)
    wishes.decline(pupils.host, BOB, ALICE)
    pupils.ask(BOB, ALICE)
    assert pupils.seen(ALICE) == {"b": Ask.ASKS}
    game = pupils.game(pupils.ask(ALICE, BOB, accept=True))
    assert game.players == {ALICE, BOB}
    games.resign(pupils.host, game.id, ALICE, game.version)
    pupils.seek(ALICE)
    again = pupils.game(pupils.ask(BOB, ALICE))
    assert again.x_seat == game.o_seat, "they need not wait, and marks alternate"


def test_who_cannot_be_asked_is_said_in_words(pupils: Class, clock: Clock) -> None:
    with pytest.raises(NotAllowed, match="against yourself"):
        pupils.ask(ALICE, ALICE)
    pupils.ask(BOB, CAROL)
    pupils.ask(CAROL, BOB)
    assert pupils.refused(ALICE, BOB) == "NAME is playing."
    with pytest.raises(AlreadyPlaying):
        pupils.ask(BOB, ALICE)
    assert pupils.ask(BOB, ALICE, give_up=True) is None
    pupils.host.live.closed(DAN)
    clock.goes_on(LEFT_S + 1)
    assert pupils.refused(ALICE, DAN) == "NAME is not here now."
    pupils.here(DAN)
    teacher.pause(pupils.host)
    for how in ({}, {"accept": True}):
        with pytest.raises(Paused):
            pupils.ask(ALICE, DAN, **how)


def test_a_player_of_a_tournament_neither_asks_nor_is_asked(pupils: Class) -> None:
    pupils.ask(ALICE, BOB)
    pupils.ask(CAROL, DAN)
    event = tournaments.create(pupils.host, Format.ARENA, Opening.EMPTY, 15, 5)
    for one in (BOB, CAROL):
        tournaments.join(pupils.host, event, one)
    assert pupils.asker(BOB) == "a", "before it is played it keeps no one"
    tournaments.start(pupils.host, event)
    wishes.pair_all(pupils.host)
    with pupils.host.database.read() as connection:
        assert waiting(connection) == []
    assert pupils.refused(ALICE, BOB) == "NAME is in the tournament."
    with pytest.raises(NotAllowed, match="You are in the tournament"):
        pupils.ask(BOB, ALICE)


@pytest.mark.parametrize("gone", [ALICE, BOB])
def test_what_is_asked_ends_with_a_going_or_a_game(pupils: Class, clock: Clock, gone: str) -> None:
    pupils.ask(ALICE, BOB)
    clock.goes_on(1)
    pupils.host.live.closed(gone)
    clock.goes_on(LEFT_S + 1)
    pupils.here({ALICE, BOB}.difference({gone}).pop())
    if gone is ALICE:
        assert pupils.refused(BOB, ALICE, accept=True) == "NAME is not here now."
    wishes.pair_all(pupils.host)
    pupils.here(ALICE, BOB, CAROL)
    assert (pupils.asker(BOB), pupils.seen(ALICE)) == (None, {})
    pupils.ask(gone, CAROL)
    game = pupils.game(pupils.ask(CAROL, gone))
    for move in "4" if game.x_seat == gone else "40":  # whose move it is keeps them
        pupils.play(game.id, move)
        clock.goes_on(ABSENT_AFTER)
        pupils.here(ALICE, BOB, CAROL)
    assert pupils.ask(ALICE, BOB) is None
    pupils.play(game.id, "8")
    wishes.pair_all(pupils.host)
    assert pupils.asker(BOB) is None


def test_nothing_is_kept_of_a_player_who_is_forgotten(pupils: Class) -> None:
    pupils.ask(ALICE, BOB)
    wishes.decline(pupils.host, BOB, ALICE)
    pupils.ask(BOB, ALICE)
    players.forget(pupils.host, BOB)
    with pupils.host.database.read() as connection:
        assert waiting(connection) == []
    assert pupils.seen(ALICE) == {}


@on_both
def test_what_two_do_at_once_leads_to_one_game(race: races.Race, site: Site, times: Times) -> None:
    pairs = [[site.visitor() for _ in "ab"] for _ in range(times(6, 100))]
    for who in chain(*pairs):
        who.come_in()

    def ask(asker: Visitor, asked: Visitor, **fields: str) -> races.Post:
        number = teacher.number(player_of(asked))
        return asker.cookie() or "", "/challenges", {"to": str(number), **fields}

    posts = list[races.Post]()
    for asker, asked in pairs[::2]:
        _, address, fields = ask(asker, asked)
        assert asker.post(address, fields).location == "/class"
        posts += [ask(asked, asker, accept="1"), (asker.cookie() or "", "/seeks/cancel", {})]
    for one, other in pairs[1::2]:  # the others ask each other
        posts += [ask(one, other), ask(other, one)] * 2
    (answers,) = race.post(site.settings, posts)
    assert {status for status, _ in answers} <= {303, 409}
    games = site.dump()["games"]
    begun = {location for _, location in answers if "/games/" in location}
    assert {f"/games/{game[0]}" for game in games} == begun
    seats = [seat for game in games for seat in game[3:5]]
    assert len(seats) == len({*seats})
    assert {player_of(who) for who in chain(*pairs[1::2])} <= {*seats}
    with site.database.read() as connection:
        assert waiting(connection) == []
