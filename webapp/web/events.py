"""What keeps a page up to date: the topics that its parts name, and the stream that tells of them.

A part that may change prints ``data-topic`` beside its ``hx-get``. The page opens one stream for
all its parts (``static/stream.js``), and a part whose topic has changed asks for itself. This
module checks what the page may hear; ``server/streams.py`` tells it. Without that server there is
no stream, and pages ask every few seconds.
"""

import re
from math import ceil, inf
from typing import NamedTuple

from flask import Blueprint, Flask, Response, request

from webapp.live import sealed
from webapp.store import topics
from webapp.web.context import site
from webapp.web.identity import is_teacher, player, returning

pages = Blueprint("events", __name__)

MOST = 20  # topics of a page

STREAM = "tictactoe.stream"
"""Where a request carries its :class:`Wish` after the check."""

_IN_PART = frozenset({"lobby.decline", "teacher.reset"})
"""Requests whose answer shows only a part of what they change."""

_SEALED = re.compile(r"[\w-]{16}", re.ASCII)
_PAGE = re.compile(r"[\w-]{1,16}", re.ASCII)


class Wish(NamedTuple):
    """What a page wants to hear.

    :param page: the page's own id
    :param names: topics, as :func:`webapp.live.sealed` names them
    :param here: whether the page marks its player as here
    """

    player: str
    page: str
    names: frozenset[str]
    here: bool


@pages.get("/events")
def events() -> Response:
    """Subscribe a page to each ``topic``; with ``here``, the stream marks its player as here.

    ``page`` is the page's own id: changes by its own requests are not repeated to it.
    """
    wanted = request.args.getlist("topic")
    if not 0 < len(wanted) <= MOST or not all(map(_SEALED.fullmatch, wanted)):
        return Response(status=400)
    if not site().live.hears:
        return Response(status=503)
    if returning() is None or (sealed(topics.DESK) in wanted and not is_teacher()):
        return Response(status=403)
    request.environ[STREAM] = Wish(
        player=player(), page=_page(), names=frozenset(wanted), here="here" in request.args
    )
    # Proxies must not buffer it.
    return Response(status=204, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


@pages.post("/goodbye")
def goodbye() -> Response:
    if known := returning():
        site().live.closed(known, _page())
    return Response(status=204)


def _page() -> str:
    """The id of the page that sends the request; empty if it has none."""
    name = request.args.get("page") or request.headers.get("Page-Id", "")
    return name if _PAGE.fullmatch(name) else ""


def init_app(app: Flask) -> None:
    """Mark players whose pages ask as here, and remember which page makes a change."""
    app.jinja_env.globals["topics"] = topics
    app.add_template_global(told_of)
    app.add_template_global(again_in)

    @app.before_request
    def note() -> None:
        page = _page()
        topics.PAGE.set("" if request.endpoint in _IN_PART else page)
        how = request.headers.get("Page-Here") or ("seen" if "here" in request.args else "")
        if how and request.endpoint != "events.events" and (known := returning()):
            site().live.asked(known, page, hidden=how == "hidden")


def told_of(*named: str | None) -> str:
    """The value of ``data-topic``: the topics that change what a part shows."""
    return " ".join(sealed(topic) for topic in named if topic)


def again_in(seconds: float) -> int | None:
    """Seconds until a part asks again in any case, as time alone changes it.

    Soon after a start, once all pages have come back; before that no one counts as away.

    :param seconds: infinite, or 0, if time does not change it
    """
    seconds = site().live.settles_in_s or seconds
    return ceil(seconds) if 0 < seconds < inf else None
