"""Refusals: which one where several would do, in which words, and that nothing is stored."""

import io
import re
from collections.abc import Mapping
from itertools import count, product
from typing import Any
from urllib.parse import quote

from tests.support.page import Page
from tests.support.people import name_of, player_of, sign_in, sit_down
from tests.support.played import rows
from tests.support.visitor import Fields, Site, Visitor
from webapp.service.key import HostKey
from webapp.service.teacher import number

KIB = 1024
NOWHERE = "A" * 22


def check_board(answer: Page, page: Page, *, watching: bool = False) -> None:
    """A refusal shows the true board, and one sentence that is short enough to be said."""
    shown, true = ((one.board, one.version, one.outcome) for one in (answer, page))
    assert shown == true
    assert 0 < len(answer.refusal.split()) <= 15
    assert (answer.sentence, answer.watching) == ("", watching)
    assert answer.announcement == (answer.refusal if answer.is_fragment else "")


SENTENCE = "."
NO_CELLS = "Write the game as the cells"
NO_GAME = "This game does not exist"
NOTHING = "There is no game or page at this address."
NO_EVENT = "There is no tournament at this address."
NOT_THERE = [
    ("/review/44", "This game is not possible. Cell 4 already holds X."),
    ("/review/9", "This game is not possible. There is no cell 9; cells are numbered 0 to 8."),
    ("/review/031425", "This game is not possible. The game is over."),
    (f"/review/40281{'3' * 5000}", "This game is not possible. Cell 3 already holds O."),
    *((f"/review/{bad}", NO_CELLS) for bad in ("4x", "-1", "٤", "²", "%00", "%FF%FE", "<b>")),
    *((f"/games/{bad}", NO_GAME) for bad in ("%00", "%FF%FE", "٣", "a" * 5000, "'%20OR%20''='")),
    *((f"/{bad}", NOTHING) for bad in ("games/x/y", "games/..%2f..%2fetc", "nothing", "{{7*7}}")),
    *((f"/{bad}", NOTHING) for bad in ("games/<script>alert(1)</script>", "lab/nothing")),
    *((f"/static/{bad}", NOTHING) for bad in ("nothing.css", "../pyproject.toml")),
    *((f"/opponents/{bad}", SENTENCE) for bad in ("friend", "%00", "mine.py:first", "rules:<b>")),
    *((f"/tournaments/{bad}", NO_EVENT) for bad in ("%00", "é", "A" * 4000, "x/play")),
    ("/lab/league", "There is no league here"),
    *((f"/learn?at={bad}", SENTENCE) for bad in ("fork.4", "")),
]
NO_NAMES = ["", "nobody", "friend", "mine.py:first", "rules:win,win", "rules:<b>"]
BAD = [
    *product(["/review/40281"], ["at"], ["-1", "6", "9" * 5000, "", "٣", "1&at=1"], [SENTENCE]),
    *product(["/review/40281"], ["opponent"], NO_NAMES[3:], [SENTENCE]),
    ("/review/40281", "mark", "X", SENTENCE),
    ("/lab/experiment", "games", "0", "Games must be a number from 1 to 10,000."),
    *product(["/lab/experiment"], ["games"], ["10001", "1e3", "٣", "", "5&games=5"], [SENTENCE]),
    *product(["/lab/experiment"], ["seed"], ["a b", "<b>", "a" * 41, "a\n"], [SENTENCE]),
    *product(["/lab"], "xo", [*NO_NAMES, "easy&x=easy&o=easy"], [SENTENCE]),
    *product(["/lab", "/lab/experiment"], "x", ["menace&o=easy"], [SENTENCE]),
    ("/lab/rules", "list", "", "A list needs at least one rule: win, block"),
    ("/lab/rules", "list", "win&list=block", SENTENCE),
    ("/lab/rules", "list", "win,block,win", "The rule 'win' is in the list twice."),
    *product(
        ["/lab/rules"], ["list", "list=win&from"],
        ["win,deep", "WIN", "win,", "rules:win", "wіn", "\x00", "<b>", "a" * 3000],
        ["There is no rule "],
    ),
    *product(["/learn/paper/puzzles"], ["kind"], ["all", ""], [SENTENCE]),
    *product(["/learn/paper/puzzles"], ["number"], ["5", "12&number=12"], [SENTENCE]),
    *product(["/learn/paper/puzzles"], ["seed"], ["0", "10000", "x"], [SENTENCE]),
    *product(["/learn/map"], ["moves"], ["00", "4", "418&mark=o", "9"], [SENTENCE]),
    ("/learn/map", "mark", "z", SENTENCE),
    ("/menace", "moves", "44", SENTENCE),
]  # fmt: skip


