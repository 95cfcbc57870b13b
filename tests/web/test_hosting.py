"""The host's page: who gets in, with what, and that no one else does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.cookies import SimpleCookie
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, played_out, player_of
from tests.support.visitor import FRAGMENT, Site, Visitor, open_site
from tests.web.test_headers import check
from webapp.service.host import Host, number
from webapp.service.host_key import HostKey
from webapp.service.hosts import HOURS, LONGEST, _Turns
from webapp.web import turns

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
    monkeypatch.setattr(own_site.app.extensions["hosts"], "_turns", _Turns(0.2, lambda: 0.0))
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
def host(own_site: Site, key: HostKey) -> Visitor:
    return sign_in(own_site, key.read())


@pytest.fixture
def alice(own_site: Site) -> Visitor:
    """A player who is here."""
    alice = own_site.visitor()
    alice.start("easy", "x", cell=4)
    be_here(own_site, alice, seldom=True)
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
        assert page.the("name").get("aria-describedby") == "why"
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
    page = alice.get("/you")
    assert "Get another name" not in page.buttons
    assert "Your teacher has locked the names" in page.document.text
    assert host.post("/host/names").status == 303
    assert alice.post("/you/name").status == 303
    assert host.post("/host/names", {"locked": "x"}).status == 422
    page = played_out(alice)
    assert sum(page.score or ()) == 1
    assert host.post("/host/standings/reset").status == 303
    assert alice.get(page.address).score == (0, 0, 0)


# --- everyone at every address --------------------------------------------------------------------

# What a request carries that is meant well, and what it gets: the host, and everyone else.
EXPECTED: Mapping[str, tuple[dict[str, str], str]] = {
    "GET hosting.host": ({}, "200 200"),
    "POST hosting.sign_in": ({"key": "wrong"}, "403 403"),
    "GET hosting.find": ({"name": "{name}"}, "303 403"),
    "GET hosting.guest": ({}, "200 403"),
    "POST hosting.rename": ({"name": "Ada", "was": "{name}"}, "303 403"),
    "POST hosting.remove": ({}, "303 403"),
    "POST hosting.names": ({"locked": "1"}, "303 403"),
    "POST hosting.reset": ({}, "303 403"),
    "POST hosting.pause": ({}, "303 403"),
    "POST hosting.resume": ({}, "303 403"),
    "POST hosting.wall": ({"moves": "402"}, "303 403"),
    "GET hosting.players_csv": ({}, "200 403"),
    "GET hosting.games_csv": ({}, "200 403"),
    # There is none: the tests of tournaments have them in every state.
    "GET hosting.results_csv": ({}, "404 403"),
    "POST hosting.new_tournament": ({"format": "knockout"}, "422 403"),
    "POST hosting.start_tournament": ({}, "404 403"),
    "POST hosting.next_round": ({}, "404 403"),
    "POST hosting.end_tournament": ({}, "404 403"),
    "POST hosting.late": ({"late": "1"}, "404 403"),
    "POST hosting.put_out": ({"player": "1"}, "404 403"),
    "POST hosting.let_in": ({"player": "1"}, "404 403"),
    "POST hosting.leave": ({}, "303 403"),
}


def rules(site: Site) -> dict[str, str]:
    """The addresses of the host's, by method and endpoint."""
    return {
        f"{method} {rule.endpoint}": rule.rule
        for rule in site.app.url_map.iter_rules()
        for method in {"GET", "POST"} & (rule.methods or set())
        if rule.endpoint.startswith("hosting.")
    }


def stored(site: Site) -> object:
    """All that a host can change."""
    host: Host = site.app.extensions["host"]
    return site.dump(), host.lesson(), host.journal()


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("school"), seed="tests") as site:
        HostKey(site.settings).ensure()
        yield site


@pytest.fixture(scope="module")
def others(school: Site) -> dict[str, Visitor]:
    """Everyone who is not the host, although some were."""
    clock, key = Clock(school), HostKey(school.settings)
    people = {"older key": sign_in(school, key.read())}
    key.renew()
    people |= {"ended": sign_in(school, key.read()), "signed out": sign_in(school, key.read())}
    kept = people["signed out"].cookie("host") or ""
    people["signed out"].post("/host/leave")
    people["signed out"].set_cookie(kept, "host")
    clock.goes_on(HOURS * 3600)
    for who in ("player", "watcher", "stranger", "guess", "as the player"):
        people[who] = school.visitor()
    game = people["player"].start("easy", "x", cell=4)
    people["watcher"].get(game.address)
    people["guess"].set_cookie("x" * 43, "host")
    people["as the player"].set_cookie(sign_in(school, key.read()).cookie("host") or "")
    return people


