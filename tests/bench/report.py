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

from tests.bench.arrivals import Arrivals
from tests.bench.growth import Memory, Stored
from tests.bench.live import PACE, Live
from tests.bench.measure import Latency, Throughput, percentile
from tests.bench.minds import Work

GOAL_RATIO = 0.25
GOAL_P99 = 0.025
# Of which one second may be the page's, until it asks for news.
GOAL_UPDATE = 1.2
GOAL_SHARE = 0.60
GOAL_ARRIVAL = 3.0
GOAL_GROWTH = 1.1
GOAL_CLASS = 0.050
GOAL_MEMORY = 80
GOAL_START = 1.0
# What the memory of a worker may differ by and still be called flat, in MiB.
_FLAT = 3.0
_MIB = 1024 * 1024


@dataclass(frozen=True)
class Case:
    """One line of the table of waiting times.

    :param server: its database and its workers
    """

    players: str
    server: str
    latency: Latency


def workers(number: int) -> str:
    """Say how many workers there are."""
    return "1 worker" if number == 1 else f"{number} workers"


def machine() -> str:
    """Say what it was measured on, without a word that identifies it."""
    cores = os.cpu_count() or 1
    sync = f"{_sync_time() * 1e6:.0f} µs"
    return (
        f"{cores} {'core' if cores == 1 else 'cores'}, {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"granian {version('granian')}; forcing a write to the disk takes {sync}."
    )


def throughput(lines: Sequence[Throughput]) -> str:
    """Set the move route beside the bare one."""
    rows = []
    for line in lines:
        beside = line.beside or line
        by_cpu = beside.cpu_per_request / line.cpu_per_request if line.cpu_per_request else 0
        rows.append(
            (
                line.title,
                f"{line.rate:,.0f}",
                f"{line.ratio:.2f}",
                f"{line.cpu_per_request * 1e6:,.0f}" if line.cpu_per_request else "?",
                f"{by_cpu:.2f}" if by_cpu else "?",
                f"{line.bytes_received / line.requests:,.0f}",
            )
        )
    heads = ("as fast as it goes", "requests/s", "ratio", "CPU µs/request", "ratio by CPU", "bytes")
    return _table(heads, rows)


def latency(cases: Iterable[Case]) -> str:
    """List how long moves took."""
    rows = []
    for case in cases:
        seconds, meter = case.latency.seconds, case.latency.meter
        share = f"{meter.cpu / meter.wall:.0%}" if meter.cpu else "?"
        memory = f"{case.latency.memory / _MIB:.0f}" if case.latency.memory else "?"
        title = f"{case.server}: {case.players}"
        rows.append((title, f"{len(seconds):,}", *_spread(seconds), share, memory))
        if case.latency.visit:
            pages = case.latency.visit.seconds
            rows.append(
                ("… the lab's pages meanwhile", f"{len(pages):,} pages", *_spread(pages), "", "")
            )
    heads = (
        "at their pace",
        "moves",
        "p50",
        "p99",
        "longest",
        "server, of one core",
        "MiB a worker",
    )
    return _table(heads, rows)


def _spread(seconds: Sequence[float]) -> tuple[str, str, str]:
    """Half of them, 99 of 100, and all of them took no longer than this."""
    if not seconds:
        return "?", "?", "?"
    figures = percentile(seconds, 50), percentile(seconds, 99), max(seconds)
    half, most, every = (f"{figure * 1e3:.1f} ms" for figure in figures)
    return half, most, every


def at_the_lab(cases: Iterable[Case]) -> str:
    """Say which pages took longest, and what else a move may have waited for: a core, the client.

    Empty if nobody was at the lab.
    """
    lines = []
    for case in cases:
        meter, visit = case.latency.meter, case.latency.visit
        if visit is None:
            continue
        longest = ", ".join(f"{kind} {took * 1e3:.0f} ms" for kind, took in visit.longest().items())
        share = (meter.cpu + meter.client + visit.cpu) / meter.wall
        late = percentile(case.latency.lateness, 99)
        lines.append(
            f"- At the lab, {case.server}, the longest of each kind: {longest}. Server and "
            f"clients used {share:.0%} of one core, of {os.cpu_count() or 1}; the players' client "
            f"noticed 99% of the dates for moves within {late * 1e3:.1f} ms."
        )
    return "\n".join(lines)


