"""``GET /lab`` and ``/lab/experiment``: all against all, the claims, and games by the thousand."""

import shlex
from itertools import product
from urllib.parse import urlencode, urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_swap, query_of
from tests.support.page import Page, fields_of
from tests.support.visitor import Site, Visitor
from webapp import words
from webapp.analysis.claims import CLAIMS
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import Experiment, simulate
from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.engines.base import SOURCES
from webapp.engines.registry import ENGINES, Catalogue
from webapp.words import figures

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
        # Without JavaScript the whole page is loaded, and shown from the table on.
        assert link.get("href") == f"{link.get('hx-get')}#table"
        exact = matchup(ENGINES[x], ENGINES[o])
        won, lost = link.all("b")[0].text, link.all("span")[0].text
        assert won == figures.whole_percent(exact.x_wins)
        assert lost == figures.whole_percent(exact.o_wins)
        # Anyone who speaks to the computer says what is to be seen, so the name begins with it.
        assert link.text == f"{won} {lost}"
        pair = f"{ENGINES[x].name} as X against {ENGINES[o].name}"
        assert link.get("aria-label") == f"{link.text}: {pair}, percent won and lost"


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
    """One engine against another: in percent, exactly, and as the command that prints the same."""
    known = Catalogue(ENGINES)
    exact = matchup(known[x], known[o])
    assert pair.all("h3")[0].text == f"{called(x)} as X against {called(o)} as O"
    values = {"won": exact.x_wins, "drawn": exact.draws, "lost": exact.o_wins}
    shown = {line.all("dt")[0].text: line.all("dd")[0].text for line in pair.all("dl")[0].elements}
    assert shown == {result: figures.percent(value) for result, value in values.items()}
    check_bar(pair, values)
    widths = [float(one.get("width").removesuffix("%")) for one in pair.all("rect")]
    assert widths == pytest.approx([float(value * 100) for value in values.values()])
    assert command_of(pair) == ["matchup", x, o]
    assert query_of(pair.all("a")[0]) == {"x": x, "o": o}


# --- the claims ---------------------------------------------------------------------------------


def test_a_claim_has_its_verdict_and_a_game_that_the_engine_really_loses(alice: Visitor) -> None:
    (listed,) = alice.get("/lab").document.with_class("claims")
    seen = 0
    for line, claim in zip(listed.elements, CLAIMS, strict=True):
        engine, (_, *games) = ENGINES[claim.engine], line.all("a")
        assert (
            line.all("p")[0].text
            == f"{engine.name}: {claim.text}. Source: {SOURCES[claim.source].title}."
        )
        holds = claim.text != "cannot lose" or engine.name != "Scenarios"
        assert line.all("strong")[0].text == str(holds)
        assert ("refuted" in line.get("class").split()) is not holds
        assert bool(games) is (not holds or "can be beaten" in claim.text)
        for link in games:
            mark, moves = query_of(link)["mark"], urlsplit(link.get("href")).path.split("/")[-1]
            assert query_of(link) == {"opponent": engine.slug, "at": "0", "mark": mark}
            assert rules.outcome(rules.after(map(int, moves))) == mark
            assert link.text == f"A game that it loses as {rules.other(mark.upper())}"
            for ply in range(mark == "x", len(moves), 2):
                might = engine.choices(Game(tuple(map(int, moves[:ply]))).board)
                assert int(moves[ply]) in [choice.cell for choice in might]
            assert alice.get(link.get("href")).title.startswith(f"{mark.upper()} wins in ")
            seen += 1
    assert seen == 4


# --- experiments --------------------------------------------------------------------------------


def experiment(visitor: Visitor, **query: object) -> Page:
    return visitor.get("/lab/experiment", query_string=query)


def counted(region: Element) -> Experiment:
    """What was counted."""
    return Experiment(*(int(one.text.replace(",", "")) for one in region.all("b")))


@pytest.mark.parametrize(
    "x,o,games,seed",
    [
        ("slips", "scenarios", 1, "1"),
        ("hard", "hard", 100, "a_b.c-d"),
        ("hard", "easy", 10_000, "--json"),
        (MIXED, "rules:edge", 10_000, "1"),
    ],
)
def test_an_experiment_counts_what_the_simulation_does_and_names_its_command(
    alice: Visitor, *, x: str, o: str, games: int, seed: str
) -> None:
    known = Catalogue(ENGINES)
    region = experiment(alice, x=x, o=o, games=games, seed=seed).the("counts")
    assert command_of(region) == ["simulate", x, o, "--games", str(games), "--seed", seed]
    times = "once" if games == 1 else f"{games:,} times"
    assert region.all("h2")[0].text == f"{called(x)} as X against {called(o)} as O, {times}"
    found, exact = simulate(known[x], known[o], games, seed), matchup(known[x], known[o])
    assert counted(region) == found
    rows = [[cell.text for cell in row.elements] for row in region.all("tbody")[0].elements]
    verdict = region.all("p")[0].text
    counts = (found.x_wins, found.draws, found.o_wins)
    for (name, *shown), count, share in zip(rows, counts, exact.for_mark(Mark.X), strict=True):
        spread = float(games * share * (1 - share)) ** 0.5
        z = (count - float(games * share)) / spread if spread else 0.0
        assert shown == [
            f"{count:,}",
            f"{float(games * share):,.1f}",
            figures.sampling_error(1.96 * spread),
            f"{z:+.2f}".replace("-", "\u2212") if spread else "0",
            f"{figures.percent(share)}{share}",
        ]
        assert (name in verdict) is (abs(z) > 1.96), "what lies further off than chance explains"
    chance = any(row[3] != "±0" for row in rows)
    assert ("Chance moves the counts" in region.text) is chance
    assert verdict.endswith("so chance changes no count.") is not chance


@pytest.mark.parametrize("x", ["hard", MIXED])
def test_the_form_holds_what_was_asked_and_leads_to_the_same_address(
    site: Site, alice: Visitor, x: str
) -> None:
    asked = {"x": x, "o": "slips", "games": "20", "seed": "me"}
    page = experiment(alice, **asked)
    form = page.document.all("form")[0]
    assert (form.get("method"), form.get("action")) == ("get", "/lab/experiment")
    assert fields_of(form, page.document) == asked
    assert (form.get("hx-get"), form.get("hx-target")) == ("/lab/experiment", "#counts")
    address, onto = f"/lab/experiment?{urlencode(asked)}", alice.get("/lab/experiment")
    check_live(check_swap(site, address, onto, "counts", titled=False))
