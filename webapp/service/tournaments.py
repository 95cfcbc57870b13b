"""Tournaments: from their beginning to the table, whatever happens to the servers meanwhile.

There is no scheduler. Every worker looks twice a second whether something is due, and does it in a
transaction about all of it, so that it is done once. One of the workers counts the time: the clock
of a tournament goes only while a server runs, and no setting of the time of day moves it.
"""

import hashlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random, SystemRandom
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp.analysis.openings import images, sharp
from webapp.analysis.review import review
from webapp.core.board import Mark
from webapp.core.game import Game, Kind, NotAllowed, digits, moves_of
from webapp.core.lesson import Act, Entry, Wall
from webapp.live import Live
from webapp.live.presence import Presence
from webapp.service.clock import Clock
from webapp.service.lobby import withdraw
from webapp.service.players import save_preferences
from webapp.service.refusals import Conflict, Raced, Unacceptable, Unknown
from webapp.store import Database
from webapp.store import games as stored_games
from webapp.store import lesson as stored_lesson
from webapp.store import players as stored_players
from webapp.store import seeks as stored_seeks
from webapp.store import tournaments as stored
from webapp.store.schema import findable
from webapp.tournament import pairing
from webapp.tournament.event import (
    CLOCKS,
    MINUTES,
    ROUNDS,
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)
from webapp.tournament.table import BYE, DRAW, LATE, LOSS, WIN, Line, Result, table

GRACE, _LOOK = 1000, 500
"""How many milliseconds of a move the network may take; and how many there are between two looks: a
move counts from the look before it."""

REST, BREAK = 3000, 10_000
"""For how many milliseconds players look at the end of a game before the next one begins; and for
how many a Swiss stands still between two rounds."""

MISSED = 2
"""After how many games in a row in which they did not appear players are out."""

_ASLEEP, _AT_ONCE = 5.0, 1.0
"""If a worker has not looked for so many seconds, it was asleep, and so was every player's; and how
many count for a look at the most: a server that has no time for its looks has none for moves."""


