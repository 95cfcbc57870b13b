"""Static files, minified, at addresses that change with their content: browsers may cache them."""

import base64
import hashlib
import re
from pathlib import Path

from flask import Flask, Response, request, url_for

_YEAR = 365 * 24 * 60 * 60

_FOR_READERS = re.compile(
    rb"^[ ]*(?://.*|/[*](?s:.*?)[*]/|)\n|^[ ]+|[ ]+(?:// [^\"'`\n]*|/[*].*[*]/)$", re.MULTILINE
)
"""Comments at the ends of lines or on their own, empty lines, and indentation."""


def init_app(app: Flask) -> None:
    """Give the templates ``asset`` and ``integrity``."""
    folder = Path(app.static_folder or "")

    def digest(name: str) -> bytes:
        return hashlib.sha384(_bare(name, (folder / name).read_bytes())).digest()

    # As they are at the start: an upgrade changes them before the restart, and browsers keep using
    # the old ones. Under the debugger an edit shows at the next reload.
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    known = {name: digest(name) for name in files}
    read = digest if app.debug else known.__getitem__

    @app.template_global()
    def asset(name: str) -> str:
        return url_for("static", filename=name, v=_version(read(name)))

    @app.template_global()
    def integrity(name: str) -> str:
        return f"sha384-{base64.b64encode(read(name)).decode()}"

    @app.after_request
    def keep(response: Response) -> Response:
        """Let browsers cache a file for good if its content is what the address says."""
        sent = request.method in ("GET", "HEAD") and response.status_code in (200, 304)
        if request.endpoint == "static" and sent:
            name = (request.view_args or {})["filename"]
            if response.status_code == 200:
                response.direct_passthrough = False
                response.data = _bare(name, response.data)
            if request.args.get("v") == _version(digest(name)):
                response.headers["Cache-Control"] = f"public, max-age={_YEAR}, immutable"
        return response


def _bare(name: str, content: bytes) -> bytes:
    """A file's content as it is sent."""
    ours = name.endswith((".css", ".js")) and not name.startswith("vendor/")
    return _FOR_READERS.sub(b"", content) if ours else content


def _version(digest: bytes) -> str:
    return digest.hex()[:12]
