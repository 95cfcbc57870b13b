import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.answers import late, refused
from tests.e2e.games import plan
from tests.e2e.tab import CELLS, Tab, Visitor, box
from webapp.core.board import Mark

MOVES = plan("medium", Mark.X, "lost", plies=6).moves
END = len(MOVES)


def test_an_exercise_is_done_by_keys_and_ear_and_no_click_skips_one(visitor: Visitor) -> None:
    tab = visitor().open("/opponents").open("/learn?at=threat.2")
    at = tab.page.locator("#exercise input[name=at]")
    onward = tab.page.locator("#exercise .actions a").first

    def expect_exercise(where: str, said: str, board: str) -> None:
        expect(at).to_have_value(where)
        expect(tab.page.locator("#exercise .status p")).to_contain_text(said)
        tab.expect_board(board, noted=True)

    tab.record_announcements()
    tab.tab_to(".cell")
    tab.press("4")
    expect_exercise("threat.2", "Not yet.", "XXXOO....")
    assert tab.announcements() == ["Not yet. X completes the top row and wins."]
    expect(tab.cell(3)).to_be_focused()
    tab.noise.expect_refusal(429)
    with refused(tab.page, "/learn", 429):
        tab.press("3")
    tab.announcements()
    tab.press("ArrowRight", "Enter")
    expect_exercise("threat.2", "Correct.", "XXO.O....")
    assert [said.partition(".")[0] for said in tab.announcements()] == ["Correct"]
    tab.press("Enter", on=onward)
    expect_exercise("threat.3", "Tap a cell.", "XO.XO....")
    assert tab.announcements() == ["Win or block? You are X. Tap a cell."]
    expect(tab.page.locator(".cell:focus")).to_have_count(1)
    tab.cell(6).click()
    expect_exercise("threat.3", "Correct.", "XO.XO.X..")
    following = (onward.get_attribute("href") or "").partition("at=")[2]
    onward.dblclick()
    expect(at).to_have_value(following)
    tab.page.go_back()
    expect(tab.title).to_have_text("Computer players")


def test_a_box_is_found_without_moving_the_page(visitor: Visitor) -> None:
    tab = visitor(viewport={"width": 390, "height": 664}).open("/menace")
    cell, told = tab.cell(8), tab.page.get_by_text("O is to move")
    cell.scroll_into_view_if_needed()
    before = box(cell)
    cell.click()
    expect(told).to_be_visible()
    assert box(cell) == before
    expect(cell).to_be_focused()


def test_a_review_is_stepped_through_each_told_once_and_back_leaves(visitor: Visitor) -> None:
    tab = visitor().open("/opponents").open_review(MOVES)
    values = tab.page.locator("#values")
    with refused(tab.page, "at=1", 429):
        tab.press("ArrowRight")
    tab.expect_reviewed(MOVES, 0)
    tab.press("Enter", on=values)
    expect(tab.page.locator("#review .worth")).to_have_count(9)
    steps = {"ArrowRight": (1, 2), "ArrowLeft": (1, 0, 0), "End": (END, END), "Home": (0, 0)}
    for key, reached in steps.items():
        for at in reached:
            tab.press(key)
            tab.expect_reviewed(MOVES, at)
            expect(tab.page).to_have_url(re.compile(rf"[?&]at={at}\b"))
            expect(values).to_be_focused()
    tab.record_announcements()
    for name, at in (("later", 1), ("last", END), ("last", END), ("earlier", END - 1)):
        tab.press("Enter", on=tab.step(name))
        tab.expect_reviewed(MOVES, at)
        expect(tab.step(name)).to_be_focused()
        if name != "last":
            assert CELLS[MOVES[at - 1]].lower() in tab.announcements()[-1]
    tab.page.locator("#move-4").click()
    tab.expect_reviewed(MOVES, 4)
    assert len(tab.announcements()) == 1
    tab.page.reload()
    tab.expect_reviewed(MOVES, 4)
    expect(tab.page.locator("#review .worth")).to_have_count(9 - 4)
    tab.page.go_back()
    expect(tab.title).to_have_text("Computer players")


