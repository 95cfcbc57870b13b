"""What is said about a move is short enough to be heard, and true: over every position."""

import re

import pytest
from webapp.service.visits import Visit

from tests.support import rules
from webapp.core.board import Mark
from webapp.core.game import Game, Reason
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.store.games import GameRecord, Score
from webapp.store.players import Preferences
from webapp.web.present import game as present
from webapp.web.present.views import PlayView

ME = "a" * 64
LONGEST = 15
CORNERS = (0, 2, 6, 8)

MARKS = pytest.mark.parametrize("engine", ["X", "O"])
POSITIONS = list(rules.ways())


def the(cell: int) -> str:
    """A cell with its article."""
    return f"the {rules.NAMES[cell]}{' corner' if cell in CORNERS else ''}"


def visit(
    moves: tuple[int, ...],
    engine: str = "",
    opponent: str = "friend",
    why: Reason | None = None,
    hint: tuple[int, Reason] | None = None,
    *,
    watching: bool = False,
) -> Visit:
    """A game as the service hands it over.

    :param engine: the engine's mark, empty between friends
    :param why: the reason of an engine's last move
    """
    seats = {mark: None if mark == engine else ME for mark in "XO"}
    plies = range(len(moves))
    reasons = [Reason("random") if "XO"[ply % 2] == engine else None for ply in plies]
    if why:
        reasons[-1] = why
    record = GameRecord(
        id="A" * 22,
        x_seat=seats["X"],
        o_seat=seats["O"],
        opponent=opponent,
        version=len(moves) + 1,
        moves=moves,
        reasons=tuple(reasons),
        hint=hint,
        helped=bool(hint),
        outcome=rules.outcome(rules.after(moves)),
    )
    return Visit(
        record,
        Game(moves, Mark(engine) if engine else None),
        frozenset() if watching else record.marks_of(ME),
        Preferences(),
        Score(1, 2, 3) if engine else None,
    )


def shown(a_visit: Visit) -> PlayView:
    """A game as the templates print it; whatever is announced of it is short."""
    view = present.present_game(a_visit, ENGINES)
    for said in (view, present.noticed(view, "Taken back.")):
        assert len(said.announcement.split()) <= LONGEST, said.announcement
        assert not re.search(r"\.\.|\. \.|None|[{}_!]|  ", said.announcement), said.announcement
        assert said.announcement.endswith(".")
    assert view.sentence.endswith(".")
    assert not view.heading.endswith(".")
    return view


# --- what the engine says of its move -----------------------------------------------------------


def reasons(board: str, cell: int) -> dict[str, bool]:
    """Every reason that an engine may give for a cell, and whether it is true of this board."""
    me, you = rules.to_move(board), rules.other(rules.to_move(board))
    after = rules.put(board, cell)
    blocked, threats = rules.completions(board, you).get(cell, []), rules.completions(after, me)
    value, _ = rules.value(board)
    theirs, length = rules.value(after)
    others = [rules.value(rules.put(board, other)) for other in rules.free(board) if other != cell]
    there = {free: board[:free] + you + board[free + 1 :] for free in rules.free(board)}
    forks = [free for free in there if len(rules.completions(there[free], you)) > 1]
    return {
        " to win": rules.outcome(after) == me.lower(),
        # Medium's rule is about the first line that it finds, of two perhaps.
        **{f" to block your {line}": True for line in blocked},
        " to block two lines at once": len(blocked) == 2,
        " to threaten two lines at once": len(threats) >= 2 and theirs == -1,
        **{f" to threaten the {line}": len(threats) == 1 for [line, *_] in threats.values()},
        ": from here I can force a win": theirs == -1,
        ": my rules want the centre": cell == 4,
        ": my rules want a corner": cell in CORNERS,
        ": my rules want an edge": cell in (1, 3, 5, 7),
        " to stop your fork": cell in forks,
        ": you had two forks": cell in (1, 3, 5, 7) and len(forks) == 2,
        ": I know this opening": (board[4], board.count(".")) == (me, 6),
        ": every cell loses now": value == -1,
        ": every other cell loses": theirs == 0 and all(worth > 0 for worth, _ in others),
        ": safe, and my best chance": value == theirs == 0,
        ": it keeps the draw": value == theirs == 0,
        " to hold out longest": value == -1
        and length == max(plies for _, plies in [*others, (1, length)]),
        ": no other cell was free": others == [],
        " at random": True,
        " by mistake": True,  # a slip may take any free cell
    }


@pytest.mark.parametrize("opponent", list(ENGINES))
@MARKS
def test_the_sentence_says_what_the_engine_did_and_truly_why(opponent: str, engine: str) -> None:
    for board, moves in POSITIONS:
        if rules.outcome(board) or rules.to_move(board) != engine:
            continue
        you = rules.other(engine)
        forced = rules.completions(board, engine) or rules.completions(board, you)
        random = opponent == "easy" or (opponent == "medium" and not forced)
        for choice in ENGINES[opponent].choices(Game(moves).board):
            view = shown(visit((*moves, choice.cell), engine, opponent, choice.reason))
            beginning = f"I took {the(choice.cell)}"
            assert view.sentence.startswith(beginning), view.sentence
            why = view.sentence.removeprefix(beginning).removesuffix(".")
            assert reasons(board, choice.cell).get(why), (board, view.sentence)
            if opponent in ("easy", "medium", "hard"):
                assert (why == " at random") is random
            after = rules.put(board, choice.cell)
            if rules.outcome(after):
                check_the_end(after, view.heading, {engine: opponent.capitalize()})
            else:
                assert view.heading == "Your turn"


