"""A game as one person sees it, and the way of every change into the database."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.service.changes import STALE, game_of
from webapp.service.clock import Clock
from webapp.service.counting import count, leaving_loses
from webapp.service.players import remember
from webapp.service.refusals import Conflict, NotYourGame, UnknownGame
from webapp.service.setup import after_first_move, offered, shown
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

_GONE = "Somebody"
"""What one is called who has no name any more, or not yet."""


def phase(opponent: str, idle: int) -> int:
    """Return how many of the moments in :data:`PHASES` have passed after so many seconds."""
    return sum(idle >= moment for moment in PHASES) if opponent == CLASSMATE else 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A stored game, and the player who asks to change it and may."""

    record: GameRecord
    player: str
    preferred: Preferences


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that the front page leads back to.

    :param turn: whether the player is to move
    :param lost_by_another: whether a new game as the page offers it counts this one as lost
    """

    record: GameRecord
    turn: bool
    lost_by_another: bool


@dataclass(frozen=True, slots=True)
class Visit:
    """A game as one person sees it.

    Before a game there is the front page's empty board: a record without an id, of version 0.

    :param marks: those that this person moves; none for one who watches
    :param preferred: what this person chose for the next game
    :param score: this person's score against the opponent; ``None`` where none is kept
    :param unfinished: on the front page, what the player may go on with instead
    :param names: of the people in a game between two, by mark
    :param idle: for how many seconds the game has not changed
    """

    record: GameRecord
    game: Game
    marks: frozenset[Mark]
    preferred: Preferences
    score: Score | None
    unfinished: tuple[Unfinished, ...] = ()
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
        return phase(self.record.opponent, self.idle)

    @property
    def leaving_loses(self) -> bool:
        """Whether beginning another game instead counts this one as lost."""
        return leaving_loses(self.record)


class Visits:
    """Makes visits of stored games, and stores the games that were changed.

    :param engines: the opponents that this server offers, by slug
    """

    def __init__(
        self, database: Database, engines: Container[str], clock: Clock | None = None
    ) -> None:
        self.database = database
        self.clock = clock or Clock()
        self._engines = engines

    def now(self) -> int:
        """Return the time in whole seconds since 1970."""
        return int(self.clock())

    def find(
        self, connection: sa.Connection, game_id: str, player: str
    ) -> tuple[GameRecord, Preferences]:
        """Return a game, and what this player chose for the next one.

        :raises UnknownGame: if there is none of this id
        """
        found = stored_games.for_player(connection, game_id, player)
        if found is None:
            raise UnknownGame("There is no such game, or one of its players has deleted it.")
        return found

    def seat(self, game_id: str, player: str) -> Seat:
        """Return a game for this player to change.

        :raises UnknownGame: if there is none of this id
        :raises NotYourGame: if the player has no seat in it
        """
        with self.database.read() as connection:
            record, preferred = self.find(connection, game_id, player)
        if not record.marks_of(player):
            raise NotYourGame("Only its player can move in this game; you are watching.")
        return Seat(record, player, preferred)

    def visit(self, connection: sa.Connection, seat: Seat) -> Visit:
        """Return a game as its player sees it, or one who has no seat in it."""
        record, marks = seat.record, seat.record.marks_of(seat.player)
        score = _score(connection, seat.player, record) if marks else None
        preferred = shown(record, seat.preferred) if marks else seat.preferred
        visit = Visit(record, game_of(record), marks, offered(preferred, self._engines), score)
        if record.opponent != CLASSMATE:
            return visit
        seats = {Mark.X: record.x_seat, Mark.O: record.o_seat}
        names = stored_players.names(connection, filter(None, seats.values()))
        return replace(
            visit,
            names={mark: names.get(seat, _GONE) for mark, seat in seats.items() if seat},
            idle=self.clock.since(record.changed_at),
        )

    def add(self, connection: sa.Connection, seat: Seat, start_key: str | None = None) -> Visit:
        """Store a new game and what its player chose, inside a write transaction.

        :raises sqlalchemy.exc.IntegrityError: if a game was started with the same key
        """
        now, record, preferred = self.now(), seat.record, seat.preferred
        stored_games.insert(connection, record, start_key, now)
        record = replace(record, changed_at=now)
        if not record.given:
            if record.moves:
                preferred = after_first_move(preferred, record)
            remember(connection, seat.player, preferred, now)
        return self.visit(connection, Seat(record, seat.player, preferred))

    def store(self, seat: Seat, record: GameRecord, preferred: Preferences) -> Visit:
        """Store a changed game as its next version, and what its player chose where that is new.

        :param seat: as it was before the change
        :raises Conflict: if somebody else changed the game first
        """
        record = replace(record, version=seat.record.version + 1)
        now = self.now()
        changes_player = preferred != seat.preferred
        finishes = bool(record.outcome) and not seat.record.outcome
        # One conditional UPDATE is a transaction by itself, and the common case.
        more = changes_player or finishes
        people = filter(None, {record.x_seat, record.o_seat, seat.player})
        with self.database.write(*people) if more else self.database.change() as connection:
            if not stored_games.replace(connection, seat.record, record, now):
                raise Conflict(STALE)
            if finishes:
                count(connection, record)
            if changes_player:
                remember(connection, seat.player, preferred, now)
            record = replace(record, changed_at=now)
            return self.visit(connection, Seat(record, seat.player, preferred))


def _score(connection: sa.Connection, player: str, record: GameRecord) -> Score | None:
    if record.opponent == FRIEND or record.open:
        return None
    if record.opponent != CLASSMATE:
        return stored_games.score(connection, player, record.opponent)
    other = record.o_seat if record.x_seat == player else record.x_seat
    found = stored_records.one(connection, player, other or "")
    return Score(found.won, found.drawn, found.lost)
