"""Learning: exercises, puzzles, the opponents one by one, and sheets of paper.

Every picture and figure is computed.
"""

import secrets
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis import poster
from webapp.analysis.openings import MAX_KEEPING, Opening, chances, sharp
from webapp.analysis.paper import RULES, allowed, games
from webapp.analysis.poster import Node
from webapp.analysis.puzzles import Kind, Puzzle, of_position, refutation
from webapp.analysis.puzzles import worksheet as sheet
from webapp.analysis.review import judge, worth_after
from webapp.analysis.worth import worth
from webapp.core import solver, tactics
from webapp.core.board import CELLS, CELLS_IN, Board, IllegalMove, Mark
from webapp.core.game import MENACE, boards, digits
from webapp.core.solver import best_moves
from webapp.service import puzzles as alone
from webapp.service.refusals import Unacceptable, Unknown
from webapp.web import forms
from webapp.web.boards import KINDS, CellView, Picture, of_values, picture
from webapp.web.context import site
from webapp.web.engines import bars
from webapp.web.identity import player
from webapp.web.menace import cut_out
from webapp.web.respond import hx_redirect, page, part_or_page
from webapp.words import figures, played
from webapp.words.language import N_, _, ngettext

pages = Blueprint("learn", __name__)


@pages.get("/learn")
def learn() -> ResponseReturnValue:
    """Show an exercise; without ``at``, the first that is not done, and what else there is."""
    run, _following = alone.run(site(), player())
    if "at" in request.args:
        return _exercise(forms.text(request.args, "at", ""), run.exercises)
    done = _done(run.exercises)
    at = next((at for at in EXERCISES if at not in done), None)
    return page(
        "learn/learn.html",
        at=at,
        asks=_(EXERCISES[at][0]) if at else "",
        idea=_IDEAS[at.partition(".")[0] if at else "fork"],
        done=done,
        best=run.best,
        puzzle=alone.todays(site()),
    )


@pages.post("/learn")
def attempt() -> ResponseReturnValue:
    """Judge the ``cell`` that was tried in an exercise, and remember a right one."""
    at, cell = forms.text(request.form, "at", ""), forms.cell(request.form)
    board = _board(at)
    if cell not in board.legal_moves:
        raise Unacceptable("This cell is taken. Tap a free one.")
    if cell in best_moves(board):
        run = alone.done(site(), player(), [*EXERCISES].index(at))
    else:
        run, _following = alone.run(site(), player())
    return _exercise(at, run.exercises, cell)


_IDEAS: Mapping[str, tuple[Board, tuple[str, ...]]] = {
    "threat": (Board.parse("XX..O...."), ("012",)),
    "fork": (Board.parse("X.O.O.X.X"), ("036", "678")),
    "draw": (Board.parse("X...O...."), ("048",)),
    "ahead": (Board.parse("..O..X.OX"), ("345", "048")),
}
"""A board for each idea, and the lines in it that the idea is about."""


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
"""Positions in which to find a best cell, and the task: three for each idea, in order."""


def _board(at: str) -> Board:
    if at not in EXERCISES:
        raise Unknown("There is no such exercise. The Learn page starts with the first one.")
    return EXERCISES[at][1]


def _done(bits: int) -> list[str]:
    return [at for number, at in enumerate(EXERCISES) if bits >> number & 1]


def _exercise(at: str, bits: int, cell: int | None = None) -> ResponseReturnValue:
    """Show an exercise and its idea in words; ``cell`` is the one tried, if any."""
    board = _board(at)
    return part_or_page(
        *("learn/_answer.html", "learn/exercise.html"),
        at=at,
        run=None,
        following=(*EXERCISES, None)[[*EXERCISES].index(at) + 1],
        asks=_(EXERCISES[at][0]),
        done=_done(bits),
        threat=_with_wins("XX..O....", _("A threat by X")),
        fork=_with_wins("X.X.O.X.O", _("A fork by X")),
        empty=of_values(Board(), _("An empty board, every cell a draw for X")),
        corner=of_values(Board().play(0), _("X has a corner, and for O only the centre is a draw")),
        positions=len(solver.positions()),
        **_attempt(board, cell, best_moves(board)),
    )


