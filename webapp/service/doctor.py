"""Whether everything that the server needs on its own machine is there: `tictactoe doctor`.

Each check looks at one thing, changes nothing, and returns what it found.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import sqlalchemy as sa

from webapp.config import Settings, SettingsError
from webapp.service.findings import Finding, ok, warning, wrong
from webapp.service.reachability import PROXY
from webapp.store import Database, StoreError, postgres, sqlite
from webapp.store.advice import command
from webapp.store.database import SCHEMA_REVISION, damaged
from webapp.store.schema import games

ROOM = 200_000_000
"""Bytes that should be free: for the games of a year, their copies, and the system."""

_AS_SERVER = "run this as the user who runs the server"
_NO_ROOM = 20_000_000
_OLDEST_POSTGRES = 15
_SLOW, _TOO_SLOW = 0.02, 0.5
"""Seconds for one question to PostgreSQL: a move asks about five, and waits for 5 s at most."""

_PROGRAM_IS_FROM = datetime(2024, 1, 1, tzinfo=UTC)
_SKEW = 5
_AHEAD = 60
"""Seconds that a file system's clock and ours may differ."""


def check_settings(environ: Mapping[str, str]) -> tuple[Settings | None, list[Finding]]:
    """Read the settings; ``None`` where they cannot be read."""
    about = "settings"
    known = {f"TTT_{field.name.upper()}" for field in fields(Settings)}
    unknown = sorted(name for name in environ if name.startswith("TTT_") and name not in known)
    found = [
        warning(about, f"{name} is no setting", "correct its name, or remove it")
        for name in unknown
    ]
    try:
        settings = Settings.from_environment(environ)
    except SettingsError as error:
        return None, [*found, wrong(about, str(error), "correct it")]
    found += _trust(settings)
    return settings, found or [ok(about, "can be read")]


def _trust(settings: Settings) -> list[Finding]:
    """Judge whom the application believes."""
    if all(ip_network(proxy).prefixlen for proxy in settings.trusted_proxies):
        return []
    return [
        warning(
            "settings",
            "everybody's word about their address is taken",
            f"set TTT_TRUSTED_PROXIES to {PROXY}",
        )
    ]


# --- the data folder --------------------------------------------------------------------------


def check_folder(settings: Settings) -> list[Finding]:
    """Look whether the data folder is there, and who can write and read in it."""
    about, folder = "data folder", _folder(settings)
    try:
        folder.stat()
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".probe-") as probe:
            probe.write(b"x")
            probe.flush()
    except FileNotFoundError:
        return [warning(about, f"{folder} is not there yet", "the first start makes it")]
    except OSError as error:
        return [
            wrong(
                about,
                f"{folder} cannot be written to: {error.strerror}",
                f"{_AS_SERVER}, give it to them (chown), or set TTT_DATA",
            )
        ]
    found = [ok(about, f"{folder} can be written to")]
    return [*found, *(_owners(settings) or _unwritable(settings)), *_readers(settings)]


def _owners(settings: Settings) -> list[Finding]:
    folder, file = _folder(settings), sqlite.file_of(settings)
    strange = [one for one in sqlite.files_of(file) if one.stat().st_uid != folder.stat().st_uid]
    if os.name != "posix" or not strange:
        return []
    return [
        wrong(
            "data folder",
            f"{strange[0]} belongs to another user than its folder",
            f"run: chown --reference={folder} {' '.join(map(str, strange))}",
        )
    ]


def _unwritable(settings: Settings) -> list[Finding]:
    one = sqlite.unwritable(sqlite.file_of(settings))
    if one is None:
        return []
    advice = "make it belong to the user who runs the server (chown), and writable (chmod u+w)"
    return [wrong("data folder", f"{one} cannot be written to", advice)]


def _readers(settings: Settings) -> list[Finding]:
    folder, file = _folder(settings), sqlite.file_of(settings)
    if os.name != "posix" or not file.is_file():
        return []
    if folder.stat().st_mode & 0o001 and file.stat().st_mode & 0o004:
        return [
            warning(
                "permissions",
                "every user of this machine can read the players' names and games",
                f"if there are others, run: chmod o-rwx {folder}",
            )
        ]
    return [ok("permissions", "other users of this machine cannot read the games")]


