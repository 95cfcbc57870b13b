"""Anyone who asks too often is refused, and what is stored for days has limits of its own."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.people import Steady
from tests.support.visitor import Site, open_site
from webapp.service import tournaments
from webapp.tournament.event import Format, Opening
from webapp.web.context import KNOWN, REFUSED
from webapp.web.limits import COMES, JOINS, NEW, WINDOW, Stored

SCHOOL, ELSEWHERE = "198.51.100.7", "203.0.113.9"
PUPILS = 60
BY_THE_SERVER = {REFUSED: 429}


@pytest.fixture
def clock() -> Steady:
    return Steady()


@pytest.fixture
def limited(tmp_path: Path, clock: Steady) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests", limits="on") as site:
        site.app.extensions["stored"].clock = clock
        yield site


class Pupil:
    def __init__(self, site: Site, address: str = SCHOOL, *, cookies: bool = True) -> None:
        self.client: FlaskClient = site.app.test_client(use_cookies=cookies)
        self._base = {"REMOTE_ADDR": address}

    def get(self, path: str) -> int:
        return self.client.get(path, environ_base=self._base).status_code

    def post(self, path: str, **data: str) -> TestResponse:
        return self.client.post(path, data=data, environ_base=self._base)

    def begin(self, **data: str) -> str:
        base = {**self._base, KNOWN: False}
        return self.client.post("/games", data=data, environ_base=base).headers["Location"]


def test_a_refusal_asks_no_database(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = limited.visitor()  # which checks every page that it sees
    visitor.get("/")
    game = visitor.start("easy", cell=4).address
    with monkeypatch.context() as without:
        for way in ("read", "write"):
            without.setattr(limited.database, way, Mock(side_effect=AssertionError("was asked")))
        for path in ("/", "/class", game, "/lab/rules", "/wp-login.php"):
            page = visitor.get(path, environ_overrides=BY_THE_SERVER)
            assert (page.status, "Try again in a few seconds." in page.text) == (429, True)
            assert "Set-Cookie" not in page.response.headers
            assert int(page.headers["Retry-After"]) > 0


def test_a_class_comes_in_at_one_moment_but_not_more_by_new_cookies(limited: Site) -> None:
    newcomers = [Pupil(limited) for _ in range(COMES.address + 1)]
    assert {pupil.get("/class") for pupil in newcomers} == {200}
    found = [pupil.post("/class/come-in").status_code for pupil in newcomers]
    assert found == [303] * COMES.address + [429]
    assert COMES.address > PUPILS


def test_what_is_stored_for_days_has_a_limit_of_its_own(limited: Site, clock: Steady) -> None:
    event = tournaments.create(limited.service, Format.ARENA, Opening.EMPTY, clock=15, length=5)
    fields = {"opponent": "easy", "mark": "x", "cell": "4", "give_up": "1"}
    for way, done, most in (
        (f"/tournaments/{event}/join", 303, JOINS.player), ("/join/AAAAAA", 404, JOINS.player),
        ("/challenges", 303, NEW.player), ("{game}/again", 303, NEW.player),
    ):  # fmt: skip
        pupil = Pupil(limited)
        pupil.get("/")
        address = way.format(game=pupil.begin(**fields))
        found = [pupil.post(address, **fields).status_code for _ in range(most + 2)]
        assert found == [done] * most + [429] * 2, way
        assert pupil.get("/class") == 200
        clock.seconds += WINDOW
        assert pupil.post(address, **fields).status_code == done, way


def test_newcomers_of_an_address_share_what_they_may_store(limited: Site, clock: Steady) -> None:
    del limited
    stored, player = Stored(clock), "a player"
    assert NEW.address >= PUPILS, "a class may begin at one moment"
    newcomers = [stored.may(NEW, None, SCHOOL) for _ in range(NEW.address + 1)]
    assert newcomers == [True] * NEW.address + [False]
    found = [stored.may(NEW, player, SCHOOL) for _ in range(NEW.calm + 1)]
    assert found == [True] * NEW.calm + [False], "a few are everyone's own"
    assert stored.may(NEW, None, ELSEWHERE)
    clock.seconds += WINDOW
    assert all(stored.may(NEW, one, SCHOOL) for one in (None, player))