_POINTS = {"x": WIN, "draw": DRAW, "o": LOSS}
"""What a game is worth for X."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A tournament as it stands.

    :param table: the first line first
    :param going: its games that go on, by their ids; ``finished``: those that are over
    :param names: of all its players, as far as they have one
    :param here: the players who are on this server at the moment
    """

    tournament: Tournament
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    going: Mapping[str, Game]
    finished: Mapping[str, Finished]
    table: tuple[Line, ...]
    names: Mapping[str, str]
    here: frozenset[str]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a player sees of a tournament beside a game of it.

    :param entrant: the player, if they are or were in it
    :param match: the one that the game belongs to
    :param lines: of the game's players in the table, by player
    :param paused: whether the host has paused all games
    """

    tournament: Tournament
    entrant: Entrant | None
    match: Match | None
    lines: Mapping[str, Line]
    paused: bool


class Guest(NamedTuple):
    """A player of a tournament, as the host sees one.

    :param playing: whether they want to play on; ``barred``: whether the host has put them out
    :param idle: whether they have not moved yet, although they could have
    """

    player: str
    name: str
    playing: bool
    barred: bool
    idle: bool


class Tournaments:
    """The tournaments of this server: one at a time."""

    def __init__(
        self, database: Database, live: Live, clock: Clock, rng: Random | None = None
    ) -> None:
        self._database = database
        self._presence = live.presence
        self._clock = clock
        self._rng = rng or SystemRandom()
        # What the tournament's clock said at our last look, and ours; and whether it goes at all.
        self._looked: tuple[str, int, float] | None = None
        self._goes = False

    # --- the host's -----------------------------------------------------------------------------

    def create(self, form: Format, opening: Opening, clock: int, length: int) -> str:
        """Make a tournament that players can join, and return its id.

        :param length: the minutes of an arena, or the rounds of a Swiss
        :raises Conflict: if the last one is not over
        """
        if clock not in CLOCKS or length not in (MINUTES if form is Format.ARENA else ROUNDS):
            raise Unacceptable("A tournament cannot have this clock or this length.")
        length *= 60_000 if form is Format.ARENA else 1
        made = Tournament(secrets.token_urlsafe(16), form, opening, clock, length)
        with (
            self._database.write(stored.ABOUT) as connection,
            self._database.transaction(connection, stored_lesson.ABOUT),
        ):
            before = stored.latest(connection)
            if before and before.state is not State.OVER:
                raise Conflict("There is a tournament already. End it before you make another one.")
            stored.insert(connection, made, int(self._clock()))
            chosen = stored_lesson.read(connection)
            wall = Wall(version=chosen.wall.version + 1, tournament=made.id)
            stored_lesson.save(connection, chosen._replace(wall=wall))
        return made.id

    def start(self, id_: str) -> None:
        """Let a tournament begin.

        :raises Conflict: if it has begun
        :raises NotAllowed: if fewer than two players are in it
        """
        while True:
            with suppress(Raced), self._database.write(stored.ABOUT) as connection:
                found = _find(connection, id_)
                if found.state is not State.WAITING:
                    raise Conflict("This tournament has begun already.")
                play = self._play(connection, found)
                if sum(one.playing for one in play.entrants.values()) < 2:
                    raise NotAllowed("A tournament needs two players at least.")
                self._note(connection, Act.START_EVENT)
                play.begin(self._rng)
                return

    def next_round(self, id_: str) -> None:
        """Begin the next round of a Swiss at once.

        :raises NotAllowed: while games of the last one go on, or if it is no Swiss
        """
        while True:
            with suppress(Raced), self._database.write(stored.ABOUT) as connection:
                found = _find(connection, id_)
                if found.state is not State.RUNNING or found.format is not Format.SWISS:
                    raise NotAllowed("There is no next round.")
                if found.round_over is None:
                    raise NotAllowed("Games of this round are still going on.")
                rested = replace(found, round_over=found.elapsed - BREAK)
                self._play(connection, rested).go_on(self._rng)
                return

    def end(self, id_: str) -> None:
        """End a tournament: games that go on count for nothing."""
        with self._database.write(stored.ABOUT) as connection:
            found = _find(connection, id_)
            if found.state is not State.OVER:
                active = stored.active(connection, id_)
                players = {player for one in active for player in one.players}
                with self._database.transaction(connection, *players):  # before they are read
                    ids = [one.games[-1] for one in active]
                    for game in stored_games.among(connection, ids).values():
                        if not game.outcome:
                            self._store(connection, game, game.cancel())
                for one in active:
                    done = one._replace(step=Step.DONE, since=found.elapsed)
                    stored.change(connection, id_, done)
                stored.save(connection, replace(found, state=State.OVER))
                self._note(connection, Act.END_EVENT)

    # --- who may take part ----------------------------------------------------------------------

    def guests(self, id_: str) -> list[Guest]:
        """Return who is or was in a tournament, by name; not players who deleted their data."""
        with self._database.read() as connection:
            _find(connection, id_)
            entrants = stored.entered(connection, id_)
            names = stored_players.names(connection, [one.player for one in entrants])
            idle = self._idle(connection, id_, entrants)
        found = [
            Guest(one.player, names[one.player], one.playing, one.barred, one.player in idle)
            for one in entrants
            if one.player in names
        ]
        return sorted(found, key=lambda one: (one.name.casefold(), one.name))

    def let_late_players_in(self, id_: str, *, late: bool) -> None:
        """Let players join a tournament while it is played, or not any more."""
        with self._database.write(stored.ABOUT) as connection:
            found = _find(connection, id_)
            if found.late is not late:
                stored.save(connection, replace(found, late=late))
                self._note(connection, Act.OPEN_EVENT if late else Act.CLOSE_EVENT)

    def put_out(self, id_: str, player: str) -> None:
        """Put a player out, whom only the host lets in again; a game that goes on is given up.

        :raises Unknown: if the player is not in the tournament
        """
        with self._database.write(stored.ABOUT) as connection:
            found, one = _entrant(connection, id_, player)
            if not one.barred:
                self._put_out(connection, found, [one])
                self._note(connection, Act.PUT_OUT, player)

    def put_out_idle(self, id_: str) -> None:
        """Put out all who have not moved yet, although they could have.

        :raises NotAllowed: if it has not begun, so that no one could, or is over
        """
        with self._database.write(stored.ABOUT) as connection:
            found = _find(connection, id_)
            if found.state is not State.RUNNING:
                raise NotAllowed("This can be done while the tournament is played.")
            entrants = stored.entered(connection, id_)
            idle = self._idle(connection, id_, entrants)
            out = [one for one in entrants if one.player in idle and not one.barred]
            if out:
                self._put_out(connection, found, out)
                self._note(connection, Act.PUT_OUT_IDLE)

    def let_in(self, id_: str, player: str) -> None:
        """Let a player join again who was put out; they are not in before they do.

        :raises Unknown: if the player was never in the tournament
        """
        with self._database.write(stored.ABOUT) as connection:
            _, one = _entrant(connection, id_, player)
            if one.barred:
                stored.put(connection, id_, [one._replace(barred=False)])
                self._note(connection, Act.LET_IN, player)

    def _put_out(self, connection: sa.Connection, found: Tournament, some: list[Entrant]) -> None:
        out = [one._replace(playing=False, barred=True) for one in some]
        stored.put(connection, found.id, out)
        self._give_up(connection, found, {one.player for one in some})

    def _give_up(self, connection: sa.Connection, found: Tournament, players: set[str]) -> None:
        """Give up the games of players that go on; one of two of them counts nothing."""
        if found.state is not State.RUNNING:
            return
        active = stored.active(connection, found.id)
        of = [match for match in active if players.intersection(match.players)]
        both = {one for match in of for one in match.players}
        with self._database.transaction(connection, *players, *both):  # before they are read
            for match in of:
                game = stored_games.among(connection, match.games[-1:]).get(match.games[-1])
                if game and not game.outcome:
                    gone = [mark for mark in Mark if game.seat(mark) in players]
                    ended = game.cancel() if len(gone) == len(Mark) else game.resign(*gone)
                    self._store(connection, game, ended)

    def _idle(self, connection: sa.Connection, id_: str, entrants: Iterable[Entrant]) -> set[str]:
        """Who of a tournament has not moved yet, although it was their turn or no page is open."""
        players = {one.player for one in entrants}
        waiting = {one for one in players if not self._presence.is_away(one)}
        moved, asked = set[str](), set[str]()
        for by_turns, own in stored.moved(connection, id_):
            moved.update(by_turns[:own])
            asked.update(by_turns[: own + 1])
        return players - moved - (waiting - asked)

    def _note(self, connection: sa.Connection, act: Act, player: str | None = None) -> None:
        name = stored_players.find(connection, player)[1] if player else None
        stored_lesson.note(connection, Entry(int(self._clock()), act, name), player)

    # --- the players' ---------------------------------------------------------------------------

    def join(self, id_: str, player: str) -> None:
        """Let a player in, also late, and again after leaving.

        :raises NotAllowed: if it is over, it is played and takes no late players, or the host has
            put them out
        """
        with (
            self._database.write(stored.ABOUT) as connection,
            self._database.transaction(connection, player),
        ):
            found = _find(connection, id_)
            known = {one.player: one for one in stored.entered(connection, id_)}
            before = known.get(player)
            if found.state is State.OVER:
                raise NotAllowed("This tournament is over.")
            if before and before.barred:
                raise NotAllowed("Your teacher has put you out of this tournament.")
            if before is None and found.state is State.RUNNING and not found.late:
                raise NotAllowed("This tournament has begun, and no one else can join it.")
            save_preferences(connection, player, None, int(self._clock()))
            if found.state is State.RUNNING:
                withdraw(connection, player)
            joined = found.round + (found.round_over is not None)
            new = Entrant(player, joined=joined, free_since=found.elapsed - REST)
            back = before and before._replace(playing=True, missed=0)
            if before is None or not before.playing:
                stored.put(connection, id_, [back or new])

    def leave(self, id_: str, player: str) -> None:
        """Let a player go, who may come back; a game that goes on is given up."""
        with self._database.write(stored.ABOUT) as connection:
            found = _find(connection, id_)
            known = {one.player: one for one in stored.entered(connection, id_)}
            if found.state is State.OVER or player not in known or not known[player].playing:
                return
            stored.put(connection, id_, [known[player]._replace(playing=False)])
            self._give_up(connection, found, {player})

    def present_game(self, id_: str, player: str) -> str | None:
        """Return the id of the player's game in a tournament that goes on, if there is one."""
        with self._database.read() as connection:
            _find(connection, id_)
            games = stored_games.challenges(connection, player)
        return next((game.id for game in games if game.tournament == id_), None)

    # --- looking --------------------------------------------------------------------------------

    def latest(self) -> Tournament | None:
        """Return the tournament that was made last, if there is one."""
        with self._database.read() as connection:
            return stored.latest(connection)

    def standing(self, id_: str) -> Standing:
        """Return a tournament as it stands; ``Unknown`` if there is none of this id."""
        with self._database.read() as connection:
            found = _find(connection, id_)
            play = _Play(self._database, connection, found, self._presence, 0)
            active = stored.active(connection, id_)
            games = stored_games.among(connection, [one.games[-1] for one in active])
            names = stored_players.names(connection, play.entrants)
            finished = play.finished()
            return Standing(
                found,
                tuple(play.entrants.values()),
                tuple(play.matches),
                {id_: game for id_, game in games.items() if not game.outcome},
                {game.id: game for game in finished},
                play.table(finished),
                names,
                self._presence.here(),
            )

    def beside(self, id_: str, game_id: str, player: str) -> Beside:
        """Return what a player sees of a tournament beside one of its games.

        It reads all results, so the answer to a move in the middle of a game does without it.

        :raises Unknown: if there is no tournament of this id
        """
        with self._database.read() as connection:
            play = _Play(self._database, connection, _find(connection, id_), self._presence, 0)
            match = next((one for one in play.matches if game_id in one.games), None)
            lines = {line.player: line for line in play.table(play.finished())}
            return Beside(
                play.tournament,
                play.entrants.get(player),
                match,
                {one: lines[one] for one in (match.players if match else ()) if one in lines},
                stored_lesson.paused_at(connection) is not None,
            )

    # --- what is due ----------------------------------------------------------------------------

    def tick(self) -> None:
        """Do what is due. To be called twice a second by every worker."""
        with self._database.read() as connection:
            found = stored.running(connection)
            if found is None:
                self._looked, self._goes = None, False
                return
            now = self._clock.running_for()
            if stored_lesson.paused_at(connection) is not None:
                self._looked = found.id, found.elapsed, now
                return
            known = self._looked, self._goes
            try:
                with self._database.transaction(connection, stored.ABOUT):
                    found = stored.running(connection)
                    if found:
                        counted = self._count(connection, found, now)
                        self._play(connection, counted).go_on(self._rng)
            except Exception as error:
                self._looked, self._goes = known  # nothing was stored: the next tick does it
                if not isinstance(error, Raced):
                    raise

    def _count(self, connection: sa.Connection, found: Tournament, now: float) -> Tournament:
        """Let the tournament's clock go on, if no other worker has since our last look."""
        before, self._looked = self._looked, (found.id, found.elapsed, now)
        if before is None or before[0] != found.id:
            return found
        if before[1] != found.elapsed:
            self._goes = True
            return found
        passed = now - before[2]
        if not self._goes or passed > _ASLEEP:
            # No server was there, or it was asleep: no one could move meanwhile.
            stored.restart_clocks(connection, found.id, found.elapsed)
        self._goes = True
        passed = max(1, int(1000 * min(passed, _AT_ONCE)))
        left, found = found.left, replace(found, elapsed=found.elapsed + passed)
        if found.format is Format.ARENA and left and not found.left:
            stored.save(connection, found)  # pages say that time is up
        else:
            stored.count(connection, found.id, found.elapsed)
        self._looked = found.id, found.elapsed, now
        return found

    def _play(self, connection: sa.Connection, found: Tournament) -> "_Play":
        return _Play(self._database, connection, found, self._presence, int(self._clock()))

    def _store(self, connection: sa.Connection, before: Game, after: Game) -> None:
        stored_games.save(connection, before, after, int(self._clock()))


