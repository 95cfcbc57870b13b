"""The host's commands for the whole database: what they say, and that a running server goes on."""

from __future__ import annotations

import io
import os
import shlex
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import psycopg
import pytest

from tests.support.files import PLAYERS, content, filled, names, spoil_table
from tests.support.postgres import Cluster
from tests.support.serving import served
from webapp import cli
from webapp.store import advice, copies
from webapp.store.database import SCHEMA_REVISION, Prepared

PATIENCE = 30
PLAYING = 4


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with some hundred players."""
    return filled(tmp_path / "data").parent


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, its questions answered so."""

    def run(*arguments: object, answer: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        with pytest.raises(SystemExit) as ended:
            cli.main(list(map(str, arguments)))
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def refusal(ran: tuple[int, str, str]) -> str:
    """The sentence of a command that was refused, its form checked."""
    status, _, err = ran
    assert status == 2
    assert err.count("\n") == 1
    assert err.startswith("tictactoe: ")
    assert err.endswith(".\n")
    return err.removeprefix("tictactoe: ").strip()


# --- migrate ----------------------------------------------------------------------------------


def test_migrate_says_what_it_did(run: Run, folder: Path) -> None:
    file = folder / "tictactoe.db"
    assert run("migrate", "--data", folder) == (
        0,
        f"{file} is up to date (schema {SCHEMA_REVISION}).\n",
        "",
    )
    with closing(sqlite3.connect(file)) as connection:
        # What the newest migration adds.
        connection.executescript(
            "DROP TABLE records; DROP INDEX ix_players_name_key; DROP INDEX ix_games_code;"
            "DROP INDEX ix_games_live; ALTER TABLE games DROP COLUMN code;"
            "ALTER TABLE games DROP COLUMN ending; ALTER TABLE games DROP COLUMN rematch;"
            "ALTER TABLE players DROP COLUMN name; ALTER TABLE players DROP COLUMN name_key;"
            "ALTER TABLE players DROP COLUMN seen_at;"
            "UPDATE alembic_version SET version_num = '0002'"
        )
    kept = folder / "tictactoe-schema-0002.db"
    assert run("migrate", "--data", folder) == (
        0,
        (
            f"{file} was brought from schema 0002 to {SCHEMA_REVISION}.\n"
            f"As it was before, it is kept in {kept}.\n"
        ),
        "",
    )
    assert copies.check(kept, SCHEMA_REVISION) == "0002"


def test_a_start_that_upgrades_tells_where_the_copy_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = folder / "tictactoe-schema-0002.db"
    monkeypatch.setattr(os, "environ", dict(os.environ))  # the command sets some for its workers
    monkeypatch.setattr("webapp.server.run", lambda *arguments: None)
    monkeypatch.setattr(
        "webapp.store.prepare", lambda settings: Prepared("tictactoe.db", "0002", kept)
    )
    with pytest.raises(SystemExit):
        cli.main(["serve", "--port", "0", "--data", str(folder)])
    assert capsys.readouterr().out == (
        f"The games were brought to a newer schema; a copy is in {kept}.\n"
    )


def test_migrate_prepares_a_new_database_of_either_kind(
    run: Run, tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = run("migrate", "--data", tmp_path)
    assert out == f"{tmp_path / 'tictactoe.db'} is ready (schema {SCHEMA_REVISION}).\n"
    monkeypatch.setenv("TTT_DATABASE_URL", postgres.database())
    assert f" is ready (schema {SCHEMA_REVISION}).\n" in run("migrate")[1]
    assert f" is up to date (schema {SCHEMA_REVISION}).\n" in run("migrate")[1]


def test_migrate_brings_an_older_postgresql_forward_which_a_start_does_not(
    run: Run, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.database()
    monkeypatch.setenv("TTT_DATABASE_URL", url)
    run("migrate")
    with psycopg.connect(url) as connection:
        for column in ("code", "ending", "rematch"):
            connection.execute(f"ALTER TABLE games DROP COLUMN {column}")
        connection.execute("DROP INDEX ix_games_live")
        connection.execute("DROP TABLE records")
        for column in ("name", "name_key", "seen_at"):
            connection.execute(f"ALTER TABLE players DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
        connection.execute(
            "INSERT INTO players (id, opponent, mark, created_at) VALUES ('a', 'hard', 'x', 7)"
        )
    assert f"run: {advice.command('migrate')}." in refusal(run("players"))
    _, out, _ = run("migrate")
    assert f"was brought from schema 0002 to {SCHEMA_REVISION}.\n" in out
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT id, seen_at FROM players").fetchall() == [("a", 7)]


# --- backup -----------------------------------------------------------------------------------


def test_a_backup_holds_everything(run: Run, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "monday.db"
    status, out, err = run("backup", target, "--data", folder)
    assert (status, err) == (0, "")
    assert out.startswith(f"{target} holds all players and games (")
    assert content(target) == content(folder / "tictactoe.db")


def test_a_backup_overwrites_when_told_to_only(run: Run, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "monday.db"
    target.write_text("precious")
    assert "already" in refusal(run("backup", target, "--data", folder))
    assert target.read_text() == "precious"
    assert run("backup", target, "--data", folder, "--yes")[0] == 0
    assert content(target) == content(folder / "tictactoe.db")


def test_what_is_no_class_is_not_backed_up_over_one(run: Run, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "monday.db"
    run("backup", target, "--data", folder)
    before = content(target)
    (folder / "tictactoe.db").write_bytes(b"")
    ran = run("backup", target, "--data", folder, "--yes")
    assert refusal(ran) == f"{folder / 'tictactoe.db'} is no database of this program."
    assert content(target) == before


@pytest.mark.parametrize(
    "target, why", [("-", "cannot be printed"), ("nowhere/x.db", "no copy in"), (".", "a folder")]
)
def test_a_backup_that_cannot_be_is_one_sentence(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, target: str, why: str
) -> None:
    monkeypatch.chdir(folder)
    before = names(folder)
    assert why in refusal(run("backup", target, "--data", folder))
    assert names(folder) == before


@pytest.mark.parametrize("command, instead", [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_for_postgresql_its_own_programs_are_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, command: str, instead: str
) -> None:
    monkeypatch.setenv("TTT_DATABASE_URL", "postgresql://ada:secret@127.0.0.1:1/games")
    sentence = refusal(run(command, tmp_path / "x.db"))
    assert instead in sentence
    assert "secret" not in sentence


@pytest.mark.parametrize("command", ["backup", "restore", "migrate"])
def test_a_data_folder_that_is_not_there_is_not_made(
    run: Run, tmp_path: Path, command: str
) -> None:
    arguments = [] if command == "migrate" else [tmp_path / "x.db"]
    ran = run(command, *arguments, "--data", tmp_path / "nothing")
    assert refusal(ran) == (
        f"there is no data folder {tmp_path / 'nothing'}; "
        "name the right one with --data or TTT_DATA."
    )
    assert names(tmp_path) == set()


# --- restore ----------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A backup of another database."""
    target = tmp_path / "copy.db"
    copies.copy(filled(tmp_path / "other", "Earlier"), target)
    return target


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_without_a_yes_nothing_is_restored(run: Run, folder: Path, copy: Path, answer: str) -> None:
    before = content(folder / "tictactoe.db")
    status, out, _ = run("restore", copy, "--data", folder, answer=answer)
    assert status != 0
    assert "Replace all players and games in " in out
    assert content(folder / "tictactoe.db") == before


@pytest.mark.parametrize("way", ["asked", "--yes"])
def test_with_a_yes_it_is_restored(run: Run, folder: Path, copy: Path, way: str) -> None:
    before = content(folder / "tictactoe.db")
    options = ["--yes"] if way == "--yes" else []
    status, out, err = run("restore", copy, "--data", folder, *options, answer="y\n")
    assert (status, err) == (0, "")
    assert ("?" in out) is (way == "asked")
    assert f"{folder / 'tictactoe.db'} has the players and games of {copy} now." in out
    assert content(folder / "tictactoe.db") == content(copy)
    (kept,) = folder.glob("tictactoe-before-restore-*.db")
    assert str(kept) in out
    assert content(kept) == before


def test_what_is_no_copy_is_refused_before_anything_is_asked(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.db").write_text("no database")
    ran = run("restore", tmp_path / "text.db", "--data", folder, answer="y\n")
    assert "cannot be used as a copy" in refusal(ran)
    assert ran[1] == ""


def test_a_damaged_database_is_refused_and_the_command_that_is_named_mends_it(
    run: Run, folder: Path
) -> None:
    backup = folder / "monday's.db"
    run("backup", backup, "--data", folder)
    spoil_table(folder / "tictactoe.db")
    sentence = refusal(run("serve", "--port", "0", "--data", folder))
    assert "is damaged" in sentence
    words = shlex.split(sentence.rpartition("tictactoe ")[2].removesuffix("."))
    assert words == ["restore", "--data", str(folder), str(backup)]
    status, out, _ = run(*words, "--yes")
    assert status == 0
    assert "damaged one was moved to" in out
    assert content(folder / "tictactoe.db") == content(backup)
    assert run("players", "--data", folder)[0] == 0


# --- while the server runs --------------------------------------------------------------------


def browser() -> OpenerDirector:
    return build_opener(HTTPCookieProcessor(CookieJar()))


class Load:
    """Players who begin games one after the other, and what the server answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: Counter[int] = Counter()
        self.games: list[str] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._play) for _ in range(PLAYING)]

    def _play(self) -> None:
        me = browser()
        form = urlencode({"opponent": "easy", "mark": "x", "cell": "4"}).encode()
        while not self._stop.is_set():
            try:
                with me.open(f"{self.url}/games", form, timeout=PATIENCE) as page:
                    self.answers[page.status] += 1
                    self.games.append(page.url.rpartition("/")[2])
            except HTTPError as error:
                self.answers[error.code] += 1
                error.close()
            except (URLError, OSError):
                self.answers[0] += 1

    def more(self, number: int) -> None:
        """Wait until so many games more have been begun."""
        aim = len(self.games) + number
        while len(self.games) < aim:
            assert not self._stop.wait(0.01)

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)


def games(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT id FROM games")}


def test_a_running_server_is_backed_up_and_restored_under_load(
    run: Run, folder: Path, tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    file, copy = folder / "tictactoe.db", tmp_path / "copy.db"
    rounds = times(2, 20)
    with served(folder) as url, Load(url) as load:
        for _ in range(rounds):
            load.more(20)
            answered = set(load.games)
            assert run("backup", copy, "--yes", "--data", folder)[0] == 0
            kept_before = set(folder.glob("tictactoe-before-restore-*.db"))
            assert answered & games(file) <= games(copy)
            load.more(20)
            last = load.games[-20:]
            status, _, err = run("restore", copy, "--yes", "--data", folder)
            assert (status, err) == (0, "")
            (kept,) = set(folder.glob("tictactoe-before-restore-*.db")) - kept_before
            # Whatever was answered before is in the database that was replaced.
            assert set(last) <= games(kept)
            load.more(20)
            assert set(load.games[-5:]) <= games(file)
            assert set(load.games[-5:]).isdisjoint(games(copy))
    # A lock may make one wait too long on a slow computer, and a game begun just before is gone
    # with the content that it was in. Nothing else may be seen.
    assert load.answers[200] > 100
    assert set(load.answers) <= {200, 404, 503}
    assert load.answers[404] <= rounds * PLAYING
    assert load.answers[503] <= load.answers[200] / 50
    assert copies.damage(file) == ""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(
            "SELECT count(*) FROM players WHERE name LIKE 'Player%'"
        ).fetchone() == (PLAYERS,)


# --- move-to ----------------------------------------------------------------------------------


def test_moving_says_what_to_set_next_without_the_password(
    run: Run, folder: Path, postgres: Cluster
) -> None:
    url = postgres.database().replace("@", ":secret@")
    before = content(folder / "tictactoe.db")
    status, out, err = run("move-to", url, "--data", folder, answer="y\n")
    assert (status, err) == (0, "")
    assert "? [y/N]" in out
    for table in ("players", "games"):
        assert f"{PLAYERS} {table}" in out
    assert f"Set TTT_DATABASE_URL={url.replace('secret', '***')} and start the server again." in out
    assert "secret" not in out
    assert content(folder / "tictactoe.db") == before
    assert "holds players or games already" in refusal(
        run("move-to", url, "--yes", "--data", folder)
    )


def test_without_a_yes_nothing_is_moved(run: Run, folder: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'target.db'}"
    status, _, _ = run("move-to", url, "--data", folder, answer="n\n")
    assert status != 0
    assert not (tmp_path / "target.db").exists()
    status, out, _ = run("move-to", url, "--data", folder, "--yes")
    assert status == 0
    assert f"Set TTT_DATABASE_URL={url} " in out
    assert games(tmp_path / "target.db") == games(folder / "tictactoe.db")


@pytest.mark.parametrize(
    "url, why",
    [
        ("mysql://a:secret@b/c", "must look like"),
        ("sqlite:////nowhere/at/all/x.db", "The database /nowhere/at/all/x.db cannot be"),
        ("postgresql://ada:secret@127.0.0.1:1/games", "cannot be used"),
    ],
)
def test_a_target_that_cannot_be_is_one_sentence(
    run: Run, folder: Path, url: str, why: str
) -> None:
    ran = run("move-to", url, "--yes", "--data", folder)
    assert why in refusal(ran)
    assert "secret" not in "".join(ran[1:])
