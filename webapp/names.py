"""Names of players: friendly ones to begin with, and the rules for names that players choose.

May import nothing of ``webapp``. The words in ``wordlists/`` are friendly in every combination, in
British and American slang and across the seam of two as well, and no two of them look alike.
"""

import random
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

LONGEST = 20
"""How many characters a name can have, as people count them."""

LONGEST_STORED = 80
"""How many code points a name can have; its key may have twice as many."""

LONGEST_READ = 400
"""How many code points are looked at: anything longer is refused unread."""

LEFT = "A player who left"
"""What pages call a player who has no name any more."""


class Player(NamedTuple):
    """A player as others see one.

    :param name: ``None`` for a newcomer, and for a player who has left
    """

    id: str
    name: str | None

    def __str__(self) -> str:
        """Return what pages call the player."""
        return self.name or LEFT


def _text(file: str) -> str:
    return Path(__file__).with_name("wordlists").joinpath(file).read_text(encoding="ascii")


def _span(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


ADJECTIVES = tuple(_text("adjectives.txt").split())
ANIMALS = tuple(_text("animals.txt").split())
# What the pages call other people.
_RESERVED = frozenset(_text("reserved.txt").split())
# Scripts in use today, one line for each group written together, by the first words of their
# letters' names in Unicode. Scripts of the past hold rude pictures, very wide ones and empty ones.
_SCRIPTS = [frozenset(line.split()) for line in _text("scripts.txt").splitlines()]
_SPELT = ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl")
_ANY_SCRIPT = frozenset({"COMBINING", "DIGIT", "MODIFIER", "VARIATION"})

# A letter for each kind of character: one by one, else by its category in Unicode.
_SELECTORS = "\ufe0e\ufe0f"  # between a plain picture and a coloured one
_CHARACTERS = {
    " ": " ",
    "V": _SELECTORS,
    "J": "\u200d",  # joins pictures
    "P": _span(0x1FA70, 0x1FAFF),  # pictures, including ones newer than this Python
    "T": _span(0x1F3FB, 0x1F3FF),  # tones of skin
    "R": _span(0x1F1E6, 0x1F1FF),  # two of them are a flag
    "D": "0123456789#*",
    "K": "\u20e3",  # a keycap for one of these
    "-": _span(0x1F150, 0x1F189),  # letters, white on black
    "B": "\u061c\u200e\u200f" + _span(0x202A, 0x202E) + _span(0x2066, 0x2069),
    "X": "\ufffd",
    "I": "\u034f\u115f\u1160\u17b4\u17b5\u2800\ufffc\U0001d159"
    + (_span(0x180B, 0x180F) + _span(0xFE00, 0xFE0D) + _span(0xE0100, 0xE01EF)),
}
_CATEGORIES = {"C": "Cc Zl Zp", "I": "Cf Zs", "X": "Cs", "U": "Cn Co", "M": "Mn Mc Me", "P": "So"}
_KIND = {one: kind for kind, characters in _CHARACTERS.items() for one in characters}
_KIND |= {one: kind for kind, categories in _CATEGORIES.items() for one in categories.split()}
_EMOJI = re.compile("P[TV]{0,2}(?:JP[TV]{0,2}){0,3}|RR?|DV?K")
# England's, Scotland's and Wales's flags are a black one, and invisible letters.
_TAGS = "|".join("".join(chr(0xE0000 + ord(one)) for one in of) for of in ("eng", "sct", "wls"))
_FLAGS = re.compile(f"\U0001f3f4\U000e0067\U000e0062(?:{_TAGS})\U000e007f")

# What the kinds of a name's characters must not look like, an emoji being E.
_REFUSED = {
    "^$": "A name cannot be empty.",
    "C": "A name is one line of text, without tabs, line breaks or other control characters.",
    "B": "A name cannot contain characters that change the direction of writing.",
    "X": "Part of this name was lost on its way here. Please type it again.",
    "U": "This name contains a character that not every device can show. Please leave it out.",
    "[IJV]": "This name contains an invisible character. Please type it without.",
    "(^| )[MK]": "An accent in this name stands alone. Please put it on a letter.",
    "[MK]{4}": "This name has too many accents on one letter. Please use at most 3.",
    "^[^LDET]*$": "A name needs at least one letter, digit or emoji.",
}


class BadName(ValueError):  # noqa: N818 - read as "bad name", the verdict
    """A name that is not allowed; the message says why, to the person who typed it."""


def generated(rng: random.Random) -> str:
    """Return a friendly name, every adjective and every animal as likely as any other."""
    return f"{rng.choice(ADJECTIVES)} {rng.choice(ANIMALS)}"


def checked(text: str) -> str:
    """Return a player's own name as it is kept: in NFKC, and with no more spaces than needed.

    Any text may come in, lone surrogates included. Upper and lower case stay as typed, and nothing
    is judged by its meaning; a page escapes and clips a name like all other text.

    :raises BadName: if not everyone can read it, or it could imitate another name; the message
        is a sentence without any part of the text

    >>> checked("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    if len(text) > LONGEST_READ:
        raise BadName(f"A name has at most {LONGEST} characters; this text has far more.")
    name = _normalised(text)
    plain = _FLAGS.sub("\u2691", name)
    kinds = _EMOJI.sub("E", "".join(map(_kind, plain)))
    for pattern, why in _REFUSED.items():
        if re.search(pattern, kinds):
            raise BadName(why)
    characters = sum(kind not in "MK" for kind in kinds)
    if characters > LONGEST:
        raise BadName(f"A name has at most {LONGEST} characters; this one has {characters}.")
    scripts = set(map(_script, plain)) - _ANY_SCRIPT
    if not scripts <= set().union(*_SCRIPTS):
        raise BadName("A name can be in any alphabet in use today; this one is in another.")
    if not any(scripts <= together for together in _SCRIPTS):
        raise BadName(
            "Please use one alphabet only: letters from another could imitate someone's name."
        )
    if (compared := key(name)) in _RESERVED or "(you)" in compared:
        raise BadName("These pages use that name for someone else. Please choose another one.")
    if len(name) > LONGEST_STORED:
        raise BadName("This name has too many joined emoji or accents. Please use fewer.")
    return name


def key(name: str) -> str:
    """Return what names are compared by: two that share it cannot be told apart when read aloud.

    Case, spaces and the invisible parts of emoji do not count. The key of a key is itself.

    >>> key("AMBER  otter") == key("Amber Otter")
    True
    >>> key("Straße")
    'strasse'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    folded = re.sub(r"[\s\u200d\ufe0e\ufe0f]+", "", folded)
    # What was removed may have kept a letter and its accent apart.
    return folded if folded == name else key(folded)


def _normalised(text: str) -> str:
    """Return a text in NFKC, without idle selectors, runs of spaces and spaces at its ends."""
    name = unicodedata.normalize("NFKC", text)
    # Where NFKC made a letter of a picture, its selector is left behind.
    pairs = zip(f" {name}", name, strict=False)
    name = "".join(one for before, one in pairs if one not in _SELECTORS or _kind(before) in "PTD")
    return re.sub(" +", " ", unicodedata.normalize("NFKC", name)).strip(" ")


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    return _KIND.get(character) or _KIND.get(category, "L" if category[0] in "LN" else "-")


def _script(character: str) -> str:
    """Return the first word of the name of a letter, mark or digit: as a rule, its script."""
    spelt = unicodedata.category(character) in _SPELT
    return unicodedata.name(character, "").partition(" ")[0] if spelt else "DIGIT"
