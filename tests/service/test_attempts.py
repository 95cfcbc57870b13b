"""What workers do again and again: whatever fails in it, the next attempt comes."""

from threading import Event
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from webapp import server

FAULT, REFUSED = ValueError("a fault"), sa.exc.OperationalError("BEGIN", None, OSError("away"))


class Enough(BaseException):
    """Ends what otherwise goes on for ever."""


def test_faults_are_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    work = Mock(__qualname__="tick", side_effect=[FAULT, REFUSED, FAULT, None, FAULT, Enough])
    monkeypatch.setattr(server, "_SETTLED", 0)
    with pytest.raises(Enough):
        server._again(work, Mock(), 0, Event())
    assert work.call_count == 6
    assert [record.args for record in caplog.records] == [("tick",)] * 2
    assert all(record.exc_info and record.exc_info[1] is FAULT for record in caplog.records)
