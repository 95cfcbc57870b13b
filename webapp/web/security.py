"""Who may send what: cross-site requests, and the headers that every answer carries."""

from flask import Flask, Response, request
from werkzeug.exceptions import BadHost, Forbidden, MethodNotAllowed, RequestEntityTooLarge

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self' 'sha256-UFkuRg9meMU7wK0qdJAgwuI4e8otNQvGGwTUVRqqcTc='; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The hash is that of the script at the top of base.html."""

_ALWAYS = {
    "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # For browsers that do not know frame-ancestors.
    "X-Frame-Options": "DENY",
    # No other site's page may load what is here, not even as a picture that it cannot read.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_YEAR = 365 * 24 * 60 * 60

_BY_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": f"max-age={_YEAR}",
}
"""On plain HTTP, browsers ignore these and warn in the console."""

_LONGEST_HOST = 253 + len(":65535")  # the DNS limit for a name, and a port


def init_app(app: Flask) -> None:
    app.before_request(refuse_a_host_that_is_none)
    app.before_request(refuse_what_no_page_of_ours_sends)
    app.after_request(add_headers)


def refuse_a_host_that_is_none() -> None:
    """Refuse a host longer than any name, or a misspelt international one.

    QR codes have no room for the former, and pages cannot show the latter.
    """
    if len(request.host) > _LONGEST_HOST:
        raise BadHost
    if "xn--" in request.host:
        try:
            _ = request.host_url
        except UnicodeError as error:
            raise BadHost from error


def refuse_what_no_page_of_ours_sends() -> None:
    """Refuse bodies over 16 KiB, then wrong methods, then other sites' requests.

    This order is part of the contract, and so is that it comes before any look at the game.
    """
    if request.method in _SAFE_METHODS:
        return
    limit = request.max_content_length or 0
    announced = request.content_length
    # A body without an announced length is read only up to the limit.
    if len(request.get_data()) >= limit if announced is None else announced > limit:
        raise RequestEntityTooLarge
    if isinstance(request.routing_exception, MethodNotAllowed):
        raise request.routing_exception
    if sent_by_another_site():
        raise Forbidden


def sent_by_another_site() -> bool:
    """Whether this request would change something and comes from another site's page."""
    return request.method not in _SAFE_METHODS and is_cross_site(
        request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin"), request.host
    )


def is_cross_site(fetch_site: str | None, origin: str | None, host: str) -> bool:
    """Whether another site's page sent an unsafe request.

    The rule of Go's ``http.CrossOriginProtection``: the browser's own word where it gives it,
    else the origin against the host. Browsers give one of them, on plain HTTP the latter; a
    request with neither comes from no browser, so no visitor can be misused by it.

    >>> is_cross_site(None, "http://evil.example", "play.lan:8000")
    True
    >>> is_cross_site(None, "http://play.lan:8000", "play.lan:8000")
    False
    """
    if fetch_site is not None:
        return fetch_site not in ("same-origin", "none")
    if origin is not None:
        return origin.partition("://")[2] != host
    return False


def add_headers(response: Response) -> Response:
    headers = response.headers
    headers.update(_ALWAYS | _BY_HTTPS if request.is_secure else _ALWAYS)
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-store"
    return response
