"""`tictactoe doctor` as the host runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.files import filled, spoil_table
from tests.support.postgres import Cluster
from tests.support.serving import served
from webapp import __version__, cli


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TTT_PORT", "0")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor", *map(str, arguments)])
    printed = capsys.readouterr()
    assert printed.err == ""
    return int(ended.value.code or 0), printed.out


def test_a_sound_installation_ends_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filled(tmp_path / "data").parent
    folder.chmod(0o700)
    status, out = run(capsys, "--data", folder)
    assert status == 0
    about = [line.split("  ")[0] for line in out.splitlines()]
    assert "wrong" not in about
    for subject in ("settings", "data folder", "free space", "database", "clock", "port"):
        assert f"  {subject:<11}  " in out
    status, out = run(capsys, "--data", folder, "--json")
    assert status == 0
    assert {one["about"] for one in json.loads(out)} >= {"settings", "database", "clock"}
    assert {frozenset(one) for one in json.loads(out)} == {
        frozenset({"level", "about", "says", "advice"})
    }


def test_something_wrong_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil_table(filled(tmp_path / "data"))
    status, out = run(capsys, "--data", tmp_path / "data")
    assert status == 1
    (line,) = [line for line in out.splitlines() if line.startswith("wrong")]
    assert "database" in line
    assert "tictactoe restore" in line
    status, out = run(capsys, "--data", tmp_path / "data", "--json")
    assert status == 1
    assert [one["about"] for one in json.loads(out) if one["level"] == "wrong"] == ["database"]


def test_a_warning_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run(capsys, "--data", tmp_path / "nothing")
    assert status == 0
    assert "warning" in out
    assert not (tmp_path / "nothing").exists()


def test_bad_settings_are_all_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TTT_WORKERS", "many")
    status, out = run(capsys)
    assert status == 1
    assert out.count("\n") == 1
    assert "not 'many'" in out


def test_a_class_in_postgresql_is_examined(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TTT_DATABASE_URL", postgres.database())
    status, out = run(capsys, "--json")
    assert status == 0
    about = {one["about"] for one in json.loads(out)}
    assert about == {
        *("settings", "database", "PostgreSQL", "distance", "connections", "clock", "port")
    }


def test_a_running_server_is_visited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    with served(folder) as url:
        monkeypatch.setenv("TTT_PORT", str(urlsplit(url).port))
        status, out = run(capsys, "--data", folder, "--url", url)
    assert status == 0
    assert f"our server answers on {urlsplit(url).port} on 127.0.0.1 (version {__version__})" in out
    assert f"our server answers on {url} (version {__version__})" in out
    assert "the name that visitors use arrives" in out
    assert "the site is not encrypted" in out


def test_the_other_commands_do_not_wait_for_what_this_one_needs() -> None:
    program = "import sys, webapp.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {"sqlalchemy", "urllib.request", "ssl", "flask", "alembic"}
