"""Examining a student's function."""

import time
from itertools import cycle
from pathlib import Path

import pytest

from tests.support import pace
from webapp.analysis.check import examine
from webapp.core import solver
from webapp.core.board import Board
from webapp.engines import function
from webapp.engines.base import EngineFault
from webapp.engines.function import CannotLoad, Function, ask, engine_of, load


def perfect(board: str, mark: str) -> int:
    assert mark == str(Board.parse(board).turn)
    return solver.best_moves(Board.parse(board))[0]


def first_free(board: str, mark: str) -> int:
    return board.index(".")


def test_a_function_that_plays_perfectly_cannot_be_beaten() -> None:
    reports = []

    def check() -> None:
        reports.append(examine(engine_of(perfect, "mine.py:perfect", "perfect")))

    assert pace.shortest(check) < 2
    (report,) = reports
    assert (report.faults, report.worth and report.worth.unbeatable) == ((), True)


def endless(board: str, mark: str) -> int:
    while True:
        pass


def raises(board: str, mark: str) -> int:
    return dict[str, int]()["no such key"]


def returns_taken(board: str, mark: str) -> int:
    return 0


@pytest.mark.parametrize(
    "mine, kind, why",
    [
        (raises, "failed", "KeyError: 'no such key'"),
        (returns_taken, "illegal", "returned 0, where X is"),
        (lambda board, mark: 9, "illegal", "returned 9, which is no cell"),
        (lambda board, mark: True, "illegal", "returned True"),
        (lambda board, mark: 4.0, "illegal", "returned 4.0"),
        (lambda board: 4, "failed", "TypeError"),
    ],
)
def test_a_function_that_fails_its_duty_is_told_where(mine: Function, kind: str, why: str) -> None:
    report = examine(engine_of(mine, "mine.py:mine", "mine"))
    fault = report.faults[0]
    assert fault.kind == kind
    assert why in str(fault)
    assert f"On {fault.board} with {fault.board.turn} to move" in str(fault)


def test_a_function_that_changes_its_mind_is_inconsistent() -> None:
    answers = cycle((0, 1))

    def fickle(board: str, mark: str) -> int:
        return next(answers) if board == "." * 9 else board.index(".")

    report = examine(engine_of(fickle, "mine.py:fickle", "fickle"))
    assert [fault.kind for fault in report.faults] == ["inconsistent"]
    assert "it answered 0, then 1" in str(report.faults[0])


def test_a_function_that_thinks_for_ever_is_stopped() -> None:
    start = time.perf_counter()
    with pytest.raises(EngineFault, match="thought for more than") as caught:
        ask(endless, Board(), limit=0.1)
    assert caught.value.kind == "slow"
    assert time.perf_counter() - start < 5
    # The next call is not disturbed by the one that was ended.
    assert ask(first_free, Board(), limit=0.1) == 0


def test_examining_a_slow_function_ends_after_a_few_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(function.ask, "__defaults__", (0.1,))
    report = examine(engine_of(endless, "mine.py:endless", "endless"))
    assert {fault.kind for fault in report.faults} == {"slow"}
    assert len(report.faults) == 3


def test_a_function_is_loaded_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("ORDER = [4, 0, 2, 6, 8, 1, 3, 5, 7]\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "from neighbour import ORDER\n"
        "def best(board, mark):\n"
        "    return next(cell for cell in ORDER if board[cell] == '.')\n"
    )
    mine = load(f"{file}:best")
    assert (mine.slug, mine.name) == ("mine.py:best", "best")
    assert [choice.cell for choice in mine.choices(Board())] == [4]


@pytest.mark.parametrize(
    "text, name, why",
    [
        ("def best(board, mark)\n    return 0\n", "best", r"mine.py, line 1: expected ':'"),
        ("import no_such_module\n", "best", "No module named 'no_such_module'"),
        ("1 / 0\n", "best", r"ZeroDivisionError: division by zero \(mine.py, line 1: 1 / 0\)"),
        ("best = 4\n", "best", "no function 'best'"),
        ("def best(board, mark):\n    return 0\n", "worst", "no function 'worst'"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line(
    tmp_path: Path, text: str, name: str, why: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(CannotLoad, match=why):
        load(f"{file}:{name}")
    with pytest.raises(CannotLoad, match="There is no file"):
        load(f"{tmp_path}/none.py:{name}")
