"""The commands about the engines: engines, best, prove, claims, check."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from webapp import words
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Proof, proof
from webapp.analysis.simulate import Sample, sample
from webapp.analysis.worth import RIVALS, Worth, worth
from webapp.cli import asking, layout
from webapp.cli.asking import SAMPLE, SECONDS, Named
from webapp.cli.options import AS_JSON, ENGINE, print_json
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
        click.echo(f"{click.style(mind.slug, bold=True)} (source: {mind.source.title})")
        click.echo(f"    {mind.idea}")
        for number, rule in enumerate(mind.rules, 1):
            click.echo(f"    {number}. {rule}")


@click.command()
@click.argument("board", metavar="BOARD")
@click.option("--engine", "mind", type=ENGINE, default="hard", show_default=True)
@AS_JSON
def best(board: str, mind: Named, for_scripts: bool) -> None:
    """Show what an engine would play on BOARD, with probabilities and reasons.

    BOARD is nine characters of X, O and . (a dot), row by row, such as X...O....
    """
    position = Board.parse(board)
    engine = asking.about(mind, position)
    choices = engine.choices(position)
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
        print_json({"board": position, "turn": turn, "engine": engine.slug, "choices": found})
        return
    rows = [("cell", "where", "chance", "why")]
    for choice in choices:
        where, why = words.cell_name(choice.cell), played.caption(choice.reason)
        rows.append((str(choice.cell), where, str(choice.probability), why))
    click.echo(layout.beside(layout.drawn(position), [f"{position.turn} to move, {engine.slug}:"]))
    click.echo()
    click.echo(layout.columns(rows))


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def prove(mind: Named, for_scripts: bool) -> None:
    """Prove that ENGINE cannot be beaten, or show the shortest game that beats it."""
    (engine,) = asking.sound(mind)
    if engine.live:
        samples = _samples(engine)
        _show(for_scripts, _samples_json(engine, samples), _samples_text(engine, samples))
        return
    proofs = {mark: proof(engine, mark) for mark in Mark}
    text = "\n\n".join(map(_proof_text, proofs.values()))
    _show(for_scripts, _proofs_json(proofs), text)


def _proofs_json(proofs: Mapping[Mark, Proof]) -> dict[str, Any]:
    return {
        mark.slug: {"beatable": found.beatable, "game": found.game}
        for mark, found in proofs.items()
    }


def _proof_text(found: Proof) -> str:
    order = words.order(found.mark)
    tried = figures.positions_tried(found.positions)
    if found.passing_up:
        tried += f" {figures.wins_missed_of_them(len(found.passed_up))}"
    if found.game is None:
        return f"{found.engine} as {found.mark}, moving {order}: cannot be beaten.\n{tried}"
    return (
        f"{found.engine} as {found.mark}, moving {order}: can be beaten. "
        f"The shortest game, {digits(found.game)}:\n\n{_game_text(found.game)}\n\n{tried}"
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
    rows = [("engine", "claim", "verdict", "losing game")]
    for verdict in found:
        claim = verdict.claim
        holds, game = str(verdict.holds).lower(), digits(verdict.losing_game or ())
        rows.append((claim.engine, claim.text, holds, game))
    heading, *lines = layout.columns(rows).split("\n")
    click.echo(heading)
    for letter, source in SOURCES.items():
        click.echo(source.title)
        for verdict, line in zip(found, lines, strict=True):
            if verdict.claim.source == letter:
                click.echo(f"  {line}")


@click.command()
@click.argument("mind", metavar="ENGINE", type=ENGINE)
@AS_JSON
def check(mind: Named, for_scripts: bool) -> None:
    """Examine ENGINE: its faults, its exact results, and whether it can be beaten."""
    (found,) = asking.asked(mind)
    engine, known = found
    if found.fault and known:
        _show(for_scripts, _faults_json(engine, known), _faults_text(engine, known))
    elif engine.live:
        samples = _samples(engine)
        _show(for_scripts, _samples_json(engine, samples), _samples_text(engine, samples))
    else:
        its = worth(engine)
        _show(for_scripts, _worth_json(engine, its), _worth_text(engine, its))
    if known and not for_scripts:
        _show_notes(known)
    sys.exit(1 if found.fault else 0)


def _show(for_scripts: bool, value: Mapping[str, Any], text: str) -> None:
    if for_scripts:
        print_json(value)
    else:
        click.echo(text)


def _worth_json(engine: Engine, found: Worth) -> dict[str, Any]:
    return {
        "engine": engine.slug,
        "positions": sum(each.positions for each in found.proofs.values()),
        "faults": [],
        "results": {
            rival: {mark.slug: asdict(found.results[rival, mark]) for mark in Mark}
            for rival in RIVALS
        },
        "proof": _proofs_json(found.proofs),
        "passed_up": {mark.slug: each.passed_up for mark, each in found.proofs.items()},
        "given_away": {mark.slug: each.given_away for mark, each in found.proofs.items()},
    }


def _worth_text(engine: Engine, found: Worth) -> str:
    rows: list[tuple[str, ...]] = [("against", "moving", "won", "drawn", "lost")]
    for (rival, mark), result in found.results.items():
        values = (
            f"{figures.exactly(value)} = {figures.percent(value)}"
            for value in result.for_mark(mark)
        )
        rows.append((rival, words.order(mark), *values))
    positions = sum(each.positions for each in found.proofs.values())
    heading = f"{engine.slug} answered in all {positions:,} positions."
    proofs = map(_proof_text, found.proofs.values())
    return "\n\n".join((heading, layout.columns(rows), *proofs))


# --- what is wrong, and what took long ----------------------------------------------------------


def _faults_json(engine: Engine, known: Tabulation) -> dict[str, Any]:
    return {
        "engine": engine.slug,
        "positions": _asked(known),
        "faults": [
            {"kind": fault.kind, "board": fault.board, "why": str(fault)} for fault in known.faults
        ],
    }


def _faults_text(engine: Engine, known: Tabulation) -> str:
    """Each fault once: the board, the line of the file, and how many are like it."""
    alike: dict[tuple[str, str], list[EngineFault]] = {}
    for fault in known.faults:
        alike.setdefault(fault.alike, []).append(fault)
    asked = _asked(known)
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
    return "\n\n".join(lines)


def _asked(known: Tabulation) -> int:
    return len(known.answers.keys() | {fault.board for fault in known.faults})


def _show_notes(known: Tabulation) -> None:
    """Say which answers took long, and what the function printed."""
    if known.slow:
        (board, seconds), number = known.slow[0], len(known.slow)
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

_Samples = Mapping[tuple[str, Mark], Sample]


def _samples(engine: Engine) -> _Samples:
    """Play an engine that can only be asked against each rival, with each mark."""
    found = {}
    for rival in RIVALS:
        for mark in Mark:
            pair = (engine, ENGINES[rival]) if mark is Mark.X else (ENGINES[rival], engine)
            found[rival, mark] = sample(*pair, SAMPLE, 1, seconds=SECONDS)
    return found


def _samples_json(engine: Engine, samples: _Samples) -> dict[str, Any]:
    return {
        "engine": engine.slug,
        "exact": False,
        "why": engine.idea,
        "samples": {
            rival: {mark.slug: layout.sample_json(samples[rival, mark]) for mark in Mark}
            for rival in RIVALS
        },
        "lost": {mark.slug: min(_lost(samples, mark), key=len, default=None) for mark in Mark},
    }


def _lost(samples: _Samples, mark: Mark) -> list[tuple[int, ...]]:
    """The shortest games that it lost with a mark."""
    return [
        found.shortest[mark.other]
        for (_, its), found in samples.items()
        if its is mark and mark.other in found.shortest
    ]


def _samples_text(engine: Engine, samples: _Samples) -> str:
    rows: list[tuple[str, ...]] = [("against", "moving", "games", "won", "drawn", "lost")]
    for (rival, mark), found in samples.items():
        counted = found.counted
        values = [
            f"{count:,} ({layout.share(count, counted.games)})" for count in layout.counts(counted)
        ]
        if mark is Mark.O:
            values.reverse()
        rows.append((rival, words.order(mark), f"{counted.games:,}", *values))
    lines = [
        f"{engine.slug} cannot be judged exactly. {engine.idea}",
        f"Games that were played, each count with low–high. {layout.WHAT_SHARES_MEAN}",
        layout.columns(rows),
    ]
    for mark in Mark:
        if game := min(_lost(samples, mark), key=len, default=None):
            lines.append(
                f"As {mark} it can be beaten. In these games it lost {digits(game)}:\n\n"
                f"{_game_text(game)}"
            )
        else:
            lines.append(f"As {mark} it lost none of these games, which proves nothing.")
    return "\n\n".join(lines)


COMMANDS = (engines, best, prove, claims, check)
