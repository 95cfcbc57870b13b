"""Asking the class: who may answer when, what is shown to whom, quizzes and games of the class."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.people import Clock
from webapp import store
from webapp.analysis.puzzles import Kind
from webapp.classroom import Wall
from webapp.core.board import IllegalMove, Mark
from webapp.core.game import NotAllowed, boards, moves_of
from webapp.core.solver import keeping
from webapp.polls import FORGOTTEN_S, SHOWN_S, Form, Life, Round, elected, most_voted, tally
from webapp.service import players, polls, tournaments
from webapp.service import teacher as acts
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.service.site import Site as Service
from webapp.tournament.event import Format, Opening

ALICE, BOB, CAROL = (letter * 64 for letter in "abc")
TEACHER = "t" * 64
CORNER = "0"
"""O is to move, and only the centre (4) is a draw."""


def see(host: Service, id_: str, player: str = ALICE) -> polls.Asked:
    return polls.look(host, id_, player)


def told(host: Service, id_: str) -> polls.Asked:
    return polls.look(host, id_, TEACHER, teacher=True)


def test_an_answer_can_be_changed_until_the_question_is_closed(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    for cell in (1, 4):
        polls.answer(host, asked, ALICE, cell)
    polls.answer(host, asked, BOB, 8)
    assert see(host, asked).mine == 4
    assert told(host, asked).counts == (0, 0, 0, 0, 1, 0, 0, 0, 1)
    polls.close(host, asked)
    with pytest.raises(NotAllowed, match="Time is up"):
        polls.answer(host, asked, BOB, 4)
    assert told(host, asked).counts[4] == 1
    with pytest.raises(Unknown):
        polls.answer(host, "nothing", BOB, 4)


def test_a_cell_that_is_taken_is_no_answer(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    with pytest.raises(IllegalMove):
        polls.answer(host, asked, ALICE, 0)
    assert see(host, asked).mine is None


def test_nothing_tells_a_pupil_what_others_answer_before_it_is_closed(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    polls.answer(host, asked, ALICE, 4)
    before = see(host, asked, BOB)
    polls.answer(host, asked, CAROL, 8)
    after = see(host, asked, BOB)
    assert (after.counts, after.answers, after.mine) == ((), 2, None)
    assert before == after._replace(answers=1)
    polls.close(host, asked)
    assert see(host, asked, BOB).answers == 2
    assert not see(host, asked, BOB).revealed
    polls.reveal(host, asked)
    assert see(host, asked, BOB).revealed
    assert see(host, asked).poll.right == (4,)


@pytest.mark.parametrize("kind", Kind)
def test_a_question_of_a_kind_is_drawn(host: Service, kind: Kind) -> None:
    poll = see(host, polls.ask(host, kind=kind)).poll
    assert poll.kind == kind.value
    assert 0 < len(poll.right) < len(poll.board.legal_moves)


def test_a_game_that_is_over_asks_nothing(host: Service) -> None:
    with pytest.raises(Unacceptable):
        polls.ask(host, "03142")
    with pytest.raises(Unacceptable, match="not possible"):
        polls.ask(host, "00")
    assert polls.going(host) is None


def test_there_is_one_question_at_a_time(host: Service) -> None:
    first = polls.ask(host, CORNER)
    with pytest.raises(Conflict, match="already"):
        polls.ask(host, "1")
    with pytest.raises(Conflict, match="already"):
        polls.start_quiz(host, 5, [Kind.WIN], 0)
    with pytest.raises(Conflict, match="already"):
        polls.start_vote(host, "easy", Mark.X, 0)
    polls.reveal(host, first)
    second = polls.ask(host, "1")
    assert see(host, first).poll.life is Life.DONE
    assert polls.going(host) == see(host, second).poll


def test_the_class_is_not_asked_during_a_tournament(host: Service) -> None:
    event = tournaments.create(host, Format.ARENA, Opening.EMPTY, 10, 5)
    for player in (ALICE, BOB):
        tournaments.join(host, event, player)
    tournaments.start(host, event)
    with pytest.raises(Conflict, match="tournament"):
        polls.ask(host, CORNER)
    tournaments.end(host, event)
    polls.ask(host, CORNER)


def test_time_closes_a_question(host: Service, clock: Clock) -> None:
    asked = polls.ask(host, CORNER, seconds=15)
    polls.answer(host, asked, ALICE, 4)
    assert see(host, asked).left == 15
    clock.goes_on(14)
    assert (see(host, asked).left, see(host, asked).poll.life) == (1, Life.OPEN)
    clock.goes_on(1)
    with pytest.raises(NotAllowed, match="Time is up"):
        polls.answer(host, asked, BOB, 4)
    assert (see(host, asked).poll.life, see(host, asked).left) == (Life.CLOSED, None)


def test_a_clock_that_jumps_closes_nothing(host: Service, clock: Clock) -> None:
    asked = polls.ask(host, CORNER, seconds=15)
    clock.is_set(100 * 86400)
    assert see(host, asked).poll.life is Life.OPEN
    clock.goes_on(15)
    assert see(host, asked).poll.life is Life.CLOSED


def test_a_question_that_no_one_ends_is_forgotten(host: Service, clock: Clock) -> None:
    polls.ask(host, CORNER)
    clock.goes_on(FORGOTTEN_S)
    assert polls.going(host) is None
    quiz = polls.start_quiz(host, 5, [Kind.WIN], 0)
    clock.goes_on(FORGOTTEN_S)
    assert polls.going(host) is None
    assert polls.look_at_quiz(host, quiz, ALICE).round.over


def test_who_deletes_their_data_takes_their_answers_along(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    for player in (ALICE, BOB):
        polls.answer(host, asked, player, 4)
    players.forget(host, ALICE)
    assert told(host, asked).counts[4] == 1


# --- a quiz -------------------------------------------------------------------------------------


def test_a_quiz_gives_a_point_for_each_answer_that_is_right(host: Service) -> None:
    quiz = polls.start_quiz(host, 5, [Kind.WIN, Kind.BLOCK], 0)
    for number in range(5):
        poll = polls.going(host)
        assert poll
        assert poll.kind == ("win", "block")[number % 2]
        wrong = next(cell for cell in poll.board.legal_moves if cell not in poll.right)
        polls.answer(host, poll.id, ALICE, poll.right[0])
        if number:
            polls.answer(host, poll.id, BOB, wrong)
        assert polls.look_at_quiz(host, quiz, BOB).scores == ()
        polls.go_on(host, quiz)
        assert see(host, poll.id).revealed
        polls.go_on(host, quiz)
    found = polls.look_at_quiz(host, quiz, BOB)
    assert (found.round.over, found.going) == (True, None)
    assert [(one.player, one.place, one.points) for one in found.scores] == [
        (ALICE, 1, 5),
        (BOB, 2, 0),
    ]
    assert [count for _poll, count in found.hardest] == [1] * 4
    assert [cell is None for cell in found.mine] == [True, *[False] * 4]
    assert set(found.people) == {ALICE, BOB}


def test_a_quiz_can_run_by_itself(host: Service, clock: Clock) -> None:
    quiz = polls.start_quiz(host, 5, [Kind.ONLY], 15)
    for _ in range(5):
        poll = polls.going(host)
        assert poll
        assert poll.life is Life.OPEN
        clock.goes_on(15)
        polls.going(host)
        assert see(host, poll.id).poll.life is Life.REVEALED
        clock.goes_on(SHOWN_S)
    assert polls.going(host) is None
    assert polls.look_at_quiz(host, quiz, ALICE).round.over


def test_a_quiz_can_be_ended_early(host: Service) -> None:
    quiz = polls.start_quiz(host, 10, list(Kind), 30)
    polls.end(host, quiz)
    assert polls.going(host) is None
    assert polls.look_at_quiz(host, quiz, ALICE).round.over
    polls.ask(host, CORNER)


def on_the_wall(host: Service) -> Wall:
    with host.database.read() as connection:
        return store.lesson.read(connection).wall


def test_a_quiz_stays_on_the_wall_until_something_else_comes(host: Service) -> None:
    for answers in (0, 1):
        quiz = polls.start_quiz(host, 5, [Kind.WIN], 0)
        poll = polls.going(host)
        assert poll
        for player in (ALICE, BOB)[:answers]:
            polls.answer(host, poll.id, player, poll.right[0])
        polls.end(host, quiz)
        assert on_the_wall(host).quiz == (quiz if answers else None), "no answers, no podium"
    acts.show(host, Wall())
    polls.end(host, quiz)
    assert on_the_wall(host).quiz is None, "ended twice, shown once"
    acts.show(host, Wall(quiz=quiz))
    polls.done(host, polls.ask(host, CORNER))
    assert on_the_wall(host).quiz is None


def test_at_home_everyone_answers_once_and_at_their_own_pace(host: Service) -> None:
    home = polls.start_quiz(host, 5, [Kind.FORK], 30, home=True)
    assert polls.going(host) is None, "the class is not asked at once"
    other = polls.ask(host, CORNER)
    questions = polls.look_at_quiz(host, home, TEACHER, teacher=True).polls
    assert len({one.moves for one in questions}) == 5
    for poll in questions:
        assert polls.look_at_quiz(host, home, ALICE).scores == ()
        polls.answer(host, poll.id, ALICE, poll.right[0])
        with pytest.raises(NotAllowed, match="already"):
            polls.answer(host, poll.id, ALICE, poll.right[0])
    assert polls.look_at_quiz(host, home, ALICE).polls == questions
    assert polls.look_at_quiz(host, home, BOB).polls == ()
    (score,) = polls.look_at_quiz(host, home, TEACHER, teacher=True).scores
    assert (score.player, score.points) == (ALICE, 5)
    assert see(host, other).poll.life is Life.OPEN


# --- the class against the computer -------------------------------------------------------------


def test_the_class_plays_what_most_of_it_chose(host: Service) -> None:
    vote = polls.start_vote(host, "hard", Mark.X, 0)
    first = polls.going(host)
    assert first
    assert first.moves == ""
    for player, cell in ((ALICE, 8), (BOB, 8), (CAROL, 0)):
        polls.answer(host, first.id, player, cell)
    polls.go_on(host, vote)
    polls.go_on(host, vote)
    second = polls.going(host)
    assert second
    assert second.moves == "84"
    assert see(host, second.id).reason is not None


def test_a_tie_is_decided_by_lot_among_the_cells_that_share_it(host: Service) -> None:
    vote = polls.start_vote(host, "easy", Mark.X, 0)
    poll = polls.going(host)
    assert poll
    polls.answer(host, poll.id, ALICE, 2)
    polls.answer(host, poll.id, BOB, 6)
    counts = told(host, poll.id).counts
    assert most_voted(counts) == (2, 6)
    cell = elected(poll, counts)
    polls.go_on(host, vote)
    polls.go_on(host, vote)
    following = polls.going(host)
    assert following
    assert following.moves[0] == str(cell)
    lots = {elected(poll._replace(id=str(n)), counts) for n in range(50)}
    assert lots == {2, 6}


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("engine", ["easy", "medium", "hard"])
def test_a_game_of_the_class_comes_to_its_end_and_to_the_wall(
    host: Service, mark: Mark, engine: str
) -> None:
    vote = polls.start_vote(host, engine, mark, 10)
    rng, moves = random.Random(engine), ""
    while poll := polls.going(host):
        assert poll.board.turn is mark
        assert poll.moves[: len(moves)] == moves
        moves = poll.moves
        polls.answer(host, poll.id, ALICE, rng.choice(keeping(poll.board)))
        polls.go_on(host, vote)
        polls.go_on(host, vote)
    assert polls.look_at_quiz(host, vote, ALICE).round == Round(
        vote, Form.VOTE, 10, engine, mark, over=True
    )
    wall = on_the_wall(host)
    assert wall.moves
    assert boards(moves_of(wall.moves))[-1].outcome
    assert wall.at == len(wall.moves)


def test_a_vote_without_votes_goes_on(host: Service, clock: Clock) -> None:
    polls.start_vote(host, "easy", Mark.X, 15)
    clock.goes_on(15)
    polls.going(host)
    clock.goes_on(SHOWN_S)
    following = polls.going(host)
    assert following
    assert len(following.moves) == 2


# --- at the same time ---------------------------------------------------------------------------


def test_sixty_answer_at_once_and_all_are_counted(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    pupils = [f"{number:064x}" for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda one: polls.answer(host, asked, one, 1 + int(one, 16) % 8), pupils))
    assert told(host, asked).counts == tally(1 + number % 8 for number in range(60))


def test_what_is_due_is_done_once(host: Service, clock: Clock) -> None:
    polls.start_vote(host, "easy", Mark.X, 15)
    clock.goes_on(15)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: polls.going(host), range(8)))
    clock.goes_on(SHOWN_S)
    with ThreadPoolExecutor(8) as pool:
        found = {poll and poll.moves for poll in pool.map(lambda _: polls.going(host), range(8))}
    assert len(found) == 1
    assert len(moves_of(found.pop() or "")) == 2