def check_the_end(board: str, heading: str, names: dict[str, str]) -> None:
    winner = rules.other(rules.to_move(board))
    lines = rules.complete(board)
    if not lines:
        assert heading == "A draw"
        return
    name = names.get(winner, "You")
    named = "both diagonals" if lines == ["diagonal"] * 2 else " and ".join(lines)
    assert heading == f"{name} {'win' if name == 'You' else 'wins'}: {named}"


@MARKS
def test_when_a_person_ends_the_game_the_computer_says_how_it_came_to_that(engine: str) -> None:
    me = rules.other(engine)
    for board, moves in POSITIONS:
        if rules.outcome(board) == "draw":
            # X has the ninth move; where that was the engine's, it says why it made it.
            sentence = shown(visit(moves, engine, "easy")).sentence
            assert sentence.startswith("I took" if engine == "X" else "Every cell is taken")
        if rules.outcome(board) != me.lower():
            continue
        view = shown(visit(moves, engine, "easy"))
        check_the_end(board, view.heading, {engine: "Easy"})
        lines = rules.completions(rules.after(moves[:-1]), me)[moves[-1]]
        named = "both diagonals" if lines == ["diagonal"] * 2 else " and ".join(lines)
        fork = len(rules.completions(rules.after(moves[:-2]), me)) >= 2
        left = f"I left your {named} open."
        assert view.sentence == ("That was a fork: I could not block both lines." if fork else left)


# --- hints --------------------------------------------------------------------------------------


@MARKS
def test_a_hint_is_best_and_says_truly_why(engine: str) -> None:
    me = rules.other(engine)
    for board, moves in POSITIONS:
        if rules.outcome(board) or rules.to_move(board) != me:
            continue
        for choice in HARD.choices(Game(moves).board):
            view = shown(visit(moves, engine, "easy", hint=(choice.cell, choice.reason)))
            beginning = f"Try {the(choice.cell)}: "
            assert view.sentence.startswith(beginning)
            assert view.heading == "Your turn"
            check_the_hint(board, choice.cell, view.sentence.removeprefix(beginning))
            hinted = [cell.number for cell in view.cells if cell.hinted]
            assert hinted == [choice.cell]


def check_the_hint(board: str, cell: int, why: str) -> None:
    me = rules.to_move(board)
    after = rules.put(board, cell)
    won = rules.completions(board, me).get(cell, [])
    blocked = rules.completions(board, rules.other(me)).get(cell, [])
    value, length = rules.value(board)
    theirs, theirs_length = rules.value(after)
    assert (-theirs, theirs_length + 1) == (value, length)
    others = [rules.value(rules.put(board, other)) for other in rules.free(board) if other != cell]
    expected = {
        "it completes two lines.": len(won) == 2,
        "it blocks two of my lines.": len(blocked) == 2,
        "it threatens two lines at once.": len(rules.completions(after, me)) >= 2,
        "from there you can force a win.": value == 1,
        "every other cell loses.": value == 0 and all(worth > 0 for worth, _ in others),
        "safe, and your best chance.": value == 0,
        "it keeps the draw.": value == 0,
        "it holds out longest.": value == -1,
        "no other cell is free.": others == [],
    }
    if len(won) == 1:
        expected[f"it completes the {won[0]}."] = True
    if len(blocked) == 1:
        expected[f"it blocks my {blocked[0]}."] = True
    assert expected.get(why), (board, cell, why)


# --- friends, watchers, untouched boards --------------------------------------------------------


@pytest.mark.parametrize(
    "engine,opponent,watching",
    [("", "friend", False), ("X", "hard", True), ("O", "hard", True), ("", "friend", True)],
)
def test_friends_and_watchers_are_told_by_marks(engine: str, opponent: str, watching: bool) -> None:
    for board, moves in POSITIONS:
        view = shown(visit(moves, engine, opponent, watching=watching))
        if rules.outcome(board):
            check_the_end(board, view.heading, {"X": "X", "O": "O"})
        else:
            assert view.heading == f"{rules.to_move(board)} to move"
        if moves and not engine and rules.outcome(board) != "draw":
            taken = f"{rules.other(rules.to_move(board))} took {the(moves[-1])}"
            assert view.sentence.startswith(taken)
        assert not re.search(r"\b(you|your|I|my)\b", view.announcement, re.IGNORECASE)


@pytest.mark.parametrize("opponent,engine", [("hard", "X"), ("easy", "O")])
def test_an_untouched_board_is_announced_as_well(opponent: str, engine: str) -> None:
    shown(visit((), engine, opponent))
