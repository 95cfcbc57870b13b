"""Cells, lines and results in words, for the pages and the command line alike.

``played`` says what a move did and why, ``figures`` writes numbers, and ``language`` is where each
message is looked up. The computer says "I" and calls the player "you"; a watcher reads marks. The
package may import ``core``, ``engines``, ``analysis`` and ``names``.
"""

import re
from collections.abc import Iterable, Sequence

from webapp.core import tactics
from webapp.core.board import DIAGONALS, LINES, Board, Line, Mark, Outcome
from webapp.core.game import Game
from webapp.core.messages import Complaint
from webapp.engines.base import Engine
from webapp.engines.rules import LAB_RULES, PREFIX
from webapp.names import LEFT
from webapp.words.figures import figure, style
from webapp.words.language import LANGUAGES, N_, NC_, READER, _, pgettext

MOST_AT_ONCE = 15  # words that a screen reader says after a change, at most

# --- cells and lines ---------------------------------------------------------------------------

CELLS = (
    # Translators: the name of a cell, alone or in a list; those with a capital letter begin a label
    N_("top left"), N_("top centre"), N_("top right"),
    N_("middle left"), N_("centre"), N_("middle right"),
    N_("bottom left"), N_("bottom centre"), N_("bottom right"),
)  # fmt: skip
"""Each cell's name."""

_LABELS = (
    N_("Top left"), N_("Top centre"), N_("Top right"),
    N_("Middle left"), N_("Centre"), N_("Middle right"),
    N_("Bottom left"), N_("Bottom centre"), N_("Bottom right"),
)  # fmt: skip

A_CORNER, AN_EDGE, SEVERAL = 9, 10, 11
"""Indices after the cells in the next tables: any corner, any edge, and any of several cells."""

_IN_SENTENCES = (
    # Translators: a cell after a colon, in the nominative: "Only one cell is good: the centre."
    N_("the top left corner"), N_("the top centre"), N_("the top right corner"),
    N_("the middle left"), N_("the centre"), N_("the middle right"),
    N_("the bottom left corner"), N_("the bottom centre"), N_("the bottom right corner"),
    N_("a corner"), N_("an edge"),
)  # fmt: skip

_TAKEN = (
    # Translators: a cell as the object of a verb, in the accusative if the language has one: it
    # fills {cell} or {cells} after "took", "taking", "try", "chose" and "plays", whose translations
    # need the same case; "it" after "Try {cell}:" must go with each of them, whatever its gender
    NC_("took", "the top left corner"), NC_("took", "the top centre"),
    NC_("took", "the top right corner"), NC_("took", "the middle left"),
    NC_("took", "the centre"), NC_("took", "the middle right"),
    NC_("took", "the bottom left corner"), NC_("took", "the bottom centre"),
    NC_("took", "the bottom right corner"), NC_("took", "a corner"), NC_("took", "an edge"),
    NC_("took", "any of {number} other cells"),
)  # fmt: skip


# In the order of LINES; in a sentence, the last stands for two of them.
_LINES = (
    # Translators: a line alone, after a colon: "You win: top row"
    N_("top row"), N_("middle row"), N_("bottom row"),
    N_("left column"), N_("middle column"), N_("right column"),
    N_("diagonal"), N_("diagonal"),
)  # fmt: skip
_THE_LINES = (
    # Translators: a line in a sentence is always the object of "block", "threaten" or "complete",
    # in the accusative if the language has one; in {your_line} and {my_line} also of "left open"
    N_("the top row"), N_("the middle row"), N_("the bottom row"),
    N_("the left column"), N_("the middle column"), N_("the right column"),
    N_("the diagonal"), N_("the diagonal"), N_("two lines"),
)  # fmt: skip
_YOUR_LINES = (
    N_("your top row"), N_("your middle row"), N_("your bottom row"),
    N_("your left column"), N_("your middle column"), N_("your right column"),
    N_("your diagonal"), N_("your diagonal"), N_("two of your lines"),
)  # fmt: skip
_MY_LINES = (
    N_("my top row"), N_("my middle row"), N_("my bottom row"),
    N_("my left column"), N_("my middle column"), N_("my right column"),
    N_("my diagonal"), N_("my diagonal"), N_("two of my lines"),
)  # fmt: skip


def cell_name(cell: int) -> str:
    """Name a cell.

    >>> cell_name(0), cell_name(4)
    ('top left', 'centre')
    """
    return _(CELLS[cell])


def cell_in_a_sentence(cell: int) -> str:
    """Name a cell with its article; also :data:`A_CORNER` and :data:`AN_EDGE`.

    >>> cell_in_a_sentence(0), cell_in_a_sentence(1)
    ('the top left corner', 'the top centre')
    """
    return _(_IN_SENTENCES[cell])


