"""Which file is the database: while a server runs, its name may come to mean another one.

SQLite would then apply the log of the file that was there to the one that is there now, and so
destroy it. So servers note in the file of their lock what they have opened: the device and inode of
the database, and those of its log. Standard library only.
"""

import os
import sqlite3
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, TypeAlias

Id: TypeAlias = tuple[int, int]

_LOGS = ("-wal", "-shm")


class Replaced(sqlite3.OperationalError):
    """The name now means another file, and nothing is read from it or written to it.

    :ivar sentence: what the page or the command says
    """

    def __init__(self) -> None:
        why = "file was replaced while the server ran; the server must be restarted"
        super().__init__(f"its {why}")
        self.sentence = f"The database's {why}."


def of(file: Path) -> Id | None:
    """What tells a file from another one of the same name; ``None`` where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lock_of(file: Path) -> Path:
    """Return the file that servers share a lock on."""
    return file.with_suffix(".lock")


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


def known(file: Path) -> Id | None:
    """Return the file that a server has opened under this name, else the one that is there."""
    noted = _noted(file)
    return noted[0] if noted and _served(file) else of(file)


def note(file: Path) -> None:
    """Note the file and its log, once both are open; not needed where no server ever ran."""
    found = of(file), of(_log(file))
    if None not in found and found != _noted(file):
        with suppress(OSError), lock_of(file).open("r+b") as opened:
            # Always the same length, so that no one finds half of it.
            opened.write(b"%020d %020d %020d %020d\n" % (*found[0], *found[1]))  # type: ignore[misc]


def check(file: Path) -> None:
    """Check that the log beside a file, if any, is its own.

    In a folder that was copied whole, both differ from what was noted.

    :raises Replaced: if it is another file's
    """
    noted = _noted(file)
    if noted and noted[0] != of(file) is not None and noted[1] == of(_log(file)):
        raise Replaced


def put_aside(file: Path) -> Path | None:
    """Give the log of another file another name, while no server runs.

    :return: the new name, if there was such a log
    """
    aside = None
    try:
        check(file)
    except Replaced:
        tried = (f"{file.stem}-replaced-{number}{file.suffix}" for number in count(1))
        kept = next(name for name in tried if not _log(file.with_name(name)).exists())
        for end in _LOGS:
            with suppress(FileNotFoundError):
                Path(f"{file}{end}").rename(file.with_name(f"{kept}{end}"))
        aside = _log(file.with_name(kept))
    if (noted := _noted(file)) and noted[0] != of(file):
        os.truncate(lock_of(file), 0)
    return aside


def _log(file: Path) -> Path:
    return Path(f"{file}{_LOGS[0]}")


def _noted(file: Path) -> tuple[Id, Id] | None:
    try:
        device, inode, logs_device, logs_inode = map(int, lock_of(file).read_text().split())
    except (OSError, ValueError):
        return None
    return (device, inode), (logs_device, logs_inode)


def _served(file: Path) -> bool:
    """Whether a server has the lock."""
    try:
        with lock_of(file).open("r+b") as opened:
            take(opened, alone=True)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
