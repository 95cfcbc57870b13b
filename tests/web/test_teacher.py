"""The host's page: who gets in, with what, and that no one else does."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
from werkzeug.test import TestResponse

from tests.support.page import Page
from tests.support.people import (
    ELSEWHERE,
    be_here,
    name_of,
    played_out,
    player_of,
    sign_in,
    sit_down,
)
from tests.support.played import rows
from tests.support.visitor import Site, Visitor, lesson_of
from webapp.service.key import HostKey
from webapp.service.sessions import HOURS
from webapp.service.teacher import number
from webapp.service.wrong_keys import LONGEST, WrongKeys
from webapp.web import turns


@pytest.fixture
def key(own_site: Site) -> HostKey:
    key = HostKey(own_site.settings)
    key.ensure()
    return key


def test_anyone_with_the_key_is_the_host(own_site: Site, key: HostKey) -> None:
    host = sign_in(own_site, key.read())
    page = host.get("/host")
    assert page.status == 200
    assert "Sign out" in page.text
    assert host.post("/host/leave").status == 303
    assert "Sign out" not in host.get("/host").text
    assert host.post("/host/leave").status == 403


@pytest.mark.parametrize("typed", ["", "wrong", "x" * 4000, "é", "\x00"])
def test_anyone_without_it_is_told(own_site: Site, key: HostKey, typed: str) -> None:
    answer = own_site.visitor().post("/host", {"key": typed})
    assert answer.status == 403
    assert "This is not the key." in answer.text
    assert key.read() not in answer.text
    assert "host=" not in answer.headers.get("Set-Cookie", "").replace("__Host-player=", "")


def test_the_session_is_a_cookie_that_no_script_and_no_other_site_has(
    own_site: Site, key: HostKey
) -> None:
    for url, name, secure in (("http://x", "host", ""), ("https://x", "__Host-host", True)):
        client = own_site.app.test_client()
        answer = client.post("/host", data={"key": key.read()}, base_url=url)
        (cookie,) = (
            SimpleCookie(one) for one in answer.headers.getlist("Set-Cookie") if name in one
        )
        (found,) = (one for one in cookie.values() if one.key == name)
        assert (found["httponly"], found["samesite"], found["secure"]) == (True, "Strict", secure)
        assert (found["max-age"], found["path"]) == (str(HOURS * 3600), "/")
        assert key.read() not in str(answer.headers)


def test_who_guesses_waits_and_the_key_gets_in_all_the_same(
    own_site: Site, key: HostKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in = sign_in(own_site, key.read())
    pupil, waits = own_site.app.test_client(), list[float]()
    monkeypatch.setattr(own_site.service, "wrong_keys", WrongKeys(1, lambda: 0.0))
    monkeypatch.setattr(turns, "delay", lambda wait: waits.append(wait) if wait else None)

    def guess(typed: str = "wrong", **environ: str) -> TestResponse:
        environ = ELSEWHERE | environ
        return pupil.post("/host", data={"key": typed}, environ_base=environ)

    most = round(LONGEST / 0.2)
    assert [guess().status_code for _ in range(most)] == [403] * most
    refused = guess()
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
    assert "This is not the key." in refused.text
    assert len(waits) == most
    assert guess(REMOTE_ADDR="127.0.0.1").status_code == 403
    assert len(waits) == most, "the server's own computer does not wait"
    forwarded = guess(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="192.168.1.20")
    assert (forwarded.status_code, len(waits)) == (403, most + 1), "a proxy there does"
    assert guess(key.read()).status_code == 303
    answer = signed_in._client.post("/host", data={"key": "wrong"}, environ_base=ELSEWHERE)
    assert answer.status_code == 403
    assert len(waits) == most + 1, "nor does a host who is signed in"


# --- what the host may do -------------------------------------------------------------------------


@pytest.fixture
def alice(own_site: Site) -> Visitor:
    """A player who is here."""
    alice = own_site.visitor()
    alice.start("easy", "x", cell=4)
    be_here(own_site, alice, seldom=True)
    return alice


def act(teacher: Visitor, alice: Visitor, what: str, **fields: object) -> Page:
    return teacher.post(f"/host/players/{number(player_of(alice))}/{what}", fields)


def test_what_cannot_be_is_said_on_the_page_and_old_forms_change_nothing(
    teacher: Visitor, alice: Visitor, own_site: Site
) -> None:
    name, bob = name_of(alice), own_site.visitor()
    bob.start("easy", "x", cell=4)
    wall = lesson_of(own_site.service).wall.version
    assert act(teacher, alice, "rename", name="Ada", was=name).status == 303
    assert name_of(alice) == "Ada"
    page = teacher.get("/host")
    assert f"{name} got the name Ada." in page.document.text
    assert player_of(alice) not in page.text
    assert teacher.post("/host/wall", {"moves": "402", "version": wall}).status == 303
    before = rows(own_site.database)
    for status, fields, why in (
        (409, {"name": name_of(bob)}, "Another player is already called"),
        (422, {"name": "x" * 21}, "at most 20 characters"),
        (409, {"name": "Grace", "was": name}, "the player is called Ada now."),
        (409, {"was": name}, "the player is called Ada now."),
    ):
        page = act(teacher, alice, "rename", **fields)
        assert (page.status, why in page.document.text) == (status, True)
        assert "was" in fields or page.the("name").get("aria-describedby") == "why"
    for address in ("/host/players/1/remove", f"/host/players/{16**12}/remove"):
        page = teacher.post(address)
        assert page.status == 404
        assert "This player is no longer here." in page.document.text
    late = teacher.post("/host/wall", {"moves": "4", "version": wall})
    assert late.status == 409
    assert "A review, after 0 of 3 moves" in late.document.text
    assert rows(own_site.database) == before


def test_the_desk_says_how_many_play(teacher: Visitor, own_site: Site) -> None:
    pair, watcher = sit_down(own_site.visitor(), own_site.visitor()), own_site.visitor()
    played_out(watcher)
    be_here(own_site, pair.x, pair.o, watcher)
    assert "2 of 3 are playing" in teacher.get("/host").the("people").text


def test_names_are_locked_and_the_standings_reset(
    teacher: Visitor, alice: Visitor, own_site: Site
) -> None:
    name, bob = name_of(alice), own_site.visitor()
    assert teacher.post("/host/names", {"locked": 1}).status == 303
    assert "The names are locked" in teacher.get("/host").document.text
    answer = alice.post("/you/name")
    assert answer.status == 409
    assert "Your teacher has locked the names" in answer.document.text
    page = alice.get("/you")
    assert "Get another name" not in page.buttons
    assert "Another name" not in page.document.text
    assert name_of(alice) == name
    bob.get("/class")
    assert name_of(bob), "who comes new is given one"
    assert teacher.post("/host/names").status == 303
    assert alice.post("/you/name").status == 303
    assert teacher.post("/host/names", {"locked": "x"}).status == 422
    page = played_out(alice)
    assert sum(page.score or ()) == 1
    assert teacher.post("/host/standings/reset").status == 303
    assert alice.get(page.address).score == (0, 0, 0)


def test_a_form_with_two_keys_shows_no_one_the_hosts_page(own_site: Site, key: HostKey) -> None:
    answer = own_site.visitor().post("/host", [("key", "a"), ("key", key.read())])
    assert (answer.status, answer.headers.get("Set-Cookie", "").count("host=")) == (422, 0)
    assert "There can be only one key in a request." in answer.document.text
    assert "Sign out" not in answer.text


@pytest.mark.parametrize("name", ["", "nobody", "\x00", "x" * 4000])
def test_a_name_of_no_one_is_not_found(teacher: Visitor, name: str) -> None:
    page = teacher.get("/host/players", query_string={"name": name})
    assert page.status == 404
    assert "No player here is called" in page.document.text
