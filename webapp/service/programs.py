"""The functions that a server offers as opponents: asked before it starts, then read from a file.

None of their code runs while others play.
"""

from collections.abc import Callable, Sequence

from webapp.config import Settings
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.programs import files, minds
from webapp.programs.files import CannotLoad, Program
from webapp.programs.tabulate import Tabulation, tabulate

Ask = Callable[[Sequence[Program]], list[Tabulation | CannotLoad]]


def _every(programs: Sequence[Program]) -> list[Tabulation | CannotLoad]:
    return tabulate(programs, every=True)


def prepare(settings: Settings, ask: Ask = _every) -> list[str]:
    """Ask the functions that the settings name about every position, and write down what they say.

    Returns a sentence for each file of a folder that is left out.

    :param ask: asks about all positions
    :raises CannotLoad: if a function that is named by itself cannot be offered
    """
    if not settings.engine:
        return []
    named = [one for name in settings.engine for one in files.programs(name)]
    known, left_out = [], []
    for program, found in zip(named, ask(named), strict=True):
        why = f"{program.file.name}: {found}" if isinstance(found, CannotLoad) else _against(found)
        if why and not program.listed:
            raise CannotLoad(why)
        if why:
            left_out.append(why)
        elif isinstance(found, Tabulation):
            known.append(found)
    slugs = files.slugs([one.program for one in known])
    taken = [engine.name for engine in ENGINES.values()]
    minds.save(
        settings.data,
        [(one, slug, files.called(slug, taken)) for one, slug in zip(known, slugs, strict=True)],
    )
    return left_out


def engines(settings: Settings) -> list[Engine]:
    """Return the engines that were prepared."""
    return minds.restore(settings.data) if settings.engine else []


def _against(known: Tabulation) -> str:
    """Say why a function cannot be offered; empty if it can."""
    slug = f"{known.program.file.name}:{known.program.function}"
    if known.doubt:
        return f"{slug}: {minds.told(known.doubt)}"
    if known.faults and known.faults[0].board in known.met:
        return f"{slug}: {known.faults[0]}"
    return "" if known.finished else f"{slug}: It took too long to be asked about every position."
