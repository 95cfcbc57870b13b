"""``GET /lab`` and ``/lab/experiment``: all against all, the claims, and games by the thousand."""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from click.testing import CliRunner

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_swap, query_of
from tests.support.page import Page, fields_of
from tests.support.visitor import Site, Visitor
from webapp import words
from webapp.analysis.claims import CLAIMS
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import Experiment, simulate
from webapp.cli import tictactoe
from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.engines.registry import ENGINES, Catalogue

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
MIXED = "rules:win,corner"


def check_live(said: str) -> None:
    assert 1 <= len(said.split()) <= words.MOST_AT_ONCE, said
    assert said.endswith(".")


def command_of(element: Element) -> list[str]:
    """The command that prints the same, as a shell would read it."""
    first = next(one for one in element.walk() if one.tag == "code")
    name, *arguments = shlex.split(first.text)
    assert name == "tictactoe"
    return arguments


def run(arguments: list[str]) -> Any:
    """What a command prints for scripts."""
    result = CliRunner().invoke(tictactoe, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


# --- the table ----------------------------------------------------------------------------------


def cells(page: Page) -> dict[tuple[str, str], Element]:
    """The links of the table, by slugs."""
    (table,) = page.document.with_class("heat")
    links = [one for cell in table.all("td") for one in cell.all("a")]
    return {(query_of(link)["x"], query_of(link)["o"]): link for link in links}


def test_the_table_has_every_pair_with_its_figures(alice: Visitor) -> None:
    page = alice.get("/lab")
    found = cells(page)
    assert list(found) == list(product(ENGINES, repeat=2))
    names = [engine.name for engine in ENGINES.values()]
    (table,) = page.document.with_class("heat")
    columns = [one.text for one in table.all("th") if one.get("scope") == "col"]
    rows = [one.text for one in table.all("th") if one.get("scope") == "row"]
    assert (columns, rows) == (["X \\ O", *names], names)
    tones = dict(zip(found, (cell.get("class") for cell in table.all("td")), strict=True))
    some = [("hard", "easy"), ("easy", "hard"), ("hard", "hard")]
    assert [tones[pair] for pair in some] == ["x4", "o4", "even"]
    for (x, o), link in found.items():
        # Without JavaScript the whole page is loaded, and shown from the pair on.
        assert link.get("href") == f"{link.get('hx-get')}#pair"
        exact = matchup(ENGINES[x], ENGINES[o])
        won, lost = link.all("b")[0].text, link.all("span")[0].text
        assert won == words.whole_percent(exact.x_wins)
        assert lost == words.whole_percent(exact.o_wins)
        assert link.get("aria-label") == (
            f"{ENGINES[x].name} as X against {ENGINES[o].name}: won {won} %, lost {lost} %"
        )


@pytest.mark.parametrize("x,o", [("hard", "easy"), ("scenarios", "slips"), (MIXED, "rules:block")])
def test_the_pair_that_is_chosen_is_shown_exactly(
    site: Site, alice: Visitor, x: str, o: str
) -> None:
    page = alice.get("/lab", query_string={"x": x, "o": o})
    check_pair(page.the("pair"), x, o)
    chosen = [pair for pair, link in cells(page).items() if link.has("aria-current")]
    assert chosen == ([(x, o)] if x in ENGINES else [])
    check_live(check_swap(site, f"/lab?x={x}&o={o}", alice.get("/lab"), "pair", titled=False))


def called(slug: str) -> str:
    """The name that tells an engine, or a list of rules, from all others."""
    if slug in ENGINES:
        return ENGINES[slug].name
    return f"Rule list ({slug.removeprefix('rules:').replace(',', ', ')})"


def check_pair(pair: Element, x: str, o: str) -> None:
    """One engine against another: in percent, exactly, and as a command that prints the same."""
    known = Catalogue(ENGINES)
    exact = matchup(known[x], known[o])
    assert pair.all("h3")[0].text == f"{called(x)} as X against {called(o)} as O"
    values = {"won": exact.x_wins, "drawn": exact.draws, "lost": exact.o_wins}
    shown = {line.all("dt")[0].text: line.all("dd")[0].text for line in pair.all("dl")[0].elements}
    assert shown == {result: words.percent(value) for result, value in values.items()}
    check_bar(pair, values)
    widths = [float(one.get("width").removesuffix("%")) for one in pair.all("rect")]
    assert widths == pytest.approx([float(value * 100) for value in values.values()])
    assert command_of(pair) == ["matchup", x, o]
    assert run(command_of(pair)) == {
        "x_wins": str(exact.x_wins), "draws": str(exact.draws), "o_wins": str(exact.o_wins)
    }  # fmt: skip
    assert query_of(pair.all("a")[0]) == {"x": x, "o": o}


# --- the claims ---------------------------------------------------------------------------------


def claims(page: Page) -> Iterator[tuple[str, str, bool, list[Element]]]:
    """Whose claim, what, whether it holds, and the links to games."""
    (listed,) = page.document.with_class("claims")
    for line in listed.elements:
        engine, *games = line.all("a")
        verdict = line.all("strong")[0].text
        assert verdict in ("True", "False")
        assert ("refuted" in line.get("class").split()) is (verdict == "False")
        yield engine.get("href"), line.all("p")[0].text, verdict == "True", games


def test_every_claim_of_the_sources_has_its_verdict(alice: Visitor) -> None:
    found = list(claims(alice.get("/lab")))
    assert [said for _, said, _, _ in found] == [
        f"{ENGINES[claim.engine].name}: {claim.text}. Source {claim.source}" for claim in CLAIMS
    ]
    false = [said for _, said, holds, _ in found if not holds]
    assert false == ["Scenarios: cannot lose. Source E"]


def test_what_shows_that_an_engine_can_be_beaten_is_a_game_that_it_really_loses(
    alice: Visitor,
) -> None:
    page, seen = alice.get("/lab"), 0
    for href, said, holds, games in claims(page):
        assert bool(games) is (not holds or "can be beaten" in said)
        for link in games:
            address, query = urlsplit(link.get("href")), query_of(link)
            moves = tuple(map(int, address.path.removeprefix("/review/")))
            slug, mark = href.removeprefix("/opponents/"), query["mark"]
            assert (query["opponent"], query["at"]) == (slug, "0")
            assert rules.outcome(rules.after(moves)) == mark
            assert link.text == f"A game that it loses as {rules.other(mark.upper())}"
            for ply in range(mark == "x", len(moves), 2):
                might = ENGINES[slug].choices(Game(moves[:ply]).board)
                assert moves[ply] in [choice.cell for choice in might]
            assert alice.get(link.get("href")).title.startswith(f"Review: {mark.upper()} wins")
            seen += 1
    assert seen == 4


# --- experiments --------------------------------------------------------------------------------


def experiment(visitor: Visitor, **query: object) -> Page:
    return visitor.get("/lab/experiment", query_string=query)


def counted(region: Element) -> Experiment:
    """What was counted."""
    return Experiment(*(int(one.text.replace(",", "")) for one in region.all("b")))


@pytest.mark.parametrize(
    "x,o", [("hard", "easy"), ("slips", "scenarios"), ("hard", "hard"), (MIXED, "rules:edge")]
)
@pytest.mark.parametrize("games,seed", [(1, "1"), (100, "a_b.c-d"), (10_000, "--json")])
def test_an_experiment_counts_what_the_simulation_and_the_command_do(
    alice: Visitor, *, x: str, o: str, games: int, seed: str
) -> None:
    known = Catalogue(ENGINES)
    region = experiment(alice, x=x, o=o, games=games, seed=seed).the("counts")
    printed = run(command_of(region))
    assert (printed["games"], printed["seed"]) == (games, seed)
    assert Experiment(printed["x_wins"], printed["draws"], printed["o_wins"]) == counted(region)
    times = "once" if games == 1 else f"{games:,} times"
    assert region.all("h2")[0].text == f"{called(x)} as X against {called(o)} as O, {times}"
    assert len({line.all("th")[0].text for line in region.all("tbody")[0].elements}) == 3
    check_verdict(region)
    found, exact = simulate(known[x], known[o], games, seed), matchup(known[x], known[o])
    assert counted(region) == found
    lines = region.all("tbody")[0].elements
    values = [[cell.text for cell in line.all("td")] for line in lines]
    counts = (found.x_wins, found.draws, found.o_wins)
    for cells_of, count, share in zip(values, counts, exact.for_mark(Mark.X), strict=True):
        spread = float(games * share * (1 - share)) ** 0.5
        z = (count - float(games * share)) / spread if spread else 0.0
        assert cells_of == [
            f"{count:,}",
            f"{float(games * share):,.1f}",
            words.sampling_error(1.96 * spread),
            f"{z:+.2f}".replace("-", "\u2212") if spread else "0",
            f"{words.percent(share)}{share}",
        ]


def check_verdict(region: Element) -> None:
    """Which counts lie further off than the sampling error, unless chance has no say."""
    rows = [[cell.text for cell in row.elements] for row in region.all("tbody")[0].elements]
    verdict, chance = region.all("p")[0].text, any(row[3] != "±0" for row in rows)
    assert ("Chance moves the counts" in region.text) is chance
    assert verdict.endswith("so chance moves no count.") is not chance
    for row in rows if chance else ():
        assert (row[0] in verdict) is (abs(float(row[4].replace("\u2212", "-"))) > 1.96)


def test_unless_asked_otherwise_10_000_games_of_medium_against_easy_are_played(
    alice: Visitor,
) -> None:
    region = alice.get("/lab/experiment").the("counts")
    assert counted(region).games == 10_000
    assert region.all("h2")[0].text == "Medium as X against Easy as O, 10,000 times"


@pytest.mark.parametrize("x", ["hard", MIXED])
def test_the_form_holds_what_was_asked_and_leads_to_the_same_address(
    site: Site, alice: Visitor, x: str
) -> None:
    asked = {"x": x, "o": "slips", "games": "20", "seed": "me"}
    page = experiment(alice, **asked)
    (form,) = page.document.all("form")
    assert (form.get("method"), form.get("action")) == ("get", "/lab/experiment")
    assert fields_of(form, page.document) == asked
    assert (form.get("hx-get"), form.get("hx-target")) == ("/lab/experiment", "#counts")
    address, onto = f"/lab/experiment?{urlencode(asked)}", alice.get("/lab/experiment")
    check_live(check_swap(site, address, onto, "counts", titled=False))


# --- refused ------------------------------------------------------------------------------------

GAMES = ["0", "10001", "-1", "1e3", "٣", "", "9" * 5000, "5&games=5"]
SEEDS = ["", "a b", "٣", "<b>", "$(ls)", "a" * 41, "a\n", "\x00", "1&seed=1"]
NAMES = ["", "nobody", "friend", "mine.py:first", "rules:", "rules:win,win", "rules:<b>"]


REFUSED = [
    *(("/lab/experiment", "games", value) for value in GAMES),
    *(("/lab/experiment", "seed", value) for value in SEEDS),
    *product(("/lab", "/lab/experiment"), "xo", [*NAMES, "easy&x=easy&o=easy"]),
]


@BOTH_WAYS
@pytest.mark.parametrize("path,field,value", REFUSED)
def test_a_bad_value_is_refused_with_a_sentence(
    alice: Visitor, *, path: str, field: str, value: str, fragment: bool
) -> None:
    first, *more = value.split("&")
    query = "&".join([urlencode({field: first}), *more])
    page = alice.get(f"{path}?{query}", fragment=fragment)
    assert (page.status, page.is_fragment) == (422, False)
    sentence = page.document.all("main")[0].all("p")[0].text
    assert re.fullmatch(r"[A-Z].+\.", sentence)
    assert "<b>" not in page.text
    assert page.links["Play a game"] == "/"
    if value in ("0", "10001"):
        assert sentence.startswith("Games must be a number from 1 to 10,000. The command tictactoe")
    if value in ("nobody", "friend"):
        assert page.links["Opponents"] == "/opponents"
