"""Requests are read whole before Flask has them, and answers are sent whole."""

import asyncio
from functools import partial
from typing import Any

import pytest
from flask import Flask, Response, request

from tests.support.asgi import at_once, comes, scope
from webapp.server import bridge

MOST = 10
LENGTH, CHUNKED = b"content-length", (b"transfer-encoding", b"chunked")


async def never() -> Any:
    raise AssertionError("what comes is not read")


@at_once
async def test_a_body_is_read_to_its_end_and_not_far_beyond_what_it_may_have() -> None:
    for header, pieces, read in (
        ((LENGTH, b"6"), (b"ab", b"", b"cd", b"ef"), b"abcdef"),
        (CHUNKED, (b"ab", b"cd"), b"abcd"),
        (CHUNKED, (b"a" * 8, b"a" * 8, b"never read"), b"a" * (MOST + 1)),
    ):
        found = await bridge.whole(scope("POST", "/", [header]), comes(*pieces), MOST)
        assert found == read


@at_once
@pytest.mark.parametrize("headers", [[], [(LENGTH, b"0")], [(LENGTH, b"11")]])
async def test_what_announces_nothing_or_too_much_stays_unread(headers: Any) -> None:
    assert await bridge.whole(scope("POST", "/", headers), never, MOST) == b""


@at_once
async def test_a_body_whose_sender_goes_or_is_silent_is_given_up() -> None:
    async def silent() -> Any:
        await asyncio.Future()

    sent = scope("POST", "/", [(LENGTH, b"9")])
    assert await bridge.whole(sent, comes(b"ab", gone=True), MOST) is None
    began = asyncio.get_running_loop().time()
    assert await bridge.whole(sent, silent, MOST) is None
    assert asyncio.get_running_loop().time() - began == pytest.approx(bridge.BODY_S)


def test_headers_that_are_repeated_are_one_and_one_with_an_underscore_is_none() -> None:
    sent = scope("GET", "/caf\xe9?a=%20b", [
        (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"x"), (b"accept", b"y"),
        (b"x_forwarded_for", b"::1"), (b"content_length", b"5"), (b"content-type", b"text/plain"),
    ])  # fmt: skip
    environ = bridge.environ_of(sent, b"body")
    given = {name: text for name, text in environ.items() if name.startswith(("HTTP_", "CONTENT"))}
    assert given == {
        "HTTP_HOST": "localhost", "HTTP_COOKIE": "a=1; b=2", "HTTP_ACCEPT": "x,y",
        "CONTENT_TYPE": "text/plain",
    }  # fmt: skip
    assert (environ["PATH_INFO"], environ["QUERY_STRING"]) == ("/caf\xc3\xa9", "a=%20b")


def test_flask_gets_the_form_and_its_answer_is_whole_and_for_head_without_a_body() -> None:
    app, closed = Flask(__name__), list[str]()

    @app.route("/", methods=["GET", "POST"])
    def echo() -> Response:
        made = Response(iter(["got ", request.form.get("a", "nothing")]), 201)
        made.headers.add("Set-Cookie", "a=1")
        made.headers.add("Set-Cookie", "b=2")
        made.call_on_close(partial(closed.append, request.method))
        return made

    form = [(b"content-type", b"application/x-www-form-urlencoded"), (LENGTH, b"3")]
    for method, headers, body in (("POST", form, b"got b"), ("GET", [], b"got nothing")):
        answer = bridge.answer(app, bridge.environ_of(scope(method, "/", headers), b"a=b"))
        assert (answer.status, answer.body) == (201, body)
        assert [text for name, text in answer.headers if name == b"set-cookie"] == [b"a=1", b"b=2"]
    answer = bridge.answer(app, bridge.environ_of(scope("HEAD", "/"), b""))
    assert (answer.status, answer.body) == (201, b"")
    assert closed == ["POST", "GET", "HEAD"]
