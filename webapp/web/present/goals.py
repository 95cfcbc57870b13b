"""Small goals beside the board: the levels with their stamps, and what was reached just now."""

from collections.abc import Iterator

from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.engines.registry import LEVELS
from webapp.service.pov import Pov
from webapp.web.present.game import Engines, name_of
from webapp.words.language import N_, _, ngettext

_AIMS = (
    # Translators: below the names of the levels: Easy guesses, Medium wins and blocks; against Hard
    # the pupil can hold a draw; later each is beaten, or held to a draw
    *(N_("guesses"), N_("wins, blocks"), N_("hold a draw")),
)
"""What is said of Easy, Medium and Hard before anything is reached."""


def ladder(pov: Pov) -> Iterator[tuple[Engine, str, str]]:
    """The three levels: each with its stamp, and what is said of it.

    The stamp is the best result, ``w`` or ``d``, or empty.
    """
    records = {record.opponent: record for record in pov.records or ()}
    for level, aim in zip(LEVELS, _AIMS, strict=True):
        record = records.get(level.slug, Record(pov.viewer.id, level.slug))
        said = {"w": _("beaten"), "d": _("held to a draw"), "": _(aim)}[record.best]
        if record.run > 1:
            said = _("{number} in a row").format(number=record.run)
        yield level, record.best, said


def news(pov: Pov, engines: Engines) -> str:
    """A first, where the game has ended with one; else the run of wins, if it is one."""
    outcome, engine = pov.game.outcome, name_of(pov.game, engines)
    record = next((one for one in pov.records or () if one.opponent == pov.game.engine), None)
    if record is None or outcome is None:
        return ""
    if pov.game.rated:
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
