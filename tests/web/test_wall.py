import pytest

from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, sit_down
from tests.support.visitor import Fields, Site, Visitor
from webapp.service import polls
from webapp.service.site import Site as Service

pytestmark = pytest.mark.usefixtures("clock")
ARENA = {"format": "arena", "opening": "sharp", "clock": 15, "minutes": 15}
X_WINS, DRAWN = "01326", "048176253"


def wall(site: Site) -> Page:
    return site.visitor().get("/class/board")


def show(teacher: Visitor, **fields: object) -> None:
    assert teacher.post("/host/wall", fields).status == 303


def drawn_figures(page: Page) -> list[str]:
    (top,) = page.document.with_class("top")
    lines = [(line, line.with_class("figures")) for line in top.all("p")]
    return [
        f"{figures[0].get('aria-label')} {line.all('span')[-1].text}"
        for line, figures in lines
        if figures
    ]


COME_IN = "Press “Find an opponent”"


def test_come_in_stays_until_half_play(site: Site, clock: Clock, teacher: Visitor) -> None:
    several = [site.visitor() for _ in range(5)]
    for who in several:
        who.come_in()
        who.start("easy", "x", cell=4)  # which ends nothing
    be_here(site, *several)
    assert sorted(wall(site).listed("Here now")) == sorted(map(name_of, several))
    sit_down(*several[:2])
    assert COME_IN in wall(site).document.text, "two of five"
    sit_down(*several[2:4]).play(X_WINS)
    assert COME_IN not in wall(site).document.text
    for there, choice in ((True, "“Come in” on the projector"), (False, "Class on the projector")):
        teacher.press(teacher.get("/host"), choice)
        assert (COME_IN in wall(site).document.text) is there
    clock.goes_on(24 * 60 * 60)
    assert COME_IN in wall(site).document.text, "the day after"


def test_the_wall_counts_people_and_games(site: Site, clock: Clock, teacher: Visitor) -> None:
    show(teacher, tournament="class")
    assert drawn_figures(wall(site)) == ["0 are here", "0 games today"]
    several = [site.visitor() for _ in range(4)]
    for number, who in enumerate(several):
        who.come_in()
        be_here(site, *several[: number + 1], hidden=True)
        clock.goes_on(1)
    for moves in (X_WINS, DRAWN):
        sit_down(*several[:2]).play(moves)
    given_up = sit_down(*several[2:])
    given_up.play("04")
    given_up.act(several[2], "resign")
    shown = wall(site)
    assert drawn_figures(shown) == ["4 are here", "3 games today"]
    alice, bob, carol, dave = names = [name_of(who) for who in several]
    assert {*shown.listed("Standings")} == {*names}
    assert shown.document.all("button", "form", "input", "nav", "header") == []
    (refresh,) = shown.document.all("a")
    assert refresh.text == "Refresh", "there is nothing to press"
    assert sorted(shown.listed("Games in progress")) == sorted([
        f"{alice} {bob} X wins: left column",
        f"{alice} {bob} A draw",
        f"{carol} {dave} O wins: X gave up",
    ])  # fmt: skip
    clock.goes_on(24 * 60 * 60)
    be_here(site, several[0])
    assert drawn_figures(wall(site)) == ["1 is here", "0 games today"]


def said(teacher: Visitor) -> str:
    return teacher.get("/host").the("on-the-wall").all("b")[0].text


ON_IT: list[tuple[str, Fields, str, str]] = [
    ("wall", {"tournament": "blank"}, "Come in", COME_IN),
    ("wall", {"tournament": "menace"}, "MENACE", "MENACE after 0 games"),
    ("wall", {"tournament": "rules"}, "Seven rules", "If a corner is free, take it."),
    ("wall", {"tournament": "minimax"}, "Look ahead", "X is to move, and tries each free cell."),
    ("wall", {"tournament": "minimax", "at": 18}, "Look ahead", "X plays the bottom left corner."),
    ("wall", {"moves": "402", "at": 2}, "A review, after 2 of 3 moves", "Where would you play?"),
    ("tournaments", ARENA, "The tournament", "Press “Join the tournament”"),
    ("questions", {"moves": "0"}, "A question to the class", "Where would you play as O?"),
    ("quizzes", {"number": 5, "kinds": "win"}, "Question 1 of 5", "can win at once"),
    ("votes", {"opponent": "hard", "mark": "x"}, "Class against computer", "You all play X"),
]
"""What the teacher does, what the desk says then, and what the wall shows."""


