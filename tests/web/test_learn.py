"""``GET /learn`` and ``/opponents``: what is explained there, and whether it is true."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_verdict, exactly, query_of
from tests.support.visitor import Visitor, open_site
from webapp.analysis.matchup import matchup, proof
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.core.game import digits
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES

# --- the learning page --------------------------------------------------------------------------


def board_in(picture: Element) -> str:
    """The board that a picture shows, from what those hear who do not see it."""
    board = ["."] * 9
    told = picture.get("aria-label").rpartition(": ")[2]
    for marks in told.split("; ") if told != "empty" else ():
        for name in marks[2:].split(", "):
            board[rules.NAMES.index(name)] = marks[0]
    return "".join(board)


def cell_of(element: Element) -> int:
    column, row = (int(element.get(name)) // 100 for name in ("x", "y"))
    return 3 * row + column


def notes_in(picture: Element) -> dict[int, str]:
    """What is written into the cells of a picture."""
    assert all(note.get("class") in (note.text, "order") for note in picture.all("text"))
    return {cell_of(note): note.text for note in picture.all("text")}


def test_the_pictures_show_what_the_text_says(alice: Visitor) -> None:
    page = alice.get("/learn")
    for slug, bar in zip(("easy", "medium"), page.document.with_class("bar"), strict=True):
        found = matchup(ENGINES["hard"], ENGINES[slug])
        check_bar(bar, {"won": found.x_wins, "drawn": found.draws, "lost": found.o_wins})
    threat, fork, empty, corner, *_ = page.document.with_class("picture")
    assert len(rules.completions(board_in(threat), "X")) == 1
    assert len(rules.completions(board_in(fork), "X")) == 2
    assert rules.completions(board_in(fork), "O") == {}
    for picture in (threat, fork):
        assert set(map(cell_of, picture.with_class("lit"))) == set(
            rules.completions(board_in(picture), "X")
        )
    for picture in (empty, corner):
        board = board_in(picture)
        values = {cell: rules.value(rules.put(board, cell))[0] for cell in rules.free(board)}
        said = {cell: ("draw", "loss", "win")[value] for cell, value in values.items()}
        assert notes_in(picture) == said
    assert [cell for cell, what in notes_in(corner).items() if what == "draw"] == [4]
    positions = len(list(rules.ways()))
    assert f"The game has {positions:,} positions." in page.document.text


def test_the_tree_has_every_move_and_says_what_each_is_worth(alice: Visitor) -> None:
    (tree,) = alice.get("/learn").document.with_class("tree")
    assert len(tree.with_class("node")) > 3
    check_branch(tree.elements)


def check_branch(branch: tuple[Element, ...]) -> str:
    """Hold a node against the rules, and whatever hangs on it; return its board."""
    node, *below = branch
    board = board_in(node.with_class("picture")[0])
    value = rules.value(board)[0] * (1 if rules.to_move(board) == "X" else -1)
    assert node.get("class") == f"node {('draw', 'win', 'loss')[value]}"
    outlook = ("a draw", "X wins", "O wins")[value]
    said = node.all("span")[0].text
    if rules.outcome(board):
        assert said.lower().startswith(outlook.lower())
        assert below == []
    else:
        assert said == f"{rules.to_move(board)} to move: {outlook}"
        (children,) = below
        following = [check_branch(child.elements) for child in children.elements]
        assert following == [rules.put(board, cell) for cell in rules.free(board)]
    return board


def test_the_games_that_beat_medium_do_and_none_is_shorter(alice: Visitor) -> None:
    (gallery,) = alice.get("/learn").document.with_class("gallery")
    for mark, figure in zip(("x", "o"), gallery.all("figure"), strict=True):
        (picture,), (link,) = figure.with_class("picture"), figure.all("a")
        address = urlsplit(link.get("href"))
        moves = tuple(map(int, address.path.removeprefix("/review/")))
        assert query_of(link) == {"at": "0", "opponent": "medium", "mark": mark}
        assert moves == proof(ENGINES["medium"], Mark(rules.other(mark.upper()))).game
        assert board_in(picture) == rules.after(moves)
        assert rules.outcome(rules.after(moves)) == mark
        assert notes_in(picture) == {cell: str(at) for at, cell in enumerate(moves, 1)}
        assert link.text == f"As {mark.upper()}, in {len(moves)} moves"


# --- the opponents ------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ENGINES)
def test_the_page_of_an_engine_has_its_rules_its_results_and_its_proofs(
    alice: Visitor, slug: str
) -> None:
    page, engine = alice.get(f"/opponents/{slug}"), ENGINES[slug]
    (listed,) = page.document.with_class("rules")
    assert tuple(line.text for line in listed.elements) == engine.rules
    assert engine.idea in page.document.text
    check_verdict(page.document.with_class("verdict")[0], worth(engine))
    bars = page.document.with_class("bar")
    for bar, values in zip(bars, exactly(worth(engine)), strict=True):
        check_bar(bar, values)
    for mark, part in zip(Mark, page.document.with_class("proof"), strict=True):
        check_proof(part, engine, mark)
    assert alice.get(page.links[f"Play {engine.name}"]).opponent == slug


def check_proof(part: Element, engine: Engine, mark: Mark) -> None:
    """The sentences of a proof, its game, and what the engine passes up."""
    found, shown = proof(engine, mark), part.with_class("picture")
    sentence, *more = [one.text for one in part.all("p")]
    assert sentence.startswith("It can be" if found.game else "It cannot be")
    if found.game:
        address = urlsplit(part.all("a")[0].get("href"))
        assert address.path == f"/review/{digits(found.game)}"
        query = {"at": "0", "opponent": engine.slug, "mark": mark.other.slug}
        assert query_of(part.all("a")[0]) == query
        assert board_in(shown[0]) == rules.after(found.game)
        assert f"takes {len(found.game)} moves" in sentence
    passed = f"In {len(found.passed_up):,} of the {found.positions:,} positions"
    assert [one.startswith(passed) for one in more] == [True] * bool(found.passed_up)
    if found.passed_up:
        assert rules.completions(board_in(shown[-1]), str(mark))


def test_the_opponents_are_shown_side_by_side(alice: Visitor) -> None:
    page = alice.get("/opponents")
    assert "every way a game can go, weighed by its chance" in page.document.text
    headings = [one.text for one in page.document.all("h2")]
    assert headings == ["The levels", "From the literature"]
    cards = [card for group in page.document.with_class("cards") for card in group.elements]
    for engine, card in zip(ENGINES.values(), cards, strict=True):
        (link,) = card.all("a")
        assert (link.text, link.get("href")) == (engine.name, f"/opponents/{engine.slug}")
        assert card.all("p")[0].text == engine.idea
        check_verdict(card.with_class("verdict")[0], worth(engine))
        for bar, values in zip(card.with_class("bar"), exactly(worth(engine)), strict=False):
            shown = [float(one.get("width").removesuffix("%")) for one in bar.all("rect")]
            assert shown == pytest.approx([float(value * 100) for value in values.values()])


# --- an engine of the host's own ----------------------------------------------------------------


def test_an_engine_of_the_hosts_own_is_everywhere(tmp_path: Path, mine: Path) -> None:
    slug = "mine.py:first"
    with open_site(tmp_path / "site", engine=f"{mine}:first") as site:
        alice, engine = site.visitor(), site.service.engines[slug]
        assert f"/opponents/{slug}" in alice.get("/learn").links.values()
        *_, cards = alice.get("/opponents").document.with_class("cards")
        (card,) = cards.elements
        check_verdict(card.with_class("verdict")[0], worth(engine))
        bars = alice.get(f"/opponents/{slug}").document.with_class("bar")
        for bar, values in zip(bars, exactly(worth(engine)), strict=True):
            check_bar(bar, values)
        assert f"/lab?x={slug}&o=hard#table" in alice.get("/lab").links.values()
        pair = alice.get(f"/lab?x={slug}&o=hard").the("pair")
        assert "won 0, drawn 0, lost 1" in pair.text
        counted = alice.get(f"/lab/experiment?x={slug}&o=hard&games=10")
        assert [one.text for one in counted.the("counts").all("b")] == ["0", "0", "10"]
        assert slug in [one.get("value") for one in counted.the("o").all("option")]
