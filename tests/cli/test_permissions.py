"""Commands of a user who may not enter the data folder, as where ``sudo -u`` was forgotten."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_folder_that_may_not_be_entered_is_one_sentence(tmp_path: Path) -> None:
    closed, mine = filled(tmp_path / "data").parent, filled(tmp_path / "mine").parent
    inside, beside = str(closed / "copy.db"), str(tmp_path / "copy.db")
    copies.copy(closed / "tictactoe.db", Path(beside))
    commands = [
        ["backup", str(tmp_path / "new.db"), "--data", str(closed)],
        ["restore", beside, "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{tmp_path / 'new.db'}", "--yes", "--data", str(closed)],
        ["move-to", f"sqlite:///{inside}", "--yes", "--data", str(mine)],
        ["backup", inside, "--data", str(mine)],
        ["restore", inside, "--yes", "--data", str(mine)],
        ["serve", "--port", "0", "--data", str(closed)],
    ]
    closed.chmod(0)
    # For root the modes of files say nothing, unless it gives these up.
    bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] * (os.geteuid() == 0)
    done = subprocess.run(
        [*bound, sys.executable, "-c", SEVERAL, json.dumps(commands)],
        env={name: text for name, text in os.environ.items() if not name.startswith("TTT_")},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    closed.chmod(0o700)
    for _, part in zip(commands, done.stderr.split("$ ")[1:], strict=True):
        _, sentence, status = part.splitlines()
        assert (status, str(closed) in sentence) == ("2", True), sentence
