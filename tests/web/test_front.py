"""``GET /``: an empty board, ready."""

import pytest

from tests.support.rules import EMPTY, NAMES
from tests.support.visitor import Site, Visitor
from webapp.engines.registry import ENGINES


def test_a_newcomer_finds_an_empty_board_that_is_ready_to_play_medium(alice: Visitor) -> None:
    page = alice.get("/")
    assert (page.status, page.version, page.outcome) == (200, 0, "")
    assert [cell.label for cell in page.cells] == [f"{name.capitalize()}, empty" for name in NAMES]
    assert (page.playable, page.heading, page.moves) == (list(range(9)), "Your turn", [])
    assert (page.opponent, page.mark) == ("medium", "x")
    assert (page.score_against, page.score) == ("Medium", (0, 0, 0))
    for number, cell in enumerate(page.cells):
        assert (cell.element.get("name"), cell.element.get("value")) == ("cell", str(number))
    assert page.the("live").get("role") == "status"
    assert page.the("live") not in page.game.walk()
    assert page.the("live").text == ""


def test_the_dropdown_says_what_each_opponent_does(alice: Visitor) -> None:
    dropdown = alice.get("/").the("opponent")
    options = {one.get("value"): one.text for one in dropdown.all("option")}
    assert list(options)[:4] == ["easy", "medium", "hard", "friend"]
    (group,) = dropdown.all("optgroup")
    assert group.get("label") == "From the literature"
    assert [one.get("value") for one in group.all("option")] == list(options)[4:]
    assert options.pop("friend") == "A friend, at this device"
    assert options == {slug: f"{one.name}: {one.brief}" for slug, one in ENGINES.items()}


@pytest.mark.parametrize("stored,form", [(False, "play"), (True, "next")])
def test_the_controls_belong_to_the_form_that_begins_a_game(
    alice: Visitor, stored: bool, form: str
) -> None:
    page = alice.start(cell=4) if stored else alice.get("/")
    radios = [one for one in page.document.all("input") if one.get("name") == "mark"]
    assert [one.get("value") for one in radios] == ["x", "o", "alternate"]
    for control in (page.the("opponent"), *radios):
        assert control not in page.game.walk()
        assert control.get("form") == form
    assert "applies to the next game" in page.the("setup").text
    # Enter on a radio presses the first submit button of its form: that one only looks.
    first = next(one for one in page.the(form).all("button") if one.get("type") != "button")
    assert first.has("hidden")
    assert (first.get("formmethod"), first.get("formaction")) == (
        "get",
        page.address if stored else "/",
    )


def test_looking_stores_nothing(site: Site, alice: Visitor) -> None:
    before = site.dump()
    for fragment in (False, True):
        alice.get("/", query_string={"opponent": "hard", "mark": "o"}, fragment=fragment)
    assert (alice.get("/").opponent, alice.get("/").mark) == ("medium", "x")
    assert site.dump() == before


def test_the_key_of_each_page_is_another(alice: Visitor) -> None:
    pages = [alice.get("/").document.all("input") for _ in range(20)]
    keys = [one.get("value") for page in pages for one in page if one.get("name") == "key"]
    assert len(set(keys)) == len(keys) == 20


@pytest.mark.parametrize("htmx", [False, True])
def test_with_o_the_cells_are_inert_and_the_computer_begins_when_told(
    alice: Visitor, htmx: bool
) -> None:
    page = alice.get("/", query_string={"opponent": "hard", "mark": "o"}, fragment=htmx)
    assert page.is_fragment is htmx
    assert (page.buttons, page.playable) == (["Let the computer begin"], [])
    assert all(cell.element.get("aria-disabled") == "true" for cell in page.cells)
    # The controls stand outside the fragment: a browser has them as they were chosen.
    page = alice.press(page.choosing("hard", "o"), "Let the computer begin", htmx=htmx)
    assert (page.board.count("X"), page.version, len(page.playable)) == (1, 1, 8)
    assert (page.heading, page.score_against) == ("Your turn", "Hard")


def test_using_the_controls_with_htmx_prepares_the_board_at_once(alice: Visitor) -> None:
    page = alice.choose(alice.get("/"), mark="o")
    assert (page.is_fragment, page.playable, page.mark) == (True, [], "o")
    page = alice.choose(page, opponent="friend")
    assert (page.playable, page.heading, page.score) == (list(range(9)), "X to move", None)
    page = alice.choose(page, opponent="easy", mark="x")
    page = alice.press(page, page.cell(4), htmx=True)
    assert (page.score_against, page.cell(4).mark) == ("Easy", "X")


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "query", ["opponent=nobody", "opponent=Easy", "mark=z", "mark=", "mark=x&mark=x"]
)
def test_a_preview_of_something_else_is_refused_with_the_board(
    alice: Visitor, query: str, fragment: bool
) -> None:
    page = alice.get(f"/?{query}", fragment=fragment)
    assert (page.status, page.board) == (422, EMPTY)
    assert page.refusal


def test_an_unfinished_game_can_be_continued_until_it_is_left(alice: Visitor, bob: Visitor) -> None:
    bob.start("easy", "x", cell=4)
    assert not any(text.startswith("Continue") for text in alice.get("/").links)
    game = alice.start("hard", "x", cell=4)
    front = alice.get("/")
    assert front.links["Continue your game against Hard"] == game.address
    front = alice.act("again", game)
    assert not any(text.startswith("Continue") for text in front.links)
