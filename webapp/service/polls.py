"""Asking the class: a single question, a quiz, and the class against the computer.

Games wait while a question is open. ``tick`` does what is due.
"""

from collections.abc import Sequence
from random import SystemRandom
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.analysis.puzzles import Kind, drawn
from webapp.classroom import Wall
from webapp.core.board import IllegalMove, Mark
from webapp.core.game import NotAllowed, Reason, boards, moves_of
from webapp.engines.base import EngineFault
from webapp.names import People
from webapp.polls import (
    FORGOTTEN_S,
    Answer,
    Life,
    Poll,
    Round,
    Score,
    elected,
    hardest,
    scores,
    tally,
)
from webapp.service.players import save_preferences
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.service.site import Site
from webapp.tournament.event import State


class Asked(NamedTuple):
    """A question as a viewer sees it.

    :param position: which of the ``total`` questions of its round it is, from 1
    :param mine: the cell that the viewer has chosen
    :param answers: how many of the ``players`` who count have answered
    :param counts: how often each cell was chosen; empty before the viewer may know
    :param left: the seconds that are left for an answer; ``None`` where there is no limit
    :param reason: in a game of the class, why the computer made its last move
    """

    poll: Poll
    round: Round | None
    position: int
    total: int
    mine: int | None
    answers: int
    players: int
    counts: tuple[int, ...]
    left: int | None
    reason: Reason | None

    @property
    def revealed(self) -> bool:
        return self.poll.life in (Life.REVEALED, Life.DONE)


class Quizzed(NamedTuple):
    """A quiz as a viewer sees it.

    :param polls: the questions asked so far
    :param mine: the viewer's answers to them
    :param scores: the best first, as far as the viewer may see them; empty before the quiz is over
    :param hardest: the questions with wrong answers, and how many; likewise
    """

    round: Round
    polls: Sequence[Poll]
    going: Poll | None
    mine: Sequence[int | None]
    scores: Sequence[Score]
    hardest: Sequence[tuple[Poll, int]]
    people: People


# --- one question -------------------------------------------------------------------------------


def ask(site: Site, moves: str | None = None, kind: Kind | None = None, seconds: int = 0) -> str:
    """Ask the class about a position, and return the id of the question.

    :param moves: the moves that lead to the position; ``None``: a puzzle of the ``kind`` is drawn
    :raises Conflict: while another question, or a tournament, is going on
    :raises Unacceptable: if the moves cannot be played, or end the game
    """
    if moves is None:
        ((_, puzzle),) = drawn([kind or Kind.WIN], 1, SystemRandom())
        moves = puzzle.moves
    made = _new(site, moves, kind, seconds)
    try:
        over = made.board.outcome
    except IllegalMove as error:
        raise Unacceptable("This game is not possible. {why}", why=error) from error
    if over:
        raise Unacceptable("This game is over: there is nothing to play.")
    with site.database.write(store.polls.ABOUT) as connection:
        _make_room(site, connection)
        store.polls.insert(connection, [made])
        _become(site, connection, made, Life.OPEN)
    return made.id


def _new(
    site: Site,
    moves: str,
    kind: Kind | None,
    seconds: int,
    *,
    of: Round | None = None,
    life: Life = Life.WAITING,
) -> Poll:
    return Poll(
        id=store.polls.new_id(),
        number=0,
        round=of and of.id,
        moves=moves,
        kind=kind and kind.value,
        seconds=seconds,
        life=life,
        since=site.now(),
    )


def _make_room(site: Site, connection: sa.Connection) -> None:
    """End a question whose answer is shown.

    :raises Conflict: while another question, or a tournament, is going on
    """
    going = _settle(site, connection)
    if going and going.calls:
        raise Conflict("The class is already answering a question.")
    event = store.tournaments.latest(connection)
    if event and event.state is State.RUNNING:
        raise Conflict("You can ask the class when the tournament is over.")
    if store.lesson.read(connection).wall.quiz:
        _put_up(site, connection, Wall())
    if going:
        _end(site, connection, going)


