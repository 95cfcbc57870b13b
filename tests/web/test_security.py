"""Headers, cookies, cross-site requests, ids, escaping."""

import base64
import hashlib
import re
import urllib.parse
from collections.abc import Callable

import pytest

from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Site, Visitor

CROSS = {"Sec-Fetch-Site": "cross-site"}
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def every_kind_of_answer(alice: Visitor, bob: Visitor) -> dict[str, Page]:
    game = alice.start("easy", "x", cell=4)
    stylesheet = game.document.all("link")[1].get("href")
    return {
        "front": alice.get("/"),
        "game": alice.get(game.address),
        "fragment": alice.get(game.address, fragment=True),
        "watched": bob.get(game.address),
        "redirect": alice.post(f"{game.address}/hint", {"version": 1}),
        "answer": alice.post(f"{game.address}/hint", {"version": 2}, fragment=True),
        "bad request": alice.post("/games"),
        "not yours": bob.post(f"{game.address}/hint", {"version": 3}),
        "cross-site": alice.post("/games", headers=CROSS),
        "not found": alice.get("/games/nothing"),
        "no such address": alice.get("/nothing"),
        "method": alice.get("/games"),
        "conflict": alice.post(f"{game.address}/hint", {"version": 1}),
        "too large": alice.post("/games", {"a": "x" * 17 * 1024}),
        "options": alice.send("OPTIONS", "/games"),
        "head": alice.send("HEAD", "/"),
        "health": alice.get("/healthz"),
        "static": alice.get("/static/app.css"),
        "versioned": alice.get(stylesheet),
        "no such file": alice.get("/static/nothing.css"),
    }


STATIC = {"static", "versioned"}


# --- headers ------------------------------------------------------------------------------------


def test_every_answer_tells_the_browser_what_not_to_do_with_it(
    alice: Visitor, bob: Visitor
) -> None:
    for kind, answer in every_kind_of_answer(alice, bob).items():
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", kind
        assert headers["Referrer-Policy"] == "same-origin", kind
        policy = {
            name: values.split()
            for name, _, values in (
                part.strip().partition(" ")
                for part in headers["Content-Security-Policy"].split(";")
            )
        }
        assert policy["default-src"] == ["'none'"], kind
        assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"], kind
        assert policy["form-action"] == ["'self'"], kind
        assert {value for values in policy.values() for value in values} == {"'none'", "'self'"}


def test_what_concerns_a_player_is_never_kept(alice: Visitor, bob: Visitor) -> None:
    for kind, answer in every_kind_of_answer(alice, bob).items():
        if kind not in STATIC:
            assert answer.headers["Cache-Control"] == "no-store", kind


def test_nobody_is_told_what_the_site_is_made_of(alice: Visitor, bob: Visitor) -> None:
    for kind, answer in every_kind_of_answer(alice, bob).items():
        told = " ".join(f"{name}: {value}" for name, value in answer.headers.items()).lower()
        for word in ("werkzeug", "flask", "python", "sqlite"):
            assert word not in told, kind


def test_versioned_static_files_are_kept_for_ever(alice: Visitor) -> None:
    page = alice.get("/")
    addresses = [
        one.get("src") or one.get("href")
        for one in page.document.all("link", "script")
        if "/static/" in one.get("src") + one.get("href")
    ]
    assert len(addresses) == 5
    for address in addresses:
        assert re.search(r"\?v=[0-9a-f]{8,}$", address)
        answer = alice.get(address)
        assert answer.status == 200
        control = {part.strip() for part in answer.headers["Cache-Control"].split(",")}
        assert {"public", "immutable"} <= control
        (age,) = [int(part[8:]) for part in control if part.startswith("max-age=")]
        assert age >= 31_536_000
        assert "Set-Cookie" not in answer.headers


def test_scripts_are_pinned_by_their_hash(alice: Visitor) -> None:
    scripts = alice.get("/").document.all("script")
    assert len(scripts) == 2
    for script in scripts:
        body = alice.get(script.get("src")).response.data
        digest = base64.b64encode(hashlib.sha384(body).digest()).decode()
        assert script.get("integrity") == f"sha384-{digest}"
        assert script.has("defer")


