"""``script/bench``: measures, and prints Markdown on stdout and its progress on stderr."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench import growth, minds, report, servers
from tests.bench.arrivals import Arrivals, arrive
from tests.bench.growth import Stored
from tests.bench.live import Live, play
from tests.bench.measure import Latency, Throughput, at_a_rate, back_to_back, compare
from tests.bench.report import Case
from tests.bench.servers import BenchError, Server
from webapp.config import Settings

Measure = Callable[[Server], Latency]


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    :param rounds: of a comparison, as far as there are seconds left for another; in each, so
        many requests on each connection
    :param runs: of each work of the engines
    :param cases: whom to let play, and how
    :param live: games between two people at once, and for how many seconds
    :param arrivals: people who arrive, and within how many seconds
    :param stored: how many games there are already; the first is what the others are compared with
    :param growing: seconds for that comparison
    :param many: moves after which a worker's memory is looked at again
    """

    rounds: int
    seconds: float
    bare: int
    moves: int
    runs: int
    cases: tuple[tuple[str, Measure], ...]
    live: tuple[int, float]
    arrivals: tuple[int, float]
    stored: tuple[int, ...]
    growing: float
    many: int


CROWD = "300 players, 100 moves/s"
LAB = "300 players, 100 moves/s, one at the lab"
FULL_PLAN = Plan(
    rounds=40,
    seconds=45,
    bare=200,
    moves=20,
    runs=5,
    cases=(
        (CROWD, partial(at_a_rate, players=300, rate=100, seconds=12)),
        ("30 players, 20 moves/s", partial(at_a_rate, players=30, rate=20, seconds=7)),
        ("1 player, 5 moves/s", partial(at_a_rate, players=1, rate=5, seconds=7)),
        # The last, because what the lab keeps in memory stays there.
        (LAB, partial(at_a_rate, players=300, rate=100, seconds=12, beside_the_lab=True)),
    ),
    live=(300, 15),
    arrivals=(30, 5),
    stored=(1_000, 100_000, 1_000_000),
    growing=20,
    many=100_000,
)
QUICK_PLAN = Plan(
    rounds=4,
    seconds=4,
    bare=100,
    moves=10,
    runs=1,
    cases=(
        (CROWD, partial(at_a_rate, players=300, rate=100, seconds=1.5)),
        (LAB, partial(at_a_rate, players=300, rate=100, seconds=1.5, beside_the_lab=True)),
    ),
    live=(30, 2),
    arrivals=(10, 1.5),
    stored=(1_000, 20_000),
    growing=3,
    many=2_000,
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="script/bench",
        description="Measures how fast the server answers moves; prints Markdown for the README. "
        "Takes about ten minutes, most of the third part. Nothing else should be running.",
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
    with (
        tempfile.TemporaryDirectory(prefix="tictactoe-", ignore_cleanup_errors=True) as folder,
        _databases(Path(folder)) as empty,
    ):
        lines = _comparison(plan, empty)
        cases = _cases(plan, empty)
        arrivals, live = _class(plan, empty["SQLite"])
        stored = _growth(plan, empty)
        memory = _memory(plan, empty["SQLite"])
    _progress("The engines' own work.")
    works = [(work, minds.seconds(work, plan.runs)) for work in minds.WORKS]
    _progress(f"Done in {time.monotonic() - start:.0f} s.")
    crowds = [case for case in cases if case.players in (CROWD, LAB)]
    verdicts = (
        report.verdict(lines, crowds),
        report.class_verdict(live, arrivals),
        report.growth_verdict(stored, memory),
    )
    parts = (
        report.machine(),
        report.throughput(lines),
        report.latency(cases),
        report.at_the_lab(cases),
        report.live(live),
        report.arriving(arrivals),
        report.growth(stored),
        report.memory(memory),
        report.thinking(works),
        report.trust(lines, cases),
        "\n".join(verdicts),
    )
    return "\n\n".join(parts)


Empty = dict[str, Callable[[], Settings]]
"""By the name of a database: makes an empty one."""


@contextmanager
def _databases(folder: Path) -> Iterator[Empty]:
    """Databases of both kinds; of SQLite alone where there is no PostgreSQL."""
    numbers = iter(range(1_000_000))

    def data() -> Path:
        path = folder / str(next(numbers))
        path.mkdir()
        return path

    with ExitStack() as stack:
        found: Empty = {
            "SQLite": lambda: Settings(data=data()),
            "SQLite, `NORMAL`": lambda: Settings(data=data(), synchronous="NORMAL"),
        }
        try:
            cluster = stack.enter_context(servers.postgres())
        except FileNotFoundError:
            _progress("There is no PostgreSQL here; it is left out.")
        else:
            found["PostgreSQL"] = lambda: Settings(data=data(), database_url=cluster.database())
        yield found


def _both(empty: Empty) -> Iterator[tuple[str, Callable[[], Settings]]]:
    """SQLite as it is by default, and PostgreSQL."""
    return ((kind, make) for kind, make in empty.items() if "NORMAL" not in kind)


def _comparison(plan: Plan, empty: Empty) -> list[Throughput]:
    """Compare moves with the bare route, on one worker and on two."""
    _progress(f"Moves against the bare route, {plan.rounds} rounds.")
    with ExitStack() as stack:
        lines = []
        for workers in (1, 2):
            some = report.workers(workers)
            running = stack.enter_context(servers.bare(workers))
            bare = Throughput(f"bare Flask route, {some}", running, bare=True)
            lines.append(bare)
            for kind, make in empty.items() if workers == 1 else _both(empty):
                running = stack.enter_context(servers.game(make(), workers))
                lines.append(Throughput(f"move, {kind}, {some}", running, bare))
                if kind == "SQLite" and workers == 1:
                    title = f"move, {kind}, {some}, not compressed"
                    lines.append(Throughput(title, running, bare, gzip=False))
        compare(lines, plan.rounds, plan.bare, plan.moves, plan.seconds)
    return lines


def _cases(plan: Plan, empty: Empty) -> list[Case]:
    cases = []
    for kind, make in _both(empty):
        for workers in (1, 2):
            with servers.game(make(), workers) as server:
                back_to_back(server, 50)  # each worker compiles its templates and statements
                at_a_rate(server, players=20, rate=100, seconds=0.5)
                for players, measure in plan.cases:
                    if players == LAB and workers == 1:
                        continue  # whoever has a lab open for a crowd needs a second worker
                    title = f"{kind}, {report.workers(workers)}"
                    _progress(f"{title}: {players}.")
                    cases.append(Case(players, title, measure(server)))
    return cases


def _class(plan: Plan, make: Callable[[], Settings]) -> tuple[Arrivals, Live]:
    """Let a class play itself, on a server as anybody starts it and that nobody has asked yet."""
    with servers.game(make(), workers=2) as server:
        _progress("{} players arrive within {} s.".format(*plan.arrivals))
        arrivals = arrive(server, *plan.arrivals)
        _progress("{} live games for {} s.".format(*plan.live))
        return arrivals, play(server, *plan.live)


def _growth(plan: Plan, empty: Empty) -> list[Stored]:
    """Compare servers that have few games and very many."""
    found = []
    for kind, make in _both(empty):
        all_settings = []
        for number in plan.stored:
            _progress(f"{kind}: storing {number:,} games.")
            all_settings.append(make())
            growth.fill(all_settings[-1], number)
        _progress(f"{kind}: moves among them.")
        found += growth.measure(kind, plan.stored, all_settings, plan.moves, plan.growing)
    return found


def _memory(plan: Plan, make: Callable[[], Settings]) -> growth.Memory:
    with servers.game(make(), workers=1) as server:
        _progress(f"{plan.many:,} moves at one worker.")
        return growth.many_moves(server, plan.many)


def _progress(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
