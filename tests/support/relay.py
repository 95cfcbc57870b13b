import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

from tests.support.patience import PATIENCE


class Relay(ThreadingTCPServer):
    """A way to a server that can be cut, or keep its answers: while ``answers`` is not set.

    :ivar last: the answer to a message that holds this is kept, and those after it
    """

    daemon_threads, request_queue_size = True, 128

    def __init__(self, to: int) -> None:
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        self.answers, self.last = threading.Event(), b""
        self.answers.set()
        self._to, self._open = to, set[socket.socket]()

    def cut(self) -> None:
        for one in tuple(self._open):
            _end(one)

    def finish_request(self, near: Any, client_address: object) -> None:
        del client_address
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as far:
            self._open |= {near, far}
            answers = threading.Thread(target=self._pump, args=(far, near), daemon=True)
            answers.start()
            self._pump(near, far, asks=True)
            answers.join()
            self._open -= {near, far}

    def _pump(self, source: socket.socket, target: socket.socket, *, asks: bool = False) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not asks:
                    self.answers.wait(PATIENCE)
                elif self.last and self.last in data:
                    self.answers.clear()
                target.sendall(data)
        _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
