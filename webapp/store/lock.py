"""Who uses an SQLite file: servers share a lock beside it; `restore` and `move-to` take it alone.

The system gives a lock back when its process ends, however it ends. Windows needs none: a file
that is open there cannot be replaced.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from webapp.config import Settings
from webapp.store import identity, sqlite
from webapp.store.errors import StoreError


def settle(settings: Settings) -> Path | None:
    """Set aside the log that a killed server left, if its database file has been replaced.

    Where a server runs, that one is to be restarted, and nothing is done.

    :return: where the log is kept, if there was one
    """
    file = sqlite.file_of(settings)
    if not settings.postgres and identity.lock_of(file).exists():
        with suppress(StoreError), hold(file, alone=True):
            return identity.put_aside(file)
    return None


def check(settings: Settings) -> None:
    """Raise ``StoreError`` if a server uses the SQLite file that the settings name, if any."""
    file = sqlite.file_of(settings)
    if not settings.postgres and identity.lock_of(file).exists():
        with hold(file, alone=True):
            pass


def serve(settings: Settings) -> ExitStack:
    """Share the lock until the answer is closed or forgotten.

    A worker that starts while the folder is away goes without; its parent has the lock.
    """
    held, file = ExitStack(), sqlite.file_of(settings)
    if not settings.postgres and file.parent.is_dir():
        held.enter_context(hold(file))
    return held


@contextmanager
def hold(file: Path, *, alone: bool = False) -> Iterator[None]:
    """Hold the lock of a database's file until the end of the block.

    :raises StoreError: if it is to be held alone and a server has it, or it cannot be opened
    """
    lock = identity.lock_of(file)
    try:
        if not lock.exists():
            lock.touch(0o600)
            sqlite.give(lock, file.parent)
        with lock.open("r+b") as opened:
            identity.take(opened, alone=alone)
            yield
    except BlockingIOError as error:
        raise StoreError(f"A server is using {file}; stop it, then run this again.") from error
