"""A tournament whose servers are killed or frozen: no one loses on time because of that."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from math import inf
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.e2e.server import Server
from tests.support.patience import until
from webapp.config import Settings
from webapp.core.game import Game
from webapp.service import games, tournaments
from webapp.service.site import Site
from webapp.store import tournaments as stored
from webapp.tournament.event import Format, Opening, Tournament

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
ALICE, BOB = "a" * 64, "b" * 64
CLOCK_MS, HOUR_MS = 30_000, 3_600_000
LATE_MS = 20_000  # how long a busy computer may take from one step to the next


@pytest.fixture
def servers(tmp_path: Path, emptied_url: str | None) -> Iterator[list[Server]]:
    with ExitStack() as started:
        folders = [tmp_path / "only"] if emptied_url is None else [tmp_path / "a", tmp_path / "b"]
        settings = {"TTT_DATABASE_URL": emptied_url} if emptied_url else {}
        servers = [Server(folder / "data", settings) for folder in folders]
        for server in servers:
            started.callback(server.kill_if_alive)
        yield servers


@pytest.fixture
def site(servers: list[Server], emptied_url: str | None) -> Iterator[Site]:
    site = Site(Settings(data=servers[0].database.parent, database_url=emptied_url))
    yield site
    site.database.close()


def begin(site: Site) -> str:
    id_ = tournaments.create(site, Format.ARENA, Opening.EMPTY, CLOCK_MS // 1000, 15)
    for player in (ALICE, BOB):
        site.live.here_until(player, inf)
        tournaments.join(site, id_, player)
    tournaments.start(site, id_)
    _, (game,) = seen(site, id_)
    games.play(site, game.id, game.x_seat or "", 4, game.version)
    return id_


def seen(site: Site, id_: str) -> tuple[Tournament, list[Game]]:
    standing = tournaments.standing(site, id_)
    return standing.tournament, [*standing.going.values()]


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_an_hour_without_a_server_counts_once(servers: list[Server], site: Site, how: str) -> None:
    id_ = begin(site)
    began, _ = seen(site, id_)
    until(lambda: seen(site, id_)[0].ticked_at > began.ticked_at)
    with site.database.write(stored.ABOUT) as connection:  # while none of them ticks
        for server in servers:
            os.kill(server.pid, signal.SIGKILL if how == "killed" else signal.SIGSTOP)
        stored.shift(connection, id_, -HOUR_MS)
    before, _ = seen(site, id_)
    for server in servers:
        if how == "killed":
            server.wait()
            server.start()
        else:
            os.kill(server.pid, signal.SIGCONT)
    until(lambda: seen(site, id_)[0].ticked_at > before.ticked_at + HOUR_MS)
    after, (game,) = seen(site, id_)
    assert before.left - LATE_MS < after.left <= before.left
    assert CLOCK_MS - LATE_MS < (game.deadline or 0) - site.now_ms() < CLOCK_MS + LATE_MS
    # One of two is killed for good; the other one goes on.
    for server in servers[1:]:
        server.kill()
    with site.database.write(game.x_seat or "") as connection:
        connection.execute(sa.text("UPDATE games SET deadline = deadline - 60000"))
    until(lambda: not seen(site, id_)[1])
    (over,) = tournaments.standing(site, id_).finished.values()
    assert (over.outcome, over.ending) == ("x", "time")
