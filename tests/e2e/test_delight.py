"""What makes a win worth winning: scraps of paper, chalk dust, and a sound where it is wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import LOST, WON
from tests.e2e.tab import Tab, Visitor

# Counts what is heard, and what has flown over the board.
_LISTEN = """
window.heard = 0;
window.flown = 0;
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.heard += 1;
  return start.apply(this, when);
};
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  window.flown += 1;
  window.dust = this.closest(".cloud").matches(".dust");
  return animate.apply(this, how);
};
"""
_SOON = """async () => {
  for (let n = 0; n < 30; n++) await new Promise(requestAnimationFrame);
}"""


def listened(play: Tab) -> Tab:
    play.page.add_init_script(_LISTEN)
    return play


def count(play: Tab, what: str) -> int:
    found: int = play.page.evaluate(f"() => window.{what}")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_win_is_celebrated_for_a_second_and_once_but_no_loss(
    visitor: Visitor, scheme: str
) -> None:
    play = listened(visitor(reduced_motion="no-preference", color_scheme=scheme)).open()
    play.play(*LOST.mine)
    play.page.evaluate(_SOON)
    assert count(play, "flown") == 0
    play.go_on()
    play.play(*WON.mine)
    play.page.wait_for_function("() => window.flown > 20")
    assert play.page.evaluate("() => window.dust") is (scheme == "dark")
    expect(play.page.locator(".cloud")).to_have_count(0)
    play.page.reload()
    play.expect_board(WON.board(), winning=WON.winning)
    assert count(play, "flown") == 0
    assert count(play, "heard") == 0, "sound is off at first"


def test_sound_is_a_switch_that_this_browser_remembers(play: Tab) -> None:
    switch = play.page.get_by_label("Sound and vibration")
    expect(switch).not_to_be_checked()
    switch.check()
    listened(play).page.reload()
    expect(switch).to_be_checked()
    play.play(*WON.mine[:1])
    # My X is two strokes, the computer's O one.
    play.page.wait_for_function("() => window.heard === 3")
    play.page.emulate_media(reduced_motion="reduce")  # where motion is not wanted, nothing flies
    play.play(*WON.mine[1:])
    play.page.wait_for_function("() => window.heard > 6")
    play.page.evaluate(_SOON)
    assert count(play, "flown") == 0
    play.unfold()
    switch.uncheck()
    play.page.reload()
    expect(switch).not_to_be_checked()
