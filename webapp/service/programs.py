"""The functions that a server offers as opponents: asked before it starts, then read from a file.

None of their code runs while others play.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from webapp.config import Settings
from webapp.engines.base import Engine
from webapp.programs import files, minds
from webapp.programs.apart import Ask, apart
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Tabulation, tabulate
from webapp.service.league import FEWEST, Absent, Entrant, drawn_up, once, why_absent

LONGEST = 80
"""How many characters the name of a file may have: games are stored with it."""


_EVERY: Ask = partial(tabulate, every=True)


class Offer(NamedTuple):
    """What the functions of a server answered, and their league if there are several.

    :param functions: each with its slug and its name
    :param left_out: a sentence for each file of a folder that is not offered
    """

    functions: list[tuple[Tabulation, str, str]]
    league: Mapping[str, Any] | None
    left_out: list[str]

    def save(self, folder: Path) -> None:
        """Save it for the workers, if there is anything."""
        if self.functions or self.left_out:
            minds.save(folder, self.functions, self.league)


def asked(settings: Settings, ask: Ask = _EVERY) -> Offer:
    """Ask the functions that the settings name about every position.

    :param ask: asks about all positions
    :raises CannotLoad: if a function that is named by itself cannot be offered
    """
    programs = [program for name in settings.engine for program in files.programs(name)]
    known, absent = [], []
    for program, found in once(programs, apart(programs, ask)):
        file = printable(program.file.name)
        why = _against(program, found)
        if why and not program.listed:
            slug = f"{file}:{program.function}".removesuffix(":")
            raise CannotLoad(f"{slug}: {why}")
        if why:
            absent.append(Absent(file, why))
        elif isinstance(found, Tabulation):
            known.append(found)
    names = minds.named(one.program for one in known)
    functions = [(one, slug, name) for one, (slug, name) in zip(known, names, strict=True)]
    entrants = [Entrant(minds.exact_engine(*one)) for one in functions]
    league = drawn_up(entrants, absent) if len(entrants) >= FEWEST else None
    return Offer(functions, league, [f"{name}: {why}" for name, why in absent])


def restored(settings: Settings) -> tuple[list[Engine], Any]:
    """Return the engines that are offered, and their league if there are several."""
    return minds.restore(settings.data) if settings.engine else ([], None)


def _against(program: Program, known: Tabulation | CannotLoad) -> str:
    """Say why a function cannot be offered; empty if it can."""
    if len(program.file.name) > LONGEST:
        return f"The name of its file has more than {LONGEST} characters."
    # It may fail only where no game leads.
    failing = printable(minds.failing(known)) if isinstance(known, Tabulation) else ""
    return failing or why_absent(program, known)
