import random
import re
import sys
import unicodedata
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engines.registry import ENGINES
from webapp.names import ADJECTIVES, ANIMALS, BadName, checked, generated, key

EVERY = [f"{adjective} {animal}" for adjective, animal in product(ADJECTIVES, ANIMALS)]

ZWJ, ZWNJ, COLOURED = "\u200d", "\u200c", "\ufe0f"
FAMILY = ZWJ.join("👨👩👧👦")
ENGLAND = "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbeng") + "\U000e007f"
TEXAS = "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "ustx") + "\U000e007f"

EMPTY, FAR_TOO_LONG, ONE_LINE = "cannot be empty", "this text has far more", "one line of text"
DIRECTION, LOST, UNKNOWN = "direction of writing", "lost on its way here", "not every device"
INVISIBLE, LOOSE, PILED = "an invisible character", "no letter to stand on", "piles up accents"
PAST, MIXED = "this one is in another", "written in one script"
NOTHING, TOO_MUCH = "at least one letter, digit or emoji", "too many joined emoji or accents"


def too_long(characters: int) -> str:
    return f"at most 20 characters; this one has {characters}"


# --- generated names ----------------------------------------------------------------------------


@pytest.mark.parametrize("words", [ADJECTIVES, ANIMALS], ids=["adjectives", "animals"])
def test_the_words_are_many_short_plain_and_in_order(words: tuple[str, ...]) -> None:
    assert len(words) >= 100
    assert list(words) == sorted(set(words))
    assert all(re.fullmatch("[A-Z][a-z]{2,8}", word) for word in words)


def apart(one: str, other: str) -> int:
    """How many letters must be put in, taken out or changed to make one word of the other."""
    row = list(range(len(other) + 1))
    for letter in one:
        before, row[0] = row[0], row[0] + 1
        for place, theirs in enumerate(other, 1):
            before, row[place] = (
                row[place],
                min(before + (letter != theirs), row[place] + 1, row[place - 1] + 1),
            )
    return row[-1]


def test_no_word_can_be_taken_for_another() -> None:
    for one, other in combinations([word.lower() for word in ADJECTIVES + ANIMALS], 2):
        assert apart(one, other) > 1, (one, other)
        assert one not in other, (one, other)
        assert other not in one, (one, other)
    for words in (ADJECTIVES, ANIMALS):
        for one, other in combinations(words, 2):
            short = min(len(one), len(other)) < 5
            assert short or apart(one, other) > 2, (one, other)


RUDE = """
    abo anal anus arse ass bastard bitch bollock boob breast bugger bum butt clit cock coon cougar
    crap cum cunt dago damn dead devil dick die dildo dyke fag fanny fart fat feck fetish fuck gay
    gimp git god gook gyp hell hoe homo honky hooker idiot jap jew jizz jugs kike kill kinky kkk
    knob kraut lesb lick minge moron muff muslim nazi negro nig nonce nude oral orgy pagan paki
    pansy pee penis perv pikey piss poo porn prat prick pube puke queer rape rapist retard satan
    scum semen sex shag shit skank slag slut smut snot sod spaz sperm spic stupid suck tard teat
    tit tosser tramp tranny turd twat twit ugly urine vagin virgin wank weed whore willy wimp wog
    wop
    """.split()  # noqa: SIM905


def test_no_two_words_make_a_rude_one() -> None:
    for name in EVERY:
        for text in (name.lower(), name.lower().replace(" ", "")):
            assert not [rude for rude in RUDE if rude in text], name


def test_every_generated_name_is_a_good_name_of_its_own() -> None:
    assert [checked(name) for name in EVERY] == EVERY
    assert len({key(name) for name in EVERY}) == len(EVERY)


def test_names_are_drawn_by_chance_alone() -> None:
    drawn = {generated(random.Random(seed)) for seed in range(200)}
    assert drawn <= set(EVERY)
    assert len(drawn) > 190
    assert generated(random.Random(1)) == generated(random.Random(1))


