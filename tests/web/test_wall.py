"""What the host lets the wall show: one game, a review to talk about, or else the class."""

from __future__ import annotations

import pytest

from tests.support.page import Page
from tests.support.people import Clock, be_here, challenge, code_of, name_of, sit_down
from tests.support.visitor import Site, Visitor, journal_of, lesson_of
from webapp.classroom import Lesson
from webapp.service import teacher as acts
from webapp.service.site import Site as Service

PAUSED = "Your teacher has paused the games."
X_WINS = "01326"
MISTAKEN = "41"
"""X takes the centre, and O an edge, which gives the draw away."""

TELLING = ('class="worth', "data-hint", "with best play", "draw away", "would have held")

IMPOSSIBLE: list[tuple[int, list[tuple[str, str]]]] = [
    (422, [("game", "{game}"), ("moves", "402")]),
    *((422, [("moves", moves)]) for moves in ("44", "031425", "9", "٣", "40x")),
    (422, [("moves", "4"), ("moves", "0")]),
    *((422, [("moves", "402"), ("at", at)]) for at in ("4", "-1", "")),
    (422, [("at", "1")]),
    (422, [("game", "{game}"), ("at", "1")]),
    (422, [("moves", "402"), ("at", "1"), ("at", "2")]),
    (422, [("moves", "402"), ("values", "yes")]),
    (422, [("moves", "402"), ("values", "1"), ("values", "1")]),
    (422, [("version", "x")]),
    (422, [("game", "{game}"), ("game", "{game}")]),
    *((404, [("game", game)]) for game in ("A" * 22, "x" * 4000, "\x00", "ä")),
]


def wall(site: Site) -> Page:
    return site.visitor().get("/class/board")


def show(teacher: Visitor, **fields: object) -> None:
    assert teacher.post("/host/wall", fields).status == 303


def drawn_figures(page: Page) -> list[tuple[str, str]]:
    """The figures at the top of the wall, and the words beside them."""
    (top,) = page.document.with_class("top")
    figures = [one.with_class("figures") for one in top.all("p")]
    return [
        (one[0].get("aria-label"), line.all("span")[-1].text)
        for one, line in zip(figures, top.all("p"), strict=True)
        if one
    ]


def test_the_wall_counts_who_is_here_and_what_was_played_today(
    own_site: Site, own_clock: Clock
) -> None:
    assert drawn_figures(wall(own_site)) == [("0", "are here"), ("0", "games today")]
    several = [own_site.visitor() for _ in range(4)]
    for number, who in enumerate(several):
        who.get("/class")
        be_here(own_site, *several[: number + 1], seldom=True)
        own_clock.goes_on(1)
    came = [name_of(who) for who in reversed(several)]
    assert wall(own_site).listed("Just in") == came[:3]
    sit_down(*several[:2]).play(X_WINS)
    given_up = sit_down(*several[2:])
    given_up.play("04")
    given_up.act(several[2], "resign")
    shown = wall(own_site)
    assert drawn_figures(shown) == [("4", "are here"), ("2", "games today")]
    boards = shown.listed("Games in progress")
    ends = ("X wins: left column", "O wins: X gave up")
    pairs = (several[:2], several[2:])
    said = [f"{' '.join(map(name_of, pair))} {end}" for pair, end in zip(pairs, ends, strict=True)]
    assert sorted(boards) == sorted(said)
    own_clock.goes_on(24 * 60 * 60)
    be_here(own_site, several[0])
    assert drawn_figures(wall(own_site)) == [("1", "is here"), ("0", "games today")]


def test_each_player_who_is_here_stands_in_the_list(own_site: Site) -> None:
    alice, bob, carol = several = [own_site.visitor() for _ in range(3)]
    for who in several:
        who.get("/class")
    be_here(own_site, *several)
    sit_down(alice, bob).play(X_WINS)
    shown = wall(own_site)
    assert "Who gets the first place?" in shown.document.text
    lines = shown.listed("Standings")
    assert {*lines[:2]} == {name_of(alice), name_of(bob)}, "who have played"
    assert lines[2:] == [name_of(carol)]
    strokes = [len(one.with_class("missing")) for one in shown.document.with_class("tally")]
    assert strokes == [3, 3, 4]


def test_the_wall_has_nothing_to_press(own_site: Site) -> None:
    shown = wall(own_site).document
    assert shown.all("button", "form", "input", "nav", "header") == []
    (without_scripts,) = shown.all("noscript")
    assert shown.all("a") == without_scripts.all("a")
    assert [one.get("aria-label") for one in shown.with_class("qr")] == ["QR code of this address"]


def test_what_the_wall_cannot_show_is_refused(
    own_site: Site, teacher: Visitor, host: Service
) -> None:
    game = sit_down(own_site.visitor(), own_site.visitor()).address.removeprefix("/games/")
    for status, fields in IMPOSSIBLE:
        answer = teacher.post("/host/wall", [(name, one.format(game=game)) for name, one in fields])
        assert answer.status == status, fields
        (refusal,) = answer.document.with_class("refusal")
        assert refusal.text.endswith(".")
    assert (lesson_of(host), journal_of(host)) == (Lesson(), [])


