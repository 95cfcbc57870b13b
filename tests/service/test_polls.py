import random
from concurrent.futures import Executor
from functools import partial

import pytest

from tests.service.conftest import ALICE, BOB, CAROL, on_both
from tests.support.people import Clock
from tests.support.visitor import lesson_of
from webapp.analysis.puzzles import Kind
from webapp.core.board import Mark
from webapp.core.game import NotAllowed, boards, moves_of
from webapp.core.solver import keeping
from webapp.polls import FORGOTTEN_S, SHOWN_S, Life, Poll, Round, elected, tally
from webapp.service import players, polls, tickets, tournaments
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.service.site import Site as Service
from webapp.tournament.event import Format, Opening

CORNER = "0"  # O is to move, and only the centre (4) is a draw


@pytest.fixture(autouse=True)
def pupils(host: Service) -> None:
    for player in (ALICE, BOB, CAROL):
        players.rename(host, player)
        host.live.asked(player)


def see(host: Service, id_: str, player: str = ALICE) -> polls.Asked:
    return polls.look(host, id_, player)


def going(host: Service) -> Poll:
    poll = polls.going(host)
    assert poll
    return poll


def answer(host: Service, asked: str, **cells: int) -> None:
    for player, cell in cells.items():
        polls.answer(host, asked, player * 64, cell)


def pass_by(host: Service, clock: Clock, seconds: int) -> None:
    clock.goes_on(seconds)
    polls.tick(host)


def go_on(host: Service) -> None:
    """Show what is right of a question of a round, and ask the next one, each pressed twice."""
    asked = going(host).id
    for life in (Life.REVEALED, Life.REVEALED, Life.DONE, Life.REVEALED, Life.DONE):
        polls.advance(host, asked, life)


def test_until_a_question_closes_answers_can_change_and_are_told_to_no_one(host: Service) -> None:
    asked = polls.ask(host, CORNER)
    answer(host, asked, a=1)
    before = see(host, asked, BOB)
    answer(host, asked, a=4, c=8)
    assert see(host, asked).mine == 4
    after = see(host, asked, BOB)
    assert (after.counts, after.answers, after.mine) == ((), 2, None)
    assert before == after._replace(answers=1)
    for life, revealed in ((Life.CLOSED, False), (Life.REVEALED, True)):
        polls.advance(host, asked, life)
        with pytest.raises(NotAllowed, match="Time is up"):
            answer(host, asked, b=4)
        found = see(host, asked, BOB)
        assert (found.counts, found.answers, found.revealed) == (tally((4, 8)), 2, revealed)
    polls.advance(host, asked, Life.CLOSED)  # pressed late at another desk
    assert see(host, asked).revealed
    assert see(host, asked).poll.right == (4,)
    with pytest.raises(Unknown):
        answer(host, "nothing", b=4)


def test_who_came_before_a_question_counts_and_others_from_the_next_on(
    host: Service, clock: Clock
) -> None:
    vote, late = polls.start_vote(host, "easy", Mark.X, 0), "d" * 64
    clock.goes_on(1)
    first = going(host).id
    answer(host, first, a=4, d=8, e=8)
    asked = see(host, first, late)
    assert (asked.answers, asked.players, asked.mine) == (1, 3, 8)
    go_on(host)
    following = going(host)
    assert (following.moves[0], following.round) == ("4", vote)
    answer(host, following.id, d=following.board.legal_moves[0])
    assert see(host, following.id).answers == 1


def test_a_question_of_a_kind_is_drawn_and_a_game_that_is_over_asks_nothing(host: Service) -> None:
    for kind in Kind:
        poll = see(host, polls.ask(host, kind=kind)).poll
        assert poll.kind == kind.value
        assert 0 < len(poll.right) < len(poll.board.legal_moves)
        polls.advance(host, poll.id, Life.DONE)
    for moves in ("03142", "00"):
        with pytest.raises(Unacceptable):
            polls.ask(host, moves)
    assert polls.going(host) is None


