"""Programs on the command line: asked, with a line of progress, and made into engines."""

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import click

from webapp.core.board import Board
from webapp.engines.base import Engine
from webapp.programs import minds
from webapp.programs.files import CannotLoad, Program, printable
from webapp.programs.tabulate import Asking, Tabulation, tabulate
from webapp.service.league import Entrant

Named = Engine | Program  # what the command line names; a program has yet to be asked

_PROGRESS_S = 2


def entrants(*named: Named) -> list[Entrant]:
    """Make engines, or raise :class:`CannotLoad`; live engines play until the command ends."""
    programs = list(dict.fromkeys(item for item in named if isinstance(item, Program)))
    made = dict(zip(programs, _entrants(ask(programs)), strict=True))
    return [made[item] if isinstance(item, Program) else Entrant(item) for item in named]


def ask_about(named: Named, board: Board) -> Engine:
    """Make an engine that knows at least this board."""
    if isinstance(named, Engine):
        return named
    return _entrants(tabulate([named], boards=[board]))[0].engine


def _entrants(answers: Iterable[Tabulation | CannotLoad]) -> list[Entrant]:
    stack, tabulations = click.get_current_context().with_resource(ExitStack()), []
    for tabulation in answers:
        if isinstance(tabulation, CannotLoad):
            raise tabulation
        tabulations.append(tabulation)
    names = minds.named(known.program for known in tabulations)
    return [
        Entrant(minds.engine_of(known, *name, stack), known)
        for known, name in zip(tabulations, names, strict=True)
    ]


def ask(programs: Sequence[Program], *, every: bool = False) -> list[Tabulation | CannotLoad]:
    """Ask as :func:`tabulate` does, and print the progress."""
    due = time.monotonic() + _PROGRESS_S

    def glance(asking: Sequence[Asking]) -> None:
        nonlocal due
        if time.monotonic() > due:
            due = time.monotonic() + _PROGRESS_S
            click.echo(_progress(asking), err=True)

    return tabulate(programs, every=every, glance=glance)


def _progress(asking: Sequence[Asking]) -> str:
    text = f"Asking: {sum(run.done for run in asking) // 2} of {len(asking) // 2} done"
    if now := next((run for run in asking if run.board and not run.done), None):
        text += f", now {printable(now.program.file.name)} on {now.board}"
    return text
