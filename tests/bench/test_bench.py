from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench import minds, report, servers
from tests.bench.measure import (
    Latency,
    Throughput,
    at_a_rate,
    back_to_back,
    compare,
    percentile,
    players_at,
)
from tests.bench.servers import BenchError, Server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with servers.game(folder, "NORMAL", workers=1) as server:
        yield server


def moves_accepted(folder: Path) -> int:
    """What the database knows: a game starts with version 1, and each move adds 1."""
    with closing(sqlite3.connect(folder / "tictactoe.db")) as connection:
        (total,) = connection.execute("SELECT sum(version - 1) FROM games").fetchone()
    return int(total or 0)


def test_every_move_that_is_counted_was_accepted(server: Server, folder: Path) -> None:
    before = moves_accepted(folder)
    move = Throughput("move", server)
    move.round(4, random.Random(1))
    assert move.requests == 4 * 8
    assert moves_accepted(folder) - before == 32

    assert len(back_to_back(server, 20).seconds) == 20
    assert moves_accepted(folder) - before == 32 + 20

    crowd = at_a_rate(server, players=10, rate=100, seconds=0.5)
    assert len(crowd.seconds) == len(crowd.lateness) == 50
    assert moves_accepted(folder) - before == 32 + 20 + 50


def test_the_bare_route_is_compared_in_the_same_rounds(server: Server) -> None:
    with servers.bare() as bare_server:
        lines = [Throughput("bare", bare_server, bare=True), Throughput("move", server)]
        compare(lines, rounds=2, bare=10, moves=3, seconds=2)
    bare, move = lines
    assert bare.rates
    assert len(bare.rates) == len(move.rates)
    assert 0 < move.ratio_to(bare) < 1
    assert report.throughput(bare, [move]).startswith("| one worker | requests/s |")
    assert "The client used" in report.trust([bare, move], [])


def test_answers_are_compressed_unless_the_client_cannot_read_that(server: Server) -> None:
    compressed, plain = Throughput("a", server), Throughput("b", server, gzip=False)
    for line in (compressed, plain):
        line.round(2, random.Random(1))
    assert compressed.bytes_received * 2 < plain.bytes_received


def test_a_move_that_is_refused_ends_the_benchmark(server: Server) -> None:
    with players_at(server, 1, random.Random(1)) as (player,):
        player.board.version += 1
        player.send_move()
        with pytest.raises(BenchError, match=r"refused: .* 409"):
            player.connection.receive()


def test_servers_are_gone_afterwards(tmp_path: Path) -> None:
    with servers.game(tmp_path, "FULL", workers=2) as server:
        pids = server.pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("percent, value", [(0, 1), (50, 2), (75, 3), (76, 4), (99, 4), (100, 4)])
def test_percentile_is_a_value_that_occurred(percent: float, value: int) -> None:
    assert percentile([4, 1, 3, 2], percent) == value


def test_the_verdict_holds_the_figures_against_the_aims() -> None:
    server = Server(port=0, pids=())
    bare, move = Throughput("bare", server, bare=True), Throughput("move", server)
    bare.rates, move.rates = [100.0, 200.0, 300.0], [30.0, 40.0, 90.0]
    slow = Latency(move.meter, [0.001] * 98 + [0.030] * 2)
    text = report.verdict(move, bare, [report.Case("300 players", "FULL", slow)])
    assert text.splitlines() == [
        "- Reached: 0.25 of the bare route; here 0.30.",
        "- Missed: p99 under 25 ms with 300 players, `FULL`; here 30.0 ms.",
    ]


@pytest.mark.parametrize("work", minds.WORKS, ids=lambda work: work.title)
def test_the_work_of_the_engines_is_timed(work: minds.Work) -> None:
    took = minds.seconds(work, runs=1)
    assert 0 < took < 20
    assert work.title in report.thinking([(work, took)])
