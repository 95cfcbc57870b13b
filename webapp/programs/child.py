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
kinds cannot be enumerated: those that import more than a few harmless modules are asked under
``sys.setprofile``, which sees every call of a function written in C.
"""

import _random
import builtins
import io
import json
import linecache
import math
import operator
import os
import queue
import random
import reprlib
import signal
import sys
import threading
import time
import tokenize
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple, TypeAlias

if sys.platform != "win32":
    import resource

Function: TypeAlias = Callable[[str, str], object]
Profiler: TypeAlias = Callable[[FrameType, str, Any], object]

# What random.choice and all the others are methods of.
_generator: Any = random._inst

MOST_BRANCHES, MOST_DRAWS = 10_000, 100
"""In how many ways the draws on one board may come out, and how many may follow each other."""

FINEST = 1_000_000
"""Weights that are finer than this are rounded to parts of it, none of them to nothing."""

# A file that imports nothing else need not be watched: these have neither clock nor files, and
# random is seen to by itself.
HARMLESS = {
    *("__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "enum"),
    *("fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "random"),
    *("re", "string", "textwrap", "typing"),
}
_LONGEST = 200  # characters of an error, an answer or a line of code


class Chance:
    """Draws numbers below ``n`` by a script while a function is asked, and goes through all ways.

    :param too_many: there are more ways than can be gone through
    :param wavered: the same draws led elsewhere than before, so something else has a say
    :param seen: what was asked for that cannot be enumerated, and the line that did
    """

    def __init__(self) -> None:
        self._really: Callable[[int], int] = _generator._randbelow
        self._choices = random.choices
        self._script: list[list[int]] = []
        self._at = 0
        self._number: int | None = None
        self.asking = self.too_many = self.wavered = False
        self._seeded: set[int] = set()
        self.seen = ("", "")

    def install(self) -> None:
        """Put the script where all whole numbers come from, and note all other draws."""
        for name in ("random", "getrandbits", "seed", "setstate"):
            for kind in (random.SystemRandom, random.Random):
                setattr(kind, name, self._noting(name, getattr(kind, name)))
            setattr(random, name, getattr(_generator, name))
        _generator._randbelow = self.below
        random.choices = self.choices

    def note(self, what: str, frame: FrameType | None) -> None:
        """Remember what cannot be enumerated, and where; the first is enough."""
        if self.asking and not self.too_many and not self.seen[0]:
            self.seen = (what, _line_of(frame))

    def note_early(self, what: str, frame: FrameType | None) -> None:
        """Remember what the file itself asks for while it is loaded, which no import does."""
        if not self.asking and not self.seen[0] and (line := _line_of(frame)):
            self.seen = (f"early {what}", line)

    def below(self, n: int) -> int:
        """Draw a number below ``n``: the script's, while a function is asked."""
        if n < 2:
            return 0
        if not self.asking or self.too_many:
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

    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        """Stand for ``random.choices``, which draws fractions where whole numbers would do."""
        if not self.asking or weights is not None or cum_weights is not None:
            self.note("weights", sys._getframe(1))
            return self._choices(population, weights, cum_weights=cum_weights, k=k)
        return [population[self.below(len(population))] for _ in range(k)]

    def ways(self, ask: Callable[[], object], until: float) -> Iterator[tuple[object, Fraction]]:
        """Call a function once for each way that its draws can go, with its probability.

        :param until: when there is no more time to begin another way
        """
        self._script, self.too_many = [], False
        found = 0
        while True:
            self._at, self.asking = 0, True
            try:
                answer = ask()
            finally:
                self.asking = False
            self.wavered = self.wavered or self._at < len(self._script)
            yield answer, Fraction(1, math.prod(n for n, _ in self._script))
            found += 1
            while self._script and self._script[-1][1] == self._script[-1][0] - 1:
                self._script.pop()
            if not self._script or self.too_many:
                return
            if found == MOST_BRANCHES or time.perf_counter() > until:
                self.too_many = True
                return
            self._script[-1][1] += 1

    def once(self, ask: Callable[[], object], number: int) -> object:
        """Call a function once, with the draws that the number stands for."""
        self._number, self.asking, self.too_many = number, True, False
        try:
            return ask()
        finally:
            self._number, self.asking = None, False

    def _noting(self, name: str, really: Callable[..., Any]) -> Callable[..., Any]:
        def noted(its: random.Random, *given: Any, **more: Any) -> Any:
            if self.asking:
                whose = "os.urandom" if isinstance(its, random.SystemRandom) else "own"
                self.note(f"random.{name}" if its is _generator else whose, sys._getframe(1))
            elif name == "seed" and given and given[0] is not None:
                self._seeded.add(id(its))
            elif name in ("random", "getrandbits") and id(its) not in self._seeded:
                self.note_early("draw", sys._getframe(1))
            return really(its, *given, **more)

        return noted


