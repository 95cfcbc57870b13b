import random
import re
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.support.html import Element
from tests.support.learning import (
    check_bar,
    check_lost,
    check_results,
    check_swap,
    query_of,
)
from tests.support.page import Page, fields_of
from tests.support.visitor import Site, Visitor, open_site
from webapp.analysis.claims import verdicts
from webapp.analysis.league import league
from webapp.analysis.matchup import Matchup, matchup
from webapp.analysis.simulate import Experiment, experiment, hundredths
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.core.game import digits
from webapp.engines.base import ONLY_THE_BOARD, SOURCES
from webapp.engines.registry import ENGINES, Catalogue
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.words import figures


def cells(page: Page) -> dict[tuple[str, str], Element]:
    (table,) = page.document.with_class("heat")
    links = [one for cell in table.all("td") for one in cell.all("a")]
    return {(query_of(link)["x"], query_of(link)["o"]): link for link in links}


def lines(table: Element) -> list[list[str]]:
    return [[cell.text for cell in row.elements] for row in table.all("tbody")[0].elements]


def more(result: Matchup) -> str:
    """How many more of 100 games X wins than O, with a sign that stays left of it."""
    difference = result.x_wins - result.o_wins
    sign = "+" if difference > 0 else "\u2212"
    return f"\u200e{sign}{figures.whole_percent(abs(difference))}" if difference else "0"


def test_the_table_has_every_pair_with_its_figures(alice: Visitor) -> None:
    page = alice.get("/lab")
    found, (table,) = cells(page), page.document.with_class("heat")
    assert list(found) == list(product(ENGINES, repeat=2))
    names = [engine.name for engine in ENGINES.values()]
    headings = [one.text for one in table.all("th")]
    assert headings == ["X \\ O", *names, *names]
    tones = dict(zip(found, (cell.get("class") for cell in table.all("td")), strict=True))
    some = [("hard", "easy"), ("easy", "hard"), ("hard", "hard")]
    assert [tones[pair] for pair in some] == ["x4", "o4", "even"]
    for (x, o), link in found.items():
        # Without JavaScript the whole page is loaded, and shown from the table on.
        assert link.get("href") == f"{link.get('hx-get')}#table"
        exact = matchup(ENGINES[x], ENGINES[o])
        won, lost = map(figures.whole_percent, (exact.x_wins, exact.o_wins))
        assert link.text == more(exact)
        # Anyone who speaks to the computer says what is to be seen, so the name begins with it.
        pair = f"{ENGINES[x].name} as X against {ENGINES[o].name}"
        says = f"{more(exact)}: {pair}, {won} percent won, {lost} percent lost"
        assert link.get("aria-label") == says


MIXED, EDGE = "rules:win,corner", "rules:edge"
CALLED = {MIXED: "Rule list (Win, Corner)", EDGE: "Rule list (Edge)"}
CALLED |= {slug: engine.name for slug, engine in ENGINES.items()}


def test_the_pair_that_is_chosen_is_shown_exactly(site: Site, alice: Visitor) -> None:
    for x, o in (("scenarios", "slips"), (MIXED, EDGE)):
        page = alice.get("/lab", query_string={"x": x, "o": o})
        pair = page.the("pair")
        assert pair.all("h2")[0].text == f"{CALLED[x]} as X against {CALLED[o]} as O"
        known = Catalogue(ENGINES)
        check_bar(pair, matchup(known[x], known[o]).for_mark(Mark.X))
        assert query_of(pair.all("a")[0]) == {"x": x, "o": o}
        chosen = [shown for shown, link in cells(page).items() if link.has("aria-current")]
        assert chosen == ([(x, o)] if x in ENGINES else [])
        check_swap(site, f"/lab?x={x}&o={o}", page, "pair", titled=False)


