"""Marks, the immutable board, how a game ends, and the notation of a board.

A cell is a number from 0 to 8, row by row from the top left, and a set of cells is a nine-bit
mask in which cell *c* is bit *c*::

    0 | 1 | 2          bit  8 7 6 5 4 3 2 1 0
    --+---+--
    3 | 4 | 5          the left column, cells 0 3 6:
    --+---+--               0 0 1 0 0 1 0 0 1  =  0b001001001
    6 | 7 | 8

A board is two such masks, one for each mark. May import ``messages`` and the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

from webapp.core.messages import Complaint

Line: TypeAlias = tuple[int, int, int]

CELLS = range(9)
FULL = 0b111_111_111

ROWS: tuple[Line, ...] = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS: tuple[Line, ...] = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS: tuple[Line, ...] = ((0, 4, 8), (2, 4, 6))
LINES: tuple[Line, ...] = ROWS + COLUMNS + DIAGONALS

CENTRE = 4
CORNERS = (0, 2, 6, 8)
EDGES = (1, 3, 5, 7)


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask that holds exactly these cells.

    >>> bin(mask_of((0, 3, 6)))
    '0b1001001'
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


# Looked up by mask, so that neither the solver nor a validation ever loops over lines or cells.
_LINE_MASKS = tuple((mask_of(line), line) for line in LINES)
LINES_IN: tuple[tuple[Line, ...], ...] = tuple(
    tuple(line for line_mask, line in _LINE_MASKS if mask & line_mask == line_mask)
    for mask in range(FULL + 1)
)
CELLS_IN: tuple[tuple[int, ...], ...] = tuple(
    tuple(cell for cell in CELLS if mask >> cell & 1) for mask in range(FULL + 1)
)


class Mark(Enum):
    """One of the two marks. An empty cell holds ``None``, never a mark."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's name; no one will take it for a zero here

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X

    @property
    def slug(self) -> str:
        """The mark as addresses and records spell it: ``"x"`` or ``"o"``."""
        return self.value.lower()

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, or ``None`` for a draw, and the completed lines.

    One move can complete two lines at once, so there may be two of them.

    :param ending: how the game ended off the board, if it did: ``"resign"``, ``"claim"``,
        ``"time"``, ``"left"`` (for another game against the same engine) or ``"cancelled"``. A game
        that was left or cancelled may have no winner, and is not a draw
    """

    winner: Mark | None
    lines: tuple[Line, ...] = ()
    ending: str | None = None

    @property
    def slug(self) -> str:
        """The outcome as records spell it: ``x``, ``o``, ``draw``, ``left`` or ``cancelled``."""
        return self.winner.slug if self.winner else self.ending or "draw"

    @property
    def cells(self) -> frozenset[int]:
        return frozenset(cell for line in self.lines for cell in line)


class IllegalMove(Complaint):  # read as "illegal move", the rules' own term
    """A move that the rules forbid; the message says why."""


class IllegalBoard(Complaint):
    """An arrangement of marks that no game can reach; the message says why."""


@dataclass(frozen=True, slots=True)
class Board:
    """An arrangement of marks that can arise in play, as masks; X moves first.

    :raises IllegalBoard: if no sequence of legal moves leads here

    >>> Board().play(4).play(0)
    Board('O...X....')
    """

    x: int = 0
    o: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.x <= FULL and 0 <= self.o <= FULL):
            raise IllegalBoard("This number is too large: it must be between 0 and 511.")
        if self.x & self.o:
            raise IllegalBoard("A cell cannot hold both X and O.")
        xs, os = self.x.bit_count(), self.o.bit_count()
        if xs - os not in (0, 1):
            raise IllegalBoard(
                "X moves first and the players take turns, so there must be as many Xs as Os, "
                "or one more X. Here there are {xs} X and {os} O.",
                xs=xs,
                os=os,
            )
        x_won, o_won = bool(LINES_IN[self.x]), bool(LINES_IN[self.o])
        if x_won and o_won:
            raise IllegalBoard(
                "Both X and O have a complete line, but the game ends as soon as one player "
                "has one."
            )
        if x_won and xs == os:
            raise IllegalBoard("X has a complete line, so O cannot have moved after it.")
        if o_won and xs > os:
            raise IllegalBoard("O has a complete line, so X cannot have moved after it.")

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board from nine characters of ``X``, ``O`` and ``.``, row by row.

        Upper or lower case; the rows may be separated by ``/``.

        :raises IllegalBoard: if the text is not a board; the message says why

        >>> Board.parse("x.o/.X./..O") == Board.parse("X.O.X...O")
        True
        """
        marks = text.upper()
        if len(marks) == 11 and marks[3] == marks[7] == "/":
            marks = marks[:3] + marks[4:7] + marks[8:]
        for character in marks:
            if character not in "XO.":
                raise IllegalBoard(
                    "Write a board with X, O and . (a dot for an empty cell). {character} is "
                    "not one of these.",
                    character=repr(character),
                )
        if len(marks) != len(CELLS):
            raise IllegalBoard(
                "A board has nine cells, row by row, with or without / between the rows; this "
                "one has {number}.",
                number=len(marks),
            )
        return cls(
            x=mask_of(cell for cell in CELLS if marks[cell] == "X"),
            o=mask_of(cell for cell in CELLS if marks[cell] == "O"),
        )

    def __str__(self) -> str:
        """The notation that :meth:`parse` reads."""
        return "".join(str(self[cell] or ".") for cell in CELLS)

    def __repr__(self) -> str:
        return f"Board({str(self)!r})"

    def __getitem__(self, cell: int) -> Mark | None:
        """The mark in a cell, or ``None`` where it is empty."""
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    @property
    def ply(self) -> int:
        """How many marks are on the board, 0 to 9."""
        return (self.x | self.o).bit_count()

    @property
    def turn(self) -> Mark:
        """The mark whose turn it is, or would be if the game were not over."""
        return Mark.O if self.x.bit_count() > self.o.bit_count() else Mark.X

    @property
    def free(self) -> int:
        """Mask of the empty cells."""
        return FULL & ~(self.x | self.o)

    @property
    def packed(self) -> int:
        """Both masks in one integer, ``x | o << 9``; :func:`unpacked` is the inverse."""
        return self.x | self.o << 9

    def mask(self, mark: Mark) -> int:
        return self.x if mark is Mark.X else self.o

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        if lines := LINES_IN[self.x]:
            return Outcome(Mark.X, lines)
        if lines := LINES_IN[self.o]:
            return Outcome(Mark.O, lines)
        return None if self.free else Outcome(None)

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be played, in order; empty once the game is over."""
        return () if self.outcome else CELLS_IN[self.free]

    def play(self, cell: int) -> Board:
        """Return the board after the side to move has played this cell, or raise IllegalMove."""
        return _after(self, cell)


@cache
def unpacked(packed: int) -> Board:
    return Board(packed & FULL, packed >> 9)


# There are 4,520 positions in which a game goes on, and at most nine cells to play.
@cache
def _after(board: Board, cell: int) -> Board:
    if cell not in CELLS:
        raise IllegalMove("There is no cell {cell}; cells are numbered 0 to 8.", cell=cell)
    if board.outcome:
        raise IllegalMove("The game is over.")
    if not board.free >> cell & 1:
        raise IllegalMove("Cell {cell} already holds {mark}.", cell=cell, mark=board[cell])
    if board.turn is Mark.X:
        return Board(board.x | 1 << cell, board.o)
    return Board(board.x, board.o | 1 << cell)
