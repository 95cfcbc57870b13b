"""A game step by step, for the review page."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from webapp import words
from webapp.analysis.review import Review, ReviewedMove, worth_after
from webapp.core.board import CELLS, Board, Mark, Outcome
from webapp.core.game import Game
from webapp.engines.base import Engine
from webapp.web.present.pictures import KINDS
from webapp.web.present.views import CellView
from webapp.words import figures, played
from webapp.words.language import N_, _, ngettext


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review page.

    :param summary: the game in a few words, for a tab or where the page is shared
    :param description: what the page shows, in a sentence or two, for the same places
    :param played: the cells of the whole game, such as ``40281``
    :param at: how many of its moves are on the board
    :param opponent: slug of the engine, another word, or ``None`` where none is named
    :param mark: ``"x"`` or ``"o"``, the person's; ``None`` where none is named
    :param players: who had which mark, as a sentence; may be empty
    :param aside: whose the values on the cells are, or why there are none; empty unless wanted
    :param turning_at: number of the last move that changed who could force a win, if one did
    :param over: whether the game ended on the board, so that this move decided it
    :param here: the moves on the board, to begin a game from; ``None`` where it is over
    :param instead: the moves before the last one, where it is worth playing it differently
    :param points: of the chart, one for each position; ``chart`` says what it shows
    """

    title: str
    summary: str
    description: str
    heading: str
    sentence: str
    cells: tuple[CellView, ...]
    outcome: Outcome | None
    moves: tuple[ReviewedMove, ...]
    played: str
    at: int
    values: bool
    opponent: str | None
    mark: str | None
    players: str
    aside: str
    turning_at: int | None
    over: bool
    here: str | None
    instead: str | None
    key: str
    points: tuple[tuple[float, float], ...]
    chart: str

    @property
    def announcement(self) -> str:
        """What a screen reader says after a step."""
        return f"{self.heading}. {self.sentence}"


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
    """Present a game after ``at`` of its moves, or all; with ``values`` on each free cell."""
    game = Game(tuple(move.cell for move in found.moves))
    cells = words.digits(game.moves)
    at = len(cells) if at is None else at
    board = game.boards[at]
    last = found.moves[at - 1] if at else None
    turning_at = None if found.turning_point is None else found.turning_point + 1
    players = _players(opponent, mark, engines)
    mistaken = last is not None and last.mistake and mark in (None, last.mark.slug)
    return ReviewView(
        title=_title(game),
        summary=_summary(game, turning_at),
        description=_description(game, players),
        heading=_heading(at, last),
        sentence=played.judged(last) if last else _("With best play on both sides, it is a draw."),
        cells=_cells(board, last, values=values),
        outcome=board.outcome,
        moves=found.moves,
        played=cells,
        at=at,
        values=values,
        opponent=opponent,
        mark=mark,
        players=players,
        aside=_aside(board) if values else "",
        turning_at=turning_at,
        over=game.outcome is not None,
        here=None if board.outcome else cells[:at],
        instead=cells[: at - 1] if mistaken else None,
        key=secrets.token_urlsafe(16),
        points=_points(found),
        chart=_course(found),
    )


def _title(game: Game) -> str:
    if game.outcome:
        return words.result(game.outcome, str(game.outcome.winner))
    number = len(game.moves)
    return ngettext("A game after {number} move", "A game after {number} moves", number).format(
        number=number
    )


def _summary(game: Game, decided: int | None) -> str:
    number, outcome = len(game.moves), game.outcome
    if decided is None:
        return _title(game)
    if not outcome:
        message = ngettext(
            "A game after {number} move; move {decided} was the turning point",
            "A game after {number} moves; move {decided} was the turning point",
            number,
        )
    elif outcome.winner:
        message = ngettext(
            "{winner} wins in {number} move; move {decided} decided it",
            "{winner} wins in {number} moves; move {decided} decided it",
            number,
        )
    else:
        message = _("A draw; move {decided} decided it")
    winner = outcome.winner if outcome else None
    return message.format(winner=winner, number=number, decided=decided)


