"""``GET /lab/rules``: a list of rules, what it is worth, and a game against it."""

import random
from fractions import Fraction
from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_swap, check_verdict, exactly, query_of
from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp import words
from webapp.analysis.worth import Worth, worth
from webapp.core.board import Mark
from webapp.core.game import digits
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.web.present.lab import rules_announcement

UNBEATABLE = "win,block,fork,force,block-fork,centre,opposite-corner,corner,edge"


def random_lists(number: int, seed: str) -> list[str]:
    """Lists of one to ten rules in any order."""
    rng = random.Random(seed)
    return [",".join(rng.sample(list(LAB_RULES), rng.randint(1, 10))) for _ in range(number)]


def look(visitor: Visitor, listed: str, before: str = "") -> Page:
    """The page of a list, and perhaps of what it was before."""
    query = {"list": listed, **({"from": before} if before else {})}
    return visitor.get("/lab/rules", query_string=query)


def found_of(listed: str) -> Worth:
    return worth(rule_list(PREFIX + listed))


def shown(page: Page) -> str:
    """The list that a page shows, rule by rule."""
    (ordered,) = page.document.all("ol")
    slugs = ",".join(line.get("data-rule") for line in ordered.elements)
    assert ordered.get("data-list") == slugs
    return slugs


def leads_to(page: Page, identifier: str) -> tuple[str, str]:
    """The list that a button makes, and the list that it says it comes from."""
    link = page.the(identifier)
    address = urlsplit(link.get("href"))
    assert address.path == "/lab/rules"
    # Without JavaScript the whole page is loaded, and shown from the rule on, wherever it is then.
    assert link.get("href") == f"{link.get('hx-get')}#{address.fragment}"
    action, _, slug = identifier.partition("-")
    assert address.fragment == f"{'other' if action == 'without' else 'rule'}-{slug}"
    query = query_of(link)
    return query["list"], query["from"]


# --- what a list is worth -----------------------------------------------------------------------


def test_the_figures_of_every_list_are_exact(alice: Visitor) -> None:
    for listed in (UNBEATABLE, *random_lists(12, "figures")):
        page, found = look(alice, listed), found_of(listed)
        assert page.document.with_class("change") == []
        assert page.document.all("code")[0].text == f"tictactoe check rules:{listed}"
        assert shown(page) == listed
        bars = page.document.with_class("bar")
        assert [bar.with_class("title")[0].text for bar in bars] == [
            "Against random play, moving first",
            "Against random play, moving second",
            "Against Hard, moving first",
            "Against Hard, moving second",
        ]
        for bar, values in zip(bars, exactly(found), strict=True):
            check_bar(bar, values)
        check_verdict(page.document.with_class("verdict")[0], found)
        for mark, part in zip(Mark, page.document.with_class("proof"), strict=True):
            links = [urlsplit(link.get("href")).path for link in part.all("a")]
            game = found.proofs[mark].game
            assert links == ([f"/review/{digits(game)}"] if game else [])


def test_what_comes_after_any_is_never_reached_and_changes_nothing(alice: Visitor) -> None:
    for listed in ["any", *(one for one in random_lists(20, "any") if "any" in one)]:
        slugs = listed.split(",")
        until = slugs.index("any") + 1
        page = look(alice, listed)
        unreached = page.document.with_class("unreached")
        assert [line.get("data-rule") for line in unreached] == slugs[until:]
        assert all("Never used" in line.text for line in unreached)
        assert "If no rule applies" not in page.text
        assert "If no rule applies" in look(alice, "win").text
        assert exactly(found_of(listed)) == exactly(found_of(",".join(slugs[:until])))


# --- changing it --------------------------------------------------------------------------------


def test_every_button_makes_the_list_that_it_says(alice: Visitor) -> None:
    assert shown(alice.get("/lab/rules")) == "win,block,any"
    for listed in random_lists(10, "buttons"):
        page, slugs = look(alice, listed), listed.split(",")
        assert [page.the(f"rule-{slug}").all("b")[0].text for slug in slugs] == slugs
        for at, slug in enumerate(slugs):
            others = [one for one in slugs if one != slug]
            for button, to in (("up", at - 1), ("down", at + 1)):
                possible = 0 <= to < len(slugs)
                moved = [*others[:to], slug, *others[to:]] if possible else slugs
                assert leads_to(page, f"{button}-{slug}") == (",".join(moved), listed)
                inert = page.the(f"{button}-{slug}").get("aria-disabled") == "true"
                assert inert is not possible
            assert leads_to(page, f"without-{slug}") == (",".join(others) or listed, listed)
            inert = page.the(f"without-{slug}").get("aria-disabled") == "true"
            assert inert is (len(slugs) == 1)
        for slug in LAB_RULES:
            if slug in slugs:
                assert page.document.with_id(f"add-{slug}") is None
            else:
                assert leads_to(page, f"add-{slug}") == (f"{listed},{slug}", listed)
                assert page.the(f"add-{slug}") in page.the(f"other-{slug}").walk()


