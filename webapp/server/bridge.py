"""Flask behind ASGI: a request is read whole, and its answer is sent whole. No thread waits for it.

Flask itself is plain WSGI: it gets an environment, as from any server.
"""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Environ = dict[str, Any]
Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_S = 30
"""Seconds in which a body must have come."""


class Answer(NamedTuple):
    """What is sent back for a request."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


async def whole(scope: Scope, receive: Receive, most: int) -> bytes | None:
    """Read the body of a request; ``None`` if its sender goes before its end, or takes too long.

    A body that announces more than ``most`` bytes stays unread: the answer says so. Of one that
    announces nothing, a byte more than that is read.
    """
    announced = [value for name, value in scope["headers"] if name == b"content-length"]
    in_chunks = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    if not in_chunks and not (announced and 0 < int(announced[0]) <= most):
        return b""
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_S):
            while more and len(body) <= most:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body, more = body + message["body"], message["more_body"]
    except TimeoutError:
        return None
    return body[: most + 1]


def environ_of(scope: Scope, body: bytes) -> Environ:
    """Return the environment that WSGI wants for a request.

    A header with an underscore in its name would pass for one with a hyphen; browsers send none.
    """
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key, text = name.decode("latin1").upper(), value.decode("latin1")
        if "_" in key:
            continue
        key = key.replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        between = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{between}{text}" if key in environ else text
    return environ


def answer(application: "WSGIApplication", environ: Environ) -> Answer:
    begun: list[Any] = []

    def start_response(*start: Any) -> Callable[[bytes], object]:
        begun[:] = start
        return bytes  # what no application of ours calls

    chunks = application(environ, start_response)
    try:
        body = b"".join(chunks)
    finally:
        getattr(chunks, "close", bool)()
    headers = [(name.lower().encode("latin1"), text.encode("latin1")) for name, text in begun[1]]
    return Answer(int(begun[0][:3]), headers, body)


async def reply(send: Send, answer: Answer) -> None:
    await head(send, answer)
    await send({"type": "http.response.body", "body": answer.body})


async def head(send: Send, answer: Answer) -> None:
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
