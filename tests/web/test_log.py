"""The log of requests: what it tells, and what it never tells."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError

from tests.support.visitor import Site, open_site
from webapp.service import lobby

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests", names="own", limits="on", log="requests") as site:
        yield site


@pytest.fixture
def lines(capfd: pytest.CaptureFixture[str]) -> Lines:
    """What was written since the last look."""
    return lambda: [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_a_request_is_one_line_of_json(logged: Site, lines: Lines) -> None:
    page = logged.visitor().get("/class", query_string={"since": "7"})
    (line,) = lines()
    told = datetime.fromisoformat(line.pop("time"))
    assert told.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - told) < timedelta(minutes=1)
    assert 0 < line.pop("ms") < 60_000
    assert line == {
        "method": "GET",
        "route": "/class",
        "status": 200,
        "bytes": len(page.response.data),
        "network": "127.0.0.0/24",
    }


def test_the_log_holds_no_cookie_name_code_id_query_or_address(
    logged: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    alice, bob = logged.visitor(), logged.visitor()
    base = {"environ_base": {"REMOTE_ADDR": "198.51.100.77"}}
    game = alice.start("medium", cell=4)
    alice.post("/you/name", {"name": "Grace Hopper"})
    alice.move(game, 0)
    challenge = alice.post("/challenges", {"mark": "x"}, **base)
    code = logged.stored(challenge.location.rpartition("/")[2])["code"]
    assert code
    bob.get(f"/join/{code}", **base)
    bob.get("/join", query_string={"code": code}, headers={"User-Agent": "a browser of Bob's"})
    bob.get(f"/games/{code}/none/such")
    text = capfd.readouterr().out
    assert text.count("\n") >= 8
    secrets = (alice.cookie(), bob.cookie(), "Grace", "Hopper", code, "198.51.100.77", "browser")
    for secret in (*secrets, game.address.rpartition("/")[2]):
        assert secret
        assert secret not in text
    assert "/games/<game_id>/moves" in text
    assert "198.51.100.0/24" in text


@pytest.mark.parametrize(
    "sent, status, route",
    [
        ("GET /games/nothing", 404, "/games/<game_id>"),
        ("GET /nowhere/at/all", 404, None),
        ("DELETE /class", 405, None),
        ("POST /games", 422, "/games"),
        ("GET /static/app.js", 200, "/static/<path:filename>"),
        ("HEAD /class", 200, "/class"),
    ],
)
def test_every_answer_is_noted(
    sent: str, status: int, route: str | None, logged: Site, lines: Lines
) -> None:
    method, path = sent.split()
    answer = logged.app.test_client().open(path, method=method, buffered=True)
    assert answer.status_code == status
    (line,) = lines()
    assert (line["method"], line["status"], line["route"]) == (method, status, route)
    assert line["bytes"] == len(answer.data)
    assert "fault" not in line


def test_a_fault_is_noted_by_its_kind_and_told_in_full_on_stderr(
    logged: Site,
    lines: Lines,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visitor = logged.visitor()
    visitor.start("medium")
    visitor.post("/you/name", {"name": "Grace Hopper"})
    lines()
    for status, fault in (
        (500, ZeroDivisionError("of nobody's")),
        (503, OperationalError("SELECT names", {}, Exception("locked"))),
    ):
        failing = Mock(side_effect=fault)
        monkeypatch.setattr(lobby, "overview", failing)
        with caplog.at_level(logging.ERROR):
            assert visitor.get("/class").status == status
        (line,) = lines()
        told = (status, type(fault).__name__, "/class")
        assert (line["status"], line["fault"], line["route"]) == told
        assert "of nobody's" not in json.dumps(line)
    assert "Traceback" in caplog.text
    assert "ZeroDivisionError: of nobody's" in caplog.text
    for secret in (str(visitor.cookie()), "Grace"):
        assert secret not in caplog.text


def test_without_the_setting_nothing_is_written(own_site: Site, lines: Lines) -> None:
    own_site.visitor().start("medium")
    assert lines() == []
