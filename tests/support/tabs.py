"""A page that stays open and asks for what is new."""

import re
from html import unescape
from math import inf
from typing import NamedTuple

from tests.support.visitor import FRAGMENT, Visitor

_PART = re.compile(r'\s*<div id="\w+"[^>]*?\shx-get="([^"]*)"[^>]*>')
_GAME = re.compile(
    r'<div id="game" data-game="(.*?)"\s+data-version="(\d+)"\s+data-outcome="(\w*)"'
)
_CELL = re.compile(r'<(?:button|span) id="c\d"[^>]*? aria-label="[\w ]+, (X|O|empty)')
_PASSING = re.compile(
    r'<hx-partial hx-target="#record".*|<p id="clock".*?</p>'
    r'|\d+(?= s\b)|(?<=data-seconds=")\d+|<b data-ends.*?</b>| data-again="\d+"|name="key".*?>'
    # Who has just come, each process knows for itself.
    r'|<section class="came">.*?</section>\n',
    re.DOTALL,
)
"""What differs in two pages that show the same, and what a script counts down."""


class Tab(NamedTuple):
    """A page as it was last told; it asks after ``again_s`` in any case."""

    address: str
    topics: frozenset[str]
    again_s: float
    here: bool
    text: str


def opened(who: Visitor, address: str) -> Tab | None:
    """Open a page, or the one that it leads to; ``None`` if that never asks."""
    answer = who._client.get(address, headers=FRAGMENT)
    if lead := answer.headers.get("HX-Redirect"):
        return opened(who, lead)
    assert answer.status_code in (200, 403, 404)
    part, text = _PART.match(answer.text), answer.text
    if answer.status_code != 200 or part is None:
        return None
    named = dict(re.findall(r'(data-topic|data-again)="([^"]*)"', part[0]))
    if re.search(r'data-outcome="\w', text):  # what comes next other parts of the page tell
        text = text.partition("</h2>")[0]
    return Tab(
        unescape(part[1]), frozenset(named["data-topic"].split()),
        float(named.get("data-again", inf)), " data-here" in part[0], _PASSING.sub("", text),
    )  # fmt: skip


def game_in(text: str) -> tuple[str, ...]:
    found = _GAME.search(text)
    assert found
    board = "".join(mark.replace("empty", ".") for mark in _CELL.findall(text))
    return *found.groups(), board
