"""The host's commands: what they print, that they ask first, and that a running server goes on."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import Run, refusal
from tests.support.files import another_programs
from tests.support.http import Player
from tests.support.people import Clock, name_of, sit_down
from tests.support.postgres import Cluster
from tests.support.serving import served
from tests.support.visitor import Site, Visitor, open_site
from webapp import __version__
from webapp.service.host import DAY

COMMANDS = {
    "rename": ("NAME", "Ada"),
    "remove": ("NAME",),
    "reset-standings": (),
    "forget-idle": ("--days", "30"),
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def alice(site: Site) -> Visitor:
    """A player who finished a game with a classmate sixty days ago."""
    alice, bob = site.visitor(), site.visitor()
    clock = Clock(site)
    clock.goes_on(-60 * DAY)
    sit_down(alice, bob).play("03142")
    clock.goes_on(60 * DAY)
    bob.start("easy", "x", cell=4)
    return alice


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder that the commands are about."""
    monkeypatch.setenv("TTT_DATA", str(tmp_path))


def command(name: str, alice: Visitor) -> list[str]:
    return [name, *(name_of(alice) if part == "NAME" else part for part in COMMANDS[name])]


def test_players_are_listed(run: Run, site: Site, alice: Visitor) -> None:
    status, out, err = run("players")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 3
    (line,) = [line for line in out.splitlines() if line.startswith(name_of(alice))]
    assert line.split()[2] == "1"
    status, out, err = run("players", "--json")
    assert sorted(one["games"] for one in json.loads(out)) == [1, 2]
    assert {one["name"] for one in json.loads(out)} == {row[5] for row in site.dump()["players"]}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_done_without_a_yes(run: Run, site: Site, alice: Visitor, name: str) -> None:
    before, old = site.dump(), name_of(alice)
    for answer in ("n\n", ""):
        status, out, _ = run(*command(name, alice), answer=answer)
        assert status != 0
        assert "?" in out
        assert site.dump() == before
    status, out, err = run(*command(name, alice), answer="y\n")
    assert (status, err) == (0, "")
    said = out.rsplit("? [y/N]: ", 1)[-1].strip()
    if name == "rename":
        assert said == f"{old} is now called Ada."
        assert name_of(alice) == "Ada"
    elif name == "reset-standings":
        assert before["records"]
        zeros = [
            (*row[:2], "", 0, 0, 0, 0, *row[7:9], row[2].strip("l")) for row in before["records"]
        ]
        assert site.dump() == {**before, "records": zeros}
    else:
        assert said == ("Deleted: 1 player." if name != "remove" else f"{old} is removed.")
        assert name_of(alice) == ""
        assert len(site.dump()["players"]) == 1
        assert len(site.dump()["games"]) == 2, "the other player has them"
    status, out, err = run("reset-standings", "--yes")
    assert (status, err, "?" in out) == (0, "", False)


def test_a_name_that_cannot_be_is_one_sentence(run: Run, site: Site, alice: Visitor) -> None:
    before = site.dump()
    for arguments, why in (
        (("rename", "Nobody", "Ada"), "No player here is called Nobody."),
        (("remove", "Nobody"), "No player here is called Nobody."),
        (("rename", name_of(alice), "a" * 21), "at most 20 characters"),
    ):
        assert why in refusal(run(*arguments, "--yes"))
    assert site.dump() == before


@pytest.mark.parametrize("there", ["nothing", "another program's"])
@pytest.mark.parametrize("name", ["players", *COMMANDS])
def test_in_the_wrong_folder_no_database_is_made_and_nobody_elses_changed(
    run: Run, tmp_path: Path, name: str, there: str
) -> None:
    file = tmp_path / "tictactoe.db"
    if there != "nothing":
        another_programs(file)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    ran = run(name, *COMMANDS.get(name, ()), answer="y\n")
    found = f"There is no database {file}."
    other = f"{file} is not a database of this program."
    assert refusal(ran) == (found if there == "nothing" else other)
    assert ran[1] == ""
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_database_that_another_program_holds_is_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, postgres: Cluster
) -> None:
    monkeypatch.setattr("webapp.store.sqlite.BUSY", 0)
    monkeypatch.setattr("webapp.store.postgres._PATIENCE", 1)
    assert " is ready (schema " in run("migrate")[1]
    file = tmp_path / "tictactoe.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = refusal(run("reset-standings", "--yes"))
        assert said == f"The database {file} cannot be used: database is locked."
    url = postgres.emptied()
    monkeypatch.setenv("TTT_DATABASE_URL", url)
    run("migrate")
    with psycopg.connect(url) as other_one:
        other_one.execute("LOCK TABLE records IN SHARE MODE")
        said = refusal(run("reset-standings", "--yes"))
    assert said.startswith(f"The database {url} cannot be used: canceling statement due")


def test_the_idle_are_counted_before_anything_is_asked(run: Run, alice: Visitor) -> None:
    assert run("forget-idle", "--days", "61", answer="y\n")[1] == "Deleted: 0 players.\n"
    assert "Delete 1 player" in run("forget-idle", "--days", "59", answer="n\n")[1]
    assert name_of(alice)


def test_the_host_acts_while_the_server_runs_and_the_doctor_visits_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as url:
        player = Player(url)
        assert player.start().status == 303
        (found,) = json.loads(run("players", "--json")[1])
        assert run("rename", found["name"], "Ada", "--yes")[0] == 0
        assert "You are <bdi>Ada</bdi>" in player.get("/you").text
        assert run("remove", "ada", "--yes")[0] == 0
        assert "You have no name yet" in player.get("/you").text
        monkeypatch.setenv("TTT_PORT", url.rpartition(":")[2])
        status, out, _ = run("doctor", "--url", url)
    assert status == 0
    assert out.count(f"the game answers at {url} (version {__version__})") == 2
