"""What the host may do with the players, and what the server does by itself every day."""

import sqlalchemy as sa

from webapp import names
from webapp.core.board import IllegalMove
from webapp.core.game import Game, moves_of
from webapp.core.lesson import Act, Entry, Lesson, Wall
from webapp.names import Player
from webapp.service.clock import Clock
from webapp.service.players import checked, draw_name, forget
from webapp.service.refusals import Conflict, Unacceptable, Unknown, UnknownGame
from webapp.store import Database, tidying, topics
from webapp.store import games as stored_games
from webapp.store import lesson as stored_lesson
from webapp.store import players as stored_players
from webapp.store import records as stored_records
from webapp.store import tournaments as stored_tournaments

DAY = 24 * 60 * 60
IDLE_DAYS = 90
"""After how many days without a game a player is deleted."""

_DIGITS, _LINES = 12, 50
"""How many hexadecimal digits of an id are a player's number on the page; and how many lines of the
journal it shows."""

UNFINISHED_DAYS = 7
"""After how many days an unfinished game is deleted."""


def number(player: str) -> int:
    """Return the number by which the host's page names a player: no one becomes them by it."""
    return int(player[:_DIGITS], 16)


class Host:
    """What the host may do, on the page or by commands; each act is a line of the journal."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or Clock()

    # --- the players ----------------------------------------------------------------------------

    def named(self, name: str) -> str:
        """Return the player who has a name; ``Unknown`` if no player has."""
        with self._database.read() as connection:
            player = stored_players.by_key(connection, names.key(name))
        if player is None:
            raise Unknown(f"No player here is called {name}.")
        return player

    def numbered(self, number: int) -> Player:
        """Return the player whom the page names by a number; ``Unknown`` if there is none."""
        with self._database.read() as connection:
            found = stored_players.beginning(connection, f"{number:0{_DIGITS}x}")
            if len(found) != 1:
                raise Unknown("This player is no longer here.")
            return Player(found[0], stored_players.find(connection, found[0])[1])

    def rename(self, player: str, new: str = "", was: str = "") -> str:
        """Give a player another name, and return it as it is shown.

        :param new: a generated one if it is empty
        :param was: the name that it is to replace, if that is known
        :raises Unacceptable: if the new name is not allowed
        :raises Conflict: if another player has it, or this one has another name than it was
        """
        shown = checked(new) if new else ""
        with self._database.write(player) as connection:
            name = stored_players.find(connection, player)[1] or ""
            if was not in ("", name):
                raise Conflict(
                    f"Another host has changed this name: the player is called {name} now."
                )
            if not shown:
                shown = draw_name(connection, player)
            elif not stored_players.rename(connection, player, shown, names.key(shown)):
                raise Conflict(f"Another player is already called {shown}.")
            self._note(connection, Act.RENAME, name, shown, player=player)
        return shown

    def remove(self, player: str) -> None:
        """Delete a player and the name.

        Their games with others stay: in these they are a player who left, and one that goes on is
        given up. The journal keeps the name.
        """
        now = int(self._clock())
        forget(self._database, player, now, entry=lambda name: Entry(now, Act.REMOVE, name))

    # --- the class ------------------------------------------------------------------------------

    def lesson(self) -> Lesson:
        """Return what the host has chosen for the class."""
        with self._database.read() as connection:
            return stored_lesson.read(connection)

    def lock_names(self, *, locked: bool) -> None:
        """Let players keep the names that they have, or change them again."""
        with self._database.write(stored_lesson.ABOUT) as connection:
            chosen = stored_lesson.read(connection)
            if chosen.names_locked is not locked:
                stored_lesson.save(connection, chosen._replace(names_locked=locked))
                self._note(connection, Act.LOCK_NAMES if locked else Act.UNLOCK_NAMES)

    def pause(self) -> None:
        """Let no one move, and clocks and absences stand still."""
        self._pause(paused=True)

    def resume(self) -> None:
        """Let the games go on from where they were."""
        self._pause(paused=False)

    def _pause(self, *, paused: bool) -> None:
        with self._database.write(stored_lesson.ABOUT) as connection:
            chosen, now = stored_lesson.read(connection), int(self._clock())
            if chosen.paused is paused:
                return
            if chosen.paused_at is not None:
                stored_games.stand_still(connection, chosen.paused_at, now)
            stored_lesson.save(connection, chosen._replace(paused_at=now if paused else None))
            topics.note(connection, topics.PAUSE)
            self._note(connection, Act.PAUSE if paused else Act.RESUME)

    def show(self, wall: Wall) -> None:
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
            raise Unacceptable(f"This game is not possible. {error}") from error
        with self._database.write(stored_lesson.ABOUT) as connection:
            chosen = stored_lesson.read(connection)
            before = chosen.wall
            if wall.game:
                game = stored_games.among(connection, [wall.game]).get(wall.game)
                if game is None:
                    raise UnknownGame("This game is no longer there.")
                if wall.moves and not (game.outcome and game.moves == moves):
                    raise Unacceptable("This game has other moves, or is still going on.")
            event = stored_tournaments.latest(connection)
            if wall.tournament and (event is None or event.id != wall.tournament):
                raise Unknown("There is another tournament now, or none.")
            if wall.version not in (0, before.version):
                raise Conflict("Another host has changed the wall. This is what it shows now.")
            if wall._replace(version=before.version) == before:
                return
            shown = wall._replace(version=before.version + 1)
            stored_lesson.save(connection, chosen._replace(wall=shown))
            # A step is no other choice.
            if shown[:2] != before[:2] or shown.tournament != before.tournament:
                show = Act.SHOW_EVENT if shown.tournament else Act.SHOW_CLASS
                show = Act.SHOW_GAME if shown.game else show
                self._note(connection, Act.SHOW_REVIEW if shown.moves else show)

    def reset_standings(self) -> None:
        """Empty the standings and scores; games, names, and the best against each opponent stay."""
        with self._database.write() as connection:
            stored_records.reset(connection)
            self._note(connection, Act.RESET_STANDINGS)

    def journal(self) -> list[Entry]:
        """Return what hosts have done last, the newest first."""
        with self._database.read() as connection:
            return stored_lesson.last(connection, _LINES)

    def _note(
        self,
        connection: sa.Connection,
        act: Act,
        name: str | None = None,
        new: str | None = None,
        player: str | None = None,
    ) -> None:
        stored_lesson.note(connection, Entry(int(self._clock()), act, name, new), player)

    # --- what has been idle ---------------------------------------------------------------------

    def tidy(self) -> None:
        """Keep what the privacy page promises: delete idle players, games and lines of the journal.

        To be called by every worker at its start, and then every few minutes. No single reading of
        a clock is trusted with players and games.
        """
        if looked := self._looked_a_day_ago():
            self._forget_idle(looked - IDLE_DAYS * DAY)
            self._delete_unfinished(looked - UNFINISHED_DAYS * DAY)
        with self._database.read() as connection:
            stored_lesson.tidy(connection, int(self._clock()))

    def _looked_a_day_ago(self) -> int:
        """Return when a server last looked, if that was a day ago, and look again; otherwise 0.

        What was idle then, and still is, may go. A clock that was ahead then has not been set back
        for a day; one that is ahead now is not asked. Of several workers, one gets the answer.
        """
        with self._database.write(tidying.ABOUT) as connection:
            before, now = tidying.looked_at(connection), int(self._clock())
            if not before <= now < before + DAY:
                tidying.note(connection, now)
        return before if now >= before + DAY else 0

    def _forget_idle(self, moment: int) -> None:
        with self._database.read() as connection:
            found = stored_players.idle_since(connection, moment)
        # One after the other, so that no game has to wait for it.
        for player in found:
            forget(self._database, player, int(self._clock()), idle_since=moment)

    def _delete_unfinished(self, moment: int) -> None:
        with self._database.read() as connection:
            found = stored_games.unfinished_since(connection, moment)
        # One after the other: a change of many at once would keep all players waiting.
        for game in found:
            with self._database.write() as connection:
                stored_games.delete_unfinished(connection, game, moment)
