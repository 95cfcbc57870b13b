"""Names: who gets one and when, chosen ones, starting over, and being forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.people import challenge, code_of, name_of
from tests.support.visitor import Site, Visitor, open_site
from webapp import names

NAUGHTY = (
    *("<script>alert(1)", "</bdi></a>", "&lt;b&gt;", '" onclick="x', "{{ 7 * 7 }}", "%s%d%n"),
    *("None", "-->", "x\\u202e", "مرحبا", "שלום", "李小龙", "🐼🦊", "ﬁne"),
)
REFUSED = ("", "\u200b", "a\u202eb", "a\x00b", "a" * 3000, "pаypal", "\ufffd")


@pytest.fixture(scope="module")
def named_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose host lets people choose names."""
    with open_site(tmp_path_factory.mktemp("named"), seed="tests", names="own") as site:
        yield site


def rename(who: Visitor, name: str) -> Page:
    return who.post("/you/name", {"name": name})


def test_anyone_who_only_looks_is_nobody(own_site: Site) -> None:
    alice = own_site.visitor()
    for address in ("/", "/class/board", "/you", "/privacy", "/learn"):
        assert 'href="/you"' not in alice.get(address).text
    assert "You have no name yet" in alice.get("/you").document.text
    alice.send("HEAD", "/class")
    alice.get("/class", headers={"Sec-Fetch-Dest": "image"})
    assert own_site.dump()["players"] == []


def test_the_class_deals_a_name_to_anyone_who_opens_it(own_site: Site) -> None:
    alice = own_site.visitor()
    page = alice.get("/class")
    name = name_of(alice)
    assert name == names.checked(name)
    assert page.the("you").text == f"You are {name}"
    assert alice.get("/class").the("you").text == f"You are {name}", "and the same one again"
    assert len(own_site.dump()["players"]) == 1


def test_a_name_is_dealt_in_the_players_language_and_stays_when_that_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.web.languages.offered", lambda: ["en", "de", "fr"])
    with open_site(tmp_path) as site:
        alice = site.visitor()
        alice.get("/class", headers={"Accept-Language": "fr"})
        french = name_of(alice)
        animal, word = french.split()
        assert [word in names.WORDS["fr"][0], animal in names.WORDS["fr"][1]] == [True, True]
        alice.post("/language", {"language": "de"})
        alice.get("/class")
        assert name_of(alice) == french
        alice.post("/you/name")
        assert re.fullmatch(r"[A-ZÄÖÜ][a-zäöü]+-[A-ZÄÖÜ][a-zäöü]+", name_of(alice))


def test_where_no_name_can_be_stored_the_class_shows_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = iter([True, True, False, False])
    monkeypatch.setattr("webapp.web.limits.Stored.may", lambda *_: next(allowed))
    with open_site(tmp_path, limits="on") as site:
        named = [bool(site.visitor().get("/class").the("you").all("bdi")) for _ in range(4)]
        assert named == [True, True, False, False]
        assert len(site.dump()["players"]) == 2


def test_a_name_comes_with_the_first_game_and_stays(alice: Visitor) -> None:
    page = alice.start("easy", "x", cell=4)
    name = name_of(alice)
    assert name == names.checked(name)
    assert page.the("you").text == f"You are {name}"
    alice.start("hard", "o")
    challenge(alice)
    for address in ("/", "/class", "/you", "/privacy", "/lab", "/opponents", page.address):
        assert alice.get(address).the("you").all("bdi")[0].text == name
    page = alice.press(alice.get("/you"), "Get another name")
    assert name_of(alice) not in ("", name)
    assert page.document.all("h1")[0].text == f"You are {name_of(alice)}"


def test_starting_as_someone_new_is_offered_on_the_players_own_page_alone(alice: Visitor) -> None:
    start = "Start as someone new"
    assert start not in alice.get("/you").document.text
    page = alice.start("easy", "x", cell=4)
    name = name_of(alice)
    own = alice.get("/you")
    (asking,) = (one for one in own.document.all("details") if start in one.text)
    assert [button.text for button in asking.all("button")] == [start]
    assert "You get a new name with your next game" in asking.text
    assert alice.press(own, start).board == rules.EMPTY
    assert name_of(alice) == ""
    assert alice.get(page.address).watching
    assert name_of(alice) == ""
    alice.start("easy", "x", cell=4)
    assert name_of(alice) not in ("", name)


