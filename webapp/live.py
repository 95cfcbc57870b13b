"""What is live in one process: what has changed, who is told, and who is here. Never a table.

A transaction notes the topics that it changes (``store/topics.py``). After its commit they are
published here, and those who listen are told: the streams of the pages that are seen
(``server/streams.py``). Processes that share a PostgreSQL tell each other. May import ``store``.
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
"""For how long a player is here after a page has asked; a hidden page asks every 15 seconds."""

BROKEN_S, LEFT_S = 10.0, 2.5
"""How long a player is here after a stream has broken off, and after a page has said good-bye: most
pages are left for another page of this site."""

SETTLED_S = 10.0
"""How long after a start, or a sleep, no one counts as away: all pages have to come back first."""

ASLEEP_S = 5.0
"""A server that has not ticked for so long was asleep, and no player could reach it."""

BEAT_S = 1.0
"""How often it is looked who has come and gone."""

_DEAF_AFTER_S = 3.0
"""A process that has not heard its own beat for so long hears no other process either."""

_KEPT_S = 60.0
"""A player who comes back within this time keeps the place among who came last."""

_PLAYERS_A_MESSAGE = 80
"""PostgreSQL carries 8,000 bytes in a message."""


def through_sleep() -> float:
    """Return the seconds on a monotonic clock that goes on while the computer sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    # On Windows the usual one does.
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def streamed(page: str) -> str:
    """Return the name by which a player is here while a page has its stream, beside its own.

    What a page asks as it is hidden may come before the end of its stream, and the other way round.
    """
    return page if page.startswith("~") else f"~{page}"


@lru_cache(8192)
def sealed(topic: str) -> str:
    """Return what a page calls a topic: no player's id can be read from it.

    It is no secret: anyone who can name a topic may hear that it changes, and hears no more.
    """
    return urlsafe_b64encode(hashlib.blake2b(topic.encode(), digest_size=12).digest()).decode()


class Live:
    """What has changed, who is told, and who is here.

    :ivar now: a clock that no one sets, for all moments here
    :ivar tell: is given the changes that are published; called on any thread
    :ivar lost: called where changes may not have been heard of, so that all pages ask
    :ivar hears: whether this process hears the others; while it does not, pages have to ask
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
        """Return a number that grows with each publication of one of :data:`topics.COUNTED`."""
        return self._numbers[topic]

    def _forget(self) -> None:
        """Take all that is known for out of date: changes may not have been heard of."""
        with self._changing:
            for topic in topics.COUNTED:
                self._numbers[topic] += 1
        self.lost()

    # --- who is here ----------------------------------------------------------------------------

    def here_until(self, player: str, until: float, page: str = "") -> None:
        """Note until when a page says that its player is here: ``inf`` while it has a stream."""
        with self._changing:
            if not self.is_here(player):
                known = self._pages.get(player)
                if not known or max(known.values()) < self.now() - _KEPT_S:
                    self._came[player] = self.now()
            self._pages[player][page] = until

    def asked(self, player: str, page: str = "", *, hidden: bool = False) -> None:
        """Note that a page of this player has asked.

        :param hidden: whether it is not seen, and asks seldom
        """
        until = self.now() + (HIDDEN_S if hidden else ASKED_S)
        if page not in self._closed and self._pages.get(player, {}).get(page, 0) < until:
            self.here_until(player, until, page)

    def closed(self, player: str, page: str = "") -> None:
        """Note that a page has said good-bye; what it asked before that may come afterwards."""
        if page:
            self._closed[page] = self.now()
        self.left(player, page, LEFT_S)

    def left(self, player: str, page: str, after_s: float) -> None:
        """Note that a player is here by a page for so long at most.

        What ends first counts: a page whose stream breaks off after its good-bye has gone.
        """
        known = self._pages.get(player, {})
        for name in {page, streamed(page)} & known.keys():
            self.here_until(player, min(known[name], self.now() + after_s), name)

    def is_here(self, player: str) -> bool:
        return max(self._pages.get(player, {}).values(), default=-inf) >= self.now()

    def is_away(self, player: str) -> bool:
        """Tell whether a player is not here, once all pages had the time to come back."""
        return not self.settles_in_s and not self.is_here(player)

    def has_left(self, player: str) -> bool:
        """Tell whether a player was here a moment ago, and is not any more."""
        return player in self._pages and not self.is_here(player)

    def here(self) -> frozenset[str]:
        return frozenset(filter(self.is_here, list(self._pages)))

    def newest(self) -> list[str]:
        """Return the players who are here, who has come last first."""
        return sorted(self.here(), key=lambda player: (-self._came[player], player))

    def note_teacher(self, player: str, *, teaches: bool) -> None:
        """Note whether a player's browser is signed in as the teacher, who is not in the class."""
        before = self._teachers
        self._teachers = before | {player} if teaches else before - {player}
        if self._teachers != before and self.is_here(player):
            self.publish([Change(topics.CLASS)])

    def teachers(self) -> frozenset[str]:
        """Return the players whose browsers are signed in as the teacher, as far as is known."""
        return self._teachers.union(*self._taught.values())

    # --- the time -------------------------------------------------------------------------------

    @property
    def began(self) -> float:
        """When the server started or woke; now, if it has just woken."""
        now = self.now()
        return now if now - self._ticked > ASLEEP_S else self._began

    @property
    def settles_in_s(self) -> float:
        """After how many seconds all pages have had the time to come back since then; or 0."""
        return max(0.0, SETTLED_S - (self.now() - self.began))

    def beat(self) -> None:
        """Note that the server runs, and tell who has come or gone. To be called every second."""
        now = self.now()
        self._began, self._ticked = self.began, now
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
        """Hear what others change and who is on their pages, and tell them who is on ours.

        Behind a pooler that drops ``LISTEN``, a process hears nothing, not even itself.

        :raises sqlalchemy.exc.OperationalError: once the database is out of reach
        """
        with closing(self._database.listen()) as channel:
            channel.tell(self._beats())
            self._forget()  # what was published before this is unknown
            while True:
                for message in channel.hear(BEAT_S):
                    self._hear(message)
                channel.tell(self._beats())

    def _beats(self) -> Iterator[dict[str, Any]]:
        """Say who is on our pages, for how many milliseconds more, in at least one message."""
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
        sender = f"/{message['from']}"  # no page is called so
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
