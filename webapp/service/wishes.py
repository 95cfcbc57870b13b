"""Players who want to play anyone, a particular player, or a classmate with their code.

Each has at most one wish. Two players are paired, and the game begins once both sit. A player who
sits in another game gives it up with ``give_up``; otherwise ``AlreadyPlaying`` is raised.
"""

import unicodedata
from contextlib import suppress
from random import SystemRandom

import sqlalchemy as sa

from webapp import store
from webapp.core.game import Game, Kind, NotAllowed
from webapp.core.messages import N_
from webapp.names import Player
from webapp.service.players import save_preferences
from webapp.service.refusals import Paused, Raced, Unknown
from webapp.service.seats import AlreadyPlaying, free, holding
from webapp.service.site import Site
from webapp.store.wishes import ABOUT, Wish

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # characters of codes: no 0 or O, no 1, I or L

CODE_LENGTH = 6

JUST_S = 5  # a player who has just begun to look counts as here: another process may not know yet
SAME_AGAIN = 3  # seconds that two who have just met wait for someone else


def seek(site: Site, player: str, *, give_up: bool = False) -> str | None:
    """Sit down with a player who looks, and return the game's id; or begin to look, ``None``."""
    while True:
        with suppress(Raced), site.database.write(ABOUT) as connection:
            return _meet(site, connection, player, give_up=give_up)


def ask(
    site: Site, player: str, asked: str, *, accept: bool = False, give_up: bool = False
) -> str | None:
    """Ask a player for a game, or begin it if that player already wants it.

    They do if they ask this player, look for anyone, or have opened a game.

    :param accept: whether only a game that the other player asks for may begin
    :return: the id of the game; ``None`` while the other player is asked
    :raises NotAllowed: if the other player cannot be asked, or no longer asks
    :raises Paused: if all games are paused
    """
    while True:
        with suppress(Raced), site.database.write(ABOUT) as connection:
            if why := store.lesson.paused(connection):
                raise Paused(why)
            return _ask(site, connection, player, asked, accept=accept, give_up=give_up)


def decline(site: Site, player: str, asker: str) -> None:
    """Decline a player's request, if it still exists."""
    with site.database.write(ABOUT) as connection:
        wish = store.wishes.of(connection, asker)
        if wish and wish.asked == player:
            store.wishes.decline(connection, asker, player, site.now())
            store.wishes.end(connection, asker)


def cancel(site: Site, player: str) -> None:
    """End a player's wish."""
    with site.database.write(ABOUT) as connection:
        store.wishes.end(connection, player)


def pair_all(site: Site) -> None:
    """Pair the players who look and can be paired; end wishes that are in vain.

    Call it every second: two who have just met are paired here if no one else has come.
    """
    with site.database.read() as connection:
        if store.lesson.read(connection).asked_at is not None:
            return  # the players are at a question
        waiting = [wish for wish in store.wishes.waiting(connection) if not wish.code]
        able = {wish.player: _can_play(site, connection, wish) for wish in waiting}
    several = sum(able.values()) > 1
    for player, can_play in able.items():
        # Before presence is settled, not all pages have come back.
        if several if can_play else not site.live.settles_in_s:
            with suppress(Raced, AlreadyPlaying), site.database.write(ABOUT) as connection:
                _meet_or_end(site, connection, player)


# --- a classmate with a code --------------------------------------------------------------------


def invite(site: Site, player: str, mark: str, *, give_up: bool = False) -> str:
    """Open a game for a classmate, return its code; ``mark``: ``"x"``, ``"o"`` or ``"random"``."""
    if mark == "random":
        mark = SystemRandom().choice("xo")
    while True:
        code = "".join(SystemRandom().choices(ALPHABET, k=CODE_LENGTH))
        wish = Wish(player, site.now(), code=code, mark=mark, game=store.games.new_id())
        # Another game may have the code, or the player's present game has just changed.
        with suppress(sa.exc.IntegrityError, Raced), site.database.write(ABOUT) as connection:
            with free(site, connection, player, give_up=give_up):
                store.wishes.begin(connection, wish)
                save_preferences(site, connection, player)
            return code


def invitation(site: Site, code: str) -> tuple[Wish, Player]:
    """Return the wish with this code, and its player; ``Unknown`` if no game has it."""
    with site.database.read() as connection:
        wish = _by_code(connection, code)
        return wish, store.players.find(connection, wish.player)[1]


def code_of(site: Site, game_id: str) -> str | None:
    """Return the code of a game that has yet to begin."""
    with site.database.read() as connection:
        wish = store.wishes.for_game(connection, game_id)
    return wish and wish.code


def join(site: Site, code: str, player: str, *, give_up: bool = False) -> str | None:
    """Begin the game with this code, and return its id; ``None`` for the player's own code.

    The player's own wish ends.

    :raises Unknown: if no game has this code, or someone else has joined it
    :raises NotAllowed: if the other player sits in another game
    """
    while True:
        with suppress(Raced), site.database.write(ABOUT) as connection:
            wish = _by_code(connection, code)
            if wish.player == player:
                return None
            return _pair(site, connection, wish, player, give_up=give_up)


def as_code(text: str) -> str:
    """Read a code as people type or paste it: in any digits, in pieces, or as an address."""
    last = unicodedata.normalize("NFKC", text.strip("/ ").rpartition("/")[2]).upper()
    return "".join(str(unicodedata.digit(letter, letter)) for letter in last if letter.isalnum())


# --- the parts of it ----------------------------------------------------------------------------


def _by_code(connection: sa.Connection, code: str) -> Wish:
    wish = store.wishes.by_code(connection, as_code(code))
    if wish is None:
        raise Unknown(
            "No game has this code. Check the six characters; perhaps someone else was "
            "quicker, or the game was cancelled."
        )
    return wish


