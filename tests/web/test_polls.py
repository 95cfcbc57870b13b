"""Asking the class over HTTP: who is told what and when, and what is refused in which words."""

from __future__ import annotations

import json
import re
from itertools import product

import pytest

from tests.support.people import sign_in
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp.service.key import HostKey

CORNER = {"moves": "0"}
"""O is to move, and only the centre (4) is a draw."""


@pytest.fixture
def teacher(own_site: Site) -> Visitor:
    key = HostKey(own_site.settings)
    key.ensure()
    return sign_in(own_site, key.read())


@pytest.fixture
def pupil(own_site: Site) -> Visitor:
    visitor = own_site.visitor()
    visitor.get("/class")
    return visitor


def asked(teacher: Visitor, **fields: object) -> str:
    """Ask the class; return the address of the question."""
    answer = teacher.post("/host/questions", fields or CORNER)
    assert answer.status == 303
    return str(answer.headers["Location"])


def data(visitor: Visitor, address: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(visitor.get(f"{address}.json").text)
    return found


def test_a_pupil_answers_and_is_told_what_came_of_it(teacher: Visitor, pupil: Visitor) -> None:
    address = asked(teacher)
    page = pupil.get(address)
    assert "Where would you play with O?" in page.text
    assert pupil.post(f"{address}/answer", {"cell": "2"}).status == 303
    assert "You chose the top right corner. You can change it" in pupil.get(address).text
    pupil.post(f"{address}/answer", {"cell": "4"})
    teacher.post(f"/host{address}/close")
    assert "You chose the centre. 1 of" in pupil.get(address).text
    teacher.post(f"/host{address}/reveal")
    assert "You chose the centre. The only cell that holds the draw." in pupil.get(address).text
    late = pupil.post(f"{address}/answer", {"cell": "2"})
    assert (late.status, "Time is up" in late.text) == (409, True)


def test_a_wrong_answer_is_told_what_it_gave_away(teacher: Visitor, pupil: Visitor) -> None:
    address = asked(teacher)
    pupil.post(f"{address}/answer", {"cell": "1"})
    teacher.post(f"/host{address}/reveal")
    assert "Gives the draw away: X can now win" in pupil.get(address).text


STATES = ("open", "closed", "revealed")
ROLES = ("teacher", "pupil", "stranger")
OTHERS_CHOSE, RIGHT = (
    re.compile(r'class="worth|"cells"'),
    re.compile(r'Right:|>draw<|, draw"|"best"'),
)
"""What gives away how others answer, and that the centre alone holds the draw."""


@pytest.mark.parametrize("state, role", [*product(STATES, ROLES)])
def test_no_one_is_told_anything_before_its_time(
    own_site: Site, teacher: Visitor, pupil: Visitor, state: str, role: str
) -> None:
    address = asked(teacher)
    for cell, visitor in ((2, pupil), (6, own_site.visitor()), (6, own_site.visitor())):
        visitor.post(f"{address}/answer", {"cell": str(cell)})
    for act in {"open": (), "closed": ("close",), "revealed": ("reveal",)}[state]:
        teacher.post(f"/host{address}/{act}")
    viewer = {"teacher": teacher, "pupil": pupil, "stranger": own_site.visitor()}[role]
    found, page = data(viewer, address), viewer.get(address)
    assert (found["state"], found["moves"]) == (state, "0")
    host = role == "teacher"
    assert found["answers"] == 3
    assert ("cells" in found) == (host or state != "open")
    assert ("best" in found) == (host or state == "revealed")
    if "cells" in found:
        assert found["cells"] == [0, 0, 1, 0, 0, 0, 2, 0, 0]
    assert (">draw</span>" in page.text) == (state == "revealed")
    for path in (address, "/class/board", "/class", "/learn", "/host"):
        page = viewer.get(path)
        told = f"{page.headers}{page.text}"
        assert state != "open" or not OTHERS_CHOSE.search(told), path
        assert state == "revealed" or not RIGHT.search(told), path


def test_the_page_does_not_change_with_what_others_answer(
    own_site: Site, teacher: Visitor, pupil: Visitor
) -> None:
    address = asked(teacher)
    before = pupil.get(address)
    own_site.visitor().post(f"{address}/answer", {"cell": "4"})
    stamp = re.compile(r"since=(\w+)")
    assert stamp.findall(pupil.get(address).text) == stamp.findall(before.text)


@pytest.mark.parametrize(
    "fields, status, words",
    [
        ({}, 422, "Choose what to ask"),
        ({"kind": "nothing"}, 422, "There is no such kind"),
        ({"kind": "win", "seconds": "7"}, 422, "0, 15, 30 or 60"),
        ({"moves": "9"}, 422, "0 to 8"),
        ({"moves": "00"}, 422, "already"),
        ({"moves": "03142"}, 422, "over"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(
    teacher: Visitor, fields: dict[str, str], status: int, words: str
) -> None:
    answer = teacher.post("/host/questions", fields)
    assert (answer.status, words in answer.text) == (status, True)


def test_only_the_teacher_asks(pupil: Visitor, teacher: Visitor) -> None:
    address = asked(teacher)
    for path in (
        "/host/questions",
        "/host/quizzes",
        "/host/votes",
        f"/host{address}/close",
        f"/host{address}/reveal",
        "/host/quizzes/x/next",
        "/host/quizzes/x/end",
    ):
        assert pupil.post(path, {"kind": "win"}).status == 403
    assert pupil.get("/host/quizzes/x.csv").status == 403
    assert data(pupil, address)["state"] == "open"


def test_one_question_at_a_time(teacher: Visitor) -> None:
    asked(teacher)
    answer = teacher.post("/host/questions", {"kind": "win"})
    assert (answer.status, "already" in answer.text) == (409, True)


@pytest.mark.parametrize("cell, status", [("0", 422), ("9", 422), ("", 422), ("4", 303)])
def test_what_is_no_answer_is_refused(
    teacher: Visitor, pupil: Visitor, cell: str, status: int
) -> None:
    assert pupil.post(f"{asked(teacher)}/answer", {"cell": cell}).status == status


def test_there_is_no_such_question(pupil: Visitor) -> None:
    for path in ("/questions/x", "/questions/x.json", "/quizzes/x", "/quizzes/x.json"):
        assert pupil.get(path).status == 404
    assert pupil.post("/questions/x/answer", {"cell": "4"}).status == 404


def test_the_class_page_leads_to_a_question_and_the_strip_of_others_calls(
    teacher: Visitor, pupil: Visitor
) -> None:
    assert pupil.get("/class").status == 200
    address = asked(teacher)
    assert pupil.get("/class").headers["Location"] == address
    assert pupil.get("/class", headers=FRAGMENT).headers["HX-Redirect"] == address
    assert teacher.get("/class").status == 200, "the teacher is not led away"
    strip = pupil.get("/learn").the("calls")
    assert strip.get("data-lead") == address
    assert "Your teacher asks the class." in strip.text
    teacher.post(f"/host{address}/reveal")
    assert pupil.get("/class").status == 200
    assert "asks the class" not in pupil.get("/learn").text


def test_the_wall_shows_how_many_have_answered_then_what_and_then_what_is_right(
    own_site: Site, teacher: Visitor, pupil: Visitor
) -> None:
    address = asked(teacher, moves="0", seconds="30")
    pupil.post(f"{address}/answer", {"cell": "4"})
    wall = own_site.visitor()
    page = wall.get("/class/board")
    assert "Where would you play with O?" in page.text
    assert "1 of" in page.text
    assert "Seconds left: 30." in page.text
    assert page.the("c4").text == ""
    teacher.post(f"/host{address}/close")
    assert wall.get("/class/board").the("c4").text == "1"
    teacher.post(f"/host{address}/reveal")
    page = wall.get("/class/board")
    assert page.the("c4").text == "draw"
    assert "The only cell that holds the draw." in page.text
    teacher.post("/host/wall", {})
    assert "Where would you play" not in wall.get("/class/board").text


# --- quizzes ------------------------------------------------------------------------------------


def test_a_quiz_leads_from_question_to_question_and_to_its_table(
    teacher: Visitor, pupil: Visitor
) -> None:
    fields = [("number", "5"), ("kinds", "win"), ("kinds", "block")]
    quiz = str(teacher.post("/host/quizzes", fields).headers["Location"])
    for number in range(1, 6):
        address = str(pupil.get(quiz).headers["Location"])
        assert f"Question {number} of 5" in pupil.get(address).text
        best = data(teacher, address)["best"]
        assert isinstance(best, list)
        pupil.post(f"{address}/answer", {"cell": str(best[0])})
        going = data(pupil, quiz)
        assert isinstance(going["questions"], list)
        assert (len(going["questions"]), going["table"]) == (number, [])
        for _ in range(2):
            teacher.post(f"/host{quiz}/next")
    assert pupil.get(address).headers["Location"] == quiz
    page = pupil.get(quiz)
    assert "5 of 5 right" in page.text
    for shown in (page, teacher.get(quiz), pupil.get("/class/board")):
        (podium,) = shown.document.with_class("podium")
        assert re.search(r"5 points\W*1$", podium.text)
    assert "The end of the quiz" in teacher.get("/host").text
    (line,) = json.loads(pupil.get(f"{quiz}.json").text)["table"]
    assert (line["place"], line["points"]) == (1, 5)
    table = teacher.get(f"/host{quiz}.csv").text.splitlines()
    assert len(table) == 3
    assert table[0].startswith("\ufeffPlace,Name,Points,Question 1")


def test_the_teacher_sees_what_the_class_got_wrong_most_and_puts_it_on_the_wall(
    teacher: Visitor, pupil: Visitor
) -> None:
    quiz = str(teacher.post("/host/quizzes", {"number": "5", "kinds": "only"}).headers["Location"])
    address = str(pupil.get(quiz).headers["Location"])
    moves, best = (str(data(teacher, address)[name]) for name in ("moves", "best"))
    wrong = next(cell for cell in "012345678" if cell not in moves + best)
    pupil.post(f"{address}/answer", {"cell": wrong})
    teacher.post(f"/host{quiz}/end")
    page = teacher.get(quiz)
    assert "1 got it wrong. Right:" in page.text
    assert "got it wrong" not in pupil.get(quiz).text
    assert teacher.post("/host/wall", {"moves": moves, "at": len(moves), "values": 1}).status == 303
    assert "loss in" in pupil.get("/class/board").text


def test_a_position_is_clicked_together(teacher: Visitor, pupil: Visitor) -> None:
    page = teacher.get("/host/questions?moves=40&cell=8")
    assert "O is to move." in page.text
    assert pupil.get("/host/questions?moves=40").status == 403
    assert teacher.get("/host/questions?moves=44").status == 422
    address = asked(teacher, moves="408")
    assert data(pupil, address)["moves"] == "408"
    assert teacher.post(f"/host{address}/done").status == 303
    assert data(pupil, address)["state"] == "done"
    empty = asked(teacher, moves="")
    teacher.post(f"/host{empty}/reveal")
    assert "Right: any cell. Keeps the draw." in pupil.get(empty).text


def test_homework_is_answered_at_any_time_and_once(teacher: Visitor, pupil: Visitor) -> None:
    fields = {"number": "5", "kinds": "fork", "home": "1"}
    home = str(teacher.post("/host/quizzes", fields).headers["Location"])
    assert teacher.get(home).status == 200
    for _ in range(5):
        address = str(pupil.get(home).headers["Location"])
        best = data(teacher, address)["best"]
        assert isinstance(best, list)
        assert pupil.post(f"{address}/answer", {"cell": str(best[0])}).status == 303
        assert pupil.post(f"{address}/answer", {"cell": str(best[0])}).status == 409
        assert "best" not in data(pupil, address)
    assert "5 of 5 right" in pupil.get(home).text


# --- the class against the computer -------------------------------------------------------------


def test_the_class_plays_a_game(teacher: Visitor, pupil: Visitor) -> None:
    fields = {"opponent": "hard", "mark": "x", "seconds": "15"}
    vote = str(teacher.post("/host/votes", fields).headers["Location"])
    address = str(pupil.get(vote).headers["Location"])
    page = pupil.get(address)
    assert "You all play X against Hard." in page.text
    assert "Seconds left: 15." in page.text
    pupil.post(f"{address}/answer", {"cell": "8"})
    teacher.post(f"/host{vote}/next")
    assert "The class plays the bottom right corner, with 1 vote." in pupil.get(address).text
    teacher.post(f"/host{vote}/next")
    following = str(pupil.get(vote).headers["Location"])
    assert following != address
    assert "I took the centre" in pupil.get(following).text
    teacher.post(f"/host{vote}/end")
    assert pupil.get(vote).headers["Location"] == "/class"


def test_a_fragment_leads_on_too(teacher: Visitor, pupil: Visitor) -> None:
    fields = {"number": "5", "kinds": "win"}
    quiz = str(teacher.post("/host/quizzes", fields).headers["Location"])
    address = str(pupil.get(quiz).headers["Location"])
    for _ in range(2):
        teacher.post(f"/host{quiz}/next")
    following = pupil.get(address, headers=FRAGMENT).headers["HX-Redirect"]
    assert following == pupil.get(quiz).headers["Location"] != address
