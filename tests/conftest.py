from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support.programs import needs

if TYPE_CHECKING:
    from tests.support.people import Clock
    from tests.support.postgres import Cluster
    from tests.support.races import Race
    from tests.support.visitor import Site, Visitor


NO_SKIPS = os.environ.get("TTT_NO_SKIPS") == "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="faults and loads as often as is promised")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: what finds faults seldom, and runs with --long alone")
    # Two short runs try the same examples; new ones are looked for with --long.
    short = not config.getoption("--long")
    settings.register_profile("tests", derandomize=short, deadline=None)
    settings.load_profile("tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked as long, but for ``--long``; it does not count as skipped."""
    if not config.getoption("--long"):
        out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if NO_SKIPS and report.skipped:
        report.outcome, report.longrepr = "failed", f"Nothing may be skipped: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            terminalreporter.line(f"{name}: {value}")


@pytest.fixture(scope="session")
def times(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """How often to do something: the first number on every run, the second with ``--long``."""
    return lambda short, long: long if request.config.getoption("--long") else short


@pytest.fixture(scope="session")
def race() -> Iterator[Race]:
    from tests.support.races import processes  # the whole application; most tests need less

    with processes() as race:
        yield race


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    from tests.support.postgres import cluster

    needs("initdb")
    with cluster() as server:
        yield server


@pytest.fixture
def alice(site: Site) -> Visitor:
    return site.visitor()


@pytest.fixture
def bob(site: Site) -> Visitor:
    return site.visitor()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """The address of an empty database, of either kind in turn; ``None`` is the data folder's."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres").database()


@pytest.fixture(params=["sqlite", "postgres"])
def emptied_url(request: pytest.FixtureRequest) -> str | None:
    """Likewise, but on PostgreSQL the tables are there already, without rows: that is quicker."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres").emptied()


@pytest.fixture
def clock(site: Site) -> Clock:
    from tests.support.people import Clock

    return Clock(site)


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(
        "def first(board, mark):\n    return board.index('.')\n\n"
        "def broken(board, mark):\n    return {}[board]\n"
    )
    return file
