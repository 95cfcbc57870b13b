"""Playing: the use cases of a game, from the empty board to the next game.

Each loads the game on one connection, lets the model make the next one, saves it in a short
transaction about its players, and returns the viewer's point of view. An engine thinks before the
transaction begins; who was first is decided by the version when it is saved.

All refuse in the same way: ``UnknownGame`` if no game has this id, ``NotYourGame`` to a player
without a seat, ``Conflict`` if it has changed since the version that the request was made from,
``NotAllowed`` for what the game as it stands does not allow, and ``Paused`` while the teacher wants
no moves.
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random, SystemRandom

import sqlalchemy as sa

from webapp import store
from webapp.classroom import ASKED
from webapp.core.board import IllegalMove, Mark
from webapp.core.game import ABSENT_AFTER, MENACE, Game, Kind, NotAllowed
from webapp.core.messages import N_
from webapp.core.options import FRIEND, Options
from webapp.engines.base import EngineFault
from webapp.engines.perfect import HARD
from webapp.service.lobby import others_here
from webapp.service.players import save_preferences
from webapp.service.pov import JUST, Pov, to_go_on_with
from webapp.service.puzzles import todays
from webapp.service.refusals import Conflict, NotYourGame, Paused, Raced, Unacceptable, UnknownGame
from webapp.service.seats import check_no_tournament, holding
from webapp.service.site import Site
from webapp.service.tournaments import Standing, standing_in
from webapp.store.games import Found
from webapp.store.tournaments import joined, plays
from webapp.tournament.due import GAP_MS, NETWORK_MS

_STALE = N_("The game has changed. This is how it stands now.")

_ELSEWHERE = (N_("Your opponent is in another game now."), N_("You are in another game now."))

_LOOKED_AT = 50
"""From how many of a player's unfinished games the front page chooses the ones to offer."""


# --- looking ------------------------------------------------------------------------------------


def front(site: Site, player: str, chosen: Mapping[str, str]) -> Pov:
    """Return the empty board, prepared for these options; looking remembers nothing."""
    with site.database.read() as connection:
        return _front(site, connection, player, chosen)


def look(site: Site, game_id: str, player: str) -> Pov:
    with site.database.read() as connection:
        found = _find(connection, game_id, player)
        return _with_more(site, connection, _pov(site, found, player))


def page(site: Site, game_id: str, player: str) -> Pov:
    """Return the same with the tournament beside it, also before the game is over."""
    with site.database.read() as connection:
        found = _find(connection, game_id, player)
        pov = _with_more(site, connection, _pov(site, found, player))
        return pov if pov.game.outcome else replace(pov, standing=_standing(site, connection, pov))


# --- a game from its first move to its last -------------------------------------------------------


