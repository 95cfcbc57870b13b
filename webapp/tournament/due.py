"""What is due in a tournament: its next step.

Nothing here reads or stores anything: now is the tournament's last tick, and chance is passed in.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from webapp.analysis.openings import images, sharp
from webapp.core.board import Mark
from webapp.core.game import Game, Kind, moves_of
from webapp.tournament import pairing
from webapp.tournament.event import (
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)
from webapp.tournament.table import table

NETWORK_MS = 1000  # allowance for the network
OPENING_MS = 10_000  # extra time for the first move of a game, while its page opens

GAP_MS = 2000
"""The longest gap between ticks that counts; a longer one means a stopped server or a set clock."""

REST_MS = 3000  # time to look at the end of a game before the next one begins
BREAK_MS = 10_000  # the pause between two rounds of a Swiss
NO_SHOWS = 2  # missed games in a row before a player is dropped


@dataclass(slots=True)
class Event:
    """A tournament with its entrants and matches, before or after a step.

    :param entrants: by player
    :param matches: the active ones by number; after a step also those that it has ended
    :param games: a step's changes to games: before, ``None`` for a new one, and after
    """

    tournament: Tournament
    entrants: dict[str, Entrant]
    matches: dict[int, Match]
    games: list[tuple[Game | None, Game]] = field(default_factory=list)

    @property
    def going(self) -> list[Match]:
        return [match for match in self.matches.values() if match.step is not Step.DONE]

    @property
    def playing(self) -> set[str]:
        return {player for player, entrant in self.entrants.items() if entrant.playing}


class History(NamedTuple):
    """All matches of a tournament in order, and its finished games."""

    matches: Sequence[Match]
    finished: Sequence[Finished]


def rest_left_ms(tournament: Tournament, since: int) -> int:
    """What is left of the rest between two games; 0 or less once it is over."""
    return REST_MS - (tournament.ticked_at - since)


def break_left_ms(tournament: Tournament) -> int | None:
    """What is left of the break between two rounds; ``None`` during a round."""
    if tournament.round_over is None:
        return None
    return BREAK_MS - (tournament.ticked_at - tournament.round_over)


def next_step(
    event: Event,
    games: Mapping[str, Game | None],
    here: Set[str],
    history: Callable[[], History],
    rng: Random,
) -> Event:
    """Return the event after everything that is due.

    :param games: the current games of matches, by id; ``None`` if deleted. A game that is left out
        goes on
    :param here: the players with a page open
    :param history: reads what only pairing needs
    """
    after = Event(event.tournament, dict(event.entrants), dict(event.matches))
    for match in event.going:
        _advance(after, match, games, here, rng)
    if after.tournament.format is Format.SWISS:
        _go_on_with_rounds(after, history, rng)
    elif after.tournament.left:
        _pair_the_free(after, here, history, rng)
    elif not after.going:
        after.tournament = replace(after.tournament, state=State.OVER)
    return after


# --- matches that go on -------------------------------------------------------------------------


def _advance(
    event: Event, match: Match, games: Mapping[str, Game | None], here: Set[str], rng: Random
) -> None:
    if match.step is Step.BETWEEN:
        if not event.tournament.left:
            _step(event, match, Step.DONE)
        elif rest_left_ms(event.tournament, match.since) <= 0:
            _begin_second_game(event, match, rng)
        return
    if match.games[-1] not in games:
        return
    game = games[match.games[-1]]
    if game and not game.outcome:
        if (game.deadline or 0) + NETWORK_MS > event.tournament.ticked_at:
            return
        game = _end(event, game, _out_of_time(game, here))
    if game:
        _note_who_appeared(event, game)
    _step(event, match, Step.DONE if match.step is Step.SECOND else Step.BETWEEN)


def _out_of_time(game: Game, here: Set[str]) -> Game:
    """End a game whose time is up: without a result if neither player has come to it.

    The player to move comes by a move; the other player, who could not move yet, by being here.
    """
    waits = game.seat(game.board.turn.other) in here
    return game.run_out() if waits or any(map(game.appeared, Mark)) else game.cancel()


def _note_who_appeared(event: Event, game: Game) -> None:
    """Count the games in a row that players have missed; after :data:`NO_SHOWS` they are out."""
    ending = game.ended and game.ended.ending
    for mark in Mark:
        entrant = event.entrants[game.seat(mark) or ""]
        if game.appeared(mark):
            missed = 0
        elif ending == "cancelled" or (ending == "time" and game.loser is mark):
            missed = entrant.missed + 1
        else:
            continue
        if missed != entrant.missed:
            playing = entrant.playing and missed < NO_SHOWS
            event.entrants[entrant.player] = entrant._replace(missed=missed, playing=playing)


def _begin_second_game(event: Event, match: Match, rng: Random) -> None:
    """Begin the second game, with marks swapped; a player who is out loses it at once."""
    players = match.other or "", match.one
    out = set(players) - event.playing
    if len(out) == len(players):
        _step(event, match, Step.DONE)
        return
    game = _begin(event, players, match.opening, rng)
    _step(event, match._replace(games=(*match.games, game.id)), Step.SECOND)
    if out:
        _end(event, game, game.given_up_by(out))


def _step(event: Event, match: Match, step: Step) -> None:
    now = event.tournament.ticked_at
    event.matches[match.number] = match._replace(step=step, since=now)
    for player in match.players if step is Step.DONE else ():
        event.entrants[player] = event.entrants[player]._replace(free_since=now)


# --- who meets whom -----------------------------------------------------------------------------


def _pair_the_free(
    event: Event, here: Set[str], history: Callable[[], History], rng: Random
) -> None:
    """Pair the players of an arena who are free, here and rested."""
    busy = {player for match in event.going for player in match.players}
    left_ms = {
        player: rest_left_ms(event.tournament, event.entrants[player].free_since)
        for player in (event.playing - busy) & here
    }
    rested = [player for player, left in left_ms.items() if left <= 0]
    if len(rested) < 2:
        return
    before = history()
    met, lines = _opponents(before), table(event.entrants.values(), *before)
    points = {line.player: line.points for line in lines}
    waiting = [
        pairing.Player(
            player=player,
            points=points[player],
            met=Counter(met[player]),
            last=met[player][-1] if met[player] else None,
            seconds=-left_ms[player] // 1000,
        )
        for player in rested
    ]
    for pair in pairing.arena(waiting):
        _meet(event, before, pair, rng)


def _go_on_with_rounds(event: Event, history: Callable[[], History], rng: Random) -> None:
    """Continue a Swiss once all games of its round are over."""
    tournament, left_ms = event.tournament, break_left_ms(event.tournament)
    if event.going or (left_ms and left_ms > 0):
        return
    if tournament.round and left_ms is None:
        event.tournament = replace(tournament, round_over=tournament.ticked_at)
    elif tournament.round == tournament.length or len(event.playing) < 2:
        event.tournament = replace(tournament, state=State.OVER)
    else:
        before = history()
        following = _round_robin(event, before) or _swiss(event, before)
        event.tournament = replace(tournament, round=tournament.round + 1, round_over=None)
        for pair in following.pairs:
            _meet(event, before, pair, rng)
        if following.bye:
            bye = _new_match(event, before, following.bye)
            event.matches[bye.number] = bye


def _round_robin(event: Event, history: History) -> pairing.Round | None:
    players = sorted(event.playing, key=lambda player: _lot(event, player))
    rounds = [set[frozenset[str]]() for _ in range(event.tournament.round)]
    for match in history.matches:
        rounds[match.round - 1].add(frozenset(match.players))
    return pairing.round_robin(players, event.tournament.length, rounds)


def _swiss(event: Event, history: History) -> pairing.Round:
    """Pair by places; among equals, in an order drawn for this tournament."""
    met = _opponents(history)
    byes = Counter(match.one for match in history.matches if match.other is None)
    playing, lines = event.playing, table(event.entrants.values(), *history)
    in_order = sorted(lines, key=lambda line: (line.place, _lot(event, line.player)))
    return pairing.swiss(
        [
            pairing.Player(
                player=line.player,
                points=line.points,
                met=Counter(met[line.player]),
                byes=byes[line.player],
            )
            for line in in_order
            if line.player in playing
        ]
    )


def _opponents(history: History) -> Mapping[str, list[str]]:
    """Each player's opponents so far, in order."""
    met = defaultdict[str, list[str]](list)
    for match in history.matches:
        if match.other is not None:
            met[match.one].append(match.other)
            met[match.other].append(match.one)
    return met


