"""The web server: a free address, and granian with its workers, which load the web."""

import contextlib
import errno
import logging
import multiprocessing
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from ctypes import c_bool
from functools import partial
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from typing import TYPE_CHECKING, Any

# granian's memory, which it reads when it is loaded: a thread that waits for news then holds 58 KiB
# with all that it needs, and otherwise 130 to 200, most of it kept for itself and never used.
os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:1,tcache:false,muzzy_decay_ms:0")

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from webapp.config import HERE, SettingsError

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from webapp.service.key import Link
    from webapp.service.site import Site


BLOCKING_THREADS = 2112
"""How many requests a worker has under way at once: most wait for news, for their bodies, for a
turn, or to be refused. Where all that may wait do, 64 are left."""

MAX_CONNECTIONS, _OTHER_FILES = 4096, 200
"""How many connections a worker keeps open, where it may open that many files and those that are
no connections. It would never accept another one after it had run out of files."""

SILENCE = 10
"""Seconds until a connection is closed that has not sent a whole head."""

STALLED = 25
"""Seconds until one is closed that gets no answer away: its form does not end, or the visitor does
not read. A request that comes at the last moment and then waits for news takes less."""

MAX_FAILED_STARTS = 6
"""How many workers in a row must die before they have loaded the application for all to end."""

_LOG = logging.getLogger(__name__)

_HEAD = 32 * 1024  # what the head of a request may have, in bytes: nginx's own limit

# How often connections are looked at, in seconds, and Linux's states of those that are not closed
# by us: ESTABLISHED, and CLOSE_WAIT, where the visitor sends no more.
_GLANCE, _CONNECTED = 2, (1, 8)

# How many seconds after its start a worker begins what it does again and again, and how often.
_SETTLED = 0.5
_TIDY_EVERY, _KEEP_EVERY, _PAIR_EVERY, _TICK_EVERY = 5 * 60, 60, 1, 0.5


