"""The commands about games: matchup, table, simulate, review."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import click

from webapp import words
from webapp.analysis.matchup import matchup, table
from webapp.analysis.review import review, worth_after
from webapp.analysis.simulate import Sample, compare, sample, simulate
from webapp.cli import asking, layout
from webapp.cli.asking import SECONDS, Named
from webapp.cli.options import AS_JSON, ENGINE, show
from webapp.core.board import Board, IllegalMove, Mark
from webapp.core.game import moves_of
from webapp.core.solver import positions_from
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.words import figures, played
from webapp.words.language import ngettext

_PROGRESS_FROM = 200_000
"""The simulated games from which a progress bar is shown."""


def _results(x: Engine, o: Engine) -> tuple[str, str, str]:
    return f"{x.slug} wins as X", "draws", f"{o.slug} wins as O"


@click.command("matchup")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@AS_JSON
def matchup_command(x: Named, o: Named, for_scripts: bool) -> None:
    """Compute the exact results of X, who moves first, against O."""
    first, second = asking.sound(x, o)
    if first.live or second.live:
        _show_sample(first, second, asking.played(first, second), for_scripts)
        return
    found = matchup(first, second)
    rows = [("", "exactly", "")]
    for label, value in zip(_results(first, second), found.for_mark(Mark.X), strict=True):
        rows.append((label, figures.exactly(value), figures.percent(value)))
    show(for_scripts, asdict(found), layout.columns(rows, right={2}))


def _show_sample(x: Engine, o: Engine, sample: Sample, for_scripts: bool) -> None:
    """Show games between engines about which nothing exact can be said, and why."""
    why = {one.slug: one.idea for one in (x, o) if one.live}
    games = sample.counted.games
    heading = ngettext("{number} game played.", "{number} games played.", games)
    rows = [("", "counted", "low–high")]
    for label, count in zip(_results(x, o), layout.counts(sample.counted), strict=True):
        rows.append((label, f"{count:,}", layout.share(count, games)))
    text = [
        *(f"{slug} cannot be judged exactly. {idea}" for slug, idea in why.items()),
        f"\n{heading.format(number=f'{games:,}')} {layout.WHAT_SHARES_MEAN}\n",
        layout.columns(rows, right={1, 2}),
    ]
    show(for_scripts, {**layout.sample_json(sample), "why": why}, "\n".join(text))


@click.command("table")
@click.argument("minds", metavar="[ENGINE]...", type=ENGINE, nargs=-1)
@AS_JSON
def table_command(minds: Sequence[Named], for_scripts: bool) -> None:
    """Compute the exact results of all engines, or of those you name, against each other."""
    engines = asking.sound(*(minds or ENGINES.values()))
    slugs = [engine.slug for engine in engines]
    found: dict[tuple[str, str], Any] = {}
    shown: dict[tuple[str, str], str] = {}
    for pair, each in table(engine for engine in engines if not engine.live).items():
        found[pair] = asdict(each)
        won, lost = figures.whole_percent(each.x_wins), figures.whole_percent(each.o_wins)
        shown[pair] = f"{won}/{lost}"
    for x, o in product(engines, repeat=2):
        if x.live or o.live:
            played = asking.played(x, o, SECONDS / len(engines))
            found[x.slug, o.slug] = layout.sample_json(played)
            won, _, lost = (
                f"{100 * count / played.counted.games:.0f}"
                for count in layout.counts(played.counted)
            )
            shown[x.slug, o.slug] = f"~{won}/{lost}"
    rows = [("X \\ O", *slugs), *((x, *(shown[x, o] for o in slugs)) for x in slugs)]
    text = [
        "Won and lost by X, in percent; the rest are draws. Exact with --json.",
        *(
            "Figures after ~ were counted in games that were played: "
            f"{engine.slug} cannot be judged exactly. {engine.idea}"
            for engine in engines
            if engine.live
        ),
        "",
        layout.columns(rows, right=range(1, len(slugs) + 1)),
    ]
    show(for_scripts, {x: {o: found[x, o] for o in slugs} for x in slugs}, "\n".join(text))


@click.command("simulate")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@click.option("--games", type=click.IntRange(1, 100_000_000), default=10_000, show_default=True)
@click.option("--seed", default="1", show_default=True)
@AS_JSON
def simulate_command(x: Named, o: Named, games: int, seed: str, for_scripts: bool) -> None:
    """Play games of X against O and count; the same seed gives the same counts."""
    first, second = asking.sound(x, o)
    live = first.live or second.live
    hidden = not sys.stderr.isatty() or (games < _PROGRESS_FROM and not live)
    with click.progressbar(length=games, file=sys.stderr, label="Playing", hidden=hidden) as bar:
        if live:
            played = sample(first, second, games, seed, progress=bar.update)
        else:
            counted = simulate(first, second, games, seed, progress=bar.update)
    if live:
        _show_sample(first, second, played, for_scripts)
        return
    exact = matchup(first, second)
    found = compare(counted, exact)
    by_result = dict(zip(asdict(counted), found, strict=True))
    value = {
        "games": games,
        "seed": seed,
        **asdict(counted),
        "exact": asdict(exact),
        "sampling_error": {result: one.error for result, one in by_result.items()},
        "z": {result: one.z for result, one in by_result.items()},
    }
    rows = [("", "counted", "expected", "sampling error", "z")]
    for label, one in zip(_results(first, second), found, strict=True):
        expected, error = f"{float(one.expected):,.1f}", figures.sampling_error(one.error)
        rows.append((label, f"{one.counted:,}", expected, error, f"{one.z:+.2f}"))
    show(for_scripts, value, layout.columns(rows, right={1, 2, 3, 4}))


@click.command("review")
@click.argument("moves", metavar="MOVES")
@AS_JSON
def review_command(moves: str, for_scripts: bool) -> None:
    """Judge every move of a game, given as the cells played, such as 40281."""
    if not moves or not set(moves) <= set("012345678"):
        raise IllegalMove(
            f"Write a game as the cells played, from 0 to 8; {moves!r} is not written so."
        )
    found = review(moves_of(moves))
    value = {
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
    rows = [("move", "where", "now", "judgement", "better")]
    for at, move in enumerate(found.moves):
        better = "; ".join(
            f"{words.cell_name(cell)} ({played.caption(reason)})" for cell, reason in move.better
        )
        turning = "  <- the turning point" if at == found.turning_point else ""
        standing = figures.standing(move.after.value, move.after.distance)
        where, judgement = words.cell_name(move.cell), move.judgement.value
        rows.append((f"{at + 1} {move.mark}", where, standing, judgement, better + turning))
    last = found.moves[-1]
    text = f"{layout.drawn(last.board.play(last.cell))}\n\n{layout.columns(rows)}"
    show(for_scripts, value, text)


@click.command("values")
@click.argument("board", metavar="[BOARD]", default=str(Board()))
@AS_JSON
def values_command(board: str, for_scripts: bool) -> None:
    """Show what each free cell of BOARD leads to with best play; without BOARD, of an empty one."""
    position = Board.parse(board)
    worth = {cell: worth_after(position, cell) for cell in position.legal_moves}
    reachable = len(positions_from(position))
    value = {
        "board": position,
        "turn": position.turn,
        "positions": reachable,
        "cells": {cell: asdict(after) for cell, after in worth.items()},
    }
    rows = [("cell", "where", f"for {position.turn}")]
    for cell, after in worth.items():
        prospect = figures.prospect(after.value, after.distance)
        rows.append((str(cell), words.cell_name(cell), prospect))
    ahead = f"Positions that can be reached from here, this one included: {reachable:,}."
    show(for_scripts, value, "\n\n".join((layout.drawn(position), layout.columns(rows), ahead)))


COMMANDS = (matchup_command, table_command, simulate_command, review_command, values_command)
