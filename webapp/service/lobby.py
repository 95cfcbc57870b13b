"""The class, as its players see it: who is here and wants to play, games, and the standings."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import sqlalchemy as sa

from webapp import store
from webapp.classroom import Lesson
from webapp.core.board import Mark
from webapp.core.game import Kind
from webapp.names import People, Player
from webapp.polls import Poll
from webapp.service.pov import PHASES
from webapp.service.ranking import Place, Table
from webapp.service.seats import Pairing, holding, pairings
from webapp.service.site import ClassSeen, Site
from webapp.store.wishes import BUSY_S, Wish
from webapp.tournament.event import Entrant, Tournament

_FRESH = 15 * 60
"""For how many seconds the class sees an idle game."""

_AT_COMPUTER = 2 * 60
"""For how many seconds after a move a player counts as playing the computer."""

_SILENT_AFTER = 60
"""After how many seconds without a move a board comes after the others."""

_MOST = 500
"""How many games are shown at once."""

_ENDED = 6
"""How many games are shown that have just ended."""

"""How many players are named who have come last."""

NOBODY = ""
"""The viewer of the projector's page, which shows nothing of its own."""

_CALLING = 3
"""How many games may call a player at a time."""

_REMEMBERED = 1.0
"""For how many seconds what all see is used again, while nothing of it has changed."""

_SHOWN, _UNPLACED = 100, 30
"""How many places are shown, and how many players without one, besides the viewer."""


class Ask(Enum):
    """What a viewer and a player who is here want of each other."""

    ASKED = "the viewer asks the player for a game"
    ASKS = "the player asks the viewer"
    BUSY = "the player has declined lately"


class Person(NamedTuple):
    """A player who is here.

    :param playing: the opponent, in a game between two devices
    :param wish: for any opponent, or for a classmate who joins; whom a player asks no one sees
    :param ask: what is between the viewer and the player
    :param at_computer: whether the player plays the computer, where that is asked for
    """

    player: Player
    playing: Player | None
    wish: Wish | None
    ask: Ask | None = None
    at_computer: bool = False

    @property
    def looking(self) -> bool:
        """Whether the player looks for an opponent."""
        return self.wish is not None and self.wish.for_anyone


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyView:
    """The class as one of its players sees it.

    :param games: games in progress, first those whose players are both here, last those in which
        no one has moved for a time; the oldest first
    :param mine_now: the viewer's own game, which is among them
    :param wish: what the viewer waits for
    :param here: who is here, by name
    :param free_in_s: after how many seconds one of them is no longer busy; 0 if none is
    :param gathers: whether fewer than half of those who are here have played a classmate today
    :param ended: games between two devices that have just ended, the last ones first; and the
        game that the teacher talks about
    :param today: how many games between two devices have ended today
    :param table: the best places, the viewer's own, and players without one, as far as shown
    :param me: the viewer
    :param lesson: what the teacher has chosen for the class
    :param tournament: the latest one; ``entrant``: the viewer, who is or was in it
    :param at_computer: the games against the computer, where they are asked for: the last one of
        each player, who is here by it
    :param poll: what the class is asked, or told the answer of
    :param silent_in_s: after how many seconds without a move one of them no longer counts; 0 if
        there is none
    """

    games: tuple[Pairing, ...]
    mine_now: Pairing | None
    wish: Wish | None
    here: tuple[Person, ...]
    free_in_s: int
    gathers: bool
    ended: tuple[Pairing, ...]
    today: int
    table: tuple[tuple[Place, Player], ...]
    me: Player
    lesson: Lesson
    tournament: Tournament | None
    entrant: Entrant | None
    at_computer: tuple[Pairing, ...]
    silent_in_s: int
    poll: Poll | None


class Calls(NamedTuple):
    """What may call a player from another page.

    :param games: the player's between two devices: going on, or over a short time ago, the last
        changed first
    :param playing: whether a game between two devices goes on, perhaps the one that the page shows
    :param event: the tournament that the player has joined, until it is over
    :param asker: who asks the player for a game, longest of all
    :param question: the id of what the class is asked, until the player has answered
    :param who: whom the strip asks for: the player, or for whom the teacher takes the one who
        uses this browser
    :param elsewhere: whether another browser has just come to the player
    """

    me: str
    games: tuple[Pairing, ...]
    playing: bool
    event: Tournament | None
    asker: Player | None = None
    question: str | None = None
    who: Player | None = None
    elsewhere: bool = False


# --- the class ----------------------------------------------------------------------------------


