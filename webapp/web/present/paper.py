"""What the sheets of paper show, and the map of the whole game."""

from collections import Counter
from typing import Any, NamedTuple

from webapp import words
from webapp.analysis import paper, poster, puzzles
from webapp.analysis.poster import Node
from webapp.analysis.puzzles import Kind
from webapp.core.board import Board, Mark
from webapp.web.present.pictures import Picture, picture
from webapp.words import played
from webapp.words.figures import figure
from webapp.words.language import _, ngettext

_EXAMPLES = (
    "...XO.OXX",
    "XX..O....",
    "X........",
    "X...O...X",
    ".X..O.X..",
    "....X....",
    "OXO.X.XOX",
)
"""For each rule of the paper a board, O to move, in which it decides."""


def instructions() -> dict[str, Any]:
    """Return the rules, each with a picture, and what came of the games that follow them."""
    boards = map(Board.parse, _EXAMPLES)
    return {
        "rules": [
            (_(rule.text), _with_cells(board, paper.allowed(board)))
            for rule, board in zip(paper.RULES, boards, strict=True)
        ],
        "counts": [(mark, paper.games(mark)) for mark in Mark],
    }


class Task(NamedTuple):
    """A puzzle on paper: what it asks, and its board without and with the right cell."""

    asks: str
    picture: Picture
    solution: Picture


def worksheet(kind: Kind | None, number: int, seed: int) -> list[Task]:
    """Return the puzzles of a worksheet."""
    return [
        Task(
            played.task(puzzle.board, asked),
            picture(puzzle.board),
            _with_cells(puzzle.board, puzzle.right),
        )
        for asked, puzzle in puzzles.worksheet(kind, number, seed)
    ]


def _with_cells(board: Board, cells: tuple[int, ...]) -> Picture:
    # Translators: a small board on paper in which cells are grey, for anyone who does not see it
    grey = _("Grey: {cells}").format(cells=words.listed(map(words.cell_name, cells)))
    return picture(board, grey, lit=cells)


def last_moves(node: Node) -> str:
    """Name the last move of the other side, and the answer to it."""
    answered = node.board.turn is not node.mark  # else the board was full
    cells = node.moves[-2:] if answered else node.moves[-1:]
    marks = (node.mark.other, node.mark) if answered else (node.mark.other,)
    return " – ".join(map(words.cell_label, cells, marks))


def path(node: Node) -> list[Node]:
    """Return the positions on the map that lead to one, from the top."""
    begin = len(poster.top(node.mark).moves)
    lengths = range(begin, len(node.moves), 2)
    return [found for end in lengths if (found := poster.find(node.mark, node.moves[:end]))]


def games_counted(ends: Counter[str]) -> str:
    """Say how many games there are and how they end, by the slugs of outcomes; none is lost."""
    number, drawn = ends.total(), ends["draw"]
    # Translators: games in which one side follows rules: none of them is lost
    return ngettext(
        "{number} game: {won} won, {drawn} drawn, none lost.",
        "{number} games: {won} won, {drawn} drawn, none lost.",
        number,
    ).format(number=figure(number), won=figure(number - drawn), drawn=figure(drawn))
