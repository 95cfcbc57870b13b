"""The site that requests are answered for."""

from flask import current_app

from webapp.service.site import Site


def site() -> Site:
    """Return the site of the application that answers."""
    found: Site = current_app.extensions["site"]
    return found
