"""The catalogues of translations: brought up to date from the source, compiled and checked.

``script/messages`` runs this with Babel: it extracts all messages into ``messages.pot``, merges
them into each language's ``messages.po``, compiles those, and says what is missing. A changed
sentence takes its translations along: from the sentence that ``renamed.json`` names, else, marked
as fuzzy, from the most similar one that is gone. Languages that it is given are begun.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import normalize, read_po, write_po

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

TEMPLATE = LOCALES / "messages.pot"
"""All messages, with which a language begins."""

RENAMED = LOCALES / "renamed.json"
"""What sentences have become since the last run: two tables from old to new, of singulars.

In ``plainer`` the translations stay as they are; in ``changed`` they are marked as fuzzy.
"""

Renamed = Mapping[str, Mapping[str, str]]
APPLIED: dict[str, Mapping[str, str]] = {"plainer": {}, "changed": {}}

_Key = tuple[str, str | None]

_PREVIOUS = re.compile(rb"((?:^# \| .*\n)+)((?:^#[.:,] .*\n)*)", re.MULTILINE)
"""What a fuzzy message was: for Babel a comment like any other, for gettext the last one."""

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
    """All messages of the source, below the template's header; those of commands stay English."""
    keywords = {**DEFAULT_KEYWORDS, **dict.fromkeys(_complaints()), **_FORMS, **_IN_A_SENSE}
    programs = [file for file in sorted(ROOT.glob("webapp/**/*.py")) if "cli" not in file.parts]
    found = catalogue()
    for message in list(_messages(found)):
        found.delete(message.id, message.context)
    for file in (*programs, *sorted(ROOT.glob("templates/**/*.html"))):
        method = "jinja2.ext:babel_extract" if file.suffix == ".html" else "python"
        with file.open("rb") as source:
            for line in extract(method, source, keywords, [COMMENT], _JINJA, True):
                _at, names, comments, context = line
                place = (file.relative_to(ROOT).as_posix(), 0)
                found.add(names, None, [place], auto_comments=comments, context=context)
    return found


def codes() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(file.parent.name for file in LOCALES.glob("*/messages.po"))


def catalogue(code: str = "") -> Catalog:
    """A language's catalogue as it is; for one without, the template."""
    file = LOCALES / code / "messages.po"
    with (file if file.exists() else TEMPLATE).open("rb") as source:
        return read_po(source, code or None)


def files(messages: Catalog, renamed: Renamed, languages: Iterable[str]) -> dict[Path, bytes]:
    """All files that are made from messages, as they should be."""
    table = json.dumps(APPLIED, indent=1) + "\n"
    made = {TEMPLATE: _text(messages), RENAMED: table.encode()}
    for code in languages:
        names = (LOCALES / code / f"messages.{kind}" for kind in ("po", "mo"))
        made.update(zip(names, merged(catalogue(code), messages, renamed), strict=True))
    return made


def merged(found: Catalog, messages: Catalog, renamed: Renamed = APPLIED) -> tuple[bytes, bytes]:
    """A catalogue with these messages, as text and compiled."""
    for old in found.obsolete.values():
        found[old.id] = old
    found.obsolete.clear()
    _take_along(found, messages, renamed)
    # Of its own: a new one would else be the same object in every catalogue.
    found.update(deepcopy(messages), no_fuzzy_matching=True)
    # Obsolete messages have no marks, so a fuzzy one would come back without.
    found.obsolete = {key: old for key, old in found.obsolete.items() if not lagging(old)}
    source, compiled = _text(found), BytesIO()
    for message in _messages(found):
        message.string = "" if lagging(message) else message.string
    write_mo(compiled, found)
    return source, compiled.getvalue()


