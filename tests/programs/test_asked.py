"""What is made of a function's answers: exact if they never differ, else samples and the cure."""

import pytest

from tests.cli.conftest import Run, as_text
from tests.programs.conftest import Write, known
from tests.support.patience import PATIENCE
from webapp.analysis.matchup import matchup
from webapp.core.board import Board
from webapp.engines.base import ONLY_THE_BOARD
from webapp.engines.registry import ENGINES
from webapp.programs import tabulate
from webapp.programs.files import Program
from webapp.programs.minds import exact_engine

# What a function can use below: free cells, and perfect and poor play.
HEAD = """\
import functools, itertools, os, random, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
def free(board):
    return [cell for cell in range(9) if board[cell] == "."]
@functools.cache
def value(board, mark):
    other = "O" if mark == "X" else "X"
    if any(board[a] == board[b] == board[c] == other for a, b, c in LINES):
        return -1
    return max((-value(board[:c] + mark + board[c + 1:], other) for c in free(board)), default=0)
def good(board, mark):
    other = "O" if mark == "X" else "X"
    return min(free(board), key=lambda c: value(board[:c] + mark + board[c + 1:], other))
def bad(board, mark):
    return free(board)[-1]
def either(poor, board, mark):
    return (bad if poor else good)(board, mark)
n, last = 0, "." * 9
"""


def source(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{before}\ndef best(board, mark):\n    global n, last\n{lines}"


THREE_OF_FOUR = ((0, 3), (1, 1))
ANSWERS = {
    "return 4": ((4, 1),),
    "return [0, 2, 6, 8]": ((0, 1), (2, 1), (6, 1), (8, 1)),
    "return [0, 0, 0, 1]": THREE_OF_FOUR,
    "return {0: 9, 1: 3}": THREE_OF_FOUR,
    "return {0: Fraction(1, 2), 1: Fraction(1, 6)}": THREE_OF_FOUR,
    "return {0: Decimal('1.5'), 1: Decimal('0.5')}": THREE_OF_FOUR,
    "return {0: 1 / 3, 2: 2 / 3}": ((0, 1), (2, 2)),
    "return {0: 0.1 + 0.1 + 0.1, 2: 0.7}": ((0, 3), (2, 7)),
    "return {0: 0, 1: 0.0, 4: 2}": ((4, 1),),
    # Rounded, but never to nothing.
    "return {4: 1, 1: 1e-9}": ((1, 1), (4, 10**6 - 1)),
    "return {4: 10**5000, 1: 1}": ((1, 1), (4, 10**6 - 1)),
    "random.seed(3); return random.randrange(9)": ((3, 1),),
    "return free(board)[hash(1)]": ((1, 1),),
}


def test_an_answer_is_a_cell_or_cells_with_weights(write: Write) -> None:
    files = [write(source(body), f"mine{number}.py") for number, body in enumerate(ANSWERS)]
    asked = tabulate.tabulate([Program(file, "best") for file in files], boards=[Board()])
    for found, answer in zip(asked, ANSWERS.values(), strict=True):
        assert isinstance(found, tabulate.Tabulation), found
        assert (found.doubt, found.faults, found.answers) == ("", {}, {Board(): answer})


def test_a_function_like_an_engine_has_its_figures(write: Write) -> None:
    found = known(write(source("return free(board)")), every=True)
    assert (found.doubt, found.faults, len(found.answers)) == ("", {}, 4520)
    theirs, easy, hard = exact_engine(found, "theirs", "Theirs"), ENGINES["easy"], ENGINES["hard"]
    assert matchup(theirs, hard) == matchup(easy, hard)
    assert matchup(hard, theirs) == matchup(hard, easy)


def test_what_a_proof_rests_on_and_a_fault_by_chance_are_said(run: Run, write: Write) -> None:
    text = as_text(run, "check", write(source("return good(board, mark)")))
    assert (text.count(ONLY_THE_BOARD), text.count("cannot be beaten")) == (1, 2)
    body = "return 9 if random.randrange(3) == 0 else free(board)[0]"
    status, out, err = run("check", write(source(body)))
    assert (status, err) == (1, "")
    assert "It returned 9, which is not a cell from 0 to 8." in out


# Found by the processes that ask again, in time.
DIFFERENT = {
    "random": "return random.choice(free(board))",
    "a rare slip": "return either(random.random() < 0.001, board, mark)",
    "the clock": "return either(time.perf_counter_ns() // 1000 % 2, board, mark)",
    "games counted": "n += board == '.' * 9\nreturn either(n > 3, board, mark)",
    "every hundredth call": "n += 1\nreturn either(n % 100 == 74, board, mark)",
    "the board before": "was, last = last, board\nreturn either(was < board, board, mark)",
    "a fault after a time": "n += 1\nreturn bad(board, mark) if n < 900 else 9",
}
# Found by two processes that are not alike.
AT_THE_START = {
    "a set of words": "return int(next(iter(set(map(str, free(board))))))",
    "the process": "return free(board)[os.getpid() % board.count('.')]",
    "shuffled at the start": "return next(c for c in ORDER if board[c] == '.')",
    "cached chance": "return drawn(board)",
}
BEFORE = """
ORDER = random.sample(range(9), 9)
@functools.cache
def drawn(board):
    return random.choice(free(board))
"""


@pytest.mark.parametrize("name", [*DIFFERENT, *AT_THE_START])
def test_what_differs_is_found(write: Write, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in DIFFERENT:
        monkeypatch.setattr(tabulate, "ASK_AGAIN_S", PATIENCE)
    found = known(write(source((DIFFERENT | AT_THE_START)[name], BEFORE)))
    assert found.doubt.startswith("It uses chance, or remembers")


def test_it_is_said_with_both_answers_and_what_helps(write: Write) -> None:
    found = known(write(source("n += 1; return [0, 1] if n == 1 else 4")), boards=[Board()])
    assert found.doubt == (
        "It uses chance, or remembers: on ......... it answered {0: 1, 1: 1}, then 4. Return every "
        "cell that it may choose, as a list such as [0, 2, 6, 8] or as weights such as "
        "{4: 3, 0: 1}, and its figures are exact."
    )
