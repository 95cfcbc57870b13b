"""A game, for the play page."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count

from webapp import words
from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import Game, Kind, Reason
from webapp.core.options import FRIEND
from webapp.engines.base import Engine
from webapp.engines.registry import LEVELS, LITERATURE
from webapp.engines.rules import PREFIX
from webapp.service.pov import Pov, Unfinished
from webapp.web.present import live
from webapp.web.present.goals import present_goals
from webapp.web.present.views import (
    ActionView,
    CellView,
    MoveView,
    OpponentGroup,
    PlayView,
    UnfinishedView,
)
from webapp.words import played
from webapp.words.language import _


def present_game(pov: Pov, engines: Mapping[str, Engine]) -> PlayView:
    """Present a game to a player or a watcher: a stored one, or the front page's empty board."""
    game, stored = pov.game, pov.game.version > 0
    begin = game.engine_to_move and bool(pov.marks)
    live_game = game.kind is Kind.TWO_DEVICES
    playing = pov.turn and not begin and not pov.paused
    moves = tuple(map(_move, count(1), game.boards, game.moves, game.reasons))
    if live_game:
        heading, sentence = live.heading(pov), live.sentence(pov)
    else:
        heading, sentence = _heading(pov, engines, begin=begin), _sentence(pov, begin=begin)
    view = PlayView(
        pov,
        id=game.id if stored else "",
        key="" if stored else secrets.token_urlsafe(16),
        heading=_("Paused") if pov.paused else heading,
        sentence=_("Your teacher has paused the games.") if pov.paused else sentence,
        cells=_cells(pov, playable=playing),
        actions=live.actions(pov) if live_game else _actions(pov, begin=begin, playing=playing),
        opponent=live.opponent_of(pov) or name_of(game, engines),
        uncounted=_uncounted(game),
        review=review_address(game, engines) if game.outcome and game.moved else None,
        moves=moves,
        people=live.people(pov),
        unfinished=tuple(_unfinished(one, engines) for one in pov.unfinished),
        question=None,
        goals=present_goals(pov, engines),
        live=live_game,
        waits=live.waits(pov),
        alone=bool(pov.marks) and not live_game,
        claimable_in=live.claimable_in(pov),
        asides=live.asides(pov),
    )
    at_stake = next((one for one in pov.unfinished if one.lost_by_another), None)
    return _asked(view, at_stake, engines) if at_stake else view


def _asked(view: PlayView, at_stake: Unfinished, engines: Mapping[str, Engine]) -> PlayView:
    """Present the front page with the game that a new one would count as lost, and the question."""
    others = tuple(_unfinished(one, engines) for one in view.pov.unfinished if one != at_stake)
    return replace(
        view,
        key="",
        heading=_("Continue, or give up?"),
        sentence=_("If you start a new game, you lose this one."),
        cells=_undrawn(_cells(replace(view.pov, game=at_stake.game), playable=False)),
        actions=(),
        waits=False,
        unfinished=others,
        question=_unfinished(at_stake, engines),
    )


def noticed(view: PlayView, sentence: str) -> PlayView:
    """Present the same board with a sentence about what was done, to be announced."""
    # What was done drew no mark, so none is drawn again.
    return replace(view, notice=sentence, cells=_undrawn(view.cells))


def told(view: PlayView) -> PlayView:
    """Present a board to a page that shows it already: time alone has brought anything new."""
    return replace(view, told=True, cells=_undrawn(view.cells))


def review_address(
    game: Game, engines: Mapping[str, Engine], mine: Mark | None = None
) -> dict[str, str | None]:
    """The values of the address where a game is reviewed.

    :param mine: the viewer's mark, where the game has no engine to tell it
    """
    mark = game.engine_mark.other if game.engine_mark else mine
    known = game.engine if game.engine and game.engine in engines else None
    return {
        "moves": "".join(map(str, game.moves)),
        "opponent": FRIEND if game.kind is Kind.ONE_DEVICE else known,
        "mark": mark.slug if mark else None,
    }


def name_of(game: Game, engines: Mapping[str, Engine]) -> str:
    """The name of the engine in a game, or of the friend at the same device."""
    engine = engines.get(game.engine or "")
    return engine.name if engine else game.engine or _("A friend")


def _uncounted(game: Game) -> str:
    """Why a game counts nowhere, or not as it stands, where a score is kept."""
    if game.rated or game.tournament or game.kind is Kind.ONE_DEVICE:
        return ""
    if game.kind is Kind.TWO_DEVICES:
        if game.cancelled or not game.outcome:
            return ""
        return _("Not counted: it ended before both had moved.")
    if game.given:
        return _("Not counted: it began from a position.")
    if game.assisted:
        return _("After a hint or undo, only a loss counts.")
    return _("Not counted: you left it early.")


def _heading(pov: Pov, engines: Mapping[str, Engine], *, begin: bool) -> str:
    """Whose turn it is, or how the game ended."""
    game = pov.game
    engine = name_of(game, engines)
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
    if begin:
        return _("You play O")
    return _("{mark} to move").format(mark=game.turn) if by_marks else _("Your turn")


