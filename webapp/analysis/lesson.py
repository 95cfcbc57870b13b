"""What a class got wrong in its games, and which games are worth talking about.

May import ``core`` and the other modules of ``analysis``.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from webapp.analysis.review import review
from webapp.core.board import Board, unpacked
from webapp.core.solver import evaluate, value_after
from webapp.core.symmetry import SYMMETRIES, fold, images

Moves: TypeAlias = tuple[int, ...]


class Chosen(NamedTuple):
    """The moves of a game, and the indices of those that people chose."""

    moves: Moves
    own: Collection[int]


class Fault(NamedTuple):
    """A canonical position in which people threw value away.

    :param faced: how often people had to move in it or an image of it
    :param lost: the value lost in all: 1 from a win to a draw or from a draw to a loss, otherwise 2
    :param chosen: the canonical cells that lost value, with how often, the most frequent first
    :param better: the cells that keep the value
    """

    board: Board
    faced: int
    lost: int
    chosen: tuple[tuple[int, int], ...]
    better: tuple[int, ...]


def faults(games: Iterable[Chosen], limit: int) -> list[Fault]:
    """Return the positions in which the most value was thrown away, the costliest first.

    >>> [fault] = faults([Chosen((4, 1, 0), {0, 1})], limit=3)
    >>> str(fault.board.turn), fault.faced, fault.lost, fault.chosen, fault.better
    ('O', 1, 1, ((1, 1),), (0, 2, 6, 8))
    """
    faced, taken = Counter[int](), dict[int, Counter[int]]()
    for game in games:
        board = Board()
        for at, cell in enumerate(game.moves):
            if at in game.own:
                packed = board.packed
                position = fold(packed)
                faced[position] += 1
                taken.setdefault(position, Counter())[_folded(packed, cell)] += 1
            board = board.play(cell)
    costly = sorted(
        (_fault(position, faced[position], cells) for position, cells in taken.items()),
        key=lambda fault: (-fault.lost, fault.board.packed),
    )
    return [fault for fault in costly[:limit] if fault.lost]


def worth_talking_about(games: Iterable[Moves], limit: int) -> list[Moves]:
    """Return the games in which the most moves changed who could win; of equals, the latest."""
    changes = {
        moves: sum(move.after.value != move.before.value for move in review(moves).moves)
        for moves in reversed(list(games))
    }
    changing = (moves for moves in changes if changes[moves])
    return sorted(changing, key=lambda moves: -changes[moves])[:limit]


def _folded(packed: int, cell: int) -> int:
    """Return the canonical cell: the first that a symmetry to the canonical position leads to."""
    position = fold(packed)
    return min(
        symmetry[cell]
        for symmetry, image in zip(SYMMETRIES, images(packed), strict=True)
        if image == position
    )


def _fault(position: int, faced: int, cells: Counter[int]) -> Fault:
    board = unpacked(position)
    value = evaluate(board).value
    wrong = {cell: count for cell, count in cells.items() if value_after(board, cell) < value}
    return Fault(
        board=board,
        faced=faced,
        lost=sum(count * (value - value_after(board, cell)) for cell, count in wrong.items()),
        chosen=tuple(sorted(wrong.items(), key=lambda item: (-item[1], item[0]))),
        better=tuple(cell for cell in board.legal_moves if value_after(board, cell) == value),
    )
