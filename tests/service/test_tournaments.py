"""What is stored of tournaments, however many change it at once; the test moves the clock."""

import hashlib
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from itertools import count, product
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from tests.service.conftest import on_both
from tests.support import played
from tests.support.people import Clock
from tests.support.visitor import Site, statements
from webapp.core.board import Mark
from webapp.core.game import ABSENT_AFTER, Game, NotAllowed
from webapp.polls import Life
from webapp.service import games, lobby, players, polls, teacher, tidying, tournaments, wishes
from webapp.service.refusals import Conflict, Paused, Unknown
from webapp.service.tidying import DAY
from webapp.store import games as stored_games
from webapp.store import tournaments as stored
from webapp.tournament.due import GAP_MS, NETWORK_MS, OPENING_MS, REST_MS
from webapp.tournament.event import Entrant, Format, Opening, State, Step

TICK = 0.5
CLOCK = 10
FIRST = CLOCK + OPENING_MS // 1000
REST = REST_MS / 1000
IN_TOURNAMENT = "You are in the tournament: your next game there starts by itself."
FINISHED = ("x_seat", "o_seat", "outcome", "ending", "moves", "given")


def pupil(number: int) -> str:
    return hashlib.sha256(f"pupil {number}".encode()).hexdigest()


class Event:
    """A tournament, whose pages ask in it, and the servers."""

    def __init__(self, site: Site, clock: Clock) -> None:
        self.site, self.clock, self.rng = site, clock, Random(9)
        self.host = site.service
        self.host.rng = self.rng
        self.workers = [self.host]
        self.id = ""
        self.here = set[str]()

    def create(self, form: Format, length: int, *players: str, begins: bool = True) -> None:
        self.id = tournaments.create(self.host, form, Opening.SHARP, CLOCK, length)
        for player in players:
            self.join(player)
        self.ask()
        if begins:
            tournaments.start(self.host, self.id)
            self.tick()

    def join(self, player: str) -> None:
        tournaments.join(self.host, self.id, player)
        self.here.add(player)

    def ask(self) -> None:
        for player in self.here:
            self.host.live.asked(player, hidden=True)

    def tick(self) -> None:
        self.host.live.beat()
        for worker in self.workers:
            tournaments.tick(worker)

    def passes(self, seconds: float, moves: float = 0.0) -> None:
        """Let time pass in which each who is to move does so with this probability at each look."""
        for number in range(round(seconds / TICK)):
            self.clock.goes_on(TICK)
            if number % 20 == 0:
                self.ask()
            self.tick()
            for game in self.going() if moves else ():
                if self.rng.random() < moves:
                    self.move(game)
        self.check()

    def move(self, game: Game, cell: int | None = None) -> None:
        chosen = self.rng.choice(game.board.legal_moves) if cell is None else cell
        games.play(self.host, game.id, mover(game), chosen, game.version)

    def play(self, player: str) -> None:
        game = self.game_of(player)
        while not game.outcome:
            self.move(game)
            game = games.look(self.host, game.id, "").game

    @property
    def standing(self) -> tournaments.Standing:
        return tournaments.standing(self.host, self.id)

    @property
    def state(self) -> State:
        return self.standing.tournament.state

    def left(self, game: Game) -> int:
        pov = games.look(self.host, game.id, "")
        return (pov.left or 0) + pov.begins_in

    def going(self) -> list[Game]:
        return [*self.standing.going.values()]

    def entrant(self, player: str) -> Entrant:
        (found,) = [one for one in self.standing.entrants if one.player == player]
        return found

    def game_of(self, player: str) -> Game:
        game_id = tournaments.present_game(self.host, self.id, player)
        assert game_id
        return games.look(self.host, game_id, "").game

    def points(self, player: str) -> int:
        (line,) = [one for one in self.standing.table if one.player == player]
        return line.points

    def outcomes(self) -> list[tuple[str, str | None]]:
        return [(game.outcome, game.ending) for game in self.standing.finished.values()]

    def check(self) -> None:
        """Each game belongs to a match and is told as it is stored, and no one is in two."""
        stored = played.rows(self.site.database)
        matches, games = (
            {key: row for key, row in stored[name].items() if row["tournament"] == self.id}
            for name in ("matches", "games")
        )
        for one in self.standing.finished.values():
            assert one[1:] == tuple(games[one.id,][name] for name in FINISHED)
        playing = list[str]()
        for match, (step, name) in product(matches.values(), ((1, "first"), (3, "second"))):
            if game := games.pop((match[f"{name}_game"],), None):  # begun, and not deleted
                assert game["given"] == len(match["opening"])
                assert game["moves"].startswith(match["opening"])
                if game["outcome"] == "":
                    playing += game["x_seat"], game["o_seat"]
                    assert match["step"] == step
        assert (games, len(playing)) == ({}, len({*playing}))


