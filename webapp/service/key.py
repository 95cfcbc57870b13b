"""The teacher's key: anyone who has it may use the teacher's page.

It is made of words, to be read off one screen and typed on another. It lies in a file of the data
folder that only the user who serves can read, or in a setting; never in the database, so that no
copy of the games holds it.
"""

import hmac
import os
import random
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from webapp import names
from webapp.config import Settings
from webapp.store import lock

FILE = "host-key"
"""Where it lies in the data folder."""

ELSEWHERE = "The key is the one in TTT_HOST_KEY."
"""What the file says instead, once a server has been started with that setting."""

_PARTS = (names.ADJECTIVES, names.ADJECTIVES, names.ANIMALS, range(10, 100)) * 2
"""What it is made of, in this order: 53 random bits."""

_BETWEEN = re.compile(r"[\s_-]+")


class HostKey:
    """The key of one server."""

    def __init__(self, settings: Settings) -> None:
        self._given = settings.host_key
        self._file = settings.data / FILE

    @property
    def is_given(self) -> bool:
        """Whether the settings hold it, or those of the server did; then it is changed there."""
        return self._given is not None or self._written() == ELSEWHERE

    def read(self) -> str:
        """Return the key as it is now; empty where there is none."""
        if self._given is not None:
            return self._given
        written = self._written()
        return "" if written == ELSEWHERE else written

    def ensure(self) -> str:
        """Return the key, a new one if there is none; for a server that starts.

        If the settings hold it, the file says so, as a command may be run without them.
        """
        if self._given is not None and self._written() != ELSEWHERE:
            self._write(ELSEWHERE)
        return self.read() or self.renew()

    def renew(self) -> str:
        """Make another key, and return it; nobody is signed in any more then."""
        self._write(_drawn())
        return self.read()

    def _written(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError):
            return ""

    def _write(self, text: str) -> None:
        # All of it appears at once, and only for the user who serves.
        handle, made = tempfile.mkstemp(dir=self._file.parent, prefix=f".{FILE}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as opened:
                opened.write(f"{text}\n")
            lock.give(Path(made), self._file.parent)
            Path(made).replace(self._file)
        except BaseException:
            with suppress(OSError):
                Path(made).unlink()
            raise

    def fits(self, typed: str) -> bool:
        """Tell whether this is the key: a comparison in constant time that ignores separators."""
        key = self.read()
        same = hmac.compare_digest(_plain(typed).encode(), _plain(key).encode())
        return bool(key) and same

    def seal(self, token: str) -> str:
        """Return what stands for a session in the database, as long as the key stays the same.

        Neither the token nor the key follows from it: one is random, and kept by the browser alone.
        """
        return hmac.new(token.encode(), _plain(self.read()).encode(), "sha256").hexdigest()


def _drawn() -> str:
    draw = random.SystemRandom()
    return "-".join(str(draw.choice(part)).lower() for part in _PARTS)


def _plain(text: str) -> str:
    return "-".join(filter(None, _BETWEEN.split(text.casefold())))
