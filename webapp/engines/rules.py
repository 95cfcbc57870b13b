"""Rules, and engines that are ordered lists of rules. May import ``core``.

A rule returns the options of the side to move, all equally likely: none if the rule does not apply,
a single option if it takes the first cell of an order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter

from webapp.core import tactics
from webapp.core.board import CELLS, CELLS_IN, CENTRE, CORNERS, EDGES, Board, Line
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import Choice, Engine, Option, UnknownEngine, uniform


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a list; ``text`` is a message. A symmetric rule treats all symmetries alike.

    :param name: a message, of the rules that people can put in a list
    """

    text: str
    options: Callable[[Board], Sequence[Option]]
    symmetric: bool = False
    name: str = ""


def ruled(
    *, slug: str, name: str, brief: str, idea: str, source: str, rules: Sequence[Rule]
) -> Engine:
    """Make an engine in which the first rule that applies decides; the last must always apply."""
    return Engine(
        slug=slug,
        name=name,
        brief=brief,
        idea=idea,
        policy=OrderedRules(tuple(rules)),
        source=source,
        rules=tuple(rule.text for rule in rules),
        symmetric=all(rule.symmetric for rule in rules),
    )


# A value, not a function: equal lists make equal engines, and analyses remember results by engine.
@dataclass(frozen=True, slots=True)
class OrderedRules:
    """A policy in which the first rule that applies decides."""

    rules: tuple[Rule, ...]

    def __call__(self, board: Board) -> tuple[Choice, ...]:
        return uniform(next(options for rule in self.rules if (options := rule.options(board))))


def first(rule: Rule, text: str) -> Rule:
    """Narrow a rule to its first cell in cell order."""

    def options(board: Board) -> Sequence[Option]:
        return sorted(rule.options(board), key=itemgetter(0))[:1]

    return Rule(text, options)


# --- rules that see threats and forks ---------------------------------------------------------


def by_line(lines: Sequence[Line], *, mine: bool) -> Rule:
    """Complete the first threat in this order: of mine, to win, or of theirs, to block."""
    slug, text = ("win", _WIN) if mine else ("block", _BLOCK)

    def options(board: Board) -> Sequence[Option]:
        threats = tactics.threats(board, board.turn if mine else board.turn.other)
        for line in lines:
            if line in threats:
                return [(cell, Reason(slug, (line,))) for cell in line if board[cell] is None]
        return []

    return Rule(text, options)


def _completing(slug: str, text: str, *, mine: bool) -> Rule:
    """Take any cell that completes a line of mine, or of theirs."""

    def options(board: Board) -> Sequence[Option]:
        mark = board.turn if mine else board.turn.other
        return [
            (cell, Reason(slug, tactics.lines_completed(board, mark, cell)))
            for cell in CELLS_IN[tactics.wins(board, mark)]
        ]

    return Rule(text, options, symmetric=True)


def _forking(text: str, *, mine: bool) -> Rule:
    """Take any cell that makes a fork of mine, or of theirs."""

    def options(board: Board) -> Sequence[Option]:
        mark, forks = board.turn if mine else board.turn.other, []
        slug = "block-fork" if not mine else "has-fork" if tactics.wins(board, mark) else "fork"
        # A list may have this rule before those that win and block.
        for cell in CELLS_IN[tactics.forks(board, mark)]:
            if lines := tactics.lines_completed(board, mark, cell):
                forks.append((cell, Reason("win" if mine else "block", lines)))
            else:
                forks.append((cell, Reason(slug, tactics.threats_with(board, mark, cell))))
        return forks

    return Rule(text, options, symmetric=True)


_WIN = N_("Complete one of my lines.")
_BLOCK = N_("Block a line that they could complete.")
_FORK = N_("Take a cell that gives me two or more winning cells.")
_BLOCK_FORK = N_("Take a cell that would give them two or more winning cells.")

WIN = _completing("win", _WIN, mine=True)
BLOCK = _completing("block", _BLOCK, mine=False)
FORK = _forking(_FORK, mine=True)
BLOCK_FORK = _forking(_BLOCK_FORK, mine=False)


