"""Everything that was played, for spreadsheets. Functions take a connection."""

from collections.abc import Iterator

import sqlalchemy as sa

from webapp.classroom import Counted, Played
from webapp.core.game import Kind, Score
from webapp.store.sql import sql

_COUNTED = sql("""
    SELECT players.id, players.name, players.seen_at,
        coalesce(sum(CASE WHEN person THEN won END), 0) AS people_won,
        coalesce(sum(CASE WHEN person THEN drawn END), 0) AS people_drawn,
        coalesce(sum(CASE WHEN person THEN lost END), 0) AS people_lost,
        coalesce(sum(CASE WHEN NOT person THEN won END), 0) AS computer_won,
        coalesce(sum(CASE WHEN NOT person THEN drawn END), 0) AS computer_drawn,
        coalesce(sum(CASE WHEN NOT person THEN lost END), 0) AS computer_lost
    FROM players LEFT JOIN records ON records.player = players.id
    WHERE players.name IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM tickets WHERE player = players.id AND waits)
    GROUP BY players.id ORDER BY players.name_key
""")
# Joining games by either of two columns would scan all matches for each game.
_PLAYED = sql("""
    WITH numbered AS (
        SELECT first_game AS game, round FROM matches WHERE first_game IS NOT NULL
        UNION ALL SELECT second_game, round FROM matches WHERE second_game IS NOT NULL
    )
    SELECT games.created_at AS began_at, games.updated_at AS ended_at, x.name AS x, o.name AS o,
        x_seat, o_seat, kind, engine, moves, given, outcome, ending,
        tournaments.number AS tournament, numbered.round
    FROM games LEFT JOIN players AS x ON x.id = games.x_seat
        LEFT JOIN players AS o ON o.id = games.o_seat
        LEFT JOIN tournaments ON tournaments.id = games.tournament
        LEFT JOIN numbered ON numbered.game = games.id
    WHERE outcome > '' AND games.updated_at >= :since ORDER BY games.created_at, games.id
""").execution_options(yield_per=500)


def counted(connection: sa.Connection) -> list[Counted]:
    return [
        Counted(
            player=row.id,
            name=row.name,
            people=Score(row.people_won, row.people_drawn, row.people_lost),
            computer=Score(row.computer_won, row.computer_drawn, row.computer_lost),
            seen_at=row.seen_at,
        )
        for row in connection.execute(_COUNTED)
    ]


def played(connection: sa.Connection, since: int = 0) -> Iterator[Played]:
    """Yield the games that ended since then, in the order in which they began."""
    for row in connection.execute(_PLAYED, {"since": since}):
        yield Played(**{**row._mapping, "kind": Kind(row.kind)})
