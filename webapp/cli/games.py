"""The commands about games: matchup, table, simulate, review."""

import sys
from collections.abc import Sequence
from dataclasses import asdict

import click

from webapp import words
from webapp.analysis.matchup import matchup, table
from webapp.analysis.review import review, worth_after
from webapp.analysis.simulate import compare, simulate
from webapp.cli import layout
from webapp.cli.options import AS_JSON, ENGINE, print_json
from webapp.core.board import Board, IllegalMove, Mark
from webapp.core.solver import positions_from
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES

_PROGRESS_FROM = 200_000  # so many simulated games are long enough to want a progress bar


def _results(x: Engine, o: Engine) -> tuple[str, str, str]:
    return f"{x.slug} wins as X", "draws", f"{o.slug} wins as O"


@click.command("matchup")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@AS_JSON
def matchup_command(x: Engine, o: Engine, for_scripts: bool) -> None:
    """Compute the exact results of X, who moves first, against O."""
    found = matchup(x, o)
    if for_scripts:
        print_json(asdict(found))
        return
    rows = [("", "exactly", "")]
    for label, value in zip(_results(x, o), found.for_mark(Mark.X), strict=True):
        rows.append((label, str(value), words.percent(value)))
    click.echo(layout.columns(rows, right={2}))


@click.command("table")
@AS_JSON
def table_command(for_scripts: bool) -> None:
    """Compute the exact results of all engines against all."""
    found = table(ENGINES.values())
    if for_scripts:
        print_json({x: {o: asdict(found[x, o]) for o in ENGINES} for x in ENGINES})
        return
    shown = {
        pair: f"{words.whole_percent(each.x_wins)}/{words.whole_percent(each.o_wins)}"
        for pair, each in found.items()
    }
    rows = [("X \\ O", *ENGINES), *((x, *(shown[x, o] for o in ENGINES)) for x in ENGINES)]
    click.echo("Won and lost by X, in percent; the rest are draws. Exact with --json.")
    click.echo()
    click.echo(layout.columns(rows, right=range(1, len(ENGINES) + 1)))


@click.command("simulate")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@click.option("--games", type=click.IntRange(1, 100_000_000), default=10_000, show_default=True)
@click.option("--seed", default="1", show_default=True)
@AS_JSON
def simulate_command(x: Engine, o: Engine, games: int, seed: str, for_scripts: bool) -> None:
    """Play games of X against O and count; the same seed gives the same counts."""
    hidden = games < _PROGRESS_FROM or not sys.stderr.isatty()
    with click.progressbar(length=games, file=sys.stderr, label="Playing", hidden=hidden) as bar:
        counted = simulate(x, o, games, seed, progress=bar.update)
    exact = matchup(x, o)
    found = compare(counted, exact)
    if for_scripts:
        by_result = dict(zip(asdict(counted), found, strict=True))
        print_json(
            {
                "games": games,
                "seed": seed,
                **asdict(counted),
                "exact": asdict(exact),
                "sampling_error": {result: one.error for result, one in by_result.items()},
                "z": {result: one.z for result, one in by_result.items()},
            }
        )
        return
    rows = [("", "counted", "expected", "sampling error", "z")]
    for label, one in zip(_results(x, o), found, strict=True):
        expected, error = f"{float(one.expected):,.1f}", words.sampling_error(one.error)
        rows.append((label, f"{one.counted:,}", expected, error, f"{one.z:+.2f}"))
    click.echo(layout.columns(rows, right={1, 2, 3, 4}))


@click.command("review")
@click.argument("moves", metavar="MOVES")
@AS_JSON
def review_command(moves: str, for_scripts: bool) -> None:
    """Judge every move of a game, given as the cells played, such as 40281."""
    if not moves or not set(moves) <= set("012345678"):
        raise IllegalMove(f"A game is written as the cells played, 0 to 8; {moves!r} is not.")
    found = review(tuple(map(int, moves)))
    if for_scripts:
        print_json(
            {
                "moves": [
                    {
                        "cell": move.cell,
                        "mark": move.mark,
                        "before": asdict(move.before),
                        "after": asdict(move.after),
                        "judgement": move.judgement.value,
                        "better": [cell for cell, _ in move.better],
                    }
                    for move in found.moves
                ],
                "turning_point": found.turning_point,
            }
        )
        return
    rows = [("move", "where", "now", "judgement", "better")]
    for at, move in enumerate(found.moves):
        better = "; ".join(
            f"{words.CELLS[cell]} ({words.engine_caption(reason)})" for cell, reason in move.better
        )
        turning = "  <- the turning point" if at == found.turning_point else ""
        standing = words.standing(move.after.value, move.after.distance)
        where, judgement = words.CELLS[move.cell], move.judgement.value
        rows.append((f"{at + 1} {move.mark}", where, standing, judgement, better + turning))
    _show(found.moves[-1].board.play(found.moves[-1].cell), rows)


@click.command("values")
@click.argument("board", metavar="[BOARD]", default=str(Board()))
@AS_JSON
def values_command(board: str, for_scripts: bool) -> None:
    """Say what each free cell of BOARD leads to with best play, by default of an empty board."""
    position = Board.parse(board)
    worth = {cell: worth_after(position, cell) for cell in position.legal_moves}
    reachable = len(positions_from(position))
    if for_scripts:
        print_json(
            {
                "board": position,
                "turn": position.turn,
                "positions": reachable,
                "cells": {cell: asdict(after) for cell, after in worth.items()},
            }
        )
        return
    rows = [("cell", "where", f"for {position.turn}")]
    for cell, after in worth.items():
        rows.append((str(cell), words.CELLS[cell], words.prospect(after.value, after.distance)))
    _show(position, rows)
    click.echo()
    click.echo(f"Positions that can be reached from here, this one included: {reachable:,}.")


def _show(board: Board, rows: Sequence[Sequence[str]]) -> None:
    click.echo(layout.drawn(board))
    click.echo()
    click.echo(layout.columns(rows))


COMMANDS = (matchup_command, table_command, simulate_command, review_command, values_command)
