import re

import pytest

from tests.support import rules
from tests.support.page import Page
from tests.support.people import Pair, challenge, code_of, name_of, played_out, sit_down
from tests.support.rules import EMPTY, NAMES
from tests.support.visitor import FRAGMENT, Site, Visitor
from webapp import words
from webapp.core.game import Game, Kind, Reason, Score
from webapp.core.options import Options
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.names import Player
from webapp.service.pov import Pov
from webapp.web import games
from webapp.web.lobby import qr_drawn
from webapp.web.play import NO_COOKIES, announcement
from webapp.words import played


def stamps(page: Page) -> dict[str, tuple[str, str]]:
    steps = {step.all("b")[0].text: step for step in page.the("ladder").with_class("step")}
    return {
        name: (step.with_class("ring")[0].get("class"), step.with_class("says")[0].text)
        for name, step in steps.items()
    }


def test_a_browser_that_keeps_no_cookies_is_told_so_in_the_place_of_a_refusal(site: Site) -> None:
    forgetful = site.app.test_client(use_cookies=False)
    begun = forgetful.post("/games", data={"opponent": "easy", "mark": "x", "cell": 4})
    move = f"{begun.location}/moves", {"cell": 0, "version": 1}
    answer = forgetful.post(move[0], data=move[1])
    assert (answer.status_code, NO_COOKIES in answer.text) == (403, True)
    watcher = site.visitor()
    watcher.get("/")
    assert "You are watching." in watcher.post(*move).document.text


def test_a_newcomer_is_ready_to_play_medium_and_may_choose_another_opponent(alice: Visitor) -> None:
    page = alice.get("/")
    assert [cell.label for cell in page.cells] == [f"{name.capitalize()}, empty" for name in NAMES]
    assert (page.playable, page.heading, page.moves) == (list(range(9)), "Your turn", [])
    assert page.sentence == "Take any cell: you are X."
    assert (page.opponent, page.mark) == ("medium", "x")
    assert page.the("live") not in page.game.walk()
    said = {"Easy": "not beaten yet", "Medium": "not beaten yet", "Hard": "can be drawn"}
    assert stamps(page) == {name: ("ring", text) for name, text in said.items()}
    options = {one.get("value"): one for one in page.the("opponent").all("option")}
    assert [*options] == [*ENGINES, "menace", "friend"]
    assert options["fork-blocker"].text == "Fork-blocker: stops forks"  # as browsers without tags
    assert all(one.with_class("ring")[0].has("aria-hidden") for one in options.values())
    # A step is a link, for browsers without scripts; it keeps the mark.
    steps = alice.get("/?opponent=slips&mark=o").the("ladder").with_class("step")
    followed = alice.get(steps[0].get("href"))
    assert (followed.opponent, followed.mark, followed.heading) == ("easy", "o", "Easy goes first")
    (chosen,) = [one for one in followed.the("ladder").all("a") if one.has("aria-current")]
    assert chosen.get("data-opponent") == "easy"


def test_a_first_win_is_an_event_once_and_the_stair_shows_what_is_beaten(alice: Visitor) -> None:
    won = 0
    while won < 2:
        page = played_out(alice)
        won += page.outcome == "x"
        event = [one.text for one in page.document.with_class("first")]
        first = page.outcome == "x" and won == 1
        assert event == ["First win against Easy"] * first
    assert stamps(alice.get("/"))["Easy"] == ("ring won", "beaten 2 times")
    [won_stamp] = alice.get("/").the("opponent").all("option")[0].with_class("won")
    assert won_stamp.has("aria-hidden")


def test_a_page_begins_one_game_and_its_controls_are_for_the_next(alice: Visitor) -> None:
    page, other = alice.get("/?opponent=easy&mark=x"), alice.get("/")
    once, twice = (alice.press(page, page.cell(cell)) for cell in (4, 0))
    assert once.address == twice.address, "a double click, or back and another click"
    assert alice.press(other, other.cell(4)).address != once.address
    back = alice.act("undo", once, opponent="hard", mark="o")
    assert (back.score_against, back.playable) == ("Easy", list(range(9)))
    following = alice.act("again", back, opponent="hard", mark="o")
    assert (following.board.count("X"), following.score_against) == (1, "Hard")
    for key in ("'; DROP TABLE games; --", "ü٣\x00", "k" * 3000):
        fields = {"opponent": "easy", "mark": "x", "cell": "4", "key": key}
        first, second = (alice.post("/games", fields) for _ in range(2))
        assert (first.status, first.location) == (303, second.location), key


