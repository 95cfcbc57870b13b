"""Programs on the command line: asked with a progress bar, and made engines of."""

import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import click

from webapp.analysis.simulate import Sample, sample
from webapp.core.board import Board
from webapp.engines.base import Engine
from webapp.programs import minds
from webapp.programs.files import CannotLoad, Program
from webapp.programs.tabulate import Asking, Tabulation, tabulate

Named = Engine | Program
"""What the command line names: an engine, or a program that has yet to be asked."""

SAMPLE = 1_000
"""The games of a sample."""

SECONDS = 10.0
"""The seconds that a sample may be played."""

_AT_ONCE = 0.3  # seconds without a bar
_SILENCE = 15  # seconds without a line where there is no terminal for a bar
_BAR = 20  # characters


class Mind(NamedTuple):
    """An engine, and what was found when it was asked if it is a program.

    :param known: what a program answered
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
    made = dict(zip(programs, _minds(ask(programs)), strict=True))
    return [made[one] if isinstance(one, Program) else Mind(one) for one in named]


def sound(*named: Named) -> list[Engine]:
    """Make engines; each answers on every board that it can meet in a game."""
    found = asked(*named)
    for mind in found:
        if mind.fault:
            raise click.ClickException(mind.fault)
    return [mind.engine for mind in found]


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
    stack = click.get_current_context().with_resource(ExitStack())
    known = []
    for one in answers:
        if isinstance(one, CannotLoad):
            raise one
        known.append(one)
    return [
        Mind(
            minds.live_engine(one.program, one.doubt, slug, name, stack)
            if one.doubt
            else minds.exact_engine(one, slug, name),
            one,
        )
        for one, (slug, name) in zip(known, minds.named(one.program for one in known), strict=True)
    ]


def ask(programs: Sequence[Program], *, every: bool = False) -> list[Tabulation | CannotLoad]:
    """Ask programs about all positions that they can meet, or about every one; show progress."""
    if not programs:
        return []
    progress = _Progress()
    try:
        return tabulate(programs, every=every, glance=progress.show)
    finally:
        progress.draw("")


class _Progress:
    """On a terminal a bar that goes when it is done; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._is_bar = sys.stderr.isatty()
        self._next = time.monotonic() + (_AT_ONCE if self._is_bar else _SILENCE)
        self._width = 0

    def show(self, asking: Sequence[Asking]) -> None:
        """Say how far it is, unless it is done soon."""
        if time.monotonic() < self._next:
            return
        if self._is_bar:
            filled = round(_BAR * sum(one.share for one in asking) / len(asking))
            self.draw(f"Asking [{'#' * filled}{'-' * (_BAR - filled)}] {_said(asking)}")
        else:
            self._next = time.monotonic() + _SILENCE
            click.echo(f"Asking: {_said(asking)}", err=True)

    def draw(self, text: str) -> None:
        """Draw the bar, or clear its line."""
        if text or self._width:
            end = "" if text else "\r"
            click.echo(f"\r{text:{self._width}}{end}", nl=False, err=True)
            self._width = len(text)


def _said(asking: Sequence[Asking]) -> str:
    """Say what is being asked at the moment."""
    done = f"{sum(one.share == 1 for one in asking)} of {len(asking)} done"
    for one in asking:
        if one.share < 1 and one.board:
            now = f"{one.program.file.name} about {one.board}"
            return now if len(asking) == 1 else f"{done}, now {now}"
    return done
