"""Every page can be found, says where it stands, and stores nothing."""

from urllib.parse import urlsplit

import pytest

from tests.support.page import Page
from tests.support.visitor import Site, Visitor


def links_of(page: Page) -> list[str]:
    """Where its links lead, apart from those that lead to a part of the page itself."""
    links = (one.get("href") for one in page.document.all("a"))
    return [link for link in links if not link.startswith("#")]


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[str, Page]:
    """All within two clicks of the front page; a game, once it is over, stands for one click."""
    visitor = site.visitor()
    game = visitor.start("easy", "x", cell=4)
    while not game.outcome:
        game = visitor.move(game, game.playable[0])
    found = {"/": visitor.get("/")}
    for _ in range(2):
        for link in {link for page in found.values() for link in links_of(page)} - set(found):
            found[link] = visitor.get(link)
        found[game.address] = game
    return found


def endpoint(site: Site, address: str) -> str:
    adapter = site.app.url_map.bind("localhost")
    name, _ = adapter.match(urlsplit(address).path, method="GET")
    return str(name)


def test_two_clicks_lead_from_the_front_page_to_every_other(
    site: Site, pages: dict[str, Page]
) -> None:
    routes = site.app.url_map.iter_rules()
    all_of_them = {route.endpoint for route in routes if "GET" in (route.methods or ())}
    elsewhere = {
        *("static", "health.healthz"),  # which a page loads, and a program asks for
        *("lobby.find", "lobby.invitation", "lobby.qr_code"),  # to which a code leads
        *(
            "learn.instructions",
            "learn.worksheet",
            "learn.matchboxes",
        ),  # sheets
        *("lobby.calls", "lab.league"),  # what stands on every page, and is not on every server
    }
    # The host's pages, those of a tournament, and questions have tests that go there.
    theirs = ("teacher.", "tournaments.", "polls.", "asking.")
    others = {one for one in all_of_them if one.startswith(theirs)}
    people_want = all_of_them - elsewhere - others | {"teacher.host"}
    assert {endpoint(site, address) for address in pages} == people_want


def test_no_link_leads_nowhere(alice: Visitor, pages: dict[str, Page]) -> None:
    assert {page.status for page in pages.values()} == {200}
    for link in {link for page in pages.values() for link in links_of(page)} - set(pages):
        # The pairs of the table are looked at one by one in the tests of the lab.
        assert link.startswith("/lab?") or alice.get(link).status == 200, link


def place(path: str) -> set[str]:
    """Which of the site's places an address belongs to."""
    if path == "/" or path.startswith("/games/"):
        return {"Play"}
    if path.startswith("/class"):
        return {"Class"}
    return set() if path in ("/you", "/privacy", "/host") else {"Learn"}


def test_every_page_says_where_it_stands(pages: dict[str, Page]) -> None:
    for address, page in pages.items():
        path = urlsplit(address).path
        for nav in page.document.all("nav"):
            for link in nav.all("a") if nav.get("aria-label") in ("Site", "Learn") else ():
                here = link.get("aria-current") == "page"
                assert here is (link.get("href") == path), (address, link)
        menus = [nav for nav in page.document.all("nav") if nav.get("aria-label") == "Site"]
        assert len(menus) == (path != "/class/board"), "a wall has nothing to press"
        links = menus[0].all("a") if menus else ()
        current = {link.text for link in links if link.has("aria-current")}
        assert current == (place(path) if menus else set())


def test_a_page_is_called_what_its_menu_calls_it(pages: dict[str, Page]) -> None:
    called = set()
    for page in pages.values():
        menu = [nav for nav in page.document.all("nav") if nav.get("aria-label") == "Learn"]
        for link in menu[0].all("a") if menu else ():
            if link.get("aria-current") == "page":
                called.add(link.text)
                assert page.document.all("h1")[0].text == link.text
                assert page.document.all("title")[0].text == f"{link.text} · Tic-Tac-Toe" or (
                    link.text == "Rule lab"  # its title has the list too
                )
    assert len(called) == 6 + 1


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
