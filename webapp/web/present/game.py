"""A game, for the play page."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count

from webapp import words
from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import Reason
from webapp.engines.base import Engine
from webapp.engines.registry import LEVELS, LITERATURE
from webapp.engines.rules import PREFIX
from webapp.service.counting import counts
from webapp.service.visits import Unfinished, Visit
from webapp.store.games import CLASSMATE, FRIEND, GameRecord
from webapp.web.present import classmates
from webapp.web.present.pictures import strike
from webapp.web.present.views import (
    ActionView,
    CellView,
    MoveView,
    OpponentGroup,
    PlayView,
    UnfinishedView,
)


def present_game(visit: Visit, engines: Mapping[str, Engine]) -> PlayView:
    """Present a game to one who plays or watches: a stored one, or the front page's empty board."""
    record, game = visit.record, visit.game
    watching = not visit.marks
    begin = game.engine_to_move and not watching
    playing = visit.turn and not begin
    moves = _moves(visit)
    return PlayView(
        heading=_heading(visit, engines, begin=begin),
        sentence=_sentence(visit, moves, begin=begin),
        cells=_cells(visit, playable=playing),
        preferred=visit.preferred,
        opponents=_opponents(engines, visit.preferred.opponent),
        id=record.id,
        version=record.version,
        outcome=record.outcome,
        key="" if record.id else secrets.token_urlsafe(16),
        watching=watching,
        untouched=not record.moves,
        actions=_actions(visit, begin=begin, playing=playing),
        opponent=classmates.opponent_of(visit) or _name(record.opponent, engines),
        score=visit.score,
        uncounted=_uncounted(record),
        played="".join(map(str, record.moves)) if record.outcome and record.moves else "",
        against=record.opponent if _known(record.opponent, engines) else None,
        mark=game.engine.other.slug if game.engine else None,
        strike=strike(game.outcome),
        moves=moves,
        live=record.opponent == CLASSMATE,
        pace=classmates.pace(visit),
        phase=visit.phase,
        code=record.code if record.open and visit.marks else None,
        asides=classmates.asides(visit),
        people=classmates.people(visit),
        unfinished=tuple(_unfinished(one, engines) for one in visit.unfinished),
    )


def refused(view: PlayView, sentence: str) -> PlayView:
    """Present the same board with the reason why a request was refused."""
    return replace(view, refusal=sentence)


def noticed(view: PlayView, sentence: str) -> PlayView:
    """Present the same board with a sentence about what was done, to be announced."""
    # What was done drew no mark, so none is drawn anew.
    cells = tuple(cell._replace(new="") for cell in view.cells)
    return replace(view, notice=sentence, cells=cells)


def _uncounted(record: GameRecord) -> str:
    """Why a game counts nowhere, where a score is kept."""
    if record.opponent == FRIEND or counts(record):
        return ""
    if record.opponent == CLASSMATE:
        return "Over before both had moved, this game does not count." if record.outcome else ""
    if record.given:
        return "Begun from a position, this game does not count."
    return "With a hint or an undo, this game does not count."


def _heading(visit: Visit, engines: Mapping[str, Engine], *, begin: bool) -> str:
    """Whose turn it is, or how the game ended."""
    if visit.record.opponent == CLASSMATE:
        return classmates.heading(visit)
    game, by_marks = visit.game, visit.game.engine is None or not visit.marks
    engine = _name(visit.record.opponent, engines)
    if visit.record.ending:
        return words.gave_up(visit.record.ending, engine, None if visit.marks else "the player")
    if game.outcome:
        if by_marks:
            return words.result(game.outcome, str(game.outcome.winner))
        return words.result(game.outcome, engine if game.outcome.winner is game.engine else None)
    if begin:
        return "You play O"
    return f"{game.board.turn} to move" if by_marks else "Your turn"


def _sentence(visit: Visit, moves: tuple[MoveView, ...], *, begin: bool) -> str:
    """The sentence below the heading: what happened last, and why, or what to do."""
    record, game = visit.record, visit.game
    if record.opponent == CLASSMATE:
        return classmates.sentence(visit, moves)
    if record.ending:
        return "The rest of it was not played."
    if record.hint and visit.marks:
        return words.hint(*record.hint)
    if not moves:
        return _invitation(visit, begin=begin)
    if len(moves) == game.given and visit.marks:
        return "Play on from here."
    cell, reason = record.moves[-1], record.reasons[-1]
    if game.outcome and game.outcome.winner is None and not (reason and visit.marks):
        return "Every cell is taken, and nobody has a line."
    if not visit.marks or game.engine is None:
        # The heading above says what a last move did.
        done = () if game.outcome else moves[-1].done
        return words.watched_move(game.board.turn.other, cell, next(iter(done), ""))
    return words.engine_move(cell, reason) if reason else words.defeat_of_the_engine(game)


