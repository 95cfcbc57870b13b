"""``script/bench``: measures, and prints Markdown on stdout and its progress on stderr."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench import minds, report, servers
from tests.bench.arrivals import Arrivals, arrive
from tests.bench.live import Live, play
from tests.bench.measure import Latency, Throughput, at_a_rate, back_to_back, compare
from tests.bench.report import Case
from tests.bench.servers import BenchError, Server, Synchronous

SYNCHRONOUS: tuple[Synchronous, ...] = ("NORMAL", "FULL")
Measure = Callable[[Server], Latency]


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    :param rounds: of the comparison, as far as there are seconds left for another; in each, so
        many requests on each connection
    :param runs: of each work of the engines
    :param cases: whom to let play, and how
    :param live: games between two people at once, and for how many seconds
    :param arrivals: people who arrive, and within how many seconds
    """

    rounds: int
    seconds: float
    bare: int
    moves: int
    runs: int
    cases: tuple[tuple[str, Measure], ...]
    live: tuple[int, float]
    arrivals: tuple[int, float]


CROWD = "300 players, 100 moves/s"
LAB = "300 players, 100 moves/s, one at the lab"
FULL_PLAN = Plan(
    rounds=40,
    seconds=45,
    bare=200,
    moves=30,
    runs=5,
    cases=(
        (CROWD, partial(at_a_rate, players=300, rate=100, seconds=15)),
        ("30 players, 20 moves/s", partial(at_a_rate, players=30, rate=20, seconds=10)),
        ("1 player, 5 moves/s", partial(at_a_rate, players=1, rate=5, seconds=10)),
        ("1 player, without a pause", partial(back_to_back, moves=1000)),
        # The last, because what the lab keeps in memory stays there.
        (LAB, partial(at_a_rate, players=300, rate=100, seconds=15, beside_the_lab=True)),
    ),
    live=(300, 15),
    arrivals=(30, 5),
)
QUICK_PLAN = Plan(
    rounds=4,
    seconds=4,
    bare=100,
    moves=10,
    runs=1,
    cases=(
        (CROWD, partial(at_a_rate, players=300, rate=100, seconds=1.5)),
        ("1 player, without a pause", partial(back_to_back, moves=100)),
        (LAB, partial(at_a_rate, players=300, rate=100, seconds=1.5, beside_the_lab=True)),
    ),
    live=(30, 2),
    arrivals=(10, 1.5),
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="script/bench",
        description="Measures how fast the server answers moves; prints Markdown for the README. "
        "Takes less than four minutes. Nothing else should be running.",
    )
    parser.add_argument("--quick", action="store_true", help="a few seconds, for a first look")
    arguments = parser.parse_args()
    try:
        print(bench(QUICK_PLAN if arguments.quick else FULL_PLAN))
    except (BenchError, OSError) as error:
        print(f"script/bench: {error}", file=sys.stderr)
        return 1
    return 0


def bench(plan: Plan) -> str:
    """Measure everything; return it as Markdown."""
    start = time.monotonic()
    # Removed without a fuss: the last worker may still be closing its files.
    with tempfile.TemporaryDirectory(prefix="tictactoe-", ignore_cleanup_errors=True) as folder:
        bare, *moves = _comparison(plan, Path(folder))
        cases = _cases(plan, Path(folder))
        arrivals, live = _class(plan, Path(folder))
    _progress("The engines' own work.")
    works = [(work, minds.seconds(work, plan.runs)) for work in minds.WORKS]
    _progress(f"Done in {time.monotonic() - start:.0f} s.")
    crowds = [case for case in cases if case.players in (CROWD, LAB)]
    parts = (
        report.machine(),
        report.throughput(bare, moves),
        report.latency(cases),
        report.at_the_lab(cases),
        report.live(live),
        report.arriving(arrivals),
        report.thinking(works),
        report.trust((bare, *moves), cases),
        f"{report.verdict(moves[0], bare, crowds)}\n{report.class_verdict(live, arrivals)}",
    )
    return "\n\n".join(parts)


def _comparison(plan: Plan, folder: Path) -> list[Throughput]:
    """Compare moves with the bare route: first line bare, second ``NORMAL`` as browsers ask."""
    _progress(f"One worker: moves against the bare route, {plan.rounds} rounds.")
    with ExitStack() as stack:
        lines = [Throughput("bare Flask route", stack.enter_context(servers.bare()), bare=True)]
        for synchronous in SYNCHRONOUS:
            server = servers.game(folder / f"one-{synchronous}", synchronous, workers=1)
            running = stack.enter_context(server)
            lines.append(Throughput(f"move, `{synchronous}`", running))
            title = f"move, `{synchronous}`, not compressed"
            lines.append(Throughput(title, running, gzip=False))
        compare(lines, plan.rounds, plan.bare, plan.moves, plan.seconds)
    return lines


def _cases(plan: Plan, folder: Path) -> list[Case]:
    cases = []
    for synchronous in SYNCHRONOUS:
        with servers.game(folder / f"two-{synchronous}", synchronous, workers=2) as server:
            back_to_back(server, 50)  # both workers compile their templates and statements
            at_a_rate(server, players=20, rate=100, seconds=0.5)
            for players, measure in plan.cases:
                _progress(f"Two workers, {synchronous}: {players}.")
                cases.append(Case(players, synchronous, measure(server)))
    return cases


def _class(plan: Plan, folder: Path) -> tuple[Arrivals, Live]:
    """Let a class play itself, on a server as anybody starts it and that nobody has asked yet."""
    with servers.game(folder / "class", "FULL", workers=2) as server:
        _progress("Two workers, FULL: {} players arrive within {} s.".format(*plan.arrivals))
        arrivals = arrive(server, *plan.arrivals)
        _progress("Two workers, FULL: {} live games for {} s.".format(*plan.live))
        return arrivals, play(server, *plan.live)


def _progress(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
