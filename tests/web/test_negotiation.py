"""Page, fragment or 303: what a request gets, by its headers."""

import pytest

from tests.support.page import Page
from tests.support.visitor import FRAGMENT, Visitor

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


def check_varies(*answers: Page) -> None:
    """What could be another answer says on what that depends."""
    for answer in answers:
        varying = {name.strip().lower() for name in answer.headers.get("Vary", "").split(",")}
        assert varying >= {"hx-request", "hx-request-type", "hx-history-restore-request"}


@pytest.mark.parametrize("headers", WHOLE)
def test_a_request_for_no_part_gets_a_whole_page_and_303_after_a_post(
    alice: Visitor, headers: dict[str, str]
) -> None:
    start = alice.post("/games", START, headers=headers)
    game = alice.follow(start).address
    pages = [alice.get(address, headers=headers) for address in ("/", game, "/games/nothing")]
    assert all(page.text.startswith("<!doctype html>") for page in pages)
    hint, stale, bad = (
        alice.post(f"{game}/hint", fields, headers=headers)
        for fields in ({"version": 1}, {"version": 1}, {})
    )
    assert (hint.status, hint.headers["Location"]) == (303, game)
    assert (stale.status, bad.status, "HX-Push-Url" in hint.headers) == (409, 422, False)
    check_varies(start, *pages, hint, stale, bad)
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
        part = alice.get(address, headers=headers)
        assert part.text.lstrip().startswith('<div id="game"')
        check_varies(part)
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
        check_varies(answer)
    answer = alice.post(f"{game}/again", headers=headers)
    assert answer.status == 200
    assert answer.headers["HX-Push-Url"] != game
    refused = alice.post("/games", {"opponent": "easy"}, headers=headers)
    assert refused.status == 422
    assert "HX-Push-Url" not in refused.headers
    check_varies(start, answer, refused)
