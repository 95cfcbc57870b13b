"""The server behind nginx and Caddy on this computer, configured as the examples have it."""

import asyncio
import re
import subprocess

import pytest

from tests.deploy.conftest import Site
from tests.support.http import run, sit_down
from tests.support.patience import PATIENCE, Times
from tests.support.programs import needs
from webapp.live import sealed
from webapp.store import topics


def test_a_page_is_told_at_once_and_its_stream_lasts(site: Site, times: Times) -> None:
    """A proxy that keeps bytes back would keep back the hello, and all that follows it."""

    async def listen() -> None:
        async with bob.listening(game) as said:
            assert await anext(said) == "hello"
            await asyncio.to_thread(alice.play, page, 0)
            assert await anext(said) == game
            assert [await anext(said) for _ in range(beats)] == ["beat"] * beats

    alice, bob, beats = site.person(), site.person(), times(0, 2)
    page = alice.get(sit_down(alice, bob).url)
    game = topics.game(page.url.rpartition("/")[2])
    run(asyncio.wait_for(listen(), PATIENCE))


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_a_stream_comes_through_with_either_http(site: Site, version: str) -> None:
    alice = site.person()
    alice.get()
    cookies = "; ".join(f"{name}={value}" for name, value in alice.cookies.items())
    command = [needs("curl"), version, "--silent", "--no-buffer", "--include"]
    command += ["--cacert", str(site.certificate), "--cookie", cookies]
    with subprocess.Popen(
        [*command, f"{site.url}/events?topic={sealed(topics.CLASS)}"], stdout=subprocess.PIPE
    ) as curl:
        assert curl.stdout
        first = next(curl.stdout)
        until_hello = iter(curl.stdout.readline, b"event: hello\n")
        assert b"content-type: text/event-stream" in b"".join(until_hello).lower()
        curl.terminate()
    assert first.split()[:2] == [b"HTTP/" + version[6:].encode(), b"200"]


def test_headers_come_once_and_files_are_kept(site: Site) -> None:
    first = site.person().get()
    for once in ("Content-Security-Policy", "Strict-Transport-Security", "Set-Cookie"):
        assert len(first.headers.get_all(once, [])) == 1
    files = set(re.findall(rf'{site.path}/static/[^"# ]+', first.text))
    static = [site.person().get(site.origin + file) for file in files]
    assert static
    assert {answer.status for answer in static} == {200}
    assert all("immutable" in answer.headers["Cache-Control"] for answer in static)


def test_a_redirect_leads_below_the_path_by_the_same_way(site: Site) -> None:
    for path in ("", "//class"):
        answer = site.person().send("GET", f"{site.url}{path}")
        while answer.status in (301, 302, 303, 307, 308):
            assert answer.location.startswith(f"{site.url}/")
            answer = site.person().get(answer.location)
        assert answer.status == 200


def test_visitors_have_the_address_that_they_ask_from_whatever_they_claim(site: Site) -> None:
    alice = site.person("127.0.0.2")
    assert alice.get("/who").text == "127.0.0.2 https"
    forged = {"X-Forwarded-Proto": "http", "X-Forwarded-For": "::1", "Forwarded": "proto=http"}
    for dash in "-_":  # to WSGI both spellings would be the same
        claims = {name.replace("-", dash): claim for name, claim in forged.items()}
        assert alice.get("/who", **claims).text == "127.0.0.2 https"
