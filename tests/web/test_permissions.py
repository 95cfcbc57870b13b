"""Who may do what: every address of the site, for everyone who could come by.

What a game allows in each of its states is the part of ``tests/unit/core/test_game.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug.routing import Rule

from tests.support.page import Page
from tests.support.people import name_of, player_of, sign_in, sit_down
from tests.support.played import rows
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.service.teacher import number

PEOPLE = ("player", "opponent", "watcher", "stranger", "nobody")
"""The two at the game; someone with a cookie; someone without; a request with bad values."""

NO_GAME, NO_CODE = "A" * 22, "AAAAAA"

# What a request carries that is meant well, and what "nobody" sends instead.
FIELDS: Mapping[str, tuple[dict[str, object], dict[str, object]]] = {
    "play.start": ({"opponent": "easy", "mark": "x"}, {"opponent": "nobody", "mark": "x"}),
    "lobby.challenge": ({"mark": "x"}, {"mark": "y"}),
    "languages.choose": ({"language": "en"}, {}),
    "people.name": ({}, {"name": "Ada"}),
    "learn.answer": ({"position": "0", "cell": "4"}, {"position": "0", "cell": "0"}),
}
# Where it goes where no game and no code is part of the address: likewise.
ADDRESSES: Mapping[str, tuple[str, str]] = {
    "play.front": ("/", "/?opponent=nobody"),
    "lobby.find": ("/join?code={code}", f"/join?code={NO_CODE}"),
    "lobby.qr_code": ("/qr.svg?code={code}", "/qr.svg?code=!"),
    "learn.opponent": ("/opponents/easy", "/opponents/nobody"),
    "learn.worksheet": ("/learn/paper/puzzles?seed=1", "/learn/paper/puzzles?number=5&seed=1"),
    "learn.map_": ("/learn/map?moves=04", "/learn/map?moves=00"),
    "lab.lab": ("/lab", "/lab?x=nobody&o=easy"),
    "lab.experiment": ("/lab/experiment?games=10", "/lab/experiment?games=0"),
    "lab.rules": ("/lab/rules", "/lab/rules?list=win&list=block"),
    "review.review": ("/review/40281", "/review/00"),
    "menace.look": ("/menace?moves=40", "/menace?moves=00"),
    "static": ("/static/app.js", "/static/nothing.css"),
}

ALL_MAY_LOOK = (
    *("lobby.class_", "lobby.board", "lobby.calls", "people.you", "people.privacy", "learn.learn"),
    *("learn.opponents", "learn.openings", "learn.puzzles", "health.healthz"),
    *("learn.paper", "learn.instructions", "learn.matchboxes"),
    "teacher.host",  # the form to sign in; all else is the host's alone
)
# There is no tournament here, and nothing is asked: that is in the tests of them.
TOURNAMENTS = ("GET tournament", "GET table", "GET play", "POST join", "POST leave")
POLLS = ("GET question", "GET question_json", "POST answer", "GET quiz", "GET quiz_as_json")

# The columns are PEOPLE.
EXPECTED: Mapping[str, str] = {
    **{f"GET {endpoint}": "200 200 200 200 200" for endpoint in ALL_MAY_LOOK},
    **{one.replace(" ", " tournaments."): "404 404 404 404 404" for one in TOURNAMENTS},
    **{one.replace(" ", " polls."): "404 404 404 404 404" for one in POLLS},
    "GET learn.run": "200 200 200 200 200",
    "POST learn.run_again": "303 303 303 303 303",
    "POST learn.answer": "200 200 200 200 422",
    "GET play.front": "200 200 200 200 422",
    "POST play.start": "303 303 303 303 422",
    "GET play.game": "200 200 200 200 404",
    "POST play.move": "303 409 403 403 404",
    "POST play.undo": "409 409 403 403 404",
    "POST play.hint": "409 409 403 403 404",
    "POST play.again": "409 409 403 403 404",
    "POST play.resign": "303 303 403 403 404",
    "POST play.claim": "409 409 403 403 404",
    "GET lobby.invitation": "200 200 200 200 404",
    "POST lobby.join": "303 303 409 409 404",
    "POST lobby.goodbye": "204 204 204 204 204",
    "GET lobby.qr_code": "200 200 200 200 404",
    "POST lobby.challenge": "409 409 303 303 422",
    "POST lobby.decline": "303 303 303 303 303",
    "POST lobby.seek": "409 409 303 303 303",
    "POST lobby.cancel": "303 303 303 303 303",
    "GET lobby.find": "303 303 303 303 404",
    "POST languages.choose": "303 303 303 303 422",
    "POST people.name": "303 303 303 303 422",
    "POST people.new": "303 303 303 303 303",
    "POST people.forget": "303 303 303 303 303",
    "GET learn.opponent": "200 200 200 200 404",
    "GET learn.worksheet": "200 200 200 200 422",
    "GET learn.map_": "200 200 200 200 422",
    "GET lab.lab": "200 200 200 200 422",
    "GET lab.experiment": "200 200 200 200 422",
    "GET lab.league": "404 404 404 404 404",  # this server has no functions
    "GET lab.rules": "200 200 200 200 422",
    "GET review.review": "200 200 200 200 404",
    "GET menace.look": "200 200 200 200 422",
    "POST teacher.sign_in": "403 403 403 403 403",
    "GET static": "200 200 200 200 404",
}

# What the host sends, and gets; everyone else is refused.
HOSTS: Mapping[str, tuple[dict[str, str], int]] = {
    "GET teacher.find": ({"name": "{name}"}, 303),
    "GET teacher.guest": ({}, 200),
    "POST teacher.rename": ({"name": "Ada", "was": "{name}"}, 303),
    "POST teacher.remove": ({}, 303),
    "POST teacher.names": ({"locked": "1"}, 303),
    "POST teacher.reset": ({}, 303),
    "POST teacher.pause": ({}, 303),
    "POST teacher.resume": ({}, 303),
    "POST teacher.wall": ({"moves": "402"}, 303),
    "GET teacher.lesson": ({}, 200),
    "GET teacher.players_csv": ({}, 200),
    "GET teacher.games_csv": ({}, 200),
    "GET teacher.results_csv": ({}, 404),
    "POST teacher.new_tournament": ({"format": "knockout"}, 422),
    "POST teacher.start_tournament": ({}, 404),
    "POST teacher.next_round": ({}, 404),
    "POST teacher.end_tournament": ({}, 404),
    "POST teacher.late": ({"late": "1"}, 404),
    "POST teacher.put_out": ({"player": "1"}, 404),
    "POST teacher.let_in": ({"player": "1"}, 404),
    "POST teacher.leave": ({}, 303),
    "GET asking.choose": ({"moves": "40"}, 200),
    "POST asking.ask": ({"kind": "win"}, 303),
    "POST asking.close": ({}, 404),
    "POST asking.reveal": ({}, 404),
    "POST asking.done": ({}, 404),
    "POST asking.new_quiz": ({"number": "5", "kinds": "win"}, 303),
    "POST asking.go_on": ({}, 303),
    "POST asking.end": ({}, 404),
    "GET asking.quiz_csv": ({}, 404),
    "POST asking.new_vote": ({"opponent": "hard", "mark": "x"}, 303),
    "POST training.train": ({"rival": "hard", "games": "5"}, 303),
    "POST training.start_afresh": ({}, 303),
    "POST training.take_back": ({"player": "{number}"}, 303),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this module's own, so that comparing all that is stored takes no time."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


@dataclass(frozen=True)
class Scene:
    """A game that goes on, and everyone who could come by."""

    site: Site
    people: Mapping[str, Visitor]
    game: str
    code: str

    def send(self, route: str, who: str, *, fragment: bool = False) -> Page:
        """Send the request of one of them."""
        method, endpoint = route.split()
        sent = dict[str, object]()
        if endpoint in FIELDS:
            sent = FIELDS[endpoint][who == "nobody"]
        elif route in HOSTS:
            name = name_of(self.people["player"])
            known = {"name": name, "number": number(player_of(self.people["player"]))}
            sent = {key: value.format(**known) for key, value in HOSTS[route][0].items()}
        elif method == "POST":
            sent = {"version": self.site.stored(self.game)["version"], "cell": 8}
        more: dict[str, Any] = {"query_string" if method == "GET" else "fields": sent}
        address = self.address(endpoint, who)
        return self.people[who].send(method, address, fragment=fragment, **more if sent else {})

    def address(self, endpoint: str, who: str = "player") -> str:
        """Where this request of theirs goes."""
        bad = who == "nobody"
        if endpoint in ADDRESSES:
            return ADDRESSES[endpoint][bad].format(code=self.code)
        (rule,) = self.site.app.url_map.iter_rules(endpoint)
        game, code = (NO_GAME, NO_CODE) if bad else (self.game, self.code)
        address = rule.rule.replace("<int:number>", str(number(player_of(self.people["player"]))))
        address = address.replace("<id_>", NO_GAME)
        return address.replace("<game_id>", game).replace("<code>", code)


def scene(site: Site) -> Scene:
    player, opponent, watcher, nobody = (site.visitor() for _ in range(4))
    for visitor in (player, opponent, watcher, nobody):
        visitor.get("/class")
    watcher.set_cookie("x" * 43, "host")  # which is a guess
    pair = sit_down(player, opponent)
    pair.play("04")
    game = pair.address.removeprefix("/games/")
    everyone = (player, opponent, watcher, site.visitor(), nobody)
    return Scene(site, dict(zip(PEOPLE, everyone, strict=True)), game, site.stored(game)["code"])


def rules_of(site: Site, method: str) -> list[Rule]:
    return [rule for rule in site.app.url_map.iter_rules() if method in (rule.methods or ())]


def test_the_tables_have_every_address_of_the_site(site: Site) -> None:
    routes = {f"{how} {rule.endpoint}" for how in ("GET", "POST") for rule in rules_of(site, how)}
    assert routes == {*EXPECTED, *HOSTS}


@pytest.mark.parametrize("route", EXPECTED)
def test_everyone_may_do_what_the_table_says_and_no_look_or_refusal_stores_anything(
    site: Site, route: str
) -> None:
    here, found = scene(site), list[int]()
    for who in PEOPLE:
        if found and found[-1] < 400 and route.startswith("POST"):
            here = scene(site)  # what succeeded has changed it
        before = rows(site.database)
        found.append(here.send(route, who).status)
        named = route == "GET lobby.class_" and who == "stranger"
        named |= route == "GET learn.run"  # which begins with the first look
        if (route.startswith("GET") and not named) or found[-1] >= 400:
            assert rows(site.database) == before, f"{route} for {who} stored something"
    assert " ".join(map(str, found)) == EXPECTED[route], f"{route}: {', '.join(PEOPLE)}"


@pytest.mark.parametrize("route", HOSTS)
def test_the_host_alone_may_do_what_is_the_hosts(own_site: Site, route: str) -> None:
    key, here = HostKey(own_site.settings).ensure(), scene(own_site)
    name, before = name_of(here.people["player"]), rows(own_site.database)
    for who in PEOPLE:
        told = "Sign out", "Journal", *[name] * (who != "player")
        for fragment in (False, True):
            answer = here.send(route, who, fragment=fragment)
            assert (answer.status, 'name="key"' in answer.text) == (403, True), who
            assert not any(one in answer.text for one in told), who
            assert answer.headers.get("HX-Retarget") == ("body" if fragment else None)
    assert rows(own_site.database) == before
    host = sign_in(own_site, key)
    here = Scene(own_site, {**here.people, "host": host}, here.game, here.code)
    assert here.send(route, "host").status == HOSTS[route][1]


def test_another_sites_page_and_a_link_can_do_nothing(site: Site) -> None:
    here = scene(site)
    alice = here.people["player"]
    assert alice.post("/host", {"key": HostKey(site.settings).ensure()}).status == 303
    cookies, before = (alice.cookie(), alice.cookie("host")), rows(site.database)
    fields = {"version": 4, "cell": 8, "opponent": "easy", "mark": "x"}
    for rule in rules_of(site, "POST"):
        address = here.address(rule.endpoint)
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
            for who in (alice, site.visitor()):
                answer = who.post(address, fields, headers=headers)
                assert (answer.status, "Set-Cookie" in answer.headers) == (403, False), address
                assert "This request came from another site" in answer.document.text
        if rule.rule not in [one.rule for one in rules_of(site, "GET")]:
            assert alice.get(address).status == 405
    assert (alice.cookie(), alice.cookie("host")) == cookies
    assert rows(site.database) == before
    assert alice.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status == 200, "but lead here"
    assert alice.post("/seeks/cancel", headers={"Origin": "http://localhost"}).status == 303
