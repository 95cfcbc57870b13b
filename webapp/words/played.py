"""What a move did and why: as the computer tells it, as a hint, in a list, and judged."""

from collections.abc import Callable, Collection

from webapp.analysis.puzzles import Kind
from webapp.analysis.review import Judgement, ReviewedMove
from webapp.core import solver, tactics
from webapp.core.board import CORNERS, EDGES, Board, Line
from webapp.core.game import Reason
from webapp.words import (
    A_CORNER,
    AN_EDGE,
    SEVERAL,
    cell_in_a_sentence,
    lines_in_a_sentence,
    listed,
    sentences,
    taken,
)
from webapp.words.figures import own_moves
from webapp.words.language import N_, NC_, _, ngettext, pgettext, remembered

_MOVES = {
    "win": N_("I took {cell} to win."),
    "block": N_("I took {cell} to block {your_line}."),
    "fork": N_("I took {cell} to threaten two lines at once."),
    "has-fork": N_("I took {cell}: now I have a fork."),
    "force": N_("I took {cell}: from here I can force a win."),
    "only": N_("I took {cell}: every other cell loses."),
    "chance": N_("I took {cell}: safe, and my best chance."),
    "level": N_("I took {cell} to keep the draw."),
    "delay": N_("I took {cell} to last longest."),
    "last": N_("I took {cell}: no other cell was free."),
    "random": N_("I took {cell} at random."),
    "threat": N_("I took {cell} to threaten {line}."),
    "block-fork": N_("I took {cell}: you would have had a fork there."),
    "force-answer": N_("I took {cell} to force your next move."),
    "centre": N_("I took {cell}: my rules prefer the centre."),
    "corner": N_("I took {cell}: my rules prefer a corner."),
    "edge": N_("I took {cell}: my rules prefer an edge."),
    "opposite-corner": N_("I took {cell}, opposite your corner."),
    "edge-against-forks": N_("I took {cell}: two cells would give you a fork."),
    "scenario": N_("I took {cell}: I know this opening."),
    "value-win": N_("I took {cell}: from here I can force a win."),
    "value-draw": N_("I took {cell} to keep the draw."),
    "value-loss": N_("I took {cell}: every cell loses now."),
    "slip": N_("I took {cell} at random this time."),
    "function": N_("I took {cell}: my function says so."),
    "bead": N_("I took {cell}: its bead came out of the box."),
}
"""The computer's words for its move, by the rule of its reason."""

_HINTS = {
    "win": N_("Try {cell}: it completes {line}."),
    "block": N_("Try {cell}: it blocks {my_line}."),
    "fork": N_("Try {cell}: it threatens two lines at once."),
    "force": N_("Try {cell}: from there you can force a win."),
    "only": N_("Try {cell}: every other cell loses."),
    "chance": N_("Try {cell}: safe, and your best chance."),
    "level": N_("Try {cell}: it keeps the draw."),
    "delay": N_("Try {cell}: you last longest there."),
    "last": N_("Try {cell}: no other cell is free."),
}
"""Hints, by the rule; hints are Hard's moves."""

_CAPTIONS = {
    # Translators: what a move does, after the name of its cell; the move is the subject
    "win": N_("wins"),
    "block": N_("blocks {line}"),
    "fork": N_("a fork"),
    "has-fork": N_("a fork"),
    "force": N_("forces a win"),
    "only": N_("the only safe cell"),
    "chance": N_("the best safe chance"),
    "level": N_("keeps the draw"),
    "delay": N_("lasts longest"),
    "last": N_("the last free cell"),
    "random": N_("a random free cell"),
    "threat": N_("threatens {line}"),
    "block-fork": N_("against a fork"),
    "force-answer": N_("forces the next move"),
    "centre": N_("its rules prefer the centre"),
    "corner": N_("its rules prefer a corner"),
    "edge": N_("its rules prefer an edge"),
    "opposite-corner": N_("the opposite corner"),
    "edge-against-forks": N_("against two forks"),
    "scenario": N_("knows this opening"),
    "value-win": N_("forces a win"),
    "value-draw": N_("keeps the draw"),
    "value-loss": N_("every cell loses"),
    "slip": N_("at random this time"),
    "function": N_("its function's choice"),
    "bead": N_("its bead was drawn"),
}
"""Words for the list of moves."""


def engine_move(cell: int, reason: Reason) -> str:
    """Say what the computer did and why.

    >>> engine_move(8, Reason("block", ((0, 4, 8),)))
    'I took the bottom right corner to block your diagonal.'
    """
    return _filled(_MOVES[reason.rule], reason, cell)


def hint(cell: int, reason: Reason) -> str:
    """Suggest a cell to the player and say why.

    >>> hint(4, Reason("block", ((0, 4, 8), (2, 4, 6))))
    'Try the centre: it blocks two of my lines.'
    """
    return _filled(_HINTS[reason.rule], reason, cell)


def caption(reason: Reason) -> str:
    """Say briefly why an engine made a move, for the list of moves."""
    return _filled(_CAPTIONS[reason.rule], reason)


