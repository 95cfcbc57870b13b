"""Scripts that do not come up, and old browsers: no one waits for ever, and all is to be seen."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.e2e import scenes
from tests.e2e.games import at_a_board, join, make, start
from tests.e2e.scenes import Seen, World
from tests.e2e.server import LONG_REST
from tests.e2e.sight import PHONE, misfits, out_of_reach
from tests.e2e.tab import Tab, Visitor


@pytest.mark.parametrize("lost", ["*", "stream"])
def test_a_page_without_its_scripts_loads_itself_again(lost: str, host: Tab, come: Visitor) -> None:
    alice, bob = come(), come()
    alice.scripted = False
    alice.noise.expect("'integrity' attribute")
    alice.page.route(f"**/{lost}.js?*", lambda route: route.fulfill(body=""))
    code = alice.open_challenge_elsewhere()
    alice.open("/class")
    path = bob.do(f"/join/{code}")
    alice.expect_turn("Your turn")
    asked = host.do("/host/questions", kind="only", seconds=0)
    alice.page.wait_for_url(f"**{asked}*")
    alice.page.locator("button.cell:not([aria-disabled])").first.click()
    expect(alice.page.locator("#question")).to_contain_text("You chose")
    for step in ("close", "reveal", "done"):
        host.do(f"/host{asked}/{step}")
    alice.page.wait_for_url(f"**{path}*")
    alice.open("/class").a("Refresh").click()
    expect(alice.pause).to_be_hidden()
    address = make(host, "swiss")
    join(address, alice, bob)
    start(host, address)
    at_a_board(alice)


def as_read_of_old(route: Route) -> None:
    """A style sheet for a browser that knows neither."""
    answer = route.fetch()
    text = answer.text().replace(":has(", ":unknown(").replace("color-mix(", "unknown(")
    route.fulfill(response=answer, body=text)


@pytest.mark.parametrize("own_server", [LONG_REST], indirect=True, ids=[""])
@pytest.mark.parametrize("scene", [scenes.playing, scenes.together, scenes.tournament])
def test_pages_do_without_has(scene: Callable[[World], Iterator[Seen]], world: World) -> None:
    def old(come: Visitor, **browser: bool) -> Tab:
        tab = come(**browser)
        tab.page.route("**/*.css?*", as_read_of_old)
        return tab

    wrong = list[str]()
    world = world._replace(come=partial(old, world.come), sign_in=partial(old, world.sign_in))
    for at, seen in enumerate(scene(world)):
        with seen.tab.still():
            found = misfits(seen.tab.page, PHONE) + out_of_reach(seen.tab)
        wrong += [f"{at} {seen.tab.path}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


def test_below_layers_a_page_says_why_it_looks_plain_and_can_be_played_on(visitor: Visitor) -> None:
    play = visitor()
    play.page.route("**/*.css?*", lambda route: route.fulfill(content_type="text/css", body=""))
    expect(play.open().page.get_by_text("This browser is old")).to_be_visible()
    play.play(4)


def test_no_script_looks_for_what_only_newer_browsers_find() -> None:
    for file in Path(__file__).parents[2].joinpath("static").glob("*.js"):
        assert ":has(" not in file.read_text(encoding="utf-8"), file.name
