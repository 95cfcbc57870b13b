"""The whole game on a poster: an answer to every move of the other side. May import ``core``."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from webapp.core.board import Board, Mark
from webapp.core.game import boards
from webapp.core.solver import strongest_moves


class Node(NamedTuple):
    """A position of the map: ``mark`` has answered, or the game is over."""

    mark: Mark
    moves: tuple[int, ...]
    board: Board

    @property
    def following(self) -> "tuple[Node, ...]":
        """The nodes after each move of the other side, in cell order."""
        return tuple(
            _answered(self.mark, (*self.moves, cell), self.board.play(cell))
            for cell in self.board.legal_moves
        )


def top(mark: Mark) -> Node:
    return _answered(mark, (), Board())


def find(mark: Mark, moves: tuple[int, ...]) -> Node | None:
    """Return the node after these moves and the answer to the last; ``None`` if off the map."""
    path = boards(moves)
    for board, cell in zip(path, moves, strict=False):
        if board.turn is mark and cell != strongest_moves(board)[0]:
            return None
    return _answered(mark, moves, path[-1])


def ends(node: Node) -> Counter[str]:
    """Count the games that end below a node, by outcome slug."""
    return Counter(end.board.outcome.slug for end in _all_below(node) if end.board.outcome)


def _all_below(node: Node) -> Iterator[Node]:
    yield node
    for following in node.following:
        yield from _all_below(following)


def _answered(mark: Mark, moves: tuple[int, ...], board: Board) -> Node:
    if board.turn is mark and not board.outcome:
        cell = strongest_moves(board)[0]  # Hard's first choice
        moves, board = (*moves, cell), board.play(cell)
    return Node(mark, moves, board)
