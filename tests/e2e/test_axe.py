"""axe on every state of the pages, in light and dark, on a phone and on a desk."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import ViewportSize

from tests.e2e.noise import Noise
from tests.e2e.play import Visitor
from tests.e2e.states import EVERY_STATE, arrive

_OPTIONS: dict[str, Any] = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    },
    # Off unless asked for, whatever the tags say.
    "rules": {"target-size": {"enabled": True}, "color-contrast-enhanced": {"enabled": True}},
    "resultTypes": ["violations", "passes"],
}
_MUST_HAVE_RUN = {"target-size", "color-contrast", "color-contrast-enhanced"}
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_SIZES: tuple[ViewportSize, ...] = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


@pytest.mark.parametrize("state", EVERY_STATE)
def test_axe_finds_nothing(state: str, visitor: Visitor, noise: Noise) -> None:
    play = arrive(state, visitor(), noise, visitor)
    play.page.evaluate(AXE_SCRIPT)
    for scheme, size in product(_SCHEMES, _SIZES):
        play.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        play.page.set_viewport_size(size)
        found = play.page.evaluate(
            """async (options) => {
              const { violations, passes } = await axe.run(options);
              return { violations, passes: passes.map((rule) => rule.id) };
            }""",
            _OPTIONS,
        )
        report = AxeResults(found).generate_report()
        assert found["violations"] == [], f"{scheme}, {size['width']} px: {report}"
        assert set(found["passes"]) >= _MUST_HAVE_RUN
