"""Tournaments on their pages: who may do what, and what is said to whom."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from io import StringIO

import pytest

from tests.support.html import accessible_name
from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, player_of, sign_in, sit_down
from tests.support.visitor import FRAGMENT, Site, Visitor, open_site
from webapp.names import People, Player
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.service.teacher import number
from webapp.service.tournaments import Standing
from webapp.tournament.event import Format, Opening, State, Tournament
from webapp.tournament.table import Line
from webapp.web.present.tournament import podium_of, tie_break_of

NOWHERE = "A" * 22
ARENA = {"format": "arena", "opening": "sharp", "clock": "15", "minutes": "15", "rounds": "5"}
SWISS = {**ARENA, "format": "swiss"}
ONE_IS_THERE = "There is a tournament already. End it before you make another one."
BEGUN = "This tournament has begun already."

# Why not, in each of the three states; empty for what may be done. Who may do it at all, and who
# may not, is in the tables of all addresses.
ACTS: Mapping[str, tuple[str, str, str]] = {
    "/host/tournaments": (ONE_IS_THERE, ONE_IS_THERE, ""),
    "/host{event}/start": ("", BEGUN, BEGUN),
    "/host{event}/next": (
        "There is no next round.",
        "Games of this round are still going on.",
        "There is no next round.",
    ),
    "/host{event}/end": ("", "", ""),
    "/host{event}/late": ("", "", ""),
    "/host{event}/out": ("", "", ""),
    "/host{event}/in": ("", "", ""),
    "{event}/join": ("", "", "This tournament is over."),
    "{event}/leave": ("", "", ""),
}
PAGES = ("{event}", "{event}.json", "{event}/play")


@dataclass
class Event:
    """A tournament of two players, and the clock that it goes by."""

    site: Site
    host: Visitor
    players: tuple[Visitor, ...]
    id: str
    clock: Clock

    @property
    def service(self) -> Service:
        return self.site.service

    @property
    def address(self) -> str:
        return f"/tournaments/{self.id}"

    def goes_on(self, seconds: int) -> None:
        """Let time pass as a worker sees it, which looks all the time."""
        for _ in range(seconds):
            self.clock.goes_on(1)
            tournaments.tick(self.service)

    def game(self) -> tuple[str, Visitor, Visitor]:
        """The address of the present game, and who has X and O."""
        (address,) = {who.get(f"{self.address}/play").location for who in self.players}
        row = self.site.stored(address.split("/")[-1])
        by_seat = {player_of(who): who for who in self.players}
        return address, by_seat[row["x_seat"]], by_seat[row["o_seat"]]

    def play(self, moves: str) -> Page:
        """Play the present game; return what the last to move sees."""
        address, x, o = self.game()
        page = x.get(address)
        for ply, cell in enumerate(map(int, moves)):
            mover = o if ply % 2 else x
            page = mover.move(mover.get(address), cell)
        return page


def begin(site: Site, state: str = "running", *, form: Format = Format.SWISS) -> Event:
    """Make a tournament of two from the empty board; one that is there ends."""
    clock = Clock(site)
    event = Event(site, site.visitor(), (), "", clock)
    event.service.clock = clock
    last = tournaments.latest(event.service)
    if last:
        tournaments.end(event.service, last.id)
    event.host = sign_in(site, HostKey(site.settings).ensure())
    event.id = tournaments.create(event.service, form, Opening.EMPTY, 15, 1)
    event.players = site.visitor(), site.visitor()
    for who in event.players:
        who.get("/class")
        assert who.post(f"{event.address}/join").status == 303
    if state != "waiting":
        be_here(site, *event.players)
        tournaments.start(event.service, event.id)
        event.goes_on(4)
    if state == "over":
        tournaments.end(event.service, event.id)
    return event


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this module's own: there is one tournament at a time."""
    with open_site(tmp_path_factory.mktemp("school"), seed="tests") as site:
        yield site


