"""Who uses an SQLite file: servers share a lock beside it; `restore` and `move-to` take it alone.

The system gives a lock back when its process ends, however it ends. Windows needs none: a file
that is open there cannot be replaced.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from webapp.store.errors import StoreError


def lock_of(file: Path) -> Path:
    """Return the file that servers share a lock on."""
    return file.with_suffix(".lock")


@contextmanager
def hold(file: Path, *, alone: bool = False) -> Iterator[None]:
    """Hold the lock of a database's file until the end of the block.

    :raises StoreError: if it is to be held alone and a server has it, or it cannot be opened
    """
    lock = lock_of(file)
    try:
        if not lock.exists():
            lock.touch(0o600)
            give(lock, file.parent)
        with lock.open("r+b") as opened:
            take(opened, alone=alone)
            yield
    except BlockingIOError as error:
        raise StoreError(f"A server is using {file}; stop it, then run this again.") from error


def take(opened: BinaryIO, *, alone: bool) -> None:
    """Lock an open file until it is closed.

    :raises BlockingIOError: if it is to be locked alone and another one has it
    """
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)


def give_back(opened: BinaryIO) -> None:
    """Unlock a file that stays open."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(opened, fcntl.LOCK_UN)


def give(file: Path, owner: Path) -> None:
    """Give a file to the user to whom another one belongs, as root acts for the user who serves."""
    if os.name == "posix":
        with suppress(OSError):
            found = owner.stat()
            os.chown(file, found.st_uid, found.st_gid)
