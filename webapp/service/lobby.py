"""How players find each other: challenges, games in progress, and the standings."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from random import SystemRandom
from typing import NamedTuple
from zlib import crc32

import sqlalchemy as sa

from webapp import store
from webapp.classroom import Lesson
from webapp.core.board import Mark
from webapp.core.game import Game, Kind, NotAllowed
from webapp.core.messages import N_
from webapp.names import People, Player
from webapp.service.players import save_preferences
from webapp.service.pov import PHASES
from webapp.service.ranking import Place, Table
from webapp.service.refusals import Paused, Raced, Unknown
from webapp.service.site import ClassSeen, Site
from webapp.store.seeks import BUSY_S
from webapp.tournament.event import Entrant, Tournament

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: no 0 or O, no 1, I or L."""

CODE_LENGTH = 6

_FRESH = 15 * 60
"""For how many seconds the class sees a challenge that no one took, or an idle game."""

_AT_COMPUTER = 2 * 60
"""For how many seconds after a move a player counts as playing the computer."""

_SILENT_AFTER = 60
"""After how many seconds without a move a board comes after the others."""

_MOST = 500
"""From how many challenges, and how many games, the ones to show are chosen."""

_MOST_WAITING = 50
"""How many challenges are shown at once, besides the viewer's own."""

_ENDED = 6
"""How many games are shown that have just ended."""

_CAME = 3
"""How many players are named who have come last."""

NOBODY = ""
"""The viewer of the projector's page, which shows nothing of its own."""

_CALLING = 3
"""How many games may call a player at a time."""

_REMEMBERED = 1.0
"""For how many seconds what all see is used again, while nothing of it has changed."""

_SHOWN, _UNPLACED = 100, 30
"""How many places are shown, and how many players without one, besides the viewer."""


class Pairing(NamedTuple):
    """A game with the names of its players: a challenge, one that goes on, or one that is over.

    :param x: who has X, ``None`` where the seat is free; likewise ``o``
    :param mine: whether the viewer has a seat
    """

    game: Game
    x: Player | None
    o: Player | None
    mine: bool

    def player(self, mark: Mark) -> Player | None:
        """The player of a mark; ``None`` where an engine plays it or the seat is free."""
        return self.x if mark is Mark.X else self.o


class Ask(Enum):
    """What a viewer and a player who is here want of each other."""

    ASKED = "the viewer asks the player for a game"
    ASKS = "the player asks the viewer"
    BUSY = "the player has declined lately"


class Person(NamedTuple):
    """A player who is here.

    :param playing: the opponent, in a game between two devices
    :param looking: whether the player looks for an opponent
    :param ask: what is between the viewer and the player
    :param open: whether the player has an open game
    :param at_computer: whether the player plays the computer, where that is asked for
    """

    player: Player
    playing: Player | None
    looking: bool
    ask: Ask | None = None
    open: bool = False
    at_computer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyView:
    """The class as one of its players sees it.

    :param challenges: open games that wait for an opponent, the oldest first
    :param games: games in progress, first those whose players are both here, last those in which
        no one has moved for a time; the oldest first
    :param mine_now: the viewer's own game or challenge, which is among them
    :param looking: whether the viewer looks for an opponent
    :param here: who is here, by name
    :param free_in_s: after how many seconds one of them is no longer busy; 0 if none is
    :param came: the players who have come last, the newest first
    :param gathers: whether fewer than half of those who are here have played a classmate today
    :param ended: games between two devices that have just ended, the last ones first; and the
        game that the teacher talks about
    :param today: how many games between two devices have ended today
    :param table: the best places, the viewer's own, and players without one
    :param me: the viewer
    :param lesson: what the teacher has chosen for the class
    :param tournament: the latest one; ``entrant``: the viewer, who is or was in it
    :param at_computer: the games against the computer, where they are asked for: the last one of
        each player, who is here by it
    :param silent_in_s: after how many seconds without a move one of them no longer counts; 0 if
        there is none
    """

    challenges: tuple[Pairing, ...]
    games: tuple[Pairing, ...]
    mine_now: Pairing | None
    looking: bool
    here: tuple[Person, ...]
    free_in_s: int
    came: tuple[Player, ...]
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


class Calls(NamedTuple):
    """What may call a player from another page.

    :param games: the player's between two devices: going on, open, or over a short time ago, the
        last changed first
    :param event: the tournament that the player has joined, until it is over
    :param asker: who asks the player for a game, longest of all
    :param question: the id of what the class is asked, until the player has answered
    """

    me: str
    games: tuple[Pairing, ...]
    event: Tournament | None
    asker: Player | None = None
    question: str | None = None


class AlreadyPlaying(NotAllowed):
    """A player cannot sit in two games between two devices.

    :ivar pairing: the one that the player sits in
    """

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(N_("You are already in a game."))
        self.pairing = pairing


