"""The same player in another browser: by a ticket, or because the teacher says who it is."""

import csv
import re
from io import StringIO

import pytest

from tests.support.page import Page
from tests.support.people import Clock, be_here, name_of, player_of, sign_in, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service.key import HostKey
from webapp.service.teacher import number
from webapp.service.tidying import DAY, WAITS_DAYS, tidy


@pytest.fixture
def teacher(site: Site) -> Visitor:
    return sign_in(site, HostKey(site.settings).ensure())


def code_in(page: Page) -> str:
    (code,) = page.document.with_class("code")
    return code.text


def use(who: Visitor, code: str) -> Page:
    """Type a code on the page of the class, and go on."""
    asked = who.post("/join", {"code": code})
    assert asked.status == 200
    assert code.replace(" ", "") not in str(asked.headers)
    return who.follow(who.send("POST", "/ticket/go-on", {"code": code}))


def is_called(who: Visitor) -> str:
    return who.get("/class").the("you").text.removeprefix("You are ")


def names_in(teacher: Visitor) -> set[str]:
    text = teacher.get("/host/players.csv").response.get_data(as_text=True)
    return {row["Name"] for row in csv.DictReader(StringIO(text.removeprefix("\ufeff")))}


def test_a_ticket_leads_to_the_same_player_where_they_were(site: Site, clock: Clock) -> None:
    alice, bob, tablet = (site.visitor() for _ in range(3))
    pair = sit_down(alice, bob)
    name, code = name_of(alice), code_in(alice.post("/you/ticket"))
    assert code == code_in(alice.post("/you/ticket"))
    tablet.come_in()
    stranger = is_called(tablet)
    asked = tablet.post("/join", {"code": f" {code.lower()} "})
    assert asked.document.all("h1")[0].text == f"Continue as {name}?"
    assert is_called(tablet) == stranger, "asking changes nothing"
    use(tablet, code)
    assert (is_called(tablet), is_called(alice)) == (name, name)
    assert "Another browser is now playing as you" in alice.get("/privacy").text
    assert "Another browser is now playing as you" not in tablet.get("/privacy").text
    tablet.move(tablet.get(pair.address), 4)
    assert alice.get(pair.address).cell(4).mark == "X"
    assert site.service.browsers.player(player_of(bob)) == player_of(bob)
    clock.goes_on(5 * 60)
    assert "Another browser" not in alice.get("/privacy").text


def test_a_code_that_no_ticket_has_is_refused_and_stands_in_no_other_page(alice: Visitor) -> None:
    alice.come_in()
    code = code_in(alice.post("/you/ticket")).replace(" ", "")
    wrong = "".join(reversed(code))
    for path in ("/join", "/ticket"):
        refused = alice.post(path, {"code": wrong})
        assert (refused.status, refused.the("why").text) == (
            404, "No ticket has this code. Check the eight characters.",
        )  # fmt: skip
    assert alice.post("/ticket/go-on", {"code": wrong}).status == 404
    for path in ("/you", "/class", "/ticket", "/class/board", "/"):
        assert not re.search(f"{code[:4]} ?{code[4:]}", alice.get(path).text)


def test_a_new_ticket_ends_the_old_one_and_signs_out_all(site: Site, teacher: Visitor) -> None:
    alice, tablet = site.visitor(), site.visitor()
    alice.come_in()
    name, old = name_of(alice), code_in(alice.post("/you/ticket"))
    tablet.come_in()
    use(tablet, old)
    be_here(site, alice)
    teacher.post(f"/host/players/{number(player_of(alice))}/ticket")
    assert (is_called(alice), is_called(tablet)) == ("", "")
    assert alice.post("/ticket", {"code": old}).status == 404
    new = code_in(teacher.get("/host/tickets"))
    use(alice, new)
    assert is_called(alice) == name


def test_those_to_come_are_counted_nowhere_until_they_come(
    site: Site, teacher: Visitor, alice: Visitor, clock: Clock
) -> None:
    alice.come_in()
    assert teacher.post("/host/tickets", {"more": 3}).status == 303
    tickets = teacher.get("/host/tickets").document.with_class("ticket")
    codes = {one.all("bdi")[0].text: one.with_class("code")[0].text for one in tickets}
    assert (len(codes), names_in(teacher)) == (3, {name_of(alice)})
    name, code = next(iter(codes.items()))
    use(site.visitor(), code)
    assert names_in(teacher) == {name_of(alice), name}
    for days in (0, WAITS_DAYS + 1, 1):
        clock.goes_on(days * DAY)
        tidy(site.service)
    for other in codes.keys() - {name}:
        assert alice.post("/ticket", {"code": codes[other]}).status == 404
    assert alice.post("/ticket", {"code": code}).status == 200


def test_the_teacher_says_who_it_is_and_the_pupil_says_yes(site: Site, teacher: Visitor) -> None:
    alice, tablet, other = (site.visitor() for _ in range(3))
    for one in (alice, tablet, other):
        one.come_in()
    be_here(site, tablet, other)
    name, before = name_of(alice), name_of(tablet)
    about = f"/host/players/{number(player_of(alice))}"
    offered = teacher.get(about).the("who").all("option")
    assert {"–", before, name_of(other)} == {one.text for one in offered}
    for answer, is_now in (({}, before), ({"yes": 1}, name)):
        teacher.post(f"{about}/is", {"player": number(player_of(tablet))})
        assert f"Are you {name}?" in tablet.get("/class").document.text
        assert f"Are you {name}?" not in other.get("/class").document.text
        tablet.follow(tablet.post("/ticket/answer", answer))
        assert is_called(tablet) == is_now
        assert "Are you" not in tablet.get("/class").document.text


def test_a_name_whose_player_is_not_here_is_handed_over(site: Site, teacher: Visitor) -> None:
    tablet, other = site.visitor(), site.visitor()
    for one in (tablet, other):
        one.come_in()
    teacher.post("/host/tickets", {"more": 1})
    (ticket,) = teacher.get("/host/tickets").document.with_class("ticket")
    for name, is_away in ((name_of(other), False), (ticket.all("bdi")[0].text, True)):
        about = f"/host/players/{number(player_of(tablet))}/rename"
        refused = teacher.post(about, {"name": name})
        assert (refused.status, f"This is {name}, who is back" in refused.text) == (409, is_away)
    teacher.press(refused, f"This is {name}, who is back")
    assert f"Are you {name}?" in tablet.get("/class").document.text


def test_the_next_class_is_asked_who_it_is(site: Site, teacher: Visitor, clock: Clock) -> None:
    alice, newcomer = site.visitor(), site.visitor()
    alice.come_in()
    name = name_of(alice)
    clock.goes_on(60)
    teacher.post("/host/next-class")
    newcomer.come_in()
    assert "Are you" not in newcomer.get("/class").document.text
    assert f"Are you {name}?" in alice.get("/").document.text
    assert alice.post("/ticket/answer").location == "/ticket"
    alice.follow(alice.post("/ticket/answer", {"yes": 1}))
    assert "Are you" not in alice.get("/").document.text
    assert is_called(alice) == name
    tablet = site.visitor()
    tablet.come_in()
    use(tablet, code_in(alice.post("/you/ticket")))
    clock.goes_on(5 * 60)
    teacher.post("/host/next-class")
    for who in (alice, tablet):
        who.follow(who.post("/ticket/answer", {"yes": 1}))
    assert "Another browser" not in alice.get("/").text, "an answer is no news"
    alice.press(alice.get("/ticket"), "Start as someone new")
    assert is_called(alice) == ""
