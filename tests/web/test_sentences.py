"""What is announced of a game is short enough to be heard, and true: over every position."""

import re
from dataclasses import replace

import pytest

from tests.support import rules
from webapp import words
from webapp.core.game import Game, Kind, Reason, Score
from webapp.core.options import Options
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.names import Player
from webapp.service.pov import Pov
from webapp.web.present import game as present
from webapp.words import played

ME = "a" * 64
POSITIONS = list(rules.ways())
MARKS = pytest.mark.parametrize("engine", ["X", "O"])


def stored(moves: tuple[int, ...], engine: str = "", slug: str = "easy") -> Game:
    """A game against an engine of this mark, or without one between friends, as it is loaded."""
    reasons = [Reason("random") if engine and "XO"[ply % 2] == engine else None for ply in range(9)]
    return Game(
        moves,
        Kind.ENGINE if engine else Kind.ONE_DEVICE,
        None if engine == "X" else ME,
        None if engine == "O" else ME,
        slug if engine else None,
        reasons=tuple(reasons[: len(moves)]),
        id="A" * 22,
        version=1,
    )


def shown(game: Game, viewer: str = ME) -> tuple[Pov, str, str]:
    """A game as someone sees it, heading and sentence; what is announced is short and clean."""
    score = Score(1, 2, 3) if game.engine else None
    pov = Pov(game, game.marks_of(viewer), Options(), Player(viewer, None), score)
    for notice in ("", "Move taken back."):
        said = present.announcement(pov, ENGINES, notice=notice)
        assert len(said.split()) <= words.MOST_AT_ONCE, said
        assert not re.search(r"\.\.|\. \.|None|[{}_!]|  ", said), said
        assert said.endswith(".")
    heading, sentence = present.heading(pov, ENGINES), present.sentence(pov, ENGINES)
    assert sentence.endswith(".")
    assert not heading.endswith(".")
    return pov, heading, sentence


def check_the_end(board: str, heading: str, names: dict[str, str]) -> None:
    winner = rules.other(rules.to_move(board))
    lines = rules.complete(board)
    if not lines:
        assert heading == "A draw"
        return
    name = names.get(winner, "You")
    named = "both diagonals" if lines == ["diagonal"] * 2 else " and ".join(lines)
    assert heading == f"{name} {'win' if name == 'You' else 'wins'}: {named}"


@pytest.mark.parametrize("slug", ENGINES)
@MARKS
def test_an_engines_move_is_told_with_its_reason(slug: str, engine: str) -> None:
    for board, moves in POSITIONS:
        if rules.outcome(board) or rules.to_move(board) != engine:
            continue
        for choice in ENGINES[slug].choices(Game(moves).board):
            game = stored((*moves, choice.cell), engine, slug)
            game = replace(game, reasons=(*game.reasons[:-1], choice.reason))
            _, heading, sentence = shown(game)
            shown(game, viewer="b")
            assert sentence == played.engine_move(choice.cell, choice.reason)
            after = rules.put(board, choice.cell)
            if rules.outcome(after):
                check_the_end(after, heading, {engine: ENGINES[slug].name})
            else:
                assert heading == "Your turn"


@MARKS
def test_when_a_person_ends_the_game_the_computer_says_how_it_came_to_that(engine: str) -> None:
    me = rules.other(engine)
    for board, moves in POSITIONS:
        if rules.outcome(board) != me.lower():
            continue
        _, heading, sentence = shown(stored(moves, engine))
        check_the_end(board, heading, {engine: "Easy"})
        fork = len(rules.completions(rules.after(moves[:-2]), me)) >= 2
        assert sentence.startswith("That was a fork" if fork else "I left ")


@MARKS
def test_a_hint_is_told_with_its_reason_and_its_cell_is_marked(engine: str) -> None:
    for board, moves in POSITIONS:
        if rules.outcome(board) or rules.to_move(board) == engine:
            continue
        for choice in HARD.choices(Game(moves).board):
            hint = choice.cell, choice.reason
            pov, heading, sentence = shown(stored(moves, engine).suggest(*hint))
            assert (sentence, heading) == (played.hint(*hint), "Your turn")
            assert [one.number for one in present.cells(pov) if one.hinted] == [choice.cell]


@pytest.mark.parametrize("engine,viewer", [("", ME), ("", "b"), ("X", "b"), ("O", "b")])
def test_friends_and_watchers_are_told_by_marks(engine: str, viewer: str) -> None:
    for board, moves in POSITIONS:
        pov, heading, sentence = shown(stored(moves, engine), viewer)
        if rules.outcome(board):
            check_the_end(board, heading, {"X": "X", "O": "O"})
        else:
            assert heading == f"{rules.to_move(board)} to move"
        if moves and not engine and rules.outcome(board) != "draw":
            assert sentence.startswith(f"{rules.other(rules.to_move(board))} took the ")
        assert not re.search(
            r"\b(you|your|I|my)\b", present.announcement(pov, ENGINES), re.IGNORECASE
        )
