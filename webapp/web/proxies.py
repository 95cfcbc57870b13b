"""Whose word is taken: proxies that speak for visitors."""

from __future__ import annotations

from flask import Flask
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

from webapp.config import Settings


def init_app(app: Flask, settings: Settings) -> None:
    """Let the application believe the proxies that the settings trust.

    Of ``X-Forwarded-For`` the last address that no trusted proxy has is the visitor's; of
    ``X-Forwarded-Proto`` comes the scheme. The host is the request's own: proxies pass it on.
    """
    if settings.trusted_proxies:
        app.wsgi_app = wrap_wsgi_with_proxy_headers(  # type: ignore[method-assign]
            app.wsgi_app, list(settings.trusted_proxies)
        )
