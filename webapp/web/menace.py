"""MENACE: what it has learnt, from whom, and what the teacher may do with it."""

import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.menace import Point
from webapp.core.board import CELLS, Board, Mark, unpacked
from webapp.core.game import MENACE, boards, digits
from webapp.core.symmetry import fold
from webapp.engines.menace import Beads, boxes, change, colours
from webapp.engines.registry import LEVELS
from webapp.service import menace
from webapp.service.menace import Menace
from webapp.web import desk, forms
from webapp.web.boards import clickable
from webapp.web.context import site
from webapp.web.identity import is_teacher
from webapp.web.respond import Shown, part_or_page
from webapp.words import figures
from webapp.words.language import _, ngettext

pages = Blueprint("menace", __name__)

training = Blueprint("training", __name__, url_prefix="/host")
training.before_request(desk.let_teachers_in)


@pages.get("/menace")
def look() -> ResponseReturnValue:
    """Show its curve, its boxes and its teachers, and the box of the position after ``moves``."""
    moves, board = forms.clicked(request.args)
    learnt = menace.look(site())
    view = {**present_menace(learnt), "teacher": is_teacher()}
    opened = _box(learnt.beads, board) if _has_box(board) else None
    finder = {"moves": moves, "turn": board.turn, "opened": opened, **clickable(board)}
    values = {"view": view, "rivals": menace.RIVALS, "most": menace.MOST, **finder}
    values |= {"engines": site().engines, "engine": site().engines[MENACE]}
    return part_or_page("menace/_menace.html", "menace/menace.html", **values)


@training.post("/menace/train")
def train() -> ResponseReturnValue:
    rival = forms.rival(request.form, menace.RIVALS)
    games = forms.number(request.form, "games", 1, menace.MOST) or 1
    menace.train(site(), rival, games, secrets.token_hex(4), apart=True)
    return _back()


@training.post("/menace/end")
def end() -> ResponseReturnValue:
    menace.end_training(site())
    return _back()


@training.post("/menace/start-over")
def start_over() -> ResponseReturnValue:
    menace.start_over(site())
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for("menace.look", _anchor="train"), 303)


# --- what is shown --------------------------------------------------------------------------------

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 392, 12, 172  # the area of the curves, in units of the drawing


class Box(NamedTuple):
    """An opened box: the beads on each colour's first cell; what a game drew, and the change."""

    board: Board
    beads: Mapping[int, int]
    drawn: int | None = None
    change: int = 0

    @property
    def total(self) -> int:
        return sum(self.beads.values())

    @property
    def sign(self) -> str:
        return "\u200e" + figures.signed(self.change, 0)  # stays left in Arabic

    @property
    def label(self) -> str:
        held = [
            # Translators: the name of a cell, and how many beads lie on it
            _("{cell} {number}").format(
                cell=words.cell_name(cell),
                number=f"{beads} ({self.sign})" if cell == self.drawn else beads,
            )
            for cell, beads in self.beads.items()
        ]
        message = ngettext(
            "{board}. {number} bead: {beads}", "{board}. {number} beads: {beads}", self.total
        )
        return message.format(
            board=words.board(self.board), number=self.total, beads=words.listed(held)
        )


def present_menace(learnt: Menace) -> Shown:
    """MENACE for its page and the wall, by the names in their templates."""
    return {
        "games": learnt.games,
        "curves": _curves(learnt.curve),
        "course": _course(learnt.curve),
        "game": digits(learnt.last),
        "last": _passed(learnt.beads, learnt.last),
        "taught": [
            {
                "player": learnt.people.get(lesson.player or ""),  # None: the player has left
                "result": _result(moves),
                "moves": digits(moves),
            }
            for lesson in learnt.lessons
            for moves in lesson.games
        ],
        "training": learnt.training,
    }


def _box(beads: Beads, board: Board, drawn: int | None = None, added: int = 0) -> Box:
    """The box for a position with MENACE to move."""
    packed = board.packed
    groups = colours(packed)
    held = {cells[0]: number for cells, number in zip(groups, beads[fold(packed)], strict=True)}
    if drawn is not None:  # the beads of its colour lie where it was played
        held = {
            drawn if drawn in cells else cells[0]: number
            for cells, number in zip(groups, held.values(), strict=True)
        }
    return Box(board, held, drawn, added)


def cut_out() -> list[Box]:
    """All boxes as they start, in the order of the moves."""
    return [_box(boxes(), unpacked(packed)) for packed in boxes()]


def _has_box(board: Board) -> bool:
    """Whether MENACE draws a bead in this position."""
    return not board.outcome and board.turn is Mark.X and board.ply < len(CELLS) - 1


def _passed(beads: Beads, moves: tuple[int, ...]) -> list[Box]:
    """The boxes that a game passed through, as they are now; before any game, the first box."""
    course = boards(moves)
    added, drawn = change(course[-1]), zip(course, (*moves, None), strict=True)
    return [_box(beads, board, cell, added) for board, cell in drawn if _has_box(board)]


def _curves(curve: Sequence[Point]) -> list[Shown]:
    """How MENACE's chance not to lose has grown, against each level and at the worst.

    ``points`` draw the line; ``figures`` are its present chances to win, draw and lose.
    """
    now = curve[-1]
    lines: list[Shown] = [
        {
            "slug": level.slug,
            "name": words.named(level),
            "points": _line(curve, [1 - point.against[level.slug].lost for point in curve]),
            "figures": tuple(map(_percent, now.against[level.slug])),
        }
        for level in LEVELS
    ]
    best: Shown = {
        "slug": "best",
        # Translators: an opponent of MENACE, in a table
        "name": _("Anyone who knows its boxes"),
        "points": _line(curve, [1 - point.exploited for point in curve]),
        "figures": ("", "", _percent(now.exploited)),
    }
    return [*lines, best]


def _line(curve: Sequence[Point], shares: list[float]) -> str:
    wide = curve[-1].games or 1
    return " ".join(
        f"{_LEFT + (_RIGHT - _LEFT) * point.games / wide:.1f},"
        f"{_BOTTOM - (_BOTTOM - _TOP) * share:.1f}"
        for point, share in zip(curve, shares, strict=True)
    )


def _course(curve: Sequence[Point]) -> str:
    first, now = (1 - point.against["hard"].lost for point in (curve[0], curve[-1]))
    message = _("At first it drew with Hard in {first} of its games; now it does in {now}.")
    return message.format(first=_percent(first), now=_percent(now))


def _percent(share: float) -> str:
    near = round(share, 9)
    return figures.percent(int(near) if near in (0, 1) else share)


def _result(moves: tuple[int, ...]) -> str:
    end = boards(moves)[-1].outcome
    if end is None:
        return _("MENACE gave up")
    return {None: _("a draw"), Mark.X: _("MENACE won"), Mark.O: _("MENACE lost")}[end.winner]
