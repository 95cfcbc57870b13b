"""`tictactoe serve`: what it refuses and how, then the real server with its worker processes."""

import io
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.request import urlopen

import pytest

from webapp import __version__, cli, server
from webapp.cli import serve
from webapp.config import Settings, SettingsError
from webapp.store import StoreError

PATIENCE = 20.0

posix = pytest.mark.skipif(os.name != "posix", reason="signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def refusal(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command line that must be refused; return its sentence, having checked its form."""
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    output = capsys.readouterr()
    assert end.value.code == 2
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert output.err.startswith("tictactoe: ")
    assert output.err.endswith(".\n")
    return output.err.removeprefix("tictactoe: ").strip()


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("TTT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which something listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize(
    "arguments,part",
    [
        (["--port", "abc"], "the port must be a whole number from 0 to 65535, not 'abc'."),
        (["--port", "65536"], "the port must be a whole number from 0 to 65535, not '65536'."),
        (["--workers", "0"], "the number of workers must be a whole number from 1 to 64"),
        (["--host", "no host"], "cannot listen on no host"),
        (["--host", "203.0.113.77"], "cannot listen on 203.0.113.77, port 8000"),
        (["--host", "x" * 300], "is not the name of a host"),
        (["--lan", "--host", "::1"], "leave out --host"),
        (["--prot", "8000"], "--prot"),
        (["--port"], "'--port'"),
        (["now"], "now"),
    ],
)
def test_a_bad_argument_is_one_sentence(
    arguments: list[str],
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert part in refusal(["serve", *arguments], capsys)
    assert list(tmp_path.iterdir()) == [], "a refused start leaves nothing behind"


def test_an_unknown_command_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert "play" in refusal(["play"], capsys)


def test_a_bad_variable_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TTT_WORKERS", "many")
    assert "not 'many'" in refusal(["serve", "--port", "0"], capsys)


def test_an_option_overrides_its_variable(
    taken: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TTT_PORT", "no number")
    assert f"port {taken} on 127.0.0.1" in refusal(["serve", "--port", str(taken)], capsys)


def test_a_port_in_use_is_one_sentence_and_leaves_the_games_alone(
    taken: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "games"
    sentence = refusal(["serve", "--port", str(taken), "--data", str(data)], capsys)
    assert sentence == (
        f"port {taken} on 127.0.0.1 is in use; stop what listens there or choose another port."
    )
    assert not data.exists()


@pytest.mark.parametrize(
    "folder,reason",
    [
        ("file", "a file has that name"),
        ("file/inside", ""),
        pytest.param("/proc", "", marks=linux),
    ],
)
def test_a_data_folder_that_cannot_be_written_to_is_one_sentence(
    folder: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    data = tmp_path / folder
    sentence = refusal(["serve", "--port", "0", "--data", str(data)], capsys)
    assert sentence.startswith(f"the data folder {data} cannot be written to: {reason}")


def test_the_stores_refusal_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prepare(settings: Settings) -> None:
        assert settings.data == tmp_path
        raise StoreError("The games are of a later version.\nInstall it.")

    monkeypatch.setattr("webapp.store.prepare", prepare)
    sentence = refusal(["serve", "--port", "0", "--data", str(tmp_path)], capsys)
    assert sentence == "The games are of a later version. Install it."
    assert [file.name for file in tmp_path.iterdir()] == ["tictactoe.lock"], (
        "the probe file is gone"
    )


def test_the_command_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert not end.value.code
    assert capsys.readouterr().out == f"tictactoe {__version__}\n"


def test_the_bare_command_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert not end.value.code
    assert "  serve " in capsys.readouterr().out


@pytest.mark.parametrize(
    "host,url",
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("localhost", "http://localhost:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
    ],
)
def test_the_address_is_one_that_a_browser_can_open(host: str, url: str) -> None:
    assert server.local_url(host, 8000) == url


def test_an_address_is_refused_while_somebody_listens_there(taken: int) -> None:
    with pytest.raises(SettingsError, match=f"port {taken} on 127.0.0.1 is in use"):
        server.free_address("127.0.0.1", taken)


@posix
def test_an_address_is_free_again_as_soon_as_its_server_has_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            # Closing first is what leaves the connection lingering on the server's side.
            listener.accept()[0].close()
    assert server.free_address("127.0.0.1", port) == ("127.0.0.1", port)


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


def announcement(
    monkeypatch: pytest.MonkeyPatch, encoding: str, address: str | None, base_path: str = ""
) -> str:
    """Return what `serve --lan` prints to a terminal of that encoding."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(server, "lan_address", lambda: address)
    serve._announce(Settings(host="0.0.0.0", base_path=base_path), 8000, True)
    terminal.seek(0)
    return terminal.read()


def test_lan_prints_the_address_for_others_what_it_exposes_and_a_qr_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = announcement(monkeypatch, "utf-8", "192.168.7.20").splitlines()
    assert "http://192.168.7.20:8000 " in lines[0]
    assert "Everyone on this network can open that page" in lines[1]
    # 25 modules and a border of 2 on each side, two rows of them in a line.
    code = [line for line in lines[2:] if line]
    assert [len(line) for line in code] == [29] * 15
    assert set("".join(code)) == set("█▀▄ ")


def test_below_a_path_the_address_for_others_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = announcement(monkeypatch, "utf-8", "192.168.7.20", "/games").splitlines()
    assert "http://192.168.7.20:8000/games " in lines[0]
    lines = announcement(monkeypatch, "utf-8", None, "/games").splitlines()
    assert "http://127.0.0.1:8000/games " in lines[0]


def test_lan_prints_no_qr_code_where_the_terminal_lacks_its_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = announcement(monkeypatch, "latin-1", "192.168.7.20").splitlines()
    assert len(lines) == 2
    assert "http://192.168.7.20:8000 " in lines[0]


def test_lan_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = announcement(monkeypatch, "utf-8", None).splitlines()
    assert "http://127.0.0.1:8000 " in lines[0]
    assert "no network address" in lines[1]


class Server:
    """A running `tictactoe serve`, in a session of its own as in a terminal."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", "serve", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def _read(self, output: IO[str]) -> None:
        with output:
            for line in output:
                self._lines.put(line)

    def url(self) -> str:
        """Wait for the line with the address."""
        first = self._lines.get(timeout=PATIENCE)
        assert first.startswith("Tic-tac-toe is ready: http://")
        return first.split()[3]

    def workers(self) -> set[int]:
        """The processes that answer requests."""
        pid = self.process.pid
        return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit status and what was printed and not yet read."""
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status, "".join(self._lines.queue)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.end()


Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers with the arguments given, their games in a folder of this test's own."""
    started: list[Server] = []

    def start(*arguments: str) -> Server:
        started.append(Server(["--data", str(tmp_path / "games"), *arguments]))
        return started[-1]

    yield start
    for running in started:
        running.kill()


def answers(url: str) -> bool:
    with urlopen(f"{url}/healthz", timeout=PATIENCE) as response:
        return bool(response.status == 200)


def wait_until(holds: Callable[[], bool]) -> None:
    """Ask again and again, without a rest, for as long as patience lasts."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"


@posix
def test_the_address_answers_from_the_moment_it_is_printed(start: Start, tmp_path: Path) -> None:
    assert answers(start("--port", "0").url())
    assert (tmp_path / "games" / "tictactoe.db").is_file()


@posix
@pytest.mark.parametrize("how", ["SIGTERM", "Ctrl-C"])
def test_a_stopped_server_ends_quietly_and_its_port_is_free_at_once(how: str, start: Start) -> None:
    first = start("--port", "0")
    url = first.url()
    assert answers(url)
    if how == "SIGTERM":
        first.process.terminate()
    else:
        # A terminal sends it to the server and its workers alike.
        os.killpg(first.process.pid, signal.SIGINT)
    assert first.end() == (0, "")

    second = start("--port", url.rpartition(":")[2])
    assert second.url() == url
    assert answers(url)


@posix
def test_a_second_server_on_the_same_port_is_refused_and_the_first_goes_on(start: Start) -> None:
    url = start("--port", "0").url()
    status, output = start("--port", url.rpartition(":")[2]).end()
    assert status == 2
    assert output.startswith("tictactoe: port ")
    assert output.count("\n") == 1
    assert answers(url)


@linux
def test_lan_listens_on_every_address(start: Start) -> None:
    port = start("--port", "0", "--lan").url().rpartition(":")[2]
    # One that the default, 127.0.0.1, would not answer on.
    assert answers(f"http://127.0.0.2:{port}")


@linux
def test_below_a_path_the_address_is_its_first_page_and_links_for_others_begin_with_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_BASE_PATH", "/games")
    running = start("--port", "0", "--workers", "1", "--lan")
    url = running.url()
    assert url.endswith("/games")
    assert answers(url)
    with urlopen(f"{url}/class/board", timeout=PATIENCE) as wall:
        # The address written out for others, where this computer has one on a network.
        assert f"{url}/class<" in wall.read().decode()


@linux
def test_a_killed_worker_is_replaced(start: Start) -> None:
    running = start("--port", "0", "--workers", "1")
    url = running.url()
    (victim,) = running.workers()
    os.kill(victim, signal.SIGKILL)

    def is_back() -> bool:
        with suppress(OSError):
            return answers(url)
        return False

    wait_until(is_back)
    assert running.workers().isdisjoint({victim})


@linux
def test_a_worker_leaves_ctrl_c_to_the_parent(start: Start) -> None:
    """One that heeds both, and the parent's signal right behind it, may miss the latter."""
    running = start("--port", "0")
    url = running.url()
    wait_until(lambda: answers(url) and len(running.workers()) == 2)
    workers = running.workers()
    for worker in workers:
        os.kill(worker, signal.SIGINT)
    assert all(answers(url) for _ in range(100))
    assert running.workers() == workers


@linux
@pytest.mark.parametrize("name", ["SIGKILL", "SIGHUP"])
def test_workers_do_not_outlive_a_server_that_is_killed(name: str, start: Start) -> None:
    running = start("--port", "0")
    url = running.url()
    assert answers(url)
    os.kill(running.process.pid, getattr(signal, name))
    assert running.process.wait(PATIENCE) == -getattr(signal, name)

    def free() -> bool:
        with suppress(SettingsError):
            server.free_address("127.0.0.1", int(url.rpartition(":")[2]))
            return True
        return False

    wait_until(free)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text("def best(board, mark):\n    return board.index('.')\n")
    return file


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["--engine", "{file}:best", "--lan"], "served to this computer only"),
        (["--engine", "{file}:best", "--host", "0.0.0.0"], "served to this computer only"),
        (["--engine", "{file}:worst"], "There is no function 'worst'"),
        (["--engine", "none.py:best"], "There is no file none.py"),
        (["--engine", "hard"], "written FILE.py:FUNCTION; 'hard' is not"),
    ],
)
def test_an_engine_of_ones_own_that_cannot_be_served_stops_the_start(
    start: Start, mine: Path, arguments: list[str], why: str
) -> None:
    server = start("--port", "0", *(argument.format(file=mine) for argument in arguments))
    status, printed = server.end()
    assert status == 2
    assert printed.startswith("tictactoe: ")
    assert printed.count("\n") == 1
    assert why in printed


def test_an_engine_of_ones_own_is_served_by_every_worker(start: Start, mine: Path) -> None:
    url = start("--port", "0", "--engine", f"{mine}:best").url()
    for _ in range(6):
        with urlopen(url, timeout=PATIENCE) as response:
            assert 'value="mine.py:best"' in response.read().decode()