def free_address(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and the port to listen on; port 0 becomes a free one.

    `SettingsError` says where the host is unknown, or another program listens there already.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":
                # Connections that a stopped server left behind do no harm. On Windows this
                # option would mean the opposite: take the port from the program that has it.
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


def run(
    at: tuple[str, int], workers: int, ready: Callable[[], None], id_: str, link: "Link | None"
) -> None:
    """Serve until SIGTERM or Ctrl-C; call `ready` as soon as requests are answered.

    :param at: the address and the port
    :param id_: the database's, which may be out of reach when a worker starts
    :param link: what signs in once, with one worker

    The workers read their settings from `os.environ`. One that dies is replaced.
    """
    address, port = at
    server = _Server(
        "webapp.web:create_app",
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=BLOCKING_THREADS,
        # Counts connections, and browsers keep theirs open: this is no limit for requests at work.
        backpressure=_room_for_connections(),
        backlog=MAX_CONNECTIONS,
        # What looks for HTTP/2 first waits for the first byte without an end.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=SILENCE * 1000, max_buffer_size=_HEAD),
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
    )
    hangup = getattr(signal, "SIGHUP", None)
    on_hangup = signal.getsignal(hangup) if hangup else None

    @server.on_startup
    def prepare() -> None:
        if hangup:
            # To granian this means "reload". A closed terminal should end it, unless nohup says no.
            signal.signal(hangup, on_hangup)
        threading.Thread(target=_call_when_up, args=(address, port, ready), daemon=True).start()

    load = partial(_load, server.came_up, server.stopping, port, id_, link)
    server.serve(target_loader=load, wrap_loader=False)


def _room_for_connections() -> int:
    """Let the workers open as many files as they need and may; return how many connections fit."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS  # has no such limit
    import resource  # noqa: PLC0415

    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed, endless = MAX_CONNECTIONS + _OTHER_FILES, resource.RLIM_INFINITY
    if files != endless and files < needed:
        files = needed if allowed == endless else min(needed, allowed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, allowed))
    return MAX_CONNECTIONS if files == endless else max(1, min(needed, files) - _OTHER_FILES)


class _Server(MPServer):
    """Replaces workers that were killed, however often, and gives up only where none comes up.

    granian by itself gives up when a worker dies within seconds of having been replaced.

    :ivar came_up: whether any worker has loaded the application since the last one was replaced;
        without a lock, which a worker that is killed could take along
    :ivar stopping: whether all are to stop. granian's own hook comes after the workers have, which
        would wait for the requests that wait for news
    """

    _failed = 0

    def __init__(self, *target: Any, **options: Any) -> None:
        super().__init__(*target, **options)
        self.came_up, self.stopping = RawValue(c_bool, False), RawValue(c_bool, False)

    def signal_handler_interrupt(self, *signal: Any, **more: Any) -> None:
        self.stopping.value = True
        super().signal_handler_interrupt(*signal, **more)  # type: ignore[no-untyped-call]

    def _respawn_workers(self, workers: list[int], *more: Any, **options: Any) -> None:
        super()._respawn_workers(workers, *more, **options)
        self._failed = 0 if self.came_up.value else self._failed + len(workers)
        self.came_up.value = False
        if self._failed < MAX_FAILED_STARTS:
            self.respawned_wrks.clear()


def _call_when_up(address: str, port: int, ready: Callable[[], None]) -> None:
    """Call `ready` once a worker listens, which granian's do after they have loaded the app."""
    while True:
        with contextlib.suppress(OSError):
            socket.create_connection((HERE.get(address, address), port)).close()
            return ready()
        time.sleep(0.02)


def _load(
    came_up: c_bool, stopping: c_bool, port: int, id_: str, link: "Link | None"
) -> "WSGIApplication":
    """Make the application, in a worker process, with everything that it needs from files."""
    if parent := multiprocessing.parent_process():
        # granian sets its handler after this. Until then a stop ends the worker at once.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Ctrl-C reaches the whole group, and the parent stops the workers. One that got both might
        # serve on until it is killed. Threads that granian starts later inherit the mask.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        threading.Thread(target=_stop_after, args=(parent, stopping), daemon=True).start()
    # The parent needs no application.
    from webapp.service import menace, polls, seeks, teacher, tournaments  # noqa: PLC0415
    from webapp.web import create_app, translation  # noqa: PLC0415

    # A move needs the interpreter a dozen times, and a page of the lab keeps it as long as this:
    # half of the moves then take 11 ms beside a visitor of the lab; with Python's 5 ms, 15.
    sys.setswitchinterval(0.0005)
    # The command that started us has seen to the database, which may be out of reach meanwhile.
    app = create_app(prepared=id_)
    translation.load_all(app)
    site: Site = app.extensions["site"]
    site.link = link
    site.live.start(lambda: stopping.value)
    works = (
        (_again, teacher.tidy, site, _TIDY_EVERY),
        (_again, menace.keep, site, _KEEP_EVERY),
        (_again, seeks.pair_all, site, _PAIR_EVERY),
        (_again, tournaments.tick, site, _TICK_EVERY),
        (_again, polls.tick, site, _TICK_EVERY),
        (_close_stalled, port),
    )
    for work, *on in works:
        threading.Thread(target=work, args=on, daemon=True).start()
    came_up.value = True
    return app


def _stop_after(parent: "multiprocessing.process.BaseProcess", stopping: c_bool) -> None:
    """Stop this worker when its parent has been killed: alone it would hold the port for ever."""
    parent.join()
    stopping.value = True
    os.kill(os.getpid(), signal.SIGTERM)


def _close_stalled(port: int) -> None:
    """Close connections that nothing has left by for too long, which granian never does."""
    if sys.platform != "linux":
        return  # no other system tells it
    while True:
        time.sleep(_GLANCE)
        for file in filter(Path.is_socket, Path("/proc/self/fd").iterdir()):
            # What was closed a moment ago is an error here.
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(int(file.name))) as one:
                if one.getsockname()[1:2] == (port,) and _idle(one) > STALLED:
                    one.shutdown(socket.SHUT_RDWR)


def _idle(connection: socket.socket) -> float:
    """Return for how many seconds nothing has left by a connection; 0 for what is none."""
    state, since = struct.unpack_from(
        "=B43xI", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 48)
    )
    return since / 1000 if state in _CONNECTED else 0


def _again(work: "Callable[[Site], object]", site: "Site", pause: float) -> None:
    """Do something for as long as the worker runs; what fails is logged until it works again."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415

    failing = False
    time.sleep(_SETTLED)
    while True:
        try:
            work(site)
            failing = False
        except OperationalError:
            pass  # out of reach, as its pages say
        except Exception:  # noqa: BLE001 - whatever it is, the loop must go on
            if not failing:
                _LOG.exception("%s failed, and is attempted again.", work.__qualname__)
            failing = True
        time.sleep(pause)
