"""What MENACE has learnt, as one process knows it: read as it grows, stored now and then."""

import threading

import sqlalchemy as sa

from webapp.analysis.menace import Life, Point
from webapp.engines.base import Engine
from webapp.engines.menace import menace
from webapp.live import Live
from webapp.store import Database, topics
from webapp.store import menace as lessons

EVERY = 500
"""Games after which boxes and curve are stored; a start learns from the games since then."""


class Learnt:
    """The boxes and the learning curve, as this process knows them.

    :ivar engine: MENACE as of the last look
    :ivar trained: the lock of a training
    :ivar training: games played and planned in this process's training
    """

    def __init__(self, live: Live) -> None:
        self._live = live
        self._afresh = self._known = -1
        self._last: lessons.Lesson | None = None
        self._life, self._stored = Life(), 0
        self._looking, self._drawing = threading.Lock(), threading.Lock()
        self.trained = threading.Lock()
        self.engine: Engine = menace(self._life.beads)
        self.training: tuple[int, int] | None = None

    def look(self, connection: sa.Connection) -> Life:
        """Learn from the games since the last look; from all again if MENACE was restarted."""
        with self._looking:
            self._learn(connection)
            return self._life

    def recall(self, connection: sa.Connection) -> None:
        """Do the same for a move, which does not wait for another look."""
        if self._looking.acquire(blocking=False):
            try:
                self._learn(connection)
            finally:
                self._looking.release()

    def _learn(self, connection: sa.Connection) -> None:
        afresh, known = self._live.number(topics.AFRESH), self._live.number(topics.MENACE)
        if afresh != self._afresh:
            self._last = lessons.kept(connection)
            self._life = Life(self._last and self._last.life)
            self._stored = self._life.games
        elif known == self._known:
            return
        for lesson in lessons.after(connection, self._last.number if self._last else 0):
            for moves in lesson.games:
                self._life.learn(moves)
            self._last = lesson
        self._afresh, self._known, self.engine = afresh, known, menace(self._life.beads)

    def curve(self, connection: sa.Connection) -> list[Point]:
        """Return the learning curve; pages wait for each other here, but no move does."""
        with self._drawing:
            return self.look(connection).curve()

    def keep(self, database: Database) -> None:
        """Store what it has learnt once :data:`EVERY` games have come since the last time."""
        with database.read() as connection:
            if self.look(connection).games < self._stored + EVERY:
                return
            self.curve(connection)  # most of it, while others look
            with self._looking:
                if self._last is None:
                    return
                lesson = self._last._replace(life=self._life.stored())
                self._stored = self._life.games
            with database.transaction(connection):
                lessons.keep(connection, lesson)
