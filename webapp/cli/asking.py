"""Programs on the command line: asked, with a line of progress, and made engines of."""

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import click

from webapp.analysis.simulate import Sample, sample
from webapp.core.board import Board
from webapp.engines.base import Engine
from webapp.programs import minds
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Asking, Tabulation, tabulate

Named = Engine | Program
"""What the command line names: an engine, or a program that has yet to be asked."""

SAMPLE = 1_000
"""The games of a sample."""

SECONDS = 10.0
"""The seconds that a sample may be played."""

_SILENCE = 2  # seconds between two lines of progress


class Mind(NamedTuple):
    """An engine, and what was found when it was asked if it is a program."""

    engine: Engine
    known: Tabulation | None = None

    @property
    def fault(self) -> str:
        """What is worst about its answers, in a sentence; empty where nothing is wrong."""
        why = minds.failing(self.known) if self.known else ""
        return f"{self.engine.slug}: {why}" if why else ""


def asked(*named: Named) -> list[Mind]:
    """Make engines of what the command line names; ``CannotLoad`` if a file cannot be used.

    An engine that cannot be known exactly plays live, until the command ends.
    """
    programs = list(dict.fromkeys(one for one in named if isinstance(one, Program)))
    made = dict(zip(programs, _minds(ask(programs)), strict=True))
    return [made[one] if isinstance(one, Program) else Mind(one) for one in named]


def played(x: Engine, o: Engine, seconds: float = SECONDS) -> Sample:
    """Play a sample of games, where nothing exact is known."""
    return sample(x, o, SAMPLE, 1, seconds=seconds)


def about(named: Named, board: Board) -> Engine:
    """Make an engine that has been asked about at least this board."""
    if isinstance(named, Engine):
        return named
    (mind,) = _minds(tabulate([named], boards=[board]))
    return mind.engine


def _minds(answers: Iterable[Tabulation | CannotLoad]) -> list[Mind]:
    """Make an engine of each tabulation, under names that tell them apart."""
    stack, known = click.get_current_context().with_resource(ExitStack()), []
    for one in answers:
        if isinstance(one, CannotLoad):
            raise one
        known.append(one)
    names = minds.named(one.program for one in known)
    return [
        Mind(minds.engine_of(one, *name, stack), one)
        for one, name in zip(known, names, strict=True)
    ]


def ask(programs: Sequence[Program], *, every: bool = False) -> list[Tabulation | CannotLoad]:
    """Ask about all positions that can be met, or about every one; say how far it is."""
    due = time.monotonic() + _SILENCE

    def glance(asking: Sequence[Asking]) -> None:
        nonlocal due
        if time.monotonic() > due:
            due = time.monotonic() + _SILENCE
            click.echo(_said(asking), err=True)

    return tabulate(programs, every=every, glance=glance)


def _said(asking: Sequence[Asking]) -> str:
    """Say what is being asked at the moment, and how long that will take."""
    said = f"Asking: {sum(one.done for one in asking) // 2} of {len(asking) // 2} done"
    if now := next((one for one in asking if one.board and not one.done), None):
        left = max(one.left for one in asking if one.program is now.program)
        said += f", now {printable(now.program.file.name)} on {now.board}"
        said += f": about {left:.0f} s left" if left >= 1 else ""
    return said
