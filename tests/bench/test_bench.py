import re
from concurrent.futures import Executor

import pytest

from tests.bench.__main__ import main


def test_a_quick_run_measures_a_real_server(
    aside: Executor, capsys: pytest.CaptureFixture[str]
) -> None:
    assert aside.submit(main, ["--quick", "--only", "memory"]).result() == 0
    found = re.findall(r"([\d.]+) MiB after ([\d,]+) moves", capsys.readouterr().out)
    (early, few), (late, many) = [(float(size), int(moves)) for size, moves in found]
    assert 20 < early <= late < 200
    assert 50 <= few <= many
    assert many >= 500


def test_a_quick_run_plays_tournaments(aside: Executor, capsys: pytest.CaptureFixture[str]) -> None:
    assert aside.submit(main, ["--quick", "--only", "tournament"]).result() == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if " of " in line]
    played = [row for row in rows if "arena" in row[0] or "swiss" in row[0]]
    assert len(played) in (2, 4)
    for row in played:
        assert int(row[1]) > 0
        assert int(row[5]) > 2
