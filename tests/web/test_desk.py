import csv
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.cookies import SimpleCookie
from io import BytesIO, StringIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest

from tests.support.html import Element
from tests.support.people import Clock, be_here, name_of, played_out, player_of, sign_in, sit_down
from tests.support.visitor import Site, Visitor
from webapp.analysis.puzzles import Kind
from webapp.polls import Life
from webapp.service import polls
from webapp.service import teacher as acts
from webapp.service.key import HostKey, Link
from webapp.service.sessions import HOURS
from webapp.service.site import Site as Service
from webapp.service.teacher import number
from webapp.web.spreadsheets import workbook, write
from webapp.words import figures

pytestmark = pytest.mark.usefixtures("clock")
MOVES = "Moves (cells numbered 0 to 8, row by row)"
EXCEL = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def test_the_key_opens_the_desk_until_the_host_signs_out(site: Site, alice: Visitor) -> None:
    key = HostKey(site.settings).ensure()
    for typed in ("wrong", "", key[:-1]):
        answer = alice.post("/host", {"key": typed})
        assert (answer.status, answer.the("why").text) == (403, "This is not the key.")
    for address, status, signed_in in (
        ("/host", 303, True), ("/host/leave", 303, False), ("/host/leave", 403, False),
    ):  # fmt: skip
        assert alice.post(address, {"key": key}).status == status
        assert ("Sign out" in alice.get("/host").text) is signed_in


def test_a_link_signs_in_once_and_soon(host: Service, alice: Visitor, bob: Visitor) -> None:
    address, now = "/host/enter/t0ken", [0.0]
    host.link = Link("t0ken", lambda: now[0])
    now[0] = 600
    assert bob.post(address).status == 403
    now[0] = 599
    bob.get(address)
    assert "Sign out" in alice.press(alice.get(address), "Sign in").text
    assert alice.get(address).location == "/host"
    for refused in (bob.get(address), bob.post(address), bob.get("/host/enter/other")):
        assert (refused.status, "Sign in with the key." in refused.text) == (403, True)
    assert "Sign out" not in bob.get("/host").text


def test_the_session_is_a_cookie_that_no_script_and_no_other_site_has(site: Site) -> None:
    key = HostKey(site.settings).ensure()
    for url, begins, secure in (("http://x", "host", ""), ("https://x", "__Host-host", True)):
        name = f"{begins}-{site.app.config['ID']}"
        answer = site.app.test_client().post("/host", data={"key": key}, base_url=url)
        cookies = map(SimpleCookie, answer.headers.getlist("Set-Cookie"))
        (found,) = (one[name] for one in cookies if name in one)
        assert (found["httponly"], found["samesite"], found["secure"]) == (True, "Strict", secure)
        assert (found["max-age"], found["path"]) == (str(HOURS * 3600), "/")
        assert key not in str(answer.headers)


def test_a_teacher_who_plays_is_in_the_class(site: Site, alice: Visitor, bob: Visitor) -> None:
    for who in (alice, bob):
        who.come_in()
    alice.post("/host", {"key": HostKey(site.settings).ensure()})
    alice.get("/class")
    be_here(site, alice, bob)
    asked = bob.post("/challenges", {"to": number(player_of(alice))})
    assert (asked.status, "is not here now." in asked.text) == (409, True)
    for address, shown in (("/seeks/cancel", False), ("/seeks", True), ("/host/leave", True)):
        alice.post(address)
        pages = alice.get("/class/board"), bob.get("/class")
        lists = [page.listed("Here now") for page in pages]
        assert [name_of(alice) in str(names) for names in lists] == [shown] * 2, address


def controls(part: Element) -> Iterator[Element]:
    """What can be pressed or filled in without opening a fold, with scripts."""
    hidden = part.tag == "dialog" or {"skip", "unscripted"} & {*part.get("class").split()}
    if hidden or part.get("type") == "hidden":
        return
    if part.tag in ("a", "button", "input", "select", "summary", "textarea"):
        yield part
    closed = part.tag == "details" and not part.has("open")
    for one in part.all("summary")[:1] if closed else part.elements:
        yield from controls(one)


def test_the_desk_of_an_empty_class_is_calm(teacher: Visitor) -> None:
    seen = [*controls(teacher.get("/host").document)]
    assert len(seen) <= 24
    names = [one.text for one in seen]
    at = names.index("Ask")
    assert names[at : at + 3] == ["Ask", "Results", "Names"]
    assert "First move" not in names, "nothing is shown that has steps"


