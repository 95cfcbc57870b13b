"""``tictactoe league``: a class hands in files of any quality, and there is a fair table."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text
from webapp.engines.base import ONLY_THE_BOARD

FREE = "[cell for cell in range(9) if board[cell] == '.']"
CLASS = {
    "anna.py": f"def best(board, mark):\n    return {FREE}[0]\n",
    "bob.py": f"def best(board, mark):\n    return {FREE}\n",
    "carl.py": "def best(board, mark):\n    return 4 if board[4] == '.' else 0\n",
    "chance.py": f"import random\ndef best(board, mark):\n    return random.choice({FREE})\n",
    "crash.py": "def best(board, mark):\n    return {}[board]\n",
    "dies.py": "import os\ndef best(board, mark):\n    os._exit(3)\n",
    "other.py": "def worst(board, mark):\n    return 0\n",
    "typo.py": "def best(board, mark)\n    return 0\n",
}
PLAYING = ["anna.py:best", "bob.py:best", "carl.py:best", "crash.py:best"]


def hand_in(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_text(CLASS[name])
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One that can play, one that never answers, and one that cannot be run."""
    return hand_in(tmp_path / "class", "anna.py", "crash.py", "typo.py")


def test_who_can_play_is_ranked_and_others_listed_with_reasons(run: Run, tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", *CLASS)
    for pupil in ("anna", "bob"):
        hand_in(tmp_path / pupil).joinpath("mine.py").write_text(CLASS["anna.py"])
    pupils = as_json(run, "league", tmp_path / "anna", tmp_path / "bob")
    assert [row["name"] for row in pupils["ranking"]] == ["anna/mine", "bob/mine"]
    # A file that is named and lies in the folder plays once.
    found = as_json(run, "league", folder / "anna.py", folder, f"{folder / 'anna.py'}:best")
    ranking = found["ranking"]
    assert [row["slug"] for row in ranking] == PLAYING
    assert [(row["name"], row["place"]) for row in ranking][:2] == [("anna", 1), ("bob", 2)]
    assert sum(Fraction(row["points"]) for row in ranking) == 4 * 3 * 2
    absent = {one["name"]: one["why"] for one in found["absent"]}
    assert list(absent) == ["chance.py", "dies.py", "other.py", "typo.py"]
    assert re.search("It uses chance, or remembers.* Return every cell", absent["chance.py"])
    assert str(folder) not in json.dumps(found)
    rows = {row["name"]: row for row in found["ranking"]}
    assert (rows["crash"]["points"], rows["crash"]["unanswered"]) == ("0", 10)
    assert rows["anna"]["unanswered"] == 0
    pair = found["pairs"]["carl.py:best"]["anna.py:best"]
    assert (pair["game"], pair["winner"], pair["forfeit"]) == ([4, 0], "o", True)
    assert found["pairs"]["crash.py:best"]["anna.py:best"]["game"] == []


def test_the_text_has_the_ranking_the_points_and_the_games(run: Run, folder: Path) -> None:
    rules = as_json(run, "league", folder / "anna.py", "--with", "rules:win,block")["ranking"]
    assert "Rule list (Win, Block)" in [row["name"] for row in rules]
    text = as_text(run, "league", folder, "--with", "hard")
    assert text.count(ONLY_THE_BOARD) == 1
    assert re.search(r"\n +1  Hard .* proved unbeatable\n", text)
    assert re.search(r"3 +crash +0 .* no answer in 10 positions\n", text)
    assert "\nNot in the standings: typo.py: typo.py cannot be run" in text
    assert re.search(r"\n01326 +anna loses as O to Hard, in 3 moves\.\n", text)
    assert re.search(r"\n- +crash gives no answer as X and loses to Hard\.", text)


def test_a_spreadsheet_gets_a_line_for_each_and_no_formula(run: Run, folder: Path) -> None:
    names = ("=anna", "+1", "-x", "@x")
    for name in names:
        (folder / f"{name}.py").write_text(CLASS["anna.py"])
    (folder / "=typo.py").write_text(CLASS["typo.py"])
    lines = list(csv.reader(io.StringIO(as_text(run, "league", folder, "--csv"))))
    assert {len(line) for line in lines} == {9}
    rows = {line[1]: line for line in lines}
    assert {f"'{name}" for name in (*names, "=typo.py")} < rows.keys()
    assert not [cell for line in lines for cell in line if cell.startswith(tuple("=+-@"))]
    assert (rows["crash"][2], rows["crash"][8]) == ("0", "no answer in 10 positions")


def test_fewer_than_two_that_can_play_make_no_league(run: Run, folder: Path) -> None:
    status, out, err = run("league", folder / "anna.py", folder / "typo.py", "--json")
    assert (status, out) == (1, "")
    assert "typo.py: typo.py cannot be run" in err
    assert err.endswith("\nA league needs at least two that can play.\n")


MORE = {
    "copycat.py": "from anna import best\n",
    "_lines.py": "from book import first\n",
    "book/__init__.py": "def first(board): return board.index('.')\n",
    "helped.py": "from _lines import first\ndef best(board, mark): return first(board)\n",
}


def test_a_file_uses_its_neighbours_but_none_that_takes_part(run: Run, tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", "anna.py")
    (folder / "book").mkdir()
    for name, text in MORE.items():
        (folder / name).write_text(text)
    found = as_json(run, "league", folder)
    assert {row["slug"] for row in found["ranking"]} == {"anna.py:best", "helped.py:best"}
    (absent,) = found["absent"]
    assert absent["why"] == (
        "copycat.py cannot be run. It stopped with ModuleNotFoundError: No module named 'anna'. "
        "See copycat.py, line 1: from anna import best. "
        "anna.py takes part itself, so no other file can import it."
    )
