"""Asking the class: the question that a pupil answers, quizzes, and what the teacher does."""

from flask import Blueprint, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.core.board import IllegalMove
from webapp.core.game import NotAllowed, digits
from webapp.polls import Form, Life
from webapp.service import polls
from webapp.service.refusals import Refusal, Unacceptable
from webapp.store import topics
from webapp.web import forms, teacher
from webapp.web.context import site
from webapp.web.identity import is_teacher, player
from webapp.web.present.polls import (
    answers_sentence,
    asks,
    chosen,
    elected_sentence,
    left_sentence,
    points_sentence,
    poll_cells,
    poll_heading,
    poll_json,
    poll_sentence,
    position_sentence,
    quiz_json,
    quiz_podium,
    quiz_rows,
    right_sentence,
    said_before,
    wrong_sentence,
)
from webapp.web.respond import hx_redirect, page, part_or_page, wants_fragment
from webapp.web.waits import come, unchanged, until, watch

pages = Blueprint("polls", __name__)
for computed in (
    answers_sentence,
    asks,
    elected_sentence,
    left_sentence,
    points_sentence,
    poll_cells,
    poll_heading,
    poll_sentence,
    position_sentence,
    quiz_podium,
    right_sentence,
    said_before,
    wrong_sentence,
):
    pages.add_app_template_filter(computed)


@pages.get("/questions/<id_>")
def question(id_: str) -> ResponseReturnValue:
    """Show a question, and lead on to the next one of its round, and to the end."""
    return _question(id_)


def _question(id_: str, status: int = 200, refusal: str = "") -> ResponseReturnValue:
    watch(topics.POLLS)
    come()
    asked = polls.look(site(), id_, player())
    if asked.left is not None:
        until(asked.left)
    if asked.poll.life is Life.DONE:
        following = polls.going(site())
        if following:
            return hx_redirect(url_for("polls.question", id_=following.id))
        if asked.round:
            return hx_redirect(url_for("polls.quiz", id_=asked.round.id))
    if asked.poll.life is Life.OPEN:  # a pupil's page does not change with what others answer
        asked = asked._replace(answers=0)
    if not refusal and unchanged(asked):
        return "", 204
    values = {"asked": asked, "engines": site().engines, "refusal": refusal}
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
        return _question(id_, 409, words.told(error))
    except IllegalMove as error:
        return _question(id_, 422, words.told(error))
    if wants_fragment():
        return _question(id_)
    return redirect(url_for("polls.question", id_=id_), 303)


@pages.get("/questions/<id_>.json")
def question_json(id_: str) -> ResponseReturnValue:
    """Send a question for programs: only what the viewer may know."""
    asked = polls.look(site(), id_, player(), teacher=is_teacher())
    return jsonify(poll_json(asked, teacher=is_teacher()))


@pages.get("/quizzes/<id_>")
def quiz(id_: str) -> ResponseReturnValue:
    """Lead to the question of a quiz that is asked now; when it is over, show who was right.

    A game of the class leads to its review, or back to the class if it was ended before its end.
    """
    watch(topics.POLLS)
    found = polls.look_at_quiz(site(), id_, player(), teacher=is_teacher())
    if found.going:
        return hx_redirect(url_for("polls.question", id_=found.going.id))
    if found.round.form is Form.VOTE:
        moves, mark = found.polls[-1].moves, found.round.mark
        if not found.polls[-1].board.outcome:
            return hx_redirect(url_for("lobby.class_"))
        at = len(moves)
        return hx_redirect(url_for("review.review", moves=moves, mark=mark and mark.slug, at=at))
    home = found.round.form is Form.HOME and not found.round.over and not is_teacher()
    if home and (following := polls.next_at_home(site(), id_, player())):
        return hx_redirect(url_for("polls.question", id_=following))
    if unchanged(found):
        return "", 204
    return part_or_page(
        "polls/_quiz.html", "polls/quiz.html", found=found, me=player(), host=is_teacher()
    )


@pages.get("/quizzes/<id_>.json")
def quiz_as_json(id_: str) -> ResponseReturnValue:
    """Send a quiz for programs: only what the viewer may know."""
    return jsonify(quiz_json(polls.look_at_quiz(site(), id_, player(), teacher=is_teacher())))


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
    return _asked(url_for("polls.question", id_=id_))


@asking.get("/questions")
def choose() -> ResponseReturnValue:
    """Show a board on which the teacher clicks a position together."""
    moves, board = forms.clicked(request.args)
    return page("host/choose.html", moves=moves, turn=board.turn, **chosen(board))


@asking.post("/questions/<id_>/done")
def done(id_: str) -> ResponseReturnValue:
    """Let the wall and the pages show the class again."""
    polls.done(site(), id_)
    return teacher.back()


@asking.post("/questions/<id_>/close")
def close(id_: str) -> ResponseReturnValue:
    """Let no one answer any more."""
    polls.close(site(), id_)
    return teacher.back()


@asking.post("/questions/<id_>/reveal")
def reveal(id_: str) -> ResponseReturnValue:
    """Show everyone what is right."""
    polls.reveal(site(), id_)
    return teacher.back()


@asking.post("/quizzes")
def new_quiz() -> ResponseReturnValue:
    """Begin a quiz of ``number`` questions of ``kinds``; with ``home`` at everyone's own pace."""
    number, kinds = forms.quiz(request.form)
    seconds, home = forms.poll_seconds(request.form), forms.flag(request.form, "home")
    id_ = polls.start_quiz(site(), number, kinds, seconds, home=home)
    return _asked(url_for("polls.quiz", id_=id_))


@asking.post("/quizzes/<id_>/next")
def go_on(id_: str) -> ResponseReturnValue:
    """Show what is right, and then ask the next question."""
    polls.go_on(site(), id_)
    return teacher.back()


@asking.post("/quizzes/<id_>/end")
def end(id_: str) -> ResponseReturnValue:
    """End a quiz before its last question."""
    polls.end(site(), id_)
    return teacher.back()


@asking.get("/quizzes/<id_>.csv")
def quiz_csv(id_: str) -> ResponseReturnValue:
    """Send a quiz as a table: a row a player, a column a question."""
    found = polls.look_at_quiz(site(), id_, player(), teacher=True)
    return teacher.table("quiz", quiz_rows(found))


@asking.post("/votes")
def new_vote() -> ResponseReturnValue:
    """Let the class play ``mark`` against an ``opponent``, with ``seconds`` for each move."""
    engine = forms.engine(request.form, "opponent", site().engines)
    if engine is None:
        raise Unacceptable("Choose an opponent for the class.")
    mark, seconds = forms.vote_mark(request.form), forms.poll_seconds(request.form)
    id_ = polls.start_vote(site(), engine.slug, mark, seconds)
    return _asked(url_for("polls.quiz", id_=id_))


def _asked(address: str) -> ResponseReturnValue:
    """Show the desk to a page that has it already; else go to what was asked."""
    return teacher.back() if wants_fragment() else redirect(address, 303)


for refused in (NotAllowed, Refusal):
    asking.register_error_handler(refused, teacher.refused)
