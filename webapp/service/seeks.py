"""Players who look for any opponent: each is paired with another one, and plays."""

from contextlib import suppress
from random import SystemRandom

import sqlalchemy as sa

from webapp import store
from webapp.core.game import Game, Kind
from webapp.live.presence import PRESENT_FOR_S
from webapp.service.lobby import AlreadyPlaying, free, holding
from webapp.service.players import save_preferences
from webapp.service.refusals import Raced
from webapp.service.site import Site
from webapp.store.seeks import ABOUT, Seek

SAME_AGAIN = 3
"""For how many seconds two who have just played each other both wait for someone else."""


def seek(site: Site, player: str, *, give_up: bool = False) -> str | None:
    """Sit down with a player who looks for an opponent, or begin to look for one.

    :param give_up: whether to give up the game that the player is in
    :return: the id of the game; ``None`` while there is no one
    :raises AlreadyPlaying: if the player is in a game that is not to be given up
    """
    while True:
        with suppress(Raced), site.database.write(ABOUT) as connection:
            return _meet(site, connection, player, give_up=give_up)


def cancel(site: Site, player: str) -> None:
    """Look for no one any more."""
    with site.database.write(ABOUT) as connection:
        store.seeks.end(connection, player)


def pair_all(site: Site) -> None:
    """Pair the players who wait and can be paired; end the seeks of players who cannot.

    To be called every second by every worker: two who have just played each other are paired
    here, if no one else has come.
    """
    with site.database.read() as connection:
        found = {
            seek.player: _can_play(site, connection, seek)
            for seek in store.seeks.waiting(connection)
        }
    several = sum(found.values()) > 1
    for player, can_play in found.items():
        # Before presence is settled, not all pages have come back.
        if several if can_play else site.live.presence.is_settled:
            with suppress(Raced, AlreadyPlaying), site.database.write(ABOUT) as connection:
                _meet_or_end(site, connection, player)


# --- the parts of it ----------------------------------------------------------------------------


def _meet_or_end(site: Site, connection: sa.Connection, player: str) -> None:
    """Pair a player who waits if that can be; end the seek if the player cannot play."""
    seek = next((seek for seek in store.seeks.waiting(connection) if seek.player == player), None)
    if seek and _can_play(site, connection, seek):
        _meet(site, connection, player)
    elif site.live.presence.is_settled:
        store.seeks.end(connection, player)


def _meet(
    site: Site, connection: sa.Connection, player: str, *, give_up: bool = False
) -> str | None:
    """Pair a player if there is anyone to be paired with, in a transaction about all seeks.

    :return: the id of the game; ``None`` where the player waits now
    :raises Raced: if the other player is in a game now
    """
    waiting = store.seeks.waiting(connection)
    if give_up:  # before anyone is chosen: it makes the other one the last opponent
        # All at once: locking the opponent later could deadlock with a tournament.
        others = [seek.player for seek in waiting]
        with free(site, connection, player, *others, give_up=True):
            waiting = store.seeks.waiting(connection)
    found = [seek for seek in waiting if _can_play(site, connection, seek)]
    mine = next((seek for seek in found if seek.player == player), None)
    if other := _suitable(site, connection, player, mine, found):
        return _pair(site, connection, other, player)
    if mine is None:
        with free(site, connection, player, give_up=False):
            now = site.now()
            store.seeks.begin(connection, Seek(player, now))
            save_preferences(connection, player, None, now)
    return None


def _can_play(site: Site, connection: sa.Connection, seek: Seek) -> bool:
    """Tell whether a player who looks can be paired.

    The player is here, or has just begun to look, of which another process may know nothing
    yet; and no opponent has come back to an older game, which holds both again.
    """
    player, here = seek.player, site.live.presence
    just = _waited(site, seek) < PRESENT_FOR_S and not here.has_left(player)
    return (just or here.is_here(player)) and not holding(site, connection, player)


def _suitable(
    site: Site, connection: sa.Connection, player: str, mine: Seek | None, found: list[Seek]
) -> str | None:
    """Choose whom a player meets: who waits for longest, but not the last opponent again.

    :param mine: the player's own seek, if the player is looking already
    """
    others = [seek for seek in found if seek.player != player]
    last = store.games.last_live(connection, player) if others else None
    for other in others:
        before = last and store.games.last_live(connection, other.player)
        if last is None or before is None or last.id != before.id:
            return other.player
        if mine and min(_waited(site, one) for one in (mine, other)) >= SAME_AGAIN:
            return other.player
    return None


def _waited(site: Site, seek: Seek) -> int:
    return site.clock.since(seek.since)


def _pair(site: Site, connection: sa.Connection, other: str, player: str) -> str:
    """Begin a game with a player who looks; marks are drawn, and then alternate.

    :raises AlreadyPlaying: if the player is in a game
    :raises Raced: if the other player no longer looks, or is in a game by now
    """
    with free(site, connection, player, other, give_up=False):
        before = store.games.last_live(connection, player, other)
        x, o = SystemRandom().sample((player, other), 2)
        if before:
            x, o = before.o_seat or x, before.x_seat or o
        if holding(site, connection, other) or not store.seeks.end(connection, other):
            raise Raced
        now = site.now()
        new = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o, id=store.games.new_id())
        store.games.insert(connection, new, now)
        save_preferences(connection, player, None, now)
    return new.id
