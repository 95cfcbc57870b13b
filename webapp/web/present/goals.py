"""Small goals beside the board: the levels with their stamps, and what was reached just now."""

from collections.abc import Iterator

from webapp.analysis.worth import worth
from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.engines.registry import LEVELS
from webapp.service.pov import Pov
from webapp.web.present.game import Engines, name_of
from webapp.words.language import _, ngettext


def ladder(pov: Pov) -> Iterator[tuple[Engine, str, str]]:
    """The three levels: each with its stamp, and what is reached or to be reached.

    The stamp is the best result, ``w`` or ``d``, or empty.
    """
    for level in LEVELS:
        record = _record(pov, level.slug) or Record(pov.viewer.id, level.slug)
        said = _("hold a draw") if worth(level).unbeatable else _("not beaten yet")
        if record.best == "d":
            said = _("held to a draw")
        elif record.best == "w":
            times = ngettext("beaten once", "beaten {number} times", record.won)
            said = times.format(number=record.won) if record.won else _("beaten")
        yield level, record.best, said


def first_win(pov: Pov, engines: Engines) -> str:
    """The event that a first win against an engine is; empty where the game has not brought it."""
    record, outcome = _record(pov, pov.game.engine), pov.game.outcome
    if not (record and outcome and pov.game.rated and outcome.winner in pov.marks):
        return ""
    first = record.won == 1 and record.earlier != "w"
    message = _("First win against {engine}")
    return message.format(engine=name_of(pov.game, engines)) if first else ""


def news(pov: Pov, engines: Engines) -> str:
    """A first draw that the game has ended with; else the run of wins, if it is one."""
    outcome, engine = pov.game.outcome, name_of(pov.game, engines)
    record = _record(pov, pov.game.engine)
    if record is None or outcome is None:
        return ""
    drawn = outcome.winner is None and record.drawn == 1 and not record.earlier
    if pov.game.rated and drawn:
        return _("Your first draw against {engine}").format(engine=engine)
    if record.run < 2:
        return ""
    return ngettext(
        "{number} win in a row against {engine}",
        "{number} wins in a row against {engine}",
        record.run,
    ).format(number=record.run, engine=engine)


def _record(pov: Pov, opponent: str | None) -> Record | None:
    return next((one for one in pov.records or () if one.opponent == opponent), None)
