"""An answer of the server, as a person reads it who sees or hears the page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.headers import check_headers
from tests.support.html import Element, accessible_name, check, parse

_CELL_NAMES = tuple(name.capitalize() for name in rules.NAMES)


@dataclass(frozen=True)
class Cell:
    number: int
    element: Element

    @property
    def label(self) -> str:
        return accessible_name(self.element)

    @property
    def mark(self) -> str:
        """``X``, ``O``, or ``.`` where it is empty."""
        name, mark, *_ = self.label.split(", ")
        assert name == _CELL_NAMES[self.number]
        return {"X": "X", "O": "O", "empty": "."}[mark]

    @property
    def playable(self) -> bool:
        return self.element.tag == "button" and self.element.get("aria-disabled") != "true"

    @property
    def hinted(self) -> bool:
        return self.element.has("data-hint")


class Page:
    """An answer. Its headers and all that is HTML in it have been checked before anybody looks.

    :param onto: the page that a fragment goes into; the document is then the whole of both
    """

    def __init__(self, response: TestResponse, onto: Page | None = None) -> None:
        check_headers(response)
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        text = "Content-Encoding" not in response.headers and response.mimetype != "image/png"
        self.text = response.text if text else ""
        self.is_fragment = False
        self.announcement = ""
        """What a fragment makes a screen reader say; a page says nothing by itself."""
        self._document: Element | None = None
        if is_html(response):
            part = self._document = parse(self.text)
            self.is_fragment = [element.tag for element in part.elements][:1] != ["html"]
            named = self._document.all("title")
            self.title: str = named[0].text if named else onto.title if onto else ""
            """What the browser's tab is called."""
            if self.is_fragment:
                assert onto is not None, "a fragment needs a page to go into"
                self._document = _swapped(onto.document, part)
                said = [one for one in part.all("hx-partial") if one.get("hx-target") == "#live"]
                assert len(said) <= 1
                self.announcement = said[0].text if said else ""
            check(self._document)

    @property
    def document(self) -> Element:
        """The whole page as one sees it."""
        assert self._document is not None, f"no page, but {self.response.status}: {self.text}"
        return self._document

    @property
    def json(self) -> Any:
        return self.response.get_json()

    @property
    def address(self) -> str:
        """The address of the game that is shown."""
        path = self.headers.get("HX-Push-Url") or self.response.request.path
        found = re.match(r"/games/[\w-]+", path)
        assert found, f"there is no stored game at {path}"
        return found[0]

    @property
    def location(self) -> str:
        """Where the answer sends the browser, or what it tells htmx to show as address."""
        return self.headers.get("Location") or self.headers["HX-Push-Url"]

    # --- the board ----------------------------------------------------------------------------

    def the(self, identifier: str) -> Element:
        found = self.document.with_id(identifier)
        assert found is not None, f"there is no #{identifier}"
        return found

    @property
    def has_board(self) -> bool:
        return self.document.with_id("game") is not None

    @property
    def game(self) -> Element:
        return self.the("game")

    @property
    def version(self) -> int:
        return int(self.game.attributes["data-version"])

    @property
    def outcome(self) -> str:
        """``Outcome.slug``; empty while the game goes on."""
        return self.game.attributes["data-outcome"]

    def cell(self, number: int) -> Cell:
        return Cell(number, self.the(f"c{number}"))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        ids = [f"c{number}" for number in range(9)]
        cells = [element for element in self.game.walk() if element.get("id") in ids]
        assert [cell.get("id") for cell in cells] == ids
        return tuple(Cell(number, element) for number, element in enumerate(cells))

    @cached_property
    def board(self) -> str:
        """The board as nine characters of ``X``, ``O`` and ``.``."""
        return "".join(cell.mark for cell in self.cells)

    @property
    def playable(self) -> list[int]:
        return [cell.number for cell in self.cells if cell.playable]

    @property
    def hinted(self) -> list[int]:
        return [cell.number for cell in self.cells if cell.hinted]

    # --- the words ----------------------------------------------------------------------------

    @property
    def heading(self) -> str:
        """Whose turn it is, or who won."""
        return self.game.all("h2")[0].text

    @property
    def sentence(self) -> str:
        """The sentence about the last move; empty where a refusal has its place."""
        return "" if self.refusal else self._said.text

    @property
    def refusal(self) -> str:
        """Why the request was refused; empty where it was not."""
        return self._said.text if "refusal" in self._said.get("class").split() else ""

    @property
    def _said(self) -> Element:
        (status,) = self.game.with_class("status")
        return status.all("p")[0]

    @property
    def moves(self) -> list[str]:
        return [line.text for some in self.document.with_class("moves") for line in some.all("li")]

    @property
    def score(self) -> tuple[int, int, int] | None:
        """Won, drawn and lost, or ``None`` where no score is kept."""
        found = self.document.with_class("score")
        if not found:
            return None
        won, drawn, lost = (int(number.text) for number in found[0].all("dd"))
        return won, drawn, lost

    @property
    def score_against(self) -> str:
        (score,) = self.document.with_class("score")
        return accessible_name(score).removeprefix("Score against ")

    # --- what there is to press -----------------------------------------------------------------

    @property
    def buttons(self) -> list[str]:
        """The names of the buttons beside the board that do something, in their order.

        Without those that are folded away.
        """
        folded = [one for details in self.document.all("details") for one in details.walk()]
        return [
            accessible_name(button)
            for main in self.document.all("main")
            for button in main.all("button")
            if "cell" not in button.get("class").split()
            and not (button.has("disabled") or button.has("hidden"))
            and button.get("aria-disabled") != "true"
            and button not in folded
        ]

    def button(self, name: str) -> Element:
        (found,) = [one for one in self.document.all("button") if accessible_name(one) == name]
        return found

    @property
    def links(self) -> dict[str, str]:
        return {accessible_name(link): link.get("href") for link in self.document.all("a")}

    def listed(self, label: str) -> list[str]:
        lists = [one for one in self.document.all("ul", "ol") if one.get("aria-label") == label]
        return [line.text for one in lists for line in one.all("li")]

    @property
    def opponent(self) -> str:
        options = self.the("opponent").all("option")
        (chosen,) = [one for one in options if one.has("selected")]
        return chosen.get("value")

    @property
    def mark(self) -> str:
        radios = [one for one in self.document.all("input") if one.get("type") == "radio"]
        (chosen,) = [one for one in radios if one.has("checked")]
        return chosen.get("value")

    @property
    def watching(self) -> bool:
        """Whether there is nothing on the page that could change the game."""
        (main,) = self.document.all("main")
        return not main.all("form", "button", "input", "select", "textarea")


