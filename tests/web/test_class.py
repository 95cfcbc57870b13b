"""The class page: who waits, who plays, who is good; and what counts in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.page import Page
from tests.support.people import Clock, Pair, challenge, code_of, name_of, player_of, sit_down
from tests.support.visitor import Site, Visitor, open_site


@pytest.fixture
def clock(own_site: Site) -> Clock:
    """A clock that a test moves on; the standings are read anew after two seconds."""
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


def standing(page: Page) -> dict[str, list[str]]:
    """Place, points and opponents by name."""
    return table(page, "standings")


def looked(own_clock: Clock, who: Visitor) -> Page:
    """The class page, with standings as of now."""
    own_clock.goes_on(3)
    return who.get("/class")


def records(site: Site) -> dict[tuple[str, str], str]:
    return {(row[0], row[1]): row[2] for row in site.dump()["records"]}


def played_out(who: Visitor, opponent: str = "easy", page: Page | None = None) -> Page:
    """A game to its end, as well as one who completes and blocks."""
    page = page or who.start(opponent, "x", cell=4)
    while not page.outcome:
        wins, blocks = rules.completions(page.board, "X"), rules.completions(page.board, "O")
        page = who.move(page, next(iter([*wins, *blocks, *page.playable])))
    return page


# --- who waits, and who plays ---------------------------------------------------------------------


def test_an_open_challenge_is_listed_and_can_be_joined(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    page = challenge(alice, "o")
    assert listed(bob.get("/class"), "Open challenges") == [
        f"{name_of(alice)} You would play X Join"
    ]
    assert listed(alice.get("/class"), "Open challenges") == [
        f"{name_of(alice)} Your challenge, code {code_of(page)} Open"
    ]
    game = bob.press(bob.get("/class"), "Join")
    assert game.address == page.address
    assert listed(bob.get("/class"), "Open challenges") == []


def test_the_code_of_somebody_elses_challenge_is_not_spelt_out(own_site: Site) -> None:
    code = code_of(challenge(own_site.visitor()))
    assert code not in own_site.visitor().get("/class").document.text


def test_a_challenge_of_long_ago_is_listed_no_more(own_site: Site, clock: Clock) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    page = challenge(alice)
    clock.goes_on(15 * 60)
    assert len(listed(bob.get("/class"), "Open challenges")) == 1
    clock.goes_on(1)
    assert listed(bob.get("/class"), "Open challenges") == []
    assert bob.post(f"/join/{code_of(page)}").status == 303, "its code still works"


def test_whoever_opened_it_still_sees_it(own_site: Site, clock: Clock) -> None:
    alice = own_site.visitor()
    challenge(alice)
    clock.goes_on(15 * 60 + 1)
    assert len(listed(alice.get("/class"), "Open challenges")) == 1


def test_a_game_in_which_nobody_has_moved_for_long_is_listed_for_its_players_only(
    own_site: Site, clock: Clock
) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    sit_down(alice, bob).play("0")
    clock.goes_on(15 * 60 + 1)
    assert listed(carol.get("/class"), "Games in progress") == []
    for one in (alice, bob):
        assert len(listed(one.get("/class"), "Games in progress")) == 1


def test_a_challenge_keeps_its_place_when_others_come(own_site: Site, clock: Clock) -> None:
    carol, several = own_site.visitor(), [own_site.visitor() for _ in range(3)]
    for number, one in enumerate(several, 1):
        challenge(one)
        clock.goes_on(1)
        names = [line.split(" You")[0] for line in listed(carol.get("/class"), "Open challenges")]
        assert names == [name_of(one) for one in several[:number]]


def test_a_game_keeps_its_place_when_somebody_moves(own_site: Site, clock: Clock) -> None:
    carol, pairs = own_site.visitor(), []
    for _ in range(2):
        pairs.append(sit_down(own_site.visitor(), own_site.visitor()))
        clock.goes_on(1)
    before = listed(carol.get("/class"), "Games in progress")
    for pair in pairs[::-1]:
        pair.play("0")
        clock.goes_on(1)
        assert listed(carol.get("/class"), "Games in progress") == before


def test_games_in_progress_are_listed_for_all_to_watch(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    title = f"{name_of(alice)} against {name_of(bob)}"
    assert listed(alice.get("/class"), "Games in progress") == [f"{title}Go on"]
    carol = own_site.visitor()
    assert listed(carol.get("/class"), "Games in progress") == [f"{title}Watch"]
    assert carol.get(carol.get("/class").links["Watch"]).watching
    assert listed(carol.get("/class/board"), "Games in progress") == [title]
    pair.play("03142")
    assert listed(carol.get("/class"), "Games in progress") == []


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_the_class_asks_for_news_by_itself(own_site: Site, address: str) -> None:
    page = own_site.visitor().get(address)
    asking = page.the("class")
    assert asking.get("hx-get") == address
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


def test_so_it_is_where_somebody_waits_for_a_classmate(own_site: Site) -> None:
    assert "--lan" in challenge(own_site.visitor()).document.text


def test_the_wall_says_how_many_more_there_are_than_fit(own_site: Site, clock: Clock) -> None:
    several = [own_site.visitor() for _ in range(7)]
    for one in several[:-1]:
        challenge(one)
        clock.goes_on(1)
    wall = own_site.visitor()
    assert len(listed(wall.get("/class/board"), "Open challenges")) == 6
    assert " more" not in wall.get("/class/board").document.text
    challenge(several[-1])
    page = wall.get("/class/board")
    assert listed(page, "Open challenges") == [name_of(one) for one in several[:5]]
    assert "and 2 more" in page.document.text


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_without_javascript_the_class_can_be_refreshed(own_site: Site, address: str) -> None:
    page = own_site.visitor().get(address)
    (instead,) = page.document.all("noscript")
    assert [link.get("href") for link in instead.all("a")] == [address]


# --- standings ------------------------------------------------------------------------------------


def test_the_standings_say_in_two_sentences_how_they_are_made(own_site: Site) -> None:
    text = own_site.visitor().get("/class").document.text
    assert "Each opponent counts once" in text
    assert text.count("Your best five classmates count") == 1


@pytest.mark.parametrize("address", ["/class", "/class/board"])
def test_while_no_game_counts_it_is_said_what_does(
    own_site: Site, clock: Clock, address: str
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    sit_down(alice, bob).play("03142")
    clock.goes_on(3)
    assert "No game counts yet. Games against the computer count at once" in (
        alice.get(address).document.text
    )
    played_out(bob)
    clock.goes_on(3)
    assert "No game counts yet" not in alice.get(address).document.text


def test_where_places_are_left_out_before_ones_own_it_is_said(
    own_site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.service.classroom._SHOWN", 1)
    several = [own_site.visitor() for _ in range(3)]
    for number, one in enumerate(several):
        for opponent in ("easy", "medium", "hard")[: 3 - number]:
            played_out(one, opponent)
    pages = [looked(clock, one) for one in several]
    assert [len(page.document.with_class("me")) for page in pages] == [1, 1, 1]
    assert [len(page.document.with_class("gap")) for page in pages] == [0, 0, 1]


def test_two_who_played_the_same_share_a_place(own_site: Site, clock: Clock) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for who in (alice, bob):
        played_out(who)
    found = standing(looked(clock, alice))
    assert found[f"{name_of(alice)} (you)"] == found[name_of(bob)]
    assert found[name_of(bob)][0] == "1"


def test_ones_own_levels_and_last_games_are_shown(own_site: Site, clock: Clock) -> None:
    alice = own_site.visitor()
    games = [played_out(alice) for _ in range(3)]
    page = looked(clock, alice)
    won = sum(game.outcome == "x" for game in games)
    drawn = sum(game.outcome == "draw" for game in games)
    assert table(page, "levels")["Easy"][:3] == [str(won), str(drawn), str(3 - won - drawn)]
    past = [link for link in page.document.all("a") if link.get("href").startswith("/review/")]
    assert len(past) == 3
    assert {link.text.split(" against ")[1] for link in past} == {"Easy"}
    for link in past:
        assert alice.get(link.get("href")).status == 200


def test_the_best_run_stays_when_it_ends(own_site: Site, clock: Clock) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    sit_down(alice, bob).play("03142")
    for outcome in ("03142", "03142", "031485"):
        sit_down(alice, bob).play(outcome)
    (run, best) = next(
        (row[6], row[7])
        for row in own_site.dump()["records"]
        if row[:2] == (player_of(alice), player_of(bob))
    )
    assert (run, best) == (0, 3)


def test_of_many_games_the_last_five_count(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in ("03142",) * 3 + ("031485",) * 2 + ("048176253",) * 2:
        sit_down(alice, bob).play(moves)
    assert records(own_site)[player_of(alice), player_of(bob)] == "wlldd"
    assert records(own_site)[player_of(bob), player_of(alice)] == "lwwdd"


def test_two_tabs_of_ones_own_lift_nobody(own_site: Site, clock: Clock) -> None:
    honest, cheat, puppet = (own_site.visitor() for _ in range(3))
    for opponent in ("easy", "medium", "hard"):
        played_out(honest, opponent)
    for _ in range(6):
        sit_down(cheat, puppet).play("03142")
    found = standing(looked(clock, honest))
    assert found[f"{name_of(honest)} (you)"][0] == "1"
    assert name_of(cheat) not in found


# --- what does not count --------------------------------------------------------------------------


@pytest.mark.parametrize("helped", ["hint", "undo"])
def test_a_game_with_help_counts_nowhere(own_site: Site, helped: str) -> None:
    alice = own_site.visitor()
    page = alice.act(helped, alice.start("easy", "x", cell=4))
    assert played_out(alice, page=page).outcome
    assert own_site.dump()["records"] == []


@pytest.mark.parametrize(
    "fields",
    [{"opponent": "friend"}, {"opponent": "rules:win,block"}, {"moves": "40", "opponent": "easy"}],
)
def test_such_games_count_nowhere(own_site: Site, fields: dict[str, str]) -> None:
    alice = own_site.visitor()
    page = alice.follow(alice.post("/games", {"mark": "x", **fields}))
    while not page.outcome:
        page = alice.move(page, page.playable[0])
    assert own_site.dump()["records"] == []


def test_a_function_of_ones_own_counts_nowhere(tmp_path: Path, mine: Path) -> None:
    with open_site(tmp_path / "own", engine=f"{mine}:first") as site:
        alice = site.visitor()
        (slug,) = [
            one.get("value")
            for one in alice.get("/").the("opponent").all("option")
            if "first" in one.get("value")
        ]
        page = alice.start(slug, "x", cell=4)
        while not page.outcome:
            page = alice.move(page, page.playable[-1])
        assert site.dump()["records"] == []
        alice.start(slug, "x", cell=4)
        assert alice.get("/class").status == 200


# --- leaving --------------------------------------------------------------------------------------


def two_moves_in(who: Visitor, opponent: str = "hard") -> Page:
    page = who.start(opponent, "x", cell=4)
    page = who.move(page, page.playable[0])
    assert not page.outcome
    return page


def check_lost(site: Site, who: Visitor, left: Page) -> None:
    assert records(site) == {(player_of(who), "hard"): "l"}
    page = who.get(left.address)
    assert page.outcome == "o"
    assert "left" in page.heading
    assert page.playable == []
    assert page.score == (0, 0, 1)


def test_after_one_move_leaving_costs_nothing(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.start("hard", "x", cell=4)
    assert "New game" in page.buttons
    alice.press(page, "New game")
    assert own_site.dump()["records"] == []
    assert alice.get(page.address).outcome == ""


def test_after_two_moves_leaving_loses_and_the_button_says_so(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    following = alice.press(page, "New game, this one lost")
    assert following.address != page.address
    assert following.score == (0, 0, 1)
    check_lost(own_site, alice, page)


def test_the_way_over_the_front_page_loses_as_well(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    front = alice.get("/?opponent=easy")
    assert "Continue your game against Hard" in front.links
    assert "A new one counts it as lost." not in front.document.text
    front = alice.get("/?opponent=hard")
    assert "A new one counts it as lost." in front.document.text
    alice.press(front, front.cell(0))
    check_lost(own_site, alice, page)


def test_it_is_lost_once_only(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    for _ in range(3):
        alice.act("again", page)
    alice.start("hard", "x", cell=4)
    check_lost(own_site, alice, page)


def test_another_opponent_leaves_the_game_waiting(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    alice.start("easy", "x", cell=4)
    assert own_site.dump()["records"] == []
    assert alice.get(page.address).outcome == ""


def test_who_has_had_help_loses_nothing_by_leaving(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.act("hint", two_moves_in(alice))
    alice.press(page, "New game")
    assert own_site.dump()["records"] == []


def test_a_game_that_another_one_followed_is_lost_where_the_button_says_so(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.start("hard", "x", cell=4)
    alice.act("again", page)  # nothing lost yet
    page = alice.get(page.address)
    page = alice.move(page, page.playable[0])
    assert not page.outcome
    alice.press(page, "New game, this one lost")
    check_lost(own_site, alice, page)


def test_a_game_that_was_left_stays_as_it_is(own_site: Site) -> None:
    alice = own_site.visitor()
    page = two_moves_in(alice)
    alice.act("again", page)
    left = alice.get(page.address)
    for what in ("moves", "undo", "hint"):
        assert alice.try_to(what, left, {"cell": rules.free(left.board)[0]}).status == 409
    assert alice.get(page.address).board == left.board


def test_a_tie_between_two_people_is_half_a_win(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair: Pair = sit_down(alice, bob)
    pair.play("048176253")
    assert records(own_site)[player_of(alice), player_of(bob)] == "d"
    assert isinstance(alice.get("/class").the("class"), Element)
