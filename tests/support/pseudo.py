"""A language that no one speaks, in which whatever is not marked as a message stands out."""

import re
from gettext import NullTranslations
from pathlib import Path

from webapp.words import language

CODE, TAG = "xx", "en-XA"
_ACCENTS = str.maketrans(
    "aceghijklnorstuwyzACEGHIJKLNORSTUWYZ", "àçéĝĥîĵķĺñöřšţûŵÿžÀÇÉĜĤÎĴĶĹÑÖŘŠŢÛŴŸŽ"
)
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|&\w+;|&#\w+;)")
"""Places, HTML and its entities."""


class Translations(NullTranslations):
    """Every message in brackets, a third longer, and with accents."""

    def gettext(self, message: str) -> str:
        parts = _KEPT.split(message)
        parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
        longer = "~" * (sum(map(len, parts[::2])) // 3)
        return f"[{''.join(parts)}{longer}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)


def install() -> None:
    file, catalogue = language._file, language.catalogue
    language.LANGUAGES[CODE] = language.Language(CODE, "Þšéûðö", TAG, "Þšéûðö?")
    language._file = lambda code: Path(__file__) if code == CODE else file(code)
    language.catalogue = lambda code: Translations() if code == CODE else catalogue(code)  # type: ignore[assignment]


PATCH = "from tests.support import pseudo; pseudo.install()\n"  # what lets a server offer it
