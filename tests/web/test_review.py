"""``GET /review/<moves>``: a game step by step, what each move was worth, and what is refused."""

import random
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_swap, query_of
from tests.support.page import Page
from tests.support.visitor import Site, Visitor, open_site
from webapp import words
from webapp.analysis.review import Judgement, review
from webapp.engines.registry import ENGINES

MISTAKES = set(Judgement) - {Judgement.BEST, Judgement.NOTHING_COULD_BE_DONE}
STEPS = ("first", "earlier", "later", "last")


def look(visitor: Visitor, moves: tuple[int, ...], **query: object) -> Page:
    return visitor.get(f"/review/{words.digits(moves)}", query_string=query)


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
        assert sentence == words.judged(last)
        suggested, mistaken = {cell for cell, _ in last.better}, last.judgement in MISTAKES
    else:
        assert heading == "An empty board"
        suggested, mistaken = set(), False
    assert {cell.number for cell in cells if cell.hinted} == (set() if values else suggested)
    for cell in rules.free(board) if values and not over else ():
        theirs, plies = rules.value(rules.put(board, cell))
        assert cells[cell].label.endswith(f", empty, {words.prospect(-theirs, plies)}")
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
    for moves in long_games(8, f"steps {values}"):
        for at in range(len(moves) + 1):
            check_step(look(alice, moves, at=at, **switch), moves, at, values=values)


def test_the_list_judges_every_move_and_marks_the_one_that_decided(alice: Visitor) -> None:
    for moves in long_games(40, "judged"):
        page, found = look(alice, moves), review(moves)
        for number, (move, line) in enumerate(zip(found.moves, judged(page), strict=True), 1):
            assert line.all("a")[0].text == f"{number} {move.mark} {rules.NAMES[move.cell]}"
            assert line.all("span")[0].text == words.judged(move)
            assert ("mistake" in line.get("class").split()) is (move.judgement in MISTAKES)
            assert bool(line.all("strong")) is (number - 1 == found.turning_point)
        turning = found.turning_point is not None
        assert (page.document.with_id("turning") is not None) is turning
        check_chart(page, moves)


def check_chart(page: Page, moves: tuple[int, ...]) -> None:
    """The chart says who could force a win after each move, and draws it."""
    (chart,) = page.document.with_class("course")
    said, leads = ["Who can force a win: nobody at first"], [0]
    for number in range(1, len(moves) + 1):
        value, _ = rules.value(rules.after(moves[:number]))
        leads.append(value if number % 2 == 0 else -value)
        if leads[-1] != leads[-2]:
            said.append(f"{('nobody', 'X', 'O')[leads[-1]]} from move {number} on")
    assert chart.all("svg")[0].get("aria-label") == f"{', '.join(said)}."
    points = [point.split(",") for point in chart.all("polyline")[0].get("points").split()]
    heights = [75 - float(y) for _, y in points]
    assert [(height > 0) - (height < 0) for height in heights] == leads


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
    assert address.path == f"/review/{words.digits(moves)}"
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


def played(visitor: Visitor, opponent: str, mark: str) -> Page:
    """A game that is over, and had no link to its review before."""
    page, rng = visitor.start(opponent, mark), random.Random(f"{opponent} {mark}")
    while not page.outcome:
        assert "Review this game" not in page.links
        page = visitor.press(page, page.cell(rng.choice(page.playable)), htmx=True)
    return page


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("opponent", [*ENGINES, "rules:win,edge", "friend"])
def test_every_game_leads_to_its_review_when_it_is_over(
    site: Site, alice: Visitor, bob: Visitor, *, opponent: str, mark: str
) -> None:
    page = played(alice, opponent, mark)
    moves = site.stored(page.address.removeprefix("/games/"))["moves"]
    engine = ENGINES[opponent].name if opponent in ENGINES else "Rule list"
    x, o = ("a person", engine) if mark == "x" else (engine, "a person")
    for visitor in (alice, bob):
        address = urlsplit(visitor.get(page.address).links["Review this game"])
        assert address.path == f"/review/{moves}"
        friends = opponent == "friend"
        expected = {"opponent": opponent} if friends else {"opponent": opponent, "mark": mark}
        assert dict(parse_qsl(address.query)) == expected
        shown = visitor.get(address.geturl())
        assert shown.title == f"Review: {ending(page.board)} · Tic-Tac-Toe"
        assert (f"X was {x}, O {o}." in shown.document.text) is not friends


