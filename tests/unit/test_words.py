"""Sentences: every one of them can be said, is short enough, and blames nobody."""

import re
from functools import cache
from itertools import chain, combinations

import pytest

from webapp import words
from webapp.analysis.review import Judgement, ReviewedMove, review
from webapp.core import solver
from webapp.core.board import CELLS, CORNERS, EDGES, Board, Mark
from webapp.core.game import Game, Reason
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES

OPEN = tuple(board for board in solver.positions() if not board.outcome)
MOST_WORDS = 15


def test_every_choice_of_every_engine_can_be_said_in_fifteen_words() -> None:
    for board in OPEN:
        for engine in ENGINES.values():
            for choice in engine.choices(board):
                over = board.play(choice.cell).outcome
                heading = words.result(over, engine.name) if over else "Your turn"
                said = f"{words.engine_move(choice.cell, choice.reason)} {heading}."
                assert len(said.split()) <= MOST_WORDS, said
                assert words.engine_caption(choice.reason)
                assert "{" not in said
        for choice in HARD.choices(board):
            said = f"{words.hint(choice.cell, choice.reason)} Your turn."
            assert len(said.split()) <= MOST_WORDS, said


def test_every_move_that_is_watched_can_be_told_in_fifteen_words() -> None:
    for board in OPEN:
        moves = [(cell, words.person_did(board, cell)) for cell in board.legal_moves]
        for engine in ENGINES.values():
            moves += [
                (choice.cell, (words.engine_caption(choice.reason),))
                for choice in engine.choices(board)
            ]
        for cell, done in moves:
            over = board.play(cell).outcome
            heading = words.result(over, str(board.turn)) if over else f"{board.turn.other} to move"
            chief = "" if over or not done else done[0]
            said = f"{words.person_moved(str(board.turn), cell, chief)} {heading}."
            assert len(said.split()) <= MOST_WORDS, said


@pytest.mark.parametrize(
    "cell, reason, sentence",
    [
        (
            8,
            Reason("block", ((0, 4, 8), (2, 5, 8))),
            "I took the bottom right corner to block two lines at once.",
        ),
        (0, Reason("only"), "I took the top left corner: every other cell loses."),
    ],
)
def test_the_computer_says_what_it_did_and_why(cell: int, reason: Reason, sentence: str) -> None:
    assert words.engine_move(cell, reason) == sentence


def test_a_hint_names_the_cell_and_the_reason() -> None:
    said = words.hint(2, Reason("block", ((0, 1, 2),)))
    assert said == "Try the top right corner: it blocks my top row."


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
    forked = Game((0, 1, 6, 3, 8, 4, 7), Mark.O)
    assert words.defeat_of_the_engine(forked) == "That was a fork: I could not block both lines."
    left_open = Game((0, 3, 1, 5, 2), Mark.O)
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


def test_who_takes_a_corner_or_an_edge_as_advised_has_a_better_cell_whichever_it_is() -> None:
    for move in reviewed():
        better, said = {cell for cell, _ in move.better}, words.judged(move)
        for advice, cells in (("A corner would", CORNERS), ("An edge would", EDGES)):
            if advice in said:
                assert better == set(cells).intersection(move.board.legal_moves), (move, said)


def test_whatever_cells_will_do_they_can_be_named() -> None:
    for cells in chain.from_iterable(combinations(CELLS, size) for size in range(1, 10)):
        all_of_a_kind = set(cells) in (set(CORNERS), set(EDGES))
        said = words.one_of(cells, CELLS)
        if len(cells) <= 2:
            assert said == " or ".join(map(words.cell_in_a_sentence, cells))
        else:
            assert (said == f"one of {len(cells)} other cells") is not all_of_a_kind
        if len(cells) > 1 and set(cells) <= set(CORNERS):
            assert words.one_of(cells, [*cells, *EDGES]) == "a corner"
