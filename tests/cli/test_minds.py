"""The commands that ask the engines: what they print, for scripts and for people."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal


def test_matchup_prints_fractions_as_text(run: Run) -> None:
    exact = {"x_wins": "191/192", "draws": "1/192", "o_wins": "0"}
    assert as_json(run, "matchup", "hard", "easy") == exact
    assert as_text(run, "matchup", "easy", "hard").splitlines() == [
        "                exactly",
        "easy wins as X  0           0 %",
        "draws           79/945    8.4 %",
        "hard wins as O  866/945  91.6 %",
    ]


def test_prove_prints_the_shortest_losing_game(run: Run) -> None:
    assert as_json(run, "prove", "scenarios") == {
        "x": {"beatable": False, "game": None},
        "o": {"beatable": True, "game": [0, 4, 7, 2, 6, 3, 8]},
    }
    text = as_text(run, "prove", "scenarios")
    assert "scenarios as X, moving first: cannot be beaten." in text
    assert " X |   | O     1 X top left\n---+---+---    2 O centre\n" in text


def test_engines_are_listed_with_their_sources(run: Run) -> None:
    listed = as_json(run, "engines")
    assert [(mind["slug"], mind["source"]) for mind in listed] == [
        ("easy", "E"), ("medium", "E"), ("hard", None), ("human", "A"), ("minimax", "B"),
        ("slips", "D"), ("corners", "C"), ("forks", "C"), ("fork-blocker", "C"), ("scenarios", "E"),
    ]  # fmt: skip
    assert all(mind["rules"] and mind["name"] and mind["idea"] for mind in listed)
    assert 'medium (source: "Non-Recursive' in as_text(run, "engines")


def test_best_prints_cells_probabilities_and_reasons(run: Run) -> None:
    found = as_json(run, "best", "o.x/.x./o..", "--engine", "human")
    choice = {"cell": 3, "probability": "1", "reason": "block", "lines": [[0, 3, 6]]}
    about = {"board": "O.X.X.O..", "turn": "X", "engine": "human"}
    assert found == {**about, "choices": [choice]}
    slips = as_json(run, "best", "X...O....", "--engine", "slips")
    assert {choice["probability"] for choice in slips["choices"]} == {"4/5", "1/35"}
    assert as_text(run, "best", "XX.OO....").splitlines() == [
        " X | X |       X to move, hard:",
        "---+---+---",
        " O | O |",
        "---+---+---",
        "   |   |",
        "",
        "cell  where      chance  why",
        "2     top right  1       wins",
    ]


def test_the_table_has_every_pair(run: Run) -> None:
    found = as_json(run, "table")
    assert [len(row) for row in found.values()] == [10] * 10
    assert found["hard"]["easy"]["x_wins"] == "191/192"
    lines = as_text(run, "table").splitlines()[2:]
    assert len({len(line) for line in lines}) == 1, "columns are aligned"
    assert len(lines[0]) <= 110


def test_claims_come_with_their_verdicts(run: Run) -> None:
    found = as_json(run, "claims")
    assert [claim["engine"] for claim in found if not claim["holds"]] == ["scenarios"]
    assert re.search(
        r'AI Algorithm"\n  scenarios +cannot lose +false +0472638', as_text(run, "claims")
    )


def test_an_experiment_is_printed_beside_what_is_expected_and_how_far_chance_moves_it(
    run: Run,
) -> None:
    arguments = ("simulate", "hard", "easy", "--games", "10")
    assert as_text(run, *arguments).splitlines() == [
        "                counted  expected  sampling error      z",
        "hard wins as X       10       9.9            ±0.4  +0.23",
        "draws                 0       0.1            ±0.4  -0.23",
        "easy wins as O        0       0.0              ±0  +0.00",
    ]
    found = as_json(run, *arguments)
    assert found == as_json(run, *arguments)
    assert found.pop("sampling_error") == pytest.approx(
        {"x_wins": 0.446, "draws": 0.446, "o_wins": 0.0}, abs=0.001
    )
    assert set(found) == {"games", "seed", "x_wins", "draws", "o_wins", "exact", "z"}


def test_a_review_names_the_turning_point(run: Run) -> None:
    found = as_json(run, "review", "40281")
    assert found["turning_point"] == 3
    fourth = found["moves"][3]
    assert (fourth["judgement"], fourth["better"]) == ("gave away the draw", [6])
    text = as_text(run, "review", "40281")
    assert re.search(r"4 O +bottom right +loses in 1 +gave away the draw .*turning point", text)


def test_check_goes_from_a_function_to_a_game_that_beats_it(run: Run, mine: Path) -> None:
    found = as_json(run, "check", f"{mine}:first")
    assert found["faults"] == []
    assert [found["proof"][mark]["game"] for mark in "xo"] == [[0, 1, 2, 4, 3, 7], [0, 1, 3, 2, 6]]
    assert found["results"]["hard"]["x"] == {"x_wins": "0", "draws": "0", "o_wins": "1"}
    assert len(found["passed_up"]["x"]) == 15
    assert as_json(run, "check", "forks")["given_away"]["x"]
    assert as_json(run, "check", "hard")["given_away"] == {"x": [], "o": []}
    assert as_json(run, "matchup", f"{mine}:first", "hard")["o_wins"] == "1"
    text = as_text(run, "check", f"{mine}:first")
    assert "mine.py:first answered in all 232 positions." in text
    assert "can be beaten. The shortest game, 01326:" in text


BAD_INPUT = {
    "best XX": "here are 2",
    "best XXXOO....": "The game is over",
    "values XX.......": "here are 2 X and 0 O",
    "values X........ O": "unexpected extra argument",
    "best XXOXOOXOX --engine deep": "no engine 'deep'",
    "matchup hard": "Missing argument 'O'",
    "matchup hard rules:win,win": "twice",
    "matchup hard none.py:best": "There is no file none.py",
    "prove rules:": "at least one rule",
    "simulate easy easy --games 0": "0 is not in the range",
    "review 44": "already holds X",
    "review 4x": "'4x' is not",
    "deep": "No such command 'deep'",
}


@pytest.mark.parametrize("arguments, why", BAD_INPUT.items())
def test_bad_input_ends_with_one_sentence_and_status_2(run: Run, arguments: str, why: str) -> None:
    ran = run(*arguments.split())
    assert why in refusal(ran)
    assert ran[1] == ""
