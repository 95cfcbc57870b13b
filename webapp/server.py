"""The web server: an address nobody else has, and granian with its worker processes on it.

May import `config`; each worker loads `webapp.web`.
"""

import contextlib
import ctypes
import errno
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from ctypes import c_bool
from functools import partial
from multiprocessing.sharedctypes import RawValue
from typing import TYPE_CHECKING, Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import MPServer

from webapp.config import SettingsError

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from webapp.service.classroom import Classroom
    from webapp.service.host import Host

# Where a program on this computer reaches a server that listens on every address.
_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104

# How long a thread keeps the interpreter while another waits, in seconds: a move needs it a dozen
# times, and should not wait long for each while somebody's page of the lab is computed.
_TURN = 0.0005

# How long after its start a worker computes ahead, and how it pauses meanwhile, in seconds.
_SETTLED, _PAUSE = 0.5, 0.005

UNDER_WAY = 128
"""How many requests a worker has under way at once, those that come in slowly among them."""

_DAY = 24 * 60 * 60

# What the C library calls the number of heaps among its options.
_M_ARENA_MAX = -8

# How many workers in a row must die before they have loaded the application for all to end.
_HOPELESS = 6


def free_address(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and the port to listen on; port 0 becomes a free one.

    :raises SettingsError: if the host is unknown, or another program listens there already.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":
                # Connections that a stopped server left behind are in nobody's way. On Windows this
                # option would mean the opposite: take the port from whoever has it.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            numeric, chosen = probe.getsockname()[:2]
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(
                f"port {port} on {host} is in use; stop what listens there or choose another port"
            ) from error
        raise SettingsError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    except UnicodeError as error:
        raise SettingsError(f"{host!r} is not the name of a host") from error
    return str(numeric), int(chosen)


def local_url(host: str, port: int, base_path: str = "") -> str:
    """Return the address of the first page, for a browser on this computer."""
    host = _HERE.get(host, host)
    netloc = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"http://{netloc}{base_path}"


def lan_address() -> str | None:
    """Return the IPv4 address that others on the network know this computer by, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Choosing a way to 192.0.2.1 (a network for documentation) sends nothing.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            # No way out; a network without a router may still be there.
            try:
                address = socket.gethostbyname(socket.gethostname())
            except OSError:
                return None
    return None if address.startswith(("127.", "0.")) else address


def run(address: str, port: int, workers: int, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; call `ready` as soon as requests are answered.

    The workers read their settings from `os.environ`. One that dies is replaced.
    """
    hangup = getattr(signal, "SIGHUP", None)
    on_hangup = signal.getsignal(hangup) if hangup else None
    server = _Server(
        "webapp.web:create_app",
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        # One for each request under way: most of them wait for their bodies, or for a turn.
        blocking_threads=UNDER_WAY,
        # Counts connections, and browsers keep theirs open: this is no limit for requests at work.
        backpressure=512,
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
    )

    @server.on_startup
    def prepare() -> None:
        if hangup:
            # To granian this means "reload"; a closed terminal should end the server.
            signal.signal(hangup, on_hangup)
        watch = threading.Thread(target=_call_when_up, args=(address, port, ready), daemon=True)
        watch.start()

    server.came_up = RawValue(c_bool, False)
    server.serve(target_loader=partial(_load_and_tell, server.came_up), wrap_loader=False)


class _Server(MPServer):
    """Replaces workers that were killed, however often, and gives up only where none comes up.

    granian alone gives up when a worker dies within seconds of having been replaced.

    :ivar came_up: whether any worker has loaded the application since the last one was replaced;
        without a lock, which one that is killed could take along
    """

    came_up: c_bool
    _failed = 0

    def _respawn_workers(self, workers: list[int], *more: Any, **options: Any) -> None:
        super()._respawn_workers(workers, *more, **options)
        self._failed = 0 if self.came_up.value else self._failed + len(workers)
        self.came_up.value = False
        if self._failed < _HOPELESS:
            self.respawned_wrks.clear()


def _call_when_up(address: str, port: int, ready: Callable[[], None]) -> None:
    """Call `ready` once a worker listens, which granian's do after they have loaded the app."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    while True:
        with socket.socket(family) as probe:
            if probe.connect_ex((_HERE.get(address, address), port)) == 0:
                break
        time.sleep(0.02)
    ready()


def _load_and_tell(came_up: c_bool) -> "WSGIApplication":
    """Make the application, in a worker process, and tell the parent that it could be made."""
    app = _load_app()
    came_up.value = True
    return app


def _load_app() -> "WSGIApplication":
    """Make the application, in a worker process, with everything that it needs from files."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        # granian sets its handlers after this. Until then a stop ends the worker at once.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _leave_ctrl_c_to_the_parent()
        threading.Thread(target=_stop_after, args=(parent,), daemon=True).start()
    from webapp.web import create_app  # noqa: PLC0415 - the parent needs no application

    sys.setswitchinterval(_TURN)
    _share_one_heap()
    # The command that started us has seen to the database, which may be out of reach by now.
    app = create_app(prepared=parent is not None)
    # All now: before a restart an upgrade may put templates there that are not this version's.
    for template in app.jinja_env.list_templates():
        app.jinja_env.get_template(template)
    threading.Thread(target=_tidy_daily, args=(app.extensions["host"],), daemon=True).start()
    threading.Thread(
        target=_compute_ahead, args=(app.extensions["classroom"],), daemon=True
    ).start()
    return app


def _leave_ctrl_c_to_the_parent() -> None:
    """Let Ctrl-C, which the whole group gets, reach the parent alone; it stops the workers.

    A worker that got both would now and then go on serving until it is killed, in the midst of
    requests: granian waits for one signal, and is not made for a second one right behind it.
    """
    if hasattr(signal, "pthread_sigmask"):
        # Threads that granian starts later inherit it, and its handler is never called.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _share_one_heap() -> None:
    """Let all threads take memory from one heap, where the C library would give each its own.

    The interpreter lets one thread work at a time, so that nobody waits for it; a worker holds
    five megabytes less.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # not every C library has it
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def _compute_ahead(classroom: "Classroom") -> None:
    """Do what takes long early, so that the first visitor of the lab or the class waits for nobody.

    One who waits for a move gets the interpreter in each of the pauses.
    """
    from webapp.analysis.ahead import warm_up  # noqa: PLC0415

    time.sleep(_SETTLED)
    warm_up(lambda: time.sleep(_PAUSE))
    classroom.compute_ahead()
    # What stays for good need not be looked through for garbage, which takes as long as many moves.
    gc.collect()
    gc.freeze()


def _tidy_daily(host: "Host") -> None:
    """Keep the promise to forget who is idle; a database that cannot be written waits a day."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    time.sleep(_SETTLED)
    while True:
        with contextlib.suppress(SQLAlchemyError):
            host.tidy()
        time.sleep(_DAY)


def _stop_after(parent: "multiprocessing.process.BaseProcess") -> None:
    """Stop this worker when its parent has been killed: alone it would hold the port for ever."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
