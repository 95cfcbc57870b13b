import base64
import hashlib
import re
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.page import Page
from tests.support.people import player_of, sign_in
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.web.security import is_cross_site

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
START: dict[str, Any] = {"opponent": "easy", "mark": "x", "cell": 4}


def test_static_files_are_kept_for_good_and_scripts_pinned_by_hash(alice: Visitor) -> None:
    page = alice.get("/")
    addresses = [one.get("src") or one.get("href") for one in page.document.all("link", "script")]
    addresses = [address for address in addresses if "/static/" in address]
    assert any("/static/vendor/htmx-4.0.1.min.js" in address for address in addresses)
    for address in addresses:
        assert re.search(r"\?v=[0-9a-f]{8,}$", address)
        answer = alice.get(address)
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers
    first, *scripts = page.document.all("script")
    assert [*first.attributes] == []  # the policy has its hash
    assert len(scripts) == 2
    for script in scripts:
        body = alice.get(script.get("src")).response.data
        digest = base64.b64encode(hashlib.sha384(body).digest()).decode()
        assert (script.get("integrity"), script.has("defer")) == (f"sha384-{digest}", True)


def cookie_of(answer: Page) -> dict[str, str]:
    (header,) = answer.headers.getlist("Set-Cookie")
    first, *rest = header.split("; ")
    name, _, value = first.partition("=")
    found = {key.lower(): text for key, _, text in (part.partition("=") for part in rest)}
    found.pop("expires", None)
    return {"name": name, "value": value, **found}


def test_the_cookie_is_closed_to_scripts_and_other_sites(site: Site) -> None:
    id_ = site.app.config["ID"]
    assert re.fullmatch("[0-9a-f]{8}", id_)
    for url, more in (
        ("http://play.lan:8000", {"name": f"player-{id_}"}),
        ("https://play.example", {"name": f"__Host-player-{id_}", "secure": ""}),
    ):
        visitor, values = site.visitor(url), set[str]()
        for answer in (visitor.get("/"), visitor.post("/you/new"), visitor.post("/you/forget")):
            cookie = cookie_of(answer)
            values.add(cookie.pop("value"))
            assert int(cookie.pop("max-age")) >= 180 * 24 * 60 * 60
            assert cookie == {"httponly": "", "path": "/", "samesite": "Lax", **more}
        assert (len(values), all(map(TOKEN.fullmatch, values))) == (3, True)
        assert visitor.start(**START).playable


MALFORMED = (
    *("player=", "player=x", f"player={'a' * 42}", f"player={'a' * 44}", "player"),
    *(f"player={'a' * 42}!", "player=a; player=b", f"player={'a' * 43}.1234567"),
    *("=", ";;;", 'player="', "player=\xff\xfe", "\x7f", "a" * 8000, "player=" + "%00" * 15),
)


def test_a_malformed_cookie_is_replaced_but_no_older_one(site: Site, alice: Visitor) -> None:
    for header in MALFORMED:
        page = site.visitor().get("/", environ_overrides={"HTTP_COOKIE": header})
        assert page.status == 200, header
        assert TOKEN.fullmatch(cookie_of(page)["value"]), header
    game = alice.start(**START)
    alice.set_cookie(f"{alice.cookie()}.20000")
    again = alice.get(game.address)
    assert (bool(again.playable), "Set-Cookie" in again.headers) == (True, False)


def test_two_sites_on_one_host_sign_no_one_out_of_the_other(site: Site, tmp_path: Path) -> None:
    with open_site(tmp_path / "other") as second:
        one, other = (sign_in(each, HostKey(each.settings).ensure()) for each in (site, second))
        jar = vars(one._client)["_cookies"] | vars(other._client)["_cookies"]
        vars(one._client)["_cookies"] = vars(other._client)["_cookies"] = jar  # it is one browser
        for who in (one, other):
            who.come_in()
        assert player_of(one) != player_of(other)
        for who in (one, other):
            assert "Sign out" in who.get("/host").text
            who.post("/host/leave")
            assert "Sign out" not in who.get("/host").text


