"""``GET /lab`` and ``/lab/experiment``: all against all, the claims, and games by the thousand."""

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from click.testing import CliRunner

from tests.support import rules
from tests.support.html import Element, check, parse
from tests.support.page import Page, fields_of
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp import words
from webapp.analysis.claims import CLAIMS
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import Experiment, simulate
from webapp.cli import tictactoe
from webapp.core.game import Game
from webapp.engines.registry import ENGINES, Catalogue

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
NEGOTIATED = {"hx-request", "hx-request-type", "hx-history-restore-request"}
MIXED = "rules:win,corner"


def part(site: Site, address: str, onto: Page, region: str) -> Element:
    """What htmx gets from an address, put into a page in the place of a region."""
    response = site.app.test_client().get(address, headers=FRAGMENT)
    assert response.status_code == 200
    new, live = parse(response.text).elements
    assert new.get("id") == region
    assert (live.get("hx-target"), live.get("hx-swap")) == ("#live", "textContent")
    assert 1 <= len(live.text.split()) <= words.MOST_AT_ONCE, live.text
    assert live.text.endswith(".")
    assert onto.the("live").get("role") == "status"
    assert not [one for one in new.walk() if one.has("aria-live")], "it would be read as a whole"
    assert {name.strip().lower() for name in response.headers["Vary"].split(",")} >= NEGOTIATED
    check(onto.document.mapped({region: new}))
    return new


def query_of(link: Element) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link.get("href")).query))


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


def agrees(shown: str, exact: Fraction, digits: int) -> bool:
    """Whether a percentage is the exact figure rounded, and 0 or 100 only where it is exactly."""
    number = shown.removesuffix(" %")
    if number in ("0", "100"):
        return exact * 100 == int(number)
    smallest = Fraction(1, 10**digits)
    if number.startswith("<"):
        return 0 < exact * 100 <= smallest / 2
    if number.startswith(">"):
        return 100 - smallest / 2 <= exact * 100 < 100
    return abs(Fraction(number) - exact * 100) <= smallest / 2


# --- the table ----------------------------------------------------------------------------------


def cells(page: Page) -> dict[tuple[str, str], Element]:
    """The links of the table, by slugs."""
    (table,) = page.document.with_class("heat")
    links = [one for cell in table.all("td") for one in cell.all("a")]
    return {(query_of(link)["x"], query_of(link)["o"]): link for link in links}


def test_the_table_has_every_pair_with_its_figures(alice: Visitor) -> None:
    found = cells(alice.get("/lab"))
    assert list(found) == list(product(ENGINES, repeat=2))
    for (x, o), link in found.items():
        exact = matchup(ENGINES[x], ENGINES[o])
        won, lost = link.all("b")[0].text, link.all("span")[0].text
        assert agrees(won, exact.x_wins, 0), (x, o, won)
        assert agrees(lost, exact.o_wins, 0), (x, o, lost)
        assert link.get("aria-label") == (
            f"{ENGINES[x].name} as X against {ENGINES[o].name}: won {won} %, lost {lost} %"
        )


def test_rows_and_columns_are_headed_by_the_engines(alice: Visitor) -> None:
    (table,) = alice.get("/lab").document.with_class("heat")
    columns = [one.text for one in table.all("th") if one.get("scope") == "col"]
    assert columns == ["X \\ O", *(engine.name for engine in ENGINES.values())]
    rows = [one.all("a")[0] for one in table.all("th") if one.get("scope") == "row"]
    assert [(one.get("href"), one.text) for one in rows] == [
        (f"/opponents/{slug}", engine.name) for slug, engine in ENGINES.items()
    ]


@pytest.mark.parametrize(
    "x,o,tone", [("hard", "easy", "x4"), ("easy", "hard", "o4"), ("hard", "hard", "even")]
)
def test_the_more_a_side_wins_the_warmer_is_the_cell(
    alice: Visitor, x: str, o: str, tone: str
) -> None:
    page = alice.get("/lab")
    link = cells(page)[x, o]
    (cell,) = [one for one in page.document.all("td") if link in one.elements]
    assert cell.get("class") == tone


@pytest.mark.parametrize("x,o", [("hard", "easy"), ("scenarios", "slips"), (MIXED, "rules:block")])
def test_the_pair_that_is_chosen_is_shown_exactly(
    site: Site, alice: Visitor, x: str, o: str
) -> None:
    page = alice.get("/lab", query_string={"x": x, "o": o})
    check_pair(page.the("pair"), x, o)
    chosen = [pair for pair, link in cells(page).items() if link.has("aria-current")]
    assert chosen == ([(x, o)] if x in ENGINES else [])
    assert part(site, f"/lab?x={x}&o={o}", alice.get("/lab"), "pair").text == page.the("pair").text


