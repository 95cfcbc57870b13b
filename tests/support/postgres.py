"""A PostgreSQL of the tests' own, in a temporary folder, and gone afterwards."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import psycopg

from tests.support.programs import found
from tests.support.proxies import free_port

STRANGER = "stranger"  # who must give a password, if made a user; nobody else has one


@dataclass
class Cluster:
    """A server with all of its databases, which refuses to run as root."""

    folder: Path
    port: int
    user: str

    def _url(self, database: str) -> str:
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self.run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` cuts connections, ``immediate`` is as a power cut would."""
        self.run("pg_ctl", "-w", "-m", mode, "stop")

    def database(self) -> str:
        name = f"test_{secrets.token_hex(8)}"
        self.execute(f"CREATE DATABASE {name}")
        return self._url(name)

    def emptied(self) -> str:
        """Return the address of a database without rows, always the same: making one takes long."""
        with psycopg.connect(self._kept, autocommit=True) as connection:
            tables = connection.execute(
                "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables "
                "WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
            ).fetchone()
            if tables and tables[0]:
                connection.execute(f"TRUNCATE {tables[0]}".encode())
        return self._kept

    @cached_property
    def _kept(self) -> str:
        return self.database()

    def execute(self, statement: str) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def cut(self) -> None:
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [found(program) or program, "-D", self.folder / "data", *arguments],
            user=self.user if os.geteuid() == 0 else None, cwd="/", stdin=subprocess.DEVNULL,
            # Not to a pipe: the server that pg_ctl starts would keep it open for ever.
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} {arguments} ended with {done.returncode}"


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Make and start a server; `durable`: it forces its writes to the disk, for tests of faults."""
    # For root it is the owner that the package brings.
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(tempfile.mkdtemp(prefix="tictactoe-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        server = Cluster(folder, free_port(), user)
        server.run("initdb", "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync")
        if not durable:
            with (folder / "data" / "postgresql.conf").open("a") as configuration:
                configuration.write("fsync = off\nsynchronous_commit = off\n")
        access = folder / "data" / "pg_hba.conf"
        access.write_text(f"host all {STRANGER} all scram-sha-256\n{access.read_text()}")
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