# --- names that players choose ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,name",
    [
        ("a", "a"),
        ("McGregor the 2nd", "McGregor the 2nd"),
        ("aaaaaaaaaaaaaaaaaaaa", "a" * 20),
        ("  Ada   Lovelace  ", "Ada Lovelace"),
        ("\u00a0Ada\u3000\u2009Lovelace\u00a0", "Ada Lovelace"),
        (" " * 380 + "a" * 20, "a" * 20),
        ("'; DROP TABLE x; --", "'; DROP TABLE x; --"),
        ("<b>Ada</b> & {{x}}", "<b>Ada</b> & {{x}}"),
        # Scripts, each by itself, and those that belong together.
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("Фёдор", "Фёдор"),
        ("сосо", "сосо"),  # Cyrillic throughout
        ("محمد علي", "محمد علي"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("प्रिया", "प्रिया"),
        ("สมชาย", "สมชาย"),
        ("さくら", "さくら"),
        ("山田タロウさん", "山田タロウさん"),
        ("王小明", "王小明"),
        ("王ㄒㄧㄠ", "王ㄒㄧㄠ"),
        ("김민준", "김민준"),
        ("Ada ★ 7", "Ada ★ 7"),
        # What NFKC makes of it.
        ("Ａｄａ　７", "Ada 7"),
        ("Ⓐⓓⓐ", "Ada"),
        ("Zoe\u0308", "Zoë"),
        # A picture that became letters leaves no selector behind.
        ("Ada™️", "AdaTM"),
        ("a\ufe0f\u0301", "á"),
        # Turkish and German keep their letters.
        ("Işıl İnci", "Işıl İnci"),
        # Emoji.
        ("😀", "😀"),
        (FAMILY, FAMILY),
        (FAMILY * 11, FAMILY * 11),
        (ENGLAND, ENGLAND),
        ("👍🏽 ❤️ 1️⃣ #️⃣ 🏳️‍🌈 🏴‍☠️ 👩🏾‍🚀", "👍🏽 ❤️ 1️⃣ #️⃣ 🏳️‍🌈 🏴‍☠️ 👩🏾‍🚀"),
        ("🧑🏻‍❤️‍💋‍🧑🏼 🏃🏽‍♀️‍➡️ 👨‍🦰 🐦‍⬛ ⛓️‍💥 👁️‍🗨️", "🧑🏻‍❤️‍💋‍🧑🏼 🏃🏽‍♀️‍➡️ 👨‍🦰 🐦‍⬛ ⛓️‍💥 👁️‍🗨️"),
        ("🩷🫨", "🩷🫨"),  # younger than the Unicode of Python 3.11
        # As many accents as one letter may have.
        ("x\u0301\u0302\u0303" * 20, "x\u0301\u0302\u0303" * 20),
    ],
)
def test_a_good_name_is_kept_as_it_is_written(text: str, name: str) -> None:
    assert checked(text) == name


@pytest.mark.parametrize(
    "text,why",
    [
        ("", EMPTY),
        (" ", EMPTY),
        (" \u00a0\u3000 ", EMPTY),
        ("a" * 21, too_long(21)),
        ("e\u0301" * 21, too_long(21)),
        ("🇩🇪" * 21, too_long(21)),
        ("ㅋ" * 21, too_long(21)),  # one cluster in NFKC, but nobody counts so
        ("a" * 401, FAR_TOO_LONG),
        (" " * 401, FAR_TOO_LONG),
        # Not one line of text.
        ("Ada\x00", ONE_LINE),
        ("Ada\nLovelace", ONE_LINE),
        ("Ada\x1b[31m", ONE_LINE),
        ("Ada\u2028Lovelace", ONE_LINE),
        # The direction of writing.
        ("Ada \u202eecalevoL", DIRECTION),
        ("\u202aAda\u202c", DIRECTION),
        ("Ada\u200f", DIRECTION),
        # Broken on the way.
        ("Ada\ud800", LOST),
        ("Ada \ufffd", LOST),
        # Shown differently everywhere, or nowhere.
        ("Ada\ue000", UNKNOWN),
        ("Ada\u0378", UNKNOWN),
        ("Ada\U0001fffd", UNKNOWN),  # kept for an emoji to come
        # Invisible.
        ("A\u200bda", INVISIBLE),
        ("A\u00adda", INVISIBLE),
        ("A\u034fda", INVISIBLE),
        ("\u3164", INVISIBLE),
        ("Ada\U0001d159", INVISIBLE),
        ("Ada\ufe00", INVISIBLE),
        ("Ada\U000e0041", INVISIBLE),
        ("A" + ZWJ + "da", INVISIBLE),
        ("نمی" + ZWNJ + "دانم", INVISIBLE),
        ("👩" + ZWJ, INVISIBLE),
        (ZWJ + "👩", INVISIBLE),
        (ZWJ.join("👩👩👩👩👩"), INVISIBLE),
        (TEXAS, INVISIBLE),
        (ENGLAND[:-1], INVISIBLE),
        # Accents.
        ("Z\u0351\u0343\u030d\u0312ada", PILED),
        ("\u0301Ada", LOOSE),
        ("O \u0301Neil", LOOSE),
        ("O´Neil", LOOSE),  # NFKC makes a space and an accent of it
        ("\u20e3", LOOSE),
        # Scripts.
        ("Аda", MIXED),  # a Cyrillic А
        ("pаypal", MIXED),
        ("Οliver", MIXED),  # a Greek Ο
        ("さくら김", MIXED),
        ("カナㄅ", MIXED),
        ("𓀀", PAST),
        ("ᚠᛇᚻ", PAST),
        ("\u2800", INVISIBLE),
        ("🅨🅞🅤", NOTHING),
        # Nothing that anybody could call a name.
        ("-", NOTHING),
        ("... !?", NOTHING),
        # Within twenty characters, but too much for the column.
        (FAMILY * 12, TOO_MUCH),
        ("🧑🏻‍❤️‍💋‍🧑🏼" * 11, TOO_MUCH),
    ],
)
def test_a_bad_name_is_refused_with_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        checked(text)