def test_what_cannot_be_shown_is_refused_with_a_sentence_that_leads_on(alice: Visitor) -> None:
    cases = [(address, 404, why) for address, why in NOT_THERE]
    cases += [(f"{path}?{name}={quote(bad, safe='&=')}", 422, why) for path, name, bad, why in BAD]
    for at, (address, status, why) in enumerate(cases):
        page = alice.get(address, fragment=bool(at % 2))
        assert (page.status, page.is_fragment) == (status, False), address
        sentence = page.document.all("main")[0].all("p")[0].text
        assert re.fullmatch(r"[A-Z].+", sentence), address
        assert why in sentence, address
        assert not any(one in page.text for one in ("<b>", "alert(1)", ">49<")), address
        assert page.links["Play a game"] == "/"
        assert page.headers.get("HX-Retarget") == ("body" if at % 2 else None), address


def test_a_code_of_nobody_leads_nowhere_and_stays_in_its_field(site: Site, bob: Visitor) -> None:
    before = site.dump()
    for code in ("AAAAAA", "\x00", "🐼", "a" * 3000, "..%2F..", "<b>", "%"):
        page = bob.post("/join", {"code": f" {code} "})
        field = page.the("code")
        assert (page.status, field.get("value"), field.get("aria-invalid")) == (404, code, "true")
        assert page.the(field.get("aria-describedby")).text.startswith("No game has this code.")
        there = f"/join/{quote(code, safe='')}"
        for answer in (bob.get(there), bob.post(there)):
            assert (answer.status, answer.document.with_id("code")) == (404, None)
            assert "<b>" not in answer.document.text
    for fields in ({}, {"code": ""}, {"code": " "}):
        field = bob.follow(bob.post("/join", fields)).the("code")
        assert (field.get("value"), field.has("aria-invalid")) == ("", False), "only asked for"
    assert site.dump() == before


ARENA = {"format": "arena", "opening": "sharp", "clock": "15", "minutes": "15"}
SWISS = {"format": "swiss", "opening": "sharp", "clock": "15", "rounds": "5"}
NO_EVENTS = {
    "format": ("", "knockout", "ARENA", "Choose a format: Arena or Swiss."),
    "opening": ("", "both", "sharp ", "Choose an opening: empty or sharp."),
    "clock": ("", "12", "015", "-15", "٣", "Choose a clock: 10, 15, 20 or 30 seconds."),
    "minutes": ("", "0", "181", "1.5", "9" * 4000, "Minutes must be a number from 1 to 180."),
}
TEACHERS: list[tuple[str, Fields, int, str]] = [
    *(("/host/tournaments", {**ARENA, name: bad}, 422, values[-1])
      for name, values in NO_EVENTS.items() for bad in values[:-1]),
    ("/host/tournaments", [*ARENA.items(), ("clock", "15")], 422, SENTENCE),
    ("/host/tournaments", {**SWISS, "rounds": "64"}, 422, SENTENCE),
    ("/host/questions", {}, 422, "Choose what to ask"),
    ("/host/questions", {"kind": "nothing"}, 422, "There is no question of that kind"),
    ("/host/questions", {"kind": "win", "seconds": "7"}, 422, "0, 15, 30 or 60"),
    ("/host/questions", {"moves": "00"}, 422, "already"),
    *(("/host/wall", {"moves": bad}, 422, SENTENCE) for bad in ("44", "031425", "9", "٣", "40x")),
    *(("/host/wall", {"moves": "402", "at": at}, 422, SENTENCE) for at in ("4", "-1", "")),
    *(("/host/wall", [("moves", "402"), more], 422, SENTENCE) for more in (
        ("game", "{game}"), ("moves", "0"), ("tournament", "menace"))),
    *(("/host/wall", {"game": game}, 404, SENTENCE) for game in (NOWHERE, "x" * 4000, "\x00")),
    *(("/host/wall", {"tournament": bad}, 404, SENTENCE) for bad in (NOWHERE, "\x00", "none")),
    ("/host/places", {"places": "four"}, 422, SENTENCE),
    ("/host/players/1/remove", {}, 404, "This player is no longer here."),
    ("/host/players/{bob}/rename", {"name": "{name}"}, 409, "Another player is already called"),
    ("/host/players/{bob}/rename", {"name": "x" * 25}, 422, "1 to 24 characters"),
    *(("/host/menace/train", {"rival": rival, "games": games}, 422, SENTENCE)
      for rival, games in (("minimax", "600"), ("hard", "0"), ("hard", "10001"))),
]  # fmt: skip
PUPILS: list[tuple[str, Fields, int, str]] = [
    *(("/puzzles/answer", {"position": moves, "cell": cell}, 422, SENTENCE) for moves, cell in (
        ("0", "0"), ("0", "9"), ("0", ""), ("00", "4"), ("x", "4"), ("03142", "5"), ("", "4"))),
    *(("/learn", {"at": "fork.1", "cell": cell}, 422, SENTENCE) for cell in ("0", "9", "")),
    ("/learn", {"at": "fork.4", "cell": "4"}, 404, "There is no such exercise."),
    ("/challenges", {"mark": "y"}, 422, SENTENCE),
    ("/challenges", {"to": "{alice}"}, 409, "You cannot play against yourself here."),
    ("/challenges", {"to": "1"}, 404, "This player is no longer here."),
    ("/challenges", {"to": "Bob"}, 422, "We cannot tell who you want to play."),
    ("/challenges/1/decline", {}, 404, SENTENCE),
    ("/games", {"opponent": "menace", "mark": "x"}, 422, "MENACE plays X, so you play O."),
    ("/you/name", {"name": "Ada"}, 422, "You cannot choose a name"),
    *(("/language", fields, 422, SENTENCE) for fields in ({}, {"language": "klingon"})),
    *(("/host", {"key": key}, 403, "This is not the key.") for key in ("x" * 4000, "é", "\x00")),
    ("/host", [("key", "a"), ("key", "b")], 422, "There can be only one key in a request."),
]  # fmt: skip