def advance(site: Site, id_: str, life: Life) -> None:
    """Let a question go on to a later stage; after the last, the next of its round opens.

    A second press changes nothing.
    """
    with site.database.write(store.polls.ABOUT) as connection:
        _settle(site, connection)
        poll = _find(connection, id_)
        if poll.going and [*Life].index(poll.life) < [*Life].index(life):
            _become(site, connection, poll, life)


def dismiss(site: Site, connection: sa.Connection) -> None:
    """End a single question, in a transaction, as the wall shows something else."""
    going = store.polls.going(connection)
    if going and going.round is None:
        _end(site, connection, going)


def answer(site: Site, id_: str, player: str, cell: int) -> None:
    """Store a player's answer, which may change as long as the question is open.

    :raises NotAllowed: once it is closed
    :raises IllegalMove: if the cell is taken
    """
    with (
        site.database.write(store.polls.ABOUT) as connection,
        site.database.transaction(connection, player),
    ):
        poll = _find(connection, id_)
        if poll.life is not Life.OPEN or _left(site, poll) == 0:
            raise NotAllowed("Time is up: this question takes no more answers.")
        poll.board.play(cell)
        save_preferences(site, connection, player)
        store.polls.put(connection, Answer(id_, player, cell))


# --- a round of them ----------------------------------------------------------------------------


def start_quiz(site: Site, number: int, kinds: Sequence[Kind], seconds: int) -> str:
    """Begin a quiz of ``number`` questions of these kinds in turn, and return its id.

    No position comes twice, not even turned or mirrored.

    :raises Conflict: while another question, or a tournament, is going on
    """
    made = Round(store.polls.new_id(), seconds)
    polls = [
        _new(site, puzzle.moves, kind, seconds, of=made)
        for kind, puzzle in drawn(kinds, number, SystemRandom())
    ]
    with site.database.write(store.polls.ABOUT) as connection:
        _make_room(site, connection)
        store.polls.insert_round(connection, made)
        store.polls.insert(connection, polls)
        _become(site, connection, polls[0], Life.OPEN)
    return made.id


def start_vote(site: Site, engine: str, mark: Mark, seconds: int) -> str:
    """Begin a game of the class, which plays ``mark``, against an engine; return its id.

    :raises Conflict: while another question, or a tournament, is going on
    :raises Unknown: if there is no such engine
    """
    if engine not in site.engines:
        raise Unknown(
            "There is no such computer player. The page “Computer players” lists them all."
        )
    made = Round(store.polls.new_id(), seconds, engine, mark)
    with site.database.write(store.polls.ABOUT) as connection:
        _make_room(site, connection)
        store.polls.insert_round(connection, made)
        _ask_again(site, connection, made, "")
    return made.id


def end(site: Site, id_: str) -> None:
    """End a round before its last question."""
    with site.database.write(store.polls.ABOUT) as connection:
        for poll in store.polls.of_round(connection, _find_round(connection, id_).id):
            if poll.going:
                _end(site, connection, poll)


def take_back(site: Site, id_: str) -> None:
    """Let a question, or the whole round that it is of, never have been asked."""
    with site.database.write(store.polls.ABOUT) as connection:
        store.polls.take_back(connection, _find(connection, id_))


def _become(site: Site, connection: sa.Connection, poll: Poll, life: Life) -> None:
    """Store the new stage of a poll; after the last, the next of its round opens."""
    poll = poll._replace(life=life, since=site.now())
    if life is Life.OPEN:
        poll = poll._replace(counts_until=poll.since)
    _save(site, connection, poll)
    if life is not Life.DONE or not poll.round:
        return
    round_ = _find_round(connection, poll.round)
    if round_.engine:
        counts = tally(answer.cell for answer in store.polls.answered(connection, [poll.id]))
        _ask_again(site, connection, round_, f"{poll.moves}{elected(poll, counts)}")
        return
    polls = store.polls.of_round(connection, round_.id)
    following = next((poll for poll in polls if poll.life is Life.WAITING), None)
    if following:
        _become(site, connection, following, Life.OPEN)
    else:
        _end_round(site, connection, round_)


