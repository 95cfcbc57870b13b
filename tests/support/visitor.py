"""People at their browsers, and the site that they visit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode, urlsplit

import sqlalchemy as sa
from flask import Flask, before_render_template, g, has_request_context, template_rendered
from jinja2 import MemcachedBytecodeCache, Template

from tests.support.page import Cell, Page, fields_of, is_html
from tests.support.patience import until
from webapp import store
from webapp.classroom import Lesson
from webapp.config import Settings
from webapp.service.site import Site as Service
from webapp.store import Database
from webapp.store.schema import OF_PLAYERS
from webapp.web import create_app

Fields: TypeAlias = Mapping[str, object] | Sequence[tuple[str, object]]
Dump: TypeAlias = dict[str, list[tuple[Any, ...]]]
FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}


class _Memory(dict[str, bytes]):
    def set(self, key: str, value: bytes, _timeout: int | None = None) -> None:
        self[key] = value


TEMPLATES = MemcachedBytecodeCache(_Memory())  # type: ignore[arg-type]  # its get may find nothing
"""Compiled once for all sites of this process: most tests make one of their own."""


@dataclass(frozen=True)
class Site:
    """The application over a database of its own."""

    app: Flask
    settings: Settings

    def visitor(self, url: str = "http://localhost") -> Visitor:
        return Visitor(self.app, url)

    def ends(self) -> None:
        """Let its process end, so that another one may use the database."""
        until(lambda: self.service.learnt.training is None, "MENACE's training goes on")
        self.database.close()
        self.app.extensions["lock"].close()

    @property
    def file(self) -> Path:
        return self.settings.data / "tictactoe.db"

    @property
    def service(self) -> Service:
        found: Service = self.app.extensions["site"]
        return found

    @property
    def database(self) -> Database:
        return self.service.database

    def dump(self) -> Dump:
        ordered = {one.name: sa.select(one).order_by(*one.primary_key) for one in OF_PLAYERS}
        with self.database.read() as connection:
            return {name: [*map(tuple, connection.execute(rows))] for name, rows in ordered.items()}

    def stored(self, game: str) -> dict[str, Any]:
        row, id_ = sa.text("SELECT * FROM games WHERE id = :id"), game.removeprefix("/games/")
        with self.database.read() as connection:
            return dict(connection.execute(row, {"id": id_}).mappings().one())


def lesson_of(service: Service) -> Lesson:
    with service.database.read() as connection:
        return store.lesson.read(connection)


@contextmanager
def open_site(folder: Path, engine: str | tuple[str, ...] = (), **given: Any) -> Iterator[Site]:
    """Make the application over a database; nobody is refused for asking too often."""
    given = {"synchronous": "NORMAL", "limits": "off"} | given
    engines = (engine,) if isinstance(engine, str) else engine
    settings = Settings(data=folder, engine=engines, **given)
    site = Site(create_app(settings), settings)
    site.app.jinja_env.bytecode_cache = TEMPLATES
    _let_no_template_ask(site)
    try:
        yield site
    finally:
        site.ends()


def _let_no_template_ask(site: Site) -> None:
    """Fail each page whose template asks the database anything."""
    database = site.database

    def read() -> Any:
        assert not (has_request_context() and g.get("template")), f"{g.template} asks the database"
        return Database.read(database)

    def begin(_app: Flask, template: Template, **_context: Any) -> None:
        g.template = template.name

    def end(_app: Flask, **_more: Any) -> None:
        g.template = None

    vars(database)["read"] = read
    before_render_template.connect(begin, site.app, weak=False)
    template_rendered.connect(end, site.app, weak=False)


class Visitor:
    """One person with a browser: a cookie jar of their own, and eyes that check every page."""

    def __init__(self, app: Flask, url: str = "http://localhost") -> None:
        self._client = app.test_client()
        self._url = url

    def send(
        self, method: str, path: str, fields: Fields | None = None, *, fragment: bool = False,
        headers: Mapping[str, str] | None = None, onto: Page | None = None, **more: Any,
    ) -> Page:  # fmt: skip
        """Send a request, for a `fragment` as htmx does, which goes `onto` a page."""
        if fields is not None:
            pairs = fields.items() if isinstance(fields, Mapping) else fields
            more["data"] = urlencode([(name, str(value)) for name, value in pairs])
            more.setdefault("content_type", "application/x-www-form-urlencoded")
        sent = {**(FRAGMENT if fragment else {}), **(headers or {})}
        response = self._client.open(
            path, method=method, headers=sent, base_url=self._url, buffered=True, **more
        )
        if is_html(response) and not response.text.startswith("<!") and onto is None:
            game = re.match(r"/games/[\w-]+", path)
            watching = "<form" not in response.text
            onto = self.get(game[0] if game and watching else "/")
        return Page(response, onto)

    def get(self, path: str, **more: Any) -> Page:
        return self.send("GET", path, **more)

    def come_in(self) -> Page:
        self.get("/class")
        return self.follow(self.post("/class/come-in"))

    def ask(self, page: Page, region: str = "game") -> Page:
        return self.get(page.the(region).get("hx-get"), fragment=True, onto=page)

    def post(self, path: str, fields: Fields = (), **more: Any) -> Page:
        return self.send("POST", path, fields, **more)

    def follow(self, answer: Page) -> Page:
        assert answer.status == 303, answer.response.status
        page = self.get(answer.location)
        assert page.status == 200
        return page

    def start(self, opponent: str = "medium", mark: str = "x", **fields: object) -> Page:
        return self.follow(self.post("/games", {"opponent": opponent, "mark": mark, **fields}))

    def move(self, page: Page, cell: int, **fields: object) -> Page:
        return self.follow(self.try_to("moves", page, {"cell": cell, **fields}))

    def act(self, what: str, page: Page, **fields: object) -> Page:
        return self.follow(self.try_to(what, page, fields))

    def try_to(self, what: str, page: Page, fields: Fields = (), **more: Any) -> Page:
        address, sent = f"{page.address}/{what}", {"version": page.version, **dict(fields)}
        return self.post(address, sent, onto=page, **more)

    def press(self, page: Page, button: str | Cell, *, htmx: bool = False) -> Page:
        """Press a button as a browser does: with all that belongs to its form."""
        element = button.element if isinstance(button, Cell) else page.button(button)
        assert element.get("aria-disabled") != "true"
        assert element.get("type", "submit") == "submit"
        if element.has("form"):
            form = page.the(element.get("form"))
        else:
            (form,) = [one for one in page.document.all("form") if element in one.walk()]
        fields = fields_of(form, page.document)
        if element.has("name"):
            fields[element.get("name")] = element.get("value")
        address = element.get("formaction") or form.get("action")
        if (element.get("formmethod") or form.get("method")) == "get":
            address = f"{element.get('hx-get') if htmx else address}?{urlencode(fields)}"
            return self.get(address, fragment=htmx, onto=page)
        if not htmx:
            return self.follow(self.post(address, fields))
        address = element.get("hx-post") or form.get("hx-post")
        return self.post(address, fields, fragment=True, onto=page)

    def cookie(self, name: str = "player") -> str | None:
        found = self._client.get_cookie(self._named(name), urlsplit(self._url).hostname or "")
        return found.value if found else None

    def set_cookie(self, value: str, name: str = "player") -> None:
        host = urlsplit(self._url).hostname or ""
        self._client.set_cookie(self._named(name), value, domain=host)

    def _named(self, name: str) -> str:
        return f"{name}-{self._client.application.config['ID']}"


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """Yield a list of all statements until the end of the block, without the one that locks."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, text: str, *_more: Any) -> None:
        if not text.startswith("BEGIN"):
            found.append(text)

    sa.event.listen(database._engine, "before_cursor_execute", note)
    yield found
    sa.event.remove(database._engine, "before_cursor_execute", note)
