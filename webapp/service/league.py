"""A league of functions as plain data: printed, stored beside the answers, and read by a page.

A function that cannot take part is listed with the reason. In JSON fractions are text, which keeps
them exact.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from webapp.analysis.league import Pair, league
from webapp.engines.base import Engine
from webapp.programs import minds
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Tabulation

FEWEST = 2  # functions that a league needs
Absent: TypeAlias = tuple[str, str]  # a function or file that does not take part, and why


class Entrant(NamedTuple):
    """A player of the league; ``known`` are a function's answers. It loses where it has none."""

    engine: Engine
    known: Tabulation | None = None

    @property
    def fault(self) -> str:
        """The first fault that it can have in a game; empty if there is none."""
        why = minds.failing(self.known) if self.known else ""
        return f"{self.engine.slug}: {why}" if why else ""


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
    """Separate the functions that can take part from those for which ``why_not`` gives a reason."""
    # Each once: a named file may also be in a named folder.
    different: dict[tuple[Path, str], tuple[Program, Tabulation | CannotLoad]] = {}
    for program, answer in zip(programs, answers, strict=True):
        known = answer.program if isinstance(answer, Tabulation) else program
        different.setdefault((known.file, known.function), (known, answer))
    names = minds.named(program for program, _ in different.values())
    entrants, absent = [], list[Absent]()
    for (slug, name), (program, answer) in zip(names, different.values(), strict=True):
        if why := why_not(program, answer):
            # Pupils hand in files, so it is listed by its file.
            listed_as = slug.rpartition(":")[0] if program.listed else slug.removesuffix(":")
            absent.append((listed_as, why))
        elif isinstance(answer, Tabulation):
            entrants.append(Entrant(minds.exact_engine(answer, slug, name), answer))
    return entrants, absent


def drawn_up(entrants: Sequence[Entrant], absent: Iterable[Absent]) -> dict[str, Any]:
    """Let the entrants play each other; return the results as plain data.

    ``ranking`` has a row for each, ``pairs`` the results by the slugs of X and of O with the
    shortest decisive game, and ``absent`` the functions that do not take part.
    """
    unanswered = {
        engine.slug: len(known.faults.keys() & known.met) if known else 0
        for engine, known in entrants
    }
    results = league(entrant.engine for entrant in entrants)
    slugs = [row.slug for row in results.ranking]
    return {
        "ranking": [asdict(row) | {"unanswered": unanswered[row.slug]} for row in results.ranking],
        "pairs": {x: {o: _pair(results.pairs[x, o]) for o in slugs if o != x} for x in slugs},
        "absent": [{"name": name, "why": why} for name, why in absent],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    game = pair.game
    winner = None if game is None else "x" if len(game) % 2 else "o"
    return asdict(pair.result) | {"game": game, "winner": winner, "forfeit": pair.forfeit}
