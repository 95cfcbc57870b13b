"""MENACE: one for the whole server, which learns from the games of the class."""

import time
from collections.abc import Sequence
from itertools import islice
from random import Random
from threading import Thread
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.analysis.menace import Point, training
from webapp.core.game import MENACE
from webapp.engines.menace import Beads
from webapp.engines.registry import ENGINES
from webapp.names import People
from webapp.service.learnt import EVERY
from webapp.service.refusals import Conflict
from webapp.service.site import Site
from webapp.store import topics
from webapp.store.menace import Lesson

LAST = 20  # lessons shown
MOST = 10_000  # the most games of a training

RIVALS = ("easy", "medium", "hard", "menace")
"""Its opponents in training: the levels, or another MENACE."""

_REST_S = 0.05  # pause after each lesson of a training: moves need the interpreter too


class Menace(NamedTuple):
    """MENACE as everyone sees it.

    :param beads: the content of its boxes
    :param last: the moves of the last game that it has learnt from; empty before the first
    :param curve: its strength from the beginning to now
    :param lessons: the class's last lessons, the newest first
    :param people: the players in them
    :param training: games played and planned, during a training
    """

    beads: Beads
    last: tuple[int, ...]
    curve: Sequence[Point]
    lessons: Sequence[Lesson]
    people: People
    training: tuple[int, int] | None

    @property
    def games(self) -> int:
        """The number of games it has learnt from."""
        return self.curve[-1].games


def look(site: Site) -> Menace:
    """Return MENACE as it is now, which may take seconds."""
    with site.database.read() as connection:
        curve = site.learnt.curve(connection)
        lessons = store.menace.last(connection, LAST)
        players = {lesson.player for lesson in lessons if lesson.player}
        people = store.players.people(connection, players)
        life = site.learnt.look(connection)
        return Menace(
            beads=life.beads,
            last=life.last,
            curve=curve,
            lessons=lessons,
            people=people,
            training=site.learnt.training,
        )


def keep(site: Site) -> None:
    """Learn from all games, so that moves need not, and store the result now and then."""
    site.learnt.keep(site.database)


# --- what the teacher may do ----------------------------------------------------------------------


def train(site: Site, rival: str, games: int, seed: str, *, apart: bool = False) -> None:
    """Let it play and learn from this many games; everyone sees its progress.

    :param rival: one of :data:`RIVALS`
    :param seed: makes a training repeatable
    :param apart: whether to train in a thread and return at once
    :raises Conflict: during another training
    """
    if not site.learnt.trained.acquire(blocking=False):
        raise Conflict("MENACE is already being trained. Wait until that is done.")
    site.learnt.training = (0, games)
    about = site, rival, games, seed, site.live.number(topics.AFRESH)
    if apart:
        Thread(target=_train, args=about, daemon=True).start()
    else:
        _train(*about)


def _train(site: Site, rival: str, games: int, seed: str, begun: int) -> None:
    """Train until the end, until the training is called off, or the database is unreachable."""
    try:
        with site.database.read() as connection:
            beads = site.learnt.look(connection).beads
        course = training(beads, ENGINES.get(rival), Random(seed))  # noqa: S311 - no secret
        for done in range(0, games, EVERY):
            lesson = [*islice(course, min(EVERY, games - done))]
            with site.database.write(MENACE) as connection:
                # Inside: a restart publishes first, and then waits for this transaction.
                if site.live.number(topics.AFRESH) != begun:
                    return
                site.learnt.training = (done + len(lesson), games)
                store.menace.add(connection, lesson, site.now(), rival=rival)
            keep(site)
            time.sleep(_REST_S)
    except sa.exc.SQLAlchemyError:
        return  # what it has learnt by then stays
    finally:
        site.learnt.training = None
        site.learnt.trained.release()
        site.live.publish([topics.Change(topics.MENACE)])


def end_training(site: Site) -> None:
    """End a training after the games in progress; what it has learnt stays."""
    with site.database.write() as connection:
        topics.note(connection, topics.AFRESH)


def start_over(site: Site) -> None:
    """Delete all lessons and refill all boxes; a training ends."""
    end_training(site)
    with site.database.write(MENACE) as connection:
        store.menace.clear(connection)