def test_what_a_class_and_its_teacher_cannot_do_is_said_and_stores_nothing(site: Site) -> None:
    teacher = sign_in(site, HostKey(site.settings).ensure())
    alice, bob, carol = (site.visitor() for _ in range(3))
    alice.come_in()
    game = sit_down(bob, carol).address.removeprefix("/games/")
    known = {"game": game, "alice": number(player_of(alice)), "bob": number(player_of(bob))}
    before, known = rows(site.database), known | {"name": name_of(alice)}
    cases = [(teacher, case) for case in TEACHERS] + [(alice, case) for case in PUPILS]
    for who, (address, fields, status, why) in cases:
        pairs = [*fields.items()] if isinstance(fields, Mapping) else [*fields]
        sent = [(name, str(value).format(**known)) for name, value in pairs]
        answer = who.post(address.format(**known), sent)
        assert (answer.status, why in answer.document.text) == (status, True), (address, sent)
        assert "host-" not in answer.headers.get("Set-Cookie", ""), address
    assert rows(site.database) == before


BAD_VALUES = {
    "cell": ["9", "-1", "٣", " 3", "03", "", "1.0", "+1", "４", "3\n", "\x00", "33"],
    "version": ["", "x", "1.0", "١", "-1", " 1", "1\n", "0x1", "1_0", "\x00"],
    "opponent": ["", "Easy", "easy ", "<script>x", "éasy", "\x00", "mine.py:first", "rules:x"],
    "mark": ["", "X", "both", " x", "х", "\x00"],
}
STALE = ["0", "2", "9" * 4000, "0" * 17 + "15"]  # numbers that are not the version
GOOD = {"cell": "5", "version": "1", "opponent": "easy", "mark": "x"}
READS = {
    "moves": ("cell", "version"), "undo": ("version",), "hint": ("version",),
    "again": ("opponent", "mark"), "": ("cell", "opponent", "mark"),
}  # fmt: skip
MAY_BE_LEFT_OUT = {("again", "opponent"), ("again", "mark"), ("", "cell")}


