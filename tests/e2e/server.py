"""The real server as a process: started with a folder of its own, stopped by its own pid."""

import atexit
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.support.patience import PATIENCE
from tests.support.proxies import free_port

ROOT = Path(__file__).resolve().parents[2]
SEED = "chalk"  # makes every engine answer the same position alike, so that a test can plan a game
_CODES = tempfile.mkdtemp()
atexit.register(shutil.rmtree, _CODES, ignore_errors=True)
_COMPILES_ONCE = f"""
import jinja2
make = jinja2.Environment.__init__
def made(self, *given, **options):
    make(self, *given, **options)
    self.bytecode_cache = jinja2.FileSystemBytecodeCache({_CODES!r})
jinja2.Environment.__init__ = made
"""
"""A patch: all servers of this process share their compiled templates, half the time of a start."""

WAITS_FOR_LOCKS = f"""
import webapp.store.postgres, webapp.store.sqlite
webapp.store.sqlite.BUSY = webapp.store.sqlite._BEHIND = {PATIENCE:.0f}
webapp.store.postgres._PATIENCE = {PATIENCE:.0f}
"""
"""A patch: the database is waited for as long as it takes."""

NO_MOVE_IS_LATE = f"""
import webapp.tournament.due
webapp.tournament.due.NETWORK_MS = {1000 * PATIENCE:.0f}
"""
"""A patch: no one loses a game of a tournament on time, however slow the computer is."""

NEWS_COME_SOON = f"""{WAITS_FOR_LOCKS}
from webapp import live
from webapp.server import streams
streams.REST_S.update((kind, rest_s / 5) for kind, rest_s in streams.REST_S.items())
live.ASKED_S = live.BROKEN_S = {PATIENCE / 4:.0f}
"""
"""A patch: likewise, pages are told of what changes often five times as soon, and anyone who has
not said good-bye is here for longer than a busy computer takes to ask again. Not for ever: the last
request of a page may come after its good-bye."""

LONG_REST = "webapp.tournament.due.REST_MS = 600_000\n"
"""A patch to go with the two: what comes after a game stays for as long as a test looks at it."""

LONG_NAMES = """
import webapp.names
for words in webapp.names.WORDS.values():
    words[:] = [sorted(some, key=len)[-30:] for some in words]
"""
"""A patch that deals only the names that take the most room."""


class Server:
    """`tictactoe serve` on a free port; it runs a patch first, such as another limit of time."""

    def __init__(
        self, data: Path, settings: Mapping[str, str] | None = None, *, patch: str = ""
    ) -> None:
        self._data, self.database = data, data / "tictactoe.db"
        folder = data.with_name(f"{data.name}-patch")
        folder.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(_COMPILES_ONCE + patch)
        self._errors, self._notes = (
            data.with_name(f"{data.name}-{name}.txt") for name in ("stderr", "notes")
        )
        for file in (self._errors, self._notes):
            file.write_text("")
        self._settings = {
            **{key: value for key, value in os.environ.items() if not key.startswith("TTT_")},
            "TTT_SEED": SEED, "TTT_LIMITS": "off", "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(folder), "NOTES": str(self._notes), **(settings or {}),
        }  # fmt: skip
        self._port, self.url = str(free_port()), ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "webapp.cli", "serve"]
        command += ["--host", "127.0.0.1", "--port", self._port, "--data", str(self._data)]
        with self._errors.open("a") as errors:
            # A session of its own is a process group of its own: it can be killed as one.
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._settings, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        said = ""
        if select.select([self._process.stdout], [], [], PATIENCE)[0]:
            said = self._process.stdout.readline()
        found = re.search(r"http://[^\s/]+:(\d+)", said)
        if found is None:
            self.kill()
            raise AssertionError(f"the server did not start: {said}{self.complaints()}")
        self._port, self.url = found[1], found[0]

    @property
    def pid(self) -> int:
        return self._process.pid

    def complaints(self) -> str:
        return self._errors.read_text()

    def noted(self) -> int:
        return self._notes.stat().st_size

    def wait(self) -> None:
        self._process.communicate(timeout=PATIENCE)

    def ends(self) -> int:
        self.wait()
        return self._process.returncode

    def kill(self) -> None:
        self._process.kill()
        self.wait()

    def kill_if_alive(self) -> None:
        if self._process.poll() is None:
            self.kill()

    def stop(self) -> None:
        """End it, and see that it wrote nothing to stderr, as it does with every traceback."""
        self._process.terminate()
        try:
            self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        complaints = self.complaints()
        assert not complaints, f"the server wrote to stderr:\n{complaints}"
