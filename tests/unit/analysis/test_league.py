"""The league, held against the table of all engines and against leagues made by hand."""

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from webapp.analysis.league import Decisive, League, league, shortest
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
    """An engine that takes the first free of these cells."""
    order = list(map(int, cells))
    return function(slug, lambda board: next(c for c in order if c in board.legal_moves))


def places(found: League) -> dict[str, int]:
    return {row.slug: row.place for row in found.ranking}


# --- the figures --------------------------------------------------------------------------------


def test_functions_like_the_engines_have_the_figures_of_the_table() -> None:
    exact = table(ALL)
    # Whatever is known of the engines is not known of these, which are asked about each board.
    found = league(replace(one, slug=f"{one.slug}.py:best", symmetric=False) for one in ALL)
    assert found.pairs.keys() == {
        (f"{x}.py:best", f"{o}.py:best") for x, o in permutations(ENGINES, 2)
    }
    for (x, o), pair in found.pairs.items():
        assert pair.result == exact[x.removesuffix(".py:best"), o.removesuffix(".py:best")]
    for row in found.ranking:
        mine = row.slug.removesuffix(".py:best")
        others = ENGINES.keys() - {mine}
        won = sum(exact[mine, one].x_wins + exact[one, mine].o_wins for one in others)
        lost = sum(exact[mine, one].o_wins + exact[one, mine].x_wins for one in others)
        drawn = 18 - won - lost
        assert (row.won, row.drawn, row.lost) == (won, drawn, lost)
        assert row.points == 2 * won + drawn
        hard = exact[mine, "hard"].o_wins + exact["hard", mine].x_wins
        easy = exact[mine, "easy"].o_wins + exact["easy", mine].x_wins
        assert (row.lost_to_hard, row.lost_to_easy) == (hard, easy)
        assert row.unbeatable == (not any(proof(ENGINES[mine], mark).beatable for mark in Mark))


def test_all_points_together_are_two_a_game_and_the_ranking_falls() -> None:
    done = list[int]()
    found = league(ALL, done.append)
    assert sum(done) == len(found.pairs) == len(ALL) * (len(ALL) - 1), "the progress is told"
    assert sum(row.points for row in found.ranking) == 2 * len(ALL) * (len(ALL) - 1)
    for better, worse in zip(found.ranking, found.ranking[1:], strict=False):
        assert (better.points, -better.lost_to_hard, -better.lost_to_easy) >= (
            worse.points, -worse.lost_to_hard, -worse.lost_to_easy
        )  # fmt: skip
        assert better.place <= worse.place


# --- the places ---------------------------------------------------------------------------------


def test_three_that_are_equal_in_everything_share_the_place_and_the_next_is_left_out() -> None:
    alike = [replace(ENGINES["medium"], slug=slug) for slug in ("c", "a", "b")]
    found = league([ENGINES["easy"], *alike, ENGINES["hard"]])
    assert list(places(found).items()) == [("hard", 1), ("c", 2), ("a", 2), ("b", 2), ("easy", 5)]


def test_equal_points_are_parted_by_what_is_lost_to_hard_first_and_to_easy_then() -> None:
    weak, weaker, weakest = (
        in_order(cells, cells) for cells in ("752460813", "567430812", "236081547")
    )
    for worse, better in ((weaker, weak), (weakest, weaker)):
        first, second = league([worse, better]).ranking
        assert (first.slug, second.slug) == (better.slug, worse.slug)
        assert (first.place, second.place) == (1, 2)
        assert first.points == second.points == 2
        if better is weak:
            assert first.lost_to_hard < second.lost_to_hard
            assert first.lost_to_easy > second.lost_to_easy, "Hard goes before Easy"
        else:
            assert first.lost_to_hard == second.lost_to_hard
            assert first.lost_to_easy < second.lost_to_easy


# --- the games ----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("x", ALL, ids=ENGINES)
def test_the_shortest_game_that_is_no_draw_is_the_first_in_cell_order(x: Engine) -> None:
    for o in ALL:
        game, found = plain_shortest(x, o), shortest(x, o)
        assert found == (game and Decisive(game, forfeit=False))
        assert (found is None) == (matchup(x, o).draws == 1)
        if found and x is not o:
            assert league([x, o]).pairs[x.slug, o.slug].decisive == found
            assert matchup(x, o).for_mark(found.winner)[0] > 0


def test_without_an_answer_an_engine_loses_where_it_stands() -> None:
    silent = function("silent", lambda _: 9)
    late = function("late", lambda _: 4)
    first = in_order("first", "012345678")
    found = league([silent, late, first])
    assert places(found) == {"first": 1, "late": 2, "silent": 3}
    assert [row.points for row in found.ranking] == [8, 4, 0]
    games = {pair: each.decisive for pair, each in found.pairs.items()}
    assert games["silent", "first"] == Decisive((), forfeit=True)
    assert games["first", "silent"] == Decisive((0,), forfeit=True)
    assert games["late", "first"] == Decisive((4, 0), forfeit=True)
    assert games["first", "late"] == Decisive((0, 4, 1), forfeit=True)
    for pair, decisive in games.items():
        assert decisive
        assert found.pairs[pair].result.for_mark(decisive.winner)[0] == 1
