"""The score against an opponent: won, drawn, lost."""

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Visitor, open_site


def choose(page: Page, *, well: bool) -> int:
    worth = {cell: rules.value(rules.put(page.board, cell)) for cell in page.playable}
    return (min if well else max)(worth, key=lambda cell: worth[cell])


def to_the_end(visitor: Visitor, page: Page, *, well: bool = True) -> Page:
    """Play a game to its end, as well or as badly as possible."""
    while not page.outcome:
        page = visitor.move(page, choose(page, well=well))
    return page


def start(visitor: Visitor, opponent: str, mark: str) -> Page:
    return visitor.start(opponent, mark, **({"cell": 4} if mark == "x" else {}))


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard", "rules:block"])
def test_every_finished_game_counts_with_either_mark(
    alice: Visitor, bob: Visitor, opponent: str
) -> None:
    expected = [0, 0, 0]
    for number, mark in enumerate("xoxoxo"):
        page = start(alice, opponent, mark)
        assert page.score == tuple(expected)
        page = to_the_end(alice, page, well=number % 3 == 0)
        expected[0 if page.outcome == mark else 1 if page.outcome == "draw" else 2] += 1
        assert page.score == tuple(expected)
    assert alice.get("/").score == tuple(expected)
    assert sum(expected) == 6
    assert alice.get("/", query_string={"opponent": "friend"}).score is None
    assert start(alice, "minimax", "x").score == (0, 0, 0), "each opponent has its own"
    assert start(bob, opponent, "x").score == (0, 0, 0), "so has each player"


def test_the_score_and_the_games_outlive_the_visit(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        alice = site.visitor()
        page = to_the_end(alice, start(alice, "hard", "x"), well=False)
        middle = start(alice, "hard", "o")
        cookie = alice.cookie()
    assert cookie is not None
    with open_site(tmp_path) as site:
        alice = site.visitor()
        alice.set_cookie(cookie)
        again = alice.get(page.address)
        assert (again.board, again.score) == (page.board, (0, 0, 1))
        assert alice.get("/").opponent == "hard"
        assert alice.move(middle, middle.playable[0]).version == middle.version + 1