def start(
    site: Site,
    player: str,
    chosen: Mapping[str, str],
    cell: int | None = None,
    *,
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
    with site.database.read() as connection:
        if start_key and (known := store.games.by_start_key(connection, start_key)):
            return _pov(site, _find(connection, known, player), player)
        options, _ = store.players.find(connection, player)
        if given:
            game = _begun(player, given, chosen)
        else:
            options = _prepared(site, options, chosen)
            game = options.new_game(player, store.games.new_id())
        if cell is not None:
            if game.engine_to_move:
                first = N_("The computer has X and goes first.")
                raise Unacceptable(N_("It is the computer's turn.") if given else first)
            game = game.play(cell)
        _recall(site, connection, game)
        game = _replied(site, game)
        # Another process may store this key's game, or the player, after our look.
        with suppress(sa.exc.IntegrityError):
            if not given:
                return _begin(site, connection, player, options, game, start_key=start_key)
            with site.database.transaction(connection, player):
                _insert(site, connection, game, start_key)
            return _pov(site, _find(connection, game.id, player), player)
    return start(site, player, chosen, cell, key=key, given=given)


def play(site: Site, game_id: str, player: str, cell: int, version: int) -> Pov:
    """Play a cell, and the engine's reply, as one change."""

    def moved(game: Game, mark: Mark) -> Game:
        by = mark if game.kind is Kind.TWO_DEVICES else None
        return _replied(site, game.play(cell, by))

    return _change(site, game_id, player, version, moved)


def undo(site: Site, game_id: str, player: str, version: int) -> Pov:
    return _change(site, game_id, player, version, lambda game, _: game.undo())


def hint(site: Site, game_id: str, player: str, version: int) -> Pov:
    def hinted(game: Game, _: Mark) -> Game:
        game.check_going()
        choice = HARD.choose(game.board, _rng(site, game))
        return game.suggest(choice.cell, choice.reason)

    return _change(site, game_id, player, version, hinted)


def claim(site: Site, game_id: str, player: str, version: int) -> Pov:
    return _change(
        site, game_id, player, version, lambda game, mark: game.claim(mark, _idle(site, game))
    )


def resign(site: Site, game_id: str, player: str, version: int) -> Pov:
    return _change(site, game_id, player, version, lambda game, mark: game.resign(mark))


# --- the next game ------------------------------------------------------------------------------


def again(site: Site, game_id: str, player: str, chosen: Mapping[str, str]) -> Pov:
    """Go on to the next game; asking again leads to the same one.

    Against an engine or at one device the old game ends for good, the options are kept, and
    the empty board is returned; where the engine has X, the next game, always the same one.
    Between two devices it is a rematch, once both have asked; until then the same game.
    """
    while True:
        with suppress(Raced), site.database.read() as connection:
            found = _seated(connection, game_id, player)
            # It may be gone: unfinished games are deleted after some days.
            if following := store.games.find(connection, found.game.next_id or "", player):
                return _pov(site, following, player)
            if found.game.kind is Kind.TWO_DEVICES:
                return _rematch(site, connection, found, player)
            options = _prepared(site, found.options, chosen)
            new = options.new_game(player, store.games.new_id())
            _recall(site, connection, new)
            new = _replied(site, new)
            return _begin(site, connection, player, options, new, leaving=found.game)


def _begin(
    site: Site,
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
    with site.database.transaction(connection, player):
        if leaving:
            left = leaving if leaving.outcome else leaving.leave()
            if left != leaving or begun:
                following = game.id if begun else None
                _save(site, connection, leaving, replace(left, next_id=following))
        elif begun:
            _leave_others(site, connection, player, options.opponent)
        save_preferences(site, connection, player, options.after(game))
        if begun:
            _insert(site, connection, game, start_key)
    if begun:
        return _pov(site, _find(connection, game.id, player), player)
    return _front(site, connection, player, {})


def _insert(site: Site, connection: sa.Connection, game: Game, start_key: str | None) -> None:
    if why := store.lesson.paused(connection):
        raise Paused(why)
    store.games.insert(connection, game, site.now(), start_key)


def _rematch(site: Site, connection: sa.Connection, found: Found, player: str) -> Pov:
    """Ask for another game, or begin it if the other player has asked and it is not gone."""
    before, (mine,) = found.game, found.game.marks_of(player)
    if not before.outcome:
        raise NotAllowed("This game is still in progress.")
    asked = None if before.next_id else before.rematch
    if asked is mine:
        return _with_more(site, connection, _pov(site, found, player))
    with site.database.transaction(connection, *before.players):
        if before.tournament is None:
            check_no_tournament(connection, player)
        if asked is None:
            game = _save(site, connection, before, before.ask_rematch(mine))
        else:
            new = before.swapped(store.games.new_id())
            _save(site, connection, before, replace(before, next_id=new.id))
            for seated in before.players:
                if holding(site, connection, seated) or plays(connection, seated):
                    raise NotAllowed(_ELSEWHERE[seated == player])
            store.wishes.end(connection, *before.players)
            store.players.touch(connection, new.players, site.now())
            game = store.games.insert(connection, new, site.now())
    return _with_more(site, connection, _pov(site, _find(connection, game.id, player), player))


# --- the parts of a use case --------------------------------------------------------------------


def _rng(site: Site, game: Game) -> Random:
    if site.settings.seed is None:
        return SystemRandom()
    return Random(f"{site.settings.seed}:{game.moves}")  # noqa: S311 - for repeatable tests only


def _offered(site: Site, options: Options) -> Options:
    """The player's options, with an opponent whom this server still offers."""
    if options.opponent in site.engines or options.opponent == FRIEND:
        return options
    return replace(options, opponent=Options().opponent)


def _prepared(site: Site, options: Options, chosen: Mapping[str, str]) -> Options:
    options = replace(_offered(site, options), **chosen)
    if options.opponent == MENACE and chosen.get("mark", "o") != "o":
        raise Unacceptable("MENACE plays X, so you play O.")
    return options


def _change(
    site: Site, game_id: str, player: str, version: int, change: Callable[[Game, Mark], Game]
) -> Pov:
    """Change a game from the version that the request was made from, and save it.

    :param change: returns the next game, given this one and a mark of the player
    """
    while True:
        with suppress(Raced), site.database.read() as connection:
            found = _seated(connection, game_id, player, version)
            before, mark = found.game, next(iter(found.game.marks_of(player)))
            _recall(site, connection, before)
            after = _in_time(site, found, change(before, mark))
            with site.database.transaction(connection, *before.players):
                stored = store.games.save(connection, before, after, site.now(), unless_paused=True)
                if stored is None:
                    raise Raced
                after = stored
            if after.outcome:  # the score has changed with it
                ended = _pov(site, _find(connection, game_id, player), player)
                return _with_more(site, connection, ended)
            return _pov(site, found._replace(game=after), player)


def _in_time(site: Site, found: Found, after: Game) -> Game:
    """Return a game after a change, with its next deadline if that was a move in a tournament."""
    before = found.game
    if before.deadline is None or before.moves == after.moves:
        return after
    now = _moment(site, found)
    if before.deadline + NETWORK_MS <= now:
        raise NotAllowed("You ran out of time.")
    return replace(after, deadline=now + 1000 * (before.clock or 0))


def _moment(site: Site, found: Found) -> int:
    """Return the time in the tournament of a game, in milliseconds since 1970."""
    ticked_at, now = found.ticked_at or 0, site.now_ms()
    return ticked_at if found.paused or abs(now - ticked_at) > GAP_MS else now


def _save(site: Site, connection: sa.Connection, before: Game, after: Game) -> Game:
    stored = store.games.save(connection, before, after, site.now())
    if stored is None:
        raise Raced
    return stored


def _recall(site: Site, connection: sa.Connection, game: Game) -> None:
    """Let MENACE know what other games have taught it, if it is to move."""
    if game.engine == MENACE:
        site.learnt.recall(connection)


def _replied(site: Site, game: Game) -> Game:
    """The game after the engine's move, if it is the engine's turn."""
    if not game.engine_to_move:
        return game
    engine = site.engines.get(game.engine or "")
    if engine is None:
        raise Conflict("This server no longer has this computer player. Start a new game.")
    try:
        choice = engine.choose(game.board, _rng(site, game))
    except EngineFault:
        return game.forfeit()
    return game.reply(choice.cell, choice.reason)


def _leave_others(site: Site, connection: sa.Connection, player: str, opponent: str) -> None:
    """Count the player's unfinished games against an engine as lost, where leaving loses."""
    found = store.games.unfinished(connection, player, opponent)
    for game in sorted(found, key=lambda game: game.id):
        if game.forfeits_if_left:
            store.games.save(connection, game, game.leave(), site.now())


def _front(site: Site, connection: sa.Connection, player: str, chosen: Mapping[str, str]) -> Pov:
    options, viewer = store.players.find(connection, player)
    options = replace(_offered(site, options), **chosen)
    game = options.new_game(player)
    waiting = store.games.waiting(connection, player, _LOOKED_AT)
    engine, (others, faces) = game.engine, others_here(site, connection, player)
    pov = Pov(
        game=game,
        marks=game.marks_of(player),
        options=options,
        viewer=viewer,
        score=store.records.score(connection, player, engine) if engine else None,
        paused=store.lesson.paused(connection),
        unfinished=to_go_on_with(waiting, player, options.opponent),
        wish=store.wishes.of(connection, player),
        others=others,
        faces=faces,
        puzzle=todays(site),
    )
    return _with_more(site, connection, pov)


def _pov(site: Site, found: Found, player: str) -> Pov:
    game, marks = found.game, found.game.marks_of(player)
    kept = marks and game.kind is not Kind.ONE_DEVICE
    live = game.kind is Kind.TWO_DEVICES
    idle = _idle(site, game, found.paused_at if found.paused else None) if live else 0
    waits = live and game.turn is not None and game.turn not in marks and not found.paused
    # The pages of a game that has just begun have not had the time to ask.
    asked = len(game.moves) >= len(Mark) or idle >= JUST
    mover = game.seat(game.board.turn) or ""
    left, begins_in = _left(site, found)
    return Pov(
        game=game,
        marks=marks,
        options=_offered(site, found.options),
        viewer=found.viewer,
        score=found.score if kept else None,
        people=found.people,
        idle=idle,
        away=waits and asked and site.live.is_away(mover),
        paused=found.paused,
        left=left,
        begins_in=begins_in,
    )


def _idle(site: Site, game: Game, paused_at: int | None = None) -> int:
    """Seconds without a change. Too few for a claim while pages come back after a start."""
    idle = site.clock.since(game.changed_at, paused_at)
    return idle if game.outcome or not site.live.settles_in_s else min(idle, ABSENT_AFTER - 1)


def _left(site: Site, found: Found) -> tuple[int | None, int]:
    """In a tournament: the seconds left to the player to move, and the seconds until they run."""
    game = found.game
    if game.clock is None or game.deadline is None or game.outcome:
        return None, 0
    left = -((_moment(site, found) - game.deadline) // 1000)
    return max(0, min(game.clock, left)), max(0, left - game.clock)


def _find(connection: sa.Connection, game_id: str, player: str) -> Found:
    """Return a game, and what is known of the player who asks."""
    found = store.games.find(connection, game_id, player)
    if found is None:
        raise UnknownGame("This game does not exist, or one of its players has deleted it.")
    return found


def _with_more(site: Site, connection: sa.Connection, pov: Pov) -> Pov:
    """Add to a player's point of view what no move in the middle of a game changes.

    The player's records, against an engine or at one device; what comes after a game between two
    devices; and what the class is asked, if moves wait for it.
    """
    if not pov.marks:
        return pov
    going = store.polls.going(connection) if pov.paused == ASKED else None
    pov = replace(pov, question=going and going.id)
    if not pov.live:
        return replace(pov, records=tuple(store.records.of(connection, pov.viewer.id)))
    if not pov.game.outcome:
        return pov
    event = joined(connection, pov.viewer.id)
    may_seek = event is None and not store.lesson.paused(connection)
    standing = _standing(site, connection, pov)
    return replace(pov, event=event, may_seek=may_seek, standing=standing)


def _standing(site: Site, connection: sa.Connection, pov: Pov) -> Standing | None:
    """Return the tournament that a player sees beside a game of it."""
    event = pov.game.tournament
    return standing_in(site, connection, event, pov.viewer.id) if event and pov.marks else None


def _seated(
    connection: sa.Connection, game_id: str, player: str, version: int | None = None
) -> Found:
    """Return a game for a player to change; without a version also while all games are paused."""
    found = _find(connection, game_id, player)
    if player not in found.game.players:
        raise NotYourGame("Only its players can move in this game. You are watching.")
    if version is not None and found.paused:
        raise Paused(found.paused)
    if version not in (None, found.game.version):
        raise Conflict(_STALE)
    return found


def _begun(player: str, given: tuple[int, ...], chosen: Mapping[str, str]) -> Game:
    """A new game with these moves on its board, against Medium unless chosen otherwise.

    :raises Unacceptable: if they cannot be played, or the game is over after them
    """
    to_move = (Mark.X, Mark.O)[len(given) % 2]
    options = Options(**{"mark": to_move.slug, **chosen})
    if options.opponent == MENACE and to_move is Mark.X:
        raise Unacceptable("MENACE plays X, so a game against it must start with O to move.")
    try:
        return options.new_game(player, store.games.new_id()).begin_from(given)
    except IllegalMove as error:
        raise Unacceptable("A game cannot start with these moves. {why}", why=error) from error
