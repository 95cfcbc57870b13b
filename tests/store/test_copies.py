import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from tests.support import files
from tests.support.files import change, checkpoint, content, filled, killed, names, refusal
from webapp import __version__
from webapp.config import Settings
from webapp.store import copies, prepare
from webapp.store.advice import command

NOW = datetime(2026, 11, 21, 9, 30, 15, tzinfo=UTC)
KEPT = "tictactoe-before-restore-2026-11-21-093015"
Spoil = Callable[[Path], object]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return filled(tmp_path / "data")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    target = tmp_path / "copy.db"
    copies.copy(filled(tmp_path / "other", "Earlier"), target)
    return target


def test_a_copy_is_one_whole_file_that_nobody_else_may_read(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with closing(sqlite3.connect(file)) as server:
        server.execute("UPDATE players SET name = 'Ada' WHERE id = ?", (f"{7:064x}",))
        server.commit()
        assert b"Ada" not in file.read_bytes(), "it is in the log"
        copies.copy(file, target)
    assert b"Ada" in target.read_bytes()
    assert content(target) == content(file)
    assert names(tmp_path) == {"data", "copy.db"}
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_copy_that_cannot_be_changes_nothing(file: Path, tmp_path: Path) -> None:
    (tmp_path / "precious.db").write_text("precious")
    before = content(file)
    for target, why in (
        ("precious.db", "already"), ("data", "is a folder"),
        ("nowhere/copy.db", "No such file or directory"),
    ):  # fmt: skip
        assert why in refusal(partial(copies.copy, file, tmp_path / target))
    assert (tmp_path / "precious.db").read_text() == "precious"
    assert names(tmp_path) == {"data", "precious.db"}
    assert content(file) == before


NO_GOOD: list[tuple[Spoil, str]] = [
    (files.spoil_table, "damaged"), (files.spoil_index, "damaged"),
    (files.spoil_header, "not a database"),
    (lambda file: file.write_bytes(b""), "is not a database of this program"),
    (files.another_programs, "is not a database of this program"),
    (lambda file: change(file, "UPDATE alembic_version SET version_num = '9999'"), "before 1.0.0"),
    (Path.unlink, "There is no "),
]  # fmt: skip


def test_what_is_no_good_neither_replaces_a_copy_nor_is_restored(file: Path, saved: Path) -> None:
    checkpoint(file)
    bad = file.with_name("bad.db")
    before, copied = content(file), saved.read_bytes()
    for spoil, why in NO_GOOD:
        bad.write_bytes(file.read_bytes())
        spoil(bad)
        there = names(file.parent)
        sentence = refusal(lambda: copies.copy(bad, saved, overwrite=True))
        assert why in sentence
        assert str(bad) in sentence
        assert why in refusal(lambda: copies.restore(file, bad, NOW))
        assert (content(file), saved.read_bytes()) == (before, copied)
        assert names(file.parent) == {*there, "tictactoe.lock"}
    assert names(saved.parent) == {"data", "other", "copy.db"}


FULL = """
import resource, sys
from webapp import cli
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
cli.main(sys.argv[2:])
"""


@pytest.mark.parametrize("what, room", [("backup", 40_000), ("restore", 0)])
def test_without_room_nothing_is_changed(file: Path, saved: Path, what: str, room: int) -> None:
    checkpoint(file)
    before, copied = content(file), saved.read_bytes()
    program = [sys.executable, "-c", FULL, str(room), what, str(saved), "--yes", "--data"]
    done = subprocess.run([*program, file.parent], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "cannot be copied to" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (content(file), saved.read_bytes()) == (before, copied)
    assert names(saved.parent) == {"data", "other", "copy.db"}


def test_a_file_in_use_is_told(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "PATIENCE", 0)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        sentence = refusal(lambda: copies.copy(file, tmp_path / "copy.db"))
    assert "in use by another program" in sentence
    assert names(tmp_path) == {"data"}


def test_copies_have_its_owner(file: Path, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(os, "chown", lambda path, *who: given.append((Path(path).suffix, *who)))
    copies.copy(file, saved, overwrite=True)
    copies.restore(file, saved, NOW)
    owner = (file.stat().st_uid, file.stat().st_gid)
    assert given == [(".db", *owner), (".lock", *owner), (".db", *owner)]


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    settings = Settings(data=filled(tmp_path / "old", "Alice").parent)
    files.next_version(monkeypatch, tmp_path / "migrations")
    return settings


def test_an_upgrade_keeps_a_copy_and_leaves_older_ones_as_they_are(old: Settings) -> None:
    file, taken = old.data / "tictactoe.db", old.data / f"tictactoe-schema-{files.SCHEMA}.db"
    taken.write_text("precious")
    before = content(file)
    done = prepare(old)
    assert done.upgraded
    assert done.copy == old.data / f"tictactoe-schema-{files.SCHEMA}-2.db"
    assert content(done.copy) == before
    assert content(file) != before
    assert taken.read_text() == "precious"
    assert prepare(old).copy is None


def test_a_failing_upgrade_keeps_one_copy(old: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    before = content(old.data / "tictactoe.db")
    with monkeypatch.context() as full:
        full.setattr(Path, "replace", fail)
        assert "No space left" in refusal(lambda: prepare(old))
    assert names(old.data) == {"tictactoe.db"}
    monkeypatch.setattr("webapp.store.database._migrate", fail)
    for _ in range(3):
        assert "No space left" in refusal(lambda: prepare(old))
    assert names(old.data) == {"tictactoe.db", f"tictactoe-schema-{files.SCHEMA}.db"}
    assert content(old.data / "tictactoe.db") == before


@pytest.mark.parametrize("spoil", files.DAMAGE)
def test_a_damaged_database_is_refused_naming_the_newest_copy(file: Path, spoil: Spoil) -> None:
    settings = Settings(data=file.parent)
    assert copies.damage(file) == ""
    backups = [file.with_name("monday.db"), file.with_name("tuesday.db")]
    for at, backup in enumerate(backups):
        copies.copy(file, backup)
        os.utime(backup, (1_700_000_000 + at, 1_700_000_000 + at))
    file.with_name("nonsense.db").write_text("newer than both, and no use")
    spoil(file)
    damaged = file.read_bytes()
    sentence = refusal(lambda: prepare(settings))
    assert sentence.startswith(f"The database {file} is damaged (")
    assert sentence.endswith(f" restore --data {file.parent} {backups[-1]}.")
    kept = copies.restore(file, backups[-1], NOW)
    assert kept
    assert kept.read_bytes() == damaged
    assert content(file) == content(backups[-1])
    for backup in backups:
        backup.unlink()
    spoil(file)  # the one that is kept is damaged too, and nobody is told to take it
    sentence = refusal(lambda: prepare(settings))
    assert "there is none beside it" in sentence
    assert sentence.endswith("FILE.")


def test_an_empty_database_beside_a_copy_stops_a_start(file: Path, saved: Path) -> None:
    settings, beside = Settings(data=file.parent), file.with_name("copy.db")
    file.write_bytes(b"")
    prepare(settings)  # without a copy it is one that is to be filled
    file.write_bytes(b"")
    shutil.copy(saved, beside)
    sentence = refusal(lambda: prepare(settings))
    assert f"The database {file} is empty;" in sentence
    assert sentence.endswith(f" restore --data {file.parent} {beside}.")
    copies.restore(file, beside, NOW)
    assert not prepare(settings).upgraded


def test_a_restored_copy_is_there_and_what_was_there_is_kept(file: Path, saved: Path) -> None:
    before, restored = content(file), content(saved)
    assert "is the database itself" in refusal(lambda: copies.restore(file, file, NOW))
    kept = copies.restore(file, saved, NOW)
    assert kept == file.with_name(f"{KEPT}.db")
    assert (content(file), content(kept)) == (restored, before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = copies.restore(file, kept, NOW)
    assert again == file.with_name(f"{KEPT}-2.db")
    assert (content(file), content(again)) == (before, restored)
    assert names(file.parent) == {file.name, f"{KEPT}.db", f"{KEPT}-2.db", "tictactoe.lock"}


def test_a_log_that_was_left_behind_is_not_applied_to_the_copy(file: Path, saved: Path) -> None:
    left = killed(file)
    file.unlink()
    assert copies.restore(file, saved, NOW) is None
    assert content(file) == content(saved)
    assert file.with_name(f"{KEPT}.db-wal").read_bytes() == left


def test_a_log_that_a_killed_server_has_left_is_applied(file: Path) -> None:
    killed(file)
    prepare(Settings(data=file.parent))
    assert any("'from the log'" in line for line in content(file))


def test_an_earlier_copy_is_upgraded_by_the_next_start(file: Path, old: Settings) -> None:
    prepare(Settings(data=file.parent))
    copies.restore(file, old.data / "tictactoe.db", NOW)
    assert copies.check(file) == files.SCHEMA
    assert prepare(Settings(data=file.parent)).upgraded
    assert copies.check(file) == files.NEXT
    assert any("'Alice 7'" in line for line in content(file))


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of the other kind")
@pytest.mark.parametrize("installed", [False, True])
def test_what_the_host_is_told_to_type_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, installed: bool
) -> None:
    folder = tmp_path / "a class"
    folder.mkdir()
    if installed:
        (folder / "tictactoe").symlink_to(Path(sys.executable).with_name("tictactoe"))
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    said = subprocess.check_output(["sh", "-c", command("--version")], text=True)
    assert said == f"tictactoe {__version__}\n"
    words = shlex.split(command("restore", "monday's copy.db"))
    assert words[-2:] == ["restore", "monday's copy.db"]
    assert words[0] == str(folder / ("tictactoe" if installed else "python"))
