"""Topics: what pages wait for, such as a game or the class, and the requests that wait.

A page watches its topics before it reads what it shows. If one of them is published later, the page
is out of date. Standard library only.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from random import uniform
from typing import NamedTuple

LONGEST_S = 10.0
"""How long a request waits at most; proxies allow more."""

MOST = 1024
"""Requests that may wait at a time, each on a thread."""

MOST_ALONE = 512
"""Beyond so many, no page joins them that no one else plays on."""

MOST_OF_A_PLAYER = 2
"""Requests of one player that may wait."""

MOST_PUBLISHED, MOST_WATCHES = 20_000, 8_192
"""Topics and watches that are remembered; older ones count as out of date."""

OFTEN = frozenset({"class", "wall", "tournament", "calls", "names", "menace", "computer"})
"""Kinds of topics that change often: their requests wait for a time, so that many changes wake them
once. Topics of other kinds wake a request at once, but for those of :data:`OWN_PATIENCE_S`."""

OWN_PATIENCE_S = {"boards": 5.0, "answers": 0.5}
"""How long those for all small boards, and for the answers to a question, wait at least."""


class Visit(NamedTuple):
    """Whose request waits.

    :param address: where it comes from
    :param alone: whether no one else plays on its page, so that its player does not count as here
    """

    player: str
    address: str = ""
    alone: bool = False


class Woken(Enum):
    """How a wait ended."""

    CHANGED = "what the page shows may have changed"
    NOTHING = "nothing has changed, or the player's own page has the answer already"
    AT_ONCE = "it could not wait"


@dataclass(frozen=True, slots=True)
class Watch:
    """What a page waits for.

    :param number: how many publications there were before the page was read
    :param patience_s: how long a request waits at least for topics that change often
    :param expires: when time alone changes the page, on the monotonic clock
    """

    topics: tuple[str, ...]
    number: int
    patience_s: float = 1.0
    expires: float = float("inf")


class _Wait:
    """A request that waits.

    :ivar due: when it is woken, on the monotonic clock; ``changed`` says what for
    :ivar leisure: by how much it waits longer than its patience
    """

    __slots__ = ("began", "changed", "due", "leisure", "patience_s", "result", "visit", "woken")

    def __init__(self, watch: Watch, visit: Visit, now: float, longest_s: float) -> None:
        self.visit, self.began = visit, now
        self.patience_s = watch.patience_s
        self.leisure = uniform(1, 1.5)  # noqa: S311 - or a whole class would ask in one moment
        self.due = self.began + uniform(0.8, 1) * longest_s  # noqa: S311 - not all at once
        self.changed = False
        self.result = Woken.NOTHING
        self.woken = threading.Event()

    def end(self, result: Woken) -> None:
        self.result = result
        self.woken.set()


class Topics:
    """The topics of one process, and its requests that wait.

    :ivar may_wait: whether requests may wait at all
    :ivar now: the monotonic clock of all that waits
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._changing = threading.Lock()
        self._number = self._forgotten = 0
        self._published = OrderedDict[str, int]()
        self._watches = OrderedDict[str, Watch]()
        self._of_topic = defaultdict[str, set[_Wait]](set)
        self._waits = dict[_Wait, None]()  # the oldest first
        self._of_player = Counter[str]()
        self.may_wait = False

    def open(self, *, waits: bool) -> None:
        """Let requests wait from now on, or answer all of them at once."""
        with self._changing:
            self.may_wait = waits
            if not waits:
                for wait in self._waits:
                    wait.end(Woken.AT_ONCE)

    def forget(self) -> None:
        """Take all pages for out of date: something may have changed that was not published."""
        with self._changing:
            self._number += 1
            self._forgotten, now = self._number, self.now()
            for topic, waits in self._of_topic.items():
                for wait in waits:
                    self._wake(wait, topic, now)

    # --- what has changed -----------------------------------------------------------------------

    def publish(self, topics: Iterable[str], by: str = "") -> None:
        """Say that topics have changed.

        :param by: the player whose move it was: that player's page has the answer already
        """
        with self._changing:
            self._number += 1
            now = self.now()
            for topic in topics:
                self._published[topic] = self._number
                self._published.move_to_end(topic)
                if len(self._published) > MOST_PUBLISHED:
                    _, self._forgotten = self._published.popitem(last=False)
                for wait in self._of_topic.get(topic, ()):
                    if by and wait.visit.player == by:
                        wait.end(Woken.NOTHING)
                    else:
                        self._wake(wait, topic, now)

    def number(self, topic: str) -> int:
        """Return a number that grows with each publication of a topic."""
        with self._changing:
            return max(self._published.get(topic, 0), self._forgotten)

    @property
    def latest(self) -> int:
        """How many publications there were."""
        return self._number

    def is_current(self, watch: Watch) -> bool:
        """Tell whether nothing that a page waits for has changed."""
        with self._changing:
            return not self._stale(watch) and self.now() < watch.expires

    def _stale(self, watch: Watch) -> list[str]:
        if watch.number < self._forgotten:
            return list(watch.topics)
        return [one for one in watch.topics if self._published.get(one, 0) > watch.number]

    # --- what pages wait for --------------------------------------------------------------------

    def watch(self, *topics: str, patience_s: float = 1.0) -> Watch:
        """Begin to watch topics, before what a page shows is read."""
        return Watch(topics, self._number, patience_s)

    def remember(self, watch: Watch) -> str:
        """Keep a watch until its page asks again, and return what stands for it in the address."""
        token = secrets.token_urlsafe(6)
        with self._changing:
            self._watches[token] = watch
            if len(self._watches) > MOST_WATCHES:
                self._watches.popitem(last=False)
        return token

    def renew(self, token: str, watch: Watch) -> None:
        """Keep another watch under a token that is known: the page still shows the same."""
        with self._changing:
            if token in self._watches:
                self._watches[token] = watch

    def recall(self, token: str) -> Watch | None:
        """Return the watch that a token stands for; ``None`` if this process does not have it."""
        with self._changing:
            return self._watches.get(token)

    # --- waiting --------------------------------------------------------------------------------

    def wait(self, watch: Watch, visit: Visit, longest_s: float = LONGEST_S) -> Woken:
        """Wait until a topic is published.

        If there is no room, the address with the most requests gives up its oldest one.
        """
        wait = _Wait(watch, visit, self.now(), longest_s)
        with self._changing:
            if not self.may_wait or self._of_player[visit.player] >= MOST_OF_A_PLAYER:
                return Woken.AT_ONCE
            room = len(self._waits) < (MOST_ALONE if visit.alone else MOST)
            if not room and (visit.alone or not self._make_room(visit.address)):
                return Woken.AT_ONCE
            self._waits[wait] = None
            self._of_player[visit.player] += 1
            for topic in watch.topics:
                self._of_topic[topic].add(wait)
            for topic in self._stale(watch):
                self._wake(wait, topic, wait.began)
            if watch.expires < wait.due:
                wait.due, wait.changed = watch.expires, True
        try:
            wait.woken.wait(longest_s)
        finally:
            with self._changing:
                del self._waits[wait]
                self._of_player -= Counter((visit.player,))
                for topic in watch.topics:
                    self._of_topic[topic].discard(wait)
                    if not self._of_topic[topic]:
                        del self._of_topic[topic]
        return wait.result

    def _wake(self, wait: _Wait, topic: str, now: float) -> None:
        """Wake a request as soon as its patience allows."""
        kind = topic.partition(":")[0]
        patience_s = wait.patience_s if kind in OFTEN else OWN_PATIENCE_S.get(kind, 0.0)
        wait.due = min(wait.due, wait.began + wait.leisure * patience_s)
        wait.changed = True
        if wait.due <= now:
            wait.end(Woken.CHANGED)

    def _make_room(self, address: str) -> bool:
        """Let the address with the most requests give up its oldest; tell whether one did."""
        counts = Counter(wait.visit.address for wait in self._waits if not wait.woken.is_set())
        counts[address] += 1
        most, _ = counts.most_common(1)[0]
        of_it = (one for one in self._waits if one.visit.address == most)
        oldest = next((one for one in of_it if not one.woken.is_set()), None)
        if oldest is not None:
            oldest.end(Woken.AT_ONCE)
        return oldest is not None

    def wake_due(self) -> None:
        """Wake those whose time has come; to be called several times a second."""
        with self._changing:
            now = self.now()
            for wait in self._waits:
                if wait.due <= now and not wait.woken.is_set():
                    wait.end(Woken.CHANGED if wait.changed else Woken.NOTHING)

    def release(self, player: str) -> None:
        """Let a player's requests go: of the pages that are still there, each asks again."""
        with self._changing:
            for wait in self._waits:
                if wait.visit.player == player:
                    wait.end(Woken.NOTHING)

    def waiting(self) -> set[str]:
        """Return the players who are here because a request of theirs waits."""
        with self._changing:
            return {wait.visit.player for wait in self._waits if not wait.visit.alone}
