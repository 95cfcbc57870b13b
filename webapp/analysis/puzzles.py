"""Puzzles: positions by what there is to see in them, and how hard it is to see.

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

from webapp.core import tactics
from webapp.core.board import Board, mask_of, unpacked
from webapp.core.game import digits, moves_to
from webapp.core.solver import best_moves, evaluate, keeping, positions, strongest_moves
from webapp.core.symmetry import SYMMETRIES, fold, image
from webapp.engines.three_levels import MEDIUM

_LADDER = {1: 1, 2: 2, 3: 4, 4: 5, 5: 6}
"""Puzzles at the beginning of a run, by the plies to look ahead."""


class Kind(Enum):
    """What a position asks of the side to move."""

    WIN = "win"
    BLOCK = "block"
    FORK = "fork"
    STOP_FORK = "stop-fork"
    ONLY = "only"


class Puzzle(NamedTuple):
    """A canonical position in which a move loses value.

    :param kinds: what there is to see. ``WIN``: a line to complete; ``BLOCK``: a line of theirs;
        otherwise ``FORK``: every winning cell forks, or ``STOP_FORK``: after any wrong cell they
        fork and win. ``ONLY``: a single cell does not lose
    :param right: the cells that keep the value; where some win at once, only those
    :param medium_fails: the probability that Medium plays a wrong cell
    :param plies: how far a player must look ahead to see what is right
    """

    board: Board
    kinds: frozenset[Kind]
    right: tuple[int, ...]
    medium_fails: Fraction
    plies: int

    @property
    def moves(self) -> str:
        """The moves that lead to it, such as ``402``."""
        return digits(moves_to(self.board))

    @property
    def quiet(self) -> bool:
        """Whether neither side has a line to complete."""
        return self.kinds.isdisjoint((Kind.WIN, Kind.BLOCK))

    def image(self, rng: Random) -> "Puzzle":
        """Return a random image of the puzzle."""
        number = rng.randrange(len(SYMMETRIES))
        board = unpacked(image(self.board.packed, number))
        right = tuple(sorted(SYMMETRIES[number][cell] for cell in self.right))
        return self._replace(board=board, right=right)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, the easiest first: by the plies, then by how often Medium fails."""
    canonical = (board for board in positions() if fold(board.packed) == board.packed)
    unsorted = [_puzzle(board) for board in canonical if _loses_value(board)]
    return tuple(
        sorted(unsorted, key=lambda puzzle: (puzzle.plies, puzzle.medium_fails, puzzle.board.x))
    )


@cache
def of_kind(kind: Kind) -> tuple[Puzzle, ...]:
    """Return the puzzles of a kind, the easiest first."""
    return tuple(puzzle for puzzle in puzzles() if kind in puzzle.kinds)


def of_the_day(day: dt.date) -> Puzzle:
    """Return the puzzle of a day, a quiet one; everyone gets the same."""
    rng = Random(day.toordinal())  # noqa: S311 - a puzzle, not a secret
    return rng.choice([puzzle for puzzle in puzzles() if puzzle.quiet]).image(rng)


def of_position(board: Board) -> Puzzle | None:
    """Return the puzzle that a position is; ``None`` if no move loses value or the game is over."""
    return _puzzle(board) if _loses_value(board) else None


def of_a_run(seed: int, number: int) -> Puzzle:
    """Return a puzzle of a run: they get harder up to the hardest, then any quiet puzzle comes.

    No puzzle repeats, not even as an image, before all quiet puzzles have come.
    """
    mixed = Random(seed).sample(puzzles(), len(puzzles()))  # noqa: S311 - a puzzle, not a secret
    climb = [
        puzzle
        for plies, count in _LADDER.items()
        for puzzle in islice((puzzle for puzzle in mixed if puzzle.plies == plies), count)
    ]
    rest = [puzzle for puzzle in mixed if puzzle.quiet and puzzle not in climb]
    rest.sort(key=lambda puzzle: puzzle.plies in _LADDER)
    puzzle = next(islice(chain(climb, cycle(rest)), number, None))
    return puzzle.image(Random(f"{seed} {number}"))  # noqa: S311 - likewise


def drawn(kinds: Iterable[Kind], number: int, rng: Random) -> list[tuple[Kind, Puzzle]]:
    """Draw different puzzles, the kinds taking turns; not even an image of one comes twice."""
    kind_of = dict[Puzzle, Kind]()
    for kind in islice(cycle(kinds), number):
        kind_of[rng.choice([puzzle for puzzle in of_kind(kind) if puzzle not in kind_of])] = kind
    return [(kind, puzzle.image(rng)) for puzzle, kind in kind_of.items()]


def worksheet(kind: Kind | None, number: int, seed: int) -> list[tuple[Kind, Puzzle]]:
    """Return different puzzles of a kind or of all, the easiest first, and what each is to show."""
    rng = Random(f"{kind and kind.value} {number} {seed}")  # noqa: S311 - a puzzle, not a secret
    return sorted(
        drawn([kind] if kind else Kind, number, rng),
        key=lambda task: (task[1].plies, task[1].medium_fails),
    )


def refutation(puzzle: Puzzle, cell: int) -> tuple[int, ...]:
    """Return this cell and the best play of both sides that follows, to the end of the game."""
    board, line = puzzle.board.play(cell), [cell]
    while not board.outcome:
        line.append(strongest_moves(board)[0])
        board = board.play(line[-1])
    return tuple(line)


def _loses_value(board: Board) -> bool:
    return not board.outcome and len(keeping(board)) < len(board.legal_moves)


def _puzzle(board: Board) -> Puzzle:
    right = best_moves(board) if tactics.wins(board, board.turn) else keeping(board)
    wrong = [choice for choice in MEDIUM.choices(board) if choice.cell not in right]
    plies = next(plies for plies in range(1, 10) if {*_best_seen(board, plies)} <= {*right})
    return Puzzle(
        board=board,
        kinds=frozenset(_kinds(board, right, plies)),
        right=right,
        medium_fails=sum((choice.probability for choice in wrong), Fraction()),
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
    elif value == 0 and plies == 4:  # a wrong cell, their fork, a vain block, their line
        yield Kind.STOP_FORK
    if len(right) == 1 and value == 0:
        yield Kind.ONLY


def _best_seen(board: Board, plies: int) -> list[int]:
    """Return the cells that look best to a player who looks this many plies ahead."""
    seen = {cell: -_seen(board.play(cell), plies - 1) for cell in board.legal_moves}
    return [cell for cell, worth in seen.items() if worth == max(seen.values())]


@cache
def _seen(board: Board, plies: int) -> int:
    """Return the value for the side to move; an end beyond these plies counts as a draw."""
    if board.outcome:
        return -1 if board.outcome.winner else 0
    if not plies:
        return 0
    return max(-_seen(board.play(cell), plies - 1) for cell in board.legal_moves)
