"""``GET /lab/rules``: a list of rules, what it is worth, and a game against it."""

import random
import shlex
from fractions import Fraction
from itertools import pairwise
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from click.testing import CliRunner

from tests.support import rules
from tests.support.html import Element, check, parse
from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp import words
from webapp.analysis.worth import Worth, worth
from webapp.cli import tictactoe
from webapp.core.board import Mark
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.web.present.lab import present_rules

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
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
    # Without JavaScript the page is loaded anew, and shown from the rule on, wherever it is then.
    assert link.get("href") == f"{link.get('hx-get')}#{address.fragment}"
    action, _, slug = identifier.partition("-")
    assert address.fragment == f"{'other' if action == 'without' else 'rule'}-{slug}"
    query = dict(parse_qsl(address.query))
    return query["list"], query["from"]


def exactly(found: Worth) -> list[dict[str, Fraction]]:
    """Won, drawn and lost against random play and Hard, moving first and second."""
    results = ("won", "drawn", "lost")
    return [
        dict(zip(results, found.results[rival, mark].for_mark(mark), strict=True))
        for rival in ("easy", "hard")
        for mark in Mark
    ]


# --- what a list is worth -----------------------------------------------------------------------


def test_the_figures_of_every_list_are_exact(alice: Visitor) -> None:
    for listed in random_lists(40, "figures"):
        page, found = look(alice, listed), found_of(listed)
        assert shown(page) == listed
        bars = page.document.with_class("bar")
        assert [bar.with_class("title")[0].text for bar in bars] == [
            "Against random play, moving first",
            "Against random play, moving second",
            "Against Hard, moving first",
            "Against Hard, moving second",
        ]
        for bar, values in zip(bars, exactly(found), strict=True):
            said = ", ".join(f"{result} {value}" for result, value in values.items())
            assert bar.all("details")[0].all("p")[0].text == said
        check_proofs(page, found)


def check_proofs(page: Page, found: Worth) -> None:
    """The verdict, and for each mark the shortest game that beats the list, if one does."""
    beatable = [str(mark) for mark in Mark if found.proofs[mark].beatable]
    wanted = {0: "Proved unbeatable", 1: f"Can be beaten as {''.join(beatable)} only"}
    assert page.document.with_class("verdict")[0].text == wanted.get(len(beatable), "Can be beaten")
    for mark, part in zip(Mark, page.document.with_class("proof"), strict=True):
        proof, sentence = found.proofs[mark], part.all("p")[0].text
        links = [urlsplit(link.get("href")) for link in part.all("a")]
        if proof.game is None:
            tried = f"All {proof.positions:,} positions that it can meet were tried."
            assert (sentence, links) == (f"It cannot be beaten. {tried}", [])
            continue
        assert sentence.endswith(f"takes {len(proof.game)} moves.")
        (link,) = links
        moves = link.path.removeprefix("/review/")
        assert tuple(map(int, moves)) == proof.game
        winner = str(mark.other).lower()
        assert rules.outcome(rules.after(proof.game)) == winner
        assert dict(parse_qsl(link.query))["mark"] == winner


def test_a_list_that_nobody_can_beat_is_proved_to_be_one(alice: Visitor) -> None:
    page = look(alice, UNBEATABLE)
    assert page.document.with_class("verdict")[0].text == "Proved unbeatable"
    assert page.document.with_class("sure")


def test_what_comes_after_any_is_never_reached_and_changes_nothing(alice: Visitor) -> None:
    for listed in ["any", *(one for one in random_lists(60, "any") if "any" in one)]:
        slugs = listed.split(",")
        until = slugs.index("any") + 1
        page = look(alice, listed)
        unreached = page.document.with_class("unreached")
        assert [line.get("data-rule") for line in unreached] == slugs[until:]
        assert all("Never reached" in line.text for line in unreached)
        assert "When no rule applies" not in page.text
        assert exactly(found_of(listed)) == exactly(found_of(",".join(slugs[:until])))


def test_a_list_without_any_says_what_happens_when_it_runs_out(alice: Visitor) -> None:
    page = look(alice, "win,block")
    assert "When no rule applies, it takes any free cell." in page.document.text
    assert page.document.with_class("unreached") == []
    assert exactly(found_of("win,block")) == exactly(found_of("win,block,any"))


def test_the_command_beside_it_examines_the_same_list(alice: Visitor) -> None:
    page = look(alice, "win,corner,force")
    (code,) = page.document.all("code")
    name, *arguments = shlex.split(code.text)
    printed = CliRunner().invoke(tictactoe, arguments)
    assert (name, printed.exit_code) == ("tictactoe", 0)
    for part in page.document.with_class("figures")[:1]:
        for figure in part.all("details")[0].all("p")[0].text.split(", "):
            assert f"{figure.split()[1]} = " in printed.output


