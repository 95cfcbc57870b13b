import re
from threading import Event

import pytest

from tests.support.patience import PATIENCE, until
from tests.support.people import name_of
from tests.support.visitor import Site, Visitor
from webapp import store
from webapp.core.game import MENACE, moves_of
from webapp.service import menace


def test_page_and_wall_show_its_life(
    site: Site, teacher: Visitor, alice: Visitor, bob: Visitor
) -> None:
    first = alice.get("/menace")
    assert (first.text.count('r="10"'), first.text.count("<polyline")) == (12, 0)
    assert "Who taught it last" not in first.document.text
    assert teacher.post("/host/wall", {"tournament": "menace"}).status == 303
    wall = alice.get("/class/board")
    assert "MENACE after 0 games" in wall.document.text
    assert (wall.text.count('r="10"'), wall.text.count("<polyline")) == (12, 0)
    over = alice.start("menace", "o")
    while not over.outcome:
        over = alice.move(over, over.board.index("."))
    assert "What MENACE has learned from it" in over.document.text
    page = bob.get("/menace")
    assert re.search(f"{name_of(alice)} (MENACE|a draw)", page.document.text)
    assert "after 1 game" in page.document.text
    boxes = page.text.count('class="picture box"')
    assert boxes == min(over.board.count("X"), 4), "for the last cell it needs none"
    again = alice.ask(wall, "class")
    assert "MENACE after 1 game" in again.document.text
    assert f"{name_of(alice)} ·" in again.document.text
    menace.train(site.service, "hard", 1, "a")
    assert f"{name_of(alice)} ·" not in alice.ask(again, "class").document.text


@pytest.mark.parametrize(
    "moves, sign, moved",
    [("40583", "+3", "added"), ("402635178", "+1", "added"), ("012437", "\u22121", "taken")],
)
def test_the_last_game_marks_what_it_changed(
    site: Site, alice: Visitor, moves: str, sign: str, moved: str
) -> None:
    with site.service.database.write(MENACE) as connection:
        store.menace.add(connection, [moves_of(moves)], 0)
    page = alice.get("/menace")
    drawn = min((len(moves) + 1) // 2, 4)
    assert page.text.count(f">\u200e{sign}</text>") == page.text.count(f"(\u200e{sign})") == drawn
    assert page.text.count(f'class="{moved}"') == drawn * abs(int(sign.replace("\u2212", "-")))


def test_a_box_is_found_by_clicking_its_board(alice: Visitor) -> None:
    for query, told in {
        "": "There are 12 beads in this box.", "?moves=&cell=4": "O is to move.",
        "?moves=4&cell=0": "There are 12 beads in this box.",
        "?moves=40263517": "Only one cell is free", "?moves=40583": "This game is over",
    }.items():  # fmt: skip
        page = alice.get(f"/menace{query}")
        assert told in page.document.text, query
        box = 'aria-label="X centre; O top left. 12 beads: ' in page.text
        assert box is (query == "?moves=4&cell=0")


def test_the_form_offers_o_only_and_no_table_has_it(alice: Visitor) -> None:
    page = alice.get("/?opponent=menace")
    assert (page.mark, page.text.count(" disabled>")) == ("o", 2)
    assert "menace" not in alice.get("/lab").document.text
    assert alice.send("GET", "/opponents/menace").location == "/menace"


def test_a_teacher_trains_it(site: Site, teacher: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, fields = Event(), {"rival": "hard", "games": "6"}
    monkeypatch.setattr(menace, "EVERY", 5)
    monkeypatch.setattr(menace, "keep", lambda _site: goes_on.wait(PATIENCE))
    assert teacher.post("/host/menace/train", fields).status == 303
    until(lambda: "Training: 5 of 6" in teacher.get("/menace").document.text)
    assert "End the training" not in site.visitor().get("/menace").document.text
    assert teacher.post("/host/menace/end").status == 303
    goes_on.set()
    until(lambda: "End the training" not in teacher.get("/menace").document.text)
    assert menace.look(site.service).games == 5
    assert teacher.post("/host/menace/start-over").status == 303
    assert menace.look(site.service).games == 0
