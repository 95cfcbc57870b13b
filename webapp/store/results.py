"""All that was played, for a spreadsheet. Functions take a connection."""

from collections.abc import Iterator

import sqlalchemy as sa

from webapp.classroom import Counted, Played
from webapp.core.game import Score
from webapp.store.schema import games, matches, players, records, tournaments

_AT_A_TIME = 500
"""How many rows are read at a time."""


def _sums(*, people: bool) -> list[sa.ColumnElement[int]]:
    """Add up what was won, drawn and lost against people, or against engines."""
    against = records.c.person if people else sa.not_(records.c.person)
    return [
        sa.func.coalesce(sa.func.sum(sa.case((against, records.c[result]), else_=0)), 0)
        for result in Score._fields
    ]


_COUNTED = (
    sa.select(
        players.c.id, players.c.name, *_sums(people=True), *_sums(people=False), players.c.seen_at
    )
    .select_from(players.outerjoin(records, records.c.player == players.c.id))
    .where(players.c.name.is_not(None))
    .group_by(players.c.id)
    .order_by(players.c.name_key)
)
_x, _o = players.alias("x"), players.alias("o")
# A join of games with either of two columns would look at every match for every game.
_ROUNDS = sa.union_all(
    *(
        sa.select(game.label("game"), matches.c.round).where(game.is_not(None))
        for game in (matches.c.first_game, matches.c.second_game)
    )
).subquery()
_GAMES = (
    sa.select(
        games.c.created_at.label("began_at"),
        games.c.updated_at.label("ended_at"),
        _x.c.name.label("x"),
        _o.c.name.label("o"),
        *(games.c[name] for name in ("x_seat", "o_seat", "kind", "engine", "moves", "given")),
        *(games.c[name] for name in ("outcome", "ending")),
        tournaments.c.number.label("tournament"),
        _ROUNDS.c.round,
    )
    .select_from(
        games.outerjoin(_x, _x.c.id == games.c.x_seat)
        .outerjoin(_o, _o.c.id == games.c.o_seat)
        .outerjoin(tournaments, tournaments.c.id == games.c.tournament)
        .outerjoin(_ROUNDS, _ROUNDS.c.game == games.c.id)
    )
    .where(games.c.outcome > "", games.c.updated_at >= sa.bindparam("since"))
    .order_by(games.c.created_at, games.c.id)
    .execution_options(yield_per=_AT_A_TIME)
)


def counted(connection: sa.Connection) -> list[Counted]:
    """Return all players who have a name, by name, with their scores."""
    return [
        Counted(
            player=player,
            name=name,
            people=Score(*sums[:3]),
            computer=Score(*sums[3:]),
            seen_at=seen_at,
        )
        for player, name, *sums, seen_at in connection.execute(_COUNTED)
    ]


def played(connection: sa.Connection, since: int = 0) -> Iterator[Played]:
    """Return all games that have ended since a moment, in the order in which they began."""
    return (Played(**row._mapping) for row in connection.execute(_GAMES, {"since": since}))
