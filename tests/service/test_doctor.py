"""What `tictactoe doctor` finds on the machine itself: each check, well and ill."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.support.files import DAMAGE, filled, names
from tests.support.postgres import Cluster
from webapp.config import Settings
from webapp.service import doctor
from webapp.service.findings import Finding
from webapp.store import Database, StoreError, copies, prepare
from webapp.store.database import SCHEMA_REVISION

DAY = 24 * 60 * 60
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of files")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A data folder with games in it."""
    return Settings(data=filled(tmp_path / "data").parent)


def file_of(settings: Settings) -> Path:
    return settings.data / "tictactoe.db"


def levels(found: list[Finding]) -> list[str]:
    return [one.level for one in found]


def check_form(finding: Finding) -> None:
    """A finding is one line, and says what to do where there is something to do."""
    assert "\n" not in finding.says + finding.advice
    assert bool(finding.advice) is (finding.level != "ok")
    assert not (finding.says + finding.advice).endswith(".")


# --- settings ---------------------------------------------------------------------------------


def test_settings_that_can_be_read_are_well() -> None:
    settings, found = doctor.check_settings({"TTT_PORT": "81", "PATH": "/bin"})
    assert settings == Settings(port=81)
    assert levels(found) == ["ok"]


def test_a_setting_with_a_bad_value_is_named() -> None:
    settings, (finding,) = doctor.check_settings({"TTT_WORKERS": "many"})
    assert settings is None
    assert finding.level == "wrong"
    assert "not 'many'" in finding.says
    check_form(finding)


@pytest.mark.parametrize(
    "proxies, level",
    [("127.0.0.1 10.0.0.0/8", "ok"), ("127.0.0.1, 0.0.0.0/0", "warning"), ("0::/0", "warning")],
)
def test_trust_in_everybody_is_a_warning(proxies: str, level: str) -> None:
    _, (finding,) = doctor.check_settings({"TTT_TRUSTED_PROXIES": proxies})
    assert finding.level == level
    check_form(finding)


def test_a_variable_that_is_no_setting_is_named() -> None:
    settings, (finding,) = doctor.check_settings({"TTT_WORKER": "4"})
    assert settings == Settings()
    assert finding.level == "warning"
    assert "TTT_WORKER is no setting" in finding.says
    check_form(finding)


def test_every_setting_is_known() -> None:
    full = Settings(seed="1", public_url="http://a", database_url="sqlite:///a.db", engine="a.py:b")
    settings, found = doctor.check_settings(full.to_environment())
    assert settings is not None
    assert levels(found) == ["ok"]


# --- the data folder --------------------------------------------------------------------------


@posix
def test_a_folder_that_only_its_owner_can_read_is_well(settings: Settings) -> None:
    settings.data.chmod(0o700)
    before = names(settings.data)
    assert levels(doctor.check_folder(settings)) == ["ok", "ok"]
    assert names(settings.data) == before


@posix
def test_a_folder_that_everybody_can_read_is_said(settings: Settings) -> None:
    settings.data.chmod(0o755)
    file_of(settings).chmod(0o644)
    folder, readers = doctor.check_folder(settings)
    assert (folder.level, readers.level) == ("ok", "warning")
    assert f"chmod o-rwx {settings.data}" in readers.advice
    check_form(readers)
    file_of(settings).chmod(0o640)
    assert levels(doctor.check_folder(settings)) == ["ok", "ok"]


def test_a_folder_that_is_not_there_is_made_by_the_first_start(tmp_path: Path) -> None:
    (finding,) = doctor.check_folder(Settings(data=tmp_path / "nothing"))
    assert finding.level == "warning"
    check_form(finding)
    assert not (tmp_path / "nothing").exists()


def test_a_folder_in_the_place_of_which_is_a_file_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (finding,) = doctor.check_folder(Settings(data=tmp_path / "file"))
    assert finding.level == "wrong"
    check_form(finding)


NOBODY = 65534
AS_NOBODY = """
import os, sys
from pathlib import Path
from webapp.config import Settings
from webapp.service import doctor
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
(finding,) = doctor.check_folder(Settings(data=Path(sys.argv[1])))
print(finding.level, finding.says, sep="|")
"""


@posix
def test_a_folder_that_may_not_be_written_to_is_wrong() -> None:
    # The system's own: of the tests' folders nobody else may see anything.
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, "/usr"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    level, _, says = done.stdout.strip().partition("|")
    assert level == "wrong", done.stderr
    assert "/usr cannot be written to: Permission denied" in says


