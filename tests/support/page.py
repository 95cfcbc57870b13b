"""An answer of the server, as a person reads it who sees or hears the page."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.html import Element, accessible_name, check, parse

_BASE = Path(__file__).parents[2].joinpath("templates/base.html").read_text(encoding="utf-8")
_FIRST_SCRIPT = _BASE.partition("<script>")[2].partition("</script>")[0]
_HASH = b64encode(sha256(_FIRST_SCRIPT.encode()).digest()).decode()
_ALWAYS = {
    "Content-Security-Policy": f"default-src 'none'; script-src 'self' 'sha256-{_HASH}'; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}  # fmt: skip
_BY_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
}
"""Browsers complain about these on plain HTTP."""


def check_headers(answer: TestResponse) -> None:
    request = answer.request
    what = f"{answer.status} to {request.method} {request.path}"
    for name, value in (_ALWAYS | _BY_HTTPS).items():
        expected = value if request.scheme == "https" or name in _ALWAYS else None
        assert answer.headers.get(name) == expected, (what, name)
    if not (answer.status_code == 200 and "/static/" in request.path):
        assert answer.headers["Cache-Control"] == "no-store", what
    assert not {"Access-Control-Allow-Origin", "X-Powered-By", "Server"} & {*answer.headers.keys()}


class Cell:
    def __init__(self, number: int, element: Element) -> None:
        self.number, self.element, self.label = number, element, accessible_name(element)
        name, mark, *_ = self.label.split(", ")
        assert name == rules.NAMES[number].capitalize()
        self.mark = {"X": "X", "O": "O", "empty": "."}[mark]
        self.playable = element.tag == "button" and element.get("aria-disabled") != "true"
        self.hinted = element.has("data-hint")


class Page:
    """An answer, its headers and HTML checked; of a fragment, together with the page it goes into.

    :ivar announcement: what a fragment makes a screen reader say; a page says nothing by itself
    """

    def __init__(self, response: TestResponse, onto: Page | None = None) -> None:
        check_headers(response)
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        kind = str(response.mimetype)
        binary = "Content-Encoding" in response.headers or kind.endswith(("/png", ".sheet"))
        self.text = "" if binary else response.text
        self.is_fragment, self.announcement = False, ""
        self._document: Element | None = None
        if is_html(response):
            part = self._document = parse(self.text)
            self.is_fragment = [element.tag for element in part.elements][:1] != ["html"]
            named = part.all("title")
            self.title: str = named[0].text if named else onto.title if onto else ""
            if self.is_fragment:
                assert onto is not None, "a fragment needs a page to go into"
                self._document = _swapped(onto.document, part)
                said = [one for one in part.all("hx-partial") if one.get("hx-target") == "#live"]
                self.announcement = "".join(one.text for one in said)
                assert len(said) <= 1
            check(self._document)

    @property
    def document(self) -> Element:
        assert self._document is not None, f"no page, but {self.response.status}: {self.text}"
        return self._document

    @property
    def address(self) -> str:
        path = self.headers.get("HX-Push-Url") or self.response.request.path
        found = re.match(r"/games/[\w-]+", path)
        assert found, f"there is no stored game at {path}"
        return found[0]

    @property
    def location(self) -> str:
        return self.headers.get("Location") or self.headers["HX-Push-Url"]

    def the(self, identifier: str) -> Element:
        return self.document.the(identifier)

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
        return self.game.attributes["data-outcome"]

    def cell(self, number: int) -> Cell:
        return Cell(number, self.the(f"c{number}"))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        cells = tuple(map(self.cell, range(9)))
        order = [one for one in self.game.walk() if re.fullmatch(r"c\d", one.get("id"))]
        assert order == [cell.element for cell in cells]
        return cells

    @property
    def board(self) -> str:
        return "".join(cell.mark for cell in self.cells)

    @property
    def playable(self) -> list[int]:
        return [cell.number for cell in self.cells if cell.playable]

    @property
    def hinted(self) -> list[int]:
        return [cell.number for cell in self.cells if cell.hinted]

    @property
    def heading(self) -> str:
        return self.game.all("h2")[0].text

    @property
    def sentence(self) -> str:
        """The sentence about the last move; empty where a refusal has its place."""
        return "" if self.refusal else self._said.text

    @property
    def refusal(self) -> str:
        return self._said.text if "refusal" in self._said.get("class").split() else ""

    @property
    def _said(self) -> Element:
        (status,) = self.game.with_class("status")
        return status.all("p")[0]

    @property
    def moves(self) -> list[str]:
        return [line.text for some in self.document.with_class("moves") for line in some.all("li")]

    @property
    def score(self) -> tuple[int, ...] | None:
        found = self.document.with_class("score")
        return tuple(int(number.text) for number in found[0].all("dd")) if found else None

    @property
    def score_against(self) -> str:
        (score,) = self.document.with_class("score")
        return accessible_name(score).removeprefix("Score against ")

    @property
    def buttons(self) -> list[str]:
        """The names of the buttons beside the board that do something and are not folded away."""
        folded = [one for details in self.document.all("details") for one in details.walk()]
        return [
            accessible_name(button)
            for main in self.document.all("main")
            for button in main.all("button")
            if "cell" not in button.get("class").split()
            and not (button.has("disabled") or button.has("hidden"))
            and button.get("aria-disabled") != "true"
            and button not in folded
            and accessible_name(button)  # of a list, whose name is that of its field
        ]

    def button(self, name: str) -> Element:
        (found,) = [one for one in self.document.all("button") if accessible_name(one) == name]
        return found

    @property
    def links(self) -> dict[str, str]:
        return {accessible_name(link): link.get("href") for link in self.document.all("a")}

    def listed(self, label: str) -> list[str]:
        lists = [one for one in self.document.all("ul", "ol") if one.get("aria-label") == label]
        rows = [row for one in lists for row in one.all("li")]
        return [row.text for row in rows if not row.get("aria-hidden")]

    @property
    def opponent(self) -> str:
        return _chosen(self.the("opponent"))

    @property
    def mark(self) -> str:
        marks = [one for one in self.document.all("input") if one.get("name") == "mark"]
        (chosen,) = [one.get("value") for one in marks if one.has("checked")]
        return chosen

    @property
    def watching(self) -> bool:
        (main,) = self.document.all("main")
        return not main.all("form", "button", "input", "select", "textarea")


def fields_of(form: Element, document: Element) -> dict[str, str]:
    values: dict[str, str] = {}
    inside = form.all("input", "select")
    for element in document.all("input", "select"):
        # Those of other forms may be equal to its own.
        mine = element.has("form") and element.get("form") == form.get("id")
        mine = mine or any(element is one for one in inside)
        left_out = element.get("type") == "radio" and not element.has("checked")
        if not mine or left_out or not element.has("name"):  # without: a field to copy from
            continue
        assert element.get("name") not in values
        value = _chosen(element) if element.tag == "select" else element.get("value")
        values[element.get("name")] = value
    return values


def _chosen(select: Element) -> str:
    (chosen,) = [one for one in select.all("option") if one.has("selected")]
    return chosen.get("value")


def is_html(response: TestResponse) -> bool:
    """Whether the answer is for people; what stands in a redirect nobody sees."""
    readable = response.mimetype == "text/html" and "Content-Encoding" not in response.headers
    return readable and not 300 <= response.status_code < 400 and bool(response.text)


def _swapped(page: Element, part: Element) -> Element:
    region, *partials = part.elements
    assert (region.tag, region.get("id")) in {
        ("div", one) for one in ("game", "class", "calls", "onward", "question", "lookahead")
    }
    changes = {region.get("id"): region}
    for element in partials:
        if element.tag == "title":
            continue
        target, how = element.get("hx-target").removeprefix("#"), element.get("hx-swap")
        assert (element.tag, how in ("textContent", "outerMorph")) == ("hx-partial", True)
        said = replace(page.the(target), children=(element.text,))
        (changes[target],) = [said] if how == "textContent" else element.elements
        assert changes[target].get("id") == target
    return page.mapped(changes)
