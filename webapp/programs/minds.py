"""Engines made of programs: exact from a tabulation, or live."""

from collections.abc import Iterable
from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from random import SystemRandom

from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.core.messages import N_
from webapp.engines.base import ONLY_THE_BOARD, Choice, Engine, EngineFault, NotExact
from webapp.engines.registry import ENGINES
from webapp.programs import files
from webapp.programs.files import Program
from webapp.programs.process import Ended, Process
from webapp.programs.tabulate import Tabulation, Weights

REASON = Reason("function")


def failing(known: Tabulation) -> str:
    """Return the first fault that a program can have in a game; empty if there is none."""
    met = (fault for board, fault in known.faults.items() if board in known.met)
    return str(next(met, known.given_up) or "")


def named(programs: Iterable[Program]) -> list[tuple[str, str]]:
    """Return the slug of each program, and a name that no engine has."""
    taken = [engine.name for engine in ENGINES.values()]
    return [(slug, files.called(slug, taken)) for slug in files.slugs(list(programs))]


def exact_engine(known: Tabulation, slug: str, name: str) -> Engine:
    """Make an engine of answers; it raises ``EngineFault`` where there is none."""

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
        source=N_("the function {function}"),
        rules=(N_("Take the cell that the function returns."),),
        proviso=ONLY_THE_BOARD,
    )


# Most answers are one cell.
@cache
def _choices(weights: Weights) -> tuple[Choice, ...]:
    total = sum(weight for _, weight in weights)
    return tuple(Choice(cell, Fraction(weight, total), REASON) for cell, weight in weights)


def engine_of(known: Tabulation, slug: str, name: str, stack: ExitStack) -> Engine:
    """Make an exact engine if possible, otherwise a live engine, whose process ``stack`` ends."""
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
            (told,) = running().answers([board])
            if "fault" in told:
                raise EngineFault(board, **told["fault"])
            cells, weights = zip(*told["answer"], strict=True)
        except Ended as error:
            raise EngineFault(board, error.why, error.kind) from error
        return Choice(SystemRandom().choices(cells, weights)[0], Fraction(1), REASON)

    return Engine(
        slug=slug, name=name, brief=N_("a function"), idea=known.doubt, policy=policy, live=play
    )
