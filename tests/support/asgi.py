"""Calls ASGI applications as the server does, on a loop whose time passes at once."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, ParamSpec

from tests.support.http import Answer

P = ParamSpec("P")
Headers = Sequence[tuple[bytes, bytes]]


class Loop(asyncio.SelectorEventLoop):
    """A loop on which it is always the next timer's time, if nothing else is to be done."""

    now = 1000.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        timers = [one.when() for one in self._scheduled if not one.cancelled()]  # type: ignore[attr-defined]
        if timers and not self._ready:  # type: ignore[attr-defined]
            self.now = max(self.now, min(timers))
        super()._run_once()  # type: ignore[misc]


def at_once(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.run(asyncio.wait_for(test(*given, **named), 1_000_000))

    return run


def scope(method: str, target: str, headers: Headers = (), peer: str = "192.0.2.1") -> Any:
    path, _, query = target.partition("?")
    return {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
        "query_string": query.encode(), "headers": [(b"host", b"localhost"), *headers],
        "server": ("127.0.0.1", 8000), "client": (peer, 1),
    }  # fmt: skip


def comes(*pieces: bytes, gone: bool = False) -> Callable[[], Awaitable[Any]]:
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": piece, "more_body": gone or number < len(pieces)}
        for number, piece in enumerate(pieces, 1)
    ]

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    return receive


async def call(
    app: Callable[[Any, Any, Any], Awaitable[None]], method: str, target: str, form: bytes = b"",
    *, headers: Headers = (), peer: str = "192.0.2.1",
) -> Answer:  # fmt: skip
    sent, form_type = list[Any](), b"application/x-www-form-urlencoded"
    if form:
        length = (b"content-length", b"%d" % len(form))
        headers = [*headers, (b"content-type", form_type), length]

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope(method, target, headers, peer), comes(form), send)
    head = b"".join(b"\r\n%s: %s" % pair for pair in sent[0]["headers"])
    body = b"".join(message.get("body", b"") for message in sent)
    return Answer(target, sent[0]["status"], head, body.decode())
