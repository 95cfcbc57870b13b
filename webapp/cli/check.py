"""`tictactoe check`: what a function, an engine or a list of rules is worth."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

import click

from webapp import words
from webapp.analysis.matchup import Matchup, Proof, matchup, proof
from webapp.analysis.review import worth_after
from webapp.analysis.simulate import Sample, interval, sample
from webapp.analysis.worth import RIVALS
from webapp.cli import asking, layout
from webapp.cli.asking import Named
from webapp.cli.options import AS_JSON, json_line
from webapp.core.board import Board, Mark
from webapp.core.game import Game, digits
from webapp.engines.base import Engine, EngineFault, UnknownEngine
from webapp.engines.registry import ENGINES, engine
from webapp.engines.rules import LAB_RULES, rule_list
from webapp.programs.files import is_program, program
from webapp.programs.tabulate import Tabulation
from webapp.words import figures, played
from webapp.words.language import ngettext

SAMPLE_GAMES, _SAMPLE_S = 1_000, 10.0


def _named(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Named | None:
    if value is None:
        return None
    if is_program(value):
        return program(value)
    if "," in value or value in LAB_RULES:
        return rule_list(value)
    try:
        return engine(value)
    except UnknownEngine as error:
        if Path(value).is_dir():
            return program(value)
        if Path(f"{value}.py").is_file():
            raise UnknownEngine(
                f"There is no engine {value!r}. Did you mean {value}.py?"
            ) from error
        raise


@click.command()
@click.argument("mind", metavar="FILE.py|ENGINE|RULES", callback=_named)
@click.option("--against", metavar="ENGINE", callback=_named, help="Who it plays; else easy, hard.")
@click.option("--board", help="Also show what it plays there, such as on X...O....")
@AS_JSON
def check(mind: Named, against: Named | None, board: str | None, for_scripts: bool) -> None:
    """Say how good a function, an engine or a list of rules is.

    Such as mine.py, medium, or win,block,any: the exact results, and a proof that it cannot be
    beaten, or the shortest game that beats it.
    """
    position = Board.parse(board) if board else None
    checked, *rivals = asking.entrants(mind, *([against] if against else map(ENGINES.get, RIVALS)))
    if checked.fault and checked.known:
        value, parts = _faults(checked.engine, checked.known)
    else:
        for rival in rivals:
            if rival.fault:
                raise click.ClickException(rival.fault)
        value, parts = _worth(checked.engine, [rival.engine for rival in rivals])
        if position:
            on_board, shown = _on_board(asking.ask_about(mind, position), position)
            value, parts = value | on_board, [*parts, *shown]
    click.echo(json_line(value) if for_scripts else "\n\n".join(parts))
    if checked.known and not for_scripts:
        _show_print(checked.known)
    sys.exit(1 if checked.fault else 0)


def _worth(engine: Engine, rivals: Sequence[Engine]) -> tuple[dict[str, Any], list[str]]:
    """Return the results against the rivals and the proofs, for scripts and for people."""
    sampled = [player for player in (engine, *rivals) if player.live]
    results = {
        (rival.slug, mark): _result(engine, rival, mark) for rival in rivals for mark in Mark
    }
    proofs = {} if engine.live else {mark: proof(engine, mark) for mark in Mark}
    value: dict[str, Any] = {"engine": engine.slug}
    parts = [f"{player.slug} cannot be judged exactly. {player.idea}" for player in sampled]
    if proofs:
        value |= {"positions": sum(proof.positions for proof in proofs.values()), "faults": []}
        proviso = next((f"\n{each.proviso}" for each in (engine, *rivals) if each.proviso), "")
        heading = f"{engine.slug} answered in all {value['positions']:,} positions.{proviso}"
        parts.insert(0, heading)
    if sampled:
        value |= {"exact": False, "why": {player.slug: player.idea for player in sampled}}
        parts.append(
            "Figures with low–high come from games that were played: in 95 of 100 such "
            "samples the true share lies between low and high."
        )
    value["results"] = {
        rival.slug: {mark.slug: _json(results[rival.slug, mark]) for mark in Mark}
        for rival in rivals
    }
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    rows += [
        (slug, words.order(mark), *_cells(result, mark)) for (slug, mark), result in results.items()
    ]
    parts.append(layout.columns(rows))
    for mark in Mark:
        samples = (results[rival.slug, mark] for rival in rivals)
        lost = [each.shortest.get(mark.other) for each in samples if isinstance(each, Sample)]
        game = proofs[mark].game if proofs else min(filter(None, lost), key=len, default=None)
        # A sample can only refute.
        beatable = bool(game) if proofs else bool(game) or None
        value[mark.slug] = {"beatable": beatable, "game": game}
        parts.append(_proved(proofs[mark]) if proofs else _lost(mark, game))
    return value, parts


def _result(engine: Engine, rival: Engine, mark: Mark) -> Matchup | Sample:
    x, o = (engine, rival) if mark is Mark.X else (rival, engine)
    if x.live or o.live:
        return sample(x, o, SAMPLE_GAMES, 1, seconds=_SAMPLE_S)
    return matchup(x, o)


def _json(result: Matchup | Sample) -> dict[str, Any]:
    """The exact chances of the three results; or the counts, and the intervals of the shares."""
    if isinstance(result, Matchup):
        return asdict(result)
    games, counts = result.counted.games, asdict(result.counted)
    shares = {name: interval(count, games) for name, count in counts.items()}
    low, high = ({name: ends[at] for name, ends in shares.items()} for at in (0, 1))
    return {"games": games, **counts, "low": low, "high": high}


def _cells(result: Matchup | Sample, mark: Mark) -> list[str]:
    """Won, drawn and lost with this mark."""
    if isinstance(result, Matchup):
        shares = result.for_mark(mark)
        return [f"{figures.exactly(share)} = {figures.percent(share)}" for share in shares]
    games = result.counted.games
    return [
        f"{count:,} of {games:,} ({figures.between(*interval(count, games), games)})"
        for count in astuple(result.counted)[:: 1 if mark is Mark.X else -1]
    ]


def _proved(proof: Proof) -> str:
    tried = figures.positions_tried(proof.positions)
    if proof.passing_up:
        missed = figures.figure(len(proof.passed_up))
        tried += f" In {missed} of them it might miss a win."
    subject = f"{proof.engine} as {proof.mark}, moving {words.order(proof.mark)}"
    if proof.game is None:
        return f"{subject}: cannot be beaten.\n{tried}"
    return (
        f"{subject}: can be beaten. The shortest game, {digits(proof.game)}:\n\n"
        f"{_drawn(proof.game)}\n\n{tried}"
    )


def _lost(mark: Mark, game: tuple[int, ...] | None) -> str:
    if game is None:
        return f"As {mark} it lost none of these games, which proves nothing."
    return f"As {mark} it can be beaten. In these games it lost {digits(game)}:\n\n{_drawn(game)}"


def _drawn(game: tuple[int, ...]) -> str:
    moves = [f"{n} {'OX'[n % 2]} {words.cell_name(cell)}" for n, cell in enumerate(game, 1)]
    return layout.beside(layout.drawn(Game(game).board), moves)


def _on_board(engine: Engine, board: Board) -> tuple[dict[str, Any], list[str]]:
    """Return what an engine plays on a board, and what each cell leads to."""
    choices = () if engine.live else engine.choices(board)
    worth = {cell: worth_after(board, cell) for cell in board.legal_moves}
    value = {
        "board": board,
        "turn": board.turn,
        "choices": [
            {
                "cell": choice.cell,
                "probability": choice.probability,
                "reason": choice.reason.rule,
                "lines": choice.reason.lines,
            }
            for choice in choices
        ],
        "cells": {cell: asdict(after) for cell, after in worth.items()},
    }
    rows = [("cell", "where", "chance", "why", f"for {board.turn}")]
    for cell, after in worth.items():
        mine = [choice for choice in choices if choice.cell == cell]
        chance = str(sum(choice.probability for choice in mine)) if choices else ""
        why = ", ".join(played.caption(choice.reason) for choice in mine)
        prospect = figures.prospect(after.value, after.distance)
        rows.append((str(cell), words.cell_name(cell), chance, why, prospect))
    heading = [f"{board.turn} to move, {engine.slug}:"]
    return value, [layout.beside(layout.drawn(board), heading), layout.columns(rows)]


# --- what is wrong, and what was printed ------------------------------------------------------


def _faults(engine: Engine, known: Tabulation) -> tuple[dict[str, Any], list[str]]:
    """Return the faults, for scripts and for people, who see faults that are alike once."""
    asked = len(known.answers.keys() | known.faults.keys())
    value = {
        "engine": engine.slug,
        "positions": asked,
        "faults": [
            {"kind": fault.kind, "board": board, "why": str(fault)}
            for board, fault in known.faults.items()
        ],
    }
    alike: dict[tuple[str, str], list[EngineFault]] = {}
    for fault in known.faults.values():
        alike.setdefault(fault.alike, []).append(fault)
    heading = ngettext(
        "{engine} was asked about {number} position and failed in {failed}.",
        "{engine} was asked about {number} positions and failed in {failed}.",
        asked,
    )
    failed = f"{len(known.faults):,}"
    lines = [heading.format(engine=engine.slug, number=f"{asked:,}", failed=failed)]
    for faults in alike.values():
        first, more = faults[0], len(faults) - 1
        said = [f"{first.board.turn} to move.", first.why, first.where]
        if more:
            alike_in = ngettext(
                "It fails the same way in {number} more position.",
                "It fails the same way in {number} more positions.",
                more,
            )
            said.append(alike_in.format(number=f"{more:,}"))
        lines.append(layout.beside(layout.drawn(first.board), list(filter(None, said))))
    if known.given_up:
        lines.append("It was not asked about the rest.")
    return value, lines


def _show_print(known: Tabulation) -> None:
    number, first = known.printed
    if number:
        printed = ngettext(
            "It printed {number} line: {first}",
            "It printed {number} lines, beginning with: {first}",
            number,
        )
        click.echo(f"\n{printed.format(number=f'{number:,}', first=first)}")
