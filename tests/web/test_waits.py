"""Which requests wait for news before they take their turn, and what they get then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from webapp.service.news import Ask, GaveWay

from tests.support.people import player_of
from tests.support.visitor import FRAGMENT, Site, Visitor, open_site
from tests.web.test_headers import check
from webapp.service.pov import Stamp

GAME = "A" * 22
BASE = "/school"


class Stub:
    """News that come at once; or never, or for which the request may not wait."""

    def __init__(self) -> None:
        self.answer: bool | None = None
        self.gives_way = False
        self.asked = list[Ask]()

    def wait(self, ask: Ask, address: str) -> bool | None:
        assert address == "127.0.0.1/32"
        self.asked.append(ask)
        if self.gives_way:
            raise GaveWay
        return self.answer


@pytest.fixture
def news() -> Stub:
    return Stub()


@pytest.fixture(params=["", BASE])
def site(
    tmp_path: Path, request: pytest.FixtureRequest, news: Stub, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """A site with limits, below a path too."""
    with open_site(tmp_path, seed="tests", limits="on", base_path=request.param) as site:
        monkeypatch.setattr(site.app.extensions["news"], "wait", news.wait)
        yield site


@pytest.fixture
def base(site: Site) -> str:
    return site.settings.base_path


@pytest.fixture
def alice(site: Site, base: str) -> Visitor:
    """A player whom the worker knows."""
    visitor = site.visitor()
    for _ in range(2):
        visitor.get(f"{base}/learn")
    return visitor


CALL = f"3.{GAME}.7.{'_-' * 11}.1"
ASKS: dict[str, tuple[Any, ...]] = {
    f"/games/{GAME}?since=7.1.1": ({GAME: Stamp(7, 1, away=True)}, None, 0, False),
    f"/games/{GAME}?since=7&phase=1": ({GAME: Stamp(7)}, None, 0, False),
    f"/games/{GAME}?since=7.0.0.1": ({GAME: Stamp(7, paused=True)}, None, 0, False),
    "/class?since=12": ({}, 12, 2, True),
    f"/class?since=12.{GAME}.1": ({GAME: Stamp(1)}, 12, 2, True),
    "/class/board?x=1&since=12": ({}, 12, 1, True),
    f"/class/board?since=12.{GAME}.7": ({GAME: Stamp(7)}, 12, 1, True),
    "/host?since=12": ({}, 12, 1, True),
    f"/tournaments/{GAME}?since=12": ({}, 12, 1, True),
    f"/tournaments/{GAME}/play?since=12": ({}, 12, 1, True),
    "/calls?since=3": ({}, 3, 1, False),
    f"/calls?at={GAME}&since={CALL}": ({GAME: Stamp(7), "_-" * 11: Stamp(1)}, 3, 1, False),
    "/?opponent=easy&mark=x&since=0.0.0.1&alone=1": ({}, None, 0, False, True, True),
    "/?since=0.0.0.0": ({}, None, 0, False, False),
    f"/games/{GAME}?since=7&alone=1": ({GAME: Stamp(7)}, None, 0, False, None, True),
}


@pytest.mark.parametrize("address", ASKS)
def test_a_page_that_htmx_keeps_up_to_date_waits_for_what_it_shows(
    alice: Visitor, base: str, news: Stub, address: str
) -> None:
    onto = alice.get(f"{base}/" if address.startswith("/?") else f"{base}/class")
    alice.get(f"{base}{address}", headers=FRAGMENT, onto=onto)
    assert news.asked == [Ask(player_of(alice), *ASKS[address])]


@pytest.mark.parametrize(
    "method,address,headers",
    [
        ("GET", f"/games/{GAME}?since=1", {}),
        ("GET", f"/games/{GAME}?since=1", {**FRAGMENT, "Page-Hidden": "true"}),
        ("GET", f"/games/{GAME}?since=1", {**FRAGMENT, "At-Once": "true"}),
        ("HEAD", f"/games/{GAME}?since=1", FRAGMENT),
        ("POST", f"/games/{GAME}/moves?since=1", FRAGMENT),
        *(
            ("GET", address, FRAGMENT)
            for address in (
                *(f"/games/{GAME}", f"/games/{GAME}?since=", f"/games/{GAME}?since=x"),
                *(f"/games/{GAME[1:]}?since=1", f"/games/{GAME}/x?since=1", f"/x{GAME}?since=1"),
                *("/games/%00?since=1", f"/games/{GAME}%0A?since=1", "/learn?since=1", "/?since=x"),
                *("/class?since=x", "/class?since=-1", "/class", "/class?nonsince=1"),
                *("/class/board?since=1.2", "/calls?since=", f"/calls?since=3.{GAME}"),
                *(f"/calls?since=3{f'.{GAME}.7' * 4}", f"/calls?since=3.{GAME}.7%0A"),
            )
        ),
    ],
)
def test_all_other_requests_are_answered_at_once(
    *, alice: Visitor, base: str, news: Stub, method: str, address: str, headers: dict[str, str]
) -> None:
    answer = alice._client.open(f"{base}{address}", method=method, headers=headers)
    assert answer.status_code < 500
    assert news.asked == []
    assert "Waited" not in answer.headers


def test_only_players_whom_the_worker_knows_wait(site: Site, base: str, news: Stub) -> None:
    for cookie in (None, "x", "c" * 43):
        bob = site.visitor()
        if cookie:
            bob.set_cookie(cookie)
        bob.get(f"{base}/class?since=5", headers=FRAGMENT, onto=bob.get(f"{base}/class"))
    assert [ask.counter for ask in news.asked] == [5], "the last one, of whom the page was known"
    news.asked.clear()
    carol = site.visitor()
    headers = {**FRAGMENT, "Cookie": "player=x"}
    carol.get(f"{base}/class?since=5", headers=headers, onto=carol.get(f"{base}/class"))
    assert news.asked == []


def test_where_nothing_came_no_view_is_asked_and_the_page_asks_again_at_once(
    site: Site, alice: Visitor, base: str, news: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    news.answer = False
    monkeypatch.setattr(site.app, "view_functions", {})
    for path in (f"/games/{GAME}", "/class", "/class/board", "/calls"):
        answer = alice.get(f"{base}{path}?since=1", headers=FRAGMENT)
        assert (answer.status, answer.response.data) == (204, b"")
        assert answer.headers["Waited"] == "yes"
        assert "Set-Cookie" not in answer.headers
        check(answer.response)


def test_who_gives_way_to_another_is_told_so_without_a_view_and_asks_again_later(
    site: Site, alice: Visitor, base: str, news: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    news.gives_way = True
    monkeypatch.setattr(site.app, "view_functions", {})
    for path in (f"/games/{GAME}", "/class", "/calls", "/host"):
        answer = alice.get(f"{base}{path}?since=1", headers=FRAGMENT)
        assert (answer.status, answer.response.data) == (204, b"")
        assert "Waited" not in answer.headers
        check(answer.response)


def test_where_there_may_be_news_the_view_answers_and_says_that_the_page_has_waited(
    alice: Visitor, base: str, news: Stub
) -> None:
    page = alice.start("friend", "x", cell=4) if not base else None
    front = page or alice.get(f"{base}/class")
    shown = front.the("class").get("hx-get") if not page else ""
    here = f"{page.address}?since={page.version}" if page else shown
    news.answer = None
    answer = alice.get(here, headers=FRAGMENT)
    assert (answer.status, answer.headers.get("Waited")) == (204, None)
    news.answer = True
    answer = alice.get(here, headers=FRAGMENT, onto=front)
    assert (answer.status, answer.headers.get("Waited")) == (200, "yes")
    assert answer.is_fragment


@pytest.mark.parametrize(
    "headers,seconds",
    [
        (FRAGMENT, 5),
        ({**FRAGMENT, "At-Once": "true"}, 5),
        ({**FRAGMENT, "Page-Hidden": "true"}, 20),
        ({}, 20),
    ],
)
@pytest.mark.parametrize("waits", [False, None])
def test_anyone_whose_page_asks_is_here(
    *, site: Site, alice: Visitor, base: str, news: Stub, headers: dict[str, str], seconds: int,
    waits: bool | None,
) -> None:  # fmt: skip
    news.answer = waits
    for alone in ("/?since=0.0.0.0&alone=1", f"/games/{GAME}?since=7&alone=1"):
        alice._client.get(f"{base}{alone}", headers=headers)
    assert not site.app.extensions["presence"]._heard, "it may be no one whom another could meet"
    alice._client.get(f"{base}/class?since=0", headers=headers)
    (seen,) = site.app.extensions["presence"]._heard.items()
    assert (seen[0], seen[1].until - seen[1].asked_at) == (player_of(alice), seconds * 1000)
