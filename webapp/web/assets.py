"""Addresses of static files that change with their content, so that browsers may keep them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, request, url_for


def init_app(app: Flask) -> None:
    """Give the templates ``asset`` and ``integrity``."""
    folder = Path(app.static_folder or "")

    @cache
    def digest(name: str) -> bytes:
        return hashlib.sha384((folder / name).read_bytes()).digest()

    # Read anew at each call under the debugger, so that an edit shows at the next reload.
    read = digest.__wrapped__ if app.debug else digest

    @app.template_global()
    def asset(name: str) -> str:
        """The address of a static file, with a part that changes whenever the file does."""
        return url_for("static", filename=name, v=read(name).hex()[:12])

    @app.template_global()
    def integrity(name: str) -> str:
        """What a browser checks a script against before it runs it."""
        return f"sha384-{base64.b64encode(read(name)).decode()}"

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint == "static" and "v" in request.args and response.status_code == 200:
            response.cache_control.public = True
            response.cache_control.immutable = True
        return response
