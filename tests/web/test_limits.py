"""Anyone who asks too often is refused, and nobody else feels it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.visitor import FRAGMENT, Site, open_site
from webapp.config import Settings
from webapp.service.host_key import HostKey
from webapp.tournament.event import Format, Opening
from webapp.web import create_app, limits
from webapp.web.limits import JOINS, KNOWN, NEW, REQUESTS, WINDOW, Limiter, Share

SCHOOL, ELSEWHERE = "198.51.100.7", "203.0.113.9"
PUPILS = 60


class Clock:
    """A clock that only a test moves, so that it takes no time."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(clock: Clock) -> Limiter:
    return Limiter(clock)


def ask(
    limiter: Limiter,
    times: int,
    player: str | None,
    address: str = SCHOOL,
    share: Share = REQUESTS,
) -> list[int]:
    """Ask so often, and return how long each request is refused."""
    return [limiter.check(player, address, share) for _ in range(times)]


# --- counting -----------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [REQUESTS, NEW, JOINS], ids=["requests", "new games", "seats"])
@pytest.mark.parametrize("player", ["Ada", None])
def test_a_flood_is_refused_until_its_window_is_over(
    player: str | None, share: Share, limiter: Limiter, clock: Clock
) -> None:
    limiter.answered("Ada")
    amount = share.player if player else share.newcomers

    def asked(times: int) -> list[int]:
        return ask(limiter, times, player, share=share)

    assert asked(amount) == [0] * amount
    clock.now += 3.5
    assert asked(50) == [7] * 50
    clock.now += WINDOW - 3.6
    assert asked(1) == [1]
    clock.now += 1
    assert asked(amount + 1) == [0] * amount + [WINDOW]


@pytest.mark.parametrize("invents", [True, False])
def test_a_flood_of_one_player_or_of_newcomers_leaves_all_others_alone(
    invents: bool, limiter: Limiter
) -> None:
    for player in ("Ada", "Bob"):
        limiter.answered(player)
    ask(
        limiter, 2 * REQUESTS.address, "Bob"
    )  # one player's flood uses up that player's share alone
    flood = [
        limiter.check(f"new {n}" if invents else None, SCHOOL, REQUESTS)
        for n in range(REQUESTS.newcomers + 50)
    ]
    assert flood == [0] * REQUESTS.newcomers + [WINDOW] * 50
    assert ask(limiter, REQUESTS.player, "Ada") == [0] * REQUESTS.player
    assert ask(limiter, 1, None, ELSEWHERE) == [0]


def test_of_a_flood_from_many_browsers_a_calm_player_feels_nothing(limiter: Limiter) -> None:
    limiter.answered("Ada")
    ask(limiter, 1, "Ada")
    many = REQUESTS.address // REQUESTS.player
    for number in range(many):
        limiter.answered(f"browser {number}")
        ask(limiter, REQUESTS.player, f"browser {number}")
    assert ask(limiter, REQUESTS.calm, "Ada") == [0] * (REQUESTS.calm - 1) + [WINDOW]
    assert ask(limiter, 1, None) == [WINDOW], "nobody knows whether it is one of them"
    limiter.answered("Bob")
    assert ask(limiter, REQUESTS.calm, "Bob") == [0] * REQUESTS.calm
    assert ask(limiter, 1, None, ELSEWHERE) == [0]


def test_a_limiter_holds_no_more_than_it_needs(limiter: Limiter, clock: Clock) -> None:
    for number in range(KNOWN + 10):
        limiter.answered("Ada")
        limiter.answered(f"player {number}")
        limiter.check(None, f"address {number}", REQUESTS)
    assert len(limiter._known) == KNOWN
    assert {"Ada", f"player {KNOWN + 9}"} <= limiter._known.keys()
    assert "player 0" not in limiter._known
    clock.now += WINDOW
    limiter.check(None, SCHOOL, REQUESTS)
    assert len(limiter._asked) == 2


# --- the site -----------------------------------------------------------------------------------


