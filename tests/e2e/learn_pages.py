"""The pages to learn from, as a person uses them; their markup is known here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from tests.e2e.tab import CELLS, Tab
from webapp.core.game import Game


def expect_query(page: Page, **fields: str) -> None:
    for field, value in fields.items():
        # Commas may stand in an address as they are.
        plain, escaped = quote(value, safe=","), quote(value, safe="")
        expect(page).to_have_url(re.compile(rf"[?&]{field}=({plain}|{escaped})([&#]|$)"))


class ReviewPage:
    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.turning, self.values = map(self.page.locator, ("#turning", "#values"))
        self.notes = self.page.locator("#review .worth")

    def open(self, moves: Sequence[int]) -> ReviewPage:
        self.tab.open(f"/review/{''.join(map(str, moves))}?at=0&opponent=medium&mark=x")
        # Chromium drops a key that is pressed before it has drawn anything.
        drawn = "() => performance.getEntriesByType('paint').length > 0"
        self.page.wait_for_function(drawn, polling=20)
        return self

    def step(self, name: str) -> Locator:
        return self.page.locator(f"#step-{name}")

    def expect_at(self, moves: Sequence[int], at: int) -> None:
        """Check that board, heading, list and links show the game after so many moves."""
        # A cell may be suggested, or say what it leads to.
        self.tab.expect_board(str(Game(tuple(moves[:at])).board), role="img", noted=True)
        current = self.page.locator("li[aria-current=step] a")
        expect(current).to_have_count(min(at, 1))
        if at:
            expect(current).to_have_attribute("id", f"move-{at}")
            heading = self.page.locator("#review h2").first
            expect(heading).to_contain_text(CELLS[moves[at - 1]], ignore_case=True)
        ends = {"first": 0, "earlier": 0, "later": len(moves), "last": len(moves)}
        for name, limit in ends.items():
            disabled = self.page.locator(f"#step-{name}[aria-disabled=true]")
            expect(disabled).to_have_count(int(at == limit))


class ExercisePage:
    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.question = self.page.locator("#exercise h2")
        self.sentence = self.page.locator("#exercise .status p")
        self.onward = self.page.locator("#exercise .actions a").first

    def open(self, at: str) -> ExercisePage:
        self.tab.open(f"/learn?at={at}")
        return self

    def expect(self, at: str, said: str, board: str) -> None:
        expect(self.page.locator("#exercise input[name=at]")).to_have_value(at)
        expect(self.sentence).to_contain_text(said)
        self.tab.expect_board(board, noted=True)


class RuleLabPage:
    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.list = self.page.locator("[data-list]")

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

    def expect_list(self, *rules: str) -> None:
        """Check that these are the rules in their order, and that the address says so."""
        expect(self.list).to_have_attribute("data-list", ",".join(rules))
        shown = self.list.locator("> li")
        assert shown.evaluate_all("(all) => all.map((rule) => rule.dataset.rule)") == list(rules)
        expect_query(self.page, list=",".join(rules))

    def drag(self, rule: str, *places: tuple[str, float]) -> None:
        """Drag a rule over others, each so far down from its upper edge, and drop it there."""
        for at, (other, down) in enumerate(((rule, 0.5), *places)):
            box = self.list.locator(f"> [data-rule={other}]").bounding_box()
            assert box is not None
            self.page.mouse.move(box["x"] + 24, box["y"] + down * box["height"], steps=5)
            if at == 0:
                self.page.mouse.down()
        self.page.mouse.up()
