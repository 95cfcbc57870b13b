"""Playing: the use cases of a game, from the empty board to the next game.

Each loads the game on one connection, lets the model make the next one, saves it in a short
transaction about its players, and returns the viewer's point of view. An engine thinks before the
transaction begins; who was first is decided by the version when it is saved.

All refuse in the same way: ``UnknownGame`` if no game has this id, ``NotYourGame`` to a player
without a seat, ``Conflict`` if it has changed since the version that the request was made from,
``NotAllowed`` for what the game as it stands does not allow, and ``Paused`` while the host wants no
moves.
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random, SystemRandom

import sqlalchemy as sa

from webapp.core.board import IllegalMove, Mark
from webapp.core.game import ABSENT_AFTER, Game, Kind, NotAllowed
from webapp.core.options import FRIEND, Options
from webapp.engines.base import EngineFault
from webapp.engines.perfect import HARD
from webapp.engines.registry import Catalogue
from webapp.live import Live
from webapp.names import LEFT
from webapp.service.clock import Clock
from webapp.service.lobby import check_no_tournament, holding, withdraw
from webapp.service.players import save_preferences
from webapp.service.pov import JUST, Pov, to_go_on_with
from webapp.service.refusals import (
    Conflict,
    NotYourGame,
    Paused,
    Raced,
    Unacceptable,
    UnknownGame,
)
from webapp.store import Database
from webapp.store import games as stored_games
from webapp.store import lesson as stored_lesson
from webapp.store import players as stored_players
from webapp.store import records as stored_records
from webapp.store.games import Found
from webapp.store.tournaments import joined, plays

_STALE = "The game has changed. This is how it stands now."

_ELSEWHERE = ("Your opponent is in another game now.", "You are in another game now.")

_LOOKED_AT = 50
"""From how many of a player's unfinished games the front page chooses the ones to offer."""


UNFINISHED = 20
"""How many unfinished games of a player are kept, besides those between two devices."""


