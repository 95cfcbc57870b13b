"""An engine from a function of your own, in a file: ``FILE.py:FUNCTION``.

The function takes ``(board, mark)``, nine characters of ``X``, ``O`` and ``.`` row by row, and
``"X"`` or ``"O"``, whose turn it is; it returns a cell, 0 to 8. It is the host's code and runs with
the host's rights; nothing from the web gets here. May import ``core``.
"""

import ctypes
import importlib.util
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import ModuleType

from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine, EngineFault, Source

Function = Callable[[str, str], object]

TIME_LIMIT = 1.0
"""Seconds that a function may think about one position."""

_REASON = Reason("function")


class CannotLoad(ValueError):  # noqa: N818 - the sentence says what cannot be loaded
    """The file or the function cannot be had; the message says why."""


def is_function(name: str) -> bool:
    """Tell whether a name means a function in a file, and no engine or list of rules."""
    return ".py:" in name


def load(name: str) -> Engine:
    """Make an engine of the function that ``FILE.py:FUNCTION`` names, or raise ``CannotLoad``."""
    if not is_function(name):
        raise CannotLoad(f"An engine of your own is written FILE.py:FUNCTION; {name!r} is not.")
    file, _, function_name = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise CannotLoad(f"There is no file {file}.")
    module = _run(path)
    function = getattr(module, function_name, None)
    if not callable(function):
        raise CannotLoad(f"There is no function {function_name!r} in {file}.")
    return engine_of(function, f"{path.name}:{function_name}", function_name)


def engine_of(function: Function, slug: str, name: str) -> Engine:
    """Make an engine of a function; it asks once for each choice, so chance is not allowed for."""

    def policy(board: Board) -> tuple[Choice, ...]:
        return (Choice(ask(function, board), Fraction(1), _REASON),)

    return Engine(
        slug=slug,
        name=name,
        brief="your own function",
        idea="It does what a function of your own says.",
        policy=policy,
        source=Source("", "a function of your own"),
        rules=("Take the cell that the function returns.",),
    )


def ask(function: Function, board: Board, limit: float = TIME_LIMIT) -> int:
    """Call a function for one position: anything but a free cell in time is an ``EngineFault``."""
    try:
        with _watchdog.at_most(limit):
            answer = function(str(board), str(board.turn))
    except _TookTooLong as error:
        raise EngineFault(board, f"it thought for more than {limit:g} s", "slow") from error
    except (Exception, SystemExit) as error:
        raise EngineFault(board, _told(error), "failed") from error
    # True is an int, and would play cell 1.
    if type(answer) is not int or answer not in range(9):
        raise EngineFault(board, f"it returned {answer!r}, which is no cell from 0 to 8", "illegal")
    if board[answer]:
        raise EngineFault(board, f"it returned {answer}, where {board[answer]} is", "illegal")
    return answer


def _run(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"function_of_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    # So that a file can import its neighbours, as it could if it were run by itself.
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise CannotLoad(f"{path}, line {error.lineno}: {error.msg}.") from error
    except (Exception, SystemExit) as error:
        raise CannotLoad(f"{path} cannot be run: {_told(error)}.") from error
    finally:
        sys.path.pop(0)
    return module


def _told(error: BaseException) -> str:
    """An error as one line: what it is, and the line of the file that it came from."""
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    if theirs := [frame for frame in frames if frame.filename != __file__]:
        last = theirs[-1]
        said += f" ({Path(last.filename).name}, line {last.lineno}: {last.line})"
    return said


# --- a limit of time that works in every thread and on every system ----------------------------


class _TookTooLong(BaseException):
    """Raised inside a call that has outlived its limit; no ``except Exception`` stops it."""


class _Watchdog:
    """Lets one call at a time run, and looks now and then whether it is still allowed to."""

    def __init__(self) -> None:
        self._one_call = threading.Lock()
        self._lock = threading.Lock()
        self._watched: tuple[int, float] | None = None
        self._thread: threading.Thread | None = None

    @contextmanager
    def at_most(self, limit: float) -> Iterator[None]:
        """End the block with :class:`_TookTooLong` when so many seconds are over."""
        with self._one_call:
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, daemon=True)
                self._thread.start()
            self._watched = (threading.get_ident(), time.monotonic() + limit)
            try:
                yield
            finally:
                # Under the lock, so that no call is ended that has just returned.
                with self._lock:
                    self._watched = None

    def _look(self) -> None:
        while True:
            time.sleep(0.05)
            with self._lock:
                if self._watched and time.monotonic() > self._watched[1]:
                    thread, self._watched = self._watched[0], None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(_TookTooLong)
                    )


_watchdog = _Watchdog()
