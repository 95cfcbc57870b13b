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
    assert start(alice, "minimax", "x").score == (0, 0, 0), "each opponent has its own"
    assert start(bob, opponent, "x").score == (0, 0, 0), "so has each player"


@pytest.mark.parametrize("own_moves,lost", [(1, 0), (2, 1)])
@pytest.mark.parametrize("how", ["again", "a new game"])
@pytest.mark.parametrize("opponent", ["hard", "rules:block"])
def test_a_game_that_is_left_counts_as_lost_from_the_second_own_move_on(
    alice: Visitor, opponent: str, how: str, own_moves: int, lost: int
) -> None:
    page = start(alice, opponent, "o")
    for _ in range(own_moves):
        page = alice.move(page, choose(page, well=True))
    assert not page.outcome
    if how == "again":
        alice.act("again", page, mark="x")
    else:
        assert ("counts it as lost" in alice.get("/").game.text) is bool(lost)
        start(alice, opponent, "x")
    assert alice.get("/").score == (0, 0, lost)
    assert bool(alice.get(page.address).outcome) is (how == "again" or bool(lost))


def test_a_friend_has_no_score(alice: Visitor) -> None:
    page = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        assert page.score is None
        page = alice.move(page, cell)
    assert (page.outcome, page.score, alice.get("/").score) == ("x", None, None)


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
