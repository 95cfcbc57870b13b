"""The reader's language, and the lookup of messages.

A message is a whole sentence, or a whole phrase of a table. Its named places are filled after the
lookup: ``_("{name} to move").format(name=name)``. ``N_`` marks a message that ``_`` looks up later,
``NC_`` one for ``pgettext``. Without a translation it stays English.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

from webapp.core.messages import N_, NC_

__all__ = ["NC_", "N_", "_", "ngettext", "pgettext"]

P = ParamSpec("P")
T = TypeVar("T")


class Language(NamedTuple):
    """A language of the pages.

    :param name: what its speakers call it
    :param tag: its tag in HTML and HTTP
    """

    code: str
    name: str
    tag: str
    direction: str = "ltr"


LANGUAGES = {
    language.code: language
    for language in (
        Language("en", "English", "en"),
        Language("de", "Deutsch", "de"),
        Language("es", "Español", "es"),
        Language("fr", "Français", "fr"),
        Language("it", "Italiano", "it"),
        Language("pl", "Polski", "pl"),
        Language("tr", "Türkçe", "tr"),
        Language("ar", "العربية", "ar", "rtl"),
        Language("zh", "简体中文", "zh-Hans"),
    )
}

READER: ContextVar[str] = ContextVar("language", default="en")
"""The language code of the current request; English for commands."""

LOCALES = Path(__file__).parents[1] / "locales"


def offered() -> list[str]:
    """The languages with translations, and English."""
    return [code for code in LANGUAGES if code == "en" or _file(code).is_file()]


def _file(code: str) -> Path:
    return LOCALES / code / "messages.mo"


@cache
def catalogue(code: str) -> NullTranslations:
    if not _file(code).is_file():
        return NullTranslations()
    with _file(code).open("rb") as file:
        return GNUTranslations(file)


def _(message: str) -> str:
    """A message in the reader's language."""
    return catalogue(READER.get()).gettext(message)


def pgettext(context: str, message: str) -> str:
    """An ambiguous English message in the sense of its context."""
    return catalogue(READER.get()).pgettext(context, message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return catalogue(READER.get()).ngettext(singular, plural, number)


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache that many results of a function that returns words, by language."""

    def decorated(say: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(most)
        def said(_code: str, *values: Any, **named: Any) -> T:
            return say(*values, **named)

        @wraps(say)
        def wrapper(*values: P.args, **named: P.kwargs) -> T:
            return said(READER.get(), *values, **named)  # type: ignore[arg-type]

        return wrapper

    return decorated
