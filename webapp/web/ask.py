"""Asking the class: the question that a pupil answers, quizzes, and what the teacher does."""

from collections.abc import Iterator, Mapping
from functools import partial

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.puzzles import Kind
from webapp.analysis.review import ReviewedMove, review
from webapp.core.board import CELLS, CORNERS, EDGES, IllegalMove
from webapp.core.game import NotAllowed, digits, moves_of
from webapp.engines.base import Engine
from webapp.polls import Life, Poll, elected
from webapp.service import lobby, polls
from webapp.service.polls import Asked, Quizzed
from webapp.service.refusals import Refusal, Unacceptable, Unknown
from webapp.web import desk, forms
from webapp.web.boards import CellView, clickable
from webapp.web.context import site
from webapp.web.identity import is_teacher, player
from webapp.web.respond import hx_redirect, page, part_or_page, wants_fragment
from webapp.web.review import Step
from webapp.web.spreadsheets import Row, table
from webapp.words import played
from webapp.words.language import _, ngettext

pages = Blueprint("polls", __name__)


@pages.get("/questions/<id_>")
def question(id_: str, status: int = 200, refusal: str = "") -> ResponseReturnValue:
    """Show a question; once it is over, go on to the next one, or to the end of its round."""
    was_open = wants_fragment() or "here" in request.args
    try:
        asked = polls.look(site(), id_, player())
    except Unknown:
        if was_open:  # it was taken back
            game = lobby.left_game(site(), player())
            return hx_redirect(
                url_for("play.game", game_id=game) if game else url_for("lobby.class_")
            )
        raise
    if asked.poll.life is Life.DONE and not refusal:
        following = polls.going(site())
        if following:
            return hx_redirect(url_for("polls.question", id_=following.id))
        if asked.round:
            return hx_redirect(url_for("polls.quiz", id_=asked.round.id))
    game = None if asked.poll.calls else lobby.left_game(site(), player())
    if game and asked.poll.life is Life.DONE and was_open:
        return hx_redirect(url_for("play.game", game_id=game))
    if asked.poll.life is Life.OPEN:  # a pupil's page does not change with what others answer
        asked = asked._replace(answers=0, players=0)
    values = {"asked": asked, "game": game, "refusal": refusal, "engines": site().engines}
    response = part_or_page("polls/_answer.html", "polls/question.html", calls=None, **values)
    response.status_code = status
    return response


@pages.post("/questions/<id_>/answer")
def answer(id_: str) -> ResponseReturnValue:
    cell = forms.cell(request.form)
    try:
        polls.answer(site(), id_, player(), cell)
    except NotAllowed as error:
        return question(id_, 409, words.told(error))
    except IllegalMove as error:
        return question(id_, 422, words.told(error))
    if wants_fragment():
        return question(id_)
    return redirect(url_for("polls.question", id_=id_), 303)


@pages.get("/quizzes/<id_>")
def quiz(id_: str) -> ResponseReturnValue:
    """Go to the current question of a quiz; when it is over, show who was right.

    A game of the class leads to its review, or back to the class if the teacher ended it early.
    """
    quiz = polls.look_at_quiz(site(), id_, player(), whole=is_teacher())
    if quiz.going:
        return hx_redirect(url_for("polls.question", id_=quiz.going.id))
    if quiz.round.engine:
        moves, mark = quiz.polls[-1].moves, quiz.round.mark
        if not quiz.polls[-1].board.outcome:
            return hx_redirect(url_for("lobby.class_"))
        at = len(moves)
        return hx_redirect(url_for("review.review", moves=moves, mark=mark and mark.slug, at=at))
    right = sum(cell in poll.right for cell, poll in zip(quiz.mine, quiz.polls, strict=True))
    return page("polls/quiz.html", quiz=quiz, right=right, me=player(), host=is_teacher())


# --- what the teacher does ------------------------------------------------------------------------

asking = Blueprint("asking", __name__, url_prefix="/host")
asking.before_request(desk.let_teachers_in)


@asking.post("/questions")
def ask() -> ResponseReturnValue:
    kind, seconds = forms.poll_kind(request.form), forms.poll_seconds(request.form)
    moves = digits(forms.moves(request.form)) if "moves" in request.form else None
    if kind is None and moves is None:
        raise Unacceptable("Choose what to ask: a kind of question, or a position.")
    id_ = polls.ask(site(), moves, kind if moves is None else None, seconds)
    return desk.back(made=url_for("polls.question", id_=id_))


@asking.get("/questions")
def choose() -> ResponseReturnValue:
    moves, board = forms.clicked(request.args)
    return page("host/choose.html", moves=moves, turn=board.turn, **clickable(board))


@asking.post("/questions/<id_>/take-back")
def take_back(id_: str) -> ResponseReturnValue:
    polls.take_back(site(), id_)
    return desk.back()


def _advance(life: Life, id_: str) -> ResponseReturnValue:
    polls.advance(site(), id_, life)
    return desk.back()


for _step, _life in {"close": Life.CLOSED, "reveal": Life.REVEALED, "done": Life.DONE}.items():
    _address = f"/questions/<id_>/{_step}"
    asking.add_url_rule(_address, _step, partial(_advance, _life), methods=["POST"])