# --- changing it --------------------------------------------------------------------------------


def test_every_button_makes_the_list_that_it_says(alice: Visitor) -> None:
    for listed in random_lists(25, "buttons"):
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


def test_one_can_walk_from_any_list_to_any_other(alice: Visitor) -> None:
    page = alice.get("/lab/rules")
    assert shown(page) == "win,block,any"
    for button, expected in [
        ("Add fork", "win,block,any,fork"),
        ("Move fork up", "win,block,fork,any"),
        ("Take any out", "win,block,fork"),
        ("Move win down", "block,win,fork"),
        ("Take block out", "win,fork"),
        ("Take fork out", "win"),
        ("Take win out", "win"),
    ]:
        page = alice.get(page.links[button])
        assert shown(page) == expected


def test_the_buttons_say_what_they_do(alice: Visitor) -> None:
    links = look(alice, "win,any").links
    for slug in ("win", "any"):
        assert {f"Move {slug} up", f"Move {slug} down", f"Take {slug} out"} <= set(links)
    assert {f"Add {slug}" for slug in LAB_RULES if slug not in ("win", "any")} <= set(links)


def test_after_a_change_one_sees_what_it_did(alice: Visitor) -> None:
    walk = random_lists(25, "changes")
    for before, listed in [*pairwise(walk), ("win", "win"), ("win,block", UNBEATABLE)]:
        page, old, new = look(alice, listed, before), found_of(before), found_of(listed)
        for bar, was, values in zip(
            page.document.with_class("bar"), exactly(old), exactly(new), strict=True
        ):
            for line in bar.all("dl")[0].elements:
                result = line.all("dt")[0].text
                changed = [one.text for one in line.with_class("change")]
                check_change(changed, 100 * (values[result] - was[result]))
        then, now = (
            {str(mark) for mark in Mark if found.proofs[mark].beatable} for found in (old, new)
        )
        said = []
        if now - then:
            said.append(f"It can now be beaten as {' and '.join(sorted(now - then)[::-1])}.")
        if then - now:
            said.append(f"It can no longer be beaten as {' and '.join(sorted(then - now)[::-1])}.")
        (told,) = page.document.with_class("changed")
        assert told.text == (" ".join(said) or f"Against random play it wins {gained(old, new)}.")
        check_summary(page, old, new)


def gained(old: Worth, new: Worth) -> str:
    """How much more or less a list wins against random play, as a sentence goes on."""
    said = []
    for mark in Mark:
        was, now = (found.results["easy", mark].for_mark(mark)[0] for found in (old, new))
        points = abs(now - was) * 100
        if points:
            number = "<0.1" if points < Fraction(1, 20) else f"{float(points):.1f}"
            said.append(f"{number} points {'more' if now > was else 'less'} as {mark}")
    return ", ".join(said) or "as often as before"


def check_summary(page: Page, old: Worth, new: Worth) -> None:
    """The verdict and what it wins with each mark, where it stays in sight."""
    (summary,) = page.document.with_class("summary")
    assert summary.elements[0].text == page.document.with_class("verdict")[0].text
    for mark, line in zip(Mark, summary.all("dl")[0].elements, strict=True):
        was, now = (found.results["easy", mark].for_mark(mark)[0] for found in (old, new))
        assert line.all("dt")[0].text == f"as {mark}"
        assert line.all("dd")[0].text.startswith(words.percent(now))
        check_change([one.text for one in line.with_class("change")], 100 * (now - was))


def check_change(changed: list[str], points: Fraction) -> None:
    """A change is shown where there is one, rounded to a tenth of a point, never to nothing."""
    assert bool(changed) is (points != 0)
    for text in changed:
        number = text.replace("\u2212", "-")
        if "<" in number:
            assert number == f"{'+' if points > 0 else '-'}<0.1"
            assert abs(points) <= Fraction(1, 20)
        else:
            assert number.startswith("+" if points > 0 else "-")
            assert abs(Fraction(number) - points) <= Fraction(1, 20)


def test_what_is_said_of_a_change_is_short_and_has_the_verdict_if_there_is_room() -> None:
    walk = [*random_lists(25, "said"), "win,block", UNBEATABLE]
    with_the_verdict = 0
    for before, listed in pairwise(walk):
        view = present_rules(listed, before)
        assert len(view.announcement.split()) <= words.MOST_AT_ONCE
        assert view.announcement.endswith(view.changed)
        with_the_verdict += view.announcement.startswith(f"{view.engine.verdict}. ")
    assert 1 < with_the_verdict < len(walk) - 1


def test_without_a_change_nothing_is_said_of_one(alice: Visitor) -> None:
    page = look(alice, "win,block")
    assert page.document.with_class("change") == []
    (told,) = page.document.with_class("changed")
    assert told.text == "What a change does will stand here."


