"""Refusals: which one where several would do, that nothing is stored, and what is seen."""

import io
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from tests.support.page import Page
from tests.support.rules import EMPTY
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
    assert (answer.board, answer.version, answer.outcome) == (
        page.board,
        page.version,
        page.outcome,
    )
    assert 0 < len(answer.refusal.split()) <= 15
    assert (answer.sentence, answer.watching) == ("", watching)
    if answer.is_fragment:
        assert answer.announcement == answer.refusal


def check_friendly_page(answer: Page) -> None:
    """Where there is no board, a page says so and leads on."""
    assert (answer.has_board, answer.is_fragment) == (False, False)
    assert answer.links["Play a game"] == "/"


# --- the order ----------------------------------------------------------------------------------


IN_ORDER: dict[str, tuple[int, dict[str, Any]]] = {
    "too large": (413, {"fields": {"filler": "x" * 17 * KIB}}),
    "wrong method": (405, {"method": "PUT"}),
    "cross-site": (403, {"headers": {"Sec-Fetch-Site": "cross-site"}}),
    "unknown": (404, {"address": "/games/AAAAAAAAAAAAAAAAAAAAAA"}),
    "bad": (422, {"fields": {"opponent": "nobody", "mark": "X", "cell": "9", "version": "x"}}),
    "not yours": (403, {}),
    "stale": (409, {"fields": {"version": "7"}}),
}
ORDERS = {
    **{what: list(IN_ORDER) for what in ("moves", "undo", "hint")},
    "again": [each for each in IN_ORDER if each != "stale"],  # it has no version
    "": ["too large", "wrong method", "cross-site", "bad"],
}


@BOTH_WAYS
@pytest.mark.parametrize(
    "what,order,at",
    [(what, order, at) for what, order in ORDERS.items() for at in range(len(order))],
)
def test_of_several_reasons_to_refuse_the_earliest_is_given(
    site: Site, alice: Visitor, bob: Visitor, unchanged: list[Any], *, what: str,
    order: list[str], at: int, fragment: bool,
) -> None:  # fmt: skip
    page = alice.start("easy", "x", cell=4) if what else alice.get("/")
    bob.get("/")
    unchanged.append(site.dump())
    first, later = order[at], order[at + 1 :]
    for more in [*combinations(later, 0), *combinations(later, 1), *combinations(later, 2), later]:
        reasons = {first, *more}
        asked: dict[str, Any] = {"method": "POST", "address": page.address if what else "/games"}
        fields = {"cell": page.playable[0], "version": "1", "opponent": "easy", "mark": "x"}
        for reason in sorted(reasons, key=order.index, reverse=True):  # bad before stale
            fields |= IN_ORDER[reason][1].get("fields", {})
            asked |= IN_ORDER[reason][1]
        answer = (bob if "not yours" in reasons else alice).send(
            asked["method"],
            f"{asked['address']}/{what}".rstrip("/"),
            fields,
            headers=asked.get("headers"),
            fragment=fragment,
        )
        assert answer.status == IN_ORDER[first][0], more
        if first in ("bad", "not yours", "stale"):
            check_board(answer, page, watching="not yours" in reasons)
            assert answer.is_fragment is fragment
        else:
            check_friendly_page(answer)


# --- values -------------------------------------------------------------------------------------

BAD = {
    "cell": ["9", "-1", "٣", " 3", "3 ", "03", "", "x", "1.0", "+1", "４", "3\n", "\x00", "33"],
    "version": ["", "x", "1.0", "٣", "１", "-1", " 1", "1\n", "+1", "0x1", "1e0", "1_0", "\x00"],
    "opponent": ["", "Easy", " easy", "easy ", "x", "<b>", "éasy", "rules:", "rules:x", "\x00"],
    "mark": ["", "X", "Alternate", "both", " x", "x ", "0", "х", "\x00"],
}
GOOD = {"cell": "5", "version": "1", "opponent": "easy", "mark": "x"}
READS = {
    "moves": ("cell", "version"),
    "undo": ("version",),
    "hint": ("version",),
    "again": ("opponent", "mark"),
    "": ("cell", "opponent", "mark"),
}
MAY_BE_LEFT_OUT = {("again", "opponent"), ("again", "mark"), ("", "cell")}


def bad_fields(name: str) -> Iterator[list[tuple[str, str]]]:
    yield from ([(name, value)] for value in BAD[name])
    yield [(name, GOOD[name])] * 2
    yield [(name, GOOD[name]), (name, BAD[name][0])]
    yield []


