"""Whose word about a visitor's address and HTTPS is taken."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, request
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.support import proxies
from tests.support.http import newcomer
from tests.support.proxies import Certificate
from webapp.config import Settings
from webapp.web import create_app


def application(folder: Path, *trusted: str) -> Flask:
    """The application, with one page more: whom it takes the visitor for."""
    app = create_app(Settings(data=folder, trusted_proxies=trusted))
    app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme}")
    return app


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """It believes one address, and one network."""
    app = application(tmp_path_factory.mktemp("data"), "192.0.2.1", "10.1.0.0/16", "2001:db8::/64")
    yield app
    app.extensions["site"].database.close()


# Who asks, for whom and how they say, and who is taken to ask.
BELIEVED = [
    ("192.0.2.1", "203.0.113.9", "https", "203.0.113.9 https"),
    ("10.1.200.3", "203.0.113.9", "https", "203.0.113.9 https"),
    ("2001:db8::7", "2001:db8:ffff::9", "https", "2001:db8:ffff::9 https"),
    # What the visitor has put in front of it counts for nothing.
    ("192.0.2.1", "198.51.100.7, 203.0.113.9", "https", "203.0.113.9 https"),
    ("192.0.2.1", "10.1.0.9, 203.0.113.9", "https", "203.0.113.9 https"),
    # Through two proxies that are both trusted.
    ("192.0.2.1", "203.0.113.9, 10.1.0.2", "https", "203.0.113.9 https"),
    # A scheme that is none changes nothing.
    ("192.0.2.1", "203.0.113.9", "https, http", "203.0.113.9 http"),
    ("192.0.2.1", "203.0.113.9", "", "203.0.113.9 http"),
    # No proxy.
    ("203.0.113.5", "192.0.2.1", "https", "203.0.113.5 http"),
    ("10.2.0.1", "203.0.113.9", "https", "10.2.0.1 http"),
    ("", "203.0.113.9", "https", " http"),
]


def test_a_proxy_is_believed_if_it_is_trusted(app: Flask) -> None:
    for peer, claimed, scheme, believed in BELIEVED:
        answer = app.test_client().get(
            "/who",
            headers={"X-Forwarded-For": claimed, "X-Forwarded-Proto": scheme},
            environ_base={"REMOTE_ADDR": peer},
        )
        assert answer.text == believed, (peer, claimed, scheme)


def test_no_proxy_changes_the_host_or_the_path(app: Flask) -> None:
    claimed = [f"X-Forwarded-{what}" for what in ("Host", "Prefix", "Port")]
    answer = app.test_client().get(
        "/class/board",
        headers={"X-Forwarded-For": "203.0.113.9", **dict.fromkeys(claimed, "999")},
        environ_base={"REMOTE_ADDR": "192.0.2.1"},
    )
    assert answer.status_code == 200
    assert "999" not in answer.text


class _Silent(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    "example", ["nginx.conf", pytest.param("Caddyfile.single", marks=pytest.mark.long)]
)
def test_behind_a_proxy_a_visitor_has_the_address_that_they_ask_from(
    example: str, certificate: Certificate, tmp_path: Path
) -> None:
    app = application(tmp_path / "data", "127.0.0.1")
    behind = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=behind.serve_forever)
    thread.start()
    try:
        port = proxies.free_port()
        server = f"127.0.0.1:{behind.server_port}"
        with proxies.run_example(example, port, certificate, server, tmp_path):
            # Another address of this computer, as if from another one.
            alice = newcomer(f"https://localhost:{port}", certificate.chain, "127.0.0.2")
            assert alice.get("/who").text == "127.0.0.2 https"
            forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
            assert alice.get("/who", **forged).text == "127.0.0.2 https"
    finally:
        behind.shutdown()
        thread.join()
        behind.server_close()
        app.extensions["site"].database.close()
