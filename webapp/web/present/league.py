"""A league as page, report and terminal show it, made of the plain data of the service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from webapp.analysis.matchup import Matchup
from webapp.core.board import Mark
from webapp.core.game import digits, moves_of
from webapp.engines.base import ONLY_THE_BOARD
from webapp.web.present.pictures import Picture, of_game
from webapp.words.figures import figure, own_moves
from webapp.words.language import _, ngettext


@dataclass(frozen=True, slots=True)
class Course:
    """The shortest game of a pair that is no draw, by the names of the two.

    :param mark: the winner's
    :param forfeit: whether the loser has no answer where it ends
    :param moves: the cells played, as digits; empty where X has no answer at all
    """

    x: str
    o: str
    mark: Mark
    forfeit: bool
    moves: str

    @property
    def loser(self) -> str:
        """Who loses it."""
        return self.o if self.mark is Mark.X else self.x

    @property
    def ending(self) -> str:
        """How it ended, in a sentence."""
        number = own_moves(len(self.moves))
        if self.forfeit:
            message = _("{loser} has no answer as {mark} and loses to {winner}.")
        else:
            message = ngettext(
                "{loser} loses as {mark} to {winner}, in {number} move.",
                "{loser} loses as {mark} to {winner}, in {number} moves.",
                number,
            )
        winner = self.x if self.mark is Mark.X else self.o
        return message.format(loser=self.loser, mark=self.mark.other, winner=winner, number=number)


@dataclass(frozen=True, slots=True, eq=False)
class LeagueView:
    """A league as :func:`webapp.service.league.drawn_up` returns it, and its games."""

    ranking: Sequence[Mapping[str, Any]]
    pairs: Mapping[str, Mapping[str, Mapping[str, Any]]]
    absent: Sequence[Mapping[str, str]]
    games: Sequence[Course]
    proviso: str = ONLY_THE_BOARD

    def result(self, x: str, o: str) -> Matchup | None:
        """The result of one as X against another as O, by slugs; ``None`` against itself."""
        names = ("x_wins", "draws", "o_wins")
        return None if x == o else Matchup(*(Fraction(self.pairs[x][o][name]) for name in names))

    @property
    def beaten(self) -> list[Course]:
        """Of each that loses a game, the shortest such."""
        lost = ([game for game in self.games if game.loser == row["name"]] for row in self.ranking)
        return [min(games, key=lambda game: len(game.moves)) for games in lost if games]


def present_league(league: Mapping[str, Any]) -> LeagueView:
    """Read the games of a league, so that they need not be read for each page."""
    names = {row["slug"]: row["name"] for row in league["ranking"]}
    games = [
        Course(
            names[x], names[o], Mark(pair["winner"].upper()), pair["forfeit"], digits(pair["game"])
        )
        for x, others in league["pairs"].items()
        for o, pair in others.items()
        if pair["game"] is not None
    ]
    return LeagueView(league["ranking"], league["pairs"], league["absent"], games)


def no_answer(positions: int) -> str:
    """Say what is wrong with a function's answers; empty for nothing."""
    if not positions:
        return ""
    return ngettext(
        "no answer in {number} position", "no answer in {number} positions", positions
    ).format(number=figure(positions))


def end(game: Course) -> Picture:
    """The board where it ends."""
    return of_game(moves_of(game.moves), game.ending.rstrip(".。"))
