"""The catalogues of translations: brought up to date from the source, compiled and checked.

``script/messages`` runs this: it extracts all messages, merges them into each language's
``messages.po``, compiles those, and says what is missing. Languages that it is given are begun.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from webapp import web
from webapp.core.messages import Complaint
from webapp.web.translation import Translation
from webapp.words.language import LOCALES

ROOT = Path(web.__file__).parents[2]
COMMENT = "Translators:"
"""How comments begin that are meant for translators."""

_FORMS = {"_one_of": (4,), "_number": (3,)}
"""Functions of ``web/forms.py`` to which complaints are handed."""

_IN_A_SENSE = {"NC_": ((1, "c"), 2)}
"""What marks a message in a table that says in which sense it is meant."""

_UNUSED = (
    rb'"(?:Report-Msgid-Bugs-To|P\w+-\w+-Date|Last-Translator|Language-Team|Generated-By): .*\n'
)
"""Lines of a header in which nothing stands, or something that changes without a reason."""

_JINJA = {
    "extensions": f"{Translation.__module__}.{Translation.__name__}",
    **dict.fromkeys(("trimmed", "trim_blocks", "lstrip_blocks"), "true"),
    "silent": "false",
}


def _complaints(kind: type[Complaint] = Complaint) -> Iterator[str]:
    """The names of all errors whose sentence is a message."""
    yield kind.__name__
    for narrower in kind.__subclasses__():
        yield from _complaints(narrower)


def extracted() -> Catalog:
    """All messages of the source; those of commands stay English."""
    keywords = {**DEFAULT_KEYWORDS, **dict.fromkeys(_complaints()), **_FORMS, **_IN_A_SENSE}
    programs = [file for file in sorted(ROOT.glob("webapp/**/*.py")) if "cli" not in file.parts]
    found = Catalog(project="Tic-tac-toe", charset="utf-8", fuzzy=False)
    for file in (*programs, *sorted(ROOT.glob("templates/**/*.html"))):
        method = "jinja2.ext:babel_extract" if file.suffix == ".html" else "python"
        with file.open("rb") as source:
            for line in extract(method, source, keywords, [COMMENT], _JINJA, True):
                _at, message, comments, context = line
                place = (file.relative_to(ROOT).as_posix(), 0)
                found.add(message, None, [place], auto_comments=comments, context=context)
    return found


def codes() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(file.parent.name for file in LOCALES.glob("*/messages.po"))


def catalogue(code: str) -> Catalog:
    """A language's catalogue as it is; an empty one for a language without."""
    file = LOCALES / code / "messages.po"
    if not file.exists():
        head = "# Which word stands for what, so that the same thing has one name:\n#"
        return Catalog(code, None, head, *("Tic-tac-toe", "1"), charset="utf-8", fuzzy=False)
    with file.open("rb") as source:
        return read_po(source, code)


def merged(code: str, messages: Catalog) -> dict[str, bytes]:
    """A language's two files, by name: as they should be with these messages."""
    found, text, compiled = catalogue(code), BytesIO(), BytesIO()
    found.update(messages, no_fuzzy_matching=True, update_creation_date=False)
    write_po(text, found, width=100, ignore_obsolete=True, include_lineno=False)
    source = re.sub(_UNUSED, b"", text.getvalue())
    readable = read_po(BytesIO(source), code)
    readable.creation_date = datetime.fromtimestamp(0, UTC)  # The header has none.
    write_mo(compiled, readable)
    return {"messages.po": source, "messages.mo": compiled.getvalue()}


def problems(translated: Catalog) -> Iterator[str]:
    """What is missing in a catalogue, or would break a page."""
    for message in translated:
        if not message.id:
            continue
        ids, strings = _several(message.id), _several(message.string)
        if not all(strings) or (len(ids) == 2 and len(strings) != translated.num_plurals):
            yield f"not translated: {ids[0]}"
            continue
        places = {place for one in ids for place in re.findall(r"\{[^}]*\}", one)}
        for string in strings:
            given = set(re.findall(r"\{[^}]*\}", string))
            # A form of a plural may have its number as a word.
            if not given <= places or (given != places and len(ids) == 1):
                yield f"other places: {string}"
            if _tags(string) != _tags(ids[-1]):
                yield f"other HTML: {string}"


def _several(forms: str | Sequence[str] | None) -> Sequence[str]:
    return (forms or "",) if isinstance(forms, str | None) else forms


def _tags(text: str) -> list[str]:
    return sorted(re.findall(r"<[^>]*>|&#?\w+;", text))


def main() -> int:
    """Bring all catalogues up to date; say what each one lacks."""
    messages = extracted()
    print(f"{len(messages)} messages")
    for code in sorted({*codes(), *sys.argv[1:]}):
        files = merged(code, messages)
        (LOCALES / code).mkdir(exist_ok=True)
        for name, content in files.items():
            (LOCALES / code / name).write_bytes(content)
        found = list(problems(catalogue(code)))
        print(*(f"{code}: {problem}" for problem in found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
