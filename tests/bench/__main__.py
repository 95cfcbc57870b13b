"""``script/bench``: measures, and prints Markdown on stdout and its progress on stderr."""

import argparse
import asyncio
import gc
import os
import platform
import random
import selectors
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path

from tests.bench.minds import minds
from tests.bench.moves import speed
from tests.bench.pace import pace
from tests.bench.people import lesson
from tests.bench.plan import LONG, QUICK, Databases, Plan, progress
from tests.bench.servers import BenchError
from tests.bench.stored import growth, memory, veterans
from tests.support.postgres import cluster
from webapp.config import Settings

_PARTS: dict[str, Callable[[Plan, Databases], Awaitable[str]]] = {
    part.__name__: part for part in (speed, pace, lesson, growth, veterans, memory, minds)
}


def main(options: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="script/bench",
        description="Measures how fast the server answers; prints Markdown for the README. "
        "Takes six minutes. Nothing else should be running.",
    )
    parser.add_argument("--quick", action="store_true", help="a minute or so, for a first look")
    parser.add_argument("--long", action="store_true", help="up to a million games stored")
    parser.add_argument("--only", choices=_PARTS, help="one part of it")
    chosen, start = parser.parse_args(options), time.monotonic()
    plan = QUICK if chosen.quick else LONG if chosen.long else Plan()
    random.seed(9)
    # Not the loop's default selector, which counts whole milliseconds.
    loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        try:
            runner.run(_bench(plan, [chosen.only] if chosen.only else list(_PARTS)))
        except (BenchError, OSError) as error:
            print(f"script/bench: {error!r}", file=sys.stderr)
            return 1
    progress(f"Done in {time.monotonic() - start:.0f} s.")
    return 0


async def _bench(plan: Plan, parts: Sequence[str]) -> None:
    with _databases() as databases:
        print(
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before, {platform.system()}, "
            f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
            f"granian {version('granian')}."
        )
        for part in parts:
            print(f"\n{await _PARTS[part](plan, databases)}", flush=True)


@contextmanager
def _databases() -> Iterator[Databases]:
    """Databases of both kinds in a folder that goes away; SQLite alone without PostgreSQL."""
    with ExitStack() as stack:
        # Removed without a fuss: the last worker may still be closing its files.
        folder = tempfile.TemporaryDirectory(prefix="tictactoe-", ignore_cleanup_errors=True)
        where = stack.enter_context(folder)
        found: Databases = {"SQLite": lambda: Settings(data=Path(tempfile.mkdtemp(dir=where)))}
        try:
            school = stack.enter_context(cluster(durable=True))
        except FileNotFoundError:
            progress("There is no PostgreSQL here; it is left out.")
        else:
            found["PostgreSQL"] = lambda: Settings(
                data=Path(tempfile.mkdtemp(dir=where)), database_url=school.database()
            )
        yield found


if __name__ == "__main__":
    gc.disable()  # or it would be measured as well
    sys.exit(main())
