"""axe on every state of the pages: in light on a desk, in dark on a phone."""

from __future__ import annotations

import pytest

from tests.e2e.checks import expect_no_violations, load_axe
from tests.e2e.noise import Noise
from tests.e2e.play import Visitor
from tests.e2e.states import EVERY_STATE, TO_LEARN_FROM, arrive


@pytest.mark.parametrize("state", [*EVERY_STATE, *TO_LEARN_FROM])
def test_axe_finds_nothing(state: str, visitor: Visitor, noise: Noise) -> None:
    page = arrive(state, visitor(), noise, visitor).page
    load_axe(page)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect_no_violations(page, "light, on a desk")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    expect_no_violations(page, "dark, on a phone")
