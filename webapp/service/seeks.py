"""Players who look for any opponent, or ask a particular one: each is paired, and plays."""

from contextlib import suppress
from random import SystemRandom

import sqlalchemy as sa

from webapp import store
from webapp.core.game import Game, Kind, NotAllowed
from webapp.core.messages import N_
from webapp.service.lobby import AlreadyPlaying, free, holding, join
from webapp.service.players import save_preferences
from webapp.service.refusals import Paused, Raced, Unknown
from webapp.service.site import Site
from webapp.store.seeks import ABOUT, Seek

JUST_S = 5
"""For how long a player who has begun to look counts as here: another process may not know yet."""

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


def ask(
    site: Site, player: str, asked: str, *, accept: bool = False, give_up: bool = False
) -> str | None:
    """Ask a player for a game; or begin one, if that player wants it already.

    That is a player who asks this one, who looks for anyone, or whose open game can be joined.

    :param accept: whether only a game that the other one asks for may begin
    :param give_up: whether to give up the game that the player is in
    :return: the id of the game; ``None`` while the other one is asked
    :raises AlreadyPlaying: if the player is in a game that is not to be given up
    :raises NotAllowed: if the other one cannot be asked, or asks no longer
    :raises Paused: if all games are paused
    """
    while True:
        with site.database.read() as connection:
            if why := store.lesson.paused(connection):
                raise Paused(why)
            games = store.games.challenges(connection, asked) if asked != player else []
        if code := next((game.code for game in games if game.open), None):
            with suppress(Unknown):  # withdrawn meanwhile
                return join(site, code, player, give_up=give_up)
        with suppress(Raced), site.database.write(ABOUT) as connection:
            return _ask(site, connection, player, asked, accept=accept, give_up=give_up)


def decline(site: Site, player: str, asker: str) -> None:
    """Decline to play with another player, unless that one asks no longer."""
    with site.database.write(ABOUT) as connection:
        found = _seek_of(store.seeks.waiting(connection), asker)
        if found and found.asked == player:
            store.seeks.decline(connection, asker, player, site.now())
            store.seeks.end(connection, asker)


def cancel(site: Site, player: str) -> None:
    """Look for no one any more, and ask no one."""
    with site.database.write(ABOUT) as connection:
        store.seeks.end(connection, player)


def pair_all(site: Site) -> None:
    """Pair the players who wait and can be paired; end the seeks and asks that lead nowhere.

    To be called every second: two who have just played each other are paired
    here, if no one else has come.
    """
    with site.database.read() as connection:
        if store.lesson.read(connection).asked_at is not None:
            return  # the players are at a question
        waiting = store.seeks.waiting(connection)
        found = {seek.player: _can_play(site, connection, seek) for seek in waiting}
    several = sum(found.values()) > 1
    for player, can_play in found.items():
        # Before presence is settled, not all pages have come back.
        if several if can_play else not site.live.settles_in_s:
            with suppress(Raced, AlreadyPlaying), site.database.write(ABOUT) as connection:
                _meet_or_end(site, connection, player)


# --- the parts of it ----------------------------------------------------------------------------


def _meet_or_end(site: Site, connection: sa.Connection, player: str) -> None:
    """Pair a player who waits if that can be; end the seek if the player cannot play."""
    seek = _seek_of(store.seeks.waiting(connection), player)
    if seek and _can_play(site, connection, seek):
        if seek.asked is None:
            _meet(site, connection, player)
    elif not site.live.settles_in_s:
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
    found = [
        seek
        for seek in waiting
        if seek.asked in (None, player) and _can_play(site, connection, seek)
    ]
    mine = _seek_of(found, player)
    asked = store.lesson.read(connection).asked_at is not None
    if not asked and (other := _suitable(site, connection, player, mine, found)):
        return _pair(site, connection, other, player)
    if mine is None:
        with free(site, connection, player, give_up=False):
            store.seeks.begin(connection, Seek(player, site.now()))
            save_preferences(site, connection, player)
    return None


