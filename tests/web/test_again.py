"""``POST /games/<id>/again``: the next game."""

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor


def finished(visitor: Visitor, opponent: str = "hard", mark: str = "x") -> Page:
    page = visitor.start(opponent, mark)
    while not page.outcome:
        page = visitor.move(page, page.playable[0])
    return page


@pytest.mark.parametrize("htmx", [False, True])
def test_play_again_leads_to_a_new_game(alice: Visitor, htmx: bool) -> None:
    page = finished(alice)
    following = alice.press(page, "Play again", htmx=htmx)
    assert following.address != page.address
    assert (following.board, following.outcome) == (EMPTY, "")
    assert following.score_against == "Hard"
    assert following.heading == "Your turn"
    assert alice.get(following.address).version == following.version


@pytest.mark.parametrize("htmx", [False, True])
def test_new_game_leaves_a_game_in_the_middle(alice: Visitor, htmx: bool) -> None:
    page = alice.start("medium", "x", cell=4)
    following = alice.press(page, "New game", htmx=htmx)
    assert following.address != page.address
    assert following.board == EMPTY
    assert alice.get(page.address).board == page.board


@pytest.mark.parametrize("htmx", [False, True])
def test_again_leads_to_the_same_next_game_each_time(
    site: Site, alice: Visitor, htmx: bool
) -> None:
    page = finished(alice)
    first = alice.press(page, "Play again", htmx=htmx)
    games = len(site.dump()["games"])
    first = alice.press(first, first.cell(4), htmx=htmx)
    second = alice.press(page, "Play again", htmx=htmx)
    assert second.address == first.address
    assert (second.board, second.version) == (first.board, first.version)
    assert len(site.dump()["games"]) == games


def test_again_needs_no_version(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    answer = alice.post(f"{page.address}/again")
    assert answer.status == 303
    assert answer.location != page.address


def test_again_works_on_an_untouched_game(alice: Visitor) -> None:
    page = alice.start("easy", "x")
    following = alice.act("again", page)
    assert following.address != page.address
    assert alice.act("again", page).address == following.address


def test_games_follow_one_another(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    addresses = [page.address]
    for _ in range(4):
        page = alice.act("again", page)
        addresses.append(page.address)
    assert len(set(addresses)) == 5


def test_again_with_o_lets_the_engine_open(alice: Visitor) -> None:
    page = alice.act("again", finished(alice, "easy", "o"))
    assert page.board.count("X") == 1
    assert page.heading == "Your turn"


def test_again_alternates(alice: Visitor) -> None:
    page = finished(alice, "easy", "alternate")
    assert page.moves[0].startswith("1 X top left")
    opened_by_the_player = []
    for _ in range(4):
        page = alice.act("again", page)
        opened_by_the_player.append(page.board == EMPTY)
        while not page.outcome:
            page = alice.move(page, page.playable[0])
    assert opened_by_the_player == [False, True, False, True]


def test_again_goes_on_with_the_friend(alice: Visitor) -> None:
    page = alice.act("again", alice.start("friend", "x", cell=4))
    assert page.heading == "X to move"
    assert alice.move(alice.move(page, 0), 1).board == "XO......."


def test_with_htmx_the_address_changes_to_the_next_game(alice: Visitor) -> None:
    page = finished(alice)
    answer = alice.try_to("again", page, fragment=True)
    assert answer.status == 200
    assert answer.is_fragment
    assert answer.headers["HX-Push-Url"].startswith("/games/")
    assert answer.headers["HX-Push-Url"] != page.address


def test_the_next_game_starts_with_version_one(alice: Visitor) -> None:
    assert alice.act("again", alice.start("easy", "x", cell=4)).version == 1


def test_a_hint_in_one_game_does_not_count_against_the_next(alice: Visitor) -> None:
    page = alice.act("again", alice.act("hint", alice.start("easy", "x", cell=4)))
    assert "does not count" not in page.document.text
