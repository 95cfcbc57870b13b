"""Players. Functions take a connection."""

import secrets
from collections.abc import Iterable
from dataclasses import asdict

import sqlalchemy as sa

from webapp.core.options import Options
from webapp.names import People, Player
from webapp.store import topics, tournaments
from webapp.store.sql import insertion, sql

_FIND = sql("SELECT * FROM players WHERE id = :player")
_NAMES = sql("SELECT id, name, dealt FROM players WHERE name IS NOT NULL AND id IN :players")
_BY_KEY = sql("SELECT id FROM players WHERE name_key = :key")
_CAME = sql("SELECT created_at FROM players WHERE id = :player")
_BETWEEN = sql("SELECT id FROM players WHERE id >= :first AND id < :last")
# `seen_at` never goes back: a clock that is briefly wrong must not make players seem long away.
_UPDATE = sql("""
    UPDATE players SET opponent = :opponent, mark = :mark, last_mark = :last_mark,
        seen_at = CASE WHEN seen_at > :now THEN seen_at ELSE :now END
    WHERE id = :player
""")
_TOUCH = sql("UPDATE players SET seen_at = :now WHERE seen_at < :now AND id IN :players")
_INSERT = insertion("players", ("id", "opponent", "mark", "last_mark", "created_at", "seen_at"))
_RENAME = sql("UPDATE players SET name = :name, name_key = :key WHERE id = :player")
_DEAL = sql("UPDATE players SET name = :name, name_key = :key, dealt = :name WHERE id = :player")
_IDLE = sql("SELECT id FROM players WHERE seen_at < :moment")
_IS_IDLE = sql("SELECT seen_at < :moment FROM players WHERE id = :player")
_DELETE = sql("DELETE FROM players WHERE id = :player")

# Locks games in one order: two opponents who are deleted at the same moment would deadlock.
_LOCK = sql("""
    SELECT id FROM games WHERE x_seat = :gone OR o_seat = :gone ORDER BY id FOR UPDATE
""")
_FORGET_GAMES = sql("""
    DELETE FROM games WHERE (x_seat = :gone OR o_seat = :gone) AND (kind <> 'two devices' OR (
        tournament IS NULL AND NOT EXISTS (
            SELECT 1 FROM players WHERE id = CASE x_seat WHEN :gone THEN o_seat ELSE x_seat END
        )
    ))
""")
# The new version stops requests that have read the game before, and there is no rematch.
_REPLACE_X = sql("""
    UPDATE games SET x_seat = :stand_in, version = version + 1, rematch = NULL WHERE x_seat = :gone
""")
_REPLACE_O = sql("""
    UPDATE games SET o_seat = :stand_in, version = version + 1, rematch = NULL WHERE o_seat = :gone
""")
# Others' records about the player, which no longer count for ratings. The player's own records name
# their owners, so they are found by the key.
_REPLACE_IN_RECORDS = sql("""
    UPDATE records SET opponent = :stand_in, recent = ''
    WHERE opponent = :gone AND player IN (SELECT opponent FROM records WHERE player = :gone)
""")
_FORGET_RECORDS = sql("DELETE FROM records WHERE player = :gone")


def find(connection: sa.Connection, player: str) -> tuple[Options, Player]:
    """Return a player's options, and the player; a newcomer has no name."""
    row = connection.execute(_FIND, {"player": player}).one_or_none()
    if row is None:
        return Options(), Player(player, None)
    options = Options(row.opponent, row.mark, row.last_mark)
    return options, Player(player, row.name, row.dealt)


def save(connection: sa.Connection, player: str, options: Options, now: int) -> None:
    """Store a player's options, and the player if new, in a write transaction."""
    values = asdict(options)
    if connection.execute(_UPDATE, {"player": player, "now": now, **values}).rowcount == 0:
        values |= {"created_at": now, "seen_at": now}
        connection.execute(_INSERT, {"id": player, **values})


def touch(connection: sa.Connection, ids: Iterable[str], now: int) -> None:
    """Note that players have begun a game."""
    connection.execute(_TOUCH, {"players": sorted(ids), "now": now})


# --- names ------------------------------------------------------------------------------------


def people(connection: sa.Connection, ids: Iterable[str]) -> People:
    wanted = sorted(set(ids))
    rows = connection.execute(_NAMES, {"players": wanted}) if wanted else ()
    return People((row.id, Player(*row)) for row in rows)


def by_key(connection: sa.Connection, key: str) -> str | None:
    if "\0" in key:  # in no name, and PostgreSQL rejects it
        return None
    player: str | None = connection.scalar(_BY_KEY, {"key": key})
    return player


def came_at(connection: sa.Connection, player: str) -> int | None:
    """When a player came, in seconds since 1970; ``None`` for a newcomer."""
    moment: int | None = connection.scalar(_CAME, {"player": player})
    return moment


def beginning(connection: sa.Connection, digits: str) -> list[str]:
    """Return the players whose ids begin with these digits."""
    return list(connection.scalars(_BETWEEN, {"first": digits, "last": f"{digits}g"}))


def rename(
    connection: sa.Connection, player: str, new: str, key: str, *, dealt: bool = False
) -> bool:
    """Give a known player a name, in a write transaction.

    :param dealt: whether it was dealt, and so gives the face
    :return: whether it worked; not if another player has a name with the same key
    """
    if by_key(connection, key) not in (None, player):
        return False
    try:
        # Another process may just have taken it: then only this is undone.
        with connection.begin_nested():
            values = {"player": player, "name": new, "key": key}
            connection.execute(_DEAL if dealt else _RENAME, values)
    except sa.exc.IntegrityError:
        return False
    topics.note(connection, topics.CLASS, topics.NAMES, topics.player(player))
    return True


# --- going ------------------------------------------------------------------------------------


def forget(connection: sa.Connection, player: str) -> int:
    """Delete a player; games with others stay, with a stand-in.

    The stand-in is a random id. Games without another player are deleted, except in tournaments.
    Call it in a transaction about tournaments, and then about the player, with no game in progress.

    :return: the number of players deleted: one or none
    """
    names = {"gone": player, "stand_in": secrets.token_hex(32)}
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, names)
    connection.execute(_FORGET_GAMES, names)
    tournaments.replace(connection, player, names["stand_in"])
    for change in (_REPLACE_X, _REPLACE_O, _REPLACE_IN_RECORDS, _FORGET_RECORDS):
        connection.execute(change, names)
    topics.note(connection, topics.CLASS, topics.RESULTS, topics.NAMES, topics.player(player))
    return connection.execute(_DELETE, {"player": player}).rowcount


def idle_since(connection: sa.Connection, moment: int) -> list[str]:
    return list(connection.scalars(_IDLE, {"moment": moment}))


def is_idle(connection: sa.Connection, player: str, moment: int) -> bool:
    """Whether a player has begun no game since then, in seconds since 1970."""
    return bool(connection.scalar(_IS_IDLE, {"player": player, "moment": moment}))
