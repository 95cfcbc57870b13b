"""Where others find the server: the address that a page shows on its network."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.support.people import challenge
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.web import address


def test_the_wall_follows_its_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = ["192.168.1.20", "10.8.0.2"]
    monkeypatch.setattr(address, "addresses", lambda: known)
    monkeypatch.setattr("webapp.web.wall.ADDRESS_S", 0)
    with open_site(tmp_path, lan="on") as site:
        here, board = Visitor(site.app, "http://127.0.0.1:8000"), "/class/board"
        wall = here.get(board)
        assert "192.168.1.20:8000" in wall.text
        # Opened at another address, that is the one that others can open too.
        there = Visitor(site.app, "http://teacher.local:8000").get(board)
        assert "teacher.local:8000" in there.text
        known[:] = ["172.20.10.2"]
        assert here.ask(wall, "class").response.headers["HX-Redirect"] == board
        known.clear()
        assert "this computer is not on a network" in here.get(board).document.text


def teacher_at(site: Site, url: str) -> Visitor:
    teacher = Visitor(site.app, url)
    teacher.post("/host", {"key": HostKey(site.settings).ensure()})
    return teacher


def test_the_walls_address_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known, board = ["192.168.1.20", "10.42.0.1"], "/class/board"
    monkeypatch.setattr(address, "addresses", lambda: known)
    for before in ("192.168.1.20:8000", "10.42.0.1:8000"):
        with open_site(tmp_path, lan="on") as site:
            # Also a wall that was opened at another address of this computer follows.
            walls = [Visitor(site.app, f"http://{one}:8000") for one in ("localhost", *known)]
            assert before in walls[0].get(board).text
            teacher = teacher_at(site, "http://127.0.0.1:8000")
            desk = teacher.get("/host")
            assert [one.text for one in desk.the("address").elements] == known
            # A style sheet shows it after a minute.
            assert ["hotspot" in one.text for one in desk.document.with_class("nobody")] == [True]
            teacher.post("/host/address", {"address": "10.42.0.1"})
            assert teacher.post("/host/address", {"address": "8.8.8.8"}).status == 422
            assert all("10.42.0.1:8000" in wall.get(board).text for wall in walls)
            assert "192.168.1.20:8000" in challenge(walls[1]).text
    known[:] = ["172.20.10.2", "10.8.0.2"]  # another network
    with open_site(tmp_path, lan="on") as site:
        assert "172.20.10.2:8000" in Visitor(site.app, "http://localhost:8000").get(board).text


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
