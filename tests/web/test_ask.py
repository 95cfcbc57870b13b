import re
from itertools import product

import pytest

from tests.support.people import Clock
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp.service import polls

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def alice(site: Site) -> Visitor:
    alice = site.visitor()
    alice.come_in()
    return alice


def asked(teacher: Visitor, moves: str = "0", **fields: object) -> str:
    """Ask the class what O plays after a corner, of which the centre (4) alone is a draw."""
    answer = teacher.post("/host/questions", {"moves": moves, **fields})
    assert (answer.status, answer.location) == (303, "/host#now")
    return str(answer.headers["Content-Location"])


def test_a_pupil_is_told_what_came_of_it(teacher: Visitor, alice: Visitor, bob: Visitor) -> None:
    address = asked(teacher)
    assert "Where would you play as O?" in alice.get(address).text
    for bad in ("0", "9", ""):
        assert alice.post(f"{address}/answer", {"cell": bad}).status == 422
    assert alice.post(f"{address}/answer", {"cell": "2"}).status == 303
    assert "You chose the top right corner. You can change it" in alice.get(address).text
    alice.post(f"{address}/answer", {"cell": "4"})
    bob.post(f"{address}/answer", {"cell": "1"})
    teacher.post(f"/host{address}/close")
    assert "You chose the centre. 2 of" in alice.get(address).text
    teacher.post(f"/host{address}/reveal")
    assert "You chose the centre. The only cell that keeps the draw." in alice.get(address).text
    assert "Gives the draw away: X can now win" in bob.get(address).text
    late = alice.post(f"{address}/answer", {"cell": "2"})
    assert (late.status, "Time is up" in late.text) == (409, True)


def test_a_question_that_is_taken_back_says_nothing_and_leads_back(
    teacher: Visitor, alice: Visitor, bob: Visitor
) -> None:
    for start, fields in (
        ("questions", {"moves": "0"}),
        ("quizzes", {"number": "5", "kinds": "win"}),
    ):
        made = str(teacher.post(f"/host/{start}", fields).headers["Content-Location"])
        address = alice.get("/class", headers=FRAGMENT).headers["HX-Redirect"]
        alice.post(f"{address}/answer", {"cell": "4"})
        assert teacher.post(f"/host{address}/take-back").status == 303
        assert alice.get(address, headers=FRAGMENT).headers["HX-Redirect"] == "/class"
        assert alice.get(f"{address}?here=1").status == 303
        assert {bob.get(address).status, bob.get(made).status} == {404}
        assert alice.get("/class").status == 200


OTHERS_CHOSE, RIGHT = re.compile(r'class="worth'), re.compile(r'Correct:|>draw<|, draw"')
"""What gives away how others answer, and that the centre alone holds the draw."""


def test_no_one_is_told_anything_before_its_time(
    site: Site, clock: Clock, teacher: Visitor, alice: Visitor, bob: Visitor
) -> None:
    pupils = (2, alice), (6, site.visitor()), (6, site.visitor())
    for _cell, visitor in pupils:
        visitor.come_in()
    address = asked(teacher, seconds="30")
    for cell, visitor in pupils:
        visitor.post(f"{address}/answer", {"cell": str(cell)})
    assert "3 of 3 have answered." in teacher.get("/host").text
    for act, on_the_wall in (("", ""), ("close", "2"), ("reveal", "loss in 3")):
        if act:
            teacher.post(f"/host{address}/{act}")
        for viewer, path in product(
            (teacher, alice, bob), (address, "/class/board", "/class", "/learn", "/host")
        ):
            page = viewer.get(path)
            told = f"{page.headers}{page.text}"
            assert act or not OTHERS_CHOSE.search(told), path
            assert act == "reveal" or not RIGHT.search(told), path
            assert path != address or (">draw</span>" in told) == (act == "reveal")
        wall = bob.get("/class/board")
        assert "Where would you play as O?" in wall.text
        assert bool(re.search(r"Seconds left: \d\d\.", wall.text)) == (not act)
        assert wall.the("c6").text == on_the_wall
    assert "The only cell that keeps the draw." in wall.text


def test_a_question_leads_to_it_and_back_to_the_game(teacher: Visitor, alice: Visitor) -> None:
    game = alice.start("easy", "x", cell=4).address
    address = asked(teacher)
    assert f"1; url={address}" in alice.get(game).text, "without scripts"
    assert alice.get("/class").location == address
    assert alice.get("/class", headers=FRAGMENT).headers["HX-Redirect"] == address
    assert teacher.get("/class").status == 200, "the teacher is not led away"
    assert alice.get("/learn").the("calls").get("data-lead") == address
    alice.post(f"{address}/answer", {"cell": "4"})
    assert "url=/questions" not in alice.get(game).text
    assert "Go to your game" not in alice.get(address).links
    teacher.post(f"/host{address}/reveal")
    assert alice.get(address).links["Go to your game"] == game
    assert alice.get("/class").status == 200
    teacher.post(f"/host{address}/done")
    assert alice.get(f"{address}?here=1").location == game
    assert alice.get(f"{address}", headers=FRAGMENT).headers["HX-Redirect"] == game


def test_a_quiz_ends_in_a_table(site: Site, teacher: Visitor, alice: Visitor, bob: Visitor) -> None:
    made = teacher.post("/host/quizzes", {"number": "5", "kinds": "win"})
    quiz = made.headers["Content-Location"]
    for number in range(1, 6):
        address = alice.get(quiz).location
        assert f"Question {number} of 5" in alice.get(address).text
        poll = polls.look(site.service, address.rpartition("/")[2], "").poll
        wrong = next(cell for cell in poll.board.legal_moves if cell not in poll.right)
        for who, cell in ((alice, poll.right[0]), (bob, wrong)):
            who.post(f"{address}/answer", {"cell": cell})
        for step in ("reveal", "done"):
            teacher.post(f"/host{address}/{step}")
        late = alice.post(f"{address}/answer", {"cell": wrong})
        assert (late.status, f"url={address}?here=1" in late.text) == (409, True)
        following = alice.get(address, headers=FRAGMENT).headers["HX-Redirect"]
        assert following == alice.get(f"{address}?here=1").location != address
    assert following == quiz
    page, teachers = alice.get(quiz), teacher.get(quiz)
    assert "5 of 5 correct" in page.text
    for shown in (page, teachers, alice.get("/class/board")):
        (podium,) = shown.document.with_class("podium")
        assert podium.text.endswith("5 points")
        assert podium.with_class("figures")[0].get("aria-label") == "1"
    table = teacher.get(f"/host{quiz}.csv").text
    assert (table.count("\n"), table.startswith("\ufeffPlace,Name,Points")) == (4, True)
    assert quiz in teacher.get("/host/lesson").links.values()
    teacher.post("/host/places", {"places": "none"})
    assert "5 of 5 correct" in alice.get(quiz).text
    for viewer, path, steps in ((alice, quiz, 0), (alice, "/class/board", 0), (teacher, quiz, 1)):
        assert len(viewer.get(path).document.with_class("podium")) == steps
    assert teacher.get(f"/host{quiz}.csv").text == table


def test_a_position_is_clicked_together(teacher: Visitor, alice: Visitor) -> None:
    assert "O is to move." in teacher.get("/host/questions?moves=40&cell=8").text
    assert teacher.get("/host/questions?moves=44").status == 422
    address = asked(teacher, moves="408")
    marks = [alice.get(address).cell(cell).mark for cell in (4, 0, 8)]
    assert marks == ["X", "O", "X"]
