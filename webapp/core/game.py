"""A game with its players: its kind, who sits where, its moves with reasons, and how it ended.

Immutable: each change returns the next game, or raises :class:`NotAllowed` if the game as it
stands does not allow it; the message is a sentence for the player. Nothing here knows how games are
stored or shown. May import ``board`` and ``messages``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import Literal, NamedTuple, TypeAlias

from webapp.core.board import CELLS_IN, Board, IllegalMove, Line, Mark, Outcome
from webapp.core.messages import Complaint

ABSENT_AFTER = 60
"""After how many seconds without a move a game may be claimed from the player to move."""

MENACE = "menace"
"""The slug of the engine that learns from its games; it has X."""

FORFEIT_AFTER = 2
"""After how many of the player's moves leaving a game counts as losing it."""

Result: TypeAlias = Literal["w", "d", "l"]
"""What a finished game was to one of its players: won, drawn or lost."""


class Kind(Enum):
    """Who plays whom."""

    ENGINE = "engine"
    ONE_DEVICE = "one device"
    TWO_DEVICES = "two devices"


class NotAllowed(Complaint):
    """What a game, as it stands, does not allow; the message says why."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an engine takes a cell, as data; ``words`` makes a sentence of it.

    :param rule: slug of the rule that fired: ``win``, ``block``, ``random`` …
    :param lines: the lines that the rule is about: the one completed, blocked, threatened
    """

    rule: str
    lines: tuple[Line, ...] = ()


