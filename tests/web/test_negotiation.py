"""Page, fragment or 303: what a request gets, by its headers."""

import pytest

from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Visitor

NEGOTIATED = {"hx-request", "hx-request-type", "hx-history-restore-request"}

WHOLE = [
    {},
    {"HX-Request": "false"},
    {"HX-Request-Type": "partial"},
    {"HX-Request": "true", "HX-Request-Type": "full"},
    {"HX-Request": "true", "HX-Request-Type": "full", "HX-History-Restore-Request": "true"},
    {"HX-Request": "true", "HX-History-Restore-Request": "true"},
    {**FRAGMENT, "HX-History-Restore-Request": "true"},
]
PART = [{"HX-Request": "true"}, FRAGMENT]


def varying(page: Page) -> set[str]:
    return {name.strip().lower() for name in page.headers.get("Vary", "").split(",")}


@pytest.mark.parametrize("headers", WHOLE)
def test_a_whole_page_for_all_who_do_not_ask_for_a_part(
    alice: Visitor, headers: dict[str, str]
) -> None:
    game = alice.start("easy", "x", cell=4).address
    for address in ("/", game):
        page = alice.get(address, headers=headers)
        assert not page.is_fragment
        assert page.text.startswith("<!doctype html>")


@pytest.mark.parametrize("headers", PART)
def test_a_part_for_htmx(alice: Visitor, headers: dict[str, str]) -> None:
    game = alice.start("easy", "x", cell=4).address
    for address in ("/", game):
        page = alice.get(address, headers=headers)
        assert page.status == 200
        assert page.is_fragment
        assert page.text.lstrip().startswith('<div id="game"')


@pytest.mark.parametrize("headers", WHOLE)
def test_a_post_of_a_page_answers_with_303(alice: Visitor, headers: dict[str, str]) -> None:
    answer = alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}, headers=headers)
    assert answer.status == 303
    page = alice.follow(answer)
    game = page.address
    for what, more in (("moves", {"cell": page.playable[0]}), ("hint", {}), ("undo", {})):
        answer = alice.post(
            f"{game}/{what}", {"version": alice.get(game).version, **more}, headers=headers
        )
        assert (answer.status, answer.headers["Location"]) == (303, game)
        assert "HX-Push-Url" not in answer.headers
    answer = alice.post(f"{game}/again", headers=headers)
    assert answer.status == 303
    assert answer.headers["Location"] != game


@pytest.mark.parametrize("headers", PART)
def test_a_post_of_htmx_answers_with_the_game(alice: Visitor, headers: dict[str, str]) -> None:
    start = alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}, headers=headers)
    assert start.status == 200
    assert start.is_fragment
    game = start.headers["HX-Push-Url"]
    assert alice.get(game).board == start.board
    for what, more in (("moves", {"cell": start.playable[0]}), ("hint", {}), ("undo", {})):
        answer = alice.post(
            f"{game}/{what}", {"version": alice.get(game).version, **more}, headers=headers
        )
        assert answer.status == 200
        assert answer.is_fragment
        assert "HX-Push-Url" not in answer.headers
        assert "Location" not in answer.headers
        assert alice.get(game).version == answer.version
    answer = alice.post(f"{game}/again", headers=headers)
    assert answer.status == 200
    assert answer.headers["HX-Push-Url"] != game


def test_a_fragment_and_its_page_show_the_same(alice: Visitor) -> None:
    page = alice.start("medium", "x", cell=4)
    for fields in ({"cell": page.playable[0]}, {}):
        what = "moves" if fields else "hint"
        answer = alice.try_to(what, alice.get(page.address), fields, fragment=True)
        whole = alice.get(page.address)
        assert answer.game.text == whole.game.text
        assert answer.the("record").text == whole.the("record").text
        assert [cell.label for cell in answer.cells] == [cell.label for cell in whole.cells]
        assert answer.title == whole.title


def test_a_refusal_pushes_no_address(alice: Visitor) -> None:
    answer = alice.post("/games", {"opponent": "easy"}, fragment=True)
    assert answer.status == 422
    assert "HX-Push-Url" not in answer.headers


@pytest.mark.parametrize("headers", [{}, FRAGMENT])
def test_every_answer_that_could_be_another_says_what_it_depends_on(
    alice: Visitor, bob: Visitor, headers: dict[str, str]
) -> None:
    page = alice.start("easy", "x", cell=4)
    answers = {
        "front": alice.get("/", headers=headers),
        "game": alice.get(page.address, headers=headers),
        "watched": bob.get(page.address, headers=headers),
        "start": alice.post("/games", {"opponent": "easy", "mark": "x"}, headers=headers),
        "hint": alice.post(f"{page.address}/hint", {"version": 1}, headers=headers),
        "conflict": alice.post(f"{page.address}/hint", {"version": 1}, headers=headers),
        "not yours": bob.post(f"{page.address}/hint", {"version": 1}, headers=headers),
        "bad": alice.post(f"{page.address}/hint", headers=headers),
        "unknown": alice.get("/games/nothing", headers=headers),
        "method": alice.get(f"{page.address}/hint", headers=headers),
        "cross-site": alice.post(
            f"{page.address}/hint", headers={**headers, "Sec-Fetch-Site": "cross-site"}
        ),
    }
    silent = {name for name, answer in answers.items() if not varying(answer) >= NEGOTIATED}
    assert silent == set()


def test_a_page_out_of_place_replaces_the_whole_for_htmx(alice: Visitor) -> None:
    page = alice.get("/games/nothing", fragment=True)
    assert page.headers["HX-Retarget"] == "body"
    assert not page.has_board
    assert "HX-Retarget" not in alice.get("/games/nothing").headers
