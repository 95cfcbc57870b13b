"""Engines made of programs: from what was tabulated, from the file of a server, or played live."""

from collections.abc import Iterable
from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from random import SystemRandom

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
