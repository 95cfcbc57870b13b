"""Who may do what: every address of the site, for everyone who could come by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa
from werkzeug.routing import Rule

from tests.support.page import Page
from tests.support.patience import until
from tests.support.people import Clock, challenge, code_of, name_of, player_of, sign_in, sit_down
from tests.support.played import Stored, rows
from tests.support.visitor import Site, Visitor
from webapp.service import tickets
from webapp.service.key import HostKey
from webapp.service.teacher import number
from webapp.store.schema import metadata

PEOPLE = ("player", "opponent", "watcher", "stranger")
"""The two at the game; someone with a cookie; someone without."""

FIELDS: Mapping[str, Mapping[str, str]] = {
    "play.start": {"opponent": "easy", "mark": "x"}, "lobby.challenge": {"mark": "x"},
    "languages.choose": {"language": "en"}, "people.name": {},
    "learn.answer": {"position": "0", "cell": "4"}, "teacher.find": {"name": "{name}"},
    "learn.attempt": {"at": "draw.1", "cell": "4"},
    "teacher.rename": {"name": "Ada", "was": "{name}"},
    "teacher.address": {"address": "192.168.1.20"}, "teacher.names": {"locked": "1"},
    "teacher.places": {"places": "all"}, "teacher.plan": {"at": "rules.2"},
    "teacher.wall": {"moves": "402"}, "teacher.put_out": {"player": "1"},
    "teacher.let_in": {"player": "1"}, "asking.ask": {"kind": "win"},
    "asking.new_quiz": {"number": "5", "kinds": "win"},
    "asking.new_vote": {"opponent": "hard", "mark": "x"},
    "training.train": {"rival": "hard", "games": "5"},
    "lobby.find": {"code": "{code}"}, "tickets.show": {"code": "{ticket}"},
    "tickets.go_on": {"code": "{ticket}"}, "handing.make": {"more": "1"},
    "handing.hand_over": {"player": "{number}"},
}  # fmt: skip
# Where it goes, if that is not what its rule says.
ADDRESSES: Mapping[str, str] = {
    "learn.opponent": "/opponents/easy",
    "learn.worksheet": "/learn/paper/puzzles?seed=1", "learn.map_": "/learn/map?moves=04",
    "lab.experiment": "/lab/experiment?games=10", "review.review": "/review/40281",
    "static": "/static/app.js",
    **{f"teacher.{one}_table": f"/host/{one}.xlsx" for one in ("players", "games", "results")},
    "asking.quiz_table": f"/host/quizzes/{'A' * 22}.csv",
}  # fmt: skip


def all_of(status: int, method: str, endpoints: str) -> dict[str, str]:
    return {f"{method} {endpoint}": " ".join([str(status)] * 4) for endpoint in endpoints.split()}


# The columns are PEOPLE.
EXPECTED: Mapping[str, str] = {
    **all_of(200, "GET", "lobby.class_ wall.board lobby.calls lobby.invitation"),
    **all_of(
        200,
        "GET",
        "learn.learn learn.opponents learn.opponent learn.openings learn.puzzles lookahead.watch",
    ),
    **all_of(200, "GET", "learn.paper learn.instructions learn.matchboxes learn.worksheet"),
    **all_of(200, "GET", "learn.run learn.map_ lab.lab lab.experiment lab.rules review.review"),
    **all_of(200, "GET", "people.you people.privacy play.front play.game menace.look static"),
    **all_of(200, "GET", "health.healthz teacher.host"),  # the form to sign in
    **all_of(200, "POST", "learn.answer learn.attempt"),
    **all_of(204, "POST", "events.goodbye"),
    **all_of(400, "GET", "events.events"),  # without a topic
    **all_of(303, "POST", "lobby.find tickets.answer"),
    **all_of(200, "GET", "tickets.enter"),
    **all_of(200, "POST", "tickets.show tickets.own"),
    "POST tickets.go_on": "303 303 303 422",  # a browser that keeps no cookie
    **all_of(303, "POST", "play.start lobby.come_in lobby.decline lobby.cancel learn.run_again"),
    **all_of(303, "POST", "languages.choose people.name people.new people.forget"),
    **all_of(403, "GET", "teacher.link"),
    **all_of(403, "POST", "teacher.sign_in teacher.enter"),
    # There is no tournament here, nothing is asked, and there are no functions.
    **all_of(404, "GET", "tournaments.tournament tournaments.play polls.question polls.quiz"),
    **all_of(404, "POST", "tournaments.join tournaments.leave polls.answer"),
    **all_of(404, "GET", "lab.league"),
    "POST play.move": "303 409 403 403",
    "POST play.undo": "409 409 403 403",
    "POST play.hint": "409 409 403 403",
    "POST play.again": "409 409 403 403",
    "POST play.resign": "303 303 403 403",
    "POST play.claim": "409 409 403 403",
    "POST lobby.join": "409 409 303 303",
    "POST lobby.challenge": "409 409 303 303",
    "POST lobby.seek": "409 409 303 303",
}

HOSTS: Mapping[str, str] = {
    **all_of(200, "GET", "teacher.guest teacher.lesson teacher.players_table teacher.games_table"),
    **all_of(200, "GET", "asking.choose"),
    **all_of(303, "GET", "teacher.find"),
    **all_of(200, "GET", "handing.sheet"),
    **all_of(303, "POST", "handing.make handing.renew handing.hand_over handing.next_class"),
    **all_of(303, "POST", "teacher.rename teacher.remove teacher.names"),
    **all_of(303, "POST", "teacher.places teacher.plan"),
    **all_of(303, "POST", "teacher.reset teacher.pause teacher.resume teacher.wall teacher.leave"),
    **all_of(303, "POST", "asking.ask asking.new_quiz asking.new_vote"),
    **all_of(303, "POST", "training.train training.end training.start_over"),
    **all_of(404, "GET", "teacher.results_table asking.quiz_table"),
    **all_of(404, "POST", "teacher.start_tournament teacher.next_round teacher.end_tournament"),
    **all_of(404, "POST", "teacher.late teacher.put_out teacher.let_in"),
    **all_of(404, "POST", "asking.close asking.reveal asking.done asking.end asking.take_back"),
    **all_of(422, "POST", "teacher.new_tournament teacher.address"),
}


@dataclass(frozen=True)
class Scene:
    """A game that goes on, the cookies of everyone who could come by, and all that is stored."""

    site: Site
    cookies: Mapping[str, Mapping[str, str]]
    known: Mapping[str, object]
    stored: Stored

    def visitor(self, who: str) -> Visitor:
        visitor = self.site.visitor()
        for name, value in self.cookies[who].items():
            visitor.set_cookie(value, name)
        return visitor

    def send(self, route: str, who: str, *, fragment: bool = False) -> Page:
        """Send the request of one of them, by default to move as the game stands."""
        method, endpoint = route.split()
        fields = FIELDS.get(endpoint, {} if method == "GET" else {"version": "3", "cell": "8"})
        sent = {key: value.format(**self.known) for key, value in fields.items()}
        more: dict[str, Any] = {"query_string" if method == "GET" else "fields": sent}
        address = self.address(endpoint)
        return self.visitor(who).send(method, address, fragment=fragment, **more if sent else {})

    def address(self, endpoint: str) -> str:
        (rule,) = self.site.app.url_map.iter_rules(endpoint)
        address = re.sub("<(?:int:)?(id_|token)>", "A" * 22, ADDRESSES.get(endpoint, rule.rule))
        address = address.replace("<int:number>", "{number}").replace("<", "{").replace(">", "}")
        return address.format(**self.known)

    @property
    def unchanged(self) -> bool:
        return rows(self.site.database) == self.stored

    def restore(self) -> None:
        until(lambda: self.site.service.learnt.training is None)
        with self.site.database.write() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(sa.delete(table))
            for table in metadata.sorted_tables:
                if kept := [*self.stored[table.name].values()]:
                    connection.execute(sa.insert(table), kept)
        assert self.unchanged


@pytest.fixture
def scene(site: Site, clock: Clock) -> Scene:
    del clock  # on which no one goes meanwhile
    host = sign_in(site, HostKey(site.settings).ensure())
    player, opponent, watcher, inviting = (site.visitor() for _ in range(4))
    for visitor in (player, opponent, watcher, inviting):
        visitor.come_in()
    pair = sit_down(player, opponent)
    pair.play("04")
    cookies = {
        "player": {"player": player.cookie() or ""},
        "opponent": {"player": opponent.cookie() or ""},
        "watcher": {"player": watcher.cookie() or "", "host": "x" * 43},  # which is a guess
        "stranger": {}, "host": {"host": host.cookie("host") or ""},
    }  # fmt: skip
    game = site.stored(pair.address)
    known = {"name": name_of(player), "number": number(player_of(player))}
    ticket = tickets.ticket(site.service, player_of(inviting)).code
    known |= {"game_id": game["id"], "code": code_of(challenge(inviting)), "ticket": ticket}
    return Scene(site, cookies, known, rows(site.database))


def rules_of(site: Site, method: str) -> list[Rule]:
    return [rule for rule in site.app.url_map.iter_rules() if method in (rule.methods or ())]


def test_the_tables_have_every_address_of_the_site(site: Site) -> None:
    routes = {f"{how} {one.endpoint}" for how in ("GET", "POST") for one in rules_of(site, how)}
    assert routes == {*EXPECTED, *HOSTS}


def test_everyone_may_do_what_the_table_says_and_only_that_is_stored(scene: Scene) -> None:
    for route, expected in EXPECTED.items():
        found = list[int]()
        for who in PEOPLE:
            found.append(scene.send(route, who).status)
            if route.startswith("POST") and found[-1] < 400:
                scene.restore()
        assert " ".join(map(str, found)) == expected, f"{route}: {', '.join(PEOPLE)}"
        assert scene.unchanged, route


def test_the_host_alone_may_do_what_is_the_hosts(scene: Scene) -> None:
    name = str(scene.known["name"])
    for route, expected in HOSTS.items():
        for who, fragment in (("player", False), ("watcher", True), ("stranger", False)):
            told = "Sign out", "Forget all", *[name] * (who != "player")
            answer = scene.send(route, who, fragment=fragment)
            assert (answer.status, 'name="key"' in answer.text) == (403, True), (route, who)
            assert not any(one in answer.text for one in told), (route, who)
            assert answer.headers.get("HX-Retarget") == ("body" if fragment else None)
        assert scene.unchanged, route
        assert str(scene.send(route, "host").status) in expected, route
        if route.startswith("POST"):
            scene.restore()


def test_another_sites_page_and_a_link_can_do_nothing(scene: Scene) -> None:
    alice, stranger = scene.visitor("player"), scene.visitor("stranger")
    alice.set_cookie(scene.cookies["host"]["host"], "host")
    fields = {"version": 3, "cell": 8, "opponent": "easy", "mark": "x"}
    can_be_seen = [rule.rule for rule in rules_of(scene.site, "GET")]
    for rule in rules_of(scene.site, "POST"):
        address = scene.address(rule.endpoint)
        for who, headers in (
            (alice, {"Sec-Fetch-Site": "cross-site"}),
            (stranger, {"Origin": "http://evil.example"}),
        ):
            answer = who.post(address, fields, headers=headers)
            assert (answer.status, "Set-Cookie" in answer.headers) == (403, False), address
        assert rule.rule in can_be_seen or alice.get(address).status == 405
    assert scene.unchanged
    assert alice.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status == 200, "but lead here"
    assert alice.post("/seeks/cancel", headers={"Origin": "http://localhost"}).status == 303