def overview(site: Site, player: str, *, computer: bool = False) -> LobbyView:
    """Return the class as this player sees it.

    :param computer: whether to look also at the games against the computer
    """
    with site.database.read() as connection:
        # Before the games: a player who is paired meanwhile is still looking, or has a game.
        waiting = store.wishes.waiting(connection)
        wishes = {
            wish.player: wish
            for wish in waiting
            if wish.for_anyone or (wish.code and site.live.is_here(wish.player))
        }
        declined = store.wishes.declined(connection, player, site.now()) if player else {}
        asks = dict.fromkeys(declined, Ask.BUSY)
        asks |= {wish.player: Ask.ASKS for wish in waiting if wish.asked == player}
        asks |= {wish.asked: Ask.ASKED for wish in waiting if wish.asked and wish.player == player}
        shared = _look(site, connection)
        games = store.games.going_on(connection, player) if player else ()
        own = {game.id: game for game in games}
        others = (game for game in shared.live if game.id in own or player not in game.players)
        live = [own.pop(game.id, game) for game in others]
        live = [*own.values(), *live]
        poll = store.polls.going(connection)
        table = shared.lesson.shown(_in_sight(shared.table, player), player)
        event = shared.tournament
        event_id = event.id if event and player else ""
        entrant = store.tournaments.entrant(connection, event_id, player) if event_id else None
        moved_since = _before_a_pause(site, shared.lesson.paused_at) - _AT_COMPUTER
        against = store.games.at_computer(connection, moved_since, _MOST) if computer else []
        teachers = site.live.teachers()
        # The last game of each.
        alone = {seat: game for game in against for seat in game.players - teachers}
        wanted = ({player, *alone} - {NOBODY}).union(*(game.players for game in live))
        wanted.update(wishes, (place.player for place in table))
        people = People(
            shared.people | store.players.people(connection, wanted - shared.people.keys())
        )
    going = pairings(live, player, people)
    here = people.keys() & {*shared.here, *wishes, *alone}
    played = shared.played.union(*(pairing.game.players for pairing in going))

    def is_last(pairing: Pairing) -> tuple[bool, bool]:
        game = pairing.game
        idle = site.clock.since(game.changed_at, shared.lesson.stands_since)
        return not game.players <= {player, *here}, idle >= _SILENT_AFTER

    return LobbyView(
        games=tuple(sorted(going, key=is_last)),
        mine_now=next((pairing for pairing in reversed(going) if pairing.mine), None),
        wish=next((wish for wish in waiting if wish.player == player), None),
        here=tuple(
            person._replace(at_computer=person.player.id in alone)
            for person in _people(here, going, wishes, people, asks)
        ),
        free_in_s=min((at + BUSY_S + 1 - site.now() for at in declined.values()), default=0),
        gathers=2 * len(here & played) < max(len(here), 1),
        ended=pairings(shared.ended, player, people),
        today=shared.today,
        table=tuple((place, people[place.player]) for place in table if place.player in people),
        me=people[player],
        lesson=shared.lesson,
        tournament=event,
        entrant=entrant,
        at_computer=pairings(alone.values(), player, people),
        silent_in_s=min((game.changed_at - moved_since + 1 for game in alone.values()), default=0),
        poll=poll,
    )


def begun(site: Site, player: str, *, just: bool = True) -> str | None:
    """Return the id of the game between two devices that keeps a player from others.

    :param just: whether to return it only before its third move
    """
    with site.database.read() as connection:
        games = holding(site, connection, player)
    return next((game.id for game in games if not just or len(game.moves) < len(Mark)), None)


def left_game(site: Site, player: str) -> str | None:
    """Return the id of the game that a player was led away from, if one has just been played."""
    with site.database.read() as connection:
        games = store.games.waiting(connection, player, _CALLING)
    games.sort(key=lambda game: game.kind is not Kind.TWO_DEVICES)
    fresh = (game.id for game in games if site.clock.since(game.changed_at) < _FRESH)
    return next(fresh, None)


def opponent(site: Site, player: str) -> str | None:
    """Return the name of a player's opponent in a game outside of tournaments, if any."""
    with site.database.read() as connection:
        for game in store.games.going_on(connection, player):
            if game.tournament is None:
                (other,) = game.players - {player}
                return str(store.players.people(connection, {other})[other])
    return None


def calls(site: Site, player: str, browser: str = "", at: str = "") -> Calls:
    """Return what may call a player who is on another page, in a browser.

    :param at: the id of the game whose page it is
    """
    with site.database.read() as connection:
        return _calls(site, connection, player, browser, at)


