"""Players who look for any opponent: each is paired with another one, and plays.

A seek is an open game of its player, which no code leads to and no one sees in a list.
"""

import secrets
from contextlib import suppress
from random import SystemRandom

import sqlalchemy as sa

from webapp.core.game import Game, Kind
from webapp.live import Live
from webapp.service.clock import Clock
from webapp.service.lobby import AlreadyPlaying, Lobby, holding
from webapp.service.players import save_preferences
from webapp.service.refusals import Raced
from webapp.store import Database
from webapp.store import games as stored

SAME_AGAIN = 3
"""For how many seconds two who have just played each other both wait for someone else."""

_ABOUT = "seeks"
"""The subject of a transaction that begins a seek or ends one in a game."""


class Seeks:
    """The players of this server who look for an opponent."""

    def __init__(self, database: Database, lobby: Lobby, live: Live, clock: Clock) -> None:
        self._database = database
        self._presence = live.presence
        self._lobby = lobby
        self._clock = clock

    def seek(self, player: str, *, give_up: bool = False) -> str | None:
        """Sit down with a player who looks for an opponent, or begin to look for one.

        :param give_up: whether to give up the game that the player is in
        :return: the id of the game; ``None`` while there is no one
        :raises AlreadyPlaying: if the player is in a game that is not to be given up
        """
        while True:
            with suppress(Raced), self._database.write(_ABOUT) as connection:
                return self._meet(connection, player, give_up=give_up)

    def cancel(self, player: str) -> None:
        """Look for no one any more."""
        with self._database.write(_ABOUT) as connection:
            for game in stored.challenges(connection, player):
                if game.seeking:
                    stored.delete(connection, game)

    def pair_all(self) -> None:
        """Pair the players who wait and can be paired; end the seeks of players who cannot.

        To be called every second by every worker: two who have just played each other are paired
        here, if no one else has come.
        """
        with self._database.read() as connection:
            found = self._seeking(connection)
        waiting = [game for game, can_play in found if can_play]
        ends = self._presence.is_settled  # before that, not all pages have come back
        for ended in (game for game, can_play in found if ends and not can_play):
            with self._database.write(_ABOUT) as connection:
                stored.delete(connection, ended)
        for game in waiting if len(waiting) > 1 else ():
            with suppress(Raced, AlreadyPlaying), self._database.write(_ABOUT) as connection:
                self._meet(connection, *game.players, waits=True)

    # --- the parts of it ------------------------------------------------------------------------

    def _meet(
        self,
        connection: sa.Connection,
        player: str,
        *,
        give_up: bool = False,
        waits: bool = False,
    ) -> str | None:
        """Pair a player if there is anyone to be paired with, in a transaction about all seeks.

        :param waits: whether the player waits already, or did: then no other wait begins
        :return: the id of the game
        :raises Raced: if the other player is in a game now
        """
        if give_up:  # before anyone is chosen: it makes the other one the last opponent
            with self._lobby.free(connection, player, give_up=True):
                pass
        found = [game for game, can_play in self._seeking(connection) if can_play]
        mine = next((one for one in found if player in one.players), None)
        if waits and mine is None:
            return None
        others = [one for one in found if one is not mine]
        if other := self._suitable(connection, player, mine, others):
            return self._pair(connection, other, player)
        if mine is None:
            with self._lobby.free(connection, player, give_up=False):
                self._begin(connection, player)
        return None

    def _seeking(self, connection: sa.Connection) -> list[tuple[Game, bool]]:
        """All seeks, the oldest first, each with whether its player can be paired.

        The player is here, and no opponent has come back to an older game, which holds both again.
        """
        found = []
        for game in stored.seeking(connection):
            (player,) = game.players
            is_here = self._presence.is_here(player)
            found.append((game, is_here and not holding(connection, player, self._clock)))
        return found

    def _suitable(
        self, connection: sa.Connection, player: str, mine: Game | None, others: list[Game]
    ) -> Game | None:
        """Choose whom a player meets: who waits for longest, but not the last opponent again.

        :param mine: the player's own seek, if the player is looking already
        """
        last = stored.last_live(connection, player) if others else None
        for other in others:
            (theirs,) = other.players
            before = last and stored.last_live(connection, theirs)
            if last is None or before is None or last.id != before.id:
                return other
            if mine and min(map(self._waited, (mine, other))) >= SAME_AGAIN:
                return other
        return None

    def _waited(self, seek: Game) -> int:
        return self._clock.since(seek.changed_at)

    def _begin(self, connection: sa.Connection, player: str) -> None:
        now = int(self._clock())
        seek = Game(kind=Kind.TWO_DEVICES, x_seat=player, id=secrets.token_urlsafe(16))
        stored.insert(connection, seek, now)
        save_preferences(connection, player, None, now)

    def _pair(self, connection: sa.Connection, seek: Game, player: str) -> str:
        """Let a player take the free seat of a seek; marks are drawn, and then alternate.

        :raises AlreadyPlaying: if the player is in a game
        :raises Raced: if another one was quicker, or the other player is in a game by now
        """
        (other,) = seek.players
        with self._lobby.free(connection, player, other, give_up=False):
            before = stored.last_live(connection, player, other)
            x, o = SystemRandom().sample((player, other), 2)
            if before:
                x, o = before.o_seat or x, before.x_seat or o
            now = int(self._clock())
            if holding(connection, other, self._clock):
                raise Raced
            if not stored.save(connection, seek, seek.seat_both(x, o), now):
                raise Raced
            save_preferences(connection, player, None, now)
        return seek.id
