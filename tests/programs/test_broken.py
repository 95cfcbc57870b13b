"""Broken functions: a sentence with the position, status 1 or 2, no traceback, nothing left."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.programs.conftest import Write, known
from tests.support.patience import PATIENCE
from webapp import server
from webapp.programs import process, tabulate

ANSWER = 0.7
"""What starting some processes may take on a busy computer, in seconds."""


FREE = "return board.index('.')"
INTO_PIPES = """\
for number in range(3, 20):
    try: os.write(number, b{})
    except OSError: pass
"""
NO_CELL = "which is not a cell from 0 to 8"
SLOW = f"It thought for more than {ANSWER:g} second"
DEEP = "import sys; sys.setrecursionlimit(10**9)"
RUNS_OUT = f"MemoryError|crashed|memory|{SLOW}"
NOT_ALONE = "may not start or end"
START = "import subprocess; subprocess.Popen(['sleep', '1000'])"

# The body of a function, a pattern that finds the reason in what is printed, and what stands
# before the function; the whole file where there is no body.
BROKEN = {
    # Files that cannot be loaded.
    "syntax": ("", r"mine\.py, line 2: .*: retrun", "def best(b, m):\n    retrun 4 +"),
    "indentation": ("", "line 2: expected an indented block", "def best(b, m):\nreturn 4"),
    "tabs": ("", "inconsistent use of tabs", "def best(b, m):\n\tx = 1\n        return x"),
    "empty": ("", r"There is no function in mine\.py", ""),
    "no function": ("", r"There is no function in mine\.py", "best = 4"),
    "missing import": (FREE, r"No module named 'nowhere'\. See mine\.py, line 1", "import nowhere"),
    "fails at import": (FREE, r"ZeroDivisionError.*See mine\.py, line 1: 1 / 0", "1 / 0"),
    "loops at import": (FREE, f"mine.py cannot be loaded. {SLOW}", "while True: pass"),
    "asks at import": (FREE, "EOFError", "size = int(input('Size? '))"),
    "exits at import": (FREE, r"It called sys\.exit. See mine\.py, line 1", "exit()"),
    "_exit at import": (FREE, "ended its own process, with status 3", "import os; os._exit(3)"),
    "crashes at import": (FREE, "SIGSEGV", "import ctypes; ctypes.string_at(0)"),
    "null bytes": (FREE, r"mine\.py.*null bytes", "x = '\0'"),
    "ambiguous": ("", "none is called best", "def one(b, m): return 4\ndef two(b, m): return 4"),
    # Answers that are none.
    "None": ("pass", f"It returned None, {NO_CELL}"),
    "-1": ("return -1", f"It returned -1, {NO_CELL}"),
    "9": ("return 9", f"It returned 9, {NO_CELL}"),
    "text": ("return '4'", f"It returned '4', {NO_CELL}"),
    "4.0": ("return 4.0", f"It returned 4.0, {NO_CELL}"),
    "True": ("return True", f"It returned True, {NO_CELL}"),
    "row and column": ("return 1, 2", rf"It returned \(1, 2\), {NO_CELL}"),
    "the board": ("return board.replace('.', mark, 1)", f"It returned 'X........', {NO_CELL}"),
    "taken": ("return 4", "It returned 4, but that cell already holds X"),
    "no cells": ("return []", r"It returned \[\], which names no cell"),
    "no weights": ("return {}", "It returned {}, which names no cell"),
    "nested": ("return [[4]]", rf"It returned \[4\], {NO_CELL}"),
    "negative weight": ("return {0: -1}", "It returned the weight -1"),
    "text for weight": ("return {0: 'x'}", "It returned the weight 'x'"),
    "nan": ("return {0: float('nan')}", "It returned the weight nan"),
    "infinity": ("return {0: float('inf')}", "It returned the weight inf"),
    "no weight at all": ("return {0: 0}", "names no cell"),
    "huge number": ("return 10 ** 10 ** 5", f"It returned an object of int, {NO_CELL}"),
    "finest weights": ("return {0: 10**6000, 10: 1}", NO_CELL),
    "coroutine": ("", NO_CELL, "async def best(board, mark): return 4"),
    "generator": ("yield 4", NO_CELL),
    "class": ("", NO_CELL, "class best:\n    def __init__(self, board, mark): pass"),
    "repr fails": ("return Odd()", NO_CELL, "class Odd:\n    def __repr__(self): 1 / 0"),
    "repr loops": ("return Odd()", SLOW, "class Odd:\n    def __repr__(self):\n        while 1: 0"),
    # Errors.
    "exception": (
        "return {}[board]",
        r"KeyError: '\.{9}'(.|\n)*mine\.py, line 3: return {}\[board\]",
    ),
    "interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "exit": ("raise SystemExit(0)", r"It called sys\.exit(.|\n)*line 3"),
    "next of none": ("return next(c for c in ())", "StopIteration(.|\n)*line 3: return next"),
    "GeneratorExit": ("raise GeneratorExit", "GeneratorExit"),
    "recursion": ("return best(board, mark)", "RecursionError(.|\n)*line 3: return best"),
    "one argument": ("", "takes 1 positional argument", "def best(board): return 4"),
    "three arguments": ("", "missing 1 required", "def best(board, mark, depth): return 4"),
    "long message": ("raise ValueError('long ' * 200_000)", "ValueError: long long"),
    "message fails": (
        "raise Odd",
        "Odd(.|\n)*line 4: raise Odd",
        "class Odd(Exception):\n    def __str__(self): 1 / 0",
    ),
    "reads": ("return int(input())", "EOFError"),
    "stdin": ("return int(sys.stdin.read())", "ValueError", "import sys"),
    "closed stdout": ("print(4)", "operation on closed file", "import sys; sys.stdout.close()"),
    "no stdout": ("sys.stdout.write('4')", "AttributeError", "import sys; sys.stdout = None"),
    "one branch in a hundred": (
        "return 9 if random.randrange(100) == 42 else board.index('.')",
        f"It returned 9, {NO_CELL}",
        "import random",
    ),
    "deletes its file": (
        "os.chdir('/'); os.remove(__file__); return 1 / 0",
        "ZeroDivisionError(.|\n)*line 3",
        "import os",
    ),
    # Only at one place.
    "deep": (f"if board == 'XOXOXO...': return 1 / 0\n{FREE}", "failed in 1|XOXOXO"),
    "slow deep": (f"while board == 'XOXOXO...': pass\n{FREE}", SLOW),
    # Crashes.
    "_exit": ("os._exit(0)", "It ended its own process, with status 0", "import os"),
    "segfault": ("ctypes.string_at(0)", "Its process crashed with SIGSEGV", "import ctypes"),
    "is killed": ("signal.raise_signal(9)", "Its process was killed", "import signal"),
    "kills its parent": ("os.kill(os.getppid(), 9)", NOT_ALONE, "import os"),
    "kills its group": ("os.killpg(0, 9)", NOT_ALONE, "import os"),
    "alarm": ("signal.alarm(1)\nwhile True: pass", "SIGALRM|thought", "import signal"),
    "deep recursion": ("return best(board, mark)", RUNS_OUT, DEEP),
    "deep recursion in C": ("return min([0], key=lambda _: best(board, mark))", RUNS_OUT, DEEP),
    "memory at once": ("return bytearray(2 << 30)", "MemoryError(.|\n)*line 3"),
    "memory by and by": ("kept = []\nwhile 1: kept.append(bytearray(1 << 24))", "MemoryError"),
    # Never ending.
    "loop": ("while True: pass", SLOW),
    "loop in C": ("return sum(range(10 ** 18))", SLOW),
    "sleep": ("time.sleep(10 ** 6)", SLOW, "import time"),
    "deaf": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        SLOW,
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ),
    "atexit": ("return 9", NO_CELL, "import atexit, time; atexit.register(time.sleep, 1e6)"),
    # Processes and threads of its own.
    "thread": (
        "return 9",
        NO_CELL,
        "import threading, time; threading.Thread(target=time.sleep, args=[1e6]).start()",
    ),
    "fork": ("return 9 if os.fork() else 8", NOT_ALONE, "import os"),
    "subprocess": ("return 9", "mine.py cannot be run", START),
    # Hands on what it has no business with.
    "closes all": (
        "os.closerange(0, 256); return 4",
        "It (ended its own process|closed the pipe)",
        "import os",
    ),
    "closes all and goes on": (
        "os.closerange(0, 256)\nwhile True: pass",
        f"{SLOW}|It closed the pipe",
        "import os",
    ),
    "garbage": (INTO_PIPES.format(r"'garbage\n'"), process.NONSENSE, "import os"),
    "half a line": (INTO_PIPES.format("'4'"), process.NONSENSE, "import os"),
    "an empty object": (INTO_PIPES.format(r"'{}\n'") + "while 1: 0", process.NONSENSE, "import os"),
    "a long line": (INTO_PIPES.format("'4' * (1 << 17)"), process.NONSENSE, "import os"),
    "random": (
        "return random.choice([4])",
        "TypeError(.|\n)*line 3",
        "import random; random.choice = None",
    ),
    "json": (FREE, "cannot be (run|loaded)|ended its own", "import json; json.dumps = None"),
    "len": (FREE, "TypeError|ended its own process", "import builtins; builtins.len = None"),
    "very many prints": ("return 9", NO_CELL, "for n in range(100_000): print(n)"),
    "a line without end": ("return 9", NO_CELL, "print('x' * 5_000_000)"),
}


def source_of(body: str, _says: str, head: str = "") -> str:
    function = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{head}\n" + (f"def best(board, mark):\n{function}" if body else "")


SOURCES = {name: source_of(*broken) for name, broken in BROKEN.items()}


def patience(name: str) -> float:
    """For how many seconds this one may think: all that ends may, however busy the computer is."""
    return ANSWER if name in BROKEN and SLOW in BROKEN[name][1] else process.ANSWER


@pytest.fixture(autouse=True)
def impatient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What never ends is given up sooner; a gigabyte and boards without an answer are less too."""
    name = request.getfixturevalue("name") if "name" in request.fixturenames else ""
    monkeypatch.setattr(process, "ANSWER", patience(name))
    monkeypatch.setattr(process, "MEMORY", 1 << 28)
    monkeypatch.setattr(tabulate, "MOST_DEATHS", 2)


