"""Games between two people at two devices: what they see and hear of each other.

Who may do what, and what is stored then, is the part of ``test_sequences``.
"""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.support.page import Page
from tests.support.people import Clock, Pair, be_here, challenge, code_of, name_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service.pov import JUST

X_WINS = "03142"


def waits(page: Page) -> bool:
    """Whether a page waits for news."""
    return page.game.has("data-news")


# --- waiting and joining --------------------------------------------------------------------------


def test_only_the_challenger_sees_the_code_the_link_and_a_picture_of_it(
    alice: Visitor, bob: Visitor
) -> None:
    page = challenge(alice)
    code = code_of(page)
    assert re.fullmatch(r"[2-9A-HJKMNP-Z]{6}", code)
    link = f"http://localhost/join/{code}"
    assert page.the("invitation").get("value") == link
    (picture,) = page.game.all("img")
    assert picture.get("alt") == "QR code of this address"
    assert alice.get(picture.get("src")).headers["Content-Type"].startswith("image/svg+xml")
    assert page.heading == "Waiting for a classmate"
    assert (page.playable, page.buttons) == ([], ["Share", "Copy link", "Cancel"])
    assert code not in bob.get(page.address).text
    assert alice.get("/").links["Your challenge is waiting for a classmate"] == page.address


@pytest.mark.parametrize("typed", ["{0}{1}", " {0} {1} ", "{0}-{1}"])
def test_a_code_is_read_as_people_type_it_and_leads_to_the_free_seat(
    site: Site, alice: Visitor, bob: Visitor, typed: str
) -> None:
    code = code_of(challenge(alice))
    before = site.dump()
    assert bob.send("HEAD", f"/join/{code}").status == 200
    text = typed.format(code[:3], code[3:]).lower()
    found = bob.follow(bob.get("/join", query_string={"code": text}))
    assert found.document.all("h1")[0].text == f"{name_of(alice)} wants to play"
    assert site.dump() == before, "looking takes no seat"
    assert bob.press(found, "Join").heading == f"{name_of(alice)} is thinking"
    late = site.visitor().post(f"/join/{code}")
    assert late.status == 409
    assert site.visitor().get(late.links["Watch"]).watching


@pytest.mark.parametrize("code", ["AAAAAA", "\x00", "🐼", "a" * 3000, "..%2F..", "<b>", "%"])
def test_a_code_of_nobody_leads_nowhere_and_stays_in_its_field(
    site: Site, bob: Visitor, code: str
) -> None:
    before = site.dump()
    page = bob.get("/join", query_string={"code": f" {code} "})
    assert page.status == 404
    field = page.the("code")
    assert (field.get("value"), field.get("aria-invalid")) == (code, "true")
    assert field.has("autofocus")
    assert page.the(field.get("aria-describedby")).text.startswith("No game has this code.")
    there = f"/join/{quote(code, safe='')}"
    for answer in (bob.get(there), bob.post(there)):
        assert answer.status == 404
        assert answer.document.with_id("code") is None
        assert "<b>" not in answer.document.text
    assert site.dump() == before


@pytest.mark.parametrize("query", ["", "?code=", "?code=+"])
def test_without_a_code_the_class_page_asks_for_one(bob: Visitor, query: str) -> None:
    page = bob.follow(bob.get(f"/join{query}"))
    assert (page.status, page.response.request.path) == (200, "/class")
    field = page.the("code")
    assert field.get("value") == ""
    assert not field.has("aria-invalid")
    assert not field.has("autofocus")


# --- playing --------------------------------------------------------------------------------------


