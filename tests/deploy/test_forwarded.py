"""Whose word about a visitor's address and HTTPS is taken."""

import asyncio
from pathlib import Path

from flask import request

from tests.support.asgi import call
from tests.support.http import Answer
from tests.support.visitor import open_site
from webapp.server import Front, behind_proxies


def ask(folder: Path, path: str, *asked: tuple[str, dict[str, str]]) -> list[Answer]:
    """Let peers ask with headers; one address and two networks are believed."""

    async def main() -> list[Answer]:
        front = behind_proxies(Front(site.app), site.settings)
        return [
            await call(front, "GET", path, peer=peer, headers=[
                (name.lower().encode(), text.encode()) for name, text in headers.items()])
            for peer, headers in asked
        ]  # fmt: skip

    trusted = ("192.0.2.1", "10.1.0.0/16", "2001:db8::/64")
    with open_site(folder, trusted_proxies=trusted) as site:
        site.app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme}")
        return asyncio.run(main())


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
    ("203.0.113.5", "192.0.2.1", "https", "203.0.113.5 http"),
    ("10.2.0.1", "203.0.113.9", "https", "10.2.0.1 http"), ("", "203.0.113.9", "https", " http"),
]  # fmt: skip


def test_a_proxy_is_believed_if_it_is_trusted(tmp_path: Path) -> None:
    asked = [
        (peer, {"X-Forwarded-For": claimed, "X-Forwarded-Proto": scheme})
        for peer, claimed, scheme, _ in BELIEVED
    ]
    answers = [answer.text for answer in ask(tmp_path, "/who", *asked)]
    assert answers == [believed for *_, believed in BELIEVED]


def test_no_proxy_changes_the_host_or_the_path(tmp_path: Path) -> None:
    claimed = [f"X-Forwarded-{what}" for what in ("Host", "Prefix", "Port")]
    headers = {"X-Forwarded-For": "203.0.113.9", **dict.fromkeys(claimed, "999")}
    (answer,) = ask(tmp_path, "/class/board", ("192.0.2.1", headers))
    assert (answer.status, "999" in answer.text) == (200, False)
