import io
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import ifaddr
import pytest
from flask import Flask

from tests.cli.conftest import Run, refusal
from tests.e2e.server import Server
from tests.support.files import names
from tests.support.http import Player, answers
from tests.support.programs import found
from tests.support.serving import served
from webapp import lan, server
from webapp.cli import serve
from webapp.config import Settings
from webapp.service.key import ELSEWHERE, HostKey, Link
from webapp.service.site import Site

GIVEN = "quiet-violet-lantern-27"
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def ended(app: Flask) -> Site:
    site: Site = app.extensions["site"]
    site.database.close()
    app.extensions["lock"].close()
    return site


REFUSED = [
    (["--port", "abc"], "the port must be a whole number from 0 to 65535, not 'abc'."),
    (["--host", "no host"], "cannot listen on no host"),
    (["--host", "x" * 300], "is not the name of a host"),
    (["--lan", "--host", "::1"], "leave out --host"), (["--prot", "8000"], "--prot"),
    # An option overrides its variable; what is taken is found before anything is made.
    (["--port", "{taken}"], "port {taken} on 127.0.0.1 is in use; stop what listens there or "),
    (["--port", "0", "--data", "{file}"], "cannot be written to: a file has that name"),
    (["--port", "0", "--engine", "{file}:worst"], "There is no function 'worst'"),
    (["--port", "0", "--engine", "{file}:broken"], "mine.py, line 5: return {{}}[board]"),
    (["--port", "0", "--engine", "hard"], "named FILE.py:FUNCTION; 'hard' is not"),
]  # fmt: skip


def test_a_bad_argument_is_told(mine: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(mine.parent)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        names = {"taken": listener.getsockname()[1], "file": mine}
        for arguments, part in REFUSED:
            given = [argument.format(**names) for argument in arguments]
            with monkeypatch.context() as overridden:
                if "--port" in arguments:
                    overridden.setenv("TTT_PORT", "no number")
                assert part.format(**names) in refusal(run("serve", *given))
            assert list(mine.parent.iterdir()) == [mine], "a refused start leaves nothing behind"


def test_settings_are_options(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"TTT_DATA": str(tmp_path / "data"), "TTT_NAMES": "dealt", "TTT_LIMITS": "off"}
    monkeypatch.setattr(os, "environ", {**os.environ, **variables})
    started = list[Settings]()
    monkeypatch.setattr(server, "run", lambda app, *_: started.append(ended(app).settings))
    given = {"names": "own", "base-path": "/games", "data": "", "limits": ""}
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    assert run("serve", "--port", "0", *options) == (0, "", "")
    (settings,) = started
    assert (settings.names, settings.limits, settings.base_path) == ("own", "off", "/games")
    assert settings.data == tmp_path / "data"
    assert (tmp_path / "data" / "tictactoe.db").is_file()


def test_all_addresses_are_found_a_classrooms_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def adapter(name: str, ip: str) -> ifaddr.Adapter:
        return ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name)])

    loopback, cut_off = adapter("lo", "127.0.0.1"), adapter("eth1", "169.254.3.4")
    vpn, box = adapter("tun0", "10.8.0.2"), adapter("VirtualBox Host-Only", "192.168.56.1")
    hotspot = adapter("Microsoft Wi-Fi Direct Virtual Adapter", "192.168.137.1")
    wifi, cable = adapter("wlan0", "192.168.7.20"), adapter("NETGEAR WG111v3", "10.0.0.5")

    def connect(_: object, _to: object) -> None:
        if way == "0.0.0.0":
            raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", connect)
    for way, adapters, addresses in (
        ("0.0.0.0", [loopback, cut_off], []),
        ("0.0.0.0", [loopback, wifi, hotspot], ["192.168.7.20", "192.168.137.1"]),
        ("10.0.0.5", [box, wifi, cable], ["10.0.0.5", "192.168.7.20", "192.168.56.1"]),
        ("10.8.0.2", [vpn, wifi], ["192.168.7.20", "10.8.0.2"]),
    ):
        monkeypatch.setattr(ifaddr, "get_adapters", lambda found=adapters: found)
        monkeypatch.setattr(socket.socket, "getsockname", lambda _, way=way: (way, 0))
        assert lan.addresses() == addresses


_HOTSPOT = """
import fcntl, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
    for name, ip in ((b"lo", "127.0.0.1"), (b"lo:1", "192.168.7.20"), (b"lo:2", "10.42.0.1")):
        given = struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(ip))
        fcntl.ioctl(probe, 0x8916, given)  # SIOCSIFADDR
        fcntl.ioctl(probe, 0x8914, struct.pack("16sH14x", name, 1))  # SIOCSIFFLAGS: it is up
from webapp.lan import addresses
print(*addresses())
"""


def test_a_computer_without_a_way_to_the_internet_has_all_its_addresses() -> None:
    apart = ["unshare", "--user", "--map-root-user", "--net"]
    if not found("unshare") or subprocess.run([*apart, "true"], check=False).returncode:
        pytest.skip("No network of a test's own can be made here.")
    told = subprocess.check_output([*apart, sys.executable, "-c", _HOTSPOT], text=True)
    assert told.split() == ["192.168.7.20", "10.42.0.1"]


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def announced(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, *, on_lan: bool = True,
    encoding: str = "utf-8", kind: type[io.TextIOWrapper] = io.TextIOWrapper,
) -> list[str]:  # fmt: skip
    out = kind(io.BytesIO(), encoding=encoding, newline="\n")
    monkeypatch.setattr(sys, "stdout", out)
    serve._announce(settings, 8000, on_lan)
    out.seek(0)
    return out.read().splitlines()


