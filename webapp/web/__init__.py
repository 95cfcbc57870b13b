"""The web application: pages and their addresses.

May import every other room of ``webapp``; nothing imports this one but the command line.
"""

import os
from contextlib import ExitStack

from flask import Flask
from flask_compress import Compress
from jinja2 import StrictUndefined

from webapp.config import STATIC, TEMPLATES, Settings
from webapp.service import programs
from webapp.service.site import Site
from webapp.store import prepare, sqlite
from webapp.web import (
    address,
    ask,
    assets,
    desk,
    errors,
    events,
    health,
    identity,
    jinja,
    lab,
    languages,
    learn,
    limits,
    lobby,
    lookahead,
    menace,
    play,
    review,
    security,
    tickets,
    tournaments,
    translation,
    wall,
    you,
)
from webapp.web.lab import present_league
from webapp.words.language import READER

_ROOMS = (
    *(play, lobby, tournaments, wall, desk, ask, learn, lookahead, review, lab, menace, you),
    *(tickets, languages, events, health),
)


def create_app(
    settings: Settings | None = None, *, prepared: str = "", offer: programs.Offer | None = None
) -> Flask:
    """Make the application, its database brought up to date.

    :param settings: read from the environment where not given
    :param prepared: the database's id, if the caller has seen to it and holds its lock: then the
        application starts also while it is out of reach
    :param offer: what the functions answered that the settings name, if they have been asked
    :raises webapp.config.SettingsError: if the environment holds a bad value
    :raises webapp.programs.files.CannotLoad: if a function that the settings name cannot be offered
    :raises webapp.store.StoreError: if the database cannot be used
    """
    settings = settings or Settings.from_environment(os.environ)
    held = ExitStack()
    if not prepared:
        settings.data.mkdir(parents=True, exist_ok=True)
        held = sqlite.alone(settings)
        prepared = prepare(settings).id

    app = Flask(
        __name__,
        template_folder=TEMPLATES,
        static_folder=STATIC,
        static_url_path=f"{settings.base_path}/static",
    )
    app.config.update(
        ID=prepared,
        MAX_CONTENT_LENGTH=16 * 1024,
        MAX_FORM_MEMORY_SIZE=4 * 1024,
        MAX_FORM_PARTS=20,
        COMPRESS_LEVEL=6,
        COMPRESS_BR_LEVEL=5,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "gzip"],
    )
    app.jinja_environment = jinja.Templates
    app.jinja_options = {
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "extensions": [translation.Translation],
    }
    app.extensions["lock"] = held
    offer = offer or programs.asked(settings)
    app.extensions["site"] = Site(settings, offer.engines, READER.get)
    app.extensions["league"] = present_league(offer.league) if offer.league else None
    app.config.update(
        BASE_PATH=settings.base_path,
        PUBLIC_URL=settings.public_url,
        LAN=settings.lan == "on",
    )

    # In this order: a refusal comes before whatever costs more.
    limits.init_app(app, settings)
    jinja.init_app(app)
    security.init_app(app)
    identity.init_app(app)
    events.init_app(app)
    errors.init_app(app)
    languages.init_app(app, settings)
    address.init_app(app)
    Compress(app)
    assets.init_app(app)
    for pages in (*(room.pages for room in _ROOMS), ask.asking, menace.training, tickets.handing):
        app.register_blueprint(pages, url_prefix=f"{settings.base_path}{pages.url_prefix or ''}")
    jinja.share_macros(app)
    return app
