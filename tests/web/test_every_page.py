"""Every page can be found, says where it stands, and stores nothing."""

from urllib.parse import urlsplit

import pytest

from tests.support.page import Page
from tests.support.people import played_out
from tests.support.visitor import Site, Visitor


def links_of(pages: dict[str, Page]) -> set[str]:
    links = {one.get("href") for page in pages.values() for one in page.document.all("a")}
    return {link for link in links if not link.startswith("#")}


@pytest.fixture
def pages(bob: Visitor) -> dict[str, Page]:
    """All within two clicks of the front page; a game, once it is over, stands for one click."""
    game = played_out(bob)
    found = {"/": bob.get("/")}
    for _ in range(2):
        found |= {link: bob.get(link) for link in links_of(found) - set(found)}
        found[game.address] = game
    return found


def test_two_clicks_lead_to_every_page(site: Site, alice: Visitor, pages: dict[str, Page]) -> None:
    routes = site.app.url_map.iter_rules()
    all_of_them = {route.endpoint for route in routes if "GET" in (route.methods or ())}
    elsewhere = {
        *("static", "health.healthz"),  # which a page loads, and a program asks for
        "lobby.invitation",  # to which a code leads
        *("learn.worksheet", "learn.opponent", "learn.openings"),  # a third click
        "events.events",  # a stream
        *("lobby.calls", "lab.league"),  # what stands on every page, and is not on every server
    }
    # The host's pages, those of a tournament, and questions have tests that go there.
    theirs = ("teacher.", "tournaments.", "polls.", "asking.", "handing.")
    others = {one for one in all_of_them if one.startswith(theirs)}
    adapter = site.app.url_map.bind("localhost")
    found = {adapter.match(urlsplit(address).path, method="GET")[0] for address in pages}
    assert found == all_of_them - elsewhere - others | {"teacher.host"}
    assert {page.status for page in pages.values()} == {200}
    for link in links_of(pages) - set(pages):
        # The pairs of the table are looked at one by one in the tests of the lab.
        assert link.startswith("/lab?") or alice._client.get(link).status_code == 200, link


def test_every_page_says_where_it_stands_and_what_it_alone_is(pages: dict[str, Page]) -> None:
    called, titles, descriptions = set[str](), dict[str, str](), dict[str, str]()
    for address, page in pages.items():
        path, navs = urlsplit(address).path, page.document.all("nav")
        site, learn = (
            [link for nav in navs if nav.get("aria-label") == name for link in nav.all("a")]
            for name in ("Site", "Learn")
        )
        back, learn = learn[:1], learn[1:]
        for link in (*site, *learn):
            here = link.get("aria-current") == "page"
            assert here is (link.get("href") == path), (address, link)
        assert bool(site) == (path != "/class/board"), "a wall has nothing to press"
        place = {link.text for link in site if link.has("aria-current")}
        if site and path not in ("/you", "/privacy", "/host"):
            games = path == "/" or path.startswith("/games/")
            assert place == {
                "Play" if games else "Class" if path in ("/class", "/ticket") else "Learn"
            }
        below = "Learn" in place and address != "/learn"
        assert [(link.text, link.get("href")) for link in back] == [("Learn", "/learn")] * below
        for name in [link.text for link in learn if link.get("aria-current") == "page"]:
            called.add(name)
            headed = {"Seven rules": "The intelligent piece of paper"}.get(name, name)
            assert page.document.all("h1")[0].text == headed
        metas = [(one.get("name") or one.get("property"), one) for one in page.document.all("meta")]
        found = {name: one.get("content") for name, one in metas}
        assert found["og:title"] == page.title
        assert found["og:description"] == found["description"]
        if not path.startswith(("/games/", "/review/")):
            assert descriptions.setdefault(found["description"], path) == path
            assert path in ("/", "/lab/rules") or titles.setdefault(page.title, path) == path
    assert len(called) == 9
