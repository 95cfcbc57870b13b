"""The engines by slug, in the order in which people choose among them."""

from collections.abc import Callable, Iterator, Mapping

from webapp.core.game import MENACE
from webapp.engines.base import Engine, UnknownEngine
from webapp.engines.human import HUMAN
from webapp.engines.menace import boxes, menace
from webapp.engines.minimax import MINIMAX, SLIPS
from webapp.engines.perfect import HARD
from webapp.engines.rules import PREFIX, UnknownRules, rule_list
from webapp.engines.three_levels import EASY, MEDIUM, SCENARIOS
from webapp.engines.unbeatable import CORNERS, FORK_BLOCKER, FORKS

LEVELS = (EASY, MEDIUM, HARD)
LITERATURE = (HUMAN, MINIMAX, SLIPS, CORNERS, FORKS, FORK_BLOCKER, SCENARIOS)

ENGINES: dict[str, Engine] = {engine.slug: engine for engine in LEVELS + LITERATURE}


class Catalogue(Mapping[str, Engine]):
    """Engines by slug; lists of rules and MENACE are found, but not listed.

    >>> "rules:win,block" in Catalogue(ENGINES), len(Catalogue(ENGINES))
    (True, 10)

    :param learnt: returns the present MENACE
    """

    def __init__(
        self, listed: Mapping[str, Engine], learnt: Callable[[], Engine] = lambda: menace(boxes())
    ) -> None:
        self._listed, self._learnt = dict(listed), learnt

    def __getitem__(self, slug: str) -> Engine:
        if slug == MENACE:
            return self._learnt()
        try:
            return rule_list(slug) if slug.startswith(PREFIX) else self._listed[slug]
        except UnknownRules as error:
            raise KeyError(slug) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


def engine(name: str) -> Engine:
    """Return the engine of a slug, or of a list such as ``rules:win,block``.

    >>> engine("HARD").slug
    'hard'

    :raises UnknownEngine: if there is none, or the list cannot be read
    """
    if name.startswith(PREFIX):
        return rule_list(name)
    if known := ENGINES.get(name.casefold()):
        return known
    raise UnknownEngine(
        "There is no engine {name}; there are {names}.", name=repr(name), names=", ".join(ENGINES)
    )
