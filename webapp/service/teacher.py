"""What the teacher may do with players and the wall."""

from typing import Any, NamedTuple

from webapp import names, store
from webapp.classroom import Wall
from webapp.core.board import IllegalMove
from webapp.core.game import Game, moves_of
from webapp.names import Player
from webapp.service import polls
from webapp.service.lobby import LobbyView, overview
from webapp.service.players import checked, draw_name
from webapp.service.polls import Asked
from webapp.service.refusals import Conflict, Unacceptable, Unknown, UnknownGame
from webapp.service.site import Site
from webapp.service.tournaments import Standing, standing_in

_DIGITS = 12  # hexadecimal digits of an id that make a player's number


def number(player: str) -> int:
    """Return a player's number on the teacher's page, which does not reveal the id."""
    return int(player[:_DIGITS], 16)


# --- the players --------------------------------------------------------------------------------


def named(site: Site, name: str) -> str:
    """Return the player with a name, or raise ``Unknown``."""
    with site.database.read() as connection:
        player = store.players.by_key(connection, names.key(name))
    if player is None:
        raise Unknown("No player here is called {name}.", name=name)
    return player


def numbered(site: Site, number: int) -> Player:
    """Return the player with a number, or raise ``Unknown``."""
    with site.database.read() as connection:
        players = store.players.beginning(connection, f"{number:0{_DIGITS}x}")
        if len(players) != 1:
            raise Unknown("This player is no longer here.")
        return store.players.find(connection, players[0])[1]


def others_here(site: Site, number_: int) -> list[Player]:
    """Return the players who are here but the one with a number, by name."""
    with site.database.read() as connection:
        here = site.live.here() - site.live.teachers()
        people = store.players.people(connection, (id_ for id_ in here if number(id_) != number_))
    return sorted(people.values(), key=lambda player: str(player).casefold())


def gone(site: Site, name: str) -> Player | None:
    """Return the player with a name who is not here, if there is one."""
    with site.database.read() as connection:
        id_ = store.players.by_key(connection, names.key(name))
        if id_ is None or site.live.is_here(id_):
            return None
        return store.players.find(connection, id_)[1]


def rename(site: Site, player: str, new: str = "") -> str:
    """Give a player another name, and return it as it is shown.

    :param new: if empty, a name is dealt
    :raises Unacceptable: if the name is not allowed
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


def choose(site: Site, **chosen: Any) -> None:
    """Store choices, named as in :class:`~webapp.classroom.Lesson`."""
    with site.database.write(store.lesson.ABOUT) as connection:
        store.lesson.save(connection, store.lesson.read(connection)._replace(**chosen))


def pause(site: Site, *, paused: bool = True) -> None:
    """Pause all moves and clocks, or resume them."""
    with site.database.write(store.lesson.ABOUT) as connection:
        polls.stand_still(site, connection, "paused_at", paused=paused)


def show(site: Site, wall: Wall) -> None:
    """Show something else on the wall.

    :raises Unacceptable: if the moves are no game, or two things are to be shown
    :raises UnknownGame: if the game no longer exists
    :raises Unknown: if the tournament is not the latest
    """
    if sum(map(bool, (wall.tournament, wall.game, wall.moves))) > 1:
        raise Unacceptable("The projector can show a tournament or a game, but not both.")
    try:
        Game(moves_of(wall.moves or ""))
    except IllegalMove as error:
        raise Unacceptable("This game is not possible. {why}", why=error) from error
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        if wall.game and wall.game not in store.games.among(connection, [wall.game]):
            raise UnknownGame("This game no longer exists.")
        event = store.tournaments.latest(connection)
        if wall.event not in (None, event and event.id):
            raise Unknown("This tournament is no longer the current one.")
        polls.dismiss(site, connection)
        if wall != chosen.wall:
            store.lesson.save(connection, chosen._replace(wall=wall))


def follow(site: Site, plan: str | None) -> None:
    """Go to a step of a lesson that is ready to teach; ``None`` ends the lesson.

    A single question, which belongs to the step before, is over then.
    """
    with site.database.write(store.lesson.ABOUT) as connection:
        polls.dismiss(site, connection)
        store.lesson.save(connection, store.lesson.read(connection)._replace(plan=plan))


def address(site: Site) -> str | None:
    """Return the teacher's choice of this computer's address."""
    with site.database.read() as connection:
        return store.lesson.read(connection).address


def reset_standings(site: Site) -> None:
    """Empty standings and scores; games, names, and the best against each opponent stay."""
    with site.database.write() as connection:
        store.records.reset(connection)


class Desk(NamedTuple):
    """The class as the teacher sees it.

    :param event: the latest tournament
    :param shown: the wall's game, if it still exists
    :param asked: the question to the class
    """

    lobby: LobbyView
    event: Standing | None
    shown: Game | None
    asked: Asked | None


def desk(site: Site, player: str) -> Desk:
    """Return the class for a teacher, whose browser is also this player."""
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
        )
