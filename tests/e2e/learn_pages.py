"""The pages to learn from, as a person uses them; their markup is known here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from tests.e2e.tab import CELLS, Tab
from webapp.core.game import Game

PAGES: Mapping[str, str] = {
    "learn": "/learn?at=ahead.1",
    "a wrong cell": "/learn?at=fork.3&cell=2",
    "a right cell": "/learn?at=draw.1&cell=4",
    "paper": "/learn/paper",
    "rules on paper": "/learn/paper/rules",
    "menace on paper": "/learn/paper/menace",
    "menace": "/menace?moves=40",
    "worksheet": "/learn/paper/puzzles?kind=only&number=12&seed=7",
    "map": "/learn/map",
    "map for O": "/learn/map?mark=o&moves=0481",
    "opponents": "/opponents",
    "opponent": "/opponents/medium",
    "lab": "/lab?x=slips&o=medium",
    "experiment": "/lab/experiment?x=medium&o=easy&games=1000&seed=1",
    "rules": "/lab/rules?list=win,any,block&from=win,any",
    "review": "/review/4028135?at=4&values=1&opponent=medium&mark=o",
}
"""An address of each kind of page to learn from, with as much on it as there can be."""


def expect_query(page: Page, **fields: str) -> None:
    """Check that the address says this, among other things."""
    for field, value in fields.items():
        # Commas may stand in an address as they are.
        plain, escaped = quote(value, safe=","), quote(value, safe="")
        expect(page).to_have_url(re.compile(rf"[?&]{field}=({plain}|{escaped})([&#]|$)"))


class ReviewPage:
    """One tab with a game under review in it."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.region = self.page.locator("#review")
        self.sentence = self.region.locator("p").first
        self.turning = self.page.locator("#turning")
        self.values = self.page.locator("#values")
        self.notes = self.region.locator(".worth")

    def open(self, moves: Sequence[int], at: int = 0) -> ReviewPage:
        self.tab.open(f"/review/{''.join(map(str, moves))}?at={at}&opponent=medium&mark=x")
        # Chromium drops a key that is pressed before it has drawn anything.
        drawn = "() => performance.getEntriesByType('paint').length > 0"
        self.page.wait_for_function(drawn, polling=20)
        return self

    def step(self, name: str) -> Locator:
        return self.page.locator(f"#step-{name}")

    def move(self, number: int) -> Locator:
        return self.page.locator(f"#move-{number}")

    def expect_at(self, moves: Sequence[int], at: int) -> None:
        """Check that board, heading, list and links show the game after so many moves."""
        # A cell may be suggested, or say what it leads to.
        self.tab.expect_board(str(Game(tuple(moves[:at])).board), role="img", noted=True)
        current = self.page.locator("li[aria-current=step] a")
        if at:
            expect(current).to_have_attribute("id", f"move-{at}")
            heading = self.region.get_by_role("heading")
            expect(heading).to_contain_text(CELLS[moves[at - 1]], ignore_case=True)
        else:
            expect(current).to_have_count(0)
        for name, limit in (
            ("first", 0),
            ("earlier", 0),
            ("later", len(moves)),
            ("last", len(moves)),
        ):
            disabled = self.page.locator(f"#step-{name}[aria-disabled=true]")
            expect(disabled).to_have_count(int(at == limit))


class ExercisePage:
    """One tab with an exercise in it."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.question = self.page.locator("#exercise h2")
        self.sentence = self.page.locator("#exercise .status p")
        self.onward = self.page.locator("#exercise .actions a").first
        self.again = self.page.get_by_role("link", name="Try again", exact=True)

    def open(self, at: str = "threat.1") -> ExercisePage:
        self.tab.open(f"/learn?at={at}")
        return self

    def expect(self, at: str, said: str, board: str) -> None:
        """Check which exercise it is, what is said, and what stands on the board."""
        expect(self.page.locator("#exercise input[name=at]")).to_have_value(at)
        expect(self.sentence).to_contain_text(said)
        self.tab.expect_board(board, noted=True)

    def expect_in_view(self) -> None:
        """Check that all of it can be seen without scrolling."""
        ideas = self.page.get_by_role("navigation", name="Ideas")
        for part in (self.tab.board, self.question, self.sentence, self.onward, ideas):
            expect(part).to_be_in_viewport(ratio=1)


class RuleLabPage:
    """One tab with a list of rules in it, and what it is worth."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.list = self.page.locator("[data-list]")
        self.rules = self.page.locator("[data-list] > li")
        self.verdict = self.page.locator("#lab .verdict").first
        self.changes = self.page.locator("#lab .summary .change")

    def open(self, *rules: str) -> RuleLabPage:
        self.tab.open(f"/lab/rules?list={','.join(rules)}")
        return self

    def button(self, action: str, rule: str) -> Locator:
        """The link that moves a rule ``up`` or ``down``, takes it out or adds it."""
        return self.page.locator(f"#{action}-{rule}")

    def press(self, action: str, rule: str, *then: str) -> None:
        """Click such a link, after which these are the rules."""
        self.button(action, rule).click()
        self.expect_list(*then)

    def rule(self, rule: str) -> Locator:
        return self.page.locator(f"[data-list] > li[data-rule={rule}]")

    def expect_list(self, *rules: str) -> None:
        """Check that these are the rules in their order, and that the address says so."""
        expect(self.list).to_have_attribute("data-list", ",".join(rules))
        order = self.rules.evaluate_all("(rules) => rules.map((rule) => rule.dataset.rule)")
        assert order == list(rules)
        expect_query(self.page, list=",".join(rules))

    def drag(self, rule: str, *places: tuple[str, float]) -> None:
        """Drag a rule over others, each so far down from its upper edge, and drop it there."""
        for at, (other, down) in enumerate(((rule, 0.5), *places)):
            box = self.rule(other).bounding_box()
            assert box is not None
            self.page.mouse.move(box["x"] + 24, box["y"] + down * box["height"], steps=5)
            if at == 0:
                self.page.mouse.down()
        self.page.mouse.up()


class HeatMap:
    """One tab with the table of all engines in it: 10 rows for X, 10 columns for O."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.tab_stops = self.page.locator('.heat td a:not([tabindex="-1"])')
        self.title = self.page.locator("#pair").get_by_role("heading")

    def open(self, x: str, o: str) -> HeatMap:
        self.tab.open(f"/lab?x={x}&o={o}")
        return self

    def cell(self, x: str, o: str) -> Locator:
        """The cell of two engines, by their names."""
        return self.page.get_by_role("link", name=re.compile(f": {x} as X against {o}, "))

    def row_heading(self, x: str) -> Locator:
        return self.page.locator(".heat").get_by_role("link", name=x, exact=True)

    def expect_chosen(self, x: str, o: str) -> None:
        """Check that this pair alone is marked as chosen."""
        expect(self.page.locator(".heat td [aria-current]")).to_have_count(1)
        expect(self.cell(x, o)).to_have_attribute("aria-current", "true")
