"""The rooms of the house: imports point up the list only; what templates say of themselves."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import webapp

ROOT = Path(webapp.__file__).parent

# Each room, and those it may use besides itself. `words` names cells and reasons and nothing that
# is stored; `server` stands between the pages and the command line.
ROOMS: dict[str, set[str]] = {
    "config": set(),
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
        "config",
        "names",
        "core",
        "classroom",
        "polls",
        "engines",
        "programs",
        "analysis",
        "tournament",
        "store",
        "live",
    },
    "words": {"names", "core", "classroom", "engines", "analysis"},
    "web": {
        *("config", "names", "core", "classroom", "polls", "engines", "analysis"),
        *("tournament", "live", "service", "words"),
    },
}
ROOMS["server"] = ROOMS["web"] | {"store", "web"}
ROOMS["cli"] = ROOMS["server"] | {"server", "programs"}
FACTORY = "web/__init__.py"  # prepares the database
TOPICS = ["webapp", "store", "topics"]  # what a page waits for is named by its view
WITHOUT_FLASK = ROOMS["web"] | {"store"}
WITHOUT_SQL = {"names", "core", "engines", "analysis", "words", "web"}
FLASK = {"flask", "flask_compress", "werkzeug", "jinja2", "granian"}
SQL = {"sqlalchemy", "alembic", "sqlite3", "psycopg"}
# Input and output, clocks, and chance that is not handed in.
NOT_IN_CORE = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil"),
    *("socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
}
FILES = sorted(ROOT.rglob("*.py"))
TEMPLATES = sorted((ROOT.parent / "templates").rglob("*.html"))


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def room_of(file: Path) -> str:
    """The room that a file belongs to; the front door has none."""
    first = file.relative_to(ROOT).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports, at its top or inside of a function."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "no import is relative"
            # `from webapp import words` names a module, not something inside one.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_room_uses_only_what_it_may(file: Path) -> None:
    room, used = room_of(file), [module.split(".") for module in imports(file)]
    used = [module for module in used if room != "web" or module[:3] != TOPICS]
    rooms = {module[1] for module in used if module[0] == "webapp"} - {"__version__", room}
    libraries = {module[0] for module in used}
    allowed = ROOMS[room] if room else set()
    assert rooms <= (allowed | {"store"} if name(file) == FACTORY else allowed)
    if room in WITHOUT_FLASK:
        assert not libraries & FLASK
    if room in WITHOUT_SQL and name(file) != "web/errors.py":  # it tells a fault by its type
        assert not libraries & SQL
    if room in ("core", "engines"):
        assert libraries <= {"webapp", *sys.stdlib_module_names}
    if room == "core":
        assert not libraries & NOT_IN_CORE
    assert not room or ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def test_transactions_begin_in_the_service_and_nowhere_else() -> None:
    # `store` defines them, and brings its own schema up to date in one.
    for file in FILES:
        if room_of(file) in ("service", "store"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method = node.func.attr
                assert method not in ("begin", "execute", "transaction"), name(file)
                assert method != "write" or node.args, name(file)  # a file's has something to write


# --- the templates ------------------------------------------------------------------------------


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_a_template_says_what_it_needs_and_escapes_what_it_prints(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("{# ")
    assert "| safe" not in text
    assert "|safe" not in text
    assert "autoescape" not in text