def test_with_htmx_the_first_move_brings_the_name_along_and_later_ones_do_not(
    alice: Visitor,
) -> None:
    front = alice.get("/")
    answer = alice.press(front, front.cell(4), htmx=True)
    assert answer.is_fragment
    (shown,) = answer.the("you").all("bdi")
    assert shown.text == name_of(alice) != ""
    answer = alice.press(answer, answer.cell(answer.playable[0]), htmx=True)
    assert 'hx-target="#you"' not in answer.text


def test_where_names_are_dealt_there_are_no_others(site: Site, alice: Visitor) -> None:
    assert alice.get("/you").document.with_id("name") is None
    before = site.dump()
    answer = rename(alice, "Ada")
    assert answer.status == 422
    assert "You cannot choose a name" in answer.document.text
    assert site.dump() == before


def test_a_chosen_name_is_kept_as_it_is_shown_and_nobody_gets_one_like_it(
    named_site: Site,
) -> None:
    alice, bob = named_site.visitor(), named_site.visitor()
    alice.follow(alice.post("/you/name"))
    (dealt,) = alice.get("/you").document.with_class("large")
    page = alice.follow(rename(alice, "  Grace   Hopper "))
    assert page.document.all("h1")[0].text == "You are Grace Hopper"
    (kept,) = page.document.with_class("large")
    assert kept.get("class") == dealt.get("class"), "the face stays"
    assert kept.all("use")[0].get("href") == dealt.all("use")[0].get("href")
    for name in ("grace hopper", "Grace Hopper"):
        alice.follow(rename(alice, name))
        assert name_of(alice) == name
    bob.start("easy", "x", cell=4)
    before = named_site.dump()
    for same in ("Grace Hopper", "GRACE hopper", "gracehopper", "Grace  Hopper"):
        answer = rename(bob, same)
        assert answer.status == 409
        assert "Another player already has that name" in answer.the("why").text
    for bad in REFUSED:
        answer = rename(bob, bad)
        assert answer.status == 422
        assert answer.the("why").text.endswith(".")
        assert answer.the("name").get("aria-describedby") == "why"
    assert named_site.dump() == before


@pytest.mark.parametrize("text", NAUGHTY)
def test_a_name_is_text_wherever_it_is_shown(named_site: Site, text: str) -> None:
    alice, bob = named_site.visitor(), named_site.visitor()
    assert bob.post("/you/name").status == 303
    answer = rename(alice, text)
    if answer.status == 422:  # not a name: that is an answer too
        assert answer.the("why").text
        return
    name = names.checked(text)
    assert name_of(alice) == name
    invitation = bob.get(f"/join/{code_of(challenge(alice))}")
    assert name in invitation.document.all("h1")[0].text
    assert name in alice.get("/class").document.text
    game = bob.press(invitation, "Join")
    assert name in game.heading
    if not name.isascii():
        assert f"\u2068{name}\u2069" in game.heading, "its direction of writing stays inside"
    bob.try_to("resign", game)
    for who in (alice, bob, named_site.visitor()):
        assert name in who.get(game.address).document.text
        assert who.get("/class/board").status == 200
    assert name in bob.get("/class").document.text, "among the last games"


def test_a_player_can_delete_all_that_is_stored_of_them(own_site: Site) -> None:
    alice = own_site.visitor()
    alice.start("easy", "x", cell=4)
    gone = alice.press(alice.get("/privacy"), "Delete my data")
    assert "Your data is deleted" in gone.document.text
    assert (gone.response.request.path, name_of(alice)) == ("/privacy", "")
    assert own_site.dump()["players"] == own_site.dump()["games"] == []
    assert alice.post("/you/forget").status == 303, "once more is harmless"