def test_a_claim_has_its_verdict_and_the_games_that_the_engine_loses(alice: Visitor) -> None:
    (listed,) = alice.get("/lab").document.with_class("claims")
    for line, verdict in zip(listed.elements, verdicts(), strict=True):
        claim, engine = verdict.claim, ENGINES[verdict.claim.engine]
        source = f"Source: {SOURCES[claim.source]}."
        assert line.all("p")[0].text == f"{engine.name}: {claim.text}. {source}"
        assert line.all("strong")[0].text == str(verdict.holds)
        assert ("refuted" in line.get("class").split()) is not verdict.holds
        lost = [found.mark for found in verdict.proofs if found.game]
        for link, mark in zip(line.all("a")[1:], lost, strict=True):
            assert link.text == f"A game that it loses as {mark}"
            check_lost(link, engine, mark)


def test_an_experiment_counts_what_the_simulation_does(site: Site, alice: Visitor) -> None:
    known = Catalogue(ENGINES)
    for x, o, games in (("slips", "scenarios", 1), ("hard", "hard", 100), (MIXED, EDGE, 10_000)):
        query = {"x": x, "o": o, "games": str(games), "seed": "a_b.c-d"}
        address = f"/lab/experiment?{urlencode(query)}"
        page = alice.get(address)
        form, region = page.document.all("form")[0], page.the("counts")
        assert (form.get("hx-get"), form.get("hx-target")) == ("/lab/experiment", "#counts")
        assert fields_of(form, page.document) == query | {"seed": ""}
        check_swap(site, address, page, "counts", titled=False)
        counted = Experiment(*(int(one.text.replace(",", "")) for one in region.all("b")))
        assert counted == experiment(known[x], known[o], games, "a_b.c-d")
        each = (counted.x_wins, counted.draws, counted.o_wins)
        piles, *shares = region.with_class("pile"), *zip(each, region.all("li"), strict=True)
        assert [len(pile.all("use")) for pile in piles] == hundredths(each)
        assert all(figures.percent(count / games) in pile.text for count, pile in shares)
        verdict, exact = region.all("p")[0].text, matchup(known[x], known[o]).for_mark(Mark.X)
        names = [one.get("aria-label") for one in region.all("thead")[0].all("svg")]
        said = " ".join(f"{name}: {share}." for name, share in zip(names, exact, strict=True))
        assert f"Exactly: {said}" in region.text
        columns = zip(*(row[1:] for row in lines(region)), strict=True)
        for name, column, count, share in zip(names, columns, each, exact, strict=True):
            number, expected, percent, error, off = column
            assert (number, percent) == (figures.figure(count), figures.percent(share))
            assert expected == f"{float(games * share):,.1f}"
            # What lies further off than chance explains is named.
            assert (name in verdict) is (abs(float(off.replace("\u2212", "-"))) > 1.96)
            assert (error, off) == ("±0.0", "+0.00") or share not in (0, 1)


def test_an_experiment_without_a_seed_is_another_one_each_time(alice: Visitor) -> None:
    query = {"x": "medium", "o": "easy", "games": "10", "seed": ""}
    seeds = {alice.get("/lab/experiment", query_string=query).location for _ in range(5)}
    assert len(seeds) > 1
    assert all(re.search(r"x=medium&o=easy&games=10&seed=\d+$", one) for one in seeds)


UNBEATABLE = "win,block,fork,force,block-fork,centre,opposite-corner,corner,edge"


def random_lists(number: int, seed: str) -> list[str]:
    rng = random.Random(seed)
    return [",".join(rng.sample(list(LAB_RULES), rng.randint(1, 10))) for _ in range(number)]


def look(visitor: Visitor, listed: str, before: str = "") -> Page:
    query = {"list": listed, **({"from": before} if before else {})}
    return visitor.get("/lab/rules", query_string=query)


def points(difference: float) -> str:
    """A change in points, rounded to a tenth."""
    shown = f"{abs(difference) * 100:.1f}"
    sign = "+" if difference > 0 else "\u2212"
    return f"{sign}{shown}" if difference else ""


