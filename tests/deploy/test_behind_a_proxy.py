import asyncio
import re
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.deploy.conftest import Site
from tests.e2e.server import Server
from tests.support import proxies
from tests.support.http import newcomer, run, sit_down
from tests.support.patience import PATIENCE, Times
from tests.support.postgres import Cluster
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


@pytest.mark.long
def test_either_server_plays_a_game(postgres: Cluster, certificate: Path, tmp_path: Path) -> None:
    settings = {"TTT_DATABASE_URL": postgres.database(), "TTT_TRUSTED_PROXIES": "127.0.0.1"}
    with ExitStack() as started:
        servers = [Server(tmp_path / name / "data", settings) for name in ("first", "second")]
        for server in servers:
            started.callback(server.stop)
        port, addresses = proxies.free_port(), [one.url.removeprefix("http://") for one in servers]
        text = proxies.nginx_site("nginx.conf", port, certificate, addresses)
        # Which ones were asked, so that the test sees that both of them were.
        text = text.replace("proxy_pass", "add_header Asked $upstream_addr always;\n proxy_pass")
        complains = "refused|prematurely closed"
        started.enter_context(proxies.nginx(text, port, tmp_path, expected=complains))
        url = f"https://localhost:{port}"
        alice, bob = (newcomer(url, certificate) for _ in range(2))
        page = sit_down(alice, bob)
        page = alice.play(alice.get(page.url), 0)
        page = bob.play(bob.get(page.url), 3)
        for person in (alice, bob):
            answered = {one.headers["Asked"].split(", ")[-1] for one in person.answers}
            assert answered == set(addresses), "each of them met both servers"
            assert len(person.cookies) == 1
        servers[1].stop()
        page = alice.play(alice.get(page.url), 1)
        page = bob.play(bob.get(page.url), 4)
        servers[1].start()
        page = alice.play(alice.get(page.url), 2)
        assert {one.outcome for one in (page, bob.get(page.url))} == {"x"}
        assert {answer.status for answer in alice.answers + bob.answers} == {200, 303}
