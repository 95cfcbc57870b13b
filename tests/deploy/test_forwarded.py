"""Whose word about a visitor's address and HTTPS is taken."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, request

from webapp.config import Settings
from webapp.web import create_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """It believes one address and two networks, and has one page more: who the visitor is."""
    trusted = ("192.0.2.1", "10.1.0.0/16", "2001:db8::/64")
    app = create_app(Settings(data=tmp_path, trusted_proxies=trusted))
    app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme}")
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