def fields_of(form: Element, document: Element) -> dict[str, str]:
    """What a browser sends with a form: the state of every control that belongs to it."""
    values: dict[str, str] = {}
    inside = form.all("input", "select")
    for element in document.all("input", "select"):
        # Those of other forms may be equal to its own.
        mine = element.has("form") and element.get("form") == form.get("id")
        if not mine and not any(element is one for one in inside):
            continue
        if not element.has("name"):  # a field to copy from
            continue
        if element.get("type") == "radio" and not element.has("checked"):
            continue
        value = element.get("value")
        if element.tag == "select":
            (value,) = [one.get("value") for one in element.all("option") if one.has("selected")]
        assert element.get("name") not in values
        values[element.get("name")] = value
    return values


def is_html(response: TestResponse) -> bool:
    """Whether the answer is for people; what stands in a redirect nobody sees."""
    readable = response.mimetype == "text/html" and "Content-Encoding" not in response.headers
    return readable and not 300 <= response.status_code < 400 and bool(response.text)


def _swapped(page: Element, part: Element) -> Element:
    """The page after htmx has put the parts of a fragment where they say."""
    region, *partials = part.elements
    assert (region.tag, region.get("id")) in {
        ("div", one) for one in ("game", "class", "calls", "onward", "question")
    }
    changes = {region.get("id"): region}
    for element in partials:
        if element.tag == "title":
            continue
        assert element.tag == "hx-partial"
        target, how = element.get("hx-target").removeprefix("#"), element.get("hx-swap")
        old = page.with_id(target)
        assert old is not None, f"there is no #{target} to swap"
        assert how in ("textContent", "outerMorph")
        inner = how == "textContent"
        (new,) = (replace(old, children=(element.text,)),) if inner else element.elements
        assert new.get("id") == target
        changes[target] = new
    return page.mapped(changes)
