"""Players: their names, what they have done, and their deletion."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import count
from random import SystemRandom
from typing import NamedTuple

import sqlalchemy as sa

from webapp import names, store
from webapp.core.game import MENACE, Game, NotAllowed
from webapp.core.options import Options
from webapp.core.record import Record
from webapp.names import People, Player
from webapp.service.ranking import Place
from webapp.service.refusals import Conflict, Raced, Unacceptable
from webapp.service.site import Site
from webapp.store.wishes import Wish

_DRAWS = 50  # names drawn before a number is added
_GOING, _LAST = 3, 10  # unfinished and finished games on a player's own page


class You(NamedTuple):
    """What only the player sees of themselves.

    :param place: ``None`` before the first game that counts; ``placed``: how many players have one
    :param met: records against classmates who are still here, the beaten first
    :param classmates: the number of classmates to beat
    :param computers: a record against each engine, perhaps an empty one
    :param games: the unfinished ones, then the last ones, the newest first
    :param people: all players in these, by id
    :param solved: the most puzzles solved in a run
    """

    me: Player
    place: Place | None
    placed: int
    records: list[Record]
    met: list[Record]
    classmates: int
    computers: list[Record]
    games: list[Game]
    wish: Wish | None
    people: People
    names_locked: bool
    solved: int


def may_choose_names(site: Site) -> bool:
    """Whether players may choose their names; otherwise names are dealt."""
    return site.settings.names == "own"


def look(site: Site, player: str) -> You:
    """Return what a player sees of themselves; a newcomer has nothing yet."""
    with site.database.read() as connection:
        records, table = store.records.of(connection, player), site.ranking.table(connection)
        games = store.games.waiting(connection, player, _GOING)
        games += store.games.recent(connection, player, _LAST)
        wish = store.wishes.of(connection, player)
        ids = {player}.union(
            {record.opponent for record in records}, *(game.players for game in games)
        )
        people = store.players.people(connection, ids)
        lesson = store.lesson.read(connection)
        run = store.runs.of(connection, player)
    met = [record for record in records if record.opponent in people]
    best = ("w", "d", "")
    met.sort(key=lambda met: (best.index(met.best), -met.won, str(people[met.opponent])))
    against = {record.opponent: record for record in records}
    own = lesson.shown([table[player]] if player in table else [], player)
    return You(
        me=people[player],
        place=next(iter(own), None),
        placed=sum(place.place is not None for place in table.values()),
        records=records,
        met=met,
        classmates=len({*table, *(record.opponent for record in met)} - {player}),
        computers=[against.get(slug, Record(player, slug)) for slug in (*site.engines, MENACE)],
        games=games,
        wish=wish,
        people=people,
        names_locked=lesson.names_locked,
        solved=run.best if run else 0,
    )


def welcome(site: Site, player: str) -> None:
    """Deal a newcomer a name, if it can be stored at once."""
    with suppress(sa.exc.SQLAlchemyError), site.database.write(player) as connection:
        save_preferences(site, connection, player)


def rename(site: Site, player: str, text: str | None = None) -> str:
    """Give the player another name, and return it as it is shown.

    :param text: the player's choice; without it, a name is dealt
    :raises Unacceptable: if the host or the rules for names do not allow it
    :raises Conflict: if another player has it
    :raises NotAllowed: if the host has locked the names
    """
    if text is not None and not may_choose_names(site):
        raise Unacceptable("You cannot choose a name on this server. Get another one instead.")
    name = None if text is None else checked(text)
    with site.database.write(player) as connection:
        if store.lesson.read(connection).names_locked:
            raise NotAllowed("Your teacher has locked the names, so yours stays as it is.")
        store.players.save(
            connection, player, store.players.find(connection, player)[0], site.now()
        )
        if name is None:
            return draw_name(site, connection, player)
        if not store.players.rename(connection, player, name, names.key(name)):
            raise Conflict("Another player already has that name. Choose another one.")
    return name


def forget(site: Site, player: str, *, idle_since: int | None = None) -> None:
    """Delete a player and the name; games with others stay, without the name, or are given up.

    :param idle_since: only if they have begun no game since then, in seconds since 1970
    """
    while True:
        with suppress(Raced), site.database.write(store.tournaments.ABOUT) as connection:
            going = store.games.going_on(connection, player)
            others = set[str]().union(*(game.players for game in going))
            with site.database.transaction(connection, player, *others):
                if store.games.going_on(connection, player) != going:
                    raise Raced
                if idle_since is not None and not store.players.is_idle(
                    connection, player, idle_since
                ):
                    return
                store.wishes.forget(connection, player)
                store.polls.forget(connection, player)
                store.runs.forget(connection, player)
                store.menace.forget(connection, player)
                store.tickets.forget(connection, player)
                give_up(connection, going, {player}, site.now())
                store.players.forget(connection, player)
                return


def give_up(
    connection: sa.Connection, games: Iterable[Game], players: Collection[str], now: int
) -> None:
    """End games between two devices for players who go, in a transaction about the players.

    A game is cancelled if both players go, otherwise given up.

    :raises Raced: if one has changed meanwhile
    """
    for game in games:
        if not store.games.save(connection, game, game.given_up_by(players), now):
            raise Raced


def checked(text: str) -> str:
    """Return a name as it is shown; ``Unacceptable`` if the rules do not allow it."""
    try:
        return names.checked(text)
    except names.BadName as error:
        raise Unacceptable.of(error) from error


def save_preferences(
    site: Site, connection: sa.Connection, player: str, options: Options | None = None
) -> None:
    """Store that a player begins a game, with new ``options`` if given; deal a missing name."""
    chosen, known = store.players.find(connection, player)
    store.players.save(connection, player, options or chosen, site.now())
    if known.name is None:
        draw_name(site, connection, player)


def draw_name(site: Site, connection: sa.Connection, player: str) -> str:
    """Deal a known player a free name in the reader's language."""
    rng = SystemRandom()
    for draw in count():
        name = names.generated(rng, site.language())
        if draw > _DRAWS:
            # So many players that most names are taken: numbers make room.
            name = f"{name} {rng.randrange(2, draw)}"
        if store.players.rename(connection, player, name, names.key(name), dealt=True):
            break
    return name