@pytest.fixture
def limited(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests", limits="on") as site:
        site.app.extensions["limiter"].clock = clock
        yield site


class Pupil:
    """A browser at an address."""

    def __init__(self, site: Site, address: str = SCHOOL, *, cookies: bool = True) -> None:
        self.client: FlaskClient = site.app.test_client(use_cookies=cookies)
        self._base = {"REMOTE_ADDR": address}
        self.game = ""

    def ask(self, path: str, method: str = "GET", **more: Any) -> TestResponse:
        return self.client.open(path, method=method, environ_base=self._base, **more)

    def start(self) -> TestResponse:
        answer = self.ask("/games", "POST", data={"opponent": "easy", "mark": "x", "cell": "4"})
        self.game = answer.headers.get("Location", "")
        return answer

    def poll(self) -> TestResponse:
        return self.ask(f"{self.game}?since=1", headers=FRAGMENT)


def playing(site: Site) -> Pupil:
    """A player whom the server knows already."""
    pupil = Pupil(site)
    assert pupil.ask("/").status_code == 200
    assert pupil.start().status_code == 303
    return pupil


def test_a_class_of_sixty_behind_one_address_is_never_refused(limited: Site, clock: Clock) -> None:
    """All of it at one worker, which is harder than at two; each opens much before it is known."""
    for _ in range(PUPILS):
        stranger = Pupil(limited, cookies=False)
        invented = {"Cookie": f"player={secrets.token_urlsafe(32)}"}
        assert stranger.ask("/").status_code == stranger.ask("/", headers=invented).status_code
    pupils = [playing(limited) for _ in range(PUPILS)]
    answers = [pupil.ask("/class").status_code for pupil in pupils]
    for _second in range(12):
        answers += [pupil.poll().status_code for pupil in pupils]
        clock.now += 1
    assert set(answers) == {200, 204}


def test_after_a_restart_a_class_in_mid_lesson_plays_on(tmp_path: Path, limited: Site) -> None:
    before = [playing(limited) for _ in range(PUPILS)]
    with open_site(tmp_path, limits="on") as site:
        for pupil in before:
            cookie = pupil.client.get_cookie("player")
            assert cookie is not None
            again = Pupil(site)
            again.game = pupil.game
            again.client.set_cookie("player", cookie.value)
            assert [again.poll().status_code for _ in range(5)] == [204] * 5


def test_a_refusal_is_a_page_that_asks_no_database_and_says_when_to_come_back(
    limited: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = limited.visitor()  # which checks every page that it sees
    visitor.get("/")
    game = visitor.start("easy", cell=4).address
    for _ in range(REQUESTS.player):
        visitor.get("/join")

    asked = Mock(side_effect=AssertionError("the database was asked"))
    with monkeypatch.context() as without:
        without.setattr(limited.database, "read", asked)
        without.setattr(limited.database, "write", asked)
        for path in ("/", "/class", "/you", game, "/lab/rules", "/wp-login.php"):
            page = visitor.get(path)
            assert page.status == 429
            assert "Try again in a few seconds." in page.text
            assert ("Back to the lab" in page.links) is (path == "/lab/rules")
            assert 1 <= int(page.response.headers["Retry-After"]) <= WINDOW
            assert "Set-Cookie" not in page.response.headers
            assert page.response.headers["X-Content-Type-Options"] == "nosniff"
        assert visitor.post("/games", {"opponent": "easy", "cell": "1"}).status == 429
    clock.now += WINDOW
    assert visitor.get("/class").status == 200


def open_tournament(site: Site) -> str:
    """The address at which players join a tournament."""
    tournaments = site.app.extensions["tournaments"]
    event = tournaments.create(Format.ARENA, Opening.EMPTY, clock=15, length=5)
    return f"/tournaments/{event}/join"


def test_a_class_of_sixty_may_join_a_tournament_at_the_same_moment(limited: Site) -> None:
    """All at one worker, none known to it, and each as soon as the class page is there."""
    join = open_tournament(limited)
    pupils = [Pupil(limited) for _ in range(PUPILS)]
    assert {pupil.ask("/class").status_code for pupil in pupils} == {200}
    assert len(limited.dump()["players"]) == PUPILS, "each has a name"
    assert {pupil.ask(join, "POST").status_code for pupil in pupils} == {303}
    invented = [Pupil(limited) for _ in range(120)]
    found = [pupil.ask(join, "POST").status_code for pupil in invented]
    allowed = JOINS.newcomers - PUPILS
    assert found == [303] * allowed + [429] * (120 - allowed)
    assert pupils[0].ask(join, "POST").status_code == 303, "whoever is known feels nothing of it"


@pytest.mark.parametrize("way", ["join", "/join/AAAAAA"])
def test_a_player_takes_few_seats_in_ten_seconds(limited: Site, clock: Clock, way: str) -> None:
    pupil = playing(limited)
    address, done = (open_tournament(limited), 303) if way == "join" else (way, 404)
    found = [pupil.ask(address, "POST").status_code for _ in range(JOINS.player + 2)]
    assert found == [done] * JOINS.player + [429] * 2
    assert pupil.ask("/class").status_code == 200
    clock.now += WINDOW
    assert pupil.ask(address, "POST").status_code == done


@pytest.mark.parametrize("way", ["/games", "/challenges", "again"])
def test_what_is_stored_for_days_has_a_limit_of_its_own(limited: Site, way: str) -> None:
    pupil = playing(limited)
    address = f"{pupil.game}/again" if way == "again" else way
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "give_up": "1"}
    found = [pupil.ask(address, "POST", data=fields).status_code for _ in range(NEW.player + 1)]
    assert found == [303] * NEW.player + [429]
    assert pupil.ask("/class").status_code == 200


def test_a_flood_keeps_no_one_from_signing_in_with_the_key(limited: Site) -> None:
    key = HostKey(limited.settings).ensure()
    flood = [Pupil(limited, cookies=False) for _ in range(REQUESTS.newcomers)]
    assert {one.ask("/join").status_code for one in flood} == {303}
    for typed, status in (("wrong", 429), (key, 303)):
        answer = Pupil(limited).ask("/host", "POST", data={"key": typed})
        assert answer.status_code == status


def test_a_flood_over_ipv6_counts_by_network(limited: Site) -> None:
    for number in range(REQUESTS.newcomers):
        Pupil(limited, f"2001:db8:0:1{number % 256:02x}::{number:x}", cookies=False).ask("/join")
    assert Pupil(limited, "2001:db8:0:1ff:ffff::1").ask("/join").status_code == 429
    assert Pupil(limited, "2001:db8:0:200::1").ask("/join").status_code == 303


def test_behind_a_trusted_proxy_it_is_the_visitor_who_counts(tmp_path: Path) -> None:
    proxy = "127.0.0.1"
    settings = Settings(data=tmp_path, synchronous="NORMAL", trusted_proxies=(proxy,))
    app = create_app(settings)
    try:
        app.extensions["limiter"].clock = Clock()
        stranger = Pupil(Site(app, settings), proxy, cookies=False)

        def status(visitor: str) -> int:
            return stranger.ask("/join", headers={"X-Forwarded-For": visitor}).status_code

        assert [status(SCHOOL) for _ in range(REQUESTS.newcomers + 1)] == [
            303
        ] * REQUESTS.newcomers + [429]
        assert status(ELSEWHERE) == 303
    finally:
        app.extensions["database"].close()


@pytest.mark.parametrize("path", ["/static/app.css", "/healthz"])
def test_what_a_page_is_made_of_and_the_health_check_are_free(
    path: str, limited: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUESTS", REQUESTS._replace(newcomers=3))
    stranger = Pupil(limited, cookies=False)
    assert [stranger.ask("/join").status_code for _ in range(4)] == [303, 303, 303, 429]
    assert stranger.ask(path, buffered=True).status_code == 200
