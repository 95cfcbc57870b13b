"""``script/bench``: measures, and prints Markdown on stdout and its progress on stderr."""

import argparse
import asyncio
import gc
import os
import platform
import selectors
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tests.bench.live import live
from tests.bench.measured import Make, Part, table
from tests.bench.moves import COLUMNS, speed
from tests.bench.patience import PLAYERS, pace, patience
from tests.support.postgres import cluster
from webapp.config import Settings

_SPREAD = "p50 | p99 | longest"
_PARTS: dict[str, tuple[Part, str]] = {
    "speed": (speed, f"as fast as it goes | {COLUMNS}"),
    "pace": (pace, f"at their pace | {_SPREAD} | of one core | MiB a process"),
    "patience": (patience, f"{PLAYERS} players, beside | {_SPREAD} | answered / refused there"),
    "live": (
        live,
        f"from a move to the other one's page | {_SPREAD} | of one core | without moves | MiB",
    ),
}


def main(options: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="script/bench",
        description="Measures how fast the server answers; prints Markdown. "
        "Takes ten minutes. Nothing else should be running.",
    )
    parser.add_argument("--quick", action="store_true", help="a minute or two, for a first look")
    parser.add_argument("--only", choices=_PARTS, help="one part of it")
    chosen, failed = parser.parse_args(options), False
    system = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    print(f"{system}; the load of the computer before was {os.getloadavg()[0]:.1f}.")
    with _databases() as databases:
        for name in [chosen.only] if chosen.only else _PARTS:
            (part, heads), rows, start = _PARTS[name], [], time.monotonic()
            # The default one counts whole milliseconds, but has room for more than 1,024 files.
            selector = selectors.DefaultSelector if name == "live" else selectors.SelectSelector
            try:
                for kind, make in databases.items():
                    loop = partial(asyncio.SelectorEventLoop, selector())
                    with asyncio.Runner(loop_factory=loop) as runner:
                        found = runner.run(part(make, chosen.quick))
                    rows += [[f"{kind}, {title}", *figures] for title, *figures in found]
            except* (AssertionError, EOFError, OSError) as error:
                failed = True
                print(f"script/bench: {name}: {error!r}", file=sys.stderr)
            print(f"\n{table(heads, rows)}", flush=True)
            print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return int(failed)


@contextmanager
def _databases() -> Iterator[dict[str, Make]]:
    """Databases of both kinds in a folder that goes away; SQLite alone without PostgreSQL."""
    with ExitStack() as stack:
        where = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))

        def settings(url: str | None = None) -> Settings:
            return Settings(data=Path(tempfile.mkdtemp(dir=where)), database_url=url)

        found: dict[str, Make] = {"SQLite": settings}
        try:
            school = stack.enter_context(cluster(durable=True))
            found["PostgreSQL"] = lambda: settings(school.database())
        except FileNotFoundError:
            print("There is no PostgreSQL here; it is left out.", file=sys.stderr)
        yield found


if __name__ == "__main__":
    gc.disable()  # or it would be measured as well
    sys.exit(main())