def live(found: Live) -> str:
    """Say how soon moves showed on the other one's page, and what that took."""
    meter, updates = found.meter, found.updates
    share = f"{meter.cpu / meter.wall:.0%}" if meter.cpu else "?"
    row = (
        live_title(found),
        f"{found.moves:,}",
        f"{len(updates):,}",
        *_spread(updates),
        f"{len(found.unchanged):,}",
        f"{len(found.changed):,}",
        share,
    )
    heads = (
        "two workers, from a move to the other one's page",
        "moves",
        "arrived",
        "p50",
        "p99",
        "longest",
        "polls: 204",
        "200",
        "server, of one core",
    )
    details = (
        f"Of which the server: 99% of the moves were answered within {_p99(found.answers)}, of the "
        f"polls with 204 within {_p99(found.unchanged)}, with 200 within {_p99(found.changed)}; "
        f"rematches begun: {found.rematches}. The client used {meter.client / meter.wall:.0%} of a "
        f"core, and noticed 99% of its dates within {_p99(found.lateness)}; other programs used "
        f"{max(0.0, meter.others / meter.wall):.0%}."
    )
    return f"{_table(heads, [row])}\n\n{details}"


def live_title(found: Live) -> str:
    """Say how many people play, and how fast."""
    rate = found.games / PACE
    return f"{found.games} live games, {2 * found.games} players, {rate:.0f} moves/s, `FULL`"


def _p99(seconds: Sequence[float]) -> str:
    return f"{percentile(seconds, 99) * 1e3:.1f} ms" if seconds else "?"


def arriving(found: Arrivals) -> str:
    """Say how soon everybody who arrived was playing."""
    row = (
        arriving_title(found),
        f"{len(found.playing)}",
        *(f"{figure:.2f} s" for figure in _half_and_all(found.loaded)),
        *(f"{figure:.2f} s" for figure in _half_and_all(found.playing)),
        f"{found.requests:,}",
        f"{found.taken}",
        f"{len(found.refusals)}",
    )
    heads = (
        "two workers, just started",
        "playing",
        "`/class` there: p50",
        "longest",
        "playing: p50",
        "longest",
        "requests",
        "seat just taken",
        "refused",
    )
    sentences = [f"- Refused: {sentence}" for sentence in sorted(set(found.refusals))]
    return "\n\n".join(filter(None, (_table(heads, [row]), "\n".join(sentences))))


def arriving_title(found: Arrivals) -> str:
    """Say how many arrive, and how fast."""
    return f"{found.people} players from one address within {found.within:g} s, `FULL`"


def _half_and_all(seconds: Sequence[float]) -> tuple[float, float]:
    nothing = float("nan")
    return (percentile(seconds, 50), max(seconds)) if seconds else (nothing, nothing)


def thinking(works: Iterable[tuple[Work, float]]) -> str:
    """List how long the engines' own work took."""
    rows = [
        (work.title, f"{took * 1e3:.0f} ms", f"{work.aim * 1e3:.0f} ms") for work, took in works
    ]
    return _table(("fresh process", "took", "aim"), rows)


def trust(lines: Sequence[Throughput], cases: Sequence[Case]) -> str:
    """Say what else the figures hold besides the server: the client, and other programs."""
    shares = {line.title: line.meter.client / line.meter.wall for line in lines}
    bare = f"{max(shares[line.title] for line in lines if line.bare):.0%}"
    most = f"{max(shares[line.title] for line in lines if not line.bare):.0%}"
    sentences = [
        f"The client used up to {bare} of a core for the bare route, at most {most} for moves."
    ]
    quiet = [case.latency for case in cases if case.latency.visit is None]
    late = [second for latency in quiet for second in latency.lateness]
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


