"""Positions to think about, by what there is to see in them, and how hard it is to see.

May import ``core`` and ``engines``.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import chain, cycle, islice
from random import Random
from typing import NamedTuple

from webapp.analysis.policy import unpack
from webapp.core import tactics
from webapp.core.board import Board, mask_of
from webapp.core.game import digits, moves_to
from webapp.core.solver import best_moves, evaluate, keeping, positions, strongest_moves
from webapp.core.symmetry import SYMMETRIES, fold, image
from webapp.engines.three_levels import MEDIUM

_LADDER = {1: 1, 2: 2, 3: 4, 4: 5, 5: 6}
"""How many puzzles of a run come before the hardest: by the plies to look ahead."""


class Kind(Enum):
    """What a position asks of the side to move."""

    WIN = "win"
    BLOCK = "block"
    FORK = "fork"
    STOP_FORK = "stop-fork"
    ONLY = "only"


class Puzzle(NamedTuple):
    """A position in which a move loses value, one for all its images.

    :param kinds: what there is to see: ``WIN`` a line to complete, ``BLOCK`` one of theirs, else
        ``FORK`` that all winning cells fork, or ``STOP_FORK`` that after all other cells than the
        right ones they fork at once, and win; ``ONLY`` that one cell does not lose
    :param right: the cells that keep the value, and win at once where one does
    :param medium_fails: the chance that Medium plays another one
    :param plies: how far one must look ahead to see that it is right
    """

    board: Board
    kinds: frozenset[Kind]
    right: tuple[int, ...]
    medium_fails: Fraction
    plies: int

    @property
    def moves(self) -> str:
        """The cells that lead to it, such as ``402``."""
        return digits(moves_to(self.board))

    @property
    def quiet(self) -> bool:
        """Whether there is no line to complete, neither mine nor theirs."""
        return self.kinds.isdisjoint((Kind.WIN, Kind.BLOCK))

    def image(self, rng: Random) -> "Puzzle":
        """Return the same position, turned and mirrored by lot."""
        number = rng.randrange(len(SYMMETRIES))
        board = unpack(image(self.board.x | self.board.o << 9, number))
        right = tuple(sorted(SYMMETRIES[number][cell] for cell in self.right))
        return self._replace(board=board, right=right)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all of them, the easiest first: by the plies, then by how often Medium fails."""
    some = (board for board in positions() if fold(packed := board.x | board.o << 9) == packed)
    found = [_puzzle(board) for board in some if _loses_value(board)]
    return tuple(sorted(found, key=lambda one: (one.plies, one.medium_fails, one.board.x)))


@cache
def of_kind(kind: Kind) -> tuple[Puzzle, ...]:
    """Return those of a kind, the easiest first."""
    return tuple(one for one in puzzles() if kind in one.kinds)


def of_the_day(day: dt.date) -> Puzzle:
    """Return the puzzle of a day, the same for all: a quiet one."""
    rng = Random(day.toordinal())  # noqa: S311 - a puzzle, not a secret
    return rng.choice([one for one in puzzles() if one.quiet]).image(rng)


def of_position(board: Board) -> Puzzle | None:
    """Return the puzzle that a position is; ``None`` where no move loses value, or it is over."""
    return _puzzle(board) if _loses_value(board) else None


def of_a_run(seed: int, number: int) -> Puzzle:
    """Return a puzzle of a run, which gets harder up to the hardest; then it is any quiet one.

    None comes again, nor an image of it, before all quiet ones have come.

    :param seed: of the run: it has the same puzzles whenever they are asked for
    :param number: how many came before it
    """
    mixed = Random(seed).sample(puzzles(), len(puzzles()))  # noqa: S311 - a puzzle, not a secret
    climb = [
        puzzle
        for plies, most in _LADDER.items()
        for puzzle in islice((one for one in mixed if one.plies == plies), most)
    ]
    rest = [one for one in mixed if one.quiet and one not in climb]
    rest.sort(key=lambda one: one.plies in _LADDER)
    puzzle = next(islice(chain(climb, cycle(rest)), number, None))
    return puzzle.image(Random(f"{seed} {number}"))  # noqa: S311 - likewise


def drawn(kinds: Iterable[Kind], number: int, rng: Random) -> list[tuple[Kind, Puzzle]]:
    """Draw so many puzzles of these kinds in turn, none of them twice, not even as an image."""
    chosen = dict[Puzzle, Kind]()
    for kind in islice(cycle(kinds), number):
        chosen[rng.choice([one for one in of_kind(kind) if one not in chosen])] = kind
    return [(kind, puzzle.image(rng)) for puzzle, kind in chosen.items()]


def worksheet(kind: Kind | None, number: int, seed: int) -> list[tuple[Kind, Puzzle]]:
    """Return so many different puzzles, the easiest first, and what each is to show.

    :param kind: ``None`` for the kinds in turn
    :param seed: the same seed gives the same puzzles
    """
    rng = Random(f"{kind and kind.value} {number} {seed}")  # noqa: S311 - a puzzle, not a secret
    return sorted(
        drawn([kind] if kind else Kind, number, rng),
        key=lambda task: (task[1].plies, task[1].medium_fails),
    )


def refutation(puzzle: Puzzle, cell: int) -> tuple[int, ...]:
    """Return how the game goes on after a cell, with best play on both sides, to its end."""
    board, line = puzzle.board.play(cell), [cell]
    while not board.outcome:
        line.append(strongest_moves(board)[0])
        board = board.play(line[-1])
    return tuple(line)


def _loses_value(board: Board) -> bool:
    return not board.outcome and len(keeping(board)) < len(board.legal_moves)


def _puzzle(board: Board) -> Puzzle:
    right = best_moves(board) if tactics.wins(board, board.turn) else keeping(board)
    wrong = [one for one in MEDIUM.choices(board) if one.cell not in right]
    plies = next(plies for plies in range(1, 10) if {*_best_seen(board, plies)} <= {*right})
    return Puzzle(
        board=board,
        kinds=frozenset(_kinds(board, right, plies)),
        right=right,
        medium_fails=sum((one.probability for one in wrong), Fraction()),
        plies=plies,
    )


def _kinds(board: Board, right: tuple[int, ...], plies: int) -> Iterator[Kind]:
    mine, theirs, value = board.turn, board.turn.other, evaluate(board).value
    if tactics.wins(board, mine):
        yield Kind.WIN
        return
    if tactics.wins(board, theirs):
        yield Kind.BLOCK
    elif tactics.forks(board, mine) == mask_of(right):
        yield Kind.FORK
    elif value == 0 and plies == 4:  # a wrong cell, their fork, a block in vain, their line
        yield Kind.STOP_FORK
    if len(right) == 1 and value == 0:
        yield Kind.ONLY


def _best_seen(board: Board, plies: int) -> list[int]:
    """Return the cells that look best to a player who looks so many plies ahead."""
    seen = {cell: -_seen(board.play(cell), plies - 1) for cell in board.legal_moves}
    return [cell for cell, worth in seen.items() if worth == max(seen.values())]


@cache
def _seen(board: Board, plies: int) -> int:
    """Return what a position seems worth to the side to move: a win or a loss only if in sight."""
    if board.outcome:
        return -1 if board.outcome.winner else 0
    if not plies:
        return 0
    return max(-_seen(board.play(cell), plies - 1) for cell in board.legal_moves)
