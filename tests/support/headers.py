"""The headers of every answer, whatever it is; each page that a test sees is held against them."""

from __future__ import annotations

from werkzeug.test import TestResponse

ALWAYS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BY_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
}
"""Browsers complain about these on plain HTTP."""

KEPT = ("/static/",)
"""What a browser may keep, if it is there."""


def check_headers(answer: TestResponse) -> None:
    request = answer.request
    what = f"{answer.status} to {request.method} {request.path}"
    for name, value in (ALWAYS | BY_HTTPS).items():
        expected = value if request.scheme == "https" or name in ALWAYS else None
        assert answer.headers.get(name) == expected, (what, name)
    if not (answer.status_code == 200 and any(part in request.path for part in KEPT)):
        assert answer.headers["Cache-Control"] == "no-store", what
    assert not {"Access-Control-Allow-Origin", "X-Powered-By", "Server"} & {*answer.headers.keys()}
