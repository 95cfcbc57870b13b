"""Asking the class: one question, a quiz, homework, and the class against the computer.

There is no scheduler: what is due is done by the next request that looks, and pages that show a
question look when its time is up.
"""

from collections.abc import Collection, Sequence
from random import SystemRandom
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.analysis.puzzles import Kind, Puzzle, of_kind
from webapp.classroom import Wall
from webapp.core.board import IllegalMove, Mark
from webapp.core.game import Game, NotAllowed, Reason, digits, moves_of, moves_to
from webapp.core.game import Kind as GameKind
from webapp.engines.base import EngineFault
from webapp.names import People
from webapp.polls import (
    FORGOTTEN_S,
    SHOWN_S,
    Answer,
    Form,
    Life,
    Poll,
    Round,
    Score,
    due,
    elected,
    hardest,
    scores,
    tally,
)
from webapp.service.players import save_preferences
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.service.site import Site
from webapp.tournament.event import State

_CLASS = "class"
"""The seat of the class in its game against the computer; no player's id is so short."""


class Asked(NamedTuple):
    """A question as someone sees it.

    :param position: which of the ``total`` questions of its round it is, from 1
    :param mine: the cell that the viewer has chosen
    :param answers: how many have answered, of so many who are ``here``
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
    here: int
    counts: tuple[int, ...]
    left: int | None
    reason: Reason | None

    def __repr__(self) -> str:
        """Return what pages show of it, for their stamps: the seconds pass by themselves."""
        return repr((*self[:-2], self.left is not None))

    @property
    def revealed(self) -> bool:
        """Whether everyone may know what is right."""
        return self.poll.life in (Life.REVEALED, Life.DONE)


class Quizzed(NamedTuple):
    """A quiz as someone sees it.

    :param polls: its questions, as far as they were asked
    :param mine: the viewer's answers, in their order
    :param scores: what each has reached, the best first; empty before the viewer may know
    :param hardest: what most got wrong, and how many; likewise
    """

    round: Round
    polls: tuple[Poll, ...]
    going: Poll | None
    mine: tuple[int | None, ...]
    scores: Sequence[Score]
    hardest: Sequence[tuple[Poll, int]]
    people: People


# --- one question -------------------------------------------------------------------------------


def ask(site: Site, moves: str | None = None, kind: Kind | None = None, seconds: int = 0) -> str:
    """Ask the class about a position, and return the id of the question.

    :param moves: the cells that lead to it; without them, one is drawn of the ``kind``
    :raises Conflict: while another question, or a tournament, is going on
    :raises Unacceptable: if the moves cannot be played, or end the game
    """
    position = _drawn(kind or Kind.WIN) if moves is None else moves
    made = _new(site, position, kind, seconds=seconds)
    try:
        over = made.board.outcome
    except IllegalMove as error:
        raise Unacceptable("This game is not possible. {why}", why=error) from error
    if over:
        raise Unacceptable("This game is over: there is nothing to play.")
    with site.database.write(store.polls.ABOUT) as connection:
        _make_room(site, connection)
        store.polls.insert(connection, [made])
    return made.id


def _new(
    site: Site,
    moves: str,
    kind: Kind | None,
    *,
    seconds: int,
    life: Life = Life.OPEN,
    of: Round | None = None,
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


def _drawn(kind: Kind) -> str:
    rng = SystemRandom()
    puzzle: Puzzle = rng.choice(of_kind(kind)).image(rng)
    return digits(moves_to(puzzle.board))


def _make_room(site: Site, connection: sa.Connection) -> None:
    """End a question that everyone has seen the answer to; refuse to ask beside anything else."""
    going = settle(site, connection)
    if going and (going.round or going.life is Life.OPEN):
        raise Conflict("The class is answering a question already.")
    event = store.tournaments.latest(connection)
    if event and event.state is State.RUNNING:
        raise Conflict("You can ask the class when the tournament is over.")
    if store.lesson.read(connection).wall.quiz:
        _put_up(site, connection, Wall())
    if going:
        _end(site, connection, going)


def close(site: Site, id_: str) -> None:
    """Let no one answer any more."""
    _advance(site, id_, {Life.OPEN}, Life.CLOSED)


def reveal(site: Site, id_: str) -> None:
    """Show everyone what is right."""
    _advance(site, id_, {Life.OPEN, Life.CLOSED}, Life.REVEALED)


def _advance(site: Site, id_: str, before: Collection[Life], after: Life) -> None:
    with site.database.write(store.polls.ABOUT) as connection:
        poll = _find(connection, id_)
        if poll.life in before:
            _become(site, connection, poll, after)


def done(site: Site, id_: str) -> None:
    """End a single question: the class is shown again."""
    with site.database.write(store.polls.ABOUT) as connection:
        poll = _find(connection, id_)
        if poll.going and poll.round is None:
            _end(site, connection, poll)


def dismiss(site: Site, connection: sa.Connection) -> None:
    """End a single question, in a transaction: the wall shows something else."""
    going = store.polls.going(connection)
    if going and going.round is None:
        _end(site, connection, going)


def answer(site: Site, id_: str, player: str, cell: int) -> None:
    """Note what a player answers, who may change it as long as the question is open.

    :raises NotAllowed: once it is closed; at home, once it is answered
    :raises IllegalMove: if the cell is taken
    """
    with (
        site.database.write(store.polls.ABOUT) as connection,
        site.database.transaction(connection, player),
    ):
        poll = _find(connection, id_)
        in_round = store.polls.find_round(connection, poll.round) if poll.round else None
        if poll.life is not Life.OPEN or _due(site, poll):
            raise NotAllowed("Time is up: this question takes no more answers.")
        poll.board.play(cell)
        if in_round and in_round.form is Form.HOME and _mine(connection, poll, player) is not None:
            raise NotAllowed("You have answered this question already.")
        save_preferences(site, connection, player)
        store.polls.put(connection, Answer(id_, player, cell))


def _mine(connection: sa.Connection, poll: Poll, player: str) -> int | None:
    given = store.polls.answered(connection, [poll.id])
    return next((one.cell for one in given if one.player == player), None)


# --- a round of them ----------------------------------------------------------------------------


def start_quiz(
    site: Site, number: int, kinds: Sequence[Kind], seconds: int, *, home: bool = False
) -> str:
    """Begin a quiz of so many questions of these kinds in turn, and return its id.

    :param home: whether everyone answers at their own pace, once
    :raises Conflict: while another question, or a tournament, is going on
    """
    form = Form.HOME if home else Form.QUIZ
    made = Round(store.polls.new_id(), form, 0 if home else seconds)
    polls = list[Poll]()
    while len(polls) < number:
        kind = kinds[len(polls) % len(kinds)]
        life = Life.OPEN if home or not polls else Life.WAITING
        poll = _new(site, _drawn(kind), kind, seconds=made.seconds, life=life, of=made)
        if poll.moves not in {one.moves for one in polls}:
            polls.append(poll)
    with site.database.write(store.polls.ABOUT) as connection:
        if not home:
            _make_room(site, connection)
        store.polls.insert_round(connection, made)
        store.polls.insert(connection, polls)
    return made.id


def start_vote(site: Site, engine: str, mark: Mark, seconds: int) -> str:
    """Begin a game of the class, which plays ``mark``, against an engine; return its id.

    :raises Conflict: while another question, or a tournament, is going on
    :raises Unknown: if there is no such engine
    """
    if engine not in site.engines:
        raise Unknown("There is no opponent with this name. The page Opponents lists them all.")
    made = Round(store.polls.new_id(), Form.VOTE, seconds, engine, mark)
    with site.database.write(store.polls.ABOUT) as connection:
        _make_room(site, connection)
        store.polls.insert_round(connection, made)
        _ask_again(site, connection, made, _game(made, ""))
    return made.id


def go_on(site: Site, id_: str) -> None:
    """Show what is right, or if that is shown, ask the next question of a round."""
    with site.database.write(store.polls.ABOUT) as connection:
        poll = settle(site, connection)
        if poll and poll.round == id_:
            after = Life.DONE if poll.life is Life.REVEALED else Life.REVEALED
            _become(site, connection, poll, after)


def end(site: Site, id_: str) -> None:
    """End a round before its last question."""
    with site.database.write(store.polls.ABOUT) as connection:
        found = _find_round(connection, id_)
        for poll in store.polls.of_round(connection, found.id):
            if poll.going:
                _end(site, connection, poll)
                _put_up_podium(site, connection, found)


def _become(site: Site, connection: sa.Connection, poll: Poll, life: Life) -> None:
    """Store what becomes of a poll; after one of a round comes the next."""
    store.polls.save(connection, poll._replace(life=life, since=site.now()))
    if life is not Life.DONE or not poll.round:
        return
    round_ = _find_round(connection, poll.round)
    if round_.form is Form.VOTE:
        _play(site, connection, round_, poll)
        return
    polls = store.polls.of_round(connection, round_.id)
    following = next((one for one in polls if one.life is Life.WAITING), None)
    if following:
        _become(site, connection, following, Life.OPEN)
    else:
        store.polls.end_round(connection, round_.id)
        _put_up_podium(site, connection, round_)


def _put_up_podium(site: Site, connection: sa.Connection, round_: Round) -> None:
    """Show on the wall how a quiz has ended, if anyone has answered."""
    ids = [poll.id for poll in store.polls.of_round(connection, round_.id)]
    if round_.form is Form.QUIZ and store.polls.answered(connection, ids):
        _put_up(site, connection, Wall(quiz=round_.id))


def _put_up(site: Site, connection: sa.Connection, wall: Wall) -> None:
    with site.database.transaction(connection, store.lesson.ABOUT):
        chosen = store.lesson.read(connection)
        shown = wall._replace(version=chosen.wall.version + 1)
        store.lesson.save(connection, chosen._replace(wall=shown))


def _end(site: Site, connection: sa.Connection, poll: Poll) -> None:
    """End a question, and the round that it is of."""
    store.polls.save(connection, poll._replace(life=Life.DONE, since=site.now()))
    if poll.round:
        store.polls.end_round(connection, poll.round)


def _play(site: Site, connection: sa.Connection, round_: Round, poll: Poll) -> None:
    """Make the move that the class has chosen, and the computer's; then ask again."""
    counts = _counts(connection, poll)
    game = _game(round_, poll.moves)
    _ask_again(site, connection, round_, game.reply(elected(poll, counts), None))