def _attempt(board: Board, cell: int | None, right: Collection[int]) -> dict[str, Any]:
    """What a page shows of a position in which a right cell is to be found, by name."""
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


@pages.app_template_filter()
def outlook(board: Board) -> str:
    """Say how a game ended, or who wins it with best play."""
    if board.outcome:
        return words.result(board.outcome, str(board.outcome.winner))
    value = solver.evaluate(board).value * (1 if board.turn is Mark.X else -1)
    return figures.outlook(board.turn, value)


# --- puzzles --------------------------------------------------------------------------------------


@pages.get("/puzzles")
def puzzles() -> ResponseReturnValue:
    shown = _puzzle(alone.todays(site()))
    return part_or_page("learn/_answer.html", "learn/puzzles.html", run=None, **shown)


@pages.get("/puzzles/run")
def run() -> ResponseReturnValue:
    run, following = alone.run(site(), player())
    shown = _puzzle(following)
    return part_or_page("learn/_answer.html", "learn/puzzles.html", run=run, **shown)


@pages.post("/puzzles/run")
def run_again() -> ResponseReturnValue:
    alone.run_again(site(), player())
    return hx_redirect(url_for("learn.run"))


@pages.post("/puzzles/answer")
def answer() -> ResponseReturnValue:
    """Judge the ``cell`` that was tried in a ``position``; in a run it counts."""
    cell, moves = forms.cell(request.form), forms.moves(request.form, "position")
    try:
        puzzle = of_position(boards(moves)[-1])
        if puzzle is None:
            raise Unacceptable("There is no puzzle here: no move makes anything worse.")
        puzzle.board.play(cell)
    except IllegalMove as error:
        raise Unacceptable.of(error) from error
    run = alone.answer(site(), player(), digits(moves), cell)
    shown = _puzzle(puzzle, cell)
    return part_or_page("learn/_answer.html", "learn/puzzles.html", run=run, **shown)


def _puzzle(puzzle: Puzzle, cell: int | None = None) -> dict[str, Any]:
    """What a page shows of a puzzle, by name; ``cell`` is the one tried, if any."""
    board, position, moves = puzzle.board, puzzle.moves, figures.own_moves(puzzle.plies)
    line = () if cell is None or cell in puzzle.right else refutation(puzzle, cell)
    return {
        "asks": puzzle_asks(puzzle),
        "position": position,
        "line": position + digits(line) if line else "",
        "difficulty": ngettext(
            "To see it, look {number} move ahead.", "To see it, look {number} moves ahead.", moves
        ).format(number=moves),
        **_attempt(board, cell, puzzle.right),
    }


@pages.app_template_filter()
def puzzle_asks(puzzle: Puzzle) -> str:
    return played.task(puzzle.board, next((kind for kind in Kind if kind in puzzle.kinds), None))


# --- opponents and openings -----------------------------------------------------------------------


@pages.get("/opponents")
def opponents() -> ResponseReturnValue:
    own, listed = _("Written by the class"), site().engines.values()
    groups: dict[str, Any] = {_("Can be beaten"): [], _("Proved unbeatable"): [], own: []}
    wins = {one: sum(bar.values[0] for bar in bars(worth(one))[:2]) for one in listed}
    for engine in sorted(listed, key=wins.__getitem__):
        heading = own if engine.proviso else [*groups][worth(engine).unbeatable]
        groups[heading].append((engine, worth(engine)))
    return page("learn/opponents.html", groups=groups)


@pages.get("/openings")
def openings() -> ResponseReturnValue:
    engine = site().engines["medium"]
    results = {opening: chances(opening, engine) for opening in sharp()}
    return page("learn/openings.html", openings=results, most=MAX_KEEPING, engine=engine)


# Functions' slugs contain folders if their files share a name.
@pages.get("/opponents/<path:slug>", merge_slashes=False)
def opponent(slug: str) -> ResponseReturnValue:
    if slug == MENACE:
        return redirect(url_for("menace.look"))
    engine = site().engines.get(slug)
    if engine is None:
        raise Unknown(
            "There is no such computer player. The page “Computer players” lists them all."
        )
    return page("learn/opponent.html", engine=engine, worth=worth(engine))


