"""Tournaments from their beginning to the table, with a clock that the test moves."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.people import Clock
from tests.support.recompute import Row, Stored, check_matches, recomputed, stored
from tests.support.visitor import Site
from webapp.core.board import Mark
from webapp.core.game import ABSENT_AFTER, OPENING_MS, Game, NotAllowed
from webapp.live import Live
from webapp.live.presence import GOING_S
from webapp.service.games import Games
from webapp.service.host import DAY, Host
from webapp.service.lobby import Lobby
from webapp.service.players import Players
from webapp.service.refusals import Conflict, Paused, Unacceptable, Unknown, UnknownGame
from webapp.service.seeks import Seeks
from webapp.service.tournaments import Standing, Tournaments
from webapp.store import games as stored_games
from webapp.store import records, schema
from webapp.store import tournaments as stored_tournaments
from webapp.store.games import among
from webapp.tournament.due import BREAK_MS, REST_MS
from webapp.tournament.event import Entrant, Format, Opening, State, Step
from webapp.tournament.pairing import PATIENCE

TICK = 0.5
CLOCK = 10
OPENS = OPENING_MS // 1000
IN_TOURNAMENT = "You are in the tournament: your next game there begins by itself."


def pupil(number: int) -> str:
    return hashlib.sha256(f"pupil {number}".encode()).hexdigest()


@dataclass
class Event:
    """A tournament, its players, and what passes in it.

    :param here: whose pages ask, and open each game at once; ``asleep``: who make no moves
    :param workers: who look whether something is due
    """

    site: Site
    clock: Clock
    rng: Random = field(default_factory=lambda: Random(9))
    id: str = ""
    here: set[str] = field(default_factory=set)
    asleep: set[str] = field(default_factory=set)
    workers: list[Tournaments] = field(default_factory=list)

    def __post_init__(self) -> None:
        services = self.site.app.extensions
        self.games: Games = services["games"]
        self.lobby: Lobby = services["lobby"]
        self.seeks: Seeks = services["seeks"]
        self.players: Players = services["players"]
        self.host: Host = services["host"]
        self.live: Live = services["live"]
        self.tournaments: Tournaments = services["tournaments"]
        self.tournaments._rng = self.rng
        self.workers = [self.tournaments]

    # --- what is done ---------------------------------------------------------------------------

    def worker(self) -> Tournaments:
        """The tournaments of another process, which has just started."""
        clock = self.clock.after_a_start()
        return Tournaments(self.site.database, self.live, clock, self.rng)

    def create(
        self,
        form: Format,
        length: int,
        *players: str,
        opening: Opening = Opening.SHARP,
        begins: bool = True,
    ) -> None:
        """Make a tournament with these players, who are here, and start it."""
        self.id = self.tournaments.create(form, opening, CLOCK, length)
        for player in players:
            self.join(player)
        self.ask()
        if begins:
            self.tournaments.start(self.id)

    def join(self, player: str) -> None:
        self.tournaments.join(self.id, player)
        self.here.add(player)

    def go(self, *players: str) -> None:
        """Let these players close their pages, without leaving the tournament."""
        for player in players:
            self.live.presence.left(player)
        self.here -= set(players)
        self.asleep |= set(players)

    def ask(self) -> None:
        """Let the pages of all who are here ask."""
        for player in self.here:
            self.live.presence.asked(player, seldom=True)

    def tick(self) -> None:
        for worker in self.workers:
            worker.tick()
        self.open(*self.here)

    def open(self, *players: str) -> None:
        """Let pages of these players show their present games."""
        for game in self.going() if players else ():
            for player in game.players.intersection(players):
                if any(game.opened(mark) is None for mark in game.marks_of(player)):
                    self.games.look(game.id, player)

    def passes(self, seconds: float, moves: float = 0.0) -> None:
        """Let time pass in which each who is to move does so with this probability at each look."""
        for number in range(round(seconds / TICK)):
            self.clock.goes_on(TICK)
            if number % 20 == 0:
                self.ask()
            self.tick()
            if moves and number % 4 == 0:
                self.check()
            if moves:
                for game in self.going():
                    mover = game.seat(game.turn or Mark.X)
                    if mover not in self.asleep and self.rng.random() < moves:
                        self.move(game)

    def runs(self, most: float = 600) -> None:
        """Let it go on to its end."""
        while self.state() is State.RUNNING:
            self.passes(10, 0.4)
            most -= 10
            assert most > 0, "it does not end"
        self.check()

    def move(self, game: Game, cell: int | None = None) -> None:
        mover, cells = game.seat(game.turn or Mark.X) or "", game.board.legal_moves
        chosen = self.rng.choice(cells) if cell is None else cell
        self.games.play(game.id, mover, chosen, game.version)

    def play(self, player: str) -> None:
        """Play this player's game to its end at once."""
        game_id = self.game_of(player).id
        while not (game := self.games.look(game_id, "").game).outcome:
            self.move(game)

    # --- how it stands --------------------------------------------------------------------------

    def state(self) -> State:
        latest = self.tournaments.latest()
        assert latest
        return latest.state

    @property
    def standing(self) -> Standing:
        return self.tournaments.standing(self.id)

    @property
    def elapsed(self) -> int:
        return self.standing.tournament.elapsed

    @property
    def rows(self) -> Stored:
        return stored(self.site.settings.database_url or self.site.file, self.id)

    def going(self) -> list[Game]:
        with self.site.database.read() as connection:
            active = stored_tournaments.active(connection, self.id)
            games = among(connection, [one.games[-1] for one in active])
        return [game for game in games.values() if not game.outcome]

    def entrant(self, player: str) -> Entrant:
        (found,) = [one for one in self.standing.entrants if one.player == player]
        return found

    def game_of(self, player: str) -> Game:
        game_id = self.tournaments.present_game(self.id, player)
        assert game_id
        return self.games.look(game_id, "").game

    def points(self, player: str) -> int:
        (line,) = [one for one in self.standing.table if one.player == player]
        return line.points

    def outcomes(self) -> list[tuple[str, str | None]]:
        return [(game.outcome, game.ending) for game in self.standing.finished.values()]

    def check(self) -> None:
        """Check that the table is right, and that no one is forgotten, or in two games."""
        check_matches(self.rows)
        standing = self.standing
        table = [Row(*line) for line in standing.table]
        assert sorted(table) == sorted(recomputed(self.rows))
        assert [line.place for line in table] == sorted(line.place for line in table)
        found = standing.tournament
        busy = {p for one in standing.matches if one.step is not Step.DONE for p in one.players}
        if found.state is State.RUNNING and found.format is Format.ARENA and found.left:
            waited = [
                one.player
                for one in standing.entrants
                if one.playing and one.player in self.here and one.player not in busy
                if found.elapsed - one.free_since > REST_MS + 1000 * PATIENCE + 1000
            ]
            assert len(waited) < 2, "two wait for each other"

    def check_rounds(self, out: Iterable[str] = ()) -> None:
        """Check that each round of a Swiss has everyone who was in, once."""
        for number in range(1, self.standing.tournament.round + 1):
            in_it = {p for one in self.standing.matches if one.round == number for p in one.players}
            meant = {one.player for one in self.standing.entrants}
            assert in_it == meant - set(out), number


