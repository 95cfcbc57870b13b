import re
from concurrent.futures import Executor
from typing import Any
from unittest.mock import Mock

import pytest

from tests.bench import __main__ as bench
from tests.bench import live, moves


@pytest.mark.parametrize(
    "part,line",
    [("live", r"SQLite, 12 pages, 60 moves/s \| [\d.]+ ms"), ("speed", r"SQLite, move \| [\d.]+")],
)
def test_a_quick_run_measures_a_real_server(
    aside: Executor, capsys: Any, monkeypatch: pytest.MonkeyPatch, part: str, line: str
) -> None:
    monkeypatch.setattr(bench, "cluster", Mock(side_effect=FileNotFoundError))
    monkeypatch.setattr(live, "QUICK", [(6, 0.5)])
    monkeypatch.setattr(live, "THOUGHT", 0.1)
    monkeypatch.setattr(moves, "CROWD", 4)
    assert aside.submit(bench.main, ["--quick", "--only", part]).result() == 0
    assert re.search(line, capsys.readouterr().out)
