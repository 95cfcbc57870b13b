"""``tictactoe league``: a class hands in files of any quality, and there is a fair table."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.support.html import check, parse
from webapp.analysis.matchup import matchup
from webapp.engines.registry import ENGINES, engine

FREE = "[cell for cell in range(9) if board[cell] == '.']"
CLASS = {
    "anna.py": f"def best(board, mark):\n    return {FREE}[0]\n",
    "bob.py": f"import random\ndef best(board, mark):\n    return random.choice({FREE})\n",
    "carl.py": "def best(board, mark):\n    return 4 if board[4] == '.' else 0\n",
    "crash.py": "def best(board, mark):\n    return {}[board]\n",
    "clock.py": "import time\ndef best(board, mark):\n    return int(time.time()) % 9\n",
    "dies.py": "import os\ndef best(board, mark):\n    os._exit(3)\n",
    "other.py": "def worst(board, mark):\n    return 0\n",
    "typo.py": "def best(board, mark)\n    return 0\n",
}
PLAYING = ["anna.py:best", "bob.py:best", "carl.py:best", "crash.py:best"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a class has handed in."""
    handed_in = tmp_path / "class"
    handed_in.mkdir()
    for name, text in CLASS.items():
        (handed_in / name).write_text(text)
    return handed_in


def test_all_that_can_play_are_ranked_and_the_others_listed_with_the_reason(
    run: Run, folder: Path
) -> None:
    found = as_json(run, "league", folder)
    ranking = found["ranking"]
    assert [row["slug"] for row in ranking] == PLAYING
    assert [(row["name"], row["place"]) for row in ranking][:2] == [("anna", 1), ("bob", 2)]
    assert sum(Fraction(row["points"]) for row in ranking) == 4 * 3 * 2
    absent = {one["name"]: one["why"] for one in found["absent"]}
    assert list(absent) == ["clock.py", "dies.py", "other.py", "typo.py"]
    assert "reads the clock with time.time" in absent["clock.py"]
    assert "It ended its own process" in absent["dies.py"]
    assert "no function 'best' in other.py" in absent["other.py"]
    assert "typo.py, line 1" in absent["typo.py"]
    assert str(folder) not in json.dumps(found)


def test_a_function_loses_where_it_has_no_answer_and_that_is_told(run: Run, folder: Path) -> None:
    found = as_json(run, "league", folder)
    rows = {row["name"]: row for row in found["ranking"]}
    assert (rows["crash"]["points"], rows["crash"]["unanswered"]) == ("0", 10)
    assert rows["carl"]["unanswered"] > 1
    assert rows["anna"]["unanswered"] == 0
    pair = found["pairs"]["carl.py:best"]["anna.py:best"]
    assert (pair["game"], pair["winner"], pair["forfeit"]) == ([4, 0], "o", True)
    assert found["pairs"]["crash.py:best"]["anna.py:best"]["game"] == []
    text = as_text(run, "league", folder)
    assert re.search(r"4 +crash +0 .* no answer in 10 positions\n", text)
    assert re.search(r"carl +anna +40 +X has no answer\n", text)


def test_lists_of_rules_take_part_with_their_commas(run: Run, folder: Path) -> None:
    found = as_json(run, "league", folder / "anna.py", "--with", "easy,rules:win,block")
    names = {row["slug"]: row["name"] for row in found["ranking"]}
    assert names["rules:win,block"] == "Rule list (win, block)"
    shown = found["pairs"]["rules:win,block"]["easy"]["x_wins"]
    assert shown == str(matchup(engine("rules:win,block"), ENGINES["easy"]).x_wins)


def test_the_text_has_the_ranking_the_points_and_the_games(run: Run, folder: Path) -> None:
    text = as_text(run, "league", folder, "--with", "hard")
    assert re.search(r"\n +1  Hard .* proved unbeatable\n", text)
    assert "\nNot in the ranking: typo.py: typo.py, line 1" in text
    assert re.search(r"\nHard +1 +- +2 +1\.99 +2 +2\n", text)
    assert re.search(r"\nHard +anna +01326 +X wins\n", text)


