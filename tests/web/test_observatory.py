"""What a browser is told, by the rules of Mozilla's HTTP Observatory: A+, on every page."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from werkzeug.test import TestResponse

from tests.support.observatory import ASKED_FROM, Headers, graded
from tests.support.people import challenge, code_of
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp.service.classroom import Classroom
from webapp.service.games import Games

URL = "https://localhost"
ORIGIN = {"Origin": ASKED_FROM, "Sec-Fetch-Site": "same-origin"}

BEST = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Set-Cookie": "__Host-player=x; Secure; HttpOnly; SameSite=Lax; Path=/",
    "Referrer-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PINNED = '<script src="/a.js" integrity="sha384-x"></script>'


def with_headers(**changed: str | None) -> Headers:
    """The best headers, but for some."""
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    return [(name, value) for name, value in {**BEST, **named}.items() if value is not None]


# --- the grader itself ----------------------------------------------------------------------------


def test_everything_right_is_worth_140() -> None:
    found = graded(with_headers(), PINNED)
    assert (found.score, found.grade, found.faults) == (140, "A+", [])


def test_an_answer_without_any_of_it_is_a_d_or_worse() -> None:
    found = graded([("Content-Type", "text/html")], "<p>Hello</p>")
    assert (found.score, found.grade) == (30, "D")
    found = graded([("Set-Cookie", "a=b")], '<script src="//cdn.example/a.js"></script>')
    assert (found.score, found.grade) == (0, "F")


@pytest.mark.parametrize(
    "name,value,score,grade",
    [
        # Nothing is added to less than 90.
        ("Content_Security_Policy", None, 55, "C"),
        ("Content_Security_Policy", "nonsense", 55, "C"),
        ("Content_Security_Policy", "default-src 'none'; default-src 'self'", 55, "C"),
        ("Content_Security_Policy", "default-src *", 60, "C+"),
        ("Content_Security_Policy", "default-src 'self' 'unsafe-inline'", 60, "C+"),
        ("Content_Security_Policy", "default-src 'none'; script-src https:", 60, "C+"),
        ("Content_Security_Policy", "default-src 'none'; connect-src http://a.example", 60, "C+"),
        ("Content_Security_Policy", "default-src 'none'; frame-ancestors 'none'", 135, "A+"),
        ("Set_Cookie", None, 135, "A+"),
        ("Set_Cookie", "a=b; Secure; HttpOnly", 135, "A+"),
        ("Set_Cookie", "a=b; Secure; SameSite=Lax", 70, "B"),
        ("Set_Cookie", "a=b; HttpOnly; SameSite=Lax", 125, "A+"),
        ("Set_Cookie", "a=b; Secure; HttpOnly; SameSite=Sometimes", 80, "B+"),
        ("Referrer_Policy", None, 135, "A+"),
        ("Referrer_Policy", "unsafe-url", 130, "A+"),
        ("Referrer_Policy", "nonsense", 130, "A+"),
        ("Referrer_Policy", "nonsense, no-referrer", 140, "A+"),
        ("Strict_Transport_Security", None, 80, "B+"),
        ("Strict_Transport_Security", "max-age=x", 80, "B+"),
        ("Strict_Transport_Security", "max-age=86400", 130, "A+"),
        ("Strict_Transport_Security", "max-age=63072000; includeSubDomains; preload", 140, "A+"),
        ("X_Content_Type_Options", None, 135, "A+"),
        ("X_Content_Type_Options", "sniff", 135, "A+"),
        ("Cross_Origin_Resource_Policy", None, 130, "A+"),
        ("Cross_Origin_Resource_Policy", "same-site", 140, "A+"),
        ("Cross_Origin_Resource_Policy", "cross-origin", 130, "A+"),
        ("Cross_Origin_Resource_Policy", "nonsense", 125, "A+"),
        ("Access_Control_Allow_Origin", "*", 140, "A+"),
        ("Access_Control_Allow_Origin", "https://friend.example", 140, "A+"),
    ],
)
def test_each_header_is_worth_what_the_table_says(
    name: str, value: str | None, score: int, grade: str
) -> None:
    found = graded(with_headers(**{name: value}), PINNED)
    assert (found.score, found.grade) == (score, grade), found.points


@pytest.mark.parametrize(
    "policy,points",
    [
        ("default-src 'none'; form-action 'self'", 10),
        ("default-src 'none'", 5),
        ("default-src 'self'; form-action 'self'", 5),
        ("default-src 'none'; style-src 'unsafe-inline'", 0),
        ("default-src 'none'; img-src http:", -10),
        ("default-src 'none'; script-src 'self' 'unsafe-eval'", -10),
        ("default-src 'none'; script-src 'unsafe-inline'", -20),
        ("default-src 'none'; script-src data:", -20),
        ("default-src 'none'; object-src *", -20),
        ("script-src 'self'", -20),
        ("", -25),
    ],
)
def test_a_policy_is_as_good_as_its_weakest_part(policy: str, points: int) -> None:
    found = graded([("Content-Security-Policy", policy)])
    (result,) = [name for name in found.points if name.startswith("csp")]
    assert found.points[result] == points


@pytest.mark.parametrize(
    "script,points",
    [
        ('<script src="/a.js"></script>', 0),
        ('<script src="https://cdn.example/a.js" integrity="sha384-x"></script>', 5),
        ('<script src="https://cdn.example/a.js"></script>', -5),
        (f'{PINNED}<script src="//cdn.example/a.js" integrity="sha384-x"></script>', -20),
        (f'{PINNED}<script src="http://cdn.example/a.js"></script>', -50),
        (PINNED, 5),
        ("<p>none</p>", 0),
    ],
)
def test_a_page_is_as_good_as_its_weakest_script(script: str, points: int) -> None:
    found = graded(with_headers(), script)
    (result,) = [name for name in found.points if name.startswith("sri")]
    assert found.points[result] == points


@pytest.mark.parametrize(
    "frames,points", [("DENY", 0), ("SAMEORIGIN", 0), ("ALLOW-FROM a", 0), ("x", -20), (None, -20)]
)
def test_an_older_header_about_frames_counts_without_a_policy(
    frames: str | None, points: int
) -> None:
    headers = [("X-Frame-Options", frames)] if frames else []
    found = graded(headers)
    assert next(found.points[name] for name in found.points if "x-frame" in name) == points


def test_an_answer_that_anybody_may_read_with_cookies_is_no_a() -> None:
    shared = {"Access_Control_Allow_Origin": ASKED_FROM, "Access_Control_Allow_Credentials": "true"}
    found = graded(with_headers(**shared), PINNED)
    assert (found.score, found.grade) == (50, "C")


# --- the site -------------------------------------------------------------------------------------


def addresses(alice: Visitor) -> dict[str, list[str]]:
    """Some addresses for each of the site's routes that one may look at."""
    game = alice.start("easy", "x", cell=4).address
    waiting = challenge(alice)
    return {
        "static": [],  # all of the files have a test of their own
        "play.front": ["/", "/?opponent=hard&mark=o"],
        "play.game": [game, f"{game}?since=1", waiting.address],
        "classroom.class_": ["/class"],
        "classroom.board": ["/class/board"],
        "classroom.find": ["/join?code=AAAAAA"],
        "classroom.invitation": [f"/join/{code_of(waiting)}"],
        "people.you": ["/you"],
        "people.privacy": ["/privacy", "/privacy?forgotten=1"],
        "learn.learn": ["/learn"],
        "learn.opponents": ["/opponents"],
        "learn.opponent": ["/opponents/hard"],
        "review.review": ["/review/40281", "/review/4?at=0&values=1"],
        "lab.lab": ["/lab"],
        "lab.experiment": ["/lab/experiment?games=10"],
        "lab.rules": ["/lab/rules"],
        "health.healthz": ["/healthz"],
    }


