"""The league, held against the table of all engines and against leagues made by hand."""

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

from webapp.analysis.league import league, shortest
from webapp.analysis.matchup import matchup, proof, table
from webapp.core.board import Board, Mark
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine, EngineFault
from webapp.engines.registry import ENGINES

ALL = tuple(ENGINES.values())


def function(slug: str, play: Callable[[Board], int]) -> Engine:
    """An engine that takes one cell, as most functions of pupils do, or has no answer."""

    def policy(board: Board) -> tuple[Choice, ...]:
        cell = play(board)
        if cell not in board.legal_moves:
            raise EngineFault(board, f"it returned {cell}", "illegal")
        return (Choice(cell, Fraction(1), Reason("function")),)

    return Engine(slug, slug, "", "", policy)


def in_order(slug: str, cells: str) -> Engine:
    order = list(map(int, cells))
    return function(slug, lambda board: next(c for c in order if c in board.legal_moves))


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
    weak, weaker, weakest = (
        in_order(cells, cells) for cells in ("752460813", "567430812", "236081547")
    )
    for worse, better in ((weaker, weak), (weakest, weaker)):
        first, second = league([worse, better]).ranking
        assert (first.slug, first.place, second.place) == (better.slug, 1, 2)
        assert first.points == second.points == 2
        hard = first.lost_to_hard - second.lost_to_hard
        easy = first.lost_to_easy - second.lost_to_easy
        assert (hard < 0 < easy) if better is weak else (hard == 0 > easy), "Hard before Easy"


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


def test_the_shortest_game_that_is_no_draw_is_the_first_in_cell_order() -> None:
    for x, o in product(ALL, repeat=2):
        game = plain_shortest(x, o)
        assert shortest(x, o) == (game, False)
        assert (game is None) == (matchup(x, o).draws == 1)


def test_without_an_answer_an_engine_loses_where_it_stands() -> None:
    silent, late = function("silent", lambda _: 9), function("late", lambda _: 4)
    found = league([silent, late, in_order("first", "012345678")])
    assert [row.slug for row in found.ranking] == ["first", "late", "silent"]
    assert [row.points for row in found.ranking] == [8, 4, 0]
    games = ("silent", "first", ()), ("first", "silent", (0,)), ("late", "first", (4, 0))
    for x, o, game in (*games, ("first", "late", (0, 4, 1))):
        assert (found.pairs[x, o].game, found.pairs[x, o].forfeit) == (game, True)
