import random
import re
import unicodedata
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.names import _LOOKS, FORMS, LEFT, WORDS, BadName, Face, Player, checked, generated, key

STATIC = Path(__file__).parents[2] / "static"
EVERY = {
    code: [form.format(word=word, animal=animal) for word, animal in product(*WORDS[code])]
    for code, form in FORMS.items()
}


def test_every_generated_name_is_a_good_name_of_its_own_drawn_by_chance_alone() -> None:
    for code, names in EVERY.items():
        assert [checked(name) for name in names] == names
        assert len({key(name) for name in names}) == len(names) >= 10_000
        assert max(map(len, names)) <= 20
        drawn = {generated(random.Random(seed), code) for seed in range(200)}
        assert drawn <= {*names}
        assert len(drawn) > 190
    assert generated(random.Random(1), "pt") == generated(random.Random(1), "en")


GOOD = """
    a|O'Neil|Mr. Smith|Sen|Du|Jean-Luc|Ada 7|7|Nguyễn Thị Ánh|Фёдор|محمد علي|مُحَمَّد|प्रिया|สมชาย|さくら
    山田タロウさん|김민준|Işıl İnci|Lehrer|Y o u|Аda|-.'a'.-
    """
TIDIED = {
    **{name.strip(): name.strip() for name in re.split(r"[|\n]", GOOD) if name.strip()},
    **{name: name for name in ("a" * 24, "x\u0301\u0302\u0303" * 20)},
    "\u00a0Ada\n \u2009Lovelace\u00a0": "Ada Lovelace", "O\u2019Neil": "O'Neil",
    "\u02bcAda\u2018": "'Ada'", "Ａｄａ　７": "Ada 7", "Zoe\u0308": "Zoë",
}  # fmt: skip
BAD = {
    "1 to 24 characters": (
        *("", " \u00a0\u3000 ", "a" * 25, "e\u0301" * 25, "x\u0301\u0302\u0303" * 24, "a" * 999),
    ),
    "is made of letters": (
        *("Ada\x00", "Ada\ud800", "Ada\ue000", "\u202aAda\u202c", "A\u200dda", "A\u00adda"),
        *("A\u034fda", "\u3164", "Ada\ufe00", "\u2800", "\u0301Ada"),
        "Z\u0351\u0343\u030d\u0312ada",
        *("😀", "<b>Ada</b>", "=1+1", "@Ada", "Ada (you)", "Ada!", "½", "...", "-", "'"),
    ),
    "is reserved": (
        *("Teacher", "HOST", "computer", "Menace", "easy", "Hard", "You", " a  player who LEFT"),
        LEFT,
    ),
}


def test_a_good_name_is_kept_as_it_is_written_and_a_bad_one_refused_with_a_sentence() -> None:
    for text, name in TIDIED.items():
        assert checked(text) == name
    for why, texts in BAD.items():
        for text in texts:
            with pytest.raises(BadName, match=why):
                checked(text)


TROUBLE = st.sampled_from(
    [
        *"aBßıİéﬁＡ™²ΐᾳςǰKЖאمﷺکषངनさカｶﾞ山김각71#-.'’ \u00a0\u3000´¨\u0345\u094d\u0f71",
        *"\u0301\u0308\u20e3\u3099\u034f😀\u200d\ufe0e\u202e\u3164\U000e0067\x00\n\ud800\u0378",
    ]
)


@given(
    st.lists(st.characters() | TROUBLE, max_size=30).map("".join)
    | st.builds(lambda text, times: text * times, TROUBLE, st.integers(0, 100))
)
def test_every_text_is_a_good_name_or_a_bad_one(text: str) -> None:
    try:
        name = checked(text)
    except BadName:
        return
    assert (checked(name), key(name)) == (name, key(text))
    assert len(name) <= 80
    assert len(key(name)) <= 240
    assert name == " ".join(unicodedata.normalize("NFKC", name).split())
    kinds = "".join(unicodedata.category(one)[0] for one in name)
    assert {*kinds} <= {*"LMNZP"}
    assert "MMMM" not in kinds


def test_names_that_differ_by_case_alone_collide_and_others_do_not() -> None:
    for same in (
        *("Amber Otter|AMBER  otter", "Straße|STRASSE|STRAẞE", "ﬁx|FIX", "Zoë|ZOE\u0308"),
        *("Νίκος|ΝΊΚΟΣ", "İpek|ipek|IPEK|ıpek|I\u0307pek", "O'Neil|o\u2019neil"),
    ):
        assert len({key(name) for name in same.split("|")}) == 1, same
    names = ["Ada", "Adah", "Ada1", "Аda", "Zoë", "Zoe", "Jean-Luc", "Jean Luc", "Bob", "B0b"]
    assert len({key(name) for name in names}) == len(names)


def test_every_dealt_name_has_a_face_that_is_drawn_and_tinted_by_day_and_night() -> None:
    drawn = {*re.findall(r'<symbol id="(\w+)"', (STATIC / "drawings.svg").read_text("utf-8"))}
    css = (STATIC / "app.css").read_text("utf-8")
    tints = re.findall(r"\.(\w+) { --day: #\w{6}; --night: #\w{6}; }", css)
    assert len(tints) == 12
    for code, names in EVERY.items():
        faces = [Player("", None, name).face for name in names]
        # The words and animals of other languages change none of them.
        (tint, drawing), pairs = _LOOKS[code], product(*WORDS[code])
        assert faces == [Face(drawing[animal], tint[word]) for word, animal in pairs]
        assert {face.drawing for face in faces} <= drawn - {"paw"}
        assert {face.tint for face in faces} == {*tints}


def test_a_face_is_that_of_the_dealt_name_or_else_of_the_player_whatever_the_name_is() -> None:
    for dealt, drawing, tint in (
        *(("Amber Otter", "otter", "amber"), ("Ruby Corgi 12", "dog", "ruby")),
        *(("Mond-Igel 12", "hedgehog", "pearl"), ("Lince Veloz", "cat", "copper")),
        *(("Écureuil Étoile 12", "squirrel", "cobalt"), ("Ada Lovelace", "paw", "pearl")),
        *(("ثعلب ذكي", "fox", "teal"), ("快乐小狐 12", "fox", "sun")),
    ):
        assert Player("", "Zoe", dealt).face == Face(drawing, tint)
    faces = {Player(str(n), "Zoe").face for n in range(100)}
    assert len(faces) > 50
    assert "paw" not in {face.drawing for face in faces}
    assert Player("7", "Zoe").face == Player("7", "Ada").face == Face("otter", "sun")
    assert Player("7", None).face == Face("paw", "pearl")
