"""What is news to pages that wait: noted in a transaction, told at its end, and read.

Pages of a game wait for its next version, pages of the class for the next number of a counter that
beginnings and ends of games, names and presence raise. Functions take a connection.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.core.board import Mark

RENEWED = 1.0
"""After how many seconds a watch looks at everything, whether it seems changed or not."""

CHANNEL = "tictactoe"
"""Where PostgreSQL tells what has changed: a game, as JSON, or the number of the counter."""

_NOTED = "news"
_TELL_COUNTER = "SELECT pg_notify('tictactoe', CAST(count AS text)) FROM news"
_RAISE = (
    "INSERT INTO news (id, count, here, results) VALUES (1, 1, '', {0}) "
    "ON CONFLICT (id) DO UPDATE SET count = news.count + 1, results = news.results + {0}"
)
_COUNT = sa.text("SELECT count FROM news")
_RESULTS = sa.text("SELECT results FROM news")
_COMMON = sa.text("SELECT count, (SELECT paused_at FROM lesson) AS paused_at FROM news")
_BEYOND = {
    dialect: sa.text(
        "SELECT g.id, g.version, g.updated_at, g.opponent = 'classmate', g.outcome, "  # noqa: S608
        f"g.x_seat, g.o_seat, length(g.moves) FROM {each} JOIN games AS g ON g.id = known.key "
        "WHERE g.version <> CAST(known.value AS integer)"
    )
    for dialect, each in {
        "sqlite": "json_each(:known) AS known",
        "postgresql": "json_each_text(CAST(:known AS json)) AS known",
    }.items()
}


class GameNews(NamedTuple):
    """As much of a game as tells whether its pages have news.

    :param changed_at: in seconds since 1970
    :param live: between two devices
    :param outcome: empty while the game goes on
    :param plies: how many moves have been played
    """

    id: str
    version: int
    changed_at: int
    live: bool
    outcome: str
    x_seat: str | None
    o_seat: str | None
    plies: int

    @property
    def turn(self) -> str | None:
        """The player to move, if the game goes on and is between two players."""
        seats = (self.x_seat, self.o_seat)
        return None if self.outcome or None in seats else seats[self.plies % len(Mark)]

    def stops(self, paused_at: int | None) -> bool:
        """Tell whether a pause of all games stops this one: it goes on, with both players."""
        is_open = self.live and None in (self.x_seat, self.o_seat)
        return paused_at is not None and not self.outcome and not is_open

    @property
    def mover(self) -> str | None:
        """The player of the last move."""
        return (self.o_seat, self.x_seat)[self.plies % len(Mark)] if self.plies else None


# --- telling ------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What has changed since the last time.

    :param counter: its number, if it was raised
    """

    games: tuple[GameNews, ...] = ()
    counter: int | None = None


def note(connection: sa.Connection, game: GameNews | None = None, *, results: bool = False) -> None:
    """Note in a transaction that a game has changed; without one, that the class sees a change.

    :param results: whether records have changed, which the ratings follow from
    """
    connection.info.setdefault(_NOTED, []).append((game, results))


def drop(connection: sa.Connection) -> None:
    """Forget what was noted in a transaction that is undone."""
    if not connection.invalidated:  # one that was cut off has lost it, and knows nothing any more
        connection.info.pop(_NOTED, None)


def tell(connection: sa.Connection) -> None:
    """Tell what was noted, as the last statement of a transaction, which others may wait for."""
    noted = connection.info.pop(_NOTED, ())
    told = connection.dialect.name == "postgresql"
    seen = [results for game, results in noted if game is None]
    statements = [_RAISE.format(int(any(seen)))] if seen else []
    if told and seen:
        statements.append(_TELL_COUNTER)
    if told:
        # What is in it is ours: ids, digests and numbers.
        statements += [
            f"SELECT pg_notify('{CHANNEL}', '{json.dumps(game)}')" for game, _ in noted if game
        ]
        statements = ["; ".join((*statements, "COMMIT"))] if noted else []  # in one message
    for statement in statements:
        connection.exec_driver_sql(statement)


def read(payloads: Iterable[str]) -> Told:
    """Read what PostgreSQL tells."""
    games, counter = list[GameNews](), None
    for told in map(json.loads, payloads):
        if isinstance(told, int):
            counter = told
        else:
            games.append(GameNews._make(told))
    return Told(tuple(games), counter)


def findable(text: str) -> bool:
    """Tell whether something typed can be an id or a code; PostgreSQL refuses some characters."""
    return text.isascii() and text.isprintable()


# --- reading ------------------------------------------------------------------------------------


def counter(connection: sa.Connection) -> int:
    """Return the counter that the pages of the class wait for."""
    return connection.scalar(_COUNT) or 0


def results(connection: sa.Connection) -> int:
    """Return how often records have changed."""
    return connection.scalar(_RESULTS) or 0


class Common(NamedTuple):
    """What all pages wait for.

    :param paused_at: since when the games are paused, in seconds since 1970, if they are
    """

    counter: int = 0
    paused_at: int | None = None


def common(connection: sa.Connection) -> Common:
    """Return what all pages wait for."""
    row = connection.execute(_COMMON).first()
    return Common(*row) if row else Common()


def beyond(connection: sa.Connection, known: Mapping[str, int]) -> list[GameNews]:
    """Return the games that have another version than the one that is known of them."""
    rows = connection.execute(_BEYOND[connection.dialect.name], {"known": json.dumps(known)})
    return [GameNews._make(row) for row in rows]


def look(connection: sa.Connection, game: str) -> GameNews | None:
    """Return a game, if there is one of this id."""
    if not findable(game):
        return None
    return next(iter(beyond(connection, {game: -1})), None)
