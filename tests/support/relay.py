import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

from tests.support.patience import PATIENCE


class Relay(ThreadingTCPServer):
    """A way to a server that can be cut, or keep its answers: while ``answers`` is not set."""

    daemon_threads, request_queue_size = True, 128

    def __init__(self, to: int) -> None:
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        self.answers = threading.Event()
        self.answers.set()
        self._to, self._open = to, set[socket.socket]()

    def cut(self) -> None:
        for one in tuple(self._open):
            _end(one)

    def finish_request(self, near: Any, client_address: object) -> None:
        del client_address
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as far:
            self._open |= {near, far}
            answers = threading.Thread(
                target=self._pump, args=(far, near, self.answers), daemon=True
            )
            answers.start()
            self._pump(near, far)
            answers.join()
            self._open -= {near, far}

    def _pump(
        self, source: socket.socket, target: socket.socket, may: threading.Event | None = None
    ) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if may:
                    may.wait(PATIENCE)
                target.sendall(data)
        _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
