import re
from dataclasses import dataclass, replace

from tests.support.html import accessible_name
from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, player_of, sign_in, sit_down
from tests.support.visitor import FRAGMENT, Site, Visitor
from tests.web.test_desk import MOVES, table
from webapp.core.game import Game, Kind
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.service.teacher import number
from webapp.store import games as stored_games
from webapp.store import tournaments as stored
from webapp.tournament.event import Format, Match, Opening, Step

ARENA = {"format": "arena", "opening": "sharp", "clock": "15", "minutes": "15"}
SWISS = {"format": "swiss", "opening": "sharp", "clock": "15", "rounds": "5"}
X_WINS = "03142"


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

    def start(self) -> None:
        tournaments.start(self.service, self.id)

    def end(self) -> None:
        tournaments.end(self.service, self.id)

    def goes_on(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.goes_on(1)
            self.service.live.beat()
            tournaments.tick(self.service)

    def game(self) -> tuple[str, Visitor, Visitor]:
        (address,) = {who.get(f"{self.address}/play").location for who in self.players}
        row = self.site.stored(address)
        by_seat = {player_of(who): who for who in self.players}
        return address, by_seat[row["x_seat"]], by_seat[row["o_seat"]]

    def play(self, moves: str) -> Page:
        address, x, o = self.game()
        page = x.get(address)
        for ply, cell in enumerate(map(int, moves)):
            mover = o if ply % 2 else x
            page = mover.move(mover.get(address), cell)
        return page


def begin(
    site: Site, form: Format = Format.SWISS, opening: Opening = Opening.EMPTY, *,
    begins: bool = True,
) -> Event:  # fmt: skip
    """Make a tournament of two."""
    clock = Clock(site)
    host = sign_in(site, HostKey(site.settings).ensure())
    id_ = tournaments.create(site.service, form, opening, 15, 1)
    event = Event(site, host, (site.visitor(), site.visitor()), id_, clock)
    for who in event.players:
        who.come_in()
        assert who.post(f"{event.address}/join").status == 303
    if begins:
        be_here(site, *event.players)
        event.start()
        event.goes_on(4)
    return event


def test_the_desk_makes_starts_and_ends_a_tournament(site: Site, teacher: Visitor) -> None:
    page = teacher.press(teacher.get("/host"), "Make a tournament", htmx=True)
    page = teacher.press(page, "Start", htmx=True)
    assert page.the("refused").text == "A tournament needs at least two players."
    for who in (site.visitor(), site.visitor()):
        assert who.press(who.come_in(), "Join the tournament").status == 200
    page = teacher.press(teacher.get("/host"), "Start")
    assert "1 game in progress, 0 finished" in page.document.text
    assert "Start" not in page.buttons
    assert "Arena, 15 minutes: it is over." in teacher.press(page, "End it").document.text
    assert "Arena, 15 minutes" in teacher.get("/host/lesson").links
    for form in (ARENA, SWISS):
        answer = teacher.post("/host/tournaments", form)
        made = tournaments.latest(site.service)
        assert made
        assert answer.headers["Content-Location"] == f"/tournaments/{made.id}"
        assert (made.format.value, made.opening.value, made.clock) == (form["format"], "sharp", 15)
        assert teacher.post("/host/tournaments", form).status == 409, "there is one"
        tournaments.end(site.service, made.id)


def test_a_player_who_is_put_out_stays_out_until_the_host_lets_them_in(site: Site) -> None:
    event = begin(site)
    for act in ("start", "next"):
        assert event.host.post(f"/host{event.address}/{act}").status == 409
    address, alice, bob = event.game()
    event.host.press(event.desk, f"Remove {name_of(alice)}")
    assert bob.get(address).outcome == "o"
    said = "Your teacher has taken you out of this tournament."
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


def test_a_closed_door_is_said_to_those_who_come_late_alone(site: Site) -> None:
    event = begin(site, begins=False)
    early, late = event.players[0], site.visitor()
    assert "You are in." in early.get(event.address).document.text
    assert event.host.post(f"/host{event.address}/late").status == 303
    event.start()
    said = "This tournament has started, so no one else can join."
    late.come_in()
    for place in ("/class", event.address):
        assert said in late.get(place).document.text
        assert said not in early.get(place).document.text
    assert late.post(f"{event.address}/join").status == 409
    page = early.press(early.get(event.address), "Leave for now")
    assert "You are taking a break. You can come back." in page.document.text
    assert early.press(page, "Come back").status == 200, "anyone who was in it comes back"
    assert event.host.post(f"/host{event.address}/late", {"late": "1"}).status == 303
    assert late.press(late.get(event.address), "Join the tournament").status == 200
    with site.database.write() as connection:
        connection.exec_driver_sql("UPDATE entrants SET playing = false, missed = 2")
    said = "You missed two games in a row, so you are out. You can come back."
    assert late.get(event.address).the("mine-now").text == said


def test_every_page_leads_a_player_to_the_game_that_begins(site: Site) -> None:
    event = begin(site, begins=False)
    who, play, stranger = event.players[0], f"{event.address}/play", site.visitor()
    assert who.get(play).location == event.address
    assert who._client.get(play, headers=FRAGMENT).headers["HX-Redirect"] == event.address
    places = (event.address, "/class", "/learn", "/you", "/")
    for address in places:
        page = who.get(address)
        strip = page.the("calls")
        assert (strip.has("data-here"), strip.has("data-lead")) == (True, False)
        assert "Your first tournament game opens by itself." in strip.text
        # Without a script it loads itself again, unless it is a form; its player is here then.
        refreshed = f'content="5; url={address}?here=1"' in page.text
        assert refreshed == (address != "/you")
    for what in ("join", "leave"):
        assert stranger.post(f"{event.address}/{what}").status == 303
    other = who.get(sit_down(who, stranger).address)
    event.start()
    game, *_ = event.game()
    assert who.ask(other, "game").outcome, "a game with another player ends"
    assert who.ask(other, "calls").the("calls").get("data-lead") == game
    assert who.get(play, headers=FRAGMENT).headers["HX-Redirect"] == game
    page = who.get(event.address)
    (link,) = (one for one in page.document.all("a") if one.text.startswith("Refresh"))
    assert who.get(link.get("href")).location == game
    assert {who.get(where).the("calls").get("data-lead") for where in places} == {game}
    assert stranger.get(play).location == event.address
    assert "data-lead" not in stranger.get(event.address).text


def test_after_a_game_the_next_one_begins_by_itself_and_after_the_last_none(site: Site) -> None:
    event = begin(site)
    going, won, lost = event.game()
    asked = won.ask(won.get(going), "game")
    assert not asked.document.with_class("plate"), "both players stand above it already"
    page = event.play(X_WINS)
    first = page.address
    card = won.get(first).the("onward")
    assert "+2 points. You are in place 1." in card.text
    assert card.text.endswith("You play O. The second game starts in 3 s.")
    assert [line.text for line in card.all("tr")] == ["1You2", f"2{name_of(lost)}1 down0"]
    assert "No points." in lost.get(first).the("onward").text
    assert "onward" not in site.visitor().get(first).text
    event.goes_on(4)
    second, *_ = event.game()
    assert won.ask(page, "onward").the("onward").get("data-lead") == second != first
    assert "Round 1 of 1 · game 2 of 2" in won.get(second).the("versus").text
    page = event.play(X_WINS)
    event.end()
    told = lost.ask(page, "onward").the("onward")
    assert ("The tournament is over." in told.text, told.get("data-lead")) == (True, event.address)
    assert won.post(f"{event.address}/join").status == 409
    # Looked at again it promises nothing, and leads nowhere by itself.
    again = lost.get(second).the("onward")
    assert ("next" in again.text, again.has("data-lead"), again.has("hx-get")) == (False,) * 3


def test_the_end_has_a_podium_the_own_games_and_a_table(site: Site) -> None:
    event = begin(site)
    _, winner, loser = event.game()
    event.play(X_WINS)  # on the board, and then the other game on time
    event.goes_on(4)
    for who, name in ((winner, "Zoë"), (loser, "Ada")):
        acts.rename(event.service, player_of(who), name)
    event.goes_on(15)
    be_here(site, winner)
    event.goes_on(24)
    page = winner.get(event.address)
    assert "Zoë" in page.document.with_class("podium")[0].all("li")[0].text
    own = " ".join(page.listed("Your games"))
    assert ("number 2, decided it." in own, "ran out of time." in own) == (True, True)
    assert site.visitor().get(event.address).listed("Your games") == []
    results = [(line["Name"], line["Points"]) for line in table(event.host, "results")]
    assert results == [("Zoë", "4"), ("Ada", "0")]
    columns = ("Tournament", "Round", "X", "How it ended")
    games = [[one[name] for name in columns] for one in table(event.host, "games")]
    assert sorted(games) == [["1", "1", "Ada", "out of time"], ["1", "1", "Zoë", ""]]
    # Whatever else the wall shows, the host's page leads back to it.
    for button, shown in (("Class on the projector", False), ("Tournament on the projector", True)):
        assert event.host.press(event.desk, button).status == 200
        assert ("The tournament is over." in winner.get("/class/board").text) is shown
    begin(site, begins=False)
    assert "Zoë" not in event.host.get("/host/results.csv").response.data.decode()


ORDER = ((0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4), (1, 2))
"""Who beats whom among five; the last but one of them, only in the second half."""


def of_five(site: Site) -> tuple[Event, list[str]]:
    """A tournament that five have played, the best first, and the addresses of its games."""
    event = begin(site, begins=False)
    event.players += tuple(site.visitor() for _ in range(3))
    for who in event.players[2:]:
        who.come_in()
        who.post(f"{event.address}/join")
    ids = [player_of(who) for who in event.players]
    games = [
        Game(
            (0, 3, 1, 4, 2),
            reasons=(None,) * 5,
            id=f"{number:022}",
            kind=Kind.TWO_DEVICES,
            x_seat=ids[winner],
            o_seat=ids[loser],
            tournament=event.id,
            clock=15,
        )
        for number, (winner, loser) in enumerate(ORDER, 1)
    ]
    games.append(replace(games[-2], moves=(), reasons=(), id="going".ljust(22, "-")))
    with site.database.write() as connection:
        stored_games.insert_all(connection, games, 1)
        matches = [
            Match(number, 0, game.x_seat or "", game.o_seat, games=(game.id,))
            for number, game in enumerate(games, 1)
        ]
        matches[-1] = matches[-1]._replace(step=Step.SECOND)
        stored.put_matches(connection, event.id, matches)
        connection.exec_driver_sql("UPDATE tournaments SET state = 'running'")
    return event, [f"/games/{game.id}" for game in games]


def places(page: Page) -> str:
    tables = page.document.with_class("standings")
    rows = [row for one in tables[:1] for row in one.all("tr") if row.all("td")]
    return "".join(row.all("td")[0].text for row in rows)


SEEN = {"all": ("12345", "12345", "12345"), "three": ("123", "1235", "123"), "none": ("",) * 3}
"""Whose places someone outside, the last, and the wall see while a tournament is played."""
AFTER = {"all": ("345", "1234", True), "three": ("5", "", True), "none": ("", "", False)}
"""Which the last sees on the card after a game, which the wall shows at the end, and a podium."""


def test_the_teacher_chooses_whose_places_are_shown(site: Site) -> None:
    event, addresses = of_five(site)
    *_, fourth, last = event.players

    def wall() -> tuple[str, int]:
        page = last.get("/class/board")
        shown = "".join(row[0] for row in page.listed("Places and points") or ())
        return shown, len(page.document.with_class("podium"))

    for choice, (others, own, projected) in SEEN.items():
        event.host.post("/host/places", {"places": choice})
        assert places(site.visitor().get(event.address)) == others
        assert places(page := last.get(event.address)) == own
        assert ("You are in place 5." in page.document.text) is (choice != "none")
        assert wall()[0] == projected
        assert places(last.get(addresses[-3])) == AFTER[choice][0]
        lines = [line.text for line in last.get(addresses[-1]).document.with_class("points")]
        opponents = "2 points · 4th" if choice == "all" else ""
        assert lines == ["0 points · 5th" if choice != "none" else "", opponents]
        assert places(event.host.get(event.address)) == "12345", "the teacher sees all"
        assert len(table(event.host, "results")) == 5
    event.end()
    for choice, (_card, shown, podium) in AFTER.items():
        event.host.post("/host/places", {"places": choice})
        assert wall() == (shown, podium)
        page = fourth.get(event.address)
        said = f"Your best win: {name_of(last)}."
        rose = " 1 place up since half-time." if choice != "none" else ""
        assert page.the("mine-now").text == said + rose, "first of all"
        folded = page.document.with_id("own-place")
        assert (folded is not None) is (choice != "none")
        assert folded is None or "You are in place 4." in folded.text
        assert page.document.text.count("You are in place") == int(choice != "none")


A_RESULT = re.compile(r"\b(draw|drew|drawn|win|wins|won|beat|lost|decided)\b", re.IGNORECASE)
CUT_OFF = (
    (Opening.EMPTY, 5, "the tournament ended first"),
    (Opening.SHARP, 0, "neither player had moved"),
    (None, 2, "a player had to go to a tournament"),
)
"""From which opening, or outside of a tournament that begins, after how many moves, and why."""


def test_a_game_that_was_cut_off_is_no_draw_and_every_page_says_why(site: Site) -> None:
    for opening, moves, why in CUT_OFF:
        event = begin(site, opening=opening or Opening.EMPTY, begins=False)
        x, o = event.players
        if opening:
            event.start()
            address, x, o = event.game()
            begins = "The game starts from here, and you are O."
            assert (begins in o.get(address).document.text) is (opening is Opening.SHARP)
        else:
            address = sit_down(x, o).address
        for ply in range(moves):
            mover = o if ply % 2 else x
            mover.move(mover.get(address), (0, 4, 8, 2, 6)[ply])
        if not opening:
            event.start()
        event.end()
        heading = f"Cancelled: {why}"
        for who in (x, o, site.visitor()):
            page = who.get(address)
            assert (page.outcome, page.heading) == ("cancelled", heading)
            # But for the headings of a score.
            assert not A_RESULT.search(page.document.all("main")[0].text.replace("Draws", ""))
            assert ("Review" in page.links) is (moves > 0)
        event.host.press(event.desk, "Class on the projector")
        wall = site.visitor().get("/class/board").document.text
        assert (heading in wall) is (moves > 0), "a board that was played on"
        rows = [row for row in table(event.host, "games") if row["How it ended"] == why]
        (kept,) = (row for row in rows if row["X"] == name_of(x))
        assert (kept["O"], kept["Result"]) == (name_of(o), "Cancelled")
        if opening is Opening.SHARP:
            assert kept[MOVES] == kept["Opening (moves given at the start)"] != ""
        if opening:
            (mine,) = x.get(event.address).listed("Your games")
            assert f"No result against {name_of(o)}" in mine
            assert f"{heading}." in mine


def test_the_host_sees_who_has_joined_who_is_missing_and_the_games(site: Site) -> None:
    event = begin(site, form=Format.ARENA, begins=False)
    (ada, bob), late = event.players, site.visitor()
    late.come_in()
    event.clock.goes_on(60)
    be_here(site, ada, late)
    event.clock.goes_on(2)
    joined = [f"{name_of(ada)} here", f"{name_of(bob)} not here"]
    assert sorted(event.desk.listed("Who has joined")) == sorted(joined)
    assert event.desk.listed("Who is missing") == [f"{name_of(late)} not taking part"]
    be_here(site, ada, bob)
    event.start()
    event.goes_on(3)
    desk, (_, x, o) = event.desk, event.game()
    assert desk.listed("Games in progress")[:1] == [f"{name_of(x)} against {name_of(o)}"]
    (left,) = (one for one in desk.document.walk() if one.has("data-ends"))
    assert accessible_name(left).startswith("0:5")
    acts.pause(event.service)
    assert "data-ends" not in event.desk.text


def test_the_page_after_the_lesson_has_the_tournament_of_today(site: Site) -> None:
    event = begin(site)
    _address, winner, _loser = event.game()
    event.play(X_WINS)
    assert "The first three" not in event.host.get("/host/lesson").text, "it is not over"
    event.end()
    (first, *_) = event.host.get("/host/lesson").listed("The first three")
    assert name_of(winner) in first
    event.clock.goes_on(2 * 24 * 60 * 60)
    later = sign_in(site, HostKey(site.settings).read())
    assert "The first three" not in later.get("/host/lesson").text
