"""A game step by step, for the review page."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import Judgement, Review, ReviewedMove
from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import Game
from webapp.core.options import FRIEND
from webapp.core.solver import Evaluation, evaluate
from webapp.engines.base import Engine
from webapp.web.present.pictures import strike
from webapp.web.present.views import CellView


class StepView(NamedTuple):
    """A way to another position of the game: after ``at`` moves."""

    id: str
    text: str
    at: int
    possible: bool


class JudgedView(NamedTuple):
    """One move in the list: ``mistake`` if it gave something away."""

    number: int
    mark: str
    cell: str
    sentence: str
    current: bool
    mistake: bool
    turning: bool


class PointView(NamedTuple):
    """A point of the chart."""

    x: float
    y: float
    current: bool
    turning: bool


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review page.

    :param played: the cells of the whole game, such as ``40281``
    :param at: how many of its moves are on the board
    :param opponent: slug of the engine, ``friend``, or ``None`` where none is named
    :param mark: ``"x"`` or ``"o"``, the person's; ``None`` where none is named
    :param players: who had which mark, as a sentence; may be empty
    :param aside: whose the values on the cells are, or why there are none; empty unless wanted
    :param turning_at: number of the move that decided the game, if one did
    :param here: the moves on the board, to begin a game from; empty where it is over
    :param instead: the moves before the last one, to play it differently; ``None`` if there is no
        need to
    """

    title: str
    heading: str
    sentence: str
    cells: tuple[CellView, ...]
    strike: tuple[str, ...]
    outcome: str
    steps: tuple[StepView, ...]
    moves: tuple[JudgedView, ...]
    points: tuple[PointView, ...]
    chart: str
    played: str
    at: int
    values: bool
    opponent: str | None
    mark: str | None
    players: str
    aside: str
    turning_at: int | None
    here: str | None
    instead: str | None
    key: str

    @property
    def announcement(self) -> str:
        """What a screen reader says after a step."""
        return f"{self.heading}. {self.sentence}"


_MISTAKES = (
    Judgement.SLOWER_WIN,
    Judgement.GAVE_AWAY_THE_WIN,
    Judgement.GAVE_AWAY_THE_DRAW,
)

# The chart, in the units of its drawing: where it begins and ends, and the level of a draw.
_LEFT, _RIGHT, _MIDDLE, _REACH = 78.0, 384.0, 75.0, 55.0


def present_review(
    found: Review,
    at: int | None,
    *,
    values: bool,
    opponent: str | None,
    mark: str | None,
    engines: Mapping[str, Engine],
) -> ReviewView:
    """Present a game after some of its moves.

    :param at: how many; ``None`` for all
    :param values: whether to say on each free cell what it leads to
    """
    moves = tuple(move.cell for move in found.moves)
    game = Game(moves)
    at = len(moves) if at is None else at
    board = game.boards[at]
    last = found.moves[at - 1] if at else None
    turning = None if found.turning_point is None else found.turning_point + 1
    played = "".join(map(str, moves))
    mistaken = last is not None and last.judgement in _MISTAKES
    return ReviewView(
        title=_title(game),
        heading=f"{at} {last.mark}: {words.CELLS[last.cell]}" if last else "An empty board",
        sentence=words.judged(last) if last else "With best play on both sides, it is a draw.",
        cells=_cells(board, last, values=values),
        strike=strike(board.outcome),
        outcome=_outcome(board),
        steps=_steps(at, len(moves)),
        moves=_moves(found, at),
        points=_points(found, at),
        chart=_course(found),
        played=played,
        at=at,
        values=values,
        opponent=opponent,
        mark=mark,
        players=_players(opponent, mark, engines),
        aside=_aside(board) if values else "",
        turning_at=turning,
        here=None if board.outcome else played[:at],
        instead=played[: at - 1] if mistaken and last and mark in (None, last.mark.slug) else None,
        key=secrets.token_urlsafe(16),
    )