def taken(cell: int) -> str:
    """Name a cell as the object of a verb, such as "took"."""
    return pgettext("took", _TAKEN[cell])


def lines(several: Sequence[Line]) -> str:
    """Name one or two lines.

    >>> lines([(0, 1, 2), (0, 4, 8)])
    'top row and diagonal'
    """
    if set(several) == set(DIAGONALS):
        return _("both diagonals")
    first, last = (_(_LINES[LINES.index(line)]) for line in (several[0], several[-1]))
    return first if len(several) == 1 else _("{one} and {other}").format(one=first, other=last)


def lines_in_a_sentence(several: Sequence[Line]) -> dict[str, str]:
    """Values for the places ``line``, ``your_line`` and ``my_line``, for one line or two.

    >>> lines_in_a_sentence([(0, 4, 8)])["your_line"], lines_in_a_sentence([(0, 1, 2)])["line"]
    ('your diagonal', 'the top row')
    """
    at = LINES.index(several[0]) if len(several) == 1 else -1
    named = {"line": _THE_LINES, "your_line": _YOUR_LINES, "my_line": _MY_LINES}
    return {place: _(names[at]) for place, names in named.items()}


def cell_label(
    cell: int, mark: Mark | None, *, winning: bool = False, hinted: bool = False, note: str = ""
) -> str:
    """Name a cell for a screen reader.

    :param note: what playing it leads to, if shown

    >>> cell_label(0, None), cell_label(4, Mark.O, winning=True), cell_label(1, None, note="draw")
    ('Top left, empty', 'Centre, O, winning line', 'Top centre, empty, draw')
    """
    message = _("{cell}, {mark}")
    if winning:
        message = _("{cell}, {mark}, winning line")
    elif not mark:
        message = _("{cell}, empty, suggested") if hinted else _("{cell}, empty")
        message = _("{cell}, empty, {note}") if note else message
    return message.format(cell=_(_LABELS[cell]), mark=mark, note=note)


def listed(items: Iterable[str]) -> str:
    """Join items with commas.

    >>> listed(["win", "block", "any"])
    'win, block, any'
    """
    # Translators: the mark between two things in a list, such as cells
    return _("{list}, {next}").format(list="", next="").join(items)


def sentences(*several: str) -> str:
    """Join sentences, leaving out empty ones.

    >>> sentences("Your turn.", "", "You are X.")
    'Your turn. You are X.'
    """
    # Translators: what stands between two sentences, each with its full stop
    return _("{sentence} {next}").format(sentence="", next="").join(filter(None, several))


def is_short(said: str) -> bool:
    """Whether a screen reader may say it after a change; two Chinese characters count as a word."""
    return len(re.findall("[\u3000-\uffef]{1,2}|[^\\s\u3000-\uffef]+", said)) <= MOST_AT_ONCE


def as_sentence(phrase: str) -> str:
    # Translators: a full stop after a phrase such as "Your turn"
    return _("{phrase}.").format(phrase=phrase)


def board(board: Board) -> str:
    """Describe a board for a screen reader.

    >>> board(Board.parse("X...O...X"))
    'X top left, bottom right; O centre'
    """
    x, o = (listed(cell_name(at) for at in range(len(CELLS)) if board[at] is mark) for mark in Mark)
    message = _("X {x}; O {o}") if o else _("X {x}") if x else _("empty")
    return message.format(x=x, o=o)


# --- the end of a game -------------------------------------------------------------------------


def result(outcome: Outcome, winner: str | None) -> str:
    """Say how a game ended on the board.

    :param winner: ``None`` for the reader; any player may be called You

    >>> result(Outcome(Mark.X, ((0, 1, 2),)), None), result(Outcome(Mark.X, ((0, 1, 2),)), "Hard")
    ('You win: top row', 'Hard wins: top row')
    """
    if outcome.winner is None:
        return _("A draw")
    message = _("You win: {lines}") if winner is None else _("{winner} wins: {lines}")
    return message.format(winner=winner, lines=lines(outcome.lines))


_GIVEN_UP = {
    "resign": (
        N_("You win: {loser} gave up"),
        N_("{winner} wins: you gave up"),
        N_("{winner} wins: {loser} gave up"),
    ),
    "claim": (
        N_("You win: {loser} did not come back"),
        N_("{winner} wins: you did not come back"),
        N_("{winner} wins: {loser} did not come back"),
    ),
    "time": (
        N_("You win: {loser} ran out of time"),
        N_("{winner} wins: you ran out of time"),
        N_("{winner} wins: {loser} ran out of time"),
    ),
}


