import random
import re
import sys
import unicodedata
from itertools import combinations, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engines.registry import ENGINES
from webapp.names import FORMS, WORDS, BadName, Face, Player, checked, generated, key

STATIC = Path(__file__).parents[2] / "static"
CSS = (STATIC / "app.css").read_text(encoding="utf-8")
EVERY = {
    code: [form.format(word=word, animal=animal) for word, animal in product(*WORDS[code])]
    for code, form in FORMS.items()
}

EMPTY, FAR_TOO_LONG = "cannot be empty", "this text has far more"
OTHER, SHAPE = "is made of letters and digits", "begins and ends with a letter or a digit"
PAST, MIXED = "this one is in another", "one alphabet only"
TAKEN = "for someone else"


def too_long(characters: int) -> str:
    return f"at most 20 characters; this one has {characters}"


# --- generated names ----------------------------------------------------------------------------


@pytest.mark.parametrize("code", FORMS)
def test_the_words_are_many_and_short_and_none_stands_in_another(code: str) -> None:
    words, animals = WORDS[code]
    assert min(len(words), len(animals)) >= 100
    assert max(map(len, words + animals)) <= 9
    for one, other in permutations(map(str.lower, words + animals), 2):
        assert one not in other


RUDE = {
    "en": """
        abo anal anus arse ass bastard bitch bollock boob breast bugger bum butt clit cock coon
        cougar crap cum cunt dago damn dead devil dick die dildo dyke fag fanny fart fat feck fetish
        fuck gay gimp git god gook gyp hell hoe homo honky hooker idiot jap jew jizz jugs kike kill
        kinky kkk knob kraut lesb lick minge moron muff muslim nazi negro nig nonce nude oral orgy
        pagan paki pansy pee penis perv pikey piss poo porn prat prick pube puke queer rape rapist
        retard satan scum semen sex shag shit skank slag slut smut snot sod spaz sperm spic stupid
        suck tard teat tit tosser tramp tranny turd twat twit ugly urine vagin virgin wank weed
        whore willy wimp wog wop
        """,
    "de": """
        arsch asi assi behindert blut blöd busen depp dick doof dumm esel feig fett fick fotze furz
        gans gay hitler hure hässlich idiot jude kack kalb kanak kitzler kot kotz kraut krüppel kuh
        lahm leiche lesb loser lümmel mist mongo mord muschi möse nackt nazi neger nutte opfer penis
        pimmel piss popo porn ratte rotz sau scheiss scheiß schlamp schwanz schwein schwul sex spast
        spinner stink teufel titte tote transe trauma trottel tunte weib wichs windel wurm zicke
        ziege zigeuner
        """,
    "es": """
        asno bastard bollera bolud borrach bruja burro cabron cabrón caca cagar cago cerdo chinga
        chocho cojon cojón coño culo demonio diablo droga estúpid fea feo follar gay gilipoll gitan
        gord hitler hostia huev idiota imbécil inútil joder joto judí lesb loca loco maric mear meón
        mierda moco mono moro muert naco nazi negr pedo pelotud pendej pene perra perro pezón pija
        pinche pis pito polla porn puta puto rata retras sex sudaca tarad teta tonta tonto vaca
        verga zorra
        """,
    "fr": """
        abruti arabe bais bicot bite boche boloss bordel bouffon bougn branl bâtard caca chatte
        chiant chien chier chiot clodo cochon con couill crotte crétin cul diable dinde débil encul
        enfer fesse foutr gay gitan gogol gouine gros hitler idiot imbécil juif laid lesb merd moch
        mong mort nazi nichon niqu nègr négr pd pipi piss porc porn prout pua puer put pédé péter
        raton salaud salop sexe stupid tapett thon trav trou truie tétin vache zizi
        """,
    "it": """
        bastard brutt cacca cagn cagna cazz coglion culo deficient ebre figa frocio gay grass idiot
        lesb merda mign nazi negro pene piss porc porn puttan scem scopa stronz stupid tett troia
        vacca vaffa zoccol
        """,
    "pl": """
        chuj cip cyc debil dup dziwk gej gnój gówn głup huj idiot jeb kupa kurw kutas lesb murzyn
        nazi pedał penis pierd pizd porn sraj srać suka szmat świni żyd
        """,
    "tr": """
        amcık aptal bok eşek gavat gerizekal göt ibne kahpe köpek lez meme orospu penis piç porno
        salak sik siki sikt taşak yarak yavşak
        """,
}
"""In the languages of those who are dealt names; some of them read English ones."""


@pytest.mark.parametrize("code", RUDE)
def test_no_two_words_make_a_rude_one(code: str) -> None:
    rude = re.compile("|".join(RUDE[code].split()))
    for name in EVERY.get(code, EVERY["en"]):
        for text in (name.lower(), re.sub("[ -]", "", name.lower())):
            assert not rude.search(text), name


@pytest.mark.parametrize("code", FORMS)
def test_every_generated_name_is_a_good_name_of_its_own(code: str) -> None:
    assert [checked(name) for name in EVERY[code]] == EVERY[code]
    assert len({key(name) for name in EVERY[code]}) == len(EVERY[code])


