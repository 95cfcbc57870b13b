"""All that was played, for a spreadsheet. Functions take a connection."""

from collections.abc import Iterator

import sqlalchemy as sa

from webapp.core.game import Score
from webapp.core.results import Played, Standing
from webapp.store.schema import games, matches, players, ratings, records, tournaments

_AT_A_TIME = 500
"""How many rows are read at a time."""


# A player is 64 letters and digits; a list of rules that is as long has a colon.
_PEOPLE = sa.and_(sa.func.length(records.c.opponent) == 64, ~records.c.opponent.contains(":"))
_SUMS = (
    sa.select(
        records.c.player,
        *(
            sa.func.sum(sa.case((condition, records.c[result]), else_=0)).label(f"{of}_{result}")
            for of, condition in (("people", _PEOPLE), ("computer", ~_PEOPLE))
            for result in Score._fields
        ),
    )
    .group_by(records.c.player)
    .subquery()
)
_STANDINGS = (
    sa.select(
        players.c.name,
        ratings.c.shown,
        sa.func.coalesce(ratings.c.games, 0),
        *(sa.func.coalesce(column, 0) for column in list(_SUMS.c)[1:]),
        players.c.seen_at,
    )
    .select_from(
        players.outerjoin(ratings, ratings.c.player == players.c.id).outerjoin(
            _SUMS, _SUMS.c.player == players.c.id
        )
    )
    .where(players.c.name.is_not(None))
    .order_by(
        ratings.c.shown.is_(None),
        ratings.c.shown.desc(),
        sa.func.coalesce(ratings.c.games, 0).desc(),
        players.c.name_key,
    )
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
        games.c.created_at,
        games.c.updated_at,
        _x.c.name,
        _o.c.name,
        games.c.x_seat.is_not(None),
        games.c.o_seat.is_not(None),
        games.c.opponent,
        games.c.moves,
        games.c.given,
        games.c.outcome,
        games.c.ending,
        tournaments.c.number,
        _ROUNDS.c.round,
    )
    .select_from(
        games.outerjoin(_x, _x.c.id == games.c.x_seat)
        .outerjoin(_o, _o.c.id == games.c.o_seat)
        .outerjoin(tournaments, tournaments.c.id == games.c.tournament)
        .outerjoin(_ROUNDS, _ROUNDS.c.game == games.c.id)
    )
    .where(games.c.outcome > "")
    .order_by(games.c.created_at, games.c.id)
    .execution_options(yield_per=_AT_A_TIME)
)


def standings(connection: sa.Connection) -> list[Standing]:
    """Return all players who have a name, the best first."""
    wide = len(Score._fields)
    return [
        Standing(*row[:3], Score(*row[3 : 3 + wide]), Score(*row[3 + wide : -1]), row[-1])
        for row in connection.execute(_STANDINGS)
    ]


def played(connection: sa.Connection) -> Iterator[Played]:
    """Return all games that are over, in the order in which they began."""
    return (Played(*row) for row in connection.execute(_GAMES))
