"""A bare Flask route, to measure a move by: it reads a form, and sends a page of the same size.

It compresses as the game does, and has no cookie, security, database, engine or template.
"""

import gzip
import os
from pathlib import Path

from flask import Flask, Response, request
from granian import Granian
from granian.constants import Interfaces

app = Flask(__name__)
_PAGE = Path(os.environ.get("BENCH_PAGE", os.devnull)).read_bytes()


@app.post("/")
def bare() -> Response:
    """Read what a move says, and answer with the page of one."""
    said = f"<!-- {request.form['cell']} {request.form['version']} -->"
    page = gzip.compress(_PAGE + said.encode(), 1)
    return Response(page, mimetype="text/html", headers={"Content-Encoding": "gzip"})


if __name__ == "__main__":
    Granian(  # with the options that webapp/server.py has
        "tests.bench.bare:app", port=int(os.environ["TTT_PORT"]), interface=Interfaces.WSGI,
        workers=int(os.environ["TTT_WORKERS"]), blocking_threads=128, backpressure=512,
        websockets=False, log_enabled=False,
    ).serve()  # fmt: skip
