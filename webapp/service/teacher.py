"""What the teacher may do with the players, and what the server does by itself every day."""

from collections.abc import Sequence
from typing import NamedTuple

from webapp import names, store
from webapp.classroom import Wall
from webapp.core.board import IllegalMove
from webapp.core.game import Game, moves_of
from webapp.names import Player
from webapp.service import polls
from webapp.service.lobby import LobbyView, overview
from webapp.service.players import checked, draw_name, forget
from webapp.service.polls import Asked
from webapp.service.refusals import Conflict, Unacceptable, Unknown, UnknownGame
from webapp.service.site import Site
from webapp.service.tournaments import Standing, standing_in

DAY = 24 * 60 * 60
IDLE_DAYS = 90
"""After how many days without a game a player is deleted."""

_DIGITS = 12
"""How many hexadecimal digits of an id are a player's number on the page."""

UNFINISHED_DAYS = 7
"""After how many days an unfinished game is deleted."""


def number(player: str) -> int:
    """Return the number by which the teacher's page names a player: no one becomes them by it."""
    return int(player[:_DIGITS], 16)


# --- the players --------------------------------------------------------------------------------


def named(site: Site, name: str) -> str:
    """Return the player who has a name; ``Unknown`` if no player has."""
    with site.database.read() as connection:
        player = store.players.by_key(connection, names.key(name))
    if player is None:
        raise Unknown("No player here is called {name}.", name=name)
    return player


def numbered(site: Site, number: int) -> Player:
    """Return the player whom the page names by a number; ``Unknown`` if there is none."""
    with site.database.read() as connection:
        players = store.players.beginning(connection, f"{number:0{_DIGITS}x}")
        if len(players) != 1:
            raise Unknown("This player is no longer here.")
        return store.players.find(connection, players[0])[1]


def rename(site: Site, player: str, new: str = "") -> str:
    """Give a player another name, and return it as it is shown.

    :param new: a generated one if it is empty
    :raises Unacceptable: if the new name is not allowed
    :raises Conflict: if another player has it
    """
    shown = checked(new) if new else ""
    with site.database.write(player) as connection:
        if not shown:
            shown = draw_name(site, connection, player)
        elif not store.players.rename(connection, player, shown, names.key(shown)):
            raise Conflict("Another player is already called {name}.", name=shown)
    return shown


# --- the class ----------------------------------------------------------------------------------


def lock_names(site: Site, *, locked: bool) -> None:
    """Let players keep the names that they have, or change them again."""
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        if chosen.names_locked is not locked:
            store.lesson.save(connection, chosen._replace(names_locked=locked))


def pause(site: Site, *, paused: bool = True) -> None:
    """Let no one move, and clocks stand still; or let the games go on from where they were."""
    with site.database.write(store.lesson.ABOUT) as connection:
        polls.stand_still(site, connection, "paused_at", paused=paused)


def show(site: Site, wall: Wall) -> None:
    """Show something else on the wall.

    :raises Unacceptable: if these moves are no game, or it is to show two things
    :raises UnknownGame: if the game is not there
    :raises Unknown: if it is to show a tournament that is not the latest one
    """
    if sum(map(bool, (wall.tournament, wall.game, wall.moves))) > 1:
        raise Unacceptable("The wall shows a tournament or a game, not both.")
    try:
        Game(moves_of(wall.moves or ""))
    except IllegalMove as error:
        raise Unacceptable("This game is not possible. {why}", why=error) from error
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        if wall.game and wall.game not in store.games.among(connection, [wall.game]):
            raise UnknownGame("This game is no longer there.")
        event = store.tournaments.latest(connection)
        if wall.event not in (None, event and event.id):
            raise Unknown("There is another tournament now, or none.")
        polls.dismiss(site, connection)
        if wall != chosen.wall:
            store.lesson.save(connection, chosen._replace(wall=wall))


def address(site: Site) -> str | None:
    """Return the host by which others know this computer, if the teacher has chosen one."""
    with site.database.read() as connection:
        return store.lesson.read(connection).address


def choose_address(site: Site, host: str) -> None:
    """Let the wall show another address of this computer.

    :param host: a name or an IPv4 address, perhaps with a port
    """
    with site.database.write(store.lesson.ABOUT) as connection:
        store.lesson.save(connection, store.lesson.read(connection)._replace(address=host))


def reset_standings(site: Site) -> None:
    """Empty the standings and scores; games, names, and the best against each opponent stay."""
    with site.database.write() as connection:
        store.records.reset(connection)


class Desk(NamedTuple):
    """What a teacher sees of the class.

    :param event: the latest tournament, if there is one
    :param shown: the game that the wall shows, if it is still there
    :param asked: what the class is asked, if anything
    :param quizzes: the quizzes that have ended today, by their ids, and when they did
    """

    lobby: LobbyView
    event: Standing | None
    shown: Game | None
    asked: Asked | None
    quizzes: Sequence[tuple[str, int]]


def desk(site: Site, player: str) -> Desk:
    """Return what a teacher sees of the class, whose browser is this player's."""
    lobby = overview(site, player, computer=True)
    with site.database.read() as connection:
        event = standing_in(site, connection, lobby.tournament.id) if lobby.tournament else None
        game = lobby.lesson.wall.game
        shown = store.games.among(connection, [game]).get(game) if game else None
        return Desk(
            lobby=lobby,
            event=event,
            shown=shown,
            asked=lobby.poll and polls.look_in(site, connection, lobby.poll, player),
            quizzes=store.polls.ended(connection, site.clock.today()),
        )


# --- what has been idle -------------------------------------------------------------------------


def tidy(site: Site) -> None:
    """Keep what the privacy page promises: delete what is too old.

    To be called at the start, and then every few minutes. No single reading of a clock is trusted
    with players and games.
    """
    with site.database.read() as connection:
        store.polls.tidy(connection, site.now())
    if not (looked := _looked_a_day_ago(site)):
        return
    idle_since, unchanged_since = looked - IDLE_DAYS * DAY, looked - UNFINISHED_DAYS * DAY
    with site.database.write() as connection:
        waiting = store.wishes.waiting(connection)
        old = [wish.player for wish in waiting if wish.since < unchanged_since]
        store.wishes.end(connection, *old)
    with site.database.read() as connection:
        players = store.players.idle_since(connection, idle_since)
        games = store.games.unfinished_since(connection, unchanged_since)
    # One after the other: a change of many at once would keep all players waiting.
    for player in players:
        forget(site, player, idle_since=idle_since)
    for game in games:
        with site.database.write() as connection:
            store.games.delete_unfinished(connection, game, unchanged_since)


def _looked_a_day_ago(site: Site) -> int:
    """Return when a server last looked, if that was a day ago, and look again; otherwise 0.

    What was idle then, and still is, may go. A clock that was ahead then has not been set back
    for a day; one that is ahead now is not asked. Of several servers, one gets the answer.
    """
    with site.database.write(store.tidying.ABOUT) as connection:
        before, now = store.tidying.looked_at(connection), site.now()
        if not before <= now < before + DAY:
            store.tidying.note(connection, now)
    return before if now >= before + DAY else 0
