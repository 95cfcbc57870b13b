"""What people will ask about the listed engines, computed ahead.

May import ``core`` and ``engines``.
"""

from collections.abc import Callable
from itertools import product

from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import matchup
from webapp.analysis.worth import worth
from webapp.engines.registry import ENGINES


def warm_up(rest: Callable[[], object]) -> None:
    """Compute the table, what each is worth, and the verdicts; ``rest`` lets others have a turn."""
    for x, o in product(ENGINES.values(), repeat=2):
        matchup(x, o)
        rest()
    for engine in ENGINES.values():
        worth(engine)
        rest()
    verdicts()
