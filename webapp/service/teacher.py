"""What the teacher may do with the players, and what the server does by itself every day."""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from webapp import names, store
from webapp.classroom import BLANK, Act, Entry, Wall
from webapp.core.board import IllegalMove
from webapp.core.game import MENACE, Game, moves_of
from webapp.names import Player
from webapp.service import polls
from webapp.service.lobby import LobbyView, overview_in
from webapp.service.players import checked, draw_name, forget
from webapp.service.polls import Asked
from webapp.service.refusals import Conflict, Unacceptable, Unknown, UnknownGame
from webapp.service.site import Site
from webapp.service.tournaments import Standing, idle, standing_in

DAY = 24 * 60 * 60
IDLE_DAYS = 90
"""After how many days without a game a player is deleted."""

_DIGITS, _LINES = 12, 50
"""How many hexadecimal digits of an id are a player's number on the page; and how many lines of the
journal it shows."""

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
        found = store.players.beginning(connection, f"{number:0{_DIGITS}x}")
        if len(found) != 1:
            raise Unknown("This player is no longer here.")
        return store.players.find(connection, found[0])[1]


def rename(site: Site, player: str, new: str = "", was: str = "") -> str:
    """Give a player another name, and return it as it is shown.

    :param new: a generated one if it is empty
    :param was: the name that it is to replace, if that is known
    :raises Unacceptable: if the new name is not allowed
    :raises Conflict: if another player has it, or this one has another name than it was
    """
    shown = checked(new) if new else ""
    with site.database.write(player) as connection:
        name = store.players.find(connection, player)[1].name or ""
        if was not in ("", name):
            raise Conflict(
                "Another host has changed this name: the player is called {name} now.", name=name
            )
        if not shown:
            shown = draw_name(site, connection, player)
        elif not store.players.rename(connection, player, shown, names.key(shown)):
            raise Conflict("Another player is already called {name}.", name=shown)
        note(site, connection, Act.RENAME, name=name, new=shown, player=player)
    return shown


def remove(site: Site, player: str) -> None:
    """Delete a player and the name.

    Their games with others stay: in these they are a player who left, and one that goes on is
    given up. The journal keeps the name.
    """
    now = site.now()
    forget(site, player, entry=lambda name: Entry(now, Act.REMOVE, name))


# --- the class ----------------------------------------------------------------------------------


def lock_names(site: Site, *, locked: bool) -> None:
    """Let players keep the names that they have, or change them again."""
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        if chosen.names_locked is not locked:
            store.lesson.save(connection, chosen._replace(names_locked=locked))
            note(site, connection, Act.LOCK_NAMES if locked else Act.UNLOCK_NAMES)


def pause(site: Site) -> None:
    """Let no one move, and clocks and absences stand still."""
    _pause(site, paused=True)


def resume(site: Site) -> None:
    """Let the games go on from where they were."""
    _pause(site, paused=False)


def _pause(site: Site, *, paused: bool) -> None:
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen, now = store.lesson.read(connection), site.now()
        if chosen.paused is paused:
            return
        if chosen.paused_at is not None:
            store.games.stand_still(connection, chosen.paused_at, now)
        store.lesson.save(connection, chosen._replace(paused_at=now if paused else None))
        store.topics.note(connection, store.topics.PAUSE)
        note(site, connection, Act.PAUSE if paused else Act.RESUME)


def show(site: Site, wall: Wall) -> None:
    """Show something else on the wall.

    :param wall: with the version that it is chosen from; 0 for any
    :raises Unacceptable: if these moves are no game or another one, or it is to show two things
    :raises UnknownGame: if the game is not there
    :raises Unknown: if it is to show a tournament that is not the latest one
    :raises Conflict: if another host has chosen something since that version
    """
    if wall.tournament and (wall.game or wall.moves):
        raise Unacceptable("The wall shows a tournament or a game, not both.")
    moves = moves_of(wall.moves or "")
    try:
        Game(moves)
    except IllegalMove as error:
        raise Unacceptable("This game is not possible. {why}", why=error) from error
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        before = chosen.wall
        if wall.game:
            game = store.games.among(connection, [wall.game]).get(wall.game)
            if game is None:
                raise UnknownGame("This game is no longer there.")
            if wall.moves and not (game.outcome and game.moves == moves):
                raise Unacceptable("This game has other moves, or is still going on.")
        event = store.tournaments.latest(connection)
        if wall.tournament not in (None, BLANK, MENACE, event and event.id):
            raise Unknown("There is another tournament now, or none.")
        if wall.version not in (0, before.version):
            raise Conflict("Another host has changed the wall. This is what it shows now.")
        polls.dismiss(site, connection)
        if wall._replace(version=before.version) == before:
            return
        shown = wall._replace(version=before.version + 1)
        store.lesson.save(connection, chosen._replace(wall=shown))
        # A step is no other choice.
        if shown[:2] != before[:2] or shown.tournament != before.tournament:
            act = Act.SHOW_EVENT if shown.tournament else Act.SHOW_CLASS
            act = Act.SHOW_MENACE if shown.menace else act
            act = Act.SHOW_BLANK if shown.blank else Act.SHOW_GAME if shown.game else act
            note(site, connection, Act.SHOW_REVIEW if shown.moves else act)


