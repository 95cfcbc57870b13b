"""The teacher's key, which opens the teacher's page.

It is made of words, to be read off one screen and typed on another. It is in a file of the data
folder that only the server's user can read, or in a setting, and never in the database: no copy of
the games holds it. On the computer itself, a link that the start prints does instead.
"""

import hashlib
import hmac
import random
import re
import time
import unicodedata
from collections.abc import Callable

from webapp import names
from webapp.config import Settings
from webapp.store import lock

FILE = "host-key"  # its name in the data folder

ELSEWHERE = "The key is the one in TTT_HOST_KEY."
"""The content of the file after a start with that setting."""

_PARTS = (names.ADJECTIVES, names.ADJECTIVES, names.ANIMALS, range(10, 100)) * 2
"""The parts in order: 53 random bits."""

LINK_S = 10 * 60  # seconds after a start in which its link signs in

_BETWEEN = re.compile(r"[\s_\u2010-\u2015\u2212-]+")
"""Separators between parts, such as the dash that a phone makes of two hyphens."""


class HostKey:
    """The key of one server."""

    def __init__(self, settings: Settings) -> None:
        self._given = settings.host_key
        self._file = settings.data / FILE

    @property
    def is_given(self) -> bool:
        """Whether the settings hold it, or those of the server did; it is changed there."""
        return self._given is not None or self._written() == ELSEWHERE

    def read(self) -> str:
        """The current key; empty if there is none."""
        if self._given is not None:
            return self._given
        written = self._written()
        return "" if written == ELSEWHERE else written

    def ensure(self) -> str:
        """Return the key when a server starts, a new one if there is none.

        If the settings hold it, the file says so, because commands may run without them.
        """
        if self._given is not None and self._written() != ELSEWHERE:
            self._write(ELSEWHERE)
        return self.read() or self.renew()

    def renew(self) -> str:
        """Make and return another key, which ends all sessions."""
        self._write(_drawn())
        return self.read()

    def _written(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError):
            return ""

    def _write(self, text: str) -> None:
        # The file appears complete, and only the server's user can read it.
        made = self._file.with_name(f".{FILE}.new")
        made.unlink(missing_ok=True)
        made.touch(0o600)
        made.write_text(f"{text}\n", encoding="utf-8")
        lock.give(made, self._file.parent)
        made.replace(self._file)

    def fits(self, typed: str) -> bool:
        """Whether this is the key: a comparison in constant time that ignores separators."""
        key = _plain(self.read())
        return bool(key) and hmac.compare_digest(_plain(typed).encode(), key.encode())

    def seal(self, token: str) -> str:
        """Return a session's id in the database, valid as long as the key stays the same.

        It reveals neither the token, which is random and only in the browser, nor the key.
        """
        return hmac.new(token.encode(), _plain(self.read()).encode(), "sha256").hexdigest()


class Link:
    """What signs in once, soon after a start; only its hash is kept. ``now`` is a steady clock."""

    def __init__(self, token: str, now: Callable[[], float] = time.monotonic) -> None:
        self._hash, self._now, self._ends = _hash(token), now, now() + LINK_S

    def fits(self, token: str) -> bool:
        """Whether this token signs in now."""
        return self._now() < self._ends and hmac.compare_digest(_hash(token), self._hash)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _drawn() -> str:
    draw = random.SystemRandom()
    return "-".join(str(draw.choice(part)).lower() for part in _PARTS)


def _plain(text: str) -> str:
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold())
