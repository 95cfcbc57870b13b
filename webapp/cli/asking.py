"""Programs on the command line: asked with a progress bar, and made engines of."""

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

import click

from webapp.core.board import Board
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.programs import files, minds
from webapp.programs.files import CannotLoad, Program
from webapp.programs.tabulate import Progress, Tabulation, tabulate

Named = Engine | Program
"""What the command line names: an engine, or a program that has yet to be asked."""

SAMPLE, SECONDS = 1_000, 10.0
"""How many games are a sample where nothing exact is known, and for how long it may be played."""

_SILENCE = 15  # for how many seconds nothing is said where there is no terminal for a bar
_BAR = 20


class Mind(NamedTuple):
    """An engine, and what was found when it was asked if it is a program.

    :param fault: why it cannot be computed with, in a sentence; empty where it can
    """

    engine: Engine
    known: Tabulation | None = None

    @property
    def fault(self) -> str:
        """What is worst about its answers, in a sentence; empty where nothing is wrong."""
        if self.known is None or self.known.doubt:
            return ""
        why = minds.failing(self.known)
        return f"{self.engine.slug}: {why}" if why else ""


def asked(*named: Named) -> list[Mind]:
    """Make engines of what the command line names; ``CannotLoad`` if a file cannot be used.

    An engine that cannot be known exactly plays live, until the command ends.
    """
    programs = list(dict.fromkeys(one for one in named if isinstance(one, Program)))
    stack = click.get_current_context().with_resource(ExitStack())
    known: list[Tabulation] = []
    for found in ask(programs):
        if isinstance(found, CannotLoad):
            raise found
        known.append(found)
    made = dict(zip(programs, made_of(known, stack), strict=True))
    return [made[one] if isinstance(one, Program) else Mind(one) for one in named]


def sound(*named: Named) -> list[Engine]:
    """Make engines; each answers on every board that it can meet in a game."""
    found = asked(*named)
    for mind in found:
        if mind.fault:
            raise click.ClickException(mind.fault)
    return [mind.engine for mind in found]


def about(named: Named, board: Board) -> Engine:
    """Make an engine that has been asked about at least this board."""
    if isinstance(named, Engine):
        return named
    (known,) = tabulate([named], boards=[board])
    if isinstance(known, CannotLoad):
        raise known
    (mind,) = made_of([known], click.get_current_context().with_resource(ExitStack()))
    return mind.engine


def made_of(known: Sequence[Tabulation], stack: ExitStack) -> list[Mind]:
    """Make an engine of each tabulation, under names that tell them apart."""
    slugs = files.slugs([one.program for one in known])
    names = [engine.name for engine in ENGINES.values()]
    return [
        Mind(
            minds.live_engine(one.program, one.doubt, slug, files.called(slug, names), stack)
            if one.doubt
            else minds.exact_engine(one, slug, files.called(slug, names)),
            one,
        )
        for one, slug in zip(known, slugs, strict=True)
    ]


def ask(programs: Sequence[Program], *, every: bool = False) -> list[Tabulation | CannotLoad]:
    """Ask programs about all positions that they can meet, or about every one; show progress."""
    if not programs:
        return []
    glance = _Bar() if sys.stderr.isatty() else _Lines()
    try:
        return tabulate(programs, every=every, glance=glance.show)
    finally:
        glance.end()


def _said(progress: Sequence[Progress]) -> str:
    """Say what is being asked at the moment."""
    done = sum(one.share == 1 for one in progress)
    for one in progress:
        if one.share < 1 and one.board:
            file, board = one.program.file.name, one.board
            if len(progress) == 1:
                return f"{file} about {board}"
            return f"{done} of {len(progress)} done, now {file} about {board}"
    return f"{done} of {len(progress)} done"


class _Lines:
    """Progress as a line now and then."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def show(self, progress: Sequence[Progress]) -> None:
        """Say how far it is, if nothing has been said for long."""
        if time.monotonic() - self._last > _SILENCE:
            self._last = time.monotonic()
            click.echo(f"Asking: {_said(progress)}", err=True)

    def end(self) -> None:
        """Leave the lines where they are."""


class _Bar:
    """Progress as a bar that takes one line and goes when it is done."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._width = 0

    def show(self, progress: Sequence[Progress]) -> None:
        """Draw the bar, unless all is done at once."""
        if time.monotonic() - self._start < 0.3:
            return
        filled = round(_BAR * sum(one.share for one in progress) / len(progress))
        self._draw(f"Asking [{'#' * filled}{'-' * (_BAR - filled)}] {_said(progress)}")

    def end(self) -> None:
        """Clear the line."""
        if self._width:
            self._draw("")
            click.echo("\r", nl=False, err=True)

    def _draw(self, text: str) -> None:
        click.echo(f"\r{text:{self._width}}", nl=False, err=True)
        self._width = len(text)