def check_space(
    settings: Settings, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> Finding:
    """Look whether the disk has room for more games, and for a copy of them."""
    about, folder, file = "free space", _folder(settings), sqlite.file_of(settings)
    while _stat(folder) is None:
        folder = folder.parent
    left = free(folder)
    says = f"{left // 1_000_000} MB in {folder}"
    found = _stat(file)
    needed = max(ROOM, 2 * found.st_size if found else 0)
    if left < _NO_ROOM:
        return wrong(about, says, "make room; without it no move can be stored")
    if left < needed:
        return warning(about, says, f"make room: {needed // 1_000_000} MB let copies be made")
    return ok(about, says)


def _folder(settings: Settings) -> Path:
    """Where the SQLite file is, whichever setting says so."""
    return sqlite.file_of(settings).absolute().parent


def _stat(path: Path) -> os.stat_result | None:
    """What the system tells of a file; ``None`` where there is none, or we may not see it."""
    try:
        return path.stat()
    except OSError:
        return None


# --- the database -----------------------------------------------------------------------------


def check_database(settings: Settings) -> Finding:
    """Look whether the database opens, is whole, and has the schema that this program needs."""
    about = "database"
    if not settings.postgres:
        file = sqlite.file_of(settings)
        try:
            file.stat()
        except FileNotFoundError:
            return ok(about, f"{file} is not there yet; the first start makes it")
        except OSError as error:
            return wrong(about, f"{file} cannot be used: {error.strerror}", _AS_SERVER)
        if sentence := damaged(settings, whole=True):
            what, _, advice = sentence.rstrip(".").partition("; ")
            return wrong(about, what, advice)
    try:
        database = Database(settings)
        try:
            name, revision = database.name, database.revision()
            foreign = revision is None and database.is_foreign()
        finally:
            database.close()
    except StoreError as error:
        advice = "see that it runs, and that TTT_DATABASE_URL is right"
        return wrong(
            about, str(error).rstrip("."), advice if settings.postgres else "see who may read it"
        )
    if foreign:
        return wrong(about, f"{name} is no database of this program", "name another folder or file")
    return _schema(settings, name, revision)


def _schema(settings: Settings, name: str, revision: str | None) -> Finding:
    about = "database"
    if revision is None:
        return ok(about, f"{name} is empty; the first start prepares it")
    if revision > SCHEMA_REVISION:
        return wrong(
            about,
            f"{name} was made by a newer version (schema {revision}, known is {SCHEMA_REVISION})",
            "install that version",
        )
    if revision == SCHEMA_REVISION:
        return ok(about, f"{name} is whole and up to date (schema {revision})")
    says = f"{name} is of an earlier version (schema {revision})"
    if settings.postgres:
        advice = f"make a copy with pg_dump, then run: {command('migrate')}"
        return wrong(about, says, advice)
    return warning(about, says, "the next start copies it and brings it up to date")


def check_postgres(settings: Settings) -> list[Finding]:
    """Look at the server of a database that can be reached: version, distance, connections."""
    database = Database(settings)
    try:
        with database.read() as connection:
            number = int(str(connection.scalar(sa.text("SHOW server_version_num"))))
            most = int(str(connection.scalar(sa.text("SHOW max_connections"))))
            others = connection.scalar(
                sa.text(
                    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
                    "AND application_name <> 'tictactoe'"
                )
            )
            took = []
            for _ in range(5):
                start = time.perf_counter()
                connection.execute(sa.text("SELECT 1")).all()
                took.append(time.perf_counter() - start)
    except (sa.exc.DBAPIError, StoreError):
        return []  # `check_database` has said so
    finally:
        database.close()
    return [
        version(number // 10_000),
        distance(statistics.median(took)),
        room_for_connections(settings.workers, most, int(others or 0)),
    ]


def version(major: int) -> Finding:
    """Judge PostgreSQL's version."""
    about = "PostgreSQL"
    if major < _OLDEST_POSTGRES:
        return wrong(about, f"version {major}", f"upgrade it to {_OLDEST_POSTGRES} or newer")
    return ok(about, f"version {major}")


def distance(seconds: float) -> Finding:
    """Judge how long one question takes."""
    about, says = "distance", f"PostgreSQL answers within {seconds * 1000:.1f} ms"
    if seconds > _TOO_SLOW:
        return wrong(about, says, "bring it nearer: moves will fail")
    if seconds > _SLOW:
        return warning(about, says, "bring it nearer: a move asks about five times")
    return ok(about, says)


def room_for_connections(workers: int, most: int, others: int) -> Finding:
    """Judge whether this machine's workers get their connections.

    :param most: what the server allows
    :param others: how many other programs hold
    """
    about, needed = "connections", workers * postgres.CONNECTIONS
    says = f"{workers} workers use up to {needed} of {most}, other programs {others}"
    if needed + others > most:
        return wrong(about, says, "raise max_connections in postgresql.conf, or lower TTT_WORKERS")
    if 2 * needed + others > most:
        return warning(about, says, "for a second machine raise max_connections")
    return ok(about, says)


# --- the clock --------------------------------------------------------------------------------


def check_clock(settings: Settings, now: Callable[[], float] = time.time) -> Finding:
    """Look whether the clock is set, and has not gone back since the last move."""
    about, moment = "clock", now()
    shown = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if moment < _PROGRAM_IS_FROM.timestamp():
        return wrong(about, f"it is set to {shown}", "set it, and let it be kept (timedatectl)")
    newest, theirs = _times(settings)
    if newest > moment + _AHEAD:
        return wrong(
            about,
            f"it is set to {shown}, {newest - moment:.0f} s before the last move",
            "set it, and let it be kept (timedatectl)",
        )
    if theirs is not None and abs(theirs - moment) > _SKEW:
        return warning(
            about,
            f"it is set to {shown}, and PostgreSQL's differs by {abs(theirs - moment):.0f} s",
            "let both be kept (timedatectl)",
        )
    return ok(about, f"it is set to {shown}")


def _times(settings: Settings) -> tuple[float, float | None]:
    """Return when the newest game was changed, and what PostgreSQL's clock says."""
    newest, theirs = 0.0, None
    if not settings.postgres:
        found = _stat(sqlite.file_of(settings))
        if found is None:
            return 0.0, None
        newest = found.st_mtime
    try:
        database = Database(settings)
    except StoreError:
        return newest, theirs
    try:
        with database.read() as connection:
            if settings.postgres:
                clock = sa.text("SELECT extract(epoch FROM clock_timestamp())")
                theirs = float(str(connection.scalar(clock)))
            last = connection.scalar(sa.select(sa.func.max(games.c.updated_at)))
            newest = max(newest, float(last or 0))
    except (sa.exc.DBAPIError, sa.exc.TimeoutError):
        pass  # no table yet, or a database that `check_database` speaks of
    finally:
        database.close()
    return newest, theirs
