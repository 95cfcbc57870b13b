"""The server behind nginx and Caddy on this computer, configured as the examples have it."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.deploy.conftest import Site
from tests.support.http import Answer, sit_down
from tests.support.patience import until
from tests.support.visitor import FRAGMENT
from webapp.live.topics import LONGEST_S
from webapp.web.lobby import qr_drawn


@pytest.mark.long
def test_a_page_waits_for_news_as_long_as_the_server_lets_it(site: Site) -> None:
    alice = site.person()
    game = alice.go("/games", opponent="easy", mark="x", cell=4).url
    began = time.monotonic()
    answer = alice.get(f"{game}?since=1.0.0.0", **FRAGMENT)
    assert time.monotonic() - began > 0.75 * LONGEST_S
    assert (answer.status, answer.headers["Waited"]) == (204, "yes")


def test_a_page_that_waits_has_a_move_when_it_is_made(site: Site) -> None:
    alice, bob = site.person(), site.person()
    page = sit_down(alice, bob)
    news = site.origin + bob.get(page.url).the("game").get("hx-get")
    before = site.server.noted()

    def ask(news: str) -> Answer:
        """Ask, and again where there was no news for long, or other news, as a page does."""
        answer = bob.get(news, **FRAGMENT)
        if answer.status == 204:
            return ask(news)
        more = answer.version == page.version
        return ask(site.origin + answer.the("game").get("hx-get")) if more else answer

    with ThreadPoolExecutor(1) as aside:
        asks = aside.submit(ask, news)
        until(lambda: site.server.noted() > before, "it is not held")
        assert not asks.done()
        alice.play(alice.get(page.url), 0)
        answer = asks.result()
    assert answer.status == 200
    assert answer.version == 3


def test_the_cookie_is_as_safe_as_the_way_and_files_are_kept(site: Site) -> None:
    alice = site.person()
    first, second = alice.get(), alice.get("/class")
    (cookie,) = first.headers.get_all("Set-Cookie", [])
    name, *attributes = (part.strip() for part in cookie.split(";"))
    assert name.startswith("__Host-player-")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(attributes)
    assert "Set-Cookie" not in second.headers, "the player is known again"
    assert "Strict-Transport-Security" in first.headers
    assert len(first.headers.get_all("Content-Security-Policy", [])) == 1
    files = set(re.findall(rf'{site.path}/static/[^"# ]+', first.text))
    static = [alice.get(site.origin + file) for file in files]
    assert static
    assert {answer.status for answer in static} == {200}
    assert all("immutable" in answer.headers["Cache-Control"] for answer in static)


def test_a_redirect_leads_below_the_path_by_the_same_way(site: Site) -> None:
    for path in ("", "//class"):
        answer = site.person().send("GET", f"{site.url}{path}")
        while answer.status in (301, 302, 303, 307, 308):
            assert answer.location.startswith(f"{site.url}/")
            answer = site.person().get(answer.location)
        assert answer.status == 200


def test_a_link_to_join_begins_as_the_address_does_and_so_does_its_qr_code(site: Site) -> None:
    waiting = site.person().go("/challenges", mark="x")
    link = waiting.the("invitation").text
    assert link.startswith(f"{site.url}/join/")
    assert qr_drawn(link) in waiting.text
    assert qr_drawn(f"{site.url}/class") in site.person().get("/class/board").text


def test_only_a_form_of_its_own_is_taken(site: Site) -> None:
    for headers, status in (
        ({"Origin": site.origin}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "https://elsewhere.example", "X-Forwarded-Host": "elsewhere.example"}, 403),
    ):
        answer = site.person().send("POST", "/games", {"opponent": "easy", "mark": "x"}, headers)
        assert answer.status == status, headers


def test_visitors_have_the_address_that_they_ask_from_whatever_they_claim(site: Site) -> None:
    alice = site.person("127.0.0.2")
    assert alice.get("/who").text == "127.0.0.2 https"
    forged = {"X-Forwarded-Proto": "http", "X-Forwarded-For": "::1", "Forwarded": "proto=http"}
    for dash in "-_":  # to WSGI both spellings are the same
        claims = {name.replace("-", dash): claim for name, claim in forged.items()}
        assert alice.get("/who", **claims).text == "127.0.0.2 https"