def test_there_is_one_question_at_a_time_and_none_during_a_tournament(host: Service) -> None:
    first = polls.ask(host, CORNER)
    for begin in (
        partial(polls.ask, host, "1"),
        partial(polls.start_quiz, host, 5, [Kind.WIN], 0),
        partial(polls.start_vote, host, "easy", Mark.X, 0),
    ):
        with pytest.raises(Conflict, match="already"):
            begin()
    polls.advance(host, first, Life.REVEALED)
    second = polls.ask(host, "1")
    assert see(host, first).poll.life is Life.DONE
    assert polls.going(host) == see(host, second).poll
    polls.advance(host, second, Life.DONE)
    event = tournaments.create(host, Format.ARENA, Opening.EMPTY, 10, 5)
    for player in (ALICE, BOB):
        tournaments.join(host, event, player)
    tournaments.start(host, event)
    with pytest.raises(Conflict, match="tournament"):
        polls.ask(host, CORNER)
    tournaments.end(host, event)
    polls.ask(host, CORNER)


def test_time_closes_a_question_and_a_clocks_jump_does_not(host: Service, clock: Clock) -> None:
    asked = polls.ask(host, CORNER, seconds=15)
    clock.is_set(100 * 86400)
    answer(host, asked, a=4)
    assert see(host, asked).left == 15
    pass_by(host, clock, 14)
    assert (see(host, asked).left, see(host, asked).poll.life) == (1, Life.OPEN)
    clock.goes_on(1)
    with pytest.raises(NotAllowed, match="Time is up"):
        answer(host, asked, b=4)
    polls.tick(host)
    assert (see(host, asked).poll.life, see(host, asked).left) == (Life.CLOSED, None)


def test_a_question_that_no_one_ends_ends_with_its_quiz(host: Service, clock: Clock) -> None:
    polls.ask(host, CORNER)
    pass_by(host, clock, FORGOTTEN_S)
    assert polls.going(host) is None
    quiz = polls.start_quiz(host, 5, [Kind.WIN], 0)
    pass_by(host, clock, FORGOTTEN_S)
    assert polls.going(host) is None
    assert polls.look_at_quiz(host, quiz, ALICE).round.over


def test_neither_a_teacher_who_looks_nor_a_player_who_has_gone_counts(host: Service) -> None:
    teacher = "t" * 64
    players.welcome(host, teacher)
    host.live.asked(teacher)
    host.live.note_teacher(teacher, teaches=True)
    asked = polls.ask(host, CORNER)
    assert see(host, asked).players == 3
    answer(host, asked, a=4, b=4)
    players.forget(host, ALICE)
    assert see(host, asked).answers == 1


def test_no_one_is_handed_over_in_a_quiz_that_both_are_in(host: Service) -> None:
    quiz = polls.start_quiz(host, 5, [Kind.WIN], 0)
    answer(host, going(host).id, a=going(host).right[0])
    tickets.hand_over(host, BOB, ALICE)
    go_on(host)
    answer(host, going(host).id, b=going(host).right[0])
    with pytest.raises(NotAllowed, match="the quiz"):
        tickets.hand_over(host, BOB, ALICE)
    polls.end(host, quiz)
    tickets.hand_over(host, BOB, ALICE)


@on_both
def test_a_quiz_gives_a_point_for_each_answer_that_is_right(host: Service) -> None:
    quiz = polls.start_quiz(host, 5, [Kind.WIN, Kind.BLOCK], 0)
    for number in range(5):
        poll = going(host)
        assert poll.kind == ("win", "block")[number % 2]
        wrong = next(cell for cell in poll.board.legal_moves if cell not in poll.right)
        answer(host, poll.id, a=poll.right[0], **{"b": wrong} if number else {})
        assert polls.look_at_quiz(host, quiz, BOB).scores == []
        go_on(host)
        assert see(host, poll.id).revealed
    found = polls.look_at_quiz(host, quiz, BOB)
    assert (found.round.over, found.going) == (True, None)
    assert [tuple(one)[:3] for one in found.scores] == [(ALICE, 1, 5), (BOB, 2, 0)]
    assert [count for _poll, count in found.hardest] == [1] * 4
    assert [cell is None for cell in found.mine] == [True, *[False] * 4]
    assert set(found.people) == {ALICE, BOB}