def test_both_see_whose_turn_it_is_and_who_the_other_is(
    site: Site, pair: Pair, alice: Visitor, bob: Visitor
) -> None:
    bobs = bob.get(pair.address)
    assert bobs.heading == f"{name_of(alice)} is thinking"
    assert bobs.sentence == f"{name_of(alice)} has X and moves first."
    pair.play("0")
    seen = bob.get(pair.address)
    assert seen.heading == "Your turn"
    assert seen.sentence == f"{name_of(alice)} took the top left corner."
    assert f"You play O against {name_of(alice)}." in seen.text
    watched = site.visitor().get(pair.address)
    assert f"{name_of(alice)} plays X and {name_of(bob)} plays O." in watched.text
    front = bob.get("/")
    assert front.links["Continue your game with a classmate"] == pair.address
    assert "It is your turn there." in front.text
    pair.play(X_WINS[1:])
    for who, other, score in ((alice, bob, (1, 0, 0)), (bob, alice, (0, 0, 1))):
        seen = who.get(pair.address)
        assert (seen.score, seen.score_against) == (score, name_of(other))
        won = [cell.number for cell in seen.cells if cell.label.endswith(", winning line")]
        assert (won, seen.playable) == ([0, 1, 2], [])
        assert seen.heading == f"{'You win' if who is alice else f'{name_of(alice)} wins'}: top row"
        assert who.get(seen.links["Review"]).status == 200


@pytest.mark.parametrize("moves,loser", [("", "x"), ("0", "o"), ("04", "x"), ("04", "o")])
def test_a_game_that_is_given_up_counts_once_both_have_moved(
    pair: Pair, moves: str, loser: str
) -> None:
    pair.play(moves)
    gone, other = (pair.x, pair.o) if loser == "x" else (pair.o, pair.x)
    assert pair.act(gone, "resign").status == 303
    assert gone.get(pair.address).heading == f"{name_of(other)} wins: you gave up"
    won = other.get(pair.address)
    assert won.heading == f"You win: {name_of(gone)} gave up"
    assert ("Neither player made a move." in won.text) is (not moves)
    counts = len(moves) == 2
    assert won.score == (counts, 0, 0)
    assert ("Not counted: it ended before both had moved." in won.text) is not counts


# --- news -----------------------------------------------------------------------------------------