# --- what may be done -----------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["waiting", "running", "over"])
@pytest.mark.parametrize("act", ACTS)
def test_what_may_be_done_and_why_not(school: Site, act: str, state: str) -> None:
    event, why = begin(school, state), ACTS[act][["waiting", "running", "over"].index(state)]
    before, address = school.dump(), act.format(event=event.address)
    who = event.host if act.startswith("/host") else event.players[0]
    fields = {**ARENA, "player": str(number(player_of(event.players[0])))}
    answer = who.post(address, fields)
    assert (answer.status, why in answer.text) == (409 if why else 303, True)
    if why:
        assert school.dump() == before
    if why and who is event.host:
        page = who.post(address, fields, fragment=True, onto=who.get("/host"))
        assert (page.status, page.the("refused").text) == (409, why)


@pytest.mark.parametrize("route", [*PAGES, *(act for act in ACTS if "event" in act)])
@pytest.mark.parametrize("id_", [NOWHERE, "x", "%00", "é", "A" * 4000])
def test_what_is_not_there_is_not_found(school: Site, route: str, id_: str) -> None:
    method, address = ("GET" if route in PAGES else "POST"), f"/tournaments/{id_}"
    host = sign_in(school, HostKey(school.settings).ensure())
    for headers in ({}, FRAGMENT) if method == "GET" else ({},):
        answer = host.send(method, route.format(event=address), headers=headers)
        assert answer.status == 404
        assert "There is no tournament at this address." in answer.text


# --- the host's form ------------------------------------------------------------------------------

BAD = {
    "format": ("", "knockout", "ARENA", "Choose a format: arena or swiss."),
    "opening": ("", "both", "sharp ", "Choose an opening: empty or sharp."),
    "clock": ("", "12", "015", "-15", "٣", "Choose a clock: 10, 15, 20 or 30 seconds."),
    "minutes": ("", "0", "181", "1.5", "9" * 4000, "Minutes must be a number from 1 to 180."),
}


@pytest.mark.parametrize(
    "field,value,why", [(f, v, bad[-1]) for f, bad in BAD.items() for v in bad[:-1]]
)
def test_a_tournament_that_cannot_be_is_refused(
    own_site: Site, field: str, value: str, why: str
) -> None:
    host = sign_in(own_site, HostKey(own_site.settings).ensure())
    answer = host.post("/host/tournaments", {**ARENA, field: value})
    assert (answer.status, why in answer.document.text) == (422, True)
    twice = [*ARENA.items(), (field, ARENA[field])]
    assert host.post("/host/tournaments", twice).status == 422
    assert tournaments.latest(own_site.service) is None


@pytest.mark.parametrize("form,needed", [(ARENA, "minutes"), (SWISS, "rounds")])
def test_only_the_length_of_the_format_is_needed(
    own_site: Site, form: Mapping[str, str], needed: str
) -> None:
    host = sign_in(own_site, HostKey(own_site.settings).ensure())
    for field in ("format", "opening", "clock", needed):
        less = {name: value for name, value in form.items() if name != field}
        assert host.post("/host/tournaments", less).status == 422
    too_much = {**form, needed: "64" if needed == "rounds" else "181"}
    assert host.post("/host/tournaments", too_much).status == 422
    fields = {name: form[name] for name in ("format", "opening", "clock", needed)}
    answer = host.post("/host/tournaments", fields)
    found = tournaments.latest(own_site.service)
    assert found
    assert (answer.status, answer.location) == (303, f"/tournaments/{found.id}")
    assert (found.format.value, found.opening.value, found.clock) == (form["format"], "sharp", 15)


