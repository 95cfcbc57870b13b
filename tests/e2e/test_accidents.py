"""Impatience, two tabs, Back, a bad network, a dead server: one move each, and no one stuck."""

import re
from collections.abc import Callable
from functools import partial

from playwright.sync_api import expect

from tests.e2e.answers import late, lost, refused
from tests.e2e.games import DRAWN, plan
from tests.e2e.tab import EMPTY, Tab, Visitor
from webapp.core.board import Mark

LOST = plan("medium", Mark.O, "lost")
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}


def measured(play: Tab, selector: str, press: Callable[[], object]) -> dict[str, float]:
    """Press, and wait until this is to be seen: in which frame it was drawn, and how late."""
    play.page.evaluate("(selector) => probe.measure(selector)", selector)
    press()
    seen: dict[str, float] = play.page.wait_for_function("() => window.seen").json_value()
    return seen


def test_the_mark_is_there_at_once_while_the_answer_is_on_its_way(visitor: Visitor) -> None:
    play = visitor(**PHONE).open()
    play.cell(0).focus()
    for ply, cell in enumerate(DRAWN.mine):
        press: Callable[[], None] = play.cell(cell).tap
        if ply % 2:
            press = partial(play.press, str(cell + 1))
        with play.change(), late(play.page, "/games"):
            assert measured(play, f"#c{cell} svg:not(.ghost)", press)["frames"] == 1


def test_a_browser_that_keeps_nothing_is_told_and_loses_nothing_else(visitor: Visitor) -> None:
    play = visitor()
    play.page.add_init_script("probe.keepNothing()")
    play.open()
    told = play.page.get_by_text("This browser keeps no cookies")
    expect(told).to_be_visible()
    play.play(4)
    play.undo.click()
    play.expect_board(EMPTY)
    play.page.locator("#language").select_option("de")
    expect(play.page.locator("html")).to_have_attribute("lang", "de")


def a_free_cell(play: Tab) -> int:
    return next(cell for cell in (4, 8) if not play.cell(cell).get_attribute("aria-disabled"))


def test_a_double_click_makes_one_game_and_one_move(play: Tab) -> None:
    for version in (1, 2):
        play.cell(0 if version == 1 else a_free_cell(play)).dblclick()
        play.expect_version(version)
    play.page.reload()
    play.expect_version(2)
    assert len(play.posts) == 2, "so there is no second game either"


def test_a_double_click_on_a_button_does_nothing_in_the_game_that_follows(play: Tab) -> None:
    game, mouse = plan("easy", Mark.O, "lost"), play.page.mouse
    play.choose(opponent="easy", mark="o")
    for _ in range(2):
        # By the second click the answer to the first is there, as with people.
        play.go_on()
        mouse.down(click_count=2)
        mouse.up(click_count=2)
        play.play(*game.mine)
    assert len(play.posts) == 2 + 2 * len(game.mine)


def test_a_board_that_waits_says_so_after_half_a_second_and_takes_no_other_move(play: Tab) -> None:
    free = play.page.locator(".cell:not([aria-disabled])")
    with play.change(), late(play.page, "/games"):
        assert measured(play, "#turn .dots", play.cell(0).click)["milliseconds"] >= 500
        expect(play.live).to_have_text("Waiting for the server's answer.")
        expect(free).to_have_count(0)
        play.cell(8).click(force=True)
        play.cell(0).dblclick(force=True)
    expect(play.page.locator("#turn .dots")).to_have_count(0)
    expect(free).to_have_count(7)
    expect(play.live).not_to_have_text("Waiting for the server's answer.")
    assert len(play.posts) == 1


def test_a_stale_tab_gets_the_true_board_and_a_sentence_and_can_go_on(play: Tab) -> None:
    play.noise.expect_refusal(409)
    play.play(DRAWN.mine[0])
    play.page.evaluate("probe.deafen()")
    play.play_elsewhere(DRAWN.mine[1])
    cell = play.cell(DRAWN.mine[2])
    play.press("Enter", on=cell)
    # The other tab's move is there, nothing of this tab's is.
    play.expect_board(DRAWN.board(4))
    expect(play.sentence).to_have_text(re.compile("changed.*[.]$"))
    expect(play.live).to_have_text(play.sentence.inner_text())
    expect(cell).to_be_focused()
    play.play(*DRAWN.mine[2:])


def test_back_leads_to_an_empty_board_and_forward_to_the_game_as_it_stands(play: Tab) -> None:
    play.play(DRAWN.mine[0])
    address, path = play.page.url, play.path
    play.page.go_back()
    play.expect_board(EMPTY)
    play.play_elsewhere(DRAWN.mine[1], 1, path)
    play.page.go_forward()
    expect(play.page).to_have_url(address)
    play.expect_board(DRAWN.board(4))
    play.play_elsewhere(DRAWN.mine[2])
    # What Safari's back/forward cache does; Chromium does not keep pages that say no-store.
    with play.page.expect_event("load"):
        shown = "new PageTransitionEvent('pageshow', { persisted: true })"
        play.page.evaluate(f"() => dispatchEvent({shown})")
    play.expect_board(DRAWN.board(6))


def test_what_is_asked_for_once_more_after_a_lost_answer_is_done_once(play: Tab) -> None:
    play.noise.expect_no_answer()
    play.noise.expect_refusal(409)
    play.choose(mark="o")
    for button, plies, after in (
        (play.again, 0, 1), (play.cell(LOST.mine[0]), 1, 3), (play.again, len(LOST.moves), 1),
    ):  # fmt: skip
        if plies > 1:
            play.play(*LOST.mine[1:])
        play.record_announcements()
        posted = play.page.expect_response(lambda response: response.request.method == "POST")
        with posted as answer, lost(play.page, "/games"):
            button.click()
        assert "No answer from the server. Try again." in play.announcements()
        if plies != 1:  # in mid-game the page looks again by itself
            button.click()
        play.expect_board(LOST.board(after))
        assert answer.value.headers.get("hx-push-url", "") == ("" if plies == 1 else play.path)


def test_a_server_that_cannot_answer_now_is_told_of_and_asked_again(play: Tab) -> None:
    with refused(play.page, "/games", 503):
        play.cell(DRAWN.mine[0]).click()
    expect(play.cell(DRAWN.mine[0]).locator("svg")).to_have_class(re.compile(r"\bghost\b"))
    expect(play.page.locator(".cell:not([aria-disabled])")).to_have_count(9)
    play.play(DRAWN.mine[0])
    with refused(play.page, "/games", 429):
        play.cell(DRAWN.mine[1]).click()
    for place in (play.sentence, play.live):
        expect(place).to_have_text("You sent too many requests. Try again in a few seconds.")
    play.expect_board(DRAWN.board(2))
    play.play(DRAWN.mine[1])


def test_a_server_that_never_answers_is_given_up_and_can_be_asked_again(visitor: Visitor) -> None:
    play = visitor()
    play.page.clock.install()
    play.open().play(4)
    play.noise.expect("htmx:error: timeout")
    before = play.sentence.inner_text()
    play.page.evaluate("() => { window.impatient = true; }")
    with late(play.page, "/games") as asked:
        play.cell(a_free_cell(play)).click()
        asked()
        play.page.clock.fast_forward(30_000)
        expect(play.sentence).not_to_have_text(before)
        expect(play.live).to_have_text(play.sentence.inner_text())
    play.play(a_free_cell(play))