def _filled(message: str, reason: Reason, cell: int | None = None) -> str:
    lines = lines_in_a_sentence(reason.lines) if reason.lines else {}
    named = {} if cell is None else {"cell": taken(cell)}
    return _(message).format(**lines, **named)


# --- a person's move ---------------------------------------------------------------------------


def _line(cells: tuple[Line, ...]) -> str:
    return lines_in_a_sentence(cells)["line"]


def _deeds(board: Board, cell: int) -> tuple[tuple[Line, ...], bool, tuple[Line, ...]]:
    """The lines that a move blocks, whether it forks, and the lines that it threatens."""
    me, after = board.turn, board.play(cell)
    if after.outcome and after.outcome.winner is me:
        return (), False, ()
    blocked = tactics.lines_completed(board, me.other, cell)
    fork = tactics.wins(after, me).bit_count() >= 2
    return blocked, fork, () if fork else tactics.lines_threatened(board, me, cell)


def person_did(board: Board, cell: int) -> tuple[str, ...]:
    """Say briefly what a person's move did, the most important first; perhaps nothing.

    >>> person_did(Board.parse("XX..O...."), 2)
    ('blocks the top row', 'threatens the diagonal')
    """
    outcome = board.play(cell).outcome
    if outcome and outcome.winner:
        return (_("wins"),)
    blocked, fork, threatened = _deeds(board, cell)
    done = [_("blocks {line}").format(line=_line(blocked))] if blocked else []
    if fork:
        done.append(_("a fork"))
    elif threatened:
        done.append(_("threatens {line}").format(line=_line(threatened)))
    return tuple(done)


@remembered(1024)
def did(board: Board, cell: int, reason: Reason | None) -> str:
    """Say briefly what a move did, and an engine's reason, for the list of moves; may be empty."""
    return caption(reason) if reason else listed(person_did(board, cell))


_PEOPLES_MOVES = {
    "": (N_("{name} took {cell}."), N_("You took {cell}.")),
    "block": (
        N_("{name} took {cell} and blocked {line}."),
        N_("You took {cell} and blocked {line}."),
    ),
    "fork": (N_("{name} took {cell} and made a fork."), N_("You took {cell} and made a fork.")),
    "threat": (
        N_("{name} took {cell} and threatened {line}."),
        N_("You took {cell} and threatened {line}."),
    ),
}
"""A person's move by what it did most of all: in the third person, and to the reader."""


def person_moved(name: str | None, board: Board, cell: int) -> str:
    """Say a person's move, and the most important thing that it did.

    :param name: ``None`` for the reader

    >>> person_moved("Amber Otter", Board.parse("XO..X...O"), 3)
    'Amber Otter took the middle left and made a fork.'
    """
    blocked, fork, threatened = _deeds(board, cell)
    deed = "fork" if fork else "block" if blocked else "threat" if threatened else ""
    if board.play(cell).outcome:
        deed = ""  # The heading above says how it ended.
    of_others, to_you = _PEOPLES_MOVES[deed]
    lines = lines_in_a_sentence(blocked or threatened) if blocked or threatened else {}
    message = _(to_you if name is None else of_others)
    return message.format(name=name, cell=taken(cell), **lines)


# --- a position to think about -----------------------------------------------------------------

_TASKS = {
    Kind.WIN: N_("{mark} can win at once. Where?"),
    Kind.BLOCK: N_("{opponent} threatens a line. Where does {mark} stop it?"),
    Kind.FORK: N_("{mark} can threaten two lines at once. Where?"),
    Kind.STOP_FORK: N_("{opponent} could make a fork. Where does {mark} stop it?"),
    Kind.ONLY: N_("Only one cell does not lose for {mark}. Which?"),
}

_KINDS = {
    # Translators: what there is to find in a puzzle or a question, in a list to choose from
    Kind.WIN: NC_("what to find", "Win at once"),
    Kind.BLOCK: NC_("what to find", "Stop the threat"),
    Kind.FORK: NC_("what to find", "Make a fork"),
    Kind.STOP_FORK: NC_("what to find", "Prevent a fork"),
    Kind.ONLY: NC_("what to find", "The only move that does not lose"),
}


def kinds() -> dict[str, str]:
    """The kinds of questions as in a list, by their values."""
    return {kind.value: pgettext("what to find", name) for kind, name in _KINDS.items()}


def task(board: Board, kind: Kind | None) -> str:
    """Ask for a move, of this kind if given."""
    message = _TASKS[kind] if kind else N_("Where would you play as {mark}?")
    return _(message).format(mark=board.turn, opponent=board.turn.other)


# --- a move, judged ----------------------------------------------------------------------------


def judged(move: ReviewedMove) -> str:
    """Say what a move did, also to what its player could still reach.

    >>> from webapp.analysis.review import review
    >>> judged(review((4, 1)).moves[1])
    'Gives the draw away: X can now win in 3 moves. Taking a corner would have kept the draw.'
    """
    return sentences(_did(move), judgement(move), _better(move))


