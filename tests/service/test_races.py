"""Many requests at the same moment, in real processes: what may happen once happens once."""

import pytest

from tests.support import races, rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor


def cookie_of(visitor: Visitor) -> str:
    visitor.get("/")
    cookie = visitor.cookie()
    assert cookie is not None
    return cookie


def shared(cookie: str, posts: list[races.Post]) -> list[tuple[str, list[races.Post]]]:
    """The posts, dealt out to the processes."""
    return [(cookie, posts[number :: races.PROCESSES]) for number in range(races.PROCESSES)]


def games_in(site: Site) -> int:
    return len(site.dump()["games"])


@pytest.mark.parametrize("opponent", ["medium", "friend"])
def test_of_a_hundred_moves_at_once_one_is_played(
    race: races.Race, site: Site, opponent: str
) -> None:
    alice = site.visitor()
    games = [alice.start(opponent, "x") for _ in range(3)]
    posts = [
        (f"{game.address}/moves", {"cell": str(number % 9), "version": "1"})
        for number in range(100)
        for game in games
    ]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    for game in games:
        check_one_move(alice.get(game.address), plies=1 if opponent == "friend" else 2)
    accepted = [location for status, location in answers if status == 303]
    assert sorted(accepted) == sorted(game.address for game in games)
    assert {status for status, _ in answers} == {303, 409}
    assert len(answers) == 300


def check_one_move(page: Page, plies: int) -> None:
    assert page.version == 2
    assert len(page.moves) == 9 - page.board.count(".") == plies
    assert page.board.count("X") == 1
    assert rules.outcome(page.board) == page.outcome == ""


def test_a_move_an_undo_and_a_hint_at_once_are_one_change(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    game = alice.start("hard", "x", cell=4)
    free = str(game.playable[0])
    posts: list[races.Post] = [
        (f"{game.address}/{what}", {"version": "1", "cell": free})
        for what in ("moves", "undo", "hint")
        for _ in range(16)
    ]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    assert sorted(status for status, _ in answers) == [303] + [409] * 47
    assert alice.get(game.address).version == 2


def test_of_forty_times_again_one_next_game_comes(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    games = [alice.start("hard", "x", cell=4) for _ in range(3)]
    before = games_in(site)
    posts: list[races.Post] = [(f"{game.address}/again", {}) for _ in range(40) for game in games]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    assert {status for status, _ in answers} == {303}
    assert len({location for _, location in answers}) == 3
    assert games_in(site) == before + 3
    for game in games:
        following = alice.act("again", game)
        assert following.version == 1
        assert (303, following.address) in answers
    assert games_in(site) == before + 3


@pytest.mark.parametrize("cell", [{"cell": "4"}, {}])
def test_the_same_key_sent_by_many_makes_one_game(
    race: races.Race, site: Site, cell: dict[str, str]
) -> None:
    alice = site.visitor()
    posts: list[races.Post] = [
        ("/games", {"opponent": "easy", "mark": "x", "key": f"k{number % 3}", **cell})
        for number in range(60)
    ]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    assert {status for status, _ in answers} == {303}
    assert len({location for _, location in answers}) == 3
    assert games_in(site) == 3
    assert len(site.dump()["players"]) == 1


def test_a_newcomer_who_starts_many_games_at_once_gets_them_all(
    race: races.Race, site: Site
) -> None:
    alice = site.visitor()
    posts: list[races.Post] = [
        ("/games", {"opponent": ("easy", "hard")[number % 2], "mark": "o"}) for number in range(60)
    ]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    assert {status for status, _ in answers} == {303}
    assert len({location for _, location in answers}) == games_in(site) == 60
    assert len(site.dump()["players"]) == 1


def test_moves_in_many_games_at_once_are_all_played(race: races.Race, site: Site) -> None:
    alice = site.visitor()
    games = [alice.start("medium", "x") for _ in range(40)]
    posts: list[races.Post] = [
        (
            f"{game.address}/moves",
            {
                "cell": "4",
                "version": "1",
                "opponent": ("easy", "hard")[number % 2],
                "mark": "x",
            },
        )
        for number, game in enumerate(games)
    ]
    answers = race.run(races.post, site.settings, shared(cookie_of(alice), posts))
    assert {status for status, _ in answers} == {303}
    for game in games:
        check_one_move(alice.get(game.address), plies=2)
