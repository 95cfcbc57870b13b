"""A league of functions as plain data: printed, stored beside the answers, and read by a page.

A function that cannot take part is listed with the reason. In JSON fractions are text, which keeps
them exact.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from webapp.analysis.league import Pair, league
from webapp.engines.base import Engine
from webapp.programs import minds
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Tabulation

FEWEST = 2
"""How many make a league."""


class Entrant(NamedTuple):
    """A function that takes part.

    :param unanswered: in how many positions that it can meet it has no answer, and loses
    """

    engine: Engine
    unanswered: int = 0


class Absent(NamedTuple):
    """A function or a file that does not take part, and why, in a sentence."""

    name: str
    why: str


def once(
    programs: Iterable[Program], answers: Iterable[Tabulation | CannotLoad]
) -> list[tuple[Program, Tabulation | CannotLoad]]:
    """Return what was found of each function once: a named file may lie in a folder as well."""
    different: dict[tuple[Path, str], tuple[Program, Tabulation | CannotLoad]] = {}
    for program, one in zip(programs, answers, strict=True):
        known = one.program if isinstance(one, Tabulation) else program
        different.setdefault((known.file, known.function), (known, one))
    return list(different.values())


def entries(
    programs: Iterable[Program], answers: Iterable[Tabulation | CannotLoad]
) -> tuple[list[Entrant], list[Absent]]:
    """Separate the functions that can take part from the ones that cannot."""
    known = once(programs, answers)
    names = minds.named(program for program, _ in known)
    entrants, absent = [], []
    for (slug, name), (program, one) in zip(names, known, strict=True):
        if why := why_absent(program, one):
            # In a folder it is the file that was handed in.
            listed_as = slug.rpartition(":")[0] if program.listed else slug.removesuffix(":")
            absent.append(Absent(listed_as, why))
        elif isinstance(one, Tabulation):
            unanswered = len(one.faults.keys() & one.met)
            entrants.append(Entrant(minds.exact_engine(one, slug, name), unanswered))
    return entrants, absent


def why_absent(program: Program, answers: Tabulation | CannotLoad) -> str:
    """Say why a function cannot take part; empty if it can."""
    if isinstance(answers, CannotLoad):
        # Where the host keeps the file concerns no one else.
        return printable(str(answers).replace(f"{program.file.parent}{os.sep}", ""))
    if answers.doubt:
        return printable(minds.told(answers.doubt))
    return printable(minds.given_up(answers))


def drawn_up(
    entrants: Sequence[Entrant],
    absent: Iterable[Absent],
    progress: Callable[[int], object] = lambda _: None,
) -> dict[str, Any]:
    """Let the entrants play each other, and return the results as plain data.

    ``ranking`` holds a row for each, ``pairs`` the results by the slugs of X and of O with the
    shortest game that is not a draw, and ``absent`` the functions that do not take part.
    """
    unanswered = {entrant.engine.slug: entrant.unanswered for entrant in entrants}
    found = league([entrant.engine for entrant in entrants], progress)
    slugs = [row.slug for row in found.ranking]
    return {
        "ranking": [asdict(row) | {"unanswered": unanswered[row.slug]} for row in found.ranking],
        "pairs": {x: {o: _pair(found.pairs[x, o]) for o in slugs if o != x} for x in slugs},
        "absent": [one._asdict() for one in absent],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    decisive = pair.decisive
    return asdict(pair.result) | {
        "game": decisive and decisive.game,
        "winner": decisive and decisive.winner.slug,
        "forfeit": bool(decisive and decisive.forfeit),
    }
