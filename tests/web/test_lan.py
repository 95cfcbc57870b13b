"""Where others find the server: the address that a page shows on its network."""

from pathlib import Path

import pytest

from tests.support.visitor import Visitor, open_site
from webapp.web import lobby


def test_the_wall_shows_the_address_of_its_network_and_follows_it_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = ["192.168.1.20", "10.8.0.2"]
    monkeypatch.setattr(lobby, "addresses", lambda: known)
    monkeypatch.setattr(lobby, "_ADDRESS_S", 0)
    with open_site(tmp_path, lan="on") as site:
        here, board = Visitor(site.app, "http://127.0.0.1:8000"), "/class/board"
        wall = here.get(board)
        assert "192.168.1.20:8000" in wall.text
        # Opened at another address, that is the one that others can open too.
        assert (
            "teacher.local:8000" in Visitor(site.app, "http://teacher.local:8000").get(board).text
        )
        known[:] = ["172.20.10.2"]
        assert here.ask(wall, "class").response.headers["HX-Redirect"] == board
        known.clear()
        assert "Other computers cannot open this address." in here.get(board).document.text
