"""Where the site stands: below a path of its host, and behind proxies that speak for visitors."""

from __future__ import annotations

from flask import Flask
from granian.utils.proxies import wrap_wsgi_with_proxy_headers
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from webapp.config import Settings


def init_app(app: Flask, settings: Settings) -> None:
    """Let the application know of its base path, and of the proxies whose word it takes.

    Of ``X-Forwarded-For`` the last address that no trusted proxy has is the visitor's; of
    ``X-Forwarded-Proto`` comes the scheme. The host is the request's own: proxies pass it on.
    """
    if settings.base_path:
        app.wsgi_app = DispatcherMiddleware(  # type: ignore[method-assign]
            NotFound(), {settings.base_path: app.wsgi_app}
        )
    if settings.trusted_proxies:
        app.wsgi_app = wrap_wsgi_with_proxy_headers(  # type: ignore[method-assign]
            app.wsgi_app, list(settings.trusted_proxies)
        )