def test_a_new_game_asks_first_where_the_one_before_would_count_as_lost(site: Site) -> None:
    for which in ("finished", "early", "forfeited", "undone"):
        alice, htmx = site.visitor(), which in ("early", "undone")
        page = alice.start("hard", "x", cell=1)
        if which == "finished":
            page = played_out(alice, page=page)
        elif which == "undone":
            page = alice.act("undo", page)
        elif which == "forfeited":
            page = alice.move(page, page.playable[0])
        front = alice.press(page, "Play again" if which == "finished" else "New game", htmx=htmx)
        if lost := which in ("forfeited", "undone"):
            assert (front.heading, front.board) == ("Start a new game?", page.board)
            assert (front.playable, front.links["Keep playing"]) == ([], page.address)
            assert "If you start a new game, you lose this one." in front.document.text
            assert alice.get(page.address).outcome == "", "to be asked ends nothing"
            front = alice.press(front, "New game", htmx=htmx)
        assert (front.board, front.version, front.heading) == (EMPTY, 0, "Your turn")
        left = alice.get(page.address)
        assert (front.opponent, left.buttons) == ("hard", ["Play again"])
        if which != "finished":
            assert left.heading == ("Hard wins: you left" if lost else "You left this game")


def test_a_watcher_sees_the_board_without_hint_or_controls(alice: Visitor, bob: Visitor) -> None:
    page = alice.start("hard", "x", cell=4)
    taken = page.cell(4)  # keeps its button, and says what is there
    assert (taken.label, taken.element.tag) == ("Centre, X", "button")
    assert (taken.element.get("aria-disabled"), taken.element.has("disabled")) == ("true", False)
    hinted = alice.act("hint", page)
    seen = bob.get(page.address, query_string={"opponent": "friend", "mark": "o"})
    assert (seen.watching, seen.hinted, seen.score, seen.heading) == (True, [], None, "X to move")
    assert (seen.board, seen.version, seen.moves) == (page.board, hinted.version, page.moves)
    assert [cell.label for cell in seen.cells] == [cell.label for cell in page.cells]
    assert all(cell.element.tag != "button" for cell in seen.cells)
    assert (seen.game.has("data-topic"), seen.game.has("data-here")) == (True, True)
    alice.move(hinted, hinted.playable[0])
    assert bob.ask(seen).version == 3


def test_a_hint_and_an_undo_are_said_and_then_only_a_loss_counts(alice: Visitor) -> None:
    first = alice.start("hard", "x", cell=4)
    page = alice.press(first, "Hint", htmx=True)
    (hinted,) = page.hinted
    assert page.sentence.startswith(f"Try the {NAMES[hinted]}")
    assert page.announcement.startswith(page.sentence)
    page = alice.get(page.address)
    assert (page.hinted, page.cell(hinted).playable) == ([hinted], True)
    assert "You used a hint or undo, so now only a loss counts." in page.document.text
    page = alice.move(page, next(cell for cell in page.playable if cell != hinted))
    assert (page.hinted, "suggested" in page.game.text) == ([], False)
    page = alice.press(page, "Undo", htmx=True)
    assert (page.board, page.moves, page.version) == (first.board, first.moves, 4)
    assert page.announcement == "Move taken back. Your turn."


def test_a_position_stands_and_is_played_on_from(site: Site, alice: Visitor, bob: Visitor) -> None:
    for moves, opponent in (("4", ""), ("40", "hard"), ("031", "friend"), ("04817625", "hard")):
        fields = {"moves": moves, **({"opponent": opponent} if opponent else {})}
        page, board = alice.follow(alice.post("/games", fields)), rules.after(map(int, moves))
        row = site.stored(page.address)
        engine = None if opponent == "friend" else opponent or "medium"
        assert (row["given"], row["engine"]) == (len(moves), engine)
        assert (page.board, page.playable) == (board, rules.free(board))
        assert page.sentence == "Play on from here."
        own = "Not counted: it did not start from an empty board." in page.document.text
        assert own is (opponent != "friend")
        assert (bob.get(page.address).watching, alice.try_to("undo", page).status) == (True, 409)


def test_a_review_leads_into_a_game_from_its_position_or_before_a_mistake(alice: Visitor) -> None:
    for at in (0, 1, 4):
        page = alice.press(alice.get(f"/review/40281?at={at}"), "Try again from here")
        assert (page.board, page.opponent) == (rules.after((4, 0, 2, 8)[:at]), "medium")
    review = alice.get("/review/40281?at=4&opponent=hard")
    page = alice.press(review, "Play this move differently")
    assert (page.board, page.heading) == (rules.after((4, 0, 2)), "Your turn")
    again = [alice.press(review, "Try again from here").address for _ in range(2)]
    assert again[0] == again[1] != page.address


