"""The commands about the engines: engines, best, prove, claims, check."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from webapp import words
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Proof, proof
from webapp.analysis.worth import RIVALS, worth
from webapp.cli import asking, layout
from webapp.cli.asking import Named
from webapp.cli.options import AS_JSON, ENGINE, show
from webapp.core.board import Board, Mark
from webapp.core.game import Game, digits
from webapp.engines.base import SOURCES, Engine, EngineFault
from webapp.engines.registry import ENGINES
from webapp.programs.tabulate import Tabulation
from webapp.words import figures, played
from webapp.words.language import ngettext


@click.command()
@AS_JSON
def engines(for_scripts: bool) -> None:
    """List the engines, what they do, and where they come from."""
    value = [
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
    lines = []
    for mind in ENGINES.values():
        lines.append(f"{click.style(mind.slug, bold=True)} (source: {mind.source.title})")
        lines.append(f"    {mind.idea}")
        lines += (f"    {number}. {rule}" for number, rule in enumerate(mind.rules, 1))
    show(for_scripts, value, "\n".join(lines))


@click.command()
@click.argument("board", metavar="BOARD")
@click.option("--engine", "mind", type=ENGINE, default="hard", show_default=True)
@AS_JSON
def best(board: str, mind: Named, for_scripts: bool) -> None:
    """Show what an engine would play on BOARD, with probabilities and reasons.

    BOARD is nine characters of X, O and . (a dot), row by row, such as X...O....
    """
    position = Board.parse(board)
    engine, turn = asking.about(mind, position), position.turn
    found, rows = [], [("cell", "where", "chance", "why")]
    for choice in engine.choices(position):
        cell, probability, reason = choice.cell, choice.probability, choice.reason
        found.append(
            {
                "cell": cell,
                "probability": probability,
                "reason": reason.rule,
                "lines": reason.lines,
            }
        )
        rows.append((str(cell), words.cell_name(cell), str(probability), played.caption(reason)))
    picture = layout.beside(layout.drawn(position), [f"{turn} to move, {engine.slug}:"])
    value = {"board": position, "turn": turn, "engine": engine.slug, "choices": found}
    show(for_scripts, value, f"{picture}\n\n{layout.columns(rows)}")


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def prove(mind: Named, for_scripts: bool) -> None:
    """Prove that ENGINE cannot be beaten, or show the shortest game that beats it."""
    (engine,) = asking.sound(mind)
    if engine.live:
        _show_samples(for_scripts, engine)
        return
    proofs = {mark: proof(engine, mark) for mark in engine.marks}
    show(for_scripts, _proofs_json(proofs), "\n\n".join(map(_proof_text, proofs.values())))


def _proofs_json(proofs: Mapping[Mark, Proof]) -> dict[str, Any]:
    return {
        mark.slug: {"beatable": found.beatable, "game": found.game}
        for mark, found in proofs.items()
    }


def _proof_text(proof: Proof) -> str:
    order = words.order(proof.mark)
    tried = figures.positions_tried(proof.positions)
    if proof.passing_up:
        tried += f" {figures.wins_missed_of_them(len(proof.passed_up))}"
    if proof.game is None:
        return f"{proof.engine} as {proof.mark}, moving {order}: cannot be beaten.\n{tried}"
    return (
        f"{proof.engine} as {proof.mark}, moving {order}: can be beaten. "
        f"The shortest game, {digits(proof.game)}:\n\n{_game_text(proof.game)}\n\n{tried}"
    )


def _game_text(game: tuple[int, ...]) -> str:
    board = Game(game).board
    picture = layout.drawn(board, board.outcome.cells if board.outcome else ())
    return layout.beside(picture, layout.moves(game))


@click.command()
@AS_JSON
def claims(for_scripts: bool) -> None:
    """Show what the five sources claim about their engines, and whether it is true."""
    found = verdicts()
    value = [
        {
            "source": verdict.claim.source,
            "engine": verdict.claim.engine,
            "claim": verdict.claim.text,
            "holds": verdict.holds,
            "game": verdict.losing_game,
        }
        for verdict in found
    ]
    rows = [("engine", "claim", "verdict", "losing game")]
    for verdict in found:
        claim = verdict.claim
        holds, game = str(verdict.holds).lower(), digits(verdict.losing_game or ())
        rows.append((claim.engine, claim.text, holds, game))
    heading, *lines = layout.columns(rows).split("\n")
    text = [heading]
    for letter, source in SOURCES.items():
        text.append(source.title)
        text += (
            f"  {line}"
            for verdict, line in zip(found, lines, strict=True)
            if verdict.claim.source == letter
        )
    show(for_scripts, value, "\n".join(text))


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def check(mind: Named, for_scripts: bool) -> None:
    """Examine ENGINE: its faults, its exact results, and whether it can be beaten."""
    (found,) = asking.asked(mind)
    engine, known = found.engine, found.known
    if found.fault and known:
        _show_faults(for_scripts, engine, known)
    elif engine.live:
        _show_samples(for_scripts, engine)
    else:
        _show_worth(for_scripts, engine)
    if known and not for_scripts:
        _show_notes(known)
    sys.exit(1 if found.fault else 0)


def _show_worth(for_scripts: bool, engine: Engine) -> None:
    found = worth(engine)
    positions = sum(each.positions for each in found.proofs.values())
    value = {
        "engine": engine.slug,
        "positions": positions,
        "faults": [],
        "results": {
            rival: {mark.slug: asdict(found.results[rival, mark]) for mark in engine.marks}
            for rival in RIVALS
        },
        "proof": _proofs_json(found.proofs),
        "passed_up": {mark.slug: each.passed_up for mark, each in found.proofs.items()},
        "given_away": {mark.slug: each.given_away for mark, each in found.proofs.items()},
    }
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    for (rival, mark), result in found.results.items():
        values = (f"{figures.exactly(v)} = {figures.percent(v)}" for v in result.for_mark(mark))
        rows.append((rival, words.order(mark), *values))
    heading = f"{engine.slug} answered in all {positions:,} positions."
    proofs = map(_proof_text, found.proofs.values())
    show(for_scripts, value, "\n\n".join((heading, layout.columns(rows), *proofs)))


# --- what is wrong, and what took long ----------------------------------------------------------


def _show_faults(for_scripts: bool, engine: Engine, known: Tabulation) -> None:
    """Show each fault once: the board, the line of the file, and how many are like it."""
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
    for some in alike.values():
        first, more = some[0], len(some) - 1
        said = [f"{first.board.turn} to move.", first.why, first.where]
        if more:
            alike_in = ngettext(
                "It fails the same way in {number} more position.",
                "It fails the same way in {number} more positions.",
                more,
            )
            said.append(alike_in.format(number=f"{more:,}"))
        lines.append(layout.beside(layout.drawn(first.board), list(filter(None, said))))
    if not known.finished:
        lines.append("It was not asked about the rest.")
    show(for_scripts, value, "\n\n".join(lines))


def _show_notes(known: Tabulation) -> None:
    """Say which answers took long, and what the function printed."""
    if known.slow:
        (seconds, board), number = known.slow[0], len(known.slow)
        slow = ngettext(
            "It thought for more than a second in {number} position: {seconds} s on {board}.",
            "It thought for more than a second in {number} positions, longest on {board}: "
            "{seconds} s.",
            number,
        ).format(number=f"{number:,}", seconds=f"{seconds:.1f}", board=board)
        cache = "functools.cache makes a function remember the positions that it has seen."
        click.echo(f"\n{slow} {cache}")
    number, first = known.printed
    if number:
        printed = ngettext(
            "It printed {number} line: {first}",
            "It printed {number} lines, beginning with: {first}",
            number,
        )
        click.echo(f"\n{printed.format(number=f'{number:,}', first=first)}")


# --- where nothing exact is known ---------------------------------------------------------------


def _show_samples(for_scripts: bool, engine: Engine) -> None:
    """Play an engine that can only be asked against each rival, with each mark."""
    rows: list[tuple[str, ...]] = [("against", "moving", "games", "won", "drawn", "lost")]
    found: dict[str, dict[str, Any]] = {rival: {} for rival in RIVALS}
    lost: dict[Mark, list[tuple[int, ...]]] = {mark: [] for mark in Mark}
    for rival in RIVALS:
        for mark in Mark:
            pair = (engine, ENGINES[rival]) if mark is Mark.X else (ENGINES[rival], engine)
            played = asking.played(*pair)
            found[rival][mark.slug] = layout.sample_json(played)
            games, counts = played.counted.games, layout.counts(played.counted)
            if mark.other in played.shortest:
                lost[mark].append(played.shortest[mark.other])
            won = counts if mark is Mark.X else counts[::-1]
            values = (f"{count:,} ({layout.share(count, games)})" for count in won)
            rows.append((rival, words.order(mark), f"{games:,}", *values))
    shortest = {mark: min(games, key=len, default=None) for mark, games in lost.items()}
    value = {
        "engine": engine.slug,
        "exact": False,
        "why": engine.idea,
        "samples": found,
        "lost": {mark.slug: game for mark, game in shortest.items()},
    }
    lines = [
        f"{engine.slug} cannot be judged exactly. {engine.idea}",
        f"Games that were played, each count with low–high. {layout.WHAT_SHARES_MEAN}",
        layout.columns(rows),
        *(
            f"As {mark} it can be beaten. In these games it lost {digits(game)}:\n\n"
            f"{_game_text(game)}"
            if game
            else f"As {mark} it lost none of these games, which proves nothing."
            for mark, game in shortest.items()
        ),
    ]
    show(for_scripts, value, "\n\n".join(lines))


COMMANDS = (engines, best, prove, claims, check)
