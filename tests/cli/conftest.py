import io
import os
from collections.abc import Callable
from typing import TypeAlias

import pytest

from webapp import cli

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting is set."""
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, its questions answered so."""

    def run(*arguments: object, answer: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        with pytest.raises(SystemExit) as ended:
            cli.main(list(map(str, arguments)))
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run
