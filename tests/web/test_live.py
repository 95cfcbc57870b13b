"""Games between two people at two devices: joining, playing, leaving, and going on."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.support.page import Page
from tests.support.people import Clock, Pair, challenge, code_of, name_of, sit_down
from tests.support.visitor import Site, Visitor

GAMES = {"x": "03142", "o": "031485", "draw": "048176253"}
"""A game for every outcome."""
NOT_COUNTED = "Over before both had moved, this game does not count."


@pytest.fixture
def pair(alice: Visitor, bob: Visitor) -> Pair:
    """Two at a game; Alice has X."""
    return sit_down(alice, bob)


@pytest.fixture
def clock(site: Site) -> Clock:
    """A clock that stands still until the test moves it on."""
    return Clock(site)


def poll(who: Visitor, page: Page) -> Page:
    """Ask for news as the page does by itself."""
    return who.get(page.game.get("hx-get"), fragment=True, onto=page)


def pace(page: Page) -> int | None:
    """After how many seconds a page asks for news."""
    found = re.fullmatch(r"every (\d)s", page.game.get("hx-trigger", "never"))
    return int(found[1]) if found else None


def stored(site: Site, pair: Pair) -> dict[str, object]:
    return site.stored(pair.address.removeprefix("/games/"))


# --- waiting and joining --------------------------------------------------------------------------


def test_only_the_challenger_sees_the_code_the_link_and_a_picture_of_it(
    alice: Visitor, bob: Visitor
) -> None:
    page = challenge(alice)
    code = code_of(page)
    assert re.fullmatch(r"[2-9A-HJKMNP-Z]{6}", code)
    link = f"http://localhost/join/{code}"
    assert page.links[link] == link
    (picture,) = [one for one in page.game.all("svg") if one.get("role") == "img"]
    assert picture.get("aria-label") == "QR code of this address"
    assert page.heading == "Waiting for a classmate"
    assert (page.playable, page.buttons) == ([], ["Withdraw"])
    assert code not in bob.get(page.address).text


@pytest.mark.parametrize("typed", ["{0}{1}", " {0} {1} ", "{0}-{1}"])
@pytest.mark.parametrize("mark", ["x", "o", "random"])
def test_a_code_is_read_as_people_type_it_and_leads_to_the_free_seat(
    site: Site, alice: Visitor, bob: Visitor, *, typed: str, mark: str
) -> None:
    page = challenge(alice, mark)
    code = code_of(page)
    before = site.dump()
    assert bob.send("HEAD", f"/join/{code}").status == 200
    text = typed.format(code[:3], code[3:]).lower()
    found = bob.follow(bob.get("/join", query_string={"code": text}))
    assert found.document.all("h1")[0].text == f"{name_of(alice)} wants to play"
    assert site.dump() == before, "looking takes no seat"
    game = bob.press(found, "Take the seat")
    turns = {who: who.get(game.address).heading == "Your turn" for who in (alice, bob)}
    assert sorted(turns.values()) == [False, True]
    assert mark == "random" or turns[alice] is (mark == "x")


def test_a_third_player_watches(site: Site, pair: Pair, alice: Visitor) -> None:
    pair.play("04")
    carol = site.visitor()
    late = carol.post(f"/join/{stored(site, pair)['code']}")
    assert late.status == 409
    assert "Somebody was quicker" in late.document.text
    seen = carol.get(late.links["Watch"])
    assert seen.watching
    assert seen.heading == f"{name_of(alice)} to move"
    assert pace(seen) == 1
    assert poll(carol, seen).status == 204
    pair.play("8")
    assert poll(carol, seen).board == "X...O...X"


@pytest.mark.parametrize("code", ["AAAAAA", "", "\x00", "🐼", "a" * 3000, "..%2F..", "<b>", "%"])
def test_a_code_of_nobody_leads_nowhere(site: Site, bob: Visitor, code: str) -> None:
    before = site.dump()
    there = bob.get("/join", query_string={"code": code}).location
    for answer in (bob.get(there), bob.post(there)):
        assert answer.status == 404
        assert "<b>" not in answer.document.text
    assert site.dump() == before


def test_a_player_has_one_challenge_and_none_after_joining(
    site: Site, alice: Visitor, bob: Visitor
) -> None:
    old, other = challenge(alice), challenge(bob)
    new = challenge(alice, "o")
    assert alice.get(old.address).status == 404
    assert bob.post(f"/join/{code_of(old)}").status == 404
    taken = sit_down(site.visitor(), site.visitor())
    assert bob.post(f"/join/{stored(site, taken)['code']}").status == 409
    front = bob.get("/")
    assert front.links["Your challenge waits for a classmate"] == other.address
    assert bob.post(f"/join/{code_of(new)}").status == 303
    assert bob.get(other.address).status == alice.post(f"/join/{code_of(other)}").status == 404
    challenge(alice)  # which leaves the game alone
    alice.start("easy", "x", cell=4)
    for who, turn in ((alice, False), (bob, True)):
        front = who.get("/")
        assert front.links["Continue your game with a classmate"] == new.address
        assert ("It is your turn there." in front.text) is turn
        assert ("Continue your game against Easy" in front.links) is (who is alice)


@pytest.mark.parametrize("htmx", [False, True])
def test_a_challenge_can_be_withdrawn(alice: Visitor, bob: Visitor, htmx: bool) -> None:
    page = challenge(alice)
    answer = alice.try_to("resign", page, fragment=htmx)
    # A redirect would be followed inside the page: the class would stand where the board was.
    assert answer.headers.get("HX-Redirect" if htmx else "Location") == "/class"
    assert bob.get(page.address).status == bob.get(f"/join/{code_of(page)}").status == 404


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", GAMES)
@pytest.mark.parametrize("mark", ["x", "o"])
def test_two_people_play_a_whole_game(
    alice: Visitor, bob: Visitor, *, outcome: str, mark: str
) -> None:
    moves = GAMES[outcome]
    page = challenge(alice, mark)
    assert bob.post(f"/join/{code_of(page)}").status == 303
    pair = Pair(*((alice, bob) if mark == "x" else (bob, alice)), page.address)
    pair.play(moves)
    for who, other, own in ((pair.x, pair.o, "x"), (pair.o, pair.x, "o")):
        seen = who.get(pair.address)
        assert (seen.outcome, seen.playable) == (outcome, [])
        assert "Ask for a rematch" in seen.buttons
        assert seen.links["Review this game"].startswith(f"/review/{moves}")
        assert who.get(seen.links["Review this game"]).status == 200
        won = int(outcome == own), int(outcome == "draw"), int(outcome not in (own, "draw"))
        assert (seen.score, seen.score_against) == (won, name_of(other))
        if outcome != "draw":
            assert seen.heading.startswith("You win" if own == outcome else name_of(other))


def test_every_accepted_change_adds_one_to_the_version(site: Site, pair: Pair) -> None:
    assert stored(site, pair)["version"] == 2, "opened and joined"
    old = pair.x.get(pair.address)
    for version, cell in enumerate("04", 3):
        assert pair.play(cell).version == version
    for fragment, what in product((False, True), ("moves", "resign", "claim")):
        answer = pair.x.try_to(what, old, {"cell": 8}, fragment=fragment)
        assert (answer.status, answer.board, bool(answer.refusal)) == (409, "X...O....", True)
    for version, (who, what) in enumerate(
        ((pair.x, "resign"), (pair.x, "again"), (pair.o, "again")), 5
    ):
        assert pair.act(who, what).status == 303
        assert stored(site, pair)["version"] == version
    assert pair.act(pair.x, "again").status == 303
    assert stored(site, pair)["version"] == 7, "what has happened already changes nothing"


def test_both_see_whose_turn_it_is_and_who_the_other_is(
    site: Site, pair: Pair, alice: Visitor, bob: Visitor
) -> None:
    alices, bobs = alice.get(pair.address), bob.get(pair.address)
    assert alices.sentence == f"{name_of(bob)} is here. You have X: choose any cell."
    assert bobs.heading == f"{name_of(alice)} to move"
    assert bobs.sentence == f"{name_of(alice)} has X and moves first."
    pair.play("0")
    seen = bob.get(pair.address)
    assert seen.heading == "Your turn"
    assert seen.sentence == f"{name_of(alice)} took the top left corner."
    assert f"You play O against {name_of(alice)}." in seen.text
    assert f"You play X against {name_of(bob)}." in alice.get(pair.address).text
    watched = site.visitor().get(pair.address)
    assert f"{name_of(alice)} plays X and {name_of(bob)} plays O." in watched.text


# --- giving up and staying away -------------------------------------------------------------------


@pytest.mark.parametrize("moves,loser", [("", "x"), ("0", "o"), ("04", "x"), ("04", "o")])
def test_resigning_loses(pair: Pair, *, moves: str, loser: str) -> None:
    pair.play(moves)
    gone, other = (pair.x, pair.o) if loser == "x" else (pair.o, pair.x)
    assert pair.act(gone, "resign").status == 303
    assert gone.get(pair.address).heading == f"{name_of(other)} wins: you resigned"
    won = other.get(pair.address)
    assert won.heading == f"You win: {name_of(gone)} resigned"
    assert won.playable == []
    assert ("No move was played." in won.text) is (not moves)
    counts = len(moves) == 2
    assert won.score == (counts, 0, 0)
    assert gone.get(pair.address).score == (0, 0, counts)
    assert (NOT_COUNTED in won.text) is not counts


def test_a_game_is_claimed_after_a_minute_by_the_player_who_waits(pair: Pair, clock: Clock) -> None:
    pair.play("0")
    clock.goes_on(600)
    pair.play("4")  # anyone who comes back in time plays on
    clock.goes_on(59)
    assert "Claim the game" not in pair.o.get(pair.address).buttons
    assert pair.act(pair.o, "claim").status == 409
    clock.goes_on(1)
    assert "Claim the game" not in pair.x.get(pair.address).buttons
    assert pair.act(pair.x, "claim").status == 409
    waiting = pair.o.get(pair.address)
    assert f"{name_of(pair.x)} has not moved for a minute" in waiting.game.text
    won = pair.o.press(waiting, "Claim the game")
    assert won.heading == f"You win: {name_of(pair.x)} stayed away"
    assert pair.x.get(pair.address).heading == f"{name_of(pair.o)} wins: you stayed away"


# --- news -----------------------------------------------------------------------------------------


def test_a_player_who_waits_is_told_when_something_happened(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    assert pace(page) == 1
    assert poll(alice, page).status == 204
    assert bob.post(f"/join/{code_of(page)}").status == 303
    said = f"{name_of(bob)} is here. You have X: choose any cell. Your turn."
    joined = poll(alice, page)
    assert joined.announcement == said
    assert pace(joined) is None
    seen = bob.get(page.address)
    assert (pace(seen), poll(bob, seen).status) == (1, 204)
    (plain,) = seen.document.all("noscript")
    assert plain.all("a")[0].get("href") == page.address
    for query in ("since=x", "since=1&since=2", "phase=x", "phase=99"):
        assert bob.get(f"{page.address}?{query}").status == 422
    alice.move(alice.get(page.address), 4)
    news = poll(bob, seen)
    assert news.is_fragment
    assert news.announcement == f"{name_of(alice)} took the centre. Your turn."
    assert (news.heading, pace(news)) == ("Your turn", None)


def test_the_moments_themselves_are_news(pair: Pair, clock: Clock) -> None:
    pair.play("0")
    page = pair.x.get(pair.address)
    clock.goes_on(59)
    assert poll(pair.x, page).status == 204
    clock.goes_on(1)
    page = poll(pair.x, page)
    assert "Claim the game" in page.buttons
    assert "claim" in page.announcement
    assert (pace(page), poll(pair.x, page).status) == (1, 204)
    for seconds in (60, 480):
        clock.goes_on(seconds)
        page = poll(pair.x, page)
        assert (pace(page), page.announcement) == (5, "")
        assert poll(pair.x, page).status == 204


def test_after_ten_minutes_a_finished_game_asks_no_more(pair: Pair, clock: Clock) -> None:
    pair.play(GAMES["x"])
    assert pace(pair.x.get(pair.address)) == 1
    clock.goes_on(601)
    assert pace(pair.x.get(pair.address)) is None
    asking = pair.x.try_to("again", pair.x.get(pair.address), fragment=True)
    assert pace(asking) == 1, "but anyone who asks for a rematch then hears of the answer"


def test_a_game_whose_player_has_been_forgotten_is_told_to_be_gone(pair: Pair) -> None:
    page = pair.o.get(pair.address)
    pair.x.post("/you/forget")
    gone = poll(pair.o, page)
    assert gone.status == 404
    assert "one of its players has deleted it" in gone.text


# --- the rematch ----------------------------------------------------------------------------------


def test_a_rematch_takes_both_and_swaps_the_marks(pair: Pair) -> None:
    late = pair.o.get(pair.address)
    pair.play(GAMES["x"])
    asking = pair.x.press(pair.x.get(pair.address), "Ask for a rematch")
    assert asking.address == pair.address
    assert f"You asked for a rematch. {name_of(pair.o)} has to agree." in asking.game.text
    name = name_of(pair.x)
    said = f"{name} wins: top row. {name} asks for a rematch."
    assert poll(pair.o, late).announcement == said
    following = pair.o.press(pair.o.get(pair.address), "Rematch, swapped")
    assert following.address != pair.address
    assert following.heading == "Your turn"
    assert pair.x.get(following.address).heading == f"{name_of(pair.o)} to move"
    for answer in (
        pair.x.get(asking.game.get("hx-get"), fragment=True),
        pair.x.get(pair.address, fragment=True),
    ):
        assert answer.headers["HX-Redirect"] == following.address
    assert pair.x.press(pair.x.get(pair.address), "To the rematch").address == following.address


@pytest.mark.parametrize("htmx", [False, True])
def test_asking_twice_is_harmless(site: Site, pair: Pair, htmx: bool) -> None:
    pair.play(GAMES["o"])
    for _ in range(2):
        page = pair.x.get(pair.address)
        answer = pair.x.try_to("again", page, fragment=htmx)
        assert answer.status == (200 if htmx else 303)
        assert stored(site, pair)["version"] == 9
    assert not stored(site, pair)["next_id"]
    begun = pair.o.try_to("again", pair.o.get(pair.address), fragment=htmx)
    assert {pair.act(who, "again").location for who in (pair.x, pair.o)} == {begun.location}
    if htmx:
        assert "not moved" not in begun.game.text, "the rematch begins without an absence"
        assert "Claim the game" not in begun.buttons


def test_the_score_between_two_goes_on_over_many_games(site: Site, pair: Pair) -> None:
    pair.play(GAMES["x"])
    pair.act(pair.x, "again")
    second = Pair(pair.o, pair.x, pair.act(pair.o, "again").location)
    assert second.x.get(second.address).score == (0, 0, 1)
    second.play(GAMES["x"])
    assert second.x.get(second.address).score == second.o.get(second.address).score == (1, 0, 1)
    other = sit_down(pair.x, site.visitor())
    assert other.x.get(other.address).score == (0, 0, 0), "against another player"