def _lot(event: Event, player: str) -> str:
    return hashlib.sha256(f"{event.tournament.id}{player}".encode()).hexdigest()


# --- matches and games that begin ---------------------------------------------------------------


def _meet(event: Event, history: History, pair: tuple[str, str], rng: Random) -> None:
    x, o = rng.sample(pair, 2)
    opening = _opening(event, history, {x, o}, rng)
    game = _begin(event, (x, o), opening, rng)
    match = _new_match(event, history, x, o)
    _step(event, match._replace(opening=opening, games=(game.id,)), Step.FIRST)


def _new_match(event: Event, history: History, one: str, other: str | None = None) -> Match:
    number = 1 + max(len(history.matches), *event.matches, 0)
    return Match(number=number, round=event.tournament.round, one=one, other=other)


def _opening(event: Event, history: History, pair: Set[str], rng: Random) -> str:
    """Draw an opening that this pair has not had, in a random orientation."""
    if event.tournament.opening is Opening.EMPTY:
        return ""
    had = {match.opening for match in history.matches if pair == set(match.players)}
    shapes = [["".join(map(str, way)) for way in images(opening)] for opening in sharp()]
    new = [ways for ways in shapes if not had.intersection(ways)]
    return rng.choice(rng.choice(new or shapes))


def _begin(event: Event, players: Sequence[str], opening: str, rng: Random) -> Game:
    (x, o), tournament = players, event.tournament
    game = Game(
        kind=Kind.TWO_DEVICES,
        x_seat=x,
        o_seat=o,
        id=urlsafe_b64encode(rng.randbytes(16)).rstrip(b"=").decode(),
        tournament=tournament.id,
        clock=tournament.clock,
        deadline=tournament.ticked_at + OPENING_MS + 1000 * tournament.clock,
    )
    if opening:
        game = game.begin_from(moves_of(opening))
    event.games.append((None, game))
    return game


def _end(event: Event, before: Game, after: Game) -> Game:
    event.games.append((before, after))
    return after
