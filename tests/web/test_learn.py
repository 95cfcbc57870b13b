"""What is explained, whether it is true, and what can be tried and printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_bar, check_lost, check_swap, check_worth
from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp.analysis.matchup import matchup, proof
from webapp.analysis.puzzles import Kind, of_kind, of_position
from webapp.analysis.review import judge
from webapp.analysis.worth import worth
from webapp.core.board import Board, Mark
from webapp.core.game import boards, moves_of
from webapp.engines.base import Engine
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.web.present.learn import EXERCISES, difficulty
from webapp.words import figures, played

# --- pictures -----------------------------------------------------------------------------------


def board_in(picture: Element) -> str:
    """The board that a picture shows, from what those hear who do not see it."""
    board = ["."] * 9
    told = picture.get("aria-label").rpartition(": ")[2]
    for marks in told.split("; ") if told != "empty" else ():
        for name in marks[2:].split(", "):
            board[rules.NAMES.index(name)] = marks[0]
    return "".join(board)


def cell_of(element: Element) -> int:
    column, row = (int(element.get(name, "0")) // 100 for name in ("x", "y"))
    return 3 * row + column


def lit(picture: Element) -> set[int]:
    return {*map(cell_of, picture.with_class("lit"))}


def notes_in(picture: Element) -> dict[int, str]:
    """What is written into the cells of a picture."""
    return {cell_of(note): note.text for note in picture.all("text")}


def check_figure(figure: Element, engine: Engine, mark: Mark) -> int:
    """The quickest game that an engine loses with a mark; return in how many moves."""
    game, (picture,) = check_lost(figure.all("a")[0], engine, mark), figure.with_class("picture")
    assert rules.outcome(board_in(picture)) == mark.other.slug
    assert board_in(picture) == rules.after(game)
    assert notes_in(picture) == {cell: str(at) for at, cell in enumerate(game, 1)}
    return (len(game) + 1) // 2


def test_the_pictures_show_what_the_text_says(alice: Visitor) -> None:
    page = alice.get("/learn")
    for slug, bar in zip(("easy", "medium"), page.document.with_class("bar"), strict=True):
        check_bar(bar, matchup(HARD, ENGINES[slug]).for_mark(Mark.X))
    (gallery,) = page.document.with_class("gallery")
    for mark, figure in zip(Mark, gallery.all("figure"), strict=True):
        own = check_figure(figure, ENGINES["medium"], mark.other)
        assert figure.all("a")[0].text == f"As {mark}, in {own} moves"
    (threat,), (fork,), (empty, corner) = (
        alice.get(f"/learn?at={idea}.1").the(f"words-{idea}").with_class("picture")
        for idea in ("threat", "fork", "draw")
    )
    for picture, number in ((threat, 1), (fork, 2)):
        assert lit(picture) == {*rules.completions(board_in(picture), "X")}
        assert len(lit(picture)) == number
    assert not rules.completions(board_in(fork), "O")
    for picture in (empty, corner):
        board = board_in(picture)
        values = {cell: rules.value(rules.put(board, cell))[0] for cell in rules.free(board)}
        said = {cell: ("draw", "loss", "win")[value] for cell, value in values.items()}
        assert notes_in(picture) == said
    assert [cell for cell, what in notes_in(corner).items() if what == "draw"] == [4]
    assert "The game has 5,478 positions." in alice.get("/learn?at=draw.3").document.text


# --- the exercises --------------------------------------------------------------------------------


def best(board: str) -> set[int]:
    """The cells that win soonest, or keep the draw; no exercise is lost."""
    value, plies = rules.value(board)
    best = (-value, plies - 1)
    return {cell for cell in rules.free(board) if rules.value(rules.put(board, cell)) == best}


def test_each_exercise_is_about_its_idea() -> None:
    ideas = product(("threat", "fork", "draw", "ahead"), "123")
    assert [*EXERCISES] == list(map(".".join, ideas))
    for at, (_, position) in EXERCISES.items():
        board = str(position)
        me, free, right = rules.to_move(board), rules.free(board), best(board)
        wins, blocks = ({*rules.completions(board, mark)} for mark in (me, rules.other(me)))
        forks = {cell for cell in free if len(rules.completions(rules.put(board, cell), me)) > 1}
        is_so = {
            "threat.1": right == wins and not blocks,
            "threat.2": right == blocks and not wins,
            # Blocking costs the win.
            "threat.3": right == wins and not any(win_after(board, cell) for cell in blocks),
            "fork.1": right == forks and not wins | blocks,
            "fork.2": right == forks & blocks and not wins,
            "ahead": rules.value(board) == (1, 5) and not forks | blocks,
        }
        quiet = rules.value(board)[0] == 0 and not wins | blocks
        assert is_so.get(at, is_so.get(at.partition(".")[0], quiet)), at
        assert 0 < len(right) < len(free)
        assert len(blocks) == 1 or at != "threat.3"


def win_after(board: str, cell: int) -> bool:
    return rules.value(rules.put(board, cell))[0] < 0


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


def test_every_cell_of_an_exercise_is_answered_truthfully(alice: Visitor) -> None:
    for at, cell in product(EXERCISES, range(9)):
        board, page = str(EXERCISES[at][1]), alice.get(f"/learn?at={at}&cell={cell}")
        if board[cell] != ".":
            assert (page.status, "This cell is taken." in page.text) == (422, True)
            continue
        right, mark, tried = cell in best(board), rules.to_move(board), rules.put(board, cell)
        end, reply = tried, None
        if not right:
            (reply,) = (n for n in range(9) if shown(page)[n] != tried[n])
            assert reply in best(tried)
            end, mark = rules.put(tried, reply), rules.other(mark)
        forked = {} if rules.outcome(end) else rules.completions(end, mark)
        written = dict.fromkeys(forked, f"{mark} wins")
        if len(forked) < 2:
            others = rules.free(end) if right and not rules.outcome(end) else []
            worths = {n: rules.value(rules.put(board, n)) for n in others}
            written = {n: figures.prospect(-value, plies) for n, (value, plies) in worths.items()}
        # Another cell can be tried at once.
        expected = (end, [] if right else rules.free(board), written)
        assert (shown(page), playable(page), notes(page)) == expected, (at, cell)
        told = played.tried(judge(Board.parse(board), cell), reply)
        assert said(page) == f"{'Right' if right else 'Not yet'}. {told}"


def test_the_exercises_follow_each_other_and_lead_to_a_game(alice: Visitor) -> None:
    page = alice.get("/learn")
    for at in EXERCISES:
        board, (form,) = str(EXERCISES[at][1]), page.document.with_class("shown")
        assert (form.get("action"), form.get("hx-get")) == ("/learn", "/learn")
        hidden = [one for one in form.all("input") if one.get("type") == "hidden"]
        assert [(one.get("name"), one.get("value")) for one in hidden] == [("at", at)]
        assert (shown(page), playable(page)) == (board, rules.free(board))
        assert said(page) == f"You are {rules.to_move(board)}. Tap a cell."
        (idea,) = [one for one in page.document.all("a") if one.get("aria-current") == "true"]
        assert idea.get("id") == f"idea-{at.partition('.')[0]}"
        solved = alice.get(f"/learn?at={at}&cell={min(best(board))}")
        skip, onward = ("Play Medium",) * 2 if at == "ahead.3" else ("Skip", "Next")
        assert page.document.with_class("actions")[0].all("a")[0].text == skip
        assert solved.links["Try again"] == f"/learn?at={at}"
        page = alice.get(solved.links[onward])
    assert (page.has_board, page.opponent) == (True, "medium")


def test_htmx_gets_the_exercise_alone_and_says_what_came_of_it(site: Site, alice: Visitor) -> None:
    page = alice.get("/learn")
    for query, announced in (
        ("at=fork.1", "Make two threats at once. You are X. Tap a cell."),
        ("at=threat.2&cell=2", "Right. Blocks the top row and threatens the diagonal."),
        ("at=threat.2&cell=8", "Not yet. X completes the top row and wins."),
    ):
        told = check_swap(site, f"/learn?{query}", page, "exercise", titled=False)
        assert told.startswith(announced)


# --- the opponents ------------------------------------------------------------------------------


def test_the_page_of_an_engine_has_its_rules_its_results_and_its_proofs(alice: Visitor) -> None:
    page = alice.get("/opponents")
    assert "every way a game can go, weighed by its chance" in page.document.text
    headings = [one.text for one in page.document.all("h2")]
    assert headings == ["The levels", "From the literature"]
    cards = [card for group in page.document.with_class("cards") for card in group.elements]
    for engine, card in zip(ENGINES.values(), cards, strict=True):
        (link,) = card.all("a")
        assert (link.text, card.all("p")[0].text) == (engine.name, engine.idea)
        check_worth(card, worth(engine), brief=True)
        own = alice.get(link.get("href"))
        (listed,) = own.document.with_class("rules")
        assert tuple(line.text for line in listed.elements) == engine.rules
        assert engine.idea in own.document.text
        check_worth(own.document, worth(engine))
        for mark, part in zip(Mark, own.document.with_class("proof"), strict=True):
            check_proof(part, engine, mark)
        assert alice.get(own.links[f"Play {engine.name}"]).opponent == engine.slug


def check_proof(part: Element, engine: Engine, mark: Mark) -> None:
    """The sentences of a proof, its game, and what the engine passes up."""
    found, said = proof(engine, mark), [one.text for one in part.all("p")]
    if found.game:
        own = check_figure(part.all("figure")[0], engine, mark)
        assert said[0] == f"It can be beaten: the quickest win takes {own} moves."
    else:
        assert said[0].startswith("It cannot be beaten")
    passed = f"In {len(found.passed_up):,} of the {found.positions:,} positions"
    assert [one.startswith(passed) for one in said[1:2]] == [True] * bool(found.passed_up)
    if found.passed_up:
        picture = part.with_class("picture")[-1]
        assert lit(picture) == {*rules.completions(board_in(picture), str(mark))} != set()


# --- on paper -------------------------------------------------------------------------------------

SENTENCES = [
    "If you have two in a line and the third cell is free, take it and win.",
    "If the other player has two in a line and the third cell is free, take it.",
    "If the centre is free, take it.",
    "If the other player has two opposite corners, take an edge.",
    "If the other player has an edge, take a free corner next to it.",
    "If a corner is free, take it.",
    "Otherwise take any free cell.",
]
CORNERS, EDGES = {0, 2, 6, 8}, {1, 3, 5, 7}
BESIDE = {1: {0, 2}, 3: {0, 6}, 5: {2, 8}, 7: {6, 8}}


def instructed(board: str) -> tuple[int, set[int]]:
    """Which sentence is the first to be followed, and the cells that it allows: read literally."""
    me, other = rules.to_move(board), rules.other(rules.to_move(board))
    theirs = {cell for cell in range(9) if board[cell] == other}
    opposite = theirs >= {0, 8} or theirs >= {2, 6}
    read = (
        {*rules.completions(board, me)},
        {*rules.completions(board, other)},
        {4},
        EDGES if opposite else set(),
        {cell for edge in theirs & EDGES for cell in BESIDE[edge]},
        CORNERS,
        {*range(9)},
    )
    allowed = (cells & {*rules.free(board)} for cells in read)
    return next((at, cells) for at, cells in enumerate(allowed) if cells)


def followed(mark: str, board: str = rules.EMPTY) -> Counter[str]:
    """How all games end in which one player follows the sentences."""
    if ended := rules.outcome(board):
        return Counter([ended])
    cells = instructed(board)[1] if rules.to_move(board) == mark else rules.free(board)
    return sum((followed(mark, rules.put(board, cell)) for cell in cells), Counter())


def counted(ends: Counter[str], mark: str) -> str:
    assert {*ends} == {mark.lower(), "draw"}
    won, drawn = ends[mark.lower()], ends["draw"]
    return f"You are {mark} – {won + drawn:,} games: {won:,} won, {drawn:,} drawn, none lost."


def test_anyone_who_follows_the_paper_to_the_letter_never_loses(alice: Visitor) -> None:
    page = alice.get("/learn/paper/rules")
    (listed,) = page.document.with_class("instructions")
    assert [item.all("p")[0].text for item in listed.all("li")] == SENTENCES
    for mark in "XO":
        assert counted(followed(mark), mark) in page.document.text
    for at, picture in enumerate(listed.with_class("picture")):
        assert rules.to_move(board_in(picture)) == "O"
        assert instructed(board_in(picture)) == (at, lit(picture))


ASKS = {
    "win": r"[XO] can win at once\. Where\?",
    "block": r"[XO] threatens a line\. Where does [XO] stop it\?",
    "fork": r"[XO] can threaten two lines at once\. Where\?",
    "stop-fork": r"[XO] could make a fork\. Where does [XO] stop it\?",
    "only": r"Only one cell does not lose for [XO]\. Which\?",
}


def sheet(visitor: Visitor, kind: str, seed: int) -> list[tuple[str, str, set[int]]]:
    """The boards of a worksheet, what is asked of each, and the cells of its solution."""
    document = visitor.get(f"/learn/paper/puzzles?kind={kind}&number=12&seed={seed}").document
    (tasks,), (solutions,) = document.with_class("tasks"), document.with_class("solutions")
    assert (f"Sheet {seed}" in tasks.text, tasks.with_class("lit")) == (True, [])
    boards, solved = tasks.with_class("picture"), solutions.with_class("picture")
    asks = [item.all("p")[0].text for item in tasks.all("li")]
    found = list(zip(map(board_in, boards), asks, map(lit, solved), strict=True))
    assert [board for board, *_ in found] == list(map(board_in, solved))
    return found


def test_a_worksheet_asks_what_is_chosen_and_shows_every_right_cell(
    alice: Visitor, bob: Visitor
) -> None:
    for kind in (*ASKS, "mixed"):
        found = sheet(alice, kind, seed=7)
        assert len({board for board, *_ in found}) == 12
        wanted = [ASKS[kind]] if kind in ASKS else [*ASKS.values()]
        asked = {one for one in wanted for _, ask, _ in found if re.fullmatch(one, ask)}
        assert asked == {*wanted}
        for board, ask, right in found:
            assert any(re.fullmatch(one, ask) for one in wanted)
            value, _plies = rules.value(board)
            keep = {n for n in rules.free(board) if -rules.value(rules.put(board, n))[0] == value}
            assert right == ({*rules.completions(board, rules.to_move(board))} or keep)
        assert found == sheet(bob, kind, seed=7) != sheet(alice, kind, seed=8)
    location = alice.get("/learn/paper/puzzles?kind=fork&number=4").headers["Location"]
    assert re.fullmatch(r"/learn/paper/puzzles\?kind=fork&number=4&seed=[1-9]\d{0,3}", location)
    assert location in alice.get(location).document.text, "it leads to one that stays"


# --- the whole game -------------------------------------------------------------------------------


def ends_of(group: Element, mark: str, board: str) -> Iterator[str]:
    """Hold a board of the map against the rules and against Hard, with all boards in it.

    :param board: as it is before the side of the map answers
    """
    parts = (group.elements[0] if group.elements[0].tag == "a" else group).elements
    marks = {cell_of(one): one for one in parts if one.get("href") in ("#x", "#o")}
    if rules.to_move(board) == mark and not rules.outcome(board):
        (bold,) = (cell for cell, one in marks.items() if one.get("class") == "new")
        assert bold == min(choice.cell for choice in HARD.choices(Board.parse(board)))
        board = rules.put(board, bold)
    shown = {cell: one.get("href")[1].upper() for cell, one in marks.items()}
    assert "".join(shown.get(cell, ".") for cell in range(9)) == board
    ended = rules.outcome(board)
    assert any(one.get("class") == "strike" for one in parts) is (ended in ("x", "o"))
    within = [one for one in parts if one.tag == "g"]
    if ended:
        yield ended
    for reply, one in zip([] if ended else rules.free(board), within, strict=True):
        x, y = (int(place) // 100 for place in re.findall(r"\d+", one.get("transform"))[:2])
        assert x + 3 * y == reply
        yield from ends_of(one, mark, rules.put(board, reply))


def test_the_map_answers_every_move_and_never_loses(alice: Visitor) -> None:
    for mark in "XO":
        page = alice.get(f"/learn/map?mark={mark.lower()}")
        (svg,) = page.document.with_class("map")[0].all("svg")
        assert counted(Counter(ends_of(svg, mark, rules.EMPTY)), mark) in page.document.text
        assert len(page.text) < 250_000


def test_the_tree_leads_to_a_drawn_game_and_back(alice: Visitor) -> None:
    for address, top in (("/learn/map", "/learn/map?mark=x"), ("/learn/map?mark=o",) * 2):
        page, steps = alice.get(address), 0
        while links := page.document.with_class("answers")[0].all("a"):
            shown = [link.get("href") for link in page.document.with_class("map")[0].all("a")]
            assert shown == [link.get("href") for link in links], "by finger and by keys alike"
            page, steps = alice.get(links[-1].get("href")), steps + 1
            back = page.document.with_class("links")[0].all("a")
            assert (back[0].get("href"), len(back)) == (top, steps)
        assert "A draw" in page.document.text or "wins" in page.document.text


# --- puzzles: today's, and runs -------------------------------------------------------------------


def position_of(page: Page) -> tuple[str, tuple[int, ...]]:
    """The moves to the position that a page shows, and its right cells."""
    (field,) = (one for one in page.document.all("input") if one.get("name") == "position")
    puzzle = of_position(boards(moves_of(field.get("value")))[-1])
    assert puzzle
    return field.get("value"), puzzle.right


def test_todays_puzzle_is_the_same_for_all_and_quiet(alice: Visitor, bob: Visitor) -> None:
    page = alice.get("/puzzles")
    moves, _right = position_of(page)
    assert position_of(bob.get("/puzzles"))[0] == moves
    assert re.search("moves ahead.*Medium goes wrong here in", page.document.text)
    assert not any(rules.completions(rules.after(map(int, moves)), mark) for mark in "XO")
    for kind, number in zip((Kind.WIN, Kind.BLOCK, Kind.FORK, Kind.STOP_FORK), "1122", strict=True):
        look = f"look {number} move{'s' * (number == '2')} ahead."  # of the side that wins
        assert all(look in difficulty(one) for one in of_kind(kind))


def test_a_right_answer_is_told_why_and_a_wrong_one_what_refutes_it(alice: Visitor) -> None:
    right, wrong = (alice.post("/puzzles/answer", {"position": "0", "cell": cell}) for cell in "48")
    assert "The only cell that holds the draw." in right.the("right").text
    told = wrong.the("wrong").text
    assert told.startswith("Not yet. Gives the draw away: X can now win")
    assert "Gives the draw away" in alice.get(wrong.the("line").get("href")).text


def test_a_run_goes_on_until_three_mistakes_and_the_best_is_kept(alice: Visitor) -> None:
    assert "run of puzzles" not in alice.get("/you").text
    for number in range(1, 7):
        moves, right = position_of(alice.get("/puzzles/run"))
        wrong = {*rules.free(rules.after(map(int, moves)))} - {*right}
        fields = {"position": moves, "cell": right[0] if number <= 3 else min(wrong)}
        answer = alice.post("/puzzles/answer", fields)
        solved, mistakes = min(number, 3), max(number - 3, 0)
        stands = f"{solved} right, {mistakes} of 3 mistakes, best run {solved}"
        assert stands in answer.the("puzzle").text
        assert mistakes == 0 or answer.the("wrong").text.startswith("Wrong.")
        again = alice.post("/puzzles/answer", fields)
        assert "mistakes" not in again.the("puzzle").text, "it counts once"
    assert "Another run" in answer.text
    assert alice.post("/puzzles/run").status == 303
    assert "0 right, 0 of 3 mistakes, best run 3" in alice.get("/puzzles/run").the("puzzle").text
    assert "Best run of puzzles: 3 right" in alice.get("/you").text
