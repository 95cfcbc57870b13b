"""Rows of games, read as :class:`~webapp.core.game.Game` and written from it.

Every function takes an open connection. Nothing here knows the rules of a game.
"""

import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp.classroom import Lesson
from webapp.core.board import Mark, Outcome
from webapp.core.game import Game, Kind, Reason, Score, digits, moves_of
from webapp.core.options import Options
from webapp.names import Player
from webapp.store import menace, records, topics
from webapp.store.schema import findable, games
from webapp.store.sql import changing, insertion, sql


class Found(NamedTuple):
    """A game, and what is known of the viewer who asks for it.

    :param options: what the viewer chose for the next game
    :param viewer: the viewer, without a name before the first game
    :param score: the viewer's, against the opponent of this game
    :param people: in a game between two devices those who sit, by mark
    :param paused_at: since when all games are paused, in seconds since 1970, if they are
    :param asked_at: since when for a question to the class
    :param ticked_at: the last tick of the game's tournament, in milliseconds since 1970
    """

    game: Game
    options: Options
    viewer: Player
    score: Score
    people: Mapping[Mark, Player]
    paused_at: int | None
    asked_at: int | None
    ticked_at: int | None

    @property
    def paused(self) -> str:
        """Why no one can move, if the game is one that a pause stops; else empty."""
        lesson = Lesson(paused_at=self.paused_at, asked_at=self.asked_at)
        return "" if self.game.outcome else lesson.paused


# --- statements ---------------------------------------------------------------------------------

_FIND = sql("""
    SELECT games.*, viewer.opponent AS chosen, viewer.mark, viewer.last_mark, viewer.name,
        viewer.dealt, records.won, records.drawn, records.lost, x.name AS x_name,
        x.dealt AS x_dealt, o.name AS o_name, o.dealt AS o_dealt,
        (SELECT coalesce(paused_at, asked_at) FROM lesson WHERE id = 1) AS paused_at,
        (SELECT asked_at FROM lesson WHERE id = 1) AS asked_at,
        (SELECT ticked_at FROM tournaments WHERE id = games.tournament) AS ticked_at
    FROM games LEFT JOIN players AS viewer ON viewer.id = :player
        LEFT JOIN players AS x ON kind = 'two devices' AND x.id = x_seat
        LEFT JOIN players AS o ON kind = 'two devices' AND o.id = o_seat
        LEFT JOIN records ON records.player = :player AND records.opponent =
            CASE WHEN kind <> 'two devices' THEN engine
                WHEN x_seat = :player THEN o_seat ELSE x_seat END
    WHERE games.id = :id
""")
_BY_START_KEY = sql("SELECT id FROM games WHERE start_key = :start_key")
_AMONG = sql("SELECT * FROM games WHERE id IN :ids ORDER BY created_at, id")

# A player's games: each half finds them by the index of its own seat.
_UNFINISHED = sql("""
    SELECT * FROM games WHERE x_seat = :player AND outcome = '' AND engine = :engine
    UNION SELECT * FROM games WHERE o_seat = :player AND outcome = '' AND engine = :engine
""")
_GOING_ON = sql("""
    SELECT * FROM games WHERE x_seat = :player AND outcome = '' AND kind = 'two devices'
    UNION SELECT * FROM games WHERE o_seat = :player AND outcome = '' AND kind = 'two devices'
    ORDER BY created_at, id
""")
_RECENT = sql("""
    SELECT * FROM games
    WHERE x_seat = :player AND outcome > '' AND outcome NOT IN ('left', 'cancelled')
    UNION SELECT * FROM games
    WHERE o_seat = :player AND outcome > '' AND outcome NOT IN ('left', 'cancelled')
    ORDER BY updated_at DESC, id LIMIT :most
""")
_CALLING = sql("""
    SELECT * FROM games WHERE x_seat = :player AND outcome = '' AND kind = 'two devices'
    UNION SELECT * FROM games WHERE o_seat = :player AND outcome = '' AND kind = 'two devices'
    UNION SELECT * FROM games WHERE x_seat = :player AND kind = 'two devices' AND outcome > ''
        AND next_id IS NULL AND updated_at >= :since
    UNION SELECT * FROM games WHERE o_seat = :player AND kind = 'two devices' AND outcome > ''
        AND next_id IS NULL AND updated_at >= :since
    ORDER BY updated_at DESC, id
""")
# With a move in them, or a move that was taken back from an engine.
_WAITING = sql("""
    SELECT * FROM games WHERE x_seat = :player AND outcome = '' AND next_id IS NULL
        AND (moves <> '' OR helped AND engine IS NOT NULL OR kind = 'two devices')
    UNION SELECT * FROM games WHERE o_seat = :player AND outcome = '' AND next_id IS NULL
        AND (moves <> '' OR helped AND engine IS NOT NULL OR kind = 'two devices')
    ORDER BY updated_at DESC, id LIMIT :most
""")
# Of two games in one second the same is the last for both players.
_LAST_ENDED = sql("""
    SELECT * FROM games WHERE x_seat = :player AND kind = 'two devices' AND outcome > ''
    UNION ALL
    SELECT * FROM games WHERE o_seat = :player AND kind = 'two devices' AND outcome > ''
    ORDER BY updated_at DESC, id LIMIT 1
""")
_LAST_BETWEEN = sql("""
    SELECT * FROM games
    WHERE x_seat = :player AND o_seat = :other AND kind = 'two devices' AND outcome > ''
    UNION ALL SELECT * FROM games
    WHERE o_seat = :player AND x_seat = :other AND kind = 'two devices' AND outcome > ''
    ORDER BY updated_at DESC, id LIMIT 1
""")

