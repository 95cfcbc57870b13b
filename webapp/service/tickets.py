"""The same player in another browser: by a ticket, or because the teacher says who it is.

A browser is the SHA-256 of its cookie. Without a ticket, it is the player.
"""

from collections.abc import Iterable
from contextlib import suppress
from random import SystemRandom
from secrets import token_hex

import sqlalchemy as sa

from webapp import store
from webapp.core.game import NotAllowed
from webapp.names import Player
from webapp.service.players import save_preferences
from webapp.service.refusals import Unknown
from webapp.service.site import Site
from webapp.service.wishes import ALPHABET, as_code
from webapp.store import topics
from webapp.store.tickets import ABOUT, Browser, Ticket

LENGTH = 8
"""Characters of a code: 31 to the eighth is nearly a trillion."""

MOST = 40  # tickets that are made at a time for a class to come


def ticket(site: Site, player: str, *, renewed: bool = False) -> Ticket:
    """Return a player's ticket, which is made if there is none.

    :param renewed: whether to end the old code, and to sign out all the player's browsers
    """
    with site.database.write(ABOUT) as connection:
        if renewed:
            store.tickets.sign_out(connection, player)
        elif known := store.tickets.of(connection, player).get(player):
            return known
        return _make(site, connection, player)


def prepare(site: Site, number: int) -> None:
    """Make players to come, with names and tickets; no list shows them until they come."""
    for _each in range(number):
        with site.database.write(ABOUT) as connection:
            player = token_hex(32)
            save_preferences(site, connection, player)
            _make(site, connection, player, waits=True)


def waiting(site: Site) -> list[tuple[Player, Ticket]]:
    """Return the players who have yet to come, with their tickets."""
    with site.database.read() as connection:
        tickets = store.tickets.waiting(connection)
        people = store.players.people(connection, (one.player for one in tickets))
    return [(people[one.player], one) for one in tickets]


def for_all(site: Site, players: Iterable[str]) -> list[tuple[Player, Ticket]]:
    """Return the tickets that these players have, by name."""
    with site.database.read() as connection:
        tickets = store.tickets.of(connection, *players)
        people = store.players.people(connection, tickets)
    found = [(people[player], one) for player, one in tickets.items() if player in people]
    return sorted(found, key=lambda line: str(line[0]).casefold())


def whose(site: Site, code: str) -> Player:
    """Return the player whose ticket has a code, or raise ``Unknown``."""
    with site.database.read() as connection:
        return store.players.find(connection, _by_code(connection, code).player)[1]


def go_on(site: Site, browser: str, code: str) -> None:
    """Let a browser go on as the player whose ticket has a code."""
    with site.database.write(ABOUT) as connection:
        ticket = _by_code(connection, code)
        if ticket.waits:
            store.tickets.save(connection, ticket._replace(waits=False))
        _link(site, connection, browser, ticket.player, site.now())


# --- the teacher says who it is -------------------------------------------------------------------


def hand_over(site: Site, present: str, player: str) -> None:
    """Ask at the browsers of a ``present`` player whether it is another ``player``.

    :raises NotAllowed: if both are in a tournament or a quiz that goes on
    """
    with site.database.write(ABOUT) as connection:
        poll = store.polls.going(connection)
        quiz = [one.id for one in store.polls.of_round(connection, (poll and poll.round) or "")]
        if all(
            store.tournaments.plays(connection, one) or store.polls.own(connection, quiz, one)
            for one in (present, player)
        ):
            raise NotAllowed(
                "Both players are in the tournament or the quiz. Hand over when it has ended."
            )
        known = site.browsers.known()
        ids = {present, *(one.id for one in known.values() if one.player == present)}
        for id_ in ids:
            if site.browsers.player(id_) == present:
                since = known[id_].since if id_ in known else 0
                store.tickets.link(connection, Browser(id_, present, since, offered=player))
        topics.note(connection, topics.calls(present))


def accept(site: Site, browser: str, player: str, *, yes: bool) -> bool:
    """Answer whether a player is the one whom the strip names; return whether the teacher asked.

    Then ``yes`` goes on as the other; else ``yes`` says that the player is still the same.
    """
    known = site.browsers.known().get(browser)
    offered = known.offered if known and known.player == player else None
    if offered or yes:
        with site.database.write(ABOUT) as connection:
            comes = offered is not None and yes
            since = site.now() if comes else site.browsers.asked_at()
            _link(site, connection, browser, offered if offered and yes else player, since)
    return offered is not None


def ask_who(site: Site) -> None:
    """Ask in every browser whether it is still the same player who uses it."""
    with site.database.write(store.lesson.ABOUT) as connection:
        chosen = store.lesson.read(connection)
        store.lesson.save(connection, chosen._replace(who_at=site.now()))
        topics.note(connection, topics.TICKETS, topics.NAMES)


# --- the parts of it ------------------------------------------------------------------------------


def _make(site: Site, connection: sa.Connection, player: str, *, waits: bool = False) -> Ticket:
    while True:
        code = "".join(SystemRandom().choices(ALPHABET, k=LENGTH))
        made = Ticket(player, code, site.now(), waits)
        with suppress(sa.exc.IntegrityError), connection.begin_nested():
            store.tickets.save(connection, made)
            return made


def _by_code(connection: sa.Connection, code: str) -> Ticket:
    ticket = store.tickets.by_code(connection, as_code(code))
    if ticket is None:
        raise Unknown("No ticket has this code. Check the eight characters.")
    return ticket


def _link(site: Site, connection: sa.Connection, browser: str, player: str, since: int) -> None:
    store.tickets.link(connection, Browser(browser, player, since))
    store.players.touch(connection, [player], site.now())
    topics.note(connection, topics.CLASS, topics.NAMES, topics.calls(player))
