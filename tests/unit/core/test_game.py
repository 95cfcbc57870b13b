"""A game: whose turn it is, and what an undo takes back."""

import pytest

from webapp.core.board import IllegalMove, Mark
from webapp.core.game import Game, NothingToUndo


def test_the_engine_moves_when_its_mark_does() -> None:
    assert Game((), Mark.X).engine_to_move
    assert not Game((), Mark.O).engine_to_move
    assert Game((4,), Mark.O).engine_to_move
    assert not Game((4,), None).engine_to_move
    assert not Game((0, 3, 1, 4, 2), Mark.O).engine_to_move


def test_undo_takes_back_a_move_and_its_reply() -> None:
    assert Game((4, 0, 2, 6), Mark.O).undo().moves == (4, 0)
    assert Game((4, 0, 2), Mark.X).undo().moves == (4,)


def test_undo_between_friends_takes_back_one_move() -> None:
    assert Game((4, 0, 2)).undo().moves == (4, 0)


@pytest.mark.parametrize("game", [Game((), Mark.O), Game((4,), Mark.X), Game()])
def test_there_is_nothing_to_undo_before_a_first_move_of_ones_own(game: Game) -> None:
    with pytest.raises(NothingToUndo, match="no move of yours"):
        game.undo()


def test_a_finished_game_stands() -> None:
    with pytest.raises(IllegalMove, match="finished game stands"):
        Game((0, 3, 1, 4, 2), Mark.O).undo()
