"""What is live in one process: what has changed, who is told, and who is here. In memory only.

A transaction notes the topics that it changes (``store/topics.py``). After its commit they are
published here, and the streams of visible pages are told (``server/streams.py``). Processes that
share a PostgreSQL tell each other. May import ``store``.
"""

import hashlib
import threading
import time
from base64 import urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from math import inf
from typing import Any

from webapp.store import Database, postgres, topics
from webapp.store.topics import Change

ASKED_S, HIDDEN_S = 12.0, 20.0
"""How long a player is here after a page asks; a hidden page asks every 15 seconds."""

BROKEN_S, LEFT_S = 10.0, 2.5
"""How long a player is still here after a lost stream, and after a page's good-bye: most pages are
left for another page of this site.
"""

SETTLED_S = 10.0
"""After a start, or a sleep, no one counts as away for so long, as pages have to come back."""

ASLEEP_S = 5.0  # a server that has not ticked for so long was asleep, and out of reach
BEAT_S = 1.0  # interval of the looks at who has come and gone

_DEAF_AFTER_S = 3.0
"""A process that has not heard itself for so long does not hear the others either."""

_KEPT_S = 60.0
"""A player who is back within this time keeps the place in :meth:`Live.newest`."""

_PLAYERS_A_MESSAGE = 80  # keeps a message below PostgreSQL's 8,000 bytes


