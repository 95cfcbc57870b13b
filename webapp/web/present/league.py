"""A league as page, report and terminal show it, made of the plain data of the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from webapp.analysis.matchup import Matchup
from webapp.core.board import Mark
from webapp.core.game import digits
from webapp.web.present.lab import tone
from webapp.web.present.pictures import Picture, of_game
from webapp.words import figures
from webapp.words.language import _, ngettext


class ScoreView(NamedTuple):
    """One against another: won and lost by X in percent, how warm that is, and X's points."""

    won: str
    lost: str
    tone: str
    points: str


class RowView(NamedTuple):
    """One that takes part.

    :param hard: what is lost of two games against Hard, in percent; ``easy`` likewise
    :param remark: what is wrong with its answers; empty for nothing
    :param scores: as X against each, in the order of the ranking; ``None`` against itself
    """

    place: int
    slug: str
    name: str
    points: str
    won: str
    drawn: str
    lost: str
    hard: str
    easy: str
    unbeatable: bool
    remark: str
    scores: tuple[ScoreView | None, ...]


class GameView(NamedTuple):
    """The shortest game of a pair that is no draw.

    :param mark: the winner's
    :param forfeit: whether the loser has no answer where it ends
    :param moves: the cells played, as digits; empty where X has no answer at all
    """

    x: str
    o: str
    winner: str
    loser: str
    mark: Mark
    forfeit: bool
    moves: str

    @property
    def ending(self) -> str:
        """How it ended, in a sentence."""
        if self.forfeit:
            message = _("{loser} has no answer as {mark} and loses to {winner}.")
        else:
            message = ngettext(
                "{loser} loses as {mark} to {winner}, in {number} move.",
                "{loser} loses as {mark} to {winner}, in {number} moves.",
                len(self.moves),
            )
        return message.format(
            loser=self.loser, mark=self.mark.other, winner=self.winner, number=len(self.moves)
        )


@dataclass(frozen=True, slots=True, eq=False)
class LeagueView:
    """The ranking, the table, the games, and those that do not take part.

    :param beaten: of each that loses a game, the shortest such, with the board where it ends
    """

    rows: tuple[RowView, ...]
    games: tuple[GameView, ...]
    beaten: tuple[tuple[GameView, Picture], ...]
    absent: tuple[tuple[str, str], ...]

    @property
    def of_x(self) -> list[tuple[str, list[GameView], list[GameView]]]:
        """The games that each wins and loses as X, of those that do."""
        found = []
        for row in self.rows:
            games = [game for game in self.games if game.x == row.name]
            won = [game for game in games if game.mark is Mark.X]
            if games:
                found.append((row.name, won, [game for game in games if game not in won]))
        return found


def present_league(league: Mapping[str, Any]) -> LeagueView:
    """Present what :func:`webapp.service.league.drawn_up` returns."""
    ranking, pairs = league["ranking"], league["pairs"]
    names = {row["slug"]: row["name"] for row in ranking}
    rows = tuple(_row(row, [pairs[row["slug"]].get(other) for other in names]) for row in ranking)
    games = tuple(
        _game(names[x], names[o], pair)
        for x, others in pairs.items()
        for o, pair in others.items()
        if pair["game"] is not None
    )
    lost = (
        min((game for game in games if game.loser == name), key=_length, default=None)
        for name in names.values()
    )
    absent = tuple((one["name"], one["why"]) for one in league["absent"])
    return LeagueView(rows, games, tuple((game, _end(game)) for game in lost if game), absent)


def _row(row: Mapping[str, Any], pairs: list[Mapping[str, Any] | None]) -> RowView:
    points, won, drawn, lost = (
        figures.points(Fraction(row[name])) for name in ("points", "won", "drawn", "lost")
    )
    hard, easy = (
        figures.percent(Fraction(row[name]) / 2) for name in ("lost_to_hard", "lost_to_easy")
    )
    return RowView(
        row["place"],
        row["slug"],
        row["name"],
        points,
        won,
        drawn,
        lost,
        hard,
        easy,
        row["unbeatable"],
        _remark(row["unanswered"]),
        tuple(_score(pair) if pair else None for pair in pairs),
    )


def _remark(unanswered: int) -> str:
    if not unanswered:
        return ""
    return ngettext(
        "no answer in {number} position", "no answer in {number} positions", unanswered
    ).format(number=f"{unanswered:,}")


def _score(pair: Mapping[str, Any]) -> ScoreView:
    found = Matchup(*(Fraction(pair[name]) for name in ("x_wins", "draws", "o_wins")))
    return ScoreView(
        figures.whole_percent(found.x_wins),
        figures.whole_percent(found.o_wins),
        tone(found),
        figures.points(2 * found.x_wins + found.draws),
    )


def _game(x: str, o: str, pair: Mapping[str, Any]) -> GameView:
    mark = Mark(pair["winner"].upper())
    winner, loser = (x, o) if mark is Mark.X else (o, x)
    return GameView(x, o, winner, loser, mark, pair["forfeit"], digits(pair["game"]))


def _length(game: GameView) -> int:
    return len(game.moves)


def _end(game: GameView) -> Picture:
    return of_game([int(cell) for cell in game.moves], game.ending.rstrip("."))
