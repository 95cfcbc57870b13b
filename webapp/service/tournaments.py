"""Tournaments, from their beginning to the table, whatever happens to the servers meanwhile.

One server ticks twice a second: in one transaction it stores the moment and all that is due
(:mod:`webapp.tournament.due`). After missing ticks, a pause, or a set clock, the next tick shifts
all moments of the tournament by the gap.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.classroom import Wall
from webapp.core.game import Game, NotAllowed
from webapp.names import People
from webapp.service.players import give_up, save_preferences
from webapp.service.refusals import Conflict, Raced, Unknown
from webapp.service.site import Site
from webapp.store.schema import findable
from webapp.tournament.due import BREAK_MS, GAP_MS, NETWORK_MS, REST_MS, Event, History, next_step
from webapp.tournament.event import (
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)
from webapp.tournament.table import Line, table


class Standing(NamedTuple):
    """A tournament's current state.

    :param table: the best first, as far as its viewer may see it
    :param going: games in progress by id, first those with both players here
    :param finished: finished games by id
    :param people: all its players
    :param paused: why no one can move; empty if they can
    """

    tournament: Tournament
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    going: Mapping[str, Game]
    finished: Mapping[str, Finished]
    table: tuple[Line, ...]
    people: People
    paused: str


# --- the teacher's ------------------------------------------------------------------------------


def create(site: Site, form: Format, opening: Opening, clock: int, length: int) -> str:
    """Make a tournament that players can join, and return its id.

    :param length: the minutes of an arena, or the rounds of a Swiss
    :raises Conflict: if the last one is not over
    """
    made = Tournament(
        id=secrets.token_urlsafe(16),
        format=form,
        opening=opening,
        clock=clock,
        length=60_000 * length if form is Format.ARENA else length,
    )
    with (
        site.database.write(store.lesson.ABOUT) as connection,
        site.database.transaction(connection, store.tournaments.ABOUT),
    ):
        before = store.tournaments.latest(connection)
        if before and before.state is not State.OVER:
            raise Conflict("There is already a tournament. End it before you make another one.")
        store.tournaments.insert(connection, made, site.now())
        chosen = store.lesson.read(connection)
        store.lesson.save(connection, chosen._replace(wall=Wall(tournament=made.id)))
    return made.id


def start(site: Site, id_: str) -> None:
    """Start a tournament; its players stop waiting for opponents elsewhere.

    :raises NotAllowed: if fewer than two players are in it
    """

    def begin(event: Tournament, entrants: Iterable[Entrant]) -> Tournament:
        if event.state is not State.WAITING:
            raise Conflict("This tournament has already started.")
        if sum(entrant.playing for entrant in entrants) < 2:
            raise NotAllowed("A tournament needs at least two players.")
        now = site.now_ms()
        ends_at = now + event.length if event.format is Format.ARENA else None
        return replace(event, state=State.RUNNING, ticked_at=now, ends_at=ends_at)

    _go_on_from(site, id_, begin)


def next_round(site: Site, id_: str) -> None:
    """Start the next round of a Swiss at once; ``NotAllowed`` during a round."""

    def end_break(event: Tournament, _entrants: object) -> Tournament:
        if event.state is not State.RUNNING or event.format is not Format.SWISS:
            raise NotAllowed("There is no next round.")
        if event.round_over is None:
            raise NotAllowed("Games in this round are still in progress.")
        return replace(event, round_over=event.ticked_at - BREAK_MS)

    _go_on_from(site, id_, end_break)


def _go_on_from(
    site: Site, id_: str, change: Callable[[Tournament, list[Entrant]], Tournament]
) -> None:
    """Change a tournament, and do what is then due."""
    while True:
        with suppress(Raced), site.database.write(store.tournaments.ABOUT) as connection:
            tournament = _find(connection, id_)
            entrants = store.tournaments.entered(connection, id_)
            _go_on(site, connection, tournament, change(tournament, entrants), entrants)
            return


def end(site: Site, id_: str) -> None:
    """End a tournament; games in progress do not count."""
    with site.database.write(store.tournaments.ABOUT) as connection:
        tournament = _find(connection, id_)
        if tournament.state is not State.OVER:
            going = _give_up(site, connection, id_)
            done = [match._replace(step=Step.DONE, since=tournament.ticked_at) for match in going]
            store.tournaments.put_matches(connection, id_, done)
            store.tournaments.save(connection, replace(tournament, state=State.OVER))


# --- who may take part --------------------------------------------------------------------------


def let_late_players_in(site: Site, id_: str, *, late: bool) -> None:
    """Let players join a running tournament, or no longer."""
    with site.database.write(store.tournaments.ABOUT) as connection:
        tournament = _find(connection, id_)
        if tournament.late is not late:
            store.tournaments.save(connection, replace(tournament, late=late))


def put_out(site: Site, id_: str, player: str) -> None:
    """Bar a player until the teacher lets them in again; a game in progress is given up."""
    with site.database.write(store.tournaments.ABOUT) as connection:
        entrant = _entrant(connection, id_, player)
        if not entrant.barred:
            _let_go(site, connection, id_, entrant, barred=True)


def let_in(site: Site, id_: str, player: str) -> None:
    """Let a barred player join again; they are not in until they do."""
    with site.database.write(store.tournaments.ABOUT) as connection:
        entrant = _entrant(connection, id_, player)
        if entrant.barred:
            store.tournaments.put(connection, id_, [entrant._replace(barred=False)])


def _let_go(
    site: Site, connection: sa.Connection, id_: str, entrant: Entrant, *, barred: bool
) -> None:
    """Store that a player is out, and give up the player's game."""
    store.tournaments.put(connection, id_, [entrant._replace(playing=False, barred=barred)])
    _give_up(site, connection, id_, entrant.player)


