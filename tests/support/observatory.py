"""Grades an answer by the rules of Mozilla's HTTP Observatory, version 2, as served over HTTPS.

The names of results, their points and the marks are those of its published tables ("Tests &
scoring" at MDN, and ``src/grader/charts.js`` of mdn/mdn-http-observatory). The test of the way from
HTTP to HTTPS is left out: that redirection is a proxy's. So is the list of preloaded hosts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TypeAlias
from urllib.parse import urlsplit

Headers: TypeAlias = Iterable[tuple[str, str]]

ASKED_FROM = "https://observatory.example"
"""The ``Origin`` to ask with: a server must not answer that this one may read everything."""

ENOUGH_FOR_MORE = 90
"""Points are added only to this many or more."""

_GRADES = {
    100: "A+", 90: "A", 85: "A-", 80: "B+", 70: "B", 65: "B-", 60: "C+", 50: "C", 45: "C-",
    40: "D+", 30: "D", 25: "D-", 0: "F",
}  # fmt: skip
_POINTS = {
    "csp-implemented-with-no-unsafe-default-src-none": 10,
    "csp-implemented-with-no-unsafe": 5,
    "csp-implemented-with-unsafe-inline-in-style-src-only": 0,
    "csp-implemented-with-insecure-scheme-in-passive-content-only": -10,
    "csp-implemented-with-unsafe-eval": -10,
    "csp-implemented-with-unsafe-inline": -20,
    "csp-implemented-with-insecure-scheme": -20,
    "csp-header-invalid": -25,
    "csp-not-implemented": -25,
    "cookies-secure-with-httponly-sessions-and-samesite": 5,
    "cookies-secure-with-httponly-sessions": 0,
    "cookies-not-found": 0,
    "cookies-without-secure-flag-but-protected-by-hsts": -5,
    "cookies-without-secure-flag": -20,
    "cookies-samesite-flag-invalid": -20,
    "cookies-session-without-httponly-flag": -30,
    "cookies-session-without-secure-flag-but-protected-by-hsts": -10,
    "cookies-session-without-secure-flag": -40,
    "cross-origin-resource-sharing-not-implemented": 0,
    "cross-origin-resource-sharing-implemented-with-public-access": 0,
    "cross-origin-resource-sharing-implemented-with-restricted-access": 0,
    "cross-origin-resource-sharing-implemented-with-universal-access": -50,
    "referrer-policy-private": 5,
    "referrer-policy-not-implemented": 0,
    "referrer-policy-unsafe": -5,
    "referrer-policy-header-invalid": -5,
    "hsts-implemented-max-age-at-least-six-months": 0,
    "hsts-implemented-max-age-less-than-six-months": -10,
    "hsts-not-implemented": -20,
    "hsts-header-invalid": -20,
    "sri-implemented-and-all-scripts-loaded-securely": 5,
    "sri-implemented-and-external-scripts-loaded-securely": 5,
    "sri-not-implemented-response-not-html": 0,
    "sri-not-implemented-but-no-scripts-loaded": 0,
    "sri-not-implemented-but-all-scripts-loaded-from-secure-origin": 0,
    "sri-not-implemented-but-external-scripts-loaded-securely": -5,
    "sri-implemented-but-external-scripts-not-loaded-securely": -20,
    "sri-not-implemented-and-external-scripts-not-loaded-securely": -50,
    "x-content-type-options-nosniff": 0,
    "x-content-type-options-not-implemented": -5,
    "x-content-type-options-header-invalid": -5,
    "x-frame-options-implemented-via-csp": 5,
    "x-frame-options-sameorigin-or-deny": 0,
    "x-frame-options-allow-from-origin": 0,
    "x-frame-options-not-implemented": -20,
    "x-frame-options-header-invalid": -20,
    "cross-origin-resource-policy-implemented-with-same-origin": 10,
    "cross-origin-resource-policy-implemented-with-same-site": 10,
    "cross-origin-resource-policy-implemented-with-cross-origin": 0,
    "cross-origin-resource-policy-not-implemented": 0,
    "cross-origin-resource-policy-header-invalid": -5,
}

_BROAD = {"*", "http:", "https:", "ftp:", "http://*", "https://*", "http://*.*", "https://*.*"}
_INLINE = {"'unsafe-inline'", "data:"}
_PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
_TELLING = {"origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"}
_HALF_A_YEAR = 15_768_000
# Rarer directives count as well; one that is none makes a policy invalid.
_DIRECTIVE = re.compile(
    r"[a-z]+-src(-elem|-attr)?|base-uri|form-action|frame-ancestors|report-(to|uri)|sandbox"
    r"|trusted-types|require-trusted-types-for|upgrade-insecure-requests|block-all-mixed-content"
)


@dataclass(frozen=True)
class Graded:
    """What an answer is worth.

    :param points: of each result
    """

    points: dict[str, int]

    @property
    def score(self) -> int:
        lost = 100 + sum(min(0, points) for points in self.points.values())
        more = sum(max(0, points) for points in self.points.values())
        return max(0, lost + more if lost >= ENOUGH_FOR_MORE else lost)

    @property
    def grade(self) -> str:
        return next(grade for least, grade in _GRADES.items() if self.score >= least)

    @property
    def faults(self) -> list[str]:
        """What costs points."""
        return [result for result, points in self.points.items() if points < 0]


def graded(headers: Headers, body: str = "") -> Graded:
    """Grade an answer to a request over HTTPS that came with the origin :data:`ASKED_FROM`."""
    fields: dict[str, list[str]] = {}
    for name, value in headers:
        fields.setdefault(name.lower(), []).append(value)
    policy = _policy(fields)
    hsts = _hsts(fields)
    results = (
        _csp(policy),
        _cookies(fields, protected=hsts == "hsts-implemented-max-age-at-least-six-months"),
        _sharing(fields),
        _referrer(fields),
        hsts,
        _integrity(fields, body),
        _sniffing(fields),
        _frames(fields, policy),
        _resource_policy(fields),
    )
    return Graded({result: _POINTS[result] for result in results})


Fields: TypeAlias = dict[str, list[str]]
Policy: TypeAlias = dict[str, set[str]]


def _one(fields: Fields, name: str) -> str | None:
    return ", ".join(fields[name]).strip() if name in fields else None


def _policy(fields: Fields) -> Policy | None:
    """The sources by directive; empty for a policy that cannot be read.

    Of several policies the Observatory reads all as one; this site must not have several.
    """
    written = fields.get("content-security-policy", [])
    if not written:
        return None
    found: Policy = {}
    for part in filter(None, (part.strip() for part in written[0].split(";"))):
        name, *sources = part.lower().split()
        if name in found or not _DIRECTIVE.fullmatch(name) or len(written) > 1:
            return {}
        found[name] = set(sources) or {"'none'"}
    return found


def _csp(policy: Policy | None) -> str:
    if policy is None:
        return "csp-not-implemented"
    if not policy:
        return "csp-header-invalid"
    otherwise = policy.get("default-src", {"*"})
    script, style, objects = (
        policy.get(f"{kind}-src", otherwise) for kind in ("script", "style", "object")
    )
    passive = policy.get("img-src", otherwise) | policy.get("media-src", otherwise)
    active = script.union(
        *(some for name, some in policy.items() if name not in ("img-src", "media-src"))
    )
    verdicts = (
        ("unsafe-inline", bool(script & (_BROAD | _INLINE) or objects & _BROAD)),
        ("insecure-scheme", _insecure(active)),
        ("unsafe-eval", "'unsafe-eval'" in script | style),
        ("insecure-scheme-in-passive-content-only", _insecure(passive)),
        ("unsafe-inline-in-style-src-only", bool(style & (_BROAD | _INLINE))),
    )
    for verdict, applies in verdicts:
        if applies:
            return f"csp-implemented-with-{verdict}"
    forms = policy.get("form-action", {"*"})
    strict = policy.get("default-src") == {"'none'"} and forms <= {"'self'", "'none'"}
    return "csp-implemented-with-no-unsafe" + ("-default-src-none" if strict else "")


def _insecure(sources: set[str]) -> bool:
    return any(source.startswith(("http:", "ftp:")) for source in sources)


def _cookies(fields: Fields, *, protected: bool) -> str:
    cookies = fields.get("set-cookie", [])
    verdicts = {_cookie(cookie, protected=protected) for cookie in cookies}
    if not verdicts:
        return "cookies-not-found"
    return min(verdicts, key=_POINTS.__getitem__)


def _cookie(cookie: str, *, protected: bool) -> str:
    """The verdict on one cookie; this site's says who somebody is, so it counts as a session's."""
    _, *rest = (part.strip() for part in cookie.split(";"))
    attributes = {
        name.lower(): value.lower() for name, _, value in (part.partition("=") for part in rest)
    }
    hsts = "-but-protected-by-hsts" if protected else ""
    if "secure" not in attributes:
        return f"cookies-session-without-secure-flag{hsts}"
    if "httponly" not in attributes:
        return "cookies-session-without-httponly-flag"
    if "samesite" not in attributes:
        return "cookies-secure-with-httponly-sessions"
    if attributes["samesite"] not in ("lax", "strict"):
        return "cookies-samesite-flag-invalid"
    return "cookies-secure-with-httponly-sessions-and-samesite"


def _sharing(fields: Fields) -> str:
    allowed = _one(fields, "access-control-allow-origin")
    credentials = _one(fields, "access-control-allow-credentials") == "true"
    kind = "implemented-with-restricted-access"
    if allowed is None:
        kind = "not-implemented"
    elif allowed == "*":
        kind = "implemented-with-public-access"
    elif allowed == ASKED_FROM and credentials:
        kind = "implemented-with-universal-access"
    return f"cross-origin-resource-sharing-{kind}"


def _referrer(fields: Fields) -> str:
    written = _one(fields, "referrer-policy")
    if written is None:
        return "referrer-policy-not-implemented"
    known = [one.strip().lower() for one in written.split(",")]
    known = [one for one in known if one in _PRIVATE | _TELLING]
    if not known:
        return "referrer-policy-header-invalid"
    return "referrer-policy-private" if known[-1] in _PRIVATE else "referrer-policy-unsafe"


def _hsts(fields: Fields) -> str:
    written = _one(fields, "strict-transport-security")
    if written is None:
        return "hsts-not-implemented"
    ages = re.findall(r'(?:^|;)\s*max-age="?(\d+)"?\s*(?=;|$)', written, re.IGNORECASE)
    if len(ages) != 1:
        return "hsts-header-invalid"
    kind = "at-least" if int(ages[0]) >= _HALF_A_YEAR else "less-than"
    return f"hsts-implemented-max-age-{kind}-six-months"


class _Scripts(HTMLParser):
    """Finds the scripts of a page, and whether each has a hash."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            given = dict(attrs)
            self.found.append((given.get("src") or "", bool(given.get("integrity"))))


