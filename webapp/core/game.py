"""A game: the moves so far, and which mark an engine plays. May import ``board`` only."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate

from webapp.core.board import Board, IllegalMove, Line, Mark, Outcome


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an engine takes a cell, as data; ``words`` makes a sentence of it.

    :param rule: slug of the rule that fired: ``win``, ``block``, ``random`` …
    :param lines: the lines that the rule is about: the one completed, blocked, threatened
    """

    rule: str
    lines: tuple[Line, ...] = ()


class NothingToUndo(ValueError):  # noqa: N818 - a sentence, not a fault
    """There is no move of one's own to take back."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game from the empty board; immutable, so that playing returns a new one.

    :param moves: the cells played, in order; X plays the first
    :param engine: the mark that an engine plays, or ``None`` where people play both
    :param given: how many of the moves stood on the board when the game began, for good
    :ivar boards: the board before the first move, and the board after each move
    :raises IllegalMove: if the moves cannot be played

    >>> Game().play(4).play(0).board
    Board('O...X....')
    """

    moves: tuple[int, ...] = ()
    engine: Mark | None = None
    given: int = 0
    boards: tuple[Board, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        boards = tuple(accumulate(self.moves, Board.play, initial=Board()))
        object.__setattr__(self, "boards", boards)

    @property
    def board(self) -> Board:
        """The board as it stands now."""
        return self.boards[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        return self.board.outcome

    @property
    def engine_to_move(self) -> bool:
        """Whether the game goes on and it is the engine's turn."""
        return self.board.turn is self.engine and not self.outcome

    def play(self, cell: int) -> Game:
        """Return the game with one more move.

        :raises IllegalMove: if the rules forbid it
        """
        return Game((*self.moves, cell), self.engine, self.given)

    @property
    def undoable(self) -> bool:
        """Whether the game goes on and there is a move of a person's to take back."""
        return not self.outcome and len(self.moves) - self._turn_plies >= self.given

    @property
    def _turn_plies(self) -> int:
        """How many moves come and go together: a person's, and the engine's reply."""
        return 1 if self.engine is None else 2

    def undo(self) -> Game:
        """Return the game as it stood before a person's last move, the engine's reply included.

        :raises NothingToUndo: if no person has moved yet
        :raises IllegalMove: if the game is over; a finished game stands
        """
        if self.outcome:
            raise IllegalMove("The game is over, and a finished game stands.")
        if not self.undoable:
            raise NothingToUndo("There is no move of yours to take back.")
        return Game(self.moves[: -self._turn_plies], self.engine, self.given)