@pytest.fixture
def event(site: Site, clock: Clock) -> Event:
    return Event(site, clock)


ALICE, BOB, CAROL, DAN = PUPILS = [pupil(number) for number in range(4)]
"""Alice and Bob are the first two of any."""


def two(event: Event, minutes: int = 5, opened: Iterable[str] | None = None) -> Game:
    """Begin an arena of Alice and Bob; return their first game.

    :param opened: who have pages that open games by themselves; both, if not given
    """
    event.create(Format.ARENA, minutes, ALICE, BOB)
    event.here = event.here if opened is None else set(opened)
    event.tick()
    return event.game_of(ALICE)


# --- from its beginning to its end ----------------------------------------------------------------


@pytest.mark.parametrize("opening", Opening)
def test_a_whole_swiss(event: Event, opening: Opening) -> None:
    people = [pupil(number) for number in range(9)]
    event.create(Format.SWISS, 5, *people[:7], opening=opening)
    event.runs()
    standing = event.standing
    event.check_rounds()
    met = [frozenset(one.players) for one in standing.matches]
    byes = [one.one for one in standing.matches if one.other is None]
    assert (len(met), len(set(met))) == (20, 20)
    assert (len(byes), len(set(byes))) == (5, 5)
    assert all(len(one.games) == 2 for one in standing.matches if one.other)
    assert sum(line.points for line in standing.table) == 15 * 4 + 5 * 2
    assert bool({match.opening for match in standing.matches} - {""}) is (opening is Opening.SHARP)


def test_a_whole_arena(event: Event) -> None:
    people = [pupil(number) for number in range(7)]
    event.create(Format.ARENA, 3, *people)
    event.runs()
    standing = event.standing
    assert standing.tournament.elapsed >= standing.tournament.length
    assert min(line.games for line in standing.table) >= 4
    assert {game.outcome for game in standing.finished.values()} <= {"x", "o", "draw"}


def test_some_come_late_and_some_leave_a_swiss(event: Event) -> None:
    people = [pupil(number) for number in range(9)]
    event.create(Format.SWISS, 6, *people[:7])
    joined = {1: people[7], 4: people[8]}
    while event.state() is State.RUNNING:
        event.passes(2, 0.5)
        number = event.standing.tournament.round
        if late := joined.pop(number, None):
            event.join(late)
        if number == 2 and event.entrant(people[0]).playing:
            event.tournaments.leave(event.id, people[0])
    event.check()
    given = {1: 1, 4: 0}
    for missed, late in ((1, people[7]), (4, people[8])):
        assert event.entrant(late).joined == missed
        games = [g for g in event.standing.finished.values() if late in (g.x, g.o)]
        won = sum(
            {"draw": 1, "x": 2 * (g.x == late), "o": 2 * (g.o == late)}[g.outcome] for g in games
        )
        byes = sum(one.players == (late,) for one in event.standing.matches)
        assert event.points(late) == given[missed] + won + 2 * byes
    last = [one for one in event.standing.matches if people[0] in one.players]
    assert {one.round for one in last} <= {1, 2}


def test_no_points_for_coming_once_the_first_round_is_over(event: Event) -> None:
    event.create(Format.SWISS, 3, ALICE, BOB)
    event.join(CAROL)
    while event.standing.tournament.round_over is None:
        event.passes(1, 0.9)
    event.join(DAN)
    assert (event.points(CAROL), event.points(DAN)) == (1, 0)
    event.runs()
    assert all(event.standing.matches[number].round == 2 for number in (1, 2))
    given = sum(line.points for line in event.standing.table) - 5 * 4
    assert given == 1


@pytest.mark.parametrize("players", [5, 6])
def test_with_that_many_rounds_everyone_meets_everyone_once(event: Event, players: int) -> None:
    event.create(Format.SWISS, 5, *map(pupil, range(players)))
    event.runs()
    event.check_rounds()
    met = [frozenset(one.players) for one in event.standing.matches]
    byes = [one for one in met if len(one) == 1]
    assert len(met) == len(set(met)) == 15
    assert len(byes) == (players if players % 2 else 0)


def test_a_round_robin_goes_on_as_a_swiss_when_someone_comes(event: Event) -> None:
    event.create(Format.SWISS, 5, *map(pupil, range(6)))
    while event.standing.tournament.round < 2:
        event.passes(5, 0.5)
    event.join(pupil(6))
    event.runs()
    met = [frozenset(one.players) for one in event.standing.matches]
    assert len(met) == len(set(met)) == 3 + 3 + 4 + 4 + 4


def test_whoever_comes_back_gets_nothing_for_what_was_missed(event: Event) -> None:
    event.create(Format.SWISS, 4, *PUPILS)
    event.tournaments.leave(event.id, ALICE)
    event.passes(60, 0.5)
    while event.standing.tournament.round < 2:
        event.passes(5, 0.5)
    event.join(ALICE)
    event.join(ALICE)  # a second click
    assert (event.entrant(ALICE).joined, event.points(ALICE)) == (0, 0)
    event.runs()
    rounds = {one.round for one in event.standing.matches if ALICE in one.players}
    assert 2 not in rounds
    assert rounds >= {1, 4}


