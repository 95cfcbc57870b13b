"""Reviewing a game: what each move was worth. The address is the game; nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.review import Review, ReviewedMove, worth_after
from webapp.analysis.review import review as judged
from webapp.core.board import CELLS, Board, IllegalMove, Mark
from webapp.core.game import digits, moves_of
from webapp.engines.base import Engine
from webapp.service.refusals import Unknown
from webapp.web import forms
from webapp.web.boards import KINDS, CellView
from webapp.web.context import site
from webapp.web.identity import is_teacher
from webapp.web.respond import part_or_page
from webapp.words import figures, played
from webapp.words.language import N_, _, ngettext

pages = Blueprint("review", __name__)


@pages.get("/review/<moves>")
def review(moves: str) -> ResponseReturnValue:
    engines, fields = site().engines, request.args
    if not moves.isascii() or not moves.isdecimal():
        raise Unknown("Write the game as the cells played, 0 to 8, such as /review/40281.")
    try:
        reviewed = judged(moves_of(moves))
    except IllegalMove as error:
        raise Unknown("This game is not possible. {why}", why=error) from error
    chosen, at = forms.options(fields, engines), forms.number(fields, "at", 0, len(moves))
    view = Step(
        reviewed,
        len(moves) if at is None else at,
        forms.flag(fields, "values"),
        opponent=chosen.get("opponent"),
        mark=chosen.get("mark") if chosen.get("mark") in ("x", "o") else None,
    )
    return part_or_page(
        "review/_answer.html", "review/review.html", view=view, engines=engines, host=is_teacher()
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A game after some of its moves.

    :param at: how many of the moves are on the board
    :param values: whether each free cell shows what it leads to
    :param opponent: the engine's slug, or anything else that the address says
    :param mark: the person's, ``"x"`` or ``"o"``
    """

    review: Review
    at: int
    values: bool
    opponent: str | None = None
    mark: str | None = None

    @property
    def played(self) -> str:
        """The moves of the whole game, such as ``40281``."""
        return digits(self.review.game.moves)

    @property
    def board(self) -> Board:
        return self.review.game.boards[self.at]

    @property
    def last(self) -> ReviewedMove | None:
        return self.review.moves[self.at - 1] if self.at else None

    @property
    def mistaken(self) -> bool:
        """Whether the last move was a mistake, and the person's where the address names a mark."""
        last = self.last
        return last is not None and last.mistake and self.mark in (None, last.mark.slug)

    @property
    def turning_at(self) -> int | None:
        """Number of the last move that changed the value, if any."""
        turning = self.review.turning_point
        return None if turning is None else turning + 1

    @property
    def heading(self) -> str:
        if self.last is None:
            return _("An empty board")
        cell = words.cell_name(self.last.cell)
        return _("{number} {mark}: {cell}").format(number=self.at, mark=self.last.mark, cell=cell)

    @property
    def sentence(self) -> str:
        if self.last is None:
            return _("If both play their best, it is a draw.")
        return played.judged(self.last)

    @property
    def aside(self) -> str:
        """Explain the values on the free cells, or why there are none; empty unless wanted."""
        if not self.values:
            return ""
        if self.board.outcome:
            return _("The game is over here. Go back a move to see values.")
        message = _(
            "Each free cell shows how the game ends if {mark} plays there and both then play "
            "their best."
        )
        return message.format(mark=self.board.turn)

    @property
    def title(self) -> str:
        """How the game ended, or how far it went."""
        outcome, number = self.review.game.outcome, len(self.review.moves)
        if outcome:
            return words.result(outcome, str(outcome.winner))
        return ngettext("A game after {number} move", "A game after {number} moves", number).format(
            number=number
        )

    def players(self, engines: Mapping[str, Engine]) -> str:
        """Say who had which mark; empty if the address does not tell."""
        engine = engines.get(self.opponent or "")
        if engine is None or self.mark is None:
            return ""
        first = _("X was a person, O was {engine}.")
        message = first if self.mark == "x" else _("X was {engine}, O was a person.")
        return message.format(engine=words.named(engine))

    @property
    def cells(self) -> tuple[CellView, ...]:
        """The cells of the board, with what each free one leads to, or with the better moves."""
        return tuple(map(self._cell, CELLS))

    def _cell(self, cell: int) -> CellView:
        board, last, worth, note = self.board, self.last, "", ""
        better = dict(last.better) if last and not self.values else {}
        if self.values and cell in board.legal_moves:
            after = worth_after(board, cell)
            worth, note = KINDS[after.value], figures.prospect(after.value, after.distance)
        return CellView(
            number=cell,
            mark=board[cell],
            winning=bool(board.outcome and cell in board.outcome.cells),
            hinted=cell in better,
            new="now" if last and cell == last.cell else "",
            worth=worth,
            note=note,
        )

    # --- the chart ------------------------------------------------------------------------------

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The points of the chart, one for each position."""
        heights = _heights(self.review)
        step = (_RIGHT - _LEFT) / max(len(heights) - 1, 1)
        return tuple(
            (round(_LEFT + number * step, 1), round(_MIDDLE - _REACH * height, 1))
            for number, height in enumerate(heights)
        )

    @property
    def course(self) -> str:
        """Describe the chart: from when on who could force a win."""
        said, before = [_("At first, neither player can force a win.")], 0
        for number, height in enumerate(_heights(self.review)):
            sign = (height > 0) - (height < 0)
            if sign != before:
                said.append(_(_FROM_THEN[sign]).format(number=number))
                before = sign
        return words.sentences(*said)


# In the units of the chart: where it begins and ends, the level of a draw, and how far a win is.
_LEFT, _RIGHT, _MIDDLE, _REACH = 78.0, 384.0, 75.0, 55.0


def _heights(review: Review) -> list[float]:
    """The value of each position for X: +1 a win, 0 a draw; the nearer the end, the further out."""
    return [0.0] + [
        move.after.value * (10 - move.after.distance) / 10 * (1 if move.mark is Mark.X else -1)
        for move in review.moves
    ]


# By who can force a win: no one, X, O.
_FROM_THEN = (
    N_("From move {number} on, neither player can force a win."),
    N_("From move {number} on, X can force a win."),
    N_("From move {number} on, O can force a win."),
)
