"""Questions to the class: what is said of them, and their boards."""

from collections.abc import Iterator, Mapping

from webapp import words
from webapp.analysis.puzzles import Kind
from webapp.analysis.review import ReviewedMove, review
from webapp.core.board import CELLS, CORNERS, EDGES, Board
from webapp.core.game import moves_of
from webapp.engines.base import Engine
from webapp.polls import Life, Poll, elected
from webapp.service.polls import Asked, Quizzed
from webapp.web.present.podium import StepView, podium
from webapp.web.present.review import Step
from webapp.web.present.views import CellView
from webapp.words import played
from webapp.words.language import _, ngettext


def asks(poll: Poll) -> str:
    """Say what is asked."""
    return played.task(poll.board, Kind(poll.kind) if poll.kind else None)


def poll_heading(asked: Asked, engines: Mapping[str, Engine]) -> str:
    """Say what is asked; in a round which question it is, or whom the class plays."""
    poll, round_ = asked.poll, asked.round
    if round_ and round_.engine:
        engine = engines.get(round_.engine)
        named = words.named(engine) if engine else round_.engine
        message = _("You all play {mark} against {engine}.")
        return message.format(mark=round_.mark, engine=named)
    return asks(poll)


def poll_sentence(asked: Asked) -> str:
    """Say what the viewer has chosen, and once that may be known what came of it."""
    poll = asked.poll
    if poll.life in (Life.OPEN, Life.WAITING):
        if asked.mine is not None:
            message = _("You chose {cell}. You can change it as long as the question is open.")
            return message.format(cell=words.taken(asked.mine))
        return said_before(asked) or _("Tap a cell.")
    if asked.mine is None:
        chosen = _("You did not answer.")
    else:
        chosen = _("You chose {cell}.").format(cell=words.taken(asked.mine))
    if asked.round and asked.round.engine:
        return words.sentences(chosen, elected_sentence(asked))
    if not asked.revealed:
        return words.sentences(chosen, answers_sentence(asked))
    judged = played.judged(_move(poll, asked.mine)) if asked.mine is not None else ""
    return words.sentences(chosen, judged or right_sentence(poll))


def left_sentence(asked: Asked) -> str:
    """Say how many seconds there are for an answer."""
    # Translators: the page counts down, so that the same words must go with every number
    return _("Seconds left: {number}.").format(number=max(1, asked.left or 0))


def position_sentence(asked: Asked) -> str:
    """Say which question of a quiz it is; empty for others."""
    if asked.round is None or asked.round.engine:
        return ""
    message = _("Question {number} of {total}")
    return message.format(number=asked.position, total=asked.total)


def said_before(asked: Asked) -> str:
    """Why the computer made its last move, in a game of the class; else empty."""
    if asked.reason is None:
        return ""
    return played.engine_move(int(asked.poll.moves[-1]), asked.reason)


def answers_sentence(asked: Asked) -> str:
    """Say how many have answered."""
    return ngettext(
        "{number} of {here} has answered.", "{number} of {here} have answered.", asked.answers
    ).format(number=asked.answers, here=asked.players)


def count_later_sentence(asked: Asked) -> str:
    """The words on the button that counts them."""
    # Translators: on a button; the players who came after the class was asked
    message = ngettext(
        "Count {number} who came later", "Count {number} who came later", asked.later
    )
    return message.format(number=asked.later)


def elected_sentence(asked: Asked) -> str:
    """Say which cell the class plays, and whether the lot has decided."""
    most = max(asked.counts, default=0)
    cell = words.taken(elected(asked.poll, asked.counts))
    if not most:
        return _("No one has voted, so the lot chose {cell}.").format(cell=cell)
    if list(asked.counts).count(most) > 1:
        return _("The votes were equal, and the lot chose {cell}.").format(cell=cell)
    return ngettext(
        "The class plays {cell}, with {number} vote.",
        "The class plays {cell}, with {number} votes.",
        most,
    ).format(cell=cell, number=most)


def right_sentence(poll: Poll) -> str:
    """Say which cells are right, and why the first of them is."""
    judged = played.judged(_move(poll, poll.right[0]))
    return _("Right: {cells}. {judged}").format(cells=_right_cells(poll), judged=judged)


def _right_cells(poll: Poll) -> str:
    """Name the cells that are right."""
    right, free = poll.right, poll.board.legal_moves
    if len(right) == len(free) > 2:
        return _("any cell")
    if len(right) > 2 and not any(set(right) == set(free) & set(some) for some in (CORNERS, EDGES)):
        return words.listed(map(words.cell_in_a_sentence, right))
    return played.one_of(right, free)


def _move(poll: Poll, cell: int) -> ReviewedMove:
    return review((*moves_of(poll.moves), cell)).moves[-1]


def poll_cells(asked: Asked) -> tuple[CellView, ...]:
    """The cells of the board: the viewer's is marked, and later how many chose each, or its worth.

    What a cell is worth stands on it once that may be known.
    """
    poll = asked.poll
    moves = moves_of(poll.moves)
    if asked.revealed and not (asked.round and asked.round.engine):
        cells = Step(review(moves), len(moves), values=True).cells()
        return tuple(cell._replace(hinted=cell.number == asked.mine) for cell in cells)
    board, counts = poll.board, dict(enumerate(asked.counts))
    return tuple(
        CellView(
            number=cell,
            mark=board[cell],
            ghost=board.turn if poll.life is Life.OPEN and not board[cell] else None,
            hinted=cell == asked.mine,
            note=str(counts.get(cell) or ""),
        )
        for cell in CELLS
    )


def wrong_sentence(number: int) -> str:
    """Say how many got a question wrong."""
    message = ngettext("{number} got it wrong.", "{number} got it wrong.", number)
    return message.format(number=number)


def points_sentence(found: Quizzed) -> str:
    """Say how many answers of the viewer were right."""
    right = sum(cell in poll.right for cell, poll in zip(found.mine, found.polls, strict=True))
    message = ngettext("{number} of {total} right", "{number} of {total} right", right)
    return message.format(number=right, total=len(found.polls))


def quiz_podium(found: Quizzed) -> list[StepView]:
    """Return the first three of a quiz that is over."""
    return podium(found.scores, found.people)


def chosen(board: Board) -> Mapping[str, object]:
    """A board to click a position together on, by the names of its template."""
    ghost = None if board.outcome else board.turn
    cells = [CellView(cell, board[cell], None if board[cell] else ghost) for cell in CELLS]
    return {"cells": cells, "outcome": board.outcome}


def quiz_rows(found: Quizzed) -> Iterator[tuple[object, ...]]:
    """Write a quiz for a spreadsheet: a row a player, a column a question."""
    questions = [
        _("Question {number}").format(number=number) for number in range(1, len(found.polls) + 1)
    ]
    yield (_("Place"), _("Name"), _("Points"), *questions)
    # Translators: a row of the right answers
    yield ("", _("Right"), "", *map(_right_cells, found.polls))
    for one in found.scores:
        cells = ["" if cell is None else words.cell_name(cell) for cell in one.cells]
        yield (one.place, words.who(found.people[one.player]), one.points, *cells)