def test_players_are_renamed_and_removed(teacher: Visitor, alice: Visitor, bob: Visitor) -> None:
    for who in (alice, bob):
        who.come_in()
    page = f"/host/players/{number(player_of(alice))}"
    assert teacher.get(f"/host/players?name=+{name_of(alice).upper()}").location == page
    assert teacher.post(f"{page}/rename", {"name": "Ada"}).status == 303
    for name, status in ((name_of(bob), 409), (" ", 422)):
        refused = teacher.post(f"{page}/rename", {"name": name})
        assert (refused.status, refused.the("name").get("aria-describedby")) == (status, "why")
    assert (name_of(alice), player_of(alice) in teacher.get(page).text) == ("Ada", False)
    seen = alice.get(sit_down(alice, bob).address)
    assert teacher.post(f"{page}/remove").location == "/host#people"
    assert name_of(alice) == ""
    assert alice.ask(seen).headers["HX-Redirect"] == "/class"
    for name in ("", "nobody", "\x00", "x" * 4000):
        answer = teacher.get("/host/players", query_string={"name": name})
        assert (answer.status, "No player here is called" in answer.document.text) == (404, True)


def test_names_are_locked_and_the_standings_reset(
    site: Site, teacher: Visitor, alice: Visitor, bob: Visitor
) -> None:
    page = played_out(alice)
    be_here(site, alice, sit_down(bob, site.visitor()).x)
    assert "1 of 2 is playing" in teacher.get("/host").the("people").text
    assert teacher.post("/host/names", {"locked": 1}).location == "/host#people"
    assert "The names are locked" in teacher.get("/host").document.text
    name, answer = name_of(alice), alice.post("/you/name")
    assert (answer.status, name_of(alice)) == (409, name)
    assert "Your teacher has locked the names" in answer.document.text
    newcomer = site.visitor()
    newcomer.come_in()
    assert name_of(newcomer), "who comes new is given one"
    assert teacher.post("/host/names").status == 303
    assert alice.post("/you/name").status == 303
    assert sum(alice.get(page.address).score or ()) == 1
    assert teacher.post("/host/standings/reset").status == 303
    assert alice.get(page.address).score == (0, 0, 0)


def table(teacher: Visitor, name: str) -> list[dict[str, str]]:
    answer = teacher.get(f"/host/{name}.csv")
    assert answer.status == 200
    return list(csv.DictReader(StringIO(answer.response.data.decode("utf-8-sig"), newline="")))


def test_a_table_is_a_dated_file_that_no_cache_keeps(teacher: Visitor, alice: Visitor) -> None:
    played_out(alice)
    for name in ("players", "games"):
        answer = teacher.get(f"/host/{name}.csv")
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        named = rf"attachment; filename={name}-\d{{4}}-\d\d-\d\d\.csv"
        assert re.fullmatch(named, answer.headers["Content-Disposition"])
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.response.data.startswith(b"\xef\xbb\xbf")
        assert answer.response.data.count(b"\r\n") == 2
    for first in "=+-@\t\r":  # no cell is a formula
        file = StringIO(newline="")
        write(file, [(f"{first}1+1", f"1{first}1", None, 5, 'a"b', "a,b\nc")])
        file.seek(0)
        assert [*csv.reader(file)] == [[f"'{first}1+1", f"1{first}1", "", "5", 'a"b', "a,b\nc"]]


@pytest.fixture
def named(host: Service, alice: Visitor, bob: Visitor) -> tuple[Visitor, Visitor]:
    for who, name in ((alice, "Ada"), (bob, "Bob")):
        who.come_in()
        acts.rename(host, player_of(who), name)
    return alice, bob


def cells(data: bytes) -> dict[str, tuple[str | None, str, str]]:
    with ZipFile(BytesIO(data)) as book:
        parts = (f"xl/{part}.xml" for part in ("worksheets/sheet1", "sharedStrings", "styles"))
        sheet, strings, styles = (ET.fromstring(book.read(part)) for part in parts)  # noqa: S314
    assert not [*sheet.iter(f"{EXCEL}f")], "no formula"
    texts = ["".join(one.itertext()) for one in strings]
    assert [one.get("formatCode") for one in styles.iter(f"{EXCEL}numFmt")] == ["yyyy-mm-dd hh:mm"]
    found = {}
    for cell in sheet.iter(f"{EXCEL}c"):
        text = "".join(cell.itertext())
        shown = texts[int(text)] if cell.get("t") == "s" else text
        found[cell.get("r", "")] = (cell.get("t"), cell.get("s", "0"), shown)
    return found


