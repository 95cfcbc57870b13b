"""Puzzles to solve alone: the day's, runs of ever harder ones, and exercises."""

import datetime as dt
from random import SystemRandom

import sqlalchemy as sa

from webapp import store
from webapp.analysis.puzzles import Puzzle, of_a_run, of_the_day
from webapp.service.players import save_preferences
from webapp.service.site import Site
from webapp.store.runs import Run

_DIGITS = 15  # digits of a player's id that seed the first run, until it is stored


def todays(site: Site) -> Puzzle:
    """Return the puzzle of the server's day, the same for everyone."""
    return of_the_day(dt.datetime.fromtimestamp(site.clock.today(), dt.UTC).astimezone().date())


def run(site: Site, player: str) -> tuple[Run, Puzzle]:
    """Return the player's run and its next puzzle; a first run is stored with its first answer."""
    with site.database.read() as connection:
        run = _of(connection, player)
    return run, _next(run)


def run_again(site: Site, player: str) -> None:
    """Begin another run, if the last one is over."""
    with site.database.write(player) as connection:
        last = _of(connection, player)
        if last.over:
            save_preferences(site, connection, player)
            seed = SystemRandom().randrange(2**62)
            store.runs.save(connection, player, last._replace(seed=seed, right=0, wrong=0))


def _of(connection: sa.Connection, player: str) -> Run:
    return store.runs.of(connection, player) or Run(int(player[:_DIGITS], 16))


def _next(run: Run) -> Puzzle:
    return of_a_run(run.seed, run.right + run.wrong)


def answer(site: Site, player: str, moves: str, cell: int) -> Run | None:
    """Count an answer if ``moves`` lead to the next puzzle; return the run after it."""
    with site.database.write(player) as connection:
        before = _of(connection, player)
        if before.over or _next(before).moves != moves:
            return None
        right = cell in _next(before).right
        solved = before.right + right
        after = before._replace(
            right=solved, wrong=before.wrong + (not right), best=max(before.best, solved)
        )
        save_preferences(site, connection, player)
        store.runs.save(connection, player, after)
    return after


def done(site: Site, player: str, exercise: int) -> Run:
    """Remember that the exercise of this number is done; return the player's run."""
    with site.database.write(player) as connection:
        before = _of(connection, player)
        after = before._replace(exercises=before.exercises | 1 << exercise)
        if after != before:
            save_preferences(site, connection, player)
            store.runs.save(connection, player, after)
    return after