def ask(who: Visitor, method: str, address: str, *, fragment: bool = False) -> TestResponse:
    """Ask without reading: a part of a page is graded by itself, and so is a picture."""
    headers = {**ORIGIN, **(FRAGMENT if fragment else {})}
    return who._client.open(address, method=method, headers=headers, base_url=URL, buffered=True)


def check(answer: TestResponse, what: str) -> None:
    body = answer.get_data().decode(errors="replace")
    found = graded(list(answer.headers.items()), body)
    assert (found.grade, found.faults) == ("A+", []), (what, found.points)
    assert answer.headers["X-Frame-Options"] == "DENY", what


def test_every_page_and_every_part_of_one_is_an_a_plus(site: Site) -> None:
    alice = site.visitor(URL)
    routes = addresses(alice)
    pages = {
        rule.endpoint for rule in site.app.url_map.iter_rules() if "GET" in (rule.methods or ())
    }
    assert set(routes) == pages
    for address in [address for some in routes.values() for address in some]:
        for fragment in (False, True):
            for method in ("GET", "HEAD", "OPTIONS"):
                for who in (alice, site.visitor(URL)):
                    answer = ask(who, method, address, fragment=fragment)
                    assert answer.status_code in (200, 204, 303, 404)
                    check(answer, f"{method} {address}")