def _title(game: Game) -> str:
    outcome = game.outcome
    if outcome is None:
        return f"A game after {words.moves(len(game.moves))}"
    return words.result(outcome, str(outcome.winner))


def _outcome(board: Board) -> str:
    return board.outcome.slug if board.outcome else ""


def _players(opponent: str | None, mark: str | None, engines: Mapping[str, Engine]) -> str:
    if opponent is None or opponent == FRIEND or mark is None:
        return ""
    engine = engines[opponent].name
    x, o = ("a person", engine) if mark == "x" else (engine, "a person")
    return f"X was {x}, O {o}."


def _aside(board: Board) -> str:
    """Whose the values on the free cells are, or why there are none."""
    if board.outcome:
        return "The game is over here. Go back a move to see values."
    return f"On each free cell: what it leads to for {board.turn}, with best play."


def _steps(at: int, last: int) -> tuple[StepView, ...]:
    return (
        StepView("first", "Start", 0, at > 0),
        StepView("earlier", "Back", max(at - 1, 0), at > 0),
        StepView("later", "Next", min(at + 1, last), at < last),
        StepView("last", "End", last, at < last),
    )


def _moves(found: Review, at: int) -> tuple[JudgedView, ...]:
    return tuple(
        JudgedView(
            number,
            str(move.mark),
            words.CELLS[move.cell],
            words.judged(move),
            current=number == at,
            mistake=move.judgement in _MISTAKES,
            turning=number - 1 == found.turning_point,
        )
        for number, move in enumerate(found.moves, 1)
    )


def _cells(board: Board, last: ReviewedMove | None, *, values: bool) -> tuple[CellView, ...]:
    """The cells after a move.

    Either with what each leads to, for the one to move, or with those suggested that would have
    been better, for the one who has moved.
    """
    better = {cell for cell, _ in last.better} if last and not values else set[int]()
    winning = board.outcome.cells if board.outcome else frozenset[int]()
    shown = []
    for cell in CELLS:
        free = board[cell] is None
        worth, note = _prospect(board, cell) if values and free and not board.outcome else ("", "")
        label = words.cell_label(
            cell, board[cell], winning=cell in winning, hinted=free and cell in better
        )
        shown.append(
            CellView(
                number=cell,
                label=f"{label}, {note}" if note else label,
                mark=mark.slug if (mark := board[cell]) else "",
                winning=cell in winning,
                hinted=free and cell in better,
                new="now" if last and cell == last.cell else "",
                worth=worth,
                note=note,
            )
        )
    return tuple(shown)


def _prospect(board: Board, cell: int) -> tuple[str, str]:
    after = evaluate(board.play(cell))
    said = words.prospect(-after.value, after.distance)
    return said.split()[0], said


# --- the chart --------------------------------------------------------------------------------


def _height(worth: Evaluation) -> float:
    """How high a position lies for X: +1 won, 0 a draw, and the nearer the end, the further out."""
    return worth.value * (10 - worth.distance) / 10


def _heights(found: Review) -> list[float]:
    """From X's point of view, before the first move and after each."""
    heights = [0.0]
    for move in found.moves:
        height = _height(move.after)
        heights.append(height if move.mark is Mark.X else -height)
    return heights


def _points(found: Review, at: int) -> tuple[PointView, ...]:
    heights = _heights(found)
    step = (_RIGHT - _LEFT) / max(len(heights) - 1, 1)
    return tuple(
        PointView(
            round(_LEFT + number * step, 1),
            round(_MIDDLE - _REACH * height, 1),
            current=number == at,
            turning=number - 1 == found.turning_point,
        )
        for number, height in enumerate(heights)
    )


def _course(found: Review) -> str:
    """Say what the chart shows: who could force a win from when on."""
    said, before = ["Who can force a win: nobody at first"], 0
    for number, height in enumerate(_heights(found)):
        sign = (height > 0) - (height < 0)
        if sign != before:
            said.append(f"{('nobody', 'X', 'O')[sign]} from move {number} on")
            before = sign
    return ", ".join(said) + "."
