"""Waiting for news: one thread a worker watches the database, and wakes the requests that wait.

What happens between two requests of a page is found by the second one, as each says what its page
shows.
"""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from random import uniform

import sqlalchemy as sa

from webapp.service.clock import Clock
from webapp.service.pov import Stamp
from webapp.service.presence import Presence, stamp
from webapp.store import Database, Watch
from webapp.store import games as stored_games
from webapp.store import news as stored
from webapp.store.news import GameNews, Told
from webapp.store.presence import Seen

LONGEST = 10
"""For how many seconds a request waits at the most; proxies in between wait for longer."""

MOST, ALONE, OF_A_PLAYER = 512, 256, 2
"""How many requests wait in a worker, each on a thread, before the next makes one of them go; up to
how many in all one of a page that no one else plays on may join them; and how many wait of one
player."""

_GLANCE, _REVIEW, _LATE = 1.0, 5.0, 1.0
"""After how many seconds the watcher looks at what time alone changes, and whether it has missed
anything; after how many it reads all games, of which some may be gone; and for how long a request
has waited that is told of what time changes."""

_BOARDS, _SHOWN = 5.0, 2.0
"""After how many seconds a page is told that any game goes on which it shows; and for how many a
change may have been made before a page was answered that does not show it."""

_WRITTEN, _LINGER = 2.0, 5.0
"""After how many seconds the presence of players is written down; and for how many the watcher
stays when no one waits."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a page waits for.

    :param games: what it shows of games, by their ids
    :param counter: the number of the class's counter that it shows, if it waits for another one
    :param least: for how many seconds it waits for another number in any case
    :param boards: whether it shows all games between two devices that go on, as they were a short
        time ago
    :param paused: whether it shows that all games are paused, if it waits for that
    :param alone: whether no one else plays on the page, so that its player does not count as here
    """

    player: str
    games: Mapping[str, Stamp] = field(default_factory=dict)
    counter: int | None = None
    least: float = 0.0
    boards: bool = False
    paused: bool | None = None
    alone: bool = False


class _Wait:
    """One request that waits.

    :ivar began: on a clock that no one sets, and ``since`` in milliseconds since 1970
    :ivar news: whether there is any
    :ivar gave_way: whether another request has taken its room
    :ivar patient: whether it waits on for a time when the counter has another number
    """

    __slots__ = ("address", "ask", "began", "done", "gave_way", "news", "patient", "since")

    def __init__(self, ask: Ask, since: int, address: str) -> None:
        self.ask, self.address = ask, address
        self.began = time.monotonic()
        self.since = since
        self.done = threading.Event()
        self.news = self.gave_way = False
        self.patient = ask.least > 0

    def end(self, *, news: bool, at_once: bool = True) -> None:
        self.news |= news
        if at_once or not self.patient:
            self.done.set()


class GaveWay(Exception):  # noqa: N818 - nothing is wrong
    """There is no news of a request, and another one waits in its place."""


