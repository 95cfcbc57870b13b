"""Starting, playing, undoing and watching games."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import replace
from random import Random, SystemRandom

import sqlalchemy as sa

from webapp.core.board import IllegalMove
from webapp.core.game import Game, NothingToUndo
from webapp.engines.base import EngineFault
from webapp.engines.perfect import HARD
from webapp.engines.registry import Catalogue
from webapp.service.changes import (
    OVER,
    check_turn,
    check_version,
    ended,
    game_of,
    moved,
    with_move,
)
from webapp.service.counting import count, leaving_loses
from webapp.service.duels import check_seat
from webapp.service.players import remember
from webapp.service.refusals import Conflict, Unacceptable
from webapp.service.setup import Wish, after_first_move, dealt, offered, redealt, wished
from webapp.service.visits import Seat, Unfinished, Visit, Visits, phase
from webapp.store import games as stored_games
from webapp.store import players as stored_players
from webapp.store.games import CLASSMATE, FRIEND, GameRecord
from webapp.store.players import Preferences

_LOOKED_AT = 50
"""Among how many unfinished games of a player the front page chooses what it leads back to."""

_NOBODY = GameRecord(id="", x_seat=None, o_seat=None, opponent=FRIEND, version=0)


class Games:
    """The games of everybody on this server.

    :param engines: the opponents, by slug
    :param seed: makes the engines' choices repeatable, for tests: the same position is then
        always answered alike
    """

    def __init__(self, visits: Visits, engines: Catalogue, seed: str | None = None) -> None:
        self.engines = engines
        self.visits = visits
        self._database = visits.database
        self._seed = seed

    # --- looking --------------------------------------------------------------------------------

    def front(self, player: str, wish: Wish) -> Visit:
        """Return the empty board that awaits this player.

        :param wish: what to prepare it for; looking remembers nothing
        """
        with self._database.read() as connection:
            preferred = offered(stored_players.preferences(connection, player), self.engines)
            preferred = wished(preferred, wish)
            record = dealt(_NOBODY, player, preferred)
            visit = self.visits.visit(connection, Seat(record, player, preferred))
            waiting = stored_games.waiting(connection, player, _LOOKED_AT)
            return replace(visit, unfinished=_to_go_on_with(waiting, player, record.opponent))

    def visit(self, game_id: str, player: str, wish: Wish) -> Visit:
        """Return a game as this person sees it.

        :param wish: what to show an untouched game with, if it is the player's; looking changes
            and remembers nothing
        :raises UnknownGame: if there is none of this id
        """
        with self._database.read() as connection:
            record, preferred = self.visits.find(connection, game_id, player)
            if record.marks_of(player):
                record, preferred = redealt(record, player, preferred, wish)
            return self.visits.visit(connection, Seat(record, player, preferred))

    def unchanged(self, game_id: str, version: int, seen: int) -> bool:
        """Tell whether somebody who has seen this version has missed nothing.

        This is what hundreds of waiting pages ask every second, so it asks for little itself.

        :param seen: the phase that the version was seen in
        """
        with self._database.read() as connection:
            found = stored_games.stamp(connection, game_id)
        if found is None:
            return False
        now, changed_at, opponent, next_id = found
        followed = opponent == CLASSMATE and next_id is not None
        passed = phase(opponent, self.visits.clock.since(changed_at))
        # What a page has been told it keeps: another worker, or a clock set back, may see less.
        return now == version and passed <= seen and not followed

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
            with self._database.write(player) as connection:
                preferred = stored_players.preferences(connection, player)
                if start_key and (found := stored_games.by_start_key(connection, start_key)):
                    return self.visits.visit(connection, Seat(found, player, preferred))
                seat = self._new(player, wished(preferred, Wish() if given else wish))
                if given:
                    seat = _begun(seat, given, wish)
                if cell is not None:
                    seat = replace(seat, record=moved(seat.record, cell))
                if not given:
                    opponent = seat.record.opponent
                    self._leave(connection, stored_games.unfinished(connection, player, opponent))
                seat = replace(seat, record=self._replied(seat.record))
                return self.visits.add(connection, seat, start_key)
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
        check_seat(record, seat.player)
        record = self._replied(moved(record, cell))
        if first:
            preferred = after_first_move(preferred, record)
        return self.visits.store(seat, record, preferred)

    def undo(self, seat: Seat, version: int, wish: Wish) -> Visit:
        """Take back the player's last move and the engine's reply; the game then counts nowhere.

        :raises Conflict: if the game has changed or is over, or there is nothing to take back
        """
        record, preferred = _with_wish(seat, version, wish)
        if record.opponent == CLASSMATE:
            raise Conflict("Between two people nothing is taken back.")
        if record.ending:
            raise Conflict(OVER)
        try:
            moves = game_of(record).undo().moves
        except (NothingToUndo, IllegalMove) as error:
            raise Conflict(str(error)) from error
        record = replace(
            record, moves=moves, reasons=record.reasons[: len(moves)], hint=None, helped=True
        )
        return self.visits.store(seat, record, preferred)

    def hint(self, seat: Seat, version: int, wish: Wish) -> Visit:
        """Suggest the best cell and keep the suggestion; the game then counts nowhere.

        :raises Conflict: if the game has changed or is over, or has no engine in it
        :raises Unacceptable: if the engine now has X
        """
        record, preferred = _with_wish(seat, version, wish)
        game = game_of(record)
        check_turn(record, game)
        if game.engine is None:
            raise Conflict("There are no hints between two people.")
        choice = HARD.choose(game.board, self._rng(game))
        record = replace(record, hint=(choice.cell, choice.reason), helped=True)
        return self.visits.store(seat, record, preferred)

    def again(self, seat: Seat, wish: Wish) -> Visit:
        """Return the next game: a new one, or the one that has already followed this.

        One that is left after a few moves of one's own counts as lost.
        """
        preferred = wished(offered(seat.preferred, self.engines), wish)
        new = self._new(seat.player, preferred)
        with self._database.write(seat.player) as connection:
            if stored_games.set_next(connection, seat.record.id, new.record.id):
                self._leave(connection, [seat.record])
                return self.visits.add(connection, replace(new, record=self._replied(new.record)))
            # An empty id leads nowhere, but a game that has been followed stays so.
            left, _ = self.visits.find(connection, seat.record.id, seat.player)
            self._leave(connection, [left])
            record, remembered = self.visits.find(connection, left.next_id or "", seat.player)
            if wish:
                remembered = wished(remembered, wish)
                remember(connection, seat.player, remembered, self.visits.now())
            return self.visits.visit(connection, Seat(record, seat.player, remembered))

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
        game = game_of(record)
        if not game.engine_to_move:
            return record
        engine = self.engines.get(record.opponent)
        if engine is None:
            raise Conflict("This server no longer has the opponent of this game.")
        try:
            choice = engine.choose(game.board, self._rng(game))
        except EngineFault as error:
            raise Conflict(f"The computer's function failed: {error.why}.") from error
        return with_move(record, choice.cell, choice.reason)

    def _leave(self, connection: sa.Connection, some: Iterable[GameRecord]) -> None:
        """Count unfinished games as lost, as far as leaving them loses them."""
        for record in sorted(filter(leaving_loses, some), key=lambda record: record.id):
            left = ended(record, record.engine_mark, "left")
            left = replace(left, version=record.version + 1)
            if stored_games.replace(connection, record, left, self.visits.now()):
                count(connection, left)


def _to_go_on_with(
    waiting: Iterable[GameRecord], player: str, opponent: str
) -> tuple[Unfinished, ...]:
    """Choose what the front page leads back to: a game with a classmate, and one of the others.

    :param waiting: the player's unfinished games, the last changed first
    :param opponent: against whom a new game would be: one that it counts as lost goes first
    """
    found = [
        Unfinished(
            record,
            turn=not record.open and game_of(record).board.turn in record.marks_of(player),
            lost_by_another=record.opponent == opponent and leaving_loses(record),
        )
        for record in waiting
    ]
    live = [one for one in found if one.record.opponent == CLASSMATE]
    others = [one for one in found if one.record.opponent != CLASSMATE]
    return (
        *sorted(live, key=lambda one: one.record.open)[:1],
        *sorted(others, key=lambda one: not one.lost_by_another)[:1],
    )


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
        mark=wish.mark or board.turn.slug,
    )
    record = replace(
        dealt(seat.record, seat.player, setup),
        moves=given,
        reasons=(None,) * len(given),
        given=len(given),
        helped=True,
    )
    return replace(seat, record=record)


def _with_wish(seat: Seat, version: int, wish: Wish) -> tuple[GameRecord, Preferences]:
    """The stored game and what is remembered, with what accompanied a request.

    :param version: the version of the game that the request was made from
    :raises Conflict: if the game has changed since
    """
    check_version(seat.record, version)
    return redealt(seat.record, seat.player, seat.preferred, wish)
