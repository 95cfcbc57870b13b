"""The class page: who waits, who plays, who is good; and what counts in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.people import (
    Clock,
    be_here,
    challenge,
    code_of,
    name_of,
    played_out,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor, open_site
from webapp.core.game import Result
from webapp.service.ranking import NO_TABLE, Ranking
from webapp.store import records

WON, DRAWN, LOST = "03142", "048176253", "031485"
"""Games between two people, by what they are to the player of X."""


@pytest.fixture
def clock(own_site: Site) -> Clock:
    """A clock that a test moves on."""
    return Clock(own_site)


def listed(page: Page, label: str) -> list[str]:
    """The lines of the list of this name."""
    lists = [one for one in page.document.all("ul") if one.get("aria-label") == label]
    return [line.text for one in lists for line in one.all("li")]


def table(page: Page, name: str) -> dict[str, list[str]]:
    """A table by the heads of its rows."""
    found = page.document.with_class(name)
    rows = [row for one in found for body in one.all("tbody") for row in body.all("tr")]
    return {
        head.text: [cell.text for cell in row.all("td")] for row in rows for head in row.all("th")
    }


def test_challenges_and_games_in_progress_are_listed_for_all(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    page = challenge(alice, "o")
    be_here(own_site, alice)
    code = code_of(page)
    (line,) = listed(bob.get("/class"), "Open games")
    assert line == f"{name_of(alice)} You would play X Join"
    assert code not in bob.get("/class").document.text
    (line,) = listed(alice.get("/class"), "Open games")
    assert line == f"{name_of(alice)} Your open game, code {code} Go to the game"
    assert bob.press(bob.get("/class"), "Join").address == page.address
    assert listed(bob.get("/class"), "Open games") == []
    title = f"{name_of(bob)} against {name_of(alice)}"
    assert listed(alice.get("/class"), "Games in progress") == [f"{title}Continue"]
    assert listed(carol.get("/class"), "Games in progress") == [f"{title}Watch"]
    assert carol.get(carol.get("/class").links["Watch"]).watching
    assert listed(carol.get("/class/board"), "Games in progress") == [title]


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_the_class_asks_for_news_by_itself(own_site: Site, address: str) -> None:
    viewer = own_site.visitor()
    viewer.get(address)
    page = viewer.get(address)
    asking = page.the("class")
    assert viewer.get(asking.get("hx-get"), fragment=True).status == 204
    challenger = own_site.visitor()
    challenge(challenger)
    be_here(own_site, challenger)
    answer = viewer.get(asking.get("hx-get"), fragment=True, onto=page)
    assert answer.is_fragment
    assert answer.the("class").text != asking.text
    assert viewer.get(answer.the("class").get("hx-get"), fragment=True).status == 204


@pytest.mark.parametrize(
    "url, others", [("http://localhost", False), ("http://127.0.0.1:8000", False),
                    ("http://[::1]:8000", False), ("http://192.168.1.20:8000", True)]
)  # fmt: skip
def test_an_address_that_others_cannot_open_is_said_to_be_one(
    own_site: Site, url: str, others: bool
) -> None:
    page = own_site.visitor(url).get("/class/board")
    assert ("--lan" not in page.document.text) == others
    assert "--lan" in challenge(own_site.visitor()).document.text


def test_the_wall_says_how_many_more_there_are_than_fit(own_site: Site, clock: Clock) -> None:
    several = [own_site.visitor() for _ in range(7)]
    for one in several[:-1]:
        challenge(one)
        be_here(own_site, one, seldom=True)
        clock.goes_on(1)
    waiting = "Waiting to play"
    page = own_site.visitor().get("/class/board")
    assert listed(page, waiting) == [name_of(one) for one in several[:6]]
    assert " more" not in page.document.text
    challenge(several[-1])
    be_here(own_site, several[-1])
    page = own_site.visitor().get("/class/board")
    assert listed(page, waiting) == [name_of(one) for one in several[:5]]
    assert "and 2 more" in page.document.text


def placed(site: Site, *games: tuple[Visitor, str, list[Result]]) -> None:
    """Count games against the computer, each result for itself."""
    with site.database.write() as connection:
        for who, opponent, results in games:
            for result in results:
                records.record_result(connection, player_of(who), opponent, result)


def test_equal_ratings_share_a_place_and_a_gap_is_seen(
    own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.service.lobby._SHOWN", 1)
    first, second, third, new, watcher = several = [own_site.visitor() for _ in range(5)]
    for one in several[:-1]:
        one.start("easy", "x", cell=4)
    losses: list[Result] = ["l"] * 10
    draws: list[Result] = ["d"] * 10
    games = [(one, level, draws) for one in (first, second) for level in ("medium", "hard")]
    placed(own_site, *games, (third, "medium", losses), (new, "easy", ["w", "w", "w"]))
    pages = {who: who.get("/class") for who in several}
    assert [len(page.document.with_class("me")) for page in pages.values()] == [1, 1, 1, 1, 0]
    assert [len(page.document.with_class("gap")) for page in pages.values()] == [0, 0, 1, 0, 0]
    shown = {who: table(page, "standings") for who, page in pages.items()}
    assert sorted(len(shown[one]) for one in (first, second)) == [2, 3]
    best = ["1", shown[first][f"{name_of(first)} (you)"][1], "20"]
    assert shown[first][f"{name_of(first)} (you)"] == best
    assert shown[second][f"{name_of(second)} (you)"] == best
    assert shown[third][f"{name_of(third)} (you)"] == ["3", "689", "10"]
    nothing = ["none yet", "none yet", "3"]
    assert shown[new][f"{name_of(new)} (you)"] == shown[watcher][name_of(new)] == nothing
    unplaced = pages[watcher].document.with_class("unplaced")
    assert [row.all("th")[0].text for row in unplaced] == [name_of(new)]
    assert list(shown[watcher])[-1] == name_of(new), "below the places"
    wall = own_site.visitor().get("/class/board")
    assert [row[0] for row in table(wall, "standings").values()] == ["1"]
    assert name_of(new) not in wall.document.text


def test_the_table_follows_the_games(own_site: Site) -> None:
    alice = own_site.visitor()
    assert "No one has a place yet." in alice.get("/class").document.text
    page = alice.get("/class")
    played_out(alice)
    answer = alice.get(page.the("class").get("hx-get"), fragment=True, onto=page)
    assert list(table(answer, "standings").values()) == [["none yet", "none yet", "1"]]
    for _ in range(9):
        played_out(alice)
    ((place, rating, games),) = table(alice.get("/class"), "standings").values()
    assert (place, games) == ("1", "10")
    assert 800 < int(rating) < 1200


@pytest.mark.parametrize(
    "seconds, said",
    [
        (0.0, ""),
        (59.0, ""),
        (60.0, "These standings are from 1 minute ago."),
        (150.0, "These standings are from 2 minutes ago."),
        (float("inf"), "The standings are being worked out."),
    ],
)
def test_standings_that_are_not_of_this_minute_say_so(
    own_site: Site, monkeypatch: pytest.MonkeyPatch, seconds: float, said: str
) -> None:
    alice = own_site.visitor()
    shown = NO_TABLE._replace(age=seconds)
    monkeypatch.setattr(Ranking, "table", lambda *_: shown)
    for path in ("/class", "/class/board"):
        text = alice.get(path).document.text
        assert ("standings are" in text) == bool(said)
        assert said in text
        assert ("No one has a place yet." in text) == (not said)


def test_the_viewers_levels_and_last_games_are_shown(own_site: Site) -> None:
    alice = own_site.visitor()
    nothing = "No one has a place yet. You get one after three games with classmates"
    assert nothing in alice.get("/class").document.text
    games = [played_out(alice) for _ in range(3)]
    page = alice.get("/class")
    assert nothing not in page.document.text
    won, drawn, lost = (sum(game.outcome == one for game in games) for one in ("x", "draw", "o"))
    assert table(page, "levels")["Easy"][:3] == [str(won), str(drawn), str(lost)]
    past = [link for link in page.document.all("a") if link.get("href").startswith("/review/")]
    assert [link.text.split(" against ")[1] for link in past] == ["Easy"] * 3
    for link in past:
        assert alice.get(link.get("href")).status == 200


def test_between_two_people_the_last_five_games_and_the_best_run_are_kept(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in (WON, WON, WON, LOST, LOST, DRAWN, DRAWN):
        sit_down(alice, bob).play(moves)
    a, b = player_of(alice), player_of(bob)
    assert {row[:2]: row[2:] for row in own_site.dump()["records"]} == {
        (a, b): ("wlldd", 3, 2, 2, 0, 3, True, ""),
        (b, a): ("lwwdd", 2, 2, 3, 0, 2, True, ""),
    }
    assert sit_down(alice, bob).play("0").score == (3, 2, 2)
    for one in (alice, bob):
        rows = table(one.get("/class"), "standings").values()
        assert list(rows) == [["none yet", "none yet", "7"]] * 2, "a second browser lifts nobody"


def test_rule_lists_and_own_functions_count_in_no_standings(tmp_path: Path, mine: Path) -> None:
    with open_site(tmp_path / "own", engine=f"{mine}:first") as site:
        alice = site.visitor()
        for opponent in ("mine.py:first", "rules:win,block"):
            page = played_out(alice, opponent)
            assert page.score
            assert sum(page.score) == 1
        assert table(alice.get("/class"), "standings") == {}


def test_a_new_game_from_the_front_page_loses_the_one_before_and_says_so(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.start("hard", "x", cell=4)
    blocks = rules.completions(page.board, "O")
    page = alice.move(page, next(iter([*blocks, *page.playable])))
    alice.start("easy", "x", cell=4)
    front = alice.get("/?opponent=medium")
    assert "If you start a new game, you lose this one." not in front.document.text
    front = alice.get("/?opponent=hard")
    assert front.links["Continue"] == page.address
    assert "If you start a new game, you lose this one." in front.document.text
    assert alice.get(page.address).outcome == "", "another opponent leaves the game waiting"
    assert alice.start("hard", "x", cell=0).score == (0, 0, 1)
    left = alice.get(page.address)
    assert (left.outcome, left.playable, left.heading) == ("o", [], "Hard wins: you left")


# --- looking for an opponent ----------------------------------------------------------------------


def finder(page: Page) -> str:
    return page.the("finder").text


def seek(who: Visitor, page: Page | None = None, **fields: object) -> Page:
    """Press "Find an opponent", as htmx does where the page is told."""
    headers = {"HX-Target": "div#class"} if page else {}
    return who.post("/seeks", fields, fragment=bool(page), headers=headers, onto=page)


def test_two_who_look_are_led_to_their_game(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    page = alice.get("/class")
    assert "Find an opponent" in finder(page)
    answer = seek(alice, page)
    assert finder(answer) == "Looking for an opponent: 1 here, 1 looking Cancel"
    carol.get("/class")  # who has just come is counted at once
    assert finder(alice.get("/class")) == "Looking for an opponent: 2 here, 1 looking Cancel"
    assert f"{name_of(alice)} looking for an opponent" in listed(carol.get("/class"), "Here now")
    assert listed(carol.get("/class"), "Open games") == []
    assert listed(carol.get("/class/board"), "Waiting to play") == [name_of(alice)]
    game = seek(bob).location
    asks = answer.the("class").get("hx-get")
    for who in (alice, alice):
        assert who.get(asks, fragment=True).headers["HX-Redirect"] == game
    assert alice.get(asks).location == game, "without scripts likewise"
    assert name_of(bob) in finder(alice.get("/class"))
    assert alice.get("/class").links["Go to your game"] == game
    assert seek(alice).location == game, "pressed once more"
    be_here(own_site, alice, bob)
    assert f"{name_of(bob)} playing {name_of(alice)}" in listed(carol.get("/class"), "Here now")


def test_a_search_can_be_called_off(own_site: Site) -> None:
    alice = own_site.visitor()
    page = seek(alice, alice.get("/class"))
    cancelled = alice.post(
        "/seeks/cancel", fragment=True, headers={"HX-Target": "div#class"}, onto=page
    )
    assert "Find an opponent" in finder(cancelled)
    assert seek(own_site.visitor()).location == "/class"
    assert alice.post("/seeks/cancel").location == "/class"


def test_a_player_in_a_game_is_led_there_or_asked(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    pair.play("04")
    answer = seek(alice)
    assert answer.status == 409
    assert "You are in a game" in answer.document.text
    led = seek(alice, alice.get("/class"))
    assert led.headers["HX-Redirect"] == pair.address
    assert seek(alice, give_up=1).location == "/class"
    assert alice.get(pair.address).outcome == "o"


def test_a_search_stands_before_a_game_whose_opponent_is_away(own_site: Site, clock: Clock) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    pair.play("0")
    clock.goes_on(60)
    assert alice.get("/class").links["Go to your game"] == pair.address
    page = seek(alice, alice.get("/class"))
    assert finder(page) == "Looking for an opponent: 1 here, 1 looking Cancel"
    page = alice.get("/class")
    assert listed(page, "Here now") == [f"{name_of(alice)} (you) looking for an opponent"]
    assert listed(page, "Games in progress")


def test_after_a_game_the_next_opponent_is_one_press_away(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    page = pair.play(WON)
    button = bob.get(page.address).button("Next opponent")
    assert bob.post(button.get("formaction")).location == "/class"
    assert "Looking for an opponent" in finder(bob.get("/class"))


def test_boards_of_players_long_gone_are_not_first(own_site: Site, clock: Clock) -> None:
    pairs = [[own_site.visitor(), own_site.visitor()] for _ in range(3)]
    for pair in pairs:
        sit_down(*pair).play("4")
        clock.goes_on(1)
    clock.goes_on(60)
    be_here(own_site, pairs[0][0], *pairs[2])
    for address in ("/class", "/class/board"):
        titles = listed(own_site.visitor().get(address), "Games in progress")
        there = [{name_of(one) for one in pair} for pair in (pairs[2], pairs[0], pairs[1])]
        assert [
            all(name in title for name in names) for title, names in zip(titles, there, strict=True)
        ] == [True] * 3


def test_the_wall_says_who_has_beaten_whom(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in (WON, DRAWN, LOST):
        sit_down(alice, bob).play(moves)
    a, b = name_of(alice), name_of(bob)
    said = listed(own_site.visitor().get("/class/board"), "Just finished")
    assert sorted(said) == sorted([f"{a} beat {b}", f"{a} and {b} drew", f"{b} beat {a}"])