def test_htmx_is_the_vendored_version(alice: Visitor) -> None:
    sources = [script.get("src") for script in alice.get("/").document.all("script")]
    assert any("/static/vendor/htmx-4.0.1.min.js" in source for source in sources)


def test_static_files_fetch_nothing_from_elsewhere(alice: Visitor) -> None:
    for file in ("app.css", "play.css", "class.css", "learn.css", "app.js", "icon.svg"):
        text = alice.get(f"/static/{file}").response.text
        addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", text))
        assert addresses <= {"http://www.w3.org"}, file  # the name of SVG
        assert "@import" not in text
        assert "eval(" not in text


# --- cookies ------------------------------------------------------------------------------------


def attributes(answer: Page) -> dict[str, str]:
    (header,) = answer.headers.getlist("Set-Cookie")
    first, *rest = header.split("; ")
    name, _, value = first.partition("=")
    found = {key.lower(): text for key, _, text in (part.partition("=") for part in rest)}
    return {"name": name, "value": value, **found}


def test_any_page_gives_a_newcomer_a_cookie(site: Site, alice: Visitor) -> None:
    game = alice.start("easy", "x").address
    asks: list[Callable[[Visitor], Page]] = [
        lambda one: one.get("/"),
        lambda one: one.get("/", fragment=True),
        lambda one: one.get(game),
        lambda one: one.get("/games/nothing"),
        lambda one: one.post("/games", {"opponent": "easy", "mark": "x"}),
        lambda one: one.post("/games"),
        lambda one: one.post(f"{game}/hint", {"version": 1}),
    ]
    for ask in asks:
        visitor = site.visitor()
        answer = ask(visitor)
        assert TOKEN.fullmatch(attributes(answer)["value"])
        assert visitor.cookie() == attributes(answer)["value"]


def test_over_http_the_cookie_is_as_closed_as_can_be(site: Site) -> None:
    cookie = attributes(site.visitor("http://play.lan:8000").get("/"))
    assert cookie.pop("value")
    assert int(cookie.pop("max-age")) >= 180 * 24 * 60 * 60
    cookie.pop("expires", None)
    assert cookie == {"name": "player", "httponly": "", "path": "/", "samesite": "Lax"}


def test_over_https_the_cookie_is_secure_and_bound_to_the_host(site: Site) -> None:
    visitor = site.visitor("https://play.example")
    cookie = attributes(visitor.get("/"))
    assert cookie["name"] == "__Host-player"
    assert cookie["path"] == "/"
    assert cookie["samesite"] == "Lax"
    assert {"secure", "httponly"} <= cookie.keys()
    assert "domain" not in cookie
    page = visitor.start("easy", "x", cell=4)
    assert page.playable
    assert "Set-Cookie" not in page.headers


def test_a_cookie_that_is_there_is_left_alone(alice: Visitor) -> None:
    alice.get("/")
    kept = alice.cookie()
    page = alice.start("easy", "x", cell=4)
    for answer in (page, alice.get("/"), alice.get("/nothing"), alice.try_to("hint", page)):
        assert "Set-Cookie" not in answer.headers
    assert alice.cookie() == kept


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "a" * 42,
        "a" * 44,
        "a" * 42 + "!",
        "a" * 42 + "=",
        "'; DROP TABLE players; --",
        "a" * 3000,
        "../../../etc/passwd",
        "%00" * 15,
    ],
)
def test_a_malformed_cookie_is_replaced(site: Site, value: str) -> None:
    visitor = site.visitor()
    visitor.set_cookie(value)
    page = visitor.get("/")
    assert page.status == 200
    assert TOKEN.fullmatch(attributes(page)["value"])
    assert TOKEN.fullmatch(visitor.cookie() or "")
    assert visitor.start("easy", "x", cell=4).playable


@pytest.mark.parametrize(
    "header",
    ["player", "=", ";;;", 'player="', "player=\xff\xfe", "\x7f", "player=a; player=b", "a" * 8000],
)
def test_a_malformed_cookie_header_does_no_harm(site: Site, header: str) -> None:
    page = site.visitor().get("/", environ_overrides={"HTTP_COOKIE": header})
    assert page.status == 200
    assert "Set-Cookie" in page.headers


