"""Small goals beside the board: what was reached just now, and the opponents beaten so far."""

from collections.abc import Iterable

from webapp.core.record import Record
from webapp.engines.registry import ENGINES
from webapp.service.pov import Pov
from webapp.web.present.game import Engines, name_of
from webapp.words.language import _, ngettext


def best_results(records: Iterable[Record]) -> dict[str, str]:
    """The best result against each engine, by its name: ``w``, ``d``, or empty for neither."""
    best = {record.opponent: record.best for record in records}
    return {engine.name: best.get(slug, "") for slug, engine in ENGINES.items()}


def news(pov: Pov, engines: Engines) -> str:
    """A first, where the game that has just ended is one; else the run of wins, if it is one."""
    outcome, engine = pov.game.outcome, name_of(pov.game, engines)
    record = next((one for one in pov.records or () if one.opponent == pov.game.engine), None)
    if record is None:
        return ""
    if outcome and pov.game.rated:
        if outcome.winner in pov.marks and record.won == 1 and record.earlier != "w":
            return _("Your first win against {engine}").format(engine=engine)
        if outcome.winner is None and record.drawn == 1 and not record.earlier:
            return _("Your first draw against {engine}").format(engine=engine)
    if record.run < 2:
        return ""
    return ngettext(
        "{number} win in a row against {engine}",
        "{number} wins in a row against {engine}",
        record.run,
    ).format(number=record.run, engine=engine)