def test_the_form_of_the_page_makes_one_which_is_started_and_ended_there(own_site: Site) -> None:
    host = sign_in(own_site, HostKey(own_site.settings).ensure())
    players = own_site.visitor(), own_site.visitor()
    assert host.press(host.get("/host"), "Make a tournament").status == 200
    page = host.press(host.get("/host"), "Start", htmx=True)
    assert page.status == 409
    assert "A tournament needs two players at least." in page.document.text
    for who in players:
        assert who.press(who.get("/class"), "Join the tournament").status == 200
    assert host.press(host.get("/host"), "Start").status == 200
    page = host.get("/host")
    assert "Now: Arena, 15 minutes" in page.document.text
    assert "1 game still going, 0 finished" in page.document.text
    assert "Start" not in page.buttons
    assert host.press(page, "End it").status == 200
    page = host.get("/host")
    assert "Arena, 15 minutes: it is over." in page.document.text
    assert not page.button("Make a tournament").has("aria-disabled")


# --- the door -------------------------------------------------------------------------------------


def test_a_player_who_is_put_out_stays_out_until_the_host_lets_them_in(school: Site) -> None:
    event = begin(school)
    address, alice, bob = event.game()
    out = {"player": number(player_of(alice))}
    page = event.host.press(event.host.get("/host"), f"Out {name_of(alice)}")
    assert f"{name_of(alice)} was put out of the tournament." in page.document.text
    assert bob.get(address).outcome == "o"
    said = "Your teacher has put you out of this tournament."
    for place in ("/class", event.address):
        shown = alice.get(place)
        assert said in shown.document.text
        assert shown.document.with_id("join-tournament") is None
    joined = alice.post(f"{event.address}/join")
    assert (joined.status, said in joined.document.text) == (409, True)
    assert "Your teacher" not in bob.get(event.address).document.text
    assert event.host.post(f"/host{event.address}/in", out).status == 303
    assert alice.press(alice.get(event.address), "Come back").status == 200
    nobody = event.host.post(f"/host{event.address}/out", {"player": "1"})
    assert (nobody.status, "not in the tournament" in nobody.document.text) == (404, True)
    assert event.host.post(f"/host{event.address}/out", {"player": "x"}).status == 422


def test_a_closed_door_is_said_to_those_who_come_late_alone(school: Site) -> None:
    event = begin(school, "waiting")
    assert event.host.post(f"/host{event.address}/late").status == 303
    early, late = school.visitor(), school.visitor()
    assert early.post(f"{event.address}/join").status == 303, "it has not begun"
    tournaments.start(event.service, event.id)
    said = "This tournament has begun, and no one else can join it."
    for place in ("/class", event.address):
        assert said in late.get(place).document.text
        assert said not in early.get(place).document.text
    assert late.post(f"{event.address}/join").status == 409
    assert early.post(f"{event.address}/leave").status == 303
    assert early.post(f"{event.address}/join").status == 303, "anyone who was in it comes back"
    assert event.host.post(f"/host{event.address}/late", {"late": "1"}).status == 303
    assert late.press(late.get(event.address), "Join the tournament").status == 200


# --- the way to one's game ------------------------------------------------------------------------


def test_the_way_to_the_present_game(school: Site) -> None:
    event = begin(school, "waiting")
    who, play = event.players[0], f"{event.address}/play"
    assert who.get(play).location == event.address
    assert who._client.get(play, headers=FRAGMENT).headers["HX-Redirect"] == event.address
    tournaments.start(event.service, event.id)
    address, *_ = event.game()
    assert re.fullmatch(r"/games/[\w-]{22}", address)
    assert who.get(play, headers=FRAGMENT).headers["HX-Redirect"] == address
    # Every page leads there, for a script to follow; none of someone who does not play.
    for where in (event.address, "/class", "/learn", "/review/4", "/you", "/lab/rules", "/"):
        assert who.get(where).the("calls").get("data-lead") == address
    stranger = school.visitor()
    assert stranger.get(play).location == event.address
    assert "data-lead" not in stranger.get(event.address).text


