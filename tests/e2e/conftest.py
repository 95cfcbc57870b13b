"""Browser and servers of the end-to-end tests. Every page is watched for complaints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright, expect
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.e2e.noise import Noise
from tests.e2e.server import NEWS_COME_SOON, Server
from tests.e2e.tab import Tab, Visitor
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
_IDS_THAT_OCCUR_TWICE = """() => [...document.querySelectorAll("[id]")]
  .map((element) => element.id).filter((id, index, ids) => ids.indexOf(id) !== index)"""

# A page gives a request up after two seconds more than the server holds it, which a busy computer
# may take; so in these tests it waits for as long as they do, unless it is told not to.
_AS_PATIENT = f"""
document.addEventListener("htmx:config:request", ({{ detail: {{ ctx }} }}) => {{
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
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
) -> dict[str, Any]:
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
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test alone, with the usual settings."""
    server = Server(tmp_path / "data", patch=NEWS_COME_SOON)
    yield server
    server.stop()


@pytest.fixture
def noise() -> Iterator[Noise]:
    """What the browser complained about; anything that the test did not expect fails it."""
    noise = Noise()
    yield noise
    assert not noise.complaints, "\n".join(noise.complaints)


@pytest.fixture
def any_context(new_context: CreateContextCallback) -> Callable[..., Any]:
    """Make a browser context; the tests in Firefox have their own way."""
    return new_context


@pytest.fixture
def watched_context(noise: Noise, any_context: Callable[..., Any]) -> Callable[..., Any]:
    """Make a browser context that is listened to; its pages are in English, or another locale."""

    def make(**arguments: Any) -> Any:
        context = any_context(**{"locale": "en-US", **arguments})
        context.set_default_timeout(1000 * PATIENCE)
        context.add_init_script(_AS_PATIENT)
        noise.listen(context)
        return context

    return make


@pytest.fixture
def visitor(server: Server, noise: Noise, watched_context: Callable[..., Any]) -> Iterator[Visitor]:
    """Bring people to the site; the keywords are those of ``Browser.new_context``."""
    tabs: list[Tab] = []

    def visit(url: str | None = None, **arguments: Any) -> Tab:
        scripted = arguments.get("java_script_enabled", True)
        page = watched_context(**arguments).new_page()
        tabs.append(Tab(page, url or server.url, noise, scripted=scripted))
        return tabs[-1]

    yield visit
    for tab in tabs:
        if not tab.page.is_closed():
            assert tab.page.evaluate(_IDS_THAT_OCCUR_TWICE) == []


@pytest.fixture
def play(visitor: Visitor) -> Tab:
    """A visitor's tab on the front page."""
    return visitor().open()


@pytest.fixture
def come(own_server: Server, visitor: Visitor) -> Callable[..., Tab]:
    """Bring people to a server of the test alone."""
    return partial(visitor, own_server.url)


@pytest.fixture
def sign_in(own_server: Server, come: Callable[..., Tab]) -> Callable[..., Tab]:
    """Bring a host, who types the key."""
    key = HostKey(Settings(data=own_server.database.parent)).read()

    def sign_in(**arguments: Any) -> Tab:
        host = come(**arguments).open("/host")
        host.press(*key, "Enter", on=host.page.get_by_label("Key", exact=True))
        expect(host.button("Sign out")).to_be_visible()
        host.page.wait_for_load_state()  # or it would count as a load in what a test does next
        return host

    return sign_in


@pytest.fixture
def host(sign_in: Callable[..., Tab]) -> Tab:
    """A host who has signed in."""
    return sign_in()
