"""Asking the class: the question that a pupil answers, quizzes, and what the teacher does."""

from functools import partial

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.core.board import IllegalMove
from webapp.core.game import NotAllowed, digits
from webapp.polls import Life
from webapp.service import lobby, polls
from webapp.service.refusals import Refusal, Unacceptable
from webapp.web import forms, teacher
from webapp.web.context import site
from webapp.web.identity import is_teacher, player
from webapp.web.present.polls import chosen, quiz_rows
from webapp.web.respond import hx_redirect, page, part_or_page, wants_fragment

pages = Blueprint("polls", __name__)


@pages.get("/questions/<id_>")
def question(id_: str, status: int = 200, refusal: str = "") -> ResponseReturnValue:
    """Show a question, and lead on to the next one of its round, and to the end."""
    asked = polls.look(site(), id_, player())
    if asked.poll.life is Life.DONE and not refusal:
        following = polls.going(site())
        if following:
            return hx_redirect(url_for("polls.question", id_=following.id))
        if asked.round:
            return hx_redirect(url_for("polls.quiz", id_=asked.round.id))
    game = None if asked.poll.calls else lobby.left_game(site(), player())
    was_open = wants_fragment() or "here" in request.args
    if game and asked.poll.life is Life.DONE and was_open:
        return hx_redirect(url_for("play.game", game_id=game))
    if asked.poll.life is Life.OPEN:  # a pupil's page does not change with what others answer
        asked = asked._replace(answers=0, players=0, later=0)
    values = {"asked": asked, "game": game, "refusal": refusal, "engines": site().engines}
    response = part_or_page("polls/_answer.html", "polls/question.html", calls=None, **values)
    response.status_code = status
    return response


@pages.post("/questions/<id_>/answer")
def answer(id_: str) -> ResponseReturnValue:
    """Answer a question, or change the answer."""
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
    """Lead to the question of a quiz that is asked now; when it is over, show who was right.

    A game of the class leads to its review, or back to the class if it was ended before its end.
    """
    found = polls.look_at_quiz(site(), id_, player())
    if found.going:
        return hx_redirect(url_for("polls.question", id_=found.going.id))
    if found.round.engine:
        moves, mark = found.polls[-1].moves, found.round.mark
        if not found.polls[-1].board.outcome:
            return hx_redirect(url_for("lobby.class_"))
        at = len(moves)
        return hx_redirect(url_for("review.review", moves=moves, mark=mark and mark.slug, at=at))
    return page("polls/quiz.html", found=found, me=player(), host=is_teacher())


# --- what the teacher does ------------------------------------------------------------------------

asking = Blueprint("asking", __name__, url_prefix="/host")
asking.before_request(teacher.let_teachers_in)


@asking.post("/questions")
def ask() -> ResponseReturnValue:
    """Ask the class about a position of a ``kind``, or after ``moves``."""
    kind, seconds = forms.poll_kind(request.form), forms.poll_seconds(request.form)
    moves = digits(forms.moves(request.form)) if "moves" in request.form else None
    if kind is None and moves is None:
        raise Unacceptable("Choose what to ask: a kind of question, or a position.")
    id_ = polls.ask(site(), moves, kind if moves is None else None, seconds)
    return teacher.back(made=url_for("polls.question", id_=id_))


@asking.get("/questions")
def choose() -> ResponseReturnValue:
    """Show a board on which the teacher clicks a position together."""
    moves, board = forms.clicked(request.args)
    return page("host/choose.html", moves=moves, turn=board.turn, **chosen(board))


@asking.post("/questions/<id_>/count")
def count_later(id_: str) -> ResponseReturnValue:
    """Count the players who came after the question was asked."""
    polls.count_later(site(), id_)
    return teacher.back()


def _advance(life: Life, id_: str) -> ResponseReturnValue:
    """Let no one answer any more, show what is right, or end it; after one of a round is the next.

    What is as far already stays: a press that comes twice skips nothing.
    """
    polls.advance(site(), id_, life)
    return teacher.back()


for _step, _life in {"close": Life.CLOSED, "reveal": Life.REVEALED, "done": Life.DONE}.items():
    _address = f"/questions/<id_>/{_step}"
    asking.add_url_rule(_address, _step, partial(_advance, _life), methods=["POST"])


@asking.post("/quizzes")
def new_quiz() -> ResponseReturnValue:
    """Begin a quiz of ``number`` questions of ``kinds``."""
    number, kinds = forms.quiz(request.form)
    id_ = polls.start_quiz(site(), number, kinds, forms.poll_seconds(request.form))
    return teacher.back(made=url_for("polls.quiz", id_=id_))


@asking.post("/quizzes/<id_>/end")
def end(id_: str) -> ResponseReturnValue:
    """End a quiz before its last question."""
    polls.end(site(), id_)
    return teacher.back()


@asking.get("/quizzes/<id_>.<any(csv, xlsx):kind>")
def quiz_table(id_: str, kind: str) -> ResponseReturnValue:
    """Send a quiz as a table: a row a player, a column a question."""
    return teacher.table(kind, "quiz", quiz_rows(polls.look_at_quiz(site(), id_, player())))


@asking.post("/votes")
def new_vote() -> ResponseReturnValue:
    """Let the class play ``mark`` against an ``opponent``, with ``seconds`` for each move."""
    engine = forms.engine(request.form, "opponent", site().engines)
    if engine is None:
        raise Unacceptable("Choose an opponent for the class.")
    mark, seconds = forms.vote_mark(request.form), forms.poll_seconds(request.form)
    id_ = polls.start_vote(site(), engine.slug, mark, seconds)
    return teacher.back(made=url_for("polls.quiz", id_=id_))


for refused in (NotAllowed, Refusal):
    asking.register_error_handler(refused, teacher.refused)