def test_a_hidden_page_is_told_of_the_next_game_all_the_same(school: Site) -> None:
    event = begin(school)
    page, who = event.play("03142"), event.players[0]
    address = who.get(page.address).the("onward").get("hx-get")
    hidden = {**FRAGMENT, "Page-Hidden": "true"}
    assert who._client.get(address, headers=hidden).status_code == 204
    event.goes_on(4)
    told = who.get(address, fragment=True, headers=hidden, onto=page).the("onward")
    assert told.get("data-lead") == event.game()[0]
    assert who._client.get(told.get("hx-get"), headers=hidden).status_code == 204, "only once"


def onward(who: Visitor, page: Page) -> tuple[str, str]:
    """What the page of a finished game is told, and where that leads."""
    asked = who.get(page.the("onward").get("hx-get"), fragment=True, onto=page)
    told = (page if asked.status == 204 else asked).the("onward")
    return told.text, told.get("data-lead")


def test_a_page_that_waits_for_a_next_game_is_led_away_where_there_is_none(school: Site) -> None:
    event = begin(school, form=Format.ARENA)
    game = event.play("03142").address
    pages = {who: who.get(game) for who in event.players}
    for who, page in pages.items():
        assert onward(who, page)[1] == ""
    one, other = event.players
    assert one.post(f"{event.address}/leave").status == 303
    said, lead = onward(one, pages[one])
    assert ("You have left for now. You can come back." in said, lead) == (True, event.address)
    tournaments.end(event.service, event.id)
    said, lead = onward(other, pages[other])
    assert ("The tournament is over." in said, lead) == (True, event.address)
    # Looked at again it promises nothing, and leads nowhere by itself.
    again = other.get(game).the("onward")
    assert ("next" in again.text, again.has("data-lead"), again.has("hx-get")) == (False,) * 3


def test_a_page_of_a_player_who_has_joined_asks_also_while_it_is_hidden(school: Site) -> None:
    event = begin(school, "waiting")
    who = event.players[0]
    for address in (event.address, "/class", "/learn", "/you", "/privacy", "/review/4", "/"):
        strip = who.get(address).the("calls")
        assert (strip.has("data-seldom"), strip.has("data-lead")) == (True, False)
        assert "Your first tournament game opens by itself." in strip.text
        # Without a script it loads itself again, unless it is a form; its player is here then.
        refreshed = f'content="5; url={address}?here=1"' in who.get(address).text
        assert refreshed == (address != "/you")
    assert school.visitor().get(event.address).document.with_id("calls") is None
    assert who.post(f"{event.address}/leave").status == 303
    assert who.get(event.address).the("calls").has("data-alone")


# --- a game and its clock -------------------------------------------------------------------------


def test_a_clock_that_waits_says_for_how_long_to_its_script(school: Site) -> None:
    event = begin(school, "waiting")
    tournaments.start(event.service, event.id)
    event.goes_on(4)
    address, x, o = event.game()
    for who, begins in ((o, "7"), (school.visitor(), "7"), (x, None), (o, None)):
        page = who.get(address)
        clock = page.the("clock")
        assert clock_of(page)[:3] == ("15", "15", "s left for this move")
        assert (clock.get("data-begins") if clock.has("data-begins") else None) == begins


def test_players_are_paired_from_any_page_that_asks_what_calls_them(school: Site) -> None:
    event = begin(school, "waiting", form=Format.ARENA)
    event.clock.goes_on(30)
    tournaments.start(event.service, event.id)
    for players in ((), event.players[:1], event.players):
        for who in players:
            who.get("/calls?since=0", headers=FRAGMENT)
        event.goes_on(1)
        games = [
            tournaments.present_game(event.service, event.id, player_of(who))
            for who in event.players
        ]
        assert all(games) is (players == event.players)


