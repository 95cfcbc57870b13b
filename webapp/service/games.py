"""Starting, playing, undoing and watching games."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random, SystemRandom

import sqlalchemy as sa

from webapp.core.board import IllegalMove, Mark
from webapp.core.game import Game, NothingToUndo
from webapp.engines.base import Engine, EngineFault, Reason
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, Catalogue
from webapp.service.counting import count, leaving_loses
from webapp.service.players import remember
from webapp.service.refusals import Conflict, NotYourGame, Unacceptable, UnknownGame
from webapp.service.setup import (
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
from webapp.store import records as stored_records
from webapp.store.games import CLASSMATE, FRIEND, GameRecord, Score
from webapp.store.players import Preferences

ABSENT_AFTER = 60
"""For how many seconds somebody must not have moved until the other one may claim the game."""

PHASES = (ABSENT_AFTER, 120, 600)
"""After how many seconds without a change of a game between two people its pages change: the other
one may be claimed against, is asked for less often, and after the end no more."""

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
    :param names: of the people in a game between two, by mark
    :param idle: for how many seconds the game has not changed
    """

    record: GameRecord
    game: Game
    marks: frozenset[Mark]
    preferred: Preferences
    score: Score | None
    waiting: tuple[str, str] | None = None
    names: Mapping[Mark, str] = field(default_factory=dict)
    idle: int = 0

    @property
    def turn(self) -> bool:
        """Whether the game goes on and this person is to move, or lets the engine begin."""
        playing = not (self.record.outcome or self.record.open)
        return playing and self.game.board.turn in self.marks

    @property
    def claimable(self) -> bool:
        """Whether the opponent has been away for so long that this person may claim the game."""
        waiting = self.record.opponent == CLASSMATE and bool(self.marks) and not self.turn
        going = not (self.record.outcome or self.record.open)
        return waiting and going and self.idle >= ABSENT_AFTER

    @property
    def phase(self) -> int:
        """How many of the moments in :data:`PHASES` have passed."""
        return _phase(self.record.opponent, self.idle)

    @property
    def leaving_loses(self) -> bool:
        """Whether beginning another game instead counts this one as lost."""
        return leaving_loses(self.record)


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
        self.engines = Catalogue(engines)
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

    def unchanged(self, game_id: str, version: int, phase: int) -> bool:
        """Tell whether somebody who has seen this version, in this phase, has missed nothing.

        This is what hundreds of waiting pages ask every second, so it asks for little itself.
        """
        with self._database.read() as connection:
            found = stored_games.stamp(connection, game_id)
        if found is None:
            return False
        now, changed_at, opponent, next_id = found
        followed = opponent == CLASSMATE and next_id is not None
        seen = _phase(opponent, int(self._now()) - changed_at)
        return (now, seen) == (version, phase) and not followed

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

    def start(
        self,
        player: str,
        wish: Wish,
        cell: int | None = None,
        key: str | None = None,
        given: tuple[int, ...] = (),
    ) -> Visit:
        """Start a game, and play the player's first move or the engine's.

        The same player and key lead to the same game, so that a request sent twice makes one.

        :param key: anything that the page drew at random
        :param given: moves to begin from. Such a game counts nowhere and is nothing to remember:
            without a wish it is against ``medium``, and the player has the mark to move
        :raises Unacceptable: if the moves cannot be played or end the game, or if a cell is given
            and it is the engine's turn
        """
        start_key = hashlib.sha256(f"{player}:{key}".encode()).hexdigest() if key else None
        try:
            with self._database.write() as connection:
                preferred = stored_players.preferences(connection, player)
                if start_key and (found := stored_games.by_start_key(connection, start_key)):
                    return self._visit(connection, Seat(found, player, preferred))
                seat = self._new(player, wished(preferred, Wish() if given else wish))
                if given:
                    seat = _begun(seat, given, wish)
                if cell is not None:
                    seat = replace(seat, record=_moved(seat.record, cell))
                if not given:
                    opponent = seat.record.opponent
                    self._leave(connection, stored_games.unfinished(connection, player, opponent))
                return self._add(connection, seat, start_key)
        except sa.exc.IntegrityError:
            # Another process stored this key's game between our look and our insertion.
            return self.start(player, wish, cell, key, given)

    def play(self, seat: Seat, cell: int, version: int, wish: Wish) -> Visit:
        """Play a cell, and the engine's reply, as one change.

        On an untouched board another opponent or mark applies at once.

        :param version: the version of the game that the move was made from
        :raises Conflict: if the game has changed, is over, or the cell is taken
        :raises Unacceptable: if the engine now has X
        """
        record, preferred = _with_wish(seat, version, wish)
        first = not record.moves
        _check_seat(record, seat.player)
        record = self._replied(_moved(record, cell))
        if first:
            preferred = after_first_move(preferred, record)
        return self._store(seat, record, preferred)

    def undo(self, seat: Seat, version: int, wish: Wish) -> Visit:
        """Take back the player's last move and the engine's reply; the game then counts nowhere.

        :raises Conflict: if the game has changed or is over, or there is nothing to take back
        """
        record, preferred = _with_wish(seat, version, wish)
        if record.opponent == CLASSMATE:
            raise Conflict("Between two people nothing is taken back.")
        if record.ending:
            raise Conflict("This game is over.")
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
        _check_turn(record, game)
        if game.engine is None:
            raise Conflict("There are no hints between two people.")
        choice = HARD.choose(game.board, self._rng(game))
        record = replace(record, hint=(choice.cell, choice.reason), helped=True)
        return self._store(seat, record, preferred)

    def again(self, seat: Seat, wish: Wish) -> Visit:
        """Return the next game: a new one, or the one that has already followed this.

        One that is left after a few moves of one's own counts as lost. Between two
        people it takes both to go on; until then the same game is returned.

        :raises Conflict: if a game between two people still goes on
        """
        if seat.record.opponent == CLASSMATE:
            return self._rematch(seat)
        preferred = wished(offered(seat.preferred, self.engines), wish)
        new = self._new(seat.player, preferred)
        with self._database.write() as connection:
            if stored_games.set_next(connection, seat.record.id, new.record.id):
                self._leave(connection, [seat.record])
                return self._add(connection, new, None)
            # An empty id leads nowhere, but a game that has been followed stays so.
            left, _ = self._found(connection, seat.record.id, seat.player)
            self._leave(connection, [left])
            record, remembered = self._found(connection, left.next_id or "", seat.player)
            if wish:
                remembered = wished(remembered, wish)
                remember(connection, seat.player, remembered, int(self._now()))
            return self._visit(connection, Seat(record, seat.player, remembered))

    # --- between two people ---------------------------------------------------------------------

    def resign(self, seat: Seat, version: int) -> Visit | None:
        """Give a game up; a challenge that nobody has taken is withdrawn.

        :return: ``None`` where the challenge is gone
        :raises Conflict: if the game has changed or is over, or is not between two people
        """
        record = _going(seat, version)
        if record.open:
            with self._database.write() as connection:
                if not stored_games.delete(connection, record.id, version):
                    raise Conflict(_STALE)
            return None
        (mine,) = record.marks_of(seat.player)
        record = replace(record, outcome=_slug(mine.other), ending="resign")
        return self._store(seat, record, seat.preferred)

    def claim(self, seat: Seat, version: int) -> Visit:
        """Win against somebody who has been away for too long.

        :raises Conflict: if the game has changed or is over, or the opponent has still time
        """
        record = _going(seat, version)
        (mine,) = record.marks_of(seat.player)
        if record.open or _game(record).board.turn is mine:
            raise Conflict("It is not your opponent's turn.")
        if int(self._now()) - record.changed_at < ABSENT_AFTER:
            raise Conflict(f"A game can be claimed after {ABSENT_AFTER} seconds without a move.")
        record = replace(record, outcome=_slug(mine), ending="claim")
        return self._store(seat, record, seat.preferred)

    def _rematch(self, seat: Seat) -> Visit:
        (mine,) = seat.record.marks_of(seat.player)
        with self._database.write() as connection:
            record, preferred = self._found(connection, seat.record.id, seat.player)
            here = Seat(record, seat.player, preferred)
            if not record.outcome:
                raise Conflict("This game still goes on.")
            if record.next_id:
                following, _ = self._found(connection, record.next_id, seat.player)
                return self._visit(connection, replace(here, record=following))
            if record.rematch in (None, _slug(mine)):
                if record.rematch is None:
                    now, version = int(self._now()), record.version + 1
                    before, slug = record, _slug(mine)
                    record = replace(record, rematch=slug, version=version, changed_at=now)
                    stored_games.replace(connection, before, record, now)
                return self._visit(connection, replace(here, record=record))
            new = replace(
                _NOBODY, id=secrets.token_urlsafe(16), version=1, opponent=CLASSMATE,
                x_seat=record.o_seat, o_seat=record.x_seat,
            )  # fmt: skip
            if not stored_games.set_next(connection, record.id, new.id):
                raise Conflict(_STALE)
            stored_players.touch(
                connection, filter(None, (new.x_seat, new.o_seat)), int(self._now())
            )
            return self._add(connection, replace(here, record=new), None)

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
        stored_games.insert(connection, record, start_key, now)
        record = replace(record, changed_at=now)
        if not record.given:
            if record.moves:
                preferred = after_first_move(preferred, record)
            remember(connection, seat.player, preferred, now)
        return self._visit(connection, Seat(record, seat.player, preferred))

    def _leave(self, connection: sa.Connection, some: Iterable[GameRecord]) -> None:
        """Count unfinished games as lost, as far as leaving them loses them."""
        for record in filter(leaving_loses, some):
            engine = record.engine_mark
            left = replace(
                record,
                outcome=_slug(engine) if engine else "",
                ending="left",
                version=record.version + 1,
            )
            if stored_games.replace(connection, record, left, int(self._now())):
                count(connection, left)

    def _store(self, seat: Seat, record: GameRecord, preferred: Preferences) -> Visit:
        """Store a changed game as its next version, and what its player chose where that is new.

        :param seat: as it was before the change
        :raises Conflict: if somebody else changed the game first
        """
        record = replace(record, version=seat.record.version + 1)
        now = int(self._now())
        changes_player = preferred != seat.preferred
        finishes = bool(record.outcome) and not seat.record.outcome
        # One conditional UPDATE is a transaction by itself, and the common case.
        more = changes_player or finishes
        transaction = self._database.write if more else self._database.read
        with transaction() as connection:
            if not stored_games.replace(connection, seat.record, record, now):
                raise Conflict(_STALE)
            if finishes:
                count(connection, record)
            if changes_player:
                remember(connection, seat.player, preferred, now)
            record = replace(record, changed_at=now)
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
        score = self._score(connection, seat.player, record) if marks else None
        preferred = shown(record, seat.preferred) if marks else seat.preferred
        visit = Visit(record, _game(record), marks, offered(preferred, self.engines), score)
        if record.opponent != CLASSMATE:
            return visit
        seats = {Mark.X: record.x_seat, Mark.O: record.o_seat}
        names = stored_players.names(connection, filter(None, seats.values()))
        return replace(
            visit,
            names={mark: names.get(seat, _GONE) for mark, seat in seats.items() if seat},
            idle=max(0, int(self._now()) - record.changed_at),
        )

    def _score(self, connection: sa.Connection, player: str, record: GameRecord) -> Score | None:
        if record.opponent == FRIEND or record.open:
            return None
        if record.opponent != CLASSMATE:
            return stored_games.score(connection, player, record.opponent)
        other = record.o_seat if record.x_seat == player else record.x_seat
        found = stored_records.one(connection, player, other or "")
        return Score(found.won, found.drawn, found.lost)


