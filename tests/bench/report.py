"""What was measured, as Markdown for the README."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from tests.bench.measure import Latency, Throughput, percentile
from tests.bench.minds import Work

GOAL_RATIO = 0.25
GOAL_P99 = 0.025


@dataclass(frozen=True)
class Case:
    """One line of the table of waiting times."""

    players: str
    synchronous: str
    latency: Latency


def machine() -> str:
    """Say what it was measured on, without a word that identifies it."""
    cores = os.cpu_count() or 1
    sync = f"{_sync_time() * 1e6:.0f} µs"
    return (
        f"{cores} {'core' if cores == 1 else 'cores'}, {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"granian {version('granian')}; forcing a write to the disk takes {sync}."
    )


def throughput(bare: Throughput, moves: Sequence[Throughput]) -> str:
    """Set the move route beside the bare one."""
    rows = []
    for line in (bare, *moves):
        by_cpu = bare.cpu_per_request / line.cpu_per_request if line.cpu_per_request else 0
        rows.append(
            (
                line.title,
                f"{line.rate:,.0f}",
                f"{line.ratio_to(bare):.2f}",
                f"{line.cpu_per_request * 1e6:,.0f}" if line.cpu_per_request else "?",
                f"{by_cpu:.2f}" if by_cpu else "?",
                f"{line.bytes_received / line.requests:,.0f}",
            )
        )
    heads = ("one worker", "requests/s", "ratio", "CPU µs/request", "ratio by CPU", "bytes")
    return _table(heads, rows)


def latency(cases: Iterable[Case]) -> str:
    """List how long moves took."""
    rows = []
    for case in cases:
        seconds, meter = case.latency.seconds, case.latency.meter
        rows.append(
            (
                f"{case.players}, `{case.synchronous}`",
                f"{len(seconds):,}",
                f"{percentile(seconds, 50) * 1e3:.1f} ms",
                f"{percentile(seconds, 99) * 1e3:.1f} ms",
                f"{max(seconds) * 1e3:.1f} ms",
                f"{meter.cpu / meter.wall:.0%}" if meter.cpu else "?",
            )
        )
    return _table(("two workers", "moves", "p50", "p99", "longest", "server, of one core"), rows)


def thinking(works: Iterable[tuple[Work, float]]) -> str:
    """List how long the engines' own work took."""
    rows = [
        (work.title, f"{took * 1e3:.0f} ms", f"{work.aim * 1e3:.0f} ms") for work, took in works
    ]
    return _table(("fresh process", "took", "aim"), rows)


def trust(lines: Sequence[Throughput], cases: Sequence[Case]) -> str:
    """Say what else the figures hold besides the server: the client, and other programs."""
    shares = [line.meter.client / line.meter.wall for line in lines]
    bare, most = f"{shares[0]:.0%}", f"{max(shares[1:]):.0%}"
    sentences = [f"The client used {bare} of a core for the bare route, at most {most} for moves."]
    late = [second for case in cases for second in case.latency.lateness]
    if late:
        sentences.append(
            f"It noticed half of the {len(late):,} dates for moves within "
            f"{percentile(late, 50) * 1e3:.1f} ms, 99% within {percentile(late, 99) * 1e3:.1f} ms."
        )
    meters = [line.meter for line in lines] + [case.latency.meter for case in cases]
    others = sum(meter.others for meter in meters) / sum(meter.wall for meter in meters)
    if others > 0:
        sentences.append(f"Other programs used {others:.0%} of a core meanwhile.")
    return " ".join(sentences)


def verdict(normal: Throughput, bare: Throughput, cases: Sequence[Case]) -> str:
    """Hold the figures against the aims."""
    ratio = normal.ratio_to(bare)
    sentences = [_aim(f"{GOAL_RATIO} of the bare route", f"{ratio:.2f}", ratio >= GOAL_RATIO)]
    for case in cases:
        p99 = percentile(case.latency.seconds, 99)
        what = f"p99 under {GOAL_P99 * 1e3:.0f} ms with {case.players}, `{case.synchronous}`"
        sentences.append(_aim(what, f"{p99 * 1e3:.1f} ms", p99 < GOAL_P99))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _aim(what: str, found: str, reached: bool) -> str:
    return f"{'Reached' if reached else 'Missed'}: {what}; here {found}."


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    marks = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, marks, *rows))


def _sync_time() -> float:
    """How long the system takes to bring a page of a file to the disk: what FULL waits for."""
    with tempfile.TemporaryFile() as file:
        times = []
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - start)
    return statistics.median(times)