class Watch:
    """Sees, as a profiler, where else a function gets what cannot be enumerated."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._sources: dict[object, str] = {}
        for name in dir(time):
            if name.endswith(("time", "counter", "monotonic", "_ns")):
                self._sources[getattr(time, name)] = f"time.{name}"
        for name in ("urandom", "getrandom", "getpid"):
            if hasattr(os, name):
                self._sources[getattr(os, name)] = f"os.{name}"

    def look(self, frame: FrameType, event: str, called: Any) -> None:
        """Take one event of the profiler."""
        if event != "c_call":
            return
        its = getattr(called, "__self__", None)
        source = self._sources.get(called)
        if isinstance(its, type) and called.__name__ in ("now", "today", "utcnow"):
            source = f"{its.__name__}.{called.__name__}"
        if source:
            self._chance.note(source, frame)
            self._chance.note_early("draw" if source.endswith("random") else source, frame)
        elif isinstance(its, _random.Random) and its is not _generator:
            self._chance.note("own", frame)


class Imports:
    """Notes what a file and its neighbours import, to tell whether they must be watched."""

    def __init__(self) -> None:
        self._really = builtins.__import__
        self.others: set[str] = set()

    def __call__(self, name: str, *rest: Any, **more: Any) -> Any:
        """Import a module as ``__import__`` does."""
        found = self._really(name, *rest, **more)
        first, asks = name.partition(".")[0], sys._getframe(1).f_globals.get("__file__")
        neighbour = _is_theirs(getattr(sys.modules.get(first), "__file__", None))
        if first not in HARMLESS and _is_theirs(asks) and not neighbour:
            self.others.add(first)
        return found


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


def weights_of(answer: object, board: str) -> dict[int, Fraction]:
    """Read an answer: a cell, a list of cells, or weights by cell; they come to sum up to 1."""
    if isinstance(answer, dict):
        weights = {_cell(cell, board, weight): _weight(weight) for cell, weight in answer.items()}
    elif isinstance(answer, list):
        weights = {}
        for one in answer:
            cell = _cell(one, board)
            weights[cell] = weights.get(cell, Fraction(0)) + 1
    else:
        return {_cell(answer, board): Fraction(1)}
    total = sum(weights.values())
    if not total:
        raise Illegal(f"It returned {_shown(answer)}, which names no cell.", "no cell")
    return _coarse({cell: weight / total for cell, weight in weights.items() if weight})


def _coarse(weights: dict[int, Fraction]) -> dict[int, Fraction]:
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


class Raised(NamedTuple):
    """What a function raised instead of an answer."""

    error: BaseException


class Interview:
    """A function, and how it is asked.

    :param watched: whether every call of the function is looked at
    :param patience: for how many seconds the ways of one board may be gone through
    """

    def __init__(
        self, function: Function, chance: Chance, watch: Watch, *, watched: bool, patience: float
    ) -> None:
        self._function, self._chance = function, chance
        self._profiler = watch.look if watched else None
        self._patience = patience

    def ask(self, board: str, number: int | None = None) -> dict[str, Any]:
        """Ask about one board: in all ways that chance allows, or once, with the number's draws."""
        start = time.perf_counter()
        weights: dict[int, Fraction] = {}
        told: dict[str, Any] = {}
        mark = "O" if board.count("X") > board.count("O") else "X"

        def call() -> object:
            return self._call(board, mark)

        try:
            ways = (
                self._chance.ways(call, start + self._patience)
                if number is None
                else [(self._chance.once(call, number), Fraction(1))]
            )
            for answer, probability in ways:
                if isinstance(answer, Raised):
                    told["fault"] = fault_of(answer.error)
                    break
                for cell, weight in weights_of(answer, board).items():
                    weights[cell] = weights.get(cell, Fraction(0)) + probability * weight
        except BaseException as error:  # noqa: BLE001 - anything its author let happen
            told["fault"] = fault_of(error)
        if "fault" not in told:
            common = math.lcm(*(weight.denominator for weight in weights.values()))
            told["answer"] = [
                [cell, str(weight.numerator * (common // weight.denominator))]
                for cell, weight in weights.items()
            ]
        if doubt := self._doubt():
            told["doubt"] = doubt
        told["seconds"] = round(time.perf_counter() - start, 6)
        return told

    def _call(self, board: str, mark: str) -> object:
        sys.setprofile(self._profiler)
        try:
            return self._function(board, mark)
        except BaseException as error:  # noqa: BLE001 - a StopIteration would end the asking
            return Raised(error)
        finally:
            sys.setprofile(None)

    def play(self, board: str) -> dict[str, Any]:
        """Ask once, as in a game; a list or weights are drawn from."""
        mark = "O" if board.count("X") > board.count("O") else "X"
        try:
            weights = weights_of(self._function(board, mark), board)
        except BaseException as error:  # noqa: BLE001
            return {"fault": fault_of(error)}
        chosen = random.SystemRandom().choices(list(weights), list(map(float, weights.values())))
        return {"answer": [[chosen[0], "1"]]}

    def _doubt(self) -> tuple[str, str] | None:
        chance = self._chance
        if chance.seen[0]:
            return chance.seen
        if "numpy" in sys.modules:
            return "numpy", ""
        if chance.wavered:
            return "wavered", ""
        return ("branches", "") if chance.too_many else None


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
    file = Path(given["file"])
    _folders.append(str(file.parent) + os.sep)
    sys.argv = [str(file)]
    questions: queue.SimpleQueue[list[tuple[str, int | None]]] = queue.SimpleQueue()
    out = os.dup(1)
    threading.Thread(target=_listen, args=(os.dup(0), questions), daemon=True).start()
    printed = Printed()
    prints = _silence(printed)
    _alarm(given["patience"])
    _limit(given["memory"])
    sys.addaudithook(_alone)

    def tell(what: dict[str, Any]) -> None:
        with suppress(ValueError):  # closed, by the function
            prints.flush()
        first = printed.first.decode("utf-8", "replace").strip().partition("\n")[0]
        what["printed"] = (printed.lines, first)
        os.write(out, json.dumps(what).encode() + b"\n")

    chance, imports = Chance(), Imports()
    watch = Watch(chance)
    if not given["live"]:
        chance.install()
        builtins.__import__ = imports
    if given["watched"]:
        threading.setprofile(watch.look)
        sys.setprofile(watch.look)
    try:
        name, function = _brought(file, given["function"])
    except CannotUse as error:
        tell({"refused": str(error)})
        return
    doc = (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
    tell({"function": name, "doc": doc[:_LONGEST]})
    sys.setprofile(None)
    _alarm(0)
    interview = Interview(
        function, chance, watch, watched=given["watched"], patience=given["patience"]
    )
    while True:
        for board, number in questions.get():
            _alarm(given["patience"])
            told = interview.play(board) if given["live"] else interview.ask(board, number)
            told["imports"] = sorted(imports.others)
            tell(told)
        _alarm(0)


def _brought(file: Path, named: str) -> tuple[str, Function]:
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


def _listen(source: int, questions: "queue.SimpleQueue[list[tuple[str, int | None]]]") -> None:
    """Take questions; once no one can ask any more, end, whatever the function is at."""
    with os.fdopen(source, encoding="ascii") as lines:
        for line in lines:
            questions.put(json.loads(line))
    os._exit(0)


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
