"""What workers do again and again: whatever fails in it, the next attempt comes."""

from __future__ import annotations

import logging

import pytest
import sqlalchemy as sa

from tests.support.people import Clock
from tests.support.visitor import Site
from webapp import server
from webapp.service import attempts, tournaments
from webapp.service.site import Site as Service
from webapp.tournament.event import Format, Opening, State


class Enough(BaseException):
    """Ends what otherwise goes on for ever."""


class Steady:
    """Seconds that pass as the test says."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


FAULT, REFUSED = ValueError("a fault"), sa.exc.OperationalError("BEGIN", None, OSError("away"))


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Steady:
    steady = Steady()
    monkeypatch.setattr(attempts, "time", steady)
    return steady


@pytest.mark.parametrize(
    "errors,logged",
    [
        ([FAULT] * 3, [0]),
        ([FAULT, FAULT, None, FAULT], [0, 3]),
        ([REFUSED] * 3 + [None] + [REFUSED] * 3, []),
        ([REFUSED] * 5, [4]),
        ([REFUSED, FAULT, REFUSED], [1]),
    ],
)
def test_what_fails_is_logged_once_until_it_works_again_and_an_outage_when_it_lasts(
    errors: list[Exception | None],
    logged: list[int],
    steady: Steady,
    caplog: pytest.LogCaptureFixture,
) -> None:
    known, found = attempts.Attempts("The work"), []
    for number, error in enumerate(errors):
        with known.another():
            if error:
                raise error
        found += [number] * len(caplog.records)
        for record in caplog.records:
            assert (record.levelno, record.args) == (logging.ERROR, ("The work",))
            assert record.exc_info
            assert record.exc_info[1] is error
        caplog.clear()
        steady.now += attempts.OUTAGE / 4 + 0.1
    assert found == logged


def test_a_tick_that_fails_is_logged_and_the_next_ones_go_on(
    site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    host = site.service
    id_ = tournaments.create(host, Format.SWISS, Opening.EMPTY, 10, 1)
    for player in ("a" * 64, "b" * 64):
        tournaments.join(host, id_, player)
    tournaments.start(host, id_)
    go_on, ticks = tournaments._go_on, 0

    def fails_at_first(*about: object) -> None:
        go_on(*about)  # type: ignore[arg-type]
        if ticks < 4:
            raise ZeroDivisionError

    def tick(host: Service) -> None:
        nonlocal ticks
        ticks += 1
        clock.goes_on(0.5)
        tournaments.tick(host)
        latest = tournaments.latest(host)
        if latest and latest.state is State.OVER:
            raise Enough

    monkeypatch.setattr(tournaments, "_go_on", fails_at_first)
    monkeypatch.setattr(server, "_SETTLED", 0)
    with pytest.raises(Enough):
        server._again(tick, host, 0)
    (record,) = caplog.records
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError
    assert "tick" in record.getMessage()