@pytest.fixture
def event(site: Site, clock: Clock) -> Event:
    return Event(site, clock)


ALICE, BOB, CAROL, DAN = PUPILS = [pupil(number) for number in range(4)]
"""Alice and Bob are the first two of any."""


def two(event: Event) -> Game:
    event.create(Format.ARENA, 5, ALICE, BOB)
    return event.game_of(ALICE)


def mover(game: Game) -> str:
    return game.seat(game.board.turn) or ""


@pytest.mark.parametrize(
    "site, form, length",
    [("sqlite", Format.ARENA, 1), ("postgres", Format.SWISS, 4)],
    indirect=["site"],
)
def test_some_come_late_and_some_leave(event: Event, form: Format, length: int) -> None:
    first, *people = map(pupil, range(9))
    event.create(form, length, first, *people[:6])
    event.passes(20, 0.8)
    event.join(people[6])
    tournaments.leave(event.host, event.id, first)
    event.passes(15, 0.8)
    for player in (people[7], first):
        event.join(player)
    while event.state is not State.OVER:
        event.passes(10, 0.8)
    assert {outcome for outcome, _ in event.outcomes()} <= {"x", "o", "draw"}
    assert min(line.games for line in event.standing.table) >= 1
    assert len({match.opening for match in event.standing.matches}) > 3


def test_the_round_in_which_a_player_came_first_stays(event: Event) -> None:
    event.create(Format.SWISS, 3, ALICE, BOB)
    event.join(CAROL)
    while event.standing.tournament.round_over is None:
        event.passes(1, 0.9)
    event.join(DAN)
    before = [event.points(player) for player in PUPILS]
    for player in (ALICE, CAROL):
        tournaments.leave(event.host, event.id, player)
        for _ in range(2):  # a second click
            event.join(player)
    assert [event.entrant(player).joined for player in PUPILS] == [0, 0, 1, 2]
    assert [event.points(player) for player in PUPILS] == before
    assert before[2:] == [1, 0]


def test_games_count_for_the_ratings_if_both_have_moved(event: Event) -> None:
    event.create(Format.SWISS, 2, *PUPILS)
    one, left = event.going()
    assert all((game.assisted, game.given) == (True, len(game.moves)) for game in (one, left))
    event.play(one.x_seat or "")
    tournaments.leave(event.host, event.id, left.x_seat or "")  # before both have moved
    assert {row[0] for row in event.site.dump()["records"]} == one.players


