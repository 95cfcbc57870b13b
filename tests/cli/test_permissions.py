"""Commands of a user who may not enter the data folder, as where ``sudo -u`` was forgotten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.disk import heeding_permissions
from tests.support.files import filled
from webapp.store import copies

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes of files, capabilities")

SEVERAL = """
import json, sys
from webapp import cli
for arguments in json.loads(sys.argv[1]):
    print("$", *arguments, file=sys.stderr)
    try:
        cli.main(arguments)
    except SystemExit as end:
        print(end.code, file=sys.stderr)
"""


def run(*commands: list[str]) -> list[tuple[str, int]]:
    """Run commands as one who is bound to permissions; return what each said, and its status."""
    done = subprocess.run(
        heeding_permissions([sys.executable, "-c", SEVERAL, json.dumps(commands)]),
        env={name: text for name, text in os.environ.items() if not name.startswith("TTT_")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    said = []
    for part in done.stderr.split("$ ")[1:]:
        _, *sentences, status = part.splitlines()
        said.append(("\n".join(sentences) or done.stdout, int(status)))
    return said


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A data folder that one may not enter."""
    folder = filled(tmp_path / "data").parent
    copies.copy(folder / "tictactoe.db", tmp_path / "copy.db")
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


def test_a_folder_that_may_not_be_entered_is_one_sentence(closed: Path, tmp_path: Path) -> None:
    inside, beside = str(closed / "copy.db"), str(tmp_path / "copy.db")
    mine = filled(tmp_path / "mine").parent
    for sentence, status in run(
        ["players", "--data", str(closed)],
        ["migrate", "--data", str(closed)],
        ["backup", str(tmp_path / "new.db"), "--data", str(closed)],
        ["restore", beside, "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{tmp_path / 'new.db'}", "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{inside}", "--yes", "--data", str(mine)],
        ["backup", inside, "--data", str(mine)],
        ["restore", inside, "--yes", "--data", str(mine)],
        ["serve", "--port", "0", "--data", str(closed)],
    ):
        assert status == 2, sentence
        assert "\n" not in sentence
        assert str(closed) in sentence


def test_doctor_says_so_and_examines_the_rest(closed: Path) -> None:
    ((out, status),) = run(["doctor", "--json", "--data", str(closed)])
    found = {one["about"]: one["level"] for one in json.loads(out)}
    assert status == 1
    assert found["data folder"] == found["database"] == "wrong"
    assert found["free space"] == found["clock"] == found["port"] == "ok"
