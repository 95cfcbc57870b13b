"""Games between two people at two devices: joining, playing, leaving, and going on."""

from __future__ import annotations

import re

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


def id_of(pair: Pair) -> str:
    return pair.address.removeprefix("/games/")


# --- waiting and joining --------------------------------------------------------------------------


def test_one_who_waits_sees_the_code_the_link_and_a_picture_of_it(alice: Visitor) -> None:
    page = challenge(alice)
    code = code_of(page)
    assert re.fullmatch(r"[2-9A-HJKMNP-Z]{6}", code)
    link = f"http://localhost/join/{code}"
    assert page.links[link] == link
    (picture,) = [one for one in page.game.all("svg") if one.get("role") == "img"]
    assert picture.get("aria-label") == "QR code of this address"
    assert page.heading == "Waiting for a classmate"
    assert (page.playable, page.buttons) == ([], ["Withdraw"])


def test_only_the_one_who_waits_sees_the_code_on_the_page(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    assert code_of(page) not in bob.get(page.address).text


@pytest.mark.parametrize("typed", ["{}", "{} ", "lower", "spaced", "hyphen"])
def test_a_code_is_read_as_people_type_it(alice: Visitor, bob: Visitor, typed: str) -> None:
    page = challenge(alice)
    code = code_of(page)
    text = {
        "lower": code.lower(),
        "spaced": f" {code[:3]} {code[3:]} ".lower(),
        "hyphen": f"{code[:3]}-{code[3:]}",
    }.get(typed, typed.format(code))
    found = bob.follow(bob.get("/join", query_string={"code": text}))
    assert found.document.all("h1")[0].text == f"{name_of(alice)} wants to play"
    assert bob.press(found, "Take the seat").heading == f"{name_of(alice)} to move"


@pytest.mark.parametrize("mark", ["x", "o", "random"])
def test_a_challenger_gets_the_mark_they_asked_for(alice: Visitor, bob: Visitor, mark: str) -> None:
    page = challenge(alice, mark)
    assert bob.post(f"/join/{code_of(page)}").status == 303
    turns = {who: who.get(page.address).heading == "Your turn" for who in (alice, bob)}
    assert sorted(turns.values()) == [False, True]
    if mark != "random":
        assert turns[alice] is (mark == "x")


def test_chance_gives_either_mark(alice: Visitor, site: Site) -> None:
    given = set()
    for _ in range(40):
        stored = site.stored(challenge(alice, "random").address.removeprefix("/games/"))
        given.add("x" if stored["x_seat"] else "o")
    assert given == {"x", "o"}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("agent", ["WhatsApp/2.23", "Slackbot-LinkExpanding 1.0", "Mozilla/5.0"])
def test_a_preview_of_the_link_takes_nothing(
    site: Site, alice: Visitor, method: str, agent: str
) -> None:
    code = code_of(challenge(alice))
    before = site.dump()
    answer = site.visitor().send(method, f"/join/{code}", headers={"User-Agent": agent})
    assert answer.status == 200
    assert site.dump() == before


def test_a_third_one_watches(site: Site, pair: Pair, alice: Visitor) -> None:
    pair.play("04")
    carol = site.visitor()
    code = site.stored(id_of(pair))["code"]
    late = carol.post(f"/join/{code}")
    assert late.status == 409
    assert "Somebody was quicker" in late.document.text
    seen = carol.get(late.links["Watch"])
    assert seen.watching
    assert seen.heading == f"{name_of(alice)} to move"
    assert pace(seen) == 1
    pair.play("8")
    assert poll(carol, seen).board == "X...O...X"


def test_nobody_sits_opposite_themselves(site: Site, alice: Visitor) -> None:
    page = challenge(alice)
    before = site.dump()
    answer = alice.post(f"/join/{code_of(page)}")
    assert answer.status == 409
    assert "your own challenge" in answer.document.text
    assert answer.links["Go to the game"] == page.address
    assert site.dump() == before


@pytest.mark.parametrize(
    "code", ["AAAAAA", "-", "%00", "%F0%9F%90%BC", "a" * 3000, "..%2F..", "%3Cb%3E", "'%20OR%201=1"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_code_of_nobody_leads_nowhere(site: Site, bob: Visitor, method: str, code: str) -> None:
    before = site.dump()
    answer = bob.send(method, f"/join/{code}", {} if method == "POST" else None)
    assert answer.status == 404
    assert site.dump() == before
    assert "<b>" not in answer.document.text


@pytest.mark.parametrize("code", ["", "   ", "AAAAAA", "a/b", "\x00", "?", "🐼", "%"])
def test_a_typed_code_of_nobody_is_told_so(bob: Visitor, code: str) -> None:
    answer = bob.get("/join", query_string={"code": code})
    assert answer.status == 303
    assert bob.get(answer.location).status == 404


def test_a_new_challenge_takes_the_place_of_an_older_one(alice: Visitor, bob: Visitor) -> None:
    old = challenge(alice)
    new = challenge(alice, "o")
    assert alice.get(old.address).status == 404
    assert bob.post(f"/join/{code_of(old)}").status == 404
    assert bob.post(f"/join/{code_of(new)}").status == 303


def test_who_joins_somebody_waits_for_nobody_any_more(
    site: Site, alice: Visitor, bob: Visitor
) -> None:
    abandoned = challenge(bob)
    bob.post(f"/join/{code_of(challenge(alice))}")
    assert bob.get(abandoned.address).status == 404
    assert site.visitor().post(f"/join/{code_of(abandoned)}").status == 404


def test_who_comes_too_late_goes_on_waiting(site: Site, alice: Visitor, bob: Visitor) -> None:
    mine, other = challenge(bob), challenge(alice)
    site.visitor().post(f"/join/{code_of(other)}")
    assert bob.post(f"/join/{code_of(other)}").status == 409
    assert bob.get(mine.address).heading == "Waiting for a classmate"


@pytest.mark.parametrize("moves", ["", "0"])
def test_the_front_page_leads_back_to_a_game_with_a_classmate(pair: Pair, moves: str) -> None:
    pair.play(moves)
    for who, turn in ((pair.x, not moves), (pair.o, bool(moves))):
        who.start("easy", "x", cell=4)
        front = who.get("/")
        assert front.links["Continue your game with a classmate"] == pair.address
        assert "Continue your game against Easy" in front.links
        assert ("It is your turn there." in front.text) is turn


def test_the_front_page_leads_back_to_a_challenge(alice: Visitor) -> None:
    page = challenge(alice)
    assert alice.get("/").links["Your challenge waits for a classmate"] == page.address


def test_a_new_challenge_leaves_a_game_in_progress_alone(pair: Pair, alice: Visitor) -> None:
    pair.play("0")
    challenge(alice)
    assert pair.play("4").board == "X...O...."


def test_a_challenge_is_withdrawn_by_the_one_who_made_it(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    answer = alice.try_to("resign", page)
    assert (answer.status, answer.location) == (303, "/class")
    assert bob.get(page.address).status == 404
    assert bob.get(f"/join/{code_of(page)}").status == 404


def test_who_withdraws_by_htmx_is_led_to_the_class(alice: Visitor) -> None:
    page = challenge(alice)
    answer = alice.try_to("resign", page, fragment=True)
    # A redirect would be followed inside the page: the class would stand where the board was.
    assert answer.headers.get("HX-Redirect") == "/class"


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", GAMES)
@pytest.mark.parametrize("mark", ["x", "o"])
def test_two_people_play_a_whole_game(
    alice: Visitor, bob: Visitor, *, outcome: str, mark: str
) -> None:
    moves = GAMES[outcome]
    page = challenge(alice, mark)
    assert bob.post(f"/join/{code_of(page)}").status == 303
    first, second = (alice, bob) if mark == "x" else (bob, alice)
    pair = Pair(first, second, page.address)
    pair.play(moves)
    for who, own in ((first, "x"), (second, "o")):
        seen = who.get(pair.address)
        assert (seen.outcome, seen.playable) == (outcome, [])
        assert "Ask for a rematch" in seen.buttons
        assert seen.links["Review this game"].startswith(f"/review/{moves}")
        won = int(outcome == own), int(outcome == "draw"), int(outcome not in (own, "draw"))
        assert seen.score == won
        other = second if who is first else first
        assert seen.score_against == name_of(other)
        if outcome != "draw":
            assert seen.heading.startswith("You win" if own == outcome else name_of(other))
        assert pair.act(who, "moves", cell=6).status == 409


def test_the_review_of_a_live_game_opens(pair: Pair, alice: Visitor) -> None:
    review = alice.get(pair.play(GAMES["x"]).links["Review this game"])
    assert review.status == 200


@pytest.mark.parametrize("what", ["moves", "undo", "hint", "claim", "again"])
def test_what_cannot_be_done_says_why_and_stores_nothing(
    site: Site, pair: Pair, bob: Visitor, what: str
) -> None:
    pair.play("04")
    before = site.dump()
    page = bob.get(pair.address)
    for fragment in (False, True):
        answer = bob.try_to(what, page, {"cell": 8}, fragment=fragment)
        assert answer.status == 409
        assert answer.refusal
        assert answer.board == page.board
    assert site.dump() == before


def test_an_old_version_is_refused_in_a_live_game(pair: Pair, bob: Visitor) -> None:
    old = bob.get(pair.address)
    pair.play("0")
    assert bob.try_to("moves", old, {"cell": 4}).status == 409
    assert bob.try_to("resign", old).status == 409
    assert bob.get(pair.address).board == "X........"


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


@pytest.mark.parametrize("moves", ["", "0", "04"])
@pytest.mark.parametrize("loser", ["x", "o"])
def test_who_resigns_loses(pair: Pair, *, moves: str, loser: str) -> None:
    pair.play(moves)
    gone, other = (pair.x, pair.o) if loser == "x" else (pair.o, pair.x)
    assert pair.act(gone, "resign").status == 303
    assert gone.get(pair.address).heading == f"{name_of(other)} wins: you resigned"
    won = other.get(pair.address)
    assert won.heading == f"You win: {name_of(gone)} resigned"
    assert ("No move was played." in won.text) is (not moves)
    counts = len(moves) == 2
    assert won.score == (counts, 0, 0)
    assert gone.get(pair.address).score == (0, 0, counts)
    assert (NOT_COUNTED in won.text) is not counts


@pytest.mark.parametrize("who", ["x", "o"])
def test_nobody_moves_after_somebody_resigned(pair: Pair, who: str) -> None:
    pair.play("04")
    pair.act(pair.o, "resign")
    mover = pair.x if who == "x" else pair.o
    page = mover.get(pair.address)
    assert page.playable == []
    assert mover.try_to("moves", page, {"cell": 8}).status == 409
    assert mover.get(pair.address).board == page.board


def test_a_game_is_claimed_after_a_minute_by_the_one_who_waits(pair: Pair, clock: Clock) -> None:
    pair.play("0")
    clock.goes_on(59)
    assert "Claim the game" not in pair.x.get(pair.address).buttons
    assert pair.act(pair.x, "claim").status == 409
    clock.goes_on(1)
    assert "Claim the game" not in pair.o.get(pair.address).buttons
    assert pair.act(pair.o, "claim").status == 409
    waiting = pair.x.get(pair.address)
    assert f"{name_of(pair.o)} has not moved for a minute" in waiting.game.text
    won = pair.x.press(waiting, "Claim the game")
    assert won.heading == f"You win: {name_of(pair.o)} stayed away"
    assert pair.o.get(pair.address).heading == f"{name_of(pair.x)} wins: you stayed away"


def test_who_comes_back_in_time_plays_on(pair: Pair, clock: Clock) -> None:
    pair.play("0")
    clock.goes_on(600)
    pair.play("4")
    assert pair.act(pair.o, "claim").status == 409
    assert "Claim the game" not in pair.o.get(pair.address).buttons


def test_nobody_claims_a_challenge(alice: Visitor, clock: Clock) -> None:
    page = challenge(alice)
    clock.goes_on(300)
    assert alice.get(page.address).buttons == ["Withdraw"]
    assert alice.try_to("claim", page).status == 409


# --- news -----------------------------------------------------------------------------------------


def test_one_who_waits_is_told_when_something_happened(pair: Pair) -> None:
    page = pair.o.get(pair.address)
    assert pace(page) == 1
    assert poll(pair.o, page).status == 204
    pair.play("4")
    news = poll(pair.o, page)
    assert news.is_fragment
    assert news.announcement == f"{name_of(pair.x)} took the centre. Your turn."
    assert news.heading == "Your turn"
    assert pace(news) is None
    assert "Refresh" not in news.links


def test_the_challenger_is_told_who_came(alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    assert pace(page) == 1
    assert poll(alice, page).status == 204
    bob.post(f"/join/{code_of(page)}")
    news = poll(alice, page)
    said = f"{name_of(bob)} is here. You have X: choose any cell. Your turn."
    assert news.announcement == said


@pytest.mark.parametrize(
    "seconds,expected", [(0, 1), (59, 1), (61, 1), (119, 1), (121, 5), (599, 5), (3600, 5)]
)
def test_pages_ask_less_often_after_two_minutes(
    pair: Pair, clock: Clock, seconds: int, expected: int
) -> None:
    pair.play("0")
    clock.goes_on(seconds)
    page = pair.x.get(pair.address)
    assert pace(page) == expected
    assert poll(pair.x, page).status == 204


def test_the_moments_themselves_are_news(pair: Pair, clock: Clock) -> None:
    pair.play("0")
    page = pair.x.get(pair.address)
    clock.goes_on(60)
    page = poll(pair.x, page)
    assert "Claim the game" in page.buttons
    assert "claim" in page.announcement
    clock.goes_on(60)
    page = poll(pair.x, page)
    assert pace(page) == 5
    assert page.announcement == ""
    assert poll(pair.x, page).status == 204


def test_nobody_is_asked_for_news_on_their_own_turn(pair: Pair) -> None:
    assert pace(pair.x.get(pair.address)) is None


def test_after_ten_minutes_a_finished_game_asks_no_more(pair: Pair, clock: Clock) -> None:
    pair.play(GAMES["x"])
    assert pace(pair.x.get(pair.address)) == 1
    clock.goes_on(601)
    assert pace(pair.x.get(pair.address)) is None


def test_without_scripts_there_is_a_link_to_look_again(pair: Pair) -> None:
    waiting = pair.o.get(pair.address)
    (plain,) = waiting.document.all("noscript")
    assert plain.all("a")[0].get("href") == pair.address
    assert not pair.x.get(pair.address).document.all("noscript")
    pair.play(GAMES["x"])
    pair.act(pair.x, "again")
    assert pair.x.get(pair.address).document.all("noscript")


def test_who_looks_late_hears_the_result_and_who_asks_for_a_rematch(pair: Pair) -> None:
    page = pair.o.get(pair.address)
    pair.play(GAMES["x"])
    pair.act(pair.x, "again")
    name = name_of(pair.x)
    said = f"{name} wins: top row. {name} asks for a rematch."
    assert poll(pair.o, page).announcement == said


def test_a_game_whose_player_has_been_forgotten_is_told_to_be_gone(pair: Pair) -> None:
    page = pair.o.get(pair.address)
    pair.x.post("/you/forget")
    gone = poll(pair.o, page)
    assert gone.status == 404
    assert "one of its players has deleted it" in gone.text


@pytest.mark.parametrize("query", ["since=x", "since=1&since=2", "phase=x", "phase=99"])
def test_a_question_that_makes_no_sense_is_refused(pair: Pair, query: str) -> None:
    assert pair.o.get(f"{pair.address}?{query}").status == 422


# --- the rematch ----------------------------------------------------------------------------------


def test_a_rematch_takes_both_and_swaps_the_marks(pair: Pair) -> None:
    pair.play(GAMES["x"])
    asking = pair.x.press(pair.x.get(pair.address), "Ask for a rematch")
    assert asking.address == pair.address
    assert f"You asked for a rematch. {name_of(pair.o)} has to agree." in asking.game.text
    asked = pair.o.get(pair.address)
    assert f"{name_of(pair.x)} asks for a rematch." in asked.game.text
    following = pair.o.press(asked, "Rematch, swapped")
    assert following.address != pair.address
    assert following.heading == "Your turn"
    assert pair.x.get(following.address).heading == f"{name_of(pair.o)} to move"
    told = pair.x.get(asking.game.get("hx-get"), fragment=True)
    assert told.headers["HX-Redirect"] == following.address
    assert pair.x.press(pair.x.get(pair.address), "To the rematch").address == following.address


@pytest.mark.parametrize("htmx", [False, True])
def test_asking_twice_is_harmless(site: Site, pair: Pair, htmx: bool) -> None:
    pair.play(GAMES["x"])
    for _ in range(2):
        page = pair.x.get(pair.address)
        answer = pair.x.try_to("again", page, fragment=htmx)
        assert answer.status == (200 if htmx else 303)
        if htmx:
            assert answer.version == site.stored(id_of(pair))["version"]
    assert not site.stored(id_of(pair))["next_id"]
    first = pair.act(pair.o, "again")
    again = pair.act(pair.o, "again")
    assert first.location == again.location == pair.act(pair.x, "again").location


def test_the_rematch_begins_without_an_absence(pair: Pair) -> None:
    pair.play(GAMES["o"])
    pair.act(pair.o, "again")
    page = pair.x.get(pair.address)
    begun = pair.x.try_to("again", page, fragment=True)
    assert "not moved" not in begun.game.text
    assert "Claim the game" not in begun.buttons
    assert pace(begun) == 1


def test_who_asks_late_for_a_rematch_hears_of_the_answer(pair: Pair, clock: Clock) -> None:
    pair.play(GAMES["x"])
    clock.goes_on(3600)
    asking = pair.x.try_to("again", pair.x.get(pair.address), fragment=True)
    assert pace(asking) == 1


def test_the_score_between_two_goes_on_over_many_games(pair: Pair) -> None:
    pair.play(GAMES["x"])
    pair.act(pair.x, "again")
    second = Pair(pair.o, pair.x, pair.act(pair.o, "again").location)
    assert second.x.get(second.address).score == (0, 0, 1)
    second.play(GAMES["x"])
    assert second.x.get(second.address).score == second.o.get(second.address).score == (1, 0, 1)


def test_games_with_somebody_else_are_no_part_of_the_score(site: Site, pair: Pair) -> None:
    pair.play(GAMES["x"])
    other = sit_down(pair.x, site.visitor())
    assert other.x.get(other.address).score == (0, 0, 0)