@pytest.mark.parametrize(
    "text",
    [
        *("You", "you", " Y O U ", "Me", "X", "o", "Somebody", "A classmate", "Ada (you)"),
        *(engine.name for engine in ENGINES.values()),
    ],
)
def test_nobody_is_called_what_the_pages_call_others(text: str) -> None:
    with pytest.raises(BadName, match="somebody else"):
        checked(text)


@pytest.mark.parametrize(
    "emoji",
    ["🇩🇪", FAMILY, ENGLAND, "👍🏽", "❤️", "1️⃣", "🏳️‍🌈", "🧑🏻‍❤️‍💋‍🧑🏼", "🏃🏽‍♀️‍➡️", "👩🏾‍🚀"],
)
def test_an_emoji_counts_as_one_character_however_it_is_made(emoji: str) -> None:
    assert checked("a" * 19 + emoji) == "a" * 19 + emoji
    with pytest.raises(BadName, match="this one has 21"):
        checked("a" * 20 + emoji)


TROUBLE = st.sampled_from(
    [
        *"aBßıİéﬁＡ™²ΐᾳςǰKЖאمﷺकषངནさカｶﾞ山ㄅ김ㅋ각71#- \u00a0\u3000´¨\u0345\u094d\u093f\u0f71",
        *"\u0301\u0308\u0327\u20e3\u3099\u034f😀👩❤ℹ🏴🏽🇩🇪🩷♂㊙🈁\U0001fffd\u200c\ufe0e\u200b\u202e\u2066",
        *"\u3164\U000e0067\U000e007f\x00\n\u2028\ud800\udfff\ue000\u0378",
        *(ZWJ, ZWJ, COLOURED, COLOURED, FAMILY, ENGLAND, TEXAS, "👍🏽", "1️⃣", "क्षि"),
    ]
)
ANYTHING = st.one_of(
    st.text(st.characters(), max_size=30),  # lone surrogates included
    st.lists(TROUBLE, max_size=12).map("".join),
    st.lists(st.one_of(st.characters(), TROUBLE), max_size=200).map("".join),
    st.builds(lambda text, times: text * times, TROUBLE, st.integers(0, 450)),
)
HIDDEN = {ZWJ, *map(chr, range(0xE0061, 0xE0080)), *map(chr, range(0x1FA70, 0x1FB00))}
"""What joins emoji, the letters of three flags, and emoji that are newer than this Python."""
NEVER = set("\u200b\u200c\u200e\u202e\u2066\ufeff\ufffd\u3164\u1160")


def verdict(text: str) -> str | None:
    """The name as it is kept, or None where it is refused; whatever else is raised is a fault."""
    try:
        return checked(text)
    except BadName:
        return None


