"""Tables for a spreadsheet: how one is written and sent, and the results of the class."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import IO, TypeAlias

from flask import Response

from webapp import words
from webapp.classroom import Counted, Played
from webapp.core.game import Kind
from webapp.engines.base import Engine
from webapp.names import LEFT
from webapp.service.ranking import Place
from webapp.service.teacher import number
from webapp.service.tournaments import Standing
from webapp.words.language import _

Row: TypeAlias = Iterable[object]

_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_AS_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet computes cells that begin with one of these."""


def table(kind: str, name: str, rows: Iterable[Row]) -> Response:
    """Send a table as a ``csv`` or ``xlsx`` file with the date in its name."""
    if kind == "xlsx":
        response = Response(workbook(rows), mimetype=_EXCEL)
    else:
        text = StringIO(newline="")
        write(text, rows)
        response = Response(text.getvalue().encode("utf-8-sig"), mimetype="text/csv")
    today = datetime.now(UTC).astimezone().date()
    response.headers["Content-Disposition"] = f"attachment; filename={name}-{today}.{kind}"
    response.headers["Cache-Control"] = "no-store"
    return response


def write(file: IO[str], rows: Iterable[Row]) -> None:
    """Write a table as CSV in which no cell is a formula."""
    writer = csv.writer(file)
    for row in rows:
        writer.writerow(map(_written, row))


def _written(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "minutes")
    return harmless(f"{cell:g}" if isinstance(cell, float) else str("" if cell is None else cell))


def workbook(rows: Iterable[Row]) -> bytes:
    """Return a table for Excel with typed numbers and dates, and no formulas."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a while

    file, options = BytesIO(), {"in_memory": True, "default_date_format": "yyyy-mm-dd hh:mm"}
    with Workbook(file, options | {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet, dates = book.add_worksheet(), set[int]()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
            dates |= {column for column, cell in enumerate(row) if isinstance(cell, datetime)}
        sheet.set_row(0, None, book.add_format({"bold": True}))
        sheet.freeze_panes(1, 0)
        sheet.autofit()
        for column in dates:  # autofit leaves too little room
            sheet.set_column(column, column, 17)
    return file.getvalue()


def standings(lines: Iterable[tuple[Place, Counted]]) -> Iterator[Row]:
    yield (
        *(_("Place"), _("Name"), _("Rating"), _("Games")),
        *(_("Won against people"), _("Drawn against people"), _("Lost against people")),
        *(_("Won against the computer"), _("Drawn against the computer")),
        *(_("Lost against the computer"), _("Last game started"), _("Number")),
    )
    for place, player in lines:
        # All games: the ratings leave out those with players who have left.
        played = sum(player.people) + sum(player.computer)
        shown = (place.place, player.name, place.rating, played)
        begun, known_as = _moment(player.seen_at), str(number(player.player))
        yield (*shown, *player.people, *player.computer, begun, known_as)


def results(standing: Standing) -> Iterator[Row]:
    yield (
        *(_("Place"), _("Name"), _("Points"), _("Sonneborn-Berger")),
        *(_("Good moves, in per cent"), _("Games")),
    )
    for line in standing.table:
        beaten, kept = float(line.sonneborn_berger), round(100 * line.kept)
        name = words.who(standing.people[line.player])
        yield line.place, name, line.points, beaten, kept, line.games


def games(played: Iterable[Played], engines: Mapping[str, Engine]) -> Iterator[Row]:
    """Write a line for each game; its moves include those of the opening, which no player made."""
    yield (
        *(_("Started"), _("Ended"), "X", "O", _("Result"), _("How it ended")),
        *(_("Tournament"), _("Round"), _("Opening (moves given at the start)")),
        _("Moves (cells numbered 0 to 8, row by row)"),
    )
    results = {
        "x": _("X won"),
        "o": _("O won"),
        # Translators: how a game ended
        "draw": _("Draw"),
        "left": _("Not finished"),
        "cancelled": _("Cancelled"),
    }
    endings = {
        "resign": _("given up"),
        "claim": _("win claimed, as the opponent was away"),
        "time": _("out of time"),
        "left": _("left early"),
    }
    for game in played:
        x, o = names_of(game, engines)
        ending, moved = endings.get(game.ending or ""), len(game.moves) > game.given
        if game.outcome == "cancelled":
            ending = words.why_cancelled(in_tournament=game.tournament is not None, moved=moved)
        yield (
            *(_moment(game.began_at), _moment(game.ended_at), x, o),
            *(results[game.outcome], ending),
            *(game.tournament, game.round or None, " ".join(game.moves[: game.given])),
            " ".join(game.moves),
        )


def names_of(game: Played, engines: Mapping[str, Engine]) -> tuple[str | None, str | None]:
    engine = engines.get(game.engine or "")
    opponent = words.named(engine) if engine else game.engine
    x, o = (
        name or (words.who(LEFT) if seat else opponent)
        for name, seat in ((game.x, game.x_seat), (game.o, game.o_seat))
    )
    return x, _("A friend at the same device") if game.kind is Kind.ONE_DEVICE else o


def _moment(seconds: int) -> datetime:
    """Local time to the minute: spreadsheets know no zones."""
    return datetime.fromtimestamp(seconds // 60 * 60, UTC).astimezone().replace(tzinfo=None)


def harmless(cell: str) -> str:
    """Quote a cell that a spreadsheet would take for a formula."""
    return f"'{cell}" if cell.startswith(_AS_FORMULAS) else cell
