"""Whom each browser goes on as, as one process knows it."""

from collections.abc import Mapping
from contextlib import suppress

import sqlalchemy as sa

from webapp.live import Live
from webapp.store import Database, lesson, tickets, topics
from webapp.store.tickets import Browser

_NEWS_S = 2 * 60
"""For how many seconds it is said that another browser has come."""


class Browsers:
    """The browsers that go on as another player, read again whenever one comes or goes.

    A browser is the SHA-256 of its cookie. Without a ticket, it is the player.
    """

    def __init__(self, database: Database, live: Live) -> None:
        self._database, self._live = database, live
        self._number = -1
        self._known: Mapping[str, Browser] = {}
        self._asked_at = 0

    def known(self) -> Mapping[str, Browser]:
        """All of them by id; as they were if the database is out of reach."""
        number = self._live.number(topics.TICKETS)
        if number != self._number:
            with suppress(sa.exc.SQLAlchemyError), self._database.read() as connection:
                self._known = tickets.browsers(connection)
                self._asked_at = lesson.read(connection).who_at or 0
                self._number = number
        return self._known

    def player(self, browser: str) -> str | None:
        """Return whose a browser is; ``None`` if it has been signed out."""
        found = self.known().get(browser)
        return found.player if found else browser

    def offered(self, browser: str) -> str | None:
        """For whom the teacher takes the one who uses a browser."""
        found = self.known().get(browser)
        return found.offered if found else None

    def asked_at(self, browser: str = "") -> int:
        """When a browser was asked who uses it and has not answered; 0: it has, or was not."""
        found = self.known().get(browser)
        return 0 if found and found.since >= self._asked_at else self._asked_at

    def calls(self, browser: str, player: str, now: int) -> bool:
        """Whether there may be anything to say or ask in a browser."""
        asks = self.offered(browser) is not None or self.asked_at(browser) > 0
        return asks or self.has_news(player, now, browser)

    def has_news(self, player: str, now: int, browser: str = "") -> bool:
        """Whether a browser other than this one has just come to a player."""
        return any(
            one.player == player != one.id != browser
            and one.since > self._asked_at  # an answer to that is no news
            and now - one.since < _NEWS_S
            for one in self.known().values()
        )
