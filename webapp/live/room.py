"""The live room of one process, and how it hears of the others that share its PostgreSQL."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import sqlalchemy as sa

from webapp.live.presence import Presence
from webapp.live.topics import Topics
from webapp.store import Database, postgres, topics
from webapp.store.topics import Change

_TICK_S, _BEAT_S = 0.1, 1.0
"""How often it is looked which requests have waited long enough, and who is here."""

_DEAF_AFTER_S = 3.0
"""How long after its own last beat a process takes it that it hears no other one either."""

_PLAYERS_A_MESSAGE = 80
"""PostgreSQL carries 8,000 bytes in a message."""

_GOODBYES = 1000
"""How many good-byes others are still to hear of; they notice the rest by themselves."""


class Live:
    """What is live in this process.

    :ivar topics: what has changed, and which requests wait for it
    :ivar presence: who is here
    """

    def __init__(self, database: Database) -> None:
        self.topics, self.presence = Topics(), Presence()
        self._database = database
        self._heard_at = time.monotonic()
        self._goodbyes = deque[str](maxlen=_GOODBYES)
        database.on_commit = self._publish

    def start(self, stopping: Callable[[], bool]) -> None:
        """Let requests wait until the server is about to stop.

        :param stopping: tells whether it is
        """
        works = (self._keep_time, self._listen) if self._database.is_shared else (self._keep_time,)
        for work in works:
            threading.Thread(target=work, args=(stopping,), daemon=True).start()
        self.topics.open(waits=True)

    def leave(self, player: str) -> None:
        """Note that a page of this player has said good-bye; one that is still there asks again."""
        self._goodbyes.append(player)
        self._let_go(player)

    def note_teacher(self, player: str, *, teaches: bool) -> None:
        """Note whether a player's browser is signed in as the teacher, who is not in the class."""
        is_new = self.presence.note_teacher(player, teaches=teaches)
        if is_new and self.presence.is_here(player):
            self.topics.publish((topics.CLASS,))

    def _let_go(self, player: str) -> None:
        self.presence.left(player)
        self.topics.release(player)

    def _publish(self, changes: Iterable[Change]) -> None:
        for topic, by in changes:
            self.topics.publish((topic,), by)

    def _keep_time(self, stopping: Callable[[], bool]) -> None:
        next_beat = 0.0
        while not stopping():
            time.sleep(_TICK_S)
            self.presence.tick()
            self.topics.wake_due()
            if (now := time.monotonic()) >= next_beat:
                next_beat = now + _BEAT_S
                self.beat()
                if self._database.is_shared:
                    self._check_hearing()
        self.topics.open(waits=False)

    def beat(self) -> None:
        """Count those who wait as here, and tell the pages that show who has come or gone."""
        if changed := self.presence.beat(self.topics.waiting()):
            self.topics.publish((topics.CLASS, *map(topics.here, changed)))

    # --- several processes ----------------------------------------------------------------------

    def _listen(self, stopping: Callable[[], bool]) -> None:
        """Hear what others change and who is on their pages, and tell them who is on ours."""
        while not stopping():
            try:
                with closing(self._database.listen()) as channel:
                    channel.tell(self._beats())
                    self.topics.forget()  # what was published before this is unknown
                    while not stopping():
                        for message in channel.hear(_BEAT_S):
                            self._hear(message)
                        channel.tell(self._beats())
            except (sa.exc.SQLAlchemyError, AttributeError, LookupError, TypeError, ValueError):
                time.sleep(_BEAT_S)  # out of reach, or another version has said something

    def _beats(self) -> Iterator[dict[str, Any]]:
        """Say who is on our pages and who has left them, in one message at least."""
        own = list(self.presence.own().items())
        for at in range(0, len(own) or 1, _PLAYERS_A_MESSAGE):
            yield {"here": dict(own[at : at + _PLAYERS_A_MESSAGE]), "gone": []}
        while self._goodbyes:
            yield {"here": {}, "gone": [self._goodbyes.popleft()]}

    def _hear(self, message: dict[str, Any]) -> None:
        if message["from"] == postgres.me():
            self._heard_at = time.monotonic()
        elif "here" in message:
            self.presence.hear(message["here"])
            for player in message["gone"]:
                self._let_go(player)
        else:
            self._publish(Change(*change) for change in message["changes"])

    def _check_hearing(self) -> None:
        """Let no request wait in a process that does not hear itself: its pages ask every second.

        So it is behind a pooler that drops ``LISTEN``, and while the database is out of reach.
        """
        hears = time.monotonic() - self._heard_at < _DEAF_AFTER_S
        if not hears:
            self.topics.forget()
        self.topics.open(waits=hears)
