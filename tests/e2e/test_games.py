from playwright.sync_api import expect

from tests.e2e import answers
from tests.e2e.games import DRAWN, plan
from tests.e2e.sight import PHONE, resize
from tests.e2e.tab import EMPTY, Tab, Visitor
from webapp.core.board import Mark


def test_a_choice_is_for_an_empty_board_at_once_and_beside_a_game_for_the_next(play: Tab) -> None:
    play.play(DRAWN.mine[0])
    version, asked = play.version, play.requests()
    play.choose(opponent="hard", mark="alternate")
    expect(play.live).to_have_text("That applies to the next game.")
    assert (play.version, [one for one in asked if "opponent=" in one]) == (version, [])
    play.play(*DRAWN.mine[1:])
    expect(play.score_list).to_have_accessible_name("Score against Medium")
    # Hard has X in the next game, and the player in the one after it.
    play.go_on()
    play.expect_board(plan("hard", Mark.O, "drawn").board(1))
    play.go_on()
    play.expect_board(EMPTY)
    step = play.page.locator("[data-opponent=easy]")
    step.click()
    expect(play.heading).to_have_text("Your turn")
    expect(step).to_have_attribute("aria-current", "true")
    expect(step).to_be_focused()
    expect(play.opponent).to_have_value("easy")


def test_a_choice_of_language_keeps_the_page(visitor: Visitor) -> None:
    alice = visitor().open("/you")
    alice.page.locator("#language").select_option("pl")
    expect(alice.page.locator("html")).to_have_attribute("lang", "pl")
    expect(alice.page).to_have_url(f"{alice.server}/you")
    alice.page.locator("#language").select_option("ar")
    expect(alice.page.locator("html")).to_have_attribute("dir", "rtl")
    alice.open().play(4)
    address = alice.page.url
    alice.page.locator("#language").select_option("es")
    expect(alice.page.locator("html")).to_have_attribute("lang", "es")
    expect(alice.cell(4).locator("svg:not(.ghost)")).to_have_count(1)
    expect(alice.page).to_have_url(address)


def expect_opponent(play: Tab, slug: str) -> None:
    expect(play.opponent).to_have_value(slug)
    expect(play.opponent).to_be_focused()
    expect(play.page.locator(f"#ladder [data-opponent={slug}][aria-current]")).to_have_count(1)
    play.expect_board(EMPTY)
    assert (play.posts, play.path) == ([], "/")


def test_a_click_opens_a_list_that_shows_five_and_leads_to_no_other_page(play: Tab) -> None:
    resize(play.page, PHONE)
    play.opponent.click()
    options = play.page.get_by_role("option")
    seen = options.evaluate_all(
        """(all) => all.map((one) => one.getBoundingClientRect())
          .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length"""
    )
    assert seen >= 5
    expect(options.nth(1)).to_have_accessible_name("Medium: wins and blocks")
    options.get_by_text("Fork-blocker").click()
    expect(play.opponent).to_have_value("fork-blocker")
    play.opponent.click()
    options.get_by_text("Hard").click()
    expect_opponent(play, "hard")
    with play.change():
        play.cell(4).click()
    expect(play.score_list).to_have_accessible_name("Score against Hard")


def test_by_keys_only_what_is_chosen_counts_and_the_focus_stays(play: Tab) -> None:
    play.tab_to("#opponent")
    play.press("Space", "ArrowUp", "Escape")
    expect_opponent(play, "medium")
    play.press("Space", "ArrowUp", "Enter")
    expect_opponent(play, "easy")


def test_a_look_that_comes_late_takes_no_game_away_that_has_begun(play: Tab) -> None:
    with answers.late(play.page, "opponent=easy"):
        play.opponent.select_option("easy")
        play.play(4)
    expect(play.cell(4).locator("svg:not(.ghost)")).to_have_count(1)
    assert "/games/" in play.page.url


def test_without_scripts_a_button_takes_the_choice(visitor: Visitor) -> None:
    plain = visitor(java_script_enabled=False).open()
    plain.opponent.select_option("hard")
    plain.page.locator("#setup").get_by_role("button", name="Choose").click()
    expect(plain.page.locator("[data-opponent=hard]")).to_have_attribute("aria-current", "true")
    expect(plain.opponent).to_have_value("hard")
    expect(visitor().open().page.locator(".choose")).to_be_hidden()
