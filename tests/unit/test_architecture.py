"""The rooms of the house: imports point up the list only."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import webapp

ROOT = Path(webapp.__file__).parent

# From the top of the house down; a room may use those above it. `words` names cells and reasons
# and nothing that is stored; `server` stands between the pages and the command line.
ROOMS = (
    "config",
    "names",
    "core",
    "engines",
    "analysis",
    "store",
    "service",
    "words",
    "web",
    "server",
    "cli",
)
ALLOWED = {
    **{room: set(ROOMS[: ROOMS.index(room) + 1]) for room in ROOMS},
    "names": {"names"},
    "core": {"core"},
    "engines": {"core", "engines"},
    "analysis": {"core", "engines", "analysis"},
    "words": {"core", "engines", "analysis", "words"},
}
WITHOUT_FLASK = {"config", "names", "core", "engines", "analysis", "store", "service", "words"}
WITHOUT_SQLALCHEMY = {"names", "core", "engines", "analysis", "words", "web"}
# Input and output, clocks, and chance that is not handed in.
NOT_IN_CORE = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil"),
    *("socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
}
FILES = sorted(ROOT.rglob("*.py"))


def module_of(file: Path) -> tuple[str, ...]:
    parts = file.relative_to(ROOT.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def room_of(module: tuple[str, ...]) -> str:
    """The room that a module of the application lives in; the front door has none."""
    return module[1] if len(module) > 1 else ""


def imports(file: Path) -> Iterator[tuple[str, ...]]:
    """Every module that a file imports, at its top or inside of a function."""
    package = module_of(file) if file.name == "__init__.py" else module_of(file)[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            yield base
            if base[0] == "webapp":
                # `from webapp import words` names a module, not something inside one.
                yield from ((*base, alias.name) for alias in node.names)


def ours(file: Path) -> set[str]:
    """The rooms that a file uses."""
    named = {room_of(module) for module in imports(file) if module[0] == "webapp"}
    return named - {"", "__version__"}


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_every_room_is_on_the_list() -> None:
    rooms = {room_of(module_of(file)) for file in FILES} - {""}
    assert rooms <= set(ROOMS)
    assert {"config", "core", "engines", "store", "service", "words", "web", "cli"} <= rooms


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_room_uses_only_rooms_above_it(file: Path) -> None:
    room = room_of(module_of(file))
    assert not room or ours(file) <= ALLOWED[room]
    assert room or not ours(file)


@pytest.mark.parametrize("file", FILES, ids=name)
def test_libraries_stay_in_their_rooms(file: Path) -> None:
    room = room_of(module_of(file))
    used = {module[0] for module in imports(file)}
    if room in WITHOUT_FLASK:
        assert not used & {"flask", "flask_compress", "werkzeug", "jinja2", "granian"}
    if room in WITHOUT_SQLALCHEMY and name(file) != "web/errors.py":  # it tells a fault by its type
        assert not used & {"sqlalchemy", "alembic", "sqlite3"}


@pytest.mark.parametrize(
    "file", [file for file in FILES if room_of(module_of(file)) in ("core", "engines")], ids=name
)
def test_the_core_and_the_engines_need_the_standard_library_only(file: Path) -> None:
    used = {module[0] for module in imports(file)} - {"webapp"}
    assert used <= sys.stdlib_module_names
    if room_of(module_of(file)) == "core":
        assert not used & NOT_IN_CORE


def test_nobody_imports_relatively() -> None:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), name(file)


@pytest.mark.parametrize("file", [file for file in FILES if room_of(module_of(file))], ids=name)
def test_every_module_says_what_it_holds(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def test_transactions_begin_in_the_service_and_nowhere_else() -> None:
    # `store` defines them, and brings its own schema up to date in one.
    for file in FILES:
        if room_of(module_of(file)) in ("service", "store"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method = node.func.attr
                assert method not in ("begin", "execute"), name(file)
                assert method != "write" or node.args, name(file)  # a file's has something to write


# --- the templates ------------------------------------------------------------------------------

TEMPLATES = sorted((ROOT.parent / "templates").rglob("*.html"))


def test_there_are_templates() -> None:
    assert TEMPLATES


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_a_template_escapes_whatever_it_prints(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "| safe" not in text
    assert "|safe" not in text
    assert "autoescape" not in text
    assert file.suffix == ".html"  # what Jinja escapes by itself


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_a_template_says_what_it_needs(file: Path) -> None:
    assert file.read_text(encoding="utf-8").startswith("{# ")