# --- the clock of a move --------------------------------------------------------------------------


def test_who_lets_the_time_run_out_has_lost_a_second_later_and_not_before(event: Event) -> None:
    game = two(event)
    event.passes(1)
    before = event.clock.running_for()
    event.clock.goes_on(TICK / 2)  # between two looks
    event.move(game)
    event.clock.goes_on(TICK / 2)
    event.tick()
    while event.going():
        event.passes(TICK)
    passed = event.clock.running_for() - before - TICK / 2
    assert CLOCK + 1 <= passed <= CLOCK + 2
    ((outcome, ending),) = event.outcomes()
    moved = Mark.X if game.turn is Mark.X else Mark.O
    assert (outcome, ending) == (moved.slug, "time")
    event.check()


def test_a_move_in_time_is_never_too_late_however_slow_the_looks(event: Event) -> None:
    game = two(event)
    for _ in range(2):
        event.clock.goes_on(4)  # a server that has no time to look
        event.move(game)
        for _ in range(4):
            event.clock.goes_on(CLOCK / 4)
            event.tick()
        assert [one.id for one in event.going()] == [game.id]
        game = event.game_of(ALICE)


FIRST_LOOKS = (0, 4, 15, None)
"""When a player first opens a game, in seconds after its beginning; ``None`` is never."""


def lost_after(event: Event, *looks: tuple[str, float | None]) -> float:
    """Let players open their game at these times; return how long it went on, by its clock."""
    begun = event.elapsed
    left = sorted((at, player) for player, at in looks if at is not None)
    while event.going():
        while left and event.elapsed - begun >= 1000 * left[0][0]:
            event.open(left.pop(0)[1])
        event.passes(TICK)
    return (event.elapsed - begun) / 1000


@pytest.mark.parametrize("waiting", [0, None])
@pytest.mark.parametrize("opens", FIRST_LOOKS)
def test_the_clock_of_the_first_move_begins_when_its_player_opens_the_game(
    event: Event, opens: float | None, waiting: float | None
) -> None:
    game = two(event, opened=())
    mover, other = game.seat(game.board.turn) or "", game.seat(game.board.turn.other) or ""
    after = lost_after(event, (mover, opens), (other, waiting))
    begins = OPENS if opens is None else min(opens, OPENS)
    assert begins + CLOCK + 1 <= after <= begins + CLOCK + 2
    lost = (game.board.turn.other.slug, "time")
    assert event.outcomes() == [("cancelled", "cancelled") if waiting is None else lost]


@pytest.mark.parametrize("opens", FIRST_LOOKS)
def test_the_clock_of_the_first_answer_begins_with_the_move_or_when_its_player_opens_the_game(
    event: Event, opens: float | None
) -> None:
    game = two(event, opened=())
    other = game.seat(game.board.turn.other) or ""
    if opens == 0:
        event.open(other)
    event.passes(2)
    event.move(game)
    after = lost_after(event, (other, None if opens is None else opens - 2))
    begins = (OPENS if opens is None else max(2, min(opens, OPENS))) - 2
    assert begins + CLOCK + 1 <= after <= begins + CLOCK + 2
    assert event.outcomes() == [(game.board.turn.slug, "time")]


def test_closing_and_opening_a_game_again_buys_no_time(event: Event) -> None:
    game = two(event)
    mover = game.seat(game.board.turn) or ""
    for _ in range(3):
        event.go(mover)
        event.passes(2)
        event.here.add(mover)
        event.games.look(game.id, mover)
    assert event.outcomes() == []
    event.passes(CLOCK - 6 + 2)
    assert [ending for _, ending in event.outcomes()] == ["time"]


def test_later_moves_wait_for_no_one(event: Event) -> None:
    game = two(event, opened=())
    for _ in range(2):
        event.passes(1)
        event.move(event.game_of(ALICE))
    event.passes(CLOCK + 2)
    assert event.outcomes() == [(game.board.turn.other.slug, "time")]


def test_the_second_game_of_a_match_waits_to_be_opened_as_the_first_one_did(event: Event) -> None:
    game = two(event)
    event.play(ALICE)
    event.here.clear()
    event.passes(TICK)
    event.passes(REST_MS / 1000)
    second = event.game_of(ALICE)
    assert second.id != game.id
    after = lost_after(event, (ALICE, 4), (BOB, 4))
    assert 4 + CLOCK + 1 <= after <= 4 + CLOCK + 2


@pytest.mark.parametrize("opens", [0, 4, None])
def test_after_a_stop_a_first_move_has_its_full_time_again(
    event: Event, opens: float | None
) -> None:
    game = two(event, opened=())
    mover, begun = game.seat(game.board.turn) or "", event.elapsed
    for _ in range(12):
        if opens is not None and event.elapsed - begun >= 1000 * opens:
            event.open(mover)
        event.passes(TICK)
    event.clock.goes_on(3600)
    event.workers = [event.worker() for _ in range(2)]
    while event.going():
        event.passes(TICK)
    begins = OPENS if opens is None else 6
    assert begins + CLOCK + 1 <= (event.elapsed - begun) / 1000 <= begins + CLOCK + 2.5


def test_a_game_that_is_opened_in_a_pause_has_its_full_time_after_it(event: Event) -> None:
    game = two(event, opened=())
    event.passes(4)
    event.host.pause()
    event.passes(30)
    for player in (ALICE, BOB):
        pov = event.games.look(game.id, player)
        assert (pov.paused, pov.left) == (True, CLOCK)
    event.host.resume()
    after = lost_after(event)
    assert CLOCK + 1 <= after <= CLOCK + 2


def test_each_page_says_what_is_left_once_the_clock_runs_and_before(event: Event) -> None:
    game = two(event, opened=())
    mover, other = game.seat(game.board.turn) or "", game.seat(game.board.turn.other) or ""

    def shown(player: str) -> tuple[int | None, int]:
        pov = event.games.look(game.id, player)
        return pov.left, pov.begins_in

    event.passes(3)
    assert [shown(player) for player in (other, "", other)] == [(CLOCK, OPENS - 3)] * 3
    assert shown(mover) == (CLOCK, 0)  # the look that begins it
    event.passes(4)
    assert [shown(player) for player in (mover, other, "")] == [(CLOCK - 4, 0)] * 3
    event.move(game)
    assert [shown(player) for player in (mover, other)] == [(CLOCK, 0)] * 2