# --- challenges ---------------------------------------------------------------------------------


def challenge(site: Site, player: str, mark: str, *, give_up: bool = False) -> str:
    """Open a game for a classmate to join, and return its id; an older one is withdrawn.

    :param mark: the player's own: ``"x"``, ``"o"`` or ``"random"``
    :param give_up: whether to give up the game that the player is in
    :raises AlreadyPlaying: if the player is in one otherwise
    """
    if mark == "random":
        mark = SystemRandom().choice("xo")
    game = Game(
        kind=Kind.TWO_DEVICES,
        x_seat=player if mark == "x" else None,
        o_seat=player if mark == "o" else None,
        id=store.games.new_id(),
        code="".join(SystemRandom().choices(ALPHABET, k=CODE_LENGTH)),
    )
    # Another game may have the code, or the player's present game has just changed.
    with suppress(sa.exc.IntegrityError, Raced), site.database.read() as connection:
        with free(site, connection, player, give_up=give_up):
            store.games.insert(connection, game, site.now())
            save_preferences(site, connection, player)
        return game.id
    return challenge(site, player, mark, give_up=give_up)


@contextmanager
def free(
    site: Site, connection: sa.Connection, player: str, *others: str, give_up: bool
) -> Iterator[None]:
    """A transaction about these players, in which the first has no game between two devices.

    A challenge of the first is withdrawn, and they look for no one any more. A game in
    which they have not moved counts for neither player; another one is given up.

    :param others: what else it is about
    :raises AlreadyPlaying: if the player has one that is not to be given up
    :raises NotAllowed: if the player is in a tournament that is played
    :raises Paused: if it is to be given up, and all games are paused
    :raises Raced: if it changes meanwhile
    """
    check_no_tournament(connection, player)
    present = holding(site, connection, player)
    if present and not give_up:
        raise AlreadyPlaying(_named(connection, present, player)[0])
    players = {player, *others}.union(*(game.players for game in present))
    with site.database.transaction(connection, *players):
        check_no_tournament(connection, player)  # it may have begun since
        found = store.games.challenges(connection, player)
        if holding(site, connection, player, found) != present:
            raise Raced
        for game in present:
            left = game.leave_for_another(*game.marks_of(player))
            if not store.games.save(connection, game, left, site.now(), unless_paused=True):
                why = store.lesson.paused(connection)
                raise Paused(why) if why else Raced
        withdraw(connection, player, found)
        yield


def invitation(site: Site, code: str, player: str) -> Pairing:
    """Return the game that a code leads to, and whose challenge it is.

    :raises Unknown: if no game has this code
    """
    with site.database.read() as connection:
        return _named(connection, [_by_code(connection, code)], player)[0]


def join(site: Site, code: str, player: str, *, give_up: bool = False) -> str:
    """Take the free seat of a game, and return its id; a player of it is led there.

    The player then waits for no other opponent: their own challenge is withdrawn.

    :param give_up: whether to give up the game that the player is in
    :raises Unknown: if no game has this code, or not any more
    :raises NotAllowed: if it is the player's own challenge, both seats are taken, or the other
        one is in another game
    :raises AlreadyPlaying: if this player is in one that is not to be given up
    """
    while True:
        with suppress(Raced), site.database.read() as connection:
            game = _by_code(connection, code)
            if player in game.players and not game.open:
                return game.id
            joined = game.join(player)
            (host,) = game.players
            # About both: two may be about to join each other, and both withdraw what the other
            # takes.
            with free(site, connection, player, host, give_up=give_up):
                if not store.games.save(connection, game, joined, site.now()):
                    raise Raced
                if len(holding(site, connection, host)) > 1:
                    raise NotAllowed("This player is in another game now.")
                save_preferences(site, connection, player)
                return game.id


# --- the class ----------------------------------------------------------------------------------


