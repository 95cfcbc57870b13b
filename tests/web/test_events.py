"""What a page may hear, who is here by its requests, and the parts that name topics."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask import request, request_finished

from tests.support.page import Page
from tests.support.people import Clock, Pair, be_here, player_of, sit_down
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp.live import ASKED_S, HIDDEN_S, LEFT_S, sealed
from webapp.service.teacher import number
from webapp.store import topics
from webapp.web.events import MOST, STREAM

CLASS, DESK = sealed(topics.CLASS), sealed(topics.DESK)


def listens(who: Visitor, query: str) -> tuple[int, Any]:
    """Ask for a stream; return the status, and what is handed on to the server."""
    handed = list[Any]()
    with request_finished.connected_to(lambda *_, **__: handed.append(request.environ.get(STREAM))):
        status = who._client.get("/events", query_string=query).status_code
    return status, handed[0]


def test_a_page_hears_what_it_names_and_may(alice: Visitor, teacher: Visitor) -> None:
    assert listens(alice, f"topic={CLASS}") == (403, None), "who may never return"
    alice.come_in()
    both = frozenset({CLASS, sealed(topics.POLLS)})
    query = "&".join(f"topic={topic}" for topic in both)
    assert listens(alice, query) == (204, (player_of(alice), "", both, False))
    named = f"{query}&page=a1&here=1"
    assert listens(alice, named) == (204, (player_of(alice), "a1", both, True))
    many = "&".join(f"topic={sealed(str(number))}" for number in range(MOST + 1))
    for refused in ("", "topic=", "topic=class", f"topic={CLASS}x", f"topic={CLASS}&topic=", many):
        assert listens(alice, refused) == (400, None), refused
    assert listens(alice, f"topic={DESK}") == (403, None)
    assert listens(teacher, f"topic={DESK}")[0] == 204


HERE: tuple[tuple[str, Mapping[str, str], float], ...] = (
    ("/class", {**FRAGMENT, "Page-Here": "seen"}, ASKED_S),
    ("/class", {**FRAGMENT, "Page-Here": "hidden"}, HIDDEN_S), ("/learn?here=1", {}, ASKED_S),
    ("/class", FRAGMENT, 0), ("/class/board", {}, 0), (f"/events?topic={CLASS}&here=1", {}, 0),
)  # fmt: skip


@pytest.mark.parametrize("address,headers,seconds", HERE)
def test_anyone_is_here_for_a_while_whose_page_says_so(
    site: Site, clock: Clock, address: str, headers: Mapping[str, str], seconds: float
) -> None:
    alice, live = site.visitor(), site.service.live
    alice.get("/learn")
    alice._client.get(address, headers=headers)
    for passes, is_here in ((0, bool(seconds)), (seconds - 1, bool(seconds)), (2, False)):
        clock.goes_on(max(0, passes))
        assert live.is_here(player_of(alice)) is is_here


def test_a_player_goes_with_the_last_page(site: Site, clock: Clock, alice: Visitor) -> None:
    live = site.service.live
    alice.get("/learn")
    for page in ("a", "b"):
        alice._client.get("/class", headers={**FRAGMENT, "Page-Here": "hidden", "Page-Id": page})
    for page, is_here in (("a", True), ("b", False)):
        assert alice.post(f"/goodbye?page={page}").status == 204
        clock.goes_on(LEFT_S + 1)
        assert live.is_here(player_of(alice)) is is_here


def test_what_a_page_has_done_is_no_news_to_it_unless_its_answer_is_a_part(site: Site) -> None:
    ada, ben, cem, dan = (site.visitor() for _ in range(4))
    pair, told = sit_down(ada, ben), list[topics.Change]()
    site.service.live.tell = told.extend
    ada.try_to("moves", ada.get(pair.address), {"cell": 4}, headers={"Page-Id": "a1"})
    assert {topics.game(pair.address[7:]), topics.turn(player_of(ben))} < {one for one, _ in told}
    assert {by for _, by in told} == {"a1"}
    for who in (cem, dan):
        who.come_in()
        be_here(site, who)
    cem.post("/challenges", {"to": str(number(player_of(dan)))})
    told.clear()
    decline = f"/challenges/{number(player_of(cem))}/decline"
    dan._client.post(decline, headers={**FRAGMENT, "Page-Id": "a1"})
    assert {by for _, by in told} == {""}


def parts(page: Page) -> dict[str, tuple[int, bool]]:
    """The parts that ask: how many topics each names, and whether its player is here by it."""
    asking = [one for one in page.document.walk() if one.has("data-topic")]
    assert all(one.get("hx-trigger") == "news" and one.get("hx-get") for one in asking)
    names = {name for one in asking for name in one.get("data-topic").split()}
    assert len(names) <= MOST
    named = {one.get("id"): one.get("data-topic").split() for one in asking}
    return {one.get("id"): (len(named[one.get("id")]), one.has("data-here")) for one in asking}


def test_every_page_names_few_topics(
    site: Site, teacher: Visitor, alice: Visitor, bob: Visitor
) -> None:
    alice.come_in()
    strip = {"calls": (4, True)}
    assert parts(alice.get("/")) == {"game": (1, False), **strip}
    assert parts(alice.start("easy", cell=4)) == {"game": (3, False), **strip}
    assert parts(alice.get("/menace")) == {"menace": (2, False), **strip}
    assert parts(alice.get("/class")) == {"class": (4, True), **strip}
    assert parts(site.visitor().get("/class/board")) == {"class": (6, False)}
    assert parts(teacher.get("/host"))["class"] == (7, True)
    pair = sit_down(alice, bob)
    strip = {"calls": (3, True)}  # at the game itself, whose turn it is, is no call
    assert parts(alice.get(pair.address)) == {"game": (4, True), **strip}
    assert parts(alice.get("/learn")) == {"calls": (4, True)}
    watcher = site.visitor()
    assert parts(watcher.get(pair.address)) == {"game": (4, True)}


def test_a_topic_stays_the_same_while_a_game_goes_on(pair: Pair) -> None:
    named = {pair.play(cell).game.get("data-topic") for cell in ("0", "3", "1", "4")}
    assert len(named) == 1
