"""A game in words, for every page that shows one: what was played, and between whom."""

from collections.abc import Mapping
from typing import TypeAlias

from webapp import words
from webapp.core.board import CELLS, Mark
from webapp.core.game import Game, Kind, digits
from webapp.core.options import FRIEND
from webapp.engines.base import Engine
from webapp.names import Player
from webapp.service.pov import Pov
from webapp.service.seats import Pairing
from webapp.tournament.event import State
from webapp.web.boards import CellView
from webapp.web.respond import Shown
from webapp.words import played
from webapp.words.language import _

Engines: TypeAlias = Mapping[str, Engine]


def heading(pov: Pov, engines: Engines) -> str:
    """Whose turn it is, or how the game ended."""
    game, engine = pov.game, name_of(pov.game, engines)
    if pov.at_stake:
        return _("Start a new game?")
    if pov.paused:
        return _("Paused")
    if pov.live:
        return _heading_between_two(pov)
    if game.ended:
        if game.ended.winner and game.ended.winner is not game.engine_mark:
            return words.gave_up("resign", None if pov.marks else _("The player"), engine)
        return words.left(engine if game.ended.winner else None, watched=not pov.marks)
    by_marks = game.engine_mark is None or not pov.marks
    if game.outcome:
        if by_marks:
            return words.result(game.outcome, str(game.outcome.winner))
        won = game.outcome.winner is game.engine_mark
        return words.result(game.outcome, engine if won else None)
    if pov.engine_begins:
        return _("{engine} goes first").format(engine=engine)
    return _("{mark} to move").format(mark=game.turn) if by_marks else _("Your turn")


def _heading_between_two(pov: Pov) -> str:
    game, outcome = pov.game, pov.game.outcome
    if not outcome:
        if pov.turn:
            return _("Your turn")
        message = _("{name} to move") if pov.away else _("{name} is thinking")
        return message.format(name=person_name(pov, game.board.turn))
    if game.cancelled:
        return words.cancelled(in_tournament=game.tournament is not None, moved=game.moved)
    winner = person_name(pov, outcome.winner) if outcome.winner else None
    if outcome.ending and outcome.winner:
        return words.gave_up(outcome.ending, winner, person_name(pov, outcome.winner.other))
    return words.result(outcome, winner)


def sentence(pov: Pov) -> str:
    """The sentence below the heading: what happened last, and why, or what to do."""
    game = pov.game
    if pov.at_stake:
        return _("If you start a new game, you lose this one.")
    if pov.paused:
        return _(pov.paused)
    if pov.live:
        return _sentence_between_two(pov)
    if game.ended:
        return _("The rest was not played.")
    if game.hint and pov.marks:
        return played.hint(*game.hint)
    if not game.moves:
        return _invitation(pov)
    if len(game.moves) == game.given and pov.marks:
        return _("Play on from here.")
    cell, reason = game.moves[-1], game.reasons[-1]
    if game.outcome and game.outcome.winner is None and not (reason and pov.marks):
        return _("Every cell is taken, and no one has a line.")
    if not pov.marks or game.kind is Kind.ONE_DEVICE:
        before = game.boards[-2]
        return played.person_moved(str(before.turn), before, cell)
    return played.engine_move(cell, reason) if reason else words.defeat_of_the_engine(game)


def _invitation(pov: Pov) -> str:
    if not pov.marks:
        return _("No one has moved yet.")
    if pov.game.kind is Kind.ONE_DEVICE:
        return _("Take turns at this device.")
    return _("You are O.") if pov.engine_begins else _("Take any cell: you are X.")


def _sentence_between_two(pov: Pov) -> str:
    game = pov.game
    if game.cancelled:
        return _("It does not count for either player.")
    running = pov.event is not None and pov.event.state is State.RUNNING
    if game.outcome and game.outcome.ending and running and not game.tournament:
        return _("The tournament has started.")
    if game.outcome and not game.moved:
        return _("Neither player made a move.")
    if not game.moves:
        if pov.turn:
            message = _("{opponent} is here. You have X: choose any cell.")
            return message.format(opponent=opponent_of(pov))
        return _("{name} has X and moves first.").format(name=person_name(pov, Mark.X))
    if len(game.moves) == game.given:
        return _opening(pov)
    *_rest, before, _now = game.boards
    return played.person_moved(person_name(pov, before.turn), before, game.moves[-1])


def _opening(pov: Pov) -> str:
    """Who has which mark in a game that begins from a position."""
    if pov.marks:
        (mine,) = pov.marks
        return _("The game starts from here, and you are {mark}.").format(mark=mine)
    x, o = (person_name(pov, mark) for mark in Mark)
    return _("The game starts from here: {x} has X, and {o} has O.").format(x=x, o=o)


