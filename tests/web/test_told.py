"""Every change that a page shows is told to it; and no game's page is told of anything else."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tests.support import people as scenes
from tests.support.people import Clock, Pair, be_here, challenge, code_of, player_of, sit_down
from tests.support.tabs import Tab, opened
from tests.support.visitor import Site, Visitor
from webapp.live import sealed
from webapp.service import tidying, tournaments
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.service.teacher import number
from webapp.service.tidying import DAY, UNFINISHED_DAYS
from webapp.tournament.event import Format, Opening

X_WINS, RECENT = "03142", 1
EVENT = Format.SWISS, Opening.EMPTY, 15, 2
People = namedtuple("People", "ada ben carol dan eve fay gil hal")


@dataclass
class Scene:
    """A class in a lesson, and the pages that are looked at.

    Ada and Ben play, and it is Ada's turn; Carol waits for a classmate, and Dan for anyone; Eve has
    asked Fay for a rematch; Gil plays the computer, and Hal has nothing to do with any of them.
    """

    site: Site
    clock: Clock
    host: Visitor
    people: People
    pages: dict[str, tuple[Visitor, str]]
    game: Pair
    over: Pair
    event: str = ""

    def acts(self, what: str, **fields: object) -> None:
        assert self.host.post(f"/host/{what}", fields).status == 303

    def acts_on(self, who: Visitor, what: str, **fields: object) -> None:
        self.acts(f"players/{number(player_of(who))}/{what}", **fields)

    def in_event(self, what: str, **fields: object) -> None:
        self.acts(f"tournaments/{self.event}/{what}", **fields)

    def takes_part(self, who: Visitor, how: str) -> None:
        assert who.post(f"/tournaments/{self.event}/{how}").status == 303

    def goes_away(self, who: Visitor) -> None:
        who.post("/goodbye")
        self.clock.goes_on(3)
        be_here(self.site)

    def goes_on(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.goes_on(1)
            tournaments.tick(self.site.service)


@pytest.fixture
def scene(site: Site, clock: Clock, teacher: Visitor) -> Scene:
    people = People(*(site.visitor() for _ in People._fields))
    watcher = site.visitor()
    for who in people:
        who.come_in()
    game = sit_down(people.ada, people.ben)
    game.play("04")
    over = sit_down(people.eve, people.fay)
    over.play(X_WINS)
    over.act(people.eve, "again")
    challenge(people.carol)
    people.dan.post("/seeks")
    alone = people.gil.start("hard", "x", cell=4)
    pages = {
        "front": (people.hal, "/"), "alone": (people.gil, alone.address),
        "game": (people.ben, game.address), "watched": (watcher, game.address),
        "over": (people.fay, over.address), "open": (people.carol, "/class"),
        "class": (watcher, "/class"), "wall": (watcher, "/class/board"), "host": (teacher, "/host"),
        "call": (people.ada, "/calls"), "asked": (people.fay, "/calls"),
    }  # fmt: skip
    be_here(site, *people, hidden=True)
    return Scene(site, clock, teacher, people, pages, game, over)


def check(scene: Scene, change: Callable[[Scene], object], shown_on: str, or_on: str = "") -> None:
    """Make a change while pages are open, and hold each of them against what it shows then.

    :param or_on: where it depends on chance whether it shows, as on who stands first of equals
    """
    published, before = set[str](), dict[str, Tab]()
    for name, (who, address) in scene.pages.items():
        tab = opened(who, address)
        assert tab, name
        before[name] = tab
    scene.site.service.live.tell = lambda changes: published.update(
        sealed(change.topic) for change in changes
    )
    change(scene)
    scene.clock.goes_on(RECENT)  # for which what all see is not read again
    told, shown = {name for name, tab in before.items() if tab.topics & published}, set[str]()
    for name, tab in before.items():
        now = opened(scene.pages[name][0], tab.address)
        if now is None or now.text != tab.text:
            shown.add(name)
    assert shown - {*or_on.split()} == {*shown_on.split()}, "which pages show it"
    assert shown <= told, "who is not told"
    games = {name for name, tab in before.items() if tab.address.startswith(("/games/", "/?"))}
    assert games & told <= shown, "who is told of nothing"


def joins(scene: Scene) -> None:
    code = code_of(scene.people.carol.get("/class"))
    assert scene.people.hal.post(f"/join/{code}").status == 303


def acts_alone(what: str, scene: Scene) -> None:
    scene.people.gil.act(what, scene.people.gil.get(scene.pages["alone"][1]))


def comes(scene: Scene) -> None:
    who = scene.site.visitor()
    who.come_in()
    be_here(scene.site, who)


CLASS = "class open wall host"
GAMES = "game watched"
CHANGES: Mapping[str, tuple[Any, ...]] = {
    "a move": (lambda s: s.game.play("8"), f"{GAMES} {CLASS} call"),
    "a game is given up": (lambda s: s.game.act(s.people.ada, "resign"), f"{GAMES} {CLASS} call"),
    "a rematch is accepted": (lambda s: s.over.act(s.people.fay, "again"), f"over {CLASS} asked"),
    "a challenge is taken": (joins, CLASS),
    "a challenge is withdrawn": (lambda s: s.people.carol.post("/seeks/cancel"), "class open host"),
    "a challenge": (lambda s: challenge(s.people.hal), "class open host"),
    "someone looks for an opponent": (lambda s: s.people.gil.post("/seeks/cancel"), ""),
    "a search ends": (lambda s: s.people.dan.post("/seeks/cancel"), "class open host"),
    "a search succeeds": (lambda s: s.people.hal.post("/seeks"), CLASS),
    "a counted game": (lambda s: scenes.played_out(s.people.hal), "class open", "wall"),
    "a hint": (partial(acts_alone, "hint"), "alone"),
    "an undo": (partial(acts_alone, "undo"), "alone"),
    "a game that is left": (partial(acts_alone, "again"), "alone wall host"),
    "another name": (lambda s: s.people.ben.post("/you/name"), f"{GAMES} {CLASS} call"),
    "another name of who asks": (lambda s: s.people.eve.post("/you/name"), f"over {CLASS} asked"),
    "another name of no one's opponent": (lambda s: s.people.hal.post("/you/name"), CLASS),
    "a given name": (lambda s: s.acts_on(s.people.ada, "rename", name="Zoë"), f"{GAMES} {CLASS}"),
    "who plays is deleted": (lambda s: s.people.ben.post("/you/forget"), f"{GAMES} {CLASS} call"),
    "who asks is deleted": (lambda s: s.people.eve.post("/you/forget"), f"over {CLASS} asked"),
    "who asks is removed": (lambda s: s.acts_on(s.people.eve, "remove"), f"over {CLASS} asked"),
    "who plays alone is deleted": (lambda s: s.people.gil.post("/you/forget"), f"alone {CLASS}"),
    "a pause": (lambda s: s.acts("pause"), f"front alone {GAMES} {CLASS}"),
    "the names are locked": (lambda s: s.acts("names", locked=1), "host"),
    "a reset": (lambda s: s.acts("standings/reset"), "class open wall"),
    "a review on the wall": (lambda s: s.acts("wall", moves="40", at=1), "wall host"),
    "a tournament": (lambda s: tournaments.create(s.site.service, *EVENT), "wall host"),
    "who is to move goes": (lambda s: s.goes_away(s.people.ada), f"{GAMES} {CLASS}"),
    "someone else goes": (lambda s: s.goes_away(s.people.hal), CLASS),
    "someone comes": (comes, CLASS),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_the_class_is_told_to_all_pages_that_show_it(scene: Scene, change: str) -> None:
    check(scene, *CHANGES[change])


def test_what_the_server_deletes_is_told_to_all_pages_that_show_it(scene: Scene) -> None:
    host: Service = scene.site.service
    scene.clock.goes_on((UNFINISHED_DAYS + 1) * DAY)
    tidying.tidy(host)
    scene.clock.goes_on(DAY)
    scene.host.post("/host", {"key": HostKey(scene.site.settings).read()})
    del scene.pages["over"], scene.pages["asked"]  # which no longer ask
    check(scene, lambda _: tidying.tidy(host), f"alone {GAMES} {CLASS} call")


def seated(players: Iterable[Visitor], games: Mapping[Visitor, str], game: str) -> Pair:
    both = [who for who in players if games[who] == game]
    x, o = sorted(both, key=lambda who: not who.get(game).playable)
    return Pair(x, o, game)


@pytest.fixture
def event(scene: Scene) -> Scene:
    """Ada, Ben, Carol and Dan play in it: the first game of each pairing goes on, or is over."""
    people, service = scene.people, scene.site.service
    scene.event = tournaments.create(service, *EVENT)
    players = people.ada, people.ben, people.carol, people.dan
    for who in players:
        scene.takes_part(who, "join")
    scene.in_event("start")
    be_here(scene.site, *people, hidden=True)
    scene.goes_on(1)
    address = f"/tournaments/{scene.event}"
    games = {who: who.get(f"{address}/play").location for who in players}
    over, going = sorted({*games.values()})
    scene.over, scene.game = (seated(players, games, game) for game in (over, going))
    scene.over.play(X_WINS)
    scene.game.play("01")  # a mistake, so its player comes last if the game ends
    scene.goes_on(1)
    scene.pages = {
        "game": (scene.game.o, going), "watched": (people.hal, going),
        "onward": (scene.over.o, f"{address}/play?game={over[7:]}"),
        "call": (scene.game.o, "/calls"), "event": (people.hal, address),
        "mine": (scene.over.o, address), "class": (people.hal, "/class"),
        "wall": (people.hal, "/class/board"), "host": (scene.host, "/host"),
    }  # fmt: skip
    return scene


TABLE = "event mine wall host"
EVENT_CHANGES: Mapping[str, tuple[Any, ...]] = {
    "a move": (lambda s: s.game.play("8"), f"{GAMES} class {TABLE}"),
    "a game ends": (lambda s: s.game.act(s.game.o, "resign"), f"{GAMES} call onward class {TABLE}"),
    "the next game": (lambda s: s.goes_on(3), f"onward class {TABLE}"),
    "someone joins": (lambda s: s.takes_part(s.people.gil, "join"), f"onward {TABLE}"),
    "someone leaves": (lambda s: s.takes_part(s.over.o, "leave"), "onward mine host"),
    "out": (lambda s: s.in_event("out", player=number(player_of(s.over.o))), "onward mine host"),
    "no one else may join": (lambda s: s.in_event("late"), "event class host"),
    "the end": (lambda s: s.in_event("end"), f"{GAMES} call onward class {TABLE}"),
    "another name": (lambda s: s.game.x.post("/you/name"), f"{GAMES} onward class {TABLE}"),
    "a player is deleted": (lambda s: s.over.x.post("/you/forget"), f"onward class {TABLE}"),
    "a pause": (lambda s: s.acts("pause"), f"{GAMES} onward class {TABLE}"),
    "a player goes": (lambda s: s.goes_away(s.game.x), f"{GAMES} class host"),
}


@pytest.mark.parametrize("change", EVENT_CHANGES)
def test_a_change_in_a_tournament_is_told_to_its_pages(event: Scene, change: str) -> None:
    check(event, *EVENT_CHANGES[change])