def _invitation(visit: Visit, *, begin: bool) -> str:
    if not visit.marks:
        return "Nobody has moved yet."
    if begin:
        return "The computer has X and goes first."
    return "Choose any cell." if visit.game.engine else "Take turns at this device."


def _actions(visit: Visit, *, begin: bool, playing: bool) -> tuple[ActionView, ...]:
    """The buttons beside the board; none for one who watches."""
    if not visit.marks:
        return ()
    if visit.record.opponent == CLASSMATE:
        return classmates.actions(visit)
    if begin:
        return (ActionView("again", "Let the computer begin", primary=True),)
    if visit.record.outcome:
        return (ActionView("again", "Play again", primary=True),)
    friends = visit.game.engine is None
    may_undo = playing and visit.game.undoable
    may_hint = playing and not friends and visit.record.id != ""
    return (
        ActionView("hint", "Hint", possible=may_hint),
        ActionView("undo", "Undo", possible=may_undo),
        ActionView("again", "New game, this one lost" if visit.leaving_loses else "New game"),
    )


def _moves(visit: Visit) -> tuple[MoveView, ...]:
    record = visit.record
    return tuple(map(_move, count(1), visit.game.boards, record.moves, record.reasons))


@lru_cache(maxsize=1024)
def _move(number: int, board: Board, cell: int, reason: Reason | None) -> MoveView:
    done = (words.engine_caption(reason),) if reason else words.person_did(board, cell)
    return MoveView(number, str(board.turn), words.CELLS[cell], done)


def _cells(visit: Visit, *, playable: bool) -> tuple[CellView, ...]:
    record, board, outcome = visit.record, visit.game.board, visit.game.outcome
    winning = outcome.cells if outcome else frozenset[int]()
    hinted = record.hint[0] if record.hint and playable else None
    new = _newly_drawn(record)
    ghost = board.turn if playable else None
    return tuple(
        _cell(
            cell,
            board[cell],
            ghost,
            winning=cell in winning,
            hinted=cell == hinted,
            new=new.get(cell, ""),
        )
        for cell in CELLS
    )


@cache
def _cell(
    cell: int, mark: Mark | None, ghost: Mark | None, *, winning: bool, hinted: bool, new: str
) -> CellView:
    free = ghost is not None and mark is None
    return CellView(
        number=cell,
        label=words.cell_label(cell, mark, winning=winning, hinted=hinted),
        mark=mark.slug if mark else "",
        ghost=ghost.slug if ghost and free else "",
        playable=free,
        winning=winning,
        hinted=hinted,
        new=new,
    )


def _newly_drawn(record: GameRecord) -> dict[int, str]:
    """The cells of the last change, and when each is drawn: the player's now, the reply then.

    None where the last change was a hint: without JavaScript the page is a new one then.
    """
    if len(record.moves) == record.given or record.hint:
        return {}
    *_, reason = record.reasons
    if reason and len(record.moves) > 1:
        return {record.moves[-2]: "now", record.moves[-1]: "then"}
    return {record.moves[-1]: "now"}


def _opponents(engines: Mapping[str, Engine], preferred: str) -> tuple[OpponentGroup, ...]:
    """The lines of the dropdown, in groups: each line says what the opponent does.

    A list of rules is there while it is the player's choice.
    """
    literature = {engine.slug for engine in LITERATURE}
    groups: dict[str, list[tuple[str, str]]] = {"": [], "From the literature": [], "Your own": []}
    own = {preferred: engines[preferred]} if preferred.startswith(PREFIX) else {}
    for slug, engine in {**engines, **own}.items():
        label = "From the literature" if slug in literature else "Your own"
        if engine in LEVELS:
            label = ""
        groups[label].append((slug, f"{engine.name}: {engine.brief}"))
    groups[""].append((FRIEND, "A friend, at this device"))
    return tuple((label, tuple(lines)) for label, lines in groups.items() if lines)


def _known(opponent: str, engines: Mapping[str, Engine]) -> bool:
    return opponent in engines or opponent == FRIEND


def _unfinished(found: Unfinished, engines: Mapping[str, Engine]) -> UnfinishedView:
    record, remark = found.record, ""
    if record.open:
        text = "Your challenge waits for a classmate"
    elif record.opponent == CLASSMATE:
        text = "Continue your game with a classmate"
        remark = "It is your turn there." if found.turn else ""
    elif record.opponent == FRIEND:
        text = "Continue your game with a friend"
    else:
        text = f"Continue your game against {_name(record.opponent, engines)}"
        remark = "A new one counts it as lost." if found.lost_by_another else ""
    return UnfinishedView(record.id, text, remark)


def _name(opponent: str, engines: Mapping[str, Engine]) -> str:
    engine = engines.get(opponent)
    return engine.name if engine else "A friend" if opponent == FRIEND else opponent
