"""Cells, lines, reasons and outcomes as sentences, for the pages and the command line alike.

The computer says "I" and calls the player "you"; a watcher reads marks. May import ``core``,
``engines`` and ``analysis``.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from webapp.analysis.review import Judgement, ReviewedMove
from webapp.core import solver, tactics
from webapp.core.board import COLUMNS, CORNERS, DIAGONALS, EDGES, ROWS, Board, Line, Mark, Outcome
from webapp.core.game import Game, Reason
from webapp.engines.base import Engine
from webapp.engines.rules import PREFIX

MOST_AT_ONCE = 15
"""How many words a screen reader says after a change, at the most."""

CELLS = (
    "top left",
    "top centre",
    "top right",
    "middle left",
    "centre",
    "middle right",
    "bottom left",
    "bottom centre",
    "bottom right",
)
"""The name of each cell."""

LINES: dict[Line, str] = {
    **dict(zip(ROWS, ("top row", "middle row", "bottom row"), strict=True)),
    **dict(zip(COLUMNS, ("left column", "middle column", "right column"), strict=True)),
    **dict.fromkeys(DIAGONALS, "diagonal"),
}
"""The name of each line."""


def cell_in_a_sentence(cell: int) -> str:
    """Name a cell with its article.

    >>> cell_in_a_sentence(0), cell_in_a_sentence(1)
    ('the top left corner', 'the top centre')
    """
    return f"the {CELLS[cell]}{' corner' if cell in CORNERS else ''}"


def lines(some: Sequence[Line]) -> str:
    """Name one or two lines.

    >>> lines([(0, 1, 2), (0, 4, 8)])
    'top row and diagonal'
    """
    if set(some) == set(DIAGONALS):
        return "both diagonals"
    return " and ".join(LINES[line] for line in some)


# --- the end of a game ------------------------------------------------------------------------


def result(outcome: Outcome, winner: str | None) -> str:
    """Say how a game ended; a winner who is ``None`` is the reader, since anyone may be named You.

    >>> result(Outcome(Mark.X, ((0, 1, 2),)), None), result(Outcome(Mark.X, ((0, 1, 2),)), "Hard")
    ('You win: top row', 'Hard wins: top row')
    """
    return "A draw" if outcome.winner is None else f"{_wins(winner)}: {lines(outcome.lines)}"


def _wins(winner: str | None) -> str:
    return "You win" if winner is None else f"{winner} wins"


def defeat_of_the_engine(game: Game) -> str:
    """Say how the computer came to lose a finished game in which a person had the last move."""
    *_, before_reply, before_last, _ = game.boards
    winner = before_reply.turn.other
    open_cells = tactics.wins(before_reply, winner)
    if open_cells.bit_count() >= 2:
        return "That was a fork: I could not block both lines."
    completed = tactics.lines_completed(before_last, winner, game.moves[-1])
    return f"I left your {lines(completed)} open."


def moves_left(distance: int) -> int:
    """Return how many moves the winner still makes, the last of so many plies among them."""
    return (distance + 1) // 2


def standing(value: int, distance: int) -> str:
    """Say what a position is worth to one player, by its value for them and the plies to the end.

    >>> standing(1, 3), standing(0, 5), standing(-1, 0)
    ('wins in 2', 'a draw', 'lost')
    """
    if value == 0:
        return "a draw"
    if distance == 0:
        return "won" if value > 0 else "lost"
    return f"{'wins' if value > 0 else 'loses'} in {moves_left(distance)}"


def prospect(value: int, distance: int) -> str:
    """Say in two or three words what playing a cell leads to; the move itself is counted too.

    >>> prospect(1, 0), prospect(0, 4), prospect(-1, 3)
    ('win in 1', 'draw', 'loss in 2')
    """
    if value == 0:
        return "draw"
    return f"win in {moves_left(distance) + 1}" if value > 0 else f"loss in {moves_left(distance)}"


def outlook(value: int) -> str:
    """Say who wins a position with best play: +1 is X, 0 nobody, -1 O."""
    return ("a draw", "X wins", "O wins")[value]


def order(mark: Mark) -> str:
    """Say whether a mark moves first or second."""
    return "first" if mark is Mark.X else "second"


def digits(cells: Iterable[int]) -> str:
    """Write the moves of a game as the numbers of their cells."""
    return "".join(map(str, cells))


def positions_tried(number: int) -> str:
    """Say how many positions a proof rests on."""
    return f"All {number:,} positions that it can meet were tried."


def wins_passed_up(number: int, among: str) -> str:
    """Say in how many positions an engine may miss a win."""
    return f"In {number:,} of {among} it may pass up an immediate win."


def exactly(fraction: Fraction) -> str:
    """Write a fraction, unless nobody would read it to its end.

    >>> exactly(Fraction(191, 192)), exactly(Fraction(1, 3**99))
    ('191/192', 'a fraction with 49 digits')
    """
    digits = len(str(fraction.numerator)) + len(str(fraction.denominator))
    return str(fraction) if digits <= 40 else f"a fraction with {digits:,} digits"


def percent(fraction: Fraction) -> str:
    """Write a probability as a percentage with one digit, exact where it is none or all.

    >>> percent(Fraction(191, 192)), percent(Fraction(0)), percent(Fraction(1, 5000))
    ('99.5 %', '0 %', '<0.1 %')
    """
    return f"{_percentage(fraction, 1)} %"


def whole_percent(fraction: Fraction) -> str:
    """Write a percentage without digits or sign that never says 0 or 100 where it is not.

    >>> whole_percent(Fraction(1, 1000)), whole_percent(Fraction(1, 2)), whole_percent(Fraction(1))
    ('<1', '50', '100')
    """
    return _percentage(fraction, 0)


def _percentage(fraction: Fraction, digits: int) -> str:
    if fraction in (0, 1):
        return str(int(fraction * 100))
    least, shown = 10**-digits, round(float(fraction) * 100, digits)
    if shown == 0:
        return f"<{least}"
    return f">{100 - least}" if shown == 100 else f"{shown:.{digits}f}"


def points(number: Fraction) -> str:
    """Write expected points or games: without digits only where the number is whole.

    >>> points(Fraction(31)), points(Fraction(100, 3)), points(Fraction(1, 1000))
    ('31', '33.33', '0.00')
    """
    return str(number) if number.denominator == 1 else f"{float(number):.2f}"


def called(engine: Engine) -> str:
    """Name an engine; lists of rules, which share a name, are told apart by their rules."""
    if not engine.slug.startswith(PREFIX):
        return engine.name
    return f"{engine.name} ({engine.slug.removeprefix(PREFIX).replace(',', ', ')})"


def sampling_error(games: float) -> str:
    """Write by how many games a count may well be off: none only where chance has no say.

    >>> sampling_error(0), sampling_error(0.01), sampling_error(0.447), sampling_error(1234.5)
    ('±0', '±<0.1', '±0.4', '±1,234')
    """
    if games == 0:
        return "±0"
    if games < 0.05:
        return "±<0.1"
    return f"±{games:,.1f}" if games < 9.95 else f"±{games:,.0f}"


# --- one move ---------------------------------------------------------------------------------


# What each reason sounds like: from the engine that did it, as a hint to the player, and in the
# list of moves. The names in braces are the reason's lines, as ``_told`` fills them in.
_PHRASES = {
    "win": (" to win", "it completes {the}", "wins"),
    "block": (" to block {your}", "it blocks {my}", "blocks {the}"),
    "fork": (" to threaten two lines at once", "it threatens two lines at once", "a fork"),
    "force": (": from here I can force a win", "from there you can force a win", "forces a win"),
    "only": (": every other cell loses", "every other cell loses", "the only cell that holds"),
    "chance": (": safe, and my best chance", "safe, and your best chance", "the best safe chance"),
    "level": (": it keeps the draw", "it keeps the draw", "keeps the draw"),
    "delay": (" to hold out longest", "it holds out longest", "holds out longest"),
    "last": (": no other cell was free", "no other cell is free", "the last free cell"),
    "random": (" at random", "any cell will do", "a random free cell"),
    "threat": (" to threaten {the}", "it threatens {the}", "threatens {the}"),
    "block-fork": (" to stop your fork", "it stops a fork of mine", "stops a fork"),
    "force-answer": (" to force your answer", "it forces my answer", "forces an answer"),
    "centre": (": my rules want the centre", "it is the centre", "its rules want the centre"),
    "corner": (": my rules want a corner", "it is a corner", "its rules want a corner"),
    "edge": (": my rules want an edge", "it is an edge", "its rules want an edge"),
    "opposite-corner": (", opposite to your corner", "it is opposite to my corner", "opposite"),
    "edge-against-forks": (": you had two forks", "I have two forks", "against two forks"),
    "scenario": (": I know this opening", "it is a known opening", "knows this opening"),
    "value-win": (": from here I can force a win", "you can force a win", "forces a win"),
    "value-draw": (": it keeps the draw", "it keeps the draw", "keeps the draw"),
    "value-loss": (": every cell loses now", "every cell loses", "loses like every cell"),
    "slip": (" by mistake", "any cell will do", "a slip, at random"),
    "function": (": my function says so", "the function says so", "its function's choice"),
}


def _told(phrase: str, reason: Reason) -> str:
    if len(reason.lines) > 1:
        return phrase.format(the="two lines", your="two lines at once", my="two of my lines")
    line = lines(reason.lines)
    return phrase.format(the=f"the {line}", your=f"your {line}", my=f"my {line}")


def engine_move(cell: int, reason: Reason) -> str:
    """Say what the computer did and why, in its own voice.

    >>> engine_move(8, Reason("block", ((0, 4, 8),)))
    'I took the bottom right corner to block your diagonal.'
    """
    return f"I took {cell_in_a_sentence(cell)}{_told(_PHRASES[reason.rule][0], reason)}."


def hint(cell: int, reason: Reason) -> str:
    """Suggest a cell to the player and say why."""
    return f"Try {cell_in_a_sentence(cell)}: {_told(_PHRASES[reason.rule][1], reason)}."


def engine_caption(reason: Reason) -> str:
    """Say in a few words, for the list of moves, why an engine made a move."""
    return _told(_PHRASES[reason.rule][2], reason)


def person_did(board: Board, cell: int) -> tuple[str, ...]:
    """Say what a person's move on a board did, the chief thing first; it may have done nothing.

    >>> person_did(Board.parse("XX..O...."), 2)
    ('blocks the top row', 'threatens the diagonal')
    """
    me, after = board.turn, board.play(cell)
    if after.outcome and after.outcome.winner is me:
        return ("wins",)
    done = []
    if blocked := tactics.lines_completed(board, me.other, cell):
        done.append(engine_caption(Reason("block", blocked)))
    if tactics.wins(after, me).bit_count() >= 2:
        done.append("a fork")
    elif threatened := tactics.lines_threatened(board, me, cell):
        done.append(f"threatens the {lines(threatened)}")
    return tuple(done)


def isolated(name: str) -> str:
    """Set a name apart from the direction of the text around it, where it could change that."""
    return name if name.isascii() else f"\u2068{name}\u2069"


def person_moved(who: str, cell: int, done: str) -> str:
    """Say what a person did, known by a name, by the mark, or as ``"You"``.

    >>> person_moved("Amber Otter", 4, "a fork")
    'Amber Otter took the centre: a fork.'
    """
    return f"{who} took {cell_in_a_sentence(cell)}{f': {done}' if done else ''}."


def gave_up(ending: str, winner: str | None, loser: str | None) -> str:
    """Say how a game ended off the board; the winner or loser without a name is the reader.

    >>> gave_up("resign", None, "Amber Otter"), gave_up("left", "Hard", None)
    ('You win: Amber Otter resigned', 'Hard wins: you left')
    """
    did = {"resign": "resigned", "claim": "stayed away", "left": "left"}[ending]
    return f"{_wins(winner)}: {loser or 'you'} {did}"


def cell_label(cell: int, mark: Mark | None, *, winning: bool = False, hinted: bool = False) -> str:
    """Name a cell for a screen reader.

    >>> cell_label(0, None), cell_label(4, Mark.O, winning=True)
    ('Top left, empty', 'Centre, O, winning line')
    """
    said = (CELLS[cell].capitalize(), str(mark or "empty"))
    return ", ".join((*said, *["winning line"] * winning, *["suggested"] * hinted))


def board(board: Board) -> str:
    """Describe a board for a screen reader.

    >>> board(Board.parse("X...O...X"))
    'X top left, bottom right; O centre'
    """
    held = ((mark, [name for at, name in enumerate(CELLS) if board[at] is mark]) for mark in Mark)
    return "; ".join(f"{mark} {', '.join(names)}" for mark, names in held if names) or "empty"


# --- a move, judged ---------------------------------------------------------------------------


def moves(number: int) -> str:
    """Count moves."""
    return "1 move" if number == 1 else f"{number} moves"


def times(number: int) -> str:
    """Say how often something was done."""
    return "once" if number == 1 else f"{number:,} times"


def one_of(cells: Collection[int], free: Collection[int]) -> str:
    """Name cells of which any will do, among those that are free.

    >>> one_of([4], [1, 4]), one_of([0, 2], [0, 1, 2]), one_of([0, 2], [0, 2, 6])
    ('the centre', 'a corner', 'the top left corner or the top right corner')
    """
    if len(cells) > 1:
        for kind, some in (("a corner", CORNERS), ("an edge", EDGES)):
            if set(cells) == set(some) & set(free):
                return kind
    if len(cells) > 2:
        return f"one of {len(cells)} other cells"
    return " or ".join(map(cell_in_a_sentence, cells))


def judged(move: ReviewedMove) -> str:
    """Say what a move did, and what it did to what its player could still reach.

    >>> from webapp.analysis.review import review
    >>> judged(review((4, 1)).moves[1])
    'Gives the draw away: X can now win in 3 moves. A corner would have held it.'
    """
    done = person_did(move.board, move.cell)
    did = " and ".join("makes a fork" if one == "a fork" else one for one in done if one != "wins")
    return f"{capital(did)}. {_judgement(move)}" if did else _judgement(move)


def capital(text: str) -> str:
    """Begin a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def _judgement(move: ReviewedMove) -> str:
    left = moves(moves_left(move.after.distance))
    if move.judgement is Judgement.BEST:
        return _best(move, left)
    if not move.better:
        return "Every cell loses by now; none holds out longer."
    would = f"{capital(one_of([cell for cell, _ in move.better], move.board.legal_moves))} would"
    # How long the better cells would have taken, the move itself included.
    at_once, sooner = move.before.distance == 1, moves(moves_left(move.before.distance))
    them = move.mark.other
    match move.judgement:
        case Judgement.NOTHING_COULD_BE_DONE:
            return f"Every cell loses by now. {would} have held out longer."
        case Judgement.SLOWER_WIN:
            how = "won at once" if at_once else f"taken {sooner} in all"
            return f"Still winning, in {left}. {would} have {how}."
        case Judgement.GAVE_AWAY_THE_DRAW:
            return f"Gives the draw away: {them} can now win in {left}. {would} have held it."
    loses = f"Loses a won game: {them} now wins in {left}"
    how = "won at once" if at_once else f"forced it in {sooner}"
    return f"{loses if move.after.value else 'Gives the win away'}. {would} have {how}."


def _best(move: ReviewedMove, left: str) -> str:
    outcome = move.board.play(move.cell).outcome
    if outcome and outcome.winner:
        return f"Completes the {lines(outcome.lines)} and wins."
    if outcome:
        return "The last cell: a draw."
    if move.after.value > 0:
        return f"Best: {move.mark} wins in {left}, whatever {move.mark.other} does."
    others = (cell for cell in move.board.legal_moves if cell != move.cell)
    if all(solver.value_after(move.board, cell) < 0 for cell in others):
        return "The only cell that holds the draw."
    return "Keeps the draw."