def _ask_again(site: Site, connection: sa.Connection, round_: Round, game: Game) -> None:
    if game.engine_to_move:
        engine = site.engines[round_.engine or ""]
        try:
            choice = engine.choose(game.board, SystemRandom())
            game = game.reply(choice.cell, choice.reason)
        except (EngineFault, KeyError):
            game = game.forfeit()
    moves = digits(game.moves)
    if game.outcome:
        store.polls.end_round(connection, round_.id)
        _put_up(site, connection, Wall(moves=moves, at=len(moves)))
    life = Life.DONE if game.outcome else Life.OPEN
    poll = _new(site, moves, None, seconds=round_.seconds, life=life, of=round_)
    store.polls.insert(connection, [poll])


def _game(round_: Round, moves: str) -> Game:
    """The game of the class, as far as it is."""
    seats = (_CLASS, None) if round_.mark is Mark.X else (None, _CLASS)
    return Game(
        moves_of(moves),
        kind=GameKind.ENGINE,
        x_seat=seats[0],
        o_seat=seats[1],
        engine=round_.engine,
        reasons=(None,) * len(moves),
    )


# --- looking ------------------------------------------------------------------------------------


def settle(site: Site, connection: sa.Connection) -> Poll | None:
    """Do what is due; return the poll that the class is to look at."""
    poll = store.polls.going(connection)
    while poll and (_due(site, poll) or _is_forgotten(site, poll)):
        with site.database.transaction(connection, store.polls.ABOUT):
            poll = store.polls.going(connection)  # another process may have done it
            if poll and _is_forgotten(site, poll):
                _end(site, connection, poll)
            elif poll and (life := _due(site, poll)):
                _become(site, connection, poll, life)
        poll = store.polls.going(connection)
    return poll


