"""A program's process, as its parent sees it: started, asked, waited for, ended.

The process may hang or crash: all that comes out of this module is an answer to a board, or
:class:`Ended`. Nothing that it sends is ever more than read as JSON.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

from webapp.core.board import Board
from webapp.programs.files import CannotLoad

ANSWER = 10.0
"""The seconds that a function may think about one board, and a file may take to load."""

MEMORY = 1 << 30
"""The bytes that the process may have, where the system can tell."""

COMPUTES = 600
"""The seconds of a processor that the process may take, where the system can tell."""


class Ended(Exception):  # noqa: N818 - what happened to the process
    """The process stopped answering, and has ended.

    :param why: what happened, in a sentence
    :param kind: ``"slow"`` or ``"ended"``
    """

    def __init__(self, why: str, kind: str = "ended") -> None:
        super().__init__(why)
        self.why, self.kind = why, kind


class Process:
    """One process that has loaded one file; ``end`` must be called.

    :param start: what Python's hashes begin with, and so the order of sets; ``"random"`` as usual
    """

    def __init__(self, file: Path, function: str, start: str = "random") -> None:
        self._file = file
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TTT_")
        } | {"PYTHONHASHSEED": start, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        sandbox, limits = Path(__file__).with_name("sandbox.py"), (str(MEMORY), str(COMPUTES))
        self._process = subprocess.Popen(  # noqa: S603 - the host's own file
            [sys.executable, "-P", "-B", str(sandbox), str(file), function, *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._told: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def loaded(self) -> tuple[str, str]:
        """Wait for the file to be loaded; return the function's name and its first words.

        :raises CannotLoad: if it cannot be, or holds no such function
        """
        try:
            told = self._next()
        except Ended as error:
            raise CannotLoad(f"{self._file.name} cannot be loaded. {error.why}") from error
        if "function" not in told:
            raise CannotLoad(told["refused"])
        return told["function"], told["doc"]

    def answers(self, boards: Collection[Board]) -> Iterator[dict[str, Any]]:
        """Ask about boards, and return each answer as it comes; ``Ended`` if one does not."""
        self._ask(list(map(str, boards)))
        for _ in boards:
            yield self._next()

    def again(self, seconds: float) -> dict[str, Any]:
        """Ask again about all boards so far; return the first answer that differs, or the times."""
        self._ask(seconds)
        return self._next(seconds)

    def end(self) -> None:
        """End the process and what it has started; it may have ended already."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":  # not waited for yet, so the number is still its own
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._questions.close()

    def _ask(self, question: object) -> None:
        with suppress(OSError):  # it has ended; the answers that do not come say so
            self._questions.write(json.dumps(question).encode() + b"\n")
            self._questions.flush()

    def _next(self, more: float = 0) -> dict[str, Any]:
        try:
            line = self._told.get(timeout=ANSWER + more)
        except queue.Empty:
            self.end()
            raise Ended(f"It thought for more than {ANSWER:g} seconds.", "slow") from None
        if line.endswith(b"\n"):
            return cast("dict[str, Any]", json.loads(line))
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self.end()
        raise Ended(_told(self._process.returncode))

    def _listen(self) -> None:
        """Take what the process tells, until it ends: then an empty line."""
        with cast("IO[bytes]", self._process.stdout) as lines:
            for line in lines:
                self._told.put(line)
        self._told.put(b"")


def _told(status: int) -> str:
    """Say how a process ended."""
    if status >= 0:
        return f"It ended its own process, with status {status}."
    if -status == getattr(signal, "SIGKILL", 0):
        return "Its process was killed, which happens when the memory runs out."
    if -status == getattr(signal, "SIGXCPU", 0):
        return f"It was asked for more than {COMPUTES} seconds."
    return f"Its process crashed with {signal.Signals(-status).name}."
