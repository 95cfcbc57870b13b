"""Who is the teacher: any browser that has sent the key, for some hours."""

import secrets

from webapp import store
from webapp.service.site import Site
from webapp.service.wrong_keys import WrongKey

HOURS = 12
"""The length of a session; then the key must be sent again."""


def sign_in(site: Site, typed: str, line: str | None) -> str:
    """Begin a session, and return the token that the browser is to keep.

    The key itself never waits, whatever else comes from its address; a wrong one is to be
    answered in its turn.

    :param typed: the key as it was typed
    :param line: the address that it came from; ``None`` where wrong keys need not wait
    :raises WrongKey: if it is not the key
    :raises TooManyTries: if it is not, and too many wrong ones wait already
    """
    if not site.key.fits(typed):
        raise WrongKey(site.wrong_keys.take(line) if line is not None else 0.0)
    token = secrets.token_urlsafe(32)
    with site.database.write(store.sessions.ABOUT) as connection:
        now = site.now()
        store.sessions.begin(connection, site.key.seal(token), now, now - HOURS * 60 * 60)
    return token


def knows(site: Site, token: str) -> bool:
    """Tell whether a token is that of a teacher, whose session goes on."""
    with site.database.read() as connection:
        began = store.sessions.began_at(connection, site.key.seal(token))
    # If the clock jumped, ask for the key again.
    return began is not None and 0 <= site.now() - began < HOURS * 60 * 60


def sign_out(site: Site, token: str) -> None:
    """End a session."""
    with site.database.write(store.sessions.ABOUT) as connection:
        store.sessions.end(connection, site.key.seal(token))