def name_of(game: Game, engines: Engines) -> str:
    """The name of the engine in a game, or nothing for a friend at the same device."""
    engine = engines.get(game.engine or "")
    return words.named(engine) if engine else game.engine or ""


def person_name(pov: Pov, mark: Mark) -> str | None:
    """The name of one of two people; ``None`` for the viewer."""
    if mark in pov.marks:
        return None
    return words.isolated(pov.people[mark])


def opponent_of(pov: Pov) -> str:
    others = [mark for mark in pov.people if mark not in pov.marks]
    return person_name(pov, others[0]) or "" if pov.marks and others else ""


def versus(pairing: Pairing, engine: str = "") -> str:
    """Name the two who play, one of them perhaps an engine."""
    x, o = map(words.isolated, (pairing.x or engine, pairing.o or engine))
    return _("{x} against {o}").format(x=x, o=o)


def who_beat_whom(pairing: Pairing) -> str:
    """Say who has beaten whom, or that there was no winner, and why."""
    game, x, o = pairing.game, words.isolated(pairing.x), words.isolated(pairing.o)
    winner = game.outcome.winner if game.outcome else None
    if game.cancelled:
        why = words.why_cancelled(in_tournament=game.tournament is not None, moved=game.moved)
        return _("{x} against {o}: cancelled ({why})").format(x=x, o=o, why=why)
    if winner is None:
        return _("{x} and {o} drew").format(x=x, o=o)
    won, lost = (x, o) if winner is Mark.X else (o, x)
    return _("{winner} beat {loser}").format(winner=won, loser=lost)


def review_address(game: Game, engines: Engines, mine: Mark | None = None) -> dict[str, str | None]:
    """The values of the address where a game is reviewed.

    :param mine: the viewer's mark, where the game has no engine to tell it
    """
    mark = game.engine_mark.other if game.engine_mark else mine
    known = game.engine if game.engine and game.engine in engines else None
    return {
        "moves": digits(game.moves),
        "opponent": FRIEND if game.kind is Kind.ONE_DEVICE else known,
        "mark": mark.slug if mark else None,
    }


def plates(pov: Pov) -> list[Shown]:
    """The two sides of a game between two devices, the viewer's first."""
    moves = {mark: pov.game.turn is mark and not pov.paused for mark in Mark}
    return [
        _plate(mark, pov.people[mark], mine=mark in pov.marks, moves=moves[mark], away=pov.away)
        for mark in sorted(Mark, key=lambda mark: mark not in pov.marks)
    ]


def seats(chosen: str, host: Player) -> list[Shown]:
    """The two sides of a game that a player has opened, for someone who has its code.

    :param chosen: the host's mark, ``"x"`` or ``"o"``
    """
    mark = Mark(chosen.upper())
    return [_plate(mark, host), _plate(mark.other, None, mine=True)]


def _plate(
    mark: Mark,
    player: Player | None,
    *,
    mine: bool = False,
    moves: bool = False,
    away: bool = False,
) -> Shown:
    """One side; ``player`` is ``None`` for the viewer who has yet to join."""
    message = _("you play {mark}") if mine else _("plays {mark}")
    return {
        "mark": mark,
        "player": player,
        "name": _("You") if mine else words.who(player),
        "says": _("away") if moves and away else message.format(mark=mark),
        "moves": moves,
    }


def cells(pov: Pov, *, still: bool = False) -> tuple[CellView, ...]:
    """The cells, before a question those of its game; ``still``: none is being drawn."""
    game = pov.at_stake.game if pov.at_stake else pov.game
    board, outcome = game.board, game.outcome
    winning = outcome.cells if outcome else frozenset[int]()
    hinted = game.hint[0] if game.hint and pov.may_play else None
    new = {} if still or pov.at_stake else _newly_drawn(game)
    ghost = board.turn if pov.may_play else None
    return tuple(
        CellView(
            number=cell,
            mark=board[cell],
            ghost=None if board[cell] else ghost,
            winning=cell in winning,
            hinted=cell == hinted,
            new=new.get(cell, ""),
        )
        for cell in CELLS
    )


def _newly_drawn(game: Game) -> dict[int, str]:
    """The cells of the last change, and when each is drawn: the player's now, the reply then.

    None after a hint: without JavaScript the page is then a new one.
    """
    if len(game.moves) == game.given or game.hint:
        return {}
    reason = game.reasons[-1]
    if reason and len(game.moves) > 1:
        return {game.moves[-2]: "now", game.moves[-1]: "then"}
    return {game.moves[-1]: "now"}