@BOTH_WAYS
@pytest.mark.parametrize("what,name", [(what, name) for what in READS for name in READS[what]])
def test_a_value_that_is_not_exactly_one_allowed_is_refused_where_it_is_read(
    site: Site, alice: Visitor, unchanged: list[Any], *, what: str, name: str, fragment: bool
) -> None:
    page = alice.start("easy", "x", cell=4) if what else alice.get("/")
    address = f"{page.address}/{what}" if what else "/games"
    unchanged.append(site.dump())
    for bad in bad_fields(name):
        if not bad and (what, name) in MAY_BE_LEFT_OUT:
            continue
        fields: Fields = [*((other, GOOD[other]) for other in GOOD if other != name), *bad]
        answer = alice.post(address, fields, fragment=fragment, onto=page)
        assert answer.status == 422, bad
        check_board(answer, page)


@pytest.mark.parametrize("version", ["0", "2", "999999999", "9" * 30, "9" * 4000, "0" * 17 + "15"])
@pytest.mark.parametrize("what", ["moves", "undo", "hint"])
def test_any_number_that_is_not_the_version_is_stale(
    site: Site, alice: Visitor, unchanged: list[Any], what: str, version: str
) -> None:
    page = alice.start("easy", "x", cell=4)
    unchanged.append(site.dump())
    answer = alice.try_to(what, page, {"version": version, "cell": page.playable[0]})
    assert answer.status == 409
    check_board(answer, page)


def test_fields_are_read_from_the_form_only_and_others_do_no_harm(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    answer = alice.post(f"{page.address}/moves?cell={page.playable[0]}&version=1")
    assert answer.status == 422
    page = alice.move(page, page.playable[0], key="k", other="y", constructor="__proto__")
    assert page.version == 2


# --- conflicts ----------------------------------------------------------------------------------


@BOTH_WAYS
@pytest.mark.parametrize(
    "what,cell,opponent,why",
    [
        ("moves", 4, "medium", "That cell is taken; choose a free one."),
        ("moves", "O", "medium", "That cell is taken; choose a free one."),
        ("moves", 8, "over", "This game is over."),
        ("undo", None, "over", "The game is over, and a finished game stands."),
        ("hint", None, "over", "This game is over."),
        ("hint", None, "friend", "There are no hints between two people."),
        ("resign", None, "medium", "That is for games between two people."),
        ("claim", None, "friend", "That is for games between two people."),
        ("undo", None, "begun", "There is no move of yours to take back."),
    ],
)
def test_what_a_game_does_not_allow_is_refused_with_its_board(
    site: Site, alice: Visitor, unchanged: list[Any], *, what: str, cell: int | str | None,
    opponent: str, why: str, fragment: bool,
) -> None:  # fmt: skip
    if opponent == "begun":
        page = alice.start("medium", "o")
    else:
        page = alice.start("friend" if opponent == "over" else opponent, "x", cell=4)
    for taken in (0, 1, 2, 7) if opponent == "over" else ():
        page = alice.move(page, taken)
    unchanged.append(site.dump())
    number = page.board.index("O") if cell == "O" else cell
    answer = alice.try_to(what, page, {"cell": number}, fragment=fragment)
    assert (answer.status, answer.refusal) == (409, why)
    check_board(answer, page)
    assert what.capitalize() not in page.buttons


@BOTH_WAYS
@pytest.mark.parametrize("what", ["moves", "undo", "hint"])
def test_a_double_click_or_a_second_tab_changes_the_game_once(
    alice: Visitor, what: str, fragment: bool
) -> None:
    page = alice.start("hard", "x", cell=4)
    fields = {"cell": page.playable[0]} if what == "moves" else {}
    once, twice = (alice.try_to(what, page, fields, fragment=fragment) for _ in range(2))
    assert (once.status, twice.status) == (200 if fragment else 303, 409)
    now = alice.get(page.address)
    assert now.version == page.version + 1
    check_board(twice, now)
    assert twice.refusal == "The board had already changed; this is how it stands."
    page = alice.press(twice, twice.cell(twice.playable[0]), htmx=fragment)
    assert page.version == 3


def test_a_game_of_another_player_is_shown_to_watch(
    site: Site, alice: Visitor, bob: Visitor, unchanged: list[Any]
) -> None:
    page = alice.start("hard", "x", cell=4)
    unchanged.append(site.dump())
    for watcher in (bob, site.visitor()):
        for what in ("moves", "undo", "hint", "again", "resign", "claim"):
            answer = watcher.try_to(what, page, {"cell": page.playable[0]})
            assert answer.status == 403
            assert answer.refusal.startswith("Only its player can move in this game")
            check_board(answer, page, watching=True)


# --- methods ------------------------------------------------------------------------------------

LOOKS, ACTS = {"GET", "HEAD", "OPTIONS"}, {"POST", "OPTIONS"}
ROUTES = {
    "/": LOOKS,
    "/games": ACTS,
    "/games/{id}": LOOKS,
    **{f"/games/{{id}}/{what}": ACTS for what in ("moves", "undo", "hint", "again", "claim")},
    "/healthz": LOOKS,
    "/static/icon.svg": LOOKS,
}


@pytest.mark.parametrize("route", ROUTES)
def test_a_wrong_method_is_refused_with_the_right_ones(
    site: Site, alice: Visitor, route: str
) -> None:
    address = route.replace("/games/{id}", alice.start("easy", "x", cell=4).address)
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
        before = site.dump()
        answer = alice.send(method, address)
        assert (answer.status == 405) is (method not in ROUTES[route])
        if answer.status == 405:
            assert site.dump() == before
            assert set(answer.headers["Allow"].split(", ")) == ROUTES[route]
            assert method == "HEAD" or answer.links["Play a game"] == "/"
        elif method == "HEAD":
            assert (answer.status, answer.response.data) == (200, b"")
            assert answer.headers["Content-Type"] == alice.get(address).headers["Content-Type"]


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
        (MULTIPART, multipart(300)),
        (MULTIPART, multipart(21)),
        ("application/json", b'"' + b"x" * 17 * KIB + b'"'),
        (None, b"\x00" * (16 * KIB + 1)),
    ],
)
@pytest.mark.parametrize("address", ["/games", "/games/{id}/moves", "/games/nothing/undo"])
def test_a_body_over_16_kib_or_20_parts_is_refused_whatever_it_is(
    site: Site, alice: Visitor, unchanged: list[Any], *, address: str, content_type: str | None,
    body: bytes, announced: bool,
) -> None:  # fmt: skip
    address = address.replace("/games/{id}", alice.start("easy", "x", cell=4).address)
    unchanged.append(site.dump())
    sent: dict[str, Any] = {"data": body} if announced else unannounced(body)
    answer = alice.send("POST", address, content_type=content_type, **sent)
    assert answer.status == 413
    check_friendly_page(answer)


