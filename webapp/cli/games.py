"""The commands about games: table, review."""

from dataclasses import asdict

import click

from webapp import words
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import table
from webapp.analysis.review import review
from webapp.cli import layout
from webapp.cli.options import AS_JSON, json_line
from webapp.core.board import IllegalMove
from webapp.core.game import digits, moves_of
from webapp.engines.base import SOURCES
from webapp.engines.registry import ENGINES
from webapp.words import figures, played

_CLAIM_COLUMNS = ("source", "engine", "claim", "holds", "game")


@click.command("table")
@AS_JSON
def table_command(for_scripts: bool) -> None:
    """Print the table of all engines, and their authors' claims."""
    results = table(ENGINES.values())
    claims = [
        (claim.source, claim.engine, claim.text, verdict.holds, verdict.losing_game)
        for verdict in verdicts()
        for claim in [verdict.claim]
    ]
    rows: list[tuple[str, ...]] = [("X \\ O", *ENGINES)]
    for x in ENGINES:
        pairs = [(results[x, o].x_wins, results[x, o].o_wins) for o in ENGINES]
        rows.append((x, *("/".join(map(figures.whole_percent, pair)) for pair in pairs)))
    claimed = [("engine", "claim", "verdict", "losing game", "source")]
    for source, mind, claim, holds, game in claims:
        title = SOURCES[source]
        claimed.append((mind, claim, str(holds).lower(), digits(game or ()), title))
    text = (
        "Won and lost by X, in percent; the rest are draws. Exact with --json.",
        layout.columns(rows, right=range(1, len(rows))),
        layout.columns(claimed),
    )
    value = {
        "table": {x: {o: asdict(results[x, o]) for o in ENGINES} for x in ENGINES},
        "claims": [dict(zip(_CLAIM_COLUMNS, claim, strict=True)) for claim in claims],
    }
    click.echo(json_line(value) if for_scripts else "\n\n".join(text))


@click.command("review")
@click.argument("moves", metavar="MOVES")
@AS_JSON
def review_command(moves: str, for_scripts: bool) -> None:
    """Judge every move of a game, written as its cells: 40281."""
    if not moves or not set(moves) <= set("012345678"):
        raise IllegalMove(f"Write a game as the cells played, from 0 to 8; {moves!r} is not.")
    reviewed = review(moves_of(moves))
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
            for move in reviewed.moves
        ],
        "turning_point": reviewed.turning_point,
    }
    rows = [("move", "where", "leads to", "judgement", "better")]
    for at, move in enumerate(reviewed.moves):
        better = "; ".join(
            f"{words.cell_name(cell)} ({played.caption(reason)})" for cell, reason in move.better
        )
        turning = "  <- the turning point" if at == reviewed.turning_point else ""
        prospect = figures.prospect(move.after.value, move.after.distance)
        where, judgement = words.cell_name(move.cell), move.judgement.value
        rows.append((f"{at + 1} {move.mark}", where, prospect, judgement, better + turning))
    last = reviewed.moves[-1]
    text = f"{layout.drawn(last.board.play(last.cell))}\n\n{layout.columns(rows)}"
    click.echo(json_line(value) if for_scripts else text)


COMMANDS = (table_command, review_command)