def reset_standings(site: Site) -> None:
    """Empty the standings and scores; games, names, and the best against each opponent stay."""
    with site.database.write() as connection:
        store.records.reset(connection)
        note(site, connection, Act.RESET_STANDINGS)


def note(
    site: Site,
    connection: sa.Connection,
    act: Act,
    *,
    name: str | None = None,
    new: str | None = None,
    player: str | None = None,
) -> None:
    """Write a line of the journal, in a transaction."""
    store.lesson.note(connection, Entry(site.now(), act, name, new), player)


class Desk(NamedTuple):
    """What a teacher sees of the class.

    :param journal: what teachers have done last, the newest first
    :param event: the latest tournament, if there is one
    :param idle: its players who have not moved yet, although they could have
    :param shown: the game that the wall shows, if it is still there
    :param asked: what the class is asked, if anything
    :param homework: the ids of quizzes that are open to answer at home
    """

    lobby: LobbyView
    journal: list[Entry]
    event: Standing | None
    idle: Collection[str]
    shown: Game | None
    asked: Asked | None
    homework: Collection[str]


def desk(site: Site, player: str) -> Desk:
    """Return what a teacher sees of the class, whose browser is this player's."""
    with site.database.read() as connection:
        lobby = overview_in(site, connection, player)
        event = standing_in(site, connection, lobby.tournament) if lobby.tournament else None
        asleep = idle(site, connection, event.tournament, event.entrants) if event else ()
        game = lobby.lesson.wall.game
        shown = store.games.among(connection, [game]).get(game) if game else None
        poll = polls.settle(site, connection)
        return Desk(
            lobby=lobby,
            journal=store.lesson.last(connection, _LINES),
            event=event,
            idle=asleep,
            shown=shown,
            asked=poll and polls.look_in(site, connection, poll, player, teacher=True),
            homework=store.polls.homework(connection),
        )


# --- what has been idle -------------------------------------------------------------------------


def tidy(site: Site) -> None:
    """Keep what the privacy page promises: delete idle players, games and lines of the journal.

    To be called by every worker at its start, and then every few minutes. No single reading of
    a clock is trusted with players and games.
    """
    if looked := _looked_a_day_ago(site):
        _forget_idle(site, looked - IDLE_DAYS * DAY)
        _delete_unfinished(site, looked - UNFINISHED_DAYS * DAY)
    with site.database.read() as connection:
        store.lesson.tidy(connection, site.now())
        store.polls.tidy(connection, site.now())


def _looked_a_day_ago(site: Site) -> int:
    """Return when a server last looked, if that was a day ago, and look again; otherwise 0.

    What was idle then, and still is, may go. A clock that was ahead then has not been set back
    for a day; one that is ahead now is not asked. Of several workers, one gets the answer.
    """
    with site.database.write(store.tidying.ABOUT) as connection:
        before, now = store.tidying.looked_at(connection), site.now()
        if not before <= now < before + DAY:
            store.tidying.note(connection, now)
    return before if now >= before + DAY else 0


def _forget_idle(site: Site, moment: int) -> None:
    with site.database.read() as connection:
        found = store.players.idle_since(connection, moment)
    # One after the other, so that no game has to wait for it.
    for player in found:
        forget(site, player, idle_since=moment)


def _delete_unfinished(site: Site, moment: int) -> None:
    with site.database.read() as connection:
        found = store.games.unfinished_since(connection, moment)
    # One after the other: a change of many at once would keep all players waiting.
    for game in found:
        with site.database.write() as connection:
            store.games.delete_unfinished(connection, game, moment)