def overview(site: Site, player: str, *, computer: bool = False) -> LobbyView:
    """Return the class as this player sees it.

    :param computer: whether to look also at the games against the computer
    """
    with site.database.read() as connection:
        # Before the games: a player who is paired meanwhile is still looking, or has a game.
        waiting = store.seeks.waiting(connection)
        looking = {seek.player for seek in waiting if seek.asked is None}
        declined = store.seeks.declined(connection, player, site.now()) if player else {}
        asks = dict.fromkeys(declined, Ask.BUSY)
        asks |= {seek.player: Ask.ASKS for seek in waiting if seek.asked == player}
        asks |= {seek.asked: Ask.ASKED for seek in waiting if seek.asked and seek.player == player}
        shared = _look(site, connection)
        games = store.games.challenges(connection, player) if player else ()
        own = {game.id: game for game in games}
        others = (game for game in shared.live if game.id in own or player not in game.players)
        live = [own.pop(game.id, game) for game in others]
        live = _excerpt([*own.values(), *live], player)
        table = site.ranking.since_the_lesson_began(_in_sight(shared.table, player))
        event = shared.tournament
        event_id = event.id if event and player else ""
        entrant = store.tournaments.entrant(connection, event_id, player) if event_id else None
        moved_since = _before_a_pause(site, shared.lesson.paused_at) - _AT_COMPUTER
        against = store.games.at_computer(connection, moved_since, _MOST) if computer else []
        teachers = site.live.teachers()
        # The last game of each.
        alone = {seat: game for game in against for seat in game.players - teachers}
        wanted = ({player, *alone} - {NOBODY}).union(*(game.players for game in live))
        wanted.update(looking, (place.player for place in table))
        people = People(
            shared.people | store.players.people(connection, wanted - shared.people.keys())
        )
    pairings = _pairings(live, player, people)
    going = [pairing for pairing in pairings if not pairing.game.open]
    here = people.keys() & {*shared.here, *looking, *alone}
    newest = filter(shared.here.__contains__, site.live.newest())
    played = shared.played.union(*(pairing.game.players for pairing in going))

    def is_last(pairing: Pairing) -> tuple[bool, bool]:
        game = pairing.game
        idle = site.clock.since(game.changed_at, shared.lesson.stands_since)
        return not game.players <= {player, *here}, idle >= _SILENT_AFTER

    return LobbyView(
        challenges=tuple(pairing for pairing in pairings if pairing.game.open),
        games=tuple(sorted(going, key=is_last)),
        mine_now=next((pairing for pairing in reversed(pairings) if pairing.mine), None),
        looking=player in looking,
        here=tuple(
            one._replace(at_computer=one.player.id in alone)
            for one in _people(here, pairings, looking, people, asks)
        ),
        free_in_s=min((at + BUSY_S + 1 - site.now() for at in declined.values()), default=0),
        came=tuple(people[one] for one in newest if one in people)[:_CAME],
        gathers=2 * len(here & played) < max(len(here), 1),
        ended=_pairings(shared.ended, player, people),
        today=shared.today,
        table=tuple((place, people[place.player]) for place in table if place.player in people),
        me=people[player],
        lesson=shared.lesson,
        tournament=event,
        entrant=entrant,
        at_computer=_pairings(alone.values(), player, people),
        silent_in_s=min((one.changed_at - moved_since + 1 for one in alone.values()), default=0),
    )


def begun(site: Site, player: str) -> str | None:
    """Return the id of the player's game between two devices, if it has just begun."""
    with site.database.read() as connection:
        found = holding(site, connection, player)
    return next((game.id for game in found if len(game.moves) < len(Mark)), None)


def left_game(site: Site, player: str) -> str | None:
    """Return the id of the game that a player was led away from, if one has just been played."""
    with site.database.read() as connection:
        found = store.games.waiting(connection, player, _CALLING)
    found.sort(key=lambda game: game.kind is not Kind.TWO_DEVICES)
    fresh = (game.id for game in found if site.clock.since(game.changed_at) < _FRESH)
    return next(fresh, None)


def opponent(site: Site, player: str) -> str | None:
    """Return the name of a player's opponent in a game outside of tournaments, if any."""
    with site.database.read() as connection:
        for game in store.games.challenges(connection, player):
            if not game.open and game.tournament is None:
                (other,) = game.players - {player}
                return str(store.players.people(connection, {other})[other])
    return None


def calls(site: Site, player: str, at: str = "") -> Calls:
    """Return what may call a player who is on another page.

    :param at: the id of the game whose page it is
    """
    with site.database.read() as connection:
        since = site.now() - PHASES[-1]
        event = store.tournaments.joined(connection, player)
        found = store.games.calling(connection, player, since)
        # A game of a tournament has no rematch.
        found = [game for game in found if not (game.tournament and game.outcome)]
        found.sort(key=lambda game: game.tournament is None)
        games = [game for game in found if game.id != at][:_CALLING]
        seeks = store.seeks.waiting(connection)
        asker = next((seek.player for seek in seeks if seek.asked == player), None)
        poll = store.polls.going(connection)
        calls = poll and poll.calls and not store.polls.own(connection, [poll.id], player)
        question = poll.id if poll and calls else None
        known = store.players.find(connection, asker)[1] if asker else None
        return Calls(player, _named(connection, games, player), event, known, question)


def calls_beside(site: Site, player: str, at: str = "") -> Calls | None:
    """Return the same for a page that is about something else.

    ``None`` where the database cannot be read: a page that needs no others still shows.
    """
    with suppress(sa.exc.SQLAlchemyError):
        return calls(site, player, at)
    return None