def test_the_figures_of_a_list_and_of_its_change_are_exact(site: Site, alice: Visitor) -> None:
    for before, listed in pairwise(["", UNBEATABLE, *random_lists(3, "any")]):
        page, engine = look(alice, listed, before), rule_list(PREFIX + listed)
        (ordered,) = page.document.all("ol")
        assert ",".join(line.get("data-rule") for line in ordered.elements) == listed
        found = worth(engine)
        (summary,) = page.document.with_class("summary")
        beaten = "".join(str(mark) for mark in Mark if found.proofs[mark].beatable)
        verdicts = {"": "Proved unbeatable", "XO": "Can be beaten"}
        says = verdicts.get(beaten, f"Can be beaten as {beaten} only")
        assert summary.all("h2")[0].text == says
        # One lost game is seen at once; both proofs are folded, with the results against Hard.
        (evidence,), more = page.document.with_class("evidence"), page.the("more")
        marks = [mark for mark in Mark if found.proofs[mark].beatable]
        assert len(evidence.all("a")) == bool(marks)
        assert all(check_lost(link, engine, marks[0]) for link in evidence.all("a"))
        for mark, part in zip(Mark, more.with_class("proof"), strict=True):
            assert len(part.all("a")) == found.proofs[mark].beatable
            assert all(check_lost(link, engine, mark) for link in part.all("a"))
        was = worth(rule_list(PREFIX + before)) if before else found
        bars = page.document.with_class("bar")
        assert bars[2:] == more.with_class("bar")
        pairs = product(("easy", "hard"), Mark)
        for bar, (rival, mark) in zip(bars, pairs, strict=True):
            now, old = (one.results[rival, mark].for_mark(mark) for one in (found, was))
            check_bar(bar, now)
            shown = [dd.with_class("difference") for dd in bar.all("dd")]
            changes = [points(float(new - prior)) for new, prior in zip(now, old, strict=True)]
            assert [one[0].text if one else "" for one in shown] == changes
    (told,) = look(alice, UNBEATABLE, "win,block").document.with_class("changed")
    assert told.text == "It can no longer be beaten as X or as O."
    page = look(alice, "win,block")
    for button in ("grip-block", "add-fork"):
        address = page.the(button).get("hx-get")
        live = check_swap(site, address, page, "lab", titled=True)
        whole = alice.get(address).document
        (bar,) = whole.with_class("bar")[0].all("svg")
        assert live == (whole.with_class("changed")[0].text or f"{bar.get('aria-label')}.")


def test_every_link_makes_its_list_and_no_rule_after_any_is_used(alice: Visitor) -> None:
    for listed in ("win", "win,block,any", "win,any,block", *random_lists(2, "buttons")):
        page, slugs = look(alice, listed), listed.split(",")
        until = slugs.index("any") + 1 if "any" in slugs else len(slugs)
        unreached = page.document.with_class("unreached")
        assert [line.get("data-rule") for line in unreached] == slugs[until:]
        assert ("If no rule applies" in page.text) is ("any" not in slugs)
        made = {f"add-{slug}": [*slugs, slug] for slug in LAB_RULES if slug not in slugs}
        for at, slug in enumerate(slugs):
            others = [one for one in slugs if one != slug]
            # A grip is for dragging; pressed, it takes its rule up, and the first one down.
            to = at - 1 if at else 1
            made[f"grip-{slug}"] = [*others[:to], slug, *others[to:]]
            made[f"without-{slug}"] = others or slugs
            says = f"Move {LAB_RULES[slug].name} {'up' if at else 'down'}"
            assert page.the(f"grip-{slug}").get("aria-label") == says
        for button, result in made.items():
            link = page.the(button)
            assert query_of(link) == {"list": ",".join(result), "from": listed}, button
            assert (link.get("aria-disabled") == "true") is (result == slugs)
            # Without JavaScript the whole page is loaded, and shown from the rule on.
            action, _, slug = button.partition("-")
            place = f"#{'add' if action == 'without' else 'rule'}-{slug}"
            assert link.get("href") == link.get("hx-get") + place


def test_rules_have_names_and_each_says_what_it_does(alice: Visitor) -> None:
    page = look(alice, "win,block-fork")
    assert page.title.startswith("Rule lab: Win, Stop a fork ")
    (strips,) = page.document.with_class("strips")
    assert [strip.all("b")[0].text for strip in strips.elements] == ["Win", "Stop a fork"]
    others = [rule for slug, rule in LAB_RULES.items() if slug not in ("win", "block-fork")]
    explained = [line.text for line in page.the("explained").all("div")]
    assert explained == [f"{rule.name}{rule.text}" for rule in others]
    played = alice.get("/lab", query_string={"x": "rules:win,opposite-corner", "o": "easy"})
    assert "Rule list (Win, Opposite corner) as X" in played.text


