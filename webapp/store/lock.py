"""Who uses an SQLite file: a server, `restore` or `move-to`; each holds the lock beside it alone.

The system gives a lock back when its process has ended, and those that it started, however it ends.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from webapp.store.errors import StoreError


def lock_of(file: Path) -> Path:
    """Return the file that is locked."""
    return file.with_suffix(".lock")


@contextmanager
def hold(file: Path) -> Iterator[None]:
    """Hold the lock of a database's file until the end of the block.

    :raises StoreError: if another process has it, or it cannot be opened
    """
    lock = lock_of(file)
    if not lock.exists():
        lock.touch(0o600)
        give(lock, file.parent)
    with lock.open("r+b") as opened:
        try:
            _take(opened)
        except OSError as error:
            raise StoreError(
                f"A server is using {file}, and only one process can; stop it, then run this again."
            ) from error
        yield


def _take(opened: BinaryIO) -> None:
    """Lock an open file until it is closed; an ``OSError`` says that another process has it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - on Windows only

        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def give(file: Path, owner: Path) -> None:
    """Give a file to the user to whom another one belongs, as root acts for the user who serves."""
    if os.name == "posix":
        with suppress(OSError):
            found = owner.stat()
            os.chown(file, found.st_uid, found.st_gid)