def clock_of(page: Page) -> tuple[str | None, str, str, bool]:
    """What the clock of a game says to its script, as drawn figures and in words; is it mine?"""
    clock = page.the("clock")
    (figures,) = clock.with_class("figures")
    assert (clock.get("data-of"), len(figures.all("use"))) == ("15", len(accessible_name(figures)))
    left = clock.get("data-left") if clock.has("data-left") else None
    mine = clock.has("data-mine")
    return left, accessible_name(figures), clock.text, mine


def test_the_clock_says_what_is_left_to_the_player_to_move(school: Site) -> None:
    event = begin(school, "waiting")
    tournaments.start(event.service, event.id)
    event.goes_on(1)
    address, x, o = event.game()
    assert clock_of(x.get(address)) == ("15", "15", "s left for this move", True)
    event.goes_on(6)
    assert clock_of(x.get(address)) == ("9", "9", "s left for this move", True)
    assert clock_of(o.get(address)) == ("9", "9", "s left for this move", False)
    host: Service = school.service
    acts.pause(host)
    paused = x.get(address)
    acts.resume(host)
    assert clock_of(paused) == (None, "9", "s left for this move", True)
    x.move(x.get(address), 4)
    assert clock_of(o.get(address)) == ("15", "15", "s left for this move", True)
    event.goes_on(17)
    page = o.get(address)
    assert "clock" not in page.text.split("<main")[1].split("<h2")[0]
    assert page.heading == f"{name_of(x)} wins: you ran out of time"


def other(event: Event, who: Visitor) -> Visitor:
    """The other one of two players."""
    return event.players[who is event.players[0]]


def test_after_a_game_the_next_one_begins_by_itself(school: Site) -> None:
    event = begin(school)
    page = event.play("03142")
    first = page.address
    assert page.outcome == "x"
    won = event.players[player_of(event.players[0]) != school.stored(first[7:])["x_seat"]]
    for who, brought in ((won, "+2 points. You are number 1."), (other(event, won), "No points.")):
        card = who.get(first).the("onward")
        assert brought in card.text
        mark = "O" if who is won else "X"
        assert card.text.endswith(f"You play {mark}. The second game begins in 3 s.")
        assert not card.all("a", "button")
        # Both lines of the table, one of which the game has let rise.
        leading, behind = (line.text for line in card.all("tr"))
        assert leading == f"1{'You' if who is won else name_of(won)}2"
        assert behind == f"2{name_of(other(event, won)) if who is won else 'You'}1 down0"
    assert page.the("onward").get("hx-get").startswith(f"{event.address}/play")
    watcher = school.visitor().get(first)
    assert "second game" not in watcher.document.text
    assert "onward" not in watcher.text
    event.goes_on(4)
    second, *_ = event.game()
    assert second != first
    assert onward(event.players[0], page)[1] == second
    # Its page says who plays, and how they stand.
    versus = event.players[0].get(second).the("versus").text
    assert "Round 1 of 1 · game 2 of 2" in versus
    assert "2 points · 1st" in versus
    assert "0 points · 2nd" in versus


def test_a_game_says_that_it_begins_from_an_opening(own_site: Site) -> None:
    event = begin(own_site, "waiting")
    tournaments.end(event.service, event.id)
    event.id = tournaments.create(event.service, Format.SWISS, Opening.SHARP, 15, 1)
    for who in event.players:
        who.post(f"{event.address}/join")
    tournaments.start(event.service, event.id)
    address, x, o = event.game()
    for who, mark in ((x, "X"), (o, "O")):
        said = f"The game begins from here, and you have {mark}."
        assert said in who.get(address).document.text
    said = f"The game begins from here: {name_of(x)} has X, and {name_of(o)} has O."
    assert said in own_site.visitor().get(address).document.text


# --- what the page shows --------------------------------------------------------------------------


def played(site: Site, *, rounds: int = 1) -> Event:
    """A Swiss of a round: X wins on the board, and the other game on time."""
    event = begin(site)
    event.play("03142")
    event.goes_on(4)
    address, *both = event.game()
    for who in both:
        who.get(address)
    event.goes_on(17)
    event.goes_on(12)
    return event


