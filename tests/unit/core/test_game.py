from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest

from tests.support import rules
from webapp.core.board import IllegalMove, Mark, Outcome
from webapp.core.game import Game, Kind, NotAllowed, Reason
from webapp.core.options import FRIEND, Options

ME, YOU = "me", "you"
WHY = Reason("random")
FRIENDS = Game(kind=Kind.ONE_DEVICE, x_seat=ME, o_seat=ME)
LIVE = Game(kind=Kind.TWO_DEVICES, x_seat=ME, o_seat=YOU)
X_TO_ME = Game(kind=Kind.ENGINE, x_seat=ME, engine="easy")
O_TO_ME = Game(kind=Kind.ENGINE, o_seat=ME, engine="easy")
KINDS = {"friends": FRIENDS, "live": LIVE, "x": X_TO_ME, "o": O_TO_ME}
EVERY_KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
GOING, WON, DRAWN = (4, 0), (0, 3, 1, 4, 2), (4, 0, 8, 2, 1, 7, 3, 5, 6)


def having(game: Game, moves: tuple[int, ...]) -> Game:
    return replace(game, moves=moves, reasons=(None,) * len(moves))


def reachable(game: Game) -> Iterator[tuple[Game, str]]:
    for board, moves in rules.ways():
        yield having(game, moves), board


def test_a_player_has_the_marks_of_their_seats() -> None:
    for game, player, marks in (
        *((X_TO_ME, ME, "X"), (O_TO_ME, ME, "O"), (FRIENDS, ME, "XO"), (LIVE, YOU, "O")),
        *((LIVE, "watcher", ""), (X_TO_ME, "watcher", "")),
    ):
        assert game.marks_of(player) == frozenset(map(Mark, marks))
        assert (player in game.players) is bool(marks)


@EVERY_KIND
def test_whose_turn_it_is_and_which_moves_are_allowed(kind: Game) -> None:
    for game, board in reachable(kind):
        ended = rules.outcome(board)
        mover = Mark(rules.to_move(board))
        assert str(game.board) == board
        assert (game.outcome.slug if game.outcome else "") == ended
        assert game.turn is (None if ended else mover)
        engine = {X_TO_ME: Mark.O, O_TO_ME: Mark.X}.get(kind)
        assert game.engine_mark is engine
        assert game.engine_to_move is (not ended and mover is engine)
        for cell in range(9) if kind is FRIENDS else game.board.legal_moves[:1]:
            if ended or game.engine_to_move or board[cell] != ".":
                with pytest.raises(NotAllowed):
                    game.play(cell)
                continue
            played = game.play(cell)
            assert str(played.board) == rules.put(board, cell)
            assert (played.moves[:-1], played.reasons[-1]) == (game.moves, None)


@EVERY_KIND
def test_an_undo_takes_back_a_persons_move_and_its_reply(kind: Game) -> None:
    for game, _ in reachable(kind):
        if game.engine_to_move:
            continue  # never stored: the reply comes with the move
        left = len(game.moves) - (1 if kind is FRIENDS else 2)
        possible = left >= 0 and kind is not LIVE and not game.outcome
        assert game.undoable is possible
        if not possible:
            with pytest.raises(NotAllowed):
                game.undo()
            continue
        back = replace(game, hint=(0, WHY)).undo()
        assert (back.moves, back.hint, back.assisted) == (game.moves[:left], None, True)
        assert len(back.reasons) == left
        assert (back.engine_to_move, back.turn) == (False, back.board.turn)


@EVERY_KIND
def test_leaving_loses_from_the_second_own_move_on_and_counts_nowhere_before(kind: Game) -> None:
    for game, board in reachable(kind):
        mine = board.count("X" if kind is X_TO_ME else "O")
        forfeits = kind in (X_TO_ME, O_TO_ME) and not game.outcome and mine >= 2
        assert game.forfeits_if_left is forfeits
        # With a hint or an undo at once: moves may have been taken back.
        assisted, against = replace(game, assisted=True), kind in (X_TO_ME, O_TO_ME)
        assert assisted.forfeits_if_left is (against and not game.outcome)
        assert not replace(assisted, given=1).forfeits_if_left
        if game.outcome or kind is LIVE:
            continue
        if against:
            assert list(assisted.leave().results()) == [(ME, "easy", "l")]
        left = game.leave()
        assert left.outcome == Outcome(game.engine_mark if forfeits else None, ending="left")
        assert (left.turn, left.undoable, left.rated) == (None, False, forfeits)
        assert list(left.results()) == ([(ME, "easy", "l")] if forfeits else [])


