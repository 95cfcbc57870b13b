"""What `tictactoe doctor` finds, well and ill."""

import os
import socket
import threading
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import MagicMock
from urllib.request import OpenerDirector, Request

import pytest

from tests.support.files import filled, names, next_version, spoil_table, unreleased
from tests.support.postgres import Cluster
from webapp import __version__
from webapp.config import Settings
from webapp.service.doctor import Finding, examine
from webapp.store import prepare

Usage = namedtuple("Usage", ["total", "used", "free"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with games in it."""
    return filled(tmp_path / "data").parent


def examined(folder: Path, url: str | None = None, **more: str) -> dict[str, Finding]:
    """What is found, the last of each subject; every finding's form checked."""
    found = list(examine({"TTT_DATA": str(folder), "TTT_PORT": "0", "PATH": "/bin", **more}, url))
    for one in found:
        assert "\n" not in one.says
        assert not one.says.endswith(".")
    return {one.about: one for one in found}


# --- settings -------------------------------------------------------------------------------------


def test_what_is_no_setting_is_a_warning_and_what_is_no_value_is_all_that_is_said() -> None:
    first, second = examine({"TTT_WORKER": "4", "TTT_WORKERS": "many"})
    assert (first.level, "TTT_WORKER is not a setting" in first.says) == ("warning", True)
    assert (second.level, "not 'many'" in second.says) == ("wrong", True)


# --- the database and its folder ------------------------------------------------------------------


def test_a_sound_installation_is_well_before_its_start_too_and_nothing_is_changed(
    folder: Path,
) -> None:
    before = names(folder)
    for place, says in (
        (folder, "is undamaged and up to date"),
        (folder / "no" / "yet", "creates it"),
    ):
        found = examined(place)
        assert list(found) == ["settings", "database", "data folder"]
        assert {one.level for one in found.values()} == {"ok"}
        assert says in found["database"].says
        assert str(folder) in found["data folder"].says
    assert names(folder) == before


@pytest.mark.parametrize(
    "make, says", [(spoil_table, " restore --data "), (unreleased, "from before 1.0.0")]
)
def test_a_database_that_stops_a_start_is_wrong(
    folder: Path, make: Callable[[Path], object], says: str
) -> None:
    make(folder / "tictactoe.db")
    found = examined(folder)["database"]
    assert (found.level, says in found.says) == ("wrong", True)


def test_a_database_that_the_next_start_upgrades_is_a_warning(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_version(monkeypatch, tmp_path / "migrations")
    found = examined(folder)["database"]
    upgrades = "the next start copies and upgrades it" in found.says
    assert (found.level, upgrades) == ("warning", True)


@pytest.mark.parametrize(
    "megabytes, size, level",
    [(1, 0, "wrong"), (100, 0, "warning"), (201, 0, "ok"), (500, 300, "warning")],
)
def test_room_on_the_disk_is_judged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, megabytes: int, size: int, level: str
) -> None:
    if size:
        os.truncate(folder / "tictactoe.db", size * 10**6)  # a hole, which takes no room
    monkeypatch.setattr("shutil.disk_usage", lambda folder: Usage(0, 0, megabytes * 10**6))
    found = examined(folder)["data folder"]
    assert (found.level, f"{megabytes} MB" in found.says) == (level, True)


def test_of_postgresql_it_is_said_whether_a_start_would_go_well(
    tmp_path: Path, postgres: Cluster
) -> None:
    url = postgres.database()
    assert examined(tmp_path, TTT_DATABASE_URL=url)["database"].level == "ok"
    prepare(Settings(database_url=url))
    assert "up to date" in examined(tmp_path, TTT_DATABASE_URL=url)["database"].says
    gone = examined(tmp_path, TTT_DATABASE_URL="postgresql://ada:secret@127.0.0.1:1/games")
    assert list(gone) == ["settings", "database"]
    assert (gone["database"].level, "127.0.0.1:1" in gone["database"].says) == ("wrong", True)
    assert "secret" not in gone["database"].says


# --- who answers ----------------------------------------------------------------------------------


@contextmanager
def answering(status: int, body: str) -> Iterator[int]:
    """A program that answers everything alike; its port."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body.encode())

    kind = type("Handler", (BaseHTTPRequestHandler,), {"do_GET": answer})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as other:
        thread = threading.Thread(target=other.serve_forever, args=(0.02,))
        thread.start()
        yield other.server_port
        other.shutdown()
        thread.join()


def health(version: str = __version__) -> str:
    return f'{{"status": "ok", "version": "{version}", "database": true}}'


@pytest.mark.parametrize(
    "status, body, level, says",
    [
        (200, health(), "ok", "the game answers"),
        (200, health("0.0.1"), "warning", "runs version 0.0.1"),
        (503, health(), "wrong", "answers with error 503"),
        (502, "Bad gateway", "wrong", "answers with error 502"),
        (200, '{"status": "up"}', "wrong", "the game does not answer"),
        (200, "<h1>Welcome</h1>", "wrong", "the game does not answer"),
    ],
)
def test_port_and_address_are_asked_who_answers(
    folder: Path, *, status: int, body: str, level: str, says: str
) -> None:
    with answering(status, body) as port:
        found = examined(folder, f"http://127.0.0.1:{port}/", TTT_PORT=str(port))
    for about in ("server", "address"):
        assert (found[about].level, says in found[about].says) == (level, True)


def test_nobody_at_the_port_is_well_and_nobody_at_the_address_is_wrong(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    found = examined(folder, TTT_PORT=port, TTT_PUBLIC_URL=f"http://127.0.0.1:{port}")
    assert (found["server"].level, found["address"].level) == ("ok", "wrong")
    assert "Connection refused" in found["address"].says
    for address in ("play.example", "nothing://play.example", "https://"):
        assert examined(folder, address)["address"].level == "wrong"


@pytest.mark.parametrize(
    "secure, forged, level, says",
    [
        (True, True, "ok", "the game answers"),
        (False, False, "wrong", "TTT_TRUSTED_PROXIES"),
        (True, False, "wrong", "header_up -*_*"),
    ],
)
def test_a_proxy_that_is_not_trusted_or_passes_on_what_visitors_forge_is_found(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    secure: bool,
    forged: bool,
    level: str,
    says: str,
) -> None:
    """Answers that come by HTTPS, of an application that knows of it or not."""

    def answer(_: OpenerDirector, request: Request, **_more: object) -> MagicMock:
        known = forged if request.has_header("X_forwarded_proto") else secure
        headers = {"Strict-Transport-Security": "1"} if known else {}
        answer = MagicMock(url=request.full_url, headers=headers)
        answer.__enter__.return_value = answer
        answer.read.return_value = health()
        return answer

    monkeypatch.setattr(OpenerDirector, "open", answer)
    found = examined(folder, "https://play.example")["address"]
    assert (found.level, says in found.says) == (level, True)