WHOLE: tuple[dict[str, str], ...] = (
    *({}, {"HX-Request": "false"}, {"HX-Request-Type": "partial"}),
    {"HX-Request": "true", "HX-Request-Type": "full"},
    {"HX-Request": "true", "HX-History-Restore-Request": "true"},
    {**FRAGMENT, "HX-History-Restore-Request": "true"},
)


def check_varies(*answers: Page) -> None:
    for answer in answers:
        varying = {name.strip().lower() for name in answer.headers.get("Vary", "").split(",")}
        assert varying >= {"hx-request", "hx-request-type", "hx-history-restore-request"}


def test_a_request_for_no_part_gets_a_whole_page_and_303_after_a_post(alice: Visitor) -> None:
    for headers in WHOLE:
        start = alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}, headers=headers)
        game = alice.follow(start).address
        pages = [alice.get(address, headers=headers) for address in ("/", game, "/games/nothing")]
        assert all(page.text.startswith("<!doctype html>") for page in pages), headers
        hint, stale, bad = (
            alice.post(f"{game}/hint", fields, headers=headers)
            for fields in ({"version": 1}, {"version": 1}, {})
        )
        assert (hint.status, hint.headers["Location"]) == (303, game)
        assert (stale.status, bad.status, "HX-Push-Url" in hint.headers) == (409, 422, False)
        check_varies(start, *pages, hint, stale, bad)
        assert alice.post(f"{game}/again", headers=headers).location != game


def test_htmx_gets_the_game_and_an_address_where_it_is_another(alice: Visitor) -> None:
    for headers in ({"HX-Request": "true"}, FRAGMENT):
        start = alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}, headers=headers)
        assert (start.status, start.is_fragment) == (200, True)
        game = start.headers["HX-Push-Url"]
        for address in ("/", game):
            part = alice.get(address, headers=headers)
            assert part.text.lstrip().startswith('<div id="game"')
            check_varies(part)
        for what, more in (("moves", {"cell": start.playable[0]}), ("hint", {}), ("undo", {})):
            fields = {"version": alice.get(game).version, **more}
            answer, whole = alice.post(f"{game}/{what}", fields, headers=headers), alice.get(game)
            assert (answer.status, answer.is_fragment, answer.title) == (200, True, whole.title)
            assert not {"HX-Push-Url", "Location"} & set(answer.headers.keys())
            assert answer.game.text == whole.game.text
            assert answer.the("record").text == whole.the("record").text
            check_varies(answer)
        answer = alice.post(f"{game}/again", headers=headers)
        assert (answer.status, answer.headers["HX-Push-Url"] != game) == (200, True)
        refused = alice.post("/games", {"opponent": "easy"}, headers=headers)
        assert (refused.status, "HX-Push-Url" in refused.headers) == (422, False)
        check_varies(start, answer, refused)


def test_a_code_leads_to_the_game(site: Site, alice: Visitor, bob: Visitor) -> None:
    page = challenge(alice)
    code = code_of(page)
    assert re.fullmatch(r"[2-9A-HJKMNP-Z]{6}", code)
    assert page.the("invitation").text == f"http://localhost/join/{code}"
    assert qr_drawn(f"http://localhost/join/{code}") in page.text
    assert page.the("finder").text.startswith("Waiting for a classmate")
    before = site.dump()
    (coming,) = [wish[5] for wish in before["wishes"]]
    for who in (alice, bob):
        assert who.get(f"/games/{coming}").location == f"/join/{code}"
    assert alice.get(f"/join/{code}").location == "/class"
    found = bob.follow(bob.post("/join", {"code": f" {code[:3]} {code[3:]}".lower()}))
    assert found.document.all("h1")[0].text == f"{name_of(alice)} wants to play"
    assert plates(found) == [f"{name_of(alice)} plays X", "You you play O"]
    assert (bob.send("HEAD", f"/join/{code}").status, site.dump()) == (200, before)
    joined = bob.press(found, "Join")
    assert joined.heading == f"{name_of(alice)} is thinking"
    assert joined.address == f"/games/{coming}"
    assert alice.ask(page, "class").headers["HX-Redirect"] == joined.address
    for who in (alice, bob):  # who go back, or send it again
        assert who.get(f"/join/{code}").location == joined.address
        assert who.post(f"/join/{code}").location == joined.address
    late = site.visitor().post(f"/join/{code}")
    assert (late.status, "someone else was quicker" in late.text) == (404, True)


