"""The server behind nginx and Caddy on this computer, configured as the examples have it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.deploy.conftest import Site
from tests.e2e.server import Server
from tests.support import proxies
from tests.support.html import check
from tests.support.http import Answer, sit_down
from tests.support.patience import until
from tests.support.proxies import Certificate
from tests.support.visitor import FRAGMENT
from webapp.live.topics import LONGEST_S
from webapp.service.doctor import examine
from webapp.web.lobby import _drawn, qr_drawn


def test_a_whole_game_is_played(site: Site) -> None:
    alice = site.person()
    page = alice.go("/games", opponent="easy", mark="x", cell=4)
    assert page.url.startswith(f"{site.url}/games/")
    while not page.outcome:
        page = alice.play(page, page.playable[0])
    (review,) = {one for one in page.addresses if "/review/" in one}
    assert alice.get(site.origin + review).status == 200


def test_a_game_between_two_people_is_played(site: Site) -> None:
    alice, bob = site.person(), site.person()
    page = sit_down(alice, bob)
    for mover, cell in zip((alice, bob) * 3, (0, 3, 1, 4, 2), strict=False):
        page = mover.play(mover.get(page.url), cell)
    assert page.outcome == "x"
    assert bob.get(page.url).outcome == "x"


def test_a_page_waits_for_news_as_long_as_the_server_lets_it(sites: Mapping[str, Site]) -> None:
    def wait_for_it(site: Site) -> tuple[float, int, str]:
        alice = site.person()
        game = alice.go("/games", opponent="easy", mark="x", cell=4).url
        began = time.monotonic()
        answer = alice.get(f"{game}?since=1.0.0.0", **FRAGMENT)
        return time.monotonic() - began, answer.status, answer.headers["Waited"]

    with ThreadPoolExecutor(len(sites)) as aside:
        found = dict(zip(sites, aside.map(wait_for_it, sites.values()), strict=True))
    for way, (seconds, *answer) in found.items():
        assert seconds > 0.75 * LONGEST_S, way
        assert answer == [204, "yes"], way


def test_a_page_that_waits_has_a_move_when_it_is_made(site: Site) -> None:
    alice, bob = site.person(), site.person()
    page = sit_down(alice, bob)
    news = site.origin + bob.get(page.url).the("game").get("hx-get")
    before = site.server.noted()

    def ask() -> Answer:
        """Ask, and again where the server has held it long enough, as a page does."""
        answer = bob.get(news, **FRAGMENT)
        return ask() if answer.status == 204 else answer

    with ThreadPoolExecutor(1) as aside:
        asks = aside.submit(ask)
        until(lambda: site.server.noted() > before, "it is not held")
        assert not asks.done()
        alice.play(alice.get(page.url), 0)
        answer = asks.result()
    assert answer.status == 200
    assert answer.version == 3


def test_the_cookie_is_as_safe_as_the_way(site: Site) -> None:
    alice = site.person()
    first, second = alice.get(), alice.get("/class")
    (cookie,) = first.headers.get_all("Set-Cookie", [])
    name, *attributes = (part.strip() for part in cookie.split(";"))
    assert name.startswith("__Host-player=" if site.secure else "player=")
    assert ("Secure" in attributes) is site.secure
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(attributes)
    assert "Set-Cookie" not in second.headers, "the player is known again"
    assert ("Strict-Transport-Security" in first.headers) is site.secure
    assert len(first.headers.get_all("Content-Security-Policy", [])) == 1


@pytest.mark.parametrize("site", ["subpath"], indirect=True)
def test_every_address_on_every_page_is_below_the_path_and_every_link_leads_somewhere(
    site: Site,
) -> None:
    alice = site.person()

    def kind(url: str) -> str:
        """What kind of page is at an address: one review is like the other."""
        path = url.removeprefix(site.url).partition("#")[0].partition("?")[0]
        start, _, _ = path.rpartition("/")
        return start if start.endswith(("/review", "/opponents", "/games", "/join")) else path

    game = alice.go("/games", opponent="easy", mark="x", cell=4).url
    waiting = alice.go("/challenges", mark="x")
    missing = f"{site.url}/no-such-page"
    to_see = [f"{site.url}/", f"{site.url}/review/40281", game, missing]
    to_see += [waiting.url, waiting.the("invitation").get("value")]
    seen = set(map(kind, to_see))
    while to_see:
        url = to_see.pop()
        page = alice.get(url)
        assert page.status == (404 if url == missing else 200), url
        check(page.document)
        found = {urljoin(url, address) for address in page.addresses}
        assert {one for one in found if not one.startswith(f"{site.url}/")} == set()
        for link in {urljoin(url, link.get("href")) for link in page.document.all("a")}:
            if kind(link) not in seen:
                seen.add(kind(link))
                to_see.append(link)
    assert seen >= {"/", "/games", "/join", "/class", "/class/board", "/you", "/privacy"}
    assert seen >= {"/learn", "/review", "/opponents", "/lab", "/lab/rules", "/lab/experiment"}


@pytest.mark.parametrize("path", ["", "//class"])
def test_a_redirect_leads_below_the_path_by_the_same_way(site: Site, path: str) -> None:
    answer = site.person().send("GET", f"{site.url}{path}")
    while answer.status in (301, 302, 303, 307, 308):
        assert answer.location.startswith(f"{site.url}/")
        answer = site.person().get(answer.location)
    assert answer.status == 200


def test_a_link_to_join_begins_as_the_address_does_and_so_does_its_qr_code(site: Site) -> None:
    waiting = site.person().go("/challenges", mark="x")
    link = waiting.the("invitation").get("value")
    assert link.startswith(f"{site.url}/join/")
    (picture,) = [one for one in waiting.addresses if "/qr.svg" in one]
    assert site.person().get(urljoin(site.url, picture)).text == _drawn(link).decode()
    assert qr_drawn(f"{site.url}/class") in site.person().get("/class/board").text


def test_static_files_are_found_and_kept(site: Site) -> None:
    alice = site.person()
    files = {one for one in alice.get("/lab").addresses if "/static/" in one}
    assert files
    for file in files:
        answer = alice.get(site.origin + file)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Origin": "{origin}"}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "https://elsewhere.example", "X-Forwarded-Host": "elsewhere.example"}, 403),
    ],
)
def test_only_a_form_of_its_own_is_taken(site: Site, headers: dict[str, str], status: int) -> None:
    sent = {name: value.format(origin=site.origin) for name, value in headers.items()}
    answer = site.person().send("POST", "/games", {"opponent": "easy", "mark": "x"}, sent)
    assert answer.status == status


@pytest.mark.parametrize("dash", ["-", "_"], ids=["hyphens", "underscores"])
def test_what_a_visitor_claims_about_the_way_is_not_believed(site: Site, dash: str) -> None:
    claim = "http" if site.secure else "https"
    forged = {"X-Forwarded-Proto": claim, "X-Forwarded-For": "::1", "Forwarded": f"proto={claim}"}
    alice = site.person()
    # To WSGI both spellings are the same.
    alice.send("GET", "/", headers={name.replace("-", dash): forged[name] for name in forged})
    assert list(alice.cookies) == ["__Host-player" if site.secure else "player"]


@pytest.mark.parametrize("line, level", [("", "ok"), ("\t\theader_up -*_*\n", "wrong")])
@pytest.mark.parametrize("example", ["Caddyfile", "Caddyfile.single"])
def test_the_doctor_finds_a_proxy_that_passes_on_what_visitors_forge(
    servers: dict[str, Server], certificate: Certificate, tmp_path: Path, *,
    monkeypatch: pytest.MonkeyPatch, example: str, line: str, level: str,
) -> None:  # fmt: skip
    """Each example as it stands, and without the line that drops it."""
    port, address = proxies.free_port(), servers[""].url.removeprefix("http://")
    text = proxies.caddy_site(example, port, certificate, [address])
    assert line in text
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
    with proxies.caddy(text.replace(line, ""), port, tmp_path):
        *_, found = examine({"TTT_DATA": str(tmp_path)}, f"https://localhost:{port}")
    assert (found.about, found.level) == ("address", level)
    assert ("header_up -*_*" in found.says) is bool(line)


def test_a_body_that_is_too_large_is_the_servers_to_refuse(site: Site) -> None:
    answer = site.person().send("POST", "/games", {"moves": "0" * 17_000})
    assert answer.status == 413
    assert "Too large" in answer.text
