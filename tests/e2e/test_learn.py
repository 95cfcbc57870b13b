"""The exercises: a tap is answered on the board and in words, by finger, by keys and by ear."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late, refused
from tests.e2e.learn_pages import ExercisePage
from tests.e2e.tab import Visitor
from webapp.web.present.learn import EXERCISES, exercise

SCREENS = ((390, 664), (360, 640), (667, 375), (1280, 720))


@pytest.mark.parametrize("scripted", [True, False])
def test_a_wrong_cell_is_refuted_and_a_right_one_leads_on(
    visitor: Visitor, *, scripted: bool
) -> None:
    tab = visitor(java_script_enabled=scripted)
    one = ExercisePage(tab).open("fork.3")
    one.expect("fork.3", "You are O. Tap a cell.", "X...O...X")
    expect(one.again).to_have_count(0)
    tab.cell(2).click()
    one.expect("fork.3", "Not yet. Gives the draw away", "X.O.O.X.X")
    expect(one.onward).to_have_text("Skip")
    tab.cell(6).click()  # where the reply stands
    one.expect("fork.3", "X took the top right corner and made a fork.", "X.X.O.O.X")
    one.again.click()
    one.expect("fork.3", "Tap a cell.", "X...O...X")
    tab.cell(1).click()
    one.expect("fork.3", "Right. Threatens the middle column.", "XO..O...X")
    expect(one.onward).to_have_text("Next")
    one.onward.click()
    one.expect("draw.1", "Tap a cell.", "X........")
    tab.a("Look ahead", "Ideas").click()
    one.expect("ahead.1", "Tap a cell.", "XO.......")
    assert tab.loads == (1 if scripted else 7)


def test_by_keys_alone_and_by_ear_the_focus_stays_and_each_answer_is_told_once(
    visitor: Visitor,
) -> None:
    tab = visitor()
    one = ExercisePage(tab).open("threat.2")
    tab.record_announcements()
    tab.tab_to(".cell")
    tab.press("4")
    one.expect("threat.2", "Not yet.", "XXXOO....")
    assert tab.announcements() == ["Not yet. X completes the top row and wins."]
    expect(tab.cell(3)).to_be_focused()
    tab.press("ArrowUp", "ArrowRight", "ArrowRight", "Enter")
    one.expect("threat.2", "Right.", "XXO.O....")
    assert [said.partition(".")[0] for said in tab.announcements()] == ["Right"]
    expect(tab.cell(2)).to_be_focused()
    tab.press("Tab")
    expect(one.onward).to_be_focused()
    tab.press("Enter")
    one.expect("threat.3", "Tap a cell.", "XO.XO....")
    assert tab.announcements() == ["Win or block? You are X. Tap a cell."]
    expect(tab.page.locator(".cell:focus")).to_have_count(1)
    tab.press("7")
    one.expect("threat.3", "Right.", "XO.XO.X..")


def test_a_second_click_skips_no_exercise_and_back_leaves_at_once(visitor: Visitor) -> None:
    tab = visitor().open("/opponents")
    one = ExercisePage(tab).open("draw.1")
    tab.cell(4).click()
    one.expect("draw.1", "Right.", "X...O....")
    one.onward.dblclick()
    one.expect("draw.2", "Tap a cell.", "....X....")
    tab.cell(0).click()
    one.expect("draw.2", "Right.", "O...X....")
    tab.page.reload()
    one.expect("draw.2", "Right.", "O...X....")
    tab.page.go_back()
    expect(tab.title).to_have_text("Opponents")


def test_the_mark_is_there_at_the_tap(visitor: Visitor) -> None:
    tab = visitor()
    one = ExercisePage(tab).open("fork.1")
    ghosts = tab.cell(6).locator(".ghost")
    expect(ghosts).to_have_count(1)
    with late(tab.page, "cell=6") as asked:
        tab.cell(6).click()
        asked()
        expect(ghosts).to_have_count(0)
        expect(one.sentence).to_have_text("You are X. Tap a cell.")
    one.expect("fork.1", "Right. Makes a fork.", "XO..O.XX.")


def test_a_tap_that_is_not_answered_leaves_the_board_as_it_was(visitor: Visitor) -> None:
    tab = visitor()
    one = ExercisePage(tab).open("fork.1")
    tab.noise.expect_refusal(429)
    with refused(tab.page, "cell=2", 429):
        tab.cell(2).click()
    one.expect("fork.1", "You sent too many requests.", "XO..O..X.")
    tab.cell(6).click()
    one.expect("fork.1", "Right. Makes a fork.", "XO..O.XX.")


@pytest.mark.parametrize("width, height", SCREENS)
def test_all_of_an_exercise_is_on_the_first_screen_and_its_button_stays(
    visitor: Visitor, width: int, height: int
) -> None:
    tab = visitor(viewport={"width": width, "height": height}, java_script_enabled=False)
    places = []
    for at, (_asks, board) in EXERCISES.items():
        longest = max(board.legal_moves, key=lambda cell: len(exercise(at, cell)["sentence"]))
        one = ExercisePage(tab).open(f"{at}&cell={longest}")
        one.expect_in_view()
        box = one.onward.bounding_box()
        assert box is not None
        places.append((box["x"], box["y"]))
    assert len(set(places)) == 1
