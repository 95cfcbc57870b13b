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


# --- begun from a position ----------------------------------------------------------------------


def test_a_game_may_begin_with_moves_that_stay() -> None:
    game = Game((4, 0), Mark.X, given=2)
    assert str(game.board) == "O...X...."
    assert not game.undoable
    later = game.play(8).play(2).play(6)
    assert (later.given, later.engine) == (2, Mark.X)
    assert later.undo() == game.play(8)


@pytest.mark.parametrize("engine, plies", [(None, 1), (Mark.X, 2), (Mark.O, 2)])
@pytest.mark.parametrize("given", range(6))
def test_an_undo_never_goes_back_beyond_the_start(
    engine: Mark | None, plies: int, given: int
) -> None:
    moves = (4, 0, 8, 2, 1, 7, 3, 5)  # no line until the last cell is taken
    for length in range(given, len(moves) + 1):
        game = Game(moves[:length], engine, given)
        assert game.undoable is (length - plies >= given)
        if game.undoable:
            assert game.undo().moves == moves[: length - plies]
            assert game.undo().given == given
        else:
            with pytest.raises(NothingToUndo):
                game.undo()


def test_whatever_was_played_since_can_be_taken_back_to_the_start() -> None:
    game = start = Game((4, 0, 8), Mark.X, given=3)
    for cell in (2, 6, 7, 1):
        game = game.play(cell)
    while game.undoable:
        game = game.undo()
    assert game == start


def test_a_finished_game_has_nothing_to_undo() -> None:
    assert not Game((0, 3, 1, 4, 2), Mark.O).undoable
    assert not Game((0, 3, 1, 4, 2), None, given=1).undoable


def test_how_many_moves_were_given_tells_games_apart() -> None:
    assert Game((4, 0), Mark.X, given=2) != Game((4, 0), Mark.X)
