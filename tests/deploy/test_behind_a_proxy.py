"""The server behind nginx and Caddy on this computer, configured as the examples have it."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from tests.deploy.conftest import Site
from tests.support.html import Element, check, parse
from tests.support.https import Answer, Person, sit_down
from webapp.web.classroom import qr_code


def cookie_name(site: Site) -> str:
    return "__Host-player" if site.secure else "player"


def set_cookies(person: Person) -> list[str]:
    """Every cookie that somebody was given, as it came."""
    return [one for answer in person.answers for one in answer.headers.get_all("Set-Cookie", [])]


def test_a_whole_game_is_played(site: Site) -> None:
    alice = site.person()
    page = alice.post("/games", opponent="easy", mark="x", cell=4)
    assert page.url.startswith(f"{site.url}/games/")
    while not page.game.get("data-outcome"):
        page = alice.move(page, page.playable[0])
    (review,) = {one for one in page.addresses if "/review/" in one}
    assert alice.get(site.origin + review).status == 200


def test_a_game_between_two_people_is_played(site: Site) -> None:
    alice, bob = site.person(), site.person()
    page = sit_down(alice, bob)
    for mover, cell in zip((alice, bob) * 3, (0, 3, 1, 4, 2), strict=False):
        page = mover.move(mover.get(page.url), cell)
    assert page.game.get("data-outcome") == "x"
    assert bob.get(page.url).game.get("data-outcome") == "x"


def test_the_cookie_is_as_safe_as_the_way(site: Site) -> None:
    alice = site.person()
    alice.get()
    (cookie,) = set_cookies(alice)
    name, *attributes = (part.strip() for part in cookie.split(";"))
    assert name.startswith(f"{cookie_name(site)}=")
    assert ("Secure" in attributes) is site.secure
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(attributes)
    alice.get("/class")
    assert set_cookies(alice) == [cookie], "the player is known again"


def test_browsers_are_told_to_come_by_https_where_they_do(site: Site) -> None:
    headers = site.person().get().headers
    assert ("Strict-Transport-Security" in headers) is site.secure
    assert len(headers.get_all("Content-Security-Policy", [])) == 1


@pytest.mark.parametrize("site", ["subpath"], indirect=True)
def test_every_address_on_every_page_is_below_the_path_and_every_link_leads_somewhere(
    site: Site,
) -> None:
    alice = site.person()
    game = alice.post("/games", opponent="easy", mark="x", cell=4)
    waiting = alice.post("/challenges", mark="x")
    missing = f"{site.url}/no-such-page"
    to_see = {f"{site.url}/", f"{site.url}/review/40281", game.url, waiting.url, missing}
    seen: set[str] = set()
    while to_see:
        url = to_see.pop()
        page = alice.get(url)
        assert page.status == (404 if url == missing else 200), url
        seen.add(_kind(url, site))
        check(_without_host(page, site))
        everywhere = {urljoin(url, address) for address in page.addresses}
        assert {one for one in everywhere if not one.startswith(f"{site.url}/")} == set()
        links = {urljoin(url, link.get("href")) for link in page.document.all("a")}
        kinds = seen | {_kind(one, site) for one in to_see}
        for link in links:
            if _kind(link, site) not in kinds:
                to_see.add(link)
                kinds.add(_kind(link, site))
    assert seen >= {"/", "/games", "/join", "/class", "/class/board", "/you", "/privacy"}
    assert seen >= {"/learn", "/review", "/opponents", "/lab", "/lab/rules", "/lab/experiment"}


def _kind(url: str, site: Site) -> str:
    """What kind of page is at an address: one review is like the other."""
    path = url.removeprefix(site.url).partition("#")[0].partition("?")[0]
    start, _, _ = path.rpartition("/")
    return start if start.endswith(("/review", "/opponents", "/games", "/join")) else path


def _without_host(page: Answer, site: Site) -> Element:
    """The page as the checks have it: addresses written out are for people, not for it."""
    return parse(page.text.replace(f'href="{site.origin}', 'href="http://localhost'))


@pytest.mark.parametrize("path", ["", "//class"])
def test_who_is_sent_on_is_sent_below_the_path_by_the_same_way(site: Site, path: str) -> None:
    answer = site.person().send("GET", f"{site.url}{path}")
    while answer.status in (301, 302, 303, 307, 308):
        assert answer.location.startswith(f"{site.url}/")
        answer = site.person().get(answer.location)
    assert answer.status == 200


def test_a_link_to_join_begins_as_the_address_does_and_so_does_its_qr_code(site: Site) -> None:
    waiting = site.person().post("/challenges", mark="x")
    (link,) = [one for one in waiting.addresses if "/join/" in one]
    assert link.startswith(f"{site.url}/join/")
    assert str(qr_code(link)) in waiting.text
    wall = site.person().get("/class/board")
    assert str(qr_code(f"{site.url}/class")) in wall.text


def test_static_files_are_found_and_kept(site: Site) -> None:
    alice = site.person()
    files = {one for one in alice.get("/lab").addresses if "/static/" in one}
    assert len(files) == 5
    for file in files:
        answer = alice.get(site.origin + file)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]


def test_htmx_is_told_an_address_below_the_path(site: Site) -> None:
    alice = site.person()
    answer = alice.send(
        "POST",
        "/games",
        {"opponent": "easy", "mark": "x", "cell": 4},
        {"HX-Request": "true", "HX-Request-Type": "partial", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status == 200
    assert answer.headers["HX-Push-Url"].startswith(f"{site.path}/games/")
    assert all(one.startswith(f"{site.path}/") for one in answer.addresses)


def test_healthz_answers(site: Site) -> None:
    answer = site.person().get("/healthz")
    assert (answer.status, answer.json["status"]) == (200, "ok")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "{origin}", "Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example", "X-Forwarded-Host": "elsewhere.example"},
    ],
)
def test_another_sites_form_is_refused(site: Site, headers: dict[str, str]) -> None:
    sent = {name: value.format(origin=site.origin) for name, value in headers.items()}
    answer = site.person().send("POST", "/games", {"opponent": "easy", "mark": "x"}, sent)
    assert answer.status == 403


@pytest.mark.parametrize("headers", [{"Origin": "{origin}"}, {"Sec-Fetch-Site": "same-origin"}])
def test_a_form_of_its_own_is_taken(site: Site, headers: dict[str, str]) -> None:
    sent = {name: value.format(origin=site.origin) for name, value in headers.items()}
    answer = site.person().send("POST", "/games", {"opponent": "easy", "mark": "x"}, sent)
    assert answer.status == 303


def test_what_a_visitor_claims_about_the_way_is_not_believed(site: Site) -> None:
    claim = "http" if site.secure else "https"
    forged = {
        "X-Forwarded-Proto": claim,
        "X-Forwarded-For": "203.0.113.9",
        "Forwarded": f"proto={claim}",
    }
    alice = site.person()
    alice.send("GET", "/", headers=forged)
    assert list(alice.cookies) == [cookie_name(site)]


def test_who_is_no_proxy_is_not_believed(site: Site) -> None:
    # Straight to the server, from an address of this computer that it does not trust.
    direct = Person(f"{site.server.url}{site.path}", source="127.0.0.2")
    direct.send("GET", "/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"})
    assert list(direct.cookies) == ["player"]


def test_the_trusted_proxy_is_believed(site: Site) -> None:
    direct = Person(f"{site.server.url}{site.path}", source="127.0.0.1")
    direct.send("GET", "/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"})
    assert list(direct.cookies) == ["__Host-player"]


def test_a_body_that_is_too_large_is_the_servers_to_refuse(site: Site) -> None:
    answer = site.person().send("POST", "/games", {"moves": "0" * 17_000})
    assert answer.status == 413
    assert "Too much at once" in answer.text


@pytest.mark.parametrize("site", ["subpath"], indirect=True)
def test_what_stands_beside_the_path_is_not_the_games(site: Site) -> None:
    beside = Person(site.server.url)
    assert [beside.get(path).status for path in ("/", "/class", "/gamesroom/")] == [404] * 3