@EVERY_KIND
def test_a_rated_end_counts_for_each_player_against_the_other_or_the_engine(kind: Game) -> None:
    flipped = {"w": "l", "l": "w", "d": "d"}
    for game, board in reachable(kind):
        ended = rules.outcome(board)
        result = {"draw": "d", "o" if kind is O_TO_ME else "x": "w"}.get(ended, "l")
        expected = {(ME, "easy", result)} if ended and kind is not FRIENDS else set()
        if ended and kind is LIVE:
            expected = {(ME, YOU, result), (YOU, ME, flipped[result])}
        assert set(game.results()) == expected
        if kind is not LIVE:
            # With a hint or an undo it counts where it is lost, and only there.
            assisted = replace(game, assisted=True)
            assert set(assisted.results()) == {one for one in expected if one[2] == "l"}
            assert not list(replace(assisted, given=1).results())


@EVERY_KIND
def test_moves_that_were_given_stay_and_make_a_game_assisted(kind: Game) -> None:
    for given in range(1, 7):
        start = game = kind.begin_from(DRAWN[:given])
        assert (game.given, game.assisted, game.reasons) == (given, True, (None,) * given)
        end = 7 if kind is O_TO_ME else 8  # with a person to move
        for cell in DRAWN[given:end]:
            game = game.reply(cell, WHY) if game.engine_to_move else game.play(cell)
        while game.undoable:
            game = game.undo()
        stays = end if kind is LIVE else given + start.engine_to_move  # the reply to them stays too
        assert game.moves == DRAWN[:stays]
    for moves, why in ((WON, "over"), (DRAWN, "over"), ((4, 4), "holds X"), ((9,), "no cell")):
        with pytest.raises(IllegalMove, match=why):
            kind.begin_from(moves)


CHANGES: dict[str, Callable[[Game], Game]] = {
    "hint": lambda game: game.suggest(4, WHY), "undo": Game.undo,
    "resign": lambda game: game.resign(Mark.X), "claim": lambda game: game.claim(Mark.X, 60),
    "claim early": lambda game: game.claim(Mark.O, 59), "play": lambda game: game.play(8),
    "play for O": lambda game: game.play(8, by=Mark.O),
    "rematch": lambda game: game.ask_rematch(Mark.X),
}  # fmt: skip
REFUSED = [
    *(("hint", having(kind, GOING), "no hints in a game") for kind in (FRIENDS, LIVE)),
    *((what, having(X_TO_ME, WON), "is over") for what in ("hint", "play")),
    ("undo", having(LIVE, GOING), "You cannot take back"),
    ("undo", having(X_TO_ME, WON), "no move can be taken back"),
    *(("undo", game, "no move to take back") for game in (X_TO_ME, FRIENDS, having(O_TO_ME, (4,)))),
    *(("resign", having(kind, GOING), "between two people") for kind in (X_TO_ME, FRIENDS)),
    ("claim", having(X_TO_ME, GOING), "between two people"),
    *((what, having(LIVE, DRAWN), "is over") for what in ("resign", "claim")),
    ("claim", having(LIVE, GOING), "not your opponent's turn"),
    ("claim early", having(LIVE, GOING), "for 60 seconds"),
    ("claim", having(replace(LIVE, tournament="t"), (4,)), "the clock decides"),
    ("rematch", having(replace(LIVE, tournament="t"), DRAWN), "starts by itself"),
    *(("play", game, "the computer's turn") for game in (O_TO_ME, having(X_TO_ME, (4,)))),
    ("play", having(FRIENDS, (8,)), "taken"),
    ("play", having(LIVE, GOING).resign(Mark.X), "is over"),
    ("play for O", having(LIVE, GOING), "not your turn"),
]


def test_what_a_game_does_not_allow_it_says() -> None:
    for change, game, why in REFUSED:
        with pytest.raises(NotAllowed, match=why) as refused:
            CHANGES[change](game)
        assert len(str(refused.value).split()) <= 15


def test_an_end_counts_for_both_and_a_rematch_swaps_the_marks() -> None:
    going = having(LIVE, GOING)
    for ended, ending in ((going.resign(Mark.X), "resign"), (going.claim(Mark.O, 60), "claim")):
        assert ended.outcome == Outcome(Mark.O, ending=ending)
        assert set(ended.results()) == {(ME, YOU, "l"), (YOU, ME, "w")}
    early = having(LIVE, (4,)).resign(Mark.O)
    assert (early.rated, list(early.results())) == (False, [])
    again = having(LIVE, DRAWN).ask_rematch(Mark.X).swapped("next")
    assert again == replace(LIVE, x_seat=YOU, o_seat=ME, id="next")


def test_a_hint_lasts_until_the_next_move_and_assists_for_good() -> None:
    hinted = having(X_TO_ME, GOING).suggest(8, WHY)
    for game, hint in ((hinted, (8, WHY)), (hinted.play(8), None), (hinted.leave(), None)):
        assert (game.hint, game.assisted) == (hint, True)


def test_a_player_has_the_mark_that_was_chosen_or_the_other_in_turn_and_friends_have_both() -> None:
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
