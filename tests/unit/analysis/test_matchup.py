"""Exact results, proofs and leagues, against slow and plain computations and the sources."""

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest

from tests.support.functions import engine_of
from webapp.analysis.league import league, shortest
from webapp.analysis.matchup import Matchup, matchup, proof, table
from webapp.core import solver, tactics
from webapp.core.board import Board, Mark, unpacked
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine, EngineFault
from webapp.engines.registry import ENGINES, engine

ALL = tuple(ENGINES.values())


def plain_matchup(x: Engine, o: Engine) -> Matchup:
    @cache
    def visit(board: Board) -> tuple[Fraction, Fraction, Fraction]:
        if outcome := board.outcome:
            ends = (Mark.X, None, Mark.O)
            won, drawn, lost = (Fraction(outcome.winner is end) for end in ends)
            return won, drawn, lost
        total = [Fraction(0)] * 3
        for choice in (x if board.turn is Mark.X else o).choices(board):
            for at, value in enumerate(visit(board.play(choice.cell))):
                total[at] += choice.probability * value
        return total[0], total[1], total[2]

    return Matchup(*visit(Board()))


def plain_shortest(
    x: Engine, o: Engine, winners: Collection[Mark] = tuple(Mark)
) -> tuple[int, ...] | None:
    """The first in cell order of the shortest games that these win, among all that there are."""
    games: list[tuple[tuple[int, ...], Board]] = [((), Board())]
    while games:
        games = [
            ((*cells, cell), board.play(cell))
            for cells, board in games
            for cell in sorted({c.cell for c in (x if board.turn is Mark.X else o).choices(board)})
        ]
        won = [cells for cells, board in games if board.outcome and board.outcome.winner in winners]
        if won:
            return min(won)
        first: dict[Board, tuple[int, ...]] = {}
        for cells, board in games:
            first.setdefault(board, cells)
        games = [(cells, board) for board, cells in first.items() if not board.outcome]
    return None


