"""Playing the engines of the literature, and a function of the host's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.visitor import Site, Visitor, open_site
from webapp.engines.registry import ENGINES
from webapp.programs.files import CannotLoad


@pytest.mark.parametrize("opponent", ENGINES)
def test_every_engine_can_be_played_to_the_end_and_says_why_it_moves(
    alice: Visitor, opponent: str
) -> None:
    page = alice.start(opponent, "o")
    while not page.outcome:
        page = alice.press(page, page.cell(page.playable[0]))
    told = [move for move in page.moves if " X " in move]
    assert told
    assert all(" · " in move for move in told)
    assert page.score_against == ENGINES[opponent].name


@pytest.mark.parametrize("opponent", ["rules:", "rules:win,win", "mine.py:first", "/etc/passwd"])
def test_nobodys_code_comes_in_through_the_web_and_why_is_said_shortly(
    site: Site, alice: Visitor, opponent: str
) -> None:
    before = site.dump()
    page = alice.post("/games", {"opponent": opponent, "mark": "x", "cell": "4"})
    assert (page.status, site.dump()) == (422, before)
    assert len(page.refusal.split()) <= 15
    assert alice.get(f"/opponents/{opponent}").status == 404


@pytest.fixture
def host(tmp_path: Path, mine: Path) -> Iterator[Site]:
    with open_site(tmp_path / "site", engine=f"{mine}:first") as site:
        yield site


def test_a_function_of_the_hosts_own_is_one_more_opponent(host: Site) -> None:
    alice = host.visitor()
    groups = {one.get("label"): one for one in alice.get("/").the("opponent").all("optgroup")}
    (option,) = groups["Functions of the class"].all("option")
    assert (option.get("value"), option.text) == ("mine.py:first", "mine: first: a function")
    page = alice.start("mine.py:first", "x", cell=4)
    assert page.board == "O...X...."
    assert page.sentence == "I took the top left corner: my function says so."


def test_a_function_that_fails_where_a_game_can_lead_is_refused_at_the_start(
    tmp_path: Path, mine: Path
) -> None:
    refused = pytest.raises(CannotLoad, match=r"^mine.py:broken: .* See mine.py, line 5: ")
    with refused, open_site(tmp_path / "site", engine=f"{mine}:broken"):
        pass


def test_a_function_whose_name_is_too_long_to_be_stored_is_refused(tmp_path: Path) -> None:
    file = tmp_path / f"{'m' * 100}.py"
    file.write_text("def best(board, mark):\n    return board.index('.')\n")
    refused = pytest.raises(CannotLoad, match="more than 80 characters")
    with refused, open_site(tmp_path / "site", engine=str(file)):
        pass


def test_a_function_that_has_no_answer_where_a_game_can_begin_only_loses_that_game(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.py"
    # It never leaves the centre to anyone, and never thought of a game where X stands there.
    file.write_text(
        "def best(board, mark):\n"
        "    cells = [4, 0, 1, 2, 3, 5, 6, 7, 8]\n"
        "    if mark == 'X' and board[4] == 'O':\n"
        "        raise KeyError(board)\n"
        "    return next(cell for cell in cells if board[cell] == '.')\n"
    )
    with open_site(tmp_path / "site", engine=str(file)) as site:
        alice = site.visitor()
        fields = {"opponent": "mine.py:best", "mark": "o", "moves": "04"}
        shown = alice.follow(alice.post("/games", fields))
        assert shown.outcome
        assert "gave up" in shown.document.text


def test_a_game_against_a_function_that_is_gone_cannot_go_on_but_be_seen(
    tmp_path: Path, host: Site
) -> None:
    alice = host.visitor()
    page = alice.start("mine.py:first", "x", cell=4)
    host.ends()
    with open_site(tmp_path / "site") as later:
        seen = Visitor(later.app)
        seen.set_cookie(alice.cookie() or "")
        shown = seen.get(page.address)
        assert shown.board == page.board
        assert shown.opponent == "medium"
        assert seen.try_to("moves", shown, {"cell": 8}).status == 409