def test_a_page_for_a_newcomer_has_nearly_all_points_there_are(site: Site) -> None:
    answer = site.visitor(URL).get("/", headers=ORIGIN)
    assert graded(list(answer.headers.items()), answer.text).score == 140


def test_every_static_file_is_an_a_plus(site: Site) -> None:
    folder = site.file.parent.joinpath(site.app.static_folder or "")
    names = [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()]
    assert len(names) >= 5
    for name in names:
        answer = ask(site.visitor(URL), "GET", f"/static/{name}")
        assert answer.status_code == 200
        check(answer, name)


@pytest.mark.parametrize("fragment", [False, True])
def test_every_refusal_is_an_a_plus(site: Site, fragment: bool) -> None:
    alice, bob = site.visitor(URL), site.visitor(URL)
    page = alice.start("easy", "x", cell=4)
    game, old = page.address, {"version": 9, "cell": 0}
    waiting = challenge(alice)
    sent = {
        "303": alice.post("/games", {"opponent": "easy", "mark": "x"}, headers=ORIGIN),
        "400": alice.get("/", environ_overrides={"HTTP_HOST": "h" * 64}, headers=ORIGIN),
        "403": bob.post(f"{game}/moves", old, headers=ORIGIN, fragment=fragment),
        "403, another site": alice.post("/games", headers={"Sec-Fetch-Site": "cross-site"}),
        "404": alice.get("/nothing", headers=ORIGIN, fragment=fragment),
        "404, a game": alice.get("/games/nothing", headers=ORIGIN, fragment=fragment),
        "404, a file": alice.get("/static/nothing", headers=ORIGIN),
        "405": alice.send("DELETE", "/", headers=ORIGIN, fragment=fragment),
        "409": alice.post(f"{game}/moves", old, headers=ORIGIN, fragment=fragment),
        "409, a seat": alice.post(f"/join/{code_of(waiting)}", headers=ORIGIN),
        "413": alice.post("/games", {"x": "x" * 17 * 1024}, headers=ORIGIN, fragment=fragment),
        "422": alice.post("/games", {"mark": "z"}, headers=ORIGIN, fragment=fragment),
        "422, a page": alice.get("/lab/experiment?games=x", headers=ORIGIN, fragment=fragment),
    }
    for what, answer in sent.items():
        assert answer.status == int(what[:3]), what
        check(answer.response, what)


@contextmanager
def broken(monkeypatch: pytest.MonkeyPatch, site: Site, error: Exception) -> Iterator[None]:
    def fails(*_args: object) -> None:
        raise error

    site.app.logger.setLevel(logging.CRITICAL + 1)
    with monkeypatch.context() as patch:
        patch.setattr(Games, "front", fails)
        patch.setattr(Classroom, "look", fails)
        yield
    site.app.logger.setLevel(logging.NOTSET)


@pytest.mark.parametrize("fragment", [False, True])
def test_every_fault_is_an_a_plus(
    own_site: Site, monkeypatch: pytest.MonkeyPatch, fragment: bool
) -> None:
    from sqlalchemy.exc import OperationalError

    alice = own_site.visitor(URL)
    faults = {503: OperationalError("", {}, Exception("locked")), 500: RuntimeError("broken")}
    for status, error in faults.items():
        with broken(monkeypatch, own_site, error):
            for address in ("/", "/class", "/class/board"):
                answer = alice.get(address, headers=ORIGIN, fragment=fragment)
                assert answer.status == status
                check(answer.response, f"{status} {address}")


def test_on_plain_http_nothing_is_said_that_browsers_complain_about(site: Site) -> None:
    headers = site.visitor("http://play.lan:8000").get("/").headers
    assert not {"Strict-Transport-Security", "Cross-Origin-Opener-Policy"} & set(headers.keys())
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
