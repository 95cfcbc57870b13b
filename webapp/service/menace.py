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

LAST = 20
"""How many of the last lessons are shown."""

MOST = 10_000
"""The most games of a training."""

RIVALS = ("easy", "medium", "hard", "menace")
"""Against whom it is trained: a level, or another MENACE."""

_REST_S = 0.05
"""How long a training rests after each lesson: moves need the interpreter too."""


class Menace(NamedTuple):
    """MENACE, as all see it.

    :param beads: what is in its boxes
    :param last: the moves of the last game that it has learnt from; none before the first
    :param curve: what it has been worth from the beginning to now
    :param lessons: the last ones of the class, the newest first
    :param people: the players in them
    :param training: how many games of how many are over, in a training that is in progress
    """

    beads: Beads
    last: tuple[int, ...]
    curve: Sequence[Point]
    lessons: Sequence[Lesson]
    people: People
    training: tuple[int, int] | None

    @property
    def games(self) -> int:
        """From how many games it has learnt."""
        return self.curve[-1].games


def look(site: Site) -> Menace:
    """Return MENACE as it is now, which may take seconds."""
    with site.database.read() as connection:
        curve = site.learnt.curve(connection)
        lessons = store.menace.last(connection, LAST)
        players = {lesson.player for lesson in lessons if lesson.player}
        people = store.players.people(connection, players)
        life = site.learnt.look(connection)
        return Menace(life.beads, life.last, curve, lessons, people, site.learnt.training)


def keep(site: Site) -> None:
    """Let it learn from all games, so that moves need not; after many, store what came of them."""
    site.learnt.keep(site.database)


# --- what the teacher may do ----------------------------------------------------------------------


def train(site: Site, rival: str, games: int, seed: str, *, apart: bool = False) -> None:
    """Let it play so many games against a rival and learn from each; all see how it gets on.

    :param rival: one of :data:`RIVALS`
    :param seed: with which the same boxes learn the same
    :param apart: whether to return at once, and go on meanwhile
    :raises Conflict: while another training goes on
    """
    if not site.learnt.trained.acquire(blocking=False):
        raise Conflict("MENACE is being trained already. Wait until that is over.")
    site.learnt.training = (0, games)
    about = site, rival, games, seed, site.live.number(topics.AFRESH)
    if apart:
        Thread(target=_train, args=about, daemon=True).start()
    else:
        _train(*about)


def _train(site: Site, rival: str, games: int, seed: str, begun: int) -> None:
    """Train it, until there is news that the training ends, or the database is out of reach."""
    try:
        with site.database.read() as connection:
            beads = site.learnt.look(connection).beads
        course = training(beads, ENGINES.get(rival), Random(seed))  # noqa: S311 - no secret
        for done in range(0, games, EVERY):
            lesson = [*islice(course, min(EVERY, games - done))]
            with site.database.write(MENACE) as connection:
                # Inside: who starts it over has told us before, and waits for this to be over.
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
    """End a training after the games that are being played; what it has learnt by then stays."""
    with site.database.write() as connection:
        topics.note(connection, topics.AFRESH)


def start_over(site: Site) -> None:
    """Delete all lessons and fill all boxes as they were at first; a training ends."""
    end_training(site)
    with site.database.write(MENACE) as connection:
        store.menace.clear(connection)
