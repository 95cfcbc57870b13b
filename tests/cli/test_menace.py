"""A life of MENACE on the command line, and MENACE as the games of a folder have taught it."""

import csv
import io
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.support.visitor import open_site
from webapp.service import menace


def test_a_life_is_printed_as_text_csv_and_json(run: Run) -> None:
    options = ("menace", "--games", "30", "--against", "hard", "--seed", "7")
    found = as_json(run, *options)
    assert [row["games"] for row in found["exploited"]] == [*range(31)]
    first = found["curve"][0]
    assert (first["games"], first["against"]) == (0, "easy")
    assert first["won"] == pytest.approx(391477 / 645120)
    rows = [*csv.DictReader(io.StringIO(as_text(run, *options, "--csv")))]
    assert [float(row["lost"]) for row in rows] == [row["lost"] for row in found["curve"]]
    lines = as_text(run, *options).splitlines()
    assert lines[2].split()[:4] == ["games", "easy", "medium", "hard"]
    assert [lines[3].split()[0], lines[-1].split()[0]] == ["0", "30"]
    assert as_json(run, *options) == found
    assert "choose one" in refusal(run(*options, "--csv", "--json"))


def test_other_commands_take_it_as_the_class_has_taught_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_DATA", str(tmp_path))
    assert as_json(run, "matchup", "menace", "hard")["draws"] == "103/810"
    with open_site(tmp_path) as site:
        menace.train(site.service, "hard", 200, "7")
        expected = menace.look(site.service).curve[-1].against["hard"].drawn
        found = as_json(run, "matchup", "menace", "hard")
    won, _, of = found["draws"].partition("/")
    assert int(won) / int(of or 1) == pytest.approx(expected)
    assert "menace as X, moving first: can be beaten" in as_text(run, "check", "menace")
    assert "boxes for X only" in refusal(run("matchup", "hard", "menace"))
