"""MENACE: a box of beads for each position, which learns from every game. May import ``core``.

Donald Michie's matchboxes, from "Experiments on the mechanization of game-learning", The Computer
Journal 6 (1963). MENACE has X; each move is a bead drawn at random; after the game, the result adds
or removes beads of the colours drawn. Two rules are ours. On a symmetric position, the cells of one
colour are equally likely. An empty first box is refilled, or no game could begin.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from webapp.core.board import CELLS_IN, FULL, Board, Mark
from webapp.core.game import MENACE, Reason, boards
from webapp.core.messages import N_, NC_
from webapp.core.solver import positions
from webapp.core.symmetry import SYMMETRIES, fold, images
from webapp.engines.base import Choice, Engine, EngineFault, NotExact

INITIAL_BEADS = (4, 3, 2, 1)  # beads of each colour in a new box, by MENACE's first, second … move
WON, DRAWN, LOST = 3, 1, -1  # beads added to each colour drawn; a box never holds fewer than 0
LAST = 8  # the ply of the last move, which is forced and has no box

Beads: TypeAlias = Mapping[int, tuple[int, ...]]
"""Beads in each box, by canonical position: a number for each of its :func:`colours`."""


@cache
def boxes(mark: Mark = Mark.X) -> Beads:
    """Return the boxes of a new player, in the order of the moves.

    >>> len(boxes()), boxes()[0]
    (304, (4, 4, 4))
    """
    canonical = {
        fold(board.packed)
        for board in positions()
        if not board.outcome and board.turn is mark and board.ply < LAST
    }
    ordered = sorted(canonical, key=lambda packed: (packed.bit_count(), packed))
    return MappingProxyType(
        {
            packed: (INITIAL_BEADS[packed.bit_count() // 2],) * len(colours(packed))
            for packed in ordered
        }
    )


@cache
def colours(packed: int) -> tuple[tuple[int, ...], ...]:
    """Return the cells that each colour of a position's box stands for.

    >>> colours(0)
    ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
    """
    box = fold(packed)
    ways = [SYMMETRIES[number] for number, seen in enumerate(images(box)) if seen == packed]
    free = CELLS_IN[FULL & ~(box | box >> 9)]
    return tuple(dict.fromkeys(tuple(sorted({way[cell] for way in ways})) for cell in free))


def change(last: Board, mark: Mark = Mark.X) -> int:
    """Return how many beads a game adds to each colour drawn, by its last board."""
    winner = last.outcome.winner if last.outcome else last.turn.other
    return DRAWN if winner is None else WON if winner is mark else LOST


def learn(beads: Beads, moves: tuple[int, ...], mark: Mark = Mark.X) -> Beads:
    """Return the boxes after a game; an unfinished game was given up by the side to move."""
    course = boards(moves)
    added = change(course[-1], mark)
    learnt = dict(beads)
    for board, cell in zip(course, moves, strict=False):
        if board.turn is not mark or board.ply == LAST:
            continue
        packed = board.packed
        box = fold(packed)
        after = tuple(
            [
                max(number + added, 0) if cell in cells else number
                for number, cells in zip(learnt[box], colours(packed), strict=True)
            ]
        )
        learnt[box] = after if board.ply > 1 or any(after) else boxes(mark)[box]
    return learnt


def draw(beads: Beads, board: Board, rng: Random) -> int | None:
    """Draw a bead and return the cell that it stands for; ``None`` from an empty box."""
    if board.ply == LAST:
        return board.legal_moves[0]
    packed = board.packed
    box = beads[fold(packed)]
    if not any(box):
        return None
    [cells] = rng.choices(colours(packed), box)
    return rng.choice(cells)


def menace(beads: Beads) -> Engine:
    """Return the engine with these boxes; the share of beads is the probability."""

    def policy(board: Board) -> tuple[Choice, ...]:
        if board.turn is not Mark.X:
            raise NotExact("MENACE has boxes for X only.")
        if board.ply == LAST:
            return (Choice(board.legal_moves[0], Fraction(1), Reason("last")),)
        packed = board.packed
        box = beads[fold(packed)]
        total = sum(box)
        if not total:
            raise EngineFault(board, "There is no bead left in this box.", "failed")
        return tuple(
            Choice(cell, Fraction(number, total * len(cells)), Reason("bead"))
            for number, cells in zip(box, colours(packed), strict=True)
            if number
            for cell in cells
        )

    return Engine(
        slug=MENACE,
        name=NC_("computer player", "MENACE"),
        brief=N_("learns from every game"),
        idea=N_(
            "It draws its moves from boxes of beads, and learns from every game the class plays."
        ),
        policy=policy,
        source="D. Michie, The Computer Journal 6 (1963)",
        rules=(
            N_("Find the box of this position, and draw a bead at random: it names the cell."),
            N_("After a win, add three beads of each colour that was drawn; after a draw, one."),
            N_("After a loss, take away the beads that were drawn."),
            N_("If a box is empty, give up."),
        ),
        symmetric=True,
        marks=(Mark.X,),
    )
