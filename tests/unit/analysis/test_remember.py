"""What is remembered of analyses, and for how long."""

from __future__ import annotations

import random

from tests.support.functions import engine_of
from webapp.analysis.matchup import matchup, proof, table
from webapp.analysis.policy import policy_of
from webapp.analysis.remember import remembered
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list


def random_lists(number: int, seed: str) -> list[str]:
    """Different lists of rules, in any order."""
    rng, found = random.Random(seed), dict[str, None]()
    while len(found) < number:
        slugs = rng.sample(list(LAB_RULES), rng.randint(1, 10))
        found[f"rules:{','.join(slugs)}"] = None
    return list(found)


def test_no_number_of_lists_pushes_out_what_is_known_of_the_other_engines() -> None:
    asked = list[str]()

    @remembered(most=8)
    def analysis(x: Engine, o: Engine) -> None:
        asked.append(f"{x.slug} {o.slug}")

    listed = list(ENGINES.values())
    lists = [rule_list(text) for text in random_lists(3_000, "many")]
    for engine in (*listed, *lists, *listed, *reversed(lists[-8:])):
        analysis(ENGINES["easy"], engine)
    assert asked == [f"easy {engine.slug}" for engine in (*listed, *lists)]
    # Of lists only the last ones are kept, so that the memory has a bound.
    analysis(ENGINES["easy"], lists[0])
    assert asked[-1] == f"easy {lists[0].slug}"


def test_every_analysis_remembers_engines_for_good_and_lists_for_a_while() -> None:
    def known() -> list[object]:
        found: list[object] = [*table(ENGINES.values()).values()]
        for engine in ENGINES.values():
            found += [policy_of(engine), worth(engine), *(proof(engine, mark) for mark in Mark)]
        return found

    before, lists = known(), [rule_list(text) for text in random_lists(300, "worth")]
    kept = [worth(one) for one in lists]
    assert all(one is other for one, other in zip(known(), before, strict=True))
    assert worth(lists[-1]) is kept[-1]
    assert worth(lists[0]) is not kept[0]
    assert matchup(ENGINES["easy"], lists[-1]) is kept[-1].results["easy", Mark.O]
    rule_list.cache_clear()  # one that is read a second time is known again
    assert worth(rule_list(lists[-1].slug)) is kept[-1]


def test_engines_that_differ_are_not_taken_for_each_other() -> None:
    assert len({rule_list(text) for text in random_lists(200, "other")}) == 200
    # These play alike, but each is proved under the name that it was given.
    assert proof(rule_list("rules:win,any"), Mark.X).engine == "rules:win,any"
    assert proof(rule_list("rules:win"), Mark.X).engine == "rules:win"
    first = engine_of(lambda board: board.index("."))
    last = engine_of(lambda board: board.rindex("."))
    assert proof(first, Mark.O).game != proof(last, Mark.O).game
