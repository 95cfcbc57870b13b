"""What is remembered of analyses, and for how long."""

from __future__ import annotations

import random

import pytest
from webapp.analysis.lookup import lookup

from webapp.analysis.matchup import matchup, proof
from webapp.analysis.remember import Remembered, remembered
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.engines.function import engine_of
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list


def random_lists(number: int, seed: str) -> list[str]:
    """Different lists of rules, in any order."""
    rng, found = random.Random(seed), dict[str, None]()
    while len(found) < number:
        slugs = rng.sample(list(LAB_RULES), rng.randint(1, 10))
        found[f"rules:{','.join(slugs)}"] = None
    return list(found)


@pytest.mark.parametrize("analysis", [lookup, matchup, proof, worth], ids=lambda one: one.__name__)
def test_every_analysis_of_engines_remembers(analysis: object) -> None:
    assert isinstance(analysis, Remembered)


def test_no_number_of_lists_pushes_out_what_is_known_of_the_other_engines() -> None:
    mine = engine_of(lambda board, _: board.index("."), "mine.py:first", "first")
    asked = list[str]()

    @remembered(most=8)
    def analysis(engine: Engine, mark: Mark) -> None:
        asked.append(f"{engine.slug} {mark}")

    named = [*ENGINES.values(), mine]
    for text in ("", *random_lists(1_100, "many")):
        for engine in [rule_list(text)] if text else named:
            for mark in Mark:
                analysis(engine, mark)
    once = len(asked)
    assert once == analysis.computed == 2 * (len(named) + 1_100)
    for engine in named:
        for mark in Mark:
            analysis(engine, mark)
    assert len(asked) == once


def test_of_lists_the_last_ones_are_remembered() -> None:
    asked = list[str]()

    @remembered(most=8)
    def analysis(x: Engine, o: Engine) -> None:
        asked.append(f"{x.slug} {o.slug}")

    lists, easy = random_lists(9, "last"), ENGINES["easy"]
    for text in lists:
        analysis(easy, rule_list(text))
    for text in reversed(lists[1:]):
        analysis(easy, rule_list(text))
    assert asked == [f"easy {text}" for text in lists]
    analysis(easy, rule_list(lists[0]))
    assert asked[-1] == f"easy {lists[0]}"


def test_a_list_that_is_read_anew_is_known_again() -> None:
    rule_list.cache_clear()
    found = worth(rule_list("rules:win,block,any"))
    rule_list.cache_clear()
    assert worth(rule_list("rules:win,block,any")) is found


def test_lists_of_other_rules_or_in_another_order_are_other_engines() -> None:
    texts = random_lists(200, "other")
    assert len({rule_list(text) for text in texts}) == 200
    # They play alike, but each is proved under the name that it was given.
    short, long = rule_list("rules:win"), rule_list("rules:win,any")
    assert short != long
    assert proof(short, Mark.X).engine == "rules:win"


def test_two_functions_of_one_name_are_two_engines() -> None:
    first = engine_of(lambda board, _: board.index("."), "mine.py:best", "best")
    last = engine_of(lambda board, _: board.rindex("."), "mine.py:best", "best")
    assert first != last
    assert proof(first, Mark.O).game != proof(last, Mark.O).game
