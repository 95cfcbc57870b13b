"""Names of players: friendly ones to begin with, and the rules for one of somebody's own.

May import nothing of ``webapp``.
"""

from __future__ import annotations

import random
import unicodedata

import regex

LONGEST = 20
"""How many characters a name has at the most, as people count them."""

LONGEST_STORED = 80
"""How many code points a name has at the most; its key may have twice as many."""

LONGEST_READ = 400
"""How many code points are looked at: what is longer is refused unread."""

MOST_MARKS = 3
"""How many accents or other combining marks may stand on one character."""

# Plain words, friendly in every combination. Whoever adds one thinks of British and of American
# slang, of what names a body, a people, a faith or a party, and of the seam: "Polar Seal" is
# well until the space goes. Words that look alike are left out.
ADJECTIVES = tuple(
    """
    Active Agile Alert Alpine Amazing Amber Arctic Autumn Azure Bold Brave Breezy Bright Brilliant
    Busy Calm Carefree Cheerful Clever Cobalt Copper Cosmic Creative Curious Dazzling Diamond
    Dynamic Eager Electric Elegant Emerald Epic Famous Fearless Festive Friendly Frosty Galactic
    Garnet Generous Gentle Glowing Golden Granite Happy Heroic Honest Hopeful Humble Inventive Jade
    Jazzy Jolly Joyful Keen Kind Lilac Lively Loyal Lucky Luminous Lunar Lyrical Magic Majestic
    Maple Meadow Merry Mindful Misty Moonlit Musical Neat Noble Opal Patient Peaceful Pearl Playful
    Poetic Polar Polite Quantum Quick Radiant Rapid Reliable Ruby Sapphire Serene Smart Smiling
    Snowy Sparkling Spirited Splendid Spring Starry Stellar Summer Sunny Superb Swift Topaz Tranquil
    Tuneful Turquoise Upbeat Vibrant Violet Vivid Winter Wise
    """.split()  # noqa: SIM905 - a word a line would be a long column
)
ANIMALS = tuple(
    """
    Alpaca Antelope Armadillo Axolotl Badger Barracuda Beetle Bison Bluebird Bobcat Canary Capybara
    Caribou Chameleon Chipmunk Cicada Corgi Crane Cricket Crocodile Dolphin Dormouse Dragonfly Eagle
    Echidna Elk Emu Falcon Fawn Finch Firefly Flamingo Fox Gazelle Gecko Gosling Greyhound Guppy
    Hamster Hedgehog Heron Honeybee Ibex Jaguar Kangaroo Kestrel Koala Labrador Lapwing Leopard Lion
    Lynx Macaw Mallard Mantis Marlin Marmot Meerkat Moth Mustang Narwhal Nautilus Ocelot Octopus
    Osprey Otter Owl Panda Parakeet Partridge Pelican Penguin Platypus Possum Puffin Quokka Raven
    Reindeer Retriever Robin Sandpiper Shark Skylark Spaniel Sparrow Squirrel Starling Stingray Swan
    Swordfish Terrapin Tiger Toucan Turtle Wallaby Warbler Wolf Wolverine Wombat Wren
    """.split()  # noqa: SIM905
)

# The scripts that people write in today, by their ISO 15924 codes: the recommended and limited-use
# ones of Unicode Standard Annex 31, tables 5 and 7, and Mongolian. Those of the past hold rude
# pictures, very wide ones, and empty ones.
_SCRIPTS = """
    Adlm Arab Armn Bali Bamu Batk Beng Bopo Cakm Cans Cham Cher Cyrl Deva Ethi Geor Grek Gujr Guru
    Hang Hani Hebr Hira Hmnp Java Kali Kana Khmr Knda Lana Laoo Latn Lepc Limb Lisu Mand Mlym Mong
    Mtei Mymr Newa Nkoo Olck Orya Osge Plrd Rohg Saur Sinh Sund Sylo Syrc Tale Talu Taml Tavt Telu
    Tfng Thaa Thai Tibt Vaii Wcho Yiii
    """.split()  # noqa: SIM905
# Written together in one language; Unicode Technical Standard 39, section 5.1, counts each as one.
_TOGETHER = (("Hani", "Hira", "Kana"), ("Hani", "Bopo"), ("Hani", "Hang"))


def _characters_of(*scripts: str) -> str:
    """Return the class of all characters of these scripts, and of those that belong to any."""
    members = "".join(rf"\p{{Script={script}}}" for script in ("Zyyy", "Zinh", *scripts))
    return f"[{members}]*"


_EVERYDAY = regex.compile(_characters_of(*_SCRIPTS))
_ONE_SCRIPT = regex.compile(
    "|".join(_characters_of(*scripts) for scripts in (*_TOGETHER, *zip(_SCRIPTS, strict=True)))
)


def _region(code: str) -> str:
    """Return the flag of a part of a country: a black flag, and its code in invisible letters."""
    return "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in code) + "\U000e007f"


# What the pages call others by: nobody else may be called so.
_MEANT_OTHERWISE = frozenset(
    """
    you me x o draw nobody somebody someone classmate aclassmate friend afriend player theplayer
    computer thecomputer easy medium hard human minimax slips corners forks fork-blocker scenarios
    rulelist
    """.split()  # noqa: SIM905
)

