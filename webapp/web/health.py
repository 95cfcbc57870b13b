"""``/healthz``: whether the server and its database answer, for scripts."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from webapp import __version__

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer 200 if the database answers, else 503."""
    answers = current_app.extensions["database"].answers()
    status = "ok" if answers else "unavailable"
    return {"status": status, "version": __version__, "database": answers}, 200 if answers else 503