def _is_forgotten(site: Site, poll: Poll) -> bool:
    return site.clock.since(poll.since) >= FORGOTTEN_S


def _due(site: Site, poll: Poll) -> Life | None:
    return due(poll, poll.round is not None, site.clock.since(poll.since))


def calls(poll: Poll) -> bool:
    """Tell whether a poll is something to come to: it is open, or the next one of a round comes."""
    return poll.life is Life.OPEN or (poll.going and poll.round is not None)


def going(site: Site) -> Poll | None:
    """Return the poll that the class is to look at, if there is one."""
    with site.database.read() as connection:
        return settle(site, connection)


def look(site: Site, id_: str, player: str, *, teacher: bool = False) -> Asked:
    """Return a question as a player sees it, or the teacher; ``Unknown`` if there is none."""
    with site.database.read() as connection:
        settle(site, connection)
        return look_in(site, connection, _find(connection, id_), player, teacher=teacher)


def look_at_going(site: Site, player: str) -> Asked | None:
    """Return the question that the class is to look at, as the wall shows it, if there is one."""
    with site.database.read() as connection:
        poll = settle(site, connection)
        return look_in(site, connection, poll, player) if poll else None


def look_in(
    site: Site, connection: sa.Connection, poll: Poll, player: str, *, teacher: bool = False
) -> Asked:
    """Return the same, on a connection that reads more than this."""
    round_ = store.polls.find_round(connection, poll.round) if poll.round else None
    row = [one.id for one in store.polls.of_round(connection, round_.id)] if round_ else [poll.id]
    given = store.polls.answered(connection, [poll.id])
    may_know = teacher or poll.life is not Life.OPEN
    return Asked(
        poll=poll,
        round=round_,
        position=1 + row.index(poll.id),
        total=len(row),
        mine=next((one.cell for one in given if one.player == player), None),
        answers=len(given),
        here=len(store.players.people(connection, site.live.presence.here())),
        counts=tally(one.cell for one in given) if may_know else (),
        left=_left(site, poll),
        reason=_reason(site, round_, poll),
    )


