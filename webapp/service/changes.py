"""A stored game, changed: what a move and an ending make of its record. Nothing is stored here."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from webapp.core.board import Mark
from webapp.core.game import Game, Reason
from webapp.service.refusals import Conflict, Unacceptable
from webapp.store.games import GameRecord

STALE = "The board had already changed; this is how it stands."
OVER = "This game is over."


def game_of(record: GameRecord) -> Game:
    """Return the game that a record's moves make."""
    return _replayed(record.moves, record.engine_mark, record.given)


# One request asks for the same game several times over, and most games begin alike.
@lru_cache(maxsize=1024)
def _replayed(moves: tuple[int, ...], engine: Mark | None, given: int) -> Game:
    return Game(moves, engine, given)


def moved(record: GameRecord, cell: int) -> GameRecord:
    """Return the game after a person's move.

    :raises Conflict: if the game is over or the cell is taken
    :raises Unacceptable: if it is the engine's turn, which is so only before its first move
    """
    game = game_of(record)
    check_turn(record, game)
    if game.board[cell]:
        raise Conflict("That cell is taken; choose a free one.")
    return with_move(record, cell, None)


def with_move(record: GameRecord, cell: int, reason: Reason | None) -> GameRecord:
    """Return the game after a legal move, with its outcome.

    :param reason: the engine's; ``None`` for a person's move
    """
    record = replace(
        record, moves=(*record.moves, cell), reasons=(*record.reasons, reason), hint=None
    )
    outcome = game_of(record).outcome
    if not outcome:
        return record
    return replace(record, outcome=outcome.slug)


def ended(record: GameRecord, winner: Mark | None, how: str) -> GameRecord:
    """Return a game that ended off the board.

    :param how: ``"resign"``, ``"claim"`` or ``"left"``
    """
    return replace(record, outcome=winner.slug if winner else "", ending=how)


def check_turn(record: GameRecord, game: Game) -> None:
    """Check that a person may move.

    :raises Conflict: if the game is over
    :raises Unacceptable: if it is the engine's turn
    """
    if record.outcome:
        raise Conflict(OVER)
    if game.engine_to_move:
        first = "The computer has X and goes first."
        raise Unacceptable("It is the computer's turn." if game.moves else first)


def check_version(record: GameRecord, version: int) -> None:
    """Check that a request was made from the game as it is.

    :raises Conflict: if the game has changed since
    """
    if record.version != version:
        raise Conflict(STALE)
