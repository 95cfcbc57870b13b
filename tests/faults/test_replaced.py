"""Another file is put in the place of the database while a server runs, and stays sound."""

import shutil
import sys
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from tests.support.files import content, filled
from tests.support.visitor import open_site
from webapp.store import copies
from webapp.store.sqlite import Replaced

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file stays there")


def trace(file: Path) -> tuple[bytes, bytes]:
    """What is in the file, and what in the log beside it."""
    return file.read_bytes(), Path(f"{file}-wal").read_bytes()


def test_a_replaced_database_is_told_of_and_left_alone_and_can_be_restored(tmp_path: Path) -> None:
    other, new = tmp_path / "other.db", tmp_path / "new.db"
    copies.copy(filled(tmp_path / "other"), other)
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        alice.start("easy", "x", cell=4)
        shutil.copy(other, new)
        new.replace(site.file)
        before = trace(site.file)
        assert before[1], "there is a log of the file that was there"
        told = [alice.get(path) for path in ("/", "/class", "/healthz") for _ in range(4)]
        told += [alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4})]
        assert {answer.status for answer in told} == {503}
        assert all(Replaced.sentence in unescape(answer.text) for answer in told)
    assert trace(site.file) == before
    copies.restore(site.file, other, datetime.now(tz=UTC))
    assert content(site.file) == content(other)
    with open_site(tmp_path / "data") as site:
        assert site.visitor().start("easy", "x", cell=4).version == 1
    assert copies.damage(site.file) == ""
