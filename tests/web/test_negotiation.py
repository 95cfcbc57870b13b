"""Page, fragment or 303: what a request gets, by its headers."""

import pytest

from tests.support.visitor import FRAGMENT, Visitor

NEGOTIATED = {"hx-request", "hx-request-type", "hx-history-restore-request"}
RESTORE = {"HX-History-Restore-Request": "true"}
START = {"opponent": "easy", "mark": "x", "cell": 4}

WHOLE = [
    {},
    {"HX-Request": "false"},
    {"HX-Request-Type": "partial"},
    {"HX-Request": "true", "HX-Request-Type": "full"},
    {"HX-Request": "true", **RESTORE},
    {**FRAGMENT, **RESTORE},
]
PART = [{"HX-Request": "true"}, FRAGMENT]


@pytest.mark.parametrize("headers", WHOLE)
def test_a_request_for_no_part_gets_a_whole_page_and_303_after_a_post(
    alice: Visitor, headers: dict[str, str]
) -> None:
    game = alice.follow(alice.post("/games", START, headers=headers)).address
    for address in ("/", game):
        assert alice.get(address, headers=headers).text.startswith("<!doctype html>")
    answer = alice.post(f"{game}/hint", {"version": 1}, headers=headers)
    assert (answer.status, answer.headers["Location"]) == (303, game)
    assert "HX-Push-Url" not in answer.headers
    assert alice.post(f"{game}/again", headers=headers).location != game


@pytest.mark.parametrize("headers", PART)
def test_htmx_gets_the_game_and_an_address_where_it_is_another(
    alice: Visitor, headers: dict[str, str]
) -> None:
    start = alice.post("/games", START, headers=headers)
    assert (start.status, start.is_fragment) == (200, True)
    game = start.headers["HX-Push-Url"]
    assert alice.get(game).board == start.board
    for address in ("/", game):
        assert alice.get(address, headers=headers).text.lstrip().startswith('<div id="game"')
    for what, more in (("moves", {"cell": start.playable[0]}), ("hint", {}), ("undo", {})):
        fields = {"version": alice.get(game).version, **more}
        answer = alice.post(f"{game}/{what}", fields, headers=headers)
        assert (answer.status, answer.is_fragment) == (200, True)
        assert not {"HX-Push-Url", "Location"} & set(answer.headers.keys())
        whole = alice.get(game)
        assert answer.game.text == whole.game.text
        assert answer.the("record").text == whole.the("record").text
        assert [cell.label for cell in answer.cells] == [cell.label for cell in whole.cells]
        assert answer.title == whole.title
    answer = alice.post(f"{game}/again", headers=headers)
    assert answer.status == 200
    assert answer.headers["HX-Push-Url"] != game
    refused = alice.post("/games", {"opponent": "easy"}, headers=headers)
    assert refused.status == 422
    assert "HX-Push-Url" not in refused.headers


@pytest.mark.parametrize("headers", [{}, FRAGMENT])
def test_every_answer_that_could_be_another_says_what_it_depends_on(
    alice: Visitor, bob: Visitor, headers: dict[str, str]
) -> None:
    game = alice.start("easy", "x", cell=4).address
    for answer in (
        alice.get("/", headers=headers),
        alice.get(game, headers=headers),
        bob.get(game, headers=headers),
        alice.post("/games", START, headers=headers),
        alice.post(f"{game}/hint", {"version": 1}, headers=headers),
        alice.post(f"{game}/hint", {"version": 1}, headers=headers),
        bob.post(f"{game}/hint", {"version": 1}, headers=headers),
        alice.post(f"{game}/hint", headers=headers),
        alice.get("/games/nothing", headers=headers),
        alice.get(f"{game}/hint", headers=headers),
        alice.post(f"{game}/hint", headers={**headers, "Sec-Fetch-Site": "cross-site"}),
    ):
        varying = {name.strip().lower() for name in answer.headers.get("Vary", "").split(",")}
        assert varying >= NEGOTIATED, answer.status


def test_a_page_out_of_place_replaces_the_whole_for_htmx(alice: Visitor) -> None:
    assert alice.get("/games/nothing", fragment=True).headers["HX-Retarget"] == "body"
    assert "HX-Retarget" not in alice.get("/games/nothing").headers
