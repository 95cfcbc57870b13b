"""Single rules, and the engine that is an ordered list of them. May import ``core``.

A rule looks at the board for the side to move and returns the options that it would choose among
at random: none if it does not apply, one if it scans in an order and takes the first.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from webapp.core import tactics
from webapp.core.board import CELLS, CELLS_IN, CENTRE, CORNERS, EDGES, Board, Line
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import Choice, Engine, Option, Source, UnknownEngine, uniform


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a list, with what it does as a sentence, a message.

    :param options: what it would choose among, equally likely; empty where it does not apply
    :param symmetric: whether it treats all symmetries of the square alike, scanning in no order
    """

    text: str
    options: Callable[[Board], Sequence[Option]]
    symmetric: bool = False


def ruled(
    *, slug: str, name: str, brief: str, idea: str, source: Source, rules: Sequence[Rule]
) -> Engine:
    """Make an engine of ordered rules, of which the last must always apply."""
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


@dataclass(frozen=True, slots=True)
class OrderedRules:
    """A policy of ordered rules: the first one that applies decides."""

    rules: tuple[Rule, ...]

    def __call__(self, board: Board) -> tuple[Choice, ...]:
        """Choose evenly among the options of that rule."""
        for rule in self.rules:
            if found := rule.options(board):
                return uniform(found)
        raise AssertionError("the last rule of a list must always apply")


def first(rule: Rule, text: str) -> Rule:
    """Narrow a rule to the first of its cells, from 0 to 8; the text says so."""

    def options(board: Board) -> Sequence[Option]:
        return sorted(rule.options(board), key=itemgetter(0))[:1]

    return Rule(text, options)


# --- rules that see threats and forks ---------------------------------------------------------


def by_line(lines: Sequence[Line], *, mine: bool) -> Rule:
    """Take the open cell of the first line, in this order, that one mark could complete.

    :param mine: whether the mark is mine, to win; else theirs, to block
    """
    slug, text = ("win", _WIN) if mine else ("block", _BLOCK)

    def options(board: Board) -> Sequence[Option]:
        threats = tactics.threats(board, board.turn if mine else board.turn.other)
        for line in lines:
            if line in threats:
                return [(cell, Reason(slug, (line,))) for cell in line if board[cell] is None]
        return []

    return Rule(text, options)


def _completing(slug: str, text: str, *, mine: bool) -> Rule:
    """Take any cell in which my mark, or theirs, completes a line."""

    def options(board: Board) -> Sequence[Option]:
        mark = board.turn if mine else board.turn.other
        return [
            (cell, Reason(slug, tactics.lines_completed(board, mark, cell)))
            for cell in CELLS_IN[tactics.wins(board, mark)]
        ]

    return Rule(text, options, symmetric=True)


def _forking(text: str, *, mine: bool) -> Rule:
    """Take any cell that gives my mark, or theirs, two winning cells.

    A list may have this rule before those that win and block: then such a cell may do that as well,
    or there may be threats before it is taken.
    """

    def options(board: Board) -> Sequence[Option]:
        mark, found = board.turn if mine else board.turn.other, []
        slug = "block-fork" if not mine else "has-fork" if tactics.wins(board, mark) else "fork"
        for cell in CELLS_IN[tactics.forks(board, mark)]:
            if lines := tactics.lines_completed(board, mark, cell):
                found.append((cell, Reason("win" if mine else "block", lines)))
            else:
                found.append((cell, Reason(slug, tactics.threats_with(board, mark, cell))))
        return found

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
        # Where they could win at once, or I have two threats, there is no single answer to force.
        if len(answers) != 1 or after.outcome or tactics.wins(after, me.other):
            continue
        answered = after.play(answers[0])
        if tactics.wins(answered, me.other).bit_count() < 2:
            options.append((cell, Reason("force-answer", tactics.threats(after, me))))
    return options


FORCE = Rule(N_("Make a threat that they cannot answer with a fork."), _forcing, symmetric=True)

# --- rules that know places -------------------------------------------------------------------


def any_of(slug: str, text: str, cells: Iterable[int]) -> Rule:
    """Take any free cell of these, which must be all corners, all edges, the centre, or several."""
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
    "win": WIN,
    "block": BLOCK,
    "fork": FORK,
    "block-fork": BLOCK_FORK,
    "force": FORCE,
    "centre": CENTRE_CELL,
    "opposite-corner": OPPOSITE_CORNER,
    "corner": ANY_CORNER,
    "edge": ANY_EDGE,
    "any": ANYWHERE,
}
"""What a list can be made of, by slug; where several cells qualify the choice is uniform."""


class UnknownRules(UnknownEngine):
    """A list of rules that cannot be read; the message says why."""


PREFIX = "rules:"


@lru_cache(maxsize=128)
def rule_list(text: str) -> Engine:
    """Make an engine of a list such as ``rules:win,block,centre``.

    A list that runs out plays any free cell. The same list always makes an equal engine.

    :raises UnknownRules: if the list is empty, or a rule is unknown or is listed twice

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
        source=Source("", N_("your own list")),
        rules=rules,
    )