def _calls(site: Site, connection: sa.Connection, player: str, browser: str, at: str = "") -> Calls:
    event = store.tournaments.joined(connection, player)
    games = store.games.calling(connection, player, site.now() - PHASES[-1])
    # A game of a tournament has no rematch.
    games = [game for game in games if not (game.tournament and game.outcome)]
    games.sort(key=lambda game: game.tournament is None)
    playing = any(not game.outcome for game in games)
    games = [game for game in games if game.id != at][:_CALLING]
    waiting = store.wishes.waiting(connection)
    asker = next((wish.player for wish in waiting if wish.asked == player), None)
    poll = store.polls.going(connection)
    calls = poll and poll.calls and not store.polls.own(connection, [poll.id], player)
    seated = set[str]().union(*(game.players for game in games))
    who = site.browsers.offered(browser)
    if (asked_at := site.browsers.asked_at(browser)) and not who:
        came_at = store.players.came_at(connection, player)
        who = player if came_at is not None and came_at < asked_at else None
    people = store.players.people(connection, seated.union(filter(None, (asker, who))))
    return Calls(
        me=player,
        games=pairings(games, player, people),
        playing=playing,
        event=event,
        asker=people[asker] if asker else None,
        question=poll.id if poll and calls else None,
        who=people[who] if who else None,
        elsewhere=site.browsers.has_news(player, site.now(), browser),
    )


def calls_beside(site: Site, player: str, browser: str, at: str = "") -> Calls | None:
    """Return the same for a page that is about something else.

    ``None`` where the database cannot be read: a page that needs no others still shows.
    """
    with suppress(sa.exc.SQLAlchemyError):
        return calls(site, player, browser, at)
    return None


def frame(site: Site, player: str, browser: str = "") -> tuple[Player, Calls | None]:
    """Return what stands at the top of every page: its viewer, and what calls them.

    Also where the database cannot be read: a page that needs no others still shows.
    """
    with suppress(sa.exc.SQLAlchemyError), site.database.read() as connection:
        viewer = store.players.people(connection, [player])[player]
        return viewer, _calls(site, connection, player, browser)
    return Player(player, None), None


def others_here(site: Site, connection: sa.Connection, player: str) -> tuple[int, list[Player]]:
    """Return how many others are here, and the two who came last."""
    teachers = site.live.teachers()
    here = [id_ for id_ in site.live.newest() if id_ not in {player, *teachers}]
    people = store.players.people(connection, here[:2])
    return len(here), [people[id_] for id_ in here[:2] if id_ in people]


def _look(site: Site, connection: sa.Connection) -> ClassSeen:
    """What all see, as it was at the last change; what time alone changes waits."""
    now, number, known = site.clock(), site.live.number(store.topics.CLASS), site.class_seen
    if known and known.number == number and 0 <= now - known.read < _REMEMBERED:
        return known
    lesson, event = store.lesson.read(connection), store.tournaments.latest(connection)
    # If the clock was just set, all changes are fresh.
    known_s, moment = site.clock.steady_for(), _before_a_pause(site, lesson.stands_since)
    fresh = moment - _FRESH if known_s > _FRESH else 0
    live = store.games.live(connection, fresh, _MOST)
    playing = set[str]().union(*(game.players for game in live))
    here = site.live.here() - (site.live.teachers() - playing)  # they are not in it by looking
    ended = store.games.ended(connection, fresh, _ENDED)
    today, played = store.games.ended_since(connection, site.clock.today())
    if (talked := lesson.wall.game) and talked not in {game.id for game in ended}:
        # The teacher talks about it, however many have ended since.
        of_it = store.games.among(connection, [talked]) if lesson.wall.moves else {}
        ended += (game for game in of_it.values() if game.kind is Kind.TWO_DEVICES)
    table = site.ranking.table(connection)
    wanted = {*here, *(place.player for place in _in_sight(table))}
    wanted = wanted.union(*(game.players for game in (*live, *ended)))
    people = store.players.people(connection, wanted)
    site.class_seen = ClassSeen(
        number=number,
        read=now,
        lesson=lesson,
        tournament=event,
        live=live,
        here=here,
        ended=ended,
        today=today,
        played=played,
        table=table,
        people=people,
    )
    return site.class_seen


def _before_a_pause(site: Site, paused_at: int | None) -> int:
    """The time, which stands still during a pause."""
    return site.now() if paused_at is None else min(site.now(), paused_at)


def _people(
    here: Iterable[str],
    live: Iterable[Pairing],
    wishes: Mapping[str, Wish],
    people: People,
    asks: Mapping[str, Ask],
) -> list[Person]:
    """Who is here, and what they do; players without a name have done nothing yet."""
    playing = dict[str, Player]()
    for pairing in live:
        if pairing.x and pairing.o:
            playing |= {pairing.x.id: pairing.o, pairing.o.id: pairing.x}
    for player in wishes:  # which says more than an idle game
        playing.pop(player, None)
    found = [
        Person(people[player], playing.get(player), wishes.get(player), asks.get(player))
        for player in here
        if player in people
    ]
    return sorted(found, key=lambda person: str(person.player).casefold())


def _in_sight(table: Table, player: str | None = None) -> list[Place]:
    """The best places, the player's own, and players without one."""
    places = table.values()
    placed = [place for place in places if place.place][:_SHOWN]
    others = [place for place in places if not place.place][:_UNPLACED]
    own = table.get(player or "")
    if own and own not in (*placed, *others):
        (placed if own.place else others).append(own)
    return [*placed, *others]