# The class's games. Their conditions are those of the partial indexes.
_LIVE = sql("""
    SELECT * FROM games WHERE id IN (
        SELECT id FROM games
        WHERE kind = 'two devices' AND outcome = '' AND updated_at >= :since
        ORDER BY updated_at DESC, id LIMIT :most
    )
    ORDER BY created_at, id
""")
_SEATED = sql("""
    SELECT * FROM games
    WHERE kind = 'two devices' AND outcome = '' AND (x_seat IN :players OR o_seat IN :players)
""")
_AT_COMPUTER = sql("""
    SELECT * FROM games WHERE kind = 'engine' AND outcome = '' AND updated_at >= :since
    ORDER BY created_at, id LIMIT :most
""")
_ENDED = sql("""
    SELECT * FROM games WHERE kind = 'two devices' AND outcome > '' AND updated_at >= :since
    ORDER BY updated_at DESC, id LIMIT :most
""")
_ENDED_SINCE = sql("""
    SELECT x_seat, o_seat, count(*) AS number FROM games
    WHERE kind = 'two devices' AND outcome > '' AND updated_at >= :since AND outcome <> 'cancelled'
    GROUP BY x_seat, o_seat
""")
_STAND_STILL = sql("""
    UPDATE games SET updated_at = :now
        - CASE WHEN updated_at < :paused_at THEN :paused_at - updated_at ELSE 0 END
    WHERE kind = 'two devices' AND outcome = ''
""")
_IDLE = sql("SELECT id FROM games WHERE outcome = '' AND updated_at < :before")
_DELETE_IDLE = sql("DELETE FROM games WHERE id = :id AND outcome = '' AND updated_at < :before")
_INSERT = insertion("games", games.columns.keys())


# --- reading ------------------------------------------------------------------------------------


def find(connection: sa.Connection, game_id: str, player: str) -> Found | None:
    """Return the game of this id, if there is one, and what is known of the player who asks."""
    if not findable(game_id):
        return None
    row = connection.execute(_FIND, {"id": game_id, "player": player}).one_or_none()
    if row is None:
        return None
    options = Options(row.chosen, row.mark, row.last_mark) if row.chosen else Options()
    score = Score() if row.won is None else Score(row.won, row.drawn, row.lost)
    game = _game(row)
    x = Player(row.x_seat or "", row.x_name, row.x_dealt)
    o = Player(row.o_seat or "", row.o_name, row.o_dealt)
    people = {Mark.X: x, Mark.O: o} if game.kind is Kind.TWO_DEVICES else {}
    return Found(
        game=game,
        options=options,
        viewer=Player(player, row.name, row.dealt),
        score=score,
        people=people,
        paused_at=row.paused_at,
        asked_at=row.asked_at,
        ticked_at=row.ticked_at,
    )


def by_start_key(connection: sa.Connection, start_key: str) -> str | None:
    """Return the id of the game that was started with this key, if there is one."""
    id_: str | None = connection.scalar(_BY_START_KEY, {"start_key": start_key})
    return id_


def live(connection: sa.Connection, since: int, most: int) -> list[Game]:
    """Return the ``most`` games in progress between two devices that changed last since then.

    The oldest comes first.
    """
    return _listed(connection, _LIVE, since=since, most=most)


def at_computer(connection: sa.Connection, since: int, most: int) -> list[Game]:
    """Return games against engines that are in progress and have changed since then."""
    return _listed(connection, _AT_COMPUTER, since=since, most=most)


def ended(connection: sa.Connection, since: int, most: int) -> list[Game]:
    """Return games between two devices that have ended since then, the last ones first."""
    return _listed(connection, _ENDED, since=since, most=most)