@pages.app_template_filter()
def keeping(opening: Opening) -> str:
    first, *rest = map(words.cell_in_a_sentence, opening.keeping)
    if rest:
        message = _("Two cells are good: {first} and {second}.")
        return message.format(first=first, second=rest[0])
    return _("Only one cell is good: {first}.").format(first=first)


# --- on paper -------------------------------------------------------------------------------------


@pages.get("/learn/paper")
def paper() -> ResponseReturnValue:
    return page("learn/paper.html", numbers=[(number, number) for number in forms.ON_A_SHEET])


@pages.get("/learn/paper/rules")
def instructions() -> ResponseReturnValue:
    counts = [(mark, games(mark)) for mark in Mark]
    return page("learn/instructions.html", rules=on_paper(), counts=counts)


def on_paper() -> list[tuple[str, Picture]]:
    """Return the rules by which no one loses, each with a board in which it decides."""
    examples = map(Board.parse, _EXAMPLES)
    return [
        (_(rule.text), _with_cells(board, allowed(board)))
        for rule, board in zip(RULES, examples, strict=True)
    ]


@pages.get("/learn/paper/puzzles")
def worksheet() -> ResponseReturnValue:
    kind, number, seed = forms.worksheet(request.args)
    named = kind.value if kind else forms.MIXED
    if seed is None:
        any_seed = 1 + secrets.randbelow(forms.MOST_SHEETS)
        address = url_for("learn.worksheet", kind=named, number=number, seed=any_seed)
        return redirect(address, 303)
    tasks = [
        {
            "asks": played.task(puzzle.board, asked),
            "picture": picture(puzzle.board),
            "solution": _with_cells(puzzle.board, puzzle.right),
        }
        for asked, puzzle in sheet(kind, number, seed)
    ]
    return page("learn/worksheet.html", puzzles=tasks, kind=named, seed=seed)


@pages.get("/learn/paper/menace")
def matchboxes() -> ResponseReturnValue:
    return page("learn/matchboxes.html", boxes=cut_out(), engine=site().engines[MENACE])


@pages.get("/learn/map")
def map_() -> ResponseReturnValue:
    """Show the whole game for a ``mark``, or what follows after some ``moves``."""
    mark, moves = forms.map_mark(request.args), forms.moves(request.args)
    try:
        node = poster.find(mark, moves)
    except IllegalMove as error:
        raise Unacceptable.of(error) from error
    if node is None:
        raise Unacceptable("This game is not on the map. Start from the whole map.")
    top = poster.top(mark)
    lengths = range(len(top.moves), len(node.moves), 2)
    path = [above for end in lengths if (above := poster.find(mark, node.moves[:end]))]
    values = {"node": node, "top": top, "path": path, "counts": poster.ends(node)}
    return page("learn/map.html", engine=site().engines["hard"], **values)


_EXAMPLES = (
    "...XO.OXX",
    "XX..O....",
    "X........",
    "X...O...X",
    ".X..O.X..",
    "....X....",
    "OXO.X.XOX",
)
"""For each rule on the sheet, a board with O to move in which it decides."""


def _with_cells(board: Board, cells: tuple[int, ...]) -> Picture:
    # Translators: a small board on paper in which cells are grey, for anyone who does not see it
    grey = _("Grey: {cells}").format(cells=words.listed(map(words.cell_name, cells)))
    return picture(board, grey, lit=cells)


@pages.app_template_filter()
def last_moves(node: Node) -> str:
    """Name the last move of the other side, and the answer to it."""
    answered = node.board.turn is not node.mark  # else the board was full
    cells = node.moves[-2:] if answered else node.moves[-1:]
    marks = (node.mark.other, node.mark) if answered else (node.mark.other,)
    return " – ".join(map(words.cell_label, cells, marks))


@pages.app_template_filter()
def games_counted(ends: Counter[str]) -> str:
    """Say how many games there are and how they end, by slugs of outcomes; none of them is lost."""
    number, drawn = ends.total(), ends["draw"]
    # Translators: games in which one side follows rules: none of them is lost
    return ngettext(
        "{number} game: {won} won, {drawn} drawn, none lost.",
        "{number} games: {won} won, {drawn} drawn, none lost.",
        number,
    ).format(
        number=figures.figure(number),
        won=figures.figure(number - drawn),
        drawn=figures.figure(drawn),
    )
