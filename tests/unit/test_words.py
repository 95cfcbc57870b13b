"""Sentences: every one of them can be said, is short enough, and blames nobody."""

import re
from dataclasses import replace
from functools import cache

import pytest

from webapp import words
from webapp.analysis.review import Judgement, ReviewedMove, review
from webapp.core.board import CELLS, CORNERS, EDGES, Board
from webapp.core.game import Game, Kind


@pytest.mark.parametrize(
    "board, cell, done",
    [
        (".........", 4, ()),
        ("XX..O....", 2, ("blocks the top row", "threatens the diagonal")),
        ("XO..X...O", 3, ("a fork",)),
        ("XX.XO.O..", 2, ("wins",)),
        ("XO.OX....", 8, ("wins",)),
    ],
)
def test_the_list_of_moves_says_what_a_person_did(
    board: str, cell: int, done: tuple[str, ...]
) -> None:
    assert words.person_did(Board.parse(board), cell) == done


def test_a_lost_engine_says_how_it_came_about() -> None:
    forked = Game((0, 1, 6, 3, 8, 4, 7), Kind.ENGINE, "a", None, "easy")
    assert words.defeat_of_the_engine(forked) == "That was a fork: I could not block both lines."
    left_open = replace(forked, moves=(0, 3, 1, 5, 2))
    assert words.defeat_of_the_engine(left_open) == "I left your top row open."


# --- a move, judged -----------------------------------------------------------------------------

MOST_WORDS_OF_A_JUDGEMENT = 30


@cache
def reviewed() -> tuple[ReviewedMove, ...]:
    """Every move on every board, judged."""
    ways: dict[Board, tuple[int, ...]] = {Board(): ()}
    todo, found = [Board()], []
    while todo:
        board = todo.pop()
        for cell in board.legal_moves:
            moves = (*ways[board], cell)
            found.append(review(moves).moves[-1])
            if (after := board.play(cell)) not in ways:
                ways[after] = moves
                todo.append(after)
    assert len(ways) == 5478
    return tuple(found)


def test_every_move_on_every_board_can_be_judged_in_clean_sentences() -> None:
    assert {move.judgement for move in reviewed()} == set(Judgement)
    for move in reviewed():
        said = words.judged(move)
        assert re.fullmatch(r"([A-Z][^.]+\.)( [A-Z][^.]+\.)*", said), said
        assert not re.search(r"None|  |[{}_]", said), said
        assert len(said.split()) <= MOST_WORDS_OF_A_JUDGEMENT, said
        assert (" would have " in said) is bool(move.better)


def test_every_corner_or_edge_is_better_where_one_is_advised() -> None:
    for move in reviewed():
        better, said = {cell for cell, _ in move.better}, words.judged(move)
        for advice, cells in (("A corner would", CORNERS), ("An edge would", EDGES)):
            if advice in said:
                assert better == set(cells).intersection(move.board.legal_moves), (move, said)


def test_cells_that_will_do_are_named_each_as_a_kind_or_counted() -> None:
    assert words.one_of((0, 1), CELLS) == "the top left corner or the top centre"
    assert words.one_of((0, 1, 4), CELLS) == "one of 3 other cells"
    assert words.one_of(EDGES, CELLS) == words.one_of((1, 3), (0, 1, 3)) == "an edge"