def check(name: str) -> None:
    """Hold a name that was let through against what is promised of every name."""
    assert checked(name) == name
    assert 1 <= len(name) <= 80
    assert 1 <= len(key(name)) <= 160
    assert key(key(name)) == key(name)
    assert unicodedata.is_normalized("NFKC", name)
    assert name == " ".join(name.split())
    assert name.encode()  # no surrogate is left
    assert not NEVER & set(name)
    hidden = {one for one in name if unicodedata.category(one)[0] == "C"}
    assert hidden <= HIDDEN, "control characters, lost and private ones, and most invisible ones"
    marks = "".join("M" if unicodedata.category(one)[0] == "M" else "-" for one in name)
    assert "M" * 6 not in marks


@given(ANYTHING)
def test_every_text_is_a_good_name_or_a_bad_one(text: str) -> None:
    assert key(key(text)) == key(text)
    assert not re.search(r"\s", key(text))
    name = verdict(text)
    if name is not None:
        check(name)
        assert key(name) == key(text)
        assert key(name) == key(name.upper()) or "ı" in name.lower()


def test_every_single_character_is_a_good_name_or_a_bad_one() -> None:
    good = set()
    for character in map(chr, range(sys.maxunicode + 1)):
        # One letter stands for the many thousands of Han and Hangul.
        name = unicodedata.name(character, "CJK UNI")
        if not name.startswith(("CJK UNI", "HANGUL SYL")) and verdict(character) is not None:
            check(checked(character))
            good.add(character)
    assert {"a", "Ω", "ж", "ש", "の", "७", "😀"} <= good


def test_a_name_is_written_in_one_script() -> None:
    kinds = (
        "Latin",
        "Cyrillic",
        "Greek",
        "Arabic",
        "Han",
        "Hiragana",
        "Katakana",
        "Hangul",
        "Bopo",
    )
    letters = dict(zip(kinds, "zжωم山さカ김ㄅ", strict=True))
    together = {
        frozenset(pair)
        for pair in (
            *combinations(("Han", "Hiragana", "Katakana"), 2),
            *(("Han", "Hangul"), ("Han", "Bopo")),
        )
    }
    for one, other in combinations(letters, 2):
        # What belongs to any script changes nothing.
        mixed = verdict(f"{letters[one]} 7-★ {letters[other]} 😀")
        assert (mixed is not None) == (frozenset((one, other)) in together), (one, other)


# --- what names are compared by -----------------------------------------------------------------


@pytest.mark.parametrize(
    "name,same",
    [
        ("Amber Otter", "AMBER  otter"),
        ("Amber Otter", "amberotter"),
        ("Amber Otter", " a m b e r\to t t e r\n"),
        ("Ada", "Ａｄａ"),
        ("Straße", "STRASSE"),
        ("Straße", "STRAẞE"),
        ("ﬁx", "FIX"),
        ("Zoë", "ZOE\u0308"),
        ("Zoë", "Zoe \u0308"),  # no such name is kept, yet its key holds still
        ("Νίκος", "ΝΊΚΟΣ"),
        ("ᾳ", "ΑΙ"),
        ("K", "k"),
        ("❤️", "❤"),
        (FAMILY, "👨👩👧👦"),
        ("ㅋㅏ", "카"),
        ("İ", "i\u0307"),
    ],
)
def test_names_that_look_alike_collide(name: str, same: str) -> None:
    assert key(name) == key(same)


@pytest.mark.parametrize(
    "name,other",
    [
        ("Ada", "Adah"),
        ("Ada 1", "Ada 2"),
        ("Zoë", "Zoe"),
        ("Işıl", "Isil"),
        ("ırmak", "irmak"),  # Turkish: two letters
        ("сосо", "coco"),
        ("🇩🇪", "🇫🇷"),
        (ENGLAND, "🏴"),
        ("👍🏽", "👍"),
    ],
)
def test_other_names_do_not(name: str, other: str) -> None:
    assert key(name) != key(other)


def test_a_key_is_readable_and_stays_the_same_for_good() -> None:
    """Databases hold them."""
    names = ("Amber Otter", "Groß", "Ⓐda", "Zoe\u0308 2", "❤️ 山田", FAMILY)
    assert list(map(key, names)) == ["amberotter", "gross", "ada", "zoë2", "❤山田", "👨👩👧👦"]