_GONE = "Somebody"
"""What one is called who has no name any more, or not yet."""

_STALE = "The board had already changed; this is how it stands."


def _game(record: GameRecord) -> Game:
    return _replayed(record.moves, record.engine_mark, record.given)


# One request asks for the same game several times over, and most games begin alike.
@lru_cache(maxsize=4096)
def _replayed(moves: tuple[int, ...], engine: Mark | None, given: int) -> Game:
    return Game(moves, engine, given)


def _begun(seat: Seat, given: tuple[int, ...], wish: Wish) -> Seat:
    """A new game with these moves on its board.

    What the player chose for the next game stays as it was.

    :raises Unacceptable: if they cannot be played, or the game is over after them
    """
    try:
        board = Game(given).board
    except IllegalMove as error:
        raise Unacceptable(f"A game cannot begin so: {error}") from error
    if board.outcome:
        raise Unacceptable("A game cannot begin where it is over.")
    setup = replace(
        seat.preferred,
        opponent=wish.opponent or Preferences().opponent,
        mark=wish.mark or _slug(board.turn),
    )
    record = replace(
        dealt(seat.record, seat.player, setup),
        moves=given,
        reasons=(None,) * len(given),
        given=len(given),
        helped=True,
    )
    return replace(seat, record=record)


def _slug(mark: Mark) -> str:
    return str(mark).lower()


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
    _check_turn(record, game)
    if game.board[cell]:
        raise Conflict("That cell is taken; choose a free one.")
    return _with_move(record, cell, None)


