"""Runs of puzzles: what counts in them, and what is kept."""

import datetime as dt
import time

from tests.service.conftest import ALICE, on_both
from tests.support.people import Clock
from webapp.service import players, puzzles
from webapp.service.site import Site as Service


@on_both
def test_a_run_shows_the_same_puzzle_again_and_goes_with_its_player(host: Service) -> None:
    seen = puzzles.run(host, ALICE)
    assert puzzles.run(host, ALICE) == seen
    puzzles.run_again(host, ALICE)
    assert puzzles.run(host, ALICE) == seen, "the first one is not over"
    puzzle = seen[1]
    assert puzzles.answer(host, ALICE, puzzle.moves, puzzle.right[0])
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