def test_a_cookie_of_an_old_name_is_taken_and_replaced_once(site: Site, alice: Visitor) -> None:
    known = sign_in(site, HostKey(site.settings).ensure())
    address = known.start(**START).address
    tokens = {name: known.cookie(name) for name in ("player", "host")}
    for name, token in tokens.items():
        alice._client.set_cookie(name, token or "")
    assert alice.get(address).playable
    assert "Sign out" in alice.get("/host").text
    assert {name: alice.cookie(name) for name in tokens} == tokens
    assert "Set-Cookie" not in alice.get("/host").headers, "once"
    assert all(map(alice._client.get_cookie, tokens)), "another site on the host may know them"
    alice.post("/host/leave")
    assert "Sign out" not in alice.get("/host").text


def test_the_cookie_is_never_stored_only_its_hash(site: Site, alice: Visitor) -> None:
    thief = site.visitor()
    page = alice.start(**START)
    token = (alice.cookie() or "")[:43].encode()
    stored = [file.read_bytes() for file in site.file.parent.iterdir() if file.is_file()]
    assert token not in b"".join(stored)
    row = site.stored(page.address)
    assert (row["x_seat"], row["o_seat"]) == (hashlib.sha256(token).hexdigest(), None)
    thief.set_cookie(row["x_seat"])
    assert thief.try_to("hint", page).status == 403


OURS = "play.lan:8000"
CROSS = [
    *((fetch_site, None, False) for fetch_site in (None, "same-origin", "none")),
    *((where, None, True) for where in ("same-site", "cross-site", "SAME-ORIGIN", "nonsense")),
    (None, f"http://{OURS}", False),
    *((None, f"http://{host}", True) for host in ("play.lan", "play.lan:8001", "evil.example")),
    *((None, f"http://{OURS}{more}", True) for more in (".evil.example", "@evil.example")),
    *((None, origin, True) for origin in (f"http://evil.example/{OURS}", "null", "")),
    *((None, origin, True) for origin in ("http://[", "//", "\x80")),
    ("same-origin", "http://evil.example", False), ("cross-site", f"http://{OURS}", True),
]  # fmt: skip


def test_what_another_sites_page_sends_is_known_by_what_the_browser_says() -> None:
    for fetch_site, origin, cross in CROSS:
        assert is_cross_site(fetch_site, origin, OURS) is cross, (fetch_site, origin)


def test_no_false_host_is_served_and_no_redirect_leads_away(site: Site, alice: Visitor) -> None:
    before = site.dump()
    too_long = ("h" * 64, ".".join(["h" * 60] * 60))
    for host, address in product((*too_long, "a..b", "\xd9", "["), ("/nothing", "/class/board")):
        answer = site.visitor().get(address, environ_overrides={"HTTP_HOST": host})
        assert answer.status in (200, 400, 404)
        if host in too_long:
            assert (answer.status, answer.text) == (400, "This is not the name of a host.\n")
    hosts = {"/games": "evil.example", "//evil.example": "localhost", "/games//moves": "localhost"}
    for (address, host), method in product(hosts.items(), ("GET", "POST")):
        answer = alice.send(method, address, headers={"Host": host})
        assert urlsplit(answer.headers.get("Location", "")).netloc in ("", "localhost")
    assert "evil" not in alice.get("/", headers={"Host": "evil.example"}).text
    assert site.dump() == before


def test_ids_are_long_random_and_fit_an_address(alice: Visitor) -> None:
    ids = {alice.post("/games", START).location.removeprefix("/games/") for _ in range(40)}
    assert (len(ids), all(re.fullmatch(r"[A-Za-z0-9_-]{22}", one) for one in ids)) == (40, True)
    for place in range(21):  # the last character holds two bits only
        assert len({one[place] for one in ids}) > 10