def _phase(opponent: str, idle: int) -> int:
    return sum(idle >= moment for moment in PHASES) if opponent == CLASSMATE else 0


def _check_seat(record: GameRecord, player: str) -> None:
    """Check that it is this player's turn in a game between two people.

    :raises Conflict: if nobody has joined yet, or it is the other one's turn
    """
    if record.opponent != CLASSMATE or record.outcome:
        return
    if record.open:
        raise Conflict("Nobody has joined this game yet.")
    if _game(record).board.turn not in record.marks_of(player):
        raise Conflict("It is not your turn.")


def _going(seat: Seat, version: int) -> GameRecord:
    """The game between two people that a request is about, if it goes on.

    :raises Conflict: if it has changed or is over, or is not between two people
    """
    record = seat.record
    if record.opponent != CLASSMATE:
        raise Conflict("That is for games between two people.")
    if record.version != version:
        raise Conflict(_STALE)
    if record.outcome:
        raise Conflict("This game is over.")
    return record


def _check_turn(record: GameRecord, game: Game) -> None:
    if record.outcome:
        raise Conflict("This game is over.")
    if game.engine_to_move:
        first = "The computer has X and goes first."
        raise Unacceptable("It is the computer's turn." if game.moves else first)


def _with_move(record: GameRecord, cell: int, reason: Reason | None) -> GameRecord:
    record = replace(
        record, moves=(*record.moves, cell), reasons=(*record.reasons, reason), hint=None
    )
    outcome = _game(record).outcome
    if not outcome:
        return record
    return replace(record, outcome=_slug(outcome.winner) if outcome.winner else "draw")