def _end(site: Site, connection: sa.Connection, poll: Poll) -> None:
    """End a question, and its round."""
    _save(site, connection, poll._replace(life=Life.DONE, since=site.now()))
    if poll.round:
        _end_round(site, connection, _find_round(connection, poll.round))


def _end_round(site: Site, connection: sa.Connection, round_: Round) -> None:
    """End a round; if anyone has answered a quiz, the wall shows its result."""
    store.polls.end_round(connection, round_.id)
    ids = [poll.id for poll in store.polls.of_round(connection, round_.id)]
    if not round_.engine and store.polls.answered(connection, ids):
        _put_up(site, connection, Wall(quiz=round_.id))


def _put_up(site: Site, connection: sa.Connection, wall: Wall) -> None:
    with site.database.transaction(connection, store.lesson.ABOUT):
        store.lesson.save(connection, store.lesson.read(connection)._replace(wall=wall))


def _ask_again(site: Site, connection: sa.Connection, round_: Round, moves: str) -> None:
    """Let the computer move, if it is its turn; then ask the class, or end the game."""
    board, gives_up = boards(moves_of(moves))[-1], False
    if not board.outcome and board.turn is not round_.mark:
        try:
            choice = site.engines[round_.engine or ""].choose(board, SystemRandom())
            board, moves = board.play(choice.cell), f"{moves}{choice.cell}"
        except (EngineFault, KeyError):
            gives_up = True
    over = bool(board.outcome) or gives_up
    life = Life.DONE if over else Life.WAITING
    poll = _new(site, moves, None, round_.seconds, of=round_, life=life)
    store.polls.insert(connection, [poll])
    if over:
        _end_round(site, connection, round_)
        _put_up(site, connection, Wall(moves=moves, at=len(moves)))
    else:
        _become(site, connection, poll, Life.OPEN)


# --- the games meanwhile ------------------------------------------------------------------------


def stand_still(site: Site, connection: sa.Connection, reason: str, *, paused: bool) -> None:
    """Pause all games, or end a pause, in a transaction.

    :param reason: why, as a field of :class:`webapp.classroom.Lesson`: they go on when none is left
    """
    with (
        site.database.transaction(connection, store.lesson.ABOUT),
        site.database.transaction(connection, store.tournaments.ABOUT),
    ):
        chosen, now = store.lesson.read(connection), site.now()
        if (getattr(chosen, reason) is not None) is paused:
            return
        since = now if chosen.stands_since is None else chosen.stands_since
        moment: Any = since if paused else None
        after = chosen._replace(**{reason: moment})
        if after.stands_since is None:
            store.games.stand_still(connection, since, now)
            if event := store.tournaments.running(connection):
                gap = site.now_ms() - event.ticked_at
                store.tournaments.shift(connection, event.id, gap)
        store.lesson.save(connection, after)
        store.topics.note(connection, store.topics.PAUSE)


def _save(site: Site, connection: sa.Connection, poll: Poll) -> None:
    """Store a poll: games wait while a poll calls."""
    store.polls.save(connection, poll)
    going = store.polls.going(connection)
    stand_still(site, connection, "asked_at", paused=going is not None and going.calls)


def tick(site: Site) -> None:
    """Do what is due. To be called twice a second."""
    with site.database.read() as connection:
        poll = store.polls.going(connection)
        if poll and (_left(site, poll) == 0 or _is_forgotten(site, poll)):
            with site.database.transaction(connection, store.polls.ABOUT):
                _settle(site, connection)


