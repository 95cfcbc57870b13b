"""A game, for the play page: what is computed of a point of view, and printed by its templates."""

from collections.abc import Mapping
from typing import TypeAlias

from markupsafe import Markup, escape

from webapp import words
from webapp.core.board import CELLS, Mark
from webapp.core.game import MENACE, Game, Kind, digits
from webapp.core.options import FRIEND
from webapp.engines.base import Engine
from webapp.engines.rules import PREFIX
from webapp.service.pov import Pov, Unfinished
from webapp.web.boards import CellView
from webapp.web.engines import families
from webapp.web.present import live
from webapp.web.present.views import ActionView
from webapp.words import played
from webapp.words.language import _

Engines: TypeAlias = Mapping[str, Engine]


# --- what is said -----------------------------------------------------------------------------


def heading(pov: Pov, engines: Engines) -> str:
    """Whose turn it is, or how the game ended."""
    game, engine = pov.game, name_of(pov.game, engines)
    if pov.at_stake:
        return _("Start a new game?")
    if pov.paused:
        return _("Paused")
    if pov.live:
        return live.heading(pov)
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


def sentence(pov: Pov) -> str:
    """The sentence below the heading: what happened last, and why, or what to do."""
    game = pov.game
    if pov.at_stake:
        return _("If you start a new game, you lose this one.")
    if pov.paused:
        return _(pov.paused)
    if pov.live:
        return live.sentence(pov)
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


def announcement(
    pov: Pov, engines: Engines, refusal: str = "", notice: str = "", *, looks: bool = False
) -> str:
    """What a screen reader says after a change: at most fifteen words.

    :param refusal: why the last request was refused
    :param notice: what was done, where the board does not say it
    :param looks: whether the page only looks: then it may be time that has brought what is new
    """
    head, said, asides = heading(pov, engines), sentence(pov), live.asides(pov)
    closed = words.as_sentence(head)
    if refusal:
        return refusal
    if pov.paused:
        return said
    if pov.at_stake:
        return words.sentences(unfinished(pov.at_stake, engines), head)
    if notice:
        return words.sentences(notice, closed)
    if asides and (pov.game.outcome or looks):
        # Anyone who looks again after a time may not have heard yet how it ended.
        return words.sentences(*((closed, *asides) if pov.game.outcome else asides))
    if not pov.game.outcome:
        return words.sentences(said, closed)
    both = words.sentences(closed, said)
    return both if words.is_short(both) else closed


def unfinished(unfinished_game: Unfinished, engines: Engines) -> str:
    """Name a game that the front page leads back to."""
    game = unfinished_game.game
    if game.kind is Kind.TWO_DEVICES:
        return _("Continue your game with a classmate")
    if game.kind is Kind.ONE_DEVICE:
        return _("Continue your game with a friend")
    if unfinished_game.lost_by_another:
        message = _("Your game against {engine} goes on.")
    else:
        message = _("Continue your game against {engine}")
    return message.format(engine=name_of(game, engines))


def opponent(pov: Pov, engines: Engines) -> str:
    """The name of the opponent, for the score."""
    return live.opponent_of(pov) or name_of(pov.game, engines)


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


def name_of(game: Game, engines: Engines) -> str:
    """The name of the engine in a game, or nothing for a friend at the same device."""
    engine = engines.get(game.engine or "")
    return words.named(engine) if engine else game.engine or ""


def uncounted(game: Game) -> str:
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


# --- what is pressed --------------------------------------------------------------------------


def actions(pov: Pov) -> tuple[ActionView, ...]:
    """The buttons beside the board; none for a watcher."""
    game = pov.game
    if not pov.marks:
        return ()
    if pov.live:
        return live.actions(pov)
    if not game.id:
        return ()
    if game.outcome:
        return (ActionView("again", _("Play again"), primary=True),)
    may_hint = pov.may_play and game.kind is Kind.ENGINE and game.version > 0
    return (
        ActionView("hint", _("Hint"), possible=may_hint),
        ActionView("undo", _("Undo"), possible=pov.may_play and game.undoable),
        ActionView("again", _("New game"), leaves=game.forfeits_if_left, id="new"),
    )


def cells(pov: Pov, *, still: bool = False) -> tuple[CellView, ...]:
    """The cells of the board; before a question those of the game that it is about.

    :param still: whether none is drawn before the viewer's eyes
    """
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


def opponents(pov: Pov, engines: Engines) -> dict[str, list[tuple[str, str, Markup, str]]]:
    """The lines of the dropdown by the label of their group.

    Each is a slug, a name, the name with what it does, and the viewer's best result. It reads
    whole as text: "Medium: wins and blocks". A list of rules is there while it is the player's
    choice.
    """
    (_levels, levels), *others = families(engines).items()
    groups = {"": levels, **dict(others)}
    groups[_("From the literature")] += (engines[MENACE],)
    if pov.options.opponent.startswith(PREFIX):
        groups[_("Your own")] = (engines[pov.options.opponent],)
    best = {record.opponent: record.best for record in pov.records or ()}
    message = Markup(escape(_("{engine}: {what_it_does}")))  # noqa: S704 - all that fills it is escaped

    def line(slug: str, name: str, does: str) -> tuple[str, str, Markup, str]:
        parts = Markup("<b>{}</b>").format(name), Markup("<small>{}</small>").format(does)
        said = message.format(engine=parts[0], what_it_does=parts[1])
        return slug, name, said, best.get(slug, "")

    lines = {
        label: [line(one.slug, words.named(one), _(one.brief)) for one in some]
        for label, some in groups.items()
    }
    return {**lines, FRIEND: [line(FRIEND, _("A friend"), _("beside you"))]}