def test_a_search_runs_by_itself_and_asks_once_for_twenty_steps(visitor: Visitor) -> None:
    tab, asked = visitor().open("/learn/minimax?board=X....OOX."), list[str]()
    run, says = tab.page.locator("#step-play"), tab.page.locator("#lookahead h2")
    tab.page.on("request", lambda sent: asked.append(sent.url) if "step=" in sent.url else None)
    tab.page.locator("[name=speed]").last.check(force=True)
    run.click()
    expect(run).to_have_text("Stop")
    expect(tab.page).to_have_url(re.compile(r"step=\d\d$"))
    assert [address.rpartition("=")[2] for address in asked] in (["1"], ["1", "22"])
    expect(run).to_be_focused()
    tab.press("ArrowLeft")
    expect(run).to_have_text("Run")
    stopped, said = tab.page.url, says.inner_text()
    tab.page.reload()
    expect(says).to_have_text(said)
    assert tab.page.url == stopped
    tab.press("End")
    expect(tab.step("later")).to_have_attribute("aria-disabled", "true")
    run.click()
    expect(tab.page).to_have_url(re.compile(r"OOX\.(&step=\d)?$"))


def test_a_press_during_a_slow_answer_comes_after_it(visitor: Visitor) -> None:
    tab = visitor().open("/opponents").open("/learn/minimax?board=XOXX.O..O&step=3")
    with late(tab.page, "guess=draw") as asked:
        tab.page.locator("#guess-draw").click()
        asked()
        tab.step("earlier").click()
    expect(tab.page).to_have_url(re.compile("step=2$"))
    tab.page.go_back()
    expect(tab.title).to_have_text("Computer players")


def test_a_guess_is_judged_and_the_focus_stays_on_the_search(visitor: Visitor) -> None:
    tab = visitor().open("/learn/minimax?board=XOXX.O..O&step=3")
    tab.press("Enter", on=tab.page.locator("#guess-draw"))
    expect(tab.page.locator("#lookahead h2")).to_contain_text("Correct.")
    expect(tab.step("later")).to_be_focused()


def test_a_cell_and_its_branch_light_up_together_and_a_tap_opens_it(visitor: Visitor) -> None:
    tab = visitor().open("/learn/minimax?board=XOXX.O..O&step=10")
    branch = tab.page.locator("[data-cell='4']")
    for one, other in ((tab.page.locator("#c4"), branch), (branch, tab.page.locator("#c4"))):
        one.hover()
        expect(other).to_have_class(re.compile("pointed"))
    tab.page.locator("#c4").click()
    expect(tab.page).to_have_url(re.compile("step=8$"))


def test_keys_and_clicks_that_come_before_the_answers_all_count(visitor: Visitor) -> None:
    tab = visitor().open_review(MOVES)
    # With another key held down the arrows are the browser's.
    tab.press("Control+ArrowRight", "Shift+End", *("ArrowRight",) * 5, "ArrowLeft", "ArrowLeft")
    tab.expect_reviewed(MOVES, 3)
    assert tab.loads == 1
    with late(tab.page, "at=4") as asked:
        tab.press("ArrowRight")
        asked()
        tab.step("first").click()
        tab.expect_reviewed(MOVES, 0)
    tab.expect_reviewed(MOVES, 0)
    with late(tab.page, "at=1"):
        tab.step("later").click(click_count=3)
        tab.expect_reviewed(MOVES, 3)
    tab.expect_reviewed(MOVES, 3)


@pytest.fixture
def lab(visitor: Visitor) -> Tab:
    return visitor().open("/lab/rules?list=win,block,any")