def ended_since(connection: sa.Connection, since: int) -> tuple[int, frozenset[str]]:
    """Return how many games between two devices have ended with a result, and their players."""
    pairs = connection.execute(_ENDED_SINCE, {"since": since}).all()
    seats = frozenset(seat for pair in pairs for seat in (pair.x_seat, pair.o_seat) if seat)
    return sum(pair.number for pair in pairs), seats


def last_ended(connection: sa.Connection, player: str, other: str | None = None) -> Game | None:
    """Return a player's last finished game between two devices, with anyone or ``other``."""
    statement = _LAST_ENDED if other is None else _LAST_BETWEEN
    return next(iter(_listed(connection, statement, player=player, other=other)), None)


def among(connection: sa.Connection, ids: Collection[str]) -> dict[str, Game]:
    """Return the games of these ids, as far as they are there."""
    return {game.id: game for game in _listed(connection, _AMONG, ids=sorted(ids))} if ids else {}


def unfinished(connection: sa.Connection, player: str, engine: str) -> list[Game]:
    """Return the player's unfinished games against an engine."""
    return _listed(connection, _UNFINISHED, player=player, engine=engine)


def going_on(connection: sa.Connection, player: str) -> list[Game]:
    """Return the player's unfinished games between two devices."""
    return _listed(connection, _GOING_ON, player=player)


def seated(connection: sa.Connection, players: Iterable[str]) -> list[Game]:
    """Return the unfinished games between two devices in which one of these players has a seat."""
    return _listed(connection, _SEATED, players=sorted(players))


def calling(connection: sa.Connection, player: str, since: int) -> list[Game]:
    """Return the games between two devices that may call a player, the last changed first.

    They go on, or have ended since then and no other has followed.
    """
    return _listed(connection, _CALLING, player=player, since=since)


def waiting(connection: sa.Connection, player: str, most: int) -> list[Game]:
    """Return the player's games that can be continued, the last changed first.

    They have or had a move in them, or are between two devices, and no other game has followed.
    """
    return _listed(connection, _WAITING, player=player, most=most)


def recent(connection: sa.Connection, player: str, most: int) -> list[Game]:
    """Return the player's finished games, the newest first."""
    return _listed(connection, _RECENT, player=player, most=most)


def _listed(connection: sa.Connection, statement: sa.TextClause, **values: Any) -> list[Game]:
    return [_game(row) for row in connection.execute(statement, values)]


# --- writing ------------------------------------------------------------------------------------


def insert(connection: sa.Connection, game: Game, now: int, start_key: str | None = None) -> Game:
    """Store a new game as its version 1, and return it so.

    :raises sqlalchemy.exc.IntegrityError: if a game was started with the same key
    """
    return insert_all(connection, [game], now, start_key)[0]


def insert_all(
    connection: sa.Connection, new: Iterable[Game], now: int, start_key: str | None = None
) -> list[Game]:
    """Store several new games in one statement, likewise."""
    stored = [replace(game, version=1, changed_at=now) for game in new]
    beside = {"start_key": start_key, "created_at": now}
    rows = [{"id": game.id, **_columns(game), **beside} for game in stored]
    if rows:
        connection.execute(_INSERT, rows)
    for game in stored:
        if game.kind is Kind.TWO_DEVICES:
            topics.note(connection, topics.CLASS, *map(topics.calls, game.players))
        elif game.kind is Kind.ENGINE:
            topics.note(connection, topics.COMPUTER)
    return stored


def save(
    connection: sa.Connection, before: Game, after: Game, now: int, *, unless_paused: bool = False
) -> Game | None:
    """Store a changed game as its next version; whatever must happen with a change hangs here.

    Call it in a transaction about the game's players.

    :param unless_paused: whether a pause of all games keeps it from being stored
    :return: the game as it is stored; ``None`` if another change came first, a pause, or a shift
        of its deadline
    """
    after = replace(after, version=before.version + 1, changed_at=now)
    old, new = _columns(before), _columns(after)
    changed = {column: value for column, value in new.items() if value != old[column]}
    where = {
        "game": before.id,
        "from_version": before.version,
        "from_deadline": before.deadline or 0,
    }
    # This one conditional statement decides every race: of a hundred moves at once, one is stored,
    # and none once all games are paused.
    statement = _update(frozenset(changed), unless_paused=unless_paused)
    if connection.execute(statement, changed | where).rowcount == 0:
        return None
    if after.outcome and not before.outcome:
        for player, opponent, result in sorted(after.results()):
            person = after.kind is Kind.TWO_DEVICES
            records.record_result(connection, player, opponent, result, person=person)
        if after.teaches:
            menace.add(connection, [after.moves], now, player=after.o_seat)
    moved = len(after.moves) > len(before.moves)
    topics.note(connection, topics.game(after.id))
    if after.kind is Kind.TWO_DEVICES:
        calls = topics.turn if moved and not after.outcome else topics.calls
        topics.note(connection, topics.BOARDS, *map(calls, after.players))
    elif after.kind is Kind.ENGINE:
        topics.note(connection, topics.COMPUTER)
    if _for_the_class(before) != _for_the_class(after):
        topics.note(connection, topics.CLASS)
        if after.tournament:
            topics.note(connection, topics.tournament(after.tournament))
    return after


