"""What analyses have found, so that nothing is computed twice. May import ``engines``."""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from webapp.engines.base import Engine
from webapp.engines.rules import PREFIX

Subjects = TypeVarTuple("Subjects")
Finding = TypeVar("Finding")

LISTS = 256
"""Of how many lists of rules everything is remembered: those that were asked for last."""


def remembered(
    most: int,
) -> Callable[[Callable[[*Subjects], Finding]], Callable[[*Subjects], Finding]]:
    """Let an analysis remember its findings about listed engines for good, as these are few.

    :param most: how many findings about lists of rules are kept, as visitors may ask for millions
    """

    def decorate(find: Callable[[*Subjects], Finding]) -> Callable[[*Subjects], Finding]:
        listed, made_of_rules = cache(find), lru_cache(most)(find)

        @wraps(find)
        def found(*subjects: *Subjects) -> Finding:
            slugs = (one.slug for one in subjects if isinstance(one, Engine))
            lists = any(slug.startswith(PREFIX) for slug in slugs)
            return (made_of_rules if lists else listed)(*subjects)

        return found

    return decorate