def test_only_a_players_first_look_is_stored_and_no_move_fails_by_it(event: Event) -> None:
    game = two(event, opened=())
    mover, other = game.seat(game.board.turn) or "", game.seat(game.board.turn.other) or ""
    event.games.look(game.id, CAROL)
    row = event.site.stored(game.id)
    assert (row["begun_at"], row["x_opened"], row["o_opened"]) == (row["moved_at"], None, None)
    event.passes(2)
    event.games.look(game.id, other)
    event.move(game)  # from a page that was made before
    event.passes(1)
    event.games.look(game.id, other)
    after = event.site.stored(game.id)
    opened = {mark: after[f"{mark.slug}_opened"] for mark in Mark}
    assert opened == {game.board.turn: None, game.board.turn.other: row["begun_at"] + 2000}
    assert after["version"] == row["version"] + 1
    event.play(ALICE)
    event.games.look(game.id, mover)
    assert event.site.stored(game.id)[f"{game.board.turn.slug}_opened"] is None


def test_a_game_is_shown_also_while_it_cannot_be_stored_that_it_was_opened(event: Event) -> None:
    game = two(event, opened=())
    mover = game.seat(game.board.turn) or ""
    engine = sa.create_engine(event.site.settings.url)
    with engine.connect() as busy:
        busy.execute(sa.update(schema.games).values(version=schema.games.c.version))
        pov = event.games.look(game.id, mover)
        assert (pov.game.version, pov.left, pov.begins_in) == (game.version, CLOCK, OPENS)
    engine.dispose()
    event.passes(1)
    assert event.games.look(game.id, mover).begins_in == 0


def test_looks_at_the_same_moment_as_a_move_store_one_opening(
    event: Event, aside: ThreadPoolExecutor
) -> None:
    for _ in range(3):
        game = two(event, opened=())
        players = (ALICE, BOB, CAROL) * 4
        looks = [aside.submit(event.games.look, game.id, player) for player in players]
        event.move(game)
        assert {look.result().left for look in looks} == {CLOCK}
        row = event.site.stored(game.id)
        assert row["x_opened"] == row["o_opened"] == row["begun_at"]
        assert row["version"] == game.version + 1
        event.tournaments.end(event.id)


def test_two_games_missed_in_a_row_are_the_last(event: Event) -> None:
    event.asleep = {ALICE}
    event.create(Format.SWISS, 3, *PUPILS)
    while event.standing.tournament.round == 1:
        event.passes(5, 0.5)
    assert not event.entrant(ALICE).playing
    assert event.points(ALICE) == 0
    assert [one.round for one in event.standing.matches if ALICE in one.players] == [1]
    event.asleep.clear()
    event.join(ALICE)
    event.runs()
    assert [one.round for one in event.standing.matches if ALICE in one.players] == [1, 3]


@pytest.mark.parametrize("form", Format)
def test_a_game_that_neither_player_had_open_counts_nothing(event: Event, form: Format) -> None:
    event.create(form, 3, *PUPILS)
    event.tournaments.tick()
    event.go(*PUPILS)
    event.passes(OPENS + CLOCK + 2)
    assert all(event.entrant(player).missed == 1 for player in PUPILS)
    event.passes((REST_MS + BREAK_MS) / 1000 + OPENS + CLOCK + 3)
    assert event.outcomes() == [("cancelled", "cancelled")] * 4
    assert {match.step for match in event.standing.matches} == {Step.DONE}
    assert not any(event.entrant(player).playing for player in PUPILS)
    assert not any(line.points or line.games for line in event.standing.table)
    event.check()
    assert form is Format.ARENA or event.state() is State.OVER


def test_no_one_wins_a_game_that_they_never_opened_because_no_one_moved(event: Event) -> None:
    game = two(event, opened=())
    mover = game.seat(game.board.turn) or ""
    event.open(mover)
    event.passes(CLOCK + 2)
    assert event.outcomes() == [("cancelled", "cancelled")]
    assert [event.entrant(player).missed for player in (ALICE, BOB)] == [1, 1]


def test_a_player_who_is_there_wins_against_one_who_stays_away(event: Event) -> None:
    game = two(event)
    away = game.seat(game.turn or Mark.X) or ""
    (there,) = {ALICE, BOB} - {away}
    event.go(away)
    event.passes(60, 0.4)
    assert [ending for _, ending in event.outcomes()] == ["time", "time"]
    assert (event.points(there), event.points(away)) == (4, 0)
    assert (event.entrant(there).playing, event.entrant(away).playing) == (True, False)


def test_a_game_that_was_missed_counts_only_with_the_next_one(event: Event) -> None:
    game = two(event)
    missing = game.seat(game.turn or Mark.X) or ""
    event.passes(CLOCK + 3)
    assert event.entrant(missing).missed == 1
    event.passes(REST_MS / 1000)
    event.play(missing)
    event.passes(TICK)
    assert (event.entrant(missing).missed, event.entrant(missing).playing) == (0, True)


def test_of_several_workers_one_counts_the_time(event: Event) -> None:
    event.workers = [event.worker() for _ in range(3)]
    event.create(Format.ARENA, 5, *PUPILS)
    for number in range(120):
        event.clock.goes_on(TICK)
        if number % 20 == 0:  # one of them was killed, and another one comes
            event.workers[number % 3] = event.worker()
        event.tick()
    assert 59_000 <= event.elapsed <= 60_000


# --- going ----------------------------------------------------------------------------------------


def test_whoever_leaves_gives_up_the_game_and_the_second_one(event: Event) -> None:
    game = two(event)
    event.tournaments.leave(event.id, ALICE)
    event.tournaments.leave(event.id, ALICE)  # a second click
    assert event.tournaments.present_game(event.id, ALICE) is None
    event.passes(REST_MS / 1000 + 1)
    winner = game.marks_of(BOB)
    assert [ending for _, ending in event.outcomes()] == ["resign", "resign"]
    assert [outcome for outcome, _ in event.outcomes()] == [
        mark.slug for first in winner for mark in (first, first.other)
    ]
    assert (event.points(ALICE), event.points(BOB)) == (0, 4)
    assert [one.step for one in event.standing.matches] == [Step.DONE]
    event.check()


