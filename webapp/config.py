"""Settings: what the environment may change, read once when a process starts.

Imports the standard library, and SQLAlchemy for the spelling of a database's address.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Synchronous = Literal["FULL", "NORMAL"]
Names = Literal["dealt", "own"]

_PORTS = range(65536)
_WORKERS = range(1, 65)
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Names of a computer that only programs on it can use."""

_WEB_ADDRESS = re.compile(r"https?://[^/?#\s]+(/[^?#\s]*)?")
_SQLITE_FILE = re.compile(r"sqlite:///(?!:memory:).+")


class SettingsError(ValueError):
    """A setting has a value that cannot be used; the text is a sentence for the user."""


@dataclass(frozen=True)
class Settings:
    """How the server runs and where it keeps the games.

    `port` 0 picks a free one. A relative `data` folder is meant from the current working directory.
    `database_url` replaces the file in the data folder. `synchronous` is SQLite's: FULL survives a
    power cut, NORMAL is faster. `seed` makes the engines' random choices repeatable, for tests.
    `names` says whether players may give themselves names. `public_url` is the address that others
    know this server by, for links and QR codes; otherwise it is the one that a request came to.
    `engine` is a function of the host's own, `FILE.py:FUNCTION`, for the list of opponents.

    :raises SettingsError: if a value is not allowed.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    data: Path = Path("data")
    database_url: str | None = None
    synchronous: Synchronous = "FULL"
    seed: str | None = None
    engine: str | None = None
    names: Names = "dealt"
    public_url: str | None = None

    def __post_init__(self) -> None:
        _whole_number("the port", self.port, _PORTS)
        _whole_number("the number of workers", self.workers, _WORKERS)
        _synchronous(self.synchronous)
        if self.database_url is not None and not _SQLITE_FILE.fullmatch(self.database_url):
            # The address itself is not repeated: it may hold a password.
            raise SettingsError(
                "this version keeps its games in an SQLite file: "
                "the database URL must look like sqlite:///folder/name.db"
            )

        _names(self.names)
        if self.public_url is not None and not _WEB_ADDRESS.fullmatch(self.public_url):
            raise SettingsError("the public URL must look like http://192.168.1.20:8000")
        if self.engine is not None and self.host not in LOOPBACK:
            raise SettingsError(
                "an engine of your own is served to this computer only: "
                "leave the host at 127.0.0.1, and leave out --lan"
            )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """Read TTT_HOST, TTT_PORT and so on; a variable that is empty counts as not set.

        :raises SettingsError: if a value is not allowed.
        """
        return cls(
            host=environ.get("TTT_HOST") or cls.host,
            port=_whole_number("the port", environ.get("TTT_PORT") or cls.port, _PORTS),
            workers=_whole_number(
                "the number of workers", environ.get("TTT_WORKERS") or cls.workers, _WORKERS
            ),
            data=Path(environ.get("TTT_DATA") or cls.data),
            database_url=environ.get("TTT_DATABASE_URL") or None,
            synchronous=_synchronous(environ.get("TTT_SYNCHRONOUS") or cls.synchronous),
            seed=environ.get("TTT_SEED") or None,
            engine=environ.get("TTT_ENGINE") or None,
            names=_names(environ.get("TTT_NAMES") or cls.names),
            public_url=(environ.get("TTT_PUBLIC_URL") or "").rstrip("/") or None,
        )

    def to_environment(self) -> dict[str, str]:
        """Return the variables from which another process reads the same settings."""
        values = {
            "TTT_HOST": self.host,
            "TTT_PORT": str(self.port),
            "TTT_WORKERS": str(self.workers),
            "TTT_DATA": str(self.data.absolute()),
            "TTT_DATABASE_URL": self.database_url,
            "TTT_SYNCHRONOUS": self.synchronous,
            "TTT_SEED": self.seed,
            "TTT_ENGINE": self.engine,
            "TTT_NAMES": self.names,
            "TTT_PUBLIC_URL": self.public_url,
        }
        return {name: value for name, value in values.items() if value is not None}

    @property
    def url(self) -> str:
        """The database's address, as SQLAlchemy reads it."""
        if self.database_url is not None:
            return self.database_url
        from sqlalchemy import URL  # noqa: PLC0415 - the command line starts quicker without it

        # Versions of SQLAlchemy differ in what they escape, so the one in use writes the address.
        file = self.data.absolute() / "tictactoe.db"
        return URL.create("sqlite", database=file.as_posix()).render_as_string()


def _whole_number(what: str, value: str | int, allowed: range) -> int:
    """Return the value as a number from the allowed range.

    :raises SettingsError: if it is none.
    """
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number not in allowed:
        raise SettingsError(
            f"{what} must be a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}"
        )
    return number


def _synchronous(value: str) -> Synchronous:
    """Return the value if SQLite's setting can be that.

    :raises SettingsError: if not.
    """
    if value == "FULL":
        return "FULL"
    if value == "NORMAL":
        return "NORMAL"
    raise SettingsError(f"synchronous must be FULL or NORMAL, not {value!r}")


def _names(value: str) -> Names:
    """Return the value if names can be had so.

    :raises SettingsError: if not.
    """
    if value == "dealt":
        return "dealt"
    if value == "own":
        return "own"
    raise SettingsError(f"names must be dealt or own, not {value!r}")
