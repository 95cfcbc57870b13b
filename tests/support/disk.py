"""A disk that can be filled, and programs that may not write wherever they like."""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.server import Server

_SIZE = 32 * 1024 * 1024
_ROOM = 64 * 1024
"""How many bytes more a limited file may take: enough to begin, too little to go on."""


_NO_WARNING = "import webapp.cli.serve; webapp.cli.serve._ROOM = 0"


class Disk:
    """A folder on a disk that has little room.

    Root gets a small disk in memory, which is really full. For others the files of a server are
    kept from growing, which it meets in the same way: a write that fails.
    """

    def __init__(self, folder: Path, server: Server, *, small: bool) -> None:
        self.folder, self._server = folder, server
        self._small = small
        self._filler = folder / "filler"

    def fill(self) -> None:
        if not self._small:
            sizes = [file.stat().st_size for file in self.folder.iterdir()]
            self._limit(max(sizes) + _ROOM)
            return
        with self._filler.open("wb", buffering=0) as filler:
            for size in (65536, 4096):
                while True:
                    try:
                        filler.write(bytes(size))
                    except OSError:
                        break

    def free(self) -> None:
        if self._small:
            self._filler.unlink()
        else:
            self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        for pid in self._server.workers():
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


@contextmanager
def server_on_a_disk(folder: Path) -> Iterator[tuple[Server, Disk]]:
    """Start a server that keeps its games in a folder that can be filled."""
    folder.mkdir()
    small = os.geteuid() == 0 and _mounted(folder)
    try:
        server = Server(folder, {"TTT_LIMITS": "off"}, patch=_NO_WARNING)
        yield server, Disk(folder, server, small=small)
        server.stop()
    finally:
        if small:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _mounted(folder: Path) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def heeding_permissions(command: list[str]) -> list[str]:
    """The same command for a process that may write only where the files' modes allow it."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
