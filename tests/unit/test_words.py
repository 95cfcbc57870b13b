"""Sentences: every one of them can be said, is short enough, and blames no one."""

import ast
import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter

import pytest

import webapp
from tests.support import rules
from webapp import words
from webapp.analysis.review import Judgement, ReviewedMove, judge
from webapp.core.board import CELLS, CORNERS, EDGES, LINES, Board
from webapp.core.game import Game, Kind, Reason
from webapp.core.solver import positions
from webapp.words import figures, played


def calls(tree: ast.AST) -> list[ast.Call]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    marks = {"_", "N_", "ngettext"}
    return [one for one in found if isinstance(one.func, ast.Name) and one.func.id in marks]


def places(message: str) -> set[str]:
    """The names of the places to fill: without a format, as no translator would know it."""
    found = [each[1:] for each in Formatter().parse(message) if each[1] is not None]
    assert all(str(name).isidentifier() and not spec and not turned for name, spec, turned in found)
    return {str(name) for name, *_ in found}


def test_every_message_is_whole_and_its_places_have_names() -> None:
    for file in Path(webapp.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for glue in ast.walk(tree):
            if isinstance(glue, ast.JoinedStr | ast.BinOp):
                assert not calls(glue), f"{file}, line {glue.lineno}"
        for call in calls(tree):
            # A message that is not written here is one of a table.
            assert not isinstance(call.args[0], ast.JoinedStr | ast.BinOp | ast.Call)
            texts = [one.value for one in call.args if isinstance(one, ast.Constant)]
            for text in texts:
                assert isinstance(text, str)
                assert not re.search(r"^ | $|  |\n", text), text
                assert not text.endswith((".", "!", "?")) or re.match("[A-Z{]", text), text
                assert places(text) ^ places(str(texts[0])) <= {"number"}


def test_every_reason_is_a_clean_sentence_in_each_voice() -> None:
    lines = [*((line,) for line in LINES), *combinations(LINES, 2)]
    for reason in (Reason(rule, some) for rule in played._MOVES for some in lines):
        for cell in CELLS:
            voices = [played.engine_move, *[played.hint] * (reason.rule in played._HINTS)]
            for one in (voice(cell, reason) for voice in voices):
                assert re.fullmatch(r"(I took|Try) the( ?[a-zI]+[,:]?)+\.", one), one
                assert len(f"{one} Your turn.".split()) <= words.MOST_AT_ONCE, one
        assert re.fullmatch(r"[a-z' ]+", played.caption(reason))


def test_the_list_of_moves_says_what_a_person_did_and_a_lost_engine_how_it_came_about() -> None:
    for board, cell, done in (
        (".........", 4, ()), ("XX..O....", 2, ("blocks the top row", "threatens the diagonal")),
        ("XX.OO..OX", 5, ("blocks the middle row", "threatens the right column")),
        ("XO..X...O", 3, ("a fork",)), ("XX.XO.O..", 2, ("wins",)), ("XO.OX....", 8, ("wins",)),
    ):  # fmt: skip
        assert played.person_did(Board.parse(board), cell) == done
    forked = Game((0, 1, 6, 3, 8, 4, 7), Kind.ENGINE, "a", None, "easy")
    assert words.defeat_of_the_engine(forked) == "That was a fork: I could not block both lines."
    left_open = replace(forked, moves=(0, 3, 1, 5, 2))
    assert words.defeat_of_the_engine(left_open) == "I left your top row open."


@cache
def judgements() -> list[tuple[ReviewedMove, str]]:
    moves = [judge(board, cell) for board in positions() for cell in board.legal_moves]
    return [(move, played.judged(move)) for move in moves]


def test_every_move_on_every_board_is_judged_in_clean_sentences_and_advised_as_a_whole() -> None:
    assert {move.judgement for move, _ in judgements()} == set(Judgement)
    for move, said in judgements():
        assert re.fullmatch(r"([A-Z][^.]+\.)( [A-Z][^.]+\.)*", said), said
        assert not re.search(r"None|  |[{}_]", said), said
        assert len(said.split()) <= 31, said
        better = {cell for cell, _ in move.better}
        assert (" would have " in said) is bool(better)
        for advice, cells in (("Taking a corner", CORNERS), ("Taking an edge", EDGES)):
            if advice in said:
                assert better == set(cells).intersection(move.board.legal_moves), (move, said)


def own_moves(board: str, cell: int) -> int:
    """How many marks the winner draws from a board on, if both play their best after a cell."""
    end = rules.put(board, cell)
    while not rules.outcome(end):
        value, plies = rules.value(end)
        following = [rules.put(end, reply) for reply in rules.free(end)]
        end = next(one for one in following if rules.value(one) == (-value, plies - 1))
    winner = rules.other(rules.to_move(end))
    return end.count(winner) - board.count(winner)


def test_every_sentence_counts_the_moves_of_the_winner_and_the_move_itself() -> None:
    for move, sentences in judgements():
        board, worth = str(move.board), move.after
        here = own_moves(board, move.cell)
        said, _, better = sentences.partition(" Taking ")
        assert re.findall(r"in (\d) moves?", said) in ([], [str(here)]), said
        if worth.value:
            assert figures.prospect(worth.value, worth.distance).endswith(f" in {here}")
        for number in re.findall(r"won in (\d) moves?", better):
            assert int(number) == own_moves(board, move.better[0][0])
            assert "Still winning" not in said or int(number) < here, (said, better)


def test_cells_are_named_counted_and_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played.one_of((0, 1), CELLS) == "the top left corner or the top centre"
    assert played.one_of((0, 1, 4), CELLS, words.taken) == "any of 3 other cells"
    assert played.one_of(EDGES, CELLS) == played.one_of((1, 3), (0, 1, 3)) == "an edge"
    monkeypatch.setattr(words, "pgettext", lambda context, message: f"{message} ({context})")
    declined = "I took the centre (took) to last longest."
    assert played.engine_move(4, Reason("delay")) == declined
    assert played.one_of((0, 4), CELLS) == "the top left corner or the centre"
    assert played.one_of(CORNERS, CELLS, words.taken) == "a corner (took)"
