"""Every page can be found, says where it stands, and stores nothing."""

from urllib.parse import urlsplit

import pytest

from tests.support.page import Page
from tests.support.visitor import Site, Visitor


def links_of(page: Page) -> set[str]:
    """Where its links lead, apart from those that lead to a part of the page itself."""
    links = (one.get("href") for one in page.document.all("a"))
    return {link for link in links if not link.startswith("#")}


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[str, Page]:
    """All within two clicks of the front page; a game, once it is over, stands for one click."""
    visitor = site.visitor()
    game = visitor.start("easy", "x", cell=4)
    while not game.outcome:
        game = visitor.move(game, game.playable[0])
    found = {"/": visitor.get("/")}
    for _ in range(2):
        for link in set[str]().union(*map(links_of, found.values())) - set(found):
            found[link] = visitor.get(link)
        found[game.address] = game
    return found


def test_two_clicks_lead_from_the_front_page_to_every_other_and_no_link_leads_nowhere(
    site: Site, alice: Visitor, pages: dict[str, Page]
) -> None:
    routes = site.app.url_map.iter_rules()
    all_of_them = {route.endpoint for route in routes if "GET" in (route.methods or ())}
    elsewhere = {
        *("static", "health.healthz"),  # which a page loads, and a program asks for
        *("lobby.find", "lobby.invitation"),  # to which a code leads
        *("learn.instructions", "learn.worksheet", "learn.matchboxes"),  # sheets
        *("lobby.calls", "lab.league"),  # what stands on every page, and is not on every server
    }
    # The host's pages, those of a tournament, and questions have tests that go there.
    theirs = ("teacher.", "tournaments.", "polls.", "asking.")
    others = {one for one in all_of_them if one.startswith(theirs)}
    adapter = site.app.url_map.bind("localhost")
    found = {adapter.match(urlsplit(address).path, method="GET")[0] for address in pages}
    assert found == all_of_them - elsewhere - others | {"teacher.host"}
    assert {page.status for page in pages.values()} == {200}
    for link in set[str]().union(*map(links_of, pages.values())) - set(pages):
        # The pairs of the table are looked at one by one in the tests of the lab.
        assert link.startswith("/lab?") or alice._client.get(link).status_code == 200, link


def place(path: str) -> set[str]:
    """Which of the site's places an address belongs to."""
    if path == "/" or path.startswith("/games/"):
        return {"Play"}
    if path.startswith("/class"):
        return {"Class"}
    return set() if path in ("/you", "/privacy", "/host") else {"Learn"}


def test_every_page_says_where_it_stands_and_is_called_what_its_menu_calls_it(
    pages: dict[str, Page],
) -> None:
    called = set()
    for address, page in pages.items():
        path, navs = urlsplit(address).path, page.document.all("nav")
        site, learn = (
            [link for nav in navs if nav.get("aria-label") == name for link in nav.all("a")]
            for name in ("Site", "Learn")
        )
        for link in (*site, *learn):
            here = link.get("aria-current") == "page"
            assert here is (link.get("href") == path), (address, link)
        assert bool(site) == (path != "/class/board"), "a wall has nothing to press"
        assert {link.text for link in site if link.has("aria-current")} == (
            place(path) if site else set()
        )
        for name in [link.text for link in learn if link.get("aria-current") == "page"]:
            called.add(name)
            assert page.document.all("h1")[0].text == name
            own = page.title == f"{name} · Tic-Tac-Toe"
            assert own or name == "Rule lab", "its title has the list too"
    assert len(called) == 7


def test_different_pages_have_different_titles_and_descriptions(pages: dict[str, Page]) -> None:
    titles, said = dict[str, str](), dict[str, str]()
    for address, page in pages.items():
        path = urlsplit(address).path
        metas = [(one.get("name") or one.get("property"), one) for one in page.document.all("meta")]
        found = {name: one.get("content") for name, one in metas}
        assert found["og:title"] == page.title
        assert found["og:description"] == found["description"]
        assert found["description"].endswith(".")
        if not path.startswith(("/games/", "/review/")):
            assert said.setdefault(found["description"], path) == path
            if path not in ("/", "/lab/rules"):
                assert titles.setdefault(page.title, path) == path
