"""A program's process, as its parent sees it: started, asked, waited for, ended.

The process may hang, crash or print nonsense: all that comes out of this module is an answer to a
board, or :class:`Ended`. Nothing that it sends is ever more than read as JSON.
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

from webapp.programs.files import CannotLoad
from webapp.programs.rehearsal import Question

ANSWER = 10.0
"""The seconds that a function may think about one board, and a file may take to load."""

WAYS = 0.8
"""The share of that time that the ways of one board may take; the rest is for saying so."""

MEMORY = 1 << 30
"""The bytes that the process may have, where the system can tell."""

TOGETHER = 600.0
"""The seconds that one function may be asked."""

NONSENSE = "It wrote into the pipe that its answers come through."

_LONGEST_LINE = 1 << 16


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

    :param live: whether all chance is the function's own, as in a game
    :param start: a number that differs between starts that should not be alike: of what Python
        does differently at each start, the order of sets is the commonest
    """

    def __init__(self, file: Path, function: str, *, live: bool = False, start: int = 1) -> None:
        self._file = file
        given = {
            "file": str(file),
            "function": function,
            "live": live,
            "patience": WAYS * ANSWER,
            "memory": MEMORY,
        }
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TTT_")
        } | {"PYTHONHASHSEED": str(start), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        sandbox = str(Path(__file__).with_name("sandbox.py"))
        self._process = subprocess.Popen(  # noqa: S603 - the host's own file
            [sys.executable, "-P", "-B", sandbox, json.dumps(given)],
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
            raise CannotLoad(str(told.get("refused")))
        return str(told["function"]), str(told.get("doc", ""))

    def answers(self, questions: Collection[Question]) -> Iterator[dict[str, Any]]:
        """Ask about boards, and return each answer as it comes; ``Ended`` if one does not."""
        asked = json.dumps([(str(board), number) for board, number in questions])
        with suppress(OSError):  # it has ended; the answers that do not come say so
            self._questions.write(asked.encode() + b"\n")
            self._questions.flush()
        for _ in range(len(questions)):
            yield self._next()

    def end(self) -> None:
        """End the process and what it has started; it may have ended already."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                # Not waited for yet, so the number is still its own.
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._questions.close()

    def _next(self) -> dict[str, Any]:
        try:
            line = self._told.get(timeout=ANSWER)
            if isinstance(told := json.loads(line or b"null"), dict):
                return told
            ended = NONSENSE if line else _told(self._process.wait(1))
        except queue.Empty:
            self.end()
            raise Ended(f"It thought for more than {ANSWER:g} seconds.", "slow") from None
        except ValueError:
            ended = NONSENSE
        except subprocess.TimeoutExpired:
            ended = "It closed the pipe that its answers come through."
        self.end()
        raise Ended(ended)

    def _listen(self) -> None:
        """Take what the process tells, until it ends: then an empty line."""
        with cast("IO[bytes]", self._process.stdout) as lines:
            while line := lines.readline(_LONGEST_LINE):
                self._told.put(line)
        self._told.put(b"")


def _told(status: int) -> str:
    """Say how a process ended."""
    if status >= 0:
        return f"It ended its own process, with status {status}."
    if -status == getattr(signal, "SIGKILL", 0):
        return "Its process was killed, which happens when the memory runs out."
    with suppress(ValueError):
        return f"Its process crashed with {signal.Signals(-status).name}."
    return f"Its process crashed with signal {-status}."
