"""Finding each other: challenges, what is being played, and who is good."""

from __future__ import annotations

import secrets
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import NamedTuple

import sqlalchemy as sa

from webapp.analysis.standings import Played, Standing, standings
from webapp.core.board import Mark
from webapp.service.clock import Clock
from webapp.service.players import remember
from webapp.service.refusals import Conflict, Unknown
from webapp.store import Database
from webapp.store import games as stored_games
from webapp.store import players as stored_players
from webapp.store import records as stored_records
from webapp.store.games import CLASSMATE, GameRecord
from webapp.store.records import Record

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: no 0 and O, no 1, I and L."""

CODE_LENGTH = 6

_TAKEN = "Somebody was quicker: both seats are taken. You can watch the game."

_FRESH = 15 * 60
"""For how many seconds a challenge that nobody took is shown to the class."""

_MOST = 100
"""How many challenges and games are shown at once."""

_REMEMBERED = 2.0
"""For how many seconds a worker takes the standings as they were."""

_SHARE = 20
"""Standings that take long are taken as they were for so many times as long."""

_AT_ONCE = 0.05
"""Those that took more seconds than this are computed beside the requests, and then shown."""

_SHOWN = 100
"""How many places are shown, besides that of the one who looks."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A challenge, or a game between two people, with their names.

    :param x: who has X, ``None`` where the seat is free; likewise ``o``
    :param mine: whether the one who looks has a seat
    """

    record: GameRecord
    x: str | None
    o: str | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Class:
    """The class as one of it sees it.

    :param table: everybody's place with the name, the best first
    :param mine: the records of the one who looks
    :param recent: the finished games of the one who looks, the newest first
    """

    challenges: tuple[Encounter, ...]
    games: tuple[Encounter, ...]
    table: tuple[tuple[Standing, str], ...]
    me: str
    mine: tuple[Record, ...]
    recent: tuple[GameRecord, ...]
    names: dict[str, str]


class _Table(NamedTuple):
    """Standings, when they were computed, and how many seconds that took."""

    computed: float
    took: float
    standings: list[Standing]


class Classroom:
    """The people of this server, and their games with each other."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or Clock()
        self._table = _Table(float("-inf"), 0.0, [])
        self._computing = threading.Lock()

    # --- challenges -----------------------------------------------------------------------------

    def challenge(self, player: str, mark: str) -> str:
        """Open a game for a classmate to join, and return its id.

        Whoever waits has one challenge: an older one is withdrawn.

        :param mark: the player's own: ``"x"``, ``"o"`` or ``"random"``
        """
        if mark == "random":
            mark = SystemRandom().choice("xo")
        now = int(self._clock())
        record = GameRecord(
            id=secrets.token_urlsafe(16),
            x_seat=player if mark == "x" else None,
            o_seat=player if mark == "o" else None,
            opponent=CLASSMATE,
            version=1,
            code="".join(SystemRandom().choices(ALPHABET, k=CODE_LENGTH)),
        )
        try:
            with self._database.write(player) as connection:
                _withdraw(connection, player)
                stored_games.insert(connection, record, None, now)
                remember(connection, player, stored_players.preferences(connection, player), now)
        except sa.exc.IntegrityError:
            return self.challenge(player, mark)  # a code that another game has
        return record.id

    def invitation(self, code: str, player: str) -> Encounter:
        """Return the game that a code leads to, and whose challenge it is.

        :raises Unknown: if no game has this code
        """
        with self._database.read() as connection:
            record = stored_games.by_code(connection, as_code(code))
            if record is None:
                raise Unknown("No game has this code. Codes have six characters; look again.")
            return self._encounters(connection, [record], player)[0]

    def join(self, code: str, player: str) -> str:
        """Take the free seat of a game, and return its id.

        One who sits there already is led to the game. Who has found somebody no longer waits for
        another: a challenge of the player's own is withdrawn.

        :raises Unknown: if no game has this code
        :raises Conflict: if it is the player's own challenge, or somebody sits there
        """
        record = self.invitation(code, player).record
        if record.marks_of(player):
            if record.open:
                raise Conflict("This is your own challenge. Somebody else must take the seat.")
            return record.id
        if not record.open:
            raise Conflict(_TAKEN)
        mine = Mark.X if record.x_seat is None else Mark.O
        joined = replace(
            record,
            x_seat=player if mine is Mark.X else record.x_seat,
            o_seat=player if mine is Mark.O else record.o_seat,
            version=record.version + 1,
        )
        now = int(self._clock())
        with self._database.write(player) as connection:
            if not stored_games.replace(connection, record, joined, now):
                raise Conflict(_TAKEN)
            _withdraw(connection, player)
            remember(connection, player, stored_players.preferences(connection, player), now)
        return record.id

    # --- the class ------------------------------------------------------------------------------

    def look(self, player: str) -> Class:
        """Return the class as this player sees it."""
        with self._database.read() as connection:
            live = stored_games.live(connection, _MOST)
            encounters = self._encounters(connection, live, player)
            mine = stored_records.of(connection, player)
            recent = stored_games.recent(connection, player, 10)
            table = _in_sight(self._standings(connection), player)
            seats = {seat for game in recent for seat in (game.x_seat, game.o_seat) if seat}
            wanted = {standing.player for standing in table} | seats
            names = stored_players.names(connection, wanted)
        return Class(
            tuple(
                e
                for e in encounters
                if e.record.open and self._clock.since(e.record.changed_at) <= _FRESH
            ),
            tuple(e for e in encounters if not e.record.open),
            tuple((one, names[one.player]) for one in table if one.player in names),
            player,
            tuple(mine),
            tuple(recent),
            names,
        )

    def compute_ahead(self) -> None:
        """Compute the standings before anybody has asked for them."""
        if self._computing.acquire(blocking=False):
            self._compute_beside()

    def _standings(self, connection: sa.Connection) -> list[Standing]:
        """The standings; many look at them at once, so they are seconds old.

        In a school of thousands they take a second. Then nobody waits for them: the last ones are
        shown until the next are there.
        """
        known = self._table
        age = self._clock() - known.computed
        if 0 <= age < max(_REMEMBERED, _SHARE * known.took):
            return known.standings
        if known.took <= _AT_ONCE:
            return self._compute(connection)
        if self._computing.acquire(blocking=False):
            threading.Thread(target=self._compute_beside, daemon=True).start()
        return known.standings

    def _compute_beside(self) -> None:
        """Compute them for the next who looks, where the database can be read."""
        try:
            with suppress(sa.exc.SQLAlchemyError), self._database.read() as connection:
                self._compute(connection)
        finally:
            self._computing.release()

    def _compute(self, connection: sa.Connection) -> list[Standing]:
        now, start = self._clock(), time.perf_counter()
        found = standings(map(Played._make, stored_records.everything(connection)))
        self._table = _Table(now, time.perf_counter() - start, found)
        return found

    def _encounters(
        self, connection: sa.Connection, some: list[GameRecord], player: str
    ) -> list[Encounter]:
        seats = {seat for record in some for seat in (record.x_seat, record.o_seat) if seat}
        names = stored_players.names(connection, seats)
        return [
            Encounter(
                record,
                names.get(record.x_seat, "Somebody") if record.x_seat else None,
                names.get(record.o_seat, "Somebody") if record.o_seat else None,
                bool(record.marks_of(player)),
            )
            for record in some
        ]


def _withdraw(connection: sa.Connection, player: str) -> None:
    """Withdraw the player's challenge, if nobody has taken it."""
    for record in stored_games.unfinished(connection, player, CLASSMATE):
        if record.open:
            stored_games.delete(connection, record.id, record.version)


def _in_sight(table: list[Standing], player: str) -> list[Standing]:
    """The best places, and the player's own."""
    return table[:_SHOWN] + [one for one in table[_SHOWN:] if one.player == player]


def as_code(text: str) -> str:
    """Read a code as people type it: in any case, with spaces or hyphens."""
    return "".join(character for character in text.upper() if character not in " -")
