"""`tictactoe doctor` as the host runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.support.files import filled, spoil_table


def test_only_what_is_wrong_ends_with_1(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = filled(tmp_path / "data")
    monkeypatch.setenv("TTT_PORT", "0")
    monkeypatch.setenv("TTT_DATTA", "a warning")
    command = ("doctor", "--data", str(file.parent))
    for expected in (0, 1):
        status, out, err = run(*command)
        assert (status, err) == (expected, "")
        assert [line.split()[0] for line in out.splitlines()].count("wrong") == expected
        assert "  database     " in out
        status, out, err = run(*command, "--json")
        assert (status, err) == (expected, "")
        found = {one["about"]: one for one in json.loads(out)}
        assert found["database"]["level"] == ("wrong" if expected else "ok")
        assert set(found["database"]) == {"level", "about", "says"}
        if not expected:
            spoil_table(file)


def test_the_other_commands_do_not_wait_for_what_this_one_needs() -> None:
    program = "import sys, webapp.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {"sqlalchemy", "urllib.request", "ssl", "flask", "alembic"}
