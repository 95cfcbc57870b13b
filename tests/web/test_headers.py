"""The headers of every page and of every kind of answer: one table."""

import re
from unittest.mock import Mock

import pytest
from werkzeug.exceptions import ServiceUnavailable
from werkzeug.test import TestResponse

from tests.support.people import challenge, code_of
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp.service.tournaments import Tournaments
from webapp.tournament.event import Format, Opening

ALWAYS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BY_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
}
"""Browsers complain about these on plain HTTP."""

STATIC = "/static/"


def check(answer: TestResponse) -> None:
    """Hold an answer to the table."""
    request = answer.request
    what = f"{answer.status} to {request.method} {request.path}"
    secure = request.scheme == "https"
    for name, value in (ALWAYS | BY_HTTPS).items():
        expected = value if secure or name in ALWAYS else None
        assert answer.headers.get(name) == expected, (what, name)
    if not (request.path.startswith(STATIC) and answer.status_code == 200):
        assert answer.headers["Cache-Control"] == "no-store", what
    told = str(answer.headers).lower()
    assert not re.search("access-control|werkzeug|flask|python|sqlite|psycopg", told), what


def tournament(alice: Visitor) -> str:
    """A tournament that players can join."""
    service: Tournaments = alice._client.application.extensions["tournaments"]
    found = service.latest()
    return found.id if found else service.create(Format.ARENA, Opening.SHARP, 15, 15)


def pages(alice: Visitor) -> dict[str, list[str]]:
    """Some addresses for each of the site's routes that one may look at."""
    game = alice.start("easy", "x", cell=4).address
    waiting = challenge(alice)
    event = f"/tournaments/{tournament(alice)}"
    return {
        "static": ["/static/app.css", "/static/nothing"],
        "play.front": ["/", "/?opponent=hard&mark=o"],
        "play.game": [game, f"{game}?since=1", waiting.address, "/games/nothing"],
        "lobby.class_": ["/class"],
        "lobby.board": ["/class/board"],
        "lobby.calls": ["/calls", "/calls?since=1"],
        "lobby.qr_code": ["/qr.svg?code=!"],
        "lobby.find": ["/join?code=AAAAAA"],
        "lobby.invitation": [f"/join/{code_of(waiting)}"],
        "people.you": ["/you"],
        "people.privacy": ["/privacy?forgotten=1"],
        "learn.learn": ["/learn"],
        "learn.opponents": ["/opponents"],
        "learn.opponent": ["/opponents/hard"],
        "learn.openings": ["/openings"],
        "review.review": ["/review/40281", "/review/4?at=0&values=1"],
        "lab.lab": ["/lab"],
        "lab.experiment": ["/lab/experiment?games=10"],
        "lab.league": ["/lab/league"],
        "lab.rules": ["/lab/rules"],
        "hosting.host": ["/host"],
        "hosting.find": ["/host/players"],
        "hosting.guest": ["/host/players/1"],
        "hosting.players_csv": ["/host/players.csv"],
        "hosting.games_csv": ["/host/games.csv"],
        "hosting.results_csv": ["/host/results.csv"],
        "tournaments.tournament": [event],
        "tournaments.table": [f"{event}.json"],
        "tournaments.play": [f"{event}/play", "/tournaments/nothing/play"],
        "health.healthz": ["/healthz"],
    }


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_page_has_the_headers(site: Site, scheme: str) -> None:
    alice = site.visitor(f"{scheme}://localhost")
    routes = pages(alice)
    rules = site.app.url_map.iter_rules()
    assert set(routes) == {rule.endpoint for rule in rules if "GET" in (rule.methods or ())}
    for address in [address for some in routes.values() for address in some]:
        for headers in ({}, FRAGMENT):
            for method in ("GET", "HEAD", "OPTIONS"):
                answer = alice._client.open(
                    address, method=method, headers=headers, base_url=alice._url, buffered=True
                )
                assert answer.status_code in (200, 204, 303, 403, 404)
                check(answer)


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_refusal_has_the_headers(site: Site, scheme: str, fragment: bool) -> None:
    alice, bob = (site.visitor(f"{scheme}://localhost") for _ in range(2))
    game = alice.start("easy", "x", cell=4).address
    old, seat = {"version": 9, "cell": 0}, f"/join/{code_of(challenge(alice))}"
    large = {"x": "x" * 17 * 1024}
    for status, answer in (
        (303, alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4})),
        (400, alice.get("/", environ_overrides={"HTTP_HOST": "h" * 64})),
        (403, bob.post(f"{game}/moves", old, fragment=fragment)),
        (403, alice.post("/games", headers={"Sec-Fetch-Site": "cross-site"})),
        (404, alice.get("/nothing", fragment=fragment)),
        (405, alice.send("DELETE", "/", fragment=fragment)),
        (409, alice.post(f"{game}/moves", old, fragment=fragment)),
        (409, alice.post(seat)),
        (413, alice.post("/games", large, fragment=fragment)),
        (422, alice.post("/games", {"mark": "z"}, fragment=fragment)),
        (422, alice.get("/lab/experiment?games=x", fragment=fragment)),
    ):
        assert answer.status == status
        check(answer.response)


@pytest.mark.parametrize("error,status", [(RuntimeError("x"), 500), (ServiceUnavailable(), 503)])
def test_every_fault_has_the_headers(
    own_site: Site, error: Exception, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_site.app.logger, "disabled", True)  # all sites share it
    own_site.app.view_functions["play.front"] = Mock(side_effect=error)
    for headers in ({}, FRAGMENT):
        answer = own_site.visitor("https://localhost").get("/", headers=headers)
        assert answer.status == status
        check(answer.response)
