"""Servers to measure: started on a free port of this computer, stopped in any case."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Synchronous = Literal["FULL", "NORMAL"]

ROOT = Path(__file__).resolve().parents[2]
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
_PATIENCE = 30.0
_PROC = Path("/proc")


class BenchError(Exception):
    """Something that would make the figures worthless; the message says what."""


@dataclass(frozen=True)
class Server:
    """A server that runs: its port, and the processes that it consists of."""

    port: int
    pids: tuple[int, ...]

    def cpu_seconds(self) -> float:
        """Return the processor time used so far; 0 where the system does not tell."""
        if not self.pids:
            return 0.0
        return sum(_ticks(pid) for pid in self.pids) / os.sysconf("SC_CLK_TCK")


@contextmanager
def bare() -> Iterator[Server]:
    """Serve the bare Flask route with one worker."""
    with _running("tests.bench.bare", env=_environment()) as server:
        yield server


@contextmanager
def game(data: Path, synchronous: Synchronous, workers: int) -> Iterator[Server]:
    """Serve the game as ``script/server`` does, keeping the games in this folder."""
    options = ("serve", "--host=127.0.0.1", "--port=0", f"--workers={workers}", f"--data={data}")
    # One address asks faster here than any class does.
    environment = {**_environment(), "TTT_SYNCHRONOUS": synchronous, "TTT_LIMITS": "off"}
    with _running("webapp.cli", *options, env=environment) as server:
        yield server


def _environment() -> dict[str, str]:
    """The environment without the user's settings of the game."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TTT_")}


@contextmanager
def _running(module: str, *options: str, env: dict[str, str]) -> Iterator[Server]:
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as main:
        try:
            yield Server(_port(main), _family(main.pid))
        finally:
            main.terminate()
            try:
                main.wait(10)
            except subprocess.TimeoutExpired:
                main.kill()  # its workers stop by themselves


def _port(main: subprocess.Popen[str]) -> int:
    """Wait for the line in which a server says its address."""
    assert main.stdout is not None
    alarm = threading.Timer(_PATIENCE, main.kill)
    alarm.start()
    try:
        for line in main.stdout:
            if found := _ADDRESS.search(line):
                return int(found[1])
    finally:
        alarm.cancel()
    raise BenchError("A server to measure did not start.")


def machine_cpu_seconds() -> float:
    """Return the processor time that the whole computer has used; 0 if the system does not tell."""
    try:
        line, _, _ = (_PROC / "stat").read_text(encoding="ascii").partition("\n")
    except OSError:
        return 0.0
    user, nice, system, _idle, _waiting, interrupts, softly, stolen, *_ = map(int, line.split()[1:])
    busy = user + nice + system + interrupts + softly + stolen
    return busy / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> tuple[int, ...]:
    """A process and those that it started, as far as the system tells."""
    parents: dict[int, int] = {}
    for folder in _PROC.glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(_stat(int(folder.name))[1])
        except OSError:
            continue  # ended meanwhile
    if pid not in parents:
        return ()
    family = [pid]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    return tuple(family)


def _ticks(pid: int) -> int:
    """Processor time of a process, its threads included, in the system's clock ticks."""
    fields = _stat(pid)
    return int(fields[11]) + int(fields[12])


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/<pid>/stat`` after the name: state, parent, and so on."""
    return (_PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