def test_with_htmx_every_cell_of_the_table_shows_its_pair(site: Site, alice: Visitor) -> None:
    page = alice.get("/lab")
    (table,) = page.document.with_class("heat")
    assert table.get("hx-target:inherited") == "#pair"
    for (x, o), link in cells(page).items():
        # Without JavaScript the page is loaded anew, and shown from the pair on.
        assert link.get("href") == f"{link.get('hx-get')}#pair"
        check_pair(part(site, link.get("hx-get"), page, "pair"), x, o)


def called(slug: str) -> str:
    """The name by which one can tell an engine, or a list of rules, from all others."""
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
    assert list(shown) == list(values)
    assert all(agrees(shown[result], value, 1) for result, value in values.items())
    said = ", ".join(f"{result} {value}" for result, value in values.items())
    assert pair.all("details")[0].all("p")[0].text == said
    widths = [float(one.get("width").removesuffix("%")) for one in pair.all("rect")]
    assert widths == pytest.approx([float(value * 100) for value in values.values()])
    assert command_of(pair) == ["matchup", x, o]
    assert query_of(pair.all("a")[0]) == {"x": x, "o": o}


@pytest.mark.parametrize("x,o", [("hard", "easy"), (MIXED, "slips")])
def test_the_command_beside_a_pair_prints_the_same(alice: Visitor, x: str, o: str) -> None:
    pair = alice.get("/lab", query_string={"x": x, "o": o}).the("pair")
    printed = run(command_of(pair))
    assert pair.all("details")[0].all("p")[0].text == (
        f"won {printed['x_wins']}, drawn {printed['draws']}, lost {printed['o_wins']}"
    )


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
    assert [(href, said) for href, said, _, _ in found] == [
        (
            f"/opponents/{claim.engine}",
            f"{ENGINES[claim.engine].name}: {claim.text}. Source {claim.source}",
        )
        for claim in CLAIMS
    ]
    assert [said for _, said, holds, _ in found if not holds] == [
        "Scenarios: cannot lose. Source E"
    ]


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


def counted(page: Page | Element) -> Experiment:
    """What was counted."""
    region = page.the("counts") if isinstance(page, Page) else page
    return Experiment(*(int(one.text.replace(",", "")) for one in region.all("b")))


PAIRS = [
    ("medium", "easy"),
    ("hard", "easy"),
    ("slips", "scenarios"),
    ("easy", "easy"),
    (MIXED, "rules:edge"),
]


@pytest.mark.parametrize("x,o", PAIRS)
@pytest.mark.parametrize("games,seed", [(1, "1"), (10, "ten"), (999, "a_b.c-d"), (10_000, "7")])
def test_an_experiment_counts_what_the_simulation_does(
    alice: Visitor, *, x: str, o: str, games: int, seed: str
) -> None:
    known = Catalogue(ENGINES)
    page = experiment(alice, x=x, o=o, games=games, seed=seed)
    found, exact = simulate(known[x], known[o], games, seed), matchup(known[x], known[o])
    assert counted(page) == found
    lines = page.the("counts").all("tbody")[0].elements
    values = [[cell.text for cell in line.all("td")] for line in lines]
    for (_, expected, error, deviations, shown), count, share in zip(
        values,
        (found.x_wins, found.draws, found.o_wins),
        (exact.x_wins, exact.draws, exact.o_wins),
        strict=True,
    ):
        assert float(expected.replace(",", "")) == pytest.approx(float(games * share), abs=0.051)
        spread = float(games * share * (1 - share)) ** 0.5
        assert_error(error, 1.96 * spread)
        z = (count - float(games * share)) / spread if spread else 0.0
        assert spread or deviations == "0"
        assert float(deviations.replace("\u2212", "-")) == pytest.approx(z, abs=0.0051)
        percent, _, fraction = shown.rpartition(" %")
        assert Fraction(fraction) == share
        assert agrees(percent, share, 1)


def assert_error(shown: str, error: float) -> None:
    """A sampling error is rounded to a tenth where it is small, and nothing only if it is."""
    if shown == "±<0.1":
        assert 0 < error < 0.05
    else:
        number = float(shown.removeprefix("±").replace(",", ""))
        assert number == pytest.approx(error, abs=0.051 if error < 9.9 else 0.51)
        assert (number == 0) is (error == 0)


def test_an_experiment_says_whether_its_counts_lie_within_the_sampling_error(
    alice: Visitor,
) -> None:
    said = set[str]()
    for seed in range(40):
        region = experiment(alice, x="easy", o="easy", games=100, seed=seed).the("counts")
        rows = [[cell.text for cell in row.elements] for row in region.all("tbody")[0].elements]
        far = [
            name
            for name, count, expected, error, *_ in rows
            if abs(int(count) - float(expected)) > float(error.removeprefix("±"))
        ]
        verdict = region.all("p")[0].text
        said.add(verdict)
        assert verdict == (
            f"Further off than the sampling error: {', '.join(far)}."
            if far
            else "Every count lies within its sampling error."
        )
    assert len(said) > 1


