"""Minimax to watch: one position, searched step by step. The address is the step."""

from bisect import bisect, bisect_left
from collections.abc import Sequence
from math import isinf
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.lookahead import Branch, Moment, Search, Worth, after, best, different, total
from webapp.core.board import CELLS, Board, IllegalBoard, Mark
from webapp.service.refusals import Unacceptable
from webapp.web import forms
from webapp.web.boards import KINDS, CellView
from webapp.web.respond import part_or_page
from webapp.words.language import _

pages = Blueprint("lookahead", __name__)

_EXAMPLES = tuple(map(Board.parse, ("XOXX.O..O", "X....O.XO", "X....OOX.", ".........")))
"""The three positions of source B, and the empty board."""

_DEPTHS = (1, 2, 3)

_SMALL = 400
"""A search of more boards stops after each first move only."""

_ANSWER = "learn/_lookahead_answer.html"

SEARCH = Search(_EXAMPLES[0])
"""What the wall shows, step by step."""

_AHEAD = 20
"""Steps that come with the answer to a step, so that a class that watches asks but rarely."""

_VALUES = {1: "\u200e+1", 0: "0", -1: "\u200e\u22121"}  # the sign stays left in Arabic

_SIGNS = {-1: "\u200e\u2264 ", 0: "", 1: "\u200e\u2265 "}


@pages.get("/learn/minimax")
def watch() -> ResponseReturnValue:
    """Show a search of the position ``board`` at a ``step``, and whether a ``guess`` came true.

    With ``prunes`` it leaves out what cannot matter; ``depth`` is how many moves it looks ahead.
    """
    board = _board(forms.text(request.args, "board", str(_EXAMPLES[0])))
    prunes = forms.flag(request.args, "prunes")
    depth = forms.number(request.args, "depth", _DEPTHS[0], _DEPTHS[-1])
    search = Search(board, prunes=prunes, depth=depth or len(CELLS))
    stops = _stops(search)
    step = forms.number(request.args, "step", 0, stops[-1]) or 0
    # A script that asks for the next step will ask for those after it.
    steps_on = request.headers.get("HX-Source") == "a#step-later"
    later = stops[bisect(stops, step) :][:_AHEAD] if steps_on else ()
    ahead = [_shown(search, stops, at) for at in later]
    return part_or_page(
        _ANSWER,
        "learn/lookahead.html",
        view=_shown(search, stops, step, forms.text(request.args, "guess", "")),
        ahead={
            f"{view['address']}&step={view['step']}": render_template(_ANSWER, view=view, ahead={})
            for view in ahead
        },
        chosen=_chosen(search),
        examples=_EXAMPLES,
        depths=(None, *_DEPTHS),
        unpruned=total(search._replace(prunes=False)).boards,
        different=different(search),
    )


def _chosen(search: Search) -> dict[str, Any]:
    """What an address says of a search."""
    depth = search.depth if search.depth in _DEPTHS else None
    return {"board": search.root, "prunes": 1 if search.prunes else None, "depth": depth}


def _board(text: str) -> Board:
    try:
        board = Board.parse(text)
    except IllegalBoard as error:
        raise Unacceptable.of(error) from error
    if board.outcome:
        raise Unacceptable("This game is over: there is nothing to play.")
    return board


def _stops(search: Search) -> Sequence[int]:
    whole = total(search)
    if whole.boards <= _SMALL:
        return range(whole.steps)
    (root,) = after(search, whole.steps - 1).way
    return 0, *root.rose.values(), whole.steps - 1


def on_the_wall(step: int) -> dict[str, Any]:
    return _shown(SEARCH, _stops(SEARCH), step)


def _shown(search: Search, stops: Sequence[int], step: int, guess: str = "") -> dict[str, Any]:
    moment = after(search, step)
    root = moment.way[0]
    taken = best(root) if root.worth else None
    later = (*stops[bisect(stops, step) :][:1], step)[0]
    rising = after(search, later).way[-1]
    guessed = later == step + 1 and bool(rising.known and rising.worth)
    asks = _("Guess: what will {mark} get?").format(mark=rising.board.turn) if guessed else ""
    before, value = "", moment.way[-1].worth
    if guess and value:
        before = _("Correct.") if guess == KINDS[value.value] else _("Not quite.")
    elif isinstance(stops, tuple) and len(moment.way) > 1:  # a whole first move
        tried = words.taken(moment.way[1].cell or 0)
        before = _("{mark} tries {cell}.").format(mark=root.board.turn, cell=tried)
    says = _sentence(moment, taken, to_the_end=_chosen(search)["depth"] is None)
    return {
        "address": url_for("lookahead.watch", **_chosen(search)),
        "step": step,
        "before": stops[max(bisect_left(stops, step) - 1, 0)],
        "later": later,
        "last": stops[-1],
        "guessed": guessed,
        "sentence": words.sentences(before, says, asks),
        "cells": [_cell(moment.way, cell, taken) for cell in CELLS],
        "levels": [
            _level(branch, inside)
            for branch, inside in zip(moment.way, (*moment.way[1:], None), strict=True)
            if inside or branch.known or not branch.worth
        ],
        "looked": moment.looked,
        "boards": total(search).boards,
    }