# Emoji are pictures joined by characters that nobody sees. The longest sequences have four, for a
# family; three flags are spelt in invisible letters; a keycap is a digit that wears two marks.
_PICTURE = r"(?!\p{Cn})\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\uFE0E\uFE0F])?"
_EMOJI = regex.compile(
    "|".join(
        (
            *map(_region, ("gbeng", "gbsct", "gbwls")),
            rf"{_PICTURE}(?:\u200D{_PICTURE}){{0,3}}",
            r"\p{Regional_Indicator}",
            r"[0-9#*]\uFE0F?\u20E3",
        )
    )
)
_ANY_PICTURE = "\u263a"  # stands for an emoji while the rest of a name is looked at
# The choice between a coloured and a plain picture, where NFKC made a letter of the picture.
_IDLE_SELECTOR = regex.compile(r"(?<!\p{Extended_Pictographic})[\uFE0E\uFE0F](?!\u20E3)")

# A Korean laugh of three letters is three, although NFKC leaves it as one grapheme cluster.
_CHARACTER = regex.compile(r"\p{Hangul_Syllable_Type=L}|\X")
_READABLE = regex.compile(r"[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]")
_SPACES = regex.compile(r"\x20+")
_NOT_COMPARED = regex.compile(r"[\s\u200D\uFE0E\uFE0F]+")

_TOO_NEW = "This name contains a character that not every device can show; please leave it out."
# Searched for in this order, emoji aside, so that the plainest cause is named.
_REFUSED = (
    (
        regex.compile(r"[\p{Cc}\p{Zl}\p{Zp}]"),
        "A name is one line of text, without tabs, line breaks or other control characters.",
    ),
    (
        regex.compile(r"\p{Bidi_Control}"),
        "A name cannot contain characters that change the direction of writing.",
    ),
    (
        regex.compile(r"[\p{Cs}\uFFFD]"),
        "Part of this name was lost on its way here; please type it again.",
    ),
    (
        regex.compile(r"[\p{Co}\p{Cn}]"),
        _TOO_NEW,
    ),
    (
        # The last two are symbols that are drawn as nothing.
        regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}\uFFFC\U0001D159]|(?!\x20)\p{Zs}"),
        "This name contains an invisible character; please type it without.",
    ),
    (
        regex.compile(r"(?:^|\x20)\p{M}"),
        "An accent in this name has no letter to stand on; please put it on one.",
    ),
    (
        regex.compile(rf"\p{{M}}{{{MOST_MARKS + 1}}}"),
        f"This name piles up accents; at most {MOST_MARKS} can stand on one letter.",
    ),
)


class BadName(ValueError):  # noqa: N818 - read as "bad name", the verdict
    """A name that nobody can have; the message says why, to the person who typed it."""


def generated(rng: random.Random) -> str:
    """Return a friendly name, every adjective and every animal as likely as any other.

    >>> generated(random.Random(7))
    'Glowing Crocodile'
    """
    return f"{rng.choice(ADJECTIVES)} {rng.choice(ANIMALS)}"


def checked(text: str) -> str:
    """Return a name of somebody's own as it is kept: in NFKC, and with no more spaces than needed.

    Any text may come in, lone surrogates included. Upper and lower case stay as typed, and nothing
    is judged by its meaning; a page escapes and clips a name like all other text.

    :raises BadName: if it is empty, too long, not to be read by everybody, or mixes scripts; the
        message is a sentence without any part of the text

    >>> checked("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    if len(text) > LONGEST_READ:
        raise BadName(f"A name has at most {LONGEST} characters; this text has far more.")
    name = _normalised(text)
    if not name:
        raise BadName("A name cannot be empty.")
    _refuse_characters(_EMOJI.sub(_ANY_PICTURE, name))
    characters = sum(1 for _ in _CHARACTER.finditer(name))
    if characters > LONGEST:
        raise BadName(f"A name has at most {LONGEST} characters; this one has {characters}.")
    if not _EVERYDAY.fullmatch(name):
        raise BadName(
            "Names can be written in any script that is in use today; this one is in another."
        )
    if not _ONE_SCRIPT.fullmatch(name):
        raise BadName(
            "A name is written in one script; letters of another one could imitate somebody's name."
        )
    if not _READABLE.search(name):
        raise BadName("A name needs at least one letter, digit or emoji.")
    if (compared := key(name)) in _MEANT_OTHERWISE or "(you)" in compared:
        raise BadName("The pages call somebody else by this name; please choose another one.")
    if len(name) > LONGEST_STORED:
        raise BadName(
            "This name has too many joined emoji or accents to be kept; please use fewer."
        )
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
    folded = _NOT_COMPARED.sub("", folded)
    # What was removed may have kept a letter and its accent apart.
    return folded if folded == name else key(folded)


def _normalised(text: str) -> str:
    """Return a text in NFKC, without idle selectors, runs of spaces and spaces at its ends."""
    name = _IDLE_SELECTOR.sub("", unicodedata.normalize("NFKC", text))
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", name)).strip(" ")


def _refuse_characters(name: str) -> None:
    """Raise ``BadName`` where a name, its emoji replaced, holds what nobody's name may hold."""
    for pattern, sentence in _REFUSED:
        if pattern.search(name):
            raise BadName(sentence)
    # `regex` may know a later Unicode than Python, whose NFKC and casefold then leave a character
    # alone until the day Python learns it. Emoji have neither.
    if any(unicodedata.category(character) == "Cn" for character in name):
        raise BadName(_TOO_NEW)