def test_open_leads_the_browser_to_the_sign_in_and_prints_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    serve._announce(Settings(data=tmp_path), 8000, False, "once", opens=True)
    assert opened == ["http://127.0.0.1:8000/host/enter/once"]
    assert "once" not in capsys.readouterr().out


def test_lan_prints_an_address_a_warning_and_a_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.7.20"])
    settings = Settings(host="0.0.0.0", base_path="/games")
    first, second, *code, last = announced(monkeypatch, settings)
    assert "http://192.168.7.20:8000/games " in first
    assert "Everyone on this network can open that page" in second
    assert "http://127.0.0.1:8000/games/host" in last
    assert set("".join(code)) == set("█▀▄ ")
    assert len(announced(monkeypatch, settings, encoding="latin-1")) == 3, "no QR code"
    monkeypatch.setattr(lan, "addresses", lambda: ["10.0.0.5", "192.168.7.20"])
    assert "try http://192.168.7.20:8000/games." in announced(monkeypatch, settings)[-2]
    monkeypatch.setattr(lan, "addresses", list)
    first, second, _host = announced(monkeypatch, settings)
    assert ("http://127.0.0.1:8000/games " in first, "not on a network" in second) == (True, True)


def test_the_key_is_printed_for_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")  # terminals inherit it from a desktop's services
    key = HostKey(Settings(data=tmp_path)).ensure()
    for kind, read in ((Terminal, True), (io.TextIOWrapper, False)):
        last = announced(monkeypatch, Settings(data=tmp_path), on_lan=False, kind=kind)[-1]
        assert (key in last, "this command shows its key" in last) == (read, not read)


@pytest.mark.parametrize("read", [True, False])
def test_an_address_that_signs_in_is_printed_only_where_a_person_reads_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, read: bool
) -> None:
    serves = Mock(side_effect=lambda app, _at, ready: (ready(), ended(app)))
    monkeypatch.setattr(serve, "_is_read_here", lambda: read)
    monkeypatch.setattr(server, "run", serves)
    said = run("serve", "--port", "0", "--data", tmp_path)[1]
    link: Link | None = serves.call_args.args[0].extensions["site"].link
    tokens = re.findall(r"^http://127\.0\.0\.1:\d+/host/enter/(\S+)$", said, re.MULTILINE)
    assert [bool(link and link.fits(token)) for token in tokens] == [True] * read
    assert bool(link) is read


def test_a_set_key_is_kept_alone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("host-key", "--data", tmp_path)
    first = run(*command)[1]
    assert run(*command) == (0, first, "")
    monkeypatch.setenv("TTT_HOST_KEY", GIVEN)
    assert run(*command) == (0, f"{ELSEWHERE}\n", "")
    # A service has the setting, and the shell of its administrator does not.
    HostKey(Settings(data=tmp_path, host_key=GIVEN)).ensure()
    monkeypatch.delenv("TTT_HOST_KEY")
    assert run(*command) == (0, f"{ELSEWHERE}\n", "")
    assert "change it there" in refusal(run(*command, "--new"))


@linux
def test_lan_listens_and_links_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTT_BASE_PATH", "/games")
    with served(tmp_path, "--lan") as url:
        # The address written out for others, where this computer has one on a network.
        shown = f"{url.removeprefix('http://')}/class<"
        assert shown in Player(url).get("/class/board").text
        # One that the default, 127.0.0.1, would not answer on.
        assert answers(f"http://127.0.0.2:{urlsplit(url).port}/games")


@linux
def test_nohup_outlives_the_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    server = Server(tmp_path / "data")
    signal.signal(signal.SIGHUP, before)
    try:
        os.killpg(server.pid, signal.SIGHUP)  # as a terminal does that is closed
        assert all(answers(server.url) for _ in range(50))
    finally:
        server.kill_if_alive()


def test_functions_of_a_folder_are_served_to_the_network(tmp_path: Path, mine: Path) -> None:
    folder = tmp_path / "class 3, 4"
    folder.mkdir()
    (folder / "anna.py").write_text("def best(board, mark):\n    return board.rindex('.')\n")
    (folder / "clara.py").write_text("def best(board, mark):\n    return 9\n")
    arguments = ("--host", "0.0.0.0", "--engine", str(folder), "--engine", f"{mine}:first")
    with served(tmp_path / "data", *arguments, says="Left out: clara.py: It ") as url:
        mine.unlink()  # none of their code is needed any more
        for page in (Player(url).get().text for _ in range(6)):
            assert 'value="anna.py:best"' in page
            assert 'value="mine.py:first"' in page
            assert "clara" not in page


def test_the_script_takes_paths_from_the_folder_that_you_are_in(mine: Path) -> None:
    script = Path(server.__file__).parents[2] / "script" / "server"
    options = ["--port", "0", "--data", "here", "--engine", "mine.py:first"]
    command = [sys.executable, str(script), *options]
    environment = {**os.environ, "TTT_DATA": "elsewhere"}
    with subprocess.Popen(
        command, cwd=mine.parent, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ) as started:
        try:
            assert started.stdout
            # Before that it may say that it fills .venv.
            ready = next(line for line in started.stdout if "ready: " in line)
            assert 'value="mine.py:first"' in Player(ready.split()[3].rstrip("/")).get().text
            assert "tictactoe.db" in names(mine.parent / "here")
        finally:
            started.terminate()
