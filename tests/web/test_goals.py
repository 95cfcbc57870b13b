"""Small goals beside the board: firsts, runs of wins, and the opponents beaten."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.support.page import Page
from tests.support.people import player_of
from tests.support.visitor import Site, Visitor
from webapp.core.board import Board
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.service import teacher as acts
from webapp.store import records


def play_well(visitor: Visitor, opponent: str) -> Page:
    """Play a game as Hard would, from first move to last."""
    page = visitor.start(opponent, "x", cell=0)
    while not page.outcome:
        choice = HARD.choose(Board.parse(page.board), Random("goals"))
        page = visitor.move(page, choice.cell)
    return page


def news(page: Page) -> str:
    return page.document.with_class("news")[0].text


def stamps(page: Page) -> dict[str, tuple[str, str]]:
    """The stamp of each level, and what is said of it."""
    steps = page.the("ladder").with_class("step")
    parts = {step.all("b")[0].text: step for step in steps}
    return {
        name: (step.get("class").split()[-1].removeprefix("step"), step.text.removeprefix(name))
        for name, step in parts.items()
    }


def test_a_newcomer_has_three_levels_before_them_and_a_dropdown_of_all_opponents(
    alice: Visitor,
) -> None:
    front = alice.get("/")
    assert stamps(front) == {
        "Easy": ("", " guesses"),
        "Medium": ("", " wins, blocks"),
        "Hard": ("", " hold a draw"),
    }
    options = [one.get("value") for one in front.the("opponent").all("option")]
    assert options == ["easy", "medium", "hard", "friend", *list(ENGINES)[3:], "menace"]
    # A step is a link, for browsers without scripts; it keeps the mark.
    steps = alice.get("/?opponent=slips&mark=o").the("ladder").with_class("step")
    assert not any(step.has("aria-current") for step in steps)
    followed = alice.get(steps[0].get("href"))
    assert (followed.opponent, followed.mark, followed.heading) == ("easy", "o", "You against Easy")
    (chosen,) = [one for one in followed.the("ladder").all("a") if one.has("aria-current")]
    assert chosen.get("data-opponent") == "easy"


def test_a_first_win_and_every_run_are_told_and_a_stamp_is_kept(alice: Visitor) -> None:
    counts, run = Counter[str](), 0
    while run < 3:
        page = play_well(alice, "easy")
        counts[page.outcome] += 1
        run = run + 1 if page.outcome == "x" else 0
        told = f"{run} wins in a row against Easy" if run > 1 else ""
        if counts[page.outcome] == 1:
            told = f"Your first {'win' if run else 'draw'} against Easy"
        assert news(page) == told
        best = ("won", " beaten") if counts["x"] else ("drawn", " held to a draw")
        assert stamps(alice.get("/"))["Easy"] == (best if run < 2 else ("won", f" {run} in a row"))
    assert stamps(alice.get("/"))["Medium"] == ("", " wins, blocks")


def test_a_reset_of_the_standings_empties_the_score_and_leaves_stamps_and_best_runs(
    site: Site, alice: Visitor
) -> None:
    alice.start("hard", "x", cell=0)
    with site.database.write() as connection:
        for opponent, result in (("easy", "w"), ("easy", "w"), ("hard", "d"), ("medium", "l")):
            records.record_result(connection, player_of(alice), opponent, result)  # type: ignore[arg-type]
    best = {"Easy": ("won", " 2 in a row"), "Medium": ("", " wins, blocks")}
    best |= {"Hard": ("drawn", " held to a draw")}
    assert stamps(alice.get("/")) == best
    for _ in range(2):
        acts.reset_standings(site.service)
        assert stamps(alice.get("/")) == best | {"Easy": ("won", " beaten")}
    page = play_well(alice, "hard")
    assert (page.score, news(page)) == ((0, 1, 0), ""), "it is not the first"
    mine = [row for row in site.dump()["records"] if row[0] == player_of(alice)]
    assert {row[1]: row[2:9] for row in mine} == {
        "easy": ("", 0, 0, 0, 0, 2, False),
        "hard": ("d", 0, 1, 0, 0, 0, False),
        "medium": ("", 0, 0, 0, 0, 0, False),
    }


def test_a_move_in_mid_game_leaves_the_ladder_alone_and_a_watcher_has_none(
    site: Site, alice: Visitor
) -> None:
    game = alice.start("hard", "x", cell=0)
    answer = alice.try_to("moves", game, {"cell": game.playable[0]}, fragment=True)
    assert "ladder" not in answer.text
    assert "ladder" in alice.get(game.address).text
    assert "ladder" not in site.visitor().get(game.address).text