def test_a_file_that_is_named_and_lies_in_the_folder_plays_once(run: Run, folder: Path) -> None:
    found = as_json(run, "league", folder / "anna.py", folder, f"{folder / 'anna.py'}:best")
    assert [row["slug"] for row in found["ranking"]] == PLAYING


def test_folders_of_pupils_play_and_an_empty_one_is_listed(run: Run, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("anna", "bob", "carl")]
    for folder in folders:
        folder.mkdir()
    for folder in folders[:2]:
        (folder / "mine.py").write_text(CLASS["anna.py"])
    found = as_json(run, "league", *folders)
    assert [row["name"] for row in found["ranking"]] == ["anna/mine", "bob/mine"]
    (absent,) = found["absent"]
    assert absent["name"] == str(folders[2])
    assert absent["why"] == f"There is no .py file in the folder {folders[2]}."


# --- for spreadsheets ---------------------------------------------------------------------------


def test_a_spreadsheet_gets_a_line_for_each_and_no_formula(run: Run, folder: Path) -> None:
    names = ("=anna", "+1", "-x", "@x")
    for name in names:
        (folder / f"{name}.py").write_text(CLASS["anna.py"])
    (folder / "=typo.py").write_text(CLASS["typo.py"])
    lines = list(csv.reader(io.StringIO(as_text(run, "league", folder, "--csv"))))
    assert len({len(line) for line in lines}) == 1
    rows = [dict(zip(lines[0][:12], line, strict=False)) for line in lines[1:]]
    assert {f"'{name}" for name in (*names, "=typo.py")} < {row["name"] for row in rows}
    assert not [cell for line in lines for cell in line if cell.startswith(tuple("=+-@"))]
    crash = next(row for row in rows if row["name"] == "crash")
    assert (crash["points"], crash["unbeatable"], crash["no answer in"]) == ("0", "no", "10")
    assert "line 1" in next(row["remark"] for row in rows if row["name"] == "typo.py")
    points = dict(zip(lines[0], lines[1 + [row["name"] for row in rows].index("bob")], strict=True))
    assert points["as X against crash"] == "2"
    assert points["as X against bob"] == ""


# --- for the wall -------------------------------------------------------------------------------


