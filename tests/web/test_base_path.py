"""A site below a path of its host, and what it answers beside that path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.support.visitor import Site, open_site
from tests.web.test_turns import Clock


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, limits="on", base_path="/games") as site:
        yield site


def test_beside_the_path_is_a_page_that_leads_to_it(below: Site) -> None:
    for path in ("/", "/class", "/healthz", "/static/app.css", "/gamesroom/"):
        answer = below.app.test_client().get(path)
        assert answer.status_code == 404
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert '<a class="button primary" href="/games/">Play a game</a>' in answer.text
    answer = below.app.test_client().get("/games", follow_redirects=True)
    assert (answer.status_code, answer.request.path) == (200, "/games/")


def test_a_flood_beside_the_path_is_refused(below: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.web.order.PLAYER", 5)
    below.app.extensions["turns"].clock = Clock()
    client = below.app.test_client()
    client.get("/games/")
    client.get("/games/")
    assert [client.get("/healthz").status_code for _ in range(6)] == [404] * 5 + [429]


def test_the_manifest_leads_to_the_first_page_and_to_icons_of_the_sizes_it_says(
    below: Site,
) -> None:
    client = below.app.test_client()
    found = re.search('<link rel="manifest" href="([^"]+)"', client.get("/games/").text)
    assert found is not None
    answer = client.get(found[1], buffered=True)
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.data)
    for key in ("start_url", "scope"):
        assert urljoin(found[1], manifest[key]) == "/games/"
    for icon in manifest["icons"]:
        picture = client.get(urljoin(found[1], icon["src"]), buffered=True)
        assert (picture.status_code, picture.mimetype) == (200, icon["type"])
        width, height = (int.from_bytes(picture.data[at : at + 4], "big") for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"
