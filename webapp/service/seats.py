"""Who may sit down to a game between two devices: no one sits in two of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.core.board import Mark
from webapp.core.game import Game, NotAllowed
from webapp.core.messages import N_
from webapp.names import People, Player
from webapp.service.refusals import Paused, Raced
from webapp.service.site import Site


class Pairing(NamedTuple):
    """A game with the names of its players: one that goes on, or one that is over.

    :param x: who has X, ``None`` where an engine plays it; likewise ``o``
    :param mine: whether the viewer has a seat
    """

    game: Game
    x: Player | None
    o: Player | None
    mine: bool

    def player(self, mark: Mark) -> Player | None:
        """The player of a mark; ``None`` where an engine plays it."""
        return self.x if mark is Mark.X else self.o


class AlreadyPlaying(NotAllowed):
    """A player cannot sit in two games between two devices.

    :ivar pairing: the one that the player sits in
    """

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(N_("You are already in a game."))
        self.pairing = pairing


@contextmanager
def free(
    site: Site, connection: sa.Connection, player: str, *others: str, give_up: bool
) -> Iterator[None]:
    """A transaction about these players, in which the first has no game between two devices.

    The first no longer wishes for one either. A game in which they have not moved counts for
    neither player; another one is given up.

    :param others: what else it is about
    :raises AlreadyPlaying: if the player has one that is not to be given up
    :raises NotAllowed: if the player is in a tournament that is played
    :raises Paused: if it is to be given up, and all games are paused
    :raises Raced: if it changes meanwhile
    """
    check_no_tournament(connection, player)
    present = holding(site, connection, player)
    if present and not give_up:
        people = store.players.people(connection, present[0].players)
        raise AlreadyPlaying(*pairings(present, player, people))
    players = {player, *others}.union(*(game.players for game in present))
    with site.database.transaction(connection, *players):
        check_no_tournament(connection, player)  # it may have begun since
        if holding(site, connection, player) != present:
            raise Raced
        for game in present:
            left = game.leave_for_another(*game.marks_of(player))
            if not store.games.save(connection, game, left, site.now(), unless_paused=True):
                why = store.lesson.paused(connection)
                raise Paused(why) if why else Raced
        store.wishes.end(connection, player)
        yield


def holding(site: Site, connection: sa.Connection, player: str) -> list[Game]:
    """Return the games between two devices that keep a player from another one: at most one."""
    games = store.games.going_on(connection, player)
    paused_at = store.lesson.paused_at(connection) if games else None
    return [
        game for game in games if game.holds(player, site.clock.since(game.changed_at, paused_at))
    ]


def check_no_tournament(connection: sa.Connection, player: str) -> None:
    """Raise :class:`NotAllowed` if a player is in a tournament that is played."""
    if store.tournaments.plays(connection, player):
        raise NotAllowed("You are in the tournament: your next game there begins by itself.")


def pairings(games: Iterable[Game], viewer: str, people: People) -> tuple[Pairing, ...]:
    """Return games with their players, who are among these people."""

    def seated(player: str | None) -> Player | None:
        return people[player] if player else None

    return tuple(
        Pairing(game, seated(game.x_seat), seated(game.o_seat), viewer in game.players)
        for game in games
    )