def test_easy_and_hard_have_their_known_figures_against_random_play() -> None:
    hard, easy = ENGINES["hard"], ENGINES["easy"]
    assert matchup(easy, easy) == Matchup(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert matchup(hard, easy) == Matchup(Fraction(191, 192), Fraction(1, 192), Fraction(0))
    assert matchup(easy, hard) == Matchup(Fraction(0), Fraction(79, 945), Fraction(866, 945))
    passed_up = [len(proof(ENGINES["minimax"], mark).passed_up) for mark in Mark]
    assert passed_up == [10, 33], "wins that it does not see"


UNBEATABLE = {
    ("hard", Mark.X), ("hard", Mark.O), ("human", Mark.X), ("human", Mark.O),
    ("minimax", Mark.X), ("minimax", Mark.O), ("forks", Mark.X), ("fork-blocker", Mark.X),
    ("fork-blocker", Mark.O), ("scenarios", Mark.X),
}  # fmt: skip


@pytest.mark.parametrize("mark", Mark)
def test_what_cannot_be_beaten_loses_to_nobody(mark: Mark) -> None:
    for mind in ALL:
        found = proof(mind, mark)
        assert found.beatable == ((mind.slug, mark) not in UNBEATABLE)
        for rival in ALL:
            pair = matchup(mind, rival) if mark is Mark.X else matchup(rival, mind)
            lost = pair.for_mark(mark)[2]
            assert not lost or found.beatable
            # Random play finds every way to lose, in the end.
            assert rival.slug != "easy" or bool(lost) == found.beatable


def test_a_perfect_engine_keeps_the_value_of_every_position_it_meets() -> None:
    perfect = {(mind.slug, mark) for mind in ALL for mark in Mark if proof(mind, mark).perfect}
    assert perfect == UNBEATABLE - {("forks", Mark.X), ("scenarios", Mark.X)}
    for packed in proof(ENGINES["forks"], Mark.X).giving_away:
        assert solver.evaluate(unpacked(packed)).value == 1


LISTS = ("win,block,centre,any", "block,edge", "force,opposite-corner,corner,win")
SOME = [engine(name) for name in ("minimax", "slips", "scenarios", *map("rules:{}".format, LISTS))]
MINDS = {mind.slug: mind for mind in (*ALL, *SOME)}.values()


def met(mind: Engine, mark: Mark) -> set[Board]:
    seen, waiting = set[Board](), [Board()]
    while waiting:
        board = waiting.pop()
        if board in seen or board.outcome:
            continue
        seen.add(board)
        mine = board.turn is mark
        cells = {c.cell for c in mind.choices(board)} if mine else board.legal_moves
        waiting += [board.play(cell) for cell in cells]
    return {board for board in seen if board.turn is mark}


def test_what_is_found_with_symmetry_or_without_is_what_plain_search_finds() -> None:
    for mind, rival in product(SOME, (ENGINES["hard"], ENGINES["medium"])):
        assert matchup(mind, rival) == plain_matchup(mind, rival)
        assert matchup(rival, mind) == plain_matchup(rival, mind)


@pytest.mark.parametrize("mind", MINDS, ids=lambda mind: mind.slug)
def test_a_proof_is_what_plain_search_finds(mind: Engine) -> None:
    for mark in Mark:
        found, boards = proof(mind, mark), met(mind, mark)
        # Easy may do whatever anyone may do.
        players = (mind, ENGINES["easy"]) if mark is Mark.X else (ENGINES["easy"], mind)
        assert found.game == plain_shortest(*players, [mark.other])
        assert found.positions == len(boards)
        assert len(set(found.passed_up)) == len(found.passed_up)
        after = {b: [b.play(choice.cell) for choice in mind.choices(b)] for b in boards}
        wins = {b for b in boards if tactics.wins(b, mark)}
        assert set(found.passed_up) == {b for b in wins if any(not a.outcome for a in after[b])}
        assert found.perfect is all(
            -solver.evaluate(a).value == solver.evaluate(b).value for b in boards for a in after[b]
        )


def test_engines_that_differ_are_not_taken_for_each_other() -> None:
    # These play alike, but each is proved under the name that it was given.
    assert proof(engine("rules:win,any"), Mark.X).engine == "rules:win,any"
    assert proof(engine("rules:win"), Mark.X).engine == "rules:win"
    first, last = engine_of(lambda board: board.index(".")), engine_of(lambda b: b.rindex("."))
    assert proof(first, Mark.O).game != proof(last, Mark.O).game


def test_the_shortest_game_that_is_no_draw_is_the_first_in_cell_order() -> None:
    for x, o in product(ALL, repeat=2):
        game = plain_shortest(x, o)
        assert shortest(x, o) == (game, False)
        assert (game is None) == (matchup(x, o).draws == 1)


def in_order(slug: str, cells: str) -> Engine:
    def policy(board: Board) -> tuple[Choice, ...]:
        cell = next((cell for cell in map(int, cells) if cell in board.legal_moves), None)
        if cell is None:
            raise EngineFault(board, "it returned None", "illegal")
        return (Choice(cell, Fraction(1), Reason("function")),)

    return Engine(slug, slug, "", "", policy)


def test_functions_like_the_engines_have_the_figures_of_the_table() -> None:
    minds = [ENGINES[slug] for slug in ("easy", "medium", "hard", "minimax", "corners")]
    exact = table(minds)
    # Whatever is known of the engines is not known of these, which are asked about each board.
    found = league(replace(one, slug=f"my {one.slug}", symmetric=False) for one in minds)
    assert found.pairs.keys() == {*permutations([f"my {one.slug}" for one in minds], 2)}
    for (x, o), pair in found.pairs.items():
        assert pair.result == exact[x[3:], o[3:]]
    order = [(-row.points, row.lost_to_hard, row.lost_to_easy, row.place) for row in found.ranking]
    assert order == sorted(order)
    for row in found.ranking:
        mine = row.slug[3:]
        others = {one.slug for one in minds} - {mine}
        won = sum(exact[mine, one].x_wins + exact[one, mine].o_wins for one in others)
        lost = {one: exact[mine, one].o_wins + exact[one, mine].x_wins for one in (*others, mine)}
        all_lost = sum(lost[one] for one in others)
        assert (row.won, row.drawn, row.lost) == (won, 8 - won - all_lost, all_lost)
        assert row.points == 2 * row.won + row.drawn
        assert (row.lost_to_hard, row.lost_to_easy) == (lost["hard"], lost["easy"])
        assert row.unbeatable == (not any(proof(ENGINES[mine], mark).beatable for mark in Mark))


def test_three_that_are_equal_in_everything_share_the_place_and_the_next_is_left_out() -> None:
    alike = [replace(ENGINES["medium"], slug=slug) for slug in ("c", "a", "b")]
    found = league([ENGINES["easy"], *alike, ENGINES["hard"]])
    places = [(row.slug, row.place) for row in found.ranking]
    assert places == [("hard", 1), ("c", 2), ("a", 2), ("b", 2), ("easy", 5)]


def test_equal_points_are_parted_by_what_is_lost_to_hard_first_and_to_easy_then() -> None:
    slugs = "752460813", "567430812", "236081547"
    weak, weaker, weakest = (in_order(cells, cells) for cells in slugs)
    for worse, better in ((weaker, weak), (weakest, weaker)):
        first, second = league([worse, better]).ranking
        assert (first.slug, first.place, second.place) == (better.slug, 1, 2)
        assert first.points == second.points == 2
        hard = first.lost_to_hard - second.lost_to_hard
        easy = first.lost_to_easy - second.lost_to_easy
        assert (hard < 0 < easy) if better is weak else (hard == 0 > easy), "Hard before Easy"


def test_without_an_answer_an_engine_loses_where_it_stands() -> None:
    engines = {"silent": "", "late": "4", "first": "012345678"}
    found = league(in_order(slug, cells) for slug, cells in engines.items())
    assert [row.slug for row in found.ranking] == ["first", "late", "silent"]
    assert [row.points for row in found.ranking] == [8, 4, 0]
    games = ("silent", "first", ()), ("first", "silent", (0,)), ("late", "first", (4, 0))
    for x, o, game in (*games, ("first", "late", (0, 4, 1))):
        assert (found.pairs[x, o].game, found.pairs[x, o].forfeit) == (game, True)