@posix
def test_a_file_that_belongs_to_another_user_than_its_folder_is_wrong(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other:
        def __init__(self, path: Path) -> None:
            self._found = os.stat(path)  # noqa: PTH116 - Path.stat is what is replaced
            self.st_mode, self.st_mtime = self._found.st_mode, self._found.st_mtime
            self.st_uid = self._found.st_uid + (path.suffix == ".db")

    monkeypatch.setattr(Path, "stat", lambda path, **more: Other(path))
    found = [one for one in doctor.check_folder(settings) if one.level == "wrong"]
    monkeypatch.undo()
    (finding,) = found
    assert f"{file_of(settings)} belongs to another user" in finding.says
    assert finding.advice.startswith("run: chown ")
    check_form(finding)


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_a_file_that_stops_a_start_since_it_cannot_be_written_to_is_wrong(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    file = settings.data / f"tictactoe.db{end}"
    file.touch()
    monkeypatch.setattr(os, "access", lambda path, mode: path != file)
    (finding,) = [one for one in doctor.check_folder(settings) if one.level == "wrong"]
    assert f"{file} cannot be written to" in finding.says
    check_form(finding)
    with pytest.raises(StoreError, match="cannot be written to"):
        prepare(settings)


@pytest.mark.parametrize(
    "left, level",
    [(10**6, "wrong"), (100 * 10**6, "warning"), (201 * 10**6, "ok"), (10**12, "ok")],
)
def test_room_on_the_disk_is_judged(settings: Settings, left: int, level: str) -> None:
    finding = doctor.check_space(settings, lambda folder: left)
    assert finding.level == level
    assert f"{left // 10**6} MB" in finding.says
    check_form(finding)


def test_a_large_database_needs_room_for_a_copy(settings: Settings) -> None:
    with file_of(settings).open("r+b") as file:
        file.truncate(300 * 10**6)  # a hole, which takes no room
    assert doctor.check_space(settings, lambda folder: 500 * 10**6).level == "warning"
    assert doctor.check_space(settings, lambda folder: 700 * 10**6).level == "ok"


def test_room_is_asked_about_where_the_folder_will_be(tmp_path: Path) -> None:
    asked: list[Path] = []

    def free(folder: Path) -> int:
        asked.append(folder)
        return 10**12

    doctor.check_space(Settings(data=tmp_path / "not" / "yet"), free)
    assert asked == [tmp_path]


# --- the database -----------------------------------------------------------------------------


def test_a_whole_database_is_well(settings: Settings) -> None:
    finding = doctor.check_database(settings)
    assert finding.level == "ok"
    assert SCHEMA_REVISION in finding.says
    check_form(finding)


def test_a_database_that_is_not_there_is_made_by_the_first_start(tmp_path: Path) -> None:
    finding = doctor.check_database(Settings(data=tmp_path))
    assert finding.level == "ok"
    assert "first start makes it" in finding.says
    assert names(tmp_path) == set()


def test_a_database_of_another_program_is_wrong(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tictactoe.db")) as connection:
        connection.execute("CREATE TABLE games (id TEXT)")
    finding = doctor.check_database(Settings(data=tmp_path))
    assert finding.level == "wrong"
    check_form(finding)


@pytest.mark.parametrize("spoil", DAMAGE)
def test_a_damaged_database_is_wrong_and_the_command_is_named(
    settings: Settings, spoil: Callable[[Path], None]
) -> None:
    copies.copy(file_of(settings), settings.data / "monday.db")
    spoil(file_of(settings))
    finding = doctor.check_database(settings)
    assert finding.level == "wrong"
    assert "is damaged" in finding.says
    assert finding.advice.endswith(f"restore --data {settings.data} {settings.data / 'monday.db'}")
    check_form(finding)


@pytest.mark.parametrize("revision, level", [("0002", "warning"), ("9999", "wrong")])
def test_a_database_of_another_schema_is_said(
    settings: Settings, revision: str, level: str
) -> None:
    with closing(sqlite3.connect(file_of(settings))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        connection.commit()
    finding = doctor.check_database(settings)
    assert finding.level == level
    assert revision in finding.says
    check_form(finding)
    assert names(settings.data) <= {"tictactoe.db", "tictactoe.db-wal", "tictactoe.db-shm"}


def test_a_folder_in_the_place_of_the_database_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.db").mkdir()
    finding = doctor.check_database(Settings(data=tmp_path))
    assert finding.level == "wrong"
    check_form(finding)


# --- PostgreSQL -------------------------------------------------------------------------------


def test_a_postgresql_that_can_be_reached_is_well(postgres: Cluster) -> None:
    there = Settings(database_url=postgres.database())
    assert "first start prepares it" in doctor.check_database(there).says
    prepare(there)
    finding = doctor.check_database(there)
    assert (finding.level, SCHEMA_REVISION in finding.says) == ("ok", True)
    about = {one.about: one for one in doctor.check_postgres(there)}
    assert about.keys() == {"PostgreSQL", "distance", "connections"}
    assert about["PostgreSQL"].level == "ok"
    assert about["connections"].level == "ok"
    for one in about.values():
        check_form(one)


def test_an_older_postgresql_needs_the_command(postgres: Cluster) -> None:
    there = Settings(database_url=postgres.database())
    prepare(there)
    database = Database(there)
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0002'"))
    database.close()
    finding = doctor.check_database(there)
    assert finding.level == "wrong"
    assert "tictactoe migrate" in finding.advice
    check_form(finding)


def test_a_postgresql_that_cannot_be_reached_is_said_once_and_without_the_password() -> None:
    gone = Settings(database_url="postgresql://ada:secret@127.0.0.1:1/games")
    finding = doctor.check_database(gone)
    assert finding.level == "wrong"
    assert "127.0.0.1:1" in finding.says
    assert "secret" not in finding.says
    assert doctor.check_postgres(gone) == []
    assert doctor.check_clock(gone).level == "ok"
    check_form(finding)


@pytest.mark.parametrize("major, level", [(13, "wrong"), (14, "wrong"), (15, "ok"), (17, "ok")])
def test_the_version_is_judged(major: int, level: str) -> None:
    assert doctor.version(major).level == level
    check_form(doctor.version(major))


@pytest.mark.parametrize("seconds, level", [(0.001, "ok"), (0.1, "warning"), (2, "wrong")])
def test_the_distance_is_judged(seconds: float, level: str) -> None:
    assert doctor.distance(seconds).level == level
    check_form(doctor.distance(seconds))


@pytest.mark.parametrize(
    "workers, others, level",
    [(2, 5, "ok"), (8, 0, "warning"), (6, 20, "warning"), (13, 0, "wrong"), (8, 40, "wrong")],
)
def test_the_number_of_connections_is_judged(workers: int, others: int, level: str) -> None:
    finding = doctor.room_for_connections(workers, 100, others)
    assert finding.level == level
    check_form(finding)


# --- the clock --------------------------------------------------------------------------------


def test_a_clock_that_goes_right_is_well(settings: Settings) -> None:
    finding = doctor.check_clock(settings)
    assert finding.level == "ok"
    check_form(finding)


@pytest.mark.parametrize("moment", [0.0, 1_600_000_000.0])
def test_a_clock_that_was_never_set_is_wrong(settings: Settings, moment: float) -> None:
    finding = doctor.check_clock(settings, lambda: moment)
    assert finding.level == "wrong"
    check_form(finding)


@pytest.mark.parametrize(
    "kind, seconds, level",
    [("sqlite", 30, "ok"), ("sqlite", DAY, "wrong"), ("postgres", DAY, "wrong")],
)
def test_a_clock_that_has_gone_back_since_the_last_move_is_wrong(
    request: pytest.FixtureRequest, tmp_path: Path, *, kind: str, seconds: int, level: str
) -> None:
    url = request.getfixturevalue("postgres").database() if kind == "postgres" else None
    settings = Settings(data=tmp_path, database_url=url)
    prepare(settings)
    database = Database(settings)
    with database.write() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO games (id, opponent, moves, reasons, helped, outcome, version, "
                "created_at, updated_at) VALUES ('a', 'hard', '', '[]', false, '', 1, 1, :now)"
            ),
            {"now": int(time.time()) + seconds},
        )
    database.close()
    finding = doctor.check_clock(settings)
    assert finding.level == level
    check_form(finding)


def test_a_file_from_the_future_tells_that_the_clock_has_gone_back(settings: Settings) -> None:
    os.utime(file_of(settings), (time.time() + DAY, time.time() + DAY))
    assert doctor.check_clock(settings).level == "wrong"


@pytest.mark.parametrize("seconds, level", [(0, "ok"), (60, "warning")])
def test_postgresqls_clock_is_compared(postgres: Cluster, seconds: int, level: str) -> None:
    there = Settings(database_url=postgres.database())
    prepare(there)
    finding = doctor.check_clock(there, lambda: time.time() + seconds)
    assert finding.level == level
    check_form(finding)
