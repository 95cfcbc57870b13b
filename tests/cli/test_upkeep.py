"""The host's commands for the whole database: what they say, and what a server makes of them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refusal
from tests.e2e.server import Server
from tests.support.class_under_fire import Noted, a_class, check_nothing_lost
from tests.support.files import PLAYERS, SCHEMA, content, filled, names, next_version
from tests.support.http import Player
from tests.support.patience import Times
from tests.support.postgres import Cluster
from webapp.config import Settings
from webapp.store import copies, prepare


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path / "data").parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    target = tmp_path / "copy.db"
    copies.copy(filled(tmp_path / "other", "Earlier"), target)
    return target


def test_a_start_upgrades_a_file_after_a_copy_and_postgresql_where_that_is_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str | None
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))  # the command sets some for its workers
    monkeypatch.setattr("webapp.server.run", lambda *_: None)
    if database_url:
        monkeypatch.setenv("TTT_DATABASE_URL", database_url)
    prepare(Settings(data=tmp_path, database_url=database_url))
    next_version(monkeypatch, tmp_path / "migrations")
    command: tuple[object, ...] = ("serve", "--port", "0", "--data", tmp_path)
    kept = tmp_path / f"tictactoe-schema-{SCHEMA}.db"
    said = f"The database was upgraded; the old version is kept in {kept}.\n"
    if database_url:
        assert "--migrate" in refusal(run(*command)), "there is no copy"
        command, said = (*command, "--migrate"), "The database was upgraded.\n"
    assert run(*command) == (0, said, "")
    assert kept.exists() is not bool(database_url)
    assert run(*command) == (0, "", "")


def test_what_cannot_be_copied(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for command, instead in (("backup", "pg_dump"), ("restore", "pg_restore")):
        ran = run(command, tmp_path / "x.db", "--data", tmp_path / "nothing")
        assert "there is no data folder" in refusal(ran)
        assert names(tmp_path) == set(), "and none is made"
        with monkeypatch.context() as shared:
            shared.setenv("TTT_DATABASE_URL", "postgresql://ada:secret@127.0.0.1:1/games")
            sentence = refusal(run(command, tmp_path / "x.db"))
        assert instead in sentence
        assert "secret" not in sentence


def test_a_copy_is_restored_after_a_yes(run: Run, folder: Path, copy: Path) -> None:
    before = content(folder / "tictactoe.db")
    (copy.parent / "text.db").write_text("no database")
    ran = run("restore", copy.parent / "text.db", "--data", folder, answer="y\n")
    assert "not a database" in refusal(ran)
    assert ran[1] == "", "nothing is asked"
    for answer, done in (("n\n", False), ("", False), ("y\n", True)):
        status, out, _ = run("restore", copy, "--data", folder, answer=answer)
        assert "Replace all players and games in " in out
        assert (status == 0) is done
        assert content(folder / "tictactoe.db") == (content(copy) if done else before)
    (kept,) = folder.glob("tictactoe-before-restore-*.db")
    assert content(kept) == before
    assert f"The old database is kept in {kept}.\nYou can start the server now.\n" in out


def test_a_server_is_backed_up(run: Run, folder: Path, tmp_path: Path, times: Times) -> None:
    file, copy = folder / "tictactoe.db", tmp_path / "copy.db"
    server = Server(folder)
    for _ in range(times(1, 10)):
        with a_class(server.url, "backup") as noted:
            noted.wait_for_moves(20)
            before = Noted(played=[*noted.played])
            status, out, _ = run("backup", copy, "--yes", "--data", folder)
            assert (status, out[: len(str(copy))]) == (0, str(copy))
            check_nothing_lost(Settings(database_url=f"sqlite:///{copy}"), before)
            noted.wait_for_moves(20)
            for command in (("restore", copy), ("move-to", f"sqlite:///{tmp_path / 'moved.db'}")):
                ran = run(*command, "--yes", "--data", folder)
                says = f"A server is using {file}, and only one process can; stop it"
                assert refusal(ran).startswith(says)
            noted.wait_for_moves(20)
        assert noted.errors == []
        server.stop()
        kept_before = set(folder.glob("tictactoe-before-restore-*.db"))
        status, _, err = run("restore", copy, "--yes", "--data", folder)
        assert (status, err) == (0, "")
        (kept,) = set(folder.glob("tictactoe-before-restore-*.db")) - kept_before
        check_nothing_lost(Settings(database_url=f"sqlite:///{kept}"), noted)
        assert content(file) == content(copy)
        server.start()
        assert Player(server.url).start().status == 303
    server.kill()
    assert copies.damage(file) == ""
    # A server that was killed keeps nobody from it.
    assert run("restore", copy, "--yes", "--data", folder)[0] == 0


def test_moving_tells_what_next(run: Run, folder: Path, tmp_path: Path, postgres: Cluster) -> None:
    there = f"sqlite:///{tmp_path / 'target.db'}"
    for url in (postgres.database().replace("@", ":secret@"), there):
        assert run("move-to", url, "--data", folder, answer="n\n")[0] != 0
        status, out, err = run("move-to", url, "--data", folder, answer="y\n")
        assert (status, err) == (0, "")
        for table in ("players", "games"):
            assert re.search(rf"^{table} +{PLAYERS}$", out, re.MULTILINE)
        assert f"Set TTT_DATABASE_URL={url.replace('secret', '***')} and start the" in out
        assert "secret" not in out
        again = run("move-to", url, "--yes", "--data", folder)
        assert "holds players or games already" in refusal(again)


SEVERAL = """
import json, sys
from webapp import cli
for arguments in json.loads(sys.argv[1]):
    print("$", *arguments, file=sys.stderr)
    try:
        cli.main(arguments)
    except SystemExit as end:
        print(end.code, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="modes of files, capabilities")
def test_a_folder_that_may_not_be_entered_is_one_sentence(tmp_path: Path) -> None:
    closed, mine = filled(tmp_path / "data").parent, filled(tmp_path / "mine").parent
    inside, beside = str(closed / "copy.db"), str(tmp_path / "copy.db")
    copies.copy(closed / "tictactoe.db", Path(beside))
    commands = [
        ["backup", str(tmp_path / "new.db"), "--data", str(closed)],
        ["restore", beside, "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{tmp_path / 'new.db'}", "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{inside}", "--yes", "--data", str(mine)],
        ["backup", inside, "--data", str(mine)],
        ["restore", inside, "--yes", "--data", str(mine)],
        ["serve", "--port", "0", "--data", str(closed)],
    ]
    closed.chmod(0)
    # For root the modes of files say nothing, unless it gives these up.
    bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] * (os.geteuid() == 0)
    done = subprocess.run(
        [*bound, sys.executable, "-c", SEVERAL, json.dumps(commands)],
        env={name: text for name, text in os.environ.items() if not name.startswith("TTT_")},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    closed.chmod(0o700)
    for _, part in zip(commands, done.stderr.split("$ ")[1:], strict=True):
        _, sentence, status = part.splitlines()
        assert (status, str(closed) in sentence) == ("2", True), sentence
