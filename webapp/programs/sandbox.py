"""The process in which a function from a file runs: it loads the file, asks, and tells.

Started by its path, so that nothing of this project is loaded beside the file; standard library
only. The command line holds one JSON object; then each line of standard input is a list of
questions, and each line of standard output an object: first what was loaded, then an answer a
question, in order. A question is a board of nine characters, asked in all ways that chance allows,
or a board and a number, asked once. What the function itself prints is counted and goes nowhere.

**Chance is enumerated.** ``choice``, ``randint``, ``randrange``, ``shuffle`` and ``sample`` all ask
``random``'s generator for a number below ``n``, at one place. While a function is asked, that place
follows a script, and the call is made again for each way that the script can go on. A board that is
asked once draws by its number: the numbers from 0 upwards lead through all ways. Draws of other
kinds and the clock cannot be enumerated: what reads them is replaced, before the file is loaded, by
functions that note the line of the call.
"""

import datetime as dt
import io
import itertools
import json
import linecache
import math
import operator
import os
import random
import reprlib
import signal
import sys
import time
import tokenize
import traceback
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeAlias

if sys.platform != "win32":
    import resource

Function: TypeAlias = Callable[[str, str], object]
Weights: TypeAlias = dict[int, Fraction]

# What random.choice and all the others are methods of.
_generator: Any = random._inst

_now = time.perf_counter

MOST_BRANCHES = 10_000
"""The ways in which the draws on one board may come out."""

MOST_DRAWS = 100
"""The draws that may follow each other on one board."""

FINEST = 1_000_000
"""Weights that are finer than this are rounded to parts of it, none of them to nothing."""

_LONGEST = 200  # characters of an error, an answer or a line of code


