"""Who may do what: every address of the site, for everybody who could come by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from tests.support.people import Clock, challenge, code_of, sit_down
from tests.support.visitor import Site, Visitor, open_site

PEOPLE = ("player", "opponent", "watcher", "stranger", "nobody")
"""The two at the game, X to move; somebody with a cookie; somebody without; one with bad ids."""

NO_GAME = "A" * 22
NO_CODE = "AAAAAA"

# What somebody sends who means it, and what "nobody" sends instead.
FIELDS: Mapping[str, tuple[dict[str, object], dict[str, object]]] = {
    "play.start": ({"opponent": "easy", "mark": "x"}, {"opponent": "nobody", "mark": "x"}),
    "classroom.challenge": ({"mark": "x"}, {"mark": "y"}),
    "people.name": ({}, {"name": "Ada"}),
}
BAD: Mapping[str, str] = {
    "play.front": "/?opponent=nobody",
    "classroom.find": f"/join?code={NO_CODE}",
    "learn.opponent": "/opponents/nobody",
    "lab.lab": "/lab?x=nobody&o=easy",
    "lab.experiment": "/lab/experiment?games=0",
    "lab.rules": "/lab/rules?list=win&list=block",
    "review.review": "/review/00",
    "static": "/static/nothing.css",
}
GOOD: Mapping[str, str] = {
    "classroom.find": "/join?code={code}",
    "learn.opponent": "/opponents/easy",
    "lab.experiment": "/lab/experiment?games=10",
    "review.review": "/review/40281",
    "static": "/static/app.css",
}

# The columns are PEOPLE. The game goes on between player and opponent, and player is to move.
EXPECTED: Mapping[str, str] = {
    "GET play.front": "200 200 200 200 422",
    "POST play.start": "303 303 303 303 422",
    "GET play.game": "200 200 200 200 404",
    "POST play.move": "303 409 403 403 404",
    "POST play.undo": "409 409 403 403 404",
    "POST play.hint": "409 409 403 403 404",
    "POST play.again": "409 409 403 403 404",
    "POST play.resign": "303 303 403 403 404",
    "POST play.claim": "409 409 403 403 404",
    "GET classroom.class_": "200 200 200 200 200",
    "GET classroom.board": "200 200 200 200 200",
    "POST classroom.challenge": "303 303 303 303 422",
    "GET classroom.find": "303 303 303 303 303",
    "GET classroom.invitation": "200 200 200 200 404",
    "POST classroom.join": "303 303 409 409 404",
    "GET people.you": "200 200 200 200 200",
    "POST people.name": "303 303 303 303 422",
    "POST people.new": "303 303 303 303 303",
    "GET people.privacy": "200 200 200 200 200",
    "POST people.forget": "303 303 303 303 303",
    "GET learn.learn": "200 200 200 200 200",
    "GET learn.opponents": "200 200 200 200 200",
    "GET learn.opponent": "200 200 200 200 404",
    "GET lab.lab": "200 200 200 200 422",
    "GET lab.experiment": "200 200 200 200 422",
    "GET lab.rules": "200 200 200 200 422",
    "GET review.review": "200 200 200 200 404",
    "GET health.healthz": "200 200 200 200 200",
    "GET static": "200 200 200 200 404",
}

# The same for games in other states; "opponent" has no seat where there is none.
IN_STATES: Mapping[str, Mapping[str, str]] = {
    "a challenge that nobody has taken": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "409 403 403 403 404",
        "POST play.undo": "409 403 403 403 404",
        "POST play.hint": "409 403 403 403 404",
        "POST play.again": "409 403 403 403 404",
        "POST play.resign": "303 403 403 403 404",
        "POST play.claim": "409 403 403 403 404",
        "GET classroom.invitation": "200 200 200 200 404",
        "POST classroom.join": "409 303 303 303 404",
    },
    "the opponent stays away": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "409 303 403 403 404",
        "POST play.undo": "409 409 403 403 404",
        "POST play.hint": "409 409 403 403 404",
        "POST play.again": "409 409 403 403 404",
        "POST play.resign": "303 303 403 403 404",
        "POST play.claim": "303 409 403 403 404",
        "POST classroom.join": "303 303 409 409 404",
    },
    "won on the board": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "409 409 403 403 404",
        "POST play.undo": "409 409 403 403 404",
        "POST play.hint": "409 409 403 403 404",
        "POST play.again": "303 303 403 403 404",
        "POST play.resign": "409 409 403 403 404",
        "POST play.claim": "409 409 403 403 404",
        "POST classroom.join": "303 303 409 409 404",
    },
    "resigned": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "409 409 403 403 404",
        "POST play.undo": "409 409 403 403 404",
        "POST play.hint": "409 409 403 403 404",
        "POST play.again": "303 303 403 403 404",
        "POST play.resign": "409 409 403 403 404",
        "POST play.claim": "409 409 403 403 404",
        "POST classroom.join": "303 303 409 409 404",
    },
    "against an engine": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "303 403 403 403 404",
        "POST play.undo": "303 403 403 403 404",
        "POST play.hint": "303 403 403 403 404",
        "POST play.again": "303 403 403 403 404",
        "POST play.resign": "409 403 403 403 404",
        "POST play.claim": "409 403 403 403 404",
    },
    "left": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "409 403 403 403 404",
        "POST play.undo": "409 403 403 403 404",
        "POST play.hint": "409 403 403 403 404",
        "POST play.again": "303 403 403 403 404",
        "POST play.resign": "409 403 403 403 404",
        "POST play.claim": "409 403 403 403 404",
    },
    "between friends at one device": {
        "GET play.game": "200 200 200 200 404",
        "POST play.move": "303 403 403 403 404",
        "POST play.undo": "303 403 403 403 404",
        "POST play.hint": "409 403 403 403 404",
        "POST play.again": "303 403 403 403 404",
        "POST play.resign": "409 403 403 403 404",
        "POST play.claim": "409 403 403 403 404",
    },
}


AWAY = {"the opponent stays away": 61}


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

    def address(self, site: Site, route: str, who: str) -> str:
        """Where somebody goes for this route."""
        endpoint = route.split()[1]
        bad = who == "nobody"
        special = BAD.get(endpoint) if bad else GOOD.get(endpoint)
        if special:
            return special.format(code=self.code)
        (rule,) = site.app.url_map.iter_rules(endpoint)
        return rule.rule.replace("<game_id>", NO_GAME if bad else self.game).replace(
            "<code>", NO_CODE if bad else self.code
        )


def scene(site: Site, state: str = "") -> Scene:
    player, opponent, watcher, nobody = (site.visitor() for _ in range(4))
    for visitor in (player, opponent, watcher, nobody):
        visitor.get("/")
    game, code = "", NO_CODE
    if state == "a challenge that nobody has taken":
        page = challenge(player)
        game, code = page.address, code_of(page)
    elif state in ("against an engine", "left"):
        page = player.start("easy", "x", cell=4)
        while state == "left" and page.board.count("X") < 2:
            page = player.move(page, next(cell for cell in page.playable if cell != 8))
        if state == "left":
            player.start("easy", "x")
        game = page.address
    elif state == "between friends at one device":
        game = player.start("friend", "x", cell=4).address
    else:
        pair = sit_down(player, opponent)
        game, code = pair.address, str(site.stored(pair.address.split("/")[-1])["code"])
        pair.play({"the opponent stays away": "0", "won on the board": "03142"}.get(state, "04"))
        if state == "resigned":
            assert pair.act(opponent, "resign").status == 303
    people = {
        "player": player,
        "opponent": opponent,
        "watcher": watcher,
        "stranger": site.visitor(),
        "nobody": nobody,
    }
    return Scene(people, game.split("/")[-1], code)


def sent(site: Site, here: Scene, route: str, who: str) -> int:
    """Send one request and return the status; nothing is stored by a look or by a refusal."""
    method, endpoint = route.split()
    visitor, address = here.people[who], here.address(site, route, who)
    fields: dict[str, object] | None = None
    if method == "POST":
        game = site.stored(here.game)
        fields = {"version": game["version"]}
        fields |= FIELDS.get(endpoint, ({}, {}))[who == "nobody"]
        if endpoint == "play.move":
            fields["cell"] = next(cell for cell in "012345678" if cell not in game["moves"])
    before = site.dump()
    answer = visitor.send(method, address, fields)
    if method == "GET" or answer.status >= 400:
        assert site.dump() == before, f"{route} for {who} stored something"
    return answer.status


def check_row(site: Site, state: str, route: str, row: str) -> None:
    """Check a line of the table: each of those who come by gets the status in their column."""
    clock = Clock(site)
    found: list[int] = []
    here = scene(site, state)
    clock.goes_on(AWAY.get(state, 0))
    for who, expected in zip(PEOPLE, map(int, row.split()), strict=True):
        if found and found[-1] < 400 and route.startswith("POST"):
            here = scene(site, state)  # what succeeded has changed the game
            clock.goes_on(AWAY.get(state, 0))
        found.append(sent(site, here, route, who))
        if found[-1] != expected:
            break
    assert " ".join(map(str, found)) == row, f"{route}: {', '.join(PEOPLE)}"


def test_the_table_has_every_address_of_the_site(site: Site) -> None:
    routes = {
        f"{method} {rule.endpoint}"
        for rule in site.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == set(EXPECTED)
    assert {route for table in IN_STATES.values() for route in table} <= routes


@pytest.mark.parametrize("route", EXPECTED)
def test_everybody_may_do_what_the_table_says(site: Site, route: str) -> None:
    check_row(site, "", route, EXPECTED[route])


@pytest.mark.parametrize(
    "state,route", [(state, route) for state, table in IN_STATES.items() for route in table]
)
def test_so_it_is_in_every_state_of_a_game(site: Site, state: str, route: str) -> None:
    check_row(site, state, route, IN_STATES[state][route])


def test_what_one_does_in_a_game_leaves_the_other_games_of_the_two_alone(site: Site) -> None:
    alice, bob = site.visitor(), site.visitor()
    first, second = sit_down(alice, bob), sit_down(bob, alice)
    before = site.stored(second.address.split("/")[-1])
    first.play("04")
    assert first.act(alice, "resign").status == 303
    assert site.stored(second.address.split("/")[-1]) == before
