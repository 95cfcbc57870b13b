"""Tournaments on their pages: who may do what, and what is said to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest
import sqlalchemy as sa

from tests.support.html import accessible_name
from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, player_of, sign_in, sit_down
from tests.support.visitor import FRAGMENT, Site, Visitor, open_site
from tests.web.test_desk import MOVES, table
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

ARENA = {"format": "arena", "opening": "sharp", "clock": "15", "minutes": "15"}
SWISS = {"format": "swiss", "opening": "sharp", "clock": "15", "rounds": "5"}
ONE_IS_THERE = "There is a tournament already. End it before you make another one."
BEGUN = "This tournament has begun already."
NO_NEXT = "There is no next round."

# What cannot be done, and why; who may not at all is in the tables of all addresses.
REFUSED = {
    "waiting": {"/host/tournaments": ONE_IS_THERE, "/host{event}/next": NO_NEXT},
    "running": {
        "/host/tournaments": ONE_IS_THERE,
        "/host{event}/start": BEGUN,
        "/host{event}/next": "Games of this round are still going on.",
    },
    "over": {
        "/host{event}/start": BEGUN,
        "/host{event}/next": NO_NEXT,
        "{event}/join": "This tournament is over.",
    },
}


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
    def desk(self) -> Page:
        return self.host.get("/host")

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


def begin(
    site: Site,
    state: str = "running",
    *,
    form: Format = Format.SWISS,
    opening: Opening = Opening.EMPTY,
) -> Event:
    """Make a tournament of two; one that is there ends."""
    clock = Clock(site)
    if last := tournaments.latest(site.service):
        tournaments.end(site.service, last.id)
    host = sign_in(site, HostKey(site.settings).ensure())
    id_ = tournaments.create(site.service, form, opening, 15, 1)
    event = Event(site, host, (site.visitor(), site.visitor()), id_, clock)
    for who in event.players:
        who.come_in()
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


def test_what_cannot_be_done_is_refused_with_the_reason(school: Site) -> None:
    for state, refused in REFUSED.items():
        event = begin(school, state)
        before = school.dump()
        for act, why in refused.items():
            address = act.format(event=event.address)
            who = event.host if act.startswith("/host") else event.players[0]
            answer = who.post(address, ARENA)
            assert (answer.status, why in answer.text) == (409, True), (act, state)
            if who is event.host:
                page = who.post(address, ARENA, fragment=True, onto=event.desk)
                assert (page.status, page.the("refused").text) == (409, why)
        assert school.dump() == before


# --- the host's form, and the door ---------------------------------------------------------------


def test_the_form_of_the_page_makes_one_which_is_started_and_ended_there(
    own_site: Site, teacher: Visitor
) -> None:
    page = teacher.press(teacher.get("/host"), "Make a tournament", htmx=True)
    page = teacher.press(page, "Start", htmx=True)
    assert page.status == 409
    assert "A tournament needs two players at least." in page.document.text
    for who in (own_site.visitor(), own_site.visitor()):
        assert who.press(who.come_in(), "Join the tournament").status == 200
    assert teacher.press(teacher.get("/host"), "Start").status == 200
    page = teacher.get("/host")
    assert "Now: Arena, 15 minutes" in page.document.text
    assert "1 game still going, 0 finished" in page.document.text
    assert "Start" not in page.buttons
    page = teacher.press(page, "End it")
    assert "Arena, 15 minutes: it is over." in page.document.text
    for form in (ARENA, SWISS):
        answer = teacher.post("/host/tournaments", form)
        assert (answer.status, answer.location) == (303, "/host#now")
        made = tournaments.latest(own_site.service)
        assert made
        assert answer.headers["Content-Location"] == f"/tournaments/{made.id}"
        assert (made.format.value, made.opening.value, made.clock) == (form["format"], "sharp", 15)
        tournaments.end(own_site.service, made.id)


def test_a_player_who_is_put_out_stays_out_until_the_host_lets_them_in(school: Site) -> None:
    event = begin(school)
    address, alice, bob = event.game()
    event.host.press(event.desk, f"Out {name_of(alice)}")
    assert bob.get(address).outcome == "o"
    said = "Your teacher has put you out of this tournament."
    for place in ("/class", event.address):
        assert said in (shown := alice.get(place)).document.text
        assert shown.document.with_id("join-tournament") is None
    joined = alice.post(f"{event.address}/join")
    assert (joined.status, said in joined.document.text) == (409, True)
    assert "Your teacher" not in bob.get(event.address).document.text
    out = {"player": number(player_of(alice))}
    assert event.host.post(f"/host{event.address}/in", out).status == 303
    assert alice.press(alice.get(event.address), "Come back").status == 200
    for nobody, status in (("1", 404), ("x", 422)):
        assert event.host.post(f"/host{event.address}/out", {"player": nobody}).status == status


def test_a_closed_door_is_said_to_those_who_come_late_alone(school: Site) -> None:
    event = begin(school, "waiting")
    early, late = event.players[0], school.visitor()
    assert "You are in." in early.get(event.address).document.text
    assert event.host.post(f"/host{event.address}/late").status == 303
    tournaments.start(event.service, event.id)
    said = "This tournament has begun, and no one else can join it."
    late.come_in()
    for place in ("/class", event.address):
        assert said in late.get(place).document.text
        assert said not in early.get(place).document.text
    assert late.post(f"{event.address}/join").status == 409
    page = early.press(early.get(event.address), "Leave for now")
    assert "You have left for now. You can come back." in page.document.text
    assert early.press(page, "Come back").status == 200, "anyone who was in it comes back"
    assert event.host.post(f"/host{event.address}/late", {"late": "1"}).status == 303
    assert late.press(late.get(event.address), "Join the tournament").status == 200
    # Who was not there when it began stays out after two games without a move.
    with school.database.write() as connection:
        missed = "UPDATE entrants SET playing = false, missed = 2 WHERE player = :player"
        connection.execute(sa.text(missed), {"player": player_of(late)})
    page = late.get(event.address)
    said = "You missed two games in a row, so you are out. You can come back."
    assert page.the("mine-now").text == said
    assert late.press(page, "Come back").status == 200


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
    # Without scripts a link leads to the game, and the page by itself; with them every page.
    page = who.get(event.address)
    assert page.text.count('http-equiv="refresh"') == 1
    (link,) = (one for one in page.document.all("a") if one.text.startswith("Refresh"))
    assert who.get(link.get("href")).location == address
    for where in (event.address, "/class", "/learn", "/review/4", "/you", "/"):
        assert who.get(where).the("calls").get("data-lead") == address
    stranger = school.visitor()
    assert stranger.get(play).location == event.address
    assert "data-lead" not in stranger.get(event.address).text
    assert 'http-equiv="refresh"' not in stranger.get(event.address).text


def test_a_page_that_waits_for_a_next_game_is_led_away_where_there_is_none(school: Site) -> None:
    event = begin(school, form=Format.ARENA)
    game = event.play("03142").address

    def end(who: Visitor, what: str, page: Page) -> None:
        """Check what the page of a finished game is told, and that it is led away."""
        told = who.ask(page, "onward").the("onward")
        assert (what in told.text, told.get("data-lead")) == (True, event.address)

    one, other = event.players
    pages = one.get(game), other.get(game)
    assert {page.the("onward").get("data-lead") for page in pages} == {""}
    assert one.post(f"{event.address}/leave").status == 303
    end(one, "You have left for now. You can come back.", pages[0])
    tournaments.end(event.service, event.id)
    end(other, "The tournament is over.", pages[1])
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
    event.goes_on(4)
    address, x, o = event.game()
    for who, begins in ((o, "7"), (school.visitor(), "7"), (x, None), (o, None)):
        clock = who.get(address).the("clock")
        assert (clock.get("data-begins") if clock.has("data-begins") else None) == begins
    assert clock_of(x.get(address)) == ("15", "15", "s left for this move", True)
    event.goes_on(6)
    assert clock_of(x.get(address)) == ("9", "9", "s left for this move", True)
    assert clock_of(o.get(address)) == ("9", "9", "s left for this move", False)
    acts.pause(event.service)
    paused = x.get(address)
    acts.pause(event.service, paused=False)
    assert clock_of(paused) == (None, "9", "s left for this move", True)
    x.move(x.get(address), 4)
    assert clock_of(o.get(address)) == ("15", "15", "s left for this move", True)
    event.goes_on(17)
    page = o.get(address)
    assert "clock" not in page.text.split("<main")[1].split("<h2")[0]
    assert page.heading == f"{name_of(x)} wins: you ran out of time"


def test_after_a_game_the_next_one_begins_by_itself(school: Site) -> None:
    event = begin(school)
    _, won, lost = event.game()
    page = event.play("03142")
    first = page.address
    for who, brought, mark in (
        (won, "+2 points. You are number 1.", "O"),
        (lost, "No points.", "X"),
    ):
        card = who.get(first).the("onward")
        assert brought in card.text
        assert card.text.endswith(f"You play {mark}. The second game begins in 3 s.")
        assert not card.all("a", "button")
        # Both lines of the table, one of which the game has let rise.
        names = ("You", name_of(lost)) if who is won else (name_of(won), "You")
        lines = [f"1{names[0]}2", f"2{names[1]}1 down0"]
        assert [line.text for line in card.all("tr")] == lines
    watcher = school.visitor().get(first)
    assert "second game" not in watcher.document.text
    assert "onward" not in watcher.text
    asks, hidden = page.the("onward").get("hx-get"), {**FRAGMENT, "Page-Hidden": "true"}
    assert won._client.get(asks, headers=hidden).status_code == 204
    event.goes_on(4)
    second, *_ = event.game()
    told = won.get(asks, fragment=True, headers=hidden, onto=page).the("onward")
    assert told.get("data-lead") == second != first, "a hidden page is told too, but only once"
    assert won._client.get(told.get("hx-get"), headers=hidden).status_code == 204
    # Its page says who plays, and how they stand.
    versus = won.get(second).the("versus").text
    for said in ("Round 1 of 1 · game 2 of 2", "2 points · 1st", "0 points · 2nd"):
        assert said in versus


def test_a_game_says_that_it_begins_from_an_opening(own_site: Site) -> None:
    event = begin(own_site, "waiting", opening=Opening.SHARP)
    tournaments.start(event.service, event.id)
    address, x, o = event.game()
    for who, mark in ((x, "X"), (o, "O")):
        said = f"The game begins from here, and you have {mark}."
        assert said in who.get(address).document.text
    said = f"The game begins from here: {name_of(x)} has X, and {name_of(o)} has O."
    assert said in own_site.visitor().get(address).document.text
    event.goes_on(25)
    (game,) = table(event.host, "games")
    assert game[MOVES] == game["Opening (moves given at the start)"] != "", "among the moves"


# --- what pages show ------------------------------------------------------------------------------


def of(page: Page, label: str) -> list[str]:
    """The items of a list, by its name."""
    found = [one for one in page.document.all("ul") if one.get("aria-label") == label]
    return [re.sub(r"\s+", " ", item.text) for one in found for item in one.all("li")]


def test_the_end_has_a_podium_the_own_games_and_a_table(own_site: Site) -> None:
    event = begin(own_site)
    _, winner, loser = event.game()
    event.play("03142")  # X wins on the board, and then the other game on time
    event.goes_on(4)
    for who, name in ((winner, "Zoë"), (loser, "Ada")):
        who.get(event.game()[0])
        acts.rename(event.service, player_of(who), name)
    event.goes_on(29)
    page = winner.get(event.address)
    assert "The tournament is over." in page.document.text
    (step, *_) = page.document.with_class("podium")[0].all("li")
    assert "Zoë" in step.text
    on_board, on_time = sorted(of(page, "Your games"), key=lambda one: "out of time." in one)
    assert "number 2, decided it." in on_board
    assert "ran out of time." in on_time
    assert of(own_site.visitor().get(event.address), "Your games") == []
    results = table(event.host, "results")
    assert [(line["Name"], line["Points"]) for line in results] == [("Zoë", "4"), ("Ada", "0")]
    games = table(event.host, "games")
    columns = ("Tournament", "Round", "X", "How it ended")
    assert [[one[name] for name in columns] for one in games] == [
        ["1", "1", "Zoë", ""],
        ["1", "1", "Ada", "out of time"],
    ]
    begin(own_site, "waiting")
    assert "Zoë" not in event.host.get("/host/results.csv").response.data.decode()


def ended(*lines: tuple[str, int, int, Fraction]) -> Standing:
    """A tournament that is over, with these players, their points, and two tie-breaks."""
    table = tuple(
        Line(place, player, points, Fraction(beaten), kept, 2)
        for place, (player, points, beaten, kept) in enumerate(lines, 1)
    )
    made = Tournament("any", Format.ARENA, Opening.EMPTY, 15, 60_000, State.OVER)
    people = People((line.player, Player(line.player, line.player)) for line in table)
    return Standing(made, (), (), {}, {}, table, people, paused="")


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


def test_the_wall_shows_it_from_the_first_to_the_podium(school: Site) -> None:
    event = begin(school, "waiting", form=Format.ARENA)

    def wall() -> Page:
        return school.visitor().get("/class/board")

    waiting = wall().document.text
    assert "Press “Join the tournament”" in waiting
    assert all(name_of(who) in waiting for who in event.players)
    tournaments.start(event.service, event.id)
    event.play("03142")
    for paused in (True, False):
        acts.pause(event.service, paused=paused)
        assert ("Your teacher has paused the games." in wall().document.text) is paused
        for page in (wall(), school.visitor().get(event.address)):
            assert page.text.count("data-ends=") == (not paused)
    tournaments.end(event.service, event.id)
    (ceremony,) = (one for one in wall().document.walk() if one.has("data-celebrate"))
    assert [one.text[-1] for one in ceremony.all("li")] == ["1"]
    # Whatever else the wall shows, the host's page leads back to it.
    for button, shown in (("Class on the wall", False), ("Tournament on the wall", True)):
        assert event.host.press(event.desk, button).status == 200
        assert ("The tournament is over." in wall().document.text) is shown


def test_the_page_of_a_game_that_a_tournament_ends_is_led_to_its_board(school: Site) -> None:
    event = begin(school, "waiting")
    (alice, _), bob = event.players, school.visitor()
    page = alice.get(sit_down(alice, bob).address)  # also in a tab that was loaded before
    tournaments.start(event.service, event.id)
    assert alice.ask(page, "game").outcome
    assert alice.ask(page, "calls").the("calls").get("data-lead") == event.game()[0]
    assert not bob.get(page.address).the("calls").has("data-lead")


A_RESULT = re.compile(r"\b(draw|drew|drawn|win|wins|won|beat|lost|decided)\b", re.IGNORECASE)
CUT_OFF = (
    (Opening.EMPTY, 5, "the tournament ended first"),
    (Opening.SHARP, 0, "neither player had moved"),
    (None, 2, "a player was called to a tournament"),
)
"""From which opening, or outside of a tournament that begins, after how many moves, and why."""


def test_a_game_that_was_cut_off_is_no_draw_and_every_page_says_why(school: Site) -> None:
    for opening, moves, why in CUT_OFF:
        event = begin(school, "waiting", opening=opening or Opening.EMPTY)
        address, x, o = "", *event.players
        if opening:
            tournaments.start(event.service, event.id)
            address, x, o = event.game()
        address = address or sit_down(x, o).address
        for cell in range(moves):
            mover = x if x.get(address).playable else o
            mover.move(mover.get(address), (0, 4, 8, 2, 6)[cell])
        if not opening:
            tournaments.start(event.service, event.id)
        tournaments.end(event.service, event.id)
        heading = f"Cancelled: {why}"
        for who in (x, o, school.visitor()):
            page = who.get(address)
            assert (page.outcome, page.heading) == ("cancelled", heading)
            assert page.title == f"{heading} · Tic-Tac-Toe"
            assert f'content="A game of tic-tac-toe. {heading}."' in page.text
            assert page.sentence == "It counts for neither player."
            # But for the headings of a score.
            assert not A_RESULT.search(page.document.all("main")[0].text.replace("Draws", ""))
            assert ("Review" in page.links) is (moves > 0)
            if moves:
                review = who.get(page.links["Review"])
                assert not A_RESULT.search(f"{review.title} {review.document.all('h1')[0].text}")
                assert "The move that decided it" not in review.document.text
        event.host.press(event.desk, "Class on the wall")
        wall = school.visitor().get("/class/board").document.text
        assert (heading in wall) is (moves > 0), "a board that was played on"
        line = f"{name_of(x)} against {name_of(o)}: cancelled ({why})"
        assert (line in event.desk.document.text) is (moves > 0)
        assert f"{name_of(x)} against" not in x.get("/class").document.text
        kept = {(row["X"], row["O"], row["How it ended"]) for row in table(event.host, "games")}
        assert (name_of(x), name_of(o), why) in kept
        assert {row["Result"] for row in table(event.host, "games")} == {"Cancelled"}
        if opening:
            page = x.get(event.address)
            (mine,) = of(page, "Your games")
            assert f"No result against {name_of(o)}" in mine
            assert f"{heading}." in mine
            assert ("/review/" in page.text) is (moves > 0), "given moves alone are no review"
            assert f"cancelled ({why})" in of(page, "Round 1")[0]


def test_the_host_sees_who_has_joined_who_is_missing_and_the_games(own_site: Site) -> None:
    event = begin(own_site, "waiting", form=Format.ARENA)
    (ada, bob), late = event.players, own_site.visitor()
    late.come_in()
    event.clock.goes_on(60)
    be_here(own_site, ada, late)
    event.clock.goes_on(2)
    desk = event.desk
    joined = [f"{name_of(ada)} here", f"{name_of(bob)} not here"]
    assert sorted(of(desk, "Who has joined")) == sorted(joined)
    assert of(desk, "Who is missing") == [f"{name_of(late)} not in it"]
    late.post("/goodbye")
    be_here(own_site, ada, bob)
    tournaments.start(event.service, event.id)
    event.goes_on(3)
    be_here(own_site, ada, bob)
    desk = event.desk
    assert of(desk, "Who is missing") == []
    assert of(desk, "Games still going") == [" against ".join(map(name_of, event.game()[1:]))]
    (left,) = (one for one in desk.document.walk() if one.has("data-ends"))
    assert accessible_name(left).startswith("0:5")
    bob.post("/goodbye")
    event.clock.goes_on(3)
    be_here(own_site, ada)
    assert of(event.desk, "Who is missing") == [f"{name_of(bob)} not here"]