def test_a_body_of_a_usual_size_is_read_in_each_of_its_forms(alice: Visitor) -> None:
    fields = {"opponent": "easy", "mark": "x", "cell": "4"}
    chunks = unannounced(b"opponent=easy&mark=x&cell=4")
    for kind, sent in (("multipart/form-data", {"data": fields}), (FORM, chunks)):
        answer = alice.send("POST", "/games", content_type=kind, **sent)
        assert alice.follow(answer).cell(4).mark == "X"


@pytest.mark.parametrize(
    "content_type,body",
    [
        ("text/plain", b"x" * 16 * KIB),
        (MULTIPART, multipart(20)),
        (MULTIPART, multipart(2)[:-20]),
        (MULTIPART, b"--b\r\nnonsense"),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=\x80", b"--"),
        (FORM, b"%%%=%&&&===;\xff\xfe"),
        (FORM, b"\x00"),
        ("application/json", b'{"opponent": "easy", "mark": "x"}'),
        ("nonsense", b"opponent=easy&mark=x"),
        ("", b"opponent=easy&mark=x"),
    ],
)
def test_a_body_that_is_no_form_is_refused(
    site: Site, alice: Visitor, unchanged: list[Any], content_type: str, body: bytes
) -> None:
    unchanged.append(site.dump())
    answer = alice.send("POST", "/games", data=body, content_type=content_type)
    assert (answer.status, answer.board) == (422, EMPTY)
    assert answer.refusal == "A new game needs to know its opponent."


@pytest.mark.parametrize("length", ["-1", "x", "", "1e3", "99999999999999999999"])
def test_a_length_that_is_none_does_no_harm(
    site: Site, alice: Visitor, unchanged: list[Any], length: str
) -> None:
    unchanged.append(site.dump())
    answer = alice.send(
        "POST",
        "/games",
        data=b"opponent=nobody&mark=x",
        content_type=FORM,
        environ_overrides={"CONTENT_LENGTH": length},
    )
    assert answer.status in (400, 413, 422)
