"""Class names in the style sheets: each means one thing, as several sheets meet on a page."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

STATIC = Path(__file__).parents[2] / "static"
SHARED = {"boards", "cards", "picture", "play", "rooms", "switch", "title", "versus"}
"""Laid out in the sheet of a page family, and styled elsewhere as well: the same thing in both."""

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
PRINTED = re.compile(r"@media print.*?\n  \}", re.DOTALL)
CLASS_FIRST = re.compile(r"(?:^|,)\s*\.([\w-]+)([^,]*)")


def test_a_class_that_a_page_family_lays_out_means_nothing_else_in_another_sheet() -> None:
    laid_out, styled_in = set[str](), defaultdict[str, set[str]](set)
    for sheet in STATIC.glob("*.css"):
        for selectors, body in RULE.findall(PRINTED.sub("", sheet.read_text(encoding="utf-8"))):
            for name, rest in CLASS_FIRST.findall(selectors.rpartition("*/")[2]):
                styled_in[name].add(sheet.name)
                if not rest.strip() and "display:" in body and sheet.name != "app.css":
                    laid_out.add(name)
    found = {name for name in laid_out if len(styled_in[name]) > 1}
    assert found == SHARED, sorted(found ^ SHARED)
