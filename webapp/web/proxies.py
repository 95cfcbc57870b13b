"""Proxies that speak for visitors, where the settings trust them."""

from flask import Flask
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

from webapp.config import Settings


def init_app(app: Flask, settings: Settings) -> None:
    """Take the visitor's address and scheme from a trusted proxy's headers, the host from none.

    Of ``X-Forwarded-For`` the last address that no trusted proxy has is the visitor's.
    """
    if trusted := list(settings.trusted_proxies):
        app.wsgi_app = wrap_wsgi_with_proxy_headers(app.wsgi_app, trusted)  # type: ignore[method-assign]
