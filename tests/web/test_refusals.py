"""Refusals: which one where several would do, that nothing is stored, and what is seen."""

import io
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.page import Page
from tests.support.visitor import Fields, Site, Visitor, open_site

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
KIB = 1024
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this module's own, so that comparing all that is stored takes no time."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


@pytest.fixture(autouse=True)
def unchanged(site: Site) -> Iterator[list[Any]]:
    """Takes a dump of what is stored; at the end of the test it must still be the same."""
    dumps: list[Any] = []
    yield dumps
    assert all(site.dump() == dump for dump in dumps)


def check_board(answer: Page, page: Page, *, watching: bool = False) -> None:
    """A refusal shows the true board, and one sentence that is short enough to be said."""
    shown, true = ((one.board, one.version, one.outcome) for one in (answer, page))
    assert shown == true
    assert 0 < len(answer.refusal.split()) <= 15
    assert (answer.sentence, answer.watching) == ("", watching)
    if answer.is_fragment:
        assert answer.announcement == answer.refusal


def check_friendly_page(answer: Page) -> None:
    """Where there is no board, a page says so and leads on."""
    assert (answer.has_board, answer.is_fragment) == (False, False)
    assert answer.links["Play a game"] == "/"


# --- the order ----------------------------------------------------------------------------------


REASONS: dict[str, tuple[int, dict[str, Any]]] = {
    "too large": (413, {"fields": {"filler": "x" * 17 * KIB}}),
    "wrong method": (405, {"method": "PUT"}),
    "cross-site": (403, {"headers": {"Sec-Fetch-Site": "cross-site"}}),
    "unknown": (404, {"address": "/games/AAAAAAAAAAAAAAAAAAAAAA"}),
    "bad": (422, {"fields": {"opponent": "nobody", "mark": "X", "cell": "9", "version": "x"}}),
    "not yours": (403, {}),
    "stale": (409, {"fields": {"version": "7"}}),
}
ORDERS = {
    **{what: list(REASONS) for what in ("moves", "undo", "hint")},
    "again": [each for each in REASONS if each != "stale"],  # it has no version
    "": ["too large", "wrong method", "cross-site", "bad"],
}


@BOTH_WAYS
@pytest.mark.parametrize(
    "what,first", [(what, first) for what, order in ORDERS.items() for first in order]
)
def test_of_several_reasons_to_refuse_the_earliest_is_given(
    site: Site, alice: Visitor, bob: Visitor, unchanged: list[Any], *, what: str, first: str,
    fragment: bool,
) -> None:  # fmt: skip
    page = alice.start("easy", "x", cell=4) if what else alice.get("/")
    bob.get("/")
    unchanged.append(site.dump())
    later = ORDERS[what][ORDERS[what].index(first) + 1 :]
    for more in [[], *([one] for one in later), later]:
        asked: dict[str, Any] = {"method": "POST", "address": page.address if what else "/games"}
        fields = {"cell": page.playable[0], "version": "1", "opponent": "easy", "mark": "x"}
        for reason in [*reversed(more), first]:  # bad before stale
            fields |= REASONS[reason][1].get("fields", {})
            asked |= REASONS[reason][1]
        watching = "not yours" in (first, *more)
        answer = (bob if watching else alice).send(
            asked["method"],
            f"{asked['address']}/{what}".rstrip("/"),
            fields,
            headers=asked.get("headers"),
            fragment=fragment,
        )
        assert answer.status == REASONS[first][0], more
        if first in ("bad", "not yours", "stale"):
            check_board(answer, page, watching=watching)
            assert answer.is_fragment is fragment
        else:
            check_friendly_page(answer)
            assert first != "wrong method" or "POST" in answer.headers["Allow"]


# --- values -------------------------------------------------------------------------------------

