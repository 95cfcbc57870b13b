"""Engines made of programs: from what was tabulated, from the file of a server, or played live."""

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Any

from webapp.core.board import Board, Mark
from webapp.core.game import Reason
from webapp.core.messages import N_
from webapp.core.symmetry import SYMMETRIES, image
from webapp.engines.base import Choice, Engine, EngineFault, NotExact, Source
from webapp.engines.registry import ENGINES
from webapp.programs import files
from webapp.programs.files import Program
from webapp.programs.process import Ended, Process
from webapp.programs.tabulate import Doubt, Tabulation, Weights, fault_of, weights_of

REASON = Reason("function")

_NOT_EXACT = {
    "own": "It draws from its own Random object ({where}), so what it does cannot be known "
    "exactly. Use random.choice or random.randrange instead.",
    "weights": "It draws with weights ({where}), so what it does cannot be known exactly. Return "
    "the weights instead, as {{cell: weight}}.",
    "early draw": "It draws while its file is loaded ({where}), so it may play differently after "
    "each start and cannot be known exactly.",
    "early clock": "It reads {what} while its file is loaded ({where}), so it may play differently "
    "after each start and cannot be known exactly.",
    "numpy": "It imports numpy, whose draws cannot be followed, so what it does cannot be known "
    "exactly.",
    "branches": "On {board} its draws can come out in more than 10,000 ways, or more than 100 "
    "follow each other, so what it does cannot be known exactly. Use one random.choice among the "
    "free cells instead.",
    "wavered": "On {board} the same draws did not lead to the same place, so its answers depend on "
    "something other than the board and chance, and cannot be known exactly.",
    "earlier": "On {board} it answered {first}, then {second}, so its answers depend on earlier "
    "calls or on the start, and cannot be known exactly.",
    "clock": "It reads the clock with {what} ({where}), so what it does cannot be known exactly.",
    "draw": "It draws with {what} ({where}), which cannot be tried in every way, so what it does "
    "cannot be known exactly. Use random.choice or random.randrange instead.",
}
# The number of a process is no clock, and differs as what is drawn does.
_NOT_EXACT |= {"number": _NOT_EXACT["draw"], "early number": _NOT_EXACT["early clock"]}


def told(doubt: Doubt) -> str:
    """Say why nothing exact can be said about a program."""
    first, second = map(_answer, doubt.answers)
    return _NOT_EXACT[doubt.kind].format(
        what=doubt.what, where=doubt.where, board=doubt.board, first=first, second=second
    )


def _answer(weights: Weights) -> str:
    if len(weights) == 1:
        return str(weights[0][0])
    total = sum(weight for _, weight in weights) or 1
    return " or ".join(f"{cell} ({Fraction(weight, total)})" for cell, weight in weights)


def failing(known: Tabulation) -> str:
    """Say where a program fails that it can get to in a game; empty if it answers everywhere."""
    for board, fault in known.faults.items():
        if board in known.met:
            return str(fault)
    return given_up(known)


def given_up(known: Tabulation) -> str:
    """Say why a program was not asked everywhere; empty if it was."""
    if known.finished:
        return ""
    ended = (str(fault) for fault in known.faults.values() if fault.kind in ("slow", "ended"))
    return next(ended, "It took too long to be asked everywhere.")


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
        symmetric=not known.faults and _symmetric(known.answers),
    )


_GENERATORS = (1, 4)
"""A quarter turn and a reflection, of which all symmetries are made."""


def _symmetric(answers: Mapping[Board, Weights]) -> bool:
    """Tell whether answers on boards alike are alike, as those of chance among all cells are.

    Then every analysis asks about an eighth of the boards.
    """
    for board, weights in answers.items():
        for number in _GENERATORS:
            x, o = (image(board.mask(mark), number) for mark in Mark)
            other = answers.get(Board(x, o), ())
            turned = sorted((SYMMETRIES[number][cell], weight) for cell, weight in weights)
            if list(other) != turned:
                return False
    return True


# Most answers are one cell.
@cache
def _choices(weights: Weights) -> tuple[Choice, ...]:
    total = sum(weight for _, weight in weights)
    return tuple(Choice(cell, Fraction(weight, total), REASON) for cell, weight in weights)


def live_engine(program: Program, doubt: Doubt, slug: str, name: str, stack: ExitStack) -> Engine:
    """Make an engine that asks its program at each move; its process ends with the stack."""

    def policy(_board: Board) -> tuple[Choice, ...]:
        raise NotExact(f"{slug}: {told(doubt)}")

    @cache
    def running() -> Process:
        process = Process(program.file, program.function, live=True)
        stack.callback(process.end)
        process.loaded()
        return process

    def play(board: Board) -> Choice:
        try:
            (said,) = running().answers([(board, 0)])
            if "fault" in said:
                raise fault_of(board, said)
            cells, weights = zip(*weights_of(board, said), strict=True)
        except Ended as error:
            raise EngineFault(board, error.why, error.kind) from error
        return Choice(_CHANCE.choices(cells, weights)[0], Fraction(1), REASON)

    return Engine(
        slug=slug,
        name=name,
        brief=N_("a function"),
        idea=told(doubt),
        policy=policy,
        live=play,
    )


_CHANCE = SystemRandom()  # draws what a live function leaves to chance


# --- the file from which a server's workers read ------------------------------------------------

FILE = "functions.json"
"""Its name in the data folder."""


def save(folder: Path, engines: Sequence[tuple[Tabulation, str, str]], league: object) -> None:
    """Write what programs answered, with slug and name of each, and their league, in one step."""
    functions = [
        {
            "slug": slug,
            "name": name,
            "idea": known.idea,
            "answers": {str(board): weights for board, weights in known.answers.items()},
            "faults": {str(board): fault.why for board, fault in known.faults.items()},
        }
        for known, slug, name in engines
    ]
    with tempfile.NamedTemporaryFile(
        "w", dir=folder, prefix=".functions-", encoding="utf-8", delete=False
    ) as file:
        value = {"functions": functions, "league": league}
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


@cache
def _same(weights: Weights) -> Weights:
    """One tuple for all that are equal: there are few, and many positions."""
    return weights
