"""What a player chose, and the game that follows from it."""

import pytest

from webapp.core.board import Mark
from webapp.core.game import Kind
from webapp.core.options import FRIEND, Options


@pytest.mark.parametrize("last", [None, "x", "o"])
@pytest.mark.parametrize("mark", ["x", "o", "alternate"])
def test_the_mark_that_was_chosen_or_the_other_one_in_turn(mark: str, last: str | None) -> None:
    options = Options("hard", mark, last)
    wanted = {"alternate": "o" if last == "x" else "x"}.get(mark, mark)
    game = options.new_game("me", "id")
    assert (game.kind, game.engine, game.id, game.moves) == (Kind.ENGINE, "hard", "id", ())
    assert game.marks_of("me") == {Mark(wanted.upper())}
    assert options.after(game) == options, "it has not begun"
    assert options.after(game.begin_from((4,))) == Options("hard", mark, wanted)


@pytest.mark.parametrize("mark", ["x", "o", "alternate"])
def test_two_at_one_device_have_both_marks_and_alternate_nothing(mark: str) -> None:
    options = Options(FRIEND, mark, "x")
    game = options.new_game("me")
    assert (game.kind, game.engine) == (Kind.ONE_DEVICE, None)
    assert game.marks_of("me") == frozenset(Mark)
    assert options.after(game.play(4)) == options
