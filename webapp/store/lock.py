"""Locks of SQLite files: a server, `restore` or `move-to` holds the lock file alone.

The system releases a lock when its process, and any that it started, have ended.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from webapp.store.errors import StoreError

_FAR = 2**30  # the byte that is locked on Windows, where no one could read it


def lock_of(file: Path) -> Path:
    return file.with_suffix(".lock")


@contextmanager
def hold(file: Path) -> Iterator[None]:
    """Hold the lock of a database's file for the block; ``StoreError`` if that is impossible."""
    with _opened(file) as opened:
        try:
            _take(opened)
        except OSError as error:
            raise StoreError(
                f"A server is using {file}, and only one process can; stop it, then run this again."
            ) from error
        yield


def _opened(file: Path) -> BinaryIO:
    lock = lock_of(file)
    if not lock.exists():
        lock.touch(0o600)
        give(lock, file.parent)
    return lock.open("r+b")


def _take(opened: BinaryIO) -> None:
    """Lock an open file until it is closed; ``OSError`` if another process holds the lock."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - on Windows only

        opened.seek(_FAR)
        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def give(file: Path, owner: Path) -> None:
    """Give a file the owner of another: root may run a command for the user who runs the server."""
    if os.name == "posix":
        with suppress(OSError):
            status = owner.stat()
            os.chown(file, status.st_uid, status.st_gid)