def test_the_end_has_a_podium_and_the_own_games_with_what_decided_them(school: Site) -> None:
    event = played(school)
    first, second = sorted(
        event.players, key=lambda who: "You are number 1." not in who.get(event.address).text
    )
    page = first.get(event.address)
    assert "The tournament is over." in page.document.text
    (step,) = page.document.with_class("podium")[0].all("li")  # no points, no step
    assert name_of(first) in step.text
    assert name_of(second) in page.document.all("tbody")[0].text
    (games,) = (one for one in page.document.all("ul") if one.get("aria-label") == "Your games")
    told = [re.sub(r"\s+", " ", one.text) for one in games.all("li")]
    assert len(told) == 2
    assert any("number 2, decided it." in one for one in told)
    assert any("ran out of time." in one for one in told)
    for link in games.all("a"):
        assert first.get(link.get("href")).status == 200
    assert not [
        one
        for one in school.visitor().get(event.address).document.all("ul")
        if one.get("aria-label") == "Your games"
    ]


def ended(*lines: tuple[str, int, int, Fraction]) -> Standing:
    """A tournament that is over, with these players, their points, and two tie-breaks."""
    table = tuple(
        Line(place, player, points, Fraction(beaten), kept, 2)
        for place, (player, points, beaten, kept) in enumerate(lines, 1)
    )
    made = Tournament("any", Format.ARENA, Opening.EMPTY, 15, 60_000, State.OVER)
    people = People((line.player, Player(line.player, line.player)) for line in table)
    return Standing(made, (), (), {}, {}, table, people, paused=False)


def test_the_podium_has_no_one_without_points_and_says_why_equal_points_have_two_places() -> None:
    half, whole = Fraction(1, 2), Fraction(1)
    standing = ended(("Ada", 4, 6, whole), ("Bob", 2, 1, whole), ("Cem", 0, 0, whole))
    assert [[*map(str, step.players)] for step in podium_of(standing)] == [["Ada"], ["Bob"]]
    assert tie_break_of(standing) == ""
    standing = ended(("Ada", 4, 6, whole), ("Bob", 4, 5, whole), ("Cem", 2, 1, whole))
    stronger = "Where points are equal, the player who beat stronger opponents comes first"
    assert tie_break_of(standing) == f"{stronger}."
    standing = ended(("Ada", 4, 6, whole), ("Bob", 4, 6, half), ("Cem", 4, 1, whole))
    said = tie_break_of(standing)
    assert said.startswith(f"{stronger}, and then the player with the larger share")


def test_the_host_sees_who_has_joined_who_is_missing_and_the_games(own_site: Site) -> None:
    event = begin(own_site, "waiting", form=Format.ARENA)
    ada, bob = event.players
    late = own_site.visitor()
    late.get("/class")

    def listed(label: str) -> list[str]:
        page = event.host.get("/host")
        found = [one for one in page.document.all("ul") if one.get("aria-label") == label]
        return sorted(re.sub(r"\s+", " ", one.text) for one in found[0].all("li")) if found else []

    event.clock.goes_on(60)
    be_here(own_site, ada, late)
    event.clock.goes_on(2)
    joined = sorted([f"{name_of(ada)} here", f"{name_of(bob)} not here"])
    assert listed("Who has joined") == joined
    assert listed("Who is missing") == [f"{name_of(late)} not in it"]
    assert "data-ends" not in event.host.get("/host").text
    late.post("/goodbye")

    be_here(own_site, *event.players)
    tournaments.start(event.service, event.id)
    event.goes_on(3)
    be_here(own_site, *event.players)
    assert listed("Who is missing") == []
    assert listed("Games still going") == [
        f"{names} against {others}" for names, others in [map(name_of, event.game()[1:])]
    ]
    (left,) = (one for one in event.host.get("/host").document.walk() if one.has("data-ends"))
    assert accessible_name(left).startswith("0:5")
    # Half of the time for the first move is over: the game waits for X, who then goes.
    _, x, o = event.game()
    for _ in range(9):
        event.goes_on(1)
        be_here(own_site, x, o)
    assert listed("Who is missing") == [f"{name_of(x)} here, but a game waits"]
    x.post("/goodbye")
    event.clock.goes_on(3)
    be_here(own_site, o)
    assert listed("Who is missing") == [f"{name_of(x)} not here, and a game waits"]


