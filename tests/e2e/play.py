"""The play page as a person uses it. What is known of its markup stands here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from playwright.sync_api import APIResponse, Locator, Page, Request, expect

CELLS = (
    "Top left",
    "Top centre",
    "Top right",
    "Middle left",
    "Centre",
    "Middle right",
    "Bottom left",
    "Bottom centre",
    "Bottom right",
)
"""The names of the cells, as the contract has them."""

LINES = {
    (0, 1, 2): "top row",
    (3, 4, 5): "middle row",
    (6, 7, 8): "bottom row",
    (0, 3, 6): "left column",
    (1, 4, 7): "middle column",
    (2, 5, 8): "right column",
    (0, 4, 8): "diagonal",
    (2, 4, 6): "diagonal",
}

EMPTY = "." * 9

GAME_URL = re.compile(r"/games/[\w-]{22,}$")


class PlayPage:
    """One tab with the game in it."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server
        self.posts: list[Request] = []
        """The POSTs that this tab has sent."""
        page.on("request", self._on_request)

        self.game = page.locator("#game")
        self.board_group = page.get_by_role("group", name="Board", exact=True)
        self.cells = page.locator("#c0, #c1, #c2, #c3, #c4, #c5, #c6, #c7, #c8")
        self.heading = self.game.get_by_role("heading")
        self.sentence = self.game.locator("p").first
        self.live = page.locator("#live")
        self.opponent = page.locator("select#opponent")
        self.score_list = page.get_by_label(re.compile("^Score against"))
        self.move_list = page.get_by_role("list", name="Moves").get_by_role("listitem")
        self.hint = self.button("Hint")
        self.undo = self.button("Undo")
        self.new_game = self.button("New game")
        self.play_again = self.button("Play again")
        self.begin = self.button("Let the computer begin")
        # The buttons beside the board, in the order of the page.
        self.actions = page.locator("main button:visible:not([id^=c])")

    def _on_request(self, request: Request) -> None:
        if request.method == "POST":
            self.posts.append(request)

    # --- finding ------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def cell(self, number: int) -> Locator:
        return self.page.locator(f"#c{number}")

    def mark(self, value: str) -> Locator:
        return self.page.locator(f"input[name=mark][value={value}]")

    # --- reading ------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return int(self.game.get_attribute("data-version") or "")

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server)

    def score(self) -> list[int]:
        """Games won, drawn and lost."""
        return [int(number) for number in self.score_list.locator("dd").all_inner_texts()]

    def ids_that_occur_twice(self) -> list[str]:
        found: list[str] = self.page.evaluate(
            """() => {
              const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
              return ids.filter((id, index) => ids.indexOf(id) !== index);
            }"""
        )
        return found

    # --- doing --------------------------------------------------------------------------------

    def open(self, path: str = "/") -> PlayPage:
        self.page.goto(f"{self.server}{path}")
        return self

    @contextmanager
    def change(self) -> Iterator[None]:
        """What happens inside is one accepted change: it adds exactly 1 to the version."""
        expected = self.version + 1
        yield
        expect(self.game).to_have_attribute("data-version", str(expected))

    @contextmanager
    def next_game(self) -> Iterator[None]:
        """What happens inside leads to another game, or to the empty board where one begins."""
        address = self.page.url
        yield
        expect(self.page).not_to_have_url(address)
        expect(self.game).to_have_attribute("data-version", re.compile("^[01]$"))

    def play(self, *numbers: int) -> None:
        """Click cells, and wait each time until the move is answered."""
        for number in numbers:
            with self.change():
                self.cell(number).click()

    def choose(self, *, opponent: str | None = None, mark: str | None = None) -> None:
        """Set the controls beside the board."""
        if opponent is not None:
            self.opponent.select_option(opponent)
        if mark is not None:
            self.mark(mark).check()

    def choose_for_an_empty_board(
        self, *, opponent: str | None = None, mark: str | None = None
    ) -> None:
        """Set the controls beside an untouched board, and wait for the answer to each change."""
        if opponent is not None and self.opponent.input_value() != opponent:
            with self.page.expect_response(lambda response: "opponent=" in response.url) as answer:
                self.opponent.select_option(opponent)
            answer.value.finished()
        if mark is not None and not self.mark(mark).is_checked():
            with self.page.expect_response(lambda response: "mark=" in response.url) as answer:
                self.mark(mark).check()
            answer.value.finished()

    def start(self, opponent: str, mark: str = "x") -> None:
        """From the front page, choose whom to play and with which mark; as O, let X begin."""
        self.open()
        self.choose_for_an_empty_board(opponent=opponent, mark=mark)
        if mark == "o":
            with self.next_game():
                self.begin.click()

    def post(self, path: str, form: dict[str, str | float | bool]) -> APIResponse:
        """Send a form with this tab's cookie, but not from this tab."""
        return self.page.request.post(f"{self.server}{path}", form=form, max_redirects=0)

    def play_elsewhere(self, number: int) -> None:
        """Play a cell of this tab's game as another tab would."""
        form: dict[str, str | float | bool] = {"cell": str(number), "version": str(self.version)}
        assert self.post(f"{self.path}/moves", form).status == 303

    # --- checking -----------------------------------------------------------------------------

    def expect_board(
        self,
        board: str,
        *,
        winning: Sequence[int] = (),
        suggested: int | None = None,
        role: str = "button",
    ) -> None:
        """Check that the board is nine named cells and nothing else, as a screen reader has it.

        :param role: of each cell; a watcher's are no buttons
        """
        lines = ['- group "Board":', "  - /children: deep-equal"]
        for number, (cell, mark) in enumerate(zip(CELLS, board, strict=True)):
            name = f"{cell}, {'empty' if mark == '.' else mark}"
            if number in winning:
                name += ", winning line"
            if number == suggested:
                name += ", suggested"
            lines.append(f'  - {role} "{name}"')
        expect(self.board_group).to_match_aria_snapshot("\n".join(lines))

    def expect_score(self, won: int, drawn: int, lost: int) -> None:
        expect(self.score_list.locator("dd")).to_have_text([str(won), str(drawn), str(lost)])

    def expect_focus_somewhere(self) -> None:
        """Check that the focus has not fallen to the page as a whole."""
        expect(self.page.locator(":focus")).to_have_count(1)


Visitor: TypeAlias = Callable[..., PlayPage]
"""Opens a tab for somebody new; the keywords are those of ``Browser.new_context``."""


def record_announcements(play: PlayPage) -> None:
    """From now on note whatever the live region says."""
    play.page.evaluate(
        """() => {
          const live = document.getElementById("live");
          window.announcements = [];
          new MutationObserver(() => window.announcements.push(live.textContent))
            .observe(live, { childList: true, characterData: true, subtree: true });
        }"""
    )


def announcements(play: PlayPage) -> list[str]:
    """What was announced since this was last asked; waits for the first for some seconds."""
    said: list[str] = play.page.evaluate(
        """async () => {
          const frame = () => new Promise(requestAnimationFrame);
          for (let n = 0; n < 300 && !window.announcements.length; n++) await frame();
          await frame();
          return window.announcements.splice(0);
        }"""
    )
    return said
