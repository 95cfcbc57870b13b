"""The command `tictactoe`, run in this process, and what it printed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from webapp import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return its exit status and what it printed."""
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    printed = capsys.readouterr()
    code = ended.value.code
    return int(code or 0), printed.out, printed.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def as_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    status, out, err = run(capsys, *arguments)
    assert (status, err) == (0, "")
    assert "\x1b" not in out, "colour belongs on a terminal only"
    assert not re.search(r"[ \t]+$", out, re.MULTILINE)
    return out
