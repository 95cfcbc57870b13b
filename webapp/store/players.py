"""Reading and writing players. Every function takes an open connection."""

import secrets
from collections.abc import Iterable
from dataclasses import asdict

import sqlalchemy as sa

from webapp.core.game import Kind
from webapp.core.options import Options
from webapp.names import People, Player
from webapp.store import topics, tournaments
from webapp.store.schema import games, players, records

_BY_ID = sa.select(players).where(players.c.id == sa.bindparam("player"))
_NAMES = sa.select(players.c.id, players.c.name, players.c.dealt).where(
    players.c.id.in_(sa.bindparam("players", expanding=True))
)
_BY_KEY = sa.select(players.c.id).where(players.c.name_key == sa.bindparam("key"))
# Never backwards: a clock that is wrong for a moment must not make players seem long away.
_SEEN = sa.case(
    (players.c.seen_at > sa.bindparam("now"), players.c.seen_at), else_=sa.bindparam("now")
)
_UPDATE = (
    sa.update(players)
    .where(players.c.id == sa.bindparam("player"))
    .values(
        opponent=sa.bindparam("opponent"),
        mark=sa.bindparam("mark"),
        last_mark=sa.bindparam("last_mark"),
        seen_at=_SEEN,
    )
)
_TOUCH = (
    sa.update(players)
    .where(players.c.id.in_(sa.bindparam("players", expanding=True)))
    .values(seen_at=_SEEN)
)
_INSERT = sa.insert(players)
_RENAME = (
    sa.update(players)
    .where(players.c.id == sa.bindparam("player"))
    .values(name=sa.bindparam("new_name"), name_key=sa.bindparam("key"))
)
_DEAL = _RENAME.values(dealt=sa.bindparam("new_name"))


def find(connection: sa.Connection, player: str) -> tuple[Options, Player]:
    """Return what the player last chose, and the player; a newcomer has no name."""
    row = connection.execute(_BY_ID, {"player": player}).one_or_none()
    if row is None:
        return Options(), Player(player, None)
    options = Options(row.opponent, row.mark, row.last_mark)
    return options, Player(player, row.name, row.dealt)


def save(connection: sa.Connection, player: str, options: Options, now: int) -> None:
    """Store what the player chose, and the player if not known yet.

    Call it inside a write transaction: it looks first and inserts afterwards.
    """
    values = asdict(options)
    if connection.execute(_UPDATE, {"player": player, "now": now, **values}).rowcount == 0:
        values |= {"created_at": now, "seen_at": now}
        connection.execute(_INSERT, {"id": player, **values})


def touch(connection: sa.Connection, ids: Iterable[str], now: int) -> None:
    """Note that players have begun a game."""
    connection.execute(_TOUCH, {"players": sorted(ids), "now": now})


# --- names ------------------------------------------------------------------------------------


def people(connection: sa.Connection, ids: Iterable[str]) -> People:
    """Return players with their names."""
    wanted = sorted(set(ids))
    rows = connection.execute(_NAMES, {"players": wanted}) if wanted else ()
    return People((row.id, Player(*row)) for row in rows if row.name)


def by_key(connection: sa.Connection, key: str) -> str | None:
    """Return the player whose name is compared by this key."""
    if "\0" in key:  # which no name has, and PostgreSQL refuses to look for
        return None
    found: str | None = connection.scalar(_BY_KEY, {"key": key})
    return found


def beginning(connection: sa.Connection, digits: str) -> list[str]:
    """Return the players whose ids begin so."""
    ids = players.c.id
    return list(connection.scalars(sa.select(ids).where(ids >= digits, ids < f"{digits}g")))


def rename(
    connection: sa.Connection, player: str, new: str, key: str, *, dealt: bool = False
) -> bool:
    """Give a known player a name, in a write transaction.

    :param dealt: whether it is one that the player gets, with its face
    :return: whether the player has it now; not where another player has one with the same key
    """
    if by_key(connection, key) not in (None, player):
        return False
    try:
        # Another process may take it after the look, which is no reason to undo the rest.
        with connection.begin_nested():
            values = {"player": player, "new_name": new, "key": key}
            connection.execute(_DEAL if dealt else _RENAME, values)
    except sa.exc.IntegrityError:
        return False
    topics.note(connection, topics.CLASS, topics.NAMES, topics.player(player))
    return True


# --- going ------------------------------------------------------------------------------------


def forget(connection: sa.Connection, player: str) -> int:
    """Delete a player, but keep what others have played with them, as games with a stand-in.

    The stand-in is the id of no player, and another one for each who goes. Games that no one else
    has are deleted, except those of tournaments. Call it in a transaction about tournaments, and
    then about the player; a game that goes on with someone else is ended before.

    :return: how many players there were: one or none
    """
    stand_in = secrets.token_hex(32)
    connection.execute(_FORGET_GAMES, {"gone": player})
    tournaments.replace(connection, player, stand_in)
    for change in _REPLACE:
        connection.execute(change, {"gone": player, "stand_in": stand_in})
    connection.execute(sa.delete(records).where(records.c.player == player))
    topics.note(connection, topics.CLASS, topics.RESULTS, topics.NAMES, topics.player(player))
    return connection.execute(sa.delete(players).where(players.c.id == player)).rowcount


_GONE: sa.BindParameter[str] = sa.bindparam("gone", type_=sa.String)
# First, and in the order of their ids: two who have played each other may go at the same moment,
# and would wait for each other, here or at their records. SQLite needs no such lock.
_OWN = (
    sa.select(games.c.id)
    .where(sa.or_(games.c.x_seat == _GONE, games.c.o_seat == _GONE))
    .order_by(games.c.id)
    .with_for_update()
)
_OTHER = sa.case((games.c.x_seat == _GONE, games.c.o_seat), else_=games.c.x_seat)
_FORGET_GAMES = sa.delete(games).where(
    games.c.id.in_(_OWN),
    sa.or_(
        games.c.kind != Kind.TWO_DEVICES,
        games.c.tournament.is_(None) & ~sa.exists().where(players.c.id == _OTHER),
    ),
)
_own = records.alias("own")
_REPLACE = (
    *(
        sa.update(games)
        .where(games.c[seat] == _GONE)
        # A request that has read it as it was changes it no more, and no rematch is to come.
        .values({seat: sa.bindparam("stand_in"), "version": games.c.version + 1, "rematch": None})
        for seat in ("x_seat", "o_seat")
    ),
    # Others' records about the player, whose results count for no rating any more. Anyone who has
    # one is in a record of the player's own, so they are found by the key.
    sa.update(records)
    .where(
        records.c.opponent == _GONE,
        records.c.player.in_(sa.select(_own.c.opponent).where(_own.c.player == _GONE)),
    )
    .values(opponent=sa.bindparam("stand_in"), recent=""),
)


def idle_since(connection: sa.Connection, moment: int) -> list[str]:
    """Return the players who have begun no game since then, in seconds since 1970."""
    return list(connection.scalars(sa.select(players.c.id).where(players.c.seen_at < moment)))


def is_idle(connection: sa.Connection, player: str, moment: int) -> bool:
    """Tell whether a player has begun no game since then, in seconds since 1970."""
    statement = sa.select(players.c.seen_at < moment).where(players.c.id == player)
    return bool(connection.scalar(statement))
