import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.support import rules
from tests.support.patience import PATIENCE
from webapp.engines.registry import ENGINES
from webapp.programs import tabulate

DRAWS = """
import random
def best(board, mark):
    cells = [cell for cell in range(9) if board[cell] == "."]
    return cells[int(random.random() * len(cells))]
"""


def test_check_goes_from_a_function_to_a_game_that_beats_it(run: Run, mine: Path) -> None:
    found = as_json(run, "check", f"{mine}:first")
    assert found["faults"] == []
    assert [found[mark]["game"] for mark in "xo"] == [[0, 1, 2, 4, 3, 7], [0, 1, 3, 2, 6]]
    assert found["results"]["hard"]["x"] == {"x_wins": "0", "draws": "0", "o_wins": "1"}
    text = as_text(run, "check", f"{mine}:first")
    assert "mine.py:first answered in all 232 positions." in text
    assert "can be beaten. The shortest game, 01326:" in text
    assert " X |   | O     1 X top left\n" in as_text(run, "check", "scenarios")


def test_another_rival_is_measured_exactly_and_a_rule_list_is_named_as_written(run: Run) -> None:
    found = as_json(run, "check", "win,block,any", "--against", "win")
    assert (found["engine"], [*found["results"]]) == ("rules:win,block,any", ["rules:win"])
    found = as_json(run, "check", "Hard", "--against", "easy")["results"]["easy"]
    assert found["x"] == {"x_wins": "191/192", "draws": "1/192", "o_wins": "0"}
    assert found["o"] == {"x_wins": "0", "draws": "79/945", "o_wins": "866/945"}
    lines = as_text(run, "check", "hard", "--against", "easy").splitlines()
    assert lines[2:5] == [
        "against  moving  won              drawn          lost",
        "easy     first   191/192 = 99.5%  1/192 = 0.5%   0 = 0%",
        "easy     second  866/945 = 91.6%  79/945 = 8.4%  0 = 0%",
    ]


def test_chance_proves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.cli.check.SAMPLE_GAMES", 100)
    monkeypatch.setattr(tabulate, "ASK_AGAIN_S", PATIENCE)
    (tmp_path / "mine.py").write_text(DRAWS)
    command = ("check", tmp_path / "mine.py", "--against", "easy", "--board", rules.EMPTY)
    found = as_json(run, *command)
    result = found["results"]["easy"]["x"]
    assert (found["exact"], result["games"]) == (False, 100)
    assert "Return every cell" in str(found["why"])
    assert result["low"]["x_wins"] < result["x_wins"] / 100 < result["high"]["x_wins"]
    assert found["x"]["beatable"]
    assert rules.outcome(rules.after(found["x"]["game"])) == "o"
    assert (found["choices"], len(found["cells"])) == ([], 9)
    text = as_text(run, *command)
    assert text.count("It uses chance, or remembers") == 1
    assert re.search(r"\neasy     first   \d+ of 100 \(\d+\.\d–\d+\.\d%\)", text)
    assert not re.search(r"cannot be beaten|\d/\d|Exact if", text)
    assert "As X it can be beaten. In these games it lost " in text
    perfect = as_json(run, "check", "hard", "--against", tmp_path / "mine.py")
    assert perfect["x"] == {"beatable": False, "game": None}
    assert "high" in perfect["results"]["mine.py:best"]["x"]


def test_a_board_shows_cells_chances_reasons_and_what_they_lead_to(run: Run) -> None:
    found = as_json(run, "check", "human", "--board", "o.x/.x./o..")
    choice = {"cell": 3, "probability": "1", "reason": "block", "lines": [[0, 3, 6]]}
    assert found["choices"] == [choice]
    assert as_text(run, "check", "hard", "--board", "XX.OO....").endswith(
        " X | X |       X to move, hard:\n"
        "---+---+---\n"
        " O | O |\n"
        "---+---+---\n"
        "   |   |\n"
        "\n"
        "cell  where          chance  why   for X\n"
        "2     top right      1       wins  win in 1\n"
        "5     middle right   0             draw\n"
        "6     bottom left    0             loss in 1\n"
        "7     bottom centre  0             loss in 1\n"
        "8     bottom right   0             loss in 1\n"
    )


def test_the_table_has_every_pair_and_every_claim(run: Run) -> None:
    found = as_json(run, "table")
    pairs, claims = found["table"], found["claims"]
    assert [len(row) for row in pairs.values()] == [10] * 10
    assert pairs["hard"]["easy"]["x_wins"] == "191/192"
    assert [one["engine"] for one in claims if not one["holds"]] == ["scenarios"]
    table, said = as_text(run, "table").split("\n\n")[1:]
    assert len({len(line) for line in table.splitlines()}) == 1, "columns are aligned"
    assert len(table.splitlines()[0]) <= 110
    assert re.search(r'\nscenarios +cannot lose +false +0472638 +"Non-Recursive', said)


def test_a_review_names_the_turning_point(run: Run) -> None:
    found = as_json(run, "review", "40281")
    assert found["turning_point"] == 3
    fourth = found["moves"][3]
    assert (fourth["judgement"], fourth["better"]) == ("gave away the draw", [6])
    text = as_text(run, "review", "40281")
    assert re.search(r"4 O +bottom right +loss in 1 +gave away the draw .*turning point", text)


BAD_INPUT = {
    "check hard --board XX": "this one has 2", "check hard --board XXXOO....": "The game is over",
    "check hard --against deep": "no engine 'deep'", "check": "Missing argument",
    "check win,win": "twice", "check win,hard": "no rule 'hard'",
    "check hard --against none.py:best": "There is no file none.py",
    "check mine": "There is no engine 'mine'. Did you mean mine.py?",
    "check xyz": f"There is no engine 'xyz'; there are {', '.join(ENGINES)}.",
    "chekc": "No such command 'chekc'. Did you mean 'check'?",
    "check hard --jsn": "No such option '--jsn'. Did you mean '--json'?",
    "league none.py": "There is no file none.py", "league anna": "'anna' is not",
    "league mine.py --with deep": "no engine 'deep'", "review 44": "already holds X",
    "review 4x": "'4x' is not",
}  # fmt: skip


def test_bad_input_has_status_2(run: Run, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    for arguments, why in BAD_INPUT.items():
        ran = run(*arguments.split())
        assert why in refusal(ran)
        assert ran[1] == ""
