"""A site below a path of its host, and what it answers beside that path."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.support.visitor import Site, open_site


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, limits="on", base_path="/games") as site:
        yield site


def test_beside_the_path_is_a_page_that_leads_to_it(below: Site) -> None:
    client = below.app.test_client()
    for path in ("/", "/class", "/healthz", "/static/app.css", "/gamesroom/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert '<a class="button primary" href="/games/">Play a game</a>' in answer.text
    assert client.get("/games", follow_redirects=True).request.path == "/games/"


def test_the_manifest_leads_to_the_first_page_and_to_icons_of_its_sizes(below: Site) -> None:
    client = below.app.test_client()
    (address,) = re.findall('<link rel="manifest" href="([^"]+)"', client.get("/games/").text)
    manifest = json.loads(client.get(address, buffered=True).data)
    assert {urljoin(address, manifest[key]) for key in ("start_url", "scope")} == {"/games/"}
    for icon in manifest["icons"]:
        picture = client.get(urljoin(address, icon["src"]), buffered=True)
        assert (picture.status_code, picture.mimetype) == (200, icon["type"])
        width, height = (int.from_bytes(picture.data[at : at + 4], "big") for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"