def _take_along(found: Catalog, messages: Catalog, renamed: Renamed) -> None:
    """Give messages that are new the translations of those that they replace."""
    known = {_key(old): old for old in _messages(found) if not lagging(old)}
    gone: dict[Sequence[str], _Key] = {_words(*key): key for key in known if not messages.get(*key)}
    origins = {new: old for table in renamed.values() for old, new in table.items()}
    for message in _messages(messages):
        name, context = _key(message)
        there, key = found.get(name, context), (origins.get(name, ""), context)
        if not there and key not in known:
            key = next((gone[words] for words in get_close_matches(_words(name), gone, 1)), key)
        if key not in known or (there and not lagging(there)):
            continue
        old = known[key]
        forms = [*_several(old.string)] * found.num_plurals
        string = forms[: found.num_plurals] if message.pluralizable else forms[-1]
        made = Message(message.id, string, user_comments=old.user_comments, context=context)
        stays = renamed["plainer"].get(key[0]) == name and made.pluralizable == old.pluralizable
        if not stays or any(faults(made)):
            made.flags.add("fuzzy")
            made.user_comments += _previous(old)
        found.delete(name, context)
        found[made.id] = made


def _words(text: str, _context: str | None = None) -> tuple[str, ...]:
    """What is compared: by its letters, "Win" would be like "Wins" and "Wing"."""
    return tuple(re.findall(r"\w+", text.lower()))


def _previous(old: Message) -> Iterator[str]:
    for name, text in zip(("msgid", "msgid_plural"), _several(old.id), strict=False):
        for line in f"{name} {normalize(text, width=90)}".splitlines():
            yield f"| {line}"


def _text(catalog: Catalog) -> bytes:
    for message in _messages(catalog):
        if not message.fuzzy:
            message.user_comments = [one for one in message.user_comments if one[:1] != "|"]
    text = BytesIO()
    write_po(text, catalog, width=100, include_lineno=False)
    source = re.sub(rb'"Generated-By: .*\n', b"", text.getvalue())
    return _PREVIOUS.sub(lambda lines: lines[2] + lines[1].replace(b"# |", b"#|"), source)


def everywhere(check: Callable[[Message], Iterable[str]]) -> list[str]:
    """What is found in all catalogues: each problem once, with its languages."""
    found = defaultdict(list)
    for code in codes():
        for message in _messages(catalogue(code)):
            for problem in check(message):
                found[problem].append(code)
    return [f"{', '.join(where)}: {problem}" for problem, where in found.items()]


def lagging(message: Message) -> list[str]:
    """Why pages say it in English."""
    if not all(_several(message.string)):
        return [f"not translated: {_key(message)[0]}"]
    return [f"fuzzy: {_key(message)[0]}"] if message.fuzzy else []


def faults(message: Message) -> Iterator[str]:
    """What would break a page."""
    if lagging(message):
        return
    ids = _several(message.id)
    places = {place for one in ids for place in re.findall(r"\{[^}]*\}", one)}
    for string in _several(message.string):
        given = set(re.findall(r"\{[^}]*\}", string))
        # A form of a plural may have its number as a word.
        if not given <= places or (given != places and len(ids) == 1):
            yield f"other places: {string}"
        if _tags(string) != _tags(ids[-1]):
            yield f"other HTML: {string}"


def _messages(catalog: Catalog) -> Iterator[Message]:
    """All but the header."""
    return (message for message in catalog if message.id)


def _key(message: Message) -> _Key:
    return _several(message.id)[0], message.context


def _several(forms: str | Sequence[str] | None) -> Sequence[str]:
    return (forms or "",) if isinstance(forms, str | None) else forms


def _tags(text: str) -> list[str]:
    return sorted(re.findall(r"<[^>]*>|&#?\w+;", text))


def main() -> int:
    """Bring all catalogues up to date; say what each one lacks."""
    messages, renamed = extracted(), json.loads(RENAMED.read_text("utf-8"))
    languages = sorted({*codes(), *sys.argv[1:]})
    names = {_key(message)[0] for message in _messages(messages)}
    if unknown := {new for table in renamed.values() for new in table.values()} - names:
        sys.exit(f"{RENAMED.name}: not in the source: {unknown}")
    if _text(messages) != TEMPLATE.read_bytes():
        messages.creation_date = datetime.now(UTC)
    for file, content in files(messages, renamed, languages).items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    wrong = everywhere(faults)
    print(f"{len(messages)} messages", *everywhere(lagging), *wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
