"""What can happen to an answer: it is a refusal, it is lost, or it comes late.

Each meets the page's next request to an address with a certain part, a POST where that begins with
a slash. It replaces ``fetch``: Playwright's ``route`` lets one request in thirty through.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import JSHandle, Page, expect

from tests.e2e.tab import script

_REPLACE = script("answers")


@contextmanager
def refused(page: Page, part: str, status: int) -> Iterator[None]:
    """The next request is refused and never reaches the server, and the page says so."""
    with _next(page, part, "refused", status):
        address = page.url
        yield
    expect(page.locator("main .refusal")).to_be_visible()
    assert page.url == address


@contextmanager
def lost(page: Page, part: str) -> Iterator[None]:
    """The server does what the next request asks for, but its answer is lost."""
    with _next(page, part, "lost"):
        yield


@contextmanager
def late(page: Page, part: str) -> Iterator[Callable[[], None]]:
    """The next request is sent after what happens inside; yield what waits until it is made."""
    with _next(page, part, "late") as request:
        yield lambda: _wait(page, request, "met")
        request.evaluate("(next) => next.release()")
        _wait(page, request, "done")
        page.evaluate("probe.drawn()")


@contextmanager
def _next(page: Page, part: str, kind: str, status: int = 0) -> Iterator[JSHandle]:
    request = page.evaluate_handle(_REPLACE, [part, kind, status])
    yield request
    _wait(page, request, "met")


def _wait(page: Page, request: JSHandle, moment: str) -> None:
    page.wait_for_function(f"(next) => next.{moment}", arg=request)
