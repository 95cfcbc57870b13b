"""Who asks too often is refused, and nobody else feels it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from limits import RateLimitItemPerSecond
from werkzeug.test import TestResponse

from tests.support.visitor import FRAGMENT, Site, open_site
from webapp.config import Settings
from webapp.web import create_app, limits
from webapp.web.limits import NEWCOMERS, PLAYER

SCHOOL = "198.51.100.7"
ELSEWHERE = "203.0.113.9"
PUPILS = 60


class Clock:
    """A clock that the limits go by, so that a test takes no time and a slow computer as many."""

    now = 1_000_000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 5e8 - self.now  # as one that somebody sets back and back


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


@pytest.fixture
def limited(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests", limits="on") as site:
        yield site


class Pupil:
    """A browser at an address."""

    def __init__(self, site: Site, address: str = SCHOOL, *, cookies: bool = True) -> None:
        self._client: FlaskClient = site.app.test_client(use_cookies=cookies)
        self._base = {"REMOTE_ADDR": address}
        self.game = ""

    def ask(self, path: str, method: str = "GET", **more: Any) -> TestResponse:
        return self._client.open(path, method=method, environ_base=self._base, **more)

    def start(self) -> TestResponse:
        fields = {"opponent": "easy", "mark": "x", "cell": "4"}
        answer = self.ask("/games", "POST", data=fields)
        self.game = answer.headers.get("Location", "")
        return answer

    def poll(self) -> TestResponse:
        return self.ask(f"{self.game}?since=1", headers=FRAGMENT)


def playing(site: Site, address: str = SCHOOL) -> Pupil:
    """Somebody whom the server knows already."""
    pupil = Pupil(site, address)
    assert pupil.ask("/").status_code == 200
    assert pupil.start().status_code == 303
    return pupil


def invented() -> dict[str, str]:
    """A cookie that nobody was ever given."""
    return {"Cookie": f"player={secrets.token_urlsafe(32)}"}


def test_a_class_of_sixty_behind_one_address_is_never_refused(limited: Site, clock: Clock) -> None:
    """All of it at one worker, which is harder than at two."""
    pupils = [Pupil(limited) for _ in range(PUPILS)]
    answers = [pupil.ask("/").status_code for pupil in pupils]
    answers += [pupil.start().status_code for pupil in pupils]
    answers += [pupil.ask("/class").status_code for pupil in pupils]
    for _second in range(12):
        answers += [pupil.poll().status_code for pupil in pupils]
        clock.now += 1
    assert set(answers) == {200, 204, 303}
    assert len(answers) == 15 * PUPILS


def test_sixty_who_open_everything_at_once_before_they_are_known_are_let_in(
    limited: Site,
) -> None:
    for _ in range(PUPILS):
        stranger = Pupil(limited, cookies=False)
        for page in ("/", "/class", "/class", "/"):
            assert stranger.ask(page).status_code == 200
        assert stranger.ask("/", headers=invented()).status_code == 200


def test_after_a_restart_a_class_in_mid_lesson_plays_on(tmp_path: Path, clock: Clock) -> None:
    with open_site(tmp_path, limits="on") as site:
        clients = [playing(site) for _ in range(PUPILS)]
        games = [pupil.game for pupil in clients]
        cookies = [pupil._client.get_cookie("player") for pupil in clients]
    with open_site(tmp_path, limits="on") as site:
        for game, cookie in zip(games, cookies, strict=True):
            assert cookie is not None
            pupil = Pupil(site)
            pupil._client.set_cookie("player", cookie.value)
            for _ in range(5):
                assert pupil.ask(f"{game}?since=1").status_code == 204


def test_one_who_floods_is_refused_with_a_sentence_and_told_when_to_come_back(
    limited: Site, clock: Clock
) -> None:
    flooder = playing(limited)
    answers = [flooder.poll() for _ in range(PLAYER + 50)]
    assert [answer.status_code for answer in answers[-50:]] == [429] * 50
    refused = answers[-1]
    assert "Try again in a few seconds." in refused.text
    assert 1 <= int(refused.headers["Retry-After"]) <= 10
    assert "Set-Cookie" not in refused.headers
    clock.now += int(refused.headers["Retry-After"])
    assert flooder.poll().status_code == 204


def test_a_refusal_is_a_page_that_passes_every_check(limited: Site) -> None:
    visitor = limited.visitor()
    visitor.get("/")
    for _ in range(1 + PLAYER):
        visitor.get("/join")
    page = visitor.get("/class")
    assert page.status == 429
    assert "Too fast" in page.text
    assert page.response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_flood_of_addresses_that_lead_nowhere_is_refused_too(limited: Site) -> None:
    flooder = playing(limited)
    answers = [flooder.ask("/wp-login.php").status_code for _ in range(PLAYER + 1)]
    assert answers[0] == 404
    assert answers[-1] == 429


def test_nobody_else_feels_a_flood_from_one_browser(
    limited: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits._LIMITS, "address", RateLimitItemPerSecond(5 * PLAYER, 10))
    flooder, classmate = playing(limited), playing(limited)
    for _ in range(10):
        for _ in range(PLAYER):
            flooder.ask("/join")
        assert classmate.poll().status_code == 204
    assert flooder.poll().status_code == 429
    assert playing(limited).poll().status_code == 204, "and newcomers are let in"


@pytest.mark.parametrize("with_cookies", [False, True])
def test_a_flood_with_ever_new_cookies_or_none_leaves_those_alone_who_play(
    limited: Site, with_cookies: bool
) -> None:
    classmate = playing(limited)
    flooder = Pupil(limited, cookies=False)
    answers = [
        flooder.ask("/join", headers=invented() if with_cookies else {}).status_code
        for _ in range(NEWCOMERS + 50)
    ]
    assert answers[-50:] == [429] * 50
    assert classmate.poll().status_code == 204
    assert classmate.start().status_code == 303
    assert playing(limited, ELSEWHERE).poll().status_code == 204, "another address is another"


def test_of_a_flood_from_many_browsers_those_at_a_persons_pace_feel_nothing(
    limited: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits._LIMITS, "address", RateLimitItemPerSecond(100, 10))
    monkeypatch.setattr(limits, "CALM", 12)
    classmate = playing(limited)
    flooders = [playing(limited) for _ in range(10)]
    flood = [flooder.poll().status_code for _ in range(15) for flooder in flooders]
    assert flood == [204] * 120 + [429] * 30
    assert [classmate.poll().status_code for _ in range(13)] == [204] * 12 + [429]
    assert Pupil(limited).ask("/").status_code == 429, "nobody knows whether it is one of them"
    assert playing(limited, ELSEWHERE).poll().status_code == 204


def test_a_refusal_asks_no_database(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    flooder = playing(limited)
    for _ in range(PLAYER):
        flooder.poll()

    def none_left(*_arguments: object) -> None:
        raise AssertionError("somebody asked the database")

    monkeypatch.setattr(limited.database, "read", none_left)
    monkeypatch.setattr(limited.database, "write", none_left)
    for page in ("/", "/class", "/you"):
        assert flooder.ask(page).status_code == 429
    assert flooder.start().status_code == 429


def test_a_flood_over_ipv6_counts_by_network(limited: Site) -> None:
    for number in range(NEWCOMERS):
        Pupil(limited, f"2001:db8:0:1::{number:x}", cookies=False).ask("/join")
    assert Pupil(limited, "2001:db8:0:1:ffff::1").ask("/join").status_code == 429
    assert Pupil(limited, "2001:db8:0:2::1").ask("/join").status_code == 303


def test_behind_a_trusted_proxy_it_is_the_visitor_who_counts(tmp_path: Path, clock: Clock) -> None:
    proxy = "127.0.0.1"
    settings = Settings(data=tmp_path, synchronous="NORMAL", trusted_proxies=(proxy,))
    app = create_app(settings)
    try:
        site = Site(app, settings)
        stranger = Pupil(site, proxy, cookies=False)
        for _ in range(NEWCOMERS):
            stranger.ask("/join", headers={"X-Forwarded-For": SCHOOL})
        refused = stranger.ask("/join", headers={"X-Forwarded-For": SCHOOL})
        assert refused.status_code == 429
        assert stranger.ask("/join", headers={"X-Forwarded-For": ELSEWHERE}).status_code == 303
    finally:
        site.database.close()


@pytest.mark.parametrize("path", ["/static/app.css", "/healthz"])
def test_what_a_page_is_made_of_and_the_health_check_are_free(path: str, limited: Site) -> None:
    stranger = Pupil(limited, cookies=False)
    for _ in range(NEWCOMERS):
        stranger.ask("/join")
    assert stranger.ask("/join").status_code == 429
    assert stranger.ask(path, buffered=True).status_code == 200


def test_without_limits_nobody_is_refused(own_site: Site) -> None:
    eager = playing(own_site)
    assert {eager.poll().status_code for _ in range(PLAYER + 50)} == {204}


# --- counting -----------------------------------------------------------------------------------


def test_threads_count_one_after_the_other(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    most = 0

    def look() -> float:
        nonlocal most
        inside.append(1)
        time.sleep(0)  # lets another thread in, if it may come
        most = max(most, len(inside))
        inside.pop()
        return clock.now

    monkeypatch.setattr(clock, "monotonic", look)
    windows = limits._Windows()
    with ThreadPoolExecutor(8) as threads:
        asked = list(threads.map(lambda _: windows.incr("player", 10), range(500)))
    assert sorted(asked) == list(range(1, 501))
    assert most == 1


def test_what_was_counted_is_forgotten_when_its_time_is_over(clock: Clock) -> None:
    windows = limits._Windows()
    for number in range(1000):
        assert windows.incr(f"newcomers {number}", 10) == 1
    clock.now += 9.5
    assert windows.incr("newcomers 7", 10) == 2 == windows.get("newcomers 7")
    assert windows.get_expiry("newcomers 7") - clock.time() == pytest.approx(0.5)
    clock.now += 0.5
    assert windows.get("newcomers 7") == 0
    assert windows.incr("newcomers 7", 10) == 1
    assert len(windows._asked) == 1
    assert windows.get_expiry("newcomers 7") - clock.time() == pytest.approx(10)


def test_a_worker_knows_only_so_many_players_and_forgets_who_was_away_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "_REMEMBERED", 100)
    players = limits._Players()
    players.remember("Ada")
    for number in range(1000):
        players.remember(f"cookie {number}")
        players.remember("Ada")
    assert len(players._known) == 100
    assert "Ada" in players
    assert "cookie 999" in players
    assert "cookie 0" not in players