class _Play:
    """A tournament in a transaction about it, or just read: what is known, and what is due.

    Most looks find nothing that is due. So games are read only where they are over or out of time,
    and all matches and results where the table or a pairing needs them.

    :param now: in seconds since 1970
    """

    def __init__(
        self,
        database: Database,
        connection: sa.Connection,
        tournament: Tournament,
        presence: Presence,
        now: int,
    ) -> None:
        self._database, self._connection = database, connection
        self._presence, self._now = presence, now
        self.tournament = tournament
        self.entrants = {one.player: one for one in stored.entered(connection, tournament.id)}
        self._active = {one.number: one for one in stored.active(connection, tournament.id)}
        self._held = frozenset[str]()

    # --- what follows from it -------------------------------------------------------------------

    @cached_property
    def matches(self) -> list[Match]:
        """All matches in their order, as they are when this is asked for first."""
        return stored.of(self._connection, self.tournament.id)

    def table(self, finished: Iterable[Finished]) -> tuple[Line, ...]:
        """Who is first, by all games that are over."""
        results, moves = list[Result](), defaultdict[str, list[tuple[int, int]]](list)
        for game in finished:
            if game.outcome != "cancelled":
                results.append(Result(game.x, game.o, _POINTS[game.outcome]))
                for_x, for_o = kept_by(game.moves, game.given)
                moves[game.x].append(for_x)
                moves[game.o].append(for_o)
        given = {player: LATE * (one.joined == 1) for player, one in self.entrants.items()}
        for match in self.matches:
            if match.other is None:
                given[match.one] = given.get(match.one, 0) + BYE
        sums = {
            player: (sum(kept for kept, _ in some), sum(of for _, of in some))
            for player, some in moves.items()
        }
        met = {player for match in self.matches for player in match.players}
        shown = [
            one.player for one in self.entrants.values() if not one.barred or one.player in met
        ]
        return table(shown, results, given, sums)

    def finished(self) -> list[Finished]:
        """All games that are over."""
        return stored.finished(self._connection, self.tournament.id)

    @property
    def _is_swiss(self) -> bool:
        return self.tournament.format is Format.SWISS

    @property
    def _has_ended(self) -> bool:
        """Whether the bell has rung."""
        return not self._is_swiss and not self.tournament.left

    # --- what is due ----------------------------------------------------------------------------

    def begin(self, rng: Random) -> None:
        """Begin the tournament: none of its players waits for an opponent elsewhere any more.

        :raises Raced: as :meth:`go_on`
        """
        self._hold()
        for player in self.entrants:
            withdraw(self._connection, player)
        self._save(state=State.RUNNING)
        self.go_on(rng)

    def go_on(self, rng: Random) -> None:
        """Do all that is due, in a transaction.

        :raises Raced: if another game of a player who is taken into a match changes meanwhile
        """
        since = self.tournament.elapsed - self._limit
        in_time = stored.in_time(self._connection, self.tournament.id, since)
        due = [one for one in self._active.values() if one.games[-1] not in in_time]
        ids = [one.games[-1] for one in due if one.step is not Step.BETWEEN]
        games = stored_games.among(self._connection, ids)
        for match in due:
            game = games.get(match.games[-1])
            if game is None or game.outcome or game.clock_began <= since:
                self._advance(match, game)
        if self._is_swiss:
            self._next_round(rng)
        elif not self._has_ended:
            self._pair_the_free(rng)
        elif not self._active:
            self._save(state=State.OVER)

    def _advance(self, match: Match, game: Game | None) -> None:
        """Bring a match forward as far as it can go now.

        :param game: its present one, if it is over or out of time; ``None`` if it has been deleted
        """
        if match.step is Step.BETWEEN:
            if self._has_ended:
                self._step(match, Step.DONE)
            elif self.tournament.elapsed - match.since >= REST:
                self._second_game(match)
            return
        if game and not game.outcome:
            game = self._change(game, self._out_of_time(game))
            if not game:  # a move was quicker
                return
        if game:
            self._note_who_appeared(game)
        self._step(match, Step.DONE if match.step is Step.SECOND else Step.BETWEEN)

    @property
    def _limit(self) -> int:
        """After how many milliseconds without a move a game is lost."""
        return 1000 * self.tournament.clock + GRACE + _LOOK

    def _out_of_time(self, game: Game) -> Game:
        """End a game whose time is up: without a result, if neither player has come to it.

        The player to move comes with a move; for the other one it is enough to have opened the
        game, as there was nothing to play yet.
        """
        waited = game.opened(game.board.turn.other) is not None
        came = waited or any(map(game.appeared, Mark))
        return game.run_out() if came else game.cancel()

    def _note_who_appeared(self, game: Game) -> None:
        """Count in how many games in a row players have not appeared; they are out after some."""
        ending = game.ended and game.ended.ending
        for mark in Mark:
            one = self.entrants[game.seat(mark) or ""]
            lost = ending == "cancelled" or (ending == "time" and game.loser is mark)
            away = lost and not game.appeared(mark)
            missed = one.missed + 1 if away else 0 if game.appeared(mark) else one.missed
            if missed != one.missed:
                self._put(one._replace(missed=missed, playing=one.playing and missed < MISSED))

    def _second_game(self, match: Match) -> None:
        """Begin the second game, the marks swapped; a player who is out loses it at once."""
        one, other = match.one, match.other or ""
        out = [player for player in (one, other) if not self.entrants[player].playing]
        if len(out) == 2:
            self._step(match, Step.DONE)
            return
        game = self._begin(other, one, match.opening)
        self._step(match._replace(games=(*match.games, game.id)), Step.SECOND)
        for player in out:
            (mark,) = game.marks_of(player)
            self._change(game, game.resign(mark))

    # --- who meets whom -------------------------------------------------------------------------

    def _pair_the_free(self, rng: Random) -> None:
        """Pair the players of an arena who are free, have a page open, and have had their rest."""
        elapsed = self.tournament.elapsed
        taken = {player for one in self._active.values() for player in one.players}
        rested = [
            one
            for player, one in self.entrants.items()
            if one.playing and player not in taken and elapsed - one.free_since >= REST
        ]
        if len(rested) > 1:
            here = self._presence.here()
            rested = [one for one in rested if one.player in here]
        if len(rested) < 2:
            return
        points = {line.player: line.points for line in self.table(self.finished())}
        met = self._opponents()
        waiting = [
            pairing.Waiting(
                one.player,
                points[one.player],
                Counter(met[one.player]),
                met[one.player][-1] if met[one.player] else None,
                (elapsed - one.free_since - REST) // 1000,
            )
            for one in rested
        ]
        for one, other in pairing.arena(waiting):
            self._meet(rng, one, other)

    def _next_round(self, rng: Random) -> None:
        """Go on with a Swiss once all games of its round are over."""
        found = self.tournament
        if self._active:
            return
        if found.round and found.round_over is None:
            self._save(round_over=found.elapsed)
        elif found.round and found.elapsed - (found.round_over or 0) < BREAK:
            return
        elif found.round == found.length:
            self._save(state=State.OVER)
        else:
            self._begin_round(rng)

    def _begin_round(self, rng: Random) -> None:
        playing = [line for line in self._in_order() if self.entrants[line.player].playing]
        if len(playing) < 2:
            self._save(state=State.OVER)
            return
        made = self._round_robin() or self._swiss(playing)
        self._save(round=self.tournament.round + 1, round_over=None)
        for one, other in made.pairs:
            self._meet(rng, one, other)
        if made.bye:
            self._add(Match(len(self.matches) + 1, self.tournament.round, made.bye, None))

    def _round_robin(self) -> pairing.Round | None:
        players = sorted(
            (one.player for one in self.entrants.values() if one.playing), key=self._lot
        )
        before = [set[frozenset[str]]() for _ in range(self.tournament.round)]
        for match in self.matches:
            before[match.round - 1].add(frozenset(match.players))
        return pairing.round_robin(players, self.tournament.length, before)

    def _swiss(self, playing: Iterable[Line]) -> pairing.Round:
        met = self._opponents()
        byes = Counter(match.one for match in self.matches if match.other is None)
        return pairing.swiss(
            [
                pairing.Entrant(
                    line.player, line.points, Counter(met[line.player]), byes[line.player]
                )
                for line in playing
            ]
        )

    def _opponents(self) -> Mapping[str, list[str]]:
        """The opponents of each player so far, in their order."""
        met = defaultdict[str, list[str]](list)
        for match in self.matches:
            if match.other is not None:
                met[match.one].append(match.other)
                met[match.other].append(match.one)
        return met

    def _in_order(self) -> list[Line]:
        """The lines of the table; equal players come as they were drawn for this tournament."""
        lines = self.table(self.finished())
        return sorted(lines, key=lambda line: (line.place, self._lot(line.player)))

    def _lot(self, player: str) -> str:
        """The lot of a player in this tournament."""
        return hashlib.sha256(f"{self.tournament.id}{player}".encode()).hexdigest()

    def _meet(self, rng: Random, one: str, other: str) -> None:
        """Begin a match of two players."""
        one, other = rng.sample((one, other), 2)
        opening = self._opening(rng, one, other)
        game = self._begin(one, other, opening)
        number, round_ = len(self.matches) + 1, self.tournament.round
        since = self.tournament.elapsed
        self._add(Match(number, round_, one, other, opening, Step.FIRST, since, (game.id,)))

    def _opening(self, rng: Random, one: str, other: str) -> str:
        """Draw an opening that the two have not had, turned and mirrored at random."""
        if self.tournament.opening is Opening.EMPTY:
            return ""
        had = {match.opening for match in self.matches if {one, other} == set(match.players)}
        left = [ways for ways in map(images, sharp()) if not had.intersection(map(digits, ways))]
        ways = rng.choice(left or [*map(images, sharp())])
        return digits(rng.choice(ways))

    # --- what is stored -------------------------------------------------------------------------

    def _begin(self, x: str, o: str, opening: str) -> Game:
        """Store a new game; those of its players who are in the tournament leave all others."""
        self._hold()
        now = self._now
        for player in (x, o):
            if self._is_playing(player):
                self._leave_others(player)
        new = Game(
            kind=Kind.TWO_DEVICES,
            x_seat=x,
            o_seat=o,
            id=secrets.token_urlsafe(16),
            tournament=self.tournament.id,
            clock=self.tournament.clock,
            begun_at=self.tournament.elapsed,
            moved_at=self.tournament.elapsed,
        )
        if opening:
            new = new.begin_from(moves_of(opening))
        stored_players.touch(self._connection, new.players, now)
        return stored_games.insert(self._connection, new, now)

    def _leave_others(self, player: str) -> None:
        """Give up what else a player plays between two devices, and withdraw what is open.

        A game of two who are both in the tournament is cancelled: neither has left the other.

        :raises Raced: if such a game has changed meanwhile, or has begun with anyone not locked
        """
        stored_seeks.end(self._connection, player)
        for game in stored_games.challenges(self._connection, player):
            if game.open:
                ended = stored_games.delete(self._connection, game)
            else:
                (mark,) = game.marks_of(player)
                both = all(map(self._is_playing, game.players))
                after = game.cancel() if both else game.resign(mark)
                ended = game.players <= self._held and self._change(game, after) is not None
            if not ended:
                raise Raced

    def _is_playing(self, player: str) -> bool:
        return player in self.entrants and self.entrants[player].playing

    def _change(self, before: Game, after: Game) -> Game | None:
        """Store a changed game; return it so, or ``None`` if another change was quicker."""
        self._hold()
        return stored_games.save(self._connection, before, after, self._now)

    def _hold(self) -> None:
        """Lock every entrant, and the opponents of their other games, all at once.

        Locking pair by pair could deadlock with a move.
        """
        if not self._held:
            others = stored_games.seated_with(self._connection, self.entrants)
            self._held = others.union(self.entrants)
            with self._database.transaction(self._connection, *self._held):
                pass

    def _step(self, match: Match, step: Step) -> None:
        elapsed = self.tournament.elapsed
        changed = self._active[match.number] = match._replace(step=step, since=elapsed)
        stored.change(self._connection, self.tournament.id, changed)
        if step is Step.DONE:
            del self._active[match.number]
            for player in match.players:
                self._put(self.entrants[player]._replace(free_since=elapsed))

    def _add(self, match: Match) -> None:
        self.matches.append(match)
        stored.begin(self._connection, self.tournament.id, [match])

    def _put(self, one: Entrant) -> None:
        self.entrants[one.player] = one
        stored.put(self._connection, self.tournament.id, [one])

    def _save(self, **changes: Any) -> None:
        self.tournament = replace(self.tournament, **changes)
        stored.save(self._connection, self.tournament)


@lru_cache(maxsize=8192)
def kept_by(moves: str, given: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Count the own moves of X and of O: those that kept what the position was worth, and all."""
    own = review(moves_of(moves)).moves[given:]
    kept = Counter(move.mark for move in own if move.after.value >= move.before.value)
    of = Counter(move.mark for move in own)
    return (kept[Mark.X], of[Mark.X]), (kept[Mark.O], of[Mark.O])


def _entrant(connection: sa.Connection, id_: str, player: str) -> tuple[Tournament, Entrant]:
    """Return a tournament and one of its players; ``Unknown`` if there is no such one."""
    found, one = _find(connection, id_), stored.entrant(connection, id_, player)
    if one is None:
        raise Unknown("This player is not in the tournament.")
    return found, one


def _find(connection: sa.Connection, id_: str) -> Tournament:
    found = stored.find(connection, id_) if findable(id_) else None
    if found is None:
        raise Unknown("There is no tournament at this address.")
    return found
