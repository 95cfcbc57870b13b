"""The catalogues: they are what the source makes them, and fit for the pages."""

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from io import BytesIO
from itertools import product
from typing import get_args

import _messages as script
from babel import Locale
from babel.dates import format_date
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

from tests.support.patience import Times
from webapp import config
from webapp.words import figures, ordinal
from webapp.words.figures import figure, percent
from webapp.words.language import LANGUAGES, READER


def test_every_catalogue_is_up_to_date_and_compiled_and_would_break_no_page() -> None:
    messages = script.extracted()
    found = {message.id: message for message in messages}
    assert "That cell is taken. Choose a free one." in found, "of the code"
    assert "A cell is a number from 0 to 8." in found, "an error"
    assert ("{number} is looking now.", "{number} are looking now.") in found, "in a template"
    for file, content in script.files(messages, script.APPLIED, script.codes()).items():
        assert file.read_bytes() == content, "run script/messages"
    assert not script.everywhere(script.faults)


def test_no_message_lags_behind(record_property: Callable[[str, str], None], times: Times) -> None:
    """Pages say such a message in English. A short run names it; a long one fails."""
    behind = script.everywhere(script.lagging)
    for message in behind:
        record_property("to translate", message)
    assert not behind or not times(0, 1)


OLD = "That cell is taken. Choose a free one."
NEAR = "That cell is taken. Choose one that is free."
COUNT, COUNTS = "{number} is looking now.", ("{number} is looking.", "{number} are looking.")


def test_a_changed_sentence_keeps_its_translations() -> None:
    cases: list[tuple[str, str | tuple[str, str], dict[str, dict[str, str]], bool]] = [
        (OLD, NEAR, {}, True),
        (OLD, "Take another.", {"changed": {OLD: "Take another."}}, True),
        (OLD, "Take {cell}.", {"plainer": {OLD: "Take {cell}."}}, True),
        (COUNT, COUNTS, {"plainer": {COUNT: COUNTS[0]}}, False),
    ]
    for (old, new, renamed, marked), code in product(cases, script.codes()):
        messages, found = Catalog(), Catalog(code)
        messages.add(new)
        before = script.catalogue(code)[old]
        found.add(before.id, before.string)
        source, compiled = script.merged(found, messages, script.APPLIED | renamed)
        after = read_po(BytesIO(source), code)
        assert (after[new].string, after[new].fuzzy) == (before.string, marked)
        assert (b"\n#| msgid " in source) == marked
        assert (new in read_mo(BytesIO(compiled))) != marked, "what is marked is shown in English"
        assert script.merged(after, messages) == (source, compiled), "a second run changes nothing"


def test_what_would_break_a_page_is_found() -> None:
    one = "Ask {name}."
    games = "{n} game", "{n} games"
    cases: list[tuple[str | tuple[str, ...], str | tuple[str, ...], str]] = [
        (one, "Frag {name}.", ""),
        (one, "", f"not translated: {one}"),
        (one, "Frag {wen}.", "other places: Frag {wen}."),
        (one, "Frag.", "other places: Frag."),
        ("<b>Ask</b>", "<b>Frag<b>", "other HTML: <b>Frag<b>"),
        (games, ("ein Spiel", "{n} Spiele"), ""),
        (games, ("{n} Spiel", ""), "not translated: {n} game"),
    ]
    for message, text, problem in cases:
        made = Message(message, text)
        assert [*script.lagging(made), *script.faults(made)] == [problem] * bool(problem), text


def test_the_setting_knows_every_language_and_each_has_the_figures_and_dates_of_the_cldr() -> None:
    assert list(get_args(config.Language)) == list(LANGUAGES)
    days = [date(2026, month, day) for month in range(1, 13) for day in (3, 18)]
    share, number = Fraction(1, 4), 1_234_567.5
    for code, language in LANGUAGES.items():
        # English is spelt as in Britain.
        locale = Locale.parse("en-GB" if code == "en" else language.tag, "-")
        # Babel leaves out the marks that keep the Arabic sign in its place.
        sign = locale.number_symbols["latn"]["percentSign"]
        token = READER.set(code)
        try:
            shown = figure(number, 1), percent(share, 0), *map(figures.day, days)
        finally:
            READER.reset(token)
        # No line breaks in a date.
        dates = [format_date(day, locale=locale).replace(" ", "\u00a0") for day in days]
        exact = format_percent(float(share), locale=locale).replace("%", sign)
        assert shown == (format_decimal(number, "#,##0.0", locale), exact, *dates)


def test_ranges_limits_and_places_are_written_as_each_language_does() -> None:
    shown = {
        "en": "<0.1% >99% 0–0.4% 1st 2nd 3rd 11th 23rd",
        "de": "<0,1~% >99~% 0–0,4~% 1. 2. 3. 11. 23.",
        "es": "<0,1~% >99~% 0–0,4~% 1.º 2.º 3.º 11.º 23.º",
        "fr": "<0,1~% >99~% 0–0,4~% 1er 2e 3e 11e 23e",
        "it": "<0,1% >99% 0–0,4% 1º 2º 3º 11º 23º",
        "pl": "<0,1% >99% 0–0,4% 1. 2. 3. 11. 23.",
        "tr": "<%0,1 >%99 %0–0,4 1. 2. 3. 11. 23.",
        "ar": "<0.1\u200e%\u200e >99\u200e%\u200e 0–0.4\u200e%\u200e 1 2 3 11 23",
        "zh": "<0.1% >99% 0–0.4% 第1 第2 第3 第11 第23",
    }
    for code, text in shown.items():
        token = READER.set(code)
        try:
            limits = percent(Fraction(1, 5000)), percent(Fraction(999, 1000), 0)
            found = *limits, figures.between(0, 0.0038, 1000), *map(ordinal, (1, 2, 3, 11, 23))
        finally:
            READER.reset(token)
        assert " ".join(found).replace("\u00a0", "~") == text


def test_no_line_breaks_between_a_number_and_its_unit() -> None:
    # A clock, from which HTML hides the rest, stands by itself.
    apart = re.compile(r"\} (?:sn?|ث)(?![\w<])|\d (?:%|sn?\b)")
    for code in script.codes():
        for message in script.catalogue(code):
            for text in (*script._several(message.id), *script._several(message.string)):
                assert not message.id or not apart.search(text), f"{code}: {text}"


def test_a_sentence_names_a_page_as_the_menu_does() -> None:
    """What English writes as "the page Class" or “X”, or "the Class page"."""
    named = re.compile(r"\bpage (?:“([\w ]+)”|([A-Z]\w+))|\b(?!The )([A-Z]\w+) page\b")
    seen = set()
    for code in script.codes():
        catalogue = script.catalogue(code)
        for message in catalogue:
            said = script._several(message.string)[0]
            for page in map("".join, named.findall(script._several(message.id)[0])):
                if menu := catalogue.get(page):
                    seen.add(page)
                    assert str(menu.string) in said or message.fuzzy, f"{code}: {said}"
    assert {"Class", "Learn", "Computer players"} <= seen
