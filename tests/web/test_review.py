"""``GET /review/<moves>``: a game step by step, and what each move was worth."""

import random
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element, check, parse
from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Site, Visitor

CORNERS, EDGES = {0, 2, 6, 8}, {1, 3, 5, 7}
STEPS = ("first", "earlier", "later", "last")


def look(visitor: Visitor, moves: tuple[int, ...], **query: object) -> Page:
    """The review of a game."""
    return visitor.get(f"/review/{''.join(map(str, moves))}", query_string=query)


def short_games(most: int, moves: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every game of one move to so many."""
    for cell in rules.free(rules.after(moves)) if len(moves) < most else ():
        yield (*moves, cell)
        yield from short_games(most, (*moves, cell))


def long_games(number: int, seed: str) -> list[tuple[int, ...]]:
    """Games to the end, of people who do not think."""
    rng, games = random.Random(seed), []
    for _ in range(number):
        moves: tuple[int, ...] = ()
        while not rules.outcome(rules.after(moves)):
            moves = (*moves, rng.choice(rules.free(rules.after(moves))))
        games.append(moves)
    return games


# --- what must be true of a step ----------------------------------------------------------------


def rank(board: str, cell: int) -> tuple[int, int]:
    """Order the moves on a board: the greater, the better, a win the sooner, a loss the later."""
    theirs, plies = rules.value(rules.put(board, cell))
    return -theirs, theirs * plies


def better(board: str, cell: int) -> set[int]:
    """The best cells, if the one that was played is none of them."""
    top = max(rank(board, one) for one in rules.free(board))
    best = {one for one in rules.free(board) if rank(board, one) == top}
    return set() if cell in best else best


def count(plies: int) -> str:
    """How many moves a winner makes in so many plies, the last of which is theirs."""
    number = (plies + 1) // 2
    return "1 move" if number == 1 else f"{number} moves"


def leads_to(board: str, cell: int) -> str:
    """What a free cell leads to, for the one who plays it."""
    theirs, plies = rules.value(rules.put(board, cell))
    if theirs == 0:
        return "draw"
    return f"win in {1 + plies // 2}" if theirs < 0 else f"loss in {(plies + 1) // 2}"


def for_x(board: str) -> int:
    """Who can force a win: +1 X, -1 O, 0 nobody."""
    value, _ = rules.value(board)
    return value if rules.to_move(board) == "X" else -value


def turning_point(moves: tuple[int, ...]) -> int | None:
    """The number of the last move that changed who can force a win."""
    worth = [for_x(rules.after(moves[:number])) for number in range(len(moves) + 1)]
    turned = [number for number, (a, b) in enumerate(pairwise(worth), 1) if a != b]
    return turned[-1] if turned else None


def is_a_mistake(board: str, cell: int) -> bool:
    return rules.value(board)[0] >= 0 and bool(better(board, cell))


def judgement(board: str, cell: int) -> str:
    """What is to be said of a move; ``*`` stands for the better cells."""
    me, you, after = rules.to_move(board), rules.other(rules.to_move(board)), rules.put(board, cell)
    (value, plies), (theirs, left) = rules.value(board), rules.value(after)
    lines = " and ".join(rules.complete(after)).replace("diagonal and diagonal", "both diagonals")
    would = "won at once" if plies == 1 else f"forced it in {count(plies)}"
    if lines:
        return f"Completes the {lines} and wins."
    if "." not in after:
        return "The last cell: a draw."
    if not better(board, cell):
        others = [rank(board, one)[0] for one in rules.free(board) if one != cell]
        return {
            1: f"Best: {me} wins in {count(left)}, whatever {you} does.",
            0: "Keeps the draw." if 0 in others else "The only cell that holds the draw.",
            -1: "Every cell loses by now; none holds out longer.",
        }[value]
    return {
        (1, 1): f"Still winning, in {count(left)}. * would have "
        f"{'won at once' if plies == 1 else f'taken {count(plies)} in all'}.",
        (1, 0): f"Gives the win away. * would have {would}.",
        (1, -1): f"Loses a won game: {you} now wins in {count(left)}. * would have {would}.",
        (0, -1): f"Gives the draw away: {you} can now win in {count(left)}. * would have held it.",
        (-1, -1): "Every cell loses by now. * would have held out longer.",
    }[value, -theirs]


def check_sentence(board: str, cell: int, sentence: str) -> None:
    """Hold the sentence about a move against the values of all positions."""
    wanted = re.escape(judgement(board, cell)).replace(r"\*", "(.+)")
    said = re.fullmatch(rf"(?:(?:Blocks|Makes|Threatens) [^.]+\. )?{wanted}", sentence)
    assert said, (board, cell, sentence)
    if said.groups():
        check_advice(board, better(board, cell), said[1].lower())


def check_advice(board: str, cells: set[int], advice: str) -> None:
    """Whoever follows the advice finds one of the better cells, whichever they take."""
    kinds = {"a corner": CORNERS, "an edge": EDGES}
    others = re.fullmatch(r"one of (\d) other cells", advice)
    if advice in kinds:
        meant = kinds[advice].intersection(rules.free(board))
    elif others:
        assert int(others[1]) == len(cells)
        return
    else:
        names = [name.removeprefix("the ").removesuffix(" corner") for name in advice.split(" or ")]
        meant = set(map(rules.NAMES.index, names))
    assert meant == cells, (board, advice)


def check_step(page: Page, moves: tuple[int, ...], at: int, *, values: bool = False) -> None:
    """Everything that a review shows of one position; what is HTML in it is checked already."""
    board, over = rules.after(moves[:at]), rules.outcome(rules.after(moves[:at]))
    cells = [page.cell(cell) for cell in range(9)]
    assert "".join(cell.mark for cell in cells) == board
    assert not any(cell.playable for cell in cells)
    heading, sentence = (page.the("review").all(tag)[0].text for tag in ("h2", "p"))
    suggested, mistaken = set(), False
    if at:
        before, cell = rules.after(moves[: at - 1]), moves[at - 1]
        assert heading == f"{at} {rules.to_move(before)}: {rules.NAMES[cell]}"
        check_sentence(before, cell, sentence)
        suggested, mistaken = better(before, cell), is_a_mistake(before, cell)
    else:
        assert (heading, sentence) == (
            "An empty board",
            "With best play on both sides, it is a draw.",
        )
    assert {cell.number for cell in cells if cell.hinted} == (set() if values else suggested)
    if values and not over:
        for cell in rules.free(board):
            assert cells[cell].label.endswith(f", empty, {leads_to(board, cell)}")
        assert f"it leads to for {rules.to_move(board)}" in page.text
    assert ("Play this move differently" in page.buttons) is mistaken
    assert ("Try again from here" in page.buttons) is (not over)
    current = [line for line in judged(page) if line.get("aria-current") == "step"]
    assert [line.all("a")[0].get("id") for line in current] == ([f"move-{at}"] if at else [])


def judged(page: Page) -> tuple[Element, ...]:
    """The lines of the list of moves."""
    (moves,) = page.document.with_class("judged")
    return moves.elements


# --- every page ---------------------------------------------------------------------------------


def test_every_game_of_up_to_three_moves_can_be_reviewed(alice: Visitor) -> None:
    games = list(short_games(3))
    assert len(games) == 9 + 72 + 504
    for moves in games:
        check_step(look(alice, moves), moves, len(moves))


@pytest.mark.parametrize("values", [False, True])
def test_every_step_of_a_whole_game_shows_its_position(alice: Visitor, values: bool) -> None:
    switch = {"values": 1} if values else {}
    for moves in long_games(15, f"steps {values}"):
        for at in range(len(moves) + 1):
            check_step(look(alice, moves, at=at, **switch), moves, at, values=values)


def test_the_list_judges_every_move_and_marks_the_one_that_decided(alice: Visitor) -> None:
    for moves in long_games(150, "judged"):
        page = look(alice, moves)
        lines, turning = judged(page), turning_point(moves)
        for number, (cell, line) in enumerate(zip(moves, lines, strict=True), 1):
            before = rules.after(moves[: number - 1])
            mark, name = rules.to_move(before), rules.NAMES[cell]
            assert line.all("a")[0].text == f"{number} {mark} {name}"
            check_sentence(before, cell, line.all("span")[0].text)
            assert ("mistake" in line.get("class").split()) is is_a_mistake(before, cell)
            assert bool(line.all("strong")) is (number == turning)
        assert (page.document.with_id("turning") is not None) is (turning is not None)
        check_chart(page, moves)


def check_chart(page: Page, moves: tuple[int, ...]) -> None:
    """The chart says who could force a win after each move, and draws it."""
    (chart,) = page.document.with_class("course")
    said, leads = ["Who can force a win: nobody at first"], [0]
    for number in range(1, len(moves) + 1):
        leads.append(for_x(rules.after(moves[:number])))
        if leads[-1] != leads[-2]:
            said.append(f"{('nobody', 'X', 'O')[leads[-1]]} from move {number} on")
    assert chart.all("svg")[0].get("aria-label") == f"{', '.join(said)}."
    points = [point.split(",") for point in chart.all("polyline")[0].get("points").split()]
    heights = [75 - float(y) for _, y in points]
    assert [(height > 0) - (height < 0) for height in heights] == leads
    assert abs(heights[-1]) in (0, 55), "a game that is won ends at the edge"
    assert sorted(points, key=lambda point: float(point[0])) == points
    width, height = map(int, chart.all("svg")[0].get("viewbox").split()[2:])
    for circle in chart.all("circle"):
        x, y, reach = float(circle.get("cx")), float(circle.get("cy")), float(circle.get("r")) + 2
        assert reach <= x <= width - reach, "its ring is cut off"
        assert reach <= y <= height - reach, "its ring is cut off"


# --- going through it ---------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, {"values": "1", "opponent": "easy", "mark": "o"}])
def test_the_links_lead_to_the_steps_that_they_name(
    alice: Visitor, query: Mapping[str, str]
) -> None:
    for moves in long_games(3, f"links {query}"):
        for at in range(len(moves) + 1):
            page = look(alice, moves, at=at, **query)
            last = len(moves)
            targets = dict(
                zip(STEPS, (0, max(at - 1, 0), min(at + 1, last), last), strict=True),
            )
            for step, target in targets.items():
                link = page.the(f"step-{step}")
                check_link(link, moves, {**query, "at": str(target)})
                assert (link.get("aria-disabled") == "true") is (target == at)
            for number in range(1, last + 1):
                check_link(page.the(f"move-{number}"), moves, {**query, "at": str(number)})
            if turning := turning_point(moves):
                check_link(page.the("turning"), moves, {**query, "at": str(turning)})
            other = {key: value for key, value in query.items() if key != "values"}
            other |= {} if "values" in query else {"values": "1"}
            check_link(page.the("values"), moves, {**other, "at": str(at)})


def check_link(link: Element, moves: tuple[int, ...], query: Mapping[str, str]) -> None:
    address = urlsplit(link.get("href"))
    assert address.path == f"/review/{''.join(map(str, moves))}"
    assert dict(parse_qsl(address.query)) == query
    assert link.get("hx-get") == link.get("href")


def test_following_next_from_the_start_ends_at_the_end(alice: Visitor) -> None:
    moves = (4, 0, 2, 8, 1)
    page, seen = look(alice, moves, at=0), []
    while page.the("step-later").get("aria-disabled") != "true":
        page = alice.get(page.links["Next"])
        seen.append(page.the("review").all("h2")[0].text)
    assert [heading.replace(":", "") for heading in seen] == [
        line.all("a")[0].text for line in judged(page)
    ]
    assert look(alice, moves).the("review").text == page.the("review").text


@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, FRAGMENT])
def test_with_htmx_a_step_is_the_region_its_words_and_the_title(
    site: Site, alice: Visitor, headers: dict[str, str]
) -> None:
    page = look(alice, (4, 0, 2, 8, 1))
    for target in ("step-first", "move-2", "turning", "values"):
        address = page.the(target).get("hx-get")
        response = site.app.test_client().get(address, headers=headers)
        assert response.text.startswith('<div id="review"')
        region, live, title = parse(response.text).elements
        whole = alice.get(address)
        assert region.text == whole.the("review").text
        assert title.text == whole.title
        assert (live.get("hx-target"), live.get("hx-swap")) == ("#live", "textContent")
        heading, sentence = (region.all(tag)[0].text for tag in ("h2", "p"))
        assert live.text == f"{heading}. {sentence}"
        assert page.the("live") not in page.the("review").walk()
        check(page.document.mapped({"review": region}))


@pytest.mark.parametrize(
    "headers",
    [{}, {**FRAGMENT, "HX-Request-Type": "full"}, {**FRAGMENT, "HX-History-Restore-Request": "1"}],
)
def test_all_others_get_the_page_and_are_told_what_it_depends_on(
    site: Site, headers: dict[str, str]
) -> None:
    client = site.app.test_client()
    for sent, whole in ((headers, True), (FRAGMENT, False)):
        response = client.get("/review/40281", headers=sent)
        assert response.text.startswith("<!doctype html>") is whole
        varying = {name.strip().lower() for name in response.headers["Vary"].split(",")}
        assert varying >= {"hx-request", "hx-request-type", "hx-history-restore-request"}