def test_without_javascript_a_link_leads_to_the_game_and_the_page_by_itself(school: Site) -> None:
    event = begin(school)
    for who, leads in ((event.players[0], 1), (school.visitor(), 0)):
        assert who.get(event.address).text.count('http-equiv="refresh"') == leads
    page = event.players[0].get(event.address)
    (link,) = (one for one in page.document.all("a") if one.text.startswith("Refresh"))
    assert event.players[0].get(link.get("href")).location == event.game()[0]


def test_what_a_player_does_is_said_to_them(school: Site) -> None:
    event = begin(school, "waiting")
    who = event.players[0]
    assert "You are in." in who.get(event.address).document.text
    tournaments.start(event.service, event.id)
    assert who.press(who.get(event.address), "Leave for now").status == 200
    page = who.get(event.address)
    assert "You have left for now. You can come back." in page.document.text
    assert who.press(page, "Come back").status == 200
    assert not who.get(event.address).button("Leave for now").has("aria-disabled")


def test_a_player_who_missed_two_games_is_told_so_and_can_come_back(school: Site) -> None:
    event = begin(school, form=Format.ARENA)
    active, idle = event.players
    for _ in range(2):
        event.goes_on(4)
        address, x, _o = event.game()
        active.get(address)
        if x is active:
            active.move(active.get(address), 4)
        while not active.get(address).outcome:
            be_here(school, *event.players)
            event.goes_on(1)
    page = idle.get(event.address)
    said = "You missed two games in a row, so you are out. You can come back."
    assert page.the("mine-now").text == said
    assert idle.press(page, "Come back").status == 200
    idle.get(event.address).button("Leave for now")


def test_a_pause_of_the_host_stops_the_time_that_is_shown(school: Site) -> None:
    event = begin(school, form=Format.ARENA)
    pages = (event.address, "/class/board")
    host: Service = school.service
    for address in pages:
        assert school.visitor().get(address).text.count("data-ends=") == 1
    acts.pause(host)
    paused = [school.visitor().get(address) for address in pages]
    acts.resume(host)
    for page in paused:
        assert "data-ends" not in page.text
        assert "Your teacher has paused the games." in page.document.text


def test_the_wall_shows_it_from_the_first_to_the_podium(school: Site) -> None:
    event = begin(school, "waiting")
    wall = school.visitor().get("/class/board")
    assert "Press “Join the tournament”" in wall.document.text
    for who in event.players:
        assert name_of(who) in wall.document.text
    tournaments.start(event.service, event.id)
    assert "Round 1 of 1" in school.visitor().get("/class/board").document.text
    event.play("03142")
    tournaments.end(event.service, event.id)
    wall = school.visitor().get("/class/board")
    (ceremony,) = (one for one in wall.document.walk() if one.has("data-celebrate"))
    assert [one.text[-1] for one in ceremony.all("li")] == ["1"]
    # Whatever else the wall shows, the host's page leads back to it.
    assert event.host.press(event.host.get("/host"), "Class on the wall").status == 200
    assert "Press" not in school.visitor().get("/class/board").document.text
    assert event.host.press(event.host.get("/host"), "Tournament on the wall").status == 200
    assert "The tournament is over." in school.visitor().get("/class/board").document.text