@asking.post("/quizzes")
def new_quiz() -> ResponseReturnValue:
    number, kinds = forms.quiz(request.form)
    id_ = polls.start_quiz(site(), number, kinds, forms.poll_seconds(request.form))
    return desk.back(made=url_for("polls.quiz", id_=id_))


@asking.post("/quizzes/<id_>/end")
def end(id_: str) -> ResponseReturnValue:
    polls.end(site(), id_)
    return desk.back()


@asking.get("/quizzes/<id_>.<any(csv, xlsx):kind>")
def quiz_table(id_: str, kind: str) -> ResponseReturnValue:
    return table(kind, "quiz", _rows(polls.look_at_quiz(site(), id_, player(), whole=True)))


@asking.post("/votes")
def new_vote() -> ResponseReturnValue:
    engine = forms.engine(request.form, "opponent", site().engines)
    if engine is None:
        raise Unacceptable("Choose a computer player for the class.")
    mark, seconds = forms.vote_mark(request.form), forms.poll_seconds(request.form)
    id_ = polls.start_vote(site(), engine.slug, mark, seconds)
    return desk.back(made=url_for("polls.quiz", id_=id_))


for refused in (NotAllowed, Refusal):
    asking.register_error_handler(refused, desk.refused)


# --- what is said ---------------------------------------------------------------------------------


@pages.app_template_filter()
def asks(poll: Poll) -> str:
    return played.task(poll.board, Kind(poll.kind) if poll.kind else None)


@pages.app_template_filter()
def poll_heading(asked: Asked, engines: Mapping[str, Engine]) -> str:
    """Say what is asked; in a game of the class, who the opponent is."""
    poll, round_ = asked.poll, asked.round
    if round_ and round_.engine:
        engine = engines.get(round_.engine)
        named = words.named(engine) if engine else round_.engine
        message = _("You all play {mark} against {engine}.")
        return message.format(mark=round_.mark, engine=named)
    return asks(poll)


@pages.app_template_filter()
def poll_sentence(asked: Asked) -> str:
    """Say what the viewer has chosen, and what came of it once that may be known."""
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


@pages.app_template_filter()
def position_sentence(asked: Asked) -> str:
    """Say which question of a quiz it is; empty elsewhere."""
    if asked.round is None or asked.round.engine:
        return ""
    message = _("Question {number} of {total}")
    return message.format(number=asked.position, total=asked.total)


@pages.app_template_filter()
def said_before(asked: Asked) -> str:
    """Why the computer made its last move, in a game of the class; empty elsewhere."""
    if asked.reason is None:
        return ""
    return played.engine_move(int(asked.poll.moves[-1]), asked.reason)


@pages.app_template_filter()
def answers_sentence(asked: Asked) -> str:
    return ngettext(
        "{number} of {here} has answered.", "{number} of {here} have answered.", asked.answers
    ).format(number=asked.answers, here=asked.players)


@pages.app_template_filter()
def elected_sentence(asked: Asked) -> str:
    most = max(asked.counts, default=0)
    cell = words.taken(elected(asked.poll, asked.counts))
    if not most:
        return _("No one voted, so {cell} was picked at random.").format(cell=cell)
    if list(asked.counts).count(most) > 1:
        return _("The vote was tied, so {cell} was picked at random.").format(cell=cell)
    return ngettext(
        "The class plays {cell}, with {number} vote.",
        "The class plays {cell}, with {number} votes.",
        most,
    ).format(cell=cell, number=most)


@pages.app_template_filter()
def right_sentence(poll: Poll) -> str:
    move = _move(poll, poll.right[0])
    # What one of several does on the board, the others may not do.
    judged = played.judged(move) if len(poll.right) == 1 else played.judgement(move)
    return _("Correct: {cells}. {judged}").format(cells=_right_cells(poll), judged=judged)


def _right_cells(poll: Poll) -> str:
    right, free = poll.right, poll.board.legal_moves
    if len(right) == len(free) > 2:
        return _("any cell")
    if len(right) > 2 and not any(set(right) == set(free) & set(kind) for kind in (CORNERS, EDGES)):
        return words.listed(map(words.cell_in_a_sentence, right))
    return played.one_of(right, free)


def _move(poll: Poll, cell: int) -> ReviewedMove:
    return review((*moves_of(poll.moves), cell)).moves[-1]


@pages.app_template_filter()
def poll_cells(asked: Asked) -> tuple[CellView, ...]:
    """The cells of the board: the viewer's choice, and later the votes or the worth of each."""
    poll = asked.poll
    moves = moves_of(poll.moves)
    if asked.revealed and not (asked.round and asked.round.engine):
        cells = Step(review(moves), len(moves), values=True).cells
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


def _rows(quiz: Quizzed) -> Iterator[Row]:
    questions = [
        _("Question {number}").format(number=number) for number in range(1, len(quiz.polls) + 1)
    ]
    yield (_("Place"), _("Name"), _("Points"), *questions)
    # Translators: a row of the right answers
    yield ("", _("Correct"), "", *map(_right_cells, quiz.polls))
    for score in quiz.scores:
        cells = ["" if cell is None else words.cell_name(cell) for cell in score.cells]
        yield (score.place, words.who(quiz.people[score.player]), score.points, *cells)