def _for_the_class(game: Game) -> tuple[object, ...]:
    """What the class sees of a game."""
    return game.outcome, game.rematch


def stand_still(connection: sa.Connection, paused_at: int, now: int) -> None:
    """Let the clocks of games that go on between two devices have stood still, in a transaction.

    :param paused_at: since when, in seconds since 1970
    """
    connection.execute(_STAND_STILL, {"paused_at": paused_at, "now": now})


def idle_since(connection: sa.Connection, before: int) -> list[str]:
    """Return the ids of unfinished games that have not changed since ``before``."""
    return list(connection.scalars(_IDLE, {"before": before}))


def delete_unfinished(connection: sa.Connection, game_id: str, before: int) -> None:
    """Delete a game if it is unfinished and has not changed since then, in a transaction.

    :param before: in seconds since 1970
    """
    game = among(connection, [game_id]).get(game_id)
    values = {"id": game_id, "before": before}
    if game and connection.execute(_DELETE_IDLE, values).rowcount:
        changed = topics.game(game_id), *map(topics.calls, game.players)
        topics.note(connection, topics.CLASS, *changed)


@cache
def _update(names: frozenset[str], *, unless_paused: bool) -> sa.TextClause:
    """Write these columns and no others: a column that is set costs the upkeep of its indexes."""
    going = "(SELECT coalesce(paused_at, asked_at) FROM lesson WHERE id = 1) IS NULL"
    return changing(
        "games",
        sorted(names),
        "id = :game AND version = :from_version",
        "coalesce(deadline, 0) = :from_deadline",
        *([going] if unless_paused else []),
    )


# --- rows and games -----------------------------------------------------------------------------

_SAME = (
    *("x_seat", "o_seat", "engine", "given", "version", "next_id"),
    *("tournament", "clock", "deadline"),
)
"""What a row holds as a game does, and under the same name."""

_same = attrgetter(*_SAME)


def _columns(game: Game) -> dict[str, Any]:
    """Return a game as the columns of its row, without those that only its insertion sets."""
    return dict(zip(_SAME, _same(game), strict=True)) | {
        "kind": game.kind.value,
        "moves": digits(game.moves),
        "reasons": _dumped(game.reasons),
        "hint": game.hint and _dump([game.hint[0], asdict(game.hint[1])]),
        "helped": game.assisted,
        "outcome": game.outcome.slug if game.outcome else "",
        "ending": game.ended and game.ended.ending,
        "rematch": game.rematch and game.rematch.slug,
        "updated_at": game.changed_at,
    }


def _game(row: Any) -> Game:
    hint = row.hint and json.loads(row.hint)
    return Game(
        id=row.id,
        kind=Kind(row.kind),
        moves=moves_of(row.moves),
        reasons=_loaded(row.reasons),
        hint=(hint[0], _reason(hint[1])) if hint else None,
        assisted=bool(row.helped),
        ended=Outcome(_mark(row.outcome), ending=row.ending) if row.ending else None,
        rematch=_mark(row.rematch),
        changed_at=row.updated_at,
        **dict(zip(_SAME, _same(row), strict=True)),
    )


def _mark(slug: str | None) -> Mark | None:
    return Mark(slug.upper()) if slug in ("x", "o") else None


def new_id() -> str:
    """Return the id of a game to come: 128 random bits as text."""
    return secrets.token_urlsafe(16)


# Few games differ in their reasons, so both ways are remembered.
@lru_cache(maxsize=1024)
def _dumped(reasons: tuple[Reason | None, ...]) -> str:
    return _dump([reason and asdict(reason) for reason in reasons])


@lru_cache(maxsize=1024)
def _loaded(reasons: str) -> tuple[Reason | None, ...]:
    return tuple(reason and _reason(reason) for reason in json.loads(reasons))


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _reason(stored: dict[str, Any]) -> Reason:
    return Reason(stored["rule"], tuple((a, b, c) for a, b, c in stored["lines"]))