def _give_up(
    site: Site, connection: sa.Connection, id_: str, gone: str | None = None
) -> list[Match]:
    """Give up the game of a player who goes, or all games; return the active matches."""
    active = store.tournaments.active(connection, id_)
    matches = [match for match in active if gone is None or gone in match.players]
    players = {player for match in matches for player in match.players}
    with site.database.transaction(connection, *players):  # before they are read
        games = store.games.among(connection, [match.games[-1] for match in matches])
        going = [game for game in games.values() if not game.outcome]
        give_up(connection, going, {gone} if gone else players, site.now())
    return matches


# --- the players' -------------------------------------------------------------------------------


def join(site: Site, id_: str, player: str) -> None:
    """Let a player in, perhaps late or again.

    :raises NotAllowed: if it is over or closed to late players, or the host has barred them
    """
    with (
        site.database.write(store.tournaments.ABOUT) as connection,
        site.database.transaction(connection, player),
    ):
        tournament = _find(connection, id_)
        before = store.tournaments.entrant(connection, id_, player)
        if tournament.state is State.OVER:
            raise NotAllowed("This tournament is over.")
        if before and before.barred:
            raise NotAllowed("Your teacher has taken you out of this tournament.")
        if before is None and tournament.state is State.RUNNING and not tournament.late:
            raise NotAllowed("This tournament has started, so no one else can join.")
        save_preferences(site, connection, player)
        if tournament.state is State.RUNNING:
            store.wishes.end(connection, player)
        joined = tournament.round + (tournament.round_over is not None)
        new = Entrant(player, joined=joined, free_since=tournament.ticked_at - REST_MS)
        if before is None or not before.playing:
            back = before and before._replace(playing=True, missed=0)
            store.tournaments.put(connection, id_, [back or new])


def leave(site: Site, id_: str, player: str) -> None:
    """Let a player go, who may come back; a game in progress is given up."""
    with site.database.write(store.tournaments.ABOUT) as connection:
        tournament = _find(connection, id_)
        entrant = store.tournaments.entrant(connection, id_, player)
        if tournament.state is not State.OVER and entrant and entrant.playing:
            _let_go(site, connection, id_, entrant, barred=False)


def present_game(site: Site, id_: str, player: str) -> str | None:
    """Return the id of the player's current game in a tournament."""
    with site.database.read() as connection:
        _find(connection, id_)
        games = store.games.going_on(connection, player)
    return next((game.id for game in games if game.tournament == id_), None)


# --- looking ------------------------------------------------------------------------------------


def latest(site: Site) -> Tournament | None:
    """Return the latest tournament."""
    with site.database.read() as connection:
        return store.tournaments.latest(connection)


def standing(site: Site, id_: str, me: str | None = None) -> Standing:
    """Return a tournament's state, whole without a viewer; moves in mid-game do without it."""
    with site.database.read() as connection:
        return standing_in(site, connection, id_, me)


def standing_in(site: Site, connection: sa.Connection, id_: str, me: str | None = None) -> Standing:
    """Return the same, on a connection that reads more than this."""
    tournament, here = _find(connection, id_), site.live.here()
    entrants = store.tournaments.entered(connection, id_)
    matches, finished = _history(connection, id_)
    last = [match.games[-1] for match in matches if match.step is not Step.DONE]
    games = store.games.among(connection, last).values()
    going = [game for game in games if not game.outcome]
    lesson, lines = store.lesson.read(connection), table(entrants, matches, finished)
    return Standing(
        tournament=tournament,
        entrants=tuple(entrants),
        matches=tuple(matches),
        going={game.id: game for game in sorted(going, key=lambda game: not game.players <= here)},
        finished={game.id: game for game in finished},
        table=lines if me is None else tuple(lesson.shown(lines, me)),
        people=store.players.people(connection, [entrant.player for entrant in entrants]),
        paused=lesson.paused,
    )


