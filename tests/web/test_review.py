import re
from urllib.parse import parse_qsl, urlsplit

from tests.support import rules
from tests.support.html import Element
from tests.support.learning import check_swap, query_of
from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp.analysis.review import Judgement, review
from webapp.core.game import digits, moves_of
from webapp.words import figures, played

MISTAKES = set(Judgement) - {Judgement.BEST, Judgement.NOTHING_COULD_BE_DONE}
GAMES = "3264850", "234017586", "435701628", "0653248", "1240587", "048376215", "826517304"
"""Games to the end, of people who do not think."""


def look(visitor: Visitor, moves: tuple[int, ...], **query: object) -> Page:
    return visitor.get(f"/review/{digits(moves)}", query_string=query)


def judged(page: Page) -> tuple[Element, ...]:
    (moves,) = page.document.with_class("judged")
    return moves.elements


def test_every_step_shows_its_position_and_links_to_the_others(alice: Visitor) -> None:
    for game, query in (
        (GAMES[0], {}),
        (GAMES[1], {"values": "1", "opponent": "easy", "mark": "o"}),
    ):
        moves = moves_of(game)
        for at in range(len(moves) + 1):
            page = look(alice, moves, at=at, **query)
            check_step(page, moves, at, values="values" in query, mark=query.get("mark", "xo"))
            check_links(page, moves, at, query)


def check_step(page: Page, moves: tuple[int, ...], at: int, *, values: bool, mark: str) -> None:
    board, over = rules.after(moves[:at]), rules.outcome(rules.after(moves[:at]))
    cells = [page.cell(cell) for cell in range(9)]
    assert "".join(cell.mark for cell in cells) == board
    assert not any(cell.playable for cell in cells)
    last = review(moves).moves[at - 1] if at else None
    heading, sentence = (page.the("review").all(tag)[0].text for tag in ("h2", "p"))
    assert heading == (f"{at} {last.mark}: {rules.NAMES[last.cell]}" if last else "An empty board")
    assert last is None or sentence == played.judged(last)
    suggested = {cell for cell, _ in last.better} if last and not values else set()
    assert {cell.number for cell in cells if cell.hinted} == suggested
    for cell in rules.free(board) if values and not over else ():
        theirs, plies = rules.value(rules.put(board, cell))
        assert cells[cell].label.endswith(f", empty, {figures.prospect(-theirs, plies)}")
    mistaken = last is not None and last.judgement in MISTAKES and last.mark.slug in mark
    assert ("Play this move differently" in page.buttons) is mistaken
    assert ("Try again from here" in page.buttons) is (not over)


def check_links(page: Page, moves: tuple[int, ...], at: int, query: dict[str, str]) -> None:
    last, turning = len(moves), review(moves).turning_point
    steps = {"first": 0, "earlier": max(at - 1, 0), "later": min(at + 1, last), "last": last}
    targets = {f"step-{step}": target for step, target in steps.items()}
    targets |= {f"move-{number}": number for number in range(1, last + 1)}
    assert turning is not None
    leads = {name: query | {"at": str(to)} for name, to in targets.items()}
    leads["turning"] = query | {"at": str(turning + 1)}
    leads["values"] = {"values": "1"} if not query else {"opponent": "easy", "mark": "o"}
    leads["values"] |= {"at": str(at)}
    for name, to in leads.items():
        link = page.the(name)
        assert (urlsplit(link.get("href")).path, query_of(link)) == (f"/review/{digits(moves)}", to)
        assert link.get("hx-get") == link.get("href")
        if name.startswith("step"):
            assert (link.get("aria-disabled") == "true") is (targets[name] == at)
    # One button stands out: on to the turning point, and there a better move.
    found = [one.get("id") for one in page.the("review").with_class("primary")]
    better = [name for name in ("instead", "here") if page.document.with_id(name)][:1]
    assert found == (better if at == turning + 1 else ["turning"])
    current = [line for line in judged(page) if line.get("aria-current") == "step"]
    assert [line.all("a")[0].get("id") for line in current] == ([f"move-{at}"] if at else [])


def test_the_list_and_the_chart_judge_every_move(site: Site, alice: Visitor) -> None:
    for moves in map(moves_of, GAMES):
        page, found = look(alice, moves), review(moves)
        for number, (move, line) in enumerate(zip(found.moves, judged(page), strict=True), 1):
            assert line.all("a")[0].text == f"{number} {move.mark} {rules.NAMES[move.cell]}"
            assert line.all("span")[0].text == played.judged(move)
            assert ("mistake" in line.get("class").split()) is (move.judgement in MISTAKES)
            assert bool(line.all("strong")) is (number - 1 == found.turning_point)
        # At first and after each move, a lead of X as +1; and the moves that change it.
        values = [rules.value(rules.after(moves[:at]))[0] for at in range(len(moves) + 1)]
        leads = [-value if at % 2 else value for at, value in enumerate(values)]
        (chart,) = page.document.with_class("course")
        points = [point.split(",") for point in chart.all("polyline")[0].get("points").split()]
        heights = [75 - float(y) for _, y in points]
        assert [(height > 0) - (height < 0) for height in heights] == leads
        said = chart.all("svg")[0].get("aria-label")
        changes = [at for at in range(1, len(leads)) if leads[at] != leads[at - 1]]
        assert [int(number) for number in re.findall(r"From move (\d) on", said)] == changes
    page = look(alice, (4, 0, 2, 8, 1))
    for target in ("step-first", "move-2", "turning", "values"):
        address = page.the(target).get("hx-get")
        live = check_swap(site, address, page, "review", titled=True)
        region = alice.get(address).the("review")
        assert live == f"{region.all('h2')[0].text}. {region.all('p')[0].text}"


def test_a_game_that_is_over_leads_to_its_review(site: Site, alice: Visitor, bob: Visitor) -> None:
    for opponent, mark, said in (
        ("hard", "o", "X was Hard, O was a person."),
        ("rules:win,edge", "x", "X was a person, O was Rule list."),
        ("friend", "x", ""),
    ):
        page = alice.start(opponent, mark)
        while not page.outcome:
            assert "Review" not in page.links
            page = alice.press(page, page.cell(page.playable[0]), htmx=True)
        expected = {"opponent": opponent} | ({"mark": mark} if said else {})
        for visitor in (alice, bob):
            address = urlsplit(visitor.get(page.address).links["Review"])
            assert address.path == f"/review/{site.stored(page.address)['moves']}"
            assert dict(parse_qsl(address.query)) == expected
            shown = visitor.get(address.geturl()).document
            heading = f"Review: {bob.get(page.address).heading}"
            assert (shown.all("h1")[0].text, said in shown.text) == (heading, True)
