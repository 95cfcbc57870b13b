"""``GET /``: an empty board, ready."""

import pytest

from tests.support.rules import EMPTY
from tests.support.visitor import Site, Visitor
from webapp.engines.registry import ENGINES

LABELS = [
    "Top left, empty",
    "Top centre, empty",
    "Top right, empty",
    "Middle left, empty",
    "Centre, empty",
    "Middle right, empty",
    "Bottom left, empty",
    "Bottom centre, empty",
    "Bottom right, empty",
]


def test_a_newcomer_finds_an_empty_board_that_is_ready(alice: Visitor) -> None:
    page = alice.get("/")
    assert (page.status, page.version, page.outcome) == (200, 0, "")
    assert [cell.label for cell in page.cells] == LABELS
    assert page.playable == list(range(9))
    assert page.heading == "Your turn"
    assert page.moves == []


def test_a_newcomer_is_offered_medium_and_x(alice: Visitor) -> None:
    page = alice.get("/")
    assert (page.opponent, page.mark) == ("medium", "x")
    assert (page.score_against, page.score) == ("Medium", (0, 0, 0))


def test_the_dropdown_says_what_each_opponent_does(alice: Visitor) -> None:
    dropdown = alice.get("/").the("opponent")
    options = {one.get("value"): one.text for one in dropdown.all("option")}
    assert dropdown.tag == "select"
    assert list(options) == [
        *("easy", "medium", "hard", "friend"),
        *("human", "minimax", "slips", "corners", "forks", "fork-blocker", "scenarios"),
    ]
    (group,) = dropdown.all("optgroup")
    assert group.get("label") == "From the literature"
    assert [one.get("value") for one in group.all("option")] == list(options)[4:]
    for slug, engine in ENGINES.items():
        assert options[slug] == f"{engine.name}: {engine.brief}"
    assert "friend" in options["friend"]


def test_the_cells_are_buttons_that_submit_their_number(alice: Visitor) -> None:
    for number, cell in enumerate(alice.get("/").cells):
        element = cell.element
        assert (element.tag, element.get("name"), element.get("value")) == (
            "button",
            "cell",
            str(number),
        )


def test_the_controls_stand_outside_the_game_but_belong_to_its_form(alice: Visitor) -> None:
    page = alice.get("/")
    (form,) = page.game.all("form")
    select = page.the("opponent")
    radios = [one for one in page.document.all("input") if one.get("name") == "mark"]
    assert [one.get("value") for one in radios] == ["x", "o", "alternate"]
    for control in (select, *radios):
        assert control not in page.game.walk()
        assert control.get("form") == form.get("id")


def test_the_live_region_stands_outside_the_game(alice: Visitor) -> None:
    page = alice.get("/")
    assert page.the("live").get("role") == "status"
    assert page.the("live") not in page.game.walk()
    assert page.the("live").text == ""


def test_looking_stores_nothing(site: Site, alice: Visitor) -> None:
    before = site.dump()
    alice.get("/")
    alice.get("/", query_string={"opponent": "hard", "mark": "o"})
    alice.get("/", query_string={"opponent": "hard", "mark": "o"}, fragment=True)
    assert site.dump() == before
    assert (alice.get("/").opponent, alice.get("/").mark) == ("medium", "x")


def test_the_key_of_each_page_is_another(alice: Visitor) -> None:
    keys = {
        one.get("value")
        for _ in range(20)
        for one in alice.get("/").document.all("input")
        if one.get("name") == "key"
    }
    assert len(keys) == 20


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard", "friend"])
@pytest.mark.parametrize("mark", ["x", "o", "alternate"])
def test_the_last_opponent_and_mark_are_remembered(
    alice: Visitor, opponent: str, mark: str
) -> None:
    alice.start(opponent, mark)
    page = alice.get("/")
    assert (page.opponent, page.mark) == (opponent, mark)
    assert page.board == EMPTY


