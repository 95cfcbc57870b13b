"""Names of players: friendly ones to begin with, and the rules for names that players choose.

May import ``core.messages``. The words in ``wordlists/`` are friendly in every combination, in
slang and across the seam of two as well.
"""

import random
import re
import unicodedata
from collections import ChainMap
from pathlib import Path
from typing import NamedTuple

from webapp.core.messages import N_, Complaint

LONGEST, _CODE_POINTS = 24, 80
"""How many characters a name can have, as people count them, and how many code points."""

LEFT = N_("A player who left")
"""What pages call a player who has no name any more."""


class Face(NamedTuple):
    """What a player looks like: a drawing of ``static/drawings.svg``, and a tint of ``app.css``."""

    drawing: str
    tint: str


class Player(NamedTuple):
    """A player as others see one.

    :param name: ``None`` for a newcomer, and for a player who has left
    :param dealt: the name that the player was given last, if any; its face stays with a chosen name
    """

    id: str
    name: str | None
    dealt: str | None = None

    @property
    def face(self) -> Face:
        """The face of the dealt name: its animal or one of its kin, tinted by the other word.

        The id deals one to a player who chose a name before.
        """
        rng = random.Random(self.id)  # noqa: S311 - a face, not a secret
        dealt = self.dealt or (generated(rng) if self.name else "")
        one, other, *_ = *re.split("[ -]", dealt), "", ""
        drawing, tint = (other, one) if other in _DRAWINGS else (one, other)
        return Face(_DRAWINGS.get(drawing, "paw"), _TINTS.get(tint, "pearl"))

    def __str__(self) -> str:
        """Return what pages call the player."""
        return self.name or LEFT


class People(dict[str, Player]):
    """Players by their ids, as far as they have a name; anyone else is a player who left."""

    def __missing__(self, id_: str) -> Player:
        """Return a player without a name."""
        return Player(id_, None)


def _by_word(file: str) -> dict[str, str]:
    """Read lines of words that share what their first word says; return it by word."""
    text = Path(__file__).with_name("wordlists").joinpath(file).read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines())
    return {word: first for first, *words in lines for word in words}


FORMS = {
    "en": "{word} {animal}",
    "de": "{word}-{animal}",
    "es": "{animal} {word}",
    "fr": "{animal} {word}",
}
"""How a word and an animal make a name, by the code of the language: always a grammatical one."""

_LOOKS = {code: [_by_word(f"{code}/{file}.txt") for file in ("tints", "faces")] for code in FORMS}
WORDS = {code: [sorted(words) for words in looks] for code, looks in _LOOKS.items()}
"""The words and the animals of each language."""

ADJECTIVES, ANIMALS = WORDS["en"]
# A word of two languages looks the same in both.
_TINTS, _DRAWINGS = (dict(ChainMap(*looks)) for looks in zip(*_LOOKS.values(), strict=True))

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing."""

_SHAPE = re.compile("(?=.*L)(?:LM{0,3}|[ .'-])+")
"""Letters and digits, with their accents, and what may stand between them."""


class BadName(Complaint):  # read as "bad name", the verdict
    """A name that is not allowed; the message says why, to the person who typed it."""


def generated(rng: random.Random, code: str = "en") -> str:
    """Return a friendly name, every word and every animal as likely as any other.

    :param code: of the player's language; where it has no words, the name is English
    """
    code = code if code in FORMS else "en"
    word, animal = map(rng.choice, WORDS[code])
    return FORMS[code].format(word=word, animal=animal)


def checked(text: str) -> str:
    """Return a player's own name as it is kept: in NFKC, and with no more spaces than needed.

    Any text may come in, lone surrogates included. Upper and lower case stay as typed, and nothing
    is judged by its meaning.

    :raises BadName: if it is no name; the message is a sentence without any part of the text

    >>> checked("  Ada   O\u2019Neil ")
    "Ada O'Neil"
    """
    name = _tidied(text)
    kinds = "".join(map(_kind, name))
    if not name or len(name) > _CODE_POINTS or len(kinds.replace("M", "")) > LONGEST:
        raise BadName("A name has 1 to {most} characters.", most=LONGEST)
    if _INVISIBLE.search(name) or not _SHAPE.fullmatch(kinds):
        raise BadName(
            "A name is made of letters with at most 3 accents each, digits, spaces, full stops, "
            "apostrophes and hyphens."
        )
    if key(name) in _RESERVED:
        raise BadName("These pages use that name for someone else. Please choose another one.")
    return name


def key(name: str) -> str:
    """Return what names are compared by: upper and lower case do not count.

    >>> key("AMBER  Otter") == key("amber otter")
    True
    """
    # Turkish has an i with a dot and one without, and two capitals.
    folded = _tidied(name).casefold().replace("\u0131", "i").replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", folded)


def _tidied(text: str) -> str:
    """Return a text in NFKC, with single spaces and straight apostrophes."""
    text = re.sub("[\u2018\u2019\u02bc]", "'", unicodedata.normalize("NFKC", text))
    return " ".join(text.split())


def _kind(character: str) -> str:
    """Return L for a letter or a digit, M for an accent, and any other character itself."""
    category = unicodedata.category(character)
    if category == "Nd" or category[0] == "L":
        return "L"
    return "M" if category[0] == "M" else character


_RESERVED = frozenset(
    ("teacher", "host", "computer", "menace", "easy", "medium", "hard", "you", key(LEFT))
)
"""What the pages call others."""
