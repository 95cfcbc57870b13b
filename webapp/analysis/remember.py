"""What analyses have found, remembered in the process, so that nothing is computed twice.

May import ``engines``.
"""

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

    Visitors may ask for millions of lists of rules: at most so many findings about them are kept,
    in a cache of their own.
    """

    def decorate(find: Callable[[*Subjects], Finding]) -> Callable[[*Subjects], Finding]:
        listed, made_of_rules = cache(find), lru_cache(most)(find)

        @wraps(find)
        def found(*subjects: *Subjects) -> Finding:
            return (made_of_rules if any(map(_is_list, subjects)) else listed)(*subjects)

        return found

    return decorate


def _is_list(subject: object) -> bool:
    return isinstance(subject, Engine) and subject.slug.startswith(PREFIX)
