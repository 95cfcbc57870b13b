"""The teacher's sessions, begun with the key, or with the link that a start prints."""

import secrets

import sqlalchemy as sa

from webapp import store
from webapp.service.site import Site

HOURS = 12  # the length of a session


def sign_in(site: Site, typed: str) -> str | None:
    """Begin a session, and return the browser's token; ``None`` if the key is wrong.

    Wrong keys are not counted: no one guesses 53 random bits.
    """
    if not site.key.fits(typed):
        return None
    with site.database.write(store.sessions.ABOUT) as connection:
        return _begin(site, connection)


def may_enter(site: Site, token: str) -> bool:
    """Whether the token of the start's link signs in now."""
    return site.link is not None and site.link.fits(token)


def enter(site: Site, token: str) -> str | None:
    """Begin a session with the link's token, which works once; ``None`` if it is wrong."""
    with site.database.write(store.sessions.ABOUT) as connection:
        if not may_enter(site, token):
            return None
        site.link = None
        return _begin(site, connection)


def _begin(site: Site, connection: sa.Connection) -> str:
    token, now = secrets.token_urlsafe(32), site.now()
    store.sessions.begin(connection, site.key.seal(token), now, now - HOURS * 60 * 60)
    return token


def knows(site: Site, token: str) -> bool:
    """Whether a token belongs to a teacher's running session."""
    with site.database.read() as connection:
        began = store.sessions.began_at(connection, site.key.seal(token))
    # If the clock jumped, ask for the key again.
    return began is not None and 0 <= site.now() - began < HOURS * 60 * 60


def sign_out(site: Site, token: str) -> None:
    with site.database.write(store.sessions.ABOUT) as connection:
        store.sessions.end(connection, site.key.seal(token))
