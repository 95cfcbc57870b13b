"""What the pages of learning show: every picture and figure on them is computed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from webapp import words
from webapp.analysis.matchup import matchup, proof
from webapp.analysis.openings import MOST, Opening
from webapp.analysis.puzzles import Kind, Puzzle, refutation
from webapp.analysis.review import judge, worth_after
from webapp.core import solver, tactics
from webapp.core.board import CELLS, CELLS_IN, Board, Mark
from webapp.core.game import digits
from webapp.core.solver import best_moves
from webapp.engines.perfect import HARD
from webapp.engines.three_levels import EASY, MEDIUM
from webapp.web.present.engines import Bar
from webapp.web.present.pictures import KINDS, Picture, of_values, picture
from webapp.web.present.views import CellView
from webapp.words import figures, played
from webapp.words.language import N_, _, ngettext


def learning() -> dict[str, Any]:
    """Return what the page shows, by name; its proofs are those of Medium with each mark."""
    return {
        "threat": _with_wins("XX..O....", _("A threat of X")),
        "fork": _with_wins("X.X.O.X.O", _("A fork of X")),
        "empty": of_values(Board(), _("An empty board, every cell a draw for X")),
        "corner": of_values(
            Board().play(0), _("X has a corner, and for O only the centre is a draw")
        ),
        "positions": len(solver.positions()),
        "tree": Board.parse("XX.OX..OO"),
        "easy": Bar(_("Hard against Easy, moving first"), matchup(HARD, EASY).for_mark(Mark.X)),
        "medium": Bar(
            _("Hard against Medium, moving first"), matchup(HARD, MEDIUM).for_mark(Mark.X)
        ),
        "proofs": [proof(MEDIUM, mark.other) for mark in Mark],
        "engine": MEDIUM,
    }


EXERCISES: Mapping[str, tuple[str, Board]] = {
    at: (asks, Board.parse(board))
    for at, asks, board in (
        ("threat.1", N_("Win in one move"), "XO./OX./..."),
        ("threat.2", N_("Stop the threat"), "XX./.O./..."),
        ("threat.3", N_("Win or block?"), "XO./XO./..."),
        ("fork.1", N_("Make two threats at once"), "XO./.O./.X."),
        ("fork.2", N_("Block, and make a fork"), "XXO/.X./.O."),
        ("fork.3", N_("Stop the fork"), "X../.O./..X"),
        ("draw.1", N_("Keep the draw"), "X../.../..."),
        ("draw.2", N_("Keep the draw"), ".../.X./..."),
        ("draw.3", N_("Keep the draw"), "XXO/.../.O."),
        ("ahead.1", N_("Win in three moves"), "XO./.../..."),
        ("ahead.2", N_("Win in three moves"), "X../.../..O"),
        ("ahead.3", N_("Win in three moves"), "OX./..X/..."),
    )
}
"""Positions to find a best cell in, and what to say of them: three about each idea, in order."""


def exercise(at: str, cell: int | None) -> dict[str, Any]:
    """Return what the page shows of an exercise, by name.

    :param at: a key of :data:`EXERCISES`
    :param cell: the free cell that was tried; ``None`` before the first try
    """
    asks, board = EXERCISES[at]
    following = (*EXERCISES, None)[list(EXERCISES).index(at) + 1]
    return {
        "at": at,
        "following": following,
        "asks": _(asks),
        **attempt(board, cell, best_moves(board)),
    }


def attempt(board: Board, cell: int | None, right: Collection[int]) -> dict[str, Any]:
    """Return what a page shows of a position to find one of the right cells in, by name.

    :param cell: the free cell that was tried; ``None`` before the first try
    """
    shown, reply = board, None
    if move := None if cell is None else judge(board, cell):
        shown = board.play(move.cell)
        if cell not in right:
            reply = solver.strongest_moves(shown)[0]
            shown = shown.play(reply)
    solved = cell in right
    notes = _notes(board, shown, right=solved) if move else {}
    return {
        "tried": move is not None,
        "right": solved,
        "sentence": played.tried(move, reply)
        if move
        else _("You are {mark}. Tap a cell.").format(mark=board.turn),
        "outcome": shown.outcome,
        "cells": [
            CellView(
                number=number,
                mark=shown[number],
                ghost=None if solved or board[number] else board.turn,
                winning=bool(shown.outcome and number in shown.outcome.cells),
                new={reply: "then", cell: "now"}.get(number, ""),
                worth=notes.get(number, ("", ""))[0],
                note=notes.get(number, ("", ""))[1],
            )
            for number in CELLS
        ],
    }


def _notes(board: Board, shown: Board, *, right: bool) -> dict[int, tuple[str, str]]:
    """Where a fork wins, or beside a right cell what each other one would have led to."""
    mark = shown.turn.other
    threats = CELLS_IN[tactics.wins(shown, mark)] if not shown.outcome else ()
    if len(threats) > 1:
        wins = _("{mark} wins").format(mark=mark)
        return dict.fromkeys(threats, (KINDS[1 if right else -1], wins))
    others = {cell: worth_after(board, cell) for cell in shown.legal_moves if right}
    return {
        cell: (KINDS[end.value], figures.prospect(end.value, end.distance))
        for cell, end in others.items()
    }


def _with_wins(text: str, says: str) -> Picture:
    board = Board.parse(text)
    return picture(board, says, lit=CELLS_IN[tactics.wins(board, Mark.X)])


def kind_for_x(board: Board) -> str:
    """What a position is worth to X, as a kind of picture."""
    return KINDS[_value_for_x(board)]


def outlook(board: Board) -> str:
    """Say how a game ended, or who wins it with best play."""
    if board.outcome:
        return words.result(board.outcome, str(board.outcome.winner))
    return figures.outlook(board.turn, _value_for_x(board))


def _value_for_x(board: Board) -> int:
    return solver.evaluate(board).value * (1 if board.turn is Mark.X else -1)


# --- puzzles -----------------------------------------------------------------------------------


def puzzle(puzzle: Puzzle, cell: int | None = None) -> dict[str, Any]:
    """Return what a page shows of a puzzle, by name.

    :param cell: the free cell that was tried; ``None`` before the first try
    """
    board, position = puzzle.board, puzzle.moves
    line = () if cell is None or cell in puzzle.right else refutation(puzzle, cell)
    return {
        "asks": puzzle_asks(puzzle),
        "position": position,
        "line": position + digits(line) if line else "",
        "difficulty": difficulty(puzzle),
        **attempt(board, cell, puzzle.right),
    }


def puzzle_asks(puzzle: Puzzle) -> str:
    """Say what a puzzle asks for."""
    return played.task(puzzle.board, next((kind for kind in Kind if kind in puzzle.kinds), None))


def difficulty(puzzle: Puzzle) -> str:
    """Say how hard a puzzle is."""
    moves = figures.own_moves(puzzle.plies)
    look = ngettext(
        "To see it, look {number} move ahead.", "To see it, look {number} moves ahead.", moves
    ).format(number=moves)
    if not puzzle.medium_fails:
        return look
    message = _("Medium goes wrong here in {percent} of its games.")
    return words.sentences(look, message.format(percent=figures.percent(puzzle.medium_fails)))


# --- the openings of tournaments ---------------------------------------------------------------


def openings_lead(openings: Sequence[Opening]) -> str:
    """Say what makes a position one of them."""
    return ngettext(
        "{number} position after one to three moves, without two in a row to block, in which at "
        "most {most} cells keep what the position is worth. Turned and mirrored ones count as one.",
        "{number} positions after one to three moves, without two in a row to block, in which at "
        "most {most} cells keep what the position is worth. Turned and mirrored ones count as one.",
        len(openings),
    ).format(number=len(openings), most=MOST)


def keeping(opening: Opening) -> str:
    """Say which cells keep what an opening is worth."""
    first, *rest = map(words.cell_in_a_sentence, opening.keeping)
    if rest:
        message = _("Two cells keep the value: {first} and {second}.")
        return message.format(first=first, second=rest[0])
    return _("One cell keeps the value: {first}.").format(first=first)
