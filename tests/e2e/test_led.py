"""Everyone at a board: players are led to their tournament's games, wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.e2e.test_tournaments import GAME, join, make, start

Come = Callable[..., Tab]
SHOTS = Path("/tmp/led_shots")
SIZES = ((320, 568), (390, 664), (1280, 720))


def shots(tab: Tab, name: str) -> None:
    SHOTS.mkdir(exist_ok=True)
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            tab.page.set_viewport_size({"width": width, "height": height})
            tab.page.emulate_media(color_scheme=scheme)
            tab.page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png")


def test_look(host: Tab, come: Come, own_server: Server) -> None:
    make(host)
    players = join(come, 4)
    one, two, three, four = players
    shots(one, "tournament-joined")
    one.open("/class")
    shots(one, "class-joined")
    two.open("/learn")
    shots(two, "learn-joined")
    three.open().play(0)
    shots(three, "computer-joined")
    start(host)
    expect(three.page.locator("#calls[data-counting]")).to_be_visible()
    three.page.evaluate("window.setInterval = () => {}")
    three.page.screenshot(path=SHOTS / "computer-led.png")
    for tab in players:
        tab.page.wait_for_url(GAME)
        expect(tab.page.locator("#versus")).to_be_visible()
    shots(one, "board")
    one.a("Tournament").click()
    shots(one, "tournament-playing")
    one.page.wait_for_url(GAME)
    one.page.once("dialog", lambda dialog: dialog.accept())
    one.resign.click()
    expect(one.page.locator("#onward")).to_be_visible()
    shots(one, "after-first")