def _sentence(pov: Pov, *, begin: bool) -> str:
    """The sentence below the heading: what happened last, and why, or what to do."""
    game = pov.game
    if game.ended:
        return _("The rest was not played.")
    if game.hint and pov.marks:
        return played.hint(*game.hint)
    if not game.moves:
        return _invitation(pov, begin=begin)
    if len(game.moves) == game.given and pov.marks:
        return _("Play on from here.")
    cell, reason = game.moves[-1], game.reasons[-1]
    if game.outcome and game.outcome.winner is None and not (reason and pov.marks):
        return _("Every cell is taken, and no one has a line.")
    if not pov.marks or game.kind is Kind.ONE_DEVICE:
        *_rest, before, _now = game.boards
        return played.person_moved(str(before.turn), before, cell)
    return played.engine_move(cell, reason) if reason else words.defeat_of_the_engine(game)


def _invitation(pov: Pov, *, begin: bool) -> str:
    if not pov.marks:
        return _("No one has moved yet.")
    if begin:
        return _("The computer has X and goes first.")
    together = pov.game.kind is Kind.ONE_DEVICE
    return _("Take turns at this device.") if together else _("Choose any cell.")


def _actions(pov: Pov, *, begin: bool, playing: bool) -> tuple[ActionView, ...]:
    """The buttons beside the board; none for a watcher."""
    game = pov.game
    if not pov.marks:
        return ()
    if begin:
        label = _("Let the computer begin")
        return (ActionView("again", label, possible=not pov.paused, primary=True),)
    if game.outcome:
        return (ActionView("again", _("Play again"), primary=True),)
    may_hint = playing and game.kind is Kind.ENGINE and game.version > 0
    return (
        ActionView("hint", _("Hint"), possible=may_hint),
        ActionView("undo", _("Undo"), possible=playing and game.undoable),
        ActionView("again", _("New game"), leaves=game.forfeits_if_left, id="new"),
    )


@lru_cache(maxsize=1024)
def _move(number: int, board: Board, cell: int, reason: Reason | None) -> MoveView:
    done = (played.caption(reason),) if reason else played.person_did(board, cell)
    return MoveView(number, str(board.turn), words.cell_name(cell), done)


def _cells(pov: Pov, *, playable: bool) -> tuple[CellView, ...]:
    game, board, outcome = pov.game, pov.game.board, pov.game.outcome
    winning = outcome.cells if outcome else frozenset[int]()
    hinted = game.hint[0] if game.hint and playable else None
    new = _newly_drawn(game)
    ghost = board.turn if playable else None
    return tuple(
        _cell(at, board[at], ghost, won=at in winning, hinted=at == hinted, new=new.get(at, ""))
        for at in CELLS
    )


@cache
def _cell(
    cell: int, mark: Mark | None, ghost: Mark | None, *, won: bool, hinted: bool, new: str
) -> CellView:
    return CellView(
        number=cell,
        label=words.cell_label(cell, mark, winning=won, hinted=hinted),
        mark=mark.slug if mark else "",
        ghost=ghost.slug if ghost and not mark else "",
        winning=won,
        hinted=hinted,
        new=new,
    )


def _undrawn(cells: tuple[CellView, ...]) -> tuple[CellView, ...]:
    """The same cells, of which none is drawn before the viewer's eyes."""
    return tuple(cell._replace(new="") for cell in cells)


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


def opponents(engines: Mapping[str, Engine], chosen: str) -> tuple[OpponentGroup, ...]:
    """The lines of the dropdown, in groups: each line says what the opponent does.

    A list of rules is there while it is the player's choice.
    """
    literature = {engine.slug for engine in LITERATURE}
    groups: dict[str, list[tuple[str, str]]] = {
        "": [],
        _("From the literature"): [],
        _("Functions of the class"): [],
        _("Your own"): [],
    }
    own = {chosen: engines[chosen]} if chosen.startswith(PREFIX) else {}
    for slug, engine in {**engines, **own}.items():
        label = _("From the literature") if slug in literature else _("Functions of the class")
        if engine in LEVELS:
            label = ""
        if slug in own:
            label = _("Your own")
        line = _("{engine}: {what_it_does}").format(engine=engine.name, what_it_does=engine.brief)
        groups[label].append((slug, line))
    groups[""].append((FRIEND, _("A friend, at this device")))
    return tuple((label, tuple(lines)) for label, lines in groups.items() if lines)


def _unfinished(found: Unfinished, engines: Mapping[str, Engine]) -> UnfinishedView:
    game, remark = found.game, ""
    if game.open:
        text = _("Your challenge is waiting for a classmate")
    elif game.kind is Kind.TWO_DEVICES:
        text = _("Continue your game with a classmate")
        remark = _("It is your turn there.") if found.turn else ""
    elif game.kind is Kind.ONE_DEVICE:
        text = _("Continue your game with a friend")
    elif found.lost_by_another:
        text = _("Your game against {engine} goes on.").format(engine=name_of(game, engines))
    else:
        text = _("Continue your game against {engine}").format(engine=name_of(game, engines))
    return UnfinishedView(game.id, text, remark)
