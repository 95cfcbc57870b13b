"""Places, shapes and motion: nothing moves under a finger, and nothing flies where it shall not."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.games import DRAWN, LOST, WON, begin
from tests.e2e.tab import Tab, Visitor, box

PHONE = {"viewport": {"width": 390, "height": 664}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def watched(visitor: Visitor) -> Visitor:
    def visit() -> Tab:
        tab = visitor(**PHONE)
        tab.page.add_init_script("probe.reportShifts()")
        return tab

    return visit


def see_all(page: Page) -> None:
    page.evaluate("probe.drawn()")


def test_nothing_moves_over_games_that_are_won_drawn_and_lost(watched: Visitor) -> None:
    play = watched().open()
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
    with play.page.expect_console_message(lambda message: "turn from" in message.text):
        play.page.evaluate("() => document.querySelector('.status').prepend('Made of it.')")
        see_all(play.page)
    play.noise.expect("shift of .*turn from .* to ")


def test_nothing_moves_in_a_game_of_two_people_of_whom_one_comes_back(watched: Visitor) -> None:
    pair = begin(watched(), watched(), "40")
    x, o = pair.people
    x.do("/goodbye")
    expect(o.open(pair.path).seconds_left).to_be_visible()
    see_all(o.page)
    call = x.open().calls.get_by_role("link")
    expect(call).to_be_visible()
    expect(o.seconds_left).to_have_count(0)
    call.click()
    pair.play(8, 1, 2, 5, 6, begun=2)
    x.expect_turn("You win: diagonal")
    with o.change():
        o.again.click()
    x.go_on()
    o.expect_version(x.version)
    for one in pair.people:
        see_all(one.page)


def test_nothing_moves_in_a_review_and_next_stays_where_it_is_pressed(watched: Visitor) -> None:
    moves = (5, 3, 1, 6, 2, 8, 7, 4, 0)  # of some of which much is to be said, and of some little
    tab = watched().open_review(moves)
    links = [tab.page.locator(f"#{name}") for name in ("step-later", "turning", "values")]
    places = later, *_others = [box(link) for link in links]
    for at in range(10):
        if at:
            tab.page.touchscreen.tap(later["x"] + 9, later["y"] + 9)
        tab.expect_reviewed(moves, at)
        assert [box(link) for link in links] == places
    tab.press("ArrowLeft", "Home")
    tab.expect_reviewed(moves, 0)
    for link in links[1:]:
        link.click()
    see_all(tab.page)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_marks_and_the_winning_line_are_drawn_in_turn(visitor: Visitor, motion: str) -> None:
    play = visitor(reduced_motion=motion).open()
    play.page.evaluate("probe.recordMotion()")
    seen = list[str]()
    for ply, cell in zip(range(0, 9, 2), LOST.mine, strict=False):
        before = {f"c{cell}" for cell in {*LOST.moves[:ply]} - {*LOST.winning}}
        with play.change():
            play.press("Enter", on=play.cell(cell))
        seen = play.page.evaluate("probe.moved()")
        cells = [f"c{cell}" for cell in LOST.moves[ply : ply + 2]]
        wanted = cells if motion == "no-preference" else []
        assert [place for place in seen if place in cells] == wanted
        assert before.isdisjoint(seen)
    if wanted:
        [strike] = [place for place in seen if "strike" in place]
        assert seen.index(strike) > max(map(seen.index, cells))
    else:
        assert seen == []


def test_a_win_is_celebrated_once_and_heard_where_sound_is_on(visitor: Visitor) -> None:
    play = visitor(reduced_motion="no-preference")
    page = play.page
    page.add_init_script("probe.countEffects()")
    play.open().play(*LOST.mine)
    see_all(page)
    assert page.evaluate("() => window.flown") == 0
    play.go_on()
    play.play(*WON.mine)
    page.wait_for_function("() => window.flown > 20")
    expect(page.locator(".cloud")).to_have_count(0)
    page.reload()
    play.expect_board(WON.board(), winning=WON.winning)
    assert page.evaluate("() => [window.flown, window.heard]") == [0, 0], "sound is off at first"
    switch = page.get_by_label("Sound and vibration")
    switch.check()
    play.open()
    expect(switch).to_be_checked()  # as this browser remembers
    play.play(*WON.mine[:1])
    # My X is two strokes, the computer's O one.
    page.wait_for_function("() => window.heard === 3")
    page.emulate_media(reduced_motion="reduce")  # where motion is not wanted, nothing flies
    play.play(*WON.mine[1:])
    page.wait_for_function("() => window.heard > 6")
    see_all(page)
    assert page.evaluate("() => window.flown") == 0


SHAPES = "(element) => probe.shapes(element)"


def test_with_forced_colours_every_state_shows_by_its_shape(visitor: Visitor) -> None:
    play = visitor(forced_colors="active").open()
    plain = play.cell(4).evaluate(SHAPES)
    play.press("Tab")  # from now on the focus shows
    play.cell(4).focus()
    assert play.cell(4).evaluate(SHAPES) != plain
    play.play(WON.mine[0])
    with play.change():
        play.hint.click()
    assert play.page.locator("[data-hint]").evaluate(SHAPES) != plain
    play.play(*WON.mine[1:])
    play.opponent.focus()  # so that it is not the focus that shows
    assert all(play.cell(number).evaluate(SHAPES) != plain for number in WON.winning)
