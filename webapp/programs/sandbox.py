"""The process in which a function from a file runs.

Started by its path, so that nothing of this project is loaded beside the file; standard library
only. Each line of standard input is a list of boards, or a number: ask again about every board so
far, the quickest first, for that many seconds. Each line of standard output is an object: first
what was loaded, then an answer for each board. What the function itself prints is only counted.
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

MAX_DENOMINATOR = 1_000_000  # finer weights are rounded, but none to 0
_MAX_CHARACTERS = 200  # of an error, an answer or a line of code


class CannotUse(Exception):  # noqa: N818 - a sentence for the author of the file
    """The file or its function cannot be used."""


def load(file: Path) -> ModuleType:
    """Run a file as a module that imports from its own folder."""
    # Registered, because dataclasses look up their module.
    module = ModuleType(f"function_of_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(file.parent))
    # From source: compiled code beside it may be older within the same second.
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - that is what it is for
    return module


def function_in(module: ModuleType, named: str) -> tuple[str, Function]:
    """Return the named function; without a name, ``best`` or the only function."""
    file = Path(str(module.__file__)).name
    functions = {
        name: value
        for name, value in vars(module).items()
        if callable(value)
        and not isinstance(value, type)
        and getattr(value, "__module__", "") == module.__name__
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
    """An answer that is not a legal cell; faults that are ``alike`` are reported once."""

    def __init__(self, why: str, alike: str) -> None:
        super().__init__(why)
        self.alike = alike


def weights_of(answer: object, board: str) -> list[tuple[int, int]]:
    """Return the integer weights of an answer: a cell, a list of cells, or weights by cell."""
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
    if parts <= MAX_DENOMINATOR:
        return sorted((cell, int(share * parts)) for cell, share in shares.items())
    rounded = {cell: max(1, round(share * MAX_DENOMINATOR)) for cell, share in shares.items()}
    largest = max(rounded, key=lambda cell: rounded[cell])  # takes what rounding leaves
    rounded[largest] += MAX_DENOMINATOR - sum(rounded.values())
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
    # A float near 1/3 is meant to be 1/3.
    return exact.limit_denominator(MAX_DENOMINATOR) or min(exact, Fraction(1, MAX_DENOMINATOR))


def ask(function: Function, board: str) -> dict[str, Any]:
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
    """Ask again for some seconds; return the first answer that differs, else nothing."""
    until = _now() + seconds
    for board in cycle(sorted(known, key=lambda board: float(known[board]["seconds"]))):
        told = ask(function, board)
        if told.get("answer") != known[board].get("answer"):
            return told
        if _now() > until:
            break
    return {}


def fault_of(error: BaseException) -> dict[str, str]:
    """Describe an error, with the line of the file that it came from."""
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
    said = " ".join(f"{kind}: {error}".split()).rstrip(": ")[:_MAX_CHARACTERS]
    why = "It called sys.exit." if isinstance(error, SystemExit) else f"It stopped with {said}."
    return {"kind": "failed", "why": why, "where": where, "alike": f"{kind} {where}"}


_folders: list[str] = []  # the folder of the file: only lines of files there are named


def _line(file: str, number: int) -> str:
    text = linecache.getline(file, number).strip()[:_MAX_CHARACTERS]
    return f"{Path(file).name}, line {number}{f': {text}' if text else ''}"


# --- the process --------------------------------------------------------------------------------


def main() -> None:
    """Load the function that the command line names, and answer until standard input ends."""
    file, named, memory, seconds = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
    _folders.append(str(file.parent) + os.sep)
    sys.argv = [str(file)]
    asked, out = os.fdopen(os.dup(0), encoding="ascii"), os.dup(1)
    printed = io.BytesIO()
    _silence(printed)
    _limit(memory, seconds)

    def tell(what: dict[str, Any]) -> None:
        text = ""
        with suppress(AttributeError, ValueError):  # the function has closed or replaced it
            sys.stdout.flush()
            text = printed.getvalue().decode("utf-8", "replace")
            printed.seek(0)
            printed.truncate()
        what["printed"] = text.count("\n"), text.strip().partition("\n")[0][:_MAX_CHARACTERS]
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
    tell({"function": name, "doc": doc[:_MAX_CHARACTERS]})
    known: dict[str, dict[str, Any]] = {}
    for line in asked:
        if isinstance(question := json.loads(line), float):
            tell(again(function, known, question))
        else:
            for board in question:
                known[board] = ask(function, board)
                tell(known[board])


def _silence(printed: io.BytesIO) -> None:
    """Close the standard streams to the function; what it prints goes to ``printed``."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - as long as the process
    text = io.TextIOWrapper(printed, encoding="utf-8", errors="replace")
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = text  # type: ignore[misc]


def _limit(memory: int, seconds: int) -> None:
    """Limit memory and processor time, which also ends a process that lost its parent."""
    if sys.platform == "win32":
        return
    for resource_, limit in (resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds):
        _, hard = resource.getrlimit(resource_)
        with suppress(ValueError, OSError):  # macOS has no memory limit
            lower = hard == resource.RLIM_INFINITY or limit < hard
            resource.setrlimit(resource_, (limit if lower else hard, hard))


if __name__ == "__main__":
    main()
    os._exit(0)  # also ends threads that the file started
