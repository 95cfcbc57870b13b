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
    """A player of the league.

    :param known: what it answered, if it is a function; it loses where it has no answer
    """

    engine: Engine
    known: Tabulation | None = None


class Absent(NamedTuple):
    """A function or a file that does not take part, and why, in a sentence."""

    name: str
    why: str


def why_absent(program: Program, answers: Tabulation | CannotLoad) -> str:
    """Say why a function cannot take part; empty if it can."""
    if isinstance(answers, CannotLoad):
        # Where the host keeps the file concerns no one else.
        return printable(str(answers).replace(f"{program.file.parent}{os.sep}", ""))
    return printable(answers.doubt or str(answers.given_up or ""))


def entries(
    programs: Iterable[Program],
    answers: Iterable[Tabulation | CannotLoad],
    why_not: Callable[[Program, Tabulation | CannotLoad], str] = why_absent,
) -> tuple[list[Entrant], list[Absent]]:
    """Separate the functions that can take part from the ones that cannot.

    :param why_not: says why one cannot, with an empty text if it can
    """
    # Each once: a file that is named may lie in a folder as well.
    different: dict[tuple[Path, str], tuple[Program, Tabulation | CannotLoad]] = {}
    for program, one in zip(programs, answers, strict=True):
        known = one.program if isinstance(one, Tabulation) else program
        different.setdefault((known.file, known.function), (known, one))
    names = minds.named(program for program, _ in different.values())
    entrants, absent = [], []
    for (slug, name), (program, one) in zip(names, different.values(), strict=True):
        if why := why_not(program, one):
            # In a folder it is the file that was handed in.
            listed_as = slug.rpartition(":")[0] if program.listed else slug.removesuffix(":")
            absent.append(Absent(listed_as, why))
        elif isinstance(one, Tabulation):
            entrants.append(Entrant(minds.exact_engine(one, slug, name), one))
    return entrants, absent


def drawn_up(entrants: Sequence[Entrant], absent: Iterable[Absent]) -> dict[str, Any]:
    """Let the entrants play each other, and return the results as plain data.

    ``ranking`` holds a row for each, ``pairs`` the results by the slugs of X and of O with the
    shortest game that is not a draw, and ``absent`` the functions that do not take part.
    """
    unanswered = {
        engine.slug: len(known.faults.keys() & known.met) if known else 0
        for engine, known in entrants
    }
    found = league(entrant.engine for entrant in entrants)
    slugs = [row.slug for row in found.ranking]
    return {
        "ranking": [asdict(row) | {"unanswered": unanswered[row.slug]} for row in found.ranking],
        "pairs": {x: {o: _pair(found.pairs[x, o]) for o in slugs if o != x} for x in slugs},
        "absent": [one._asdict() for one in absent],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    game = pair.game
    winner = None if game is None else "x" if len(game) % 2 else "o"
    return asdict(pair.result) | {"game": game, "winner": winner, "forfeit": pair.forfeit}
