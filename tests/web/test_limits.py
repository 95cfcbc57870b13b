"""Anyone who asks too often is refused, and what is stored for days has limits of its own."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.visitor import Site, open_site
from tests.web.test_turns import Clock
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.tournament.event import Format, Opening
from webapp.web.limits import COMES, JOINS, NEW, Stored
from webapp.web.order import WINDOW
from webapp.web.turns import Turns

SCHOOL, ELSEWHERE = "198.51.100.7", "203.0.113.9"
PUPILS, FLOOD = 60, 20


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limited(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests", limits="on") as site:
        site.app.extensions["turns"].clock = clock
        yield site


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a flood be small."""
    for whose in ("PLAYER", "NEWCOMERS"):
        monkeypatch.setattr(f"webapp.web.order.{whose}", FLOOD)


class Pupil:
    def __init__(self, site: Site, address: str = SCHOOL, *, cookies: bool = True) -> None:
        self.client: FlaskClient = site.app.test_client(use_cookies=cookies)
        self._base = {"REMOTE_ADDR": address}

    def get(self, path: str) -> int:
        return self.client.get(path, environ_base=self._base).status_code

    def post(self, path: str, **data: str) -> TestResponse:
        return self.client.post(path, data=data, environ_base=self._base)


@pytest.mark.usefixtures("strict")
def test_a_refusal_is_a_page_that_asks_no_database_and_says_when_to_come_back(
    limited: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = limited.visitor()  # which checks every page that it sees
    visitor.get("/")
    game = visitor.start("easy", cell=4).address
    for _ in range(FLOOD):
        visitor.get("/join")
    with monkeypatch.context() as without:
        for way in ("read", "write"):
            without.setattr(limited.database, way, Mock(side_effect=AssertionError("was asked")))
        for path in ("/", "/class", game, "/lab/rules", "/wp-login.php"):
            page = visitor.get(path)
            assert (page.status, "Try again in a few seconds." in page.text) == (429, True)
            assert ("Back to the lab" in page.links) is (path == "/lab/rules")
            assert "Set-Cookie" not in page.response.headers
        refused = visitor.post("/games", {"opponent": "easy", "cell": "1"})
        assert refused.status == 429
    clock.now += int(refused.response.headers["Retry-After"])
    assert visitor.get("/class").status == 200


def test_a_class_comes_in_at_one_moment_but_not_more_by_new_cookies(limited: Site) -> None:
    newcomers = [Pupil(limited) for _ in range(COMES.address + 1)]
    assert {pupil.get("/class") for pupil in newcomers} == {200}
    found = [pupil.post("/class/come-in").status_code for pupil in newcomers]
    assert found == [303] * COMES.address + [429]
    assert COMES.address > PUPILS


def test_what_is_stored_for_days_has_a_limit_of_its_own(limited: Site, clock: Clock) -> None:
    event = tournaments.create(limited.service, Format.ARENA, Opening.EMPTY, clock=15, length=5)
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "give_up": "1"}
    for way, done, most in (
        (f"/tournaments/{event}/join", 303, JOINS.player),
        ("/join/AAAAAA", 404, JOINS.player),
        ("/challenges", 303, NEW.player),
        ("{game}/again", 303, NEW.player),
    ):
        pupil = Pupil(limited)
        pupil.get("/")  # and is known from now on
        address = way.format(game=pupil.post("/games", **fields).headers["Location"])
        found = [pupil.post(address, **fields).status_code for _ in range(most + 2)]
        assert found == [done] * most + [429] * 2, way
        assert pupil.get("/class") == 200
        clock.now += WINDOW
        assert pupil.post(address, **fields).status_code == done, way


def test_newcomers_of_an_address_share_what_they_may_store(limited: Site, clock: Clock) -> None:
    turns: Turns = limited.app.extensions["turns"]
    stored, player = Stored(turns), "a player"
    turns.answered(player, seat=None, moved=None)
    assert NEW.address >= PUPILS, "a class may begin at one moment"
    newcomers = [stored.may(NEW, None, SCHOOL) for _ in range(NEW.address + 1)]
    assert newcomers == [True] * NEW.address + [False]
    found = [stored.may(NEW, player, SCHOOL) for _ in range(NEW.calm + 1)]
    assert found == [True] * NEW.calm + [False], "a few are everyone's own"
    assert not stored.may(NEW, "an invented cookie", SCHOOL)
    assert stored.may(NEW, None, ELSEWHERE)
    clock.now += WINDOW
    assert all(stored.may(NEW, one, SCHOOL) for one in (None, player))


@pytest.mark.usefixtures("strict")
def test_a_flood_keeps_no_host_out_and_over_ipv6_counts_by_network(limited: Site) -> None:
    flood = [Pupil(limited, cookies=False) for _ in range(FLOOD)]
    assert {one.get("/join") for one in flood} == {303}
    for typed, status in (("wrong", 429), (HostKey(limited.settings).ensure(), 303)):
        assert Pupil(limited).post("/host", key=typed).status_code == status
    for number in range(FLOOD):
        Pupil(limited, f"2001:db8:0:1{number:02x}::{number:x}", cookies=False).get("/join")
    for address, status in (("2001:db8:0:1ff:ffff::1", 429), ("2001:db8:0:200::1", 303)):
        assert Pupil(limited, address).get("/join") == status
