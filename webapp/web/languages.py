"""Which language a page is in: the one chosen here, else the browser's, else the server's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import LanguageAccept
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header

from webapp.config import Settings
from webapp.service.refusals import Unacceptable
from webapp.web import forms
from webapp.words.language import LANGUAGES, READER, Language, offered

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_COOKIE, _YEAR = "language", 365 * 24 * 60 * 60
_CHOSEN = re.compile(rf"(?:^|; ?){_COOKIE}=([a-z]+)(?:;|$)")

pages = Blueprint("languages", __name__)


class Languages:
    """The application, with the reader's language known before anything else is."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._application: WSGIApplication = app.wsgi_app
        self.codes = offered()
        self._otherwise = settings.language if settings.language in self.codes else "en"
        self._accepted = lru_cache(1024)(self._best)  # browsers send few different ones

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        READER.set(self.of(environ))
        return self._application(environ, start_response)

    def of(self, environ: WSGIEnvironment) -> str:
        chosen = _CHOSEN.search(environ.get("HTTP_COOKIE", ""))
        if chosen and chosen[1] in self.codes:
            return chosen[1]
        return self._accepted(environ.get("HTTP_ACCEPT_LANGUAGE", "")[:200])

    def _best(self, accepted: str) -> str:
        # Sorted by how much each is wanted; a country's English is English.
        wanted = parse_accept_header(accepted, LanguageAccept)
        codes = (tag.partition("-")[0].lower() for tag, quality in wanted if quality)
        return next((code for code in codes if code in self.codes), self._otherwise)


@pages.post("/language")
def choose() -> ResponseReturnValue:
    code = forms.text(request.form, "language", "")
    if code not in current_app.extensions["languages"].codes:
        raise Unacceptable("This site is not available in that language.")
    back = url_for("play.front")
    with suppress(ValueError, HTTPException):  # no address at all, or not that of a page
        page = urlsplit(request.referrer or back)
        current_app.url_map.bind("").match(page.path, "GET")
        back = f"/{page.path.lstrip('/')}{page.query and '?'}{page.query}"
    response = redirect(back, 303)
    response.set_cookie(
        _COOKIE, code, max_age=_YEAR, secure=request.is_secure, httponly=True, samesite="Lax"
    )
    return response


def init_app(app: Flask, settings: Settings) -> None:
    """Find every request's language, before anything else runs, and declare it in the answers."""
    languages = app.extensions["languages"] = Languages(app, settings)
    app.wsgi_app = languages  # type: ignore[method-assign]
    app.jinja_env.globals["languages"] = [LANGUAGES[code] for code in languages.codes]

    @app.template_global()
    def reader() -> Language:
        return LANGUAGES[READER.get()]

    @app.after_request
    def tell(response: Response) -> Response:
        if response.mimetype in ("text/html", "text/csv"):
            response.headers["Content-Language"] = reader().tag
            response.vary.update(("Accept-Language", "Cookie"))
        return response
