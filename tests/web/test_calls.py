"""What calls a player to a game from another page."""

from __future__ import annotations

from tests.support.page import Page
from tests.support.people import Clock, Pair, challenge, code_of, name_of, sit_down
from tests.support.visitor import Site, Visitor

X_WINS = "03142"
ELSEWHERE = ("/", "/class", "/you", "/learn", "/review/4", "/lab/rules", "/calls", "/nothing")


def call(page: Page) -> str:
    """What a page calls its player to; empty where nothing calls."""
    strip = page.document.with_id("calls")
    links = strip.all("a") if strip else []
    return links[0].text if links else ""


def calls(who: Visitor, address: str = "/learn") -> str:
    """What calls a player from a page that is opened now."""
    return call(who.get(address))


def test_without_a_game_between_two_devices_nothing_calls_and_pages_wait_alone(
    site: Site, alice: Visitor
) -> None:
    assert not site.visitor().get("/learn").document.with_id("calls"), "who may never return"
    alice.start("easy", "x", cell=4)
    for address in ELSEWHERE:
        strip = alice.get(address).the("calls")
        assert (strip.text, strip.has("hx-get"), strip.has("data-alone")) == ("", True, True)
    assert "No game is waiting for you." in alice.get("/calls").text


def test_a_newcomers_first_move_brings_the_strip(site: Site) -> None:
    newcomer = site.visitor()
    front = newcomer.get("/")
    assert not front.the("calls").has("hx-get")
    chosen = {"opponent": "easy", "mark": "x", "cell": "4"}
    begun = newcomer.post("/games", chosen, fragment=True)
    assert begun.the("calls").has("data-alone")


def test_when_the_last_game_has_gone_the_page_waits_alone(alice: Visitor) -> None:
    challenged = challenge(alice)
    page = alice.get("/learn")
    alice.try_to("resign", challenged)
    gone = alice.ask(page, "calls")
    assert (gone.status, gone.the("calls").has("data-alone"), call(gone)) == (200, True, "")


def test_the_challenger_is_called_when_an_opponent_comes(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    learn = alice.get("/learn")
    assert (call(learn), learn.the("calls").has("data-title")) == ("", False)
    assert alice.ask(learn, "calls").status == 204
    assert "news.js" in learn.text
    bob.post(f"/join/{code_of(page)}")
    called = alice.ask(learn, "calls")
    assert called.is_fragment
    assert call(called) == f"{name_of(bob)} is here: go to your game"
    assert called.links[call(called)] == page.address
    assert {calls(alice, address) for address in ELSEWHERE} == {call(called)}
    strip = called.the("calls")
    assert (strip.get("role"), strip.get("data-title")) == ("status", f"{name_of(bob)} is here")
    assert alice.ask(called, "calls").status == 204


def test_a_move_calls_the_player_whose_turn_it_is_and_no_other(
    pair: Pair, alice: Visitor, bob: Visitor
) -> None:
    pages = alice.get("/learn"), bob.get("/learn")
    for ply, cell in enumerate("0314"):
        pair.play(cell)
        mover, other = (alice, bob) if ply % 2 == 0 else (bob, alice)
        said = f"{name_of(mover)} has moved: go to your game"
        assert (calls(mover), calls(other)) == ("", said)
        pages = alice.ask(pages[0], "calls"), bob.ask(pages[1], "calls")
        assert call(pages[ply % 2]) == ""
        assert call(pages[1 - ply % 2]) == said
        title = pages[1 - ply % 2].the("calls").get("data-title")
        assert title == said.removesuffix(": go to your game")
    pair.play("2")
    assert (calls(alice), calls(bob)) == ("", ""), "an end is no call"


def test_a_rematch_calls_the_other_player_for_ten_minutes_unless_in_another_game(
    site: Site, pair: Pair, alice: Visitor, bob: Visitor, clock: Clock
) -> None:
    pair.play(X_WINS)
    pair.act(alice, "again")
    said = f"{name_of(alice)} asks for a rematch"
    assert (calls(alice), calls(bob)) == ("", said)
    other = sit_down(bob, site.visitor())
    assert "is here" in calls(bob)
    other.play("4")
    assert calls(bob) == "", "no one leaves a game for a rematch"
    other.act(bob, "resign")
    assert calls(bob) == said
    clock.goes_on(600)
    assert calls(bob) == said
    clock.goes_on(1)
    assert calls(bob) == ""


def test_no_page_calls_to_its_own_game_but_those_of_other_games_do(
    site: Site, pair: Pair, alice: Visitor, bob: Visitor
) -> None:
    page = alice.get(pair.address)
    strip = page.the("calls")
    assert strip.text == ""
    here = alice.get(f"/calls?at={pair.address.removeprefix('/games/')}")
    assert "No game is waiting for you." in here.text
    said = f"{name_of(bob)} is here: go to your game"
    other = alice.start("easy", "x", cell=4)
    assert call(other) == said
    assert alice.get("/class/board").document.with_id("calls") is None, "nor does the wall"
    watched = alice.get(sit_down(site.visitor(), site.visitor()).address)
    assert call(watched) == said
    assert alice.ask(watched, "calls").status == 204


def test_a_page_that_asks_while_the_database_is_out_of_reach_goes_on_asking(own_site: Site) -> None:
    alice = own_site.visitor()
    challenge(alice)
    page = alice.get("/learn")
    with own_site.database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE games RENAME TO gone")
    assert alice.get("/learn").document.with_id("calls") is None
    asked = page.the("calls").get("hx-get")
    answer = alice.get(asked, fragment=True, headers={"At-Once": "true"}, onto=page)
    assert answer.status in {500, 503}, "and not an answer that nothing calls"
    with own_site.database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO games")
    assert alice.get("/learn").the("calls").get("hx-get")