def test_a_game_is_large_until_it_is_gone(own_site: Site, teacher: Visitor) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    pair = sit_down(alice, bob)
    pair.play("04")
    show(teacher, game=pair.address.removeprefix("/games/"))
    shown = wall(own_site)
    people = f"{name_of(alice)} plays X and {name_of(bob)} plays O."
    assert people in shown.document.text
    assert [cell.mark for cell in map(shown.cell, (0, 4, 8))] == ["X", "O", "."]
    assert not shown.document.all("main")[0].all("form")
    assert f"One game: {name_of(alice)} against {name_of(bob)}" in teacher.get("/host").text
    for who in (alice, bob):
        who.post("/you/forget")
    gone = wall(own_site)
    assert gone.document.with_id("c0") is None
    assert "Who gets the first place?" in gone.document.text
    page = teacher.get("/host")
    assert "One game" in page.document.text
    assert page.button("Class on the wall").get("aria-disabled") != "true"


def test_a_blank_wall_shows_how_to_join_and_nothing_else(
    own_site: Site, host: Service, teacher: Visitor
) -> None:
    show(teacher, tournament="blank")
    shown = wall(own_site)
    assert shown.the("class").text == ""
    assert "Join at" in shown.document.text
    page = teacher.get("/host")
    assert "Nothing but how to join" in page.document.text
    assert "The wall was blank." in page.document.text
    assert teacher.post("/host/wall", {"tournament": "none"}).status == 404
    assert teacher.press(page, "Class on the wall").status == 200
    assert not lesson_of(host).wall.blank
    assert wall(own_site).the("class").text


def test_a_challenge_on_the_wall_does_not_tell_its_code(own_site: Site, teacher: Visitor) -> None:
    page = challenge(own_site.visitor())
    show(teacher, game=page.address.removeprefix("/games/"))
    assert "Waiting for a classmate" in wall(own_site).document.text
    assert code_of(page) not in wall(own_site).text


def test_a_review_tells_nothing_until_the_host_wants_it(own_site: Site, teacher: Visitor) -> None:
    for at, told in enumerate([(0, 2), (0, 2), (0, 2, 3, 4)]):
        show(teacher, moves=MISTAKEN, at=at)
        shown = wall(own_site)
        assert [one for one in TELLING if one in shown.text] == []
        assert f"{'XO'[at % 2]} to move. Where would you play?" in shown.document.text
        show(teacher, moves=MISTAKEN, at=at, values=1)
        shown = wall(own_site)
        assert [one for one in TELLING if one in shown.text] == [TELLING[one] for one in told]
        assert "Where would you play?" not in shown.document.text


def test_a_step_is_no_line_of_the_journal_and_another_choice_is(
    host: Service, teacher: Visitor
) -> None:
    for at in (0, 1, 2, 1):
        show(teacher, moves="402", at=at)
    show(teacher, moves="402", at=1, values=1)
    show(teacher, moves="402", at=1, values=1)
    assert [entry.act.value for entry in journal_of(host)] == ["review"]
    assert lesson_of(host).wall.version == 6, "what is shown already is no change"
    show(teacher)
    assert [entry.act.value for entry in journal_of(host)] == ["class", "review"]


def test_the_wall_says_once_that_the_games_are_paused(
    own_site: Site, teacher: Visitor, host: Service
) -> None:
    pair = sit_down(own_site.visitor(), own_site.visitor())
    acts.pause(host)
    for fields in ({}, {"game": pair.address.removeprefix("/games/")}, {"moves": "402"}):
        show(teacher, **fields)
        assert wall(own_site).document.text.count(PAUSED) == 1
        assert "Paused" not in wall(own_site).document.text


@pytest.mark.parametrize("board", ["front", "easy", "friend", "classmate"])
def test_a_pause_comes_to_every_board_and_goes_by_itself(
    own_site: Site, host: Service, board: str
) -> None:
    alice = own_site.visitor()
    if board == "classmate":
        page = alice.get(sit_down(alice, own_site.visitor()).address)
    else:
        front = {"opponent": "hard", "mark": "o"}
        page = (
            alice.get("/", query_string=front) if board == "front" else alice.start(board, cell=4)
        )
    said, free, button = page.heading, page.playable, page.buttons[0]

    def asked() -> Page:
        return alice.ask(page)

    assert asked().status == 204
    acts.pause(host)
    page = asked()
    assert (page.heading, page.sentence, page.playable) == ("Paused", PAUSED, [])
    assert page.announcement == PAUSED
    assert "Let the computer begin" not in page.buttons
    assert asked().status == 204
    acts.resume(host)
    page = asked()
    assert (page.heading, page.playable, page.buttons[0]) == (said, free, button)
    assert asked().status == 204