def test_after_a_change_every_figure_says_by_how_much_it_changed(alice: Visitor) -> None:
    for before, listed in [*pairwise(random_lists(15, "changes")), ("win", "win")]:
        page, old, new = look(alice, listed, before), found_of(before), found_of(listed)
        for bar, was, values in zip(
            page.document.with_class("bar"), exactly(old), exactly(new), strict=True
        ):
            for line in bar.all("dl")[0].elements:
                result = line.all("dt")[0].text
                changed = "".join(one.text for one in line.with_class("change"))
                assert changed == points(values[result] - was[result])
        (summary,) = page.document.with_class("summary")
        lines = [bar.all("dl")[0].elements[0] for bar in page.document.with_class("bar")[:2]]
        shown = [line.all("dd")[0].text for line in summary.all("dl")[0].elements]
        assert shown == [line.all("dd")[0].text for line in lines]


def points(difference: Fraction) -> str:
    """A change in points, rounded to a tenth, and never to nothing."""
    sign = "+" if difference > 0 else "\u2212"
    shown = f"{abs(float(difference)) * 100:.1f}"
    return f"{sign}{'<0.1' if shown == '0.0' else shown}" if difference else ""


def test_what_a_change_did_is_announced_with_the_verdict(alice: Visitor) -> None:
    (told,) = look(alice, UNBEATABLE, "win,block").document.with_class("changed")
    assert told.text.startswith("It can no longer be beaten as X or as O.")
    for before, listed in [*pairwise(random_lists(15, "announced")), ("win", "win")]:
        (told,) = look(alice, listed, before).document.with_class("changed")
        announced = rules_announcement(found_of(listed), found_of(before))
        assert len(announced.split()) <= words.MOST_AT_ONCE
        assert announced.endswith(told.text)


def test_with_htmx_a_change_is_the_lab_its_words_and_the_title(site: Site, alice: Visitor) -> None:
    page = look(alice, "win,block")
    for button in ("up-block", "without-win", "add-fork"):
        address = page.the(button).get("hx-get")
        live = check_swap(site, address, page, "lab", titled=True)
        assert live.endswith(alice.get(address).document.with_class("changed")[0].text)
        assert len(live.split()) <= words.MOST_AT_ONCE


# --- playing against it -------------------------------------------------------------------------


def chosen(page: Page) -> Element:
    (option,) = [one for one in page.the("opponent").all("option") if one.has("selected")]
    return option


@pytest.mark.parametrize("htmx", [False, True])
def test_a_list_can_be_played_reviewed_and_played_again(alice: Visitor, htmx: bool) -> None:
    slug, named = f"{PREFIX}win,block", "Rule list: 2 in order"
    page = alice.get(look(alice, "win,block").links["Play against it"])
    assert (page.board, page.opponent, page.mark) == (rules.EMPTY, slug, "x")
    assert chosen(page).text == named
    while not page.outcome:
        page = alice.press(page, page.cell(page.playable[-1]), htmx=htmx)
        assert page.score_against == "Rule list"
    assert sum(page.score or ()) == 1
    review = alice.get(page.links["Review"])
    assert "X was a person, O Rule list." in review.document.text
    again = alice.press(page, "Play again", htmx=htmx)
    assert (again.opponent, again.score_against) == (slug, "Rule list")
    assert chosen(alice.get("/")).text == named


def test_a_list_that_was_left_is_no_longer_offered(alice: Visitor, bob: Visitor) -> None:
    alice.start("rules:win,block", "x", cell=4)
    assert "rules:" in alice.get("/").text
    assert "rules:" not in bob.get("/").text
    alice.start("hard", "x", cell=4)
    assert "rules:" not in alice.get("/").the("opponent").text
    assert alice.get("/").opponent == "hard"
