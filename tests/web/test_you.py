from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.page import Page
from tests.support.people import Clock, Pair, challenge, code_of, name_of, player_of, sit_down
from tests.support.visitor import Site, Visitor, open_site
from webapp import names, store
from webapp.core.game import Result
from webapp.engines.registry import ENGINES
from webapp.names import LEFT
from webapp.service import teacher as acts

pytestmark = pytest.mark.usefixtures("clock")
X_WINS, O_WINS, DRAWN = "03142", "031485", "402635178"
"""Moves that end a game: by the top row, by the middle row, and with nine marks."""


def count(site: Site, who: Visitor, opponent: str, *results: Result) -> None:
    with site.database.write() as connection:
        for result in results:
            store.records.record_result(connection, player_of(who), opponent, result)


def counts(page: Page) -> list[str]:
    (totals,) = page.document.with_class("totals")
    return [dd.all("span")[0].get("aria-label") for dd in totals.all("dd")]


def listed(page: Page, label: str) -> list[Element]:
    lists = (one for one in page.document.all("ul") if one.get("aria-label") == label)
    return [item for one in lists for item in one.all("li")]


def stamps(page: Page, label: str) -> dict[str, tuple[str, str]]:
    return {
        one.all("bdi")[0].text: (
            one.all("details")[0].get("class").removeprefix("stamp "),
            one.all("p")[0].text,
        )
        for one in listed(page, label)
    }


def games(page: Page) -> list[tuple[str, str]]:
    links = [one.all("a")[0] for one in listed(page, "Last games")]
    return [(link.text, link.get("href")) for link in links]


def test_a_win_gives_a_stamp(site: Site, alice: Visitor) -> None:
    found = stamps(alice.get("/you"), "Computers")
    assert [*found] == [*(engine.name for engine in ENGINES.values()), "MENACE"]
    assert {look for look, _ in found.values()} == {"missing"}
    alice.come_in()
    count(site, alice, "easy", "w", "w", "l", "d", "w")
    count(site, alice, "hard", "d")
    count(site, alice, "medium", *"llll")
    page = alice.get("/you")
    for said in ("1st of 1 · rating", f"1 of {len(ENGINES) + 1}"):
        assert said in page.document.text
    assert counts(page) == ["3", "2", "5"]
    found = stamps(page, "Computers")
    said = "You have beaten Easy. So far: 3 won, 1 drawn, 1 lost. Best run: 2 wins."
    assert found["Easy"] == ("won", said)
    assert [found[name][0] for name in ("Hard", "Medium")] == ["drawn", "missing"]
    acts.reset_standings(site.service)
    found = stamps(alice.get("/you"), "Computers")
    kept = ("won", "You have beaten Easy. Best run: 2 wins.")
    assert found["Easy"] == kept, "a stamp stays when all begin again"


def test_classmates_give_stamps_and_the_record_is_no_one_elses(site: Site) -> None:
    alice, bob, carol, dave, erin = (site.visitor() for _ in range(5))
    sit_down(alice, bob).play(X_WINS)
    sit_down(bob, alice).play(O_WINS)
    sit_down(alice, carol).play(DRAWN)
    sit_down(alice, dave).play(O_WINS)
    sit_down(alice, erin).play(X_WINS)
    page = alice.get("/you")
    found, looks = stamps(page, "Classmates"), ("won", "drawn", "missing", "won")
    for who, look in zip((bob, carol, dave, erin), looks, strict=True):
        assert found[name_of(who)][0] == look
    assert [look for look, _ in found.values()] == ["won", "won", "drawn", "missing"]
    assert "2 of 4" in page.document.text
    gone = name_of(erin)
    erin.post("/you/forget")
    page = alice.get("/you")
    assert (gone in page.document.text, LEFT in stamps(page, "Classmates")) == (False, False)
    assert counts(page) == ["3", "1", "1"], "what was played was played"
    assert counts(bob.get("/you")) == ["0", "0", "2"]


def test_last_games_lead_to_what_decided(alice: Visitor, bob: Visitor, clock: Clock) -> None:
    for moves in (X_WINS, O_WINS, DRAWN):
        sit_down(alice, bob).play(moves)
        clock.goes_on(1)
    pair = sit_down(bob, alice)
    pair.play("40")
    pair.act(bob, "resign")
    clock.goes_on(1)
    name = name_of(bob)
    found = games(alice.get("/you"))
    assert found == [
        (f"You beat {name} as O · they gave up", "/review/40?mark=o"),
        (f"Drew with {name} as X · board full", f"/review/{DRAWN}?mark=x"),
        (f"Lost to {name} as X · middle row", f"/review/{O_WINS}?mark=x&at=5"),
        (f"You beat {name} as X · top row", f"/review/{X_WINS}?mark=x&at=2"),
    ]
    assert {alice.get(address).status for _text, address in found} == {200}
    assert games(bob.get("/you"))[0][0] == f"Lost to {name_of(alice)} as X · you gave up"
    bob.post("/you/forget")
    assert games(alice.get("/you"))[0][0] == "You beat a player who left as O · they gave up"


