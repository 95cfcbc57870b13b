"""A way to a server on this computer that can become slow, or be cut."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress


class Relay:
    """Hands on to a port what comes to another one, and back.

    :ivar port: where it listens
    :ivar delay: how many seconds each answer is kept
    :ivar closed: whether it takes no connections, as without a network
    :ivar asked: how many messages came, not counting the answers
    :ivar swaps: what is put in the place of what in these, both of the same length
    """

    def __init__(self, to: int) -> None:
        self.delay = 0.0
        self.closed = False
        self.asked = 0
        self.swaps = b"", b""
        self._to = to
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listens.getsockname()[1]

    def cut(self) -> None:
        """Cut all connections that are open now, without a word."""
        done = threading.Event()

        def abort() -> None:
            for writer in self._open:
                writer.transport.abort()
            done.set()

        self._loop.call_soon_threadsafe(abort)
        done.wait()

    async def _serve(self, stopped: asyncio.Event) -> None:
        server = await asyncio.start_server(self._accept, sock=self._listens)
        await stopped.wait()
        server.close()
        for writer in self._open:
            writer.transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # in which what was aborted is closed

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.closed:
            writer.transport.abort()
            return
        self._open.add(writer)
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
            self._open.add(far_writer)
            ways = (self._pump(reader, far_writer), self._pump(far_reader, writer, slow=True))
            await asyncio.gather(*ways)
            self._open.discard(far_writer)
        self._open.discard(writer)
        writer.close()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, slow: bool = False
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if slow:
                    await asyncio.sleep(self.delay)
                else:
                    self.asked += 1
                    data = data.replace(*self.swaps)
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def relay(to: int) -> Iterator[Relay]:
    """Listen on a free port, and stop in the end."""
    made, stopped = Relay(to), asyncio.Event()

    def serve() -> None:
        with closing(made._loop) as loop:
            loop.run_until_complete(made._serve(stopped))

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield made
    finally:
        made._loop.call_soon_threadsafe(stopped.set)
        thread.join()
