import pytest

from tests.support import people
from tests.support.page import Page
from tests.support.people import Clock, Pair, be_here, challenge, name_of, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.core.game import Result
from webapp.live import HIDDEN_S
from webapp.service.teacher import number
from webapp.store import records

pytestmark = pytest.mark.usefixtures("clock")
WON, OPEN = "03142", " open game"


@pytest.fixture
def carol(site: Site) -> Visitor:
    return site.visitor()


def waiting(who: Visitor) -> set[str]:
    lines = who.get("/class").listed("Here now")
    return {line.removesuffix(OPEN) for line in lines if line.endswith(OPEN)}


def finder(page: Page) -> str:
    return page.the("finder").text


def test_open_games_and_games_in_progress_are_shown_to_all(
    site: Site, clock: Clock, alice: Visitor, bob: Visitor, carol: Visitor
) -> None:
    code = people.code_of(challenge(alice, "o"))
    for seconds, shown in ((0, {name_of(alice)}), (HIDDEN_S + 1, set[str]())):
        be_here(site, alice)
        clock.goes_on(seconds)
        site.service.live.beat()
        assert waiting(bob) == shown, "while she is here"
    be_here(site, alice)
    assert code not in bob.get("/class").document.text
    game = bob.press(bob.get("/class"), f"{name_of(alice)}{OPEN}").address
    assert waiting(carol) == set()
    title = f"{name_of(bob)} against {name_of(alice)}"
    for who in (alice, carol):
        assert who.get("/class").listed("Live boards") == [title]
        assert who.get("/class").links[title] == game
    pair = [f"{name_of(bob)} {name_of(alice)}"]
    assert carol.get("/class/board").listed("Games in progress") == pair


def test_boards_of_players_long_gone_are_not_first(site: Site, clock: Clock) -> None:
    pairs = list[Pair]()
    for seconds in (1, 60):
        pairs.append(sit_down(site.visitor(), site.visitor()))
        clock.goes_on(seconds)
    be_here(site, pairs[0].x)
    shown = site.visitor().get("/class").listed("Live boards")
    for pair, title in zip(pairs, shown, strict=True):
        assert name_of(pair.x) in title


def test_equal_ratings_share_a_place_and_a_gap_is_seen(site: Site, teacher: Visitor) -> None:
    teacher.post("/host/places", {"places": "all"})
    *several, new = (site.visitor() for _ in range(12))
    for who in (*several, new):
        who.start("easy", "x", cell=4)
    with site.database.write() as connection:
        for at, who in enumerate(several):
            results: list[Result] = [*"d" * 10, *"l" * max(0, at - 1)]  # the first two are equal
            for number, result in enumerate(results):
                rival = "medium" if number < 15 else "easy"
                records.record_result(connection, player_of(who), rival, result)
        records.record_result(connection, player_of(new), "easy", "w")
    last = name_of(new).split()[0]
    for at, row, places in ((2, 2, "1 1 3 4 5 6 7 8"), (10, 7, f"1 1 3 · 8 9 10 11 {last}")):
        lines = several[at].get("/class").listed("Standings")
        assert [line.split()[0] for line in lines] == places.split()
        assert f"{name_of(several[at])} (you)" in lines[row]
    everyone = site.visitor().get("/class").listed("All places")
    assert (len(everyone), everyone[-1].startswith(name_of(new))) == (12, True)
    teacher.post("/host/places", {"places": "three"})
    for who, places in ((several[10], "1 1 3 · 11"), (several[0], "1 1 3"), (teacher, "1 1 3")):
        page = who.get("/class")
        assert [line.split()[0] for line in page.listed("Standings")] == places.split()
        assert "All places" not in page.text
    own = new.get("/class").listed("Standings")
    assert (len(own), own[-1].startswith(f"{name_of(new)} (you)")) == (4, True)
    assert "11th of 11 · rating" in several[10].get("/you").document.text
    teacher.post("/host/wall", {"tournament": "class"})
    assert len(site.visitor().get("/class/board").listed("Standings")) == 3
    teacher.post("/host/places", {"places": "none"})
    page, you = several[0].get("/class"), several[0].get("/you").document.text
    assert ("Standings" in page.text, "While you wait" in page.text) == (False, True)
    assert ("rating" in you, "1st" in you) == (False, False)
    wall = site.visitor().get("/class/board")
    assert wall.listed("Here now") == sorted(map(name_of, (*several, new)), key=str.casefold)
    assert ("Standings" in wall.text, "Who is ahead" in wall.text) == (False, False)


