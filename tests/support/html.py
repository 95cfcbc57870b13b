"""A page as a tree, and what is wrong with it: its ids, labels and targets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape

_VOID = frozenset(("br", "wbr", "hr", "img", "input", "link", "meta"))
_CONTROLS = frozenset(("button", "input", "select", "textarea"))
_IDS = frozenset(("for", "form", "list", "aria-labelledby", "aria-describedby", "aria-controls"))
_SELECTORS = frozenset(("hx-target", "hx-include", "hx-sync", "hx-trigger", "hx-select"))
_URLS = frozenset(("action", "formaction", "href", "hx-get", "hx-post", "src"))
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:="([^"]*)"|='([^']*)')?""")
_TOKEN = re.compile(
    r"""<!--.*?-->|<!doctype\ html>
    |<(/?)([\w-]+)((?:\s+[\w:-]+(?:="[^"]*"|='[^']*')?)*)\s*(/?)>
    |([^<]+)""",
    re.VERBOSE | re.DOTALL,
)
_OURS = re.compile(r"/(?!/)|#|https?://localhost/")


@dataclass(frozen=True)
class Element:
    """An element of a page, or with the tag ``""`` the whole of a text."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    children: tuple[Element | str, ...] = ()

    def __str__(self) -> str:
        shown = "".join(f' {name}="{value}"' for name, value in self.attributes.items())
        return f"<{self.tag}{shown}>"

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def has(self, name: str) -> bool:
        return name in self.attributes

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        return tuple(child for child in self.children if isinstance(child, Element))

    def walk(self) -> Iterator[Element]:
        yield self
        for element in self.elements:
            yield from element.walk()

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.walk() if element.tag in tags]

    def with_id(self, identifier: str) -> Element | None:
        return self._ids.get(identifier)

    def the(self, identifier: str) -> Element:
        assert identifier in self._ids, f"there is no #{identifier}"
        return self._ids[identifier]

    @cached_property
    def _ids(self) -> dict[str, Element]:
        return {one.attributes["id"]: one for one in self.walk() if "id" in one.attributes}

    def with_class(self, name: str) -> list[Element]:
        return [element for element in self.walk() if name in element.get("class").split()]

    @property
    def text(self) -> str:
        return " ".join(self._raw_text().split())

    def _raw_text(self) -> str:
        return "".join(one if isinstance(one, str) else one._raw_text() for one in self.children)

    def mapped(self, changes: Mapping[str, Element]) -> Element:
        """The same tree, with the elements of these ids replaced."""
        if self.get("id") in changes:
            return changes[self.get("id")]
        children = (one if isinstance(one, str) else one.mapped(changes) for one in self.children)
        return replace(self, children=tuple(children))


def parse(text: str) -> Element:
    """Read a page or a part, strictly: a browser forgives what is closed in a wrong place."""
    opened: list[tuple[str, dict[str, str], list[Element | str]]] = [("", {}, [])]
    end = 0

    def line() -> str:
        return f"line {1 + text[:end].count(chr(10))}: {text[end : end + 80]}"

    for token in _TOKEN.finditer(text):
        assert token.start() == end, f"this is no HTML: {line()}"
        closing, tag, written, itself, words = token.groups()
        if words:
            opened[-1][2].append(unescape(words))
        if tag and not closing:
            pairs = _ATTRIBUTE.findall(written)
            attributes = {name: unescape(one or other) for name, one, other in pairs}
            assert len(attributes) == len(pairs), f"an attribute is there twice: {line()}"
            around = {one for one, _, _ in opened} if itself else set()
            assert not itself or tag in _VOID or "svg" in around, f"it closes nothing: {line()}"
            opened.append((tag, attributes, []))
        if tag and (closing or itself or tag in _VOID):
            name, attributes, children = opened.pop()
            assert name == tag, f"<{name}> is still open: {line()}"
            opened[-1][2].append(Element(tag, attributes, tuple(children)))
        end = token.end()
    assert end == len(text), f"this is no HTML: {line()}"
    ((tag, _, children),) = opened
    return Element(tag, {}, tuple(children))


def accessible_name(element: Element) -> str:
    return element.get("aria-label") or " ".join(_spoken(element).split())


def _spoken(element: Element) -> str:
    return "".join(
        child if isinstance(child, str) else child.get("aria-label") or _spoken(child)
        for child in element.children
        if isinstance(child, str) or not (child.has("aria-hidden") or child.has("hidden"))
    )


def check(page: Element) -> None:
    elements = [*page.walk()]
    ids = Counter(element.get("id") for element in elements if element.has("id"))
    found = [f"the id {one!r} is there {times} times" for one, times in ids.items() if times > 1]
    labels = [element for element in elements if element.tag == "label"]
    labelled = {label.get("for") for label in labels}
    wrapped = {id(one) for label in labels for one in label.all(*_CONTROLS)}

    def is_named(element: Element) -> bool:
        if element.tag in ("a", "button"):
            return bool(accessible_name(element))
        return element.has("aria-label") or element.get("id") in labelled or id(element) in wrapped

    for element in elements:
        hidden = element.has("hidden") or element.get("type") == "hidden"
        hidden |= any(one.tag == "selectedcontent" for one in element.elements)  # of a list
        if element.tag in ("a", *_CONTROLS) and not hidden and not is_named(element):
            found.append(f"{element}: no name")
        found += [f"{element}: {fault}" for fault in _leading_nowhere(element, page)]
    assert not found, "\n".join(found)


def _leading_nowhere(element: Element, page: Element) -> Iterator[str]:
    for name, value in element.attributes.items():
        references = value.split() if name in _IDS else []
        references += re.findall(r"#([\w-]+)", value) if name in _SELECTORS else []
        references += [value[1:]] if name == "href" and value.startswith("#") else []
        for reference in references:
            target = page.with_id(reference)
            wanted = {"for": _CONTROLS, "form": {"form"}}.get(name)
            if target is None or (wanted and target.tag not in wanted):
                yield f"{name} refers to {reference!r}: {target}"
        if name in _URLS and not _OURS.match(value):
            yield f"{name} leads to another host, or depends on where the page is"
    plain = element.get("action") or element.get("formaction")
    swapped = element.get("hx-post") or element.get("hx-get")
    # With htmx, the page stays where it is: what follows a # only scrolls.
    if plain and swapped not in ("", plain, plain.partition("#")[0]):
        yield "goes elsewhere with htmx than without"
