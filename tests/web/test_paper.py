"""Sheets to print and the map of the whole game, held against the rules in the plainest way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.visitor import Visitor
from tests.web.test_learn import board_in, cell_of
from webapp.core.board import Board
from webapp.engines.perfect import HARD

# --- the intelligent piece of paper ---------------------------------------------------------------

CORNERS, EDGES = (0, 2, 6, 8), (1, 3, 5, 7)
BETWEEN = {1: (0, 2), 3: (0, 6), 5: (2, 8), 7: (6, 8)}


def held(board: str, mark: str, cells: Iterable[int]) -> list[int]:
    return [cell for cell in cells if board[cell] == mark]


def two_of_mine(board: str, me: str, _: str) -> Iterable[int]:
    return rules.completions(board, me)


def two_of_theirs(board: str, _: str, other: str) -> Iterable[int]:
    return rules.completions(board, other)


def an_edge_against_opposite_corners(board: str, _: str, other: str) -> list[int]:
    theirs = held(board, other, CORNERS)
    return held(board, ".", EDGES) if {0, 8} <= {*theirs} or {2, 6} <= {*theirs} else []


def a_corner_next_to_an_edge(board: str, _: str, other: str) -> list[int]:
    return [cell for edge in held(board, other, EDGES) for cell in held(board, ".", BETWEEN[edge])]


# What each sentence says: of a board, my mark and the other player's, the cells to take.
SAYS: dict[str, Callable[[str, str, str], Iterable[int]]] = {
    "If you have two in a line and the third cell is free, take it and win.": two_of_mine,
    "If the other player has two in a line and the third cell is free, take it.": two_of_theirs,
    "If the centre is free, take it.": lambda board, *_: held(board, ".", [4]),
    "If the other player has two opposite corners, take an edge.": an_edge_against_opposite_corners,
    "If the other player has an edge, take a free corner next to it.": a_corner_next_to_an_edge,
    "If a corner is free, take it.": lambda board, *_: held(board, ".", CORNERS),
    "Otherwise take any free cell.": lambda board, *_: rules.free(board),
}


def instructed(sentences: list[str], board: str) -> tuple[int, set[int]]:
    """Which of the sentences is the first to be followed, and the cells that it allows."""
    me = rules.to_move(board)
    said = enumerate(SAYS[sentence](board, me, rules.other(me)) for sentence in sentences)
    return next((at, {*cells}) for at, cells in said if cells)


def followed(sentences: list[str], mark: str, board: str = rules.EMPTY) -> Counter[str]:
    """How all games end in which one player follows the sentences."""
    if ended := rules.outcome(board):
        return Counter([ended])
    mine = rules.to_move(board) == mark
    cells = instructed(sentences, board)[1] if mine else rules.free(board)
    return sum((followed(sentences, mark, rules.put(board, cell)) for cell in cells), Counter())


def test_anyone_who_follows_the_paper_to_the_letter_never_loses(alice: Visitor) -> None:
    page = alice.get("/learn/paper/rules")
    (listed,) = page.document.with_class("instructions")
    sentences = [item.all("p")[0].text for item in listed.all("li")]
    assert len(sentences) == 7
    for mark, said in (("X", "You are X"), ("O", "You are O")):
        ends = followed(sentences, mark)
        assert {*ends} == {mark.lower(), "draw"}
        won, drawn = ends[mark.lower()], ends["draw"]
        counts = f"{ends.total():,} games: {won:,} won, {drawn:,} drawn, none lost."
        assert f"{said} – {counts}" in page.document.text
    for at, picture in enumerate(listed.with_class("picture")):
        board = board_in(picture)
        assert rules.to_move(board) == "O"
        assert instructed(sentences, board) == (at, {*map(cell_of, picture.with_class("lit"))})


# --- worksheets -----------------------------------------------------------------------------------

ASKS = {
    "win": r"[XO] can win at once\. Where\?",
    "block": r"[XO] threatens a line\. Where does [XO] stop it\?",
    "fork": r"[XO] can threaten two lines at once\. Where\?",
    "stop-fork": r"[XO] could make a fork\. Where does [XO] stop it\?",
    "only": r"Only one cell does not lose for [XO]\. Which\?",
}


def sheet(visitor: Visitor, **fields: object) -> tuple[list[str], list[str], list[int]]:
    """The boards of a worksheet, what is asked of each, and the cells of the solutions."""
    address = "&".join(f"{name}={value}" for name, value in fields.items())
    document = visitor.get(f"/learn/paper/puzzles?{address}").document
    (tasks,), (solutions,) = document.with_class("tasks"), document.with_class("solutions")
    boards = [board_in(picture) for picture in tasks.with_class("picture")]
    assert boards == [board_in(picture) for picture in solutions.with_class("picture")]
    asks = [item.all("p")[0].text for item in tasks.all("li")]
    assert f"Sheet {fields['seed']}" in tasks.text
    assert not tasks.with_class("lit")
    return boards, asks, [cell_of(cell) for cell in solutions.with_class("lit")]


@pytest.mark.parametrize("kind", [*ASKS, "mixed"])
def test_a_worksheet_asks_what_is_chosen_and_has_one_solution_each(
    alice: Visitor, bob: Visitor, kind: str
) -> None:
    boards, asks, cells = sheet(alice, kind=kind, number=12, seed=7)
    assert len({*boards}) == len(asks) == len(cells) == 12
    wanted = [ASKS[kind]] if kind != "mixed" else [*ASKS.values()]
    assert all(any(re.fullmatch(one, ask) for one in wanted) for ask in asks)
    assert all(any(re.fullmatch(one, ask) for ask in asks) for one in wanted)
    for board, cell in zip(boards, cells, strict=True):
        value, _plies = rules.value(board)
        completed = rules.completions(board, rules.to_move(board))
        keep = [at for at in rules.free(board) if -rules.value(rules.put(board, at))[0] == value]
        assert [cell] == (list(completed) or keep)
    assert (boards, asks, cells) == sheet(bob, kind=kind, number=12, seed=7), "as the seed says"
    assert boards != sheet(alice, kind=kind, number=12, seed=8)[0]


def test_a_worksheet_without_a_seed_leads_to_one_that_stays(alice: Visitor) -> None:
    answer = alice.get("/learn/paper/puzzles?kind=fork&number=4")
    assert answer.status == 303
    location = answer.headers["Location"]
    assert re.fullmatch(r"/learn/paper/puzzles\?kind=fork&number=4&seed=[1-9]\d{0,3}", location)
    assert location in alice.get(location).document.text


@pytest.mark.parametrize(
    "wrong",
    ["kind=all", "kind=", "number=5", "number=12&number=12", "seed=0", "seed=10000", "seed=x"],
)
def test_there_is_no_such_worksheet(alice: Visitor, wrong: str) -> None:
    assert alice.get(f"/learn/paper/puzzles?{wrong}").status == 422


# --- the whole game -------------------------------------------------------------------------------


def drawn(group: Element) -> tuple[str, int | None, bool, dict[int, Element]]:
    """A board of the map: its marks, the bold cell, whether a line is struck, boards by cell."""
    (inner, *_) = [*group.all("a"), group]
    if group.tag == "svg":
        inner = group
    board, bold, struck, within = ["."] * 9, None, False, dict[int, Element]()
    for one in inner.elements:
        what = one.get("href")
        if one.tag == "use" and what in ("#x", "#o"):
            cell = int(one.get("x") or 0) // 100 + int(one.get("y") or 0) // 100 * 3
            board[cell] = what[1].upper()
            bold = cell if one.get("class") == "new" else bold
        struck |= one.get("class") == "strike"
        if one.tag == "g":
            x, y = map(int, re.findall(r"\d+", one.get("transform"))[:2])
            within[x // 100 + y // 100 * 3] = one
    return "".join(board), bold, struck, within


def ends_of(group: Element, mark: str, before: str, cell: int | None) -> Iterator[str]:
    """Hold a board of the map against the rules and against Hard, with all boards in it."""
    board, bold, struck, within = drawn(group)
    expected = before if cell is None else rules.put(before, cell)
    if rules.to_move(expected) == mark and not rules.outcome(expected):
        answer = min(choice.cell for choice in HARD.choices(Board.parse(expected)))
        assert bold == answer
        expected = rules.put(expected, answer)
    assert board == expected
    ended = rules.outcome(board)
    assert struck == (ended in ("x", "o"))
    assert [*within] == ([] if ended else rules.free(board)), "every reply is there"
    if ended:
        yield ended
    for reply, one in within.items():
        yield from ends_of(one, mark, board, reply)


@pytest.mark.parametrize("mark", ["X", "O"])
def test_the_map_answers_every_move_and_never_loses(alice: Visitor, mark: str) -> None:
    page = alice.get(f"/learn/map?mark={mark.lower()}")
    (svg,) = page.document.with_class("map")[0].all("svg")
    ends = Counter(ends_of(svg, mark, rules.EMPTY, None))
    assert {*ends} == {mark.lower(), "draw"}
    said = f"{ends.total()} games: {ends[mark.lower()]} won, {ends['draw']} drawn, none lost."
    assert said in page.document.text
    assert len(page.text) < 250_000


@pytest.mark.parametrize("address", ["/learn/map", "/learn/map?mark=o"])
def test_the_tree_leads_to_a_drawn_game_and_back(alice: Visitor, address: str) -> None:
    page, steps = alice.get(address), 0
    while links := page.document.with_class("answers")[0].all("a"):
        shown = [link.get("href") for link in page.document.with_class("map")[0].all("a")]
        assert shown == [link.get("href") for link in links], "by finger and by keys alike"
        page, steps = alice.get(links[-1].get("href")), steps + 1
        back = page.document.with_class("links")[0].all("a")
        assert back[0].get("href") == (address if "mark" in address else f"{address}?mark=x")
        assert len(back) == steps
    assert "A draw" in page.document.text or "wins" in page.document.text


@pytest.mark.parametrize("wrong", ["mark=z", "moves=00", "moves=4", "mark=o&moves=418", "moves=9"])
def test_what_is_not_on_the_map_is_refused(alice: Visitor, wrong: str) -> None:
    assert alice.get(f"/learn/map?{wrong}").status == 422