class Games:
    """All games on this server.

    :param engines: the opponents, by slug
    :param seed: makes the engines' choices repeatable, for tests: the same position is then
        always answered alike
    """

    def __init__(
        self,
        database: Database,
        engines: Catalogue,
        live: Live,
        clock: Clock | None = None,
        seed: str | None = None,
    ) -> None:
        self.engines = engines
        self._database = database
        self._presence = live.presence
        self._clock = clock or Clock()
        self._seed = seed

    # --- looking --------------------------------------------------------------------------------

    def front(self, player: str, chosen: Mapping[str, str]) -> Pov:
        """Return the empty board, prepared for these options; looking remembers nothing."""
        with self._database.read() as connection:
            return self._front(connection, player, chosen)

    def look(self, game_id: str, player: str) -> Pov:
        """Return a game as this viewer sees it; the first look of a tournament's player counts."""
        with self._database.read() as connection:
            found = self._opened(connection, _find(connection, game_id, player), player)
            return _with_more(connection, self._pov(found, player), player)

    # --- a game from its first move to its last ---------------------------------------------------

    def start(
        self,
        player: str,
        chosen: Mapping[str, str],
        cell: int | None = None,
        key: str | None = None,
        given: tuple[int, ...] = (),
    ) -> Pov:
        """Start a game with the player's first move or the engine's.

        Where neither is to come, only the options are kept and the empty board is returned. The
        same player and key lead to the same game, so that a request sent twice makes one.

        :param key: a random text from the page
        :param given: moves to begin from. Such a game is unrated and keeps no options; unless
            chosen otherwise it is against ``medium``, and it is the player's turn
        :raises Unacceptable: if the moves cannot be played or end the game, or if a cell is given
            and it is the engine's turn
        """
        start_key = hashlib.sha256(f"{player}:{key}".encode()).hexdigest() if key else None
        with self._database.read() as connection:
            if start_key and (known := stored_games.by_start_key(connection, start_key)):
                return self._pov(_find(connection, known, player), player)
            options, _ = stored_players.find(connection, player)
            if given:
                game = _begun(player, given, chosen)
            else:
                options = replace(self._offered(options), **chosen)
                game = options.new_game(player, stored_games.new_id())
            if cell is not None:
                if game.engine_to_move:
                    first = "The computer has X and goes first."
                    raise Unacceptable("It is the computer's turn." if given else first)
                game = game.play(cell)
            game = self._replied(game)
            # Another process may store this key's game, or the player, after our look.
            with suppress(sa.exc.IntegrityError):
                if not given:
                    return self._begin(connection, player, options, game, start_key=start_key)
                with self._database.transaction(connection, player):
                    self._insert(connection, player, game, start_key)
                return self._pov(_find(connection, game.id, player), player)
        return self.start(player, chosen, cell, key, given)

    def play(self, game_id: str, player: str, cell: int, version: int) -> Pov:
        """Play a cell, and the engine's reply, as one change."""

        def moved(game: Game, mark: Mark) -> Game:
            by = mark if game.kind is Kind.TWO_DEVICES else None
            return self._replied(game.play(cell, by))

        return self._change(game_id, player, version, moved)

    def undo(self, game_id: str, player: str, version: int) -> Pov:
        """Take back the player's last move and the engine's reply; the game is then assisted."""
        return self._change(game_id, player, version, lambda game, _: game.undo())

    def hint(self, game_id: str, player: str, version: int) -> Pov:
        """Suggest the best cell and keep the suggestion; the game is then assisted."""

        def hinted(game: Game, _: Mark) -> Game:
            game.check_going()
            choice = HARD.choose(game.board, self._rng(game))
            return game.suggest(choice.cell, choice.reason)

        return self._change(game_id, player, version, hinted)

    def claim(self, game_id: str, player: str, version: int) -> Pov:
        """Win against an opponent who has been away for too long."""
        return self._change(
            game_id, player, version, lambda game, mark: game.claim(mark, self._idle(game))
        )

    def resign(self, game_id: str, player: str, version: int) -> Pov | None:
        """Give a game up; withdraw a challenge that no one has accepted, and return ``None``."""
        with self._database.read() as connection:
            game = _seated(connection, game_id, player, version).game
            if game.open:
                with self._database.transaction(connection, *game.players):
                    if not stored_games.delete(connection, game):
                        raise Conflict(_STALE)
                return None
        return self._change(game_id, player, version, lambda game, mark: game.resign(mark))

    # --- the next game --------------------------------------------------------------------------

    def again(self, game_id: str, player: str, chosen: Mapping[str, str]) -> Pov:
        """Go on to the next game; asking again leads to the same one.

        Against an engine or at one device the old game ends for good, the options are kept, and
        the empty board is returned; where the engine has X, the next game, always the same one.
        Between two devices it is a rematch, once both have asked; until then the same game.
        """
        while True:
            with suppress(Raced), self._database.read() as connection:
                found = _seated(connection, game_id, player)
                # It may be gone: unfinished games are deleted after some days.
                if following := stored_games.find(connection, found.game.next_id or "", player):
                    return self._pov(following, player)
                if found.game.kind is Kind.TWO_DEVICES:
                    return self._rematch(connection, found, player)
                options = replace(self._offered(found.options), **chosen)
                new = self._replied(options.new_game(player, stored_games.new_id()))
                return self._begin(connection, player, options, new, leaving=found.game)

    def _begin(
        self,
        connection: sa.Connection,
        player: str,
        options: Options,
        game: Game,
        *,
        start_key: str | None = None,
        leaving: Game | None = None,
    ) -> Pov:
        """Keep the options, and the game where it has a first move; else return the empty board.

        :param leaving: the game that ends for it; otherwise a new game ends those lost by leaving
        """
        begun = bool(game.moves)
        with self._database.transaction(connection, player):
            if leaving:
                left = leaving if leaving.outcome else leaving.leave()
                if left != leaving or begun:
                    following = game.id if begun else None
                    self._save(connection, leaving, replace(left, next_id=following))
            elif begun:
                self._leave_others(connection, player, options.opponent)
            save_preferences(connection, player, options.after(game), self._now())
            if begun:
                self._insert(connection, player, game, start_key)
        if begun:
            return self._pov(_find(connection, game.id, player), player)
        return self._front(connection, player, {})

    def _insert(
        self, connection: sa.Connection, player: str, game: Game, start_key: str | None
    ) -> None:
        if stored_lesson.paused_at(connection) is not None:
            raise Paused
        stored_games.insert(connection, game, self._now(), start_key)
        stored_games.delete_beyond(connection, player, game, UNFINISHED)

    def _rematch(self, connection: sa.Connection, found: Found, player: str) -> Pov:
        """Ask for another game, or begin it if the other player has asked and it is not gone."""
        before, (mine,) = found.game, found.game.marks_of(player)
        if not before.outcome:
            raise NotAllowed("This game is still going on.")
        asked = None if before.next_id else before.rematch
        if asked is mine:
            return _with_more(connection, self._pov(found, player), player)
        with self._database.transaction(connection, *before.players):
            if before.tournament is None:
                check_no_tournament(connection, player)
            if asked is None:
                game = self._save(connection, before, before.ask_rematch(mine))
            else:
                new = before.swapped(stored_games.new_id())
                self._save(connection, before, replace(before, next_id=new.id))
                for one in before.players:
                    if holding(connection, one, self._clock) or plays(connection, one):
                        raise NotAllowed(_ELSEWHERE[one == player])
                    withdraw(connection, one)
                stored_players.touch(connection, new.players, self._now())
                game = stored_games.insert(connection, new, self._now())
        pov = self._pov(_find(connection, game.id, player), player)
        return _with_more(connection, pov, player)

    # --- the parts of a use case ----------------------------------------------------------------

    def _now(self) -> int:
        return int(self._clock())

    def _rng(self, game: Game) -> Random:
        if self._seed is None:
            return SystemRandom()
        return Random(f"{self._seed}:{game.moves}")  # noqa: S311 - for repeatable tests only

    def _offered(self, options: Options) -> Options:
        """The player's options, with an opponent whom this server still offers."""
        if options.opponent in self.engines or options.opponent == FRIEND:
            return options
        return replace(options, opponent=Options().opponent)

    def _change(
        self, game_id: str, player: str, version: int, change: Callable[[Game, Mark], Game]
    ) -> Pov:
        """Change a game from the version that the request was made from, and save it.

        :param change: returns the next game, given this one and a mark of the player
        """
        with self._database.read() as connection:
            found = _seated(connection, game_id, player, version)
            before, mark = found.game, next(iter(found.game.marks_of(player)))
            after = change(before, mark)
            if before.tournament:
                after = replace(after, moved_at=found.elapsed or 0)
            now = self._now()
            with self._database.transaction(connection, *before.players):
                stored = stored_games.save(connection, before, after, now, unless_paused=True)
                if stored is None:
                    paused = stored_lesson.paused_at(connection) is not None
                    raise Paused if paused else Conflict(_STALE)
                after = stored
            if after.outcome:  # the score has changed with it
                ended = self._pov(_find(connection, game_id, player), player)
                return _with_more(connection, ended, player)
            return self._pov(found._replace(game=after), player)

    def _opened(self, connection: sa.Connection, found: Found, player: str) -> Found:
        """Store when a player first looks at a tournament's game: the clock may wait for it.

        If it cannot be stored at once, the page shows all the same, and the next look counts.
        """
        game = found.game
        if game.tournament is None or game.outcome or player not in game.players:
            return found
        (mark,) = game.marks_of(player)
        if game.opened(mark) is not None:
            return found
        with suppress(sa.exc.SQLAlchemyError):
            with self._database.transaction(connection, hurried=True):
                stored_games.open_as(connection, game.id, mark)
            return _find(connection, game.id, player)
        return found

    def _save(self, connection: sa.Connection, before: Game, after: Game) -> Game:
        stored = stored_games.save(connection, before, after, self._now())
        if stored is None:
            raise Raced
        return stored

    def _replied(self, game: Game) -> Game:
        """The game after the engine's move, if it is the engine's turn."""
        if not game.engine_to_move:
            return game
        engine = self.engines.get(game.engine or "")
        if engine is None:
            raise Conflict("This server no longer has this opponent. Start a new game.")
        try:
            choice = engine.choose(game.board, self._rng(game))
        except EngineFault:
            return game.forfeit()
        return game.reply(choice.cell, choice.reason)

    def _leave_others(self, connection: sa.Connection, player: str, opponent: str) -> None:
        """Count the player's unfinished games against an engine as lost, where leaving loses."""
        found = stored_games.unfinished(connection, player, opponent)
        for game in sorted(found, key=lambda game: game.id):
            if game.forfeits_if_left:
                stored_games.save(connection, game, game.leave(), self._now())

    def _front(self, connection: sa.Connection, player: str, chosen: Mapping[str, str]) -> Pov:
        options, name = stored_players.find(connection, player)
        options = replace(self._offered(options), **chosen)
        game = options.new_game(player)
        waiting = stored_games.waiting(connection, player, _LOOKED_AT)
        pov = Pov(
            game,
            game.marks_of(player),
            options,
            name,
            stored_records.score(connection, player, game.engine) if game.engine else None,
            paused=stored_lesson.paused_at(connection) is not None,
            unfinished=to_go_on_with(waiting, player, options.opponent),
        )
        return _with_more(connection, pov, player)

    def _pov(self, found: Found, player: str) -> Pov:
        game, marks = found.game, found.game.marks_of(player)
        kept = marks and game.kind is not Kind.ONE_DEVICE and not game.open
        live = game.kind is Kind.TWO_DEVICES
        idle = self._idle(game, found.paused_at if found.paused else None) if live else 0
        waits = live and game.turn is not None and game.turn not in marks and not found.paused
        # The pages of a game that has just begun have not had the time to ask.
        asked = len(game.moves) >= len(Mark) or idle >= JUST
        mover = game.seat(game.board.turn) or ""
        left, begins_in = _left(game, found.elapsed)
        return Pov(
            game,
            marks,
            self._offered(found.options),
            found.name,
            score=found.score if kept else None,
            names={m: found.names.get(m, LEFT) for m in Mark if live and game.seat(m)},
            idle=idle,
            away=waits and asked and self._presence.is_away(mover),
            paused=found.paused,
            left=left,
            begins_in=begins_in,
        )

    def _idle(self, game: Game, paused_at: int | None = None) -> int:
        """Seconds without a move. Too few for a claim while pages come back after a start."""
        idle = self._clock.since(game.changed_at, paused_at)
        return idle if game.outcome or self._presence.is_settled else min(idle, ABSENT_AFTER - 1)


