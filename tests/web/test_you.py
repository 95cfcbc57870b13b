"""What players see of themselves: their record, stamps, place and games."""

from __future__ import annotations

import pytest

from tests.support.html import Element
from tests.support.page import Page
from tests.support.people import (
    Clock,
    Pair,
    challenge,
    name_of,
    played_out,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor
from webapp import store
from webapp.core.game import Result
from webapp.engines.registry import ENGINES
from webapp.names import LEFT
from webapp.service import teacher as acts
from webapp.service.ranking import Ranking

X_WINS, O_WINS, DRAWN = "03142", "031485", "402635178"
"""Moves that end a game: by the top row, by the middle row, and with nine marks."""


def count(who: Visitor, opponent: str, result: Result) -> None:
    """Let a visitor have had such a game."""
    database = who._client.application.extensions["site"].database
    with database.write() as connection:
        store.records.record_result(connection, player_of(who), opponent, result)


def counts(page: Page) -> dict[str, str]:
    """The large figures, by what they count."""
    found = page.document.with_class("totals")
    pairs = [(one.all("dt")[0].text, one.all("dd")[0]) for one in found[0].all("div")]
    return {word: dd.all("span")[0].get("aria-label") for word, dd in pairs}


def listed(page: Page, label: str) -> list[Element]:
    """The items of a list, by its name."""
    lists = (one for one in page.document.all("ul") if one.get("aria-label") == label)
    return [item for one in lists for item in one.all("li")]


def stamps(page: Page, label: str) -> dict[str, str]:
    """What each stamp looks like, by the name below it."""
    found = ((one.all("bdi")[0].text, one.all("details")[0]) for one in listed(page, label))
    return {name: stamp.get("class").removeprefix("stamp ") for name, stamp in found}


def note(page: Page, label: str, name: str) -> str:
    """What a stamp says when it is pressed."""
    (said,) = (
        one.all("p")[0].text for one in listed(page, label) if one.all("bdi")[0].text == name
    )
    return said


def games(page: Page) -> list[tuple[str, str]]:
    """The last games: what is said of each, and where it leads."""
    links = [one.all("a")[0] for one in listed(page, "Last games")]
    return [(link.text, link.get("href")) for link in links]


def heading(page: Page, name: str) -> str:
    (found,) = (one for one in page.document.with_class("heading") if name in one.text)
    return found.text.removeprefix(name).strip()


def test_a_newcomer_is_invited_and_sees_all_stamps_that_there_are_to_get(site: Site) -> None:
    page = site.visitor().get("/you")
    assert page.links["Play your first game"] == "/"
    assert page.links["Find an opponent"] == "/class"
    names = [*(engine.name for engine in ENGINES.values()), "MENACE"]
    assert stamps(page, "Computers") == dict.fromkeys(names, "missing")
    assert heading(page, "Beaten: computers") == f"0 of {len(names)}"
    assert note(page, "Computers", "Medium") == "Beat Medium once to get this stamp."
    never = "Hard never loses: a draw is the most you can get."
    assert note(page, "Computers", "Hard") == never
    assert not page.document.with_class("totals")
    assert not listed(page, "Last games")


def test_games_are_counted_and_a_computer_that_is_beaten_gives_its_stamp(own_site: Site) -> None:
    alice = own_site.visitor()
    alice.get("/class")
    assert "Your record begins with your first game." in alice.get("/you").document.text
    results: tuple[tuple[str, Result], ...] = (
        *(("easy", "w"), ("easy", "w"), ("easy", "l"), ("easy", "d"), ("easy", "w")),
        *(("hard", "d"), ("medium", "l")),
    )
    for opponent, result in results:
        count(alice, opponent, result)
    page = alice.get("/you")
    assert counts(page) == {"won": "3", "drawn": "2", "lost": "2"}
    found = stamps(page, "Computers")
    assert (found["Easy"], found["Hard"], found["Medium"]) == ("won", "drawn", "missing")
    assert heading(page, "Beaten: computers") == f"1 of {len(ENGINES) + 1}"
    said = "You have beaten Easy. So far: 3 won, 1 drawn, 1 lost. Best run: 2 wins."
    assert note(page, "Computers", "Easy") == said
    assert note(page, "Computers", "Hard").endswith("So far: 0 won, 1 drawn, 0 lost.")
    assert "Best run: 2 wins in a row" in page.document.text
    acts.reset_standings(own_site.service)
    page = alice.get("/you")
    assert stamps(page, "Computers")["Easy"] == "won", "a stamp stays when all begin again"
    assert note(page, "Computers", "Easy") == "You have beaten Easy. Best run: 2 wins."


def test_classmates_who_are_here_give_stamps_and_the_record_is_no_one_elses(
    own_site: Site,
) -> None:
    alice, bob, carol, dave, erin = (own_site.visitor() for _ in range(5))
    sit_down(alice, bob).play(X_WINS)
    sit_down(bob, alice).play(O_WINS)
    sit_down(alice, carol).play(DRAWN)
    sit_down(alice, dave).play(O_WINS)
    sit_down(alice, erin).play(X_WINS)
    names = [name_of(who) for who in (bob, carol, dave, erin)]
    page = alice.get("/you")
    expected = dict(zip(names, ("won", "drawn", "missing", "won"), strict=True))
    assert stamps(page, "Classmates") == expected
    assert [*stamps(page, "Classmates").values()] == ["won", "won", "drawn", "missing"]
    assert heading(page, "Beaten: classmates") == "2 of 4"
    assert note(page, "Classmates", names[0]).startswith(f"You have beaten {names[0]}. So far: 2 w")
    assert note(page, "Classmates", names[2]).startswith(f"Beat {names[2]} once")
    erin.post("/you/forget")
    page = alice.get("/you")
    assert names[3] not in page.document.text
    assert LEFT not in stamps(page, "Classmates")
    assert heading(page, "Beaten: classmates") == "1 of 3"
    assert counts(page) == {"won": "3", "drawn": "1", "lost": "1"}, "what was played was played"
    assert counts(bob.get("/you")) == {"won": "0", "drawn": "0", "lost": "2"}
    assert stamps(dave.get("/you"), "Classmates") == {name_of(alice): "won"}


def test_the_last_games_lead_to_the_move_that_decided_them(
    own_site: Site, own_clock: Clock
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for moves in (X_WINS, O_WINS, DRAWN):
        sit_down(alice, bob).play(moves)
        own_clock.goes_on(1)
    pair = sit_down(bob, alice)
    pair.play("40")
    pair.act(bob, "resign")
    own_clock.goes_on(1)
    name = name_of(bob)
    found = games(alice.get("/you"))
    assert found == [
        (f"You beat {name} as O · they gave up", "/review/40?mark=o"),
        (f"Drew with {name} as X · nine moves", f"/review/{DRAWN}?mark=x"),
        (f"Lost to {name} as X · middle row", f"/review/{O_WINS}?mark=x&at=5"),
        (f"You beat {name} as X · top row", f"/review/{X_WINS}?mark=x&at=2"),
    ]
    assert {alice.get(address).status for _text, address in found} == {200}
    assert games(bob.get("/you"))[0][0] == f"Lost to {name_of(alice)} as X · you gave up"
    bob.post("/you/forget")
    assert games(alice.get("/you"))[0][0] == "You beat a player who left as O · they gave up"


def test_games_against_the_computer_and_at_one_device_are_among_them(alice: Visitor) -> None:
    played_out(alice)
    page = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        page = alice.move(page, cell)
    texts = [text for text, _address in games(alice.get("/you"))]
    assert "With a friend at one device top row" in texts
    assert any(" Easy as X · " in text for text in texts)


def test_a_game_that_goes_on_can_be_gone_on_with_or_given_up(pair: Pair) -> None:
    pair.play("40")
    page = pair.x.get("/you")
    (row,) = listed(page, "Going on")
    link = row.all("a")[0]
    assert link.text == f"Against {name_of(pair.o)} your turn"
    assert link.get("href") == pair.address
    assert "their turn" in listed(pair.o.get("/you"), "Going on")[0].text
    ended = pair.x.press(page, "Give up")
    assert ended.address == pair.address
    assert ended.heading == f"{name_of(pair.o)} wins: you gave up"
    assert not listed(pair.x.get("/you"), "Going on")


def test_the_question_before_a_game_is_given_up_says_what_that_counts_for(pair: Pair) -> None:
    def asked() -> list[str]:
        buttons = pair.x.get(pair.address).document.all("button")
        return [one.get("hx-confirm") for one in buttons if one.get("hx-confirm")]

    assert asked() == ["Give up this game? It counts for neither player."]
    pair.play("40")
    assert asked() == ["Give up this game? It counts as lost."]


def test_an_open_game_can_be_cancelled(alice: Visitor) -> None:
    challenge(alice)
    page = alice.get("/you")
    assert listed(page, "Going on")[0].text == "Your open game no one has joined yet"
    assert alice.press(page, "Cancel").response.request.path == "/class"
    assert not listed(alice.get("/you"), "Going on")


def test_the_place_says_how_far_it_has_changed_in_the_lesson(
    own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    for who in (alice, bob):
        who.get("/class")
    played_out(alice)
    soon = "You get a place after three games with classmates or ten with the computer."
    assert soon in alice.get("/you").document.text
    assert "You get a place" not in bob.get("/you").document.text, "who has no record yet"
    for _ in range(10):
        count(alice, "easy", "w")
        count(bob, "easy", "l")
    text = alice.get("/you").document.text
    assert "1st of 2 · rating" in text
    assert "this lesson" not in text
    monkeypatch.setattr(
        Ranking,
        "since_the_lesson_began",
        lambda _self, places: [place._replace(risen=-2) for place in places],
    )
    assert "2nd of 2 · rating" in bob.get("/you").document.text
    assert "2 down this lesson" in bob.get("/you").document.text