def test_the_report_is_one_file_that_needs_nothing_and_trusts_no_name(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (folder / "<script>alert(1)<!--.py").write_text(CLASS["anna.py"])
    (folder / "<b>.py").write_text(f"raise ValueError('<img src=x>')\n{CLASS['anna.py']}")
    report = tmp_path / "report.html"
    status, out, err = run("league", folder, "--with", "hard", "--html", report)
    assert status == 0
    assert out.startswith("Each plays every other")
    assert err == f"The report is in {report}.\n"
    text = report.read_text(encoding="utf-8")
    page = parse(text)
    check(page)
    assert not page.all("script", "link", "img", "b>", "a", "iframe")
    addresses = [one.get(name) for one in page.walk() for name in ("src", "href") if one.has(name)]
    assert all(address.startswith("#") for address in addresses)
    assert not re.search(r"url\(|@import|https?:", text)
    assert not [one for one in page.walk() if any(name.startswith("on") for name in one.attributes)]
    (ranking,) = page.with_class("ranking")
    names = [one.text for one in ranking.all("th") if one.get("scope") == "row"]
    assert names[:1] == ["Hard"]
    assert "<script>alert(1)<!--" in names
    assert ranking.all("tr")[1].text.endswith("Proved unbeatable")
    # Of each that loses a game, the shortest is drawn.
    shown = [figure.all("figcaption")[0].text for figure in page.all("figure")]
    assert "crash has no answer as X and loses to Hard." in shown
    assert len(shown) == len(names) - 1
    assert "Hard as X beats" in page.text


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_asked(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    for report, why in ((tmp_path, "is a directory"), (tmp_path / "none/r.html", "written")):
        ran = run("league", folder, "--html", report)
        assert why in refusal(ran)
        assert ran[1] == ""


# --- what cannot be done ------------------------------------------------------------------------


def test_fewer_than_two_that_can_play_make_no_league(run: Run, folder: Path) -> None:
    for names, few in ((("anna.py", "typo.py"), "1 of these"), (("typo.py",), "none of these")):
        status, out, err = run("league", *(folder / name for name in names), "--json")
        assert (status, out) == (1, "")
        assert "typo.py: typo.py, line 1" in err
        assert err.endswith(f"A league needs two that can play; {few} can play.\n")


@pytest.mark.parametrize(
    "arguments, why",
    {
        "": "Missing argument",
        "none.py": "There is no file none.py",
        "anna": "'anna' is not",
        "{folder} --with deep": "no engine 'deep'",
        "{folder} --with rules:win,hard": "'hard'",
        "{folder} --json --csv": "choose one",
    }.items(),
)
def test_wrong_usage_ends_with_one_sentence_and_status_2(
    run: Run, folder: Path, arguments: str, why: str
) -> None:
    assert why in refusal(run("league", *arguments.format(folder=folder).split()))


def test_files_with_names_that_cannot_be_shown_and_links_to_nowhere_stop_nobody(
    run: Run, folder: Path
) -> None:
    (folder / "a\x1b[2J\nb.py").write_text(CLASS["anna.py"])
    (folder / "a\udcff.py").write_text(CLASS["typo.py"])
    (folder / "loop.py").symlink_to(folder / "loop.py")
    text = as_text(run, "league", folder)
    assert "a?[2J?b" in text
    assert "Not in the ranking: a?.py: " in text
    assert "Not in the ranking: loop.py: " in text


def test_a_file_cannot_change_another_that_takes_part(run: Run, folder: Path) -> None:
    before = as_json(run, "league", folder)
    for name in "aaron.py", "zoe.py":
        (folder / name).write_text(
            "from pathlib import Path\n"
            "for name in ('anna', 'bob', 'carl'):\n"
            "    Path(__file__).with_name(f'{name}.py').write_text('def best(b, m): return 9')\n"
            "def best(board, mark):\n    return board.index('.')\n"
        )
    after = as_json(run, "league", folder)
    for x in PLAYING[:3]:
        for o in PLAYING[:3]:
            if x != o:
                assert after["pairs"][x][o] == before["pairs"][x][o]
    assert {name: (folder / name).read_text() for name in CLASS} == CLASS


def test_a_file_cannot_import_another_that_takes_part(run: Run, folder: Path) -> None:
    (folder / "copycat.py").write_text("from anna import best\n")
    found = as_json(run, "league", folder)
    assert [row["slug"] for row in found["ranking"]] == PLAYING
    absent = {one["name"]: one["why"] for one in found["absent"]}
    assert absent["copycat.py"] == (
        "copycat.py cannot be run. It stopped with ModuleNotFoundError: No module named 'anna'. "
        "See copycat.py, line 1: from anna import best. "
        "anna.py takes part itself, so no other file can import it."
    )


def test_a_file_can_use_what_lies_beside_it_and_does_not_take_part(run: Run, folder: Path) -> None:
    (folder / "_lines.py").write_text("from book import first\n")
    (folder / "book").mkdir()
    (folder / "book" / "__init__.py").write_text("def first(board): return board.index('.')\n")
    (folder / "cells.json").write_text("[4, 0, 2, 6, 8, 1, 3, 5, 7]")
    (folder / "helped.py").write_text(
        "import json\nfrom pathlib import Path\nfrom _lines import first\n"
        "CELLS = json.loads(Path(__file__).with_name('cells.json').read_text())\n"
        "def best(board, mark):\n"
        "    return next(c for c in CELLS if board[c] == '.') if mark == 'X' else first(board)\n"
    )
    found = as_json(run, "league", folder)
    assert "helped.py:best" in [row["slug"] for row in found["ranking"]]