def test_it_is_said_who_comes_near_a_place(alice: Visitor, bob: Visitor, carol: Visitor) -> None:
    page = alice.come_in()
    assert page.links.keys() >= {
        "Play Medium Classmates can still ask you for a game.",
        "Puzzle of the day Find the best cell.",
    }
    assert not page.listed("Standings"), "before there is a game"
    for other in (bob, carol):
        sit_down(alice, other).play(WON)
    page = bob.get("/class")
    first, *others = page.listed("Standings")
    assert first == f"{name_of(alice)} 2 to go"
    assert {*others} == {f"{name_of(bob)} (you) 3 to go", f"{name_of(carol)} 3 to go"}
    beaten = [f"{name_of(alice)} beat {name_of(other)}" for other in (bob, carol)]
    assert sorted(page.listed("Just finished")) == sorted(beaten)


def send(who: Visitor, path: str, page: Page | None = None, **fields: object) -> Page:
    """Press a button of the class page, as htmx does where the page is told."""
    headers = {"HX-Target": "div#class"} if page else {}
    return who.post(path, fields, fragment=bool(page), headers=headers, onto=page)


def test_two_who_look_are_led_to_their_game(alice: Visitor, bob: Visitor, carol: Visitor) -> None:
    page = alice.come_in()
    assert "Find an opponent" in finder(page)
    answer = send(alice, "/seeks", page)
    assert finder(answer) == "Looking for an opponent No one else is free yet. ? Cancel"
    page = carol.come_in()  # who has just come is counted at once
    said = "Looking for an opponent 1 is free and sees that you are looking. Cancel"
    assert finder(alice.get("/class")) == said
    assert page.listed("Here now") == ["You", f"{name_of(alice)} looking"]
    game, asks = send(bob, "/seeks").location, answer.the("class").get("hx-get")
    assert alice.get(asks, fragment=True).headers["HX-Redirect"] == game
    assert alice.get(asks).location == game, "without scripts likewise"
    assert alice.get("/class").links["Go to your game"] == game
    assert send(alice, "/seeks").location == game, "pressed once more"


def test_a_busy_player_is_asked(site: Site, alice: Visitor, bob: Visitor, carol: Visitor) -> None:
    pair = sit_down(alice, bob)
    pair.play("04")
    code = people.code_of(challenge(carol))
    before = site.dump()
    for address in (f"/join/{code}", "/challenges", "/seeks"):
        asked = bob.post(address, {"mark": "x"})
        assert asked.status == 409
        assert f"{name_of(alice)} against {name_of(bob)}" in asked.document.text
        assert asked.links["Go to the game"] == pair.address
    assert send(alice, "/seeks", alice.get("/class")).headers["HX-Redirect"] == pair.address
    assert site.dump() == before
    joined = bob.press(bob.post(f"/join/{code}"), "Give up and continue")
    assert joined.heading == f"{name_of(carol)} is thinking"
    assert alice.get(pair.address).heading == f"You win: {name_of(bob)} gave up"
    assert send(bob, "/seeks", give_up=1).location == "/class"


