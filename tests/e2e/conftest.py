"""Browser and servers of the end-to-end tests. Every page is watched for complaints."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.e2e.class_pages import ClassmatePage, Classmates
from tests.e2e.noise import Noise
from tests.e2e.play import PlayPage, Visitor
from tests.e2e.server import Server

_PROGRAMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
# How long a slow computer may take, several browsers at a time, in milliseconds.
_PATIENCE = 20_000
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# Chromium heeds the last list only, so Playwright's is repeated as far as it matters here. Not to
# be upgraded to HTTPS is what one test is about. The address bar's popups are two more pages in
# every window: without them the tests take a fifth less time.
_OFF = (
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)


expect.set_options(timeout=_PATIENCE)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Replace the plugin's fixture, which is a method, and so a warning in pytest 9."""


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Playwright
) -> dict[str, Any]:
    """Find the browser: Playwright's own, or the system's. With neither, launching fails."""
    arguments = {
        **browser_type_launch_args,
        "args": [
            *_QUIET,
            f"--disable-features={','.join(_OFF)}",
            "--host-resolver-rules=MAP *.lan 127.0.0.1",
        ],
    }
    own = Path(playwright.chromium.executable_path)
    named = os.environ.get("CHROMIUM")
    if named or not own.is_file():
        found = next(filter(None, map(shutil.which, [named] if named else _PROGRAMS)), named)
        if found:
            arguments["executable_path"] = found
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments["chromium_sandbox"] = False
    return arguments


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not stop it; each test is a new player there."""
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Start a server that the test may kill and start again."""
    server = Server(tmp_path / "data")
    yield server
    server.stop()


@pytest.fixture
def noise() -> Iterator[Noise]:
    """What the browser complained about; anything that the test did not expect fails it."""
    noise = Noise()
    yield noise
    assert noise.complaints == []


@pytest.fixture
def new_context(noise: Noise, new_context: CreateContextCallback) -> Callable[..., Any]:
    """Make a browser context that is listened to."""

    def make(**arguments: Any) -> Any:
        context = new_context(**arguments)
        context.set_default_timeout(_PATIENCE)
        noise.listen(context)
        return context

    return make


@pytest.fixture
def visitor(server: Server, new_context: Callable[..., Any]) -> Iterator[Visitor]:
    """Bring people to the game; the keywords are those of ``Browser.new_context``."""
    pages: list[PlayPage] = []

    def visit(url: str | None = None, **arguments: Any) -> PlayPage:
        play = PlayPage(new_context(**arguments).new_page(), url or server.url)
        pages.append(play)
        return play

    yield visit
    for play in pages:
        if not play.page.is_closed():
            assert play.ids_that_occur_twice() == []


@pytest.fixture
def classmate(visitor: Visitor) -> Classmates:
    """Bring people to the class; the keywords are those of ``Browser.new_context``."""

    def bring(url: str | None = None, **arguments: Any) -> ClassmatePage:
        play = visitor(url, **arguments)
        return ClassmatePage(play.page, play.server)

    return bring


@pytest.fixture
def play(visitor: Visitor) -> PlayPage:
    """A visitor's tab on the front page."""
    return visitor().open()


@pytest.fixture
def second_tab(visitor: Visitor) -> Callable[[PlayPage], PlayPage]:
    """Open another tab of the same visitor, on the same game."""

    def open_tab(first: PlayPage) -> PlayPage:
        page: Page = first.page.context.new_page()
        return PlayPage(page, first.server).open(first.path)

    return open_tab
