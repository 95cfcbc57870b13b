"""Who is here. Functions take a connection; moments are milliseconds since 1970."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import sqlalchemy as sa

from webapp.store import news
from webapp.store.schema import presence

ABOUT = "presence"
"""The subject of a transaction that writes who is here."""

LONGEST = 30_000
"""For how long a row is kept, and how far ahead it reaches at the most; where one reaches further,
a clock was set."""


class Seen(NamedTuple):
    """When a page of a player's last asked, and until when that counts as being here.

    :param has_left: whether it said good-bye then
    """

    asked_at: int
    until: int
    has_left: bool = False


Sightings: TypeAlias = Mapping[str, Seen]
"""By player."""

_NOW: sa.BindParameter[int] = sa.bindparam("now")
HERE = presence.c.until.between(_NOW, _NOW + LONGEST)
"""Whether a row says that its player is here ``now``."""

_ALL = sa.select(presence).where(presence.c.asked_at > _NOW - LONGEST)
_UNTIL = sa.select(presence.c.until).where(presence.c.player == sa.bindparam("player"))
_PLAYERS = sa.select(presence.c.player).where(HERE).order_by(presence.c.player)
_GONE = sa.delete(presence).where(~presence.c.asked_at.between(_NOW - LONGEST, _NOW + LONGEST))
_ROWS = {
    "sqlite": "SELECT key, json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
    "json_extract(value, '$[2]') FROM json_each(:rows) WHERE true",
    "postgresql": "SELECT key, CAST(value->>0 AS bigint), CAST(value->>1 AS bigint), "
    "CAST(value->>2 AS boolean) FROM json_each(CAST(:rows AS json))",
}
# What was seen before a good-bye does not undo it, unless a clock was set back since.
_PUT = {
    dialect: sa.text(
        f"INSERT INTO presence (player, asked_at, until, has_left) {rows} "
        "ON CONFLICT (player) DO UPDATE SET asked_at = excluded.asked_at, "
        "until = excluded.until, has_left = excluded.has_left WHERE NOT presence.has_left "
        "OR excluded.asked_at >= presence.asked_at OR presence.asked_at > :now"
    )
    for dialect, rows in _ROWS.items()
}
_DIGEST = sa.text(
    "INSERT INTO news (id, count, here) VALUES (1, 0, :here) "
    "ON CONFLICT (id) DO UPDATE SET here = :here WHERE news.here <> :here"
)


def put(connection: sa.Connection, seen: Sightings, now: int) -> None:
    """Write who was seen, in a transaction about :data:`ABOUT`; it is news if others are here."""
    connection.execute(_GONE, {"now": now})
    if seen:
        rows = json.dumps(seen, separators=(",", ":"))
        connection.execute(_PUT[connection.dialect.name], {"rows": rows, "now": now})
    digest = hashlib.sha256("\n".join(here(connection, now)).encode()).hexdigest()
    if connection.execute(_DIGEST, {"here": digest}).rowcount:
        news.note(connection)


def here(connection: sa.Connection, now: int) -> list[str]:
    """Return the players who are here."""
    return list(connection.scalars(_PLAYERS, {"now": now}))


def everyone(connection: sa.Connection, now: int) -> dict[str, Seen]:
    """Return who is here, and who has just gone, by player."""
    return {row.player: Seen(*row[1:]) for row in connection.execute(_ALL, {"now": now})}


def until(connection: sa.Connection, player: str) -> int | None:
    """Return until when a player is here, if that was ever written down."""
    found: int | None = connection.scalar(_UNTIL, {"player": player})
    return found


def is_here(until: int | None, now: int) -> bool:
    """Tell whether a presence counts now."""
    return until is not None and now <= until <= now + LONGEST