def test_what_is_remembered_is_remembered_for_one_player(alice: Visitor, bob: Visitor) -> None:
    alice.start("hard", "o")
    page = bob.get("/")
    assert (page.opponent, page.mark) == ("medium", "x")


# --- playing second ---------------------------------------------------------------------------


def test_with_o_the_cells_are_inert_and_one_button_lets_the_computer_begin(alice: Visitor) -> None:
    alice.start("easy", "o")
    page = alice.get("/")
    assert page.buttons == ["Let the computer begin"]
    assert page.playable == []
    for cell in page.cells:
        assert cell.element.get("type") == "button"
        assert cell.element.get("aria-disabled") == "true"


@pytest.mark.parametrize("htmx", [False, True])
def test_let_the_computer_begin_does(alice: Visitor, htmx: bool) -> None:
    page = alice.get("/", query_string={"opponent": "hard", "mark": "o"})
    page = alice.press(page, "Let the computer begin", htmx=htmx)
    assert page.board.count("X") == 1
    assert page.version == 1
    assert len(page.playable) == 8
    assert page.heading == "Your turn"


def test_against_a_friend_the_cells_stay_active_with_o(alice: Visitor) -> None:
    page = alice.get("/", query_string={"opponent": "friend", "mark": "o"})
    assert page.playable == list(range(9))
    assert page.heading == "X to move"
    assert page.score is None


# --- a preview --------------------------------------------------------------------------------


@pytest.mark.parametrize("fragment", [False, True])
def test_the_controls_apply_at_once_to_the_empty_board(alice: Visitor, fragment: bool) -> None:
    page = alice.get("/", query_string={"opponent": "easy", "mark": "o"}, fragment=fragment)
    assert page.is_fragment is fragment
    assert page.buttons == ["Let the computer begin"]
    assert page.score_against == "Easy"
    assert page.version == 0


def test_using_the_controls_with_htmx_prepares_the_board(alice: Visitor) -> None:
    page = alice.choose(alice.get("/"), mark="o")
    assert page.is_fragment
    assert page.playable == []
    assert page.mark == "o"
    page = alice.choose(page, opponent="friend")
    assert page.playable == list(range(9))
    page = alice.choose(page, opponent="easy", mark="x")
    page = alice.press(page, page.cell(4), htmx=True)
    assert page.score_against == "Easy"
    assert page.cell(4).mark == "X"


@pytest.mark.parametrize(
    "query", ["opponent=nobody", "opponent=Easy", "mark=z", "mark=", "mark=x&mark=x"]
)
@pytest.mark.parametrize("fragment", [False, True])
def test_a_preview_of_something_else_is_refused_with_the_board(
    alice: Visitor, query: str, fragment: bool
) -> None:
    page = alice.get(f"/?{query}", fragment=fragment)
    assert page.status == 422
    assert page.board == EMPTY
    assert page.refusal


# --- an unfinished game -----------------------------------------------------------------------


def test_an_unfinished_game_can_be_continued(alice: Visitor) -> None:
    game = alice.start("hard", "x", cell=4)
    front = alice.get("/")
    (text,) = [text for text, address in front.links.items() if address == game.address]
    assert text.startswith("Continue")
    assert alice.get(front.links[text]).board == game.board


def test_without_an_unfinished_game_nothing_is_offered(alice: Visitor, bob: Visitor) -> None:
    bob.start("easy", "x", cell=4)
    alice.start("easy", "x")
    assert not any(text.startswith("Continue") for text in alice.get("/").links)


def test_a_finished_game_is_not_offered(alice: Visitor) -> None:
    page = alice.start("friend", "x")
    for cell in (0, 3, 1, 4, 2):
        page = alice.move(page, cell)
    assert page.outcome == "x"
    assert not any(text.startswith("Continue") for text in alice.get("/").links)


def test_a_game_left_by_new_game_is_not_offered(alice: Visitor) -> None:
    page = alice.start("medium", "x", cell=4)
    alice.act("again", page)
    assert not any(text.startswith("Continue") for text in alice.get("/").links)