def _ask(
    site: Site, connection: sa.Connection, player: str, asked: str, *, accept: bool, give_up: bool
) -> str | None:
    """Ask, in a transaction about all seeks.

    :raises Raced: if either is in another game now
    """
    for game in holding(site, connection, player) if asked != player else ():
        if asked in game.players:
            return game.id  # the other one was quicker
    why, name = _why_not(site, connection, player, asked), store.players.find(connection, asked)[1]
    theirs, now = _seek_of(store.seeks.waiting(connection), asked), site.now()
    asks = theirs is not None and theirs.asked == player
    # And not why: no one has to explain whom they do not want to play.
    if not (why or asks) and asked in store.seeks.declined(connection, player, now):
        why = N_("{name} is busy.")
    if why:
        raise NotAllowed(why, name=name)
    wants = asks or (not accept and theirs is not None and theirs.asked is None)
    if theirs and wants and _can_play(site, connection, theirs):
        return _pair(site, connection, asked, player, give_up=give_up)
    if accept:
        raise NotAllowed("{name} no longer asks you for a game.", name=name)
    with free(site, connection, player, give_up=give_up):
        store.seeks.begin(connection, Seek(player, now, asked))
        save_preferences(site, connection, player)
    return None


def _why_not(site: Site, connection: sa.Connection, player: str, asked: str) -> str:
    """Say why a player cannot be asked for a game; empty if they can."""
    if asked == player:
        return N_("You cannot play against yourself here.")
    if store.tournaments.plays(connection, asked):
        return N_("{name} is in the tournament.")
    teaches = asked in site.live.teachers() and not _plays(site, connection, asked)
    if site.live.is_away(asked) or teaches:
        return N_("{name} is not here now.")
    return N_("{name} is playing.") if holding(site, connection, asked) else ""


def _plays(site: Site, connection: sa.Connection, player: str) -> bool:
    """Tell whether a player looks for an opponent, or plays one."""
    seek = _seek_of(store.seeks.waiting(connection), player)
    return seek is not None or bool(holding(site, connection, player))


def _seek_of(seeks: list[Seek], player: str) -> Seek | None:
    return next((seek for seek in seeks if seek.player == player), None)


def _can_play(site: Site, connection: sa.Connection, seek: Seek) -> bool:
    """Tell whether a player who looks can be paired.

    The player is here, or has just begun to look, of which another process may know nothing
    yet; and no opponent has come back to an older game, which holds both again. So for anyone
    who is asked.
    """
    player, live = seek.player, site.live
    if seek.asked and _why_not(site, connection, player, seek.asked):
        return False
    just = _waited(site, seek) < JUST_S and not live.has_left(player)
    return (just or live.is_here(player)) and not holding(site, connection, player)


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
        if last is None or before is None or last.id != before.id or other.asked:
            return other.player
        if mine and min(_waited(site, one) for one in (mine, other)) >= SAME_AGAIN:
            return other.player
    return None


def _waited(site: Site, seek: Seek) -> int:
    return site.clock.since(seek.since)


def _pair(
    site: Site, connection: sa.Connection, other: str, player: str, *, give_up: bool = False
) -> str:
    """Begin a game with a player who looks; marks are drawn, and then alternate.

    :param give_up: whether to give up the game that the player is in
    :raises AlreadyPlaying: if the player is in a game
    :raises Raced: if the other player no longer looks, or is in a game by now
    """
    with free(site, connection, player, other, give_up=give_up):
        before = store.games.last_live(connection, player, other)
        x, o = SystemRandom().sample((player, other), 2)
        if before:
            x, o = before.o_seat or x, before.x_seat or o
        if holding(site, connection, other) or not store.seeks.end(connection, other):
            raise Raced
        new = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o, id=store.games.new_id())
        store.games.insert(connection, new, site.now())
        save_preferences(site, connection, player)
    return new.id
