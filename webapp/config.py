"""Settings: what the environment may change, read once when a process starts.

Imports the standard library, and SQLAlchemy for the spelling of a database's address.
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
"""Whether this is a wheel, which has templates and static files inside the package."""

TEMPLATES, STATIC = (
    (_PACKAGE if IS_INSTALLED else _PACKAGE.parent) / folder for folder in ("templates", "static")
)
_NAMED = re.compile(r"""["'](\w[\w./-]*\.(?:html|css|js|png|svg|webmanifest))["']""")
"""How templates and the code name the files that they need."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Names of a computer that only its own programs can use."""

_WEB_ADDRESS = re.compile(r"https?://[^/?#\s]+(/[^?#\s]*)?")
_LONGEST_ADDRESS = 500  # a QR code has room for it, and for what stands below it
_SHORTEST_KEY, _FEWEST_KINDS = 16, 8  # characters of a key, and how many of them differ
_SQLITE_FILE = re.compile(r"sqlite:///(?!:memory:).+")
_POSTGRES = re.compile(r"postgres(?:ql)?://\S+")
_BASE_PATH = re.compile(r"(?:/[A-Za-z0-9_.~-]+)+")

HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Where a program on this computer reaches a server that listens on every address."""


def _own_folder() -> Path:
    """Return the folder in which the system keeps what a program stores for its user."""
    from platformdirs import user_data_dir  # noqa: PLC0415 - an installed program alone needs it

    return Path(user_data_dir("classroom-tictactoe", appauthor=False))


class SettingsError(ValueError):
    """A setting has a value that cannot be used; the text is a sentence for the user."""


@dataclass(frozen=True)
class Settings:
    """How the server runs and where it keeps the games.

    `port` 0 picks a free one. A relative `data` folder starts from the current working directory.
    `database_url` replaces the file in the data folder: another SQLite file, or PostgreSQL.
    `synchronous` is SQLite's: FULL survives a power cut, NORMAL is faster. `seed` makes the
    engines' random choices repeatable, for tests.
    With `names` set to own, players may choose their names. `public_url` is the address of this
    server for others, in links and QR codes; without it, the address of the request is used, and
    with `lan`, where that is this computer's own, the likeliest of those on its networks.
    `engine` names functions for the list of opponents, as `FILE.py:FUNCTION` or a folder of files.
    `base_path` is where the site begins below its host, such as `/games`. `trusted_proxies` are the
    addresses and networks that are believed about the visitor's address and HTTPS. `limits` says
    whether a visitor who asks too often is refused.
    `language` is that of pages for a browser that asks for none of the others.
    `host_key` replaces the key of the host's page that is in the data folder.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = _own_folder() if IS_INSTALLED else Path("data")
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
        _check_name(self.data)
        url = self.database_url
        if url is not None and not (_SQLITE_FILE.fullmatch(url) or _POSTGRES.fullmatch(url)):
            # The address itself is not repeated: it may hold a password.
            raise SettingsError(
                "the database URL must look like sqlite:///folder/name.db "
                "or postgresql://user:password@host/name"
            )
        if self.base_path and not _BASE_PATH.fullmatch(self.base_path):
            raise SettingsError(f"the base path must look like /games, not {self.base_path!r}")
        for what, address in (("base path", self.base_path), ("public URL", self.public_url)):
            if address and len(address) > _LONGEST_ADDRESS:
                raise SettingsError(f"the {what} must not be over {_LONGEST_ADDRESS} characters")
        for proxy in self.trusted_proxies:
            _network(proxy)
        if self.host_key is not None and _is_weak(self.host_key):
            raise SettingsError(
                f"the host key must have at least {_SHORTEST_KEY} characters, {_FEWEST_KINDS} "
                f"different ones, and not only letters: take random ones"
            )
        if self.public_url is not None and not _WEB_ADDRESS.fullmatch(self.public_url):
            raise SettingsError("the public URL must look like http://192.168.1.20:8000")

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """Read TTT_HOST, TTT_PORT and so on; a variable that is empty counts as not set."""
        given: dict[str, Any] = {}
        for one in fields(cls):
            if text := environ.get(f"TTT_{one.name.upper()}"):
                given[one.name] = _READ.get(one.name, str)(text)
        return cls(**given)

    @property
    def postgres(self) -> bool:
        """Whether the games are kept in PostgreSQL."""
        return bool(self.database_url and _POSTGRES.fullmatch(self.database_url))

    @property
    def url(self) -> str:
        """The database's address, as SQLAlchemy reads it."""
        if self.postgres:
            # However it is spelled, by the driver that the extra `postgres` brings.
            return "postgresql+psycopg://" + (self.database_url or "").partition("://")[2]
        if self.database_url is not None:
            return self.database_url
        from sqlalchemy import URL  # noqa: PLC0415 - the command line starts quicker without it

        # Versions of SQLAlchemy differ in what they escape, so the one in use writes the address.
        file = self.data.absolute() / "tictactoe.db"
        return URL.create("sqlite", database=file.as_posix()).render_as_string()


def check_files() -> None:
    """Raise `SettingsError` if a file is missing that a page needs."""
    languages = get_args(Language)[1:]
    needed = {_PACKAGE / "locales" / code / "messages.mo" for code in languages}
    for source in (*TEMPLATES.rglob("*.html"), *_PACKAGE.glob("web/**/*.py")):
        names = _NAMED.findall(source.read_text(encoding="utf-8"))
        needed |= {(TEMPLATES if name.endswith(".html") else STATIC) / name for name in names}
    for file in sorted(needed):
        if not file.exists():
            raise SettingsError(f"{file} is missing; install or unpack the program again")


def local_url(host: str, port: int, base_path: str = "") -> str:
    """Return the address of the first page, for a browser on this computer."""
    host = HERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{base_path}"


def _check_name(folder: Path) -> None:
    if re.search("[\ud800-\udfff]", str(folder.absolute())):
        raise SettingsError("the name of the data folder is not UTF-8; choose another folder")


def _port(value: str | int) -> int:
    """Return the value as the number of a port."""
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number not in range(65536):
        raise SettingsError(f"the port must be a whole number from 0 to 65535, not {value!r}")
    return number


def _is_weak(key: str) -> bool:
    """Tell whether a key could be guessed: it is short, a word, or one character over and over."""
    return len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_KINDS or key.isalpha()


def _network(text: str) -> None:
    try:
        ipaddress.ip_network(text)
    except ValueError as error:
        raise SettingsError(
            f"trusted proxies must be addresses or networks such as 10.0.0.0/8, not {text!r}"
        ) from error


# How the text of a variable becomes a value, for settings that are not text.
_READ: dict[str, Callable[[str], Any]] = {
    "port": _port,
    "data": Path,
    "public_url": lambda text: text.rstrip("/") or None,
    "base_path": lambda text: text.rstrip("/"),
    "trusted_proxies": lambda text: tuple(re.findall(r"[^,\s]+", text)),
    "engine": lambda text: tuple(filter(None, map(str.strip, text.split(",")))),
}