def check_said(status: int, out: str, err: str, says: str, file: str = "mine.py") -> None:
    said = out + err
    assert status in {1, 2}
    assert re.search(says, said), said[-2000:]
    assert "Traceback" not in said
    assert file in said
    assert len(said) < 3000, "each error once"
    if status == 2:
        assert re.fullmatch(r"tictactoe: [^\n]+\.\n", err), err
    else:
        assert "---+---+---" in out
        assert not err


@pytest.mark.parametrize("name", BROKEN)
def test_check_says_what_is_broken(run: Run, write: Write, name: str) -> None:
    check_said(*run("check", write(SOURCES[name])), BROKEN[name][1])


ENDLESS = ("loops at import", "loop in C", "deep recursion")
"""Of those that may never end a class hands in these: the league waits for each of them."""

HANDED_IN = [name for name in BROKEN if SLOW not in BROKEN[name][1] or name in ENDLESS]

SOME = ("syntax", "the board", "deep", "segfault", "memory at once", "loop in C", "garbage")


@pytest.mark.parametrize("name", SOME)
def test_other_commands_say_it_too(
    run: Run, write: Write, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "run", lambda *_: pytest.fail("it serves"))
    file = write(SOURCES[name])
    commands = (
        ("prove", file),
        ("matchup", file, "hard"),
        ("serve", "--engine", file, "--data", tmp_path / "data", "--port", "0"),
    )
    for command in commands:
        check_said(*run(*command), BROKEN[name][1])


