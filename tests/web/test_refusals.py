"""Refusals: which one where several would do, that nothing is stored, and what one sees."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
from tests.support.visitor import Fields, Site, Visitor, open_site

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])
KIB = 1024


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this module's own, so that comparing all that is stored takes no time."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


def check_board(answer: Page, page: Page, *, watching: bool = False) -> None:
    """A refusal shows the true board, and one sentence that is short enough to be said."""
    assert (answer.board, answer.version, answer.outcome) == (
        page.board,
        page.version,
        page.outcome,
    )
    assert answer.refusal
    assert answer.sentence == ""
    assert len(answer.refusal.split()) <= 15
    assert answer.watching is watching
    if answer.is_fragment:
        assert answer.announcement == answer.refusal


def check_friendly_page(answer: Page) -> None:
    """Where there is no board, a page says so and leads on."""
    assert not answer.has_board
    assert not answer.is_fragment
    assert answer.links["Play a game"] == "/"
    assert "Traceback" not in answer.text


# --- the order ----------------------------------------------------------------------------------


@dataclass
class Asked:
    """A request that would be accepted, until violations are added to it."""

    method: str
    game: str
    what: str
    visitor: Visitor
    fields: dict[str, str]
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, *, fragment: bool) -> Page:
        address = f"{self.game}/{self.what}" if self.game else "/games"
        return self.visitor.send(
            self.method, address, self.fields, headers=self.headers, fragment=fragment
        )


def too_large(asked: Asked, _bob: Visitor) -> None:
    asked.fields["filler"] = "x" * 17 * KIB


def wrong_method(asked: Asked, _bob: Visitor) -> None:
    asked.method = "PUT"


def cross_site(asked: Asked, _bob: Visitor) -> None:
    asked.headers["Sec-Fetch-Site"] = "cross-site"


def unknown_id(asked: Asked, _bob: Visitor) -> None:
    asked.game = "/games/AAAAAAAAAAAAAAAAAAAAAA"


def not_yours(asked: Asked, bob: Visitor) -> None:
    asked.visitor = bob


def bad_value(asked: Asked, _bob: Visitor) -> None:
    asked.fields |= {"opponent": "nobody", "mark": "X", "cell": "9", "version": "x"}


def stale_version(asked: Asked, _bob: Visitor) -> None:
    asked.fields["version"] = "7"


IN_ORDER = {
    too_large: 413,
    wrong_method: 405,
    cross_site: 403,
    unknown_id: 404,
    not_yours: 403,
    bad_value: 422,
    stale_version: 409,
}


@BOTH_WAYS
@pytest.mark.parametrize("what", ["moves", "undo", "hint", "again"])
@pytest.mark.parametrize("first", IN_ORDER)
def test_of_several_reasons_to_refuse_the_earliest_is_given(
    site: Site, alice: Visitor, bob: Visitor, *, what: str, first: Any, fragment: bool
) -> None:
    if what == "again" and first is stale_version:
        first = bad_value  # it has no version
    page = alice.start("easy", "x", cell=4)
    bob.get("/")
    before = site.dump()
    order = list(IN_ORDER)
    later = order[order.index(first) + 1 :]
    for more in [*combinations(later, 0), *combinations(later, 1), *combinations(later, 2), later]:
        fields = {"version": str(page.version)}
        if what == "moves":
            fields["cell"] = str(page.playable[0])
        asked = Asked("POST", page.address, what, alice, fields)
        for violate in (first, *more):
            violate(asked, bob)
        answer = asked.send(fragment=fragment)
        assert answer.status == IN_ORDER[first], [one.__name__ for one in more]
        if first in (not_yours, bad_value, stale_version):
            check_board(answer, page, watching=first is not_yours)
            assert answer.is_fragment is fragment
        else:
            check_friendly_page(answer)
    assert site.dump() == before


@BOTH_WAYS
@pytest.mark.parametrize("first", [too_large, wrong_method, cross_site, bad_value])
def test_starting_a_game_checks_in_the_same_order(
    site: Site, alice: Visitor, first: Any, fragment: bool
) -> None:
    before = site.dump()
    order = [too_large, wrong_method, cross_site, bad_value]
    later = order[order.index(first) + 1 :]
    for more in (combination for n in range(4) for combination in combinations(later, n)):
        asked = Asked("POST", "", "", alice, {"opponent": "easy", "mark": "x", "cell": "4"})
        for violate in (first, *more):
            violate(asked, alice)
        answer = asked.send(fragment=fragment)
        assert answer.status == IN_ORDER[first]
        if first is bad_value:
            check_board(answer, alice.get("/"))
        else:
            check_friendly_page(answer)
    assert site.dump() == before


# --- values -------------------------------------------------------------------------------------

BAD_CELLS = [
    "9",
    "-1",
    "٣",
    " 3",
    "3 ",
    "03",
    "",
    "x",
    "1.0",
    "1e0",
    "+1",
    "４",
    "3\n",
    "\x00",
    "33",
]
BAD_VERSIONS = [
    "",
    "x",
    "1.0",
    "٣",
    "１",
    "-1",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "0x1",
    "1e0",
    "1_0",
    "\x00",
]
BAD_OPPONENTS = ["", "Easy", "HARD", "nobody", " easy", "easy ", "x", "<b>", "éasy", "\x00"]
BAD_MARKS = ["", "X", "O", "Alternate", "both", " x", "x ", "0", "х", "\x00"]


def values() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for name, bad in (
        ("cell", BAD_CELLS),
        ("version", BAD_VERSIONS),
        ("opponent", BAD_OPPONENTS),
        ("mark", BAD_MARKS),
    ):
        for value in bad:
            yield f"{name}={value!r}", [(name, value)]
    yield "cell missing", [("cell", "missing")]
    yield "version missing", [("version", "missing")]
    yield "cell twice", [("cell", "0"), ("cell", "1")]
    yield "the same cell twice", [("cell", "0"), ("cell", "0")]
    yield "version twice", [("version", "1"), ("version", "2")]
    yield "the same version twice", [("version", "1"), ("version", "1")]
    yield "opponent twice", [("opponent", "easy"), ("opponent", "hard")]
    yield "the same mark twice", [("mark", "x"), ("mark", "x")]


@BOTH_WAYS
@pytest.mark.parametrize("bad", [pytest.param(bad, id=name) for name, bad in values()])
def test_a_value_that_is_not_exactly_one_allowed_is_refused(
    site: Site, alice: Visitor, bad: list[tuple[str, str]], fragment: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    names = {name for name, _ in bad}
    good = [("cell", str(page.playable[0])), ("version", "1"), ("opponent", "easy"), ("mark", "x")]
    fields: Fields = [
        *(pair for pair in good if pair[0] not in names),
        *(pair for pair in bad if pair[1] != "missing"),
    ]
    answer = alice.post(f"{page.address}/moves", fields, fragment=fragment, onto=page)
    assert answer.status == 422
    check_board(answer, page)
    assert site.dump() == before


@BOTH_WAYS
@pytest.mark.parametrize(
    "bad",
    [
        {"version": ""},
        {"version": "٣"},
        {"version": None},
        {"opponent": "Easy"},
        {"opponent": ""},
        {"mark": "X"},
        {"mark": "٣"},
    ],
)
@pytest.mark.parametrize("what", ["undo", "hint", "again"])
def test_so_it_is_with_whatever_else_one_may_send(
    site: Site, alice: Visitor, what: str, bad: dict[str, str | None], fragment: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    fields = {"version": "1", "opponent": "easy", "mark": "x", **bad}
    sent = [(name, value) for name, value in fields.items() if value is not None]
    answer = alice.post(f"{page.address}/{what}", sent, fragment=fragment, onto=page)
    if what == "again" and "version" in bad:
        assert answer.status in (200, 303)  # it reads no version
        return
    assert answer.status == 422
    check_board(answer, page)
    assert site.dump() == before


@BOTH_WAYS
@pytest.mark.parametrize("bad", [pytest.param(bad, id=name) for name, bad in values()])
def test_a_bad_value_starts_no_game(
    site: Site, alice: Visitor, bad: list[tuple[str, str]], fragment: bool
) -> None:
    names = {name for name, _ in bad}
    if names == {"version"} or bad == [("cell", "missing")]:
        return  # starting needs neither
    front = alice.get("/")
    before = site.dump()
    good = [("cell", "4"), ("opponent", "easy"), ("mark", "x"), ("key", "k")]
    answer = alice.post(
        "/games",
        [*(pair for pair in good if pair[0] not in names), *bad],
        fragment=fragment,
        onto=front,
    )
    assert answer.status == 422
    check_board(answer, front)
    assert site.dump() == before


@pytest.mark.parametrize(
    "version", ["0", "2", "999999999", "1000000000", "9" * 30, "9" * 4000, "0" * 17 + "15"]
)
@pytest.mark.parametrize("what", ["moves", "undo", "hint"])
def test_any_number_that_is_not_the_version_is_stale(
    site: Site, alice: Visitor, what: str, version: str
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    answer = alice.try_to(what, page, {"version": version, "cell": page.playable[0]})
    assert answer.status == 409
    check_board(answer, page)
    assert site.dump() == before


def test_a_value_in_the_address_does_not_stand_for_a_field(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    answer = alice.post(f"{page.address}/moves?cell={page.playable[0]}&version=1")
    assert answer.status == 422


def test_fields_that_nobody_reads_do_no_harm(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    page = alice.move(page, page.playable[0], key="k", other="y", constructor="__proto__")
    assert page.version == 2


# --- conflicts ----------------------------------------------------------------------------------


@BOTH_WAYS
def test_a_taken_cell_is_refused(site: Site, alice: Visitor, fragment: bool) -> None:
    page = alice.start("medium", "x", cell=4)
    before = site.dump()
    for cell in (4, page.board.index("O")):
        answer = alice.try_to("moves", page, {"cell": cell}, fragment=fragment)
        assert answer.status == 409
        check_board(answer, page)
    assert site.dump() == before


@BOTH_WAYS
def test_a_finished_game_takes_no_move(site: Site, alice: Visitor, fragment: bool) -> None:
    page = alice.start("friend", "x")
    for cell in (0, 3, 1, 4, 2):
        page = alice.move(page, cell)
    before = site.dump()
    for cell in range(9):
        answer = alice.try_to("moves", page, {"cell": cell}, fragment=fragment)
        assert answer.status == 409
        check_board(answer, page)
    assert site.dump() == before


@BOTH_WAYS
def test_a_second_tab_gets_the_true_board(alice: Visitor, fragment: bool) -> None:
    old = alice.start("friend", "x", cell=4)
    new = alice.move(old, 0)
    answer = alice.try_to("moves", old, {"cell": 8}, fragment=fragment)
    assert answer.status == 409
    check_board(answer, new)
    page = alice.press(answer, answer.cell(8), htmx=fragment)
    assert page.board == "O...X...X"


@BOTH_WAYS
@pytest.mark.parametrize("what", ["moves", "undo", "hint"])
def test_a_double_click_changes_the_game_once(alice: Visitor, what: str, fragment: bool) -> None:
    page = alice.start("hard", "x", cell=4)
    fields = {"cell": page.playable[0]} if what == "moves" else {}
    once = alice.try_to(what, page, fields, fragment=fragment)
    twice = alice.try_to(what, page, fields, fragment=fragment)
    assert (once.status, twice.status) == (200 if fragment else 303, 409)
    assert alice.get(page.address).version == page.version + 1
    check_board(twice, alice.get(page.address))


@BOTH_WAYS
def test_somebody_elses_game_is_shown_to_watch(
    site: Site, alice: Visitor, bob: Visitor, fragment: bool
) -> None:
    page = alice.start("hard", "x", cell=4)
    before = site.dump()
    for what in ("moves", "undo", "hint", "again"):
        answer = bob.try_to(what, page, {"cell": page.playable[0]}, fragment=False)
        assert answer.status == 403
        check_board(answer, page, watching=True)
    assert site.dump() == before


def test_without_a_cookie_a_game_belongs_to_somebody_else(site: Site, alice: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    before = site.dump()
    assert site.visitor().try_to("moves", page, {"cell": page.playable[0]}).status == 403
    assert site.dump() == before


# --- methods ------------------------------------------------------------------------------------

ROUTES = {
    "/": {"GET", "HEAD", "OPTIONS"},
    "/games": {"POST", "OPTIONS"},
    "/games/{id}": {"GET", "HEAD", "OPTIONS"},
    "/games/{id}/moves": {"POST", "OPTIONS"},
    "/games/{id}/undo": {"POST", "OPTIONS"},
    "/games/{id}/hint": {"POST", "OPTIONS"},
    "/games/{id}/again": {"POST", "OPTIONS"},
    "/healthz": {"GET", "HEAD", "OPTIONS"},
    "/static/app.css": {"GET", "HEAD", "OPTIONS"},
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]
)
def test_a_wrong_method_is_refused_with_the_right_ones(
    site: Site, alice: Visitor, route: str, method: str
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    answer = alice.send(method, route.replace("/games/{id}", page.address))
    if method in ROUTES[route]:
        assert answer.status != 405
        return
    assert answer.status == 405
    assert set(answer.headers["Allow"].split(", ")) == ROUTES[route]
    assert site.dump() == before
    if method != "HEAD":
        check_friendly_page(answer)


@pytest.mark.parametrize("route", ["/", "/games/{id}", "/healthz", "/static/app.css"])
def test_head_answers_like_get_without_a_body(alice: Visitor, route: str) -> None:
    address = route.replace("/games/{id}", alice.start("easy", "x", cell=4).address)
    got, headed = alice.get(address), alice.send("HEAD", address)
    assert (headed.status, headed.response.data) == (200, b"")
    assert headed.headers["Content-Type"] == got.headers["Content-Type"]


# --- bodies -------------------------------------------------------------------------------------


def multipart(parts: int, size: int = 1) -> bytes:
    part = '--b\r\nContent-Disposition: form-data; name="f{}"\r\n\r\n{}\r\n'
    return (
        "".join(part.format(number, "x" * size) for number in range(parts)) + "--b--\r\n"
    ).encode()


# What a server like granian says of a body in chunks.
UNANNOUNCED: dict[str, Any] = {
    "headers": {"Transfer-Encoding": "chunked"},
    "environ_overrides": {"wsgi.input_terminated": True},
}
FORM = "application/x-www-form-urlencoded"
LARGE = {
    "form": (FORM, b"filler=" + b"x" * 17 * KIB),
    "form of many fields": (FORM, b"f=x&" * 5 * KIB),
    "multipart": ("multipart/form-data; boundary=b", multipart(1, 17 * KIB)),
    "multipart of many parts": ("multipart/form-data; boundary=b", multipart(300)),
    "json": ("application/json", b'"' + b"x" * 17 * KIB + b'"'),
    "text": ("text/plain", b"x" * 17 * KIB),
    "unknown": ("application/octet-stream", b"\x00" * 17 * KIB),
    "no type": (None, b"x" * 17 * KIB),
}


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("address", ["/games", "/games/{id}/moves", "/games/nothing/undo"])
def test_a_body_over_16_kib_is_refused_whatever_it_is(
    site: Site, alice: Visitor, address: str, kind: str, announced: bool
) -> None:
    page = alice.start("easy", "x", cell=4)
    before = site.dump()
    content_type, body = LARGE[kind]
    sent: dict[str, Any] = {"data": body}
    if not announced:
        sent = {
            "input_stream": io.BytesIO(body),
            **UNANNOUNCED,
        }
    answer = alice.send(
        "POST",
        address.replace("/games/{id}", page.address),
        content_type=content_type,
        **sent,
    )
    assert answer.status == 413
    check_friendly_page(answer)
    assert site.dump() == before


def test_an_unannounced_body_is_not_cut_off_and_then_accepted(site: Site, alice: Visitor) -> None:
    before = site.dump()
    body = b"opponent=easy&mark=x&cell=4&filler=" + b"x" * 17 * KIB
    answer = alice.send(
        "POST",
        "/games",
        input_stream=io.BytesIO(body),
        content_type=FORM,
        **UNANNOUNCED,
    )
    assert answer.status == 413
    assert site.dump() == before


def test_an_unannounced_body_of_a_usual_size_is_read(alice: Visitor) -> None:
    answer = alice.send(
        "POST",
        "/games",
        input_stream=io.BytesIO(b"opponent=easy&mark=x&cell=4"),
        content_type=FORM,
        **UNANNOUNCED,
    )
    assert answer.status == 303


def test_a_body_of_exactly_16_kib_is_not_too_large(alice: Visitor) -> None:
    answer = alice.send("POST", "/games", data=b"x" * 16 * KIB, content_type="text/plain")
    assert answer.status == 422
    answer = alice.send("POST", "/games", data=b"x" * (16 * KIB + 1), content_type="text/plain")
    assert answer.status == 413


def test_more_than_20_parts_are_refused(site: Site, alice: Visitor) -> None:
    before = site.dump()
    kind = "multipart/form-data; boundary=b"
    assert alice.send("POST", "/games", data=multipart(20), content_type=kind).status == 422
    answer = alice.send("POST", "/games", data=multipart(21), content_type=kind)
    assert answer.status == 413
    check_friendly_page(answer)
    assert site.dump() == before


def test_a_multipart_form_is_read_as_well(alice: Visitor) -> None:
    fields = {"opponent": "easy", "mark": "x", "cell": "4"}
    page = alice.follow(
        alice.send("POST", "/games", data=fields, content_type="multipart/form-data")
    )
    assert page.cell(4).mark == "X"


@pytest.mark.parametrize(
    "content_type,body",
    [
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=b", b"no part"),
        ("multipart/form-data; boundary=b", b"--b\r\nnonsense"),
        ("multipart/form-data; boundary=b", multipart(2)[:-20]),
        ("multipart/form-data; boundary=\x80", b"--"),
        (FORM, b"%%%=%&&&===;\xff\xfe"),
        (FORM, b"\x00"),
        ("application/json", b'{"opponent": "easy", "mark": "x"}'),
        ("nonsense", b"opponent=easy&mark=x"),
        ("", b"opponent=easy&mark=x"),
    ],
)
def test_a_body_that_is_no_form_is_refused(
    site: Site, alice: Visitor, content_type: str, body: bytes
) -> None:
    before = site.dump()
    answer = alice.send("POST", "/games", data=body, content_type=content_type)
    assert answer.status == 422
    check_board(answer, alice.get("/"))
    assert site.dump() == before


@pytest.mark.parametrize("length", ["-1", "x", "", "1e3", "99999999999999999999"])
def test_a_length_that_is_none_does_no_harm(site: Site, alice: Visitor, length: str) -> None:
    before = site.dump()
    answer = alice.send(
        "POST",
        "/games",
        data=b"opponent=nobody&mark=x",
        content_type=FORM,
        environ_overrides={"CONTENT_LENGTH": length},
    )
    assert answer.status in (400, 413, 422)
    assert site.dump() == before


def test_an_empty_board_stays_after_all_these_refusals(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        alice = site.visitor()
        for fields in ({}, {"opponent": "easy"}, {"opponent": "easy", "mark": "x", "cell": "9"}):
            assert alice.post("/games", fields).status == 422
        assert alice.get("/").board == EMPTY
        dump = site.dump()
        assert dump["games"] == dump["players"] == []