FIRST = "def best(board, mark):\n    return board.index('.')\n"
LAST = "def best(board, mark):\n    return board.rindex('.')\n"
ANY = "def best(board, mark):\n    return [cell for cell in range(9) if board[cell] == '.']\n"
CLASS = {"anna": FIRST, "bob": ANY, "<i>carl": LAST, "dora": LAST}


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Site]:
    folder = tmp_path / "class"
    (folder / "folder.py").mkdir(parents=True)
    for name, text in {**CLASS, "typo": "def best(board, mark)\n"}.items():
        (folder / f"{name}.py").write_text(text)
    with open_site(tmp_path / "site", engine=str(folder)) as site:
        yield site


def test_the_league_has_exact_figures_lost_games_and_why_a_file_is_left_out(school: Site) -> None:
    alice, engines = school.visitor(), school.service.engines
    page = alice.get("/lab/league")
    found = league(engines[slug] for slug in engines if slug not in ENGINES)
    assert {row.name for row in found.ranking} == CLASS.keys()
    ranking, table = page.document.with_class("ranking")[0], page.document.with_class("heat")[0]
    for line, row in zip(lines(ranking), found.ranking, strict=True):
        place, name, points, *_, hard, easy, remarks = line
        assert (place, name, points) == (str(row.place), row.name, figures.points(row.points))
        lost = [figures.percent(share / 2) for share in (row.lost_to_hard, row.lost_to_easy)]
        assert ([hard, easy], remarks == "Proved unbeatable") == (lost, row.unbeatable)
    slugs = [row.slug for row in found.ranking]
    for x, (_, *shown) in zip(slugs, lines(table), strict=True):
        pairs = [found.pairs[x, o].result if x != o else None for o in slugs]
        assert shown == [more(one) if one else "" for one in pairs]
    games = {digits(pair.game) for pair in found.pairs.values() if pair.game}
    (courses,) = page.document.with_class("courses")
    assert {code.text for code in courses.all("code")} == games
    for name in CLASS:
        function = alice.get(page.links[name]).document
        assert (function.all("h1")[0].text, ONLY_THE_BOARD in function.text) == (name, True)
    (absent,) = page.document.with_class("absent")
    assert [one.text for one in absent.all("dt")] == ["folder.py", "typo.py"]
    directory, typo = (one.text for one in absent.all("dd"))
    assert ("Is a directory: 'folder.py'" in directory, "typo.py, line 1" in typo) == (True, True)
    assert str(school.settings.data.parent) not in page.text


def test_a_function_of_the_class_is_everywhere_until_it_goes(tmp_path: Path, mine: Path) -> None:
    slug = "mine.py:first"
    with open_site(tmp_path / "site", engine=f"{mine}:first") as site:
        alice = site.visitor()
        groups = {one.get("label"): one for one in alice.get("/").the("opponent").all("optgroup")}
        (option,) = groups["Written by the class"].all("option")
        assert (option.get("value"), option.text) == (slug, "mine: first: a function")
        page = alice.start(slug, "x", cell=4)
        assert page.sentence == "I took the top left corner: my function says so."
        check_results(alice.get(f"/opponents/{slug}").document, worth(site.service.engines[slug]))
        lab = alice.get(f"/lab?x={slug}&o=hard")
        assert "won 0, drawn 0, lost 1" in lab.the("pair").text
        assert "/lab/league" not in lab.links.values()
        counted = alice.get(f"/lab/experiment?x={slug}&o=hard&games=10")
        assert [one.text for one in counted.the("counts").all("b")] == ["0", "0", "10"]
    # A game against it cannot go on then, but be seen.
    with open_site(tmp_path / "site") as later:
        seen = Visitor(later.app)
        seen.set_cookie(alice.cookie() or "")
        shown = seen.get(page.address)
        assert (shown.board, shown.opponent) == (page.board, "medium")
        assert seen.try_to("moves", shown, {"cell": 8}).status == 409
