"""The rooms of the house, its templates and its style sheets: what each may use and mean."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import webapp

ROOT = Path(webapp.__file__).parent
ROOMS: dict[str, set[str]] = {
    "config": set(),
    "lan": set(),
    "core": set(),
    "names": {"core"},
    "classroom": {"core"},
    "polls": {"core"},
    "engines": {"core"},
    "programs": {"core", "engines"},
    "analysis": {"core", "engines"},
    "tournament": {"core", "analysis"},
    "store": {"config", "names", "core", "classroom", "polls", "tournament"},
    "live": {"store"},
    "service": {
        *("config", "names", "core", "classroom", "polls", "engines", "programs", "analysis"),
        *("tournament", "store", "live"),
    },
    "words": {"names", "core", "classroom", "engines", "analysis"},
    "web": {
        *("config", "lan", "names", "core", "classroom", "polls", "engines", "analysis"),
        *("tournament", "live", "service", "words"),
    },
}
ROOMS["server"] = ROOMS["web"] | {"store", "web"}
ROOMS["cli"] = ROOMS["server"] | {"server", "programs"}
"""Each room, and those it may use besides itself."""

TOPICS = ["webapp", "store", "topics"]  # which a part of a page names, to be told of them
WITHOUT_FLASK = ROOMS["web"] | {"store"}
WITHOUT_SQL = {"names", "core", "engines", "analysis", "words", "web"}
FLASK = {"flask", "flask_compress", "werkzeug", "jinja2", "granian"}
SQL = {"sqlalchemy", "alembic", "sqlite3", "psycopg"}
# Input and output, clocks, and chance that is not handed in.
NOT_IN_CORE = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil"),
    *("socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
}
TREES = {
    file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
    for file in sorted(ROOT.rglob("*.py"))
}


def room_of(file: str) -> str:
    first = file.partition("/")[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports(tree: ast.Module) -> Iterator[list[str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "no import is relative"
            # `from webapp import words` names a module, not something inside one.
            yield from (f"{node.module}.{alias.name}".split(".") for alias in node.names)


def test_a_room_uses_only_what_it_may() -> None:
    for file, tree in TREES.items():
        room = room_of(file)
        used = [module for module in imports(tree) if room != "web" or module[:3] != TOPICS]
        rooms = {module[1] for module in used if module[0] == "webapp"} - {"__version__", room}
        libraries = {module[0] for module in used}
        allowed = ROOMS.get(room, set())
        if file == "web/__init__.py":  # it prepares the database
            allowed = allowed | {"store"}
        assert rooms <= allowed, file
        assert room not in WITHOUT_FLASK or not libraries & FLASK, file
        if file != "web/errors.py":  # it tells a fault by its type
            assert room not in WITHOUT_SQL or not libraries & SQL, file
        if room in ("core", "engines"):
            assert libraries <= {"webapp", *sys.stdlib_module_names}, file
        assert room != "core" or not libraries & NOT_IN_CORE, file
        assert not room or ast.get_docstring(tree), file


def test_transactions_begin_in_the_service_and_nowhere_else() -> None:
    # `store` defines them, and brings its own schema up to date in one.
    for file, tree in TREES.items():
        for node in ast.walk(tree) if room_of(file) not in ("service", "store") else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method = node.func.attr
                assert method not in ("begin", "execute", "transaction"), file
                assert method != "write" or node.args, file  # a file's has something to write


def test_a_template_says_what_it_needs_and_escapes_what_it_prints() -> None:
    for file in (ROOT.parent / "templates").rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert text.startswith("{# "), file
        assert not re.search(r"\|\s*safe|autoescape", text), file


SHARED = {"back", "boards", "cards", "picture", "play", "title", "versus"}
"""Laid out in the sheet of a page family, and styled elsewhere as well: the same thing in both."""

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
PRINTED = re.compile(r"@media print.*?\n  \}", re.DOTALL)
CLASS_FIRST = re.compile(r"(?:^|,)\s*\.([\w-]+)([^,]*)")


def test_a_class_that_a_page_family_lays_out_means_nothing_else_in_another_sheet() -> None:
    laid_out, styled_in = set[str](), defaultdict[str, set[str]](set)
    for sheet in (ROOT.parent / "static").glob("*.css"):
        for selectors, body in RULE.findall(PRINTED.sub("", sheet.read_text(encoding="utf-8"))):
            for name, rest in CLASS_FIRST.findall(selectors.rpartition("*/")[2]):
                styled_in[name].add(sheet.name)
                if not rest.strip() and "display:" in body and sheet.name != "app.css":
                    laid_out.add(name)
    found = {name for name in laid_out if len(styled_in[name]) > 1}
    assert found == SHARED, sorted(found ^ SHARED)
