"""The web server: one process. granian reads from the network; requests are answered in fair order.

A request is read whole (``bridge``), waits for its turn (``queue``), and is answered by Flask. A
page that is to be told what changes holds its answer open (``streams``). May import ``web``.
"""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from math import inf

from flask import Flask
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketSpec  # type: ignore[attr-defined]
from granian.server.embed import Server
from granian.utils.proxies import wrap_asgi_with_proxy_headers
from sqlalchemy.exc import OperationalError

from webapp.config import HERE, Settings, SettingsError
from webapp.server import bridge
from webapp.server.bridge import Answer, Application, Environ, Receive, Scope, Send
from webapp.server.queue import QUICK_ROOM, SLOW_ROOM, Lane, Place, Senders
from webapp.server.streams import Streams
from webapp.service import menace, polls, tidying, tournaments, wishes
from webapp.service.site import Site
from webapp.web import context, events, identity, translation
from webapp.web.networks import line

SLOW = ("/lab", "/review", "/opponents", "/learn", "/menace", "/host/games.", "/host/players.")
"""How addresses begin that may take longer than any move."""

FREE = ("/static/", "/healthz")
"""How addresses begin that are not counted."""

ON_POSTGRES = 3
"""Threads for requests with PostgreSQL, as each statement waits for another computer. With SQLite
they would only contend for the GIL."""

MAX_CONNECTIONS, _OTHER_FILES = 4096, 200
"""Connections kept open, and files for all else. A process that has run out of files would never
accept a connection again."""

SILENCE = 10
"""Seconds in which a connection must have sent a whole head."""

STOP_S = 5
"""Seconds after which the server stops, whatever is being answered."""

_HEAD = 32 * 1024  # what the head of a request may have, in bytes: nginx's own limit

# Keepalive, for phones that have vanished: 10 s idle, then 2 probes, 3 s apart. Accepted sockets
# inherit it.
_MISSING = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 3, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 10_000}

# How many seconds after its start a server begins what it does again and again, and how often.
_SETTLED = 0.5
_TIDY_EVERY, _KEEP_EVERY, _PAIR_EVERY, _TICK_EVERY, _BEAT_EVERY = 5 * 60, 60, 1, 0.5, 1

_GLANCE = 0.05  # seconds, while it stops

_LOG = logging.getLogger(__name__)


class Front:
    """What the network meets: the queue and the streams, and Flask behind them.

    :ivar under_way: how many requests have come whole and are not answered yet
    """

    def __init__(self, app: Flask) -> None:
        site: Site = app.extensions["site"]
        self._app, self._id, settings = app, app.config["ID"], site.settings
        self._browsers = site.browsers
        self._longest: int = app.config["MAX_CONTENT_LENGTH"]
        base, limited = settings.base_path, settings.limits == "on"
        self._home, self._signs_in = f"{base}/", f"{base}/host"
        self._slow, self._free = (tuple(f"{base}{path}" for path in part) for part in (SLOW, FREE))
        self._move = re.compile(rf"{re.escape(base)}/games/([^/]+)/moves")
        self._senders = Senders(limited=limited)
        self._answer = partial(bridge.answer, app.wsgi_app)
        threads = ON_POSTGRES if settings.postgres else 0
        self._lanes = {
            "quick": Lane(self._answer, QUICK_ROOM if limited else inf, threads),
            "slow": Lane(self._answer, SLOW_ROOM if limited else inf, threads=1, rests=True),
        }
        self._refusals = dict[tuple[str, str], Answer]()
        self.under_way = 0
        self.streams = Streams(site.live, self._senders.has_moved)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, when it is whole and has its turn."""
        body = await bridge.whole(scope, receive, self._longest)
        if body is None:
            await bridge.reply(send, Answer(400, [], b""))
            return
        environ = bridge.environ_of(scope, body)
        environ[identity.ID], environ[identity.BROWSERS] = self._id, self._browsers
        self.under_way += 1
        try:
            await asyncio.sleep(0)  # whatever else has come by now is under way, too
            answer = await self._in_turn(environ)
            wish = environ.get(events.STREAM) if scope["method"] == "GET" else None
            if not wish:
                await bridge.reply(send, answer)
        finally:
            self.under_way -= 1
        if wish:
            address = line(environ["REMOTE_ADDR"])
            await bridge.head(send, answer._replace(status=200))
            await self.streams.serve(wish, address, receive, send)

    async def _in_turn(self, environ: Environ) -> Answer:
        path, posts = environ["PATH_INFO"], environ["REQUEST_METHOD"] == "POST"
        player, now = identity.named_by(environ), time.monotonic()
        environ[context.KNOWN] = self._senders.knows(player)
        move = self._move.fullmatch(path) if posts else None
        place = self._senders.ask(
            player,
            line(environ["REMOTE_ADDR"]),
            now,
            game=move[1] if move else "",
            free=path.startswith(self._free),
        )
        if place is None:
            if not (posts and path == self._signs_in):
                return self._refusal(environ)
            environ[context.REFUSED] = 429  # but not with the teacher's key
            place = Place(is_move=False, at=now)
        lane = "slow" if path.startswith(self._slow) else "quick"
        answer = await self._pass(lane, place, environ)
        if answer and environ.get(context.SLOW):
            environ["wsgi.input"].seek(0)
            answer = await self._pass("slow", place, environ)
        if answer is None:
            return self._refusal(environ)
        if player and answer.status != 429:
            moved = answer.status < 400 if move else None
            seat = environ.get(context.SEAT, "")
            self._senders.answered(player, time.monotonic(), seat, moved=moved)
        return answer

    async def _pass(self, lane: str, place: Place, environ: Environ) -> Answer | None:
        environ[context.LANE] = lane
        return await self._lanes[lane].answer(place, environ, alone=self.under_way == 1)

    def _refusal(self, environ: Environ) -> Answer:
        """The page that a flood gets: made once for each language."""
        scheme = environ["wsgi.url_scheme"]
        language = self._app.extensions["languages"].of(environ)
        if (scheme, language) not in self._refusals:
            asked = {
                **environ,
                "REQUEST_METHOD": "GET",
                "PATH_INFO": self._home,
                "QUERY_STRING": "",
                "HTTP_COOKIE": "",
                "HTTP_ACCEPT_ENCODING": "",
                "HTTP_ACCEPT_LANGUAGE": language,
                context.REFUSED: 429,
            }
            self._refusals[scheme, language] = self._answer(asked)
        return self._refusals[scheme, language]


def behind_proxies(front: Front, settings: Settings) -> Application:
    """Return what believes the proxies that the settings trust, and nobody else."""
    believing: Application = wrap_asgi_with_proxy_headers(front, list(settings.trusted_proxies))
    return believing


def free_address(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and the port to listen on; port 0 becomes a free one.

    `SettingsError` says where the host is unknown, or another program listens there already.
    """
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = addresses[0]
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