def test_whoever_leaves_between_two_games_loses_the_second_one(event: Event) -> None:
    two(event)
    event.play(ALICE)
    event.passes(TICK)
    first = event.points(BOB)
    event.tournaments.leave(event.id, ALICE)
    event.passes(REST_MS / 1000 + 1)
    assert event.points(BOB) == first + 2
    event.join(ALICE)
    event.passes(REST_MS / 1000 + PATIENCE + 2)
    assert event.game_of(ALICE).id == event.game_of(BOB).id
    event.check()


def test_players_whose_pages_are_closed_are_not_paired_in_an_arena(event: Event) -> None:
    event.create(Format.ARENA, 5, ALICE, BOB, CAROL, begins=False)
    event.here = {ALICE, BOB}
    event.clock.goes_on(30)
    event.ask()
    event.tournaments.start(event.id)
    event.passes(60, 0.4)
    assert all(CAROL not in one.players for one in event.standing.matches)
    event.here = {ALICE, BOB, CAROL}
    event.passes(60, 0.4)
    assert any(CAROL in one.players for one in event.standing.matches)


# --- its end --------------------------------------------------------------------------------------


def test_games_begun_before_the_bell_are_finished_and_none_begins_after_it(event: Event) -> None:
    event.create(Format.ARENA, 1, ALICE, BOB, opening=Opening.EMPTY)
    game = event.game_of(ALICE)
    for cell in (0, 4, 8, 1, 7, 6, 2):
        event.passes(8)
        event.move(event.game_of(ALICE), cell)
    event.passes(6)
    assert [one.id for one in event.going()] == [game.id]
    assert event.standing.tournament.left == 0
    assert event.state() is State.RUNNING
    event.play(ALICE)
    event.passes(10)
    assert event.state() is State.OVER
    assert len(event.outcomes()) == 1
    assert sum(line.points for line in event.standing.table) == 2
    event.check()


def test_a_host_ends_it_and_games_that_go_on_count_for_nothing(event: Event) -> None:
    event.create(Format.ARENA, 5, *PUPILS)
    event.tick()
    (won, *_), going = event.going(), len(event.going())
    event.play(next(iter(won.players)))
    for other in event.going():
        event.move(event.games.look(other.id, "").game)
    event.tournaments.end(event.id)
    event.tournaments.end(event.id)
    assert event.state() is State.OVER
    assert sorted(outcome == "cancelled" for outcome, _ in event.outcomes()) == [False, True]
    assert going == 2
    assert sum(line.games for line in event.standing.table) == 2
    event.passes(60)
    assert event.state() is State.OVER
    event.check()
    with pytest.raises(NotAllowed):
        event.tournaments.join(event.id, pupil(7))
    event.create(Format.ARENA, 5, *PUPILS)  # and the next one may begin
    event.runs()


# --- the host -------------------------------------------------------------------------------------


def test_there_is_one_tournament_at_a_time(event: Event) -> None:
    event.create(Format.ARENA, 5, ALICE, begins=False)
    with pytest.raises(Conflict):
        event.tournaments.create(Format.SWISS, Opening.EMPTY, CLOCK, 3)
    with pytest.raises(NotAllowed, match="two players"):
        event.tournaments.start(event.id)
    event.join(BOB)
    event.tournaments.start(event.id)
    with pytest.raises(Conflict):
        event.tournaments.start(event.id)
    with pytest.raises(Conflict):
        event.tournaments.create(Format.SWISS, Opening.EMPTY, CLOCK, 3)
    with pytest.raises(NotAllowed, match="no next round"):
        event.tournaments.next_round(event.id)
    for clock, length in ((11, 3), (CLOCK, 0), (CLOCK, 64)):
        with pytest.raises(Unacceptable):
            event.tournaments.create(Format.SWISS, Opening.EMPTY, clock, length)
    for unknown in ("", "x" * 22, "a\0b"):
        with pytest.raises(Unknown):
            event.tournaments.standing(unknown)


def test_the_next_round_begins_by_itself_or_at_once_but_not_while_games_go_on(
    event: Event,
) -> None:
    def finish() -> None:
        for _ in range(2):
            for game in event.going():
                event.play(next(iter(game.players)))
            event.passes(REST_MS / 1000 + 1)

    event.create(Format.SWISS, 3, *PUPILS)
    with pytest.raises(NotAllowed, match="still going on"):
        event.tournaments.next_round(event.id)
    finish()
    assert event.standing.tournament.round == 1
    event.passes(BREAK_MS / 1000)
    assert event.standing.tournament.round == 2
    finish()
    event.tournaments.next_round(event.id)
    assert event.standing.tournament.round == 3
    with pytest.raises(NotAllowed, match="still going on"):
        event.tournaments.next_round(event.id)
    finish()
    event.tournaments.next_round(event.id)
    assert event.state() is State.OVER
    event.check()


@pytest.mark.parametrize("seconds", [60, 3600])
def test_a_pause_stops_the_clocks_and_the_moves(event: Event, seconds: int) -> None:
    game = two(event)
    event.passes(CLOCK - 2)
    elapsed = event.elapsed
    event.host.pause()
    event.passes(seconds)
    with pytest.raises(Paused):
        event.move(game)
    assert event.elapsed == elapsed
    event.host.resume()
    event.passes(2.5)
    assert [one.id for one in event.going()] == [game.id]
    event.passes(1.5)
    assert event.outcomes() == [(game.board.turn.other.slug, "time")]
    assert event.elapsed == elapsed + 4000


# --- other games ----------------------------------------------------------------------------------


def live(event: Event, one: str, other: str) -> str:
    """Begin an ordinary game between two people."""
    game_id = event.lobby.challenge(one, "x")
    code = event.games.look(game_id, one).game.code
    return event.lobby.join(code or "", other)