def _left(site: Site, poll: Poll) -> int | None:
    """The seconds until something becomes of a poll by itself."""
    limit = {Life.OPEN: poll.seconds, Life.REVEALED: SHOWN_S if poll.round else 0}.get(poll.life, 0)
    if not limit or not poll.seconds:
        return None
    return max(0, limit - site.clock.since(poll.since))


def _reason(site: Site, round_: Round | None, poll: Poll) -> Reason | None:
    """Why the computer made the last move of a game of the class."""
    if round_ is None or round_.form is not Form.VOTE or not poll.moves:
        return None
    before = _game(round_, poll.moves[:-1])
    engine = site.engines.get(round_.engine or "")
    choices = engine.choices(before.board) if engine else ()
    cell = int(poll.moves[-1])
    return next((one.reason for one in choices if one.cell == cell), None)


def look_at_quiz(site: Site, id_: str, player: str, *, teacher: bool = False) -> Quizzed:
    """Return a quiz as a player sees it, or the teacher; ``Unknown`` if there is none.

    At home, a player who has answered every question may know what is right.
    """
    with site.database.read() as connection:
        current = settle(site, connection)
        round_ = _find_round(connection, id_)
        polls = store.polls.of_round(connection, id_)
        given = store.polls.answered(connection, [poll.id for poll in polls])
        own = {one.poll: one.cell for one in given if one.player == player}
        finished = round_.form is Form.HOME and len(own) == len(polls)
        may_know = teacher or round_.over or finished
        ranked = may_know and not finished and round_.form is not Form.VOTE
        return Quizzed(
            round=round_,
            polls=tuple(polls if may_know else [one for one in polls if one.id in own]),
            going=current if current and current.round == id_ else None,
            mine=tuple(own.get(poll.id) for poll in polls),
            scores=scores(polls, given) if ranked else (),
            hardest=hardest(polls, given) if ranked else (),
            people=store.players.people(connection, {one.player for one in given}),
        )


def next_at_home(site: Site, id_: str, player: str) -> str | None:
    """Return the id of the first question that a player has not answered, if there is one."""
    with site.database.read() as connection:
        polls = store.polls.of_round(connection, id_)
        given = store.polls.answered(connection, [poll.id for poll in polls])
    answered = {one.poll for one in given if one.player == player}
    return next((poll.id for poll in polls if poll.id not in answered), None)


def _counts(connection: sa.Connection, poll: Poll) -> tuple[int, ...]:
    return tally(one.cell for one in store.polls.answered(connection, [poll.id]))


def _find(connection: sa.Connection, id_: str) -> Poll:
    found = store.polls.find(connection, id_)
    if found is None:
        raise Unknown("There is no question at this address.")
    return found


def _find_round(connection: sa.Connection, id_: str) -> Round:
    found = store.polls.find_round(connection, id_)
    if found is None:
        raise Unknown("There is no quiz at this address.")
    return found
