"""The commands about the engines: engines, best, prove, claims, check."""

from __future__ import annotations

import sys
from typing import Any

import click

from webapp import words
from webapp.analysis.check import Report, examine
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Proof, proof
from webapp.analysis.worth import RIVALS, Worth
from webapp.cli import layout
from webapp.cli.options import AS_JSON, ENGINE, matchup_json, print_json
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
        print_json(
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


def _proof_json(found: Proof) -> dict[str, Any]:
    return {"beatable": found.beatable, "game": found.game}


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def prove(mind: Engine, for_scripts: bool) -> None:
    """Prove that ENGINE cannot be beaten, or show the shortest game that beats it."""
    proofs = {mark: proof(mind, mark) for mark in Mark}
    if for_scripts:
        print_json({mark.slug: _proof_json(found) for mark, found in proofs.items()})
        return
    for at, found in enumerate(proofs.values()):
        click.echo("\n" * (at > 0) + _proof_text(found))


def _proof_text(found: Proof) -> str:
    order = "first" if found.mark is Mark.X else "second"
    who = f"{found.engine} as {found.mark}, moving {order}"
    tried = words.positions_tried(found.positions)
    if found.passed_up:
        tried += f" {words.wins_passed_up(len(found.passed_up), 'them')}"
    if found.game is None:
        return f"{who}: cannot be beaten.\n{tried}"
    board = Game(found.game).board
    picture = layout.drawn(board, board.outcome.cells if board.outcome else ())
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
    return {
        "engine": report.engine.slug,
        "positions": report.positions,
        "faults": [
            {"kind": fault.kind, "board": str(fault.board), "why": fault.why}
            for fault in report.faults
        ],
        **(_worth_json(report.worth) if report.worth else {}),
    }


def _worth_json(found: Worth) -> dict[str, Any]:
    return {
        "results": {
            rival: {mark.slug: matchup_json(found.results[rival, mark]) for mark in Mark}
            for rival in RIVALS
        },
        "proof": {mark.slug: _proof_json(each) for mark, each in found.proofs.items()},
        "passed_up": {
            mark.slug: [str(board) for board in each.passed_up]
            for mark, each in found.proofs.items()
        },
        "given_away": {
            mark.slug: [str(board) for board in each.given_away]
            for mark, each in found.proofs.items()
        },
    }


def _report_text(report: Report) -> str:
    if report.worth is None:
        shown = [f"  {fault.kind}: {fault.why}" for fault in report.faults[:10]]
        more = len(report.faults) - len(shown)
        rest = [f"  and {more} more."] if more else []
        heading = f"{report.engine.slug} was asked about {report.positions:,} positions and failed:"
        return "\n".join((heading, *shown, *rest))
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    for rival in RIVALS:
        for mark in Mark:
            values = report.worth.results[rival, mark].for_mark(mark)
            order = "first" if mark is Mark.X else "second"
            rows.append((rival, order, *(f"{v} = {words.percent(v)}" for v in values)))
    proofs = [_proof_text(each) for each in report.worth.proofs.values()]
    heading = f"{report.engine.slug} answered in all {report.positions:,} positions."
    return "\n\n".join((heading, layout.columns(rows), *proofs))


COMMANDS = (engines, best, prove, claims, check)