def others_here(site: Site, player: str, faces: int = 2) -> tuple[int, list[Player]]:
    """Return how many others are here, and some of them with their faces: who came last."""
    teachers = site.live.teachers()
    here = [one for one in site.live.newest() if one not in {player, *teachers}]
    with site.database.read() as connection:
        people = store.players.people(connection, here[:faces])
    return len(here), [people[one] for one in here[:faces] if one in people]


def _look(site: Site, connection: sa.Connection) -> ClassSeen:
    """What all see, as it was at the last change; what time alone changes waits."""
    now, number, known = site.clock(), site.live.number(store.topics.CLASS), site.class_seen
    if known and known.number == number and 0 <= now - known.read < _REMEMBERED:
        return known
    lesson, event = store.lesson.read(connection), store.tournaments.latest(connection)
    # If the clock was just set, all changes are fresh.
    known_s, moment = site.clock.steady_for(), _before_a_pause(site, lesson.stands_since)
    fresh = moment - _FRESH if known_s > _FRESH else 0
    live = store.games.live(connection, fresh, site.live.here(), _MOST)
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


def _pairings(games: Iterable[Game], viewer: str, people: People) -> tuple[Pairing, ...]:
    def seated(player: str | None) -> Player | None:
        return people[player] if player else None

    return tuple(
        Pairing(game, seated(game.x_seat), seated(game.o_seat), viewer in game.players)
        for game in games
    )


def _named(connection: sa.Connection, games: Collection[Game], viewer: str) -> tuple[Pairing, ...]:
    players = set[str]().union(*(game.players for game in games))
    return _pairings(games, viewer, store.players.people(connection, players))


def _people(
    here: Iterable[str],
    live: Iterable[Pairing],
    looking: Collection[str],
    people: People,
    asks: Mapping[str, Ask],
) -> list[Person]:
    """Who is here, and what they do; players without a name have done nothing yet."""
    playing, openers = dict[str, Player](), set[str]()
    for pairing in live:
        if pairing.x and pairing.o:
            playing |= {pairing.x.id: pairing.o, pairing.o.id: pairing.x}
        openers |= pairing.game.players if pairing.game.open else set()
    for player in looking:  # which says more than an idle game
        playing.pop(player, None)
    found = [
        Person(
            people[player],
            playing.get(player),
            player in looking,
            asks.get(player),
            player in openers,
        )
        for player in here
        if player in people
    ]
    return sorted(found, key=lambda person: str(person.player).casefold())


def holding(
    site: Site, connection: sa.Connection, player: str, games: Collection[Game] | None = None
) -> list[Game]:
    """Return the games between two devices that keep a player from another one: at most one.

    :param games: those to choose from, where they have been read
    """
    if games is None:
        games = store.games.challenges(connection, player)
    paused_at = store.lesson.paused_at(connection) if games else None
    return [
        game for game in games if game.holds(player, site.clock.since(game.changed_at, paused_at))
    ]


def _excerpt(live: list[Game], player: str) -> list[Game]:
    """Leave out some challenges if there are too many, chosen at random for each viewer.

    So the others' are still seen, however many one visitor opens.
    """
    others = [game.id for game in live if game.open and player not in game.players]
    left_out = sorted(others, key=lambda game: crc32(f"{player}{game}".encode()))[_MOST_WAITING:]
    return [game for game in live if game.id not in left_out]


def check_no_tournament(connection: sa.Connection, player: str) -> None:
    """Raise :class:`NotAllowed` if a player is in a tournament that is played."""
    if store.tournaments.plays(connection, player):
        raise NotAllowed("You are in the tournament: your next game there begins by itself.")


def withdraw(connection: sa.Connection, player: str, games: Iterable[Game] | None = None) -> None:
    """Withdraw the player's challenge, if no one has taken it; the player looks for no one else.

    :param games: the player's, where they have been read
    """
    store.seeks.end(connection, player)
    for game in store.games.challenges(connection, player) if games is None else games:
        if game.open:
            store.games.delete(connection, game)


def _by_code(connection: sa.Connection, code: str) -> Game:
    """Return the game that a code leads to.

    :raises Unknown: if no game has this code
    """
    game = store.games.by_code(connection, as_code(code))
    if game is None:
        raise Unknown("No game has this code. Check its six characters; or the game was cancelled.")
    return game


def _in_sight(table: Table, player: str | None = None) -> list[Place]:
    """The best places, the player's own, and players without one."""
    places = table.values()
    placed = [place for place in places if place.place][:_SHOWN]
    others = [place for place in places if not place.place][:_UNPLACED]
    own = table.get(player or "")
    if own and own not in (*placed, *others):
        (placed if own.place else others).append(own)
    return [*placed, *others]


def as_code(text: str) -> str:
    """Read a code as people type or paste it: with any digits, in pieces, or as an address."""
    last = unicodedata.normalize("NFKC", text.strip("/ ").rpartition("/")[2]).upper()
    return "".join(str(unicodedata.digit(one, one)) for one in last if one.isalnum())