def test_a_first_move_has_ten_seconds_more_and_none_is_taken_after_its_time(event: Event) -> None:
    game, before = two(event), event.site.dump()
    for player in (ALICE, BOB):
        pov = games.look(event.host, game.id, player)
        assert (pov.left, pov.begins_in) == (CLOCK, OPENING_MS // 1000)
    assert event.site.dump() == before, "a look stores nothing"
    event.passes(FIRST + TICK)
    event.move(game)  # the network was slow
    pov = games.look(event.host, game.id, ALICE)
    assert (pov.left, pov.begins_in) == (CLOCK, 0)
    event.passes(CLOCK)
    event.clock.goes_on(NETWORK_MS / 1000)  # and no one has ticked
    assert event.left(game) == 0
    before = event.site.dump()
    with pytest.raises(NotAllowed, match="ran out of time"):
        event.move(pov.game)
    assert event.site.dump() == before
    event.tick()
    assert event.outcomes() == [(game.board.turn.slug, "time")]


def test_a_move_in_time_is_never_too_late_however_slow_the_ticks(event: Event) -> None:
    game = two(event)
    for _ in range(2):
        event.clock.goes_on(4)  # a server that has no time to tick
        event.move(game)
        event.clock.goes_on(CLOCK)
        event.tick()
        assert event.game_of(ALICE).id == game.id
        game = event.game_of(ALICE)


@on_both
def test_of_several_servers_one_keeps_the_time_whatever_their_clocks_say(event: Event) -> None:
    ahead = (0, -5, 100 * DAY)
    event.workers = [event.clock.another(event.host, seconds) for seconds in ahead]
    event.create(Format.ARENA, 5, *PUPILS)
    for at in range(3):  # one of them is killed, and another one comes
        event.passes(3)
        event.workers[at] = event.clock.another(event.host, ahead[at])
    event.passes(10)
    assert len(event.going()) == 2
    event.passes(4)
    assert [ending for _, ending in event.outcomes()] == ["time", "time"]
    assert 277_000 <= event.standing.tournament.left <= 279_000


@pytest.mark.parametrize("starts, fails", [(True, 0), (False, 2)])
def test_after_an_hours_stop_or_sleep_clocks_begin_again_also_if_ticks_fail(
    event: Event, monkeypatch: pytest.MonkeyPatch, starts: bool, fails: int
) -> None:
    game = two(event)
    event.passes(FIRST - 1)
    left = event.standing.tournament.left
    event.clock.goes_on(3600)
    assert event.left(game) == 1
    if starts:
        event.workers = [event.clock.another(event.host), event.clock.another(event.host)]
    with monkeypatch.context() as patch:
        patch.setattr(stored, "restart_clocks", Mock(side_effect=ZeroDivisionError))
        for _ in range(fails):
            with pytest.raises(ZeroDivisionError):
                event.passes(TICK)
    event.passes(TICK)
    assert (event.left(game), event.standing.tournament.left) == (CLOCK, left)
    event.passes(CLOCK)
    assert [one.id for one in event.going()] == [game.id]
    event.passes(1)
    assert [ending for _, ending in event.outcomes()] == ["time"]


@pytest.mark.parametrize("days", [-100, 100])
def test_a_clock_that_is_set_changes_nothing(event: Event, days: int) -> None:
    event.create(Format.SWISS, 1, *PUPILS)
    event.passes(FIRST - 1)
    game, other = event.going()
    event.clock.is_set(days * DAY)
    assert event.left(game) == event.left(other) == 1
    event.move(game)
    event.tick()
    tidying.tidy(event.host)
    assert (event.left(game), event.left(other)) == (CLOCK, 1)
    event.passes(1 + TICK)
    assert len(event.going()) == 2
    event.passes(TICK)
    assert [one.id for one in event.going()] == [game.id]
    assert [ending for _, ending in event.outcomes()] == ["time"]


def test_a_pause_stops_the_clocks_and_the_moves(event: Event) -> None:
    game = two(event)
    for seconds, left, days in ((FIRST - 2, 2, 0), (1, 1, -100)):
        event.passes(seconds)
        teacher.pause(event.host)
        event.passes(3 * CLOCK)
        event.clock.is_set(days * DAY)
        pov = games.look(event.host, game.id, ALICE)
        assert (bool(pov.paused), pov.left) == (True, left)
        with pytest.raises(Paused):
            event.move(game)
        teacher.pause(event.host, paused=False)
        assert event.left(game) == left
    event.passes(1.5)
    assert [one.id for one in event.going()] == [game.id]
    event.passes(1)
    assert event.outcomes() == [(game.board.turn.other.slug, "time")]


def test_games_that_begin_during_a_question_have_all_of_their_time_after_it(event: Event) -> None:
    asked = polls.ask(event.host, "0")
    game = two(event)
    event.passes(3 * CLOCK)
    polls.advance(event.host, asked, Life.DONE)
    assert event.left(game) == FIRST
    event.passes(FIRST + TICK)
    assert [one.id for one in event.going()] == [game.id]
    event.passes(1)
    assert [ending for _, ending in event.outcomes()] == ["time"]


def test_a_move_in_a_gap_has_all_of_its_time(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    game, in_time, gaps = two(event), games._in_time, iter([True])

    def gap_comes(*about: Any) -> Game:
        after = in_time(*about)
        if next(gaps, False):
            event.clock.goes_on(GAP_MS / 1000 + 1)
            event.tick()
        return after

    monkeypatch.setattr(games, "_in_time", gap_comes)
    event.move(game)
    assert event.left(game) == CLOCK


def test_the_next_round_begins_at_once_if_the_host_wants_it(event: Event) -> None:
    event.create(Format.SWISS, 2, ALICE, BOB)
    for number in (1, 2):
        with pytest.raises(NotAllowed, match="still in progress"):
            tournaments.next_round(event.host, event.id)
        for _ in range(2):
            event.play(ALICE)
            event.passes(REST + 1)
        assert event.standing.tournament.round == number
        tournaments.next_round(event.host, event.id)
    assert event.state is State.OVER


def test_a_host_ends_it_and_games_that_go_on_count_for_nothing(event: Event) -> None:
    event.create(Format.ARENA, 5, *PUPILS)
    won, left = event.going()
    event.play(won.x_seat or "")
    event.move(left)
    for _ in range(2):
        tournaments.end(event.host, event.id)
    assert sorted(outcome == "cancelled" for outcome, _ in event.outcomes()) == [False, True]
    assert sum(line.games for line in event.standing.table) == 2
    event.passes(60)
    assert event.state is State.OVER
    with pytest.raises(NotAllowed):
        event.join(pupil(7))
    event.create(Format.ARENA, 5, *PUPILS)  # and the next one may begin


@pytest.mark.parametrize("when", ["waiting", "first", "between"])
def test_a_player_who_goes_gives_up_what_goes_on_and_may_come_back(event: Event, when: str) -> None:
    event.create(Format.ARENA, 3, *PUPILS, begins=when != "waiting")
    if when == "between":
        event.play(ALICE)
        event.passes(TICK)
    others = [p for one in event.going() if ALICE in one.players for p in one.players - {ALICE}]
    for _ in range(2):  # a second click
        tournaments.leave(event.host, event.id, ALICE)
    assert not event.entrant(ALICE).playing
    assert tournaments.present_game(event.host, event.id, ALICE) is None
    assert [event.points(player) for player in others] == [2] * (when == "first")
    if when == "waiting":
        tournaments.start(event.host, event.id)
    event.passes(REST + 1)
    assert not any(ALICE in game.players for game in event.going())
    begun = len(event.standing.matches)
    event.join(ALICE)
    event.passes(30, 0.8)
    assert any(ALICE in match.players for match in event.standing.matches[begun:])


def live(event: Event, one: str, other: str, *moves: int) -> str:
    game_id = wishes.join(event.host, wishes.invite(event.host, one, "x"), other) or ""
    for cell in moves:
        event.move(games.look(event.host, game_id, one).game, cell)
    return game_id


def ended(event: Event, game_id: str) -> tuple[str | None, Mark | None]:
    outcome = games.look(event.host, game_id, "").game.outcome
    return (outcome.ending, outcome.winner) if outcome else (None, None)


@pytest.mark.parametrize("moves, seconds", [(0, 0), (1, ABSENT_AFTER + 1), (2, 0), (3, 61)])
def test_who_is_taken_gives_up_another_game(event: Event, moves: int, seconds: int) -> None:
    one, both = live(event, ALICE, DAN, *range(moves)), live(event, BOB, CAROL, 0, 1, 2)
    event.clock.goes_on(seconds)  # an opponent who is away holds no one any more
    event.create(Format.ARENA, 5, ALICE, BOB, CAROL, pupil(7))
    assert (ended(event, one), ended(event, both)) == (("resign", Mark.O), ("cancelled", None))
    counted = {(row[0], row[1]) for row in event.site.dump()["records"]}
    assert counted == ({(ALICE, DAN), (DAN, ALICE)} if moves >= 2 else set())
    assert games.look(event.host, one, DAN).game.marks_of(DAN) == {Mark.O}


def test_a_first_match_withdraws_what_a_player_waits_for(event: Event) -> None:
    game_id, code = live(event, CAROL, DAN), wishes.invite(event.host, BOB, "x")
    engine = games.start(event.host, CAROL, {"opponent": "easy", "mark": "x"}, 4).game.id
    assert wishes.seek(event.host, ALICE) is None
    event.create(Format.SWISS, 3, ALICE, BOB, CAROL)
    resting = next(one.one for one in event.standing.matches if one.other is None)
    assert (ended(event, game_id)[0] is None) is (resting == CAROL)
    while event.standing.tournament.round < 2:
        event.passes(5, 0.5)
    assert (ended(event, game_id), ended(event, engine)) == (("resign", Mark.O), (None, None))
    with pytest.raises(Unknown):
        wishes.join(event.host, code, DAN)
    assert not lobby.overview(event.host, ALICE).wish


@on_both
def test_sixty_begin_in_a_statement_for_each_table(event: Event) -> None:
    event.create(Format.SWISS, 5, *map(pupil, range(60)), begins=False)
    with statements(event.host.database) as asked:
        tournaments.start(event.host, event.id)
    assert len(event.going()) == 30
    assert len(asked) <= (12 if event.host.database.is_shared else 9)  # and its locks


@on_both
def test_a_game_begun_meanwhile_is_seen(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id, seated, looks = live(event, ALICE, DAN), stored_games.seated, count()
    event.create(Format.ARENA, 5, ALICE, BOB, begins=False)
    missed = lambda *about: seated(*about) if next(looks) else []  # noqa: E731
    monkeypatch.setattr(stored_games, "seated", missed)
    tournaments.start(event.host, event.id)
    assert ended(event, game_id) == ("resign", Mark.O)
    assert event.game_of(ALICE).players == {ALICE, BOB}


@on_both
def test_a_tournament_begins_among_other_games(event: Event, aside: Executor) -> None:
    """No two wait for each other: who moves, and who takes a player of the same game."""
    pairs = [(pupil(number), pupil(10 + number)) for number in range(6)]
    ids = [live(event, *pair) for pair in pairs]

    def play(game_id: str) -> None:
        with suppress(Conflict, NotAllowed):
            while not (game := games.look(event.host, game_id, "").game).outcome:
                event.move(game)

    event.create(Format.SWISS, 3, *(one for one, _ in pairs), begins=False)
    plays = [aside.submit(play, game_id) for game_id in ids]
    tournaments.start(event.host, event.id)
    for done in plays:
        done.result()
    endings = {ended(event, game_id) for game_id in ids}
    assert endings <= {("resign", Mark.O), (None, Mark.X), (None, Mark.O), (None, None)}
    assert all(games.look(event.host, game_id, "").game.outcome for game_id in ids)
    assert len(event.going()) == 3
    event.check()


def test_players_of_a_running_tournament_begin_no_other_games(event: Event) -> None:
    before = live(event, ALICE, DAN, 0, 3, 1, 4, 2)
    code = wishes.invite(event.host, pupil(7), "x")
    asked_for = live(event, BOB, pupil(8), 0, 3, 1, 4, 2)
    games.again(event.host, asked_for, BOB, {})
    event.create(Format.SWISS, 3, ALICE, BOB, CAROL)
    tries: list[Callable[..., object]] = [
        partial(wishes.invite, event.host, mark="x"),
        partial(wishes.seek, event.host),
        partial(wishes.join, event.host, code),
    ]
    for try_, player, give_up in product(tries, (ALICE, BOB, CAROL), (True, False)):
        with pytest.raises(NotAllowed, match=IN_TOURNAMENT):  # also for the one with a bye
            try_(player, give_up=give_up)
    for _ in range(2):  # before the other one asks for a rematch, and after it
        with pytest.raises(NotAllowed, match=IN_TOURNAMENT):
            games.again(event.host, before, ALICE, {})
        games.again(event.host, before, DAN, {})
    with pytest.raises(NotAllowed, match="Your opponent is in another game now"):
        games.again(event.host, asked_for, pupil(8), {})
    assert len(event.going()) == 1
    tournaments.leave(event.host, event.id, ALICE)
    assert games.again(event.host, before, ALICE, {}).game.moves == ()


@pytest.mark.parametrize(
    "when, form", [("waiting", Format.ARENA), ("between", Format.ARENA), ("second", Format.SWISS)]
)
def test_a_player_who_goes_for_good_breaks_nothing(event: Event, when: str, form: Format) -> None:
    event.create(form, 3, *PUPILS, begins=when != "waiting")
    if when != "waiting":
        event.play(ALICE)
        event.passes(REST if when == "second" else TICK)
    before = [event.points(player) for player in PUPILS[1:]]
    players.forget(event.host, ALICE)
    assert ALICE not in str(event.site.dump())
    kept = zip(before, map(event.points, PUPILS[1:]), strict=True)
    assert all(then <= now for then, now in kept), "the others keep their points"
    event.here.discard(ALICE)
    if when == "waiting":
        tournaments.start(event.host, event.id)
    event.passes(15, 0.8)
    gone = [one for one in event.standing.entrants if one.player not in PUPILS]
    assert [one.playing for one in gone] == [False] * (when != "waiting")
    for match in event.standing.matches:
        assert match.step is Step.DONE or not {one.player for one in gone} & {*match.players}
    assert set(event.standing.people) == set(PUPILS) - {ALICE}
    players.forget(event.host, BOB)  # who may have been in the same match
    event.passes(10)
