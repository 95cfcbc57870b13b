"""The page of MENACE, for pupils and the teacher, and on the wall."""

from __future__ import annotations

import re

import pytest

from tests.support.page import Page
from tests.support.patience import until
from tests.support.people import name_of, player_of
from tests.support.visitor import Site, Visitor
from webapp.service import menace
from webapp.service.teacher import number


@pytest.fixture
def site(own_site: Site) -> Site:
    """Whose MENACE has learnt nothing yet."""
    return own_site


def play(visitor: Visitor) -> Page:
    page = visitor.start("menace", "o")
    while not page.the("game").get("data-outcome"):
        page = visitor.move(page, page.board.index("."))
    return page


def test_the_page_shows_who_taught_it_its_curve_and_the_boxes_of_the_last_game(
    alice: Visitor, bob: Visitor
) -> None:
    before = alice.get("/menace")
    assert "It has not learnt from any game yet" in before.document.text
    assert "No one of the class yet." in before.document.text
    assert "60.7 %" in before.document.text, "against Easy, at first"
    over = play(alice)
    assert "What MENACE has learnt from it" in over.document.text
    page = bob.get("/menace")
    assert (
        f"{name_of(alice)} MENACE" in page.document.text
        or f"{name_of(alice)} a draw" in page.document.text
    )
    assert "after 1 game" in page.document.text
    assert "Take back all" not in page.document.text
    boxes = page.text.count('class="mini box"') - 1  # beside the one to be found
    x_moves = over.board.count("X")
    assert boxes == x_moves - (x_moves == 5)


def test_a_box_is_found_by_clicking_its_board(alice: Visitor) -> None:
    assert "This box holds 12 beads." in alice.get("/menace").document.text
    assert "O is to move." in alice.get("/menace?moves=&cell=4").document.text
    page = alice.get("/menace?moves=4&cell=0")
    assert "This box holds 12 beads." in page.document.text
    assert 'aria-label="X centre; O top left. 12 beads: ' in page.text
    assert "Only one cell is free" in alice.get("/menace?moves=40263517").document.text
    assert "This game is over" in alice.get("/menace?moves=40583").document.text
    assert alice.get("/menace?moves=44").status == 422


def test_the_form_offers_o_only_and_another_mark_is_refused(alice: Visitor) -> None:
    page = alice.get("/?opponent=menace")
    assert page.text.count(" disabled>") == 2
    assert re.search(r'value="o" form="play" autocomplete="off" checked', page.text)
    assert "MENACE: learns from every game" in page.document.text
    for mark in ("x", "alternate"):
        refused = alice.post("/games", {"opponent": "menace", "mark": mark})
        assert refused.status == 422
        assert "MENACE plays X, so you play O." in refused.document.text


@pytest.mark.parametrize("address", ["/lab?x=menace&o=easy", "/lab/experiment?x=menace&o=easy"])
def test_it_is_in_no_table_and_no_experiment(alice: Visitor, address: str) -> None:
    assert "menace" not in alice.get("/lab").document.text
    assert alice.get(address).status == 422


def test_its_page_among_the_opponents_is_its_own(alice: Visitor) -> None:
    assert alice.send("GET", "/opponents/menace").location == "/menace"
    assert "MENACE" in alice.get("/opponents").document.text


def test_the_teacher_trains_it_takes_back_and_starts_afresh(
    site: Site, teacher: Visitor, alice: Visitor
) -> None:
    play(alice)
    assert "Take back all" in teacher.get("/menace").document.text
    fields = {"rival": "hard", "games": "300", "seed": "7"}
    assert teacher.post("/host/menace/train", fields).status == 303
    until(lambda: menace.look(site.service).games == 301)
    one = {"player": str(number(player_of(alice)))}
    assert teacher.post("/host/menace/unlearn", one).status == 303
    assert menace.look(site.service).games == 300
    for bad in ({"rival": "minimax"}, {"games": "0"}, {"games": "10001"}, {"seed": "ä"}):
        assert teacher.post("/host/menace/train", fields | bad).status == 422
    assert teacher.post("/host/menace/afresh").status == 303
    assert menace.look(site.service).games == 0
    assert "MENACE started afresh." in teacher.get("/host").document.text


def test_the_wall_follows_it(teacher: Visitor, alice: Visitor) -> None:
    assert teacher.post("/host/wall", {"tournament": "menace"}).status == 303
    assert "The wall showed MENACE." in teacher.get("/host").document.text
    wall = alice.get("/class/board")
    assert "MENACE after 0 games" in wall.document.text
    play(alice)
    again = alice.ask(wall, "class")
    assert "MENACE after 1 game" in again.document.text
    assert alice.ask(again, "class").status == 204