def test_with_htmx_a_change_is_the_lab_its_words_and_the_title(site: Site, alice: Visitor) -> None:
    page = look(alice, "win,block")
    for button in ("up-block", "without-win", "add-fork"):
        address = page.the(button).get("hx-get")
        response = site.app.test_client().get(address, headers=FRAGMENT)
        region, live, title = parse(response.text).elements
        whole = alice.get(address)
        assert region.text == whole.the("lab").text
        assert title.text == whole.title
        assert (live.get("hx-target"), live.get("hx-swap")) == ("#live", "textContent")
        assert live.text.endswith(whole.document.with_class("changed")[0].text)
        assert len(live.text.split()) <= words.MOST_AT_ONCE
        check(page.document.mapped({"lab": region}))
        varying = response.headers["Vary"].lower()
        assert "hx-request" in varying
        assert "hx-history-restore-request" in varying


# --- playing against it -------------------------------------------------------------------------


def chosen(page: Page) -> Element:
    (option,) = [one for one in page.the("opponent").all("option") if one.has("selected")]
    return option


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("listed", ["win,block", "corner", UNBEATABLE])
def test_a_list_can_be_played_reviewed_and_played_again(
    site: Site, alice: Visitor, listed: str, htmx: bool
) -> None:
    slug, named = PREFIX + listed, f"Rule list: {len(listed.split(','))} in order"
    page = alice.get(look(alice, listed).links["Play against it"])
    assert (page.board, page.opponent, page.mark) == (rules.EMPTY, slug, "x")
    assert chosen(page).text == named
    while not page.outcome:
        page = alice.press(page, page.cell(page.playable[-1]), htmx=htmx)
        assert page.score_against == "Rule list"
    assert sum(page.score or ()) == 1
    assert site.stored(page.address.removeprefix("/games/"))["opponent"] == slug
    review = alice.get(page.links["Review this game"])
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


def test_the_experiment_is_about_the_list(alice: Visitor) -> None:
    page = alice.get(look(alice, "win,edge").links["Experiment"])
    assert "rules:win,edge" in page.the("counts").text


# --- refused ------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script>"
BAD_LISTS = [
    ("", "A list needs at least one rule: win, block"),
    ("win,win", "The rule 'win' stands in the list twice."),
    ("win,block,win", "The rule 'win' stands in the list twice."),
    ("win,deep", "There is no rule 'deep'; there are win, block"),
    *((bad, "There is no rule ") for bad in ("WIN", " win", "win ", "win,", ",", "win;block")),
    *((bad, "There is no rule ") for bad in ("rules:win", "wіn", "win\n", "\x00", "../etc")),
    *((bad, "There is no rule ") for bad in (SCRIPT, "'\"><b>", "a" * 3000, "{{7*7}}")),
]


# An empty `from` says that there was nothing before.
@BOTH_WAYS
@pytest.mark.parametrize(
    "field,bad,why",
    [
        (field, *each)
        for field in ("list", "from")
        for each in BAD_LISTS
        if each[0] or field == "list"
    ],
)
def test_a_list_that_cannot_be_read_is_refused_with_a_sentence(
    alice: Visitor, *, field: str, bad: str, why: str, fragment: bool
) -> None:
    query = {"list": "win", field: bad}
    page = alice.get("/lab/rules", query_string=query, fragment=fragment)
    assert (page.status, page.is_fragment) == (422, False)
    assert why in page.document.all("main")[0].all("p")[0].text
    assert "<script>alert" not in page.text
    assert "'\"><b>" not in page.text
    assert page.links["Play a game"] == "/"


@pytest.mark.parametrize("query", ["list=win&list=block", "list=win&from=win&from=block"])
def test_two_lists_in_the_place_of_one_are_refused(alice: Visitor, query: str) -> None:
    assert alice.get(f"/lab/rules?{query}").status == 422


@BOTH_WAYS
@pytest.mark.parametrize("listed", ["deep", "win,win", ""])
def test_no_game_begins_against_a_list_that_cannot_be_read_and_why_is_said_shortly(
    site: Site, alice: Visitor, listed: str, fragment: bool
) -> None:
    alice.get("/")
    before = site.dump()
    fields = {"opponent": PREFIX + listed, "mark": "x", "cell": "4"}
    page = alice.post("/games", fields, fragment=fragment)
    assert page.status == 422
    assert len(page.refusal.split()) <= 15
    assert site.dump() == before


@pytest.mark.parametrize("slug", ["rules:", "rules:win,win", quote(f"rules:{SCRIPT}", safe="")])
def test_there_is_no_page_of_a_list_that_cannot_be_read(alice: Visitor, slug: str) -> None:
    page = alice.get(f"/opponents/{slug}")
    assert page.status == 404
    assert SCRIPT not in page.text