def test_a_quiz_can_run_by_itself(host: Service, clock: Clock) -> None:
    quiz = polls.start_quiz(host, 5, [Kind.ONLY], 15)
    for _ in range(5):
        asked = going(host).id
        assert see(host, asked).poll.life is Life.OPEN
        pass_by(host, clock, 15)
        assert see(host, asked).poll.life is Life.REVEALED
        pass_by(host, clock, SHOWN_S)
    assert polls.going(host) is None
    assert polls.look_at_quiz(host, quiz, ALICE).round.over


def test_a_quiz_stays_on_the_wall_until_something_else_comes(host: Service) -> None:
    for answers in (0, 1):
        quiz = polls.start_quiz(host, 5, [Kind.WIN], 0)
        poll = going(host)
        answer(host, poll.id, **{"a": poll.right[0]} if answers else {})
        polls.end(host, quiz)
        assert polls.look_at_quiz(host, quiz, ALICE).round.over
        assert lesson_of(host).wall.quiz == (quiz if answers else None), "no answers, no podium"
    polls.advance(host, polls.ask(host, CORNER), Life.DONE)
    assert lesson_of(host).wall.quiz is None


def test_the_class_plays_what_most_of_it_chose_or_a_lot_among_equals(host: Service) -> None:
    polls.start_vote(host, "hard", Mark.X, 0)
    first = going(host)
    assert first.moves == ""
    answer(host, first.id, a=8, b=8, c=0)
    go_on(host)
    second = going(host)
    assert second.moves == "84"
    assert see(host, second.id).reason is not None
    answer(host, second.id, a=2, b=6)
    counts = tally((2, 6))
    go_on(host)
    assert going(host).moves[2] == str(elected(second, counts))
    assert {elected(second._replace(id=str(n)), counts) for n in range(50)} == {2, 6}


@pytest.mark.parametrize("mark, engine", [(Mark.X, "easy"), (Mark.O, "hard")])
def test_a_game_of_the_class_ends_on_the_wall(host: Service, mark: Mark, engine: str) -> None:
    vote = polls.start_vote(host, engine, mark, 10)
    rng, moves = random.Random(engine), ""
    while poll := polls.going(host):
        assert poll.board.turn is mark
        assert poll.moves[: len(moves)] == moves
        moves = poll.moves
        answer(host, poll.id, a=rng.choice(keeping(poll.board)))
        go_on(host)
    assert polls.look_at_quiz(host, vote, ALICE).round == Round(vote, 10, engine, mark, over=True)
    wall = lesson_of(host).wall
    assert wall.moves
    assert boards(moves_of(wall.moves))[-1].outcome
    assert wall.at == len(wall.moves)


@on_both
def test_sixty_answer_at_once_and_all_are_counted(host: Service, aside: Executor) -> None:
    pupils = [f"{number:064x}" for number in range(60)]

    def ask_all() -> str:
        asked = polls.ask(host, CORNER)
        list(aside.map(lambda one: polls.answer(host, asked, one, 1 + int(one, 16) % 8), pupils))
        return asked

    polls.advance(host, ask_all(), Life.DONE)  # now everyone is known
    asked = ask_all()
    polls.advance(host, asked, Life.CLOSED)
    assert see(host, asked).counts == tally(1 + number % 8 for number in range(60))


@on_both
def test_what_is_due_is_done_once(host: Service, clock: Clock, aside: Executor) -> None:
    polls.start_vote(host, "easy", Mark.X, 15)
    for seconds in (15, SHOWN_S):
        clock.goes_on(seconds)
        list(aside.map(lambda _: polls.tick(host), range(8)))
    assert len(going(host).moves) == 2
