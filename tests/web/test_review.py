"""``GET /review/<moves>``: a game step by step, what each move was worth, and what is refused."""

import random
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_swap, query_of
from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp.analysis.review import Judgement, review
from webapp.core.game import digits
from webapp.engines.registry import ENGINES
from webapp.words import figures, played

MISTAKES = set(Judgement) - {Judgement.BEST, Judgement.NOTHING_COULD_BE_DONE}
STEPS = ("first", "earlier", "later", "last")


def look(visitor: Visitor, moves: tuple[int, ...], **query: object) -> Page:
    return visitor.get(f"/review/{digits(moves)}", query_string=query)


def long_games(number: int, seed: str) -> list[tuple[int, ...]]:
    """Games to the end, of people who do not think."""
    rng, games = random.Random(seed), []
    for _ in range(number):
        moves: tuple[int, ...] = ()
        while not rules.outcome(rules.after(moves)):
            moves = (*moves, rng.choice(rules.free(rules.after(moves))))
        games.append(moves)
    return games


# --- what must be true of a step: that it is what the analysis found, which has tests of its own --


def check_step(page: Page, moves: tuple[int, ...], at: int, *, values: bool = False) -> None:
    """Everything that a review shows of one position; what is HTML in it is checked already."""
    board, over = rules.after(moves[:at]), rules.outcome(rules.after(moves[:at]))
    cells = [page.cell(cell) for cell in range(9)]
    assert "".join(cell.mark for cell in cells) == board
    assert not any(cell.playable for cell in cells)
    heading, sentence = (page.the("review").all(tag)[0].text for tag in ("h2", "p"))
    if at:
        last = review(moves).moves[at - 1]
        assert heading == f"{at} {last.mark}: {rules.NAMES[last.cell]}"
        assert sentence == played.judged(last)
        suggested, mistaken = {cell for cell, _ in last.better}, last.judgement in MISTAKES
    else:
        assert heading == "An empty board"
        suggested, mistaken = set(), False
    assert {cell.number for cell in cells if cell.hinted} == (set() if values else suggested)
    for cell in rules.free(board) if values and not over else ():
        theirs, plies = rules.value(rules.put(board, cell))
        assert cells[cell].label.endswith(f", empty, {figures.prospect(-theirs, plies)}")
    assert (f"it leads to for {rules.to_move(board)}" in page.text) is (values and not over)
    assert ("Play this move differently" in page.buttons) is mistaken
    assert ("Try again from here" in page.buttons) is (not over)
    current = [line for line in judged(page) if line.get("aria-current") == "step"]
    assert [line.all("a")[0].get("id") for line in current] == ([f"move-{at}"] if at else [])


def judged(page: Page) -> tuple[Element, ...]:
    (moves,) = page.document.with_class("judged")
    return moves.elements


# --- every page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [False, True])
def test_every_step_of_a_whole_game_shows_its_position(alice: Visitor, values: bool) -> None:
    switch = {"values": 1} if values else {}
    for moves in long_games(4, f"steps {values}"):
        for at in range(len(moves) + 1):
            check_step(look(alice, moves, at=at, **switch), moves, at, values=values)


def test_the_list_judges_every_move_and_marks_the_one_that_decided(alice: Visitor) -> None:
    for moves in long_games(40, "judged"):
        page, found = look(alice, moves), review(moves)
        for number, (move, line) in enumerate(zip(found.moves, judged(page), strict=True), 1):
            assert line.all("a")[0].text == f"{number} {move.mark} {rules.NAMES[move.cell]}"
            assert line.all("span")[0].text == played.judged(move)
            assert ("mistake" in line.get("class").split()) is (move.judgement in MISTAKES)
            assert bool(line.all("strong")) is (number - 1 == found.turning_point)
        turning = found.turning_point is not None
        assert (page.document.with_id("turning") is not None) is turning
        check_chart(page, moves)