def _forcing(board: Board) -> Sequence[Option]:
    me, options = board.turn, []
    for cell in board.legal_moves:
        after = board.play(cell)
        answers = CELLS_IN[tactics.wins(after, me)]
        # No answer is forced if they could win at once or I have two threats.
        if len(answers) != 1 or after.outcome or tactics.wins(after, me.other):
            continue
        answered = after.play(answers[0])
        if tactics.wins(answered, me.other).bit_count() < 2:
            options.append((cell, Reason("force-answer", tactics.threats(after, me))))
    return options


FORCE = Rule(N_("Make a threat that they cannot answer with a fork."), _forcing, symmetric=True)

# --- rules that know places -------------------------------------------------------------------


def any_of(slug: str, text: str, cells: Iterable[int]) -> Rule:
    """Take any of these cells, which must be closed under symmetry."""
    places = tuple(cells)
    preferred, last = Reason(slug), Reason("last")

    def options(board: Board) -> Sequence[Option]:
        reason = preferred if board.free.bit_count() > 1 else last
        return [(cell, reason) for cell in places if board.free >> cell & 1]

    return Rule(text, options, symmetric=True)


CENTRE_CELL = any_of("centre", N_("Take the centre."), (CENTRE,))
ANY_CORNER = any_of("corner", N_("Take a corner."), CORNERS)
ANY_EDGE = any_of("edge", N_("Take an edge."), EDGES)
ANYWHERE = any_of("random", N_("Take any free cell."), CELLS)


def _opposite_corners(board: Board) -> Sequence[Option]:
    free = (cell for cell in CORNERS if board[cell] is None)
    theirs, reason = board.turn.other, Reason("opposite-corner")
    return [(cell, reason) for cell in free if board[8 - cell] is theirs]


OPPOSITE_CORNER = Rule(
    N_("Take a corner opposite one of theirs."), _opposite_corners, symmetric=True
)

LAB_RULES = {
    # Translators: from here on the names of rules, as in a list of what a computer player does
    "win": replace(WIN, name=N_("Win")),
    "block": replace(BLOCK, name=N_("Block")),
    "fork": replace(FORK, name=N_("Fork")),
    "block-fork": replace(BLOCK_FORK, name=N_("Stop a fork")),
    "force": replace(FORCE, name=N_("Force an answer")),
    "centre": replace(CENTRE_CELL, name=N_("Centre")),
    "opposite-corner": replace(OPPOSITE_CORNER, name=N_("Opposite corner")),
    "corner": replace(ANY_CORNER, name=N_("Corner")),
    "edge": replace(ANY_EDGE, name=N_("Edge")),
    "any": replace(ANYWHERE, name=N_("Any cell")),
}
"""The rules that people can put in a list, by slug."""


class UnknownRules(UnknownEngine):
    """A list of rules that cannot be read; the message says why."""


PREFIX = "rules:"


@lru_cache(maxsize=128)
def rule_list(text: str) -> Engine:
    """Make an engine of a list such as ``rules:win,block,centre``.

    A list whose rules do not apply plays any free cell. Equal lists make equal engines.

    :raises UnknownRules: if the list is empty, or a rule is unknown or listed twice

    >>> rule_list("rules:win,block").rules
    ('Complete one of my lines.', 'Block a line that they could complete.', 'Take any free cell.')
    """
    slugs = text.removeprefix(PREFIX).split(",")
    if slugs == [""]:
        raise UnknownRules("A list needs at least one rule: {rules}.", rules=", ".join(LAB_RULES))
    for slug in slugs:
        if slug not in LAB_RULES:
            raise UnknownRules(
                "There is no rule {rule}; there are {rules}.",
                rule=repr(slug[:30]),
                rules=", ".join(LAB_RULES),
            )
        if slugs.count(slug) > 1:
            raise UnknownRules("The rule {rule} is in the list twice.", rule=repr(slug))
    rules = [LAB_RULES[slug] for slug in slugs]
    if "any" not in slugs:
        rules.append(ANYWHERE)
    return ruled(
        slug=PREFIX + ",".join(slugs),
        name=NC_("computer player", "Rule list"),
        brief=N_("rules in order"),
        idea=N_("It follows a list: {rules}."),
        source=N_("your own list"),
        rules=rules,
    )