def ended(event: Event, game_id: str) -> tuple[str | None, Mark | None]:
    """How a game was ended, and by whom it was won."""
    outcome = event.games.look(game_id, "").game.outcome
    return (outcome.ending, outcome.winner) if outcome else (None, None)


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
@pytest.mark.parametrize("seconds", [0, ABSENT_AFTER + 1])
def test_a_player_whom_the_tournament_takes_gives_up_the_game_with_another(
    event: Event, moves: int, seconds: int
) -> None:
    game_id = live(event, ALICE, DAN)
    for cell in range(moves):
        event.move(event.games.look(game_id, ALICE).game, cell)
    event.clock.goes_on(seconds)  # an opponent who is away holds no one any more
    event.create(Format.ARENA, 5, ALICE, BOB)
    event.tick()
    assert ended(event, game_id) == ("resign", Mark.O)
    rated = moves >= 2
    assert {row[0] for row in event.site.dump()["records"]} == ({ALICE, DAN} if rated else set())
    with event.site.database.read() as connection:
        lost = [(one.won, one.lost) for one in records.of(connection, ALICE)]
    assert lost == ([(0, 1)] if rated else [])
    assert event.games.look(game_id, DAN).game.marks_of(DAN) == {Mark.O}


def test_a_game_of_two_who_are_both_in_the_tournament_is_cancelled(event: Event) -> None:
    game_id = live(event, ALICE, BOB)
    for cell in (0, 1, 2):
        event.move(event.games.look(game_id, ALICE).game, cell)
    event.create(Format.ARENA, 5, *PUPILS)
    event.tick()
    assert ended(event, game_id) == ("cancelled", None)
    assert event.site.dump()["records"] == []


def test_a_player_who_has_left_is_outside_of_the_tournament(event: Event) -> None:
    event.create(Format.SWISS, 5, *PUPILS)
    game = event.game_of(ALICE)
    event.tournaments.leave(event.id, ALICE)
    elsewhere = live(event, ALICE, pupil(7))
    event.passes(REST_MS / 1000 + 1)  # and the second game of the match is lost at once
    assert ended(event, elsewhere) == (None, None)
    both = [one for one in event.standing.finished.values() if ALICE in (one.x, one.o)]
    assert [one.ending for one in both] == ["resign", "resign"]
    assert {one.id for one in both} > {game.id}
    event.join(ALICE)
    assert ended(event, elsewhere) == (None, None)
    while event.standing.tournament.round == 1:
        event.passes(5, 0.5)
    assert ended(event, elsewhere) == ("resign", Mark.O)


def test_until_a_first_match_begins_other_games_go_on(event: Event) -> None:
    other = live(event, CAROL, DAN)
    engine = event.games.start(CAROL, {"opponent": "easy", "mark": "x"}, 4).game.id
    event.create(Format.SWISS, 3, ALICE, BOB, CAROL)
    first = event.standing.matches
    resting = next(one.one for one in first if one.other is None)
    event.games.look(other, CAROL)
    assert (ended(event, other)[0] is None) is (resting == CAROL)
    while event.standing.tournament.round < 2:
        event.passes(5, 0.5)
    assert ended(event, other) == ("resign", Mark.O)
    assert ended(event, engine) == (None, None)


def test_challenges_and_seeks_of_those_who_are_in_it_are_withdrawn(event: Event) -> None:
    waiting = event.lobby.challenge(BOB, "x")
    assert event.seeks.seek(CAROL) is None
    event.create(Format.ARENA, 5, ALICE, BOB, CAROL, pupil(7))
    event.tick()
    with pytest.raises(UnknownGame):
        event.games.look(waiting, BOB)
    for player in (ALICE, BOB, CAROL):
        assert event.game_of(player).tournament == event.id
        unfinished = [one for one in event.lobby.overview(player).games if one.mine]
        assert len(unfinished) == 1
    assert event.lobby.overview(DAN).challenges == ()
    assert not event.lobby.overview(CAROL).looking


@pytest.mark.parametrize("begins", ["at its start", "at a tick"])
def test_a_game_that_begins_while_the_players_are_locked_is_looked_at_again(
    event: Event, monkeypatch: pytest.MonkeyPatch, begins: str
) -> None:
    game_id, at_start = live(event, ALICE, DAN), begins == "at its start"
    seated_with, looks = stored_games.seated_with, 0

    def too_early(connection: sa.Connection, players: Iterable[str]) -> frozenset[str]:
        nonlocal looks
        looks += 1
        return frozenset() if looks == 1 else seated_with(connection, players)

    event.create(Format.ARENA, 5, ALICE, BOB, begins=False)
    if not at_start:  # who comes later is paired at a tick
        event.here = {ALICE}
        event.clock.goes_on(30)
        event.ask()
        event.tournaments.start(event.id)
        event.here = {ALICE, BOB}
        event.ask()
    monkeypatch.setattr(stored_games, "seated_with", too_early)
    if at_start:
        event.tournaments.start(event.id)
    else:
        event.passes(TICK)
        assert (ended(event, game_id), event.going()) == ((None, None), [])
        event.passes(TICK)
    assert looks == 2
    assert ended(event, game_id) == ("resign", Mark.O)
    assert event.game_of(ALICE).players == {ALICE, BOB}


def test_a_tournament_begins_among_moves_of_other_games(
    event: Event, aside: ThreadPoolExecutor
) -> None:
    """No two wait for each other: who moves, and who takes a player of the same game."""
    pairs = [(pupil(number), pupil(10 + number)) for number in range(6)]
    games = [live(event, *pair) for pair in pairs]

    def play(game_id: str) -> None:
        with suppress(Conflict, NotAllowed):
            while not (game := event.games.look(game_id, "").game).outcome:
                event.move(game)

    event.create(Format.SWISS, 3, *(one for one, _ in pairs), begins=False)
    plays = [aside.submit(play, game_id) for game_id in games]
    event.tournaments.start(event.id)
    for play_ in plays:
        play_.result()
    endings = {ended(event, game_id) for game_id in games}
    assert endings <= {("resign", Mark.O), (None, Mark.X), (None, Mark.O), (None, None)}
    assert all(event.games.look(game_id, "").game.outcome for game_id in games)
    assert len(event.going()) == 3
    event.check()


