"""Players on raw sockets: the least client that still plays, so that the server is measured.

A connection is kept alive, a request is one ``sendall`` of bytes that were mostly there before,
and an answer is searched for the few things that a player must know.
"""

from __future__ import annotations

import random
import re
import secrets
import socket
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.bench.servers import BenchError, Server

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_GZIP = re.compile(rb"\r\ncontent-encoding: *gzip", re.IGNORECASE)
_PUSHED = re.compile(rb"\r\nhx-push-url: */games/([\w-]+)", re.IGNORECASE)
_STATE = re.compile(rb'data-version="(\d+)" data-outcome="(\w*)"')
PLAYABLE = re.compile(rb'name="cell" value="(\d)"(?! type)')

# What Chromium and htmx send to a server on the same computer, or in the same classroom.
_HEADERS = (
    "Host: 127.0.0.1:{port}",
    "Connection: keep-alive",
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
    "Accept: text/html",
    "Accept-Language: en-GB,en;q=0.9",
    "Accept-Encoding: {encoding}",
    "HX-Request: true",
    "HX-Request-Type: partial",
    "HX-Target: div#game",
    "Origin: http://127.0.0.1:{port}",
    "Sec-Fetch-Site: same-origin",
    "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Dest: empty",
)


Answer = tuple[bytes, bytes]
"""Head and body, as sent."""


class Connection:
    """One kept-alive connection; at most one request is on its way.

    :param expected: the statuses that are no refusal
    """

    def __init__(self, server: Server, *expected: int) -> None:
        self._expected = expected or (200,)
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def receive(self) -> Answer:
        """Wait for an answer; return its head and body.

        :raises BenchError: if its status is none of those expected
        """
        while (answer := self.receive_some()) is None:
            pass
        return answer

    def receive_some(self) -> Answer | None:
        """Read what has arrived; return head and body once the answer is complete."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise BenchError("The server closed a connection.")
        self._received += chunk
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return None
        found_status = status((head, body))
        if found_status not in self._expected:
            raise BenchError(f"A request was refused: {head.splitlines()[0].decode()}.")
        length = _LENGTH.search(head)
        if length is None and found_status != 204:
            raise BenchError("An answer did not say how long it is.")
        if length and len(body) < int(length[1]):
            return None
        self._received = b""
        return head, body

    def close(self) -> None:
        self.socket.close()


def status(answer: Answer) -> int:
    """The status of an answer, such as 204."""
    return int(answer[0][len("HTTP/1.1 ") :][:3])


def unpacked(answer: Answer) -> bytes:
    """The body of an answer, as it was before it was compressed."""
    head, body = answer
    return zlib.decompress(body, wbits=31) if _GZIP.search(head) else body


def encoded_get(path: str, server: Server, *, htmx: bool = True, cookie: str = "") -> bytes:
    """A request for a page, with the headers that a move has.

    :param htmx: whether it is htmx that asks, and gets a part where a page has parts
    :param cookie: of the player, if it is one
    """
    headers = _headers_of(htmx, cookie)
    return f"GET {path} HTTP/1.1\r\n{_encoded_headers(server, headers)}\r\n".encode()


def encoded_post(path: str, body: str, server: Server, *, htmx: bool, cookie: str) -> bytes:
    """A form that a player sends, likewise."""
    headers = (
        *_headers_of(htmx, cookie),
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
    )
    return f"POST {path} HTTP/1.1\r\n{_encoded_headers(server, headers)}\r\n{body}".encode()


def _headers_of(htmx: bool, cookie: str) -> list[str]:
    headers = [line for line in _HEADERS if htmx or not line.startswith("HX-")]
    if cookie:
        headers.append(f"Cookie: player={cookie}")
    return headers


def _encoded_headers(server: Server, headers: Sequence[str], *, gzip: bool = True) -> str:
    encoding = "gzip, deflate" if gzip else "identity"
    lines = "\r\n".join(headers)
    return lines.format(port=server.port, encoding=encoding) + "\r\n"


@dataclass
class Board:
    """A game as its player knows it: what the next request needs."""

    id: str
    version: int
    cells: tuple[int, ...]
    over: bool


@dataclass
class Player:
    """Somebody with a cookie who clicks free cells at random.

    :ivar board: the game as the last answer showed it
    :ivar bytes_received: the body of the last answer, as sent
    """

    server: Server
    connection: Connection
    rng: random.Random
    opponent: str
    gzip: bool = True
    board: Board = field(init=False)
    bytes_received: int = 0

    def __post_init__(self) -> None:
        headers = (
            *_HEADERS,
            "Content-Type: application/x-www-form-urlencoded",
            f"Cookie: player={secrets.token_urlsafe(32)}",
        )
        self._head = _encoded_headers(self.server, headers, gzip=self.gzip)
        self._setup = f"opponent={self.opponent}&mark=x"

    # Each request in two halves, so that many can be on their way at once.

    def send_start(self, cell: int | None = None) -> None:
        """Start a game from the front page, with a first move or without."""
        first = "" if cell is None else f"cell={cell}&"
        body = f"key={secrets.token_urlsafe(16)}&{first}{self._setup}"
        self._post("/games", body)

    def send_again(self) -> None:
        """Ask for the next game after this one."""
        body = f"version={self.board.version}&{self._setup}"
        self._post(f"/games/{self.board.id}/again", body)

    def send_move(self) -> None:
        """Click a free cell."""
        board, cell = self.board, self.rng.choice(self.board.cells)
        body = f"version={board.version}&cell={cell}&{self._setup}"
        self._post(f"/games/{board.id}/moves", body)

    def take_board(self, answer: Answer) -> None:
        """Read the answer to a start."""
        pushed = _PUSHED.search(answer[0])
        if pushed is None:
            raise BenchError("A new game came without its address.")
        self.board = self._read(pushed[1].decode(), answer)

    def take_move(self, answer: Answer) -> None:
        """Read the answer to a move.

        :raises BenchError: if the move was not accepted
        """
        before, self.board = self.board, self._read(self.board.id, answer)
        if self.board.version != before.version + 1:
            raise BenchError("A move was answered without being accepted.")

    def start(self, cell: int | None = None) -> None:
        self.send_start(cell)
        self.take_board(self.connection.receive())

    def again(self) -> None:
        self.send_again()
        self.take_board(self.connection.receive())

    def _post(self, path: str, body: str) -> None:
        length = f"Content-Length: {len(body)}"
        self.connection.send(f"POST {path} HTTP/1.1\r\n{self._head}{length}\r\n\r\n{body}".encode())

    def _read(self, game_id: str, answer: Answer) -> Board:
        self.bytes_received = len(answer[1])
        if self.gzip and not _GZIP.search(answer[0]):
            raise BenchError("An answer that should be compressed was not.")
        body = unpacked(answer)
        state = _STATE.search(body)
        if state is None:
            raise BenchError("An answer came without a board.")
        return Board(
            game_id, int(state[1]), tuple(map(int, PLAYABLE.findall(body))), over=bool(state[2])
        )
