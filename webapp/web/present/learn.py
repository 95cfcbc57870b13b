"""What the learning page shows: every picture and figure on it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from webapp import words
from webapp.analysis.matchup import matchup, proof
from webapp.core import solver, tactics
from webapp.core.board import CELLS_IN, Board, Mark
from webapp.engines.base import Engine
from webapp.engines.perfect import HARD
from webapp.engines.three_levels import EASY, MEDIUM
from webapp.web.present.engines import BarView, bar
from webapp.web.present.pictures import KINDS, Picture, of_game, of_values, picture

_THREAT = Board.parse("XX..O....")
_FORK = Board.parse("X.X.O.X.O")
_CORNER = Board().play(0)
_TREE = Board.parse("XX.OX..OO")


class TreeView(NamedTuple):
    """A position of the game tree, and those that follow it.

    :param kind: ``win``, ``draw`` or ``loss`` for X
    :param text: what it is worth, and to whom
    """

    picture: Picture
    kind: str
    text: str
    below: tuple[TreeView, ...]


class BeatView(NamedTuple):
    """A game that beats an engine, to step through.

    :param mark: of the player who beats it
    """

    picture: Picture
    game: str
    mark: str
    moves: str


@dataclass(frozen=True, slots=True)
class LearnView:
    """The learning page."""

    threat: Picture
    fork: Picture
    empty: Picture
    corner: Picture
    positions: str
    tree: TreeView
    easy: BarView
    medium: BarView
    beat_medium: tuple[BeatView, ...]
    engines: tuple[tuple[str, str, str], ...]


def present_learn(engines: Mapping[str, Engine]) -> LearnView:
    """Present the page; ``engines`` are those that it leads on to."""
    return LearnView(
        threat=_with_wins(_THREAT, "A threat of X"),
        fork=_with_wins(_FORK, "A fork of X"),
        empty=of_values(Board(), "An empty board, every cell a draw for X"),
        corner=of_values(_CORNER, "X has a corner, and for O only the centre is a draw"),
        positions=f"{len(solver.positions()):,}",
        tree=_tree(_TREE),
        easy=bar("Hard against Easy, moving first", matchup(HARD, EASY)),
        medium=bar("Hard against Medium, moving first", matchup(HARD, MEDIUM)),
        beat_medium=tuple(_beat(MEDIUM, mark) for mark in Mark),
        engines=tuple((engine.slug, engine.name, engine.brief) for engine in engines.values()),
    )


def _with_wins(board: Board, says: str) -> Picture:
    return picture(board, says, lit=CELLS_IN[tactics.wins(board, Mark.X)])


def _tree(board: Board) -> TreeView:
    """The whole tree below a position."""
    value = solver.evaluate(board).value * (1 if board.turn is Mark.X else -1)
    if board.outcome:
        text = words.result(board.outcome, str(board.outcome.winner))
    else:
        text = f"{board.turn} to move: {words.outlook(value)}"
    below = tuple(_tree(board.play(cell)) for cell in board.legal_moves)
    return TreeView(picture(board), KINDS[value], text, below)


def _beat(engine: Engine, mark: Mark) -> BeatView:
    """The shortest game that beats an engine with this mark."""
    game = proof(engine, mark.other).game or ()
    shown = of_game(game, f"{mark} beats {engine.name}")
    return BeatView(shown, words.digits(game), mark.slug, words.moves(len(game)))
