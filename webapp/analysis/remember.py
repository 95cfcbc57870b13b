"""What analyses have found, remembered in the process, so that nothing is computed twice.

May import ``engines``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, update_wrapper
from typing import Generic, TypeVar, TypeVarTuple

from webapp.engines.base import Engine
from webapp.engines.rules import PREFIX

Subjects = TypeVarTuple("Subjects")
Finding = TypeVar("Finding")

LISTS = 256
"""Of how many lists of rules everything is remembered: those that were asked for last."""


class Remembered(Generic[*Subjects, Finding]):
    """An analysis of engines that remembers its findings.

    Those about engines with a name for good, as these are few. Visitors may ask for millions of
    lists of rules: findings about them have a place of their own, and make room only for others
    of their kind.

    :param most: how many findings about lists are kept
    """

    def __init__(self, find: Callable[[*Subjects], Finding], most: int) -> None:
        update_wrapper(self, find)
        self._named, self._lists = cache(find), lru_cache(most)(find)

    def __call__(self, *subjects: *Subjects) -> Finding:
        """Return what was found before, or find it now."""
        find = self._lists if any(map(_is_list, subjects)) else self._named
        return find(*subjects)

    @property
    def computed(self) -> int:
        """How often something had to be found."""
        return self._named.cache_info().misses + self._lists.cache_info().misses


def _is_list(subject: object) -> bool:
    return isinstance(subject, Engine) and subject.slug.startswith(PREFIX)


def remembered(
    most: int,
) -> Callable[[Callable[[*Subjects], Finding]], Remembered[*Subjects, Finding]]:
    """Let an analysis remember its findings, of those about lists of rules at most so many."""
    return lambda find: Remembered(find, most)