@pytest.mark.parametrize("name", SOME)
def test_the_real_command_says_it_too(write: Write, name: str) -> None:
    code = (
        "from webapp.programs import process, tabulate\n"
        f"process.ANSWER, process.MEMORY, tabulate.MOST_DEATHS = {patience(name)}, 1 << 28, 2\n"
        "from webapp.cli import main\nmain()"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, "check", write(SOURCES[name])],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    check_said(ran.returncode, ran.stdout, ran.stderr, BROKEN[name][1])


def test_a_class_that_hands_in_such_functions_gets_its_table(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ANSWER", 2.0)
    for number, name in enumerate(HANDED_IN):
        write(SOURCES[name], f"class/broken{number}.py")
    for name, find in ("anna", "index"), ("ben", "rindex"):
        write(f"def best(board, mark):\n    return board.{find}('.')\n", f"class/{name}.py")
    status, out, err = run("league", tmp_path / "class", "--with", "hard", "--json")
    assert (status, "Traceback" in out + err) == (0, False)
    found = json.loads(out)
    assert next(row["name"] for row in found["ranking"]) == "Hard"
    ranked = {f"{row['name']}.py": row["unanswered"] for row in found["ranking"]}
    absent = {one["name"]: one["why"] for one in found["absent"]}
    assert (ranked["anna.py"], ranked["ben.py"]) == (0, 0)
    for number in range(len(HANDED_IN)):
        file = f"broken{number}.py"
        assert ranked[file] if file in ranked else absent[file].endswith(".")


# --- files that are odd ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        b"# caf\xe9\ndef best(b, m): return 4\n",
        b"x = 1\n\n\ny = 2\n# caf\xe9\ndef best(b, m): return 4\n",
    ],
    ids=["first line", "later line"],
)
def test_a_file_in_another_encoding_is_refused(run: Run, write: Write, source: bytes) -> None:
    ran = run("check", write(source))
    check_said(*ran, "(?i)utf-8")
    assert "None" not in ran[2]


def test_a_folder_is_no_function_whatever_its_name(run: Run, write: Write) -> None:
    folder = write("", "class/mine.py/notes.txt").parent
    check_said(*run("check", folder), "There is no file")
    ran = run("check", folder.parent)
    check_said(*ran, r"A function is named FILE\.py:FUNCTION", file=str(folder.parent))


@pytest.mark.parametrize("name", ["my mind.py", "übung größe.py", "it's.py", "-.py", "a:b.py"])
def test_odd_names_are_fine(run: Run, write: Write, name: str) -> None:
    file = write(f"\ufeffdef best(board, mark):\n    {FREE}\n", name)
    status, out, err = run("check", file)
    assert (status, err) == (0, "")
    assert f"{name}:best answered in all 232 positions." in out


# --- how it is told -------------------------------------------------------------------------------


def test_the_process_that_is_given_up_has_ended_when_the_answer_is_there(write: Write) -> None:
    found = known(write(SOURCES["an empty object"]))
    assert {fault.why for fault in found.faults.values()} == {process.NONSENSE}


def test_an_answer_that_takes_nearly_all_of_its_time_is_an_answer(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "WAYS", 0)
    found = known(write(f"def best(board, mark):\n    {FREE}\n"))
    assert (found.doubt, found.faults) == (None, {})
