"""``GET /learn`` and ``/opponents``: what is explained there, and whether it is true."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_swap, check_verdict, exactly, query_of
from tests.support.page import Page
from tests.support.visitor import Site, Visitor, open_site
from webapp import words
from webapp.analysis.matchup import matchup, proof
from webapp.analysis.review import judge
from webapp.analysis.worth import worth
from webapp.core.board import Board, Mark
from webapp.core.game import digits
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.web.present.learn import EXERCISES
from webapp.words import figures, played

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
    (threat,), (fork,), (empty, corner) = (
        alice.get(f"/learn?at={idea}.1").the(f"words-{idea}").with_class("picture")
        for idea in ("threat", "fork", "draw")
    )
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
    assert f"The game has {positions:,} positions." in alice.get("/learn?at=draw.3").document.text


def test_the_tree_has_every_move_and_says_what_each_is_worth(alice: Visitor) -> None:
    (tree,) = alice.get("/learn?at=ahead.2").document.with_class("tree")
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


# --- the exercises --------------------------------------------------------------------------------


def after(board: str, cell: int) -> tuple[int, int]:
    """What a cell leads to for the side to move: the value, and in how many plies it ends."""
    value, plies = rules.value(rules.put(board, cell))
    return -value, plies


def best(board: str) -> set[int]:
    """The cells that win soonest, or keep the draw; no exercise is lost."""
    value, plies = rules.value(board)
    return {cell for cell in rules.free(board) if after(board, cell) == (value, plies - 1)}


def test_each_exercise_is_about_its_idea() -> None:
    boards = {at: str(board) for at, (_, board) in EXERCISES.items()}
    assert list(boards) == [
        f"{idea}.{n}" for idea in ("threat", "fork", "draw", "ahead") for n in (1, 2, 3)
    ]
    for at, board in boards.items():
        me, right = rules.to_move(board), best(board)
        wins = rules.completions(board, me)
        blocks = rules.completions(board, rules.other(me))
        forks = {cell for cell in rules.free(board) if threats(rules.put(board, cell), me) > 1}
        value, plies = rules.value(board)
        match at:
            case "threat.1":
                assert (right, blocks) == (set(wins), {})
            case "threat.2":
                assert (right, wins) == (set(blocks), {})
            case "threat.3":
                assert right == set(wins) != set(blocks)
                assert len(blocks) == 1
                assert all(after(board, cell)[0] < 1 for cell in blocks), "blocking costs the win"
            case "fork.1":
                assert (right, wins, blocks) == (forks, {}, {})
            case "fork.2":
                assert (right, wins) == (forks & set(blocks), {})
            case "fork.3":
                theirs = (rules.put(board, cell) for cell in set(rules.free(board)) - right)
                assert all(
                    any(threats(rules.put(one, reply), rules.other(me)) > 1 for reply in best(one))
                    for one in theirs
                )
                assert value == 0
            case _ if at.startswith("draw"):
                assert (value, wins, blocks) == (0, {}, {})
            case _:
                assert (value, plies, forks, blocks) == (1, 2 * 3 - 1, set(), {})
        assert 0 < len(right) < len(rules.free(board))


def threats(board: str, mark: str) -> int:
    return len(rules.completions(board, mark))


@pytest.mark.parametrize("at", EXERCISES)
def test_every_cell_of_an_exercise_is_answered_truthfully(alice: Visitor, at: str) -> None:
    board = str(EXERCISES[at][1])
    page = alice.get(f"/learn?at={at}")
    assert shown(page) == board
    assert said(page) == f"You are {rules.to_move(board)}. Tap a cell."
    assert playable(page) == rules.free(board)
    for cell in range(9):
        if cell in rules.free(board):
            check_try(alice, at, cell)
        else:
            refused = alice.get(f"/learn?at={at}&cell={cell}")
            assert (refused.status, "This cell is taken." in refused.text) == (422, True)


def shown(page: Page) -> str:
    return "".join(page.cell(number).mark for number in range(9))


def said(page: Page) -> str:
    return page.document.with_class("status")[0].all("p")[0].text


def playable(page: Page) -> list[int]:
    return [number for number in range(9) if page.cell(number).playable]


def notes(page: Page) -> dict[int, str]:
    """What is written into the cells of the board, which is also said."""
    found = {n: page.cell(n).element.with_class("worth") for n in range(9)}
    written = {number: note[0].text for number, note in found.items() if note}
    assert all(page.cell(number).label.endswith(f", {note}") for number, note in written.items())
    return written


def check_try(who: Visitor, at: str, cell: int) -> None:
    board = str(EXERCISES[at][1])
    address = f"/learn?at={at}&cell={cell}"
    page, (_, plies) = who.get(address), after(board, cell)
    me, tried, right = rules.to_move(board), rules.put(board, cell), cell in best(board)
    verdict, sentence = said(page).split(". ", 1)
    assert verdict == ("Right" if right else "Not yet"), address
    if right:
        assert shown(page) == tried
        assert playable(page) == []
        assert sentence == played.judged(judge(Board.parse(board), cell))
        if rules.outcome(tried):
            assert notes(page) == {}
        elif (forked := rules.completions(tried, me)) and len(forked) > 1:
            assert notes(page) == dict.fromkeys(forked, f"{me} wins")
        else:
            others = {n: after(board, n) for n in rules.free(tried)}
            assert notes(page) == {n: figures.prospect(*worth) for n, worth in others.items()}
    else:
        (reply,) = (n for n in range(9) if shown(page)[n] != tried[n])
        assert reply in best(tried)
        refuted = rules.put(tried, reply)
        assert shown(page) == refuted
        assert playable(page) == rules.free(board), "another cell can be tried at once"
        check_refutation(sentence, board, cell, reply)
        forked = {} if rules.outcome(refuted) else rules.completions(refuted, rules.other(me))
        assert notes(page) == (
            dict.fromkeys(forked, f"{rules.other(me)} wins") if len(forked) > 1 else {}
        )
    for number in re.findall(r"in (\d+) move", sentence):
        assert int(number) == (plies + 1) // 2, address


def check_refutation(sentence: str, board: str, cell: int, reply: int) -> None:
    """Hold what is said of a wrong cell and the reply to it against the rules."""
    tried, opponent = rules.put(board, cell), rules.other(rules.to_move(board))
    refuted = rules.put(tried, reply)
    if rules.outcome(refuted):
        (line,) = rules.complete(refuted)
        assert sentence == f"{opponent} completes the {line} and wins."
        return
    (before, _), (value, _plies) = rules.value(board), after(board, cell)
    began = {
        (1, 1): "Still winning, in ",
        (1, 0): "Gives the win away. ",
        (1, -1): f"Loses a won game: {opponent} now wins in ",
        (0, -1): f"Gives the draw away: {opponent} can now win in ",
    }
    assert sentence.startswith(began[before, value])
    took = f" {opponent} took {words.cell_in_a_sentence(reply)}"
    assert took in sentence
    done = sentence.partition(took)[2]
    blocked = rules.completions(tried, rules.to_move(board)).get(reply)
    threatened = rules.completions(refuted, opponent)
    if len(threatened) > 1:
        assert done == " and made a fork."
    elif blocked:
        assert done == f" and blocked the {blocked[0]}."
    elif threatened:
        assert done == f" and threatened the {next(iter(threatened.values()))[0]}."
    else:
        assert done == "."


def test_the_exercises_follow_each_other_and_lead_to_a_game(alice: Visitor) -> None:
    page = alice.get("/learn")
    for at in EXERCISES:
        assert hidden(page) == {"at": at}
        (idea,) = [one for one in page.document.all("a") if one.get("aria-current") == "true"]
        assert idea.get("id") == f"idea-{at.partition('.')[0]}"
        right = min(best(str(EXERCISES[at][1])))
        solved = alice.get(f"/learn?at={at}&cell={right}")
        skip, onward = ("Play Medium",) * 2 if at == "ahead.3" else ("Skip", "Next")
        assert page.document.with_class("actions")[0].all("a")[0].text == skip
        assert solved.links["Try again"] == f"/learn?at={at}"
        page = alice.get(solved.links[onward])
    assert page.has_board
    assert page.opponent == "medium"


def hidden(page: Page) -> dict[str, str]:
    form = page.document.with_class("shown")[0]
    assert (form.get("action"), form.get("hx-get")) == ("/learn", "/learn")
    return {
        one.get("name"): one.get("value")
        for one in form.all("input")
        if one.get("type") == "hidden"
    }


def test_htmx_gets_the_exercise_alone_and_says_what_came_of_it(site: Site, alice: Visitor) -> None:
    page = alice.get("/learn")
    for query, announced in (
        ("at=fork.1", "Make two threats at once. You are X. Tap a cell."),
        ("at=threat.2&cell=2", "Right. Blocks the top row and threatens the diagonal."),
        ("at=threat.2&cell=8", "Not yet. X completes the top row and wins."),
    ):
        told = check_swap(site, f"/learn?{query}", page, "exercise", titled=False)
        assert told.startswith(announced)


@pytest.mark.parametrize(
    "query, status",
    [
        ("at=fork.4", 404),
        ("at=", 404),
        ("cell=9", 422),
        ("cell=", 422),
        ("at=fork.1&at=fork.2", 422),
    ],
)
def test_an_address_of_no_exercise_is_refused_with_a_sentence(
    alice: Visitor, query: str, status: int
) -> None:
    refused = alice.get(f"/learn?{query}")
    assert refused.status == status
    assert refused.document.all("h1")


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
        assert f"/opponents/{slug}" in alice.get("/opponents").links.values()
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
