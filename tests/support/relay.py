"""A way to a server on this computer that can become slow, or be cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.support.patience import PATIENCE


class Relay:
    """Hands on to a port what comes to another one, and back.

    :ivar port: where it listens
    :ivar answers: while it is not set, answers are kept
    :ivar last: the answer to a message that holds this is kept, and those after it
    :ivar asked: how many messages came, not counting the answers
    """

    def __init__(self, to: int) -> None:
        self.answers, self.last, self.asked = threading.Event(), b"", 0
        self.answers.set()
        self._to = to
        self._open = set[socket.socket]()
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listens.getsockname()[1]

    def cut(self) -> None:
        """Cut all connections that are open now, without a word."""
        for one in tuple(self._open):
            _end(one)

    def _accept(self) -> None:
        with suppress(OSError):  # until it is closed
            while True:
                near, _ = self._listens.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                self._open |= {near, far}
                for way in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(*way, near), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, near: socket.socket) -> None:
        with suppress(OSError), source:
            while data := source.recv(65536):
                if source is near:
                    self.asked += 1
                    if self.last and self.last in data:
                        self.answers.clear()
                else:
                    self.answers.wait(PATIENCE)
                target.sendall(data)
        _end(target)
        self._open.discard(source)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def relay(to: int) -> Iterator[Relay]:
    """Listen on a free port, and stop in the end."""
    made = Relay(to)
    with made._listens:
        thread = threading.Thread(target=made._accept)
        thread.start()
        try:
            yield made
        finally:
            _end(made._listens)
            made.cut()
            thread.join()
