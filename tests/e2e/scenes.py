"""The states of the pages: a scene yields tabs with pages that a reload shows again as they are."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import NamedTuple

from playwright.sync_api import expect

from tests.e2e import games
from tests.e2e.games import DRAWN, WON, beat_easy, begin, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor

BOARD = ("#board", "#turn")
NUMBERS = count(100)


class Seen(NamedTuple):
    """A page, what a phone shows whole of it at first, and what a reload does not show."""

    tab: Tab
    parts: tuple[str, ...] = ()
    act: Callable[[], object] = bool


class World(NamedTuple):
    server: Server
    come: Visitor
    sign_in: Visitor

    def pupil(self, **arguments: bool) -> Tab:
        """A pupil whose name has no letter of an English word, and is as wide as those dealt."""
        pupil = self.come(**arguments)
        name = f"Сильный Пингвин {next(NUMBERS)}"
        pupil.do("/you/name", name=name)
        return pupil

    def pair(self) -> tuple[Tab, Tab]:
        return self.pupil(), self.pupil()


def send(tab: Tab, path: str, **fields: str) -> None:
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


def unfold(tab: Tab) -> None:
    tab.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def playing(world: World) -> Iterator[Seen]:
    one = world.pupil()
    for path in ("/", "/?opponent=friend"):
        yield Seen(one.open(path), (*BOARD, "#opponent"))
    one.open().play(*DRAWN.mine[:2])
    with one.change():
        one.hint.click()
    yield Seen(one, BOARD)
    yield Seen(one.open())
    one = world.pupil()
    one.open().play(*WON.mine)
    yield Seen(one, (*BOARD, "#again"))


def alone(world: World) -> Iterator[Seen]:
    one = world.pupil()
    beat_easy(one)
    for path in ("/you", "/privacy?forgotten=1", "/openings"):
        yield Seen(one.open(path), act=partial(unfold, one))
    yield Seen(one.open("/you"), act=partial(send, one, "/you/ticket"))
    yield Seen(one.open("/puzzles/run"), ("#board", "h2", "#next, #run-again"), partial(solve, one))


def solve(run: Tab) -> None:
    send(run, "/puzzles/run")
    attempt(run)


def attempt(one: Tab) -> None:
    one.page.locator("button.cell:not([aria-disabled])").first.click()
    expect(one.page.locator("#right, #wrong")).to_be_visible()


def ideas(world: World) -> Iterator[Seen]:
    one = world.pupil()
    yield Seen(one.open("/learn?at=fork.3"), (*BOARD, ".told .actions"), partial(attempt, one))
    for path in ("/learn", "/opponents", "/opponents/medium", "/menace?moves=40"):
        yield Seen(one.open(path))
    yield Seen(one.open("/learn/minimax?board=X....OOX.&prunes=1&step=40"), BOARD[:1])
    yield Seen(one.open("/review/4028135?at=4&values=1&opponent=medium&mark=o"), BOARD[:1])
    one.open(one.do("/games", opponent="menace", mark="o"))
    while not one.game.get_attribute("data-outcome"):
        with one.change():
            one.page.locator("button.cell:has(.ghost)").first.click()
    yield Seen(one.open("/menace"), act=partial(unfold, one))


def paper(world: World) -> Iterator[Seen]:
    one = world.pupil()
    for path in ("", "/rules", "/menace", "/puzzles?kind=only&number=12&seed=7"):
        yield Seen(one.open(f"/learn/paper{path}"))
    yield Seen(one.open("/learn/map?mark=o&moves=0481"))


def lab(world: World) -> Iterator[Seen]:
    one = world.pupil()
    yield Seen(one.open("/lab?x=slips&o=medium"))
    path = "/lab/experiment?x=medium&o=easy&games=1000&seed=1"
    yield Seen(one.open(path), act=partial(unfold, one))
    yield Seen(
        one.open("/lab/rules?list=corner,win,any,block&from=win,any"), act=partial(unfold, one)
    )


def waiting(world: World) -> Iterator[Seen]:
    one, third = world.pair()
    for player in (one, third):
        beat_easy(player)
    code = one.open_challenge_elsewhere()
    yield Seen(one.open("/class"), ("#finder .code", "#finder .qr"))
    yield Seen(third.open(f"/join/{code}"))
    yield Seen(third.open("/class"), act=partial(unfold, third))
    yield Seen(third.open("/class/board"))
    one.open("/privacy")  # the page of the class leads to the game by itself
    world.pupil().do(f"/join/{code}")
    yield Seen(one.open("/privacy"))  # which calls to the game
    one.noise.expect_refusal(409)
    yield Seen(one.open("/class"), act=partial(send, one, "/challenges", mark="x"))


def together(world: World) -> Iterator[Seen]:
    third = world.pupil()
    pair = begin(*world.pair())
    one, other, path = pair.x, pair.o, pair.path
    for tab in (one, third):
        yield Seen(tab.open(path), BOARD)
    pair.play_elsewhere("4")
    games.let_time_pass(world.server, path, 61)
    yield Seen(one.open(path), BOARD)
    for version, cell in enumerate((0, 2, 1, 6), 2):
        (other, one)[version % 2].play_elsewhere(cell, version, path)
    yield Seen(one.open(path), (*BOARD, "#again"))
    third.do("/seeks")
    yield Seen(third.open("/class"))
    yield Seen(one.open("/class"))
    yield Seen(third.open("/class/board"))
    one.open("/privacy")  # the page of the class would lead to the game
    begin(one, other, "03")
    yield Seen(one.open("/you"), act=partial(unfold, one))


def desk(world: World) -> Iterator[Seen]:
    yield Seen(world.come().open("/host"))
    host = world.sign_in()
    pair = sit_down(*world.pair(), "4")
    begin(*world.pair(), "03142")
    yield Seen(host.open("/host"), act=partial(unfold, host))
    for kind in ("question", "quiz", "vote"):
        yield Seen(host.open("/host"), act=partial(look_at_asking, host, kind))
    host.do("/host/pause")
    yield Seen(pair.x)
    host.do("/host/tickets", more="2")
    for path in ("/host/lesson", "/host/questions?moves=40", "/host/tickets"):
        yield Seen(host.open(path), act=partial(unfold, host))
    pupil = host.open("/host").items("Who is here").get_by_role("link", name="Пингвин").first
    path = str(pupil.get_attribute("href"))
    host.noise.expect_refusal(422)
    yield Seen(host.open(path), act=partial(send, host, f"{path}/rename", name="X" * 30))
    host.do(f"{path}/remove")
    host.noise.expect_refusal(404)
    yield Seen(host.open(path))


def look_at_asking(host: Tab, kind: str) -> None:
    host.page.locator("#asking > summary").click()
    host.page.locator(f"#asks-{kind}").check()
    host.page.locator(f".asks .{kind} summary").click()


def walls(world: World) -> Iterator[Seen]:
    host, wall = world.sign_in(), world.come()
    pair = sit_down(*world.pair(), "4")
    host.do("/host/wall", game=pair.path.rpartition("/")[2])
    yield Seen(wall.open("/class/board"))
    host.do("/host/wall", moves="03142", at=2, values=1)
    yield Seen(wall.open("/class/board"))
    yield Seen(host.open("/host"))  # with a small picture of it
    host.do("/host/wall", tournament="menace")
    yield Seen(wall.open("/class/board"))
    host.do("/host/wall", tournament="rules")
    yield Seen(wall.open("/class/board"))
    host.do("/host/wall", tournament="minimax", at=9)
    yield Seen(wall.open("/class/board"))
    host.do("/host/plan", at="ahead.2")
    yield Seen(host.open("/host"))


def answer(tab: Tab, address: str) -> str:
    asked = tab.page.request.get(f"{tab.server}{address}")
    path = asked.url.removeprefix(tab.server)
    free = re.findall(r'value="(\d)"\s+aria', asked.text())
    tab.do(f"{path}/answer", cell=free[0])
    return path


def asked(world: World) -> Iterator[Seen]:
    host, wall = world.sign_in(), world.come()
    one, other = (tab.open("/class/board") for tab in world.pair())  # which leads nowhere
    path = host.do("/host/questions", kind="fork", seconds=0)
    for steps in (("close", "reveal"), ()):
        yield Seen(one.open(path), BOARD)
        yield Seen(host.open("/host"))
        yield Seen(wall.open("/class/board"))
        for tab in (one, other) if steps else ():
            answer(tab, path)
        for step in steps:
            host.do(f"/host{path}/{step}")


def quiz(world: World) -> Iterator[Seen]:
    host, wall, one = world.sign_in(), world.come(), world.pupil().open("/class/board")
    quiz = host.do("/host/quizzes", number=5, kinds="win", seconds=0)
    for _ in range(5):
        path = answer(one, quiz)
        for step in ("reveal", "done"):
            host.do(f"/host{path}/{step}")
    yield Seen(one.open(quiz))
    yield Seen(wall.open("/class/board"))
    yield Seen(host.open(quiz))


def joining(world: World) -> Iterator[Seen]:
    host, one = world.sign_in(), world.pupil()
    address = games.make(host, "swiss")
    yield Seen(one.open("/class"))
    games.join(address, one)
    yield Seen(host.open("/host"))
    yield Seen(world.come().open("/class/board"))
    yield Seen(one.open(address))


def tournament(world: World) -> Iterator[Seen]:
    host, wall, watcher = world.sign_in(), world.come(), world.pupil()
    one, other = players = world.pair()
    address = games.make(host, "swiss")
    games.join(address, *players)
    games.start(host, address)
    games.at_a_board(*players)
    yield Seen(one, (*BOARD, "#clock"))
    for tab, path in ((host, "/host"), (wall, "/class/board"), (watcher, address)):
        yield Seen(tab.open(path))
    one.do(f"{one.path}/resign", version=one.version)
    for tab in players:
        expect(tab.page.locator("#onward")).to_be_visible()
    yield Seen(other, BOARD)
    host.do(f"/host{address}/end")
    for tab, path in ((wall, "/class/board"), (one, address)):
        yield Seen(tab.open(path))


def refused(world: World) -> Iterator[Seen]:
    one = world.pupil()
    for status in (403, 404, 409, 422, 503):
        one.noise.expect_refusal(status)
    for path in ("/nothing", "/lab/experiment?games=7000000"):
        yield Seen(one.open(path))
    for path, field in (("/you/name", "name"), ("/host", "key"), ("/join", "code")):
        yield Seen(one.open("/you"), act=partial(send, one, path, **{field: "A" * 30}))
    yield Seen(one.open("/ticket"), act=partial(send, one, "/ticket", code="A" * 8))
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
    one.page.context.set_offline(True)
    one.page.wait_for_function("() => !navigator.onLine")  # until then a move gets through
    one.page.locator("button.cell:has(.ghost)").first.click()
    expect(one.refusal).to_be_visible()


def without_scripts(world: World) -> Iterator[Seen]:
    one = world.pupil(java_script_enabled=False)
    one.open().play(*DRAWN.mine[:2])
    yield Seen(one, BOARD)
    for path in ("/", "/class", "/you"):
        yield Seen(one.open(path))


SCENES = (
    *(playing, alone, ideas, paper, lab, waiting, together, desk, walls),
    *(asked, quiz, joining, tournament, refused, without_scripts),
)
