"""Tickets, and the browsers that go on as another player. Functions take a connection."""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.sql import insertion, sql

ABOUT = "tickets"  # the lock of a transaction that changes any of it


class Ticket(NamedTuple):
    """What a player types or scans to go on in another browser.

    :param made_at: seconds since 1970
    :param waits: whether the player was made with it, and has yet to come
    """

    player: str
    code: str
    made_at: int
    waits: bool = False


class Browser(NamedTuple):
    """Whom a browser goes on as.

    :param id: the SHA-256 of its cookie, which without a ticket is the player
    :param player: ``None``: it has been signed out
    :param since: when it came or was asked who uses it, in seconds since 1970
    :param offered: for whom the teacher takes the one who uses it
    """

    id: str
    player: str | None
    since: int = 0
    offered: str | None = None


_OF = sql("SELECT * FROM tickets WHERE player IN :players")
_BY_CODE = sql("SELECT * FROM tickets WHERE code = :code")
_WAITING = sql("SELECT * FROM tickets WHERE waits ORDER BY made_at, code")
_SAVE = insertion("tickets", Ticket._fields, key=("player",))
_FORGET = sql("DELETE FROM tickets WHERE player = :player")
_BROWSERS = sql("SELECT * FROM browsers")
_LINK = insertion("browsers", Browser._fields, key=("id",))
_SIGN_OUT = sql("UPDATE browsers SET player = NULL, offered = NULL WHERE player = :player")


def of(connection: sa.Connection, *players: str) -> dict[str, Ticket]:
    """Return the tickets of players, by their ids."""
    rows = connection.execute(_OF, {"players": sorted(players)}) if players else ()
    return {row.player: _ticket(row) for row in rows}


def by_code(connection: sa.Connection, code: str) -> Ticket | None:
    row = connection.execute(_BY_CODE, {"code": code}).one_or_none()
    return _ticket(row) if row else None


def waiting(connection: sa.Connection) -> list[Ticket]:
    """Return the tickets of players who have yet to come, the oldest first."""
    return [_ticket(row) for row in connection.execute(_WAITING)]


def save(connection: sa.Connection, ticket: Ticket) -> None:
    connection.execute(_SAVE, ticket._asdict())


def browsers(connection: sa.Connection) -> Mapping[str, Browser]:
    return {row.id: Browser._make(row) for row in connection.execute(_BROWSERS)}


def link(connection: sa.Connection, browser: Browser) -> None:
    connection.execute(_LINK, browser._asdict())
    topics.note(connection, topics.TICKETS)


def sign_out(connection: sa.Connection, player: str) -> None:
    """Let no browser go on as a player, nor the one whose cookie is the player."""
    connection.execute(_SIGN_OUT, {"player": player})
    link(connection, Browser(player, None))


def forget(connection: sa.Connection, player: str) -> None:
    connection.execute(_FORGET, {"player": player})
    connection.execute(_SIGN_OUT, {"player": player})
    topics.note(connection, topics.TICKETS)


def _ticket(row: sa.Row[tuple[object, ...]]) -> Ticket:
    return Ticket(row.player, row.code, row.made_at, bool(row.waits))
