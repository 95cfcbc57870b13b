"""The address of this server for others."""

import ipaddress
import re
from urllib.parse import urlsplit

from flask import Flask, current_app, g, request

from webapp.config import LOOPBACK
from webapp.lan import addresses
from webapp.service import teacher
from webapp.service.refusals import Unacceptable
from webapp.web import forms
from webapp.web.context import site
from webapp.web.forms import Form

_HOST = re.compile(r"(?:http://)?([a-z0-9][a-z0-9.-]{0,240})(?::([0-9]{1,5}))?(?:/.*)?")


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
    lan, here = settings["LAN"], _is_here(asked.hostname)
    g.begins = settings["PUBLIC_URL"] or request.host_url.rstrip("/") + settings["BASE_PATH"]
    if settings["PUBLIC_URL"] or not settings["LISTENS"] or request.blueprint in (None, "health"):
        return
    known = addresses() if lan and (here or request.endpoint == "wall.board") else []
    if not here and asked.hostname not in known:
        return
    host = teacher.address(site())
    if lan and host not in known:
        host = next(iter(known), None)
    if host:
        port = f":{asked.port}" if asked.port and ":" not in host else ""
        g.begins = f"{asked.scheme}://{host}{port}{settings['BASE_PATH']}"


def public(path: str) -> str:
    """The address of a page as others reach it."""
    return f"{g.begins}{path.removeprefix(current_app.config['BASE_PATH'])}"


def for_others(address: str) -> bool:
    """Whether other computers may reach an address."""
    return not _is_here(urlsplit(address).hostname)


def read(form: Form) -> str:
    """Read this computer's ``address``, a host and perhaps a port, as people type it."""
    typed = _HOST.fullmatch(forms.text(form, "address", "").strip().lower())
    known = addresses() if current_app.config["LAN"] else []
    if typed is None or not _may_be(typed[1], typed[2]) or (known and typed[1] not in known):
        raise Unacceptable(
            "Type this computer's address on its network, such as 192.168.1.20:8000."
        )
    return f"{typed[1]}:{typed[2]}" if typed[2] else typed[1]


def _may_be(host: str, port: str | None) -> bool:
    """Whether a typed host and port may be reached by others."""
    if not re.search("[a-z]", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            return False
    return not _is_here(host) and 0 < int(port or 80) < 65536


def _is_here(host: str | None) -> bool:
    """Whether a host name or address means this computer to itself alone."""
    host = (host or "").rstrip(".")
    return host in LOOPBACK or host == "0.0.0.0" or host.startswith("127.")  # noqa: S104


def choice(chosen: str | None) -> dict[str, object] | None:
    """The addresses that the wall can show, and the ``chosen`` one; ``None`` without a choice."""
    settings = current_app.config
    known = addresses() if settings["LAN"] else []
    asks = settings["LISTENS"] and not settings["LAN"] and not for_others(request.host_url)
    offers = settings["PUBLIC_URL"] is None and (asks or len(known) > 1)
    return {"chosen": chosen or "", "known": known} if offers else None
