"""The catalogues: they are what the source makes them, whole, and fit for the pages."""

from fractions import Fraction
from typing import get_args

import pytest
from babel.messages.catalog import Catalog

from tests.support.messages import catalogue, codes, extracted, merged, problems
from webapp import config
from webapp.words import pseudo
from webapp.words.figures import figure, percent
from webapp.words.language import LANGUAGES, LOCALES, READER
from webapp.words.language import catalogue as translations


def test_every_catalogue_is_up_to_date_compiled_and_whole() -> None:
    messages = extracted()
    for code in codes():
        for name, content in merged(code, messages).items():
            assert (LOCALES / code / name).read_bytes() == content, "run script/messages"
        assert not list(problems(catalogue(code)))


def test_messages_come_from_code_errors_forms_and_templates() -> None:
    found = {message.id: message for message in extracted()}
    assert "That cell is taken. Choose a free one." in found
    assert "A cell is a number from 0 to 8." in found
    assert found["Back to the lab"].auto_comments == ["a button below a refusal"]
    assert ("{number} is looking now.", "{number} are looking now.") in found


@pytest.mark.parametrize(
    "message,translation,problem",
    [
        ("Ask {name}.", "Frag {name}.", None),
        ("Ask {name}.", "", "not translated: Ask {name}."),
        ("Ask {name}.", "Frag {wen}.", "other places: Frag {wen}."),
        ("Ask {name}.", "Frag.", "other places: Frag."),
        ("<b>Ask</b>", "<b>Frag<b>", "other HTML: <b>Frag<b>"),
        (("{n} game", "{n} games"), ("ein Spiel", "{n} Spiele"), None),
        (("{n} game", "{n} games"), ("{n} Spiel", ""), "not translated: {n} game"),
    ],
)
def test_what_would_break_a_page_is_found(
    message: str | tuple[str, ...], translation: str | tuple[str, ...], problem: str | None
) -> None:
    made = Catalog("de")
    made.add(message, translation)
    assert list(problems(made)) == ([problem] if problem else [])


def test_the_setting_knows_every_language() -> None:
    assert list(get_args(config.Language)) == list(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_writes_figures_its_own_way(code: str) -> None:
    shown = {
        "de": "1.234,5 · 50,0\u00a0%",
        "tr": "1.234,5 · %50,0",
        "fr": "1\u202f234,5 · 50,0\u00a0%",
        "ar": "1,234.5 · 50.0\u200e%\u200e",
        "en": "1,234.5 · 50.0 %",
    }
    token = READER.set(code)
    try:
        found = f"{figure(1234.5, 1)} · {percent(Fraction(1, 2))}"
    finally:
        READER.reset(token)
    assert found == shown.get(code, found)


def test_the_pseudo_language_keeps_places_and_html() -> None:
    found = translations(pseudo.CODE)
    assert found.gettext("Ask <b>{name}</b> &amp; me.") == "[Àšķ <b>{name}</b> &amp; mé.~~~]"
    assert found.ngettext("{n} game", "{n} games", 2) == "[{n} ĝàméš~~]"