class News:
    """The requests of one worker that wait."""

    def __init__(self, database: Database, clock: Clock, presence: Presence) -> None:
        self._database = database
        self._clock = clock
        self._presence = presence
        self._changing = threading.Lock()
        self._someone, self._stopped = threading.Event(), threading.Event()
        self._started = False
        self._waits = set[_Wait]()
        self._of = Counter[str]()
        self._of_game = defaultdict[str, set[_Wait]](set)
        # As they were at the last look; None where there is no such game. The new ones are to come.
        self._games: dict[str, GameNews | None] = {}
        self._new = set[str]()
        self._wake: Callable[[], object] = bool
        self._counter: int | None = None
        self._paused_at: int | None = None
        self._here: Mapping[str, Seen] = {}
        # What all games have changed by, and when that was seen.
        self._boards, self._moved = 0, 0.0

    def start(self, stopping: Callable[[], bool]) -> None:
        """Begin to watch; before that, no request waits.

        :param stopping: tells whether the server is about to stop
        """
        for work in (self._run, self._write, lambda: self._stop_when(stopping)):
            threading.Thread(target=work, daemon=True).start()
        self._started = True

    def wait(self, ask: Ask, address: str = "") -> bool | None:
        """Wait for news, :data:`LONGEST` seconds at the most.

        :return: whether there may be some; ``None`` if too many of the player's wait already
        :raises GaveWay: if there was none until another request needed the room
        """
        wait = _Wait(ask, self._clock.milliseconds(), address)
        with self._begun(wait) as begun:
            if not begun:
                return None
            end = uniform(0.8, 1) * LONGEST  # noqa: S311 - not all at once
            if not wait.done.wait(ask.least):
                with self._changing:
                    wait.patient = False
                    if wait.news:
                        wait.done.set()
            if not wait.done.wait(end - ask.least):
                with self._changing:
                    return not self._is_known(ask)
            if wait.gave_way and not wait.news:
                raise GaveWay
            return wait.news

    @contextmanager
    def _begun(self, wait: _Wait) -> Iterator[bool]:
        """Let a request wait until the end of the block, if there is room for it."""
        player, games = wait.ask.player, wait.ask.games
        with self._changing:
            room = self._of[player] < OF_A_PLAYER
            room &= not wait.ask.alone or len(self._waits) < ALONE
            begun = room and self._started and not self._stopped.is_set()
            if begun:
                self._make_room()
                self._waits.add(wait)
                self._of[player] += 1
                for game_id in games:
                    self._of_game[game_id].add(wait)
                    if game_id not in self._games:
                        self._new.add(game_id)
                        self._wake()
                self._look(wait, {})
                self._someone.set()
        try:
            yield begun
        finally:
            if begun:
                with self._changing:
                    self._waits.discard(wait)
                    self._of[player] -= 1
                    if not self._of[player]:
                        del self._of[player]
                    for game_id in games:
                        self._of_game[game_id].discard(wait)

    def _make_room(self) -> None:
        """Where all room is taken, let the oldest request go of the address that has most."""
        if len(self._waits) >= MOST:
            waits = [wait for wait in self._waits if not wait.done.is_set()]
            numbers = Counter(wait.address for wait in waits)
            last = max(waits, key=lambda wait: (numbers[wait.address], -wait.began), default=None)
            if last:
                last.gave_way = True
                last.end(news=False)

    # --- what is news ---------------------------------------------------------------------------

    def _look(
        self, wait: _Wait, before: Mapping[str, GameNews | None], *, late: bool = False
    ) -> None:
        """End a wait if there is news for it.

        :param before: the games that have changed, as they were
        :param late: whether it is told of what time alone has changed
        """
        ask = wait.ask
        for game_id, seen in ask.games.items():
            if game_id not in self._games:
                continue
            game = self._games[game_id]
            if game is None:
                wait.end(news=True)
            elif game.version > seen.version:
                # Players have the answer to their own move, and their page no longer waits here.
                wait.end(news=not _is_own(before.get(game_id), seen, game, ask.player))
            elif (
                (late or game.stops(self._paused_at) != seen.paused)
                and ask.counter is None
                and game.version == seen.version
            ):
                here = self._here.get(game.turn or "")
                until = here.until if here else None
                now = stamp(game, ask.player, until, self._clock, self._paused_at)
                if seen.misses(now):
                    wait.end(news=True)
        if ask.counter is not None and self._counter is not None and self._counter > ask.counter:
            wait.end(news=True, at_once=False)
        if self._counter is not None and ask.paused not in (None, self._paused_at is not None):
            wait.end(news=True)
        waited = time.monotonic() - wait.began
        if ask.boards and late and waited > _BOARDS and self._moved > wait.began - _SHOWN:
            wait.end(news=True)

    def _is_known(self, ask: Ask) -> bool:
        """Tell whether all that a page shows is as it was at the last look."""
        known = ((self._games.get(game_id), seen) for game_id, seen in ask.games.items())
        if any(game is None or game.version != seen.version for game, seen in known):
            return False
        is_paused = self._paused_at is not None
        return ask.counter in (None, self._counter) and ask.paused in (None, is_paused)

    # --- the watcher ----------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            self._someone.wait()
            try:
                with closing(self._database.watch()) as watch:
                    self._watch(watch)
            except sa.exc.SQLAlchemyError:
                time.sleep(_GLANCE)  # out of reach; the next look finds what has happened
            finally:
                with self._changing:
                    self._games.clear()
                    self._new = set(self._of_game)
                    self._counter = None

    def _watch(self, watch: Watch) -> None:
        """Watch for as long as anyone waits, and some time longer."""
        self._wake = watch.wake
        glance, review, end = 0.0, 0.0, time.monotonic() + _LINGER
        while time.monotonic() < end:
            told = watch.changed()
            if late := (now := time.monotonic()) > glance:
                glance, told = now + _GLANCE, None
                self._here = self._presence.everyone(watch.connection)
                if (boards := stored_games.changes(watch.connection)) != self._boards:
                    self._boards, self._moved = boards, now
            anything, turned = told is None, False
            if told is None or told.counter is not None:
                common = stored.common(watch.connection)
                told = Told(told.games if told else (), common.counter)
                # After a pause, games have other moments of change.
                turned = common.paused_at != self._paused_at
                self._paused_at = common.paused_at
            if everything := turned or (late and now > review):
                review = now + _REVIEW
            with self._changing:
                known = self._to_read(anything=anything, everything=everything)
                if self._waits:
                    end = time.monotonic() + _LINGER
                else:
                    self._someone.clear()
            if known or late:
                games: dict[str, GameNews | None] = {id_: None for id_ in known if known[id_] < 0}
                games |= {game.id: game for game in stored.beyond(watch.connection, known)}
                self._tell(games, late=late, again=turned)
            if told != Told():
                self._tell({game.id: game for game in told.games}, told.counter)

    def _to_read(self, *, anything: bool, everything: bool) -> dict[str, int]:
        """Return the games to look at, with the version that is known, or -1.

        :param anything: whether any may have changed
        :param everything: whether to look at all of them, whatever is known
        """
        if everything:
            for game_id in [game_id for game_id, some in self._of_game.items() if not some]:
                del self._of_game[game_id]
            self._games = {id_: game for id_, game in self._games.items() if id_ in self._of_game}
            self._new.clear()
            return dict.fromkeys(self._of_game, -1)
        new, self._new = self._new, set()
        old = self._games if anything else {}
        return {id_: game.version for id_, game in old.items() if game} | dict.fromkeys(new, -1)

    def _tell(
        self,
        games: Mapping[str, GameNews | None],
        counter: int | None = None,
        *,
        late: bool = False,
        again: bool = False,
    ) -> None:
        """Keep what has been read or told, and wake the requests that it is news for.

        :param late: whether time has passed that may be news
        :param again: whether to look at all games again, as another thing than they has changed
        """
        now = time.monotonic()
        with self._changing:
            watched = {
                id_: game
                for id_, game in games.items()
                if self._is_newer(id_, game) or late or again
            }
            before = {game_id: self._games.get(game_id) for game_id in watched}
            self._games |= watched
            raised = counter not in (None, self._counter)
            self._counter = counter if raised else self._counter
            some = set[_Wait]()
            if late or raised or again:
                some |= self._waits
            else:
                some.update(*(self._of_game[game_id] for game_id in watched))
            for wait in some:
                seen = self._here.get(wait.ask.player)
                if late and seen and seen.has_left and seen.asked_at > wait.since:
                    wait.end(news=False)  # a page that is still there asks again
                elif not wait.done.is_set():
                    self._look(wait, before, late=late and now > wait.began + _LATE)

    def _is_newer(self, game_id: str, game: GameNews | None) -> bool:
        """Tell whether this is more than is known of a game that is waited for."""
        known = self._games.get(game_id)
        newer = game is None or known is None or game.version > known.version
        return newer and game_id in self._of_game

    # --- beside it ------------------------------------------------------------------------------

    def _write(self) -> None:
        """Write down every few seconds who is here."""
        while not self._stopped.wait(_WRITTEN):
            with self._changing:
                waits = sorted(self._waits, key=lambda wait: wait.since)
                waiting = {wait.ask.player: wait.since for wait in waits}
            with suppress(sa.exc.SQLAlchemyError):
                self._presence.write(waiting)

    def _stop_when(self, stopping: Callable[[], bool]) -> None:
        """Let all go when the server is about to stop, and no one wait any more."""
        while not stopping():
            time.sleep(0.1)
        with self._changing:
            self._stopped.set()
            for wait in self._waits:
                wait.end(news=False)


def _is_own(before: GameNews | None, seen: Stamp, game: GameNews, player: str) -> bool:
    """Tell whether a player's own move is all that their page has missed.

    Only its player changes a game that is not between two devices.
    """
    if before is None or game.version != seen.version + 1:
        return False
    if not game.live:
        return player in (game.x_seat, game.o_seat)
    return game.mover == player and game.plies == before.plies + 1
