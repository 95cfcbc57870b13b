"""A page that stays open and asks for news."""

import re
from html import unescape
from typing import NamedTuple

from tests.support.visitor import FRAGMENT, Visitor
from webapp.live.topics import Topics

_NEWS = re.compile(r'\s*<div id="\w+"[^>]*? hx-get="([^"]*)"')
_GAME = re.compile(r'<div id="game" data-game="(.*?)" data-version="(\d+)" data-outcome="(\w*)"')
_CELL = re.compile(r'<(?:button|span) id="c\d"[^>]*? aria-label="[\w ]+, (X|O|empty)')
_PASSING = re.compile(
    r'<hx-partial hx-target="#record".*|(?<=since=)[\w.~-]*|<p id="clock".*?</p>'
    r'|\d+(?= s\b)|(?<=data-seconds=")\d+|<b data-ends.*?</b>'
    # Who has just come, each process knows for itself.
    r'|<section class="came">.*?</section>\n',
    re.DOTALL,
)
"""What differs in two pages that show the same, and what a script counts down."""


class Tab(NamedTuple):
    """A page as it was last told: at which address it asks for news, and what it shows."""

    address: str
    text: str

    @property
    def stamp(self) -> str:
        """What stands in ``since`` for what it shows."""
        return self._since[0]

    @property
    def plain(self) -> str:
        """The address without ``since``, at which anyone gets the page as it is now."""
        return re.sub(r"since=[^&]*&?", "", self.address)

    def is_current(self, topics: Topics) -> bool:
        """Whether a process lets it wait, and would tell it nothing."""
        watch = topics.recall(self._since[-1])
        return watch is not None and topics.is_current(watch)

    @property
    def _since(self) -> list[str]:
        return self.address.partition("since=")[2].partition("&")[0].split("~")


def opened(who: Visitor, address: str) -> Tab | None:
    """Open a page, or the one that it leads to; ``None`` if that asks for no news."""
    answer = who._client.get(address, headers=FRAGMENT)
    if lead := answer.headers.get("HX-Redirect"):
        return opened(who, lead)
    assert answer.status_code in (200, 204, 403, 404)
    found = _NEWS.match(answer.text)
    if answer.status_code != 200 or found is None:
        return None
    text = answer.text
    if re.search(r'data-outcome="\w', text):  # what comes next other parts of the page tell
        text = text.partition("</h2>")[0]
    return Tab(unescape(found[1]), _PASSING.sub("", text))


def game_in(text: str) -> tuple[str, ...]:
    """The id, the version, the outcome and the board of the game that a page shows."""
    found = _GAME.search(text)
    assert found
    board = "".join(mark.replace("empty", ".") for mark in _CELL.findall(text))
    return *found.groups(), board
