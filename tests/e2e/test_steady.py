"""Nothing moves under the finger: not over whole games, nor in a review, whatever was pressed."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.answers import late
from tests.e2e.learn_pages import ExercisePage, ReviewPage
from tests.e2e.pair import begin
from tests.e2e.plans import DRAWN, LOST, WON
from tests.e2e.tab import Tab, Visitor
from webapp.analysis.review import review
from webapp.words import played

Screen: TypeAlias = dict[str, object]

SCREENS: dict[str, Screen] = {
    "laptop": {"viewport": {"width": 1366, "height": 625}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 664}, "is_mobile": True, "has_touch": True},
}

LONG = (5, 3, 1, 6, 2, 8, 7, 4, 0)
"""A whole game, of some of which much is to be said, and of some little."""

# Every shift of the layout is an error in the console, and so fails the test: those as well that
# come soon after a click, which the score of a page leaves out.
_REPORT_SHIFTS = """(() => {
  const place = ({ x, y, width, height }) => `${x},${y} ${width}x${height}`;
  const name = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return "what is gone again";
    const [id, classes] = [element.id && `#${element.id}`, [...element.classList].join(".")];
    return element.localName + id + (classes && `.${classes}`);
  };
  const report = (entries) => {
    for (const { value, sources } of entries) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        `${name(node)} from ${place(previousRect)} to ${place(currentRect)}`);
      console.error(`layout shift of ${value}: ${moved.join("; ")}`);
    }
  };
  const observer = new PerformanceObserver((list) => report(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  addEventListener("pagehide", () => report(observer.takeRecords()));
})();"""
_DRAWN = """async () => {
  for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest) -> Screen:
    return SCREENS[request.param]


def watched(tab: Tab) -> Tab:
    """Let this tab report from now on, in each page that it opens."""
    tab.page.add_init_script(_REPORT_SHIFTS)
    return tab


def see_all(page: Page) -> None:
    """Wait until what was done last is drawn and reported."""
    page.evaluate(_DRAWN)


def test_the_guard_of_these_tests_hears_of_what_moves(visitor: Visitor) -> None:
    play = watched(visitor()).open()
    with play.page.expect_console_message(lambda message: "h2#turn from" in message.text):
        play.page.evaluate("() => document.querySelector('.status').prepend('Made of it.')")
        see_all(play.page)
    play.noise.expect("layout shift of .*: .*h2#turn from .* to ")


def test_nothing_moves_over_games_that_are_won_drawn_and_lost(
    visitor: Visitor, screen: Screen
) -> None:
    play = watched(visitor(**screen)).open()
    for game in (WON, DRAWN, LOST):
        first, *more = game.mine
        play.play(first)
        for button in (play.hint, play.undo):
            with play.change():
                button.click()
        play.play(first, *more)
        play.expect_board(game.board(), winning=game.winning)
        see_all(play.page)
        play.go_on()
    see_all(play.page)


def test_nothing_moves_in_a_game_of_two_people_of_whom_one_comes_back_and_is_called(
    visitor: Visitor, screen: Screen
) -> None:
    pair = begin(watched(visitor(**screen)), watched(visitor(**screen)), "40")
    x, o = pair.people
    assert x.post("/goodbye", {}).status == 204
    expect(o.open(pair.path).seconds_left).to_be_visible()
    see_all(o.page)
    call = x.open().calls.get_by_role("link")
    expect(call).to_be_visible()
    expect(o.seconds_left).to_have_count(0)
    call.click()
    x.play(8)
    expect(x.open().calls).to_be_empty()
    o.play(1)
    call.click()
    pair.play(2, 5, 6, begun=4)
    x.expect_turn("You win: diagonal")
    with o.change():
        o.again.click()
    x.go_on()
    o.expect_version(x.version)
    for one in pair.people:
        see_all(one.page)


def test_nothing_moves_in_a_review_and_next_stays_where_it_is_pressed(
    visitor: Visitor, screen: Screen
) -> None:
    said = [len(played.judged(move)) for move in review(LONG).moves]
    assert min(said) < 20
    assert max(said) > 150
    reviewed = ReviewPage(watched(visitor(**screen))).open(LONG)
    page, later = reviewed.page, reviewed.step("later")
    links = (later, reviewed.turning, reviewed.values)
    places = box, *_others = [link.bounding_box() for link in links]
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for at in range(10):
        if at:
            page.touchscreen.tap(x, y)
        reviewed.expect_at(LONG, at)
        assert [link.bounding_box() for link in links] == places
        heading = reviewed.region.get_by_role("heading")
        for part in (reviewed.tab.board, later, heading, reviewed.sentence):
            expect(part).to_be_in_viewport(ratio=1)
    reviewed.tab.press("ArrowLeft", "Home")
    reviewed.expect_at(LONG, 0)
    reviewed.turning.click()
    reviewed.values.click()
    see_all(page)


@pytest.mark.parametrize("slowly", [False, True])
def test_nothing_moves_in_an_exercise(visitor: Visitor, screen: Screen, *, slowly: bool) -> None:
    exercise = ExercisePage(watched(visitor(**screen))).open("fork.3")
    for cell, said in ((2, "Not yet."), (6, "Not yet."), (3, "Right.")):
        with late(exercise.page, f"cell={cell}") if slowly else nullcontext():
            exercise.tab.cell(cell).tap()
            if slowly:
                expect(exercise.question).to_contain_text("One moment")
                see_all(exercise.page)
        expect(exercise.sentence).to_contain_text(said)
        see_all(exercise.page)
    exercise.onward.tap()
    expect(exercise.question).to_have_text("Keep the draw")
    see_all(exercise.page)