def run(app: Flask, at: tuple[str, int], ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; call `ready` as soon as requests are answered.

    :param at: the address and the port
    """
    # A move needs the interpreter a dozen times, and a page of the lab keeps it as long as this:
    # half of the moves then take 11 ms beside a visitor of the lab; with Python's 5 ms, 15.
    sys.setswitchinterval(0.0005)
    translation.load_all(app)
    # What is there now stays: it need not be looked through for garbage.
    gc.collect()
    gc.freeze()
    asyncio.run(_serve(app, at, ready))


async def _serve(app: Flask, at: tuple[str, int], ready: Callable[[], None]) -> None:
    site: Site = app.extensions["site"]
    settings, front, (address, port) = site.settings, Front(app), at
    server = _Server(
        behind_proxies(front, settings),
        address=address,
        port=port,
        interface=Interfaces.ASGINL,
        # Counts connections, and browsers keep theirs open: this is no limit for requests at work.
        backpressure=_room_for_connections(),
        backlog=MAX_CONNECTIONS,
        # What looks for HTTP/2 first waits for the first byte without an end.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=SILENCE * 1000, max_buffer_size=_HEAD),
        websockets=False,
        log_level=LogLevels.error,
    )
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        # From the handler of a signal nothing else is safe.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    works = [
        (tidying.tidy, _TIDY_EVERY),
        (menace.keep, _KEEP_EVERY),
        (wishes.pair_all, _PAIR_EVERY),
        (tournaments.tick, _TICK_EVERY),
        (polls.tick, _TICK_EVERY),
        (lambda site: site.live.beat(), _BEAT_EVERY),
    ]
    if settings.postgres:
        works.append((lambda site: site.live.listen(), _BEAT_EVERY))
    ending = threading.Event()
    working = [
        threading.Thread(target=_again, args=(work, site, pause, ending), daemon=True)
        for work, pause in works
    ]
    for thread in working:
        thread.start()
    threading.Thread(target=_call_when_up, args=(address, port, ready), daemon=True).start()
    serving = asyncio.create_task(server.serve())
    await asyncio.wait(
        (serving, asyncio.create_task(stopped.wait())), return_when="FIRST_COMPLETED"
    )
    front.streams.end_all(stopping=True)
    server.stop()  # type: ignore[no-untyped-call]
    end, pause = loop.time() + STOP_S, 4 * _GLANCE  # what has come is being read
    while not serving.done() and pause and loop.time() < end:
        await asyncio.sleep(pause)
        # Connections on which nothing has been asked are not waited for.
        pause = _GLANCE if front.under_way else 0
    ending.set()
    if not settings.postgres:
        for thread in working:
            thread.join(STOP_S)
    site.database.close()


class _Server(Server):
    """Listens with a socket whose connections notice that their other side has vanished."""

    def _init_shared_socket(self) -> None:
        made = SocketSpec(self.bind_addr, self.bind_port, self.backlog).build()
        self._shd = made  # type: ignore[assignment]
        if sys.platform == "win32":
            return  # hands nothing on
        with socket.socket(fileno=os.dup(made.get_fd())) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _MISSING.items():
                if hasattr(socket, name):  # macOS and BSD lack some
                    listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _room_for_connections() -> int:
    """Let the server open as many files as it needs and may; return how many connections fit."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS  # has no such limit
    import resource  # noqa: PLC0415

    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed, endless = MAX_CONNECTIONS + _OTHER_FILES, resource.RLIM_INFINITY
    if files != endless and files < needed:
        files = needed if allowed == endless else min(needed, allowed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, allowed))
    return MAX_CONNECTIONS if files == endless else max(1, min(needed, files) - _OTHER_FILES)


def _call_when_up(address: str, port: int, ready: Callable[[], None]) -> None:
    """Call `ready` once the server listens."""
    while True:
        with contextlib.suppress(OSError):
            socket.create_connection((HERE.get(address, address), port)).close()
            return ready()
        time.sleep(0.02)


def _again(
    work: Callable[[Site], object], site: Site, pause: float, ending: threading.Event
) -> None:
    """Do something as long as the server runs; what fails is logged until it works again."""
    failing, wait = False, _SETTLED
    while not ending.wait(wait):
        wait = pause
        try:
            work(site)
            failing = False
        except OperationalError:
            pass  # out of reach, as its pages say
        except Exception:  # noqa: BLE001 - whatever it is, the loop must go on
            if not failing:
                _LOG.exception("%s failed, and is attempted again.", work.__qualname__)
            failing = True
