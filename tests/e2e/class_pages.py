"""The class and a game between two devices, as people use them; the markup is known here alone."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from playwright.sync_api import Dialog, Locator, Page, Request, expect

from tests.e2e.plans import plan
from tests.e2e.play import PlayPage
from tests.e2e.server import Server
from webapp.core.board import Mark

CODE = re.compile(r"[2-9A-HJKMNP-Z]{6}")

BEFORE_THE_FIRST_MOVE = 2
"""The version of a game that somebody has joined."""


class ClassmatePage(PlayPage):
    """One tab of somebody in the class: on its pages, or in a game with a classmate."""

    def __init__(self, page: Page, server: str) -> None:
        super().__init__(page, server)
        self.loads = 0
        """How often this tab has loaded a whole page."""
        page.on("load", self._on_load)
        self._own_clock = False

        # A game with a classmate.
        self.code = page.locator("#game .code")
        self.link = page.locator(".invitation a")
        self.qr = page.get_by_role("img", name="QR code of this address", exact=True)
        self.resign = page.locator("#resign")
        self.claim = page.locator("#claim")
        self.again = page.locator("#again")
        self.refresh = page.get_by_role("link", name="Refresh", exact=True)
        self.status = page.locator(".status")
        # The class.
        self.class_region = page.locator("#class")
        self.challenge = page.locator("#challenge")
        self.code_field = page.get_by_label("Six characters", exact=True)
        self.find = page.locator("#find")
        self.challenges = page.get_by_role("list", name="Open challenges").get_by_role("listitem")
        self.games = page.get_by_role("list", name="Games in progress").get_by_role("listitem")
        self.standings = page.locator("table.standings tbody tr")
        self.sit = page.locator("#sit")
        # Who the viewer is.
        self.own_name = page.locator("#you bdi")
        self.someone_new = page.locator("#someone-new")
        self.deal = page.locator("#deal")
        self.forget = page.locator("#forget")
        self.refusal = page.locator(".refusal")
        self.title = page.get_by_role("heading", level=1)

    def _on_load(self, _: Page) -> None:
        self.loads += 1

    # --- finding and reading --------------------------------------------------------------------

    def join(self, code: str) -> Locator:
        """The button in the class that joins a challenge with one click."""
        return self.page.locator(f"#join-{code}")

    @property
    def name(self) -> str:
        """What the foot of the page calls this person; plain letters, as dealt names have."""
        return self.own_name.inner_text()

    # --- doing ----------------------------------------------------------------------------------

    def open(self, path: str = "/") -> ClassmatePage:
        super().open(path)
        return self

    def own_clock(self) -> ClassmatePage:
        """Give this tab a clock that the test can move on, to be done before a page is opened."""
        if not self._own_clock:
            self.page.clock.install()
            self._own_clock = True
        return self

    def look_again(self) -> None:
        """Let a second pass, after which a page with a game asks for news; if it has a clock."""
        if self._own_clock:
            self.page.clock.fast_forward(1000)

    def open_challenge(self, mark: str = "x") -> str:
        """Open a game from the class page, wait there for somebody, and return its code."""
        self.open("/class")
        self.mark(mark).check()
        self.challenge.click()
        expect(self.code).to_have_text(CODE)
        return self.code.inner_text()

    def open_challenge_elsewhere(self, mark: str = "x") -> tuple[str, str]:
        """Open a game, but not in this tab; return its address and code."""
        path = self.post("/challenges", {"mark": mark}).headers["location"]
        found = CODE.search(self.page.request.get(f"{self.server}{path}").text().split("Code ")[1])
        assert found is not None
        return path, found[0]

    def answer_dialogs(self, *, accept: bool) -> list[str]:
        """Answer the next question of the page so; return the list where it is noted."""
        asked: list[str] = []

        def answer(dialog: Dialog) -> None:
            asked.append(dialog.message)
            if accept:
                dialog.accept()
            else:
                dialog.dismiss()

        self.page.once("dialog", answer)
        return asked

    def hide(self, hidden: bool) -> None:
        """Let the page believe that its tab is not seen, or is seen again."""
        self.page.evaluate(
            """(value) => {
              Object.defineProperty(document, "hidden", { value, configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )

    def requests(self) -> list[str]:
        """Note from now on, in the list returned, what this tab asks for, but no files."""
        asked: list[str] = []

        def note(request: Request) -> None:
            address = request.url.removeprefix(self.server)
            if not address.startswith("/static/"):
                asked.append(f"{request.method} {address}")

        self.page.on("request", note)
        return asked

    # --- checking -------------------------------------------------------------------------------

    def wait_for_version(self, version: int) -> None:
        """Wait until this tab shows this version, and look more often than ``expect`` does."""
        self.page.wait_for_function(
            "(version) => document.getElementById('game').dataset.version === version",
            arg=str(version),
        )

    @contextmanager
    def no_reload(self) -> Iterator[None]:
        """What happens inside happens on the page that is there."""
        loads, address = self.loads, self.page.url
        yield
        assert (self.loads, self.page.url) == (loads, address)

    def expect_turn(self, heading: str | re.Pattern[str], within: float = 3.0) -> None:
        """Check whose turn it is said to be; within these seconds, asking comes once a second."""
        expect(self.heading).to_have_text(heading, timeout=within * 1000)


Classmates: TypeAlias = Callable[..., ClassmatePage]
"""Opens a tab for somebody new in the class, as ``Visitor`` does."""


@dataclass(frozen=True)
class Pair:
    """Two people who play each other, each at a device of their own; ``x`` moves first."""

    x: ClassmatePage
    o: ClassmatePage
    path: str

    @property
    def people(self) -> tuple[ClassmatePage, ClassmatePage]:
        return self.x, self.o

    def play(self, *cells: int, begun: int = 0) -> None:
        """Play cells by turns by clicking, and wait each time until the other board has them.

        :param begun: how many moves there were before
        """
        for ply, cell in enumerate(cells, begun):
            mover, other = self.people if ply % 2 == 0 else self.people[::-1]
            version = mover.version + 1
            mover.cell(cell).click()
            mover.wait_for_version(version)
            other.look_again()
            other.wait_for_version(version)

    def play_elsewhere(self, moves: str, begun: int = 0) -> None:
        """Play cells by turns as from other tabs of the two."""
        for ply, cell in enumerate(moves, begun):
            mover = self.people[ply % 2]
            form: dict[str, str | float | bool] = {
                "cell": cell,
                "version": str(BEFORE_THE_FIRST_MOVE + ply),
            }
            assert mover.post(f"{self.path}/moves", form).status == 303

    def open(self) -> Pair:
        """Let both look at the game."""
        for one in self.people:
            one.open(self.path)
        return self

    def expect_board(self, board: str, winning: Sequence[int] = ()) -> None:
        """Check that both see this board."""
        for one in self.people:
            one.expect_board(board, winning=winning)


def sit_down(
    x: ClassmatePage, o: ClassmatePage, moves: str = "", *, real_time: bool = False
) -> Pair:
    """Bring two people into a game with each other, with these moves on the board.

    :param real_time: without clocks of their own, that make the tests quicker
    """
    path, code = x.open_challenge_elsewhere("x")
    assert o.post(f"/join/{code}", {}).status == 303
    pair = Pair(x, o, path)
    pair.play_elsewhere(moves)
    for one in () if real_time else pair.people:
        one.own_clock()
    return pair.open()


def let_time_pass(server: Server, path: str, seconds: int) -> None:
    """Make the last change of a game older, in the file where the server keeps it."""
    with closing(sqlite3.connect(server.database, timeout=10)) as connection, connection:
        changed = connection.execute(
            "UPDATE games SET updated_at = updated_at - ? WHERE id = ?",
            (seconds, path.rpartition("/")[2]),
        )
        assert changed.rowcount == 1


def at_the_same_moment(*steps: tuple[ClassmatePage, str]) -> None:
    """Let a script run in each of several tabs at one moment.

    The tabs wait for the moment by themselves: Playwright could only ask one after the other.
    """
    moment = time.monotonic() + 0.3
    for person, script in steps:
        person.page.evaluate(
            f"""(delay) => {{
              window.answer = new Promise((done) =>
                setTimeout(async () => done(await ({script})()), delay));
            }}""",
            (moment - time.monotonic()) * 1000,
        )


def answers(*people: ClassmatePage) -> list[Any]:
    """What the scripts that ran at the same moment have returned."""
    return [person.page.evaluate("() => window.answer") for person in people]


def beat_easy(person: ClassmatePage) -> None:
    """Win a game against Easy, but not in this tab: who has won something is in the standings."""
    first, *more = plan("easy", Mark.X, "won").mine
    start = {"opponent": "easy", "mark": "x", "cell": str(first), "key": "any"}
    answer = person.post("/games", {**start})
    path = answer.headers["location"]
    for version, cell in enumerate(more, 1):
        answer = person.post(f"{path}/moves", {"cell": str(cell), "version": str(version)})
        assert answer.status == 303
