"""The commands that ask the engines: engines, best, matchup, table, prove, claims and so on."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from webapp import words
from webapp.analysis.check import RIVALS, Report, examine
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Matchup, Proof, matchup, proof, table
from webapp.analysis.review import review
from webapp.analysis.simulate import deviation, simulate
from webapp.cli import layout
from webapp.core.board import Board, IllegalMove, Mark
from webapp.core.game import Game
from webapp.engines import function
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, engine

_PROGRESS_FROM = 200_000
"""How many simulated games are long enough to want a progress bar."""


class EngineType(click.ParamType[Engine]):
    """An engine as the command line names it: a slug, a list of rules, or a function in a file."""

    name = "ENGINE"

    def convert(  # click's own signature
        self,
        value: str | Engine,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Engine:
        """Return the engine; an unknown one is refused with the sentence of the room it is from."""
        if isinstance(value, Engine):
            return value
        return function.load(value) if function.is_function(value) else engine(value)


ENGINE = EngineType()
as_json = click.option("--json", "for_scripts", is_flag=True, help="For scripts, as JSON.")


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, default=str, ensure_ascii=False))


@click.command()
@as_json
def engines(for_scripts: bool) -> None:
    """List the engines, what they do, and where they come from."""
    if for_scripts:
        _print_json(
            [
                {
                    "slug": mind.slug,
                    "name": mind.name,
                    "idea": mind.idea,
                    "source": mind.source.letter or None,
                    "title": mind.source.title,
                    "rules": mind.rules,
                }
                for mind in ENGINES.values()
            ]
        )
        return
    for mind in ENGINES.values():
        letter = f"source {mind.source.letter}, " if mind.source.letter else ""
        click.echo(f"{click.style(mind.slug, bold=True)} ({letter}{mind.source.title})")
        click.echo(f"    {mind.idea}")
        for number, rule in enumerate(mind.rules, 1):
            click.echo(f"    {number}. {rule}")


@click.command()
@click.argument("board", metavar="BOARD")
@click.option("--engine", "mind", type=ENGINE, default="hard", show_default=True)
@as_json
def best(board: str, mind: Engine, for_scripts: bool) -> None:
    """Say what an engine would play on BOARD, with probabilities and reasons.

    BOARD is nine characters of X, O and . (a dot), row by row, such as X...O....
    """
    position = Board.parse(board)
    choices = mind.choices(position)
    if for_scripts:
        _print_json(
            {
                "board": str(position),
                "turn": str(position.turn),
                "engine": mind.slug,
                "choices": [
                    {
                        "cell": choice.cell,
                        "probability": choice.probability,
                        "reason": choice.reason.rule,
                        "lines": choice.reason.lines,
                    }
                    for choice in choices
                ],
            }
        )
        return
    rows = [("cell", "where", "chance", "why")]
    rows += [
        (
            str(choice.cell),
            words.CELLS[choice.cell],
            str(choice.probability),
            words.engine_caption(choice.reason),
        )
        for choice in choices
    ]
    click.echo(layout.beside(layout.drawn(position), [f"{position.turn} to move, {mind.slug}:"]))
    click.echo()
    click.echo(layout.columns(rows))


def _matchup_json(found: Matchup) -> dict[str, str]:
    return {
        "x_wins": str(found.x_wins),
        "draws": str(found.draws),
        "o_wins": str(found.o_wins),
    }


@click.command("matchup")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@as_json
def matchup_command(x: Engine, o: Engine, for_scripts: bool) -> None:
    """Compute the exact results of X, who moves first, against O."""
    found = matchup(x, o)
    if for_scripts:
        _print_json(_matchup_json(found))
        return
    rows = [("", "exactly", "")]
    rows += [
        (label, str(value), layout.percent(value))
        for label, value in (
            (f"{x.slug} wins as X", found.x_wins),
            ("draws", found.draws),
            (f"{o.slug} wins as O", found.o_wins),
        )
    ]
    click.echo(layout.columns(rows, right=frozenset({2})))


@click.command("table")
@as_json
def table_command(for_scripts: bool) -> None:
    """Compute the exact results of all engines against all."""
    found = table(ENGINES.values())
    if for_scripts:
        _print_json({x: {o: _matchup_json(found[x, o]) for o in ENGINES} for x in ENGINES})
        return
    rows: list[Sequence[str]] = [("X \\ O", *ENGINES)]
    for x in ENGINES:
        pairs = (found[x, o] for o in ENGINES)
        rows.append(
            (x, *(f"{_whole(pair.x_wins)}/{_whole(pair.o_wins)}" for pair in pairs)),
        )
    click.echo("Won and lost by X, in percent; the rest are draws. Exact with --json.")
    click.echo()
    click.echo(layout.columns(rows, right=frozenset(range(1, len(ENGINES) + 1))))


def _whole(fraction: Any) -> str:
    """A percentage without digits that never says 0 or 100 where it is not."""
    shown = round(float(fraction) * 100)
    if shown == 0 and fraction:
        return "<1"
    return ">99" if shown == 100 and fraction != 1 else str(shown)


def _proof_json(found: Proof) -> dict[str, Any]:
    return {"beatable": found.beatable, "game": found.game}


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@as_json
def prove(mind: Engine, for_scripts: bool) -> None:
    """Prove that ENGINE cannot be beaten, or show the shortest game that beats it."""
    proofs = {mark: proof(mind, mark) for mark in Mark}
    if for_scripts:
        _print_json({str(mark).lower(): _proof_json(found) for mark, found in proofs.items()})
        return
    for at, found in enumerate(proofs.values()):
        click.echo("\n" * (at > 0) + _proof_text(found))


def _proof_text(found: Proof) -> str:
    order = "first" if found.mark is Mark.X else "second"
    who = f"{found.engine} as {found.mark}, moving {order}"
    tried = f"All {found.positions:,} positions that it can meet were tried."
    if found.passed_up:
        tried += f" In {len(found.passed_up):,} of them it may pass up an immediate win."
    if found.game is None:
        return f"{who}: cannot be beaten.\n{tried}"
    outcome = Game(found.game).outcome
    struck = [cell for line in (outcome.lines if outcome else ()) for cell in line]
    picture = layout.drawn(Game(found.game).board, struck)
    return "\n".join(
        (
            f"{who}: can be beaten. The shortest game, {''.join(map(str, found.game))}:",
            "",
            layout.beside(picture, layout.moves(found.game)),
            "",
            tried,
        )
    )


@click.command()
@as_json
def claims(for_scripts: bool) -> None:
    """Say what the five sources claim of their engines, and what is true of it."""
    found = verdicts()
    if for_scripts:
        _print_json(
            [
                {
                    "source": verdict.claim.source,
                    "engine": verdict.claim.engine,
                    "claim": verdict.claim.text,
                    "holds": verdict.holds,
                    "game": verdict.losing_game,
                }
                for verdict in found
            ]
        )
        return
    rows = [("source", "engine", "claim", "verdict", "losing game")]
    rows += [
        (
            verdict.claim.source,
            verdict.claim.engine,
            verdict.claim.text,
            "true" if verdict.holds else "false",
            "".join(map(str, verdict.losing_game or ())),
        )
        for verdict in found
    ]
    click.echo(layout.columns(rows))


@click.command("simulate")
@click.argument("x", type=ENGINE)
@click.argument("o", type=ENGINE)
@click.option("--games", type=click.IntRange(1, 100_000_000), default=10_000, show_default=True)
@click.option("--seed", default="1", show_default=True)
@as_json
def simulate_command(x: Engine, o: Engine, games: int, seed: str, for_scripts: bool) -> None:
    """Play games of X against O and count; the same seed gives the same counts."""
    if games >= _PROGRESS_FROM and sys.stderr.isatty():
        with click.progressbar(length=games, file=sys.stderr, label="Playing") as bar:
            counted = simulate(x, o, games, seed, progress=bar.update)
    else:
        counted = simulate(x, o, games, seed)
    exact = matchup(x, o)
    rows = [
        (label, count, value, deviation(count, games, value))
        for label, count, value in (
            ("x_wins", counted.x_wins, exact.x_wins),
            ("draws", counted.draws, exact.draws),
            ("o_wins", counted.o_wins, exact.o_wins),
        )
    ]
    if for_scripts:
        _print_json(
            {
                "games": games,
                "seed": seed,
                **{label: count for label, count, _, _ in rows},
                "exact": _matchup_json(exact),
                "z": {label: z for label, _, _, z in rows},
            }
        )
        return
    names = {"x_wins": f"{x.slug} wins as X", "draws": "draws", "o_wins": f"{o.slug} wins as O"}
    lines = [("", "counted", "expected", "z")]
    lines += [
        (names[label], f"{count:,}", f"{float(games * value):,.1f}", f"{z:+.2f}")
        for label, count, value, z in rows
    ]
    click.echo(layout.columns(lines, right=frozenset({1, 2, 3})))


@click.command("review")
@click.argument("moves", metavar="MOVES")
@as_json
def review_command(moves: str, for_scripts: bool) -> None:
    """Judge every move of a game, given as the cells played, such as 40281."""
    if not moves or not set(moves) <= set("012345678"):
        raise IllegalMove(f"A game is written as the cells played, 0 to 8; {moves!r} is not.")
    found = review([int(cell) for cell in moves])
    if for_scripts:
        _print_json(
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


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@as_json
def check(mind: Engine, for_scripts: bool) -> None:
    """Examine ENGINE: its faults, its exact results, and whether it can be beaten."""
    report = examine(mind)
    if for_scripts:
        _print_json(_report_json(report))
    else:
        click.echo(_report_text(report))
    sys.exit(1 if report.faults else 0)


def _report_json(report: Report) -> dict[str, Any]:
    return {
        "engine": report.engine.slug,
        "positions": report.positions,
        "faults": [
            {"kind": fault.kind, "board": str(fault.board), "why": fault.why}
            for fault in report.faults
        ],
        "results": {
            rival: {str(mark).lower(): _matchup_json(report.results[rival, mark]) for mark in Mark}
            for rival in RIVALS
            if report.results
        },
        "proof": {str(mark).lower(): _proof_json(each) for mark, each in report.proofs.items()},
        "passed_up": {
            str(mark).lower(): [str(board) for board in each.passed_up]
            for mark, each in report.proofs.items()
        },
    }


def _report_text(report: Report) -> str:
    if report.faults:
        shown = [f"  {fault.kind}: {fault.why}" for fault in report.faults[:10]]
        more = len(report.faults) - len(shown)
        rest = [f"  and {more} more."] if more else []
        heading = f"{report.engine.slug} was asked about {report.positions:,} positions and failed:"
        return "\n".join((heading, *shown, *rest))
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    for rival in RIVALS:
        for mark in Mark:
            values = report.results[rival, mark].for_mark(mark)
            order = "first" if mark is Mark.X else "second"
            rows.append((rival, order, *(f"{v} = {layout.percent(v)}" for v in values)))
    proofs = [_proof_text(each) for each in report.proofs.values()]
    heading = f"{report.engine.slug} answered in all {report.positions:,} positions."
    return "\n\n".join((heading, layout.columns(rows), *proofs))


COMMANDS = (
    engines,
    best,
    matchup_command,
    table_command,
    prove,
    claims,
    simulate_command,
    review_command,
    check,
)
