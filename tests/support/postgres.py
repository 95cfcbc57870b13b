"""A PostgreSQL of the tests' own, in a temporary folder, and gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from tests.support.programs import found
from tests.support.proxies import free_port

STRANGER = "stranger"
"""Who must give a password, if made a user; nobody else has one."""

_numbers = count(1)


@dataclass(frozen=True)
class Cluster:
    """A server with all of its databases.

    :param folder: what it keeps them in
    :param user: who it runs as: not root, which it refuses
    """

    folder: Path
    port: int
    user: str
    _kept: list[str] = field(default_factory=list)

    def _url(self, database: str) -> str:
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._control("start", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` cuts connections, ``immediate`` is as a power cut would."""
        self._control("stop", "-m", mode)

    def database(self) -> str:
        """Make an empty database and return its address."""
        name = f"test_{next(_numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self._url(name)

    def emptied(self) -> str:
        """Return the address of a database without rows, the same one each time.

        For the many tests that need no tables of their own: to make one takes far longer.
        """
        if not self._kept:
            self._kept.append(self.database())
        with psycopg.connect(self._kept[0], autocommit=True) as connection:
            tables = connection.execute(
                "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables "
                "WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
            ).fetchone()
            if tables and tables[0]:
                connection.execute(f"TRUNCATE {tables[0]}".encode())
        return self._kept[0]

    def execute(self, statement: str) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def cut(self) -> None:
        """Cut all connections but the one that does it."""
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def _control(self, *arguments: str) -> None:
        _run("pg_ctl", "-w", "-D", str(self.folder / "data"), *arguments, user=self.user)


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Make a server and start it; stop it in the end and remove everything.

    :param durable: whether it forces its writes to the disk, which only tests of faults need
    """
    # Not root, which it refuses: then it is the owner that the package brings.
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(tempfile.mkdtemp(prefix="tictactoe-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        data = str(folder / "data")
        _run("initdb", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync", user=user)
        if not durable:
            with (folder / "data" / "postgresql.conf").open("a") as configuration:
                configuration.write("fsync = off\nsynchronous_commit = off\n")
        access = folder / "data" / "pg_hba.conf"
        access.write_text(f"host all {STRANGER} all scram-sha-256\n{access.read_text()}")
        server = Cluster(folder, free_port(), user)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(name: str, *arguments: str, user: str) -> None:
    done = subprocess.run(
        [found(name) or name, *arguments],
        user=user if os.geteuid() == 0 else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        # To a file: the server that pg_ctl starts would keep a pipe open for ever.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, f"{name} {' '.join(arguments)} ended with {done.returncode}"
