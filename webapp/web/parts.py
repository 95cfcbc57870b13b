"""Small partials that depend on a few immutable values only: each is rendered once."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup

_REMEMBERED = 4096  # far more than there are cells in all their states


def init_app(app: Flask) -> None:
    """Give the templates ``part``."""

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else lru_cache(_REMEMBERED)(part), "part")
