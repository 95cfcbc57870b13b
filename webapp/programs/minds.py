"""Engines made of programs: from what was tabulated, from the file of a server, or played live."""

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Any

from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.core.messages import N_
from webapp.engines.base import ONLY_THE_BOARD, Choice, Engine, EngineFault, NotExact, Source
from webapp.engines.registry import ENGINES
from webapp.programs import files
from webapp.programs.files import Program
from webapp.programs.process import Ended, Process
from webapp.programs.tabulate import Tabulation, Weights, fault_of

REASON = Reason("function")


def failing(known: Tabulation) -> str:
    """Say where a program fails that it can get to in a game; empty if it answers everywhere."""
    met = (fault for board, fault in known.faults.items() if board in known.met)
    return str(next(met, known.given_up) or "")


def named(programs: Iterable[Program]) -> list[tuple[str, str]]:
    """Return the slug of each program, and a name for people that no engine has."""
    taken = [engine.name for engine in ENGINES.values()]
    return [(slug, files.called(slug, taken)) for slug in files.slugs(list(programs))]


def exact_engine(known: Tabulation, slug: str, name: str) -> Engine:
    """Make an engine of what a program answered; where it did not, ``EngineFault`` is raised."""

    def policy(board: Board) -> tuple[Choice, ...]:
        if board in known.faults:
            raise known.faults[board]
        if board not in known.answers:
            raise EngineFault(board, "It was not asked about this board.", "failed")
        return _choices(known.answers[board])

    return Engine(
        slug=slug,
        name=name,
        brief=N_("a function"),
        idea=known.idea or N_("It does what its function says."),
        policy=policy,
        source=Source("", N_("the function {function}")),
        rules=(N_("Take the cell that the function returns."),),
        proviso=ONLY_THE_BOARD,
    )


# Most answers are one cell.
@cache
def _choices(weights: Weights) -> tuple[Choice, ...]:
    total = sum(weight for _, weight in weights)
    return tuple(Choice(cell, Fraction(weight, total), REASON) for cell, weight in weights)


def engine_of(known: Tabulation, slug: str, name: str, stack: ExitStack) -> Engine:
    """Make an engine, exact if it can be; else one that asks its program at each move.

    :param stack: ends its process
    """
    if not known.doubt:
        return exact_engine(known, slug, name)

    def policy(_board: Board) -> tuple[Choice, ...]:
        raise NotExact(f"{slug}: {known.doubt}")

    @cache
    def running() -> Process:
        process = Process(known.program.file, known.program.function)
        stack.callback(process.end)
        process.loaded()
        return process

    def play(board: Board) -> Choice:
        try:
            (said,) = running().answers([board])
            if "fault" in said:
                raise fault_of(board, said["fault"])
            cells, weights = zip(*said["answer"], strict=True)
        except Ended as error:
            raise EngineFault(board, error.why, error.kind) from error
        return Choice(_CHANCE.choices(cells, weights)[0], Fraction(1), REASON)

    return Engine(
        slug=slug, name=name, brief=N_("a function"), idea=known.doubt, policy=policy, live=play
    )


_CHANCE = SystemRandom()  # draws what a live function leaves to chance


# --- the file from which a server's workers read ------------------------------------------------

FILE = "functions.json"
"""Its name in the data folder."""


def save(folder: Path, functions: Sequence[tuple[Tabulation, Engine]], league: object) -> None:
    """Write what functions answered, with the engine of each, and their league, in one step."""
    written = [
        {
            "slug": engine.slug,
            "name": engine.name,
            "idea": known.idea,
            "answers": {str(board): weights for board, weights in known.answers.items()},
            "faults": {str(board): fault.why for board, fault in known.faults.items()},
        }
        for known, engine in functions
    ]
    with tempfile.NamedTemporaryFile(
        "w", dir=folder, prefix=".functions-", encoding="utf-8", delete=False
    ) as file:
        value = {"functions": written, "league": league}
        json.dump(value, file, default=str, separators=(",", ":"))
    Path(file.name).replace(folder / FILE)


def restore(folder: Path) -> tuple[list[Engine], Any]:
    """Read the engines back, and the league."""
    value = json.loads((folder / FILE).read_text(encoding="utf-8"))
    functions = value["functions"]
    engines = [exact_engine(_restored(one), one["slug"], one["name"]) for one in functions]
    return engines, value["league"]


def _restored(function: Mapping[str, Any]) -> Tabulation:
    known = Tabulation(Program(Path(function["slug"])), function["idea"])
    for text, weights in function["answers"].items():
        known.answers[_board(text)] = _same(tuple(map(tuple, weights)))
    for text, why in function["faults"].items():
        known.faults[_board(text)] = EngineFault(_board(text), why, "failed")
    return known


_board = cache(Board.parse)
# One tuple for all that are equal: there are few, and many positions.
_same: Callable[[Weights], Weights] = cache(lambda weights: weights)