def plates(page: Page) -> list[str]:
    return [one.text for one in page.document.with_class("plate")]


def test_both_see_who_plays_and_who_has_won(site: Site, pair: Pair) -> None:
    pair.play("0")
    seen, x, o = pair.o.get(pair.address), name_of(pair.x), name_of(pair.o)
    assert (seen.heading, seen.sentence) == ("Your turn", f"{x} took the top left corner.")
    assert plates(seen) == ["You you play O", f"{x} plays X"]
    assert plates(site.visitor().get(pair.address)) == [f"{x} plays X", f"{o} plays O"]
    assert pair.o.get("/").links["Continue your game with a classmate"] == pair.address
    pair.play("3142")
    for who, other, score, wins in (
        (pair.x, o, (1, 0), "You win"),
        (pair.o, x, (0, 1), f"{x} wins"),
    ):
        seen = who.get(pair.address)
        assert (seen.score, seen.score_against, seen.playable) == (score, other, [])
        won = [cell.number for cell in seen.cells if cell.label.endswith(", winning line")]
        assert (won, seen.heading) == ([0, 1, 2], f"{wins}: top row")
        assert who.get(seen.links["Review"]).status == 200


def test_no_rematch_comes_with_a_player_who_is_not_free(site: Site, pair: Pair) -> None:
    pair.play("03142")
    pair.act(pair.x, "again")
    assert f"{name_of(pair.x)} wants a rematch." in pair.o.get(pair.address).document.text
    sit_down(site.visitor(), pair.x)
    refused = pair.act(pair.o, "again")
    assert (refused.status, refused.refusal) == (409, "Your opponent is in another game now.")
    pair.x.post("/you/forget")
    assert pair.o.get(pair.address).button("Rematch").get("aria-disabled") == "true"


ME = "a" * 64


def told(game: Game, viewer: str) -> tuple[Pov, str, str]:
    """A game as someone sees it, heading and sentence; what is announced is short and clean."""
    score = Score(1, 2, 3) if game.engine else None
    pov = Pov(game, game.marks_of(viewer), Options(), Player(viewer, None), score)
    said = announcement(pov, ENGINES, notice="Move taken back.")
    assert len(said.split()) <= words.MOST_AT_ONCE, said
    assert re.fullmatch(r"(?!.*(\.\.|\. \.|None|[{}_!]|  )).+\.", said), said
    by_marks = not (game.engine and pov.marks)
    assert not (by_marks and re.search(r"\b(you|your|I|my)\b", said, re.IGNORECASE)), said
    return pov, games.heading(pov, ENGINES), games.sentence(pov)


@pytest.mark.parametrize("engine,viewer", [("X", ME), ("O", ME), ("X", "b"), ("", ME)])
def test_what_is_told_of_every_position_is_true(engine: str, viewer: str) -> None:
    own = viewer == ME and bool(engine)
    names = {mark: ("Easy" if mark == engine else "You") if own else mark for mark in "XO"}
    x, o = (None if engine == mark else ME for mark in "XO")
    for board, moves in rules.ways():
        over, mover = rules.outcome(board), rules.to_move(board)
        if own and mover == engine and not over:
            continue  # the engine moves at once
        why = [Reason("random") if "XO"[ply % 2] == engine else None for ply in range(len(moves))]
        kind, against = (Kind.ENGINE, "easy") if engine else (Kind.ONE_DEVICE, None)
        game = Game(moves, kind, x, o, against, reasons=tuple(why), id="A" * 22, version=1)
        _, heading, sentence = told(game, viewer)
        expected = "Your turn" if own else f"{mover} to move"
        if over:
            winner, lines = rules.other(mover), rules.complete(board)
            named = "both diagonals" if lines == ["diagonal"] * 2 else " and ".join(lines)
            wins = "win" if names[winner] == "You" else "wins"
            expected = f"{names[winner]} {wins}: {named}" if lines else "A draw"
        assert heading == expected
        if own and moves and mover != engine:
            assert sentence == played.engine_move(moves[-1], Reason("random"))
        elif moves and over != "draw" and not own:
            assert sentence.startswith(f"{rules.other(mover)} took the {NAMES[moves[-1]]}")
        for choice in HARD.choices(game.board)[:1] if own and not over else ():
            hint = choice.cell, choice.reason
            pov, heading, sentence = told(game.suggest(*hint), viewer)
            assert (sentence, heading) == (played.hint(*hint), "Your turn")
            assert [one.number for one in games.cells(pov) if one.hinted] == [choice.cell]
