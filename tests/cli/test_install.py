import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.files import filled
from tests.support.http import Player

ROOT = Path(__file__).parents[2]
COMMAND = """from importlib.metadata import distribution
(command,) = distribution("classroom-tictactoe").entry_points
command.load()()"""
BUILD = "import sys; from pdm import backend; getattr(backend, sys.argv[1])(sys.argv[2])"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "script")
    import _venv

    monkeypatch.delitem(sys.modules, "_venv")
    return _venv


def build(kind: str, source: Path, into: Path) -> Path:
    subprocess.run(
        [sys.executable, "-c", BUILD, f"build_{kind}", into], cwd=source, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    (built,) = into.iterdir()
    return built


def test_a_wheel_plays_in_an_environment_that_knows_no_checkout(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("classroom_tictactoe-*")
    wheel = build("wheel", unpacked, tmp_path / "wheel")
    assert wheel.read_bytes() == build("wheel", ROOT, tmp_path / "direct").read_bytes()
    venv.create(tmp_path / "venv")
    (packages,) = tmp_path.glob("venv/lib/*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    shutil.unpack_archive(wheel, packages, "zip")
    python = tmp_path / "venv" / "bin" / "python"
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "kept"), "PATH": os.defpath}
    with subprocess.Popen(
        [python, "-c", COMMAND, "serve", "--port", "0"], cwd=tmp_path, env=home,
        stdout=subprocess.PIPE, encoding="utf-8",
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            folder = tmp_path / "kept" / "classroom-tictactoe"
            assert next(server.stdout) == f"The games are kept in {folder}.\n"
            player = Player(next(server.stdout).split()[3])
            for page in ("/", "/class", "/learn", "/opponents", "/host"):
                assert player.get(page).status == 200
            (sheet,) = re.findall(r'href="([^"]+app\.css[^"]*)"', player.get("/").text)
            style = player.get(sheet)
            assert (style.status, "{" in style.text) == (200, True)
            played = player.get(player.start(4).location)
            assert len(played.playable) == 7
            assert (folder / "tictactoe.db").exists()
        finally:
            server.terminate()


TROUBLES = [
    ("SSLError(SSLCertVerificationError(1, 'certificate verify failed'", "certificates"),
    ("  cause: invalid peer certificate: UnknownIssuer", "certificates"),
    ("OSError('Tunnel connection failed: 407 Proxy Authentication Required')", "password"),
    ("  cause: tunnel error: proxy authorization required", "password"),
    ("NewConnectionError('Failed to establish a new connection: [Errno 111]", "the internet"),
    ("  cause: dns error\n  cause: error resolving DNS", "the internet"),
    ("ERROR: No version for alembic==1.20.1 (from versions: none)", "a filter"),
    ("hint: An index (http://pypi/simple) returned a 403 Forbidden error.", "a filter"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "(ERROR: THESE PACKAGES"),
]


def test_a_start_that_fails_says_why(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for printed, reason in TROUBLES:
        fails = [sys.executable, "-c", f"import sys; print({printed!r}); sys.exit(1)"]
        with pytest.raises(SystemExit):
            script._call(fails, "The packages could not be fetched", script._TROUBLES)
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith("The packages could not be fetched")
        assert reason in said


def test_a_python_that_the_server_does_not_run_on_is_told_before_anything_is_fetched(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "_read_stamp", lambda: ("", "", ""))
    for module, name, value, wanted in (
        (sys, "maxsize", 2**31 - 1, "one for 64 bits"),
        (sysconfig, "get_platform", lambda: "win-arm64", "the one for x86"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            with pytest.raises(SystemExit):
                script.fill()
        assert wanted in capsys.readouterr().err


@pytest.mark.parametrize("answer, taken", [("", True), ("n", False)])
def test_a_new_version_offers_the_games_of_the_one_beside_it(
    script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, *, taken: bool
) -> None:
    earlier, new = (tmp_path / name / "data" for name in ("1.0", "1.1"))
    for version in (earlier.parent, new.parent):
        version.mkdir()
    filled(earlier)
    (earlier / "host-key").write_text("violet-lantern-quiet-27")
    ask = Mock(return_value=answer)
    monkeypatch.setattr(script, "ROOT", new.parent)
    monkeypatch.setattr("builtins.input", ask)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "_venv", script)
    offer = runpy.run_path(str(ROOT / "script" / "server"))["_offer_earlier_games"]
    offer(new)
    ask.assert_called_once_with(f"Take over the players and games in {earlier}? [Y/n] ")
    assert [(new / name).exists() for name in ("tictactoe.db", "host-key")] == [taken, taken]
    if taken:
        offer(new)
        assert ask.call_count == 1, "there are games now"


def test_a_double_click_starts_a_class(tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text(
        f'#!/bin/sh\ncase "$1" in -c) exit ;; *) echo "$@" >{tmp_path}/said ;; esac\n'
    )
    python.chmod(0o755)
    command = [str(ROOT / "start.command"), "--port", "0"]
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(command, env=path, check=True)
    assert (tmp_path / "said").read_text() == "script/server --lan --open --port 0\n"
    python.write_text("#!/bin/sh\nexit 1\n")
    done = subprocess.run(
        command, env=path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.startswith("Python 3.11 or newer is missing: ")
    batch = (ROOT / "start.bat").read_text()
    for part in ('"py -3"', '"python"', "Extract all", r"script\server --lan --open", "pause"):
        assert part in batch
