"""Who is here: anyone whose page has just asked for something, until it says good-bye."""

import threading
from collections.abc import Mapping
from contextlib import suppress

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.service.clock import Clock
from webapp.service.pov import Stamp, phase
from webapp.store import Database
from webapp.store import presence as stored
from webapp.store.news import GameNews
from webapp.store.presence import Seen, is_here

PRESENT_FOR, HIDDEN_FOR = 5, 20
"""For how many seconds after its last request a page's player is here; and where the page is
hidden, or asks without a script, and so asks seldom."""

JUST = 5
"""For how many seconds after a challenge or a game has begun its players count as here in any case:
their pages have not had the time to ask."""

_GOING = 2.5
"""For how many seconds after a good-bye a player is still here: most go to another page of ours."""


class Presence:
    """The players of whom a worker has heard, until they are written down."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._heard: dict[str, Seen] = {}
        self._changing = threading.Lock()
        self._wrote: int | None = clock.milliseconds()

    def asked(self, player: str, *, seldom: bool = False) -> None:
        """Remember that a page of this player has asked.

        :param seldom: whether it will ask again only after some time
        """
        now = self._clock.milliseconds()
        until = now + 1000 * (HIDDEN_FOR if seldom else PRESENT_FOR)
        with self._changing:
            before = self._heard.get(player)
            self._heard[player] = Seen(now, max(until, before.until) if before else until)

    def come(self, player: str) -> bool:
        """Write down at once that a page has been opened, unless its player is here already.

        Where that takes long, it is left to the page, which asks in a moment.

        :return: whether it was written down
        """
        now = self._clock.milliseconds()
        seen = {player: Seen(now, now + 1000 * PRESENT_FOR)}
        with suppress(sa.exc.SQLAlchemyError), self._database.read() as connection:
            if not is_here(stored.until(connection, player), now):
                with self._database.transaction(connection, stored.ABOUT, hurried=True):
                    stored.put(connection, seen, now)
                return True
        return False

    def leave(self, player: str) -> None:
        """Write down that a page of this player has said good-bye; another one will ask again."""
        now = self._clock.milliseconds()
        with self._changing:
            self._heard.pop(player, None)
        self._put({player: Seen(now, now + int(1000 * _GOING), has_left=True)})

    def write(self, waiting: Mapping[str, int]) -> None:
        """Write down who has asked since the last time, and who waits.

        :param waiting: since when, in milliseconds since 1970, by player
        """
        with self._changing:
            heard, self._heard = self._heard, {}
        until = self._clock.milliseconds() + 1000 * PRESENT_FOR
        for player, since in waiting.items():
            other = heard.get(player, Seen(since, until))
            heard[player] = Seen(max(since, other.asked_at), max(until, other.until))
        # Where no one has come since, what was written goes as well.
        is_old = self._wrote and abs(self._clock.milliseconds() - self._wrote) > stored.LONGEST
        if heard or is_old:
            self._put(heard)

    def everyone(self, connection: sa.Connection) -> Mapping[str, Seen]:
        """Return who is here, and who has just left, as far as it is written down."""
        return stored.everyone(connection, self._clock.milliseconds())

    def _put(self, seen: Mapping[str, Seen]) -> None:
        now = self._clock.milliseconds()
        with self._database.write(stored.ABOUT) as connection:
            stored.put(connection, seen, now)
        self._wrote = now if seen else None


def stamp(
    game: GameNews, viewer: str, until: int | None, clock: Clock, paused_at: int | None
) -> Stamp:
    """Return what the page of a viewer shows of a game.

    :param until: until when the player to move is here
    :param paused_at: since when all games are paused, in seconds since 1970, if they are
    """
    paused = game.stops(paused_at)
    idle = clock.since(game.changed_at, paused_at if paused else None) if game.live else 0
    waits = game.live and game.turn not in (None, viewer) and not paused
    away = waits and is_away(game.plies, idle, until, clock.milliseconds())
    return Stamp(game.version, phase(idle), away, paused)


def is_away(plies: int, idle: int, until: int | None, now: int) -> bool:
    """Tell whether the player to move is away.

    :param plies: how many moves have been played in the game, which has not changed for ``idle``
        seconds
    :param until: until when the player is here, in milliseconds as ``now``
    """
    just_begun = plies < len(Mark) and idle < JUST
    return not (just_begun or is_here(until, now))