def gave_up(ending: str, winner: str | None, loser: str | None) -> str:
    """Say how a game ended off the board; the reader is the winner or loser without a name.

    >>> gave_up("resign", None, "Amber Otter"), gave_up("claim", "Hard", None)
    ('You win: Amber Otter gave up', 'Hard wins: you did not come back')
    """
    won, lost, watched = _GIVEN_UP[ending]
    message = won if winner is None else lost if loser is None else watched
    return _(message).format(winner=winner, loser=loser)


def left(winner: str | None, *, watched: bool) -> str:
    """Say that the player left a game against the computer, which then wins if it has a name.

    >>> left("Hard", watched=False), left(None, watched=True)
    ('Hard wins: you left', 'The player left this game')
    """
    if winner is None:
        return _("The player left this game") if watched else _("You left this game")
    message = _("{winner} wins: the player left") if watched else _("{winner} wins: you left")
    return message.format(winner=winner)


def cancelled(*, in_tournament: bool, moved: bool) -> str:
    """Say that a game was cancelled, and why.

    >>> cancelled(in_tournament=True, moved=False)
    'Cancelled: neither player had moved'
    """
    why = why_cancelled(in_tournament=in_tournament, moved=moved)
    # Translators: why a game was cancelled is a message of its own
    return _("Cancelled: {why}").format(why=why)


def why_cancelled(*, in_tournament: bool, moved: bool) -> str:
    """Say why a game was cancelled, for parentheses or a table.

    The end of a tournament also cancels games without a move; for them the last reason is true.

    :param moved: whether either player had made a move, given ones aside
    """
    if not in_tournament:
        return _("a player had to go to a tournament")
    return _("the tournament ended first") if moved else _("neither player had moved")


def defeat_of_the_engine(game: Game) -> str:
    """Say how the computer lost a finished game, whose last move was a person's."""
    *_rest, before_reply, before_last, _end = game.boards
    winner = before_reply.turn.other
    if tactics.wins(before_reply, winner).bit_count() >= 2:
        return _("That was a fork: I could not block both lines.")
    completed = tactics.lines_completed(before_last, winner, game.moves[-1])
    return _("I left {your_line} open.").format(**lines_in_a_sentence(completed))


# --- players, marks and moves ------------------------------------------------------------------


def order(mark: Mark) -> str:
    return "first" if mark is Mark.X else "second"


def ordinal(place: int) -> str:
    """Write a place in a table.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    last = place % 100 if place % 100 in (11, 12, 13) else place % 10
    forms = style()
    form = forms.get(str(place)) or forms.get(f"-{last}") or forms["ordinal"]
    return form.format(place)


def named(engine: Engine) -> str:
    """Name an engine; a function keeps the name of its file."""
    return pgettext("computer player", engine.name)


def called(engine: Engine) -> str:
    """Name an engine; a list of rules with its rules."""
    rules = rule_names(engine)
    return f"{named(engine)} ({rules})" if rules else named(engine)


def rule_names(engine: Engine) -> str:
    """The names of the rules of a list; empty for other engines."""
    if not engine.slug.startswith(PREFIX):
        return ""
    slugs = engine.slug.removeprefix(PREFIX).split(",")
    return listed(_(LAB_RULES[slug].name) for slug in slugs)


def idea(engine: Engine) -> str:
    """Say what an engine does; for a function, what its author says.

    >>> from webapp.engines.rules import rule_list
    >>> idea(rule_list("rules:win,block"))
    'It follows a list: Win, Block.'
    """
    rules = rule_names(engine)
    return _(engine.idea).format(rules=rules) if rules else _(engine.idea)


def source(engine: Engine) -> str:
    return _(engine.source).format(function=engine.slug)


def who(player: object) -> str:
    """Name a player, or say that they have left."""
    return _(LEFT) if str(player) == LEFT else str(player)


def isolated(player: object) -> str:
    """Isolate a name from the direction of the surrounding text, if necessary."""
    name = who(player)
    alike = name.isascii() and LANGUAGES[READER.get()].direction == "ltr"
    return name if alike else f"\u2068{name}\u2069"


# --- refusals ----------------------------------------------------------------------------------


def told(error: ValueError) -> str:
    """Say an error in the reader's language.

    >>> told(Complaint("{why} Choose another one.", why=Complaint("That cell is taken.")))
    'That cell is taken. Choose another one.'
    """
    if not isinstance(error, Complaint):
        return str(error)
    values = {
        place: told(value)
        if isinstance(value, Complaint)
        else figure(value)
        if isinstance(value, int)
        else isolated(value)
        for place, value in error.values.items()
    }
    return _(error.message).format(**values)