def growth(stored: Iterable[Stored]) -> str:
    """Say what stored games cost."""
    rows = [
        (
            f"{one.kind}, {one.games:,} games",
            f"{one.line.rate:,.0f}",
            f"{1 / one.line.ratio:.2f}",
            *(f"{figure * 1e3:.1f} ms" for figure in _half_and_all(one.looks)),
            f"{one.started * 1e3:.0f} ms",
            f"{one.memory:.0f}",
        )
        for one in stored
    ]
    heads = (
        "one worker, so much stored",
        "moves/s",
        "cost of a move",
        "`/class`: p50",
        "longest",
        "start to answer",
        "MiB",
    )
    return _table(heads, rows)


def memory(found: Memory) -> str:
    """Say what a worker held after many moves."""
    return (
        f"A worker held {found.early:.1f} MiB after {found.moves / 10:,.0f} moves without a pause, "
        f"and {found.late:.1f} MiB after {found.moves:,}."
    )


def verdict(lines: Iterable[Throughput], cases: Sequence[Case]) -> str:
    """Hold the figures against the aims."""
    sentences = []
    for line in lines:
        if not line.bare:
            what = f"{GOAL_RATIO} of the bare route by a {line.title}"
            sentences.append(_aim(what, f"{line.ratio:.2f}", line.ratio >= GOAL_RATIO))
    for case in cases:
        p99 = percentile(case.latency.seconds, 99)
        what = f"p99 under {GOAL_P99 * 1e3:.0f} ms on {case.server}, {case.players}"
        sentences.append(_aim(what, f"{p99 * 1e3:.1f} ms", p99 < GOAL_P99))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def growth_verdict(stored: Sequence[Stored], found: Memory) -> str:
    """Hold what many games cost against the aims."""
    sentences = []
    for one in stored:
        cost, (half, _) = 1 / one.line.ratio, _half_and_all(one.looks)
        where = f"{one.kind} and {one.games:,} games"
        what = f"a move at {GOAL_GROWTH} times its cost with {where}"
        sentences.append(_aim(what, f"{cost:.2f}", cost <= GOAL_GROWTH))
        what = f"the class page under {GOAL_CLASS * 1e3:.0f} ms there"
        sentences.append(_aim(what, f"{half * 1e3:.1f} ms", half < GOAL_CLASS))
        what = f"an answer {GOAL_START:g} s after the start there"
        sentences.append(_aim(what, f"{one.started:.2f} s", one.started < GOAL_START))
    what = f"under {GOAL_MEMORY} MiB and flat over {found.moves:,} moves"
    flat = found.late < GOAL_MEMORY and found.late - found.early < _FLAT
    sentences.append(_aim(what, f"{found.early:.1f} and {found.late:.1f} MiB", flat))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def class_verdict(games: Live, arrivals: Arrivals) -> str:
    """Hold the figures of a class that plays itself against the aims."""
    meter, updates, who = games.meter, games.updates, live_title(games)
    p99 = percentile(updates, 99) if updates else float("inf")
    sentences = [
        _aim(
            f"every move on the other one's page with {who}",
            f"{len(updates):,} of {games.moves:,}",
            len(updates) == games.moves > 0,
        ),
        _aim(
            f"p99 of that under {GOAL_UPDATE * 1e3:,.0f} ms",
            f"{p99 * 1e3:,.1f} ms",
            p99 < GOAL_UPDATE,
        ),
    ]
    if meter.cpu:
        share = meter.cpu / meter.wall
        sentences.append(
            _aim(f"server under {GOAL_SHARE:.0%} of one core", f"{share:.0%}", share < GOAL_SHARE)
        )
    playing = sum(took < GOAL_ARRIVAL for took in arrivals.playing)
    refused = len(arrivals.refusals)
    sentences.append(
        _aim(
            f"all {arriving_title(arrivals)}, playing {GOAL_ARRIVAL:g} s after they came",
            f"{playing} of {arrivals.people}",
            playing == arrivals.people,
        )
    )
    sentences.append(_aim("none of them refused", f"{refused}", refused == 0))
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