def test_players_of_a_running_tournament_begin_no_other_games(event: Event) -> None:
    before = live(event, ALICE, DAN)
    while not event.games.look(before, ALICE).game.outcome:
        event.move(event.games.look(before, ALICE).game)
    waiting = event.lobby.challenge(pupil(7), "x")
    code = event.games.look(waiting, ALICE).game.code or ""
    event.create(Format.SWISS, 3, ALICE, BOB, CAROL)
    event.tick()
    tries: list[Callable[[str], object]] = [
        lambda player: event.lobby.challenge(player, "x", give_up=True),
        lambda player: event.lobby.challenge(player, "x"),
        event.seeks.seek,
        lambda player: event.seeks.seek(player, give_up=True),
        lambda player: event.lobby.join(code, player, give_up=True),
        lambda player: event.lobby.join(code, player),
    ]
    for try_ in tries:
        for player in (ALICE, BOB, CAROL):  # one of them has a bye
            with pytest.raises(NotAllowed, match=IN_TOURNAMENT):
                try_(player)
    with pytest.raises(NotAllowed, match=IN_TOURNAMENT):
        event.games.again(before, ALICE, {})
    event.games.again(before, DAN, {})
    with pytest.raises(NotAllowed, match=IN_TOURNAMENT):
        event.games.again(before, ALICE, {})
    assert len(event.going()) == 1
    event.tournaments.leave(event.id, ALICE)
    assert event.games.again(before, ALICE, {}).game.moves == ()


def test_a_rematch_with_a_player_of_the_tournament_waits(event: Event) -> None:
    before = live(event, ALICE, DAN)
    while not event.games.look(before, ALICE).game.outcome:
        event.move(event.games.look(before, ALICE).game)
    event.games.again(before, ALICE, {})
    event.create(Format.SWISS, 3, ALICE, BOB, CAROL)
    event.tournaments.tick()
    with pytest.raises(NotAllowed, match="Your opponent is in another game now"):
        event.games.again(before, DAN, {})


def test_what_a_tournament_decides_players_cannot(event: Event) -> None:
    game = two(event)
    for act in (event.games.undo, event.games.hint):
        with pytest.raises(NotAllowed):
            act(game.id, ALICE, game.version)
    event.passes(CLOCK)
    for player in (ALICE, BOB):
        with pytest.raises(NotAllowed, match="the clock decides"):
            event.games.claim(game.id, player, game.version)
    event.play(ALICE)
    with pytest.raises(NotAllowed, match="begins by itself"):
        event.games.again(game.id, ALICE, {})


# --- clocks that are set, and servers that stop ---------------------------------------------------


@pytest.mark.parametrize("days", [-100, 100])
def test_a_clock_that_is_set_changes_nothing(event: Event, days: int) -> None:
    event.create(Format.ARENA, 3, *PUPILS)
    event.passes(5)
    going, elapsed = [one.id for one in event.going()], event.elapsed
    event.clock.is_set(days * DAY)
    event.tick()
    event.passes(2)
    assert [one.id for one in event.going()] == going
    assert elapsed + 2000 <= event.elapsed <= elapsed + 2001
    event.host.tidy()
    event.runs()
    assert min(line.games for line in event.standing.table) >= 4
    assert sum(ending == "time" for _, ending in event.outcomes()) <= 2


def test_after_a_stop_of_an_hour_clocks_begin_again(event: Event) -> None:
    event.create(Format.ARENA, 3, *PUPILS)
    event.passes(CLOCK - 1)
    elapsed, going = event.elapsed, [one.id for one in event.going()]
    event.clock.goes_on(3600)
    event.workers = [event.worker() for _ in range(2)]
    event.passes(CLOCK + 1)
    assert [one.id for one in event.going()] == going
    assert elapsed + 1000 * CLOCK <= event.elapsed <= elapsed + 1000 * (CLOCK + 1)
    event.passes(1.5)
    assert [ending for _, ending in event.outcomes()] == ["time", "time"]
    event.runs()


