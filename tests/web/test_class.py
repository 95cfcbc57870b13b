"""The class page: who waits, who plays, who is good; and what counts in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.people import (
    Clock,
    challenge,
    code_of,
    name_of,
    played_out,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor, open_site

WON, DRAWN, LOST = "03142", "048176253", "031485"
"""Games between two people, by what they are to the player of X."""


@pytest.fixture
def clock(own_site: Site) -> Clock:
    """A clock that a test moves on; the standings are read again after two seconds."""
    return Clock(own_site)


def listed(page: Page, label: str) -> list[str]:
    """The lines of the list of this name."""
    return [
        line.text
        for one in page.document.all("ul")
        if one.get("aria-label") == label
        for line in one.all("li")
    ]


def table(page: Page, name: str) -> dict[str, list[str]]:
    """A table by the heads of its rows."""
    found = page.document.with_class(name)
    rows = [row for one in found for body in one.all("tbody") for row in body.all("tr")]
    return {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in rows}


def looked(own_clock: Clock, who: Visitor) -> Page:
    """The class page, with standings as of now."""
    own_clock.goes_on(3)
    return who.get("/class")


def records(site: Site) -> dict[tuple[str, str], str]:
    return {(row[0], row[1]): row[2] for row in site.dump()["records"]}


def test_an_open_challenge_is_listed_and_can_be_joined(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    page = challenge(alice, "o")
    code = code_of(page)
    (line,) = listed(bob.get("/class"), "Open challenges")
    assert line == f"{name_of(alice)} You would play X Join"
    assert code not in bob.get("/class").document.text
    (line,) = listed(alice.get("/class"), "Open challenges")
    assert line == f"{name_of(alice)} Your challenge, code {code} Open"
    assert bob.press(bob.get("/class"), "Join").address == page.address
    assert listed(bob.get("/class"), "Open challenges") == []


def test_after_a_quarter_of_an_hour_only_ones_own_are_listed(own_site: Site, clock: Clock) -> None:
    alice, bob, carol, dora = (own_site.visitor() for _ in range(4))
    page = challenge(alice)
    sit_down(bob, carol).play("0")
    clock.goes_on(15 * 60)
    for label in ("Open challenges", "Games in progress"):
        assert len(listed(dora.get("/class"), label)) == 1
    clock.goes_on(1)
    for label, own in (("Open challenges", [alice]), ("Games in progress", [bob, carol])):
        seen = [who for who in (alice, bob, carol, dora) if listed(who.get("/class"), label)]
        assert seen == own
    assert dora.post(f"/join/{code_of(page)}").status == 303, "its code still works"


def test_games_in_progress_are_listed_for_all_to_watch(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    title = f"{name_of(alice)} against {name_of(bob)}"
    assert listed(alice.get("/class"), "Games in progress") == [f"{title}Go on"]
    assert listed(carol.get("/class"), "Games in progress") == [f"{title}Watch"]
    assert carol.get(carol.get("/class").links["Watch"]).watching
    assert listed(carol.get("/class/board"), "Games in progress") == [title]
    pair.play(WON)
    assert listed(carol.get("/class"), "Games in progress") == []


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_the_class_asks_for_news_by_itself(own_site: Site, address: str) -> None:
    page = own_site.visitor().get(address)
    asking = page.the("class")
    assert asking.get("hx-get") == address
    (instead,) = page.document.all("noscript")
    assert [link.get("href") for link in instead.all("a")] == [address]
    challenge(own_site.visitor())
    answer = own_site.visitor().get(address, fragment=True, onto=page)
    assert answer.is_fragment
    assert answer.the("class").text != asking.text


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
        clock.goes_on(1)
    page = own_site.visitor().get("/class/board")
    assert listed(page, "Open challenges") == [name_of(one) for one in several[:6]]
    assert " more" not in page.document.text
    challenge(several[-1])
    page = own_site.visitor().get("/class/board")
    assert listed(page, "Open challenges") == [name_of(one) for one in several[:5]]
    assert "and 2 more" in page.document.text


def test_equal_points_share_a_place_and_a_gap_is_seen(
    own_site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.service.lobby._SHOWN", 1)
    several = [own_site.visitor() for _ in range(3)]
    for number, one in enumerate(several):
        for opponent in ("easy", "hard")[: 2 - number // 2]:
            played_out(one, opponent)
    pages = [looked(clock, one) for one in several]
    assert [len(page.document.with_class("me")) for page in pages] == [1, 1, 1]
    assert [len(page.document.with_class("gap")) for page in pages] == [0, 0, 1]
    places = [[row[0] for row in table(page, "standings").values()] for page in pages[:2]]
    assert sorted(places) == [["1"], ["1", "1"]]


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_while_no_game_counts_it_is_said_what_does(
    own_site: Site, clock: Clock, address: str
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    sit_down(alice, bob).play(WON)
    clock.goes_on(3)
    nothing = "No game counts yet. Games against the computer count at once"
    assert nothing in alice.get(address).document.text
    played_out(bob)
    clock.goes_on(3)
    assert nothing not in alice.get(address).document.text


def test_the_viewers_levels_and_last_games_are_shown(own_site: Site, clock: Clock) -> None:
    alice = own_site.visitor()
    games = [played_out(alice) for _ in range(3)]
    page = looked(clock, alice)
    won, drawn, lost = (sum(game.outcome == one for game in games) for one in ("x", "draw", "o"))
    assert table(page, "levels")["Easy"][:3] == [str(won), str(drawn), str(lost)]
    past = [link for link in page.document.all("a") if link.get("href").startswith("/review/")]
    assert [link.text.split(" against ")[1] for link in past] == ["Easy"] * 3
    for link in past:
        assert alice.get(link.get("href")).status == 200


def test_between_two_people_the_last_five_games_and_the_best_run_are_kept(
    own_site: Site, clock: Clock
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in (WON, WON, WON, LOST, LOST, DRAWN, DRAWN):
        sit_down(alice, bob).play(moves)
    a, b = player_of(alice), player_of(bob)
    assert {row[:2]: row[2:] for row in own_site.dump()["records"]} == {
        (a, b): ("wlldd", 3, 2, 2, 0, 3),
        (b, a): ("lwwdd", 2, 2, 3, 0, 2),
    }
    assert sit_down(alice, bob).play("0").score == (3, 2, 2)
    played_out(own_site.visitor())
    table_of = table(looked(clock, alice), "standings")
    assert not {name_of(alice), name_of(bob)} & {*table_of}, "a second browser lifts nobody"


@pytest.mark.parametrize("what", ["hint", "undo", "friend", "given"])
def test_such_games_count_nowhere(own_site: Site, what: str) -> None:
    alice = own_site.visitor()
    if what == "given":
        page = alice.follow(alice.post("/games", {"moves": "40", "opponent": "easy"}))
    else:
        page = alice.start("friend" if what == "friend" else "easy", "x", cell=4)
    if what in ("hint", "undo"):
        page = alice.act(what, page)
    assert played_out(alice, page=page).outcome
    assert own_site.dump()["records"] == own_site.dump()["scores"] == []


def test_rule_lists_and_own_functions_count_in_no_standings(tmp_path: Path, mine: Path) -> None:
    with open_site(tmp_path / "own", engine=f"{mine}:first") as site:
        alice, clock = site.visitor(), Clock(site)
        options = [one.get("value") for one in alice.get("/").the("opponent").all("option")]
        (own,) = [slug for slug in options if "first" in slug]
        for opponent in (own, "rules:win,block"):
            page = played_out(alice, opponent)
            assert page.score
            assert sum(page.score) == 1
        assert table(looked(clock, alice), "standings") == {}


def two_moves_in(who: Visitor, mark: str = "x") -> Page:
    page = who.start("hard", mark, **({"cell": 4} if mark == "x" else {}))
    while page.board.count(mark.upper()) < 2:
        blocks = rules.completions(page.board, "X" if mark == "o" else "O")
        page = who.move(page, next(iter([*blocks, *page.playable])))
    assert not page.outcome
    return page


def check_lost(site: Site, who: Visitor, left: Page, to: str = "o") -> None:
    assert records(site) == {(player_of(who), "hard"): "l"}
    page = who.get(left.address)
    assert (page.outcome, page.playable, page.board) == (to, [], left.board)
    assert "left" in page.heading
    assert page.score == (0, 0, 1)
    for what in ("moves", "undo", "hint"):
        assert who.try_to(what, page, {"cell": rules.free(page.board)[0]}).status == 409


def test_after_one_move_leaving_costs_nothing(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.start("hard", "x", cell=4)
    alice.press(page, "New game")
    assert own_site.dump()["records"] == []
    assert alice.get(page.address).outcome == "left", "it has ended all the same"
    assert "/review/" not in alice.get("/class").text, "without being one of the last games"


@pytest.mark.parametrize("mark", ["x", "o"])
def test_after_two_moves_leaving_loses_once_and_the_button_says_so(
    own_site: Site, mark: str
) -> None:
    alice = own_site.visitor()
    assisted = alice.act("hint", two_moves_in(alice, mark))
    alice.press(assisted, "New game")
    assert records(own_site) == {}, "an assisted game is left without a loss"
    page = two_moves_in(alice, mark)
    following = alice.press(page, "New game, this one lost")
    assert following.score == (0, 0, 1)
    for _ in range(2):
        alice.act("again", page)
    alice.start("hard", "o")
    check_lost(own_site, alice, page, to="o" if mark == "x" else "x")


def test_the_way_over_the_front_page_loses_as_well(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    alice.start("easy", "x", cell=4)
    assert records(own_site) == {}, "another opponent leaves the game waiting"
    front = alice.get("/?opponent=medium")
    assert "A new one counts it as lost." not in front.document.text
    front = alice.get("/?opponent=hard")
    assert "Continue your game against Hard" in front.links
    assert "A new one counts it as lost." in front.document.text
    assert alice.get(page.address).outcome == ""
    alice.press(front, front.cell(0))
    check_lost(own_site, alice, page)
