"""Broken functions: a sentence with the position, status 1 or 2, no traceback, nothing left."""

import re

import pytest

from tests.cli.conftest import Run
from tests.programs.conftest import Write
from webapp.programs import process

ANSWER = 0.7  # what starting some processes may take on a busy computer, in seconds
FREE = "return board.index('.')"
NO_CELL = "which is not a cell from 0 to 8"
SLOW = f"It thought for more than {ANSWER:g} second"
DEEP = "import sys; sys.setrecursionlimit(10**9)"
RUNS_OUT = f"MemoryError|crashed|memory|{SLOW}"

# The body of a function, a pattern that finds the reason in what is printed, and what stands
# before the function; the whole file where there is no body.
BROKEN = {
    "syntax": ("", r"SyntaxError: .* \(mine\.py, line 2\)", "def best(b, m):\n    retrun 4 +"),
    "encoding": ("", r"'utf-8' codec can't decode byte 0xe9", "x = 'caf\xe9'"),
    "empty": ("", r"There is no function in mine\.py", ""),
    "missing import": (FREE, r"No module named 'nowhere'\. See mine\.py, line 1", "import nowhere"),
    "fails at import": (FREE, r"ZeroDivisionError.*See mine\.py, line 1: 1 / 0", "1 / 0"),
    "loops at import": (FREE, f"mine.py cannot be loaded. {SLOW}", "while True: pass"),
    "asks at import": (FREE, "EOFError", "size = int(input('Size? '))"),
    "exits at import": (FREE, r"It called sys\.exit. See mine\.py, line 1", "exit()"),
    "None": ("pass", f"It returned None, {NO_CELL}"),
    "9": ("return 9", f"It returned 9, {NO_CELL}"),
    "4.0": ("return 4.0", f"It returned 4.0, {NO_CELL}"),
    "True": ("return True", f"It returned True, {NO_CELL}"),
    "row and column": ("return 1, 2", rf"It returned \(1, 2\), {NO_CELL}"),
    "the board": ("return board.replace('.', mark, 1)", f"It returned 'X........', {NO_CELL}"),
    "changes its board": ("board[0] = mark", "does not support item assignment(.|\n)*line 3"),
    "taken": ("return 4", "It returned 4, but that cell already holds X"),
    "no cells": ("return []", r"It returned \[\], which names no cell"),
    "nested": ("return [[4]]", rf"It returned \[4\], {NO_CELL}"),
    "negative weight": ("return {0: -1}", "It returned the weight -1"),
    "exception": (
        "return {}[board]",
        r"KeyError: '\.{9}'(.|\n)*mine\.py, line 3: return {}\[board\]",
    ), "exit": ("raise SystemExit(0)", r"It called sys\.exit(.|\n)*line 3"),
    "recursion": ("return best(board, mark)", "RecursionError(.|\n)*line 3: return best"),
    "one argument": ("", "takes 1 positional argument", "def best(board): return 4"),
    "long message": ("raise ValueError('long ' * 200_000)", "ValueError: long long"),
    "very many prints": ("return 9", NO_CELL, "for n in range(100_000): print(n)"),
    "a line without end": ("return 9", NO_CELL, "print('x' * 5_000_000)"),
    "deep": (f"if board == 'XOXOXO...': return 1 / 0\n{FREE}", "failed in 1|XOXOXO"),
    "slow deep": (f"while board == 'XOXOXO...': pass\n{FREE}", SLOW),
    "_exit": ("os._exit(0)", "It ended its own process, with status 0", "import os"),
    "segfault": ("ctypes.string_at(0)", "Its process crashed with SIGSEGV", "import ctypes"),
    "is killed": ("signal.raise_signal(9)", "Its process was killed", "import signal"),
    "deep recursion": ("return best(board, mark)", RUNS_OUT, DEEP),
    "memory": ("return bytearray(2 << 30)", "MemoryError(.|\n)*line 3"),
    "loop": ("while True: pass", SLOW), "loop in C": ("return sum(range(10 ** 18))", SLOW),
    "deaf": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        SLOW,
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ),
    "atexit": ("return 9", NO_CELL, "import atexit, time; atexit.register(time.sleep, 1e6)"),
    "thread": (
        "return 9",
        NO_CELL,
        "import threading, time; threading.Thread(target=time.sleep, args=[1e6]).start()",
    ),
    "subprocess": ("return 9", NO_CELL, "import subprocess; subprocess.Popen(['sleep', '1000'])"),
}  # fmt: skip


def source_of(body: str, _says: str, head: str = "") -> bytes:
    function = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{head}\n" + (f"def best(board, mark):\n{function}" if body else "")
    return text.encode("latin-1")


@pytest.fixture(autouse=True)
def impatient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What never ends is given up sooner, whatever ends has its time; a gigabyte is less too."""
    name = request.getfixturevalue("name") if "name" in request.fixturenames else ""
    if name and SLOW in BROKEN[name][1]:
        monkeypatch.setattr(process, "ANSWER_S", ANSWER)
    monkeypatch.setattr(process, "MAX_MEMORY_BYTES", 1 << 28)


def check_said(status: int, out: str, err: str, says: str) -> None:
    said = out + err
    assert status in {1, 2}
    assert re.search(says, said), said[-2000:]
    assert "Traceback" not in said
    assert "mine.py" in said
    assert len(said) < 3000, "each error once"
    if status == 2:
        assert re.fullmatch(r"tictactoe: [^\n]+\.\n", err), err
    else:
        assert "---+---+---" in out
        assert not err


@pytest.mark.parametrize("name", BROKEN)
def test_check_says_what_is_broken(run: Run, write: Write, name: str) -> None:
    check_said(*run("check", write(source_of(*BROKEN[name]))), BROKEN[name][1])


def test_a_folder_is_no_function_and_odd_names_are_fine(run: Run, write: Write) -> None:
    folder = write("", "class/mine.py/notes.txt").parent
    check_said(*run("check", folder), "There is no file")
    for name in ("übung größe, it's.py", "-.py", "a:b.py"):
        file = write(f"\ufeffdef best(board, mark):\n    {FREE}\n", name)
        status, out, err = run("check", file)
        assert (status, err) == (0, "")
        assert f"{name}:best answered in all 232 positions." in out
