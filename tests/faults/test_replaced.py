"""Another file is put in the place of the database while a server runs, and stays sound."""

import os
import shutil
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.support.files import content, filled
from tests.support.visitor import open_site
from webapp.store import copies
from webapp.store.sqlite import Replaced

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file stays there")


@pytest.mark.parametrize("put", [shutil.copy, os.replace])
def test_a_replaced_database_is_told_of_and_left_alone_and_used_by_the_next_start(
    tmp_path: Path, put: Callable[[Path, Path], object]
) -> None:
    other, new = tmp_path / "other.db", tmp_path / "new.db"
    copies.copy(filled(tmp_path / "other"), other)
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        alice.start("easy", "x", cell=4)
        shutil.copy(other, new)
        put(new, site.file)
        assert Path(f"{site.file}-wal").stat().st_size, "there is a log of the file that was there"
        told = [alice.get(path) for path in ("/", "/class", "/healthz") for _ in range(4)]
        told += [alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4})]
        assert {answer.status for answer in told} == {503}
        assert all(Replaced.sentence in unescape(answer.text) for answer in told)
    assert site.file.read_bytes() == other.read_bytes()
    with open_site(tmp_path / "data") as site:
        assert content(site.file) == content(other)
        assert site.visitor().start("easy", "x", cell=4).version == 1
    assert copies.damage(site.file) == ""