class Score(NamedTuple):
    """A player's rated games against one opponent, from the player's point of view."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """A game; without seats and kind it is a sequence of moves from the empty board.

    :param moves: the cells played, in order; X plays the first
    :param kind: who plays whom
    :param x_seat: the player of X; ``None`` where an engine plays it
    :param o_seat: likewise of O; at one device the same player has both seats
    :param engine: slug of the engine, in a game against one
    :param given: how many of the moves stood on the board when the game began, for good
    :param reasons: one for each move, ``None`` for a person's; empty where none were asked for
    :param hint: the cell suggested for the next move, and why
    :param assisted: whether there was a hint, an undo or a given move
    :param ended: how the game ended where it did not end on the board
    :param rematch: the mark that asks for another game, between two devices
    :param version: counts the changes of a stored game; 0 before it is stored
    :param next_id: the game that followed this one
    :param tournament: the id of the one that it belongs to
    :param clock: how many seconds a player has for a move there
    :param changed_at: when it was last stored, in seconds since 1970
    :param deadline: until when the player to move has time there, in milliseconds since 1970
    :raises IllegalMove: if the moves cannot be played

    >>> Game().play(4).play(0).board
    Board('O...X....')
    """

    moves: tuple[int, ...] = ()
    kind: Kind = Kind.ONE_DEVICE
    x_seat: str | None = None
    o_seat: str | None = None
    engine: str | None = None
    given: int = 0
    reasons: tuple[Reason | None, ...] = ()
    hint: tuple[int, Reason] | None = None
    assisted: bool = False
    ended: Outcome | None = None
    rematch: Mark | None = None
    id: str = ""
    version: int = 0
    next_id: str | None = None
    tournament: str | None = None
    clock: int | None = None
    changed_at: int = field(default=0, compare=False)
    deadline: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        boards(self.moves)

    # --- how it stands --------------------------------------------------------------------------

    @property
    def boards(self) -> tuple[Board, ...]:
        """The board before the first move, and the board after each move."""
        return boards(self.moves)

    @property
    def board(self) -> Board:
        return boards(self.moves)[-1]

    @property
    def outcome(self) -> Outcome | None:
        return self.ended or self.board.outcome

    @property
    def moved(self) -> bool:
        """Whether a move was made in it, beside those that were given."""
        return len(self.moves) > self.given

    @property
    def cancelled(self) -> bool:
        """Whether something outside of it has ended it, without a result."""
        return self.ended is not None and self.ended.ending == "cancelled"

    @property
    def turn(self) -> Mark | None:
        """The mark to move; ``None`` where the game is over."""
        return None if self.outcome else self.board.turn

    @property
    def engine_mark(self) -> Mark | None:
        """The mark that the engine plays, if there is one."""
        if self.kind is not Kind.ENGINE:
            return None
        return Mark.X if self.x_seat is None else Mark.O

    @property
    def engine_to_move(self) -> bool:
        """Whether the game goes on and it is the engine's turn."""
        return self.kind is Kind.ENGINE and self.turn is self.engine_mark

    @property
    def players(self) -> frozenset[str]:
        return frozenset(seat for seat in (self.x_seat, self.o_seat) if seat)

    def seat(self, mark: Mark) -> str | None:
        """The player of a mark; ``None`` where an engine plays it."""
        return self.x_seat if mark is Mark.X else self.o_seat

    def marks_of(self, player: str) -> frozenset[Mark]:
        """The marks that this player moves: none for a watcher, both at one device."""
        return frozenset(mark for mark in Mark if self.seat(mark) == player)

    def holds(self, player: str, idle: int) -> bool:
        """Whether a seat in it keeps this player from another game between two devices.

        :param idle: for how many seconds no one has moved: an absent opponent holds no one, except
            in a tournament, where the clock ends the game
        """
        if self.kind is not Kind.TWO_DEVICES or self.turn is None:
            return False
        return self.tournament is not None or self.seat(self.turn) == player or idle < ABSENT_AFTER

    # --- what it counts for ---------------------------------------------------------------------

    @property
    def rated(self) -> bool:
        """Whether its end counts: with moves of both people, or not left early.

        An assisted game counts only if it is lost; given moves count only in a tournament.
        """
        if self.kind is Kind.TWO_DEVICES:
            counts = self.ended is None or self.ended.winner is not None
            return len(self.moves) - self.given >= 2 and counts
        if self.kind is not Kind.ENGINE or self.given:
            return False
        if self.assisted:
            return self.outcome is not None and self.outcome.winner is self.engine_mark
        return self.ended is None or self.ended.winner is not None

    @property
    def forfeits_if_left(self) -> bool:
        """Whether leaving it for another game loses it.

        An assisted game always does, since moves may have been taken back.
        """
        if self.kind is not Kind.ENGINE or self.outcome or self.given:
            return False
        mine = len(self.moves[0 if self.engine_mark is Mark.O else 1 :: 2])
        return self.assisted or mine >= FORFEIT_AFTER

    @property
    def teaches(self) -> bool:
        """Whether MENACE learns from it: it ended on the board or at an empty box, without help."""
        by_rule = self.ended is None or self.ended.ending == "resign"
        return self.engine == MENACE and by_rule and bool(self.outcome) and not self.assisted

    def results(self) -> Iterator[tuple[str, str, Result]]:
        """What a finished game counts for: player, opponent (a player or an engine), result."""
        outcome = self.outcome
        if outcome is None or not self.rated:
            return
        for mark in Mark:
            player, opponent = self.seat(mark), self.seat(mark.other) or self.engine
            if player and opponent:
                drawn = outcome.winner is None
                yield player, opponent, "d" if drawn else "w" if outcome.winner is mark else "l"

    # --- what may happen next -------------------------------------------------------------------

    def begin_from(self, moves: tuple[int, ...]) -> Game:
        """Return a new game with these moves on its board; it is assisted from the start.

        :raises IllegalMove: if they cannot be played, or the game is over after them
        """
        begun = replace(
            self, moves=moves, reasons=(None,) * len(moves), given=len(moves), assisted=True
        )
        if begun.outcome:
            raise IllegalMove("The game is over after these moves.")
        return begun

    def check_going(self) -> None:
        """Raise :class:`NotAllowed` if the game is over."""
        if self.outcome:
            raise NotAllowed("This game is over.")

    def play(self, cell: int, by: Mark | None = None) -> Game:
        """Return the game after a person's move.

        :param by: the mark of the player who asks, where it must be that player's turn
        """
        self.check_going()
        if self.engine_to_move:
            raise NotAllowed("It is the computer's turn.")
        if by is not None and by is not self.turn:
            raise NotAllowed("It is not your turn.")
        if cell in range(9) and self.board[cell]:
            raise NotAllowed("That cell is taken. Choose a free one.")
        return self.reply(cell, None)

    def reply(self, cell: int, reason: Reason | None) -> Game:
        """Return the game after a move, which nothing checks: the engine's, with its reason."""
        moves, reasons = (*self.moves, cell), (*self.reasons, reason)
        return replace(self, moves=moves, reasons=reasons, hint=None)

    def forfeit(self) -> Game:
        """Return the game given up by its engine, which has no answer on this board."""
        return replace(self, ended=Outcome(self.board.turn.other, ending="resign"), hint=None)

    def suggest(self, cell: int, reason: Reason) -> Game:
        """Return the game with a hint; it is assisted from then on."""
        self.check_going()
        if self.kind is not Kind.ENGINE:
            raise NotAllowed("There are no hints in a game between two people.")
        return replace(self, hint=(cell, reason), assisted=True)

    @property
    def undoable(self) -> bool:
        """Whether the game goes on and there is a person's move to take back."""
        if self.outcome or self.kind is Kind.TWO_DEVICES:
            return False
        return len(self.moves) - self._turn_plies >= self.given

    def undo(self) -> Game:
        """Return the game before a person's last move, the engine's reply included."""
        if self.kind is Kind.TWO_DEVICES:
            raise NotAllowed("You cannot take back a move in a game between two people.")
        if self.outcome:
            raise NotAllowed("The game is over, so no move can be taken back.")
        if not self.undoable:
            raise NotAllowed("You have no move to take back.")
        left = len(self.moves) - self._turn_plies
        return replace(
            self, moves=self.moves[:left], reasons=self.reasons[:left], hint=None, assisted=True
        )

    def leave(self) -> Game:
        """Return the game as one that was left for another: lost to an engine, or not counted."""
        winner = self.engine_mark if self.forfeits_if_left else None
        return replace(self, ended=Outcome(winner, ending="left"), hint=None)

    def cancel(self) -> Game:
        """Return the game ended without a result, by something outside of it."""
        self.check_going()
        return replace(self, ended=Outcome(None, ending="cancelled"), hint=None)

    def leave_for_another(self, mark: Mark) -> Game:
        """Return the game after a player has left it for another one between two devices.

        It is given up; without a move of the player's own, it counts for neither.
        """
        return self.resign(mark) if self.appeared(mark) else self.cancel()

    def resign(self, mark: Mark) -> Game:
        self._check_between_two()
        return replace(self, ended=Outcome(mark.other, ending="resign"))

    def given_up_by(self, players: Collection[str]) -> Game:
        """Return the game given up by those of its players; cancelled if both of them go."""
        gone = [mark for mark in Mark if self.seat(mark) in players]
        return self.cancel() if len(gone) == len(Mark) else self.resign(*gone)

    def claim(self, mark: Mark, idle: int) -> Game:
        """Return the game won by this mark: the opponent has been idle for so many seconds."""
        self._check_between_two()
        if self.tournament is not None:
            raise NotAllowed("In a tournament, the clock decides.")
        if self.turn is not mark.other:
            raise NotAllowed("It is not your opponent's turn.")
        if idle < ABSENT_AFTER:
            raise NotAllowed(
                "If your opponent does not move for {seconds} seconds, you can claim the win.",
                seconds=ABSENT_AFTER,
            )
        return replace(self, ended=Outcome(mark, ending="claim"))

    def run_out(self) -> Game:
        """Return the game lost by the player to move, whose time is up."""
        self.check_going()
        return replace(self, ended=Outcome(self.board.turn.other, ending="time"))

    @property
    def loser(self) -> Mark | None:
        """The mark that has lost it, if one has."""
        winner = self.outcome.winner if self.outcome else None
        return winner.other if winner else None

    def appeared(self, mark: Mark) -> bool:
        """Whether a player has made a move of their own in it."""
        own = range(self.given, len(self.moves))
        return any(tuple(Mark)[ply % len(Mark)] is mark for ply in own)

    def ask_rematch(self, mark: Mark) -> Game:
        """Return the finished game with one player's request for a rematch."""
        if self.tournament is not None:
            raise NotAllowed("In a tournament, the next game starts by itself.")
        return replace(self, rematch=mark, next_id=None)

    def swapped(self, game_id: str) -> Game:
        """Return a new game of the same two people, their marks swapped."""
        return Game(kind=self.kind, x_seat=self.o_seat, o_seat=self.x_seat, id=game_id)

    # --- the parts of a change ------------------------------------------------------------------

    @property
    def _turn_plies(self) -> int:
        """How many moves come and go together: a person's, and the engine's reply."""
        return 2 if self.kind is Kind.ENGINE else 1

    def _check_between_two(self) -> None:
        if self.kind is not Kind.TWO_DEVICES:
            raise NotAllowed("You can only do that in a game between two people.")
        self.check_going()


# --- moves --------------------------------------------------------------------------------------


# One request asks for the boards of a game several times over, and most games begin alike.
@lru_cache(maxsize=4096)
def boards(moves: tuple[int, ...]) -> tuple[Board, ...]:
    """Return the empty board, and the board after each move.

    :raises IllegalMove: if the moves cannot be played
    """
    return tuple(accumulate(moves, Board.play, initial=Board()))


def moves_to(board: Board) -> tuple[int, ...]:
    """Return the cells of a position that is not over, in an order that leads to it."""
    pairs = zip_longest(CELLS_IN[board.x], CELLS_IN[board.o])
    return tuple(cell for pair in pairs for cell in pair if cell is not None)


def digits(moves: Iterable[int]) -> str:
    """Write moves as the numbers of their cells, such as ``40281``."""
    return "".join(map(str, moves))


def moves_of(digits: str) -> tuple[int, ...]:
    """Read moves that are written so."""
    return tuple(map(int, digits))
