"""Who is the host: any browser that has sent the key, for some hours."""

import hashlib
import secrets

import sqlalchemy as sa

from webapp.service.clock import Clock
from webapp.service.host_key import HostKey
from webapp.service.refusals import Refusal
from webapp.store import Database
from webapp.store import hosts as stored
from webapp.store.hosts import Tries

HOURS = 12
"""After how many hours anyone must send the key again."""

TRIES, MINUTE = 60, 60
"""How many wrong keys an address may send in so many seconds, before it must wait."""


class WrongKey(Refusal):
    """What was sent is not the key."""


class TooManyTries(Refusal):
    """An address has sent too many wrong keys.

    :ivar seconds: after how many seconds it may send another one
    """

    def __init__(self, seconds: int) -> None:
        super().__init__("There were too many wrong keys. Try again in a minute.")
        self.seconds = seconds


class Hosts:
    """The browsers that are signed in as the host."""

    def __init__(self, database: Database, key: HostKey, clock: Clock) -> None:
        self._database = database
        self._key = key
        self._clock = clock

    def sign_in(self, typed: str, line: str | None) -> str:
        """Begin a session, and return the token that the browser is to keep.

        :param typed: the key as it was typed
        :param line: the address that it came from; ``None`` where that may try without an end
        :raises WrongKey: if it is not the key
        :raises TooManyTries: if too many wrong ones have come from there
        """
        digest = hashlib.sha256(line.encode()).hexdigest() if line is not None else ""
        if digest:
            self._count(digest)
        if not self._key.fits(typed):
            raise WrongKey("This is not the key.")
        token = secrets.token_urlsafe(32)
        with self._database.write(stored.ABOUT) as connection:
            now = int(self._clock())
            stored.begin(connection, self._key.seal(token), now, now - HOURS * 60 * 60)
            stored.uncount(connection, digest)
        return token

    def knows(self, token: str) -> bool:
        """Tell whether a token is that of a host, whose session goes on."""
        with self._database.read() as connection:
            began = stored.began_at(connection, self._key.seal(token))
        # A clock that was set ends it: the key is at hand.
        return began is not None and 0 <= int(self._clock()) - began < HOURS * 60 * 60

    def sign_out(self, token: str) -> None:
        """End a session."""
        with self._database.write(stored.ABOUT) as connection:
            stored.end(connection, self._key.seal(token))

    def _count(self, line: str) -> None:
        """Count a try before the key is looked at: a hundred at once are a hundred."""
        with self._database.read() as connection:
            self._tries(connection, line)  # which costs a flood no transaction
            with self._database.transaction(connection, stored.ABOUT):
                found = self._tries(connection, line)
                now = int(self._clock())
                stored.note(
                    connection, line, found._replace(number=found.number + 1), now, now - MINUTE
                )

    def _tries(self, connection: sa.Connection, line: str) -> Tries:
        """How often an address has tried in this minute; ``TooManyTries`` if that is enough."""
        found, now = stored.tried(connection, line), int(self._clock())
        if found is None or not 0 <= now - found.since < MINUTE:
            return Tries(now, 0)
        if found.number >= TRIES:
            raise TooManyTries(MINUTE - (now - found.since))
        return found
