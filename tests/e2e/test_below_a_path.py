"""A browser at a site below a path, by HTTPS, through nginx as the example has it."""

import sys
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.games import Pair
from tests.e2e.noise import Noise
from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.support import proxies

PATH = "/games"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="Debian's nginx"),
]


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("below")
    settings = {"TTT_BASE_PATH": PATH, "TTT_TRUSTED_PROXIES": "127.0.0.1"}
    server = Server(folder / "data", settings)
    try:
        port = proxies.free_port()
        certificate = proxies.throw_away_certificate(folder)
        address = server.url.removeprefix("http://")
        text = proxies.nginx_site("nginx-subpath.conf", port, certificate, [address])
        with proxies.nginx(text, port, folder):
            yield f"https://127.0.0.1:{port}{PATH}"
    finally:
        server.stop()


def test_two_play_below_it(below: str, watched_context: Callable[..., Any], noise: Noise) -> None:
    asked: list[str] = []
    alice, bob = (
        Tab(watched_context(ignore_https_errors=True).new_page(), below, noise) for _ in range(2)
    )
    for one in (alice, bob):
        one.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    alice.open_challenge()
    bob.page.goto(alice.link.input_value())
    bob.page.locator("#sit").click()
    bob.page.wait_for_url("**/games/games/*")
    alice.page.wait_for_url("**/games/games/*")
    with alice.no_reload():
        alice.expect_version(1)
        Pair(alice, bob, bob.path).play(0, 3, 1, 4, 2)
    alice.page.locator("#review-link").click()
    alice.page.wait_for_url("**/review/**")
    alice.press("ArrowLeft")
    expect(alice.page.locator("#review")).to_have_attribute("data-at", "4")
    alice.page.go_back()
    alice.expect_board("XXXOO....", winning=(0, 1, 2))
    noise.expect_refusal(404)
    alice.open("/no/such/page").a("Play a game").click()
    expect(alice.page).to_have_url(f"{below}/")
    expect(alice.page.locator("button.cell")).to_have_count(9)
    assert [path for path in asked if not path.startswith(f"{PATH}/")] == []