def test_clocks_begin_again_after_a_stop_also_if_the_first_look_after_it_fails(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = two(event)
    event.passes(CLOCK - 1)
    elapsed, go_on = event.elapsed, Tournaments._go_on

    def fails(*about: Any) -> None:
        go_on(*about)
        raise ZeroDivisionError

    event.clock.goes_on(3600)
    event.workers = [event.worker()]
    event.passes(TICK)
    with monkeypatch.context() as patch:
        patch.setattr(Tournaments, "_go_on", fails)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                event.passes(TICK)
    event.passes(CLOCK)
    assert [one.id for one in event.going()] == [game.id]
    assert elapsed + 1000 * CLOCK <= event.elapsed <= elapsed + 1000 * (CLOCK + 1.5)
    event.passes(2.5)
    assert [ending for _, ending in event.outcomes()] == ["time"]


def test_a_computer_that_was_asleep_costs_no_one_a_game(event: Event) -> None:
    event.create(Format.ARENA, 3, *PUPILS)
    event.passes(CLOCK - 1)
    elapsed, going = event.elapsed, [one.id for one in event.going()]
    event.clock.goes_on(3600)
    event.passes(CLOCK)
    assert [one.id for one in event.going()] == going
    assert event.elapsed <= elapsed + 1000 * (CLOCK + 1)


# --- the door -------------------------------------------------------------------------------------


def test_late_players_may_join_until_the_door_is_closed(event: Event) -> None:
    event.create(Format.ARENA, 3, ALICE, BOB, begins=False)
    event.tournaments.let_late_players_in(event.id, late=False)
    event.join(CAROL)
    event.tournaments.start(event.id)
    with pytest.raises(NotAllowed, match="no one else can join"):
        event.join(DAN)
    event.tournaments.leave(event.id, CAROL)
    event.join(CAROL)
    event.tournaments.let_late_players_in(event.id, late=True)
    event.join(DAN)
    assert [event.entrant(one).playing for one in PUPILS] == [True] * 4
    event.runs()


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("when", ["waiting", "first", "between"])
def test_a_player_who_is_put_out_gives_up_and_comes_back_only_when_let_in(
    event: Event, form: Format, when: str
) -> None:
    event.create(form, 3, *PUPILS, begins=False)
    if when != "waiting":
        event.tournaments.start(event.id)
        event.tick()
    if when == "between":
        event.play(ALICE)
        event.passes(TICK)
    other = next((one.players - {ALICE} for one in event.going() if ALICE in one.players), None)
    event.tournaments.put_out(event.id, ALICE)
    with pytest.raises(NotAllowed, match="Your teacher has put you out"):
        event.join(ALICE)
    assert not event.entrant(ALICE).playing
    assert other is None or [event.points(one) for one in other] == [2]
    assert (ALICE in {line.player for line in event.standing.table}) is (when != "waiting")
    if when == "waiting":
        event.tournaments.start(event.id)
    event.passes(REST_MS / 1000 + 1)
    assert ALICE not in {player for game in event.going() for player in game.players}
    event.tournaments.let_in(event.id, ALICE)
    assert not event.entrant(ALICE).playing, "that is theirs to say"
    event.join(ALICE)
    event.runs()
    assert ALICE in {line.player for line in event.standing.table}


def test_all_who_have_not_moved_are_put_out_at_once(event: Event) -> None:
    """A hundred and twenty cookies that no one plays with, and pupils in every state."""
    strangers = [pupil(number) for number in range(100, 220)]
    event.create(Format.SWISS, 3, *PUPILS, opening=Opening.EMPTY, begins=False)
    for one in strangers:
        event.tournaments.join(event.id, one)
    with pytest.raises(NotAllowed, match="while the tournament is played"):
        event.tournaments.put_out_idle(event.id)
    event.tournaments.start(event.id)
    event.tick()
    for going in event.going():
        if going.x_seat in PUPILS:
            event.move(going)
    late = pupil(9)
    event.join(late)
    event.ask()
    # Those who have O wait for a stranger's move, or have been asked by a pupil's.
    asked = {game.o_seat or "" for game in event.going() if game.moves} & set(PUPILS)
    event.tournaments.put_out_idle(event.id)
    out = {one.player for one in event.standing.entrants if one.barred}
    assert out == {*strangers, *asked}
    assert {event.entrant(one).playing for one in {*PUPILS, late} - asked} == {True}
    assert not event.going() or all(out.isdisjoint(game.players) for game in event.going())
    for one in asked:
        event.tournaments.let_in(event.id, one)
        event.join(one)
    event.runs()
    assert {*PUPILS, late} <= {line.player for line in event.standing.table}


def test_soon_after_a_start_players_without_a_page_are_not_put_out(event: Event) -> None:
    event.create(Format.SWISS, 3, *PUPILS, opening=Opening.EMPTY)
    event.tick()
    asked = {game.x_seat for game in event.going()}
    presence = event.live.presence
    event.go(*PUPILS)
    event.clock.goes_on(GOING_S + 1)
    presence._began = presence._now()
    event.tournaments.put_out_idle(event.id)
    out = {one.player for one in event.standing.entrants if one.barred}
    assert out == asked


# --- players who go -------------------------------------------------------------------------------


GOINGS: dict[str, Callable[[Event, str], object]] = {
    "forgotten": lambda event, player: event.players.forget(player),
    "removed": lambda event, player: event.host.remove(player),
}


@pytest.mark.parametrize("how", GOINGS)
@pytest.mark.parametrize("when", ["waiting", "first", "between", "second", "over"])
@pytest.mark.parametrize("form", Format)
def test_a_player_who_goes_for_good_breaks_nothing(
    event: Event, how: str, when: str, form: Format
) -> None:
    event.create(form, 3, *PUPILS, begins=False)
    if when != "waiting":
        event.tournaments.start(event.id)
        event.tick()
    if when in ("between", "second", "over"):
        event.play(ALICE)
        event.passes(TICK)
    if when in ("second", "over"):
        event.passes(REST_MS / 1000)
    if when == "over":
        event.tournaments.end(event.id)
    played = when != "waiting"
    GOINGS[how](event, ALICE)
    assert ALICE not in str(event.site.dump())
    event.check()
    event.here.discard(ALICE)
    if when == "waiting":
        event.tournaments.start(event.id)
    event.passes(15, 0.4)
    if when != "over":
        event.tournaments.end(event.id)
    event.check()
    gone = [one for one in event.standing.entrants if one.player not in PUPILS]
    assert [one.playing for one in gone] == [False] * played
    first = [one for one in event.standing.matches if gone and gone[0].player in one.players]
    assert {one.step for one in first} <= {Step.DONE}
    assert when == "over" or [len(one.games) for one in first] == [2] * played
    names = event.standing.names
    assert set(names) == set(PUPILS) - {ALICE}
    event.tournaments.present_game(event.id, BOB)


@pytest.mark.parametrize("how", GOINGS)
def test_the_others_keep_their_points(event: Event, how: str) -> None:
    event.create(Format.SWISS, 1, ALICE, BOB, opening=Opening.EMPTY)
    for _ in range(2):
        event.passes(REST_MS / 1000 + 1)
        for cell in (0, 3, 1, 4, 2) if event.game_of(BOB).x_seat == BOB else (0, 1, 3, 4, 8, 7):
            event.move(event.game_of(BOB), cell)
    event.runs()
    assert event.points(BOB) == 4
    GOINGS[how](event, ALICE)
    assert (event.points(BOB), len(event.outcomes())) == (4, 2)
    assert ALICE not in str(event.site.dump())
    event.check()


def test_two_who_go_from_one_match_break_nothing(event: Event) -> None:
    two(event)
    event.players.forget(ALICE)
    event.host.remove(BOB)
    event.passes(10)
    assert [one.step for one in event.standing.matches] == [Step.DONE]
    event.check()


# --- ratings --------------------------------------------------------------------------------------


def test_games_count_for_the_ratings_if_both_have_moved(event: Event) -> None:
    event.create(Format.SWISS, 2, *PUPILS)
    one, other = event.going()
    for game in (one, other):
        assert (game.assisted, game.given) == (True, len(game.moves))
        assert game.given > 0
    event.play(next(iter(one.players)))
    event.tournaments.leave(event.id, other.x_seat or "")  # before both have moved
    assert {row[0] for row in event.site.dump()["records"]} == set(one.players)
    event.runs()
    counted = [
        game for game in event.standing.finished.values() if len(game.moves) - game.given >= 2
    ]
    with event.site.database.read() as connection:
        recorded = [one for player in PUPILS for one in records.of(connection, player)]
    assert len(counted) >= 4
    assert sum(one.won + one.drawn + one.lost for one in recorded) == 2 * len(counted)
