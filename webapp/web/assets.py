"""Addresses of static files that change with their content, so that browsers may keep them."""

import base64
import hashlib
from pathlib import Path

from flask import Flask, Response, request, url_for

_YEAR = 365 * 24 * 60 * 60


def init_app(app: Flask) -> None:
    """Give the templates ``asset`` and ``integrity``."""
    folder = Path(app.static_folder or "")

    def digest(name: str) -> bytes:
        return hashlib.sha384((folder / name).read_bytes()).digest()

    # As they are at the start: an upgrade changes them before the restart, and browsers keep using
    # the old ones. Under the debugger an edit shows at the next reload.
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    known = {name: digest(name) for name in files}
    read = digest if app.debug else known.__getitem__

    @app.template_global()
    def asset(name: str) -> str:
        """The address of a static file, with a part that changes whenever the file does."""
        return url_for("static", filename=name, v=_version(read(name)))

    @app.template_global()
    def integrity(name: str) -> str:
        """What a browser checks a script against before it runs it."""
        return f"sha384-{base64.b64encode(read(name)).decode()}"

    @app.after_request
    def keep(response: Response) -> Response:
        """Let browsers keep a file for good, if what is sent is what the address says."""
        sent = request.method in ("GET", "HEAD") and response.status_code in (200, 304)
        if request.endpoint == "static" and sent:
            name = (request.view_args or {})["filename"]
            if request.args.get("v") == _version(digest(name)):
                response.headers["Cache-Control"] = f"public, max-age={_YEAR}, immutable"
        return response


def _version(digest: bytes) -> str:
    return digest.hex()[:12]
