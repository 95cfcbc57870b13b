"""The address of this server for others."""

from urllib.parse import urlsplit

from flask import Flask, current_app, g, request

from webapp.config import LOOPBACK
from webapp.lan import addresses
from webapp.service import teacher
from webapp.service.refusals import Unacceptable
from webapp.web import forms
from webapp.web.context import site
from webapp.web.forms import Form


def init_app(app: Flask) -> None:
    """Find the address for every page before its template may print it."""
    app.before_request(_find)
    app.add_template_global(public)
    app.add_template_test(for_others)


def _find() -> None:
    """Note the address at which others reach this server.

    Unless one is set, it is the address that was asked; for a browser on this computer, and for the
    wall, the one that the teacher has chosen, or the network's present one.
    """
    settings, asked = current_app.config, urlsplit(request.host_url)
    here = _is_here(asked.hostname)
    g.begins = settings["PUBLIC_URL"] or request.host_url.rstrip("/") + settings["BASE_PATH"]
    if settings["PUBLIC_URL"] or request.blueprint in (None, "health"):
        return
    known = _known() if here or request.endpoint == "wall.board" else []
    if known and (here or asked.hostname in known):
        chosen, port = teacher.address(site()), f":{asked.port}" if asked.port else ""
        host = chosen if chosen in known else known[0]
        g.begins = f"{asked.scheme}://{host}{port}{settings['BASE_PATH']}"


def public(path: str) -> str:
    """The address of a page as others reach it."""
    return f"{g.begins}{path.removeprefix(current_app.config['BASE_PATH'])}"


def for_others(address: str) -> bool:
    """Whether other computers may reach an address."""
    return not _is_here(urlsplit(address).hostname)


def read(form: Form) -> str:
    """Read which of this computer's addresses the teacher has chosen, as ``address``."""
    chosen = forms.text(form, "address", "")
    if chosen not in _known():
        raise Unacceptable("Choose one of the addresses in the list.")
    return chosen


def _known() -> list[str]:
    return addresses() if current_app.config["LAN"] else []


def _is_here(host: str | None) -> bool:
    """Whether a host name or address means this computer to itself alone."""
    host = (host or "").rstrip(".")
    return host in LOOPBACK or host == "0.0.0.0" or host.startswith("127.")  # noqa: S104


def choice(chosen: str | None) -> dict[str, object] | None:
    """The addresses that the wall can show, and the ``chosen`` one; ``None`` without a choice."""
    known = [] if current_app.config["PUBLIC_URL"] else _known()
    return {"chosen": chosen or "", "known": known} if len(known) > 1 else None
