"""Playing the engines of the literature, and a function of the host's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import played_out
from tests.support.visitor import Site, Visitor, open_site
from webapp.programs.files import CannotLoad


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


@pytest.mark.parametrize(
    "name, cell, why",
    [
        ("mine", "{}[board]", r"^mine.py:best: .* See mine.py, line 2: "),
        ("m" * 100, "board.index('.')", "more than 80 characters"),
    ],
)
def test_a_function_that_fails_or_whose_name_cannot_be_stored_is_refused_at_the_start(
    tmp_path: Path, name: str, cell: str, why: str
) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(f"def best(board, mark):\n    return {cell}\n")
    with pytest.raises(CannotLoad, match=why), open_site(tmp_path / "site", engine=str(file)):
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


def test_a_game_against_a_function_that_is_gone_cannot_go_on_but_be_seen_and_reviewed(
    tmp_path: Path, host: Site
) -> None:
    alice = host.visitor()
    over = played_out(alice, "mine.py:first")
    page = alice.start("mine.py:first", "x", cell=4)
    host.ends()
    with open_site(tmp_path / "site") as later:
        seen = Visitor(later.app)
        seen.set_cookie(alice.cookie() or "")
        shown = seen.get(page.address)
        assert shown.board == page.board
        assert shown.opponent == "medium"
        assert seen.try_to("moves", shown, {"cell": 8}).status == 409
        review = seen.get(seen.get(over.address).links["Review"])
        assert review.document.all("h1")[0].text.startswith("Review: ")
