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
from webapp.service.browsers import Browsers
from webapp.service.clock import Clock
from webapp.service.key import HostKey, Link
from webapp.service.learnt import Learnt
from webapp.service.ranking import Ranking, Table
from webapp.store import Database
from webapp.tournament.event import Tournament


class ClassSeen(NamedTuple):
    """The class as everyone sees it, read once for each change.

    :param number: the topic's counter when it was read, at the moment ``read``
    :param live: games in progress
    :param here: players who are here; a teacher only while playing
    :param ended: games that have just ended
    :param today: the number of games that ended today, and ``played`` their players
    :param table: everyone's place
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

    :param own: engines besides those of the registry
    :param language: returns the language code of the current request
    :ivar learnt: MENACE as of the last look
    :ivar link: the start's link, until it is used
    :ivar rng: draws the pairings
    :ivar class_seen: the class as it was last read
    :ivar ticked_at: a tournament's last tick, as this process saw it; 0: none; ``None``: not looked
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
        self.browsers = Browsers(self.database, self.live)
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
        """The time in whole seconds since 1970."""
        return int(self.clock())

    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""
        return int(1000 * self.clock())
