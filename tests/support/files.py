"""SQLite files for tests of what becomes of them: filled, compared, damaged."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import StoreError, prepare, revisions, schema

PLAYERS = 400


def filled(folder: Path, name: str = "Player") -> Path:
    folder.mkdir(exist_ok=True)
    prepare(Settings(data=folder))
    # Just now, or a server would forget them as idle.
    file, now = folder / "tictactoe.db", int(time.time())
    with closing(sqlite3.connect(file)) as connection:
        for number in range(PLAYERS):
            player, called = f"{number:064x}", f"{name} {number}"
            connection.execute(
                "INSERT INTO players (id, opponent, mark, created_at, name, name_key, seen_at) "
                "VALUES (?, 'hard', 'x', 1, ?, ?, ?)",
                (player, called, called.lower(), now),
            )
            connection.execute(
                "INSERT INTO games (id, kind, engine, x_seat, moves, given, reasons, helped, "
                "outcome, version, created_at, updated_at) "
                "VALUES (?, 'engine', 'hard', ?, '04', 0, '[null,null]', 0, '', 1, 1, ?)",
                (f"{number:022x}", player, now),
            )
        connection.commit()
    return file


SCHEMA = revisions.SCHEMA_REVISION
NEXT = f"{int(SCHEMA) + 1:04}"  # of a program that is to come
MIGRATION = f"""
from alembic import op
revision, down_revision = "{NEXT}", "{SCHEMA}"
def upgrade(): op.execute("UPDATE players SET mark = 'o'")
"""  # noqa: S608


def next_version(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the program be one that is to come, with one more migration, in this folder."""
    shutil.copytree(revisions.MIGRATIONS, folder)
    (folder / "versions" / f"{NEXT}_next.py").write_text(MIGRATION)
    monkeypatch.setattr(revisions, "MIGRATIONS", folder)
    monkeypatch.setattr(revisions, "SCHEMA_REVISION", NEXT)


def insert_player(connection: sa.Connection, player: str) -> None:
    columns = {"opponent": "hard", "mark": "x", "created_at": 1, "seen_at": 1}
    connection.execute(sa.insert(schema.players).values(id=player, **columns))


def players(connection: sa.Connection) -> list[str]:
    return sorted(connection.scalars(sa.text("SELECT id FROM players")))


def content(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def killed(file: Path) -> bytes:
    """Leave a database as a server does that is killed: its last change is in the log only."""
    log = file.with_name(f"{file.name}-wal")
    with closing(sqlite3.connect(file)) as server:
        server.execute("UPDATE players SET name = 'from the log'")
        server.commit()
        kept, changes = file.read_bytes(), log.read_bytes()
    file.write_bytes(kept)
    log.write_bytes(changes)
    return changes


def names(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()}


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as refused:
        action()
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()


def checkpoint(file: Path) -> int:
    change(file, "PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


def another_programs(file: Path) -> None:
    file.unlink(missing_ok=True)
    change(file, "CREATE TABLE games (id TEXT)")


def _overwrite(file: Path, name: str, after: int, what: bytes) -> None:
    checkpoint(file)
    with closing(sqlite3.connect(file)) as connection:
        root = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(root, (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size + after)
        opened.write(what)


spoil_table = partial(_overwrite, name="games", after=5, what=bytes(range(256)) * 8)
spoil_index = partial(_overwrite, name="ix_players_name_key", after=8, what=b"\xff" * 600)


def spoil_keys(file: Path) -> None:
    """Let an index be about another column than the one that it was made of."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        change = "UPDATE sqlite_master SET sql = replace(sql, 'name_key)', 'name)') WHERE name = ?"
        assert connection.execute(change, ("ix_players_name_key",)).rowcount == 1
        connection.commit()


def cut_off(file: Path, more: int = 0) -> None:
    os.truncate(file, checkpoint(file) * 2 // 3 + more)


def spoil_header(file: Path) -> None:
    checkpoint(file)
    file.write_bytes(bytes(100) + file.read_bytes()[100:])


within_a_page = partial(cut_off, more=1000)
DAMAGE = [spoil_table, spoil_index, spoil_keys, cut_off, within_a_page, spoil_header]
