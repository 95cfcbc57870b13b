"""The three lessons ready to teach: each button can be undone, and each answer is right."""

import re
from itertools import permutations
from pathlib import Path

import pytest

from tests.support.page import Page
from tests.support.people import be_here
from tests.support.visitor import Site, Visitor
from webapp.analysis.lookahead import Search, total
from webapp.analysis.paper import games
from webapp.analysis.worth import worth
from webapp.core.board import Board, Mark
from webapp.core.game import boards, moves_of
from webapp.core.symmetry import fold
from webapp.engines.menace import boxes, colours
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.polls import right
from webapp.web.lessons import STEPS, TITLES, said
from webapp.web.lookahead import SEARCH
from webapp.words import cell_name

pytestmark = pytest.mark.usefixtures("clock")
ANSWERS = {"048": (1, 3, 5, 7), "08": (2, 6), "0578": (2,), "01": (3, 4, 6)}


def at(teacher: Visitor, slug: str, number: int) -> Page:
    assert teacher.post("/host/plan", {"at": f"{slug}.{number}"}).location == "/host#plan"
    return teacher.get("/host")


def button(page: Page) -> str:
    return page.the("plan-act").text


@pytest.mark.parametrize("slug", TITLES)
def test_what_a_step_does_can_be_undone(
    site: Site, teacher: Visitor, alice: Visitor, bob: Visitor, slug: str
) -> None:
    for who in (alice, bob):
        who.come_in()
    be_here(site, alice, bob)
    done = 0
    for number, step in enumerate(STEPS[slug], 1):
        page = at(teacher, slug, number)
        assert f"Step {number} of {len(STEPS[slug])}" in page.the("plan").text
        if not step.act:
            assert page.document.with_id("plan-act") is None
            continue
        says, done = button(page), done + 1
        assert says.startswith(step.act.says)
        assert ("for the class of 2 here" in says) is (step.act.endpoint != "teacher.wall")
        page = teacher.press(page, says)
        assert button(page) == "Take it back"
        page = teacher.press(page, "Take it back")
        assert button(page) == says
    assert done > 1


def test_a_lesson_goes_on_step_by_step_and_ends(teacher: Visitor) -> None:
    page = teacher.press(teacher.get("/host"), "Looking ahead")
    plan = page.the("plan")
    assert [plan.all("h2")[0].text, plan.all("h3")[0].text] == [
        "Looking ahead", "Say it before you play",
    ]  # fmt: skip
    assert "Step 1 of 7 · 6 minutes" in plan.text
    assert page.the("plan-back").has("aria-disabled")
    page = teacher.press(page, "Next: Step 2 of 7")
    assert "Win in three moves" in page.the("plan").text
    assert "Step 2 of 7" in teacher.get("/host").the("plan").text, "it is kept"
    assert not page.the("plan-back").has("aria-disabled")
    page = teacher.press(page, button(page))
    assert "A question to the class" in page.the("on-the-wall").text
    page = teacher.press(page, "Next: Step 3 of 7")
    assert "A question to the class" not in page.the("on-the-wall").text, "it is over"
    page = teacher.press(page, "End the lesson")
    assert "Step" not in page.the("plan").text
    for wrong in ("rules.0", "rules.8", "rules", "other.1", "rules.1.1", "x" * 99):
        assert teacher.post("/host/plan", {"at": wrong}).status == 422


@pytest.mark.parametrize(
    "language, shown", [("de-DE", "de"), ("fr", "en"), ("ar", "en"), ("en", "en")]
)
def test_what_the_teacher_says_is_in_english_or_german(
    teacher: Visitor, language: str, shown: str
) -> None:
    teacher.post("/host/plan", {"at": "rules.2"})
    plan = teacher.get("/host", headers={"Accept-Language": language}).the("plan")
    (spoken,) = [p for p in plan.all("p") if p.has("lang")]
    assert (spoken.get("lang"), spoken.text) == (shown, said(shown)["rules"][1])


def test_a_lesson_takes_45_minutes_and_each_step_says_something_in_both_languages() -> None:
    for slug, steps in STEPS.items():
        assert sum(step.minutes for step in steps) == 45, slug
        for language in ("en", "de"):
            assert [*said(language)] == [*STEPS] == [*TITLES]
            assert len([*filter(None, said(language)[slug])]) == len(steps)


def test_the_answers_to_the_questions_are_right() -> None:
    asked = {
        str(step.act.fields["moves"]): said("en")[slug][number].partition("Answer: ")[2]
        for slug, steps in STEPS.items()
        for number, step in enumerate(steps)
        if step.act and "moves" in step.act.fields
    }
    assert asked.keys() == ANSWERS.keys()
    for moves, cells in ANSWERS.items():
        assert right(boards(moves_of(moves))[-1]) == cells
    assert asked["048"].startswith("to any edge")
    assert asked["08"].startswith("in either free corner")
    for moves in ("0578", "01"):
        first = asked[moves].partition(".")[0]
        named = {cell for cell in range(9) if re.search(rf"\b{cell_name(cell)}\b", first)}
        assert named == {*ANSWERS[moves]}


def test_what_else_the_lessons_tell_is_true() -> None:
    assert f"{total(Search(Board())).boards:,} boards" in said("en")["ahead"][4]
    assert SEARCH.root.play(6).outcome, "X wins at the bottom left"
    assert not any(games(mark)[mark.other.slug] for mark in Mark), "nobody loses"
    shortest = "win,block,force,centre,corner"
    assert (
        "five rules are enough. Win, Block, Force an answer, Centre, Corner"
        in said("en")["rules"][4]
    )
    assert worth(rule_list(PREFIX + shortest)).unbeatable
    others = [slug for slug in LAB_RULES if slug not in ("win", "block", "any")]
    for number in (1, 2):
        for more in permutations(others, number):
            assert not worth(rule_list(",".join([f"{PREFIX}win", "block", *more]))).unbeatable
    board = boards(moves_of("01"))[-1]
    cells, beads = colours(board.packed), boxes()[fold(board.packed)]
    good = sum(
        number for (cell, *_), number in zip(cells, beads, strict=True) if cell in ANSWERS["01"]
    )
    assert (len(boxes()), good, sum(beads)) == (304, 9, 21)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_for_teachers_has_the_same_steps(language: str) -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / ("lessons.md" if language == "en" else "lessons.de.md")).read_text("utf-8")
    headings = re.findall(r"^### (\d)\. (.+) \((\d+) [Mm]in", text, re.MULTILINE)
    steps = [(str(n), s) for steps in STEPS.values() for n, s in enumerate(steps, 1)]
    assert [(n, int(minutes)) for n, _title, minutes in headings] == [
        (n, step.minutes) for n, step in steps
    ]
    if language == "en":
        assert [title for _n, title, _minutes in headings] == [step.title for _n, step in steps]
        assert all(f"## {title}\n" in text for title in TITLES.values())