def test_the_table_has_every_address_of_the_host(school: Site) -> None:
    assert rules(school).keys() == EXPECTED.keys()


@pytest.mark.parametrize("route", EXPECTED)
def test_only_the_host_gets_past_the_form(
    school: Site, others: dict[str, Visitor], route: str
) -> None:
    ada = school.visitor()
    ada.get("/class")
    name, fields = name_of(ada), EXPECTED[route][0]
    for_host, for_others = map(int, EXPECTED[route][1].split())
    method = route.split(maxsplit=1)[0]
    address = rules(school)[route].replace("<int:number>", str(number(player_of(ada))))
    fields = {field: value.format(name=name) for field, value in fields.items()}
    sent: dict[str, Any] = {"query_string" if method == "GET" else "data": fields}

    def send(who: Visitor, headers: Mapping[str, str]) -> TestResponse:
        answer = who._client.open(address, method=method, headers=headers, buffered=True, **sent)
        check(answer)
        return answer

    before = stored(school)
    for who, visitor in others.items():
        answers = [send(visitor, headers) for headers in ({}, FRAGMENT)]
        for answer in answers:
            assert not any(one in answer.text for one in (name, "Sign out", "Journal")), who
        if route == "GET hosting.host":
            assert (answers[1].headers["HX-Redirect"], answers.pop().data) == ("/host", b"")
        elif route != "POST hosting.sign_in":
            assert answers[1].headers["HX-Retarget"] == "body"
        for answer in answers:
            assert (answer.status_code, 'name="key"' in answer.text) == (for_others, True), who
    assert stored(school) == before
    answer = send(sign_in(school, HostKey(school.settings).read()), {})
    assert answer.status_code == for_host


def test_another_sites_page_does_nothing_with_the_hosts_cookie(school: Site) -> None:
    host, before = sign_in(school, HostKey(school.settings).read()), stored(school)
    for route, address in rules(school).items():
        if route.startswith("POST"):
            for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
                answer = host.post(address.replace("<int:number>", "1"), headers=headers)
                assert answer.status == 403, route
                assert "This request came from another site" in answer.document.text
    assert stored(school) == before
    assert "Sign out" in host.get("/host").text


def test_what_only_a_form_does_no_link_does(school: Site) -> None:
    host, found = sign_in(school, HostKey(school.settings).read()), rules(school)
    forms = {found[route] for route in found if route.startswith("POST")}
    links = {found[route] for route in found if route.startswith("GET")}
    for address in forms - links:
        assert host.get(address.replace("<int:number>", "1")).status == 405


# --- what comes late ------------------------------------------------------------------------------


def test_old_forms_change_nothing(host: Visitor, alice: Visitor, own_site: Site) -> None:
    name, wall = name_of(alice), own_site.app.extensions["host"].lesson().wall.version
    assert act(host, alice, "rename", name="Ada", was=name).status == 303
    assert host.post("/host/wall", {"moves": "402", "version": wall}).status == 303
    before = stored(own_site)
    for fields in ({"name": "Grace"}, {}):
        late = act(host, alice, "rename", was=name, **fields)
        assert late.status == 409
        assert "the player is called Ada now." in late.document.text
    late = host.post("/host/wall", {"moves": "4", "version": wall})
    assert late.status == 409
    assert "A review, after 0 of 3 moves" in late.document.text
    assert stored(own_site) == before


def test_a_form_with_two_keys_shows_no_one_the_hosts_page(own_site: Site, key: HostKey) -> None:
    answer = own_site.visitor().post("/host", [("key", "a"), ("key", key.read())])
    assert (answer.status, answer.headers.get("Set-Cookie", "").count("host=")) == (422, 0)
    assert "There can be only one key in a request." in answer.document.text
    assert "Sign out" not in answer.text


@pytest.mark.parametrize("name", ["", "nobody", "\x00", "x" * 4000])
def test_a_name_of_no_one_is_not_found(host: Visitor, name: str) -> None:
    page = host.get("/host/players", query_string={"name": name})
    assert page.status == 404
    assert "No player here is called" in page.document.text
