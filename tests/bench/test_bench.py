from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.bench import arrivals, growth, lab, live, minds, report, servers
from tests.bench.arrivals import Arrivals, arrive
from tests.bench.classmates import Browser, Page, sent_to
from tests.bench.client import Connection, encoded_get
from tests.bench.live import Live, play
from tests.bench.measure import (
    Latency,
    Meter,
    Throughput,
    at_a_rate,
    back_to_back,
    compare,
    percentile,
    players_at,
)
from tests.bench.servers import BenchError, Server
from webapp.config import Settings
from webapp.store import Database, players, records


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


def settings_in(folder: Path) -> Settings:
    return Settings(data=folder, synchronous="NORMAL")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with servers.game(settings_in(folder), workers=1) as server:
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
        bare = Throughput("bare", bare_server, bare=True)
        move = Throughput("move", server, bare)
        compare([bare, move], rounds=2, bare=10, moves=3, seconds=2)
    assert bare.rates
    assert len(bare.rates) == len(move.rates)
    assert 0 < move.ratio < 1 == bare.ratio
    assert report.throughput([bare, move]).startswith("| as fast as it goes | requests/s |")
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


def test_somebody_at_the_lab_stops_when_the_time_is_up(server: Server, folder: Path) -> None:
    before = moves_accepted(folder)
    start = time.monotonic()
    crowd = at_a_rate(server, players=10, rate=50, seconds=0.5, beside_the_lab=True)
    assert time.monotonic() - start < 20
    assert len(crowd.seconds) == moves_accepted(folder) - before == 25
    visit = crowd.visit
    assert visit is not None
    assert visit.pages[0][0] == "table"
    assert 0 < visit.cpu < sum(visit.seconds)
    assert max(visit.longest().values()) == max(visit.seconds)

    case = report.Case("10 players, one at the lab", "SQLite, 1 worker", crowd)
    *_, moves, pages = report.latency([case]).splitlines()
    assert moves.startswith("| SQLite, 1 worker: 10 players, one at the lab | 25 |")
    assert pages.startswith(f"| … the lab's pages meanwhile | {len(visit.pages)} pages |")
    assert report.at_the_lab([case]).startswith("- At the lab, SQLite, 1 worker, the longest")


def test_every_page_of_the_lab_is_answered(server: Server) -> None:
    with closing(Connection(server)) as connection:
        for _kind, path in islice(lab.Questions(random.Random(1)), 12):
            for htmx in (False, True):
                connection.send(encoded_get(path, server, htmx=htmx))
                connection.receive()


def test_nothing_is_asked_at_the_lab_that_was_asked_before() -> None:
    asked = list(islice(lab.Questions(random.Random(1)), 600))
    assert len({kind for kind, _ in asked}) == 6
    fields = [parse_qs(urlsplit(path).query) for _, path in asked]
    values = [value for each in fields for values in each.values() for value in values]
    lists = [value.removeprefix("rules:") for value in values if "," in value]
    assert len(lists) == len(set(lists)) > 200
    seeds = [each["seed"][0] for each in fields if "seed" in each]
    assert len(seeds) == len(set(seeds)) == 100


def test_a_page_of_the_lab_that_is_refused_ends_the_benchmark() -> None:
    with servers.bare() as bare_server, lab.visitor(bare_server, 5) as visitor:
        visitor.begin()
        with pytest.raises(BenchError, match=r"At the lab: A request was refused: .* 404"):
            visitor.end()


def test_nobody_comes_to_the_lab_of_a_server_that_is_gone(tmp_path: Path) -> None:
    with servers.game(settings_in(tmp_path), workers=1) as server:
        pass
    with pytest.raises(BenchError, match="Nobody came"), lab.visitor(server, 1):
        pass


def moves_between_people(folder: Path) -> int:
    """What the database knows, undone moves there being none."""
    with closing(sqlite3.connect(folder / "tictactoe.db")) as connection:
        question = "SELECT sum(length(moves)) FROM games WHERE opponent = 'classmate'"
        (total,) = connection.execute(question).fetchone()
    return int(total or 0)


