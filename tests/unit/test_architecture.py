"""The rooms of the house: imports point up the list only, and templates ask nobody anything."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, before_render_template, template_rendered
from jinja2 import Template

import webapp
from tests.support.people import challenge, code_of, player_of, sit_down
from tests.support.visitor import FRAGMENT, open_site
from webapp.service.host import number
from webapp.service.host_key import HostKey
from webapp.store import Database
from webapp.tournament.event import Format, Opening

ROOT = Path(webapp.__file__).parent

# Each room, and those it may use besides itself. `words` names cells and reasons and nothing that
# is stored; `server` stands between the pages and the command line.
ROOMS: dict[str, set[str]] = {
    "config": set(),
    "names": set(),
    "core": set(),
    "engines": {"core"},
    "programs": {"core", "engines"},
    "analysis": {"core", "engines"},
    "tournament": {"core", "analysis"},
    "store": {"config", "core", "tournament"},
    "live": {"store"},
    "service": {
        "config",
        "names",
        "core",
        "engines",
        "programs",
        "analysis",
        "tournament",
        "store",
        "live",
    },
    "words": {"core", "engines", "analysis"},
    "web": {
        *("config", "names", "core", "engines", "analysis", "tournament"),
        *("live", "service", "words"),
    },
}
ROOMS["server"] = ROOMS["web"] | {"store", "web"}
ROOMS["cli"] = ROOMS["server"] | {"server", "programs"}
FACTORY = "web/__init__.py"  # opens the database for the services
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


def test_templates_ask_the_database_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendering: list[str] = []
    rendered: set[str] = set()
    read = Database.read

    def guarded(self: Database) -> Any:
        assert not rendering, f"{rendering} asks the database"
        return read(self)

    def begin(_app: Flask, template: Template, **_context: Any) -> None:
        rendering.append(str(template.name))

    def end(_app: Flask, template: Template, **_context: Any) -> None:
        rendered.add(rendering.pop())

    monkeypatch.setattr(Database, "read", guarded)
    (tmp_path / "class").mkdir()
    for function in ("anna", "bob"):
        text = "def best(board, mark):\n    return board.index('.')\n"
        (tmp_path / "class" / f"{function}.py").write_text(text)
    with (
        open_site(tmp_path, engine=str(tmp_path / "class"), names="own") as site,
        before_render_template.connected_to(begin, site.app),
        template_rendered.connected_to(end, site.app),
    ):
        alice, bob = site.visitor(), site.visitor()
        pair = sit_down(alice, bob)
        pair.play("03142")
        waiting = challenge(bob)
        client = site.app.test_client()
        client.set_cookie("player", bob.cookie() or "")
        for address in (
            *("/", "/class", "/class/board", "/calls", "/you", "/privacy", "/learn", "/opponents"),
            *(
                "/opponents/easy",
                "/lab",
                "/lab/league",
                "/lab/rules",
                "/lab/experiment?games=10",
                "/nothing",
            ),
            *("/review/40281", pair.address, waiting.address, f"/join/{code_of(waiting)}"),
            bob.start("easy", "x", cell=4).address,
        ):
            for headers in ({}, FRAGMENT):
                assert client.get(address, headers=headers).status_code in (200, 404)
        sit_down(alice, bob)
        assert bob.post("/challenges", {"mark": "x"}).status == 409
        key, guest = HostKey(site.settings).ensure(), number(player_of(alice))
        assert client.get("/openings").status_code == 200
        event = site.app.extensions["tournaments"].create(Format.ARENA, Opening.SHARP, 15, 15)
        for address, method, fields in (
            (f"/tournaments/{event}", "GET", {}),
            (f"/tournaments/{event}/join", "POST", {}),
            (f"/tournaments/{event}/play", "GET", {}),
            ("/class/board", "GET", {}),
            ("/class", "GET", {}),
            ("/host", "GET", {}),
            ("/host", "POST", {"key": key}),
            ("/host", "GET", {}),
            ("/host/wall", "POST", {"moves": "40281", "at": "2"}),
            ("/host", "GET", {}),
            ("/class/board", "GET", {}),
            (f"/host/players/{guest}", "GET", {}),
            ("/host/players/1?done=remove", "GET", {}),
            ("/review/40281", "GET", {}),
        ):
            for headers in ({}, FRAGMENT) if method == "GET" else ({},):
                answer = client.open(address, method=method, data=fields, headers=headers)
                assert answer.status_code in (200, 303)
    names = {file.relative_to(ROOT.parent / "templates").as_posix() for file in TEMPLATES}
    pages = {one for one in names if not one.rpartition("/")[2].startswith("_")}
    others = {"base.html", "refused.html", "lab/league_report.html"}
    assert pages - others <= rendered  # by others, in a flood, and by a command
