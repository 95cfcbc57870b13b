"""Broken functions: a sentence with the position, status 1 or 2, no traceback, nothing left."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.programs.conftest import Write, known
from tests.support.patience import PATIENCE
from webapp import server
from webapp.programs import process, tabulate

ANSWER = 0.7
"""What starting some processes may take on a busy computer, in seconds."""


@dataclass(frozen=True)
class Broken:
    """A function that is broken.

    :param body: of ``best(board, mark)``
    :param says: a pattern that finds the reason in what is printed
    :param head: what stands before the function, or the whole file where there is no body
    :param dies: how often Its process has to be waited for or ended, where it is
    """

    body: str
    says: str
    head: str = ""

    @property
    def source(self) -> str:
        lines = self.body.splitlines()
        function = "".join(f"    {line}\n" for line in lines)
        return f"{self.head}\n" + (f"def best(board, mark):\n{function}" if lines else "")


FREE = "return board.index('.')"
INTO_PIPES = "for number in range(3, 20):\n    try: os.write(number, b{})\n    except OSError: pass"
NO_CELL = "which is not a cell from 0 to 8"
SLOW = f"It thought for more than {ANSWER:g} second"

BROKEN = {
    # Files that cannot be loaded.
    "syntax": Broken("", r"mine\.py, line 2: .*: retrun", head="def best(b, m):\n    retrun 4 +"),
    "indentation": Broken(
        "", r"line 2: expected an indented block", head="def best(b, m):\nreturn 4"
    ),
    "tabs": Broken(
        "", "inconsistent use of tabs", head="def best(b, m):\n\tx = 1\n        return x"
    ),
    "empty": Broken("", r"There is no function in mine\.py"),
    "no function": Broken("", r"There is no function in mine\.py", head="best = 4"),
    "missing import": Broken(
        FREE, r"No module named 'nowhere'\. See mine\.py, line 1", "import nowhere"
    ),
    "fails at import": Broken(FREE, r"ZeroDivisionError.*See mine\.py, line 1: 1 / 0", "1 / 0"),
    "loops at import": Broken(FREE, f"mine.py cannot be loaded. {SLOW}", "while True: pass"),
    "asks at import": Broken(FREE, "EOFError", "size = int(input('Size? '))"),
    "exits at import": Broken(
        FREE, r"It called sys\.exit. See mine\.py, line 1", "import sys; sys.exit()"
    ),
    "quits at import": Broken(FREE, r"It called sys\.exit", "quit()"),
    "_exit at import": Broken(
        FREE, "ended its own process, with status 3", "import os; os._exit(3)"
    ),
    "crashes at import": Broken(FREE, "SIGSEGV", "import ctypes; ctypes.string_at(0)"),
    "null bytes": Broken(FREE, r"mine\.py.*null bytes", "x = '\0'"),
    "ambiguous": Broken(
        "", "none is called best", "def one(b, m): return 4\ndef two(b, m): return 4"
    ),
    # Answers that are none.
    "None": Broken("pass", f"It returned None, {NO_CELL}"),
    "-1": Broken("return -1", f"It returned -1, {NO_CELL}"),
    "9": Broken("return 9", f"It returned 9, {NO_CELL}"),
    "text": Broken("return '4'", f"It returned '4', {NO_CELL}"),
    "4.0": Broken("return 4.0", f"It returned 4.0, {NO_CELL}"),
    "True": Broken("return True", f"It returned True, {NO_CELL}"),
    "row and column": Broken("return 1, 2", rf"It returned \(1, 2\), {NO_CELL}"),
    "the board": Broken(
        "return board.replace('.', mark, 1)", f"It returned 'X........', {NO_CELL}"
    ),
    "taken": Broken("return 4", "It returned 4, but that cell already holds X"),
    "no cells": Broken("return []", r"It returned \[\], which names no cell"),
    "no weights": Broken("return {}", "It returned {}, which names no cell"),
    "nested": Broken("return [[4]]", rf"It returned \[4\], {NO_CELL}"),
    "negative weight": Broken("return {0: -1}", "It returned the weight -1"),
    "text for weight": Broken("return {0: 'x'}", "It returned the weight 'x'"),
    "nan": Broken("return {0: float('nan')}", "It returned the weight nan"),
    "infinity": Broken("return {0: float('inf')}", "It returned the weight inf"),
    "no weight at all": Broken("return {0: 0}", "names no cell"),
    "huge number": Broken("return 10 ** 10 ** 5", f"It returned an object of int, {NO_CELL}"),
    "finest weights": Broken("return {0: 10**6000, 10: 1}", NO_CELL),
    "coroutine": Broken("", NO_CELL, "async def best(board, mark): return 4"),
    "generator": Broken("yield 4", NO_CELL),
    "class": Broken("", NO_CELL, "class best:\n    def __init__(self, board, mark): pass"),
    "repr fails": Broken(
        "return Odd()", f"Odd.*, {NO_CELL}", "class Odd:\n    def __repr__(self): 1 / 0"
    ),
    "repr loops": Broken(
        "return Odd()", SLOW, "class Odd:\n    def __repr__(self):\n        while True: pass"
    ),
    # Errors.
    "exception": Broken(
        "return {}[board]", r"KeyError: '\.{9}'(.|\n)*mine\.py, line 3: return {}\[board\]"
    ),
    "BaseException": Broken("raise BaseException('no')", "BaseException: no"),
    "interrupt": Broken("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "exit": Broken("raise SystemExit(0)", r"It called sys\.exit(.|\n)*line 3"),
    "next of none": Broken("return next(c for c in ())", "StopIteration(.|\n)*line 3: return next"),
    "GeneratorExit": Broken("raise GeneratorExit", "GeneratorExit"),
    "recursion": Broken("return best(board, mark)", "RecursionError(.|\n)*line 3: return best"),
    "one argument": Broken("", r"takes 1 positional argument", "def best(board): return 4"),
    "three arguments": Broken("", "missing 1 required", "def best(board, mark, depth): return 4"),
    "long message": Broken("raise ValueError('long ' * 200_000)", "ValueError: long long"),
    "message fails": Broken(
        "raise Odd",
        "Odd(.|\n)*line 5: raise Odd",
        "class Odd(Exception):\n    def __str__(self): 1 / 0\n",
    ),
    "reads": Broken("return int(input())", "EOFError"),
    "stdin": Broken("return int(sys.stdin.read())", "ValueError", "import sys"),
    "closed stdout": Broken(
        "print(4)", "I/O operation on closed file", "import sys; sys.stdout.close()"
    ),
    "no stdout": Broken("sys.stdout.write('4')", "AttributeError", "import sys; sys.stdout = None"),
    "one branch in a hundred": Broken(
        "return 9 if random.randrange(100) == 42 else board.index('.')",
        f"It returned 9, {NO_CELL}",
        "import random",
    ),
    "changes directory": Broken(
        "os.chdir('/'); return 1 / 0", "ZeroDivisionError(.|\n)*line 3", "import os"
    ),
    "deletes its file": Broken(
        "os.remove(__file__); return 1 / 0", "ZeroDivisionError(.|\n)*line 3", "import os"
    ),
    # Only at one place.
    "deep": Broken(f"if board == 'XOXOXO...': return 1 / 0\n{FREE}", "failed in 1|XOXOXO", ""),
    "slow deep": Broken(f"while board == 'XOXOXO...': pass\n{FREE}", SLOW),
    # Crashes.
    "_exit": Broken("os._exit(0)", "It ended its own process, with status 0", "import os"),
    "segfault": Broken("ctypes.string_at(0)", "Its process crashed with SIGSEGV", "import ctypes"),
    "abort": Broken("os.abort()", "Its process crashed with SIGABRT", "import os"),
    "is killed": Broken("signal.raise_signal(9)", "Its process was killed", "import signal"),
    "kills itself": Broken("os.kill(os.getpid(), 9)", "may not start or end", "import os"),
    "kills its parent": Broken("os.kill(os.getppid(), 9)", "may not start or end", "import os"),
    "kills its group": Broken("os.killpg(0, 9)", "may not start or end", "import os"),
    "alarm": Broken("signal.alarm(1)\nwhile True: pass", "SIGALRM|thought", "import signal"),
    "deep recursion": Broken(
        "return best(board, mark)",
        f"MemoryError|crashed|memory|{SLOW}",
        "import sys; sys.setrecursionlimit(10**9)",
    ),
    "deep recursion in C": Broken(
        "return min([0], key=lambda _: best(board, mark))",
        f"MemoryError|crashed|memory|{SLOW}",
        "import sys; sys.setrecursionlimit(10**9)",
    ),
    "memory at once": Broken("return bytearray(2 << 30)", "MemoryError(.|\n)*line 3"),
    "memory by and by": Broken(
        "kept = []\nwhile True: kept.append(bytearray(1 << 24))", "MemoryError"
    ),
    # Never ending.
    "loop": Broken("while True: pass", SLOW),
    "loop in C": Broken("return sum(range(10 ** 18))", SLOW),
    "loop in a pattern": Broken("return re.match('(a|a)*$', 'a' * 40 + 'b')", SLOW, "import re"),
    "power": Broken("return 9 ** 9 ** 9", SLOW),
    "sleep": Broken("time.sleep(10 ** 6)", SLOW, "import time"),
    "deaf": Broken(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        SLOW,
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ),
    "atexit": Broken(
        "sys.exit()",
        r"It called sys\.exit",
        "import atexit, sys, time; atexit.register(time.sleep, 1e6)",
    ),
    # Processes and threads of its own.
    "thread": Broken(
        "return 9",
        NO_CELL,
        "import threading, time; threading.Thread(target=time.sleep, args=[1e6]).start()",
    ),
    "fork that goes on": Broken(
        "if once and once.pop() and not os.fork(): time.sleep(1e6)\nreturn 9",
        f"{NO_CELL}|may not start",
        "import os, time; once = [True]",
    ),
    "fork that answers too": Broken(
        "if once: once.pop() and os.fork()\nreturn 9",
        f"{NO_CELL}|{process.NONSENSE}|may not start",
        "import os; once = [True]",
    ),
    "subprocess": Broken(
        "return 9",
        f"{NO_CELL}|mine.py cannot be run",
        "import subprocess; subprocess.Popen(['sleep', '1000'])",
    ),
    "daemon": Broken(
        "return 9",
        f"{NO_CELL}|mine.py cannot be run",
        "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    ),
    # Hands on what it has no business with.
    "closes all": Broken(
        "os.closerange(0, 256); return 4", "It (ended its own process|closed the pipe)", "import os"
    ),
    "closes all and goes on": Broken(
        "os.closerange(0, 256)\nwhile True: pass", f"{SLOW}|It closed the pipe", "import os"
    ),
    "garbage": Broken(
        INTO_PIPES.format(r"'garbage\n'"),
        process.NONSENSE,
        "import os",
    ),
    "half a line": Broken(
        INTO_PIPES.format("'4'"),
        process.NONSENSE,
        "import os",
    ),
    "an empty object": Broken(
        INTO_PIPES.format(r"'{}\n'") + "\nwhile True: pass",
        process.NONSENSE,
        "import os",
    ),
    "a long line": Broken(
        INTO_PIPES.format("'4' * (1 << 17)"),
        process.NONSENSE,
        "import os",
    ),
    "random": Broken(
        "return random.choice([4])", "TypeError(.|\n)*line 3", "import random; random.choice = None"
    ),
    "json": Broken(
        FREE, "cannot be (run|loaded)|ended its own process", "import json; json.dumps = None"
    ),
    "len": Broken(FREE, r"TypeError|ended its own process", "import builtins; builtins.len = None"),
    "no profile": Broken("sys.setprofile(None); return 9", NO_CELL, "import sys"),
    "a thousand prints": Broken("for n in range(1000): print(n)\nreturn 9", NO_CELL),
    "very many prints": Broken("return 9", NO_CELL, "for n in range(100_000): print(n)"),
    "a line without end": Broken("return 9", NO_CELL, "print('x' * 5_000_000)"),
}


def patience(name: str) -> float:
    """For how many seconds this one may think: all that ends may, however busy the computer is."""
    return ANSWER if name in BROKEN and SLOW in BROKEN[name].says else process.ANSWER


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


def test_there_are_more_than_fifty() -> None:
    assert len(BROKEN) > 50


@pytest.mark.parametrize("name", BROKEN)
def test_check_says_what_is_broken(run: Run, write: Write, name: str) -> None:
    check_said(*run("check", write(BROKEN[name].source)), BROKEN[name].says)


SOME = (
    "syntax", "loops at import", "None", "the board", "exception", "exit", "recursion", "deep",
    "segfault", "memory at once", "loop in C", "fork that goes on", "garbage", "len",
    "very many prints",
)  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_other_commands_say_it_too(
    run: Run, write: Write, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "run", lambda *_: pytest.fail("it serves"))
    broken, file = BROKEN[name], write(BROKEN[name].source)
    commands = (
        ("prove", file),
        ("matchup", file, "hard"),
        ("serve", "--engine", file, "--data", tmp_path / "data", "--port", "0"),
    )
    for command in commands:
        check_said(*run(*command), broken.says)


@pytest.mark.parametrize("name", SOME)
def test_the_real_command_says_it_too(write: Write, name: str) -> None:
    code = (
        "from webapp.programs import process, tabulate\n"
        f"process.ANSWER, process.MEMORY, tabulate.MOST_DEATHS = {patience(name)}, 1 << 28, 2\n"
        "from webapp.cli import main\nmain()"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, "check", write(BROKEN[name].source)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    check_said(ran.returncode, ran.stdout, ran.stderr, BROKEN[name].says)


def test_a_class_that_hands_in_all_of_them_gets_its_table(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ANSWER", 2.0)
    for number, broken in enumerate(BROKEN.values()):
        write(broken.source, f"class/broken{number}.py")
    for name, find in ("anna", "index"), ("ben", "rindex"):
        write(f"def best(board, mark):\n    return board.{find}('.')\n", f"class/{name}.py")
    status, out, err = run("league", tmp_path / "class", "--with", "hard", "--json")
    assert (status, "Traceback" in out + err) == (0, False)
    found = json.loads(out)
    assert next(row["name"] for row in found["ranking"]) == "Hard"
    ranked = {f"{row['name']}.py": row["unanswered"] for row in found["ranking"]}
    absent = {one["name"]: one["why"] for one in found["absent"]}
    assert (ranked["anna.py"], ranked["ben.py"]) == (0, 0)
    for number in range(len(BROKEN)):
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


def test_a_folder_with_the_name_of_a_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    check_said(*run("check", tmp_path / "mine.py"), r"There is no file|folder")


def test_a_folder_is_no_function(run: Run, tmp_path: Path) -> None:
    ran = run("check", tmp_path)
    check_said(*ran, r"A function is named FILE\.py:FUNCTION", file=str(tmp_path))


@pytest.mark.parametrize("name", ["my mind.py", "übung größe.py", "it's.py", "-.py", "a:b.py"])
def test_odd_names_are_fine(run: Run, write: Write, name: str) -> None:
    file = write(f"\ufeffdef best(board, mark):\n    {FREE}\n", name)
    status, out, err = run("check", file)
    assert (status, err) == (0, "")
    assert f"{name}:best answered in all 232 positions." in out


# --- how it is told -------------------------------------------------------------------------------


def test_the_process_that_is_given_up_has_ended_when_the_answer_is_there(write: Write) -> None:
    found = known(write(BROKEN["an empty object"].source))
    assert {fault.why for fault in found.faults.values()} == {process.NONSENSE}


def test_an_answer_that_takes_nearly_all_of_its_time_is_an_answer(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "WAYS", 0)
    found = known(write(f"def best(board, mark):\n    {FREE}\n"))
    assert (found.doubt, found.faults) == (None, {})