def course(moves: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Who could force a win at first and after each move, X as +1; and the moves that change it."""
    leads = [0]
    for number in range(1, len(moves) + 1):
        value, _ = rules.value(rules.after(moves[:number]))
        leads.append(value if number % 2 == 0 else -value)
    return leads, [at for at in range(1, len(leads)) if leads[at] != leads[at - 1]]


def check_chart(page: Page, moves: tuple[int, ...]) -> None:
    """The chart draws who could force a win after each move."""
    (chart,) = page.document.with_class("course")
    leads, changes = course(moves)
    points = [point.split(",") for point in chart.all("polyline")[0].get("points").split()]
    heights = [75 - float(y) for _, y in points]
    assert [(height > 0) - (height < 0) for height in heights] == leads
    said = chart.all("svg")[0].get("aria-label")
    assert said.startswith("At first, no one can force a win.")
    assert [int(number) for number in re.findall(r"From move (\d) on", said)] == changes


# --- where it is shared -------------------------------------------------------------------------

ENDS = {"x": "X wins in {} moves", "o": "O wins in {} moves", "draw": "A draw"}


def told(page: Page) -> tuple[str, str]:
    """What is said of a page where it is shared: a title, and a description."""
    metas = {one.get("name") or one.get("property"): one for one in page.document.all("meta")}
    title, description = (metas[f"og:{name}"].get("content") for name in ("title", "description"))
    assert (title, description) == (page.title, metas["description"].get("content"))
    return title, description


def test_title_and_description_say_how_the_game_ended_and_which_move_decided_it(
    alice: Visitor,
) -> None:
    for whole in (*long_games(20, "shared"), (4, 0, 2, 6, 3, 5, 1, 7, 8)):
        for moves in (whole, whole[:-1], whole[:1]):
            outcome, (_, turns) = rules.outcome(rules.after(moves)), course(moves)
            begun = f"after {len(moves)} move{'s' * (len(moves) > 1)}"
            expected = ENDS[outcome].format(len(moves)) if outcome else f"A game {begun}"
            if turns:
                what = "decided it" if outcome else "was the turning point"
                expected += f"; move {turns[-1]} {what}"
            title, description = told(look(alice, moves, opponent="medium", mark="o"))
            assert title == f"{expected} · Tic-Tac-Toe"
            start = f"A game of tic-tac-toe {begun}. "
            assert description.startswith(start) is (not outcome)
            won = outcome in ("x", "o")
            assert (f"{outcome.upper()} completes the " in description) is won
            assert " X was Medium, O a person. Step through it" in description


# --- going through it ---------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, {"values": "1", "opponent": "easy", "mark": "o"}])
def test_the_links_lead_to_the_steps_that_they_name(
    alice: Visitor, query: Mapping[str, str]
) -> None:
    (moves,) = long_games(1, "links")
    last, turning = len(moves), review(moves).turning_point
    for at in range(last + 1):
        page = look(alice, moves, at=at, **query)
        for step, target in zip(STEPS, (0, max(at - 1, 0), min(at + 1, last), last), strict=True):
            link = page.the(f"step-{step}")
            check_link(link, moves, {**query, "at": str(target)})
            assert (link.get("aria-disabled") == "true") is (target == at)
        for number in range(1, last + 1):
            check_link(page.the(f"move-{number}"), moves, {**query, "at": str(number)})
        assert turning
        check_link(page.the("turning"), moves, {**query, "at": str(turning + 1)})
        other = {key: value for key, value in query.items() if key != "values"}
        other |= {} if "values" in query else {"values": "1"}
        check_link(page.the("values"), moves, {**other, "at": str(at)})


def check_link(link: Element, moves: tuple[int, ...], query: Mapping[str, str]) -> None:
    address = urlsplit(link.get("href"))
    assert address.path == f"/review/{digits(moves)}"
    assert query_of(link) == query
    assert link.get("hx-get") == link.get("href")


def test_with_htmx_a_step_is_the_region_its_words_and_the_title(site: Site, alice: Visitor) -> None:
    page = look(alice, (4, 0, 2, 8, 1))
    for target in ("step-first", "move-2", "turning", "values"):
        address = page.the(target).get("hx-get")
        live = check_swap(site, address, page, "review", titled=True)
        region = alice.get(address).the("review")
        assert live == f"{region.all('h2')[0].text}. {region.all('p')[0].text}"


# --- from a finished game -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponent,mark", [("easy", "x"), ("hard", "o"), ("rules:win,edge", "x"), ("friend", "x")]
)
def test_every_game_leads_to_its_review_when_it_is_over(
    site: Site, alice: Visitor, bob: Visitor, opponent: str, mark: str
) -> None:
    page = alice.start(opponent, mark)
    while not page.outcome:
        assert "Review" not in page.links
        page = alice.press(page, page.cell(page.playable[0]), htmx=True)
    moves = site.stored(page.address)["moves"]
    engine = ENGINES[opponent].name if opponent in ENGINES else "Rule list"
    x, o = ("a person", engine) if mark == "x" else (engine, "a person")
    friends = opponent == "friend"
    for visitor in (alice, bob):
        address = urlsplit(visitor.get(page.address).links["Review"])
        assert address.path == f"/review/{moves}"
        expected = {"opponent": opponent} if friends else {"opponent": opponent, "mark": mark}
        assert dict(parse_qsl(address.query)) == expected
        shown = visitor.get(address.geturl())
        heading = shown.document.all("h1")[0].text
        assert heading == f"Review: {bob.get(page.address).heading}"
        assert (f"X was {x}, O {o}." in shown.document.text) is not friends


@pytest.mark.parametrize("mark", ["x", "o", None])
def test_only_the_viewers_mistakes_are_to_be_mended(alice: Visitor, mark: str | None) -> None:
    # O loses in the middle with its second move, and X wins a move too late.
    for at, who in ((4, "o"), (5, "x")):
        page = look(alice, (4, 0, 2, 8, 1), at=at, **({"mark": mark} if mark else {}))
        assert ("Play this move differently" in page.buttons) is (mark in (None, who))


# --- the address is all there is ----------------------------------------------------------------

QUERIES: list[Mapping[str, object]] = [
    {},
    {"at": 2, "list": "z"},
    {"at": 0, "values": 1},
    {"opponent": "hard", "mark": "o"},
]


def test_a_review_stores_nothing_needs_no_records_and_is_the_same_for_everyone(
    own_site: Site,
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    bob.start("hard", "o")
    before = own_site.dump()
    seen = [look(bob, (4, 0, 2, 8, 1), **query).document.all("main")[0].text for query in QUERIES]
    assert own_site.dump() == before
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    own_site.file.write_bytes(b"this is no database, but it is quite long" * 100)
    assert alice.get("/").status in (500, 503)
    for query, text in zip(QUERIES, seen, strict=True):
        page = look(alice, (4, 0, 2, 8, 1), **query)
        assert (page.status, page.document.all("main")[0].text) == (200, text)
