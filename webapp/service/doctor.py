"""Checks whether the server has everything that it needs: `tictactoe doctor`. Changes nothing."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from http.client import HTTPException
from typing import Literal
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from webapp import __version__
from webapp.config import Settings, SettingsError, local_url
from webapp.store import StoreError, revisions, sqlite
from webapp.store.database import inspect

ROOM = 200_000_000
"""Bytes that should be free, for a year of games and a copy of them."""

_NO_ROOM = 20_000_000
"""Bytes that must be free."""

_PATIENCE = 10  # seconds for an answer


Level = Literal["ok", "warning", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    :param about: what was looked at, in a word or two
    :param says: what was found, and what to do about a problem; without a full stop
    """

    level: Level
    about: str
    says: str


def examine(environ: Mapping[str, str], url: str | None = None) -> Iterator[Finding]:
    """Check one thing after the other; ``url`` is the site's address, if no setting names it."""
    known = {f"TTT_{field.name.upper()}" for field in fields(Settings)}
    for name in sorted(environ):
        if name.startswith("TTT_") and name not in known:
            yield Finding(
                "warning", "settings", f"{name} is not a setting; correct the name or remove it"
            )
    try:
        settings = Settings.from_environment(environ)
    except SettingsError as error:
        yield Finding("wrong", "settings", str(error))
        return
    yield Finding("ok", "settings", "are valid")
    yield _database(settings)
    if not settings.postgres:
        yield _folder(settings)
    if settings.port:
        here = local_url(settings.host, settings.port, settings.base_path)
        yield _visit("server", here, absent="ok")
    if address := url or settings.public_url:
        yield _visit("address", address, absent="wrong")


def _database(settings: Settings) -> Finding:
    """Find what a start would find."""
    try:
        revision = inspect(settings, whole=True)
    except (StoreError, OSError) as error:
        return Finding("wrong", "database", str(error).rstrip("."))
    if revision is None:
        return Finding("ok", "database", "there is none yet; the first start creates it")
    if revisions.is_older(revision):
        says = "is from an earlier version (schema {}); the next start copies and upgrades it"
        return Finding("warning", "database", says.format(revision))
    return Finding("ok", "database", f"is undamaged and up to date (schema {revision})")


def _folder(settings: Settings) -> Finding:
    """Check that the folder can be written to, and has room for more games and a copy."""
    file, about = sqlite.file_of(settings), "data folder"
    folder = next(folder for folder in file.parents if os.path.exists(folder))  # noqa: PTH110
    if not os.access(folder, os.W_OK | os.X_OK):
        says = f"{folder} cannot be written to; run this as the user that runs the server"
        return Finding("wrong", about, says)
    left = shutil.disk_usage(folder).free
    needed = max(ROOM, 2 * file.stat().st_size if file.exists() else 0)
    says = f"{folder} has {left // 1_000_000} MB free"
    if left < needed:
        says += f"; free up space: copies need {needed // 1_000_000} MB"
    return Finding(
        "wrong" if left < _NO_ROOM else "warning" if left < needed else "ok", about, says
    )


def _visit(about: str, address: str, absent: Level) -> Finding:
    """Ask our own server at an address how it is, as a browser on this computer would.

    :param absent: the level of the finding if nothing answers
    """
    address = address.rstrip("/")
    level: Level = "wrong"
    try:
        version, encrypted, secure = _ask(address)
        forged = encrypted and secure and not _ask(address, X_Forwarded_Proto="http")[2]
    except HTTPError as error:
        error.close()
        says = (
            f"{address} answers with error {error.code}; look at the server's log and the proxy's"
        )
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        why = getattr(error, "reason", error)
        says = f"the game does not answer at {address}: {getattr(why, 'strerror', None) or why}"
        if absent == "ok" and isinstance(why, ConnectionRefusedError):
            level, says = "ok", f"no server runs at {address}, so you can start one"
    else:
        if version != __version__:
            level = "warning"
            says = f"{address} runs version {version}, but {__version__} is installed; restart it"
        elif encrypted and not secure:
            says = (
                f"the server takes {address} for plain HTTP; "
                "set TTT_TRUSTED_PROXIES to the proxy's address"
            )
        elif forged:
            says = (
                f"at {address} a visitor can forge X_Forwarded_Proto and X_Forwarded_For; make "
                "the proxy drop headers with an underscore in their names "
                "(Caddy: `header_up -*_*`)"
            )
        else:
            level, says = "ok", f"the game answers at {address} (version {version})"
    return Finding(level, about, says)


def _ask(address: str, **headers: str) -> tuple[str, bool, bool]:
    """Ask our own server how it is: its version, whether HTTPS led there, and if it knows that."""
    request = Request(f"{address}/healthz", headers=headers)  # noqa: S310 - the host's own address
    with build_opener(ProxyHandler({})).open(request, timeout=_PATIENCE) as answer:
        told, secure = json.loads(answer.read()), "Strict-Transport-Security" in answer.headers
    return told["version"], answer.url.startswith("https:"), secure