BAD = {
    "cell": ["9", "-1", "٣", " 3", "3 ", "03", "", "x", "1.0", "+1", "４", "3\n", "\x00", "33"],
    "version": ["", "x", "1.0", "٣", "１", "-1", " 1", "1\n", "+1", "0x1", "1e0", "1_0", "\x00"],
    "opponent": [
        *("", "Easy", " easy", "easy ", "x", "<script>", "éasy", "\x00", "mine.py:first"),
        *("rules:", "rules:x", "rules:win,win", "/etc/passwd"),
    ],
    "mark": ["", "X", "Alternate", "both", " x", "x ", "0", "х", "\x00"],
}
STALE = ["0", "2", "9" * 4000, "0" * 17 + "15"]
"""Numbers that are not the version."""

GOOD = {"cell": "5", "version": "1", "opponent": "easy", "mark": "x"}
READS = {
    "moves": ("cell", "version"),
    "undo": ("version",),
    "hint": ("version",),
    "again": ("opponent", "mark"),
    "": ("cell", "opponent", "mark"),
}
MAY_BE_LEFT_OUT = {("again", "opponent"), ("again", "mark"), ("", "cell")}


@BOTH_WAYS
@pytest.mark.parametrize("what,name", [(what, name) for what in READS for name in READS[what]])
def test_a_value_that_is_not_exactly_one_allowed_is_refused_where_it_is_read(
    site: Site, alice: Visitor, unchanged: list[Any], *, what: str, name: str, fragment: bool
) -> None:
    page = alice.start("easy", "x", cell=4) if what else alice.get("/")
    address = f"{page.address}/{what}" if what else "/games"
    unchanged.append(site.dump())
    lists = [*([bad] for bad in BAD[name]), [GOOD[name], GOOD[name]], [GOOD[name], BAD[name][0]]]
    lists += [] if (what, name) in MAY_BE_LEFT_OUT else [[]]
    lists += [[old] for old in STALE] if name == "version" else []
    for values in lists:
        fields: Fields = [
            *((other, GOOD[other]) for other in GOOD if other != name),
            *((name, value) for value in values),
        ]
        answer = alice.post(address, fields, fragment=fragment, onto=page)
        assert answer.status == (409 if name == "version" and {*values} & {*STALE} else 422), values
        check_board(answer, page)
        assert "<script>" not in answer.text


def test_fields_are_read_from_the_form_only_and_others_do_no_harm(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    answer = alice.post(f"{page.address}/moves?cell={page.playable[0]}&version=1")
    assert answer.status == 422
    page = alice.move(page, page.playable[0], key="k", other="y", constructor="__proto__")
    assert page.version == 2


# --- bodies -------------------------------------------------------------------------------------


def multipart(parts: int, size: int = 1) -> bytes:
    part = '--b\r\nContent-Disposition: form-data; name="f{}"\r\n\r\n{}\r\n'
    return ("".join(part.format(n, "x" * size) for n in range(parts)) + "--b--\r\n").encode()


def unannounced(body: bytes) -> dict[str, Any]:
    """A body in chunks, as a server like granian hands it on."""
    return {
        "input_stream": io.BytesIO(body),
        "headers": {"Transfer-Encoding": "chunked"},
        "environ_overrides": {"wsgi.input_terminated": True},
    }


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    "content_type,body",
    [
        (FORM, b"opponent=easy&mark=x&cell=4&filler=" + b"x" * 17 * KIB),
        (FORM, b"f=x&" * 5 * KIB),
        (MULTIPART, multipart(1, 17 * KIB)),
        (MULTIPART, multipart(21)),
        ("application/json", b'"' + b"x" * 17 * KIB + b'"'),
        (None, b"\x00" * (16 * KIB + 1)),
    ],
)
def test_a_body_over_16_kib_or_20_parts_is_refused_whatever_it_is(
    site: Site, alice: Visitor, unchanged: list[Any], *, content_type: str | None, body: bytes,
    announced: bool,
) -> None:  # fmt: skip
    game = alice.start("easy", "x", cell=4).address
    unchanged.append(site.dump())
    for address in ("/games", f"{game}/moves", "/games/nothing/undo"):
        sent: dict[str, Any] = {"data": body} if announced else unannounced(body)
        answer = alice.send("POST", address, content_type=content_type, **sent)
        assert answer.status == 413
        check_friendly_page(answer)