@pytest.mark.parametrize(
    "fields,status",
    [({"tournament": NOWHERE}, 404), ({"tournament": "\x00"}, 404), ({"moves": "4"}, 422)],
)
def test_the_wall_shows_no_tournament_that_is_not_there(
    school: Site, fields: Mapping[str, str], status: int
) -> None:
    event = begin(school, "waiting")
    fields = {"tournament": event.id, **fields}
    assert event.host.post("/host/wall", fields).status == status
    assert school.visitor().get("/class/board").status == 200


# --- for programs and spreadsheets ----------------------------------------------------------------


def test_json_has_what_is_documented_and_nothing_else(school: Site) -> None:
    event = played(school)
    found = school.visitor().get(f"{event.address}.json").response.get_json()
    assert found.keys() == {"format", "state", "opening", "clock", "table", "rounds"}
    assert (found["format"], found["state"], found["opening"]) == ("swiss", "over", "empty")
    assert found["clock"] == 15
    names = {name_of(who) for who in event.players}
    for line in found["table"]:
        assert line.keys() == {"place", "name", "points", "sonneborn_berger", "kept", "games"}
    assert {line["name"] for line in found["table"]} == names
    assert sum(line["points"] for line in found["table"]) == 4
    (one,) = found["rounds"]
    (pairing,) = one.pop("pairings")
    assert one == {"round": 1}
    assert set(pairing.pop("names")) == names
    assert pairing.pop("opening") == ""
    assert len(pairing.pop("results")) == 2
    assert pairing == {}
    for player in event.players:
        assert player_of(player) not in str(found)


def test_a_name_in_any_script_is_plain_for_programs(school: Site) -> None:
    event = begin(school)
    host: Service = school.service
    acts.rename(host, player_of(event.players[0]), "Zoë")
    found = school.visitor().get(f"{event.address}.json").response.get_json()
    assert "Zoë" in {line["name"] for line in found["table"]}
    assert "Zoë" in found["rounds"][0]["pairings"][0]["names"]


def test_the_results_are_a_table_of_the_latest_one(own_site: Site) -> None:
    host = sign_in(own_site, HostKey(own_site.settings).ensure())
    page = host.get("/host/results.csv")
    assert page.status == 404
    assert "There has been no tournament yet." in page.document.text
    event = played(own_site)
    service: Service = own_site.service
    acts.rename(service, player_of(event.players[0]), "Ada")
    acts.rename(service, player_of(event.players[1]), "Zoë")
    answer = host.get("/host/results.csv")
    today = datetime.now(UTC).astimezone().date()
    assert answer.headers["Content-Disposition"] == f"attachment; filename=results-{today}.csv"
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.response.data.startswith(codecs.BOM_UTF8)
    lines = list(csv.DictReader(StringIO(answer.response.data.decode("utf-8-sig"), newline="")))
    assert {line["Name"] for line in lines} == {"Ada", "Zoë"}
    assert lines[0]["Place"] == "1"
    assert sum(int(line["Points"]) for line in lines) == 4
    begin(own_site, "waiting")
    assert "Zoë" not in host.get("/host/results.csv").response.data.decode()


def test_the_page_of_a_game_that_a_tournament_ends_is_led_to_its_board(own_site: Site) -> None:
    """Also where it was loaded before its player joined, in another tab."""
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    page = alice.get(sit_down(alice, bob).address)
    service = own_site.service
    id_ = tournaments.create(service, Format.SWISS, Opening.EMPTY, 10, 1)
    for who in (alice, carol):
        who.post(f"/tournaments/{id_}/join")
    tournaments.start(service, id_)
    assert alice.ask(page, "game").outcome
    board = alice.get(f"/tournaments/{id_}/play").location
    assert alice.ask(page, "calls").the("calls").get("data-lead") == board
    kept = bob.get(bob.get(page.address).address)
    assert kept.document.with_id("calls") is None or not kept.the("calls").has("data-lead")
