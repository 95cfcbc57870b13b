"""The results of the class, for a spreadsheet, and what was played today."""

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from webapp import store
from webapp.analysis.lesson import Chosen, Fault, faults, worth_talking_about
from webapp.classroom import Counted, Played
from webapp.core.board import Mark
from webapp.core.game import Kind, Score, moves_of
from webapp.service.ranking import Place
from webapp.service.site import Site

_FAULTS, _GAMES = 6, 3  # positions and games on the page about a lesson


class Today(NamedTuple):
    """What the class has played today.

    :param players: id and name, by name, with results against classmates and against engines
    :param faults: the positions in which people threw the most value away
    :param games: those worth talking about
    """

    players: list[tuple[str, str, Score, Score]]
    faults: list[Fault]
    games: list[Played]


def standings(site: Site) -> list[tuple[Place, Counted]]:
    """Return all players with names, the best first."""
    with site.database.read() as connection:
        table = site.ranking.table(connection)
        counted = store.results.counted(connection)
    lines = [(table.get(line.player, Place(line.player)), line) for line in counted]
    return sorted(lines, key=lambda line: (line[0].place or inf, -line[0].games))


def games(site: Site, since: int = 0) -> Iterator[Played]:
    """Yield the games that ended since then, in the order in which they began."""
    with site.database.snapshot() as connection:
        yield from store.results.played(connection, since)


def today(site: Site) -> Today:
    """Return today's games with a move and a result."""
    ended = games(site, site.clock.today())
    results = [game for game in ended if game.outcome in ("x", "o", "draw")]
    played = [game for game in results if len(game.moves) > game.given]
    by_moves = {moves_of(game.moves): game for game in played}
    talked = worth_talking_about(by_moves, _GAMES)
    return Today(
        players=_counted(played),
        faults=faults(map(_chosen, played), _FAULTS),
        games=[by_moves[moves] for moves in talked],
    )


def _chosen(game: Played) -> Chosen:
    seats = game.x_seat, game.o_seat
    moved = range(game.given, len(game.moves))
    return Chosen(moves_of(game.moves), {at for at in moved if seats[at % 2]})


def _counted(played: Iterable[Played]) -> list[tuple[str, str, Score, Score]]:
    scores = dict[tuple[str, str], dict[Kind, Score]]()
    for game in played:
        for own, player, name in ((Mark.X, game.x_seat, game.x), (Mark.O, game.o_seat, game.o)):
            if player and name and game.kind is not Kind.ONE_DEVICE:
                kinds = scores.setdefault((player, name), {})
                won, drawn, lost = kinds.get(game.kind, Score())
                is_won, is_drawn = game.outcome == own.slug, game.outcome == "draw"
                is_lost = not (is_won or is_drawn)
                kinds[game.kind] = Score(won + is_won, drawn + is_drawn, lost + is_lost)
    return [
        (*who, kinds.get(Kind.TWO_DEVICES, Score()), kinds.get(Kind.ENGINE, Score()))
        for who, kinds in sorted(scores.items(), key=lambda line: line[0][1].casefold())
    ]