def test_the_cookie_is_never_stored_only_its_hash(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.start("easy", "x", cell=4)
    alice.act("hint", page)
    token = alice.cookie()
    assert token is not None
    stored = b"".join(
        file.read_bytes() for file in own_site.file.parent.iterdir() if file.is_file()
    )
    assert token.encode() not in stored
    digest = hashlib.sha256(token.encode()).hexdigest()
    row = own_site.stored(page.address.removeprefix("/games/"))
    assert (row["x_seat"], row["o_seat"]) == (digest, None)
    assert digest in [player[0] for player in own_site.dump()["players"]]


def test_the_hash_of_a_cookie_opens_nothing(site: Site, alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    row = site.stored(page.address.removeprefix("/games/"))
    thief = site.visitor()
    thief.set_cookie(row["x_seat"])
    assert thief.try_to("hint", page).status == 403


def test_cookies_are_long_and_never_the_same(site: Site) -> None:
    visitors = [site.visitor() for _ in range(50)]
    for visitor in visitors:
        visitor.get("/healthz")
        visitor.get("/")
    tokens = [visitor.cookie() or "" for visitor in visitors]
    assert len(set(tokens)) == 50
    assert {len(base64.urlsafe_b64decode(token + "=")) for token in tokens} == {32}


# --- cross-site ---------------------------------------------------------------------------------

HOST = "play.lan:8000"


@pytest.mark.parametrize(
    "headers,allowed",
    [
        ({}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "SAME-ORIGIN"}, False),
        ({"Sec-Fetch-Site": "nonsense"}, False),
        ({"Origin": f"http://{HOST}"}, True),
        ({"Origin": "http://play.lan"}, False),
        ({"Origin": "http://play.lan:8001"}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": f"http://{HOST}.evil.example"}, False),
        ({"Origin": f"http://evil.example/{HOST}"}, False),
        ({"Origin": f"http://{HOST}@evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Origin": "http://["}, False),
        ({"Origin": "http://[::1"}, False),
        ({"Origin": "//"}, False),
        ({"Origin": "\x80"}, False),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"}, True),
        ({"Sec-Fetch-Site": "cross-site", "Origin": f"http://{HOST}"}, False),
        ({"Referer": "http://evil.example/"}, True),
    ],
)
def test_who_may_post(site: Site, headers: dict[str, str], allowed: bool) -> None:
    visitor = site.visitor(f"http://{HOST}")
    page = visitor.start("easy", "x", cell=4)
    before = site.dump()
    answer = visitor.post(f"{page.address}/hint", {"version": 1}, headers=headers)
    assert answer.status == (303 if allowed else 403)
    assert (site.dump() != before) is allowed


@pytest.mark.parametrize("headers", [CROSS, {"Origin": "http://evil.example"}, {"Origin": "null"}])
@pytest.mark.parametrize("what", ["games", "moves", "undo", "hint", "again"])
@pytest.mark.parametrize("known", [True, False])
def test_a_cross_site_post_changes_nothing_and_sets_no_cookie(
    site: Site, alice: Visitor, headers: dict[str, str], what: str, known: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    visitor = alice if known else site.visitor()
    token, before = visitor.cookie(), site.dump()
    address = "/games" if what == "games" else f"{page.address}/{what}"
    fields = {"opponent": "hard", "mark": "o", "version": 1}
    for fragment in ({}, FRAGMENT):
        answer = visitor.post(address, fields, headers={**headers, **fragment})
        assert answer.status == 403
        assert "Set-Cookie" not in answer.headers
    assert visitor.cookie() == token
    assert site.dump() == before


@pytest.mark.parametrize("value", ["malformed", "a" * 44])
def test_a_cross_site_post_does_not_replace_a_malformed_cookie(site: Site, value: str) -> None:
    visitor = site.visitor()
    visitor.set_cookie(value)
    answer = visitor.post("/games", {"opponent": "easy", "mark": "x"}, headers=CROSS)
    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("address", ["/", "{game}", "/healthz", "/static/app.css"])
def test_a_link_from_another_site_may_lead_here(alice: Visitor, address: str) -> None:
    game = alice.start("easy", "x").address
    headers = {**CROSS, "Origin": "http://evil.example"}
    assert alice.get(address.replace("{game}", game), headers=headers).status == 200


def test_no_other_site_may_read_an_answer(alice: Visitor, bob: Visitor) -> None:
    for answer in every_kind_of_answer(alice, bob).values():
        assert not [name for name, _ in answer.headers if "access-control" in name.lower()]


# --- hosts --------------------------------------------------------------------------------------


LONG = ".".join(["h" * 60] * 60)


@pytest.mark.parametrize("host", ["h" * 64, LONG, "a..b", ".", "\xd9", "[", "a b", "\xb2.example"])
def test_a_host_that_is_none_is_refused_in_plain_words(site: Site, host: str) -> None:
    before = site.dump()
    for address in ("/", "/nothing", "/static/app.css", "/class/board"):
        answer = site.visitor().get(address, environ_overrides={"HTTP_HOST": host})
        assert answer.status in (200, 400, 404)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert site.dump() == before


@pytest.mark.parametrize("host", ["h" * 64, LONG])
def test_a_host_that_is_longer_than_any_name_is_told_so(site: Site, host: str) -> None:
    answer = site.visitor().get("/class/board", environ_overrides={"HTTP_HOST": host})
    assert (answer.status, answer.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert answer.text == "That is not the name of a host.\n"


def test_the_longest_host_has_its_qr_code(site: Site) -> None:
    host = ".".join(["h" * 62] * 4) + ".h"
    assert len(host) == 253
    wall = site.visitor().get("/class/board", environ_overrides={"HTTP_HOST": f"{host}:65535"})
    assert wall.status == 200
    assert f"http://{host}:65535/class" in wall.text


# --- ids ----------------------------------------------------------------------------------------


def test_ids_are_long_random_and_fit_an_address(alice: Visitor) -> None:
    page = alice.start("easy", "x")
    ids = []
    for _ in range(100):
        ids.append(page.address.removeprefix("/games/"))
        page = alice.act("again", page)
    assert len(set(ids)) == 100
    for one in ids:
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", one)
        assert len(base64.urlsafe_b64decode(one + "==")) == 16
    for place in range(21):  # the last character holds two bits only
        assert len({one[place] for one in ids}) > 20


# --- escaping -----------------------------------------------------------------------------------

NASTY = ['<script>alert("1")</script>', '"><img src=x onerror=alert(1)>', "{{7*7}}", "' OR 1=1 --"]


@pytest.mark.parametrize("nasty", NASTY)
def test_whatever_is_sent_comes_back_escaped_or_not_at_all(alice: Visitor, nasty: str) -> None:
    page = alice.start("easy", "x", cell=4)
    quoted = urllib.parse.quote(nasty, safe="")
    asks: list[Callable[[], Page]] = [
        lambda: alice.get(f"/?opponent={quoted}"),
        lambda: alice.get(f"/{quoted}"),
        lambda: alice.get(f"/games/{quoted}"),
        lambda: alice.get(f"{page.address}?mark={quoted}"),
        lambda: alice.post("/games", {"opponent": nasty, "mark": nasty, "cell": nasty}),
        lambda: alice.post("/games", {"opponent": "easy", "mark": "o", "cell": 1, "key": nasty}),
        lambda: alice.try_to("moves", page, {"cell": nasty, "version": nasty}, fragment=True),
        lambda: alice.get("/", headers={"HX-Current-URL": nasty, "Referer": nasty}),
        lambda: alice.get("/nothing", headers={"User-Agent": nasty, "Accept-Language": nasty}),
    ]
    for ask in asks:
        answer = ask()
        assert nasty not in answer.text
        assert "alert(" not in answer.text.replace("&#34;", "")
        assert ">49<" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[::1]:8000"])
def test_the_host_that_is_asked_for_is_not_repeated(alice: Visitor, host: str) -> None:
    answer = alice.post("/games", {"opponent": "easy", "mark": "x"}, headers={"Host": host})
    assert answer.status == 303
    assert answer.headers["Location"].startswith("/games/")
    assert "evil" not in alice.get("/", headers={"Host": host}).text


@pytest.mark.parametrize("address", ["//evil.example", "/games//moves", "//evil.example/games"])
def test_no_redirect_leads_to_another_host(alice: Visitor, address: str) -> None:
    for method in ("GET", "POST"):
        answer = alice.send(method, address)
        assert answer.status >= 300
        target = urllib.parse.urlsplit(answer.headers.get("Location", ""))
        assert target.netloc in ("", "localhost")
