"""Two people at two devices, and a clock that a test moves on."""

import hashlib
import time
from copy import copy
from dataclasses import dataclass

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp.live import SETTLED_S
from webapp.service import clock
from webapp.service.site import Site as Service


class Clock(clock.Clock):
    """The time as the services of a site see it."""

    def __init__(self, site: Site) -> None:
        self._time = time.time()
        self._passed = 0.0
        super().__init__(lambda: self._time, lambda: self._passed)
        site.service.clock, live = self, site.service.live
        site.service.class_seen = None  # it was seen by another clock
        # The server has been up for long, so anyone who is not here is away.
        live.now, live._began = (lambda: self._passed), -SETTLED_S

    def goes_on(self, seconds: float) -> None:
        self._time += seconds
        self._passed += seconds

    def another(self, service: Service, ahead: float = 0) -> Service:
        """Another process that has just started, maybe on a computer whose clock is ahead."""
        other = copy(service)
        other.clock = clock.Clock(lambda: self._time + ahead, lambda: self._passed)
        other.ticked_at = None
        return other

    def is_set(self, seconds: float) -> None:
        self._time += seconds


class Steady:
    seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}


@dataclass(frozen=True)
class Pair:
    """A game between two people: ``x`` has X and moves first."""

    x: Visitor
    o: Visitor
    address: str

    def play(self, moves: str) -> Page:
        mover, page = self.x, self.x.get(self.address)
        done = 9 - page.board.count(".")
        for ply, cell in enumerate(map(int, moves), done):
            mover = self.o if ply % 2 else self.x
            fields = {"version": page.version + ply - done, "cell": cell}
            assert mover.post(f"{self.address}/moves", fields).status == 303
        return mover.get(self.address)

    def act(self, who: Visitor, what: str, **fields: object) -> Page:
        return who.try_to(what, who.get(self.address), fields)


def challenge(who: Visitor, mark: str = "x") -> Page:
    """Open a game; return the page of the class, which shows its code."""
    return who.follow(who.post("/challenges", {"mark": mark}))


def code_of(page: Page) -> str:
    (code,) = page.document.with_class("code")
    return code.text


def sit_down(x: Visitor, o: Visitor) -> Pair:
    answer = o.post(f"/join/{code_of(challenge(x))}")
    assert answer.status == 303
    return Pair(x, o, answer.location)


def sign_in(site: Site, typed: str, **environ: str) -> Visitor:
    """A visitor from another computer who has sent this as the host's key."""
    visitor = site.visitor()
    visitor._client.post("/host", data={"key": typed}, environ_base=ELSEWHERE | environ)
    return visitor


def player_of(who: Visitor) -> str:
    return hashlib.sha256((who.cookie() or "").encode()).hexdigest()


def be_here(site: Site, *people: Visitor, hidden: bool = False) -> None:
    live = site.service.live
    for who in people:
        live.asked(player_of(who), hidden=hidden)
    live.beat()


def name_of(who: Visitor) -> str:
    """What the foot of every page calls a player, also of one that is not there; empty without."""
    names = who.get("/nothing").the("you").all("bdi")
    return names[0].text if names else ""


def played_out(who: Visitor, opponent: str = "easy", page: Page | None = None) -> Page:
    page = page or who.start(opponent, "x", cell=4)
    while not page.outcome:
        wins, blocks = rules.completions(page.board, "X"), rules.completions(page.board, "O")
        page = who.move(page, next(iter([*wins, *blocks, *page.playable])))
    return page