def test_names_are_drawn_by_chance_alone_in_the_language_or_in_english() -> None:
    for code in (*FORMS, "pl"):
        drawn = {generated(random.Random(seed), code) for seed in range(200)}
        assert drawn <= {*EVERY.get(code, EVERY["en"])}
        assert len(drawn) > 190
    assert generated(random.Random(1)) == generated(random.Random(1))


# --- names that players choose ------------------------------------------------------------------

KEPT = """
    a|McGregor the 2nd|Jean-Luc|Ada 7|7|Nguyễn Thị Ánh|Фёдор|сосо|محمد علي|مُحَمَّد|प्रिया|สมชาย
    さくら|山田タロウさん|王小明|王ㄒㄧㄠ|김민준|Işıl İnci
    """
"""Names in many scripts."""
GOOD = {
    **{name.strip(): name.strip() for name in re.split(r"[|\n]", KEPT) if name.strip()},
    **{name: name for name in ("a" * 20, "x\u0301\u0302\u0303" * 20)},
    "  Ada   Lovelace  ": "Ada Lovelace",
    "\u00a0Ada\u3000\u2009Lovelace\u00a0": "Ada Lovelace",
    " " * 380 + "a" * 20: "a" * 20,
    "Ａｄａ　７": "Ada 7",
    "Ⓐⓓⓐ": "Ada",
    "Zoe\u0308": "Zoë",
}
BAD = {
    EMPTY: ("", " ", " \u00a0\u3000 "),
    # The last is one cluster in NFKC, but nobody counts so.
    too_long(21): ("a" * 21, "e\u0301" * 21, "ㅋ" * 21),
    FAR_TOO_LONG: ("a" * 401, " " * 401),
    OTHER: (
        *("Ada\x00", "Ada\nLovelace", "Ada\u2028Lovelace", "Ada\ud800", "Ada \ufffd", "Ada\ue000"),
        *("Ada \u202eecalevoL", "\u202aAda\u202c", "Ada\u200f", "A\u200dda", "نمی\u200cدانم"),
        *("A\u200bda", "A\u00adda", "A\u034fda", "\u3164", "Ada\ufe00", "\u2800", "Ada\U000e0041"),
        *(
            "😀",
            "Ada ★",
            "<b>Ada</b>",
            "=1+1",
            "@Ada",
            "Ada (you)",
            "O'Neil",
            "... !?",
            "🅨🅞🅤",
            "Ⅷ²½",
        ),
    ),
    SHAPE: (
        *("Z\u0351\u0343\u030d\u0312ada", "\u0301Ada", "O \u0301Neil", "O´Neil"),
        *("-", "-Ada", "Ada-", "Ada--Grace", "Ada - Grace", "- -"),
    ),
    MIXED: ("Аda", "pаypal", "Οliver", "さくら김", "カナㄅ"),  # a Cyrillic А, а, a Greek Ο
    PAST: ("ᚠᛇᚻ",),
    TAKEN: (
        *("You", "you", " Y O U ", "Y0u", "Me", "X", "o", "0", "Somebody", "A classmate"),
        *(
            "Teacher",
            "Lehrerin",
            "Ein Mitschüler",
            "Tú",
            "L-Ordinateur",
            "Nessuno",
            "Ktoś",
            "İNSAN",
        ),
        *("A player who left", "C1assmate", *(engine.name for engine in ENGINES.values())),
    ),
}


@pytest.mark.parametrize("text,name", GOOD.items())
def test_a_good_name_is_kept_as_it_is_written(text: str, name: str) -> None:
    assert checked(text) == name


@pytest.mark.parametrize("text,why", [(text, why) for why in BAD for text in BAD[why]])
def test_a_bad_name_is_refused_with_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        checked(text)