def tried(move: ReviewedMove, reply: int | None) -> str:
    """Say what a move in an exercise did; if it was wrong, what refutes it, but not what is right.

    :param reply: the cell that refutes it, if any

    >>> from webapp.analysis.review import judge
    >>> tried(judge(Board.parse("XX..O...."), 5), 2)
    'X completes the top row and wins.'
    """
    if reply is None:
        return judged(move)
    after = move.board.play(move.cell)
    if outcome := after.play(reply).outcome:
        message = _("{mark} completes {line} and wins.")
        return message.format(mark=after.turn, line=_line(outcome.lines))
    return sentences(judgement(move), person_moved(str(after.turn), after, reply))


def _did(move: ReviewedMove) -> str:
    """What the move did on the board; the judgement mentions a win."""
    blocked, fork, threatened = _deeds(move.board, move.cell)
    if blocked and fork:
        # Translators: of a move, which is the subject, as in the other sentences without one
        return _("Blocks {line} and makes a fork.").format(line=_line(blocked))
    if blocked and threatened:
        return _("Blocks {line} and threatens {other_line}.").format(
            line=_line(blocked), other_line=_line(threatened)
        )
    if blocked:
        return _("Blocks {line}.").format(line=_line(blocked))
    if threatened:
        return _("Threatens {line}.").format(line=_line(threatened))
    return _("Makes a fork.") if fork else ""


def judgement(move: ReviewedMove) -> str:
    left = own_moves(move.after.distance + 1)  # the move itself included
    match move.judgement:
        case Judgement.BEST:
            return _best(move, left)
        case Judgement.NOTHING_COULD_BE_DONE if not move.better:
            return _("Every cell loses now, and none lasts longer.")
        case Judgement.NOTHING_COULD_BE_DONE:
            return _("Every cell loses now.")
        case Judgement.SLOWER_WIN:
            message = ngettext(
                "Still winning, in {number} move.", "Still winning, in {number} moves.", left
            )
        case Judgement.GAVE_AWAY_THE_DRAW:
            message = ngettext(
                "Gives the draw away: {opponent} can now win in {number} move.",
                "Gives the draw away: {opponent} can now win in {number} moves.",
                left,
            )
        case _ if move.after.value:
            message = ngettext(
                "Throws away a won game: {opponent} now wins in {number} move.",
                "Throws away a won game: {opponent} now wins in {number} moves.",
                left,
            )
        case _:
            return _("Gives the win away.")
    return message.format(opponent=move.mark.other, number=left)


def _best(move: ReviewedMove, left: int) -> str:
    outcome = move.board.play(move.cell).outcome
    if outcome and outcome.winner:
        return _("Completes {line} and wins.").format(line=_line(outcome.lines))
    if outcome:
        return _("The last cell: a draw.")
    if move.after.value > 0:
        return ngettext(
            "Best: {mark} wins in {number} move, whatever {opponent} does.",
            "Best: {mark} wins in {number} moves, whatever {opponent} does.",
            left,
        ).format(mark=move.mark, number=left, opponent=move.mark.other)
    others = (cell for cell in move.board.legal_moves if cell != move.cell)
    if all(solver.value_after(move.board, cell) < 0 for cell in others):
        return _("The only cell that keeps the draw.")
    return _("Keeps the draw.")


def _better(move: ReviewedMove) -> str:
    if not move.better:
        return ""
    sooner = own_moves(move.before.distance)
    if move.judgement is Judgement.NOTHING_COULD_BE_DONE:
        message = _("Taking {cells} would have lasted longer.")
    elif move.judgement is Judgement.GAVE_AWAY_THE_DRAW:
        message = _("Taking {cells} would have kept the draw.")
    elif move.before.distance == 1:
        message = _("Taking {cells} would have won at once.")
    else:
        message = ngettext(
            "Taking {cells} would have won in {number} move.",
            "Taking {cells} would have won in {number} moves.",
            sooner,
        )
    cells = one_of([cell for cell, _reason in move.better], move.board.legal_moves, taken)
    return message.format(cells=cells, number=sooner)


def one_of(
    cells: Collection[int], free: Collection[int], named: Callable[[int], str] = cell_in_a_sentence
) -> str:
    """Name cells of which any will do, among the free ones.

    :param named: names a cell as the sentence needs it

    >>> one_of([4], [1, 4]), one_of([0, 2], [0, 1, 2]), one_of([0, 2], [0, 2, 6])
    ('the centre', 'a corner', 'the top left corner or the top right corner')
    """
    if len(cells) > 1 and set(cells) == set(CORNERS) & set(free):
        return named(A_CORNER)
    if len(cells) > 1 and set(cells) == set(EDGES) & set(free):
        return named(AN_EDGE)
    if len(cells) > 2:
        return named(SEVERAL).format(number=len(cells))
    names = [named(cell) for cell in cells]
    return (
        names[0] if len(names) == 1 else _("{one} or {other}").format(one=names[0], other=names[1])
    )
