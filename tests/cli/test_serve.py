"""`tictactoe serve`: what it refuses and how, then the real server with its worker processes."""

import io
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.cli.conftest import Run, refusal
from tests.e2e.server import Server
from tests.support.files import names
from tests.support.patience import PATIENCE, until
from tests.support.serving import served
from webapp import server
from webapp.cli import serve
from webapp.config import Settings, SettingsError
from webapp.service.key import ELSEWHERE, HostKey
from webapp.store import StoreError

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


REFUSED = [
    (["--port", "abc"], "the port must be a whole number from 0 to 65535, not 'abc'."),
    (["--host", "no host"], "cannot listen on no host"),
    (["--host", "x" * 300], "is not the name of a host"),
    (["--lan", "--host", "::1"], "leave out --host"),
    (["--prot", "8000"], "--prot"),
    # An option overrides its variable; what is taken is found before anything is made.
    (["--port", "{taken}"], "port {taken} on 127.0.0.1 is in use; stop what listens there or "),
    (["--port", "0", "--data", "{file}"], "cannot be written to: a file has that name"),
    (["--port", "0", "--data", "{file}/inside"], "inside cannot be written to: "),
    pytest.param(["--port", "0", "--data", "/proc"], "/proc cannot be written to: ", marks=linux),
    (["--port", "0", "--engine", "{file}:worst"], "There is no function 'worst'"),
    (["--port", "0", "--engine", "{file}:broken"], "mine.py, line 5: return {{}}[board]"),
    (["--port", "0", "--engine", "hard"], "named FILE.py:FUNCTION; 'hard' is not"),
]


@pytest.mark.parametrize("arguments,part", REFUSED)
def test_a_bad_argument_is_one_sentence(
    arguments: list[str], part: str, mine: Path, monkeypatch: pytest.MonkeyPatch, *, run: Run
) -> None:
    monkeypatch.chdir(mine.parent)
    if "--port" in arguments:
        monkeypatch.setenv("TTT_PORT", "no number")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        names = {"taken": listener.getsockname()[1], "file": mine}
        given = [argument.format(**names) for argument in arguments]
        assert part.format(**names) in refusal(run("serve", *given))
    assert list(mine.parent.iterdir()) == [mine], "a refused start leaves nothing behind"


def test_the_stores_refusal_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(settings: Settings) -> None:
        assert settings.data == tmp_path
        raise StoreError("The games are of a later version.\nInstall it.")

    monkeypatch.setattr("webapp.store.prepare", prepare)
    sentence = refusal(run("serve", "--port", "0", "--data", tmp_path))
    assert sentence == "The games are of a later version. Install it."
    assert names(tmp_path) == {"tictactoe.lock"}, "the probe file is gone"


def test_settings_are_options_too_and_an_empty_one_counts_as_not_given(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = {"TTT_DATA": str(tmp_path / "data"), "TTT_NAMES": "dealt", "TTT_LOG": "requests"}
    monkeypatch.setattr(os, "environ", {**os.environ, **variables})
    monkeypatch.setattr("webapp.server.run", lambda *_: None)
    given = {"names": "own", "limits": "off", "base-path": "/games", "data": "", "log": ""}
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    assert run("serve", "--port", "0", *options) == (0, "", "")
    settings = Settings.from_environment(os.environ)
    assert (settings.names, settings.limits, settings.base_path) == ("own", "off", "/games")
    assert (settings.data, settings.log) == (tmp_path / "data", "requests")
    assert (tmp_path / "data" / "tictactoe.db").is_file()


def test_without_a_route_the_computers_own_name_gives_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unconnected(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unconnected)
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "192.168.7.20")
    assert server.lan_address() == "192.168.7.20"
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "127.0.1.1")
    assert server.lan_address() is None, "a loopback address is no use to others"


class Terminal(io.TextIOWrapper):
    """What a person reads."""

    def isatty(self) -> bool:
        return True


def announced(
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    *,
    lan: bool = True,
    encoding: str = "utf-8",
    kind: type[io.TextIOWrapper] = io.TextIOWrapper,
) -> list[str]:
    """The lines that a server prints that is ready."""
    out = kind(io.BytesIO(), encoding=encoding, newline="\n")
    monkeypatch.setattr(sys, "stdout", out)
    serve._announce(settings, 8000, lan)
    out.seek(0)
    return out.read().splitlines()


@pytest.mark.parametrize("base_path", ["", "/games"])
def test_lan_prints_the_address_for_others_what_it_exposes_and_a_qr_code(
    base_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "lan_address", lambda: "192.168.7.20")
    settings = Settings(host="0.0.0.0", base_path=base_path)
    lines = announced(monkeypatch, settings)
    assert f"http://192.168.7.20:8000{base_path} " in lines[0]
    assert "Everyone on this network can open that page" in lines[1]
    assert f"http://127.0.0.1:8000{base_path}/host" in lines[-1]
    code = [line for line in lines[2:-1] if line]
    # Modules and a border of 2 on each side, two rows of them in a line.
    assert {len(line) for line in code} == {2 * len(code) - 1}
    assert set("".join(code)) == set("█▀▄ ")
    assert len(announced(monkeypatch, settings, encoding="latin-1")) == 3, "no QR code"
    monkeypatch.setattr(server, "lan_address", lambda: None)
    first, second, _host = announced(monkeypatch, settings)
    assert f"http://127.0.0.1:8000{base_path} " in first
    assert "not on a network" in second