def test_a_value_that_is_not_allowed_is_refused(site: Site, alice: Visitor) -> None:
    front, game = alice.get("/"), alice.start("easy", "x", cell=4)
    before, numbers = site.dump(), count()
    for what, name in ((what, name) for what, names in READS.items() for name in names):
        page, bad = game if what else front, BAD_VALUES[name]
        lists = [*([one] for one in bad), [GOOD[name], GOOD[name]], [GOOD[name], bad[0]]]
        lists += [] if (what, name) in MAY_BE_LEFT_OUT else [[]]
        lists += [[old] for old in STALE] if name == "version" else []
        others = [(other, GOOD[other]) for other in GOOD if other != name]
        for values in lists:
            fields = [*others, *((name, value) for value in values)]
            address, fragment = f"{game.address}/{what}" if what else "/games", next(numbers) % 2
            answer = alice.post(address, fields, fragment=bool(fragment), onto=page)
            stale = name == "version" and {*values} & {*STALE}
            assert answer.status == (409 if stale else 422), (what, name, values)
            check_board(answer, page)
            assert "<script>x" not in answer.text
    assert site.dump() == before
    # Fields are read from the form alone, and others do no harm.
    assert alice.post(f"{game.address}/moves?cell={game.playable[0]}&version=1").status == 422
    assert alice.move(game, game.playable[0], key="k", constructor="__proto__").version == 2


POSITION = {"moves": "40", "opponent": "easy", "mark": "x"}
NO_MOVES = "Write a game's moves as the cells played, 0 to 8, such as 402."
CANNOT = "A game cannot start with these moves. "
POSITIONS: list[tuple[Fields, int, str]] = [
    ({"moves": "44"}, 422, f"{CANNOT}Cell 4 already holds X."),
    ({"moves": "031425"}, 422, f"{CANNOT}The game is over."),
    ({"moves": "03142"}, 422, f"{CANNOT}The game is over after these moves."),
    ({"moves": "0" * 3000}, 422, f"{CANNOT}Cell 0 already holds X."),
    *(({"moves": bad}, 422, NO_MOVES) for bad in ("9", "x", "4 0", "-1", "٤", "\x00", "4\n")),
    ([("moves", "4"), ("moves", "4")], 422, NO_MOVES),
    ({"moves": ""}, 422, "Choose an opponent for the new game."),
    ({"moves": "", "opponent": "easy"}, 422, "Choose a mark: X, O or both in turn."),
    ({**POSITION, "cell": "4"}, 409, "That cell is taken"),
    ({**POSITION, "mark": "o", "cell": "8"}, 422, "It is the computer's turn."),
    ({"opponent": "hard", "mark": "o", "cell": "4"}, 422, "The computer has X and goes first."),
    ({"moves": "40", "opponent": "menace", "mark": "o"}, 422, "MENACE plays X"),
]


def test_a_position_that_nobody_can_play_on_from_is_refused(site: Site, alice: Visitor) -> None:
    front, before = alice.get("/"), site.dump()
    assert alice.get("/?opponent=nobody").status == 422
    for (fields, status, why), fragment in product(POSITIONS, (False, True)):
        page = alice.post("/games", fields, fragment=fragment, onto=front)
        assert (page.status, page.is_fragment) == (status, fragment), fields
        assert page.refusal.startswith(why), fields
        check_board(page, front)
    assert site.dump() == before


PART = '--b\r\nContent-Disposition: form-data; name="f{}"\r\n\r\nx\r\n'
PARTS = "".join(map(PART.format, range(21))).encode() + b"--b--\r\n"
BODIES = [
    ("application/x-www-form-urlencoded", b"opponent=easy&mark=x&cell=4&filler=" + b"x" * 17 * KIB),
    ("application/x-www-form-urlencoded", b"f=x&" * 5 * KIB),
    ("multipart/form-data; boundary=b", PARTS),
    (None, b"\x00" * (16 * KIB + 1)),
]


def test_a_body_over_16_kib_or_20_parts_is_refused(site: Site, alice: Visitor) -> None:
    game = alice.start("easy", "x", cell=4).address
    before = site.dump()
    # In chunks, as a server like granian hands them on, its length is not announced.
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    for (content_type, body), address in product(BODIES, ("/games", f"{game}/moves")):
        whole: dict[str, Any] = {"data": body}
        parts = {"input_stream": io.BytesIO(body), "environ_overrides": chunked}
        for sent in (whole, parts):
            answer = alice.send("POST", address, content_type=content_type, **sent)
            assert (answer.status, answer.has_board) == (413, False), (content_type, address)
    assert site.dump() == before