class Chance:
    """Draws numbers below ``n`` by a script while a function is asked, and goes through all ways.

    :param too_many: there are more ways than can be gone through
    :param wavered: the same draws led elsewhere than before, so something else has a say
    :param seen: what was first asked for that cannot be enumerated: its kind, its name, the line
    """

    def __init__(self) -> None:
        self._really: Callable[[int], int] = _generator._randbelow
        self._choices = random.choices
        self._script: list[list[int]] = []
        self._at = 0
        self._number: int | None = None
        self._asking = self.too_many = self.wavered = False
        self._seeded: set[int] = set()
        self.seen: tuple[str, str, str] | None = None

    def install(self) -> None:
        """Put the script where all whole numbers come from, and note all else that varies."""
        for name in ("random", "getrandbits", "seed", "setstate"):
            for kind in (random.SystemRandom, random.Random):
                setattr(kind, name, self._noting_draws(name, getattr(kind, name)))
            setattr(random, name, getattr(_generator, name))
        _generator._randbelow = self._below
        random.choices = self._choose
        for name, kind_of in {"urandom": "draw", "getrandom": "draw", "getpid": "number"}.items():
            if hasattr(os, name):
                setattr(os, name, self._noting(kind_of, f"os.{name}", getattr(os, name)))
        for name in dir(time):
            if name.endswith(("time", "counter", "monotonic", "_ns")) and name != "struct_time":
                setattr(time, name, self._noting("clock", f"time.{name}", getattr(time, name)))
        for date in (dt.date, dt.datetime):
            # A type of C cannot be changed, but a type below it can take its place.
            noted = {
                name: self._noting("clock", f"{date.__name__}.{name}", getattr(date, name))
                for name in ("now", "today", "utcnow")
                if hasattr(date, name)
            }
            setattr(dt, date.__name__, type(date.__name__, (date,), noted))

    def _noting(self, kind: str, what: str, really: Callable[..., Any]) -> Any:
        def noted(*given: Any, **more: Any) -> Any:
            self._note(kind, what, sys._getframe(1))
            return really(*given, **more)

        # Like a function of C, it does not become a method where a class holds it.
        return staticmethod(noted)

    def _noting_draws(self, name: str, really: Callable[..., Any]) -> Callable[..., Any]:
        def noted(its: random.Random, *given: Any, **more: Any) -> Any:
            if not self._asking and name == "seed" and given and given[0] is not None:
                self._seeded.add(id(its))
            if self._asking and isinstance(its, random.SystemRandom):
                self._note("draw", "os.urandom", sys._getframe(1))
            elif self._asking:
                kind = "draw" if its is _generator else "own"
                self._note(kind, f"random.{name}", sys._getframe(1))
            elif name in ("random", "getrandbits") and id(its) not in self._seeded:
                self._note("draw", f"random.{name}", sys._getframe(1))
            return really(its, *given, **more)

        return noted

    def _note(self, kind: str, what: str, frame: FrameType | None) -> None:
        """Keep the first thing that cannot be enumerated; while loading, the file's own only."""
        if self.seen or self.too_many:
            return
        line = _line_of(frame)
        if self._asking:
            self.seen = (kind, what, line)
        elif line:
            self.seen = (f"early {kind}", what, line)

    def _below(self, n: int) -> int:
        """Draw a number below ``n``: by the script, while a function is asked."""
        if n < 2:
            return 0
        if not self._asking or self.too_many:
            return self._really(n)
        if self._number is not None:
            self._number, drawn = divmod(self._number, n)
            return drawn
        if self._at == len(self._script):
            if n > MOST_BRANCHES or self._at >= MOST_DRAWS:
                self.too_many = True
                return self._really(n)
            self._script.append([n, 0])
        before, chosen = self._script[self._at]
        self._at += 1
        self.wavered = self.wavered or before != n
        return min(chosen, n - 1)

    def _choose(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        """Stand for ``random.choices``, which draws fractions where whole numbers would do."""
        if not self._asking or weights is not None or cum_weights is not None:
            if self._asking:
                self._note("weights", "", sys._getframe(1))
            return self._choices(population, weights, cum_weights=cum_weights, k=k)
        return [population[self._below(len(population))] for _ in range(k)]

    def all_ways(self, ask: Callable[[], Weights], until: float) -> Weights:
        """Call a function once for each way that its draws can go, and sum up its answers.

        :param until: when there is no more time to begin another way
        """
        self._script, self.too_many = [], False
        found: Weights = {}
        for number in itertools.count(1):
            self._at = 0
            answer = self.once(ask, None)
            self.wavered = self.wavered or self._at < len(self._script)
            share = Fraction(1, math.prod(n for n, _ in self._script))
            for cell, weight in answer.items():
                found[cell] = found.get(cell, Fraction(0)) + share * weight
            while self._script and self._script[-1][1] == self._script[-1][0] - 1:
                self._script.pop()
            if self._script and (number == MOST_BRANCHES or _now() > until):
                self.too_many = True
            if self.too_many or not self._script:
                break
            self._script[-1][1] += 1
        return found

    def once(self, ask: Callable[[], Weights], number: int | None) -> Weights:
        """Call a function once, with the draws that the number stands for, or by the script."""
        self._number, self._asking = number, True
        try:
            return ask()
        finally:
            self._asking = False

    def doubt(self) -> tuple[str, str, str] | None:
        """Why it cannot be known what a function does: kind, name and line; ``None`` if it can."""
        if self.seen:
            return self.seen
        kind = "branches" if self.too_many else "wavered" if self.wavered else ""
        kind = "numpy" if "numpy" in sys.modules else kind
        return (kind, "", "") if kind else None


class Printed(io.RawIOBase):
    """Takes what a function prints: counts the lines and keeps the beginning."""

    def __init__(self) -> None:
        self.lines, self.first = 0, b""

    def writable(self) -> bool:
        """Say that it takes everything."""
        return True

    def write(self, data: Any) -> int:
        """Take some bytes."""
        some = bytes(data[:_LONGEST]) if len(self.first) < _LONGEST else b""
        self.first = (self.first + some)[:_LONGEST]
        self.lines += bytes(data).count(b"\n")
        return len(data)


# --- loading ------------------------------------------------------------------------------------


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
    try:
        with tokenize.open(file) as lines:
            source = lines.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        raise CannotUse(f"{file.name} is not written in UTF-8.") from error
    code = compile(source, str(file), "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - that is what it is for
    return module


def function_in(module: ModuleType, named: str) -> tuple[str, Function]:
    """Return the function that is meant: the one named, else ``best``, else the likely one."""
    file = Path(str(module.__file__)).name
    functions = {
        name: one
        for name, one in vars(module).items()
        if callable(one)
        and not isinstance(one, type)
        and getattr(one, "__module__", "") == module.__name__
        and not name.startswith("_")
    }
    if named:
        if not callable(function := getattr(module, named, None)):
            others = f" It has {', '.join(functions)}." if functions else ""
            raise CannotUse(f"There is no function {named!r} in {file}.{others}")
        return named, function
    if callable(best := getattr(module, "best", None)):
        return "best", best
    of_two = [name for name, one in functions.items() if _arguments(one) == 2]
    for likely in (list(functions), of_two):
        if len(likely) == 1:
            return likely[0], functions[likely[0]]
    if not functions:
        raise CannotUse(f"There is no function in {file}.")
    raise CannotUse(
        f"There are {len(functions)} functions in {file} and none is called best: "
        f"say which one is meant, such as {file}:{list(functions)[-1]}."
    )


def _arguments(function: object) -> int:
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return code.co_argcount if code else 0


# --- one board ----------------------------------------------------------------------------------


class Illegal(Exception):  # noqa: N818 - told to the author of the function
    """An answer that is not a legal cell: the sentence, and what such answers have in common."""

    def __init__(self, why: str, alike: str) -> None:
        super().__init__(why)
        self.alike = alike


def weights_of(answer: object, board: str) -> Weights:
    """Read an answer: a cell, a list of cells, or weights by cell; they come to sum up to 1."""
    if isinstance(answer, dict):
        given = list(answer.items())
    else:
        given = [(cell, 1) for cell in (answer if isinstance(answer, list) else [answer])]
    weights: Weights = {}
    for named, weight in given:
        cell = _cell(named, board, weight)
        weights[cell] = weights.get(cell, Fraction(0)) + _weight(weight)
    total = sum(weights.values())
    if not total:
        raise Illegal(f"It returned {_shown(answer)}, which names no cell.", "no cell")
    return _coarse({cell: weight / total for cell, weight in weights.items() if weight})


def _coarse(weights: Weights) -> Weights:
    """Round weights that are too fine to compute with; the largest takes what that leaves."""
    if math.lcm(*(weight.denominator for weight in weights.values())) <= FINEST:
        return weights
    rounded = {
        cell: Fraction(max(1, round(weight * FINEST)), FINEST) for cell, weight in weights.items()
    }
    largest = max(rounded, key=lambda cell: rounded[cell])
    rounded[largest] += 1 - sum(rounded.values())
    return rounded


def _cell(answer: Any, board: str, weight: object = 1) -> int:
    try:
        # True is a number, and would play cell 1.
        cell = -1 if isinstance(answer, bool) else operator.index(answer)
    except TypeError:
        cell = -1
    if not 0 <= cell <= 8:
        shown = _shown(answer)
        alike = f"no cell: {type(answer).__name__}"
        raise Illegal(f"It returned {shown}, which is not a cell from 0 to 8.", alike)
    if board[cell] != "." and weight:
        raise Illegal(f"It returned {cell}, but that cell already holds {board[cell]}.", "taken")
    return cell


def _weight(weight: Any) -> Fraction:
    try:
        exact = Fraction(weight)
        if isinstance(weight, float):
            # 1/3 is no float, but the float nearest to it is meant to be.
            near = exact.limit_denominator(FINEST)
            exact = near if float(near) == weight else exact
    except (TypeError, ValueError, OverflowError):
        exact = Fraction(-1)
    if exact < 0 or isinstance(weight, (bool, str)):
        raise Illegal(
            f"It returned the weight {_shown(weight)}, which is not a number from 0 upwards.",
            "weight",
        )
    return exact


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)[:_LONGEST]
    except BaseException:  # noqa: BLE001 - its author wrote the code that shows it
        return f"an object of {type(value).__name__}"


def ask(
    chance: Chance, function: Function, question: tuple[str, int | None], patience: float
) -> dict[str, Any]:
    """Ask about one board: in all ways that chance allows, or once, with the number's draws.

    :param patience: for how many seconds the ways of one board may be gone through
    """
    start = _now()
    board, number = question
    mark = "O" if board.count("X") > board.count("O") else "X"
    told: dict[str, Any] = {}

    def answer() -> Weights:
        return weights_of(function(board, mark), board)

    try:
        if number is None:
            weights = chance.all_ways(answer, start + patience)
        else:
            weights = chance.once(answer, number)
        common = math.lcm(*(weight.denominator for weight in weights.values()))
        told["answer"] = [(cell, str(int(weight * common))) for cell, weight in weights.items()]
    except BaseException as error:  # noqa: BLE001 - anything its author let happen
        told["fault"] = fault_of(error)
    if doubt := chance.doubt():
        told["doubt"] = doubt
    told["seconds"] = round(_now() - start, 6)
    return told


def fault_of(error: BaseException) -> dict[str, str]:
    """What went wrong, and the line of the file that it came from."""
    if isinstance(error, Illegal):
        return {"kind": "illegal", "why": str(error), "alike": error.alike}
    theirs = [
        (frame.f_code.co_filename, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if _is_theirs(frame.f_code.co_filename)
    ]
    where = _line(*theirs[-1]) if theirs else ""
    kind = type(error).__name__
    try:
        said = " ".join(f"{kind}: {error}".split()).rstrip(": ")[:_LONGEST]
    except BaseException:  # noqa: BLE001 - its author wrote the code that says it
        said = kind
    why = f"It stopped with {said}."
    if isinstance(error, SystemExit):
        why = "It called sys.exit."
    return {"kind": "failed", "why": why, "where": where, "alike": f"{kind} {where}"}


_folders: list[str] = []  # the folder of the file; lines are told of files there only


def _is_theirs(file: str | None) -> bool:
    name = str(file or "")
    return any(map(name.startswith, _folders)) and "site-packages" not in name


def _line_of(frame: FrameType | None) -> str:
    """The line of the author's that a frame is at, or was called from; none for an import."""
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        if _is_theirs(frame.f_code.co_filename):
            return _line(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return ""


def _line(file: str, number: int) -> str:
    text = linecache.getline(file, number).strip()[:_LONGEST]
    return f"{Path(file).name}, line {number}{f': {text}' if text else ''}"


# --- the process --------------------------------------------------------------------------------


def main() -> None:
    """Load the file that the command line names, then answer until nothing more is asked."""
    given = json.loads(sys.argv[1])
    file, patience = Path(given["file"]), given["patience"]
    _folders.append(str(file.parent) + os.sep)
    sys.argv = [str(file)]
    asked, out, printed = os.fdopen(os.dup(0), encoding="ascii"), os.dup(1), Printed()
    prints = _silence(printed)
    _alarm(patience)
    _limit(given["memory"])
    sys.addaudithook(_alone)

    def tell(what: dict[str, Any]) -> None:
        with suppress(ValueError):  # closed, by the function
            prints.flush()
        first = printed.first.decode("utf-8", "replace").strip().partition("\n")[0]
        what["printed"] = (printed.lines, first)
        os.write(out, json.dumps(what).encode() + b"\n")

    chance = Chance()
    if not given["live"]:
        chance.install()
    try:
        name, function = _loaded(file, given["function"])
    except CannotUse as error:
        tell({"refused": str(error)})
        return
    doc = (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
    tell({"function": name, "doc": doc[:_LONGEST]})
    _alarm(0)
    for line in asked:
        for question in json.loads(line):
            _alarm(patience)
            tell(ask(chance, function, question, patience))
        _alarm(0)


def _loaded(file: Path, named: str) -> tuple[str, Function]:
    """Load the file and find the function; anything that goes wrong becomes a sentence."""
    try:
        return function_in(load(file), named)
    except CannotUse:
        raise
    except SyntaxError as error:
        if error.lineno is None:
            raise CannotUse(f"{file.name}: {error.msg}.") from error
        text = (error.text or "").strip()[:_LONGEST]
        where = f"{Path(error.filename or file).name}, line {error.lineno}"
        raise CannotUse(f"{where}: {error.msg}{f': {text}' if text else ''}.") from error
    except BaseException as error:
        fault = fault_of(error)
        see = f" See {fault['where']}." if fault["where"] else ""
        raise CannotUse(f"{file.name} cannot be run. {fault['why']}{see}") from error


def _alarm(seconds: float) -> None:
    """End the process after twice so many seconds, even inside C and without a parent."""
    if sys.platform != "win32":
        signal.alarm(2 * math.ceil(seconds))


def _silence(printed: Printed) -> io.TextIOWrapper:
    """Let nothing come in and nothing go out but what is told."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - as long as the process
    text = io.TextIOWrapper(io.BufferedWriter(printed), encoding="utf-8", errors="replace")
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = text  # type: ignore[misc]
    return text


def _alone(event: str, _given: object) -> None:
    """Start no other program, as none could be ended for certain, and end none."""
    if event in _OTHERS:
        raise PermissionError("a function may not start or end processes")


_OTHERS = {
    *("os.kill", "os.killpg"),
    *("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("os.system", "pty.spawn", "subprocess.Popen"),
}


def _limit(memory: int) -> None:
    if sys.platform == "win32":
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        with suppress(ValueError, OSError):  # macOS knows no limit of memory
            lower = hard == resource.RLIM_INFINITY or most < hard
            resource.setrlimit(what, (most if lower else hard, hard))


if __name__ == "__main__":
    main()
    os._exit(0)  # whatever the file has left running