def test_every_move_in_live_games_arrives_and_was_stored(
    server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_THOUGHT", (0.1, 0.2))
    before = moves_between_people(folder)
    found = play(server, games=10, seconds=5)
    made_before = 2 * (0 + 1 + 2 + 3 + 4)
    assert moves_between_people(folder) - before == found.moves + made_before
    assert len(found.updates) == found.moves > 10
    assert found.rematches
    assert found.changed
    assert 0 < min(found.answers) < max(found.updates)
    *_, row, _, details = report.live(found).splitlines()
    assert row.startswith(f"| 10 live games, 20 players, 3 moves/s, `FULL` | {found.moves} |")
    assert f"rematches begun: {found.rematches}." in details


def test_a_waiting_page_says_what_its_browser_asks_for(server: Server) -> None:
    with closing(Connection(server, 200, 303)) as connection:
        browser = Browser(server, connection)
        browser.post("/challenges", "mark=o")
        browser.ask(address := sent_to(browser.receive()))
        page = Page.read(browser.receive())
    assert len(browser.cookie) == 43
    assert address == f"/games/{page.game}"
    assert page.news == f"{address}?since=1"
    assert page.pace == 1
    assert len(page.code) == 6
    assert not page.over


def test_who_arrives_gets_to_play_also_if_the_seat_was_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = arrivals._Newcomer._class

    def stale(newcomer: arrivals._Newcomer, browser: Browser) -> bytes:
        body = seen(newcomer, browser)
        return b'action="/join/%s"' % code if not (newcomer.opens or newcomer.taken) else body

    with servers.game(settings_in(tmp_path), workers=1) as server:
        with live._pairs(server, 1, random.Random(1)):
            pass
        with closing(sqlite3.connect(tmp_path / "tictactoe.db")) as connection:
            code = connection.execute("SELECT code FROM games").fetchone()[0].encode()
        monkeypatch.setattr(arrivals._Newcomer, "_class", stale)
        found = arrive(server, people=4, within=0.3)
    assert len(found.loaded) == len(found.playing) == 4
    assert found.taken == 2
    assert found.refusals == []
    assert found.requests > 4 * (1 + 4 + 1 + 1 + 1)  # front, what it needs, class, form, game
    assert moves_between_people(tmp_path) == 2
    assert report.arriving(found).splitlines()[-1].endswith("| 2 | 0 |")


def test_who_is_refused_on_arrival_is_counted() -> None:
    with servers.bare() as bare_server:
        found = arrive(bare_server, people=2, within=0.1)
    assert len(found.refusals) == 2
    assert found.playing == []
    assert report.arriving(found).endswith(
        "- Refused: A request was refused: HTTP/1.1 404 Not Found."
    )


def test_servers_are_gone_afterwards(tmp_path: Path) -> None:
    with servers.game(settings_in(tmp_path), workers=2) as server:
        pids = server.pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("percent, value", [(0, 1), (50, 2), (75, 3), (76, 4), (99, 4), (100, 4)])
def test_percentile_is_a_value_that_occurred(percent: float, value: int) -> None:
    assert percentile([4, 1, 3, 2], percent) == value


def test_the_verdict_holds_the_figures_against_the_aims() -> None:
    server = Server(port=0, pids=())
    bare = Throughput("bare", server, bare=True)
    move = Throughput("move", server, bare)
    bare.rates, move.rates = [100.0, 200.0, 300.0], [30.0, 40.0, 90.0]
    slow = Latency(move.meter, [0.001] * 98 + [0.030] * 2)
    text = report.verdict([bare, move], [report.Case("300 players", "SQLite", slow)])
    assert text.splitlines() == [
        "- Reached: 0.25 of the bare route by a move; here 0.30.",
        "- Missed: p99 under 25 ms on SQLite, 300 players; here 30.0 ms.",
    ]


def test_very_many_games_are_stored_whole(database_url: str | None, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, database_url=database_url)
    growth.fill(settings, 1000)
    database = Database(settings)
    with database.read() as connection:
        everybody = players.everybody(connection)
        assert len(everybody) == 1000 // growth.GAMES_EACH
        # Between two people a game is one of each.
        assert 1000 < sum(one.games for one in everybody) < 2000
        counted = sum(games for *_, games in records.everything(connection))
        assert counted == sum(one.games for one in everybody)
    database.close()


def test_a_server_with_many_games_is_compared_with_one_that_has_few(tmp_path: Path) -> None:
    numbers, all_settings = (100, 2000), [settings_in(tmp_path / name) for name in "ab"]
    for number, settings in zip(numbers, all_settings, strict=True):
        settings.data.mkdir()
        growth.fill(settings, number)
    few, many = growth.measure("SQLite", numbers, all_settings, moves=3, seconds=0.2)
    assert few.line.ratio == 1
    assert many.line.ratio > 0
    for one in (few, many):
        assert 0 < one.started < 20
        assert 20 < one.memory < 200
        assert min(one.looks) > 0
    assert report.growth([few, many]).splitlines()[3].startswith("| SQLite, 2,000 games |")


def test_a_workers_memory_is_looked_at_twice(server: Server) -> None:
    found = growth.many_moves(server, 400)
    assert found.moves == 400
    assert 20 < found.early <= found.late < 200
    assert "after 40 moves" in report.memory(found)


def test_the_verdict_on_growth_names_each_aim() -> None:
    server = Server(port=0, pids=())
    few = Throughput("few", server)
    many = Throughput("many", server, few)
    few.rates, many.rates = [100.0], [80.0]
    stored = [growth.Stored("SQLite", 1000, many, [0.04, 0.06, 0.07], 0.8, 60)]
    assert report.growth_verdict(stored, growth.Memory(100, 70, 90)).splitlines() == [
        "- Missed: a move at 1.1 times its cost with SQLite and 1,000 games; here 1.25.",
        "- Missed: the class page under 50 ms there; here 60.0 ms.",
        "- Reached: an answer 1 s after the start there; here 0.80 s.",
        "- Missed: under 80 MiB and flat over 100 moves; here 70.0 and 90.0 MiB.",
    ]


def test_the_verdict_on_a_class_names_each_aim() -> None:
    meter = Meter(Server(port=0, pids=()), wall=10.0, cpu=7.0)
    games = Live(meter, 300, moves=100, updates=[0.5] * 98 + [1.3])
    arrived = Arrivals(30, 5, playing=[1.0] * 29 + [3.5])
    live_games = "300 live games, 600 players, 100 moves/s, `FULL`"
    newcomers = "30 players from one address within 5 s, `FULL`"
    assert report.class_verdict(games, arrived).splitlines() == [
        f"- Missed: every move on the other one's page with {live_games}; here 99 of 100.",
        "- Missed: p99 of that under 1,200 ms; here 1,300.0 ms.",
        "- Missed: server under 60% of one core; here 70%.",
        f"- Missed: all {newcomers}, playing 3 s after they came; here 29 of 30.",
        "- Reached: none of them refused; here 0.",
    ]
    games.moves, meter.cpu, arrived.playing = 98, 3.0, [1.0] * 30
    games.updates.pop()
    assert "Missed" not in report.class_verdict(games, arrived)


@pytest.mark.parametrize("work", minds.WORKS, ids=lambda work: work.title)
def test_the_work_of_the_engines_is_timed(work: minds.Work) -> None:
    took = minds.seconds(work, runs=1)
    assert 0 < took < 20
    assert work.title in report.thinking([(work, took)])
