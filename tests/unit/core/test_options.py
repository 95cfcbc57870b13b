"""What a player chose, and the game that follows from it."""

from itertools import product

from webapp.core.board import Mark
from webapp.core.game import Kind
from webapp.core.options import FRIEND, Options


def test_the_mark_that_was_chosen_or_the_other_one_in_turn_but_two_at_one_device_have_both() -> (
    None
):
    for mark, last in product(("x", "o", "alternate"), (None, "x", "o")):
        options = Options("hard", mark, last)
        wanted = {"alternate": "o" if last == "x" else "x"}.get(mark, mark)
        game = options.new_game("me", "id")
        assert (game.kind, game.engine, game.id, game.moves) == (Kind.ENGINE, "hard", "id", ())
        assert game.marks_of("me") == {Mark(wanted.upper())}
        assert options.after(game) == options, "it has not begun"
        assert options.after(game.begin_from((4,))) == Options("hard", mark, wanted)
        two = Options(FRIEND, mark, last)
        game = two.new_game("me")
        assert (game.kind, game.engine) == (Kind.ONE_DEVICE, None)
        assert game.marks_of("me") == {*Mark}
        assert two.after(game.play(4)) == two