def ending(board: str) -> str:
    """How a game ended, said by marks."""
    lines = rules.complete(board)
    named = " and ".join(lines).replace("diagonal and diagonal", "both diagonals")
    return f"{rules.other(rules.to_move(board))} wins: {named}" if lines else "A draw"


def test_a_game_against_a_function_that_is_gone_can_still_be_reviewed(
    tmp_path: Path, mine: Path
) -> None:
    with open_site(tmp_path / "site", engine=f"{mine}:first") as site:
        page = played(site.visitor(), "mine.py:first", "x")
    with open_site(tmp_path / "site") as later:
        seen = later.visitor().get(page.address)
        shown = later.visitor().get(seen.links["Review this game"])
        assert shown.title == f"Review: {ending(page.board)} · Tic-Tac-Toe"


@pytest.mark.parametrize("mark", ["x", "o", None])
def test_only_the_viewers_mistakes_are_to_be_mended(alice: Visitor, mark: str | None) -> None:
    # O loses in the middle with its second move, and X wins a move too late.
    for at, who in ((4, "o"), (5, "x")):
        page = look(alice, (4, 0, 2, 8, 1), at=at, **({"mark": mark} if mark else {}))
        assert ("Play this move differently" in page.buttons) is (mark in (None, who))


# --- refused ------------------------------------------------------------------------------------

NO_GAMES = [
    ("44", "There is no such game. Cell 4 already holds X."),
    ("9", "There is no such game. There is no cell 9; cells are numbered 0 to 8."),
    ("031425", "There is no such game. The game is over."),
    ("40281" + "3" * 5000, "There is no such game. Cell 3 already holds O."),
    ("031425?at=7&values=2&mark=z", "There is no such game."),
    ("4x", "A game to review is the cells played, 0 to 8, as in /review/40281."),
    *((each, "A game to review is") for each in ("-1", "4%200", "٤", "²", "%00", "%FF%FE", "<b>")),
    *((each, "There is no game or page at this address.") for each in ("40281/x", "")),
]
BAD = [
    *(("at", value) for value in ("-1", "6", "9" * 5000, "", "1.0", "٣", " 1", "%2B1", "1&at=1")),
    *(("values", value) for value in ("", "0", "2", "true", "١", "1&values=1")),
    *(("opponent", value) for value in ("", "Easy", "mine.py:first", "rules:", "rules:win,win")),
    *(("opponent", value) for value in ("<b>", "hard&opponent=hard")),
    *(("mark", value) for value in ("", "X", "both", "х", "x&mark=x")),
]


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "address,status,why",
    [
        *((f"/review/{moves}", 404, why) for moves, why in NO_GAMES),
        *((f"/review/40281?{field}={value}", 422, ".") for field, value in BAD),
        ("/review/40281?values=true", 422, "An address may say values=1, or leave values out."),
    ],
)
def test_what_is_no_review_is_refused_with_a_sentence_that_leads_on(
    alice: Visitor, *, address: str, status: int, why: str, fragment: bool
) -> None:
    page = alice.get(address, fragment=fragment)
    assert (page.status, page.is_fragment) == (status, False)
    assert page.document.with_id("review") is None
    assert why in page.document.all("main")[0].all("p")[0].text
    assert "<b>" not in page.text
    assert page.links["Play a game"] == "/"
    assert (page.headers.get("HX-Retarget") == "body") is fragment


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