def test_excel_gets_numbers_and_dates(teacher: Visitor, named: tuple[Visitor, Visitor]) -> None:
    sit_down(*named).play("03142")
    answers = [teacher.get(f"/host/{name}.xlsx") for name in ("players", "games")]
    assert all("spreadsheetml" in one.headers["Content-Type"] for one in answers)
    players, games = (cells(one.response.data) for one in answers)
    line, game = table(teacher, "players")[0], table(teacher, "games")[0]
    assert (players["B2"], players["D2"]) == (("s", "0", "Ada"), (None, "0", line["Games"]))
    kind, style, days = games["A2"]
    assert (kind, style != "0") == (None, True), "it has the format of a moment"
    begun = datetime(1899, 12, 30) + timedelta(days=float(days), seconds=1)  # noqa: DTZ001
    assert (f"{begun:%Y-%m-%d %H:%M}", games["J2"][2]) == (game["Started"], game[MOVES])
    whole = cells(workbook([[], ["=1+1", "http://x", "-1", 2.5, begun]]))
    assert [whole[f"{at}2"][2] for at in "ABCD"] == ["=1+1", "http://x", "-1", "2.5"]
    assert [whole[f"{at}2"][0] for at in "ABCD"] == ["s", "s", "s", None]


def test_every_kind_of_game_is_a_line_and_games_add_up(
    site: Site, clock: Clock, teacher: Visitor, named: tuple[Visitor, Visitor]
) -> None:
    (alice, bob), carol = named, site.visitor()
    claimed = sit_down(alice, bob)
    claimed.play("0")
    clock.goes_on(60)
    claimed.act(alice, "claim")
    resigned = sit_down(carol, alice)
    resigned.play("04")
    resigned.act(carol, "resign")
    friends = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        friends = alice.move(friends, cell)
    alice.act("again", alice.start("hard", "o"), mark="x")
    alice.start("medium", "x", cell=4)  # goes on
    carol.post("/you/forget")
    found = table(teacher, "games")
    kinds = [[line[one] for one in ("X", "O", "Result", "How it ended")] for line in found]
    assert sorted(kinds) == [
        ["A player who left", "Ada", "O won", "given up"],
        ["Ada", "A friend at the same device", "X won", ""],
        ["Ada", "Bob", "X won", "win claimed, as the opponent was away"],
        ["Hard", "Ada", "Not finished", "left early"],
    ]
    assert {line[MOVES] for line in found} >= {"0 3 1 4 2", "0 4", "0"}
    for line in table(teacher, "players"):
        results = [int(line[one]) for one in line if re.match("Won|Drawn|Lost", one)]
        assert int(line["Games"]) == sum(results) == {"Ada": 1, "Bob": 0}[line["Name"]]
        assert line["Won against people"] == line["Games"]


def test_the_page_after_the_lesson_counts_what_was_played_today(
    site: Site, clock: Clock, teacher: Visitor, named: tuple[Visitor, Visitor]
) -> None:
    alice, bob = named
    sit_down(alice, bob).play("03142")  # O answers a corner at an edge, and X takes it from there
    sit_down(bob, alice).play("041387526")
    page = teacher.get("/host/lesson")
    lines = [" ".join(cell.text for cell in row.elements) for row in page.document.all("tr")]
    assert lines[1:] == ["Ada 2 1 · 1 · 0 0 · 0 · 0", "Bob 2 0 · 1 · 1 0 · 0 · 0"]
    assert f'data-number="{number(player_of(alice))}"' in page.text
    said = "O to move, 2 times, 1 wrong. Chosen: top centre (1). Better: centre."
    assert said in page.document.text
    assert teacher.press(page, "Talk about it Ada beat Bob").status == 200
    desk = teacher.get("/host").document
    assert "A review, after 0 of 5 moves" in desk.text
    assert "First move" in [one.text for one in controls(desk)]
    clock.goes_on(2 * 24 * 60 * 60)
    later = sign_in(site, HostKey(site.settings).read())
    assert "No one has finished a game yet." in later.get("/host/lesson").document.text


def test_the_page_after_the_lesson_has_its_date_and_the_quiz(
    site: Site, clock: Clock, host: Service, teacher: Visitor
) -> None:
    several = [site.visitor() for _ in range(5)]
    for who in several:
        who.come_in()
    polls.start_quiz(host, 5, [Kind.WIN], 0)
    while asked := polls.going(host):
        for who in several:  # all of them are first
            polls.answer(host, asked.id, player_of(who), asked.right[0])
        polls.advance(host, asked.id, Life.DONE)
    page = teacher.get("/host/lesson")
    (time,) = page.document.all("time")
    today = datetime.now().date()  # noqa: DTZ005
    assert time.get("datetime") == today.isoformat()
    assert time.text == figures.day(today).replace("\u00a0", " ")
    (step,) = page.listed("The first three")
    assert "and 2 more" in step
    assert sum(name_of(who) in step for who in several) == 3
    clock.goes_on(2 * 24 * 60 * 60)
    later = sign_in(site, HostKey(site.settings).read())
    assert "The first three" not in later.get("/host/lesson").text