def _meet_or_end(site: Site, connection: sa.Connection, player: str) -> None:
    """Pair a player if possible; end the wish if the player cannot play."""
    wish = store.wishes.of(connection, player)
    if wish is None or wish.code:
        return
    if _can_play(site, connection, wish):
        if wish.for_anyone:
            _meet(site, connection, player)
    elif not site.live.settles_in_s:
        store.wishes.end(connection, player)


def _meet(
    site: Site, connection: sa.Connection, player: str, *, give_up: bool = False
) -> str | None:
    """Pair a player if there is an opponent, in a transaction about all wishes.

    :return: the id of the game; ``None`` if the player waits now
    :raises Raced: if the other player sits in a game now
    """
    waiting = store.wishes.waiting(connection)
    if give_up:  # first, as it makes that opponent the last one
        # All at once: locking the opponent later could deadlock with a tournament.
        others = [wish.player for wish in waiting]
        with free(site, connection, player, *others, give_up=True):
            waiting = store.wishes.waiting(connection)
    able = [
        wish
        for wish in waiting
        if (wish.for_anyone or wish.asked == player) and _can_play(site, connection, wish)
    ]
    mine = next((wish for wish in able if wish.player == player), None)
    asked = store.lesson.read(connection).asked_at is not None
    if not asked and (other := _suitable(site, connection, player, mine, able)):
        return _pair(site, connection, other, player)
    if mine is None:
        with free(site, connection, player, give_up=False):
            store.wishes.begin(connection, Wish(player, site.now()))
            save_preferences(site, connection, player)
    return None


def _ask(
    site: Site, connection: sa.Connection, player: str, asked: str, *, accept: bool, give_up: bool
) -> str | None:
    """Ask, in a transaction about all wishes; ``Raced`` if either sits in another game now."""
    for game in holding(site, connection, player) if asked != player else ():
        if asked in game.players:
            return game.id  # the other player was quicker
    why, name = _why_not(site, connection, player, asked), store.players.find(connection, asked)[1]
    theirs, now = store.wishes.of(connection, asked), site.now()
    asks = theirs is not None and theirs.asked == player
    # The message hides the reason: nobody has to justify a refusal.
    if not (why or asks) and asked in store.wishes.declined(connection, player, now):
        why = N_("{name} is busy.")
    if why:
        raise NotAllowed(why, name=name)
    wants = asks or (not accept and theirs is not None and theirs.asked is None)
    if theirs and wants and _can_play(site, connection, theirs):
        return _pair(site, connection, theirs, player, give_up=give_up)
    if accept:
        raise NotAllowed("The invitation from {name} is no longer open.", name=name)
    with free(site, connection, player, give_up=give_up):
        store.wishes.begin(connection, Wish(player, now, asked))
        save_preferences(site, connection, player)
    return None


def _why_not(site: Site, connection: sa.Connection, player: str, asked: str) -> str:
    """Say why a player cannot be asked for a game; empty if they can."""
    if asked == player:
        return N_("You cannot play against yourself here.")
    if store.tournaments.plays(connection, asked):
        return N_("{name} is in the tournament.")
    plays = holding(site, connection, asked)
    wants = plays or store.wishes.of(connection, asked)
    if site.live.is_away(asked) or (asked in site.live.teachers() and not wants):
        return N_("{name} is not here now.")
    return N_("{name} is playing.") if plays else ""


def _can_play(site: Site, connection: sa.Connection, wish: Wish) -> bool:
    """Whether a player with a wish can be paired.

    The player is here, or has just begun to look, which another process may not know yet; and no
    opponent has come back to an older game. Anyone asked must be able to play too.
    """
    player, live = wish.player, site.live
    if wish.asked and _why_not(site, connection, player, wish.asked):
        return False
    just = site.clock.since(wish.since) < JUST_S and not live.has_left(player)
    return (just or live.is_here(player)) and not holding(site, connection, player)


def _suitable(
    site: Site, connection: sa.Connection, player: str, mine: Wish | None, able: list[Wish]
) -> Wish | None:
    """Choose an opponent: the one who waits longest, but not the last one again.

    :param mine: the player's own wish, if there is one
    """
    others = [wish for wish in able if wish.player != player]
    last = store.games.last_ended(connection, player) if others else None
    for other in others:
        before = last and store.games.last_ended(connection, other.player)
        if last is None or before is None or last.id != before.id or other.asked:
            return other
        if mine and min(site.clock.since(wish.since) for wish in (mine, other)) >= SAME_AGAIN:
            return other
    return None


def _pair(
    site: Site, connection: sa.Connection, wish: Wish, player: str, *, give_up: bool = False
) -> str:
    """Begin the game that another player wishes, in a transaction about all wishes.

    Unless the other player has chosen, marks are drawn and then alternate.

    :raises NotAllowed: if the other player has opened a game, and sits in another one now
    :raises Raced: if the other player no longer looks, or sits in a game now
    """
    other = wish.player
    with free(site, connection, player, other, give_up=give_up):
        if holding(site, connection, other):
            raise NotAllowed("This player is in another game now.") if wish.code else Raced()
        if not store.wishes.end(connection, other):
            raise Raced
        x, o = SystemRandom().sample((player, other), 2)
        if wish.mark:
            x, o = (other, player) if wish.mark == "x" else (player, other)
        elif before := store.games.last_ended(connection, player, other):
            x, o = before.o_seat or x, before.x_seat or o
        id_ = wish.game or store.games.new_id()
        new = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o, id=id_)
        store.games.insert(connection, new, site.now())
        save_preferences(site, connection, player)
    return new.id
