"""MENACE: one for the whole server, which learns from the games of the class."""

import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from threading import Thread
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.analysis.menace import Point, training
from webapp.classroom import Act
from webapp.engines.menace import Beads
from webapp.engines.registry import ENGINES
from webapp.names import People
from webapp.service.refusals import Conflict
from webapp.service.site import Site
from webapp.service.teacher import note
from webapp.store.menace import Lesson

LAST = 20
"""How many of the last lessons are shown."""

MOST = 10_000
"""How many games it is trained with at a time."""

RIVALS = ("easy", "medium", "hard", "menace")
"""Against whom it is trained: a level, or another MENACE."""

_LESSON = 250
"""How many games of a training are one lesson, after which all see what came of it."""

_REST_S = 0.05
"""How long it rests after each: moves need the interpreter too."""


class Menace(NamedTuple):
    """MENACE, as all see it.

    :param beads: what is in its boxes
    :param last: the moves of the last game that it has learnt from; none before the first
    :param curve: what it has been worth from the beginning to now
    :param lessons: the last ones of the class, the newest first
    :param people: the players in them
    :param training: how many games of how many are over, in a training that goes on
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
    """Return MENACE as it is now."""
    with site.database.read() as connection:
        curve = site.learnt.curve(connection)
        lessons = store.menace.last(connection, LAST)
        players = {lesson.player for lesson in lessons if lesson.player}
        people = store.players.people(connection, players)
        life = site.learnt.look(connection)
        return Menace(life.beads, life.last, curve, lessons, people, site.learnt.training)


# --- what the teacher may do ----------------------------------------------------------------------


def train(site: Site, rival: str, games: int, seed: str, *, apart: bool = False) -> None:
    """Let it play so many games against a rival and learn from each; all see how it gets on.

    :param rival: one of :data:`RIVALS`
    :param seed: with which the same boxes learn the same
    :param apart: whether to return at once, and go on meanwhile
    :raises Conflict: while another training goes on
    """
    with site.learnt.beginning:
        if site.learnt.training:
            raise Conflict("MENACE is being trained already. Wait until that is over.")
        with site.database.write() as connection:
            note(site, connection, Act.TRAIN)
        site.learnt.training = (0, games)
    if apart:
        Thread(target=_train_apart, args=(site, rival, games, seed), daemon=True).start()
    else:
        _train(site, rival, games, seed)


def _train(site: Site, rival: str, games: int, seed: str) -> None:
    learnt = site.learnt
    try:
        with site.database.read() as connection:
            beads = learnt.look(connection).beads
        course = training(beads, ENGINES.get(rival), Random(seed))  # noqa: S311 - no secret
        for done in range(0, games, _LESSON):
            lesson = [*islice(course, min(_LESSON, games - done))]
            over = done + len(lesson)
            # Before the last pages are told: they say no more that it goes on.
            learnt.training = (over, games) if over < games else None
            with site.database.write() as connection:
                store.menace.add(connection, lesson, site.now(), rival=rival)
            time.sleep(_REST_S)
    finally:
        learnt.training = None


def _train_apart(site: Site, rival: str, games: int, seed: str) -> None:
    with suppress(sa.exc.SQLAlchemyError):  # out of reach: what it has learnt by then stays
        _train(site, rival, games, seed)


def start_afresh(site: Site) -> None:
    """Fill all boxes as they were at first."""
    with site.database.write() as connection:
        store.menace.take_back(connection)
        note(site, connection, Act.AFRESH)


def take_back(site: Site, player: str) -> None:
    """Take back all lessons of a player."""
    with site.database.write(player) as connection:
        name = store.players.find(connection, player)[1].name
        store.menace.take_back(connection, player)
        note(site, connection, Act.UNLEARN, name=name, player=player)
