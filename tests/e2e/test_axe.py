"""axe on every state of the pages, in light and dark, on a phone and on a desk."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import ViewportSize

from tests.e2e.checks import expect_no_violations, load_axe
from tests.e2e.noise import Noise
from tests.e2e.play import Visitor
from tests.e2e.states import EVERY_STATE, TO_LEARN_FROM, arrive

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_SIZES: tuple[ViewportSize, ...] = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


@pytest.mark.parametrize("state", [*EVERY_STATE, *TO_LEARN_FROM])
def test_axe_finds_nothing(state: str, visitor: Visitor, noise: Noise) -> None:
    play = arrive(state, visitor(), noise, visitor)
    load_axe(play.page)
    for scheme, size in product(_SCHEMES, _SIZES):
        play.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        play.page.set_viewport_size(size)
        expect_no_violations(play.page, f"{scheme}, {size['width']} px")
