"""The process in which a function from a file runs: it loads the file, asks, and tells.

Started by its path, so that nothing of this project is loaded beside the file; standard library
only. Each line of standard input is a list of boards, and each line of standard output an object:
first what was loaded, then an answer a board. A number instead of a list asks again about every
board so far, the quickest first, for so many seconds. What the function itself prints is counted
and goes nowhere.
"""

import io
import json
import linecache
import math
import operator
import os
import random  # noqa: F401 - a file of that name must not hide it from itself
import reprlib
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

if sys.platform != "win32":
    import resource

Function: TypeAlias = Callable[[str, str], object]

_now = time.perf_counter

FINEST = 1_000_000
"""Weights that are finer than this are rounded to parts of it, none of them to nothing."""

_LONGEST = 200  # characters of an error, an answer or a line of code


class CannotUse(Exception):  # noqa: N818 - a sentence for the author of the file
    """The file or its function cannot be used; the message says why."""


def load(file: Path) -> ModuleType:
    """Run a file as a module of its own, its folder being where it imports from."""
    # Registered, because dataclasses look their module up.
    module = ModuleType(f"function_of_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(file.parent))
    # From the source, as compiled code beside it may be of the same second but older.
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - that is what it is for
    return module


def function_in(module: ModuleType, named: str) -> tuple[str, Function]:
    """Return the function that is meant: the one named, else ``best``, else the only one."""
    file = Path(str(module.__file__)).name
    functions = {
        name: one
        for name, one in vars(module).items()
        if callable(one)
        and not isinstance(one, type)
        and getattr(one, "__module__", "") == module.__name__
        and not name.startswith("_")
    }
    meant = named or ("best" if callable(getattr(module, "best", None)) else "")
    if not meant and len(functions) > 1:
        raise CannotUse(
            f"There are {len(functions)} functions in {file} and none is called best: "
            f"say which one is meant, such as {file}:{list(functions)[-1]}."
        )
    meant = meant or next(iter(functions), "")
    if not meant:
        raise CannotUse(f"There is no function in {file}.")
    if not callable(function := getattr(module, meant, None)):
        others = f" It has {', '.join(functions)}." if functions else ""
        raise CannotUse(f"There is no function {meant!r} in {file}.{others}")
    return meant, function


class Illegal(Exception):  # noqa: N818 - told to the author of the function
    """An answer that is not a legal cell: the sentence, and what such answers have in common."""

    def __init__(self, why: str, alike: str) -> None:
        super().__init__(why)
        self.alike = alike


def weights_of(answer: object, board: str) -> list[tuple[int, int]]:
    """Read an answer: a cell, a list of cells, or weights by cell; they become whole numbers."""
    if isinstance(answer, dict):
        given = list(answer.items())
    else:
        given = [(cell, 1) for cell in (answer if isinstance(answer, list) else [answer])]
    weights: dict[int, Fraction] = {}
    for named, weight in given:
        cell = _cell(named, board, weight)
        weights[cell] = weights.get(cell, Fraction(0)) + _weight(weight)
    total = sum(weights.values())
    if not total:
        raise Illegal(f"It returned {reprlib.repr(answer)}, which names no cell.", "no cell")
    shares = {cell: weight / total for cell, weight in weights.items() if weight}
    parts = math.lcm(*(share.denominator for share in shares.values()))
    if parts <= FINEST:
        return sorted((cell, int(share * parts)) for cell, share in shares.items())
    rounded = {cell: max(1, round(share * FINEST)) for cell, share in shares.items()}
    largest = max(rounded, key=lambda cell: rounded[cell])  # takes what rounding leaves
    rounded[largest] += FINEST - sum(rounded.values())
    return sorted(rounded.items())


def _cell(answer: Any, board: str, weight: object) -> int:
    try:
        # True is a number, and would play cell 1.
        cell = -1 if isinstance(answer, bool) else operator.index(answer)
    except TypeError:
        cell = -1
    if not 0 <= cell <= 8:
        shown = reprlib.repr(answer)
        alike = f"no cell: {type(answer).__name__}"
        raise Illegal(f"It returned {shown}, which is not a cell from 0 to 8.", alike)
    if board[cell] != "." and weight:
        raise Illegal(f"It returned {cell}, but that cell already holds {board[cell]}.", "taken")
    return cell


def _weight(weight: Any) -> Fraction:
    try:
        exact = Fraction(-1 if isinstance(weight, (bool, str)) else weight)
    except (TypeError, ValueError, OverflowError):
        exact = Fraction(-1)
    if exact < 0:
        raise Illegal(
            f"It returned the weight {reprlib.repr(weight)}, which is not a number from 0 upwards.",
            "weight",
        )
    # 1/3 is no float, but the float nearest to it is meant to be.
    return exact.limit_denominator(FINEST) or min(exact, Fraction(1, FINEST))


def ask(function: Function, board: str) -> dict[str, Any]:
    """Ask about one board."""
    start = _now()
    mark = "O" if board.count("X") > board.count("O") else "X"
    told: dict[str, Any] = {"board": board}
    try:
        told["answer"] = weights_of(function(board, mark), board)
    except BaseException as error:  # noqa: BLE001 - anything its author let happen
        told["fault"] = fault_of(error)
    told["seconds"] = round(_now() - start, 6)
    return told


def again(function: Function, known: dict[str, dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Ask again for some seconds; return the first answer that differs, else the least times."""
    until = _now() + seconds
    for board in cycle(sorted(known, key=lambda board: float(known[board]["seconds"]))):
        told, before = ask(function, board), known[board]
        if told.get("answer") != before.get("answer"):
            return told
        before["seconds"] = min(before["seconds"], told["seconds"])
        if _now() > until:
            break
    return {"least": {board: told["seconds"] for board, told in known.items()}}


def fault_of(error: BaseException) -> dict[str, str]:
    """What went wrong, and the line of the file that it came from."""
    if isinstance(error, Illegal):
        return {"kind": "illegal", "why": str(error), "alike": error.alike}
    theirs = [
        (file, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if (file := frame.f_code.co_filename).startswith(tuple(_folders))
        and file != __file__
        and "site-packages" not in file
    ]
    where = _line(*theirs[-1]) if theirs else ""
    kind = type(error).__name__
    said = " ".join(f"{kind}: {error}".split()).rstrip(": ")[:_LONGEST]
    why = "It called sys.exit." if isinstance(error, SystemExit) else f"It stopped with {said}."
    return {"kind": "failed", "why": why, "where": where, "alike": f"{kind} {where}"}


_folders: list[str] = []  # the folder of the file; lines are told of files there only


def _line(file: str, number: int) -> str:
    text = linecache.getline(file, number).strip()[:_LONGEST]
    return f"{Path(file).name}, line {number}{f': {text}' if text else ''}"


# --- the process --------------------------------------------------------------------------------


def main() -> None:
    """Load the function that the command line names, then answer until nothing more is asked."""
    file, named, memory, seconds = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
    _folders.append(str(file.parent) + os.sep)
    sys.argv = [str(file)]
    asked, out = os.fdopen(os.dup(0), encoding="ascii"), os.dup(1)
    printed = io.BytesIO()
    _silence(printed)
    _limit(memory, seconds)

    def tell(what: dict[str, Any]) -> None:
        text = ""
        with suppress(AttributeError, ValueError):  # the function has closed it, or put it away
            sys.stdout.flush()
            text = printed.getvalue().decode("utf-8", "replace")
            printed.seek(0)
            printed.truncate()
        what["printed"] = text.count("\n"), text.strip().partition("\n")[0][:_LONGEST]
        os.write(out, json.dumps(what).encode() + b"\n")

    try:
        name, function = function_in(load(file), named)
    except CannotUse as error:
        tell({"refused": str(error)})
        return
    except BaseException as error:  # noqa: BLE001 - anything its author let happen
        fault = fault_of(error)
        see = f" See {fault['where']}." if fault["where"] else ""
        tell({"refused": f"{file.name} cannot be run. {fault['why']}{see}"})
        return
    doc = (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
    tell({"function": name, "doc": doc[:_LONGEST]})
    known: dict[str, dict[str, Any]] = {}
    for line in asked:
        if isinstance(question := json.loads(line), float):
            tell(again(function, known, question))
        else:
            for board in question:
                known[board] = ask(function, board)
                tell(known[board])


def _silence(printed: io.BytesIO) -> None:
    """Let nothing come in and nothing go out but what is told."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - as long as the process
    text = io.TextIOWrapper(printed, encoding="utf-8", errors="replace")
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = text  # type: ignore[misc]


def _limit(memory: int, seconds: int) -> None:
    """Limit the memory, and the processor's time, which ends it where it has lost its parent."""
    if sys.platform == "win32":
        return
    for what, most in (resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds):
        _, hard = resource.getrlimit(what)
        with suppress(ValueError, OSError):  # macOS knows no limit of memory
            lower = hard == resource.RLIM_INFINITY or most < hard
            resource.setrlimit(what, (most if lower else hard, hard))


if __name__ == "__main__":
    main()
    os._exit(0)  # whatever the file has left running
