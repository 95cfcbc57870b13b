"""Small goals beside the board: what was reached just now, and the opponents beaten so far."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.service.pov import Pov
from webapp.words.language import _, ngettext


class StampView(NamedTuple):
    """One opponent, and how far the viewer has come against it.

    :param reached: ``"won"``, ``"drawn"``, or empty for neither
    :param label: the same in words, where there is anything to say
    """

    name: str
    reached: str
    label: str


class GoalsView(NamedTuple):
    """What there is to be proud of, and to aim at.

    :param news: a first, or a run of wins; may be empty
    :param beaten: how many of the opponents are, in words
    """

    news: str
    beaten: str
    stamps: tuple[StampView, ...]


def present_goals(pov: Pov, engines: Mapping[str, Engine]) -> GoalsView | None:
    """Present the goals to a player against an engine; ``None`` where they have not changed."""
    if pov.records is None:
        return None
    by_opponent = {record.opponent: record for record in pov.records}
    stamps = tuple(_stamp(engine, by_opponent.get(slug)) for slug, engine in ENGINES.items())
    beaten = _("Opponents beaten: {number} of {all}").format(
        number=sum(stamp.reached == "won" for stamp in stamps), all=len(stamps)
    )
    slug = pov.game.engine or ""
    name = engines[slug].name if slug in engines else slug
    return GoalsView(_news(pov, by_opponent.get(slug), name), beaten, stamps)


def _stamp(engine: Engine, record: Record | None) -> StampView:
    if record and record.best == "w":
        return StampView(engine.name, "won", _("{engine}: beaten").format(engine=engine.name))
    if record and record.best == "d":
        message = _("{engine}: held to a draw")
        return StampView(engine.name, "drawn", message.format(engine=engine.name))
    return StampView(engine.name, "", "")


def _news(pov: Pov, record: Record | None, engine: str) -> str:
    """A first, where the game that has just ended is one; else the run of wins, if it is one."""
    outcome = pov.game.outcome
    if outcome and record and pov.game.rated:
        if outcome.winner in pov.marks and record.won == 1 and record.earlier != "w":
            return _("Your first win against {engine}").format(engine=engine)
        if outcome.winner is None and record.drawn == 1 and not record.earlier:
            return _("Your first draw against {engine}").format(engine=engine)
    run = record.run if record else 0
    if run < 2:
        return ""
    return ngettext(
        "{number} win in a row against {engine}", "{number} wins in a row against {engine}", run
    ).format(number=run, engine=engine)
