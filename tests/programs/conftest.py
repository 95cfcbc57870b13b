import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.conftest import plain_environment, run
from tests.support.patience import until
from webapp.programs.files import Program
from webapp.programs.tabulate import Tabulation, tabulate

__all__ = ["plain_environment", "run"]
Write: TypeAlias = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(source: str | bytes, name: str = "mine.py") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(source.encode() if isinstance(source, str) else source)
        return file

    return write


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a process lives on that a function has started, or that was started for one."""
    # Inherited by whatever a function starts; this process has it in no file.
    monkeypatch.setenv("STARTED_FOR", str(tmp_path))
    yield
    try:
        until(lambda: not started_for(tmp_path), "some are left behind")
    finally:
        for number in started_for(tmp_path):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


def started_for(folder: Path) -> dict[int, str]:
    """The processes that have this test's folder in their environment, by number."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        # It may end meanwhile, and nobody may look at other people's.
        with suppress(OSError):
            if f"STARTED_FOR={folder}\0".encode() in (process / "environ").read_bytes():
                found[int(process.name)] = (process / "cmdline").read_text("utf-8", "replace")
    return found


def known(file: Path, function: str = "", **more: object) -> Tabulation:
    (found,) = tabulate([Program(file, function)], **more)  # type: ignore[arg-type]
    assert isinstance(found, Tabulation), found
    return found