TROUBLE = st.sampled_from(
    [
        *"aBßıİéﬁＡ™²ΐᾳςǰKЖאمﷺकषངநさカｶﾞ山ㄅ김ㅋ각71#- \u00a0\u3000´¨\u0345\u094d\u093f\u0f71",
        *"\u0301\u0308\u0327\u20e3\u3099\u034f😀ℹ♂㊙🈁\U0001fffd\u200c\u200d\ufe0e\u200b\u202e\u2066",
        *"\u3164\U000e0067\U000e007f\x00\n\u2028\ud800\udfff\ue000\u0378",
    ]
)
ANYTHING = st.one_of(
    st.text(st.characters(), max_size=30),  # lone surrogates included
    st.lists(TROUBLE, max_size=12).map("".join),
    st.lists(st.one_of(st.characters(), TROUBLE), max_size=200).map("".join),
    st.builds(lambda text, times: text * times, TROUBLE, st.integers(0, 450)),
)
NEVER = set("\u3164\u115f\u1160\u034f\ufe0f")
"""Letters and accents that show nothing."""


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
    assert not NEVER & set(name)
    categories = [unicodedata.category(one) for one in name]
    assert {*categories} <= {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Zs", "Pd"}
    assert "MMMM" not in "".join(category[0] for category in categories)


@given(ANYTHING)
def test_every_text_is_a_good_name_or_a_bad_one(text: str) -> None:
    assert key(key(text)) == key(text)
    assert not re.search(r"\s", key(text))
    name = verdict(text)
    if name is not None:
        check(name)
        assert key(name) == key(text)
        assert key(name) == key(name.upper())


def test_every_single_character_is_a_good_name_or_a_bad_one() -> None:
    good = set()
    for character in map(chr, range(sys.maxunicode + 1)):
        # One letter stands for the many thousands of Han and Hangul.
        name = unicodedata.name(character, "CJK UNI")
        if not name.startswith(("CJK UNI", "HANGUL SYL")) and verdict(character) is not None:
            check(checked(character))
            good.add(character)
    assert {"a", "Ω", "ж", "ש", "の", "७"} <= good


def test_a_name_is_written_in_one_script() -> None:
    together = set(map(frozenset, ("山さ", "山カ", "さカ", "山김", "山ㄅ")))
    for one, other in combinations("zжωم山さカ김ㄅ", 2):
        # What belongs to any script changes nothing.
        mixed = verdict(f"{one} 7-{other}")
        assert (mixed is not None) == (frozenset((one, other)) in together), (one, other)


# --- what names are compared by -----------------------------------------------------------------


SAME = [
    *(("Amber Otter", same) for same in ("AMBER  otter", "amberotter", " a m b e r\to t t e r\n")),
    *(("Ada", "Ａｄａ"), ("Straße", "STRASSE"), ("Straße", "STRAẞE"), ("ﬁx", "FIX"), ("K", "k")),
    # No such name as the second is kept, yet its key holds still.
    *(("Zoë", "ZOE\u0308"), ("Zoë", "Zoe \u0308"), ("Jean-Luc", "Jean Luc")),
    *(("Νίκος", "ΝΊΚΟΣ"), ("ᾳ", "ΑΙ"), ("ㅋㅏ", "카"), ("İ", "i\u0307"), ("ırmak", "irmak")),
    # In other scripts, and with a digit in the place of a letter.
    *(("Coca", "Соса"), ("Bob", "B0b"), ("BOB", "ВОВ"), ("Ian", "lan"), ("Lil", "1i1"), ("ë", "ё")),
    ("Kata", "Κατα"),
]
APART = [
    *(("Ada", "Adah"), ("Ada 1", "Ada 2"), ("Zoë", "Zoe"), ("Işıl", "Isil"), ("Фёдор", "Федор")),
    ("Анна", "Anna"),
]


def test_names_that_look_alike_collide_and_others_do_not() -> None:
    assert [pair for pair in SAME if key(pair[0]) != key(pair[1])] == []
    assert [pair for pair in APART if key(pair[0]) == key(pair[1])] == []


def test_a_key_stays_the_same_for_good() -> None:
    """Databases hold them."""
    names = ("Amber Otter", "Groß", "Ⓐda", "Zoe\u0308 2", "山田", "Соса")
    assert list(map(key, names)) == ["amberotter", "gross", "ada", "zoë2", "山田", "coca"]


# --- faces --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", FORMS)
def test_every_name_that_can_be_dealt_has_a_face_that_is_drawn_and_tinted_by_day_and_night(
    code: str,
) -> None:
    drawn = {*re.findall(r'<symbol id="(\w+)"', (STATIC / "drawings.svg").read_text("utf-8"))}
    tints = re.findall(r"\.face\.(\w+) { --day: #\w{6}; --night: #\w{6}; }", CSS)
    words, animals = WORDS[code]
    faces = [Player("", None, name).face for name in EVERY[code]]
    rows = [faces[n : n + len(animals)] for n in range(0, len(faces), len(animals))]
    assert {face.drawing for face in faces} <= drawn - {"paw"}
    assert {face.tint for face in faces} == {*tints}
    assert len(tints) == 12
    assert len(rows) == len(words)
    for row in rows:
        assert [face.drawing for face in row] == [face.drawing for face in rows[0]]
        assert {face.tint for face in row} == {row[0].tint}


@pytest.mark.parametrize(
    "dealt, face",
    [
        ("Amber Otter", ("otter", "amber")),
        ("Ruby Corgi 12", ("dog", "ruby")),
        ("Sonnen-Fuchs", ("fox", "sun")),
        ("Mond-Igel 12", ("hedgehog", "pearl")),
        ("Lince Veloz", ("cat", "copper")),
        ("Écureuil Étoile 12", ("squirrel", "cobalt")),
        ("Ada Lovelace", ("paw", "pearl")),
    ],
)
def test_a_face_is_that_of_the_dealt_name_whatever_the_name_is(
    dealt: str, face: tuple[str, str]
) -> None:
    assert Player("", "Zoe", dealt).face == face


def test_a_player_who_chose_a_name_first_has_a_face_of_their_own() -> None:
    faces = {Player(str(n), "Zoe").face for n in range(100)}
    assert len(faces) > 50
    assert "paw" not in {face.drawing for face in faces}
    # The same on every page, and whatever the player is called.
    assert Player("7", "Zoe").face == Player("7", "Ada").face == Face("otter", "sun")
    assert Player("7", None).face == Face("paw", "pearl")
