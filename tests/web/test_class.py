"""The class page: who waits, who plays, who is good; and what counts in it."""

from __future__ import annotations

import pytest

from tests.support.page import Page
from tests.support.people import (
    Clock,
    be_here,
    challenge,
    code_of,
    name_of,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor
from webapp.core.game import Result
from webapp.live.presence import HIDDEN_FOR_S, PRESENT_FOR_S
from webapp.service import lobby
from webapp.service.ranking import NO_TABLE, Ranking
from webapp.store import records

WON, DRAWN, LOST = "03142", "048176253", "031485"
"""Games between two people, by what they are to the player of X."""

OPEN = " open game"


def waiting(who: Visitor) -> set[str]:
    """The names of the players whose open games the class page shows."""
    lines = who.get("/class").listed("Here now")
    return {line.removesuffix(OPEN) for line in lines if line.endswith(OPEN)}


def names(*players: Visitor) -> str:
    """The names below a board of the wall."""
    return " ".join(map(name_of, players))


def table(page: Page, name: str) -> dict[str, list[str]]:
    """A table by the heads of its rows."""
    found = page.document.with_class(name)
    rows = [row for one in found for body in one.all("tbody") for row in body.all("tr")]
    return {
        head.text: [cell.text for cell in row.all("td")] for row in rows for head in row.all("th")
    }


def test_challenges_and_games_in_progress_are_shown_to_all(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    page = challenge(alice, "o")
    be_here(own_site, alice)
    code = code_of(page)
    assert waiting(bob) == {name_of(alice)}
    assert code not in bob.get("/class").document.text
    own = alice.get("/class")
    assert f"It is open, code {code}" in finder(own)
    assert own.links["Go to your game"] == page.address
    assert bob.press(bob.get("/class"), f"{name_of(alice)}{OPEN}").address == page.address
    assert waiting(carol) == set()
    title = f"{name_of(bob)} against {name_of(alice)}"
    for who in (alice, carol):
        assert who.get("/class").listed("Live boards") == [title]
        assert who.get("/class").links[title] == page.address
    assert carol.get(page.address).watching
    assert carol.get("/class/board").listed("Games in progress") == [names(bob, alice)]


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


def placed(site: Site, *games: tuple[Visitor, str, list[Result]]) -> None:
    """Count games against the computer, each result for itself."""
    with site.database.write() as connection:
        for who, opponent, results in games:
            for result in results:
                records.record_result(connection, player_of(who), opponent, result)


def ranks(page: Page, label: str = "Standings") -> list[str]:
    """The lines of the standings."""
    return [" ".join(line.split()) for line in page.listed(label)]


def test_equal_ratings_share_a_place_and_a_gap_is_seen(own_site: Site) -> None:
    *several, new, watcher = (own_site.visitor() for _ in range(13))
    for one in (*several, new):
        one.start("easy", "x", cell=4)
    placed(own_site, (new, "easy", ["w", "w", "w"]))
    for number, one in enumerate(several):
        lost = max(0, number - 1)  # the first two are equal
        results: list[Result] = [*"d" * 10, *"l" * min(lost, 5)]
        placed(own_site, (one, "medium", results), (one, "easy", ["l"] * (lost - 5)))
    own = [f"{name_of(one)} (you)" for one in several]
    first = ranks(several[0].get("/class"))
    assert len(first) == 8
    assert {line.split(" ", 1)[0] for line in first[:2]} == {"1"}, "they share it"
    assert first[2].startswith(f"3 {name_of(several[2])} ")
    last = ranks(several[-1].get("/class"))
    gap = "· · ·Some places are left out here."
    assert [line.split()[0] for line in last] == ["1", "1", "3", "·", "7", "8", "9", "10", "11"]
    assert (last[3], own[-1] in last[-1]) == (gap, True)
    middle = ranks(several[7].get("/class"))
    assert [line.split()[0] for line in middle] == ["1", "1", "3", "·", "6", "7", "8", "9", "10"]
    assert own[7] in middle[6]
    seen = several[3].get("/class")
    assert gap not in ranks(seen)
    assert own[3] in ranks(seen)[3]
    assert own[3] in seen.document.with_class("me")[0].text
    everyone = ranks(watcher.get("/class"), "All places")
    assert (len(everyone), everyone[-1]) == (12, f"{name_of(new)} 4 to go")
    wall = own_site.visitor().get("/class/board")
    lines = wall.listed("Standings")
    assert lines[0].split(" ")[0] == "1"
    assert name_of(new) in lines, "below the places"
    assert "Who leads" in wall.document.text


def test_before_the_first_place_the_class_sees_who_comes_near_one(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    page = alice.get("/class")
    assert "Who gets the first place?" in page.document.text
    assert ranks(page) == [f"{name_of(alice)} (you) 4 to go"]
    sit_down(alice, bob).play(WON)
    sit_down(alice, carol).play(WON)
    page = bob.get("/class")
    bob_and_carol = [f"{name_of(bob)} (you) 3 to go", f"{name_of(carol)} 3 to go"]
    said = [f"{name_of(alice)} 2 to go", *bob_and_carol]
    assert (ranks(page)[0], sorted(ranks(page))) == (said[0], sorted(said))
    (tally, *_) = page.document.with_class("tally")
    assert [path.get("class") for path in tally.all("path")] == ["", "", "missing", "missing"]
    beaten = [f"{name_of(alice)} beat {name_of(other)}" for other in (bob, carol)]
    assert sorted(page.listed("Just finished")) == sorted(beaten)


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
        assert ("Who gets the first place?" in text) == (not said)


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
    assert finder(answer) == "Looking for an opponent 1 here, 1 looking Cancel"
    carol.get("/class")  # who has just come is counted at once
    assert finder(alice.get("/class")) == "Looking for an opponent 2 here, 1 looking Cancel"
    page = carol.get("/class")
    assert page.listed("Here now") == [f"{name_of(alice)} looking"]
    assert "1 is looking now." in finder(page)
    game = seek(bob).location
    asks = answer.the("class").get("hx-get")
    for who in (alice, alice):
        assert who.get(asks, fragment=True).headers["HX-Redirect"] == game
    assert alice.get(asks).location == game, "without scripts likewise"
    assert name_of(bob) in finder(alice.get("/class"))
    assert alice.get("/class").links["Go to your game"] == game
    assert seek(alice).location == game, "pressed once more"
    be_here(own_site, alice, bob)
    assert f"{name_of(bob)} playing {name_of(alice)}" in carol.get("/class").listed("Here now")


def test_a_search_stands_before_a_game_whose_opponent_is_away(
    own_site: Site, own_clock: Clock
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    pair.play("0")
    own_clock.goes_on(60)
    assert alice.get("/class").links["Go to your game"] == pair.address
    page = seek(alice, alice.get("/class"))
    assert finder(page) == "Looking for an opponent 1 here, 1 looking Cancel"
    page = alice.get("/class")
    assert page.listed("Live boards")
    assert bob.get("/class").listed("Here now") == [f"{name_of(alice)} looking"]
    target = {"HX-Target": "div#class"}
    cancelled = alice.post("/seeks/cancel", fragment=True, headers=target, onto=page)
    assert cancelled.headers["HX-Redirect"] == pair.address


def test_a_player_in_a_game_is_led_there_or_asked(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    pair.play("04")
    assert "You are in a game" in seek(alice).document.text
    assert seek(alice, alice.get("/class")).headers["HX-Redirect"] == pair.address
    assert seek(alice, give_up=1).location == "/class"
    assert alice.get(pair.address).outcome == "o"


def test_boards_of_players_long_gone_are_not_first(own_site: Site, own_clock: Clock) -> None:
    pairs = [[own_site.visitor(), own_site.visitor()] for _ in range(3)]
    for pair in pairs:
        sit_down(*pair).play("4")
        own_clock.goes_on(1)
    own_clock.goes_on(60)
    be_here(own_site, pairs[0][0], *pairs[2])
    for address in ("/class", "/class/board"):
        page = own_site.visitor().get(address)
        titles = page.listed("Live boards") or page.listed("Games in progress")
        there = [{name_of(one) for one in pair} for pair in (pairs[2], pairs[0], pairs[1])]
        assert [
            all(name in title for name in names) for title, names in zip(titles, there, strict=True)
        ] == [True] * 3


def test_the_wall_says_how_games_have_ended(own_site: Site) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in (WON, DRAWN, LOST):
        sit_down(alice, bob).play(moves)
    boards = own_site.visitor().get("/class/board").listed("Games in progress")
    ends = ("X wins: top row", "A draw", "O wins: middle row")
    assert sorted(boards) == sorted(f"{names(alice, bob)} {end}" for end in ends)


# --- one live game each, and challenges of players who are there ----------------------------------


def test_a_player_in_a_game_is_asked_before_another_one(own_site: Site) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    code = code_of(challenge(carol))
    before = own_site.dump()
    for address, fields in ((f"/join/{code}", {}), ("/challenges", {"mark": "x"})):
        asked = bob.post(address, fields)
        assert asked.status == 409
        assert f"{name_of(alice)} against {name_of(bob)}" in asked.document.text
        assert asked.links["Go to the game"] == pair.address
    assert own_site.dump() == before
    joined = bob.press(bob.post(f"/join/{code}"), "Give up and continue")
    assert joined.heading == f"{name_of(carol)} is thinking"
    assert "The other player has gone. Your game is open again." in alice.get(pair.address).text


def test_a_challenge_is_shown_while_its_player_is_here_and_reached_by_its_code_always(
    own_site: Site, own_clock: Clock
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    page = challenge(alice)
    news = page.game.get("hx-get")
    assert waiting(bob) == {name_of(alice)}, "its page is about to ask"
    for _ in range(5):
        assert alice.get(news, fragment=True).status == 204
        be_here(own_site)
        own_clock.goes_on(PRESENT_FOR_S)
        assert waiting(bob) == {name_of(alice)}
    own_clock.goes_on(lobby._REMEMBERED + 1)
    bob.get(news, fragment=True)
    be_here(own_site)
    assert waiting(bob) == set(), "others who look at it do not count"
    assert "It is open" in finder(alice.get("/class"))
    alice.get(f"{page.address}?since=0")  # without JavaScript
    be_here(own_site)
    own_clock.goes_on(HIDDEN_FOR_S)
    assert waiting(bob) == {name_of(alice)}
    own_clock.goes_on(lobby._REMEMBERED + 1)
    be_here(own_site)
    assert waiting(bob) == set()
    assert bob.post(f"/join/{code_of(page)}").status == 303


def test_however_many_challenges_one_visitor_opens_others_are_seen(
    own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "_MOST_WAITING", 5)
    people = [own_site.visitor() for _ in range(16)]
    for who in people:
        challenge(who)
    be_here(own_site, *people)
    shown = [waiting(own_site.visitor()) for _ in range(40)]
    assert {len(one) for one in shown} == {5}
    assert any(name_of(people[0]) in one for one in shown)
    viewer = own_site.visitor()
    viewer.get("/")
    assert waiting(viewer) == waiting(viewer)
    assert "It is open" in finder(people[0].get("/class"))
