"""What the host may do with the players, and what the server does by itself every day."""

from webapp import names
from webapp.service.clock import Clock
from webapp.service.refusals import Conflict, Unacceptable, Unknown
from webapp.store import Database
from webapp.store import games as stored_games
from webapp.store import players as stored_players
from webapp.store import records as stored_records
from webapp.store.players import PlayerRecord

DAY = 24 * 60 * 60
IDLE_DAYS = 90
"""After how many days without a game a player is forgotten."""

UNFINISHED_DAYS = 7
"""After how many days an unfinished game goes."""

_SETTLED = 60 * 60
"""For how many seconds after the clock has been set nobody is forgotten by it."""


class Host:
    """The players as the host sees them: by name."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or Clock()

    def players(self) -> list[PlayerRecord]:
        """Return everybody who has a name, by name."""
        with self._database.read() as connection:
            return stored_players.everybody(connection)

    def rename(self, name: str, new: str) -> str:
        """Give a player another name, and return it as it is shown.

        :raises Unknown: if nobody has the name
        :raises Unacceptable: if the new one is no good
        :raises Conflict: if another player has it
        """
        try:
            shown = names.checked(new)
        except names.BadName as error:
            raise Unacceptable(str(error)) from error
        player, key = self._named(name), names.key(shown)
        with self._database.write(player) as connection:
            if not stored_players.rename(connection, player, shown, key):
                raise Conflict(f"Somebody else is called {shown} already.")
        return shown

    def remove(self, name: str) -> None:
        """Delete a player, the name and all games; ``Unknown`` if nobody has the name."""
        player = self._named(name)
        with self._database.write(player) as connection:
            stored_players.forget(connection, player)

    def reset_standings(self) -> None:
        """Empty the standings; games and names stay."""
        with self._database.write() as connection:
            stored_records.reset(connection)

    def idle(self, days: int) -> int:
        """Return how many players have begun no game for so many days."""
        with self._database.read() as connection:
            return len(stored_players.idle_since(connection, int(self._clock()) - days * DAY))

    def forget_idle(self, days: int) -> int:
        """Delete the players who have begun no game for so many days; return how many."""
        return self._forget(int(self._clock()) - days * DAY)

    def tidy(self) -> None:
        """Do what is promised to everybody: forget the idle, and what was not finished.

        The clock alone is not believed: so many days must have passed up to the newest game, or
        while this server was running; and for an hour after it has been set nothing is done.
        """
        if self._clock.steady_for() < _SETTLED:
            return
        with self._database.read() as connection:
            newest = stored_players.last_seen(connection)
        certain = int(min(self._clock(), newest + self._clock.running_for()))
        self._forget(certain - IDLE_DAYS * DAY)
        with self._database.read() as connection:
            stored_games.delete_unfinished(connection, certain - UNFINISHED_DAYS * DAY)

    def _forget(self, moment: int) -> int:
        """Delete them one after the other, so that nobody who plays meanwhile waits for it."""
        with self._database.read() as connection:
            idle = stored_players.idle_since(connection, moment)
        gone = 0
        for player in idle:
            with self._database.write(player) as connection:
                if stored_players.is_idle(connection, player, moment):
                    gone += stored_players.forget(connection, player)
        return gone

    def _named(self, name: str) -> str:
        with self._database.read() as connection:
            player = stored_players.by_key(connection, names.key(name))
        if player is None:
            raise Unknown(f"Nobody here is called {name}.")
        return player
