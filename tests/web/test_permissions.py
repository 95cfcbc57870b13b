"""Who may do what: every address of the site, for everybody who could come by, in every state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from tests.support.people import Clock, challenge, code_of, player_of, sit_down
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.host import number

PEOPLE = ("player", "opponent", "watcher", "stranger", "nobody")
"""The two at the game; somebody with a cookie; somebody without; a request with bad values."""

NO_GAME, NO_CODE = "A" * 22, "AAAAAA"

# What a request carries that is meant well, and what "nobody" sends instead.
FIELDS: Mapping[str, tuple[dict[str, object], dict[str, object]]] = {
    "play.start": ({"opponent": "easy", "mark": "x"}, {"opponent": "nobody", "mark": "x"}),
    "lobby.challenge": ({"mark": "x"}, {"mark": "y"}),
    "people.name": ({}, {"name": "Ada"}),
}
# Where it goes where no game and no code is part of the address: likewise.
ADDRESSES: Mapping[str, tuple[str, str]] = {
    "play.front": ("/", "/?opponent=nobody"),
    "lobby.find": ("/join?code={code}", f"/join?code={NO_CODE}"),
    "lobby.qr_code": ("/qr.svg?code={code}", "/qr.svg?code=!"),
    "learn.opponent": ("/opponents/easy", "/opponents/nobody"),
    "lab.lab": ("/lab", "/lab?x=nobody&o=easy"),
    "lab.experiment": ("/lab/experiment?games=10", "/lab/experiment?games=0"),
    "lab.league": ("/lab/league", "/lab/league"),
    "lab.rules": ("/lab/rules", "/lab/rules?list=win&list=block"),
    "review.review": ("/review/40281", "/review/00"),
    "static": ("/static/app.js", "/static/nothing.css"),
}

# The columns are PEOPLE.
EXPECTED: Mapping[str, str] = {
    "GET play.front": "200 200 200 200 422",
    "POST play.start": "303 303 303 303 422",
    "GET lobby.class_": "200 200 200 200 200",
    "GET lobby.board": "200 200 200 200 200",
    "GET lobby.calls": "200 200 200 200 200",
    "POST lobby.goodbye": "204 204 204 204 204",
    "GET lobby.qr_code": "200 200 200 200 404",
    "POST lobby.challenge": "409 409 303 303 422",
    "POST lobby.seek": "409 409 303 303 303",
    "POST lobby.cancel": "303 303 303 303 303",
    "GET lobby.find": "303 303 303 303 404",
    "GET people.you": "200 200 200 200 200",
    "POST people.name": "303 303 303 303 422",
    "POST people.new": "303 303 303 303 303",
    "GET people.privacy": "200 200 200 200 200",
    "POST people.forget": "303 303 303 303 303",
    "GET learn.learn": "200 200 200 200 200",
    "GET learn.opponents": "200 200 200 200 200",
    "GET learn.opponent": "200 200 200 200 404",
    "GET learn.openings": "200 200 200 200 200",
    "GET lab.lab": "200 200 200 200 422",
    "GET lab.experiment": "200 200 200 200 422",
    "GET lab.league": "404 404 404 404 404",  # this server has no functions
    "GET lab.rules": "200 200 200 200 422",
    "GET review.review": "200 200 200 200 404",
    "GET hosting.host": "200 200 200 200 200",  # the form to sign in; all else is the host's alone
    "POST hosting.sign_in": "403 403 403 403 403",
    "POST hosting.leave": "403 403 403 403 403",
    "GET hosting.find": "403 403 403 403 403",
    "GET hosting.guest": "403 403 403 403 403",
    "POST hosting.rename": "403 403 403 403 403",
    "POST hosting.remove": "403 403 403 403 403",
    "POST hosting.names": "403 403 403 403 403",
    "POST hosting.reset": "403 403 403 403 403",
    "POST hosting.pause": "403 403 403 403 403",
    "POST hosting.resume": "403 403 403 403 403",
    "POST hosting.wall": "403 403 403 403 403",
    "GET hosting.players_csv": "403 403 403 403 403",
    "GET hosting.games_csv": "403 403 403 403 403",
    "POST hosting.new_tournament": "403 403 403 403 403",
    "POST hosting.start_tournament": "403 403 403 403 403",
    "POST hosting.next_round": "403 403 403 403 403",
    "POST hosting.end_tournament": "403 403 403 403 403",
    "POST hosting.late": "403 403 403 403 403",
    "POST hosting.put_out": "403 403 403 403 403",
    "POST hosting.let_in": "403 403 403 403 403",
    "GET hosting.results_csv": "403 403 403 403 403",
    # There is no tournament here: one is played in the tests of them.
    "GET tournaments.tournament": "404 404 404 404 404",
    "GET tournaments.table": "404 404 404 404 404",
    "GET tournaments.play": "404 404 404 404 404",
    "POST tournaments.join": "404 404 404 404 404",
    "POST tournaments.leave": "404 404 404 404 404",
    "GET health.healthz": "200 200 200 200 200",
    "GET static": "200 200 200 200 404",
}

# What concerns one game, by its state: what the player and the opponent get, or the player alone
# where nobody else has a seat. Others may only look, and of a game that is not there nothing.
REQUESTS = ("move", "undo", "hint", "again", "resign", "claim", "join")
IN_STATES: Mapping[str, str] = {
    "challenge": "409 / 409 / 409 / 409 / 303 / 409 / 409",
    "running": "303 409 / 409 409 / 409 409 / 409 409 / 303 303 / 409 409 / 303 303",
    "away": "409 303 / 409 409 / 409 409 / 409 409 / 303 303 / 303 409 / 303 303",
    "won": "409 409 / 409 409 / 409 409 / 303 303 / 409 409 / 409 409 / 303 303",
    "resigned": "409 409 / 409 409 / 409 409 / 303 303 / 409 409 / 409 409 / 303 303",
    "engine": "303 / 303 / 303 / 303 / 409 / 409",
    "engine won": "409 / 409 / 409 / 303 / 409 / 409",
    "left": "409 / 409 / 409 / 303 / 409 / 409",
    "friend": "303 / 303 / 409 / 303 / 409 / 409",
}
ROWS = [
    (state, what, seated)
    for state, row in IN_STATES.items()
    for what, seated in zip(REQUESTS, row.split(" / "), strict=False)
]
MOVES = {"running": "04", "away": "0", "won": "03142", "resigned": "04"}
IDLE = 61


def row_of(state: str, what: str, seated: str) -> str:
    """The whole row: a column for each of PEOPLE."""
    if what == "join":
        return f"{seated} {'303 303 303' if state == 'challenge' else '409 409'} 404"
    return " ".join([*seated.split(), *["403"] * (4 - len(seated.split())), "404"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this module's own, so that comparing all that is stored takes no time."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


@dataclass(frozen=True)
class Scene:
    """A game, and everybody who could come by."""

    people: Mapping[str, Visitor]
    game: str
    code: str

    def address(self, site: Site, endpoint: str, who: str) -> str:
        """Where this request of theirs goes."""
        bad = who == "nobody"
        if endpoint in ADDRESSES:
            return ADDRESSES[endpoint][bad].format(code=self.code)
        (rule,) = site.app.url_map.iter_rules(endpoint)
        game, code = (NO_GAME, NO_CODE) if bad else (self.game, self.code)
        guest = str(number(player_of(self.people["player"])))
        address = rule.rule.replace("<int:number>", guest)
        address = address.replace("<id_>", NO_GAME)
        return address.replace("<game_id>", game).replace("<code>", code)


def scene(site: Site, state: str) -> Scene:
    player, opponent, watcher, nobody = (site.visitor() for _ in range(4))
    for visitor in (player, opponent, watcher, nobody):
        visitor.get("/class")
    code = NO_CODE
    if state == "challenge":
        page = challenge(player)
        game, code = page.address, code_of(page)
    elif state in MOVES:
        pair = sit_down(player, opponent)
        game, code = pair.address, str(site.stored(pair.address.split("/")[-1])["code"])
        pair.play(MOVES[state])
        if state == "resigned":
            assert pair.act(opponent, "resign").status == 303
    else:
        page = player.start("friend" if state == "friend" else "easy", "x", cell=4)
        while state in ("engine won", "left") and not page.outcome:
            page = player.move(page, page.playable[0])
            if state == "left":
                player.post(f"{page.address}/again")
                page = player.get(page.address)
        game = page.address
    everybody = (player, opponent, watcher, site.visitor(), nobody)
    return Scene(dict(zip(PEOPLE, everybody, strict=True)), game.split("/")[-1], code)


def sent(site: Site, here: Scene, method: str, endpoint: str, who: str) -> int:
    """Send one request and return the status; nothing is stored by a look or by a refusal.

    The class alone deals names to those who look at it.
    """
    fields: dict[str, object] | None = None
    if method == "POST":
        game = site.stored(here.game)
        free = (cell for cell in "012345678" if cell not in game["moves"])
        fields = {"version": game["version"], "cell": next(free)}
        fields = FIELDS.get(endpoint, (fields, fields))[who == "nobody"]
    before = site.dump()
    answer = here.people[who].send(method, here.address(site, endpoint, who), fields)
    names = endpoint == "lobby.class_" and who == "stranger"
    if (method == "GET" and not names) or answer.status >= 400:
        assert site.dump() == before, f"{endpoint} for {who} stored something"
    return answer.status


def check_row(site: Site, state: str, route: str, row: str) -> None:
    """Check a line of the table: each of those who come by gets the status in their column."""
    clock, here = Clock(site), None
    method, endpoint = route.split()
    found: list[int] = []
    for who in PEOPLE:
        # What succeeded has changed the game.
        if here is None or (found[-1] < 400 and method == "POST"):
            here = scene(site, state)
            clock.goes_on(IDLE if state in ("away", "challenge") else 0)
        found.append(sent(site, here, method, endpoint, who))
    assert " ".join(map(str, found)) == row, f"{route}: {', '.join(PEOPLE)}"


def test_the_tables_have_every_address_of_the_site(site: Site) -> None:
    routes = {
        f"{method} {rule.endpoint}"
        for rule in site.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {*EXPECTED, *map(route, REQUESTS), "GET play.game", "GET lobby.invitation"}


def route(what: str) -> str:
    return "POST lobby.join" if what == "join" else f"POST play.{what}"


@pytest.mark.parametrize("route", EXPECTED)
def test_everybody_may_do_what_the_table_says(site: Site, route: str) -> None:
    check_row(site, "running", route, EXPECTED[route])


@pytest.mark.parametrize("state,what,seated", ROWS)
def test_so_it_is_in_every_state_of_a_game(
    site: Site, *, state: str, what: str, seated: str
) -> None:
    check_row(site, state, route(what), row_of(state, what, seated))


def test_another_sites_page_can_do_nothing(site: Site) -> None:
    here = scene(site, "running")
    alice, before = here.people["player"], site.dump()
    cookie = alice.cookie()
    for rule in site.app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            fields = {"version": 4, "cell": 8, "opponent": "easy", "mark": "x"}
            address = here.address(site, rule.endpoint, "player")
            for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
                answer = alice.post(address, fields, headers=headers)
                assert (answer.status, alice.cookie()) == (403, cookie), address
    assert site.dump() == before


@pytest.mark.parametrize("state", IN_STATES)
def test_everybody_may_look_at_every_game(site: Site, state: str) -> None:
    check_row(site, state, "GET play.game", "200 200 200 200 404")
    if state in ("challenge", *MOVES):
        check_row(site, state, "GET lobby.invitation", "200 200 200 200 404")
