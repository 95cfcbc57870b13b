"""What is explained, whether it is true, and what can be tried and printed."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import (
    check_lost,
    check_results,
    check_strip,
    check_swap,
    results_of,
    verdict_of,
)
from tests.support.page import Page, fields_of
from tests.support.visitor import Site, Visitor
from webapp.analysis import paper
from webapp.analysis.matchup import proof
from webapp.analysis.openings import chances, sharp
from webapp.analysis.puzzles import of_position
from webapp.analysis.review import judge
from webapp.analysis.worth import worth
from webapp.core.board import Board, Mark
from webapp.core.game import boards, moves_of
from webapp.engines.base import Engine
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.web.learn import EXERCISES
from webapp.words import figures, played


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


def check_figure(figure: Element, engine: Engine, mark: Mark) -> int:
    """The quickest game that an engine loses with a mark; return in how many moves."""
    game, (picture,) = check_lost(figure.all("a")[0], engine, mark), figure.with_class("picture")
    assert board_in(picture) == rules.after(game)
    assert rules.outcome(rules.after(game)) == mark.other.slug
    assert notes_in(picture) == {cell: str(at) for at, cell in enumerate(game, 1)}
    return (len(game) + 1) // 2


def notes_in(picture: Element) -> dict[int, str]:
    return {cell_of(note): note.text for note in picture.all("text")}


def test_the_pictures_show_what_the_text_says(alice: Visitor) -> None:
    (threat,), (fork,), of_values = (
        alice.get(f"/learn?at={idea}.1").the(f"words-{idea}").with_class("picture")
        for idea in ("threat", "fork", "draw")
    )
    for picture, number in ((threat, 1), (fork, 2)):
        assert lit(picture) == {*rules.completions(board_in(picture), "X")}
        assert len(lit(picture)) == number
    for picture in of_values:
        board = board_in(picture)
        values = {cell: rules.value(rules.put(board, cell))[0] for cell in rules.free(board)}
        said = {cell: ("draw", "loss", "win")[value] for cell, value in values.items()}
        assert notes_in(picture) == said


def best(board: str) -> set[int]:
    """The cells that win soonest, or keep the draw; no exercise is lost."""
    value, plies = rules.value(board)
    best = (-value, plies - 1)
    return {cell for cell in rules.free(board) if rules.value(rules.put(board, cell)) == best}


def exercise(page: Page) -> tuple[str, str, list[int], dict[int, str]]:
    cells = [page.cell(number) for number in range(9)]
    notes = [(cell, note.text) for cell in cells for note in cell.element.with_class("worth")]
    assert all(cell.label.endswith(f", {note}") for cell, note in notes), "and it is heard"
    return (
        page.document.with_class("status")[0].all("p")[0].text,
        "".join(cell.mark for cell in cells),
        [cell.number for cell in cells if cell.playable],
        {cell.number: note for cell, note in notes},
    )


def test_every_cell_of_an_exercise_is_answered_truthfully(alice: Visitor) -> None:
    for at, cell in product(EXERCISES, range(9)):
        board, page = str(EXERCISES[at][1]), alice.post("/learn", {"at": at, "cell": cell})
        if board[cell] != ".":
            assert (page.status, "This cell is taken." in page.text) == (422, True)
            continue
        told, end, playable, notes = exercise(page)
        right, mark, tried = cell in best(board), rules.to_move(board), rules.put(board, cell)
        reply = None
        if not right:
            (reply,) = (n for n in range(9) if end[n] != tried[n])
            assert reply in best(tried)
            mark = rules.other(mark)
        assert end == (tried if reply is None else rules.put(tried, reply))
        forked = {} if rules.outcome(end) else rules.completions(end, mark)
        written = dict.fromkeys(forked, f"{mark} wins")
        if len(forked) < 2:
            others = rules.free(end) if right and not rules.outcome(end) else []
            worths = {n: rules.value(rules.put(board, n)) for n in others}
            written = {n: figures.prospect(-value, plies) for n, (value, plies) in worths.items()}
        assert (playable, notes) == ([] if right else rules.free(board), written), (at, cell)
        said = played.tried(judge(Board.parse(board), cell), reply)
        assert told == f"{'Correct' if right else 'Not yet'}. {said}"


def test_the_exercises_follow_each_other_and_lead_to_a_game(site: Site, alice: Visitor) -> None:
    first = alice.get("/learn")
    page = alice.get(first.links["Start"])
    for at in EXERCISES:
        board, (form,) = str(EXERCISES[at][1]), page.document.with_class("shown")
        assert fields_of(form, page.document)["at"] == at
        asked = f"You are {rules.to_move(board)}. Tap a cell."
        assert exercise(page) == (asked, board, rules.free(board), {})
        solved = alice.post("/learn", {"at": at, "cell": min(best(board))})
        assert solved.links["Try again"] == f"/learn?at={at}"
        page = alice.get(solved.links["Play Medium" if at == "ahead.3" else "Next"])
    assert (page.has_board, page.opponent) == (True, "medium")
    page = alice.get("/learn")
    assert page.document.all("h2")[0].text == "You know the four ideas."
    assert alice.get(page.links["Play Medium"]).opponent == "medium"
    onto = alice.get("/learn?at=draw.1")
    swapped = check_swap(site, "/learn?at=fork.1", onto, "exercise", titled=False)
    assert swapped == "Make two threats at once. You are X. Tap a cell."


def test_the_exercises_that_are_done_are_remembered(site: Site, alice: Visitor) -> None:
    def done(page: Page) -> list[str]:
        ideas = page.document.with_class("ideas")[0].all("a")
        drawn = [one for idea in ideas for one in idea.all("path") if one.get("class", "") == ""]
        told = [idea.text.removesuffix(" of 3") for idea in ideas]
        assert sum(int(one[-1]) for one in told) == len(drawn)
        return told

    before = site.dump()
    alice.get("/learn")
    alice.get(f"/learn?at=threat.1&cell={min(best(str(EXERCISES['threat.1'][1])))}")
    wrong = alice.post("/learn", {"at": "fork.2", "cell": 6})
    assert (done(wrong), site.dump()) == (["Threat 0", "Fork 0", "Draw 0", "Look ahead 0"], before)
    for at in ("threat.1", "fork.2", "fork.2"):
        right = alice.post("/learn", {"at": at, "cell": min(best(str(EXERCISES[at][1])))})
    assert done(right) == ["Threat 1", "Fork 1", "Draw 0", "Look ahead 0"]
    moves, cells = position_of(alice.get("/puzzles/run"))
    alice.post("/puzzles/answer", {"position": moves, "cell": cells[0]})
    page = alice.get("/learn")
    assert done(page) == done(right), "a run of puzzles changes nothing of them"
    assert page.document.all("h2")[0].text == "Next: Stop the threat"
    assert "your best: 1" in page.document.text
    assert (page.links["Continue"], page.the("idea-fork").get("href")) == (
        "/learn?at=threat.2", "/learn?at=fork.1"
    )  # fmt: skip


def test_the_opponents_are_listed_from_the_weakest_by_whether_they_can_be_beaten(
    alice: Visitor,
) -> None:
    page = alice.get("/opponents")
    groups = {
        section.all("h2")[0].text: section.all("li") for section in page.document.all("section")
    }
    assert [len(rows) for rows in groups.values()] == [6, 4]
    known, points = {engine.name: engine for engine in ENGINES.values()}, list[Fraction]()
    for heading, rows in groups.items():
        for row in rows:
            engine, link = known.pop(row.all("b")[0].text), row.all("a")[0]
            found = worth(engine)
            assert found.unbeatable is (heading == "Proved unbeatable")
            assert [one.text for one in row.all("small")] == [verdict_of(found)] * (
                verdict_of(found) != heading
            )
            assert link.text.endswith(engine.idea)
            assert link.get("href") == f"/opponents/{engine.slug}"
            bars = zip(row.with_class("bar"), [*results_of(found)][:2], strict=True)
            for bar, (title, values) in bars:
                check_strip(bar, values, title)
            points.append(sum((values[0] for _, values in [*results_of(found)][:2]), Fraction()))
    assert not known
    assert (points[:6], points[6:]) == (sorted(points[:6]), sorted(points[6:]))


def test_the_page_of_an_engine_has_its_rules_its_results_and_its_proofs(alice: Visitor) -> None:
    for engine in ENGINES.values():
        own = alice.get(f"/opponents/{engine.slug}")
        (listed,) = own.document.with_class("rules")
        assert tuple(line.text for line in listed.elements) == engine.rules
        check_results(own.document, worth(engine))
        for mark, part in zip(Mark, own.document.with_class("proof"), strict=True):
            check_proof(part, engine, mark)
        assert alice.get(own.links[f"Play {engine.name}"]).opponent == engine.slug
        assert ("Make two threats at once." in own.text) is (engine.slug == "medium")
        assert ("make one threat after another." in own.text) is (engine.slug == "easy")


def check_proof(part: Element, engine: Engine, mark: Mark) -> None:
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


def test_a_sharp_opening_shows_what_keeps_its_value_and_its_chances(alice: Visitor) -> None:
    (listed,) = alice.get("/openings").document.with_class("openings")
    for item, opening in zip(listed.elements, sharp(), strict=True):
        (picture,), found = item.with_class("picture"), chances(opening, ENGINES["medium"])
        board = board_in(picture)
        value, _plies = rules.value(board)
        keep = {n for n in rules.free(board) if -rules.value(rules.put(board, n))[0] == value}
        assert (board, lit(picture)) == (str(opening.board), keep)
        shares = (found.x_wins, found.draws, found.o_wins)
        assert [one.text for one in item.all("dd")] == [f"{float(100 * one):.1f}" for one in shares]


def counted(ends: Counter[str], mark: str) -> str:
    assert {*ends} == {mark.lower(), "draw"}
    won, drawn = ends[mark.lower()], ends["draw"]
    return f"You are {mark} – {won + drawn:,} games: {won:,} won, {drawn:,} drawn, none lost."


def test_the_rules_on_paper_each_have_a_board_and_say_what_comes_of_them(alice: Visitor) -> None:
    page = alice.get("/learn/paper/rules")
    (listed,) = page.document.with_class("instructions")
    for rule, item in zip(paper.RULES, listed.all("li"), strict=True):
        (picture,) = item.with_class("picture")
        board = Board.parse(board_in(picture))
        cells = {option[0] for option in rule.options(board)}
        assert (item.all("p")[0].text, lit(picture)) == (rule.text, cells)
        assert cells == {*paper.allowed(board)}, "no rule before it can be followed"
    for mark in Mark:
        assert counted(paper.games(mark), str(mark)) in page.document.text


ASKS = {
    "win": r"[XO] can win at once\. Where\?",
    "block": r"[XO] threatens a line\. Where does [XO] stop it\?",
    "fork": r"[XO] can threaten two lines at once\. Where\?",
    "stop-fork": r"[XO] could make a fork\. Where does [XO] stop it\?",
    "only": r"Only one cell does not lose for [XO]\. Which\?",
}


def test_a_worksheet_asks_what_is_chosen_and_shows_every_right_cell(alice: Visitor) -> None:
    for kind in (*ASKS, "mixed"):
        page = alice.get(f"/learn/paper/puzzles?kind={kind}&number=12&seed=7")
        (tasks,), (solutions,) = map(page.document.with_class, ("tasks", "solutions"))
        assert ("Sheet 7" in tasks.text, tasks.with_class("lit")) == (True, [])
        boards = [*map(board_in, tasks.with_class("picture"))]
        asks = [item.all("p")[0].text for item in tasks.all("li")]
        for board, solved in zip(boards, solutions.with_class("picture"), strict=True):
            value, _plies = rules.value(board)
            keep = {n for n in rules.free(board) if -rules.value(rules.put(board, n))[0] == value}
            assert board_in(solved) == board
            assert lit(solved) == ({*rules.completions(board, rules.to_move(board))} or keep)
        assert len({*boards}) == 12
        wanted = {ASKS[kind]} if kind in ASKS else {*ASKS.values()}
        assert {one for one in ASKS.values() for ask in asks if re.fullmatch(one, ask)} == wanted
    location = alice.get("/learn/paper/puzzles?kind=fork&number=4").headers["Location"]
    assert re.fullmatch(r"/learn/paper/puzzles\?kind=fork&number=4&seed=[1-9]\d{0,3}", location)
    assert location in alice.get(location).document.text, "it leads to one that stays"


def ends_of(group: Element, mark: str, board: str) -> Iterator[str]:
    """Hold a board, before it is answered, and all boards in it against the rules and Hard."""
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
        steps = 0
        while links := page.document.with_class("answers")[0].all("a"):
            shown = [link.get("href") for link in page.document.with_class("map")[0].all("a")]
            assert shown == [link.get("href") for link in links], "by finger and by keys alike"
            page, steps = alice.get(links[-1].get("href")), steps + 1
            back = page.document.with_class("links")[0].all("a")
            assert (back[0].get("href"), len(back)) == (f"/learn/map?mark={mark.lower()}", steps)


def position_of(page: Page) -> tuple[str, tuple[int, ...]]:
    (field,) = (one for one in page.document.all("input") if one.get("name") == "position")
    puzzle = of_position(boards(moves_of(field.get("value")))[-1])
    assert puzzle
    return field.get("value"), puzzle.right


def test_a_right_answer_is_told_why_and_a_wrong_one_what_refutes_it(alice: Visitor) -> None:
    assert re.search("To see it, look . moves ahead", alice.get("/puzzles").document.text)
    right, wrong = (alice.post("/puzzles/answer", {"position": "0", "cell": cell}) for cell in "48")
    assert "The only cell that keeps the draw." in right.the("right").text
    assert wrong.the("wrong").text.startswith("Not yet. Gives the draw away: X can now win")
    assert "Gives the draw away" in alice.get(wrong.the("line").get("href")).text


def test_a_run_goes_on_until_three_mistakes_and_the_best_is_kept(alice: Visitor) -> None:
    alice.post("/learn", {"at": "draw.1", "cell": 4})
    for number in range(1, 7):
        moves, right = position_of(alice.get("/puzzles/run"))
        wrong = {*rules.free(rules.after(map(int, moves)))} - {*right}
        fields = {"position": moves, "cell": right[0] if number <= 3 else min(wrong)}
        answer = alice.post("/puzzles/answer", fields)
        solved, mistakes = min(number, 3), max(number - 3, 0)
        stands = f"{solved} correct, {mistakes} of 3 mistakes, best run {solved}"
        assert stands in answer.the("puzzle").text
        again = alice.post("/puzzles/answer", fields)
        assert "mistakes" not in again.the("puzzle").text, "it counts once"
    assert "Another run" in answer.text
    assert alice.post("/puzzles/run").status == 303
    assert "0 correct, 0 of 3 mistakes, best run 3" in alice.get("/puzzles/run").the("puzzle").text
    assert "Best run of puzzles: 3 correct" in alice.get("/you").text
    assert alice.get("/learn").the("idea-draw").text == "Draw 1 of 3", "which is kept"


def told(page: Page) -> str:
    return page.the("lookahead").all("h2")[0].text


def watched(alice: Visitor, address: str) -> Iterator[Page]:
    """The pages of a search, by the link to the next step."""
    while address:
        page = alice.get(address)
        yield page
        later = page.the("step-later")
        assert later.get("hx-get") == later.get("href")
        address = "" if later.get("aria-disabled") else later.get("href")


def test_a_search_is_watched_step_by_step(alice: Visitor) -> None:
    *pages, last = watched(alice, "/learn/minimax")
    said = [told(page).partition(" Guess")[0] for page in pages]
    assert said[:6] == [
        "X is to move, and tries each free cell.",
        "X tries the centre, and looks at each answer.",
        "O tries the bottom left corner, and looks at each answer.",
        "X tries the bottom centre, and the board is full. A draw: 0.",
        "X takes the largest: 0.",
        "O tries the bottom centre, and looks at each answer.",
    ]
    assert said[8:10] == [
        "O takes the smallest: 0.",
        "X tries the bottom left corner and wins: \u200e+1.",
    ]
    assert told(last) == (
        "X plays the bottom left corner. It is worth \u200e+1. "
        "X has looked at every answer that matters, and cannot lose from here."
    )
    assert "12 of 12 boards looked at" in last.the("lookahead").text
    assert [last.cell(cell).hinted for cell in (4, 6, 7)] == [False, True, False]
    assert last.cell(6).label.endswith(", empty, +1, suggested") or last.cell(6).label
    assert len(pages) == 18


def test_a_guess_is_asked_for_before_a_value_rises_and_judged_after_it(alice: Visitor) -> None:
    address = "/learn/minimax?board=XOXX.O..O"
    assert "Guess" not in told(alice.get(f"{address}&step=2"))
    assert told(alice.get(f"{address}&step=3")).endswith("Guess: what will X get?")
    for guess, judged in (("win", "Not quite."), ("draw", "Correct."), ("loss", "Not quite.")):
        assert (
            told(alice.get(f"{address}&step=4&guess={guess}"))
            == f"{judged} X takes the largest: 0."
        )


def test_twenty_steps_come_with_the_next_for_a_script(alice: Visitor) -> None:
    address = "/learn/minimax?board=X....OOX."

    def answer(step: int, **headers: str) -> Page:
        at, page = f"{address}&step={step}", alice.get(address)
        return alice.get(at, fragment=True, onto=page, headers=headers)

    assert not answer(1).the("lookahead").has("data-ahead")
    kept = answer(1, **{"HX-Source": "a#step-later"}).the("lookahead").get("data-ahead")
    ahead = json.loads(kept)
    assert {*ahead} == {f"{address}&step={step}" for step in range(2, 22)}
    for step in (2, 9, 21):
        assert ahead[f"{address}&step={step}"] == answer(step).response.text


def test_from_the_empty_board_a_step_is_a_whole_first_move(alice: Visitor) -> None:
    pages = [*watched(alice, "/learn/minimax?board=.........")]
    assert len(pages) == 11
    assert "549,946 of 549,946 boards looked at" in pages[-1].the("lookahead").text
    *_, last = watched(alice, "/learn/minimax?board=.........&prunes=1")
    text = last.text
    assert "18,297 of 18,297 boards looked at" in text
    assert "If it skipped none, it would look at 549,946 boards." in text
    assert last.cell(8).label.endswith("\u2264 0")
    assert told(last).startswith("X plays the top left corner. It is worth 0. X has looked")
    assert told(pages[1]) == "X tries the top left corner. O takes the smallest: 0."


def test_a_search_may_look_less_far_and_begins_where_a_game_goes_on(alice: Visitor) -> None:
    near = alice.get("/learn/minimax?board=.........&depth=1&step=1")
    assert "It looks no further, so this counts as a draw: 0." in told(near)
    for wrong in ("board=XXXOO....", "board=X", "step=19", "depth=4"):
        assert alice.get(f"/learn/minimax?{wrong}").status == 422, wrong
    assert alice.get("/review/40281?at=2").links["How the computer sees this"].endswith("O...X....")
