"""The host's commands: what they print, that they ask first, and that a running server goes on."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import psycopg
import pytest

from tests.support.people import Clock, name_of, sit_down
from tests.support.postgres import Cluster
from tests.support.serving import served
from tests.support.visitor import Site, Visitor, open_site
from webapp import cli
from webapp.service.host import DAY

PATIENCE = 20
COMMANDS = {
    "rename": ("NAME", "Ada"),
    "remove": ("NAME",),
    "reset-standings": (),
    "forget-idle": ("--days", "30"),
}


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def alice(site: Site) -> Visitor:
    """Somebody who finished a game with a classmate sixty days ago."""
    alice, bob = site.visitor(), site.visitor()
    clock = Clock(site)
    clock.goes_on(-60 * DAY)
    sit_down(alice, bob).play("03142")
    clock.goes_on(60 * DAY)
    bob.start("easy", "x", cell=4)
    return alice


def run(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
    answer: str = "",
) -> tuple[int, str, str]:
    """Run the command in this process, its questions answered so."""
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out, printed.err


def command(name: str, alice: Visitor, folder: Path) -> list[str]:
    arguments = [name_of(alice) if part == "NAME" else part for part in COMMANDS[name]]
    return [name, *arguments, "--data", str(folder)]


def test_players_are_listed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    site: Site,
    alice: Visitor,
) -> None:
    status, out, err = run(capsys, monkeypatch, "players", "--data", str(tmp_path))
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 3
    (line,) = [line for line in out.splitlines() if line.startswith(name_of(alice))]
    assert line.split()[2] == "1"
    status, out, err = run(capsys, monkeypatch, "players", "--json", "--data", str(tmp_path))
    assert sorted(one["games"] for one in json.loads(out)) == [1, 2]
    assert {one["name"] for one in json.loads(out)} == {row[5] for row in site.dump()["players"]}


@pytest.mark.parametrize("answer", ["n\n", ""])
@pytest.mark.parametrize("name", COMMANDS)
def test_without_a_yes_nothing_is_changed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    site: Site,
    alice: Visitor,
    name: str,
    answer: str,
) -> None:
    before = site.dump()
    status, out, _ = run(capsys, monkeypatch, *command(name, alice, tmp_path), answer=answer)
    assert status != 0
    assert "?" in out
    assert site.dump() == before


@pytest.mark.parametrize("way", ["asked", "--yes"])
@pytest.mark.parametrize("name", COMMANDS)
def test_with_a_yes_it_is_done(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    site: Site,
    alice: Visitor,
    name: str,
    way: str,
) -> None:
    arguments, old = command(name, alice, tmp_path), name_of(alice)
    if way == "--yes":
        arguments.append("--yes")
    status, out, err = run(capsys, monkeypatch, *arguments, answer="y\n" if way == "asked" else "")
    assert (status, err) == (0, "")
    assert ("?" in out) is (way == "asked")
    said = out.rsplit("? [y/N]: ", 1)[-1].strip()
    if name == "rename":
        assert said == f"{old} is called Ada now."
        assert name_of(alice) == "Ada"
    elif name == "reset-standings":
        assert site.dump()["records"] == []
        assert name_of(alice) == old
    else:
        assert said == ("Forgotten: 1 player." if name != "remove" else f"{old} is forgotten.")
        assert name_of(alice) == ""
        assert len(site.dump()["games"]) == len(site.dump()["players"]) == 1


@pytest.mark.parametrize("arguments", [["rename", "Nobody", "Ada"], ["remove", "Nobody"]])
def test_a_name_that_nobody_has_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    site: Site,
    alice: Visitor,
    arguments: list[str],
) -> None:
    before = site.dump()
    status, out, err = run(capsys, monkeypatch, *arguments, "--yes", "--data", str(tmp_path))
    assert (status, out, err) == (2, "", "tictactoe: Nobody here is called Nobody.\n")
    assert name_of(alice)
    assert site.dump() == before


def test_a_name_that_cannot_be_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    alice: Visitor,
) -> None:
    status, out, err = run(
        capsys,
        monkeypatch,
        *("rename", name_of(alice), "a" * 21, "--yes", "--data", str(tmp_path)),
    )
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "at most 20 characters" in err


@pytest.mark.parametrize("name", ["players", "reset-standings", "forget-idle"])
def test_a_folder_that_is_not_there_is_not_made(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    name: str,
) -> None:
    folder = tmp_path / "nothing"
    status, out, err = run(capsys, monkeypatch, name, "--data", str(folder))
    assert (status, out) == (2, "")
    assert err == (
        f"tictactoe: there is no data folder {folder}; "
        "name the right one with --data or TTT_DATA.\n"
    )
    assert not folder.exists()


@pytest.mark.parametrize("there", ["nothing", "another program's"])
@pytest.mark.parametrize("name", ["players", *COMMANDS])
def test_in_the_wrong_folder_no_database_is_made_and_nobody_elses_changed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    name: str,
    there: str,
) -> None:
    file = tmp_path / "tictactoe.db"
    if there != "nothing":
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE games (id TEXT)")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    arguments = (name, *COMMANDS.get(name, ()), "--data", str(tmp_path))
    status, out, err = run(capsys, monkeypatch, *arguments, answer="y\n")
    assert (status, out) == (2, "")
    assert err in (
        f"tictactoe: There is no database {file}.\n",
        f"tictactoe: {file} is no database of this program.\n",
    )
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_file_that_somebody_else_holds_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    alice: Visitor,
) -> None:
    monkeypatch.setattr("webapp.store.sqlite.BUSY", 0)
    file = tmp_path / "tictactoe.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        status, out, err = run(capsys, monkeypatch, *command("remove", alice, tmp_path), "--yes")
    assert (status, out) == (2, "")
    assert err == f"tictactoe: The database {file} cannot be used: database is locked.\n"


def test_a_postgresql_that_somebody_else_holds_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    postgres: Cluster,
) -> None:
    url = postgres.emptied()
    monkeypatch.setenv("TTT_DATABASE_URL", url)
    run(capsys, monkeypatch, "migrate")
    monkeypatch.setattr("webapp.store.postgres._PATIENCE", 1)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE records")
        status, out, err = run(capsys, monkeypatch, "reset-standings", "--yes")
    assert (status, out) == (2, "")
    assert err.startswith(f"tictactoe: The database {url} cannot be used: canceling statement due")
    assert err.count("\n") == 1


@pytest.mark.parametrize("days,number", [("30", 1), ("59", 1), ("61", 0), ("90", 0)])
def test_the_idle_are_counted_before_anything_is_asked(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tmp_path: Path,
    alice: Visitor,
    days: str,
    number: int,
) -> None:
    _, out, _ = run(
        capsys,
        monkeypatch,
        *("forget-idle", "--days", days, "--data", str(tmp_path)),
        answer="n\n",
    )
    assert name_of(alice)
    if number:
        assert f"Delete {number} player" in out
    else:
        assert out == "Forgotten: 0 players.\n"


def test_the_host_acts_while_the_server_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    with served(folder) as url:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        game = urlencode({"opponent": "hard", "mark": "x", "cell": "4"}).encode()
        browser.open(f"{url}/games", game, timeout=PATIENCE).close()
        _, out, _ = run(capsys, monkeypatch, "players", "--json", "--data", str(folder))
        ((name, *_),) = [tuple(one.values()) for one in json.loads(out)]
        to_ada = ("rename", str(name), "Ada", "--yes", "--data", str(folder))
        assert run(capsys, monkeypatch, *to_ada)[0] == 0
        with browser.open(f"{url}/you", timeout=PATIENCE) as page:
            assert "You are <bdi>Ada</bdi>" in page.read().decode()
        gone = ("remove", "ada", "--yes", "--data", str(folder))
        assert run(capsys, monkeypatch, *gone)[0] == 0
        with browser.open(f"{url}/you", timeout=PATIENCE) as page:
            assert "You have no name yet" in page.read().decode()
