"""What the tests of review, lab and opponents share: regions that htmx swaps, and exact results."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support.html import Element, check, parse
from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Site
from webapp.analysis.matchup import proof
from webapp.analysis.worth import Worth
from webapp.core.board import Mark
from webapp.core.game import digits
from webapp.engines.base import Engine
from webapp.words import figures


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
    assert live.text.endswith(".")
    return live.text


def query_of(link: Element) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link.get("href")).query))


def check_lost(link: Element, engine: Engine, mark: Mark) -> tuple[int, ...]:
    """The link to the review of the quickest game that an engine loses with a mark, if it does."""
    game = proof(engine, mark).game or ()
    assert urlsplit(link.get("href")).path == f"/review/{digits(game)}"
    assert query_of(link) == {"at": "0", "opponent": engine.slug, "mark": mark.other.slug}
    return game


def check_bar(bar: Element, values: Iterable[Fraction]) -> None:
    won, drawn, lost = values
    check_strip(bar, (won, drawn, lost))
    for shown, value in zip(bar.all("dd"), (won, drawn, lost), strict=True):
        assert shown.text.startswith(figures.percent(value))
    (exactly,) = bar.all("details")
    assert exactly.all("p")[0].text == f"won {won}, drawn {drawn}, lost {lost}"


def check_strip(bar: Element, values: Iterable[Fraction], title: str = "") -> None:
    for rect, value in zip(bar.all("rect"), values, strict=True):
        assert float(rect.get("width").removesuffix("%")) == pytest.approx(float(value * 100))
    won, drawn, lost = map(figures.percent, values)
    said = bar.all("svg")[0].get("aria-label")
    assert said.startswith(title)
    assert said.endswith(f": won {won}, drawn {drawn}, lost {lost}")


RIVALS = {"easy": "random play", "hard": "Hard"}


def results_of(found: Worth) -> Iterator[tuple[str, tuple[Fraction, Fraction, Fraction]]]:
    """What each bar of an engine is called, and its shares."""
    for rival, mark in product(RIVALS, Mark):
        order = "first" if mark is Mark.X else "second"
        values = found.results[rival, mark].for_mark(mark)
        yield f"Against {RIVALS[rival]}, moving {order}", values


def verdict_of(found: Worth) -> str:
    beatable = "".join(str(mark) for mark in Mark if found.proofs[mark].beatable)
    verdicts = {"": "Proved unbeatable", "XO": "Can be beaten"}
    return verdicts.get(beatable, f"Can be beaten as {beatable} only")


def check_verdict(shown: Element, found: Worth) -> None:
    verdict = shown.with_class("verdict")[0]
    assert verdict.text == verdict_of(found)
    assert ("sure" in verdict.get("class").split()) is found.unbeatable


def check_worth(shown: Element, found: Worth) -> None:
    check_verdict(shown, found)
    bars = shown.with_class("bar")
    for bar, (title, values) in zip(bars, results_of(found), strict=True):
        assert bar.with_class("title")[0].text == title
        check_bar(bar, values)


def check_results(shown: Element, found: Worth) -> None:
    """The verdict of an engine on its own page, and its results as a table and exactly."""
    check_verdict(shown, found)
    (fares,) = shown.with_class("fares")
    (exactly,) = (one for one in shown.all("details") if one.all("summary")[0].text == "Exactly")
    rows = zip(fares.with_class("bar"), exactly.all("p"), results_of(found), strict=True)
    for bar, said, (title, values) in rows:
        shares = " ".join(map(figures.percent, values))
        assert bar.with_class("title")[0].text == f"{title} {shares}"
        check_strip(bar, values, title)
        assert said.text == "{}: won {}, drawn {}, lost {}".format(title, *values)