def expect_rules(lab: Tab, *rules: str) -> None:
    shown = lab.page.locator("[data-list]")
    expect(shown).to_have_attribute("data-list", ",".join(rules))
    expect(shown.locator("> li")).to_have_count(len(rules))
    for at, rule in enumerate(rules):
        expect(shown.locator("> li").nth(at)).to_have_attribute("data-rule", rule)
    expect(lab.page).to_have_url(re.compile(rf"[?&]list={'(,|%2C)'.join(rules)}([&#]|$)"))


def drag(lab: Tab, rule: str, *places: tuple[str, float]) -> None:
    """Drag a rule over others, each so far down from its upper edge, and drop it there."""
    for at, (other, down) in enumerate(((rule, 0.5), *places)):
        box = lab.page.locator(f"[data-list] > [data-rule={other}]").bounding_box()
        assert box is not None
        lab.page.mouse.move(box["x"] + 24, box["y"] + down * box["height"], steps=5)
        if at == 0:
            lab.page.mouse.down()
    lab.page.mouse.up()


def test_by_keys_rules_are_moved_added_and_taken_out_and_the_focus_stays(lab: Tab) -> None:
    grip = lab.page.locator("#grip-any")
    lab.tab_to("#grip-any")
    for keys, rules in (
        (["Enter"], ("win", "any", "block")),
        (["ArrowUp", "ArrowUp"], ("any", "win", "block")),  # at the edge it goes no further
        (["ArrowDown", "ArrowDown", "ArrowDown"], ("win", "block", "any")),
        (["ArrowUp", "ArrowDown", "ArrowUp", "ArrowUp"], ("any", "win", "block")),
    ):
        lab.press(*keys)
        expect_rules(lab, *rules)
        expect(grip).to_be_focused()
    lab.record_announcements()
    for button, listed in (
        ("#add-fork", "any,win,block,fork"),
        ("#without-win", "any,block,fork"),
        ("#without-fork", "any,block"),
    ):
        lab.tab_to(button)
        lab.press("Enter")
        expect_rules(lab, *listed.split(","))
        # The button is gone, and the focus with it unless the script cares.
        expect(lab.page.locator("#lab :focus")).to_have_count(1)
        assert len(lab.announcements()) == 1
    lab.page.go_back()
    expect_rules(lab, "any", "block", "fork")


def test_a_rule_is_dragged_to_its_place_and_stays_where_it_was_without_an_answer(lab: Tab) -> None:
    drag(lab, "any", ("win", 0.1))
    expect_rules(lab, "any", "win", "block")
    lab.page.go_back()
    expect_rules(lab, "win", "block", "any")
    asked = lab.requests()
    drag(lab, "block", ("any", 0.9), ("win", 0.9))  # which is where it was
    # Whatever this had set off would be there by the time of another answer.
    lab.page.locator("#without-any").click()
    expect_rules(lab, "win", "block")
    assert len(asked) == 1
    lab.open("/lab/rules?list=win,block,any")
    with refused(lab.page, "fork", 503):
        lab.page.locator("#add-fork").click()
    with refused(lab.page, "any,win", 503):
        drag(lab, "any", ("win", 0.1))
    expect_rules(lab, "win", "block", "any")
    lab.page.reload()
    with late(lab.page, "fork"):
        lab.page.locator("#add-fork").click()
        drag(lab, "block", ("win", 0.1))
        expect_rules(lab, "block", "win", "any")
    expect_rules(lab, "block", "win", "any")


