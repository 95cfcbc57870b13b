"""The score against an opponent: won, drawn, lost."""

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Visitor, open_site


def to_the_end(visitor: Visitor, page: Page, *, well: bool = True) -> Page:
    """Play a game to its end, as well or as badly as can be."""
    while not page.outcome:
        choose = min if well else max
        page = visitor.move(
            page, choose(page.playable, key=lambda cell: rules.value(rules.put(page.board, cell)))
        )
    return page


def kind(page: Page, mark: str) -> int:
    """The place of a game in the score."""
    return 0 if page.outcome == mark else 1 if page.outcome == "draw" else 2


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", ["easy", "medium", "hard"])
def test_every_finished_game_counts(alice: Visitor, opponent: str, mark: str) -> None:
    expected = [0, 0, 0]
    for number in range(6):
        page = alice.start(opponent, mark)
        assert page.score == tuple(expected)
        page = to_the_end(alice, page, well=number % 2 == 0)
        expected[kind(page, mark)] += 1
        assert page.score == tuple(expected)
        assert page.score_against == opponent.capitalize()
    assert sum(expected) == 6
    assert alice.get("/").score == tuple(expected)


def test_both_marks_count_together(alice: Visitor) -> None:
    expected = [0, 0, 0]
    for mark in "xoxo":
        page = to_the_end(alice, alice.start("hard", mark), well=False)
        expected[kind(page, mark)] += 1
    assert page.score == tuple(expected)
    assert expected[0] == 0


def test_each_opponent_has_a_score_of_its_own(alice: Visitor) -> None:
    page = to_the_end(alice, alice.start("hard", "x"), well=False)
    assert page.score == (0, 0, 1)
    assert alice.start("easy", "x").score == (0, 0, 0)
    assert alice.get("/", query_string={"opponent": "hard"}).score == (0, 0, 1)
    assert alice.get("/", query_string={"opponent": "medium"}).score == (0, 0, 0)


def test_each_player_has_a_score_of_their_own(alice: Visitor, bob: Visitor) -> None:
    to_the_end(alice, alice.start("hard", "x"), well=False)
    assert bob.start("hard", "x").score == (0, 0, 0)


def test_an_unfinished_game_does_not_count(alice: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    assert alice.act("again", page).score == (0, 0, 0)


@pytest.mark.parametrize("help_", ["hint", "undo"])
def test_a_game_with_help_counts_neither_now_nor_later(alice: Visitor, help_: str) -> None:
    page = alice.act(help_, alice.start("hard", "x", cell=1))
    page = to_the_end(alice, page, well=False)
    assert page.outcome
    assert page.score == (0, 0, 0)
    assert "this game does not count" in page.document.text
    following = to_the_end(alice, alice.act("again", page), well=False)
    assert following.score == (0, 0, 1)
    assert "this game does not count" not in following.document.text
    assert alice.get(page.address).score == (0, 0, 1)


def test_a_friend_has_no_score(alice: Visitor) -> None:
    page = alice.start("friend", "x")
    for cell in (0, 3, 1, 4, 2):
        assert page.score is None
        page = alice.move(page, cell)
    assert page.outcome == "x"
    assert page.score is None
    assert alice.get("/").score is None
    assert alice.get("/", query_string={"opponent": "medium"}).score == (0, 0, 0)


def test_the_score_and_the_games_outlive_the_visit(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        alice = site.visitor()
        page = to_the_end(alice, alice.start("hard", "x"), well=False)
        middle = alice.start("hard", "o")
        cookie = alice.cookie()
    assert cookie is not None
    with open_site(tmp_path) as site:
        alice = site.visitor()
        alice.set_cookie(cookie)
        assert alice.get(page.address).board == page.board
        assert alice.get(page.address).score == (0, 0, 1)
        assert alice.get("/").opponent == "hard"
        assert alice.move(middle, middle.playable[0]).version == middle.version + 1
