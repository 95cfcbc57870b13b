from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from unittest.mock import Mock

import pytest

from webapp.core.game import Game, digits
from webapp.tournament import due
from webapp.tournament.due import BREAK_MS, NETWORK_MS, OPENING_MS, REST_MS, Event, History
from webapp.tournament.event import Entrant, Finished, Format, Match, Opening, State, Tournament
from webapp.tournament.pairing import PATIENCE
from webapp.tournament.table import table

MINUTE_MS, CLOCK_MS, TICK_MS = 60_000, 10_000, 500
FIRST_MS = OPENING_MS + CLOCK_MS + NETWORK_MS
"""How long a player has for the first move of a game, all in all."""


@dataclass
class World:
    """A tournament that goes on in memory, and who have a page open."""

    event: Event
    rng: Random = field(default_factory=lambda: Random(9))
    games: dict[str, Game] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    begun: dict[str, int] = field(default_factory=dict)

    @property
    def now(self) -> int:
        return self.event.tournament.ticked_at

    @property
    def state(self) -> State:
        return self.event.tournament.state

    @property
    def going(self) -> list[Game]:
        return [game for game in self.games.values() if not game.outcome]

    @property
    def history(self) -> History:
        finished = [
            Finished(
                id=game.id, x=game.x_seat or "", o=game.o_seat or "", outcome=game.outcome.slug,
                ending=game.outcome.ending, moves=digits(game.moves), given=game.given,
            )
            for game in self.games.values()
            if game.outcome
        ]  # fmt: skip
        return History([*self.matches.values()], finished)

    @property
    def points(self) -> dict[str, int]:
        lines = table(self.event.entrants.values(), *self.history)
        return {line.player: line.points for line in lines}

    @property
    def outcomes(self) -> list[tuple[str, str | None]]:
        return [(game.outcome, game.ending) for game in self.history.finished]

    def step(self) -> None:
        present = {match.games[-1] for match in self.event.going}
        games = {id_: self.games.get(id_) for id_ in present}
        after = due.next_step(self.event, games, self.here, lambda: self.history, self.rng)
        for before, game in after.games:
            assert before == self.games.get(game.id)
            self.games[game.id] = game
            self.begun.setdefault(game.id, self.now)
        self.matches |= after.matches
        going = {match.number: match for match in after.going}
        self.event = Event(after.tournament, after.entrants, going)
        seats = [seat for game in self.going for seat in (game.x_seat, game.o_seat)]
        assert len(seats) == len(set(seats))
        assert [*self.matches] == [*range(1, len(self.matches) + 1)]

    def passes(self, ms: int, moves: float = 0.0, asleep: Iterable[str] = ()) -> None:
        """Let time pass. Each player to move does so with this probability a second."""
        for _ in range(0, ms, TICK_MS):
            tournament = self.event.tournament
            self.event.tournament = replace(tournament, ticked_at=self.now + TICK_MS)
            self.step()
            for game in self.going if moves and self.now % 1000 == 0 else ():
                if mover(game) not in asleep and self.rng.random() < moves:
                    self.move(game)
            if self.state is State.OVER:
                return

    def move(self, game: Game) -> Game:
        cell = self.rng.choice(game.board.legal_moves)
        moved = self.games[game.id] = replace(game.play(cell), deadline=self.now + CLOCK_MS)
        return moved

    def play(self, game: Game) -> None:
        while not game.outcome:
            game = self.move(game)

    def change(self, player: str, **changes: object) -> None:
        known = self.event.entrants.get(player, Entrant(player))
        self.event.entrants[player] = known._replace(**changes)  # type: ignore[arg-type]

    def leave(self, *players: str) -> None:
        for player in players:
            self.change(player, playing=False)
        for game in self.going:
            if game.players & {*players}:
                self.games[game.id] = game.given_up_by(players)


