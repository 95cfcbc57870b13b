"""What the use cases work on: each is a function of a site, and of what the player asks for."""

from collections.abc import Callable, Collection
from random import Random, SystemRandom
from typing import NamedTuple

from webapp.classroom import Lesson
from webapp.config import Settings
from webapp.core.game import Game
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.live import Live
from webapp.names import People
from webapp.service.clock import Clock
from webapp.service.key import HostKey, Link
from webapp.service.learnt import Learnt
from webapp.service.ranking import Ranking, Table
from webapp.store import Database
from webapp.tournament.event import Tournament


class ClassSeen(NamedTuple):
    """What all see of the class, read once for each change.

    :param number: that of its topic when it was read, at the moment ``read``
    :param live: games in progress
    :param here: the players who are here, a teacher only while she plays
    :param ended: games that have just ended
    :param today: how many games have ended today, and ``played`` who has played them
    :param table: where all stand
    :param people: all these
    """

    number: int
    read: float
    lesson: Lesson
    tournament: Tournament | None
    live: list[Game]
    here: Collection[str]
    ended: list[Game]
    today: int
    played: frozenset[str]
    table: Table
    people: People


class Site:
    """What one process of a server has: made once, and given to every use case.

    :param own: engines that are offered besides those of the registry
    :param language: tells the code of the language of the present request
    :ivar learnt: MENACE, as it was last looked at
    :ivar link: what the start has printed, where it has, until it is used
    :ivar rng: draws the pairings
    :ivar class_seen: what all see of the class, as it was last read
    :ivar ticked_at: the last tick of a tournament, as this process saw it; 0: there was none;
        ``None``: it has not looked since its start
    """

    def __init__(
        self,
        settings: Settings,
        own: Collection[Engine] = (),
        language: Callable[[], str] = lambda: "en",
    ) -> None:
        self.settings, self.language = settings, language
        self.database = Database(settings)
        self.clock = Clock()
        self.live = Live(self.database)
        self.learnt = Learnt(self.live)
        listed = ENGINES | {engine.slug: engine for engine in own}
        self.engines: Catalogue = Catalogue(listed, lambda: self.learnt.engine)
        self.ranking = Ranking(self.live)
        self.key = HostKey(settings)
        self.link: Link | None = None
        self.rng: Random = SystemRandom()
        self.class_seen: ClassSeen | None = None
        self.ticked_at: int | None = None

    def now(self) -> int:
        """Return the time, in whole seconds since 1970."""
        return int(self.clock())

    def now_ms(self) -> int:
        """Return the time, in milliseconds since 1970."""
        return int(1000 * self.clock())
