"""What is compiled once for all sites of this process, because most tests make one of their own.

Importing it is enough: templates are for :func:`tests.support.visitor.open_site` to use; statements
for SQLite, and the code that writes addresses into pages, are patched in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sqlalchemy as sa
from jinja2 import MemcachedBytecodeCache
from werkzeug.routing import Rule


class _Memory(dict[str, bytes]):
    def set(self, key: str, value: bytes, _timeout: int | None = None) -> None:
        self[key] = value


TEMPLATES = MemcachedBytecodeCache(_Memory())  # type: ignore[arg-type]  # its get may find nothing

_create_engine, _compile_builder = sa.create_engine, Rule._compile_builder
_first = _create_engine("sqlite://")
_first.connect().close()  # or its dialect would not know which SQLite it speaks to


def _sharing_statements(*given: Any, **options: Any) -> sa.Engine:
    engine = _create_engine(*given, **options)
    if engine.dialect.name == _first.dialect.name:
        engine.dialect, engine._compiled_cache = _first.dialect, _first._compiled_cache
    return engine


def _compiled_late(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
    """Stand in for what writes an address: most are never asked for."""
    made = cache(lambda: _compile_builder(rule, append_unknown))

    def write(*given: Any, **values: Any) -> Any:
        return made()(*given, **values)

    return write


vars(sa)["create_engine"] = _sharing_statements
Rule._compile_builder = _compiled_late  # type: ignore[assignment, method-assign]
