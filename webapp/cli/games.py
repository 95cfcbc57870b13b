"""The commands about games: matchup, table, simulate, review."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from webapp import words
from webapp.analysis.matchup import matchup, table
from webapp.analysis.review import review
from webapp.analysis.simulate import deviation, sampling_error, simulate
from webapp.cli import layout
from webapp.cli.options import AS_JSON, ENGINE, matchup_json, print_json
from webapp.core.board import Board, IllegalMove
from webapp.core.game import Game
from webapp.core.solver import evaluate, positions_from
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES

_PROGRESS_FROM = 200_000
"""How many simulated games are long enough to want a progress bar."""


@click.command("matchup")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@AS_JSON
def matchup_command(x: Engine, o: Engine, for_scripts: bool) -> None:
    """Compute the exact results of X, who moves first, against O."""
    found = matchup(x, o)
    if for_scripts:
        print_json(matchup_json(found))
        return
    rows = [("", "exactly", "")]
    rows += [
        (label, str(value), words.percent(value))
        for label, value in (
            (f"{x.slug} wins as X", found.x_wins),
            ("draws", found.draws),
            (f"{o.slug} wins as O", found.o_wins),
        )
    ]
    click.echo(layout.columns(rows, right=frozenset({2})))


@click.command("table")
@AS_JSON
def table_command(for_scripts: bool) -> None:
    """Compute the exact results of all engines against all."""
    found = table(ENGINES.values())
    if for_scripts:
        print_json({x: {o: matchup_json(found[x, o]) for o in ENGINES} for x in ENGINES})
        return
    rows: list[Sequence[str]] = [("X \\ O", *ENGINES)]
    for x in ENGINES:
        pairs = (found[x, o] for o in ENGINES)
        rows.append(
            (
                x,
                *(
                    f"{words.whole_percent(pair.x_wins)}/{words.whole_percent(pair.o_wins)}"
                    for pair in pairs
                ),
            ),
        )
    click.echo("Won and lost by X, in percent; the rest are draws. Exact with --json.")
    click.echo()
    click.echo(layout.columns(rows, right=frozenset(range(1, len(ENGINES) + 1))))


@click.command("simulate")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@click.option("--games", type=click.IntRange(1, 100_000_000), default=10_000, show_default=True)
@click.option("--seed", default="1", show_default=True)
@AS_JSON
def simulate_command(x: Engine, o: Engine, games: int, seed: str, for_scripts: bool) -> None:
    """Play games of X against O and count; the same seed gives the same counts."""
    if games >= _PROGRESS_FROM and sys.stderr.isatty():
        with click.progressbar(length=games, file=sys.stderr, label="Playing") as bar:
            counted = simulate(x, o, games, seed, progress=bar.update)
    else:
        counted = simulate(x, o, games, seed)
    exact = matchup(x, o)
    rows = [
        (label, count, value, sampling_error(games, value), deviation(count, games, value))
        for label, count, value in (
            ("x_wins", counted.x_wins, exact.x_wins),
            ("draws", counted.draws, exact.draws),
            ("o_wins", counted.o_wins, exact.o_wins),
        )
    ]
    if for_scripts:
        print_json(
            {
                "games": games,
                "seed": seed,
                **{label: count for label, count, *_ in rows},
                "exact": matchup_json(exact),
                "sampling_error": {label: error for label, _, _, error, _ in rows},
                "z": {label: z for label, *_, z in rows},
            }
        )
        return
    names = {"x_wins": f"{x.slug} wins as X", "draws": "draws", "o_wins": f"{o.slug} wins as O"}
    lines = [("", "counted", "expected", "sampling error", "z")]
    lines += [
        (
            names[label],
            f"{count:,}",
            f"{float(games * value):,.1f}",
            words.sampling_error(error),
            f"{z:+.2f}",
        )
        for label, count, value, error, z in rows
    ]
    click.echo(layout.columns(lines, right=frozenset({1, 2, 3, 4})))


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
                        "mark": str(move.mark),
                        "before": {"value": move.before.value, "distance": move.before.distance},
                        "after": {"value": move.after.value, "distance": move.after.distance},
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
        rows.append(
            (
                f"{at + 1} {move.mark}",
                words.CELLS[move.cell],
                words.standing(move.after.value, move.after.distance),
                move.judgement.value,
                better + turning,
            )
        )
    last = Game(tuple(move.cell for move in found.moves)).board
    click.echo(layout.drawn(last))
    click.echo()
    click.echo(layout.columns(rows))


@click.command("values")
@click.argument("board", metavar="[BOARD]", default=str(Board()))
@AS_JSON
def values_command(board: str, for_scripts: bool) -> None:
    """Say what each free cell of BOARD leads to with best play, by default of an empty board."""
    position = Board.parse(board)
    worth = {cell: evaluate(position.play(cell)) for cell in position.legal_moves}
    reachable = len(positions_from(position))
    if for_scripts:
        print_json(
            {
                "board": str(position),
                "turn": str(position.turn),
                "positions": reachable,
                "cells": {
                    cell: {"value": -after.value, "distance": after.distance}
                    for cell, after in worth.items()
                },
            }
        )
        return
    rows = [("cell", "where", f"for {position.turn}")]
    rows += [
        (str(cell), words.CELLS[cell], words.prospect(-after.value, after.distance))
        for cell, after in worth.items()
    ]
    click.echo(layout.drawn(position))
    click.echo()
    click.echo(layout.columns(rows))
    click.echo()
    click.echo(f"Positions that can be reached from here, this one included: {reachable:,}.")


COMMANDS = (matchup_command, table_command, simulate_command, review_command, values_command)
