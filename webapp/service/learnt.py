"""What MENACE has learnt, as one process knows it: read as it grows, and kept."""

import threading

import sqlalchemy as sa

from webapp.analysis.menace import Life, Point
from webapp.engines.base import Engine
from webapp.engines.menace import menace
from webapp.live import Live
from webapp.store import menace as lessons
from webapp.store import topics


class Learnt:
    """The boxes, and their course.

    :ivar engine: MENACE as it was at the last look
    :ivar beginning: held by anyone who begins a training, so that of two only one does
    :ivar training: how many games of how many have been played in a training that goes on here
    """

    def __init__(self, live: Live) -> None:
        self._topics = live.topics
        self._known = (-1, -1)
        self._last = 0
        self._life = Life()
        self._looking, self._drawing = threading.Lock(), threading.Lock()
        self.beginning = threading.Lock()
        self.engine: Engine = menace(self._life.beads)
        self.training: tuple[int, int] | None = None

    def look(self, connection: sa.Connection) -> Life:
        """Learn from the games that have come since the last look; from all again if some went."""
        known = self._topics.number(topics.UNLEARNT), self._topics.number(topics.MENACE)
        with self._looking:
            if known != self._known:
                if known[0] != self._known[0]:
                    self._life, self._last = Life(), 0
                for lesson in lessons.after(connection, self._last):
                    for moves in lesson.games:
                        self._life.learn(moves)
                    self._last = lesson.number
                self._known, self.engine = known, menace(self._life.beads)
            return self._life

    def curve(self, connection: sa.Connection) -> list[Point]:
        """Return what it has been worth; pages wait for each other here, and no move does."""
        with self._drawing:
            return self.look(connection).curve()
