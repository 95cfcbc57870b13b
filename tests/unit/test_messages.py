"""The catalogues: they are what the source makes them, and fit for the pages."""

from collections.abc import Callable
from fractions import Fraction
from io import BytesIO
from itertools import product
from typing import get_args

import _messages as script
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from tests.support.patience import Times
from webapp import config
from webapp.words.figures import figure, percent
from webapp.words.language import LANGUAGES, READER


def test_every_catalogue_is_up_to_date_and_compiled_and_would_break_no_page() -> None:
    messages = script.extracted()
    found = {message.id: message for message in messages}
    assert "That cell is taken. Choose a free one." in found, "of the code"
    assert "A cell is a number from 0 to 8." in found, "an error"
    assert ("{number} is looking now.", "{number} are looking now.") in found, "in a template"
    assert found["Back to the lab"].auto_comments == ["a button below a refusal"]
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


def test_the_setting_knows_every_language_and_each_writes_figures_its_own_way() -> None:
    assert list(get_args(config.Language)) == list(LANGUAGES)
    shown = {
        "de": "1.234,5 · 50,0\u00a0%", "tr": "1.234,5 · %50,0", "fr": "1\u202f234,5 · 50,0\u00a0%",
        "ar": "1,234.5 · 50.0\u200e%\u200e", "en": "1,234.5 · 50.0 %",
    }  # fmt: skip
    for code in LANGUAGES:
        token = READER.set(code)
        try:
            found = f"{figure(1234.5, 1)} · {percent(Fraction(1, 2))}"
        finally:
            READER.reset(token)
        assert found == shown.get(code, found)
