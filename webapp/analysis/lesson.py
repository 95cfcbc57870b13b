"""What a class got wrong in its games, and which of them are worth talking about.

May import ``core`` and the other modules of ``analysis``.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from webapp.analysis.review import review
from webapp.core.board import FULL, Board
from webapp.core.solver import evaluate, value_after
from webapp.core.symmetry import SYMMETRIES, fold, images

Moves: TypeAlias = tuple[int, ...]


class Chosen(NamedTuple):
    """The moves of a game, and which of them (by index) people chose."""

    moves: Moves
    own: Collection[int]


@dataclass(frozen=True, slots=True)
class Fault:
    """A position that stands for all its images, in which people threw value away.

    :param faced: how often someone had to move in it
    :param lost: how much value that cost: 1 from a win to a draw or from a draw to a loss, else 2
    :param chosen: how often each cell was taken that lost value, the most frequent first; of cells
        that are images of each other, the first stands for all
    :param better: the cells that keep the value
    """

    board: Board
    faced: int
    lost: int
    chosen: tuple[tuple[int, int], ...]
    better: tuple[int, ...]


def faults(games: Iterable[Chosen], most: int) -> list[Fault]:
    """Return the positions in which the most value was thrown away, the costliest first.

    >>> [fault] = faults([Chosen((4, 1, 0), {0, 1})], most=3)
    >>> str(fault.board.turn), fault.faced, fault.lost, fault.chosen, fault.better
    ('O', 1, 1, ((1, 1),), (0, 2, 6, 8))
    """
    faced, taken = Counter[int](), dict[int, Counter[int]]()
    for game in games:
        board = Board()
        for at, cell in enumerate(game.moves):
            if at in game.own:
                packed = board.x | board.o << 9
                position = fold(packed)
                faced[position] += 1
                taken.setdefault(position, Counter())[_folded(packed, cell)] += 1
            board = board.play(cell)
    found = [_fault(position, faced[position], cells) for position, cells in taken.items()]
    costly = sorted(found, key=lambda fault: (-fault.lost, fault.board.x | fault.board.o << 9))
    return [fault for fault in costly[:most] if fault.lost]


def worth_talking_about(games: Iterable[Moves], most: int) -> list[Moves]:
    """Return the games in which the most moves changed who could win; of equals, the latest."""
    changes = {
        moves: sum(one.after.value != one.before.value for one in review(moves).moves)
        for moves in reversed(list(games))
    }
    changing = (moves for moves in changes if changes[moves])
    return sorted(changing, key=lambda moves: -changes[moves])[:most]


def _folded(packed: int, cell: int) -> int:
    """Return the first cell that a cell goes to where its position goes to the one for all."""
    position = fold(packed)
    ways = (way for way, image in zip(SYMMETRIES, images(packed), strict=True) if image == position)
    return min(way[cell] for way in ways)


def _fault(position: int, faced: int, cells: Counter[int]) -> Fault:
    board = Board(position & FULL, position >> 9)
    value = evaluate(board).value
    wrong = {cell: count for cell, count in cells.items() if value_after(board, cell) < value}
    return Fault(
        board=board,
        faced=faced,
        lost=sum(count * (value - value_after(board, cell)) for cell, count in wrong.items()),
        chosen=tuple(sorted(wrong.items(), key=lambda line: (-line[1], line[0]))),
        better=tuple(cell for cell in board.legal_moves if value_after(board, cell) == value),
    )
