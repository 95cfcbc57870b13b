import io
import json
import os
import re
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tests.support.patience import PATIENCE
from webapp import cli

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting is set, and no function counts as slow because the computer is busy."""
    for limit in ("programs.process.ANSWER_S", "cli.asking._PROGRESS_S"):
        monkeypatch.setattr(f"webapp.{limit}", PATIENCE)
    monkeypatch.setattr("webapp.programs.tabulate.ASK_AGAIN_S", 0.01)  # few tests are about that
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*arguments: object, answer: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        with pytest.raises(SystemExit) as ended:
            cli.main(list(map(str, arguments)))
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def refusal(ran: tuple[int, str, str]) -> str:
    status, _, err = ran
    assert status == 2
    assert re.fullmatch(r"tictactoe: [^\n]+[.?]\)?\n", err)
    return err.removeprefix("tictactoe: ").strip()


def as_json(run: Run, *arguments: object) -> Any:
    status, out, err = run(*arguments, "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def as_text(run: Run, *arguments: object) -> str:
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "\x1b" not in out, "colour belongs on a terminal only"
    assert not re.search(r"[ \t]+$", out, re.MULTILINE)
    return out