def _description(game: Game, players: str) -> str:
    """Say how the game ended, who played it if that is known, and what else the page shows.

    The address of a review does not say whether a game goes on, was given up or cancelled.
    """
    outcome = game.outcome
    if not outcome:
        number = len(game.moves)
        ended = ngettext(
            "A game of tic-tac-toe after {number} move.",
            "A game of tic-tac-toe after {number} moves.",
            number,
        ).format(number=number)
    elif outcome.winner:
        lines = words.lines_in_a_sentence(outcome.lines)
        ended = _("{winner} completes {line} and wins this game of tic-tac-toe.").format(
            winner=outcome.winner, **lines
        )
    else:
        ended = _("No one completes a line in this game of tic-tac-toe.")
    step = _("Step through it and see what each move was worth.")
    return " ".join(filter(None, (ended, players, step)))


def _heading(at: int, last: ReviewedMove | None) -> str:
    if last is None:
        return _("An empty board")
    cell = words.cell_name(last.cell)
    return _("{number} {mark}: {cell}").format(number=at, mark=last.mark, cell=cell)


def _players(opponent: str | None, mark: str | None, engines: Mapping[str, Engine]) -> str:
    engine = engines.get(opponent) if opponent else None
    if engine is None or mark is None:
        return ""
    message = _("X was a person, O {engine}.") if mark == "x" else _("X was {engine}, O a person.")
    return message.format(engine=engine.name)


def _aside(board: Board) -> str:
    """Whose the values on the free cells are, or why there are none."""
    if board.outcome:
        return _("The game is over here. Go back a move to see values.")
    message = _("On each free cell: what it leads to for {mark}, with best play.")
    return message.format(mark=board.turn)


def _cells(board: Board, last: ReviewedMove | None, *, values: bool) -> tuple[CellView, ...]:
    """The cells after a move.

    Either with what each leads to, for the side to move, or with those suggested that would have
    been better, for the side that has moved.
    """
    better = {cell for cell, _ in last.better} if last and not values else set[int]()
    winning = board.outcome.cells if board.outcome else frozenset[int]()
    shown = []
    for cell in CELLS:
        mark, worth, note = board[cell], "", ""
        hinted = mark is None and cell in better
        if values and cell in board.legal_moves:
            after = worth_after(board, cell)
            worth, note = KINDS[after.value], figures.prospect(after.value, after.distance)
        shown.append(
            CellView(
                number=cell,
                label=words.cell_label(
                    cell, mark, winning=cell in winning, hinted=hinted, note=note
                ),
                mark=mark.slug if mark else "",
                winning=cell in winning,
                hinted=hinted,
                new="now" if last and cell == last.cell else "",
                worth=worth,
                note=note,
            )
        )
    return tuple(shown)


# --- the chart --------------------------------------------------------------------------------


def _heights(found: Review) -> list[float]:
    """How high a position lies for X: +1 won, 0 a draw, and the nearer the end, the further out.

    Before the first move and after each.
    """
    return [0.0] + [
        move.after.value * (10 - move.after.distance) / 10 * (1 if move.mark is Mark.X else -1)
        for move in found.moves
    ]


def _points(found: Review) -> tuple[tuple[float, float], ...]:
    heights = _heights(found)
    step = (_RIGHT - _LEFT) / max(len(heights) - 1, 1)
    return tuple(
        (round(_LEFT + number * step, 1), round(_MIDDLE - _REACH * height, 1))
        for number, height in enumerate(heights)
    )


# By who can force a win: no one, X, O.
_FROM_THEN = (
    N_("From move {number} on, no one can force a win."),
    N_("From move {number} on, X can force a win."),
    N_("From move {number} on, O can force a win."),
)


def _course(found: Review) -> str:
    """Say what the chart shows: who could force a win from when on."""
    said, before = [_("At first, no one can force a win.")], 0
    for number, height in enumerate(_heights(found)):
        sign = (height > 0) - (height < 0)
        if sign != before:
            said.append(_(_FROM_THEN[sign]).format(number=number))
            before = sign
    return " ".join(said)
