"""A program's process, as its parent sees it: started, asked, waited for, ended.

The process may hang or crash; callers see an answer to a board, or :class:`Ended`. What it sends is
only ever parsed as JSON.
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

ANSWER_S = 10.0  # timeout for an answer to a board, and for loading the file

# Not enforced on every system.
MAX_MEMORY_BYTES = 1 << 30
MAX_CPU_S = 600


class Ended(Exception):  # noqa: N818 - what happened to the process
    """The process stopped answering; ``kind`` is ``"slow"`` or ``"ended"``, ``why`` a sentence."""

    def __init__(self, why: str, kind: str = "ended") -> None:
        super().__init__(why)
        self.why, self.kind = why, kind


class Process:
    """A process for a file; :meth:`end` must be called. The hash seed decides the order of sets."""

    def __init__(self, file: Path, function: str, hash_seed: str = "random") -> None:
        self._file = file
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TTT_")
        } | {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        sandbox = Path(__file__).with_name("sandbox.py")
        limits = str(MAX_MEMORY_BYTES), str(MAX_CPU_S)
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
        """Return the function's name and docstring once loaded, or raise :class:`CannotLoad`."""
        try:
            told = self._next()
        except Ended as error:
            raise CannotLoad(f"{self._file.name} cannot be loaded. {error.why}") from error
        if "function" not in told:
            raise CannotLoad(told["refused"])
        return told["function"], told["doc"]

    def answers(self, boards: Collection[Board]) -> Iterator[dict[str, Any]]:
        """Ask about boards; yield each answer as it comes, or raise :class:`Ended`."""
        self._ask(list(map(str, boards)))
        for _ in boards:
            yield self._next()

    def again(self, seconds: float) -> dict[str, Any]:
        """Ask again about all boards; return the first answer that differs, if any."""
        self._ask(seconds)
        return self._next(seconds)

    def end(self) -> None:
        """End the process, if it still runs, and its children."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":  # not waited for yet, so the number is not reused
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._questions.close()

    def _ask(self, question: object) -> None:
        with suppress(OSError):  # the process has ended; reading the answer will say so
            self._questions.write(json.dumps(question).encode() + b"\n")
            self._questions.flush()

    def _next(self, more: float = 0) -> dict[str, Any]:
        try:
            line = self._told.get(timeout=ANSWER_S + more)
        except queue.Empty:
            self.end()
            raise Ended(f"It thought for more than {ANSWER_S:g} seconds.", "slow") from None
        if line.endswith(b"\n"):
            return cast("dict[str, Any]", json.loads(line))
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self.end()
        raise Ended(_how_it_ended(self._process.returncode))

    def _listen(self) -> None:
        """Queue each line, and an empty line once the process has ended."""
        with cast("IO[bytes]", self._process.stdout) as lines:
            for line in lines:
                self._told.put(line)
        self._told.put(b"")


def _how_it_ended(status: int) -> str:
    if status >= 0:
        return f"It ended its own process, with status {status}."
    if -status == getattr(signal, "SIGKILL", 0):
        return "Its process was killed, which happens when the memory runs out."
    if -status == getattr(signal, "SIGXCPU", 0):
        return f"It was asked for more than {MAX_CPU_S} seconds."
    return f"Its process crashed with {signal.Signals(-status).name}."