# --- what is due --------------------------------------------------------------------------------


def tick(site: Site) -> None:
    """Keep time, and do what is due. Call it twice a second."""
    with site.database.read() as connection:
        tournament, seen = store.tournaments.running(connection), site.ticked_at
        if tournament is None or seen not in (None, tournament.ticked_at):
            site.ticked_at = tournament.ticked_at if tournament else 0  # another server ticks
            return
        if store.lesson.read(connection).paused:
            return
        now = site.now_ms()
        gap = now - tournament.ticked_at
        with suppress(Raced):  # nothing was stored: the next tick does it
            with site.database.transaction(connection, store.tournaments.ABOUT):
                if store.tournaments.running(connection) != tournament:
                    raise Raced
                if seen is None or abs(gap) > GAP_MS:
                    store.tournaments.shift(connection, tournament.id, gap)
                    if site.live.settles_in_s:  # after a stop or sleep pages have to find back
                        store.tournaments.restart_clocks(connection, tournament.id, now)
                else:
                    event = replace(tournament, ticked_at=now)
                    is_news = bool(tournament.left) and not event.left  # pages say that time is up
                    store.tournaments.save(connection, event, is_news=is_news)
                    entrants = store.tournaments.entered(connection, tournament.id)
                    _go_on(site, connection, event, event, entrants)
            site.ticked_at = now


def _go_on(
    site: Site,
    connection: sa.Connection,
    tournament: Tournament,
    changed: Tournament,
    entrants: Iterable[Entrant],
) -> None:
    """Store what is due, in a transaction.

    Most ticks find nothing. So games are read only if they are over or out of time, and all
    matches and results only to pair players.

    :param tournament: as it is stored; ``changed``: as it goes on
    :raises Raced: if a game of a player who gets a match changes meanwhile
    """
    id_ = tournament.id
    starts = tournament.state is State.WAITING  # so there are no matches yet
    active = [] if starts else store.tournaments.active(connection, id_)
    before = Event(
        changed,
        {entrant.player: entrant for entrant in entrants},
        {match.number: match for match in active},
    )
    games = {match.games[-1] for match in active if match.step is not Step.BETWEEN}
    if games:
        games -= store.tournaments.in_time(connection, id_, tournament.ticked_at - NETWORK_MS)
    after = next_step(
        before,
        dict.fromkeys(games) | store.games.among(connection, games),
        site.live.here(),
        lambda: History((), ()) if starts else _history(connection, id_),
        site.rng,
    )
    if starts or after.games:
        _store_games(site, connection, after, starts=starts)
    matches = [
        match for number, match in after.matches.items() if match != before.matches.get(number)
    ]
    store.tournaments.put_matches(connection, id_, matches)
    entered = [
        entrant for entrant in after.entrants.values() if entrant != before.entrants[entrant.player]
    ]
    store.tournaments.put(connection, id_, entered)
    if after.tournament != tournament:
        store.tournaments.save(connection, after.tournament)


def _store_games(site: Site, connection: sa.Connection, event: Event, *, starts: bool) -> None:
    """Store games that end and begin; players leave their other games for a new one.

    All entrants, and the opponents of their other games, are locked at once: locking pair by pair
    could deadlock with a move.
    """
    now, playing = site.now(), event.playing
    new = [after for before, after in event.games if before is None]
    begin = playing & {player for game in new for player in game.players}
    leave = event.entrants.keys() if starts else begin
    over = {before.id for before, _after in event.games if before}
    around = store.games.seated(connection, event.entrants)
    held = frozenset(event.entrants).union(*(game.players for game in around))
    with site.database.transaction(connection, *held):
        if leave:
            store.wishes.end(connection, *leave)
            seated = store.games.seated(connection, begin)
            others = [game for game in seated if game.id not in over]
            if not all(game.players <= held for game in others):
                raise Raced  # another game has begun before all players were locked
            give_up(connection, others, playing, now)
        store.games.insert_all(connection, new, now)
        for before, after in event.games:
            if before:
                begun = replace(before, version=before.version or 1)  # perhaps just now
                if not store.games.save(connection, begun, after, now):
                    raise Raced


def _entrant(connection: sa.Connection, id_: str, player: str) -> Entrant:
    _find(connection, id_)
    entrant = store.tournaments.entrant(connection, id_, player)
    if entrant is None:
        raise Unknown("This player is not in the tournament.")
    return entrant


def _history(connection: sa.Connection, id_: str) -> History:
    return History(
        store.tournaments.of(connection, id_), store.tournaments.finished(connection, id_)
    )


def _find(connection: sa.Connection, id_: str) -> Tournament:
    tournament = store.tournaments.find(connection, id_) if findable(id_) else None
    if tournament is None:
        raise Unknown("There is no tournament at this address.")
    return tournament
