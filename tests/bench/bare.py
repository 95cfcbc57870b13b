"""The least that Flask can do, on the server that the game runs on: what a move is measured by."""

from __future__ import annotations

import sys
from unittest import mock

from flask import Flask

from webapp import server


def load() -> Flask:
    """Make an application with one route that answers with a short string."""
    app = Flask(__name__)

    @app.get("/")
    def bare() -> str:
        return "Hello"

    return app


def main() -> None:
    workers = int(sys.argv[1])
    address, port = server.free_address("127.0.0.1", 0)
    # The game's own way to start granian, so that every setting is the same.
    with mock.patch.object(server, "_load_app", load):
        server.run(
            address, port, workers, lambda: print(server.local_url(address, port), flush=True)
        )


if __name__ == "__main__":
    main()