def test_the_desk_says_what_is_on_the_wall(site: Site, host: Service, teacher: Visitor) -> None:
    show(teacher, tournament="class")
    for path, fields, says, on_the_wall in ON_IT:
        assert said(teacher) == "The class"
        assert teacher.post(f"/host/{path}", fields).status == 303
        assert said(teacher) == says
        shown = wall(site)
        assert on_the_wall in shown.the("class").text
        assert "or type localhost/class" in shown.document.text
        page = teacher.get("/host")
        if path in ("quizzes", "votes"):
            assert page.button("Class on the projector").has("aria-disabled")
            asked = polls.going(host)
            assert asked
            polls.end(host, asked.round or "")
        else:
            assert teacher.press(page, "Class on the projector").status == 200


def test_a_search_is_stepped_through_to_its_end(site: Site, teacher: Visitor) -> None:
    show(teacher, tournament="minimax", at=17)
    page = teacher.get("/host")
    assert page.button("Show values").has("aria-disabled")
    page = teacher.press(page, "End")
    assert page.the("step-later").has("aria-disabled")
    assert "12 of 12 boards looked at" in wall(site).document.text
    assert wall(site).the("class").all("a", "form", "button") == [], "nothing to press"
    assert teacher.post("/host/wall", {"tournament": "minimax", "at": 19}).status == 422


def test_a_solo_game_is_seen(site: Site, clock: Clock, teacher: Visitor, alice: Visitor) -> None:
    show(teacher, tournament="class")
    page = alice.start("medium", "x", cell=4)
    shown, name = wall(site), name_of(alice)
    assert drawn_figures(shown)[::2] == ["1 is here", "1 plays the computer"]
    assert shown.listed("Games in progress") == [f"{name} Medium"]
    assert teacher.get("/host").listed("Who is here") == [f"{name} plays the computer"]
    show(teacher, game=page.address.removeprefix("/games/"))
    assert f"{name} against Medium" in wall(site).document.text
    show(teacher, tournament="class")
    clock.goes_on(121)
    assert drawn_figures(wall(site)) == ["0 are here", "0 games today"]


def test_a_game_is_shown_large(site: Site, teacher: Visitor, alice: Visitor, bob: Visitor) -> None:
    game = sit_down(alice, bob).address
    show(teacher, game=game.removeprefix("/games/"))
    alice.move(alice.get(game), 0)
    shown = wall(site)
    for name, mark in ((name_of(alice), "X"), (name_of(bob), "O")):
        assert f"{name} plays {mark}" in shown.document.text
    assert [cell.mark for cell in map(shown.cell, (0, 4))] == ["X", "."]
    assert not shown.document.all("main")[0].all("form")
    assert said(teacher) == f"One game: {name_of(alice)} against {name_of(bob)}"
    for who in (alice, bob):
        who.post("/you/forget")
    gone = wall(site)
    assert (gone.document.with_id("c0"), said(teacher)) == (None, "Come in")
    assert COME_IN in gone.document.text


def test_a_review_tells_nothing_until_the_host_wants_it(site: Site, teacher: Visitor) -> None:
    telling = ('class="worth', "data-hint", "play their best", "draw away", "would have kept")
    for at, told in enumerate([(0, 2), (0, 2), (0, 2, 3, 4)]):  # the second move is a mistake
        for values in ({}, {"values": 1}):
            show(teacher, moves="41", at=at, **values)
            shown = wall(site)
            found = [one for one in telling if one in shown.text]
            assert found == [telling[one] for one in told if values]
            asks = f"{'XO'[at % 2]} to move. Where would you play?"
            assert (asks in shown.document.text) is not bool(values)
