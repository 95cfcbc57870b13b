import re
from concurrent.futures import Executor

import pytest

from tests.bench import moves, tournament
from tests.bench.__main__ import main

QUICKLY = """
import webapp.server, webapp.tournament.due
webapp.server._TICK_EVERY, webapp.tournament.due.REST_MS = 0.1, 300
"""
"""A patch: the next game of a tournament begins soon."""


def test_a_quick_run_measures_a_real_server(
    aside: Executor, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves, "CROWD", 50)
    assert aside.submit(main, ["--quick", "--only", "memory"]).result() == 0
    found = re.findall(r"after ([\d,]+) moves \| ([\d.]+) ", capsys.readouterr().out)
    (few, early), (many, late) = [(int(moves), float(size)) for moves, size in found]
    assert 20 < early <= late < 200
    assert 50 <= few <= many
    assert many >= 500


def test_a_quick_run_plays_tournaments(
    aside: Executor, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cups = (tournament.Cup("swiss", 4, 1),)
    for name, value in (("PATCH", QUICKLY), ("THOUGHT", 0.05), ("QUICK", cups)):
        monkeypatch.setattr(tournament, name, value)
    assert aside.submit(main, ["--quick", "--only", "tournament"]).result() == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if " of " in line]
    played = [row for row in rows if "swiss of 4" in row[0]]
    assert len(played) in (1, 2)
    for row in played:
        assert int(row[4]) > 1
