"""The functions that a server offers as opponents: asked before it starts, never during play."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from webapp.config import Settings
from webapp.engines.base import Engine
from webapp.programs import files, minds
from webapp.programs.apart import apart
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Tabulation, tabulate
from webapp.service.league import FEWEST, drawn_up, entries, why_absent

LONGEST = 80  # the longest name of a file, which is stored with each game


class Offer(NamedTuple):
    """A server's functions as engines, their league, if any, and why files are left out."""

    engines: list[Engine]
    league: Mapping[str, Any] | None
    left_out: list[str]


def asked(
    settings: Settings, ask: Callable[..., list[Tabulation | CannotLoad]] = tabulate
) -> Offer:
    """Ask the functions in the settings about every position.

    :param ask: asks programs, as ``tabulate`` does
    :raises CannotLoad: if a function that is named by itself cannot be offered
    """
    programs = [program for name in settings.engine for program in files.programs(name)]
    entrants, absent = entries(programs, apart(programs, partial(ask, every=True)), _against)
    league = drawn_up(entrants, absent) if len(entrants) >= FEWEST else None
    engines = [entrant.engine for entrant in entrants]
    return Offer(engines, league, [f"{name}: {why}" for name, why in absent])


def _against(program: Program, known: Tabulation | CannotLoad) -> str:
    """Say why a function cannot be offered; empty if it can, even with faults outside games."""
    failing = minds.failing(known) if isinstance(known, Tabulation) else ""
    why = printable(failing) or why_absent(program, known)
    if len(program.file.name) > LONGEST:
        why = f"The name of its file has more than {LONGEST} characters."
    if why and not program.listed:
        slug = f"{printable(program.file.name)}:{program.function}".removesuffix(":")
        raise CannotLoad(f"{slug}: {why}")
    return why
