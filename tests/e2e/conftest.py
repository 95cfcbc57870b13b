"""Browser and servers of the end-to-end tests. Every page is watched for complaints."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright, expect
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.e2e.noise import Noise
from tests.e2e.scenes import World
from tests.e2e.server import NEWS_COME_SOON, NO_MOVE_IS_LATE, Server
from tests.e2e.tab import Tab, Visitor, script
from tests.support.patience import PATIENCE
from webapp.config import Settings
from webapp.service.key import HostKey

# Chromium heeds the last list of features only, so Playwright's is repeated as far as it matters
# here. Not to be upgraded to HTTPS is what one test is about. The address bar's popups are two
# more pages in every window: without them the tests take a fifth less time.
_OFF = (
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter", "OptimizationHints"),
    *("PaintHolding", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
_ARGUMENTS = (
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--no-first-run", f"--disable-features={','.join(_OFF)}"),
    "--host-resolver-rules=MAP *.lan 127.0.0.1",
)

# A page gives a request up after two seconds more than the server holds it, which a busy computer
# may take; so in these tests it waits for as long as they do, unless it is told not to.
_AS_PATIENT = f"""
document.addEventListener("htmx:config:request", (event) => {{
  const {{ ctx }} = event.detail;
  if (window.still) event.preventDefault(); // see Tab.still
  ctx.request.timeout ??= window.impatient ? htmx.config.defaultTimeout : {1000 * PATIENCE:.0f};
}});
"""

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Replace the plugin's fixture, which is a method, and so a warning in pytest 9."""


@pytest.fixture(scope="session")
def playwright(request: pytest.FixtureRequest) -> Playwright:
    """Start Playwright's driver with what it lacks for Firefox: there is only one in a process."""
    with pytest.MonkeyPatch.context() as patch:
        missing = Path(__file__).with_name("firefox.cjs").as_posix()
        patch.setenv("NODE_OPTIONS", f'--require "{missing}"')
        driver: Playwright = request.getfixturevalue("playwright")
    return driver


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Take Playwright's own browser, or the one that CHROMIUM names; ``script/test`` finds it."""
    arguments = {**browser_type_launch_args, "args": list(_ARGUMENTS)}
    if named := os.environ.get("CHROMIUM"):
        arguments["executable_path"] = named
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments["chromium_sandbox"] = False
    return arguments


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not stop it; each test is a new player there."""
    folder = tmp_path_factory.mktemp("server")
    server = Server(folder / "data", {"TTT_NAMES": "own"}, patch=NEWS_COME_SOON)
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server of the test alone; its parameter is one more patch."""
    patch = NEWS_COME_SOON + NO_MOVE_IS_LATE + getattr(request, "param", "")
    server = Server(tmp_path / "data", {"TTT_NAMES": "own"}, patch=patch)
    yield server
    server.stop()


@pytest.fixture
def noise() -> Iterator[Noise]:
    noise = Noise()
    yield noise
    assert not noise.complaints, "\n".join(noise.complaints)


@pytest.fixture
def watched_context(noise: Noise, new_context: CreateContextCallback) -> Callable[..., Any]:
    def make(**arguments: Any) -> Any:
        context = new_context(**{"locale": "en-US", **arguments})
        context.set_default_timeout(1000 * PATIENCE)
        context.add_init_script(_AS_PATIENT + script("probes"))
        noise.listen(context)
        return context

    return make


@pytest.fixture
def visitor(
    request: pytest.FixtureRequest, noise: Noise, watched_context: Callable[..., Any]
) -> Iterator[Visitor]:
    tabs: list[Tab] = []

    def visit(url: str | None = None, **arguments: Any) -> Tab:
        scripted = arguments.get("java_script_enabled", True)
        page = watched_context(**arguments).new_page()
        url = url or request.getfixturevalue("server").url
        tabs.append(Tab(page, url, noise, scripted=scripted))
        return tabs[-1]

    yield visit
    for tab in tabs:
        if tab.scripted and not tab.page.is_closed():
            # Also where it is just being led elsewhere.
            tab.page.wait_for_function(
                """() => {
                  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
                  return new Set(ids).size === ids.length;
                }"""
            )


@pytest.fixture
def play(visitor: Visitor) -> Tab:
    return visitor().open()


@pytest.fixture
def come(own_server: Server, visitor: Visitor) -> Visitor:
    return partial(visitor, own_server.url)


@pytest.fixture
def sign_in(own_server: Server, come: Visitor) -> Visitor:
    key = HostKey(Settings(data=own_server.database.parent)).read()

    def sign_in(**arguments: Any) -> Tab:
        host = come(**arguments)
        host.do("/host", key=key)
        return host.open("/host")

    return sign_in


@pytest.fixture
def host(sign_in: Visitor) -> Tab:
    return sign_in()


@pytest.fixture
def world(own_server: Server, come: Visitor, sign_in: Visitor) -> World:
    phone = {"viewport": {"width": 390, "height": 664}, "reduced_motion": "reduce"}
    return World(own_server, partial(come, **phone), partial(sign_in, **phone))