def test_a_finger_drags_a_rule_by_its_grip_and_scrolls_elsewhere(visitor: Visitor) -> None:
    tab = visitor(viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True)
    lab = tab.open("/lab/rules?list=win,block,any")
    touch = lab.page.context.new_cdp_session(lab.page)

    def swipe(onto: str, to: str) -> None:
        start, end = (box(lab.page.locator(place)) for place in (onto, to))
        x = start["x"] + start["width"] / 2
        for at in range(9):
            y = start["y"] + start["height"] / 2 + (end["y"] - start["y"] - 4) * at / 8
            kind = "touchMove" if at else "touchStart"
            points = [{"x": x, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe("#grip-any", "#rule-win")
    expect_rules(lab, "any", "win", "block")
    assert lab.page.evaluate("scrollY") == 0
    swipe("#rule-block span", "#rule-any")
    lab.page.wait_for_function("() => scrollY > 0")
    expect_rules(lab, "any", "win", "block")


def test_arrow_keys_move_over_the_table_of_engines_and_enter_shows_a_pair(visitor: Visitor) -> None:
    tab = visitor().open("/lab?x=medium&o=hard")

    def cell(x: str, o: str) -> Locator:
        return tab.page.get_by_role("link", name=re.compile(f": {x} as X against {o}, "))

    tab.tab_to(".heat td a")
    for key, x, o in (
        ("ArrowUp", "Easy", "Hard"),
        ("ArrowUp", "Easy", "Hard"),  # at the edge it goes no further
        ("ArrowRight", "Easy", "Human"), ("ArrowLeft", "Easy", "Hard"),
        ("ArrowLeft", "Easy", "Medium"), ("ArrowDown", "Medium", "Medium"),
        ("ArrowDown", "Hard", "Medium"),
    ):  # fmt: skip
        tab.press(key)
        expect(cell(x, o)).to_be_focused()
    tab.press("Tab", "Shift+Tab")
    expect(cell("Hard", "Medium")).to_be_focused()
    tab.record_announcements()
    tab.press("Enter")
    [said] = tab.announcements()
    assert re.fullmatch("Hard against Medium: won .*%, drawn .*%, lost .*%.", said)
    expect(cell("Hard", "Medium")).to_be_focused()
    expect(tab.page).to_have_url(re.compile("x=hard&o=medium"))
    tab.page.reload()
    expect(cell("Hard", "Medium")).to_have_attribute("aria-current", "true")
    expect(tab.page.locator('.heat td a:not([tabindex="-1"])')).to_have_count(1)


def test_each_run_of_an_experiment_is_another_one_and_its_address_repeats_it(
    visitor: Visitor,
) -> None:
    tab = visitor().open("/lab/experiment?x=medium&o=easy&games=9999&seed=any")
    counted, piles = tab.page.locator(".piles b").first, tab.page.locator("svg.pile")
    tab.button("Run").click()
    expect(tab.page.locator("#seed")).to_have_attribute("placeholder", re.compile(r"\d+"))
    expect(tab.page).to_have_url(re.compile(r"games=9999&seed=\d+$"))
    expect(tab.button("Run")).to_be_focused()
    told = counted.inner_text()
    for pile in piles.all():
        assert box(pile)["height"] > 80
    tab.page.reload()
    expect(counted).to_have_text(told)


# What the margins leave of an A4 page, in pixels.
WIDTH, HEIGHT = (round((side - 2 * 12) / 25.4 * 96) for side in (210, 297))
SHEETS = {
    "/learn/paper/rules": 1, "/learn/paper/puzzles?kind=stop-fork&number=12&seed=1": 2,
    "/learn/paper/menace": 8, "/learn/map?mark=o&moves=0481": 1,
}  # fmt: skip
_OUTSIDE = """([width, height]) => [...document.querySelectorAll(".sheet")].flatMap((sheet) => {
  const within = sheet.getBoundingClientRect();
  return [sheet, ...sheet.querySelectorAll("*")].filter((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return left < -1 || right > width + 1 || bottom - within.top > height;
  }).map((one) => one.outerHTML.slice(0, 80));
})"""


def test_sheets_fit_their_pages_and_nothing_is_cut(visitor: Visitor) -> None:
    tab = visitor(color_scheme="dark", viewport={"width": WIDTH, "height": HEIGHT})
    tab.speak("de")
    for path, pages in SHEETS.items():
        tab.open(path)
        printed = tab.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == pages, path
        tab.page.emulate_media(media="print")
        assert tab.page.evaluate(_OUTSIDE, [WIDTH, HEIGHT]) == [], path
        expect(tab.page.locator(".site, .unprinted").filter(visible=True)).to_have_count(0)
        tab.page.emulate_media(media="null")
