"""MENACE in the browser: a game against it, its page, its training, and its curve on the wall."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.tab import Tab
from tests.e2e.test_every_page import SCHEMES, expect_it_fits, misfits, what_axe_finds

PHONE = {"width": 390, "height": 664}


def play_on(pupil: Tab) -> None:
    """Take the first free cell until the game is over."""
    while pupil.page.locator("#game").get_attribute("data-outcome") == "":
        with pupil.answered():
            pupil.page.locator("button.cell:not([aria-disabled])").first.click()


def test_a_pupil_teaches_it_and_the_wall_and_other_pages_see_what_came_of_it(
    come: Callable[..., Tab], host: Tab
) -> None:
    wall, watcher, pupil = come().open("/class/board"), come(), come(viewport=PHONE)
    host.open("/menace")
    host.page.locator("#to-the-wall").click()
    expect(wall.page.locator(".learnt h2").first).to_have_text("MENACE after 0 games")
    watcher.open("/menace")
    pupil.open()
    pupil.choose(opponent="menace")
    expect(pupil.mark("o")).to_be_checked()
    expect(pupil.mark("x")).to_be_hidden()
    with wall.no_reload(), watcher.no_reload():
        pupil.go_on()
        play_on(pupil)
        expect(pupil.page.get_by_text("What MENACE has learnt from it")).to_be_visible()
        expect(wall.page.locator(".learnt h2").first).to_have_text("MENACE after 1 game")
        expect(watcher.page.locator(".taught")).to_contain_text(pupil.name)
    expect(watcher.page.locator(".boxes svg").first).to_be_visible()
    size = wall.page.viewport_size
    assert size
    for part in (".lives svg", ".worths", ".boxes"):
        expect(wall.page.locator(part)).to_be_in_viewport(ratio=1)
    wrong = [one for scheme in SCHEMES for one in what_axe_finds(wall, size["width"], scheme)]
    assert not wrong, "\n".join(wrong)
    watcher.page.reload()
    expect_it_fits(watcher)


def test_a_box_is_found_by_keys_and_without_scripts(come: Callable[..., Tab]) -> None:
    keys, plain = come().open("/menace"), come(java_script_enabled=False).open("/menace")
    told = keys.page.locator("#finder .told p").first
    loads = keys.loads
    keys.tab_to("button.cell")
    keys.press("5")
    expect(told).to_contain_text("O is to move.")
    keys.expect_focus_somewhere()
    keys.press("1")
    expect(told).to_contain_text("This box holds 12 beads.")
    assert keys.loads == loads
    expect(keys.page).to_have_url(re.compile(r"moves=4&cell=0"))
    plain.cell(4).click()
    plain.cell(0).click()
    expect(plain.page.locator("#finder .told p").first).to_contain_text("This box holds 12 beads.")
    assert misfits(plain.page, 320) == []


def test_the_teacher_trains_it_and_all_see_the_curve_climb(
    come: Callable[..., Tab], host: Tab
) -> None:
    watcher = come().open("/menace")
    hard = watcher.page.get_by_role("row", name=re.compile("^Hard"))
    expect(hard).to_contain_text("12.7 %")
    host.open("/menace")
    host.page.get_by_label("Games", exact=True).fill("400")
    host.page.get_by_label("Seed").fill("7")
    with watcher.no_reload():
        host.button("Train it").click()
        expect(host.page.locator(".lives figcaption")).to_contain_text("its 400 games")
        expect(hard).to_contain_text("99.7 %")
    expect_it_fits(host)
    host.page.get_by_text("Start afresh").click()
    host.button("Forget everything").click()
    expect(watcher.page.locator(".lives figcaption")).to_contain_text("its 0 games")