@pytest.mark.parametrize("given", [None, "quiet-violet-lantern-27"])
@pytest.mark.parametrize("kind", [Terminal, io.TextIOWrapper])
def test_the_key_is_printed_only_where_a_person_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, kind: type[io.TextIOWrapper]
) -> None:
    settings = Settings(data=tmp_path, host_key=given)
    key = HostKey(settings).ensure()
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")  # terminals inherit it from a desktop's services
    last = announced(monkeypatch, settings, lan=False, kind=kind)[-1]
    if given:
        assert last == f"The host's page is http://127.0.0.1:8000/host. {ELSEWHERE}"
    else:
        assert (key in last) is (kind is Terminal)
        assert ("this command shows its key" in last) is (kind is not Terminal)


def test_the_command_for_the_key_makes_none_beside_one_that_is_set(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("host-key", "--data", tmp_path)
    first = run(*command)[1]
    assert run(*command) == (0, first, "")
    monkeypatch.setenv("TTT_HOST_KEY", "quiet-violet-lantern-27")
    assert run(*command) == (0, f"{ELSEWHERE}\n", "")
    assert "change it there" in refusal(run(*command, "--new"))
    # A service has the setting, and the shell of its administrator does not.
    HostKey(Settings(data=tmp_path, host_key="quiet-violet-lantern-27")).ensure()
    monkeypatch.delenv("TTT_HOST_KEY")
    assert run(*command) == (0, f"{ELSEWHERE}\n", "")
    assert "change it there" in refusal(run(*command, "--new"))


# --- real servers -------------------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that may be killed; it inherits SIGHUP as the test says."""
    # The default even if nohup has started these tests.
    before = signal.signal(signal.SIGHUP, getattr(request, "param", signal.SIG_DFL))
    server = Server(tmp_path / "data")
    signal.signal(signal.SIGHUP, before)
    yield server
    server.kill_if_alive()


def text_at(url: str) -> str:
    with urlopen(url, timeout=PATIENCE) as response:
        found: str = response.read().decode()
        return found


@linux
def test_lan_listens_on_every_address_and_links_for_others_begin_as_its_own_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_BASE_PATH", "/games")
    with served(tmp_path, "--lan") as url:
        assert url.endswith("/games")
        # The address written out for others, where this computer has one on a network.
        shown = f"{url.removeprefix('http://')}<wbr>/class<"
        assert shown in text_at(f"{url}/class/board")
        # One that the default, 127.0.0.1, would not answer on.
        assert text_at(f"http://127.0.0.2:{urlsplit(url).port}/games/healthz")


@linux
def test_a_worker_leaves_ctrl_c_to_the_parent(running: Server) -> None:
    """One that heeds both, and the parent's signal right behind it, may miss the latter."""
    running.wait_for_workers()
    workers = running.workers()
    for worker in workers:
        os.kill(worker, signal.SIGINT)
    assert all(text_at(f"{running.url}/healthz") for _ in range(100))
    assert running.workers() == workers


@linux
@pytest.mark.parametrize("name", ["SIGKILL", "SIGHUP"])
def test_workers_do_not_outlive_a_server_that_is_killed(name: str, running: Server) -> None:
    os.kill(running.pid, getattr(signal, name))
    assert running.ends() == -getattr(signal, name), "and its workers hold its output no longer"
    port = urlsplit(running.url).port or 0

    def is_free() -> bool:
        with suppress(SettingsError):
            return bool(server.free_address("127.0.0.1", port))
        return False

    until(is_free)


@linux
@pytest.mark.parametrize("running", [signal.SIG_IGN], indirect=True)
def test_a_server_that_nohup_has_started_outlives_its_terminal(running: Server) -> None:
    running.wait_for_workers()
    workers = running.workers()
    os.killpg(running.pid, signal.SIGHUP)  # as a terminal does that is closed
    assert all(text_at(f"{running.url}/healthz") for _ in range(20))
    assert running.workers() == workers


def test_functions_of_a_folder_are_served_by_every_worker_to_the_network(
    tmp_path: Path, mine: Path
) -> None:
    folder = tmp_path / "class 3, 4"
    folder.mkdir()
    for name, cell in (("anna", "index"), ("ben", "rindex")):
        (folder / f"{name}.py").write_text(
            f"def best(board, mark):\n    return board.{cell}('.')\n"
        )
    (folder / "clara.py").write_text("def best(board, mark):\n    return 9\n")
    arguments = ("--host", "0.0.0.0", "--engine", str(folder), "--engine", f"{mine}:first")
    with served(tmp_path / "data", *arguments, says="Left out: clara.py: It ") as url:
        mine.unlink()  # none of their code is needed any more
        for page in (text_at(url) for _ in range(6)):
            for slug in ("anna.py:best", "ben.py:best", "mine.py:first"):
                assert f'value="{slug}"' in page
            assert "clara" not in page


def test_the_script_takes_paths_from_the_folder_that_you_are_in(mine: Path) -> None:
    script = Path(server.__file__).parents[1] / "script" / "server"
    options = ["--port", "0", "--data", "here", "--engine", f"{mine.name}:first"]
    with subprocess.Popen(
        [sys.executable, script, *options],
        cwd=mine.parent,
        env={**os.environ, "TTT_DATA": "elsewhere"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as started:
        try:
            assert started.stdout
            # Before that it may say that it fills .venv.
            ready = next(line for line in started.stdout if "ready: " in line)
            assert 'value="mine.py:first"' in text_at(ready.split()[3])
            assert "tictactoe.db" in names(mine.parent / "here")
        finally:
            started.terminate()
