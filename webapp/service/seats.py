"""Who may sit down to a game between two devices: nobody sits in two."""

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
    """A game with its players, ``None`` for an engine; ``mine``: whether the viewer has a seat."""

    game: Game
    x: Player | None
    o: Player | None
    mine: bool

    def player(self, mark: Mark) -> Player | None:
        """The player of a mark; ``None`` for an engine."""
        return self.x if mark is Mark.X else self.o


class AlreadyPlaying(NotAllowed):
    """A player cannot sit in two games between two devices; ``pairing`` is the present one."""

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(N_("You are already in a game."))
        self.pairing = pairing


@contextmanager
def free(
    site: Site, connection: sa.Connection, player: str, *others: str, give_up: bool
) -> Iterator[None]:
    """Begin a transaction about players, the first of whom sits in no game between two devices.

    That player's wish ends too. A game without a move of theirs is cancelled, another is given up.

    :param others: further locks
    :raises AlreadyPlaying: if the player sits in a game that is not to be given up
    :raises NotAllowed: if the player is in a running tournament
    :raises Paused: if a game is to be given up while all are paused
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
    """Return the game between two devices that keeps a player from another one, if any."""
    games = store.games.going_on(connection, player)
    paused_at = store.lesson.read(connection).stands_since if games else None
    return [
        game for game in games if game.holds(player, site.clock.since(game.changed_at, paused_at))
    ]


def check_no_tournament(connection: sa.Connection, player: str) -> None:
    """Raise :class:`NotAllowed` if a player is in a running tournament."""
    if store.tournaments.plays(connection, player):
        raise NotAllowed("You are in the tournament: your next game there starts by itself.")


def pairings(games: Iterable[Game], viewer: str, people: People) -> tuple[Pairing, ...]:
    """Return games with their players, who are among these people."""

    def seated(player: str | None) -> Player | None:
        return people[player] if player else None

    return tuple(
        Pairing(game, x=seated(game.x_seat), o=seated(game.o_seat), mine=viewer in game.players)
        for game in games
    )
