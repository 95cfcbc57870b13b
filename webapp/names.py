"""Names of players: dealt from word lists, or chosen by rules. May import ``core.messages``.

The words in ``wordlists/`` are friendly in every combination, in slang and across words too.
"""

import random
import re
import unicodedata
from collections import ChainMap
from pathlib import Path
from typing import NamedTuple

from webapp.core.messages import N_, Complaint

_MAX_CHARACTERS = 24  # as people count them: accents do not count
_MAX_CODE_POINTS = 80

LEFT = N_("A player who left")


class Face(NamedTuple):
    """A drawing of ``static/drawings.svg``, and a tint of ``app.css``."""

    drawing: str
    tint: str


class Player(NamedTuple):
    """A player as others see them.

    :param name: ``None`` for a newcomer, and for a player who has left
    :param dealt: the last dealt name, whose face stays with a chosen name
    """

    id: str
    name: str | None
    dealt: str | None = None

    @property
    def face(self) -> Face:
        """The animal of the dealt name or a related animal, tinted by the other word."""
        # Without a dealt name, the id deals a face.
        rng = random.Random(self.id)  # noqa: S311 - a face, not a secret
        dealt = self.dealt or (generated(rng) if self.name else "")
        # A Chinese word has two characters, and its animal follows without a space.
        first, second, *_ = *re.split("[ -]|(?<=^[\u4e00-\u9fff]{2})", dealt), "", ""
        drawing, tint = (second, first) if second in _DRAWINGS else (first, second)
        return Face(_DRAWINGS.get(drawing, "paw"), _TINTS.get(tint, "pearl"))

    def __str__(self) -> str:
        return self.name or LEFT


class People(dict[str, Player]):
    """Players with a name, by id; anyone else is a player who left."""

    def __missing__(self, id_: str) -> Player:
        return Player(id_, None)


def _by_word(file: str) -> dict[str, str]:
    """Read a file whose lines begin with a look; return the look of each other word."""
    text = Path(__file__).with_name("wordlists").joinpath(file).read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines())
    return {word: first for first, *words in lines for word in words}


FORMS = {
    "en": "{word} {animal}",
    "de": "{word}-{animal}",
    "es": "{animal} {word}",
    "fr": "{animal} {word}",
    "it": "{animal} {word}",
    "pl": "{word} {animal}",
    "tr": "{word} {animal}",
    "ar": "{animal} {word}",
    "zh": "{word}{animal}",
}
"""A name's form by language; every word and animal make a grammatical name."""

_LOOKS = {code: [_by_word(f"{code}/{file}.txt") for file in ("tints", "faces")] for code in FORMS}
WORDS = {code: [sorted(words) for words in looks] for code, looks in _LOOKS.items()}
"""The words and the animals of each language."""

ADJECTIVES, ANIMALS = WORDS["en"]
# A word of two languages looks the same in both.
_TINTS, _DRAWINGS = (dict(ChainMap(*looks)) for looks in zip(*_LOOKS.values(), strict=True))

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)

# Of kinds, as in _kind: letters or digits with their accents, and the separators between them.
_SHAPE = re.compile("(?=.*L)(?:LM{0,3}|[ .'-])+")


class BadName(Complaint):  # read as "bad name", the verdict
    """A name that is not allowed; the message tells the player why."""


def generated(rng: random.Random, code: str = "en") -> str:
    """Return a random name in a language; in English if that language has no words."""
    code = code if code in FORMS else "en"
    word, animal = map(rng.choice, WORDS[code])
    return FORMS[code].format(word=word, animal=animal)


def checked(text: str) -> str:
    """Return a chosen name as it is stored: in NFKC, without needless spaces.

    Any text may come in, lone surrogates included. Words are not judged by their meaning.

    :raises BadName: if it is not allowed; the message does not repeat the text

    >>> checked("  Ada   O\u2019Neil ")
    "Ada O'Neil"
    """
    name = _tidied(text)
    kinds = "".join(map(_kind, name))
    if not name or len(name) > _MAX_CODE_POINTS or len(kinds.replace("M", "")) > _MAX_CHARACTERS:
        raise BadName("A name has 1 to {most} characters.", most=_MAX_CHARACTERS)
    if _INVISIBLE.search(name) or not _SHAPE.fullmatch(kinds):
        raise BadName(
            "A name is made of letters with at most 3 accents each, digits, spaces, full stops, "
            "apostrophes and hyphens."
        )
    if key(name) in _RESERVED:
        raise BadName("That name is reserved on this site. Please choose another one.")
    return name


def key(name: str) -> str:
    """Return the key by which names are compared, regardless of case.

    >>> key("AMBER  Otter") == key("amber otter")
    True
    """
    # Turkish has i with and without a dot, in both cases.
    folded = _tidied(name).casefold().replace("\u0131", "i").replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", folded)


def _tidied(text: str) -> str:
    text = re.sub("[\u2018\u2019\u02bc]", "'", unicodedata.normalize("NFKC", text))
    return " ".join(text.split())


def _kind(character: str) -> str:
    """Return L for a letter or digit, M for an accent, and otherwise the character."""
    category = unicodedata.category(character)
    if category == "Nd" or category[0] == "L":
        return "L"
    return "M" if category[0] == "M" else character


_RESERVED = frozenset(
    ("teacher", "host", "computer", "menace", "easy", "medium", "hard", "you", key(LEFT))
)