def test_one_declines_one_accepts(site: Site, alice: Visitor, bob: Visitor, carol: Visitor) -> None:
    for who in (alice, bob, carol):
        who.come_in()
    be_here(site, alice, bob, carol)
    numbers = {who: number(player_of(who)) for who in (alice, bob, carol)}

    def chips(page: Page) -> list[str]:
        texts = [(page.the(f"here-{numbers[who]}").text, name_of(who)) for who in (bob, carol)]
        return [text.removeprefix(name).strip() for text, name in texts]

    page = alice.get("/class")
    assert chips(page) == ["free", "free"]
    assert page.document.with_id(f"here-{numbers[alice]}") is None, "who is the viewer"
    page = send(alice, "/challenges", page, to=numbers[bob])
    assert (page.status, chips(page)) == (200, ["invited · cancel", "free"])
    said = f"{name_of(alice)} wants to play you"
    for address in ("/learn", "/class", "/calls"):
        assert said in bob.get(address).the("calls").text
        assert said not in carol.get(address).text
    declined = bob.press(bob.get("/learn"), "Decline", htmx=True)
    assert (declined.is_fragment, declined.the("calls").text) == (True, "")
    page = alice.ask(page, "class")
    assert chips(page) == ["is busy", "free"]
    page = send(alice, "/challenges", page, to=numbers[carol])
    game = carol.press(carol.get("/learn"), "Accept").address
    assert alice.ask(page, "class").headers["HX-Redirect"] == game


ELSEWHERE = ("/", "/class", "/you", "/learn", "/review/4", "/lab/rules", "/calls", "/nothing")


def call(page: Page) -> str:
    strip = page.document.with_id("calls")
    links = strip.all("a") if strip else []
    return links[0].text if links else ""


def calls(who: Visitor) -> str:
    return call(who.get("/learn"))


def test_without_a_game_of_two_nothing_calls(site: Site, alice: Visitor) -> None:
    assert not site.visitor().get("/learn").document.with_id("calls"), "who may never return"
    fields = {"opponent": "easy", "mark": "x", "cell": "4"}
    assert alice.post("/games", fields, fragment=True).the("calls").has("data-topic")
    assert {alice.get(address).the("calls").text for address in ELSEWHERE} == {""}


def test_who_waits_is_called_but_not_by_the_game(site: Site, alice: Visitor, bob: Visitor) -> None:
    page, learn = challenge(alice), alice.get("/learn")
    assert call(learn) == ""
    game = bob.post(f"/join/{people.code_of(page)}").location
    called, said = alice.ask(learn, "calls"), f"{name_of(bob)} is here: go to your game"
    assert (called.is_fragment, call(called), called.links[said]) == (True, said, game)
    assert {call(alice.get(address)) for address in ELSEWHERE} == {said}
    assert call(alice.get(game)) == ""
    assert call(alice.start("easy", "x", cell=4)) == said
    assert alice.get("/class/board").document.with_id("calls") is None
    watched = alice.get(sit_down(site.visitor(), site.visitor()).address)
    assert call(watched) == said


def test_a_move_or_rematch_calls_the_other(pair: Pair, carol: Visitor, clock: Clock) -> None:
    for ply, cell in enumerate("0314"):
        pair.play(cell)
        mover, other = (pair.o, pair.x) if ply % 2 else (pair.x, pair.o)
        assert calls(mover) == ""
        assert calls(other) == f"{name_of(mover)} has moved: go to your game"
    pair.play("2")
    assert (calls(pair.x), calls(pair.o)) == ("", ""), "an end is no call"
    pair.act(pair.x, "again")
    said = f"{name_of(pair.x)} wants a rematch"
    assert (calls(pair.x), calls(pair.o)) == ("", said)
    other_game = sit_down(pair.o, carol)
    other_game.play("4")
    shown = call(pair.o.get(other_game.address))
    assert (calls(pair.o), shown) == ("", ""), "no one leaves a game for a rematch"
    other_game.act(pair.o, "resign")
    for seconds, called in ((600, said), (1, "")):
        clock.goes_on(seconds)
        assert calls(pair.o) == called