def test_a_game_that_goes_on_can_be_gone_on_with_or_given_up(pair: Pair) -> None:
    for moves, told in (("", "It does not count for either player."), ("40", "It counts as lost.")):
        pair.play(moves)
        assert f'hx-confirm="Give up this game? {told}"' in pair.x.get(pair.address).text
    page = pair.x.get("/you")
    (link,) = listed(page, "In progress")[0].all("a")
    assert link.text == f"Against {name_of(pair.o)} your turn"
    assert link.get("href") == pair.address
    assert "their turn" in listed(pair.o.get("/you"), "In progress")[0].text
    ended = pair.x.press(page, "Give up")
    assert (ended.address, ended.outcome) == (pair.address, "o")


@pytest.fixture
def named_site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path / "named", seed="tests", names="own") as site:
        yield site


def test_who_only_looks_is_nobody_until_they_come_in(site: Site, alice: Visitor) -> None:
    monitor = site.app.test_client(use_cookies=False)
    for address in ("/", "/class", "/class/board", "/you", "/puzzles/run", "/learn", "/host"):
        assert 'href="/you"' not in alice.get(address).text
    assert not site.service.live.here()
    monitor.post("/class/come-in")
    assert site.dump()["players"] == [], "nor anyone who keeps no cookie"
    page = alice.press(alice.get("/class"), "Come in", htmx=True)
    name = name_of(alice)
    assert (name, page.the("you").text) == (names.checked(name), f"You are {name}")
    assert "Find an opponent" in page.the("finder").text
    assert alice.come_in().the("you").text == f"You are {name}", "and the same one again"
    assert site.service.live.here() == {player_of(alice)}
    assert len(site.dump()["players"]) == 1


def test_a_name_is_dealt_in_the_players_language(alice: Visitor) -> None:
    alice.get("/class")
    alice.post("/class/come-in", headers={"Accept-Language": "fr"})
    animal, word = name_of(alice).split()
    assert (word in names.WORDS["fr"][0], animal in names.WORDS["fr"][1]) == (True, True)


def test_a_name_comes_with_the_first_game_and_stays_until_its_player_is_new(alice: Visitor) -> None:
    assert "Start as someone new" not in alice.get("/you").document.text
    front = alice.get("/")
    game = alice.press(front, front.cell(4), htmx=True)
    name = name_of(alice)
    assert [one.text for one in game.the("you").all("bdi")] == [name]
    assert name == names.checked(name)
    assert 'hx-target="#you"' not in alice.press(game, game.cell(game.playable[0]), htmx=True).text
    for address in ("/", "/class", "/you", "/privacy", "/lab", "/opponents", game.address):
        assert alice.get(address).the("you").all("bdi")[0].text == name
    page = alice.press(alice.get("/you"), "Get another name")
    assert page.document.all("h1")[0].text == f"You are {name_of(alice)}" != f"You are {name}"
    assert alice.press(page, "Start as someone new").board == rules.EMPTY
    assert alice.get(game.address).watching
    assert name_of(alice) == ""


def test_a_chosen_name_is_kept_and_nobody_gets_one_like_it(named_site: Site) -> None:
    alice, bob = named_site.visitor(), named_site.visitor()
    alice.come_in()
    (dealt,) = alice.get("/you").document.with_class("large")
    page = alice.follow(alice.post("/you/name", {"name": "  Grace   Hopper "}))
    assert page.document.all("h1")[0].text == "You are Grace Hopper"
    (kept,) = page.document.with_class("large")
    assert kept.all("use")[0].get("href") == dealt.all("use")[0].get("href"), "the face stays"
    bob.start("easy", "x", cell=4)
    before = named_site.dump()
    for name, status in (("GRACE hopper", 409), ("", 422), ("a\x00b", 422), ("a" * 3000, 422)):
        answer = bob.post("/you/name", {"name": name})
        assert (answer.status, answer.the("why").text[-1]) == (status, "."), name
        assert answer.the("name").get("aria-describedby") == "why"
    assert named_site.dump() == before


def test_a_name_is_text_wherever_it_is_shown(named_site: Site) -> None:
    for text in ("مرحبا", "李小龙", "ﬁne", "O'Neil"):
        alice, bob, name = named_site.visitor(), named_site.visitor(), names.checked(text)
        assert alice.post("/you/name", {"name": text}).status == 303
        invitation = bob.get(f"/join/{code_of(challenge(alice))}")
        assert name in invitation.document.all("h1")[0].text
        assert name in alice.get("/class").document.text
        game = bob.press(invitation, "Join")
        assert (name if name.isascii() else f"\u2068{name}\u2069") in game.heading
        bob.try_to("resign", game)
        assert name in named_site.visitor().get(game.address).document.text
        assert named_site.visitor().get("/class/board").status == 200
        assert name in bob.get("/class").document.text, "among the last games"


def test_a_player_can_delete_all_that_is_stored(site: Site, alice: Visitor) -> None:
    alice.start("easy", "x", cell=4)
    gone = alice.press(alice.get("/privacy"), "Delete my data")
    assert "Your data has been deleted" in gone.document.text
    assert (gone.response.request.path, name_of(alice)) == ("/privacy", "")
    assert site.dump()["players"] == site.dump()["games"] == []
    assert alice.post("/you/forget").status == 303, "once more is harmless"
