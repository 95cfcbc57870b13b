"""``script/bench``: measures, and prints Markdown on stdout and its progress on stderr."""

import argparse
import asyncio
import gc
import os
import platform
import random
import selectors
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tests.bench.minds import minds
from tests.bench.moves import speed
from tests.bench.patience import pace, patience
from tests.bench.people import lesson
from tests.bench.plan import LONG, QUICK, Databases, Plan, progress
from tests.bench.servers import BenchError
from tests.bench.stored import growth, memory, veterans
from tests.bench.tournament import tournament
from tests.support.postgres import cluster
from webapp.config import Settings

_PARTS: dict[str, Callable[[Plan, Databases], Coroutine[None, None, str]]] = {
    part.__name__: part
    for part in (speed, pace, patience, lesson, tournament, growth, veterans, memory, minds)
}
_WITHOUT_POSTGRES = ("memory", "minds")
"""Parts that ask for no database, or for the first."""


def main(options: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="script/bench",
        description="Measures how fast the server answers; prints Markdown. "
        "Takes a quarter of an hour. Nothing else should be running.",
    )
    parser.add_argument("--quick", action="store_true", help="a minute or so, for a first look")
    parser.add_argument("--long", action="store_true", help="up to a million games stored")
    parser.add_argument("--only", choices=_PARTS, help="one part of it")
    chosen, start, failed = parser.parse_args(options), time.monotonic(), False
    plan = QUICK if chosen.quick else LONG if chosen.long else Plan()
    random.seed(9)
    with _databases(postgres=chosen.only not in _WITHOUT_POSTGRES) as databases:
        system = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
        print(f"{system}; the load of the computer before was {os.getloadavg()[0]:.1f}.")
        for name in [chosen.only] if chosen.only else _PARTS:
            # The default one counts whole milliseconds, but has room for more than 1,024 files.
            selector = selectors.DefaultSelector if name == "lesson" else selectors.SelectSelector
            loop = partial(asyncio.SelectorEventLoop, selector())
            try:
                with asyncio.Runner(loop_factory=loop) as runner:
                    print(f"\n{runner.run(_PARTS[name](plan, databases))}", flush=True)
            except (BenchError, OSError) as error:
                failed = True
                progress(f"script/bench: {name}: {error!r}")
    progress(f"Done in {time.monotonic() - start:.0f} s.")
    return int(failed)


@contextmanager
def _databases(*, postgres: bool) -> Iterator[Databases]:
    """Databases of both kinds in a folder that goes away; SQLite alone without PostgreSQL."""
    with ExitStack() as stack:
        # Removed without a fuss: the last worker may still be closing its files.
        where = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))

        def settings(url: str | None = None) -> Settings:
            return Settings(data=Path(tempfile.mkdtemp(dir=where)), database_url=url)

        found: Databases = {"SQLite": settings}
        if not postgres:
            yield found
            return
        try:
            school = stack.enter_context(cluster(durable=True))
        except FileNotFoundError:
            progress("There is no PostgreSQL here; it is left out.")
        else:
            found["PostgreSQL"] = lambda: settings(school.database())
        yield found


if __name__ == "__main__":
    gc.disable()  # or it would be measured as well
    sys.exit(main())
