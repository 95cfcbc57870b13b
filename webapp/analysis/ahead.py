"""What people will ask about the listed engines, computed ahead.

May import ``core`` and ``engines``.
"""

from collections.abc import Callable

from webapp.analysis.claims import verdicts
from webapp.analysis.ratings import engines
from webapp.analysis.worth import worth
from webapp.engines.registry import ENGINES


def warm_up(rest: Callable[[], object]) -> None:
    """Compute the table, what each is worth, and the verdicts; ``rest`` lets others have a turn."""
    engines(rest)
    for engine in ENGINES.values():
        worth(engine)
        rest()
    verdicts()