def _left(game: Game, elapsed: int | None) -> tuple[int | None, int]:
    """In a tournament: the seconds left to the player to move, and the seconds until they run.

    They run once the player opens the game, or after that time in any case.
    """
    if game.clock is None or elapsed is None or game.outcome:
        return None, 0
    passed = (elapsed - game.clock_began) // 1000
    return max(0, game.clock - max(0, passed)), max(0, -passed)


def _find(connection: sa.Connection, game_id: str, player: str) -> Found:
    """Return a game, and what is known of the player who asks."""
    found = stored_games.find(connection, game_id, player)
    if found is None:
        raise UnknownGame("This game does not exist, or one of its players has deleted it.")
    return found


def _with_more(connection: sa.Connection, pov: Pov, player: str) -> Pov:
    """Add to a player's point of view what no move in the middle of a game changes.

    Against an engine, the player's records; after a game between two devices, whether the player
    may look for another opponent.
    """
    if pov.game.kind is Kind.ENGINE and pov.marks:
        return replace(pov, records=tuple(stored_records.of(connection, player)))
    if pov.game.kind is Kind.TWO_DEVICES and pov.marks and pov.game.outcome:
        event = joined(connection, player)
        may_seek = event is None and stored_lesson.paused_at(connection) is None
        return replace(pov, event=event, may_seek=may_seek)
    return pov


def _seated(
    connection: sa.Connection, game_id: str, player: str, version: int | None = None
) -> Found:
    """Return a game for one of its players to change: from any version also while it is paused."""
    found = _find(connection, game_id, player)
    if player not in found.game.players:
        raise NotYourGame("Only its players can move in this game. You are watching.")
    if version is not None and found.paused:
        raise Paused
    if version not in (None, found.game.version):
        raise Conflict(_STALE)
    return found


def _begun(player: str, given: tuple[int, ...], chosen: Mapping[str, str]) -> Game:
    """A new game with these moves on its board, against Medium unless chosen otherwise.

    :raises Unacceptable: if they cannot be played, or the game is over after them
    """
    to_move = (Mark.X, Mark.O)[len(given) % 2]
    options = Options(**{"mark": to_move.slug, **chosen})
    try:
        return options.new_game(player, stored_games.new_id()).begin_from(given)
    except IllegalMove as error:
        raise Unacceptable(f"A game cannot start with these moves: {error}") from error