def _settle(site: Site, connection: sa.Connection) -> Poll | None:
    """Do what is due, in a transaction; return the poll that the class is to look at."""
    while poll := store.polls.going(connection):
        if _is_forgotten(site, poll):
            _end(site, connection, poll)
        elif _left(site, poll) == 0:
            _become(site, connection, poll, poll.next)
        else:
            break
    return poll


def _is_forgotten(site: Site, poll: Poll) -> bool:
    return site.clock.since(poll.since) >= FORGOTTEN_S


def _left(site: Site, poll: Poll) -> int | None:
    """The seconds until something becomes of a poll by itself."""
    return None if poll.lasts is None else max(0, poll.lasts - site.clock.since(poll.since))


# --- looking ------------------------------------------------------------------------------------


def going(site: Site) -> Poll | None:
    """Return the poll that the class is to look at, if there is one."""
    with site.database.read() as connection:
        return store.polls.going(connection)


def look(site: Site, id_: str, player: str) -> Asked:
    """Return a question as a player sees it; ``Unknown`` if there is none."""
    with site.database.read() as connection:
        return look_in(site, connection, _find(connection, id_), player)


def look_in(site: Site, connection: sa.Connection, poll: Poll, player: str) -> Asked:
    round_ = store.polls.find_round(connection, poll.round) if poll.round else None
    row = [one.id for one in store.polls.of_round(connection, round_.id)] if round_ else [poll.id]
    given = store.polls.answered(connection, [poll.id])
    here, teachers = site.live.here(), site.live.teachers()
    return Asked(
        poll=poll,
        round=round_,
        position=1 + row.index(poll.id),
        total=len(row),
        mine=store.polls.own(connection, [poll.id], player).get(poll.id),
        answers=len(given),
        players=store.polls.number(connection, poll, here, teachers, given),
        counts=() if poll.life is Life.OPEN else tally(one.cell for one in given),
        left=_left(site, poll),
        reason=_reason(site, round_, poll),
    )


def _reason(site: Site, round_: Round | None, poll: Poll) -> Reason | None:
    """Why the computer made the last move of a game of the class."""
    engine = site.engines.get(round_.engine or "") if round_ else None
    if engine is None or not poll.moves:
        return None
    *_, before, _now = boards(moves_of(poll.moves))
    cell = int(poll.moves[-1])
    return next((one.reason for one in engine.choices(before) if one.cell == cell), None)


def look_at_quiz(site: Site, id_: str, player: str, *, whole: bool = False) -> Quizzed:
    """Return a quiz as a player sees it, or the ``whole``; ``Unknown`` if there is none."""
    with site.database.read() as connection:
        round_, current = _find_round(connection, id_), store.polls.going(connection)
        polls = store.polls.of_round(connection, id_)
        polls = [poll for poll in polls if poll.life is not Life.WAITING]
        ids = [poll.id for poll in polls]
        given = store.polls.answered(connection, ids) if round_.over else []
        own = store.polls.own(connection, ids, player)
        lesson, table = store.lesson.read(connection), scores(polls, given)
        return Quizzed(
            round=round_,
            polls=polls,
            going=current if current and current.round == id_ else None,
            mine=[own.get(id_) for id_ in ids],
            scores=table if whole else lesson.shown(table, player),
            hardest=hardest(polls, given),
            people=store.players.people(connection, {answer.player for answer in given}),
        )


def ended_today(site: Site) -> list[tuple[str, int]]:
    """Return the ids of the quizzes that have ended today, and when they did."""
    with site.database.read() as connection:
        return store.polls.ended(connection, site.clock.today())


def _find(connection: sa.Connection, id_: str) -> Poll:
    if poll := store.polls.find(connection, id_):
        return poll
    raise Unknown("There is no question at this address.")


def _find_round(connection: sa.Connection, id_: str) -> Round:
    if round_ := store.polls.find_round(connection, id_):
        return round_
    raise Unknown("There is no quiz at this address.")
