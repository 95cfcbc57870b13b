"""What a browser complains about while a test runs: any of it fails the test."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request

HOSTS = frozenset({"127.0.0.1", "play.lan"})
"""The only hosts that a page may ask, both of them the server under test."""

_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`);
});
"""


class Noise:
    """Listens to browser contexts for errors, warnings and requests that no page should make."""

    def __init__(self) -> None:
        self._heard: list[str] = []
        self._expected: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        context.add_init_script(_REPORT_VIOLATIONS)
        context.on("console", self._on_console)
        context.on("weberror", lambda one: self._heard.append(f"error in the page: {one.error}"))
        context.on("request", self._on_request)

    def expect(self, pattern: str) -> None:
        self._expected.append(pattern)

    def expect_refusal(self, status: int) -> None:
        self.expect(rf"the server responded with a status of {status}\b")

    def expect_no_answer(self) -> None:
        self.expect(r"net::ERR_INTERNET_DISCONNECTED")
        self.expect(r"htmx:error: (TypeError: )?Failed to fetch")

    @property
    def complaints(self) -> list[str]:
        return [one for one in self._heard if not any(re.search(no, one) for no in self._expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._heard.append(f"console {message.type}: {message.text}")

    def _on_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname not in HOSTS:
            self._heard.append(f"request to another host: {request.url}")