def world(form: Format, length: int, players: str, opening: Opening = Opening.SHARP) -> World:
    """Begin a tournament of players who are all here; its length is in rounds or milliseconds."""
    ends_at = length if form is Format.ARENA else None
    made = Tournament("t", form, opening, CLOCK_MS // 1000, length, State.RUNNING, ends_at=ends_at)
    entrants = {player: Entrant(player, free_since=-REST_MS) for player in players}
    found = World(Event(made, entrants, {}), here=set(players))
    found.step()
    return found


def two() -> tuple[World, Game]:
    found = world(Format.ARENA, 5 * MINUTE_MS, "ab")
    return found, found.going[0]


def mover(game: Game) -> str:
    return game.seat(game.board.turn) or ""


def other(game: Game) -> str:
    return game.seat(game.board.turn.other) or ""


@pytest.mark.parametrize(
    "players, rounds, opening",
    [("abcdefg", 5, "sharp"), ("abcde", 5, "empty"), ("abcdef", 5, "sharp"), ("ab", 2, "empty")],
)
def test_in_each_round_everyone_meets_someone_new(opening: str, players: str, rounds: int) -> None:
    found = world(Format.SWISS, rounds, players, Opening(opening))
    found.passes(60 * MINUTE_MS, 0.5)
    assert found.state is State.OVER
    matches = [*found.matches.values()]
    for number in range(1, rounds + 1):
        there = [player for one in matches if one.round == number for player in one.players]
        assert sorted(there) == [*players]
    met = [frozenset(match.players) for match in matches]
    met_again = rounds - 1 if players == "ab" else 0
    assert len(met) == len(set(met)) + met_again == rounds * ((len(players) + 1) // 2)
    pairs = [match for match in matches if match.other]
    assert sum(found.points.values()) == 4 * len(pairs) + 2 * (len(met) - len(pairs))
    for match in pairs:
        first, second = (found.games[id_] for id_ in match.games)
        assert (first.x_seat, first.o_seat) == (second.o_seat, second.x_seat) == match.players
        assert {digits(game.moves[: game.given]) for game in (first, second)} == {match.opening}
    had = [(frozenset(match.players), match.opening) for match in pairs if match.opening]
    assert bool(had) is (opening == "sharp")
    assert len(had) == len(set(had))


def test_a_round_robin_goes_on_as_a_swiss_when_someone_comes() -> None:
    found = world(Format.SWISS, 5, "abcdef")
    while found.event.tournament.round < 2:
        found.passes(TICK_MS, 0.5)
    found.change("g", joined=2)
    found.passes(60 * MINUTE_MS, 0.5)
    met = [frozenset(match.players) for match in found.matches.values()]
    assert len(met) == len(set(met)) == 3 + 3 + 4 + 4 + 4
    assert {match.round for match in found.matches.values() if "g" in match.players} == {3, 4, 5}


def test_a_round_begins_ten_seconds_after_the_last_game_and_none_for_less_than_two() -> None:
    found = world(Format.SWISS, 5, "abcd")
    for _ in range(2):
        for game in found.going:
            found.play(game)
        found.passes(TICK_MS + REST_MS)
    over = found.event.tournament.round_over
    assert over is not None
    found.passes(over + BREAK_MS - TICK_MS - found.now)
    assert found.event.tournament.round == 1
    found.passes(TICK_MS)
    assert (found.event.tournament.round, found.event.tournament.round_over) == (2, None)
    assert len(found.going) == 2
    found.leave(*"abc")
    found.passes(MINUTE_MS)
    assert (found.state, found.event.tournament.round) == (State.OVER, 2)


def test_in_an_arena_everyone_plays_until_the_bell() -> None:
    found = world(Format.ARENA, 3 * MINUTE_MS, "abcdefg")
    longest = REST_MS + 1000 * PATIENCE + TICK_MS
    while found.state is State.RUNNING:
        found.passes(TICK_MS, 0.5)
        busy = {player for match in found.event.going for player in match.players}
        since = [e.free_since for e in found.event.entrants.values() if e.player not in busy]
        waiting = sum(found.now - moment > longest for moment in since)
        assert waiting < 2 or not found.event.tournament.left
    games = [game for game in found.games.values() if game.outcome]
    assert min(sum(p in game.players for game in games) for p in "abcdefg") >= 4
    assert max(found.begun.values()) < 3 * MINUTE_MS <= found.now


def test_between_two_matches_of_an_arena_there_is_a_rest() -> None:
    found = world(Format.ARENA, 5 * MINUTE_MS, "abcd")
    for pause in (TICK_MS + REST_MS, TICK_MS):
        for game in found.going:
            found.play(game)
        found.passes(pause)
    found.passes(REST_MS - TICK_MS)
    assert not found.going
    found.passes(TICK_MS)
    assert len(found.going) == 2


def test_games_begun_before_the_bell_are_finished_and_none_begins_after_it() -> None:
    found = world(Format.ARENA, MINUTE_MS, "ab", Opening.EMPTY)
    (game,) = found.going
    while found.event.tournament.left:
        found.games[game.id] = replace(game, deadline=found.now + CLOCK_MS)
        found.passes(CLOCK_MS)
    assert (found.state, [one.id for one in found.going]) == (State.RUNNING, [game.id])
    found.play(found.going[0])
    found.passes(2 * REST_MS)
    assert (found.state, len(found.games)) == (State.OVER, 1)
    assert sum(found.points.values()) == 2


def test_players_whose_pages_are_closed_are_not_paired() -> None:
    found = world(Format.ARENA, 5 * MINUTE_MS, "")
    for player in "abc":
        found.change(player)
    for here in ("ab", "abc"):
        found.here = {*here}
        found.passes(MINUTE_MS, 0.4)
        assert {p for match in found.matches.values() for p in match.players} == {*here}


@pytest.mark.parametrize(
    "moves, waiting, ending",
    [(0, True, "time"), (0, False, "cancelled"), (1, False, "time"), (3, False, "time")],
)
def test_a_game_is_lost_at_its_deadline(moves: int, waiting: bool, ending: str) -> None:
    found, game = two()
    found.passes(2000)
    found.here = {other(game) if waiting else mover(game)}
    for _ in range(moves):
        game = found.move(found.going[0])
    found.passes((game.deadline or 0) + NETWORK_MS - TICK_MS - found.now)
    assert [one.id for one in found.going] == [game.id]
    found.passes(TICK_MS)
    outcome = game.board.turn.other.slug if ending == "time" else "cancelled"
    assert found.outcomes == [(outcome, ending)]


@pytest.mark.parametrize("form, length", [(Format.SWISS, 3), (Format.ARENA, 3 * MINUTE_MS)])
def test_a_game_to_which_neither_player_came_counts_nothing(form: Format, length: int) -> None:
    found = world(form, length, "abcd")
    found.here = {mover(found.going[0])}  # who does not move: so no one wins
    found.passes(FIRST_MS)
    assert [entrant.missed for entrant in found.event.entrants.values()] == [1] * 4
    found.here = set()
    found.passes(REST_MS + BREAK_MS + FIRST_MS + 2 * TICK_MS)
    assert found.outcomes == [("cancelled", "cancelled")] * 4
    assert not found.event.playing
    assert not any(found.points.values())
    assert form is Format.ARENA or found.state is State.OVER


@pytest.mark.parametrize("comes_in_time", [True, False])
def test_two_games_missed_in_a_row_are_the_last(comes_in_time: bool) -> None:
    found, game = two()
    away, there = mover(game), other(game)
    found.passes(FIRST_MS)
    assert found.event.entrants[away].missed == 1
    found.passes(REST_MS)
    if comes_in_time:
        found.play(found.going[0])
    found.passes(TICK_MS if comes_in_time else MINUTE_MS, 1, asleep=away)
    entrant = found.event.entrants[away]
    assert (entrant.missed, entrant.playing) == ((0, True) if comes_in_time else (2, False))
    if not comes_in_time:
        assert [ending for _, ending in found.outcomes] == ["time", "time"]
        assert found.points == {there: 4, away: 0}


@pytest.mark.parametrize(
    "between, leaving, won, ending",
    [(False, "a", 4, "resign"), (True, "a", 2, "resign"), (False, "ab", 0, "cancelled")],
)
def test_who_leaves_loses_both_games(between: bool, leaving: str, won: int, ending: str) -> None:
    found, game = two()
    if between:
        found.play(game)
        found.passes(TICK_MS)
    before = found.points["b"]
    found.leave(*leaving)
    found.passes(2 * TICK_MS + REST_MS)
    assert found.points["b"] == before + won
    assert found.outcomes[-1][1] == ending
    assert len(found.outcomes) == (1 if leaving == "ab" else 2)
    assert found.event.going == []


def test_most_steps_change_nothing_and_a_match_goes_on_without_a_game_that_was_deleted() -> None:
    found, game = two()
    after = due.next_step(found.event, {}, found.here, Mock(side_effect=AssertionError), found.rng)
    assert (after, after.games) == (found.event, []), "and read no history"
    del found.games[game.id]
    found.passes(TICK_MS)
    assert [match.step.name for match in found.event.going] == ["BETWEEN"]
