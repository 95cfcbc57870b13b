"""``/healthz``: whether the server and its database answer, for scripts."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from webapp import __version__
from webapp.web.context import site

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer 200 if the database answers, else 503 and why."""
    why = site().database.fault()
    told = {"status": "unavailable" if why else "ok", "version": __version__, "database": not why}
    return (told | {"why": why}, 503) if why else (told, 200)
