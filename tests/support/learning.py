"""What the tests of review, lab and opponents share: regions that htmx swaps, and exact results."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from urllib.parse import parse_qsl, urlsplit

from tests.support.html import Element, check, parse
from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Site
from webapp.analysis.worth import Worth
from webapp.core.board import Mark


def check_swap(site: Site, address: str, onto: Page, region: str, *, titled: bool) -> str:
    """Hold what htmx gets in a region's place against the whole page; return what is announced."""
    response = site.app.test_client().get(address, headers=FRAGMENT)
    assert response.status_code == 200
    varying = {name.strip().lower() for name in response.headers["Vary"].split(",")}
    assert varying >= {"hx-request", "hx-request-type", "hx-history-restore-request"}
    new, live, *title = parse(response.text).elements
    whole = site.visitor().get(address)
    assert (new.get("id"), new.text) == (region, whole.the(region).text)
    assert [one.text for one in title] == [whole.title] * titled
    assert (live.get("hx-target"), live.get("hx-swap")) == ("#live", "textContent")
    assert onto.the("live").get("role") == "status"
    assert onto.the("live") not in onto.the(region).walk(), "it would be swapped away"
    assert not [one for one in new.walk() if one.has("aria-live")], "it would be read as a whole"
    check(onto.document.mapped({region: new}))
    return live.text


def query_of(link: Element) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link.get("href")).query))


def exactly(found: Worth) -> list[dict[str, Fraction]]:
    """Won, drawn and lost against random play and Hard, moving first and second."""
    results = ("won", "drawn", "lost")
    return [
        dict(zip(results, found.results[rival, mark].for_mark(mark), strict=True))
        for rival in ("easy", "hard")
        for mark in Mark
    ]


def check_bar(bar: Element, values: Mapping[str, Fraction]) -> None:
    said = ", ".join(f"{result} {value}" for result, value in values.items())
    assert bar.all("details")[0].all("p")[0].text == said


def check_verdict(verdict: Element, found: Worth) -> None:
    beatable = "".join(str(mark) for mark in Mark if found.proofs[mark].beatable)
    verdicts = {"": "Proved unbeatable", "XO": "Can be beaten"}
    assert verdict.text == verdicts.get(beatable, f"Can be beaten as {beatable} only")
    assert ("sure" in verdict.get("class").split()) is (not beatable)