def test_a_player_who_waits_is_told_when_something_happened(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    assert waits(page)
    assert alice.ask(page).status == 204
    assert bob.post(f"/join/{code_of(page)}").status == 303
    joined = alice.ask(page)
    said = f"{name_of(bob)} is here. You have X: choose any cell. Your turn."
    assert (joined.announcement, waits(joined)) == (said, True)
    assert alice.ask(joined).status == 204
    seen = bob.get(page.address)
    assert (waits(seen), bob.ask(seen).status) == (True, 204)
    (plain,) = seen.document.all("noscript")
    assert plain.all("a")[0].get("href") == page.address
    alice.move(alice.get(page.address), 4)
    news = bob.ask(seen)
    assert news.is_fragment
    assert news.announcement == f"{name_of(alice)} took the centre. Your turn."
    assert (news.heading, bob.ask(news).status) == ("Your turn", 204)
    assert alice.ask(joined).version == news.version


def test_an_absence_is_news_once_and_a_long_one_may_be_claimed(
    site: Site, pair: Pair, clock: Clock
) -> None:
    page, name = pair.play("0"), name_of(pair.o)
    carol = site.visitor()
    watched = carol.get(pair.address)
    for one in (page, watched):
        assert one.heading == f"{name} is thinking"
    clock.goes_on(JUST - 1)
    assert pair.x.ask(page).status == 204
    clock.goes_on(1)
    away = f"{name} seems to be away. "
    for who, onto, then in ((pair.x, page, "You can claim the game"),
                            (carol, watched, "The game can be claimed")):  # fmt: skip
        page = who.ask(onto)
        assert page.heading == f"{name} to move"
        (aside,) = [one for one in page.the("record").all("p") if one.has("data-seconds")]
        assert (aside.text, aside.get("data-seconds")) == (f"{away}{then} in 55 s.", "55")
        assert aside.text in page.announcement
        assert who.ask(page).status == 204
    page = pair.x.get(pair.address)
    be_here(site, pair.o)
    page = pair.x.ask(page)
    assert (page.heading, page.announcement) == (f"{name} is thinking", ""), "a return is no news"
    clock.goes_on(59 - JUST)
    be_here(site)
    page = pair.x.ask(page)
    assert f"{away}You can claim the game in 1 s." in page.announcement
    clock.goes_on(1)
    page = pair.x.ask(page)
    assert f"{name} has not moved for a minute: you can claim the game." in page.announcement
    assert pair.x.ask(page).status == 204
    clock.goes_on(540)
    page = pair.x.ask(page)
    assert (waits(page), page.announcement, pair.x.ask(page).status) == (True, "", 204)
    won = pair.x.press(page, "Claim the game")
    assert won.heading == f"You win: {name} stayed away"
    assert pair.o.get(pair.address).heading == f"{name_of(pair.x)} wins: you stayed away"


def test_a_move_is_told_though_the_next_player_is_away(site: Site, pair: Pair) -> None:
    pair.play("04")
    carol = site.visitor()
    watched = carol.get(pair.address)
    pair.play("8")
    news = carol.ask(watched)
    assert [one for one in news.the("record").all("p") if one.has("data-seconds")]
    x, o = name_of(pair.x), name_of(pair.o)
    assert news.announcement == f"{x} took the bottom right corner. {o} to move."


def test_a_player_who_is_here_and_thinks_for_long_can_be_claimed_from_as_well(
    site: Site, pair: Pair, clock: Clock
) -> None:
    page, name = pair.play("0"), name_of(pair.o)
    clock.goes_on(60)
    be_here(site, pair.o)
    page = pair.x.ask(page)
    assert (page.heading, page.buttons[-1]) == (f"{name} is thinking", "Claim the game")
    assert not [one for one in page.the("record").all("p") if one.has("data-seconds")]


def test_after_ten_minutes_a_finished_game_asks_no_more(pair: Pair, clock: Clock) -> None:
    pair.play(X_WINS)
    assert waits(pair.x.get(pair.address))
    clock.goes_on(601)
    assert not waits(pair.x.get(pair.address))
    asking = pair.x.try_to("again", pair.x.get(pair.address), fragment=True)
    assert waits(asking), "but anyone who asks for a rematch then hears of the answer"


@pytest.mark.parametrize("htmx", [False, True])
def test_a_rematch_takes_both_and_swaps_the_marks(pair: Pair, htmx: bool) -> None:
    late = pair.o.get(pair.address)
    pair.play(X_WINS)
    asking = pair.x.press(pair.x.get(pair.address), "Rematch", htmx=htmx)
    assert asking.address == pair.address
    told = f"Rematch asked for: {name_of(pair.o)} has to accept."
    assert told in asking.the("record").text
    name = name_of(pair.x)
    said = f"{name} wins: top row. {name} asks for a rematch."
    assert pair.o.ask(late).announcement == said
    following = pair.o.press(pair.o.get(pair.address), "Accept", htmx=htmx)
    assert following.address != pair.address
    assert following.heading == "Your turn"
    assert "Claim the game" not in following.buttons, "the rematch begins without an absence"
    assert pair.x.get(following.address).heading == f"{name_of(pair.o)} is thinking"
    assert pair.x.ask(asking).headers["HX-Redirect"] == following.address
    assert pair.x.press(pair.x.get(pair.address), "Rematch").address == following.address


def test_nobody_is_drawn_into_a_second_game_by_a_rematch(
    site: Site, pair: Pair, alice: Visitor, bob: Visitor
) -> None:
    pair.play(X_WINS)
    pair.act(alice, "again")
    other = sit_down(site.visitor(), alice)
    refused = pair.act(bob, "again")
    assert (refused.status, refused.refusal) == (409, "Your opponent is in another game now.")
    other.act(other.x, "resign")
    assert pair.act(bob, "again").status == 303


def test_no_rematch_is_offered_with_a_player_who_left(pair: Pair) -> None:
    pair.play("03142")
    assert pair.o.get(pair.address).button("Rematch").get("aria-disabled") != "true"
    pair.x.post("/you/forget")
    page = pair.o.get(pair.address)
    assert page.button("Rematch").get("aria-disabled") == "true"
