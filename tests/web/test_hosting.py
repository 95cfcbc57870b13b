"""The host's page: who gets in, with what, and that no one else does."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

import pytest

from tests.support.page import Page
from tests.support.people import Clock, beat_easy, name_of, player_of, write_down
from tests.support.visitor import Site, Visitor
from webapp.service.host import number
from webapp.service.host_key import HostKey
from webapp.service.hosts import HOURS, TRIES

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}


@pytest.fixture
def key(own_site: Site) -> HostKey:
    key = HostKey(own_site.settings)
    key.ensure()
    return key


def sign_in(site: Site, typed: str, **environ: str) -> Visitor:
    """A visitor who has sent this as the key."""
    visitor = site.visitor()
    visitor._client.post("/host", data={"key": typed}, environ_base=ELSEWHERE | environ)
    return visitor


def statuses(visitor: Visitor) -> dict[tuple[str, str], int]:
    """What each address of the host's answers."""
    found = {}
    for rule in visitor._client.application.url_map.iter_rules():
        if rule.endpoint.startswith("hosting."):
            for method in {"GET", "POST"} & (rule.methods or set()):
                address = re.sub("<.*?>", "1", rule.rule)
                found[method, address] = visitor._client.open(address, method=method).status_code
    return found


def test_strangers_get_the_form_and_nothing_else(own_site: Site, key: HostKey) -> None:
    found = statuses(own_site.visitor())
    assert found.pop(("GET", "/host")) == 200
    assert found
    assert set(found.values()) == {403}


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


def test_another_key_or_twelve_hours_end_it(own_site: Site, key: HostKey) -> None:
    clock = Clock(own_site)
    own_site.app.extensions["hosts"]._clock = clock
    host, other = (sign_in(own_site, key.read()) for _ in range(2))
    clock.goes_on(HOURS * 3600)
    assert statuses(host)["POST", "/host/leave"] == 403
    clock.goes_on(-HOURS * 3600)
    key.renew()
    assert statuses(other)["POST", "/host/leave"] == 403


def test_another_sites_page_signs_no_one_in_or_out(own_site: Site, key: HostKey) -> None:
    host = sign_in(own_site, key.read())
    for address, fields in (("/host", {"key": key.read()}), ("/host/leave", {})):
        answer = host._client.post(address, data=fields, headers={"Origin": "http://evil.example"})
        assert answer.status_code == 403
    assert "Sign out" in host.get("/host").text


def test_who_guesses_waits_and_neither_the_host_nor_the_servers_own_computer_does(
    own_site: Site, key: HostKey
) -> None:
    signed_in = sign_in(own_site, key.read(), REMOTE_ADDR="192.168.1.20")
    pupil = own_site.app.test_client()

    def guess(typed: str = "wrong", **environ: str) -> int:
        environ = ELSEWHERE | environ
        return pupil.post("/host", data={"key": typed}, environ_base=environ).status_code

    assert [guess() for _ in range(TRIES)] == [403] * TRIES
    assert [guess(), guess(key.read())] == [429, 429]
    assert guess(REMOTE_ADDR="127.0.0.1") == 403
    assert guess(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="192.168.1.20") == 403
    answer = signed_in._client.post("/host", data={"key": "wrong"}, environ_base=ELSEWHERE)
    assert answer.status_code == 403
    assert guess(key.read(), REMOTE_ADDR="::1") == 303


# --- what the host may do -------------------------------------------------------------------------


@pytest.fixture
def host(own_site: Site, key: HostKey) -> Visitor:
    return sign_in(own_site, key.read())


@pytest.fixture
def alice(own_site: Site) -> Visitor:
    """A player who is here."""
    alice = own_site.visitor()
    alice.start("easy", "x", cell=4)
    write_down(own_site, alice, seldom=True)
    return alice


def act(host: Visitor, alice: Visitor, what: str, **fields: object) -> Page:
    return host.post(f"/host/players/{number(player_of(alice))}/{what}", fields)


def test_a_player_is_renamed_dealt_another_name_and_removed(host: Visitor, alice: Visitor) -> None:
    name = name_of(alice)
    page = host.get("/host")
    assert name in page.text
    assert player_of(alice) not in page.text
    assert act(host, alice, "rename", name="Ada").status == 303
    assert name_of(alice) == "Ada"
    assert act(host, alice, "rename").status == 303
    dealt = name_of(alice)
    assert dealt not in {"Ada", ""}
    assert act(host, alice, "remove").status == 303
    assert name_of(alice) == ""
    page = host.get("/host")
    for said in (
        f"{name} got the name Ada.",
        f"Ada got the name {dealt}.",
        f"{dealt} was removed.",
    ):
        assert said in page.document.text


def test_what_cannot_be_is_said_on_the_page(host: Visitor, alice: Visitor, own_site: Site) -> None:
    bob = own_site.visitor()
    bob.start("easy", "x", cell=4)
    for status, fields, why in (
        (409, {"name": name_of(bob)}, "Another player is already called"),
        (422, {"name": "x" * 21}, "at most 20 characters"),
    ):
        page = act(host, alice, "rename", **fields)
        assert page.status == status
        assert why in page.document.text
        assert "Who is here" in page.document.text
    before = own_site.dump()
    for address in ("/host/players/1/remove", f"/host/players/{16**12}/remove"):
        page = host.post(address)
        assert page.status == 404
        assert "This player is no longer here." in page.document.text
    assert own_site.dump() == before


def test_names_are_locked_and_the_standings_reset(
    host: Visitor, alice: Visitor, own_site: Site
) -> None:
    assert host.post("/host/names", {"locked": 1}).status == 303
    assert "The names are locked" in host.get("/host").document.text
    assert alice.post("/you/name").status == 409
    assert host.post("/host/names").status == 303
    assert alice.post("/you/name").status == 303
    assert host.post("/host/names", {"locked": "x"}).status == 422
    beat_easy(alice)
    assert own_site.dump()["records"]
    assert host.post("/host/standings/reset").status == 303
    assert own_site.dump()["records"] == []
