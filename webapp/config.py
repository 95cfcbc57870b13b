"""Settings, read from the environment once when a process starts.

Imports the standard library, and SQLAlchemy to write a database's address.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

Synchronous = Literal["FULL", "NORMAL"]
Names = Literal["dealt", "own"]
Switch = Literal["on", "off"]
Language = Literal["en", "de", "es", "fr", "it", "pl", "tr", "ar", "zh"]
_CHOICES = {
    "synchronous": Synchronous,
    "names": Names,
    "lan": Switch,
    "limits": Switch,
    "language": Language,
}

_PACKAGE = Path(__file__).resolve().parent
IS_INSTALLED = (_PACKAGE / "templates").is_dir()
"""Whether this is an installed wheel, with templates and static files inside the package."""

TEMPLATES, STATIC = (
    (_PACKAGE if IS_INSTALLED else _PACKAGE.parent) / folder for folder in ("templates", "static")
)

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Addresses that only programs on the same computer can use."""

_WEB_ADDRESS = re.compile(r"https?://[^/?#\s]+(/[^?#\s]*)?")
_MIN_KEY, _MIN_DIFFERENT = 16, 8  # characters of a key
_SQLITE_FILE = re.compile(r"sqlite:///(?!:memory:).+")
_POSTGRES = re.compile(r"postgres(?:ql)?://\S+")
_BASE_PATH = re.compile(r"(?:/[A-Za-z0-9_.~-]+)+")

HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""The address on this computer of a server that listens on every address."""


def _user_folder() -> Path:
    from platformdirs import user_data_dir  # noqa: PLC0415 - only an installed program needs it

    return Path(user_data_dir("classroom-tictactoe", appauthor=False))


class SettingsError(ValueError):
    """A setting cannot be used; the text is a sentence for the user."""


@dataclass(frozen=True)
class Settings:
    """How the server runs and where it keeps the games.

    :param port: 0 picks a free port
    :param database_url: another SQLite file, or PostgreSQL, instead of the file in ``data``
    :param synchronous: of SQLite: FULL survives a power cut, NORMAL is faster
    :param seed: makes the engines' random choices repeatable, for tests
    :param engine: functions to play against: ``FILE.py:FUNCTION``, or folders of files
    :param names: with own, players may choose their names
    :param public_url: this server's address in links and QR codes; by default that of the request,
        or with ``lan``, instead of a loopback address, the likeliest on this computer's networks
    :param base_path: where the site begins below its host, such as ``/games``
    :param trusted_proxies: trusted about a visitor's address and HTTPS
    :param limits: whether to refuse visitors who ask too often
    :param language: for a browser that asks for none of the languages
    :param host_key: replaces the key in the data folder
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = _user_folder() if IS_INSTALLED else Path("data")
    database_url: str | None = None
    synchronous: Synchronous = "FULL"
    seed: str | None = None
    engine: tuple[str, ...] = ()
    names: Names = "dealt"
    lan: Switch = "off"
    public_url: str | None = None
    base_path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    limits: Switch = "on"
    language: Language = "en"
    host_key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _port(self.port)
        for name, kind in _CHOICES.items():
            value, allowed = getattr(self, name), get_args(kind)
            if value not in allowed:
                raise SettingsError(f"{name} must be {' or '.join(allowed)}, not {value!r}")
        url = self.database_url
        if url is not None and not (_SQLITE_FILE.fullmatch(url) or _POSTGRES.fullmatch(url)):
            # The address is not repeated, as it may hold a password.
            raise SettingsError(
                "the database URL must look like sqlite:///folder/name.db "
                "or postgresql://user:password@host/name"
            )
        if self.base_path and not _BASE_PATH.fullmatch(self.base_path):
            raise SettingsError(f"the base path must look like /games, not {self.base_path!r}")
        for proxy in self.trusted_proxies:
            _network(proxy)
        if self.host_key is not None and _is_weak(self.host_key):
            raise SettingsError(
                f"the host key must have at least {_MIN_KEY} characters, {_MIN_DIFFERENT} "
                f"different ones, and not only letters: take random ones"
            )
        if self.public_url is not None and not _WEB_ADDRESS.fullmatch(self.public_url):
            raise SettingsError("the public URL must look like http://192.168.1.20:8000")

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """Read TTT_HOST, TTT_PORT and so on; an empty variable counts as not set."""
        texts = {
            setting.name: environ.get(f"TTT_{setting.name.upper()}") for setting in fields(cls)
        }
        return cls(**{name: _READ.get(name, str)(text) for name, text in texts.items() if text})

    @property
    def postgres(self) -> bool:
        return bool(self.database_url and _POSTGRES.fullmatch(self.database_url))

    @property
    def url(self) -> str:
        """The database's address for SQLAlchemy."""
        if self.postgres:
            # With the driver that the extra `postgres` installs.
            return "postgresql+psycopg://" + (self.database_url or "").partition("://")[2]
        if self.database_url is not None:
            return self.database_url
        from sqlalchemy import URL  # noqa: PLC0415 - the command line starts quicker without it

        # Versions of SQLAlchemy differ in what they escape, so the installed version writes it.
        file = self.data.absolute() / "tictactoe.db"
        return URL.create("sqlite", database=file.as_posix()).render_as_string()


def local_url(host: str, port: int, base_path: str = "") -> str:
    """Return the address of the first page, for a browser on this computer."""
    host = HERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{base_path}"


def _port(value: str | int) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number not in range(65536):
        raise SettingsError(f"the port must be a whole number from 0 to 65535, not {value!r}")
    return number


def _is_weak(key: str) -> bool:
    return len(key) < _MIN_KEY or len(set(key)) < _MIN_DIFFERENT or key.isalpha()


def _network(text: str) -> None:
    try:
        ipaddress.ip_network(text)
    except ValueError as error:
        raise SettingsError(
            f"trusted proxies must be addresses or networks such as 10.0.0.0/8, not {text!r}"
        ) from error


# For settings that are not text, by name.
_READ: dict[str, Callable[[str], Any]] = {
    "port": _port,
    "data": Path,
    "public_url": lambda text: text.rstrip("/") or None,
    "base_path": lambda text: text.rstrip("/"),
    "trusted_proxies": lambda text: tuple(re.findall(r"[^,\s]+", text)),
    "engine": lambda text: tuple(filter(None, map(str.strip, text.split(",")))),
}
