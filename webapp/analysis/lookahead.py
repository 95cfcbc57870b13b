"""Minimax step by step: how far a search has come, and what it knows, after any number of steps.

The search is that of ``engines/minimax.py``: depth first, the cells in their order. A board that
ends the game or lies at the horizon takes one step, which says its value. Any other takes a step
down to it, the steps of the boards after it, and a step in which its value rises.

Values are X's: +1 if X wins, 0 for a draw and at the horizon, -1 if O wins. X takes the largest, O
the smallest, and of equals the first. Alpha-beta leaves a board once ``low >= high``: what it would
bring cannot matter. May import ``core``.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from typing import NamedTuple

from webapp.core.board import CELLS, Board, Mark
from webapp.core.symmetry import fold

_remembered = lru_cache(maxsize=2**15)  # several times the positions of a whole search


class Search(NamedTuple):
    """What to search.

    :param prunes: whether by alpha-beta
    :param depth: how many moves to look ahead
    """

    root: Board
    prunes: bool = False
    depth: int = 9


class Worth(NamedTuple):
    """What is known of a board.

    :param bound: ``-1``: the value is at most this, ``1``: at least, ``0``: it is this
    """

    value: int
    bound: int = 0


class Total(NamedTuple):
    """What a whole search comes to: how many boards it looks at, the root counted, and its steps.

    :param whole: whether nothing was cut
    """

    worth: Worth
    boards: int
    steps: int
    whole: bool


class Branch(NamedTuple):
    """A board on the way from the root to the board that is looked at.

    :param cell: the move that leads to it; ``None`` for the root
    :param known: what is known of the boards after it, by cell, in the order of looking
    :param rose: the step at which each of these values rose
    :param cut: the cells that are left out
    :param low: what X, and ``high``, what O is sure of on this way; infinite before that
    :param worth: once it has risen
    """

    board: Board
    cell: int | None
    known: Mapping[int, Worth]
    rose: Mapping[int, int]
    cut: tuple[int, ...]
    low: float
    high: float
    worth: Worth | None


class Moment(NamedTuple):
    """A search after some of its steps.

    :param way: the boards from the root to the one that is looked at
    :param looked: how many boards have been looked at, the root counted
    """

    way: tuple[Branch, ...]
    looked: int


def total(search: Search) -> Total:
    """Return what the whole search comes to.

    >>> total(Search(Board())).boards, total(Search(Board(), prunes=True)).boards
    (549946, 18297)
    """
    return _total(search.root, search.prunes, _depth(search), -inf, inf)


@_remembered
def different(search: Search) -> tuple[int, int]:
    """Return how many different boards a search can look at; and if images count once.

    >>> different(Search(Board()))
    (5478, 765)
    """
    seen = here = {search.root}
    for _ in range(search.depth):
        here = {board.play(cell) for board in here for cell in board.legal_moves}
        seen = seen | here
    return len(seen), len({fold(board.packed) for board in seen})


def best(branch: Branch) -> int | None:
    """Return the cell that the side to move would take by what is known so far.

    >>> best(after(search := Search(Board.parse("XOXX.O..O")), total(search).steps - 1).way[0])
    6
    """
    sign = 1 if branch.board.turn is Mark.X else -1
    return max(branch.known, key=lambda cell: sign * branch.known[cell].value, default=None)


def after(search: Search, step: int) -> Moment:
    """Return the search at a step: 0 looks at the root, at the last its value has risen."""
    way, looked, cell = list[Branch](), 0, None
    board, prunes, depth = search.root, search.prunes, _depth(search)
    low, high, began = -inf, inf, 0
    while True:
        looked, began = looked + 1, began + 1  # the step down to this board
        looks = _looks(board, prunes, depth, low, high)
        known, rose, inside = dict[int, Worth](), dict[int, int](), None
        for look in looks if began <= step else ():
            if step < began + look.total.steps:
                inside = look
                break
            began, looked = began + look.total.steps, looked + look.total.boards
            known[look.cell], rose[look.cell] = look.total.worth, began - 1
        risen = inside is None and (began <= step or not looks)
        worth = _total(board, prunes, depth, low, high).worth if risen else None
        cut = tuple(cell for cell in board.legal_moves if cell not in known) if risen else ()
        if inside:
            low, high = inside.low, inside.high
        way.append(Branch(board, cell, known, rose, cut if looks else (), low, high, worth))
        if inside is None:
            return Moment(tuple(way), looked)
        board, cell, depth = board.play(inside.cell), inside.cell, depth - 1


def _depth(search: Search) -> int:
    """How far it can look: a position is remembered once, whatever search it is part of."""
    return min(search.depth, len(CELLS) - search.root.ply)


class _Look(NamedTuple):
    """A board after another one, with the bounds by which it is searched."""

    cell: int
    low: float
    high: float
    total: Total


@_remembered
def _looks(board: Board, prunes: bool, depth: int, low: float, high: float) -> tuple[_Look, ...]:
    """Return the searches of the boards after this one; none at the end and at the horizon."""
    looks = list[_Look]()
    for cell in board.legal_moves if depth else ():
        if low >= high:
            break
        child = _total(board.play(cell), prunes, depth - 1, low, high)
        looks.append(_Look(cell, low, high, child))
        if prunes and board.turn is Mark.X:
            low = max(low, child.worth.value)
        elif prunes:
            high = min(high, child.worth.value)
    return tuple(looks)


@_remembered
def _total(board: Board, prunes: bool, depth: int, low: float, high: float) -> Total:
    looks = _looks(board, prunes, depth, low, high)
    if not looks:
        winner = board.outcome.winner if board.outcome else None
        value = 0 if winner is None else 1 if winner is Mark.X else -1
        return Total(Worth(value), boards=1, steps=1, whole=True)
    pick = max if board.turn is Mark.X else min
    value = pick(look.total.worth.value for look in looks)
    whole = len(looks) == len(board.legal_moves) and all(look.total.whole for look in looks)
    bound = 0
    if not whole and value <= low and value > -1:
        bound = -1
    elif not whole and value >= high and value < 1:
        bound = 1
    return Total(
        Worth(value, bound),
        boards=1 + sum(look.total.boards for look in looks),
        steps=2 + sum(look.total.steps for look in looks),
        whole=whole,
    )
