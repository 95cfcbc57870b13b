"""Starting, playing, undoing and watching games."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random, SystemRandom

import sqlalchemy as sa

from webapp.core.board import IllegalMove, Mark
from webapp.core.game import Game, NothingToUndo
from webapp.engines.base import Engine, EngineFault, Reason
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.service.refusals import Conflict, NotYourGame, Unacceptable, UnknownGame
from webapp.service.setup import (
    FRIEND,
    Wish,
    after_first_move,
    dealt,
    offered,
    redealt,
    shown,
    wished,
)
from webapp.store import Database
from webapp.store import games as stored_games
from webapp.store import players as stored_players
from webapp.store.games import GameRecord, Score
from webapp.store.players import Preferences

_NOBODY = GameRecord(id="", x_seat=None, o_seat=None, opponent=FRIEND, version=0)


@dataclass(frozen=True, slots=True)
class Seat:
    """A stored game, and the player who asks to change it and may."""

    record: GameRecord
    player: str
    preferred: Preferences


@dataclass(frozen=True, slots=True)
class Visit:
    """A game as one person sees it.

    Before a game there is the front page's empty board: a record without an id, of version 0.

    :param marks: those that this person moves; none for one who watches
    :param preferred: what this person chose for the next game
    :param score: this person's score against the opponent; ``None`` where none is kept
    :param waiting: on the front page, id and opponent of a game that the player has not finished
    """

    record: GameRecord
    game: Game
    marks: frozenset[Mark]
    preferred: Preferences
    score: Score | None
    waiting: tuple[str, str] | None = None


class Games:
    """The games of everybody on this server.

    :param seed: makes the engines' choices repeatable, for tests: the same position is then
        always answered alike
    """

    def __init__(
        self,
        database: Database,
        engines: Mapping[str, Engine] = ENGINES,
        seed: str | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.engines = engines
        self._database = database
        self._seed = seed
        self._now = now

    # --- looking --------------------------------------------------------------------------------

    def front(self, player: str, wish: Wish) -> Visit:
        """Return the empty board that awaits this player.

        :param wish: what to prepare it for; looking remembers nothing
        """
        with self._database.read() as connection:
            preferred = offered(stored_players.preferences(connection, player), self.engines)
            preferred = wished(preferred, wish)
            record = dealt(_NOBODY, player, preferred)
            visit = self._visit(connection, Seat(record, player, preferred))
            return replace(visit, waiting=stored_games.waiting(connection, player))

    def visit(self, game_id: str, player: str, wish: Wish) -> Visit:
        """Return a game as this person sees it.

        :param wish: what to show an untouched game with, if it is the player's; looking changes
            and remembers nothing
        :raises UnknownGame: if there is none of this id
        """
        with self._database.read() as connection:
            record, preferred = self._found(connection, game_id, player)
            if record.marks_of(player):
                record, preferred = redealt(record, player, preferred, wish)
            return self._visit(connection, Seat(record, player, preferred))

    def seat(self, game_id: str, player: str) -> Seat:
        """Return a game for this player to change.

        :raises UnknownGame: if there is none of this id
        :raises NotYourGame: if the player has no seat in it
        """
        with self._database.read() as connection:
            record, preferred = self._found(connection, game_id, player)
        if not record.marks_of(player):
            raise NotYourGame("Only its player can move in this game; you are watching.")
        return Seat(record, player, preferred)

    # --- changing -------------------------------------------------------------------------------

    def start(self, player: str, wish: Wish, cell: int | None, key: str | None) -> Visit:
        """Start a game, and play the player's first move or the engine's.

        The same player and key lead to the same game, so that a request sent twice makes one.

        :param key: anything that the page drew at random
        :raises Unacceptable: if a cell is given and the engine has X
        """
        start_key = hashlib.sha256(f"{player}:{key}".encode()).hexdigest() if key else None
        try:
            with self._database.write() as connection:
                preferred = stored_players.preferences(connection, player)
                if start_key and (found := stored_games.by_start_key(connection, start_key)):
                    return self._visit(connection, Seat(found, player, preferred))
                seat = self._new(player, wished(preferred, wish))
                if cell is not None:
                    seat = replace(seat, record=_moved(seat.record, cell))
                return self._add(connection, seat, start_key)
        except sa.exc.IntegrityError:
            # Another process stored this key's game between our look and our insertion.
            return self.start(player, wish, cell, key)

    def play(self, seat: Seat, cell: int, version: int, wish: Wish) -> Visit:
        """Play a cell, and the engine's reply, as one change.

        On an untouched board another opponent or mark applies at once.

        :param version: the version of the game that the move was made from
        :raises Conflict: if the game has changed, is over, or the cell is taken
        :raises Unacceptable: if the engine now has X
        """
        record, preferred = _with_wish(seat, version, wish)
        first = not record.moves
        record = self._replied(_moved(record, cell))
        if first:
            preferred = after_first_move(preferred, record)
        return self._store(seat, record, preferred)

    def undo(self, seat: Seat, version: int, wish: Wish) -> Visit:
        """Take back the player's last move and the engine's reply; the game then counts nowhere.

        :raises Conflict: if the game has changed or is over, or there is nothing to take back
        """
        record, preferred = _with_wish(seat, version, wish)
        try:
            moves = _game(record).undo().moves
        except (NothingToUndo, IllegalMove) as error:
            raise Conflict(str(error)) from error
        record = replace(
            record, moves=moves, reasons=record.reasons[: len(moves)], hint=None, helped=True
        )
        return self._store(seat, record, preferred)

    def hint(self, seat: Seat, version: int, wish: Wish) -> Visit:
        """Suggest the best cell and keep the suggestion; the game then counts nowhere.

        :raises Conflict: if the game has changed or is over, or has no engine in it
        :raises Unacceptable: if the engine now has X
        """
        record, preferred = _with_wish(seat, version, wish)
        game = _game(record)
        _check_turn(game)
        if game.engine is None:
            raise Conflict("There are no hints between two people.")
        choice = HARD.choose(game.board, self._rng(game))
        record = replace(record, hint=(choice.cell, choice.reason), helped=True)
        return self._store(seat, record, preferred)

    def again(self, seat: Seat, wish: Wish) -> Visit:
        """Return the next game: a new one, or the one that has already followed this."""
        preferred = wished(offered(seat.preferred, self.engines), wish)
        new = self._new(seat.player, preferred)
        with self._database.write() as connection:
            if stored_games.set_next(connection, seat.record.id, new.record.id):
                return self._add(connection, new, None)
            # An empty id leads nowhere, but a game that has been followed stays so.
            left, _ = self._found(connection, seat.record.id, seat.player)
            record, remembered = self._found(connection, left.next_id or "", seat.player)
            if wish:
                remembered = wished(remembered, wish)
                stored_players.save(connection, seat.player, remembered, int(self._now()))
            return self._visit(connection, Seat(record, seat.player, remembered))

    # --- the parts of a change ------------------------------------------------------------------

    def _rng(self, game: Game) -> Random:
        if self._seed is None:
            return SystemRandom()
        return Random(f"{self._seed}:{game.moves}")  # noqa: S311 - for repeatable tests only

    def _new(self, player: str, preferred: Preferences) -> Seat:
        """A new game as preferred; an engine that has X has not opened yet."""
        record = replace(_NOBODY, id=secrets.token_urlsafe(16), version=1)
        return Seat(dealt(record, player, preferred), player, preferred)

    def _replied(self, record: GameRecord) -> GameRecord:
        """The game after the engine's move, if it is the engine's turn."""
        game = _game(record)
        if not game.engine_to_move:
            return record
        engine = self.engines.get(record.opponent)
        if engine is None:
            raise Conflict("This server no longer has the opponent of this game.")
        try:
            choice = engine.choose(game.board, self._rng(game))
        except EngineFault as error:
            raise Conflict(f"The computer's function failed: {error.why}.") from error
        return _with_move(record, choice.cell, choice.reason)

    def _add(self, connection: sa.Connection, seat: Seat, start_key: str | None) -> Visit:
        """Store a new game and what its player chose, inside a write transaction."""
        now, record, preferred = int(self._now()), self._replied(seat.record), seat.preferred
        if record.moves:
            preferred = after_first_move(preferred, record)
        stored_games.insert(connection, record, start_key, now)
        stored_players.save(connection, seat.player, preferred, now)
        return self._visit(connection, Seat(record, seat.player, preferred))

    def _store(self, seat: Seat, record: GameRecord, preferred: Preferences) -> Visit:
        """Store a changed game as its next version, and what its player chose where that is new.

        :param seat: as it was before the change
        :raises Conflict: if somebody else changed the game first
        """
        record = replace(record, version=seat.record.version + 1)
        now = int(self._now())
        changes_player = preferred != seat.preferred
        # One conditional UPDATE is a transaction by itself, and the common case.
        transaction = self._database.write if changes_player else self._database.read
        with transaction() as connection:
            if not stored_games.replace(connection, seat.record, record, now):
                raise Conflict(_STALE)
            if changes_player:
                stored_players.save(connection, seat.player, preferred, now)
            return self._visit(connection, Seat(record, seat.player, preferred))

    # --- the parts of a look --------------------------------------------------------------------

    def _found(
        self, connection: sa.Connection, game_id: str, player: str
    ) -> tuple[GameRecord, Preferences]:
        found = stored_games.for_player(connection, game_id, player)
        if found is None:
            raise UnknownGame("There is no game at this address.")
        return found

    def _visit(self, connection: sa.Connection, seat: Seat) -> Visit:
        record, marks = seat.record, seat.record.marks_of(seat.player)
        score = self._score(connection, seat.player, record.opponent) if marks else None
        preferred = shown(record, seat.preferred) if marks else seat.preferred
        return Visit(record, _game(record), marks, offered(preferred, self.engines), score)

    def _score(self, connection: sa.Connection, player: str, opponent: str) -> Score | None:
        return None if opponent == FRIEND else stored_games.score(connection, player, opponent)


_STALE = "The board had already changed; this is how it stands."


def _game(record: GameRecord) -> Game:
    engine = Mark.X if record.x_seat is None else Mark.O if record.o_seat is None else None
    return _replayed(record.moves, engine)


# One request asks for the same game several times over, and most games begin alike.
@lru_cache(maxsize=4096)
def _replayed(moves: tuple[int, ...], engine: Mark | None) -> Game:
    return Game(moves, engine)


def _with_wish(seat: Seat, version: int, wish: Wish) -> tuple[GameRecord, Preferences]:
    """The stored game and what is remembered, with what accompanied a request.

    :param version: the version of the game that the request was made from
    :raises Conflict: if the game has changed since
    """
    if seat.record.version != version:
        raise Conflict(_STALE)
    return redealt(seat.record, seat.player, seat.preferred, wish)


def _moved(record: GameRecord, cell: int) -> GameRecord:
    """The game after a person's move.

    :raises Conflict: if the game is over or the cell is taken
    :raises Unacceptable: if it is the engine's turn, which is so only before its first move
    """
    game = _game(record)
    _check_turn(game)
    if game.board[cell]:
        raise Conflict("That cell is taken; choose a free one.")
    return _with_move(record, cell, None)


def _check_turn(game: Game) -> None:
    if game.outcome:
        raise Conflict("This game is over.")
    if game.engine_to_move:
        raise Unacceptable("The computer has X and goes first.")


def _with_move(record: GameRecord, cell: int, reason: Reason | None) -> GameRecord:
    record = replace(
        record, moves=(*record.moves, cell), reasons=(*record.reasons, reason), hint=None
    )
    outcome = _game(record).outcome
    return replace(record, outcome=str(outcome.winner or "draw").lower()) if outcome else record