def test_where_nothing_is_left_to_chance_an_experiment_says_so(alice: Visitor) -> None:
    region = experiment(alice, x="hard", o="hard", games=10).the("counts")
    assert region.all("p")[0].text.endswith("same result, so chance moves no count.")
    assert [line.all("td")[2].text for line in region.all("tbody")[0].elements] == ["±0"] * 3
    assert "Chance moves the counts" not in region.text
    assert "Chance moves the counts" in experiment(alice, x="hard", o="easy").the("counts").text


@pytest.mark.parametrize("x,o", PAIRS)
def test_the_results_of_an_experiment_can_be_told_apart(alice: Visitor, x: str, o: str) -> None:
    page = experiment(alice, x=x, o=o, games=1)
    title = page.the("counts").all("h2")[0].text
    assert title == f"{called(x)} as X against {called(o)} as O, once"
    names = [line.all("th")[0].text for line in page.the("counts").all("tbody")[0].elements]
    assert len(set(names)) == 3, names


@pytest.mark.parametrize("seed", ["1", "x", "-5", "--json", "--games", ".", "_", "a" * 40])
def test_the_command_beside_an_experiment_counts_the_same(alice: Visitor, seed: str) -> None:
    page = experiment(alice, x="slips", o=MIXED, games=500, seed=seed)
    printed = run(command_of(page.the("counts")))
    assert (printed["games"], printed["seed"]) == (500, seed)
    assert Experiment(printed["x_wins"], printed["draws"], printed["o_wins"]) == counted(page)


def test_an_address_repeats_its_experiment_and_another_seed_does_not(
    alice: Visitor, bob: Visitor
) -> None:
    asked = {"x": "easy", "o": "easy", "games": 5000, "seed": "s"}
    once, again = experiment(alice, **asked), experiment(bob, **asked)
    assert once.the("counts").text == again.the("counts").text
    assert counted(experiment(alice, **{**asked, "seed": "t"})) != counted(once)


def test_without_wishes_10_000_games_of_medium_against_easy_are_played(alice: Visitor) -> None:
    page = alice.get("/lab/experiment")
    assert counted(page).games == 10_000
    assert page.the("counts").all("h2")[0].text == "Medium as X against Easy as O, 10,000 times"


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
    address = f"/lab/experiment?{urlencode(asked)}"
    new = part(site, address, alice.get("/lab/experiment"), "counts")
    assert new.text == page.the("counts").text


# --- refused ------------------------------------------------------------------------------------

GAMES = ["0", "10001", "-1", "1e3", "٣", "１", "", "x", "1.0", " 5", "1_0", "9" * 5000, "5&games=5"]
SEEDS = ["", " ", "a b", "ü", "٣", "<b>", "'; DROP", "$(ls)", "a" * 41, "a\n", "\x00", "1&seed=1"]
NAMES = ["", "nobody", "Easy", "friend", "mine.py:first", "rules:", "rules:win,win", "rules:<b>"]


@BOTH_WAYS
@pytest.mark.parametrize(
    "path,field,value",
    [
        *(("/lab/experiment", "games", value) for value in GAMES),
        *(("/lab/experiment", "seed", value) for value in SEEDS),
        *((path, "x", value) for path in ("/lab", "/lab/experiment") for value in NAMES),
        *((path, "o", value) for path in ("/lab", "/lab/experiment") for value in NAMES),
        *((path, "x", "easy&x=easy") for path in ("/lab", "/lab/experiment")),
    ],
)
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


def test_too_many_games_are_refused_with_the_way_to_play_them(alice: Visitor) -> None:
    for games in (0, 10_001):
        page = experiment(alice, games=games)
        assert "Games must be a number from 1 to 10,000." in page.document.text
        assert "The command tictactoe simulate plays more." in page.document.text


@pytest.mark.parametrize("query", ["x=foo", "o=friend", "x=", "x=hard&o=Easy"])
@pytest.mark.parametrize("path", ["/lab", "/lab/experiment"])
def test_who_asks_for_an_opponent_that_is_not_there_is_told_where_all_are(
    alice: Visitor, path: str, query: str
) -> None:
    page = alice.get(f"{path}?{query}")
    sentence = "There is no such opponent here: the page Opponents lists them."
    assert page.document.all("main")[0].all("p")[0].text == sentence
    assert page.links["Opponents"] == "/opponents"
