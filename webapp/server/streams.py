"""Streams of events: a page that is seen holds one, and is told the names of topics that change.

What a page may hear is checked in ``web/events.py``; its parts then ask for themselves. All of this
happens on the server's loop.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from random import uniform

from webapp.live import BROKEN_S, Live, sealed, streamed
from webapp.server.bridge import Receive, Send
from webapp.store.topics import Change
from webapp.web.events import Wish

BEAT_S = 15
"""Heartbeat: proxies and pages take silence for the end of a stream."""

MOST_OF_A_PLAYER, MOST_OF_AN_ADDRESS, MOST = 3, 1024, 2048
"""Streams at a time. A page that gets none asks every few seconds."""

REST_S = {
    **dict.fromkeys(("wall", "tournament", "desk", "calls", "names", "menace", "computer"), 1.0),
    "class": 1.6,
    "answers": 0.5,
    "boards": 5.0,
}
"""Debounce by the kind of topic: many changes cause one event. Other topics are told at once."""

_BEAT, _FULL = b"event: beat\ndata: .\n\n", b"event: full\ndata: .\n\n"


class Stream:
    """A page that is told.

    :ivar last: what it says at its end, once that has come
    """

    __slots__ = ("_beat_at", "_due", "_loop", "_told_at", "_waker", "address", "last", "wish")

    def __init__(self, wish: Wish, address: str) -> None:
        self.wish, self.address, self._loop = wish, address, asyncio.get_running_loop()
        self._due, self._told_at = dict[str, float](), dict[str, float]()
        self._beat_at = self._loop.time() + BEAT_S
        self.last: bytes | None = None
        self._waker: asyncio.Future[None] | None = None

    def tell(self, name: str, rest_s: float) -> None:
        """Let the page know that a topic has changed, at once or once it has rested."""
        due = now = self._loop.time()
        if rest_s:  # spread, so that not all pages ask at once
            rested = self._told_at.get(name, -inf) + rest_s * uniform(1, 1.25)  # noqa: S311
            due = max(now + rest_s * uniform(0, 0.25), rested)  # noqa: S311
        if due < self._due.get(name, inf):
            self._due[name] = due
            self.wake()

    def end(self, last: bytes = b"") -> None:
        """Let it end, with these last words."""
        self.last = last
        self.wake()

    def wake(self) -> None:
        """Let it look again what there is to be said."""
        if self._waker and not self._waker.done():
            self._waker.set_result(None)

    async def next(self) -> bytes:
        """Return what is to be said next, when it is time; at the end nothing."""
        while self.last is None:
            now = self._loop.time()
            if names := [name for name, due in self._due.items() if due <= now]:
                for name in names:
                    del self._due[name]
                    self._told_at[name] = now
                self._beat_at = now + BEAT_S
                return f"data: {' '.join(names)}\n\n".encode()
            if now >= self._beat_at:
                self._beat_at = now + BEAT_S
                return _BEAT
            self._waker = self._loop.create_future()
            timer = self._loop.call_at(min([self._beat_at, *self._due.values()]), self.wake)
            await self._waker
            timer.cancel()
        return b""


class Streams:
    """All streams of one server.

    :param has_moved: tells whether a player has made a move, as no invented cookie has
    """

    def __init__(self, live: Live, has_moved: Callable[[str], bool]) -> None:
        self._live, self._has_moved = live, has_moved
        self._loop = asyncio.get_running_loop()
        self._streams = dict[Stream, None]()  # the oldest first
        self._of_topic = defaultdict[str, set[Stream]](set)
        self._stopping = False
        live.tell = lambda changes: self._loop.call_soon_threadsafe(self._publish, changes)
        live.lost = partial(self._loop.call_soon_threadsafe, self.end_all)

    def _publish(self, changes: Iterable[Change]) -> None:
        for topic, by in changes:
            name, rest_s = sealed(topic), REST_S.get(topic.partition(":")[0], 0.0)
            for stream in self._of_topic.get(name, ()):
                if not by or stream.wish.page != by:
                    stream.tell(name, rest_s)

    async def serve(self, wish: Wish, address: str, receive: Receive, send: Send) -> None:
        """Tell a page what changes, until it goes; the head of the answer has been sent."""
        stream = Stream(wish, address)
        self._begin(stream)
        gone = asyncio.ensure_future(_end_of(receive))
        gone.add_done_callback(lambda _: stream.end())
        try:
            # Pages that lose the server come back at different moments.
            retry = f"retry: {int(uniform(1000, 2000))}\n"  # noqa: S311
            hello = f"{retry}event: hello\ndata: .\n\n".encode()
            while hello or (hello := await stream.next()):
                await send({"type": "http.response.body", "body": hello, "more_body": True})
                hello = b""
            await send({"type": "http.response.body", "body": stream.last})
        finally:
            gone.cancel()
            self._end(stream)

    def _begin(self, stream: Stream) -> None:
        """Register a stream; end another where there are too many: its page then asks."""
        wish = stream.wish
        self._streams[stream] = None
        for name in wish.names:
            self._of_topic[name].add(stream)
        if wish.here:
            self._live.here_until(wish.player, inf, streamed(wish.page))
        if self._stopping:
            stream.end()
        elif too_many := self._one_too_many(wish.player):
            too_many.end(_FULL)

    def _one_too_many(self, player: str) -> Stream | None:
        going = [stream for stream in self._streams if stream.last is None]
        own = [stream for stream in going if stream.wish.player == player]
        if len(own) > MOST_OF_A_PLAYER:
            return own[0]
        fullest, most = Counter(stream.address for stream in going).most_common(1)[0]
        if most <= MOST_OF_AN_ADDRESS and len(going) <= MOST:
            return None
        # Cookies can be invented, moves cannot. Among equals the newest stream goes.
        crowd = [stream for stream in reversed(going) if stream.address == fullest]
        held, moved = Counter(stream.wish.player for stream in crowd), self._has_moved
        return max(crowd, key=lambda it: (not moved(it.wish.player), held[it.wish.player]))

    def _end(self, stream: Stream) -> None:
        del self._streams[stream]
        for name in stream.wish.names:
            self._of_topic[name].discard(stream)
            if not self._of_topic[name]:
                del self._of_topic[name]
        wish = stream.wish
        others = (stream.wish for stream in self._streams if stream.wish.player == wish.player)
        if wish.here and not any(other.here and other.page == wish.page for other in others):
            self._live.left(wish.player, streamed(wish.page), BROKEN_S)

    def end_all(self, *, stopping: bool = False) -> None:
        """Let all pages ask: the server stops, or does not hear what changes elsewhere."""
        self._stopping |= stopping
        for stream in self._streams:
            stream.end()


async def _end_of(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
