"""One tab, as a person uses it: a game, and the class. Their markup is known here alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeAlias

from playwright.sync_api import Locator, Page, Request, expect

from tests.e2e.noise import Noise
from webapp.core.game import Game

CELLS = (
    *("Top left", "Top centre", "Top right"),
    *("Middle left", "Centre", "Middle right"),
    *("Bottom left", "Bottom centre", "Bottom right"),
)
EMPTY = "." * 9
CODE = re.compile(r"[2-9A-HJKMNP-Z]{6}")


def script(name: str) -> str:
    return Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


def box(target: Locator) -> dict[str, float]:
    found: dict[str, float] = target.evaluate("(one) => one.getBoundingClientRect().toJSON()")
    return found


class Tab:
    """One tab; it counts the POSTs that it has sent, and the whole pages that it has loaded."""

    def __init__(self, page: Page, server: str, noise: Noise, *, scripted: bool = True) -> None:
        self.page, self.server, self.noise, self.scripted = page, server, noise, scripted
        self.posts: list[Request] = []
        self.loads = 0
        page.on("request", lambda one: self.posts.extend([one] * (one.method == "POST")))
        page.on("load", self._on_load)
        self.game, self.board = map(page.locator, ("#game", "#board"))
        self.heading = self.game.get_by_role("heading")
        self.status = self.game.locator(".status")
        self.sentence = self.status.locator("p").first
        self.refusal = page.locator("main .refusal")
        self.live = page.locator("#live")
        self.opponent = page.locator("select#opponent")
        self.score_list = page.get_by_label(re.compile("^Score against"))
        self.hint, self.undo, self.resign = map(page.locator, ("#hint", "#undo", "#resign"))
        self.again = page.locator("#again, #new")
        self.seconds_left = page.locator("#record .asides [data-seconds]")
        self.code = page.locator("#finder .code")
        self.link = page.get_by_label("Address to join", exact=True)
        self.class_region = page.locator("#class")
        self.code_field = page.get_by_label("Do you have a code?", exact=True)
        self.people = self.items("Here now").filter(has=page.locator("bdi"))
        self.pause = page.locator("#pause")
        self.standings = page.locator("table.standings tbody tr, [aria-label=Standings] li")
        self.calls = page.locator("#calls")
        self.own_name = page.locator("#you bdi")
        self.title = page.get_by_role("heading", level=1)

    def _on_load(self, _: Page) -> None:
        self.loads += 1

    def items(self, name: str) -> Locator:
        return self.page.get_by_role("list", name=name).get_by_role("listitem")

    def a(self, name: str, bar: str | None = None) -> Locator:
        within = self.page.get_by_role("navigation", name=bar) if bar else self.page
        return within.get_by_role("link", name=name, exact=True)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def cell(self, number: int) -> Locator:
        return self.page.locator(f"#c{number}")

    def mark(self, value: str) -> Locator:
        return self.page.locator(f"input[name=mark][value={value}]")

    @property
    def version(self) -> int:
        return int(self.game.get_attribute("data-version") or "")

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server)

    @property
    def name(self) -> str:
        return self.own_name.text_content() or ""

    def requests(self) -> list[str]:
        asked: list[str] = []

        def note(request: Request) -> None:
            address = request.url.removeprefix(self.server)
            if not address.startswith("/static/"):
                asked.append(f"{request.method} {address}")

        self.page.on("request", note)
        return asked

    def record_announcements(self) -> None:
        self.page.evaluate("probe.listen()")

    def announcements(self) -> list[str]:
        """What was announced since this was last asked; waits for the first."""
        self.page.wait_for_function("() => window.announcements.length")
        said: list[str] = self.page.evaluate("probe.heard()")
        return said

    def open(self, path: str = "/") -> Self:
        if not self.scripted:
            self.page.evaluate("stop()")  # or its loading itself again may come in between
        self.page.goto(f"{self.server}{path}")
        return self

    def speak(self, code: str) -> None:
        cookie = {"name": "language", "value": code, "url": self.server}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]

    def another(self) -> Tab:
        return Tab(self.page.context.new_page(), self.server, self.noise).open(self.path)

    def press(self, *keys: str, on: Locator | None = None) -> None:
        if on:
            on.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str) -> None:
        expect(self.page.locator(selector).first).to_be_visible()
        focused = self.page.locator(selector).and_(self.page.locator(":focus"))
        for _ in range(60):
            if focused.count():
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    @contextmanager
    def change(self) -> Iterator[None]:
        """What happens inside is one accepted change: it adds exactly 1 to the version."""
        expected = self.version + 1
        yield
        self.expect_version(expected)

    @contextmanager
    def next_game(self) -> Iterator[None]:
        address = self.page.url
        yield
        expect(self.page).not_to_have_url(address)
        expect(self.game).to_have_attribute("data-version", re.compile("^[01]$"))

    def go_on(self) -> None:
        with self.next_game():
            self.again.click()

    def play(self, *numbers: int) -> None:
        for number in numbers:
            with self.change():
                self.cell(number).click()

    def choose(self, *, opponent: str | None = None, mark: str | None = None) -> None:
        """Set the controls; on the empty board wait for the answer to each change."""
        if opponent and self.opponent.input_value() != opponent:
            with self._prepared():
                self.opponent.select_option(opponent)
        if mark and not self.mark(mark).is_checked():
            with self._prepared():
                self.mark(mark).check()

    @contextmanager
    def _prepared(self) -> Iterator[None]:
        if not self.scripted or self.version:
            yield
            return
        with self.page.expect_response(re.compile("opponent=")) as answer:
            yield
        answer.value.finished()

    def do(self, path: str, **fields: str | float | bool) -> str:
        # A connection that was kept may end with the worker that it led to.
        send = self.page.request.post
        answer = send(f"{self.server}{path}", form=fields, max_redirects=0, max_retries=2)
        assert answer.status in (204, 303), f"{answer.status} to {path}"
        return answer.headers.get("content-location", answer.headers.get("location", ""))

    def play_elsewhere(self, cell: int, version: int | None = None, path: str = "") -> None:
        self.do(f"{path or self.path}/moves", cell=cell, version=version or self.version)

    @contextmanager
    def still(self) -> Iterator[None]:
        """Let the page stay as it is while it is looked at, however long that takes."""
        if not self.scripted:
            self.page.evaluate("stop()")  # for good: it loads itself again no more
            yield
            return
        expect(self.page.locator("#come-in")).to_have_count(0)  # its answer gives the page a name
        self.page.evaluate("() => { window.still = true; dispatchEvent(new Event('offline')); }")
        yield
        self.page.evaluate("() => { window.still = false; dispatchEvent(new Event('online')); }")

    def open_challenge(self) -> str:
        self.open("/class").page.get_by_text("Open a game for a friend").click()
        self.mark("x").check()
        self.page.locator("#challenge").click()
        expect(self.code).to_have_text(CODE)
        return self.code.inner_text()

    def open_challenge_elsewhere(self, mark: str = "x") -> str:
        page = self.page.request.get(f"{self.server}{self.do('/challenges', mark=mark)}").text()
        found = CODE.search(page.partition('class="code">')[2])
        assert found is not None
        return found[0]

    def open_review(self, moves: Sequence[int]) -> Self:
        self.open(f"/review/{''.join(map(str, moves))}?at=0&opponent=medium&mark=x")
        # Chromium drops a key that is pressed before it has drawn anything.
        drawn = "() => performance.getEntriesByType('paint').length > 0"
        self.page.wait_for_function(drawn, polling=20)
        return self

    def step(self, name: str) -> Locator:
        return self.page.locator(f"#step-{name}")

    def hold_timers(self, milliseconds: int) -> Callable[[], None]:
        """Keep what the page does after just so long; return what lets it happen."""
        self.page.evaluate("(held) => probe.hold(held)", milliseconds)
        return lambda: self.page.evaluate("() => window.held.forEach((act) => act())")

    def hide(self, hidden: bool) -> None:
        self.page.evaluate("(hidden) => probe.hide(hidden)", hidden)

    def expect_board(
        self, board: str, *, winning: Sequence[int] = (), role: str = "button", noted: bool = False
    ) -> None:
        """Check that the board is nine named cells and nothing else; `noted`: more may follow."""
        table, around = ("grid", "gridcell") if role == "button" else ("table", "cell")
        lines = [f'- {table} "Board":', "  - /children: deep-equal"]
        for number, (cell, mark) in enumerate(zip(CELLS, board, strict=True)):
            if number % 3 == 0:
                lines.append("  - row:")
            name = f"{cell}, {'empty' if mark == '.' else mark}"
            name += ", winning line" * (number in winning)
            written = f"/^{name}/" if noted else f'"{name}"'
            lines += [f"    - {around} {written}:", f"      - {role} {written}"]
        expect(self.board).to_match_aria_snapshot("\n".join(lines))

    def expect_reviewed(self, moves: Sequence[int], at: int) -> None:
        # A cell may be suggested, or say what it leads to.
        self.expect_board(str(Game(tuple(moves[:at])).board), role="img", noted=True)
        current = self.page.locator("li[aria-current=step] a")
        expect(current).to_have_count(min(at, 1))
        if at:
            expect(current).to_have_id(f"move-{at}")
            heading = self.page.locator("#review h2").first
            expect(heading).to_contain_text(CELLS[moves[at - 1]], ignore_case=True)
        ends = {"first": 0, "earlier": 0, "later": len(moves), "last": len(moves)}
        for name, limit in ends.items():
            disabled = self.page.locator(f"#step-{name}[aria-disabled=true]")
            expect(disabled).to_have_count(int(at == limit))

    def expect_version(self, version: int) -> None:
        expect(self.game).to_have_attribute("data-version", str(version))

    def expect_turn(self, heading: str | re.Pattern[str]) -> None:
        expect(self.heading).to_have_text(heading)

    def expect_focus_somewhere(self) -> None:
        expect(self.page.locator(":focus")).to_have_count(1)

    @contextmanager
    def no_reload(self) -> Iterator[None]:
        loads, address = self.loads, self.page.url
        yield
        assert (self.loads, self.page.url) == (loads, address)


Visitor: TypeAlias = Callable[..., Tab]
"""Opens a tab for a new person; the keywords are those of ``Browser.new_context``."""