def through_sleep() -> float:
    """A monotonic clock in seconds that runs on while the computer sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    # On Windows, the usual monotonic clock does.
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def streamed(page: str) -> str:
    """The name of a page's stream, beside the page's own.

    A hidden page's request and the end of its stream may arrive in either order.
    """
    return page if page.startswith("~") else f"~{page}"


@lru_cache(8192)
def sealed(topic: str) -> str:
    """A topic's name on pages, which reveals no player's id.

    Not a secret: anyone who can name a topic may hear that it changes, and no more.
    """
    return urlsafe_b64encode(hashlib.blake2b(topic.encode(), digest_size=12).digest()).decode()


class Live:
    """What has changed, who is told, and who is here.

    :ivar now: a steady clock for all moments here
    :ivar tell: gets the published changes, on any thread
    :ivar lost: called when changes may have been missed, so that all pages ask
    :ivar hears: whether this process hears the others; if not, pages have to ask
    """

    def __init__(self, database: Database, now: Callable[[], float] = through_sleep) -> None:
        self._database = database
        database.on_commit = self.publish
        self.now, self._began, self._ticked = now, now(), inf
        self.tell: Callable[[Iterable[Change]], object] = list
        self.lost: Callable[[], object] = bool
        self.hears = True
        self._heard_at = time.monotonic()
        self._changing = threading.Lock()
        self._numbers = defaultdict[str, int](int)
        # Until when each page of a player, or another process, says that the player is here.
        self._pages = defaultdict[str, dict[str, float]](dict)
        self._closed = dict[str, float]()  # when pages have said good-bye
        self._came = dict[str, float]()
        self._here = self._teachers = frozenset[str]()
        self._taught = dict[str, frozenset[str]]()  # by the other processes
        self._told = frozenset[str]()

    # --- what has changed -----------------------------------------------------------------------

    def publish(self, changes: Iterable[Change]) -> None:
        changes = list(changes)
        with self._changing:
            for topic, _ in changes:
                if topic in topics.COUNTED:
                    self._numbers[topic] += 1
        if changes:
            self.tell(changes)

    def number(self, topic: str) -> int:
        """A number that grows with each publication of one of :data:`topics.COUNTED`."""
        return self._numbers[topic]

    def _forget(self) -> None:
        """Treat everything known as out of date: changes may have been missed."""
        with self._changing:
            for topic in topics.COUNTED:
                self._numbers[topic] += 1
        self.lost()

    # --- who is here ----------------------------------------------------------------------------

    def here_until(self, player: str, until: float, page: str = "") -> None:
        """Note that a page's player is here until a moment, ``inf`` for a stream."""
        with self._changing:
            if not self.is_here(player):
                known = self._pages.get(player)
                if not known or max(known.values()) < self.now() - _KEPT_S:
                    self._came[player] = self.now()
            self._pages[player][page] = until

    def asked(self, player: str, page: str = "", *, hidden: bool = False) -> None:
        """Note that a page of this player asks; a ``hidden`` one asks seldom."""
        until = self.now() + (HIDDEN_S if hidden else ASKED_S)
        if page not in self._closed and self._pages.get(player, {}).get(page, 0) < until:
            self.here_until(player, until, page)

    def closed(self, player: str, page: str = "") -> None:
        """Note a page's good-bye; its earlier requests may still arrive."""
        if page:
            self._closed[page] = self.now()
        self.left(player, page, LEFT_S)

    def left(self, player: str, page: str, after_s: float) -> None:
        """Note that a page keeps its player here for at most ``after_s``.

        The earliest end counts: a page whose stream is lost after its good-bye is gone.
        """
        known = self._pages.get(player, {})
        for name in {page, streamed(page)} & known.keys():
            self.here_until(player, min(known[name], self.now() + after_s), name)

    def is_here(self, player: str) -> bool:
        return max(self._pages.get(player, {}).values(), default=-inf) >= self.now()

    def pages(self, player: str) -> int:
        """How many pages say that a player is here."""
        known, now = self._pages.get(player, {}), self.now()
        return len({name.lstrip("~") for name, until in known.items() if until >= now})

    def is_away(self, player: str) -> bool:
        """Whether a player is not here, once all pages had time to come back."""
        return not self.settles_in_s and not self.is_here(player)

    def has_left(self, player: str) -> bool:
        """Whether a player was here a moment ago, but is no longer."""
        return player in self._pages and not self.is_here(player)

    def here(self) -> frozenset[str]:
        return frozenset(filter(self.is_here, list(self._pages)))

    def newest(self) -> list[str]:
        """The players who are here, the latest first."""
        return sorted(self.here(), key=lambda player: (-self._came[player], player))

    def note_teacher(self, player: str, *, teaches: bool) -> None:
        """Note whether a player's browser is signed in as the teacher, who is not in the class."""
        before = self._teachers
        self._teachers = before | {player} if teaches else before - {player}
        if self._teachers != before and self.is_here(player):
            self.publish([Change(topics.CLASS)])

    def teachers(self) -> frozenset[str]:
        """The players whose browsers are known to be signed in as the teacher."""
        return self._teachers.union(*self._taught.values())

    # --- the time -------------------------------------------------------------------------------

    def _woke(self) -> float:
        """When the server started or woke."""
        now = self.now()
        return now if now - self._ticked > ASLEEP_S else self._began

    @property
    def settles_in_s(self) -> float:
        """Seconds until all pages have had time to come back since then."""
        return max(0.0, SETTLED_S - (self.now() - self._woke()))

    def beat(self) -> None:
        """Note that the server runs, and publish who has come or gone. Call it every second."""
        now = self.now()
        self._began, self._ticked = self._woke(), now
        with self._changing:
            for player, pages in list(self._pages.items()):
                if max(pages.values()) < now - _KEPT_S:
                    del self._pages[player], self._came[player]
                else:
                    self._pages[player] = {
                        page: until for page, until in pages.items() if until >= now - _KEPT_S
                    }
            self._taught = {
                sender: taught
                for sender, taught in self._taught.items()
                if any(sender in self._pages.get(player, ()) for player in taught)
            }
            self._closed = {page: at for page, at in self._closed.items() if at > now - _KEPT_S}
        before, self._here = self._here, self.here()
        if changed := before ^ self._here:
            self.publish(map(Change, (topics.CLASS, *map(topics.player, changed))))
        if self._database.is_shared:
            self.hears = time.monotonic() - self._heard_at < _DEAF_AFTER_S
            if not self.hears:
                self._forget()

    # --- several processes ----------------------------------------------------------------------

    def listen(self) -> None:
        """Exchange changes and presence with the other processes.

        Behind a pooler that drops ``LISTEN``, a process hears nothing, not even itself.

        :raises sqlalchemy.exc.OperationalError: when the database is out of reach
        """
        with closing(self._database.listen()) as channel:
            channel.tell(self._beats())
            self._forget()  # what was published before this is unknown
            while True:
                for message in channel.hear(BEAT_S):
                    self._hear(message)
                channel.tell(self._beats())

    def _beats(self) -> Iterator[dict[str, Any]]:
        """Yield messages, at least one: who is on our pages, for how many milliseconds more."""
        now, most = self.now(), 2.5 * BEAT_S
        with self._changing:
            own = {
                player: max(until for page, until in pages.items() if page[:1] != "/") - now
                for player, pages in self._pages.items()
                if not all(page.startswith("/") for page in pages)
            }
        told = {player: int(1000 * min(left, most)) for player, left in own.items() if left > 0}
        gone = dict.fromkeys(self._told - told.keys(), 0)
        self._told, listed = frozenset(told), list((told | gone).items())
        for at in range(0, len(listed) or 1, _PLAYERS_A_MESSAGE):
            here = dict(listed[at : at + _PLAYERS_A_MESSAGE])
            yield {"here": here, "teach": [player for player in here if player in self._teachers]}

    def _hear(self, message: Mapping[str, Any]) -> None:
        sender = f"/{message['from']}"  # no page has such a name
        if message["from"] == postgres.ME:
            self._heard_at = time.monotonic()
        elif "here" in message:
            here = message["here"]
            for player, milliseconds in here.items():
                self.here_until(player, self.now() + milliseconds / 1000, sender)
            with self._changing:
                taught = self._taught.get(sender, frozenset())
                self._taught[sender] = taught - here.keys() | set(message["teach"])
        else:
            self.publish(Change(*change) for change in message["changes"])
