"""Runs of puzzles: what counts in them, and what is kept."""

from __future__ import annotations

import datetime as dt
import time

from tests.support.people import Clock
from webapp.analysis.puzzles import Puzzle
from webapp.core.game import digits, moves_to
from webapp.service import players, puzzles
from webapp.service.site import Site as Service
from webapp.store.runs import MISTAKES, Run

ALICE = "a" * 64


def solve(host: Service, puzzle: Puzzle, *, right: bool = True) -> Run | None:
    wrong = next(cell for cell in puzzle.board.legal_moves if cell not in puzzle.right)
    cell = puzzle.right[0] if right else wrong
    return puzzles.answer(host, ALICE, digits(moves_to(puzzle.board)), cell)


def test_a_run_gets_ever_harder_until_three_mistakes_and_its_best_is_kept(host: Service) -> None:
    plies = []
    for number in range(20):
        run, puzzle = puzzles.run(host, ALICE)
        assert (run.right, run.wrong) == (number, 0)
        plies.append(puzzle.plies)
        assert solve(host, puzzle)
    assert plies == sorted(plies)
    assert (plies[0], plies[-1]) == (1, 6)
    for mistakes in range(1, MISTAKES + 1):
        after = solve(host, puzzles.run(host, ALICE)[1], right=False)
        assert after
        assert (after.right, after.wrong, after.over) == (20, mistakes, mistakes == MISTAKES)
    assert solve(host, puzzles.run(host, ALICE)[1]) is None, "it is over"
    again, puzzle = puzzles.run(host, ALICE, again=True)
    assert (again.right, again.wrong, again.best) == (0, 0, 20)
    after = solve(host, puzzle)
    assert after
    assert after.best == 20


def test_an_answer_counts_once(host: Service) -> None:
    _run, puzzle = puzzles.run(host, ALICE)
    assert solve(host, puzzle)
    assert solve(host, puzzle, right=False) is None
    run, _puzzle = puzzles.run(host, ALICE)
    assert (run.right, run.wrong) == (1, 0)


def test_a_page_that_is_loaded_again_shows_the_same_puzzle(host: Service) -> None:
    assert puzzles.run(host, ALICE) == puzzles.run(host, ALICE)
    assert puzzles.run(host, ALICE, again=True) == puzzles.run(host, ALICE)


def test_the_run_goes_with_its_player(host: Service) -> None:
    solve(host, puzzles.run(host, ALICE)[1])
    players.forget(host, ALICE)
    assert puzzles.run(host, ALICE)[0].best == 0


def test_todays_puzzle_changes_at_midnight(host: Service, clock: Clock) -> None:
    today = puzzles.todays(host)
    assert puzzles.todays(host) == today
    now = dt.datetime.fromtimestamp(clock(), dt.UTC).astimezone()
    to_midnight = 86400 - (now.hour * 3600 + now.minute * 60 + now.second)
    clock.goes_on(to_midnight - 1)
    assert puzzles.todays(host) == today
    clock.goes_on(3601 if time.daylight else 1)
    assert puzzles.todays(host).board != today.board
