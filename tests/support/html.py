"""A strict reader of HTML: it makes a tree of a page, and lists what is wrong with it.

Browsers forgive; this does not. Every tag is closed where it was opened, every id is there once,
every control has a name, whatever refers to an id finds it, and nothing is inline or from afar.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from urllib.parse import urlsplit


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _names("area base br col embed hr img input link meta source track wbr")
_BLOCKS = _names(
    "address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr li main nav ol p pre section table ul"
)
_PHRASING_ONLY = _names("a b button em h1 h2 h3 h4 h5 h6 label p small span strong title")
_INTERACTIVE = _names("a button input label select textarea")
_CONTROLS = _names("button input select textarea")
_NAMED = _names("a button h1 h2 h3 label legend option")
_STROKES = _names("path use g")
_CHILDREN = {
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd", "div"},
    "select": {"option", "optgroup"},
}
_PARENTS = {
    "li": {"ul", "ol"},
    "dt": {"dl", "div"},
    "dd": {"dl", "div"},
    "option": {"select", "optgroup"},
    "legend": {"fieldset"},
}
_URLS = _names(
    "action data formaction href hx-delete hx-get hx-patch hx-post hx-put poster src srcset"
)
_IDS = _names("for form list aria-labelledby aria-describedby aria-controls aria-owns")
_SELECTORS = _names("hx-target hx-include hx-sync hx-trigger hx-select hx-indicator")
_SWAPS = _names("innerHTML outerHTML innerMorph outerMorph textContent delete none")
_HERE = "localhost"
_ROLES = _names("group img region status alert list listitem presentation")
_ATTRIBUTE = re.compile(r"""\s+([^\s"'<>/=]+)(=(?:"([^"<]*)"|'([^'<]*)'))?""")
_TOKEN = re.compile(
    rf"""(?P<text>[^<>]+)
    | </(?P<end>[a-z][\w-]*)>
    | <(?P<start>[a-z][\w-]*)(?P<attributes>(?:{_ATTRIBUTE.pattern})*)\s*(?P<empty>/?)>
    | (?P<declaration><!doctype\ html>)""",
    re.VERBOSE,
)
_ENTITY = re.compile(r"&#?\w+;")
_BARE_AMPERSAND = re.compile(r"&(?!(#[0-9]+|#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)")


class Malformed(AssertionError):  # noqa: N818 - it is the text that is
    """The text cannot be read as a tree; the message says where and why."""


@dataclass(frozen=True)
class Element:
    """An element of a page, or with the tag ``""`` the whole of a text."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    children: tuple[Element | str, ...] = ()
    line: int = 0

    def __str__(self) -> str:
        shown = "".join(f' {name}="{value}"' for name, value in self.attributes.items())
        return f"<{self.tag}{shown}> (line {self.line})"

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute; of one without a value, the empty text."""
        return self.attributes.get(name, default)

    def has(self, name: str) -> bool:
        """Whether the attribute is there, with a value or without."""
        return name in self.attributes

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The children that are no text."""
        return tuple(child for child in self.children if isinstance(child, Element))

    def walk(self) -> Iterator[Element]:
        """Yield the element itself and everything in it, in the order of the page."""
        todo = [self]
        while todo:
            element = todo.pop()
            yield element
            todo += reversed(element.elements)

    def all(self, *tags: str) -> list[Element]:
        """Every element inside that has one of these tags."""
        return [element for element in self.walk() if element.tag in tags]

    def with_id(self, identifier: str) -> Element | None:
        """The element that has this id, if there is one."""
        return self._ids.get(identifier)

    @cached_property
    def _ids(self) -> dict[str, Element]:
        return {one.attributes["id"]: one for one in self.walk() if "id" in one.attributes}

    def with_class(self, name: str) -> list[Element]:
        """Every element inside that has this class."""
        return [element for element in self.walk() if name in element.get("class").split()]

    @property
    def text(self) -> str:
        """What is written in it, with every run of white space as one space."""
        return " ".join(self._raw_text().split())

    def _raw_text(self) -> str:
        return "".join(
            child if isinstance(child, str) else child._raw_text() for child in self.children
        )

    def mapped(self, changes: Mapping[str, Element]) -> Element:
        """The same tree, with the elements of these ids replaced."""
        if self.get("id") in changes:
            return changes[self.get("id")]
        return replace(
            self,
            children=tuple(
                child if isinstance(child, str) else child.mapped(changes)
                for child in self.children
            ),
        )


# --- reading ----------------------------------------------------------------------------------


def parse(text: str) -> Element:
    """Read a page or a part of one.

    :raises Malformed: if a tag is not closed in its place, an attribute is there twice, or a
        character that should be escaped is not
    """
    line, at = 1, 0
    open_elements = [Element("")]
    contents: list[list[Element | str]] = [[]]
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or (token["declaration"] and at > 0):
            raise Malformed(f"line {line}: {text[at : at + 60]!r}")
        if token["text"]:
            contents[-1].append(_unescaped(token["text"], line))
        elif token["end"]:
            closed = open_elements.pop()
            if closed.tag != token["end"]:
                raise Malformed(f"line {line}: </{token['end']}> where {closed} is open")
            done = contents.pop()
            contents[-1].append(replace(closed, children=tuple(done)))
        elif token["start"]:
            element = Element(token["start"], _attributes(token["attributes"], line), (), line)
            in_a_drawing = any(one.tag == "svg" for one in open_elements)
            if token["empty"] and element.tag not in _VOID and not in_a_drawing:
                raise Malformed(f"line {line}: <{element.tag}/> closes nothing in HTML")
            if token["empty"] or element.tag in _VOID:
                contents[-1].append(element)
            else:
                open_elements.append(element)
                contents.append([])
        line += token[0].count("\n")
        at = token.end()
    if len(open_elements) > 1:
        raise Malformed(f"{open_elements[-1]} is never closed")
    return Element("", {}, tuple(contents[0]))


def _attributes(text: str, line: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, _, quoted, apostrophed in _ATTRIBUTE.findall(text):
        if name.lower() in found:
            raise Malformed(f"line {line}: {name} is there twice")
        found[name.lower()] = _unescaped(quoted or apostrophed, line)
    return found


def _unescaped(text: str, line: int) -> str:
    if "&" not in text:
        return text
    if bad := _BARE_AMPERSAND.search(text) or [
        one for one in _ENTITY.findall(text) if one == unescape(one)
    ]:
        raise Malformed(f"line {line}: an ampersand that should be escaped, or no such name: {bad}")
    return unescape(text)


# --- checking ---------------------------------------------------------------------------------


def check(page: Element) -> None:
    """Refuse a page that has faults.

    :raises AssertionError: and says all of them
    """
    if found := faults(page):
        raise AssertionError("\n".join(found))


def faults(page: Element) -> list[str]:
    """List what is wrong with a whole page; an empty list means that all is well."""
    everything = list(page.walk())
    count = Counter(element.get("id") for element in everything if element.has("id"))
    found = list(_faults_of_the_document(page))
    found += [
        f"the id {name!r} is there {times} times" for name, times in count.items() if times > 1
    ]
    ids = {element.get("id"): element for element in everything if element.has("id")}
    labelled = {element.get("for") for element in page.all("label")}
    for element, ancestors in _with_ancestors(page):
        problems = [*_inline(element), *_from_afar(element), *_leading_nowhere(element, ids)]
        if element.tag not in _STROKES:
            problems += _misplaced(element, ancestors)
            problems += _nameless(element, ancestors, labelled)
            problems += _aria(element)
            problems += _htmx(element)
        found += [f"{element}: {problem}" for problem in problems]
    return found


def accessible_name(element: Element) -> str:
    """What a screen reader calls an element, as far as attributes and content say it."""
    if element.get("aria-label"):
        return element.get("aria-label")
    return " ".join(_spoken(element).split())


def _spoken(element: Element) -> str:
    """The text that is not hidden from screen readers, images by their names."""
    parts = []
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.get("aria-hidden") != "true" and not child.has("hidden"):
            parts.append(child.get("aria-label") or _spoken(child))
    return "".join(parts)


def _with_ancestors(
    element: Element, ancestors: tuple[Element, ...] = ()
) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    for child in element.elements:
        yield child, ancestors
        yield from _with_ancestors(child, (child, *ancestors))


def _faults_of_the_document(page: Element) -> Iterator[str]:
    roots = [element.tag for element in page.elements]
    if roots != ["html"]:
        yield f"a page has one root, <html>, not {roots}"
        return
    html = page.elements[0]
    if not html.get("lang"):
        yield "the page does not say its language"
    if [element.tag for element in html.elements] != ["head", "body"]:
        yield "a page has a head and a body"
        return
    head, body = html.elements
    if not head.elements or head.elements[0].get("charset").lower() != "utf-8":
        yield "the head does not begin with the encoding"
    if len(head.all("title")) != 1 or not head.all("title")[0].text:
        yield "the head has no title, or several"
    if not any(meta.get("name") == "viewport" for meta in head.all("meta")):
        yield "nothing adapts the page to a phone"
    for tag in ("main", "h1"):
        if len(body.all(tag)) != 1:
            yield f"there is not exactly one <{tag}>"
    levels = [int(heading.tag[1]) for heading in body.all("h1", "h2", "h3", "h4", "h5", "h6")]
    if any(after > before + 1 for before, after in zip([0, *levels], levels, strict=False)):
        yield f"a level of headings is left out: {levels}"


def _misplaced(element: Element, ancestors: tuple[Element, ...]) -> Iterator[str]:
    tag, above = element.tag, [ancestor.tag for ancestor in ancestors]
    if tag in _BLOCKS and (wrong := _PHRASING_ONLY.intersection(above)):
        yield f"a block inside {wrong}"
    if tag in _INTERACTIVE and {"a", "button"}.intersection(above):
        yield "a control inside a control"
    if tag in ("form", "label", "main") and tag in above:
        yield "inside another one"
    if tag in _CHILDREN:
        strangers = [child.tag for child in element.elements if child.tag not in _CHILDREN[tag]]
        if strangers:
            yield f"may not contain {strangers}"
    if tag in _PARENTS and (not above or above[0] not in _PARENTS[tag]):
        yield f"belongs into {_PARENTS[tag]}"
    if tag == "fieldset" and [child.tag for child in element.elements][:1] != ["legend"]:
        yield "does not begin with a legend"


def _inline(element: Element) -> Iterator[str]:
    """Whatever the content security policy would stop."""
    if element.tag == "style" or element.has("style"):
        yield "an inline style"
    if element.tag == "script" and (not element.get("src") or element.text):
        yield "an inline script"
    for name, value in element.attributes.items():
        if name.startswith(("on", "hx-on")):
            yield f"an inline script: {name}"
        if value.strip().lower().startswith(("javascript:", "js:")):
            yield f"a script as the value of {name}"


def _from_afar(element: Element) -> Iterator[str]:
    for name in _URLS & element.attributes.keys():
        address = urlsplit(element.get(name))
        if address.scheme and address.netloc == _HERE:
            continue  # written out for those who are to come here
        if address.scheme or address.netloc:
            yield f"{name} leads to another host"
        if not element.get(name).startswith(("/", "#")):
            yield f"{name} depends on where the page is"


def _leading_nowhere(element: Element, ids: Mapping[str, Element]) -> Iterator[str]:
    references = [
        (name, reference)
        for name in _IDS & element.attributes.keys()
        for reference in element.get(name).split()
    ]
    references += [
        (name, reference)
        for name in _SELECTORS & element.attributes.keys()
        for reference in re.findall(r"#([\w-]+)", element.get(name))
    ]
    if element.get("href").startswith("#"):
        references.append(("href", element.get("href")[1:]))
    for name, reference in references:
        target = ids.get(reference)
        if target is None:
            yield f"{name} refers to {reference!r}, which is not there"
        elif name == "for" and target.tag not in _CONTROLS:
            yield f"{name} refers to {target}, which is no control"
        elif name == "form" and target.tag != "form":
            yield f"{name} refers to {target}, which is no form"
    if element.has("id") and not re.fullmatch(r"[A-Za-z][\w-]*", element.get("id")):
        yield "an id that is hard to refer to"


def _nameless(
    element: Element, ancestors: tuple[Element, ...], labelled: set[str]
) -> Iterator[str]:
    if element.has("hidden") or element.get("type") == "hidden":
        return
    named = element.has("aria-label") or element.has("aria-labelledby")
    if element.tag in ("input", "select", "textarea") and not (
        named
        or element.get("id") in labelled
        or any(one.tag == "label" and accessible_name(one) for one in ancestors)
    ):
        yield "a control without a label"
    if element.tag in _NAMED and not named and not accessible_name(element):
        yield "has no text"
    if element.get("role") in ("img", "group") and not element.has("aria-label"):
        yield "has a role, but no name"
    if element.tag == "nav" and not element.has("aria-label"):
        yield "a region without a name"
    if element.tag == "img" and not element.has("alt"):
        yield "a picture without a text"
    drawn = element.tag == "svg" and not any(one.tag == "svg" for one in ancestors)
    if drawn and element.get("aria-hidden") != "true" and element.get("role") != "img":
        yield "a drawing that is neither named nor hidden"


def _aria(element: Element) -> Iterator[str]:
    for name, value in element.attributes.items():
        if name in ("aria-disabled", "aria-hidden") and value not in ("true", "false"):
            yield f"{name} is neither true nor false"
    if element.has("role") and element.get("role") not in _ROLES:
        yield "a role that the tests do not know"
    if (
        element.has("aria-label")
        and element.tag in ("span", "div", "p")
        and not element.has("role")
    ):
        yield "a name for something without a role, which nobody hears"
    if element.get("tabindex", "0") not in ("0", "-1"):
        yield "jumps the order of the page"
    if element.tag in _CONTROLS and element.has("disabled") and not element.has("hidden"):
        yield "loses the focus where it is disabled; aria-disabled keeps it"


def _htmx(element: Element) -> Iterator[str]:
    if element.has("hx-swap") and element.get("hx-swap").split()[0] not in _SWAPS:
        yield "swaps in a way that htmx does not know"
    if element.get("hx-target", "#") not in ("this", "body") and not re.match(
        r"#", element.get("hx-target", "#")
    ):
        yield "targets no id"
    plain = element.get("action") or element.get("formaction")
    swapped = element.get("hx-post") or (element.get("hx-get") if plain else "")
    if plain and swapped and swapped != plain:
        yield "goes elsewhere with htmx than without"
    if element.tag == "form" and element.get("method").lower() not in ("post", "get"):
        yield "a form without a method"
    if element.has("hx-post") and element.tag not in ("form", "button"):
        yield "does nothing without scripts"