def _cell(way: Sequence[Branch], cell: int, taken: int | None) -> CellView:
    root, tried = way[0], cell in (branch.cell for branch in way[1:2])
    worth = _known(root, way[1] if tried else None, cell)
    return CellView(
        number=cell,
        mark=root.board[cell],
        ghost=root.board.turn if tried and not worth else None,
        hinted=cell == taken,
        worth=_kind(worth),
        note=_written(worth) if worth else "",
    )


def _written(worth: Worth) -> str:
    """Write a value on a board, which has little room."""
    return _SIGNS[worth.bound] + _VALUES[worth.value]


def _kind(worth: Worth | None) -> str:
    """How a value is drawn: one that is only bounded is no win and no loss."""
    return KINDS[worth.value] if worth and not worth.bound else ""


def _said(worth: Worth) -> str:
    value = _VALUES[worth.value]
    if not worth.bound:
        return value
    return (_("at most {value}") if worth.bound < 0 else _("at least {value}")).format(value=value)


def _level(branch: Branch, inside: Branch | None) -> dict[str, Any]:
    """The boards after one, as far as they are known; one of them may be looked into."""
    low, high = (None if isinf(it) else _VALUES[int(it)] for it in (branch.low, branch.high))
    return {
        "mark": branch.board.turn,
        "low": low,
        "high": high,
        "best": best(branch) if branch.worth else None,
        "boards": [
            {
                "cell": cell,
                "board": branch.board.play(cell),
                "step": branch.rose.get(cell),
                "worth": _written(worth) if worth else "",
                "kind": _kind(worth),
                "inside": inside is not None and inside.cell == cell,
                "cut": cell in branch.cut,
            }
            for cell in branch.board.legal_moves
            for worth in [_known(branch, inside, cell)]
        ],
    }


def _known(branch: Branch, inside: Branch | None, cell: int) -> Worth | None:
    if inside and inside.cell == cell:
        return inside.worth
    return branch.known.get(cell)


def _sentence(moment: Moment, taken: int | None, *, to_the_end: bool) -> str:
    """Say what happens in this step."""
    branch = moment.way[-1]
    mark, cell = branch.board.turn, words.taken(branch.cell or 0)
    value = _said(branch.worth) if branch.worth else ""
    if taken is not None and branch.worth:
        message = _("{mark} plays {cell}. It is worth {value}.")
        said = message.format(mark=mark, cell=words.taken(taken), value=value)
        safe = to_the_end and branch.worth.value * (1 if mark is Mark.X else -1) >= 0
        why = _("{mark} has looked at every answer that matters, and cannot lose from here.")
        return words.sentences(said, why.format(mark=mark) if safe else "")
    if branch.known and branch.cut:
        if mark is Mark.X:
            message = _(
                "X gets {value} here. O already has a result as good or better, so the rest "
                "cannot matter."
            )
        else:
            message = _(
                "O gets {value} here. X already has a result as good or better, so the rest "
                "cannot matter."
            )
    elif branch.known and branch.worth:
        message = _("X takes the largest: {value}.")
        if mark is Mark.O:
            message = _("O takes the smallest: {value}.")
    elif branch.cell is None:
        message = _("{mark} is to move, and tries each free cell.")
    elif not branch.worth:
        message, mark = _("{mark} tries {cell}, and looks at each answer."), mark.other
    else:
        mark, outcome = mark.other, branch.board.outcome
        message = _("{mark} tries {cell}, and the board is full. A draw: {value}.")
        if outcome and outcome.winner:
            message = _("{mark} tries {cell} and wins: {value}.")
        elif not outcome:
            message = _(
                "{mark} tries {cell}. It looks no further, so this counts as a draw: {value}."
            )
    return message.format(mark=mark, cell=cell, value=value)
