"""The states of the pages, made once, to be looked at in one language after the other.

A scene yields tabs, each with a page that a reload shows again as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import NamedTuple

from playwright.sync_api import expect

from tests.e2e.learn_pages import PAGES
from tests.e2e.pair import beat_easy, begin, let_time_pass, sit_down
from tests.e2e.plans import DRAWN, WON
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_tournaments import at_a_board, end, join, make, start

BOARD = ("#board", "#turn")
NUMBERS = count(100)


class Seen(NamedTuple):
    """A page to look at.

    :param parts: what the first screen of a phone shows whole
    :param act: what makes of the page what a reload does not show
    """

    tab: Tab
    parts: tuple[str, ...] = ()
    act: Callable[[], object] = bool


class World(NamedTuple):
    """How people come to a server."""

    server: Server
    come: Visitor
    sign_in: Visitor

    def pupil(self) -> Tab:
        """A pupil whose name has no letter of an English word, and is as wide as those dealt."""
        one = self.come()
        assert one.post("/you/name", {"name": f"Сильный Пингвин {next(NUMBERS)}"}).status == 303
        return one


def send(tab: Tab, path: str, **fields: str) -> None:
    """Send a form as a page without scripts does."""
    with tab.page.expect_event("load"):
        tab.page.evaluate(
            """([action, fields]) => {
              const form = document.createElement("form");
              Object.assign(form, { action, method: "post" });
              for (const [name, value] of Object.entries(fields))
                form.append(Object.assign(document.createElement("input"), { name, value }));
              document.body.append(form);
              setTimeout(() => form.submit());
            }""",
            [path, fields],
        )


def alone(world: World) -> Iterator[Seen]:
    """What a pupil sees who plays and learns alone."""
    one = world.pupil()
    for path in ("/", "/?opponent=friend", "/?mark=o"):
        yield Seen(one.open(path), (*BOARD, "#ladder"))
    one.open().play(*DRAWN.mine[:2])
    yield Seen(one, BOARD)
    yield Seen(one.open())
    one = world.pupil()
    one.open().play(*WON.mine)
    yield Seen(one, (*BOARD, "#again"))
    for path in ("/class", "/class/board", "/you", "/privacy?forgotten=1", "/openings", "/puzzles"):
        yield Seen(one.open(path))
    run, parts = one.open("/puzzles/run"), ("#board", "h2", "#next, #run-again")
    yield Seen(run, parts)
    yield Seen(run, parts, partial(solve, run))
    for name, path in PAGES.items():
        yield Seen(one.open(path), BOARD[:1] if name == "review" else ())


def solve(run: Tab) -> None:
    """Try the first puzzle of a new run."""
    send(run, "/puzzles/run")
    run.page.locator("button.cell:not([aria-disabled])").first.click()
    expect(run.page.locator("#right, #wrong")).to_be_visible()


def together(world: World) -> Iterator[Seen]:
    """Two who play each other, and what others see of it."""
    one, other, third = (world.pupil() for _ in range(3))
    beat_easy(one)
    path, code = one.open_challenge_elsewhere()
    yield Seen(one.open(path), (".code", ".qr"))
    yield Seen(third.open(f"/join/{code}"))
    yield Seen(one.open("/class"))
    yield Seen(third.open("/class"))
    assert other.post(f"/join/{code}", {}).status == 303
    yield Seen(one.open("/privacy"))
    one.noise.expect_refusal(409)
    yield Seen(one.open("/class"), act=partial(send, one, "/challenges", mark="x"))
    for tab in (one, other, third):
        yield Seen(tab.open(path), BOARD)
    one.play_elsewhere(4, 2, path)
    let_time_pass(world.server, path, 61)
    yield Seen(one.open(path), BOARD)
    yield Seen(third.open("/class"))
    yield Seen(third.open("/class/board"))
    assert other.post(f"{path}/moves", {"cell": 0, "version": 3}).status == 303
    for version, cell in enumerate((2, 1, 6), 4):
        (one, other)[version % 2].play_elsewhere(cell, version, path)
    for tab in (one, other, third):
        yield Seen(tab.open(path), (*BOARD, *["#again"] * (tab is not third)))
    assert third.post("/seeks", {}).status == 303
    yield Seen(third.open("/class"))
    yield Seen(one.open("/class"))
    yield Seen(third.open("/class/board"))
    begin(one, other, "03")
    yield Seen(one.open("/you"))


def unfold(tab: Tab) -> None:
    """Open all that is folded."""
    tab.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def desk(world: World) -> Iterator[Seen]:
    """What a teacher sees without a tournament, and what it makes of the wall."""
    yield Seen(world.come().open("/host"))
    host, wall = world.sign_in(), world.come()
    yield Seen(host.open("/host"))
    yield Seen(host, act=partial(unfold, host))
    pair = sit_down(world.pupil(), world.pupil(), "4")
    begin(world.pupil(), world.pupil(), "03142")
    yield Seen(host.open("/host"))
    walls: tuple[dict[str, str | float | bool], ...] = (
        {"game": pair.path.rpartition("/")[2]},
        {"moves": "03142", "at": 2, "values": 1},
        {"tournament": "blank"},
    )
    for shown in walls:
        assert host.post("/host/wall", shown).status == 303
        yield Seen(host.open("/host"))
        yield Seen(wall.open("/class/board"))
    assert host.post("/host/pause", {}).status == 303
    for tab in (host.open("/host"), pair.x, wall):
        yield Seen(tab)
    for path in ("/host/lesson", "/host/questions?moves=40", "/class"):
        yield Seen(host.open(path))
    number = host.open("/host").items("Who is here").get_by_role("link", name="Пингвин").first
    path = str(number.get_attribute("href"))
    yield Seen(host.open(f"{path}?done=rename"))
    host.noise.expect_refusal(422)
    yield Seen(host.open(path), act=partial(send, host, f"{path}/rename", name="X" * 30))
    assert host.post(f"{path}/remove", {}).status == 303
    yield Seen(host.open(f"{path}?done=remove"))
    host.noise.expect_refusal(404)
    yield Seen(host.open(path))


def asked(world: World) -> Iterator[Seen]:
    """A question to the class, a quiz to its end, and one at home."""
    host, wall = world.sign_in(), world.come()
    host.noise.expect_refusal(404)
    one, other = (world.pupil().open("/class") for _ in range(2))

    def all_see(*parts: str) -> Iterator[Seen]:
        yield Seen(one.open(path), parts)
        yield Seen(host.open("/host"))
        yield Seen(wall.open("/class/board"))

    answer = host.post("/host/questions", {"kind": "fork", "seconds": "0"})
    path = answer.headers["location"]
    yield from all_see(*BOARD)
    for tab in (one, other):
        best = host.page.request.get(f"{host.server}{path}.json").json()["best"]
        assert tab.post(f"{path}/answer", {"cell": best[0]}).status == 303
    yield from all_see(*BOARD)
    for step in ("close", "reveal"):
        assert host.post(f"/host{path}/{step}", {}).status == 303
        yield from all_see(*BOARD)
    one.open("/nothing")  # which leads nowhere by itself, as a page of the class does
    assert host.post(f"/host{path}/done", {}).status == 303

    answer = host.post("/host/quizzes", {"number": "5", "kinds": "win", "seconds": "0"})
    quiz = answer.headers["location"]
    for number in range(5):
        path = one.page.request.get(f"{one.server}{quiz}").url.removeprefix(one.server)
        if number == 4:
            yield from all_see(*BOARD)
            one.open("/nothing")
        best = host.page.request.get(f"{host.server}{path}.json").json()["best"]
        assert one.post(f"{path}/answer", {"cell": best[0]}).status == 303
        for _ in range(2):
            assert host.post(f"/host{quiz}/next", {}).status == 303
    path = quiz
    yield from all_see()
    yield Seen(host.open(quiz))


def tournament(world: World) -> Iterator[Seen]:
    """A tournament that players join, that runs, and that is over."""
    host, wall, watcher = world.sign_in(), world.come(), world.pupil()
    address = make(host, form="Swiss", rounds="1")

    def all_see(*players: Tab) -> Iterator[Seen]:
        yield Seen(host.open("/host"))
        yield Seen(wall.open("/class/board"))
        for tab in (*players, watcher):
            yield Seen(tab.open(address))

    players = [world.pupil() for _ in range(2)]
    yield Seen(players[0].open("/class"))
    for player in players:
        join(player, address)
    yield Seen(players[0].open("/class"))
    yield from all_see(*players[:1])
    start(host)
    at_a_board(players)
    for tab in players:
        yield Seen(tab, (*BOARD, "#clock"))
    yield Seen(watcher.open(players[0].path), BOARD)
    yield from all_see()
    players[0].page.once("dialog", lambda dialog: dialog.accept())
    players[0].resign.click()
    for tab in players:
        expect(tab.page.locator("#onward")).to_be_visible()
        yield Seen(tab, BOARD)
    end(host.open("/host"))
    expect(host.button("Make a tournament")).to_be_visible()
    yield from all_see(*players)


def refused(world: World) -> Iterator[Seen]:
    """What is refused, and what goes wrong."""
    one = world.pupil()
    for status in (403, 404, 409, 422, 503):
        one.noise.expect_refusal(status)
    for path in ("/nothing", "/join?code=222222", "/lab/experiment?games=7000000"):
        yield Seen(one.open(path))
    for path, field in (("/you/name", "name"), ("/language", "language"), ("/host", "key")):
        yield Seen(one.open("/you"), act=partial(send, one, path, **{field: "A" * 30}))
    one.open().play(4)
    moves = partial(send, one, f"{one.path}/moves", cell="4", version="1")
    yield Seen(one, BOARD, moves)
    one.noise.expect_no_answer()
    one.open().play(4)
    yield Seen(one, BOARD, partial(without_connection, one))
    one.page.context.set_offline(False)
    file = world.server.database
    file.rename(file.with_suffix(".away"))
    yield Seen(one.open("/class"))
    file.with_suffix(".away").rename(file)


def without_connection(one: Tab) -> None:
    """Let a move be lost, and the page say so."""
    one.page.context.set_offline(True)
    one.page.locator("button.cell:has(.ghost)").first.click()
    expect(one.refusal).to_be_visible()


SCENES = (alone, together, desk, asked, tournament, refused)