def _integrity(fields: Fields, body: str) -> str:
    if "html" not in (_one(fields, "content-type") or "html"):
        return "sri-not-implemented-response-not-html"
    page = _Scripts()
    page.feed(body)
    verdicts = {_script(source, pinned=pinned) for source, pinned in page.found}
    if not verdicts:
        return "sri-not-implemented-but-no-scripts-loaded"
    return min(verdicts, key=_POINTS.__getitem__)


def _script(source: str, *, pinned: bool) -> str:
    elsewhere = urlsplit(source).netloc
    if not elsewhere:
        if pinned:
            return "sri-implemented-and-all-scripts-loaded-securely"
        return "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"
    if source.startswith("https://"):
        if pinned:
            return "sri-implemented-and-external-scripts-loaded-securely"
        return "sri-not-implemented-but-external-scripts-loaded-securely"
    if pinned:
        return "sri-implemented-but-external-scripts-not-loaded-securely"
    return "sri-not-implemented-and-external-scripts-not-loaded-securely"


def _sniffing(fields: Fields) -> str:
    written = _one(fields, "x-content-type-options")
    kinds = {None: "not-implemented", "nosniff": "nosniff"}
    return f"x-content-type-options-{kinds.get(written and written.lower(), 'header-invalid')}"


def _frames(fields: Fields, policy: Policy | None) -> str:
    if policy and not policy.get("frame-ancestors", {"*"}) & _BROAD:
        return "x-frame-options-implemented-via-csp"
    written = _one(fields, "x-frame-options")
    if written is None:
        return "x-frame-options-not-implemented"
    if written.upper() in ("DENY", "SAMEORIGIN"):
        return "x-frame-options-sameorigin-or-deny"
    if written.upper().startswith("ALLOW-FROM "):
        return "x-frame-options-allow-from-origin"
    return "x-frame-options-header-invalid"


def _resource_policy(fields: Fields) -> str:
    written = _one(fields, "cross-origin-resource-policy")
    kinds: dict[str | None, str] = {
        None: "not-implemented",
        **{
            kind: f"implemented-with-{kind}"
            for kind in ("same-origin", "same-site", "cross-origin")
        },
    }
    return f"cross-origin-resource-policy-{kinds.get(written, 'header-invalid')}"
