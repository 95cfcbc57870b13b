"""The table that ranks the players: one worker at a time computes what has changed."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import sqlalchemy as sa

from webapp.analysis import ratings
from webapp.analysis.ratings import Player
from webapp.store import Database, topics
from webapp.store import ratings as stored
from webapp.store.ratings import Rated

_EVERY = 2.0
"""After how many seconds a worker looks whether anyone is due."""

_STINT, _REST = 0.005, 0.095
"""After how many seconds of work it rests, and for how many: moves need the interpreter too."""

_RENEWED, _LOST = 3.0, 20.0
"""After how many seconds the worker that ranks says that it still does; and after how many in which
it has not said so another one takes over. Each measures them on a clock that no one sets."""


class _Ended(Exception):  # noqa: N818 - no fault
    """The server stops, or another worker has taken over: nothing of this is written."""


def _nothing() -> None:
    pass


class Ranking:
    """What one worker does for the table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._holder, self._since = stored.FREE, 0.0

    def start(self, stopping: Callable[[], bool]) -> None:
        """Begin to look for what has changed, beside everything else.

        :param stopping: tells whether the server is about to stop
        """
        threading.Thread(target=self._run, args=(stopping,), daemon=True).start()

    def catch_up(self, rest: Callable[[], object] = _nothing) -> None:
        """Compute what has changed, unless another worker is at it.

        :param rest: is called all the time, and may let others have a turn
        """
        if self._is_due() and (mine := self._take()):
            with suppress(_Ended):
                _Round(self._database, mine, rest).go()

    def _run(self, stopping: Callable[[], bool]) -> None:
        pace = _Pace(stopping)
        while not stopping():
            time.sleep(_EVERY)
            with suppress(sa.exc.SQLAlchemyError):  # out of reach: it stays due
                self.catch_up(pace)

    def _is_due(self) -> bool:
        with self._database.read() as connection:
            return stored.any_due(connection)

    def _take(self) -> int | None:
        """Become the worker that ranks, if there is none, or it has not been heard for too long."""
        now, mine = time.monotonic(), stored.number()
        with self._database.read() as connection:
            holder = stored.holder(connection)
            if holder != self._holder:
                self._holder, self._since = holder, now
            if holder != stored.FREE and now - self._since < _LOST:
                return None
            with self._database.transaction(connection, stored.ABOUT):
                return mine if stored.hold(connection, holder, mine) else None


class _Pace:
    """Works for a twentieth of the time, as it is called again and again."""

    def __init__(self, stopping: Callable[[], bool]) -> None:
        self._stopping = stopping
        self._worked = 0.0

    def __call__(self) -> None:
        if time.thread_time() - self._worked > _STINT:
            time.sleep(_REST)
            if self._stopping():
                raise _Ended
            self._worked = time.thread_time()


class _Round:
    """One computation, from those who are due to the rows that are written.

    Everything is written at once, and only if no other worker has taken over. Anyone who has
    another result meanwhile stays as they were, and due.

    :param mine: the number by which this worker is known to the others
    """

    def __init__(self, database: Database, mine: int, rest: Callable[[], object]) -> None:
        self._database = database
        self._mine = mine
        self._rest_of_others = rest
        self._renewed = time.monotonic()
        self._players: dict[str, Player] = {}
        self._rows: dict[str, Rated] = {}

    def go(self) -> None:
        """Compute and write."""
        try:
            self._engines = ratings.engines(self._rest)
            with self._database.read() as connection:
                self._connection = connection
                due = self._add(stored.due(connection))
                seen = ratings.settle(due, self._read, self._rest)
            self._write([(self._rows[one.id], self._row(one)) for one in seen])
        except BaseException:
            with suppress(sa.exc.SQLAlchemyError), self._database.write(stored.ABOUT) as connection:
                stored.hold(connection, self._mine, stored.FREE)
            raise

    def _add(self, rows: Sequence[Rated]) -> list[Player]:
        """Keep rows as they are when they are first read, and return their players."""
        self._rows |= {row.player: row for row in rows}
        new = [Player(row.player, row.rating, row.met, row.games) for row in rows]
        self._players |= {one.id: one for one in new}
        return new

    def _read(self, player: Player) -> None:
        known, found = self._players, stored.results(self._connection, player.id)
        new = [one for one, *_ in found if one not in known and one not in self._engines]
        if new:
            # Before their results are: nothing is written of those who have another one meanwhile.
            self._add(stored.among(self._connection, new))
        rated: dict[str, Player | float] = {**self._engines}
        rated |= {one: known[one] for one, *_ in found if one in known}
        player.read((rated[one], recent, games) for one, recent, games in found if one in rated)

    def _row(self, one: Player) -> Rated:
        changed = self._rows[one.id].changed
        return Rated(one.id, one.rating, one.shown, one.games, one.met, changed)

    def _write(self, rows: list[tuple[Rated, Rated]]) -> None:
        with self._database.write(stored.ABOUT) as connection:
            if not stored.hold(connection, self._mine, stored.FREE):
                raise _Ended
            stored.put(connection, [after for _, after in rows])
            if any((old.shown, old.games) != (new.shown, new.games) for old, new in rows):
                topics.note(connection, topics.CLASS)

    def _rest(self) -> None:
        """Let others have a turn, and tell the other workers that this one goes on."""
        self._rest_of_others()
        if time.monotonic() - self._renewed > _RENEWED:
            next_one = stored.number()
            with self._database.write(stored.ABOUT) as connection:
                if not stored.hold(connection, self._mine, next_one):
                    raise _Ended
            self._mine, self._renewed = next_one, time.monotonic()
