"""Source E, three levels without recursion: easy, medium and scenarios.

The article numbers its cells 1 to 9, row by row, and tries columns, rows, then diagonals. Its human
always has X; here the engines play either mark. May import ``core``.
"""

from collections.abc import Sequence

from webapp.core.board import CENTRE, COLUMNS, DIAGONALS, EDGES, ROWS, Board, mask_of
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import SOURCES, Option
from webapp.engines.rules import ANY_CORNER, ANY_EDGE, ANYWHERE, CENTRE_CELL, Rule, by_line, ruled

SOURCE = SOURCES["E"]
LINE_ORDER = COLUMNS + ROWS + DIAGONALS

WIN = by_line(LINE_ORDER, mine=True)
BLOCK = by_line(LINE_ORDER, mine=False)

EASY = ruled(
    slug="easy",
    name=NC_("computer player", "Easy"),
    brief=N_("plays at random"),
    idea=N_("It takes any free cell, all equally likely."),
    source=SOURCE,
    rules=[ANYWHERE],
)

MEDIUM = ruled(
    slug="medium",
    name=NC_("computer player", "Medium"),
    brief=N_("wins and blocks"),
    idea=N_("It completes or blocks a line when it can; otherwise it plays at random."),
    source=SOURCE,
    rules=[WIN, BLOCK, ANYWHERE],
)

_SCENARIOS: dict[tuple[int, int], tuple[int, ...]] = {
    # Their two cells, and the replies, in the article's numbers.
    (3, 7): (2, 4, 6, 8),
    (1, 9): (2, 4, 6, 8),
    (6, 7): (8, 9),
    (1, 6): (2, 3),
    (4, 9): (7, 8),
    (3, 4): (1, 2),
    (4, 8): (7,),
    (6, 8): (9,),
    (2, 4): (1,),
    (2, 6): (3,),
}
_REPLIES = {
    mask_of(cell - 1 for cell in theirs): tuple(cell - 1 for cell in replies)
    for theirs, replies in _SCENARIOS.items()
}


def _scenario(board: Board) -> Sequence[Option]:
    """Answer a pair of the article, if my only mark is the centre."""
    if board.mask(board.turn) != 1 << CENTRE:
        return []
    replies = _REPLIES.get(board.mask(board.turn.other), ())
    reason = Reason("edge" if set(replies) == set(EDGES) else "scenario")
    return [(cell, reason) for cell in replies if board.free >> cell & 1]


SCENARIOS = ruled(
    slug="scenarios",
    name=NC_("computer player", "Scenarios"),
    brief=N_("knows openings"),
    idea=N_("It wins, blocks, takes the centre, and has learned the answers to ten openings."),
    source=SOURCE,
    rules=[
        WIN,
        BLOCK,
        CENTRE_CELL,
        Rule(
            N_(
                "If my only mark is in the centre, answer each of ten pairs of their cells as "
                "I have learned."
            ),
            _scenario,
        ),
        ANY_CORNER,
        ANY_EDGE,
    ],
)
