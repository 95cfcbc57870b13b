"""The commands about the engines: engines, best, prove, claims, check."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from webapp import words
from webapp.analysis.check import Report, examine
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Proof, proof
from webapp.analysis.worth import RIVALS
from webapp.cli import layout
from webapp.cli.options import AS_JSON, ENGINE, print_json
from webapp.core.board import Board, Mark
from webapp.core.game import Game
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES


@click.command()
@AS_JSON
def engines(for_scripts: bool) -> None:
    """List the engines, what they do, and where they come from."""
    if for_scripts:
        print_json(
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
@AS_JSON
def best(board: str, mind: Engine, for_scripts: bool) -> None:
    """Say what an engine would play on BOARD, with probabilities and reasons.

    BOARD is nine characters of X, O and . (a dot), row by row, such as X...O....
    """
    position = Board.parse(board)
    choices = mind.choices(position)
    if for_scripts:
        found = [
            {
                "cell": choice.cell,
                "probability": choice.probability,
                "reason": choice.reason.rule,
                "lines": choice.reason.lines,
            }
            for choice in choices
        ]
        turn = position.turn
        print_json({"board": position, "turn": turn, "engine": mind.slug, "choices": found})
        return
    rows = [("cell", "where", "chance", "why")]
    for choice in choices:
        where, why = words.CELLS[choice.cell], words.engine_caption(choice.reason)
        rows.append((str(choice.cell), where, str(choice.probability), why))
    click.echo(layout.beside(layout.drawn(position), [f"{position.turn} to move, {mind.slug}:"]))
    click.echo()
    click.echo(layout.columns(rows))


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def prove(mind: Engine, for_scripts: bool) -> None:
    """Prove that ENGINE cannot be beaten, or show the shortest game that beats it."""
    proofs = {mark: proof(mind, mark) for mark in Mark}
    if for_scripts:
        print_json(_proofs_json(proofs))
    else:
        click.echo("\n\n".join(map(_proof_text, proofs.values())))


def _proofs_json(proofs: Mapping[Mark, Proof]) -> dict[str, Any]:
    return {
        mark.slug: {"beatable": found.beatable, "game": found.game}
        for mark, found in proofs.items()
    }


def _proof_text(found: Proof) -> str:
    who = f"{found.engine} as {found.mark}, moving {words.order(found.mark)}"
    tried = words.positions_tried(found.positions)
    if found.passing_up:
        tried += f" {words.wins_passed_up(len(found.passed_up), 'them')}"
    if found.game is None:
        return f"{who}: cannot be beaten.\n{tried}"
    board = Game(found.game).board
    picture = layout.drawn(board, board.outcome.cells if board.outcome else ())
    return (
        f"{who}: can be beaten. The shortest game, {words.digits(found.game)}:\n\n"
        f"{layout.beside(picture, layout.moves(found.game))}\n\n{tried}"
    )


@click.command()
@AS_JSON
def claims(for_scripts: bool) -> None:
    """Say what the five sources claim of their engines, and what is true of it."""
    found = verdicts()
    if for_scripts:
        print_json(
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
    for verdict in found:
        claim = verdict.claim
        holds, game = str(verdict.holds).lower(), words.digits(verdict.losing_game or ())
        rows.append((claim.source, claim.engine, claim.text, holds, game))
    click.echo(layout.columns(rows))


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def check(mind: Engine, for_scripts: bool) -> None:
    """Examine ENGINE: its faults, its exact results, and whether it can be beaten."""
    report = examine(mind)
    if for_scripts:
        print_json(_report_json(report))
    else:
        click.echo(_report_text(report))
    sys.exit(1 if report.faults else 0)


def _report_json(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {
        "engine": report.engine.slug,
        "positions": report.positions,
        "faults": [
            {"kind": fault.kind, "board": fault.board, "why": str(fault)} for fault in report.faults
        ],
    }
    if report.worth:
        results, proofs = report.worth.results, report.worth.proofs
        found["results"] = {
            rival: {mark.slug: asdict(results[rival, mark]) for mark in Mark} for rival in RIVALS
        }
        found["proof"] = _proofs_json(proofs)
        found["passed_up"] = {mark.slug: each.passed_up for mark, each in proofs.items()}
        found["given_away"] = {mark.slug: each.given_away for mark, each in proofs.items()}
    return found


def _report_text(report: Report) -> str:
    if report.worth is None:
        heading = f"{report.engine.slug} was asked about {report.positions:,} positions and failed:"
        lines = [heading, *(f"  {fault.kind}: {fault}" for fault in report.faults[:10])]
        if (more := len(report.faults) - 10) > 0:
            lines.append(f"  and {more} more.")
        return "\n".join(lines)
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    for (rival, mark), found in report.worth.results.items():
        values = (f"{value} = {words.percent(value)}" for value in found.for_mark(mark))
        rows.append((rival, words.order(mark), *values))
    heading = f"{report.engine.slug} answered in all {report.positions:,} positions."
    proofs = map(_proof_text, report.worth.proofs.values())
    return "\n\n".join((heading, layout.columns(rows), *proofs))


COMMANDS = (engines, best, prove, claims, check)
