"""The daily deletion of players and games that are idle."""

from webapp import store
from webapp.service.players import forget
from webapp.service.site import Site

DAY = 24 * 60 * 60
IDLE_DAYS = 90  # days without a game after which a player is deleted
WAITS_DAYS = 30  # days after which a player is deleted who was to come by a ticket and has not
UNFINISHED_DAYS = 7  # days after which an unfinished game is deleted


def tidy(site: Site) -> None:
    """Delete what is too old, as the privacy page promises.

    Call it at the start and every few minutes. A single reading of the clock is never trusted.
    """
    with site.database.read() as connection:
        store.polls.tidy(connection, site.now())
    if not (looked := _looked_a_day_ago(site)):
        return
    idle_since, unchanged_since = looked - IDLE_DAYS * DAY, looked - UNFINISHED_DAYS * DAY
    with site.database.write() as connection:
        waiting = store.wishes.waiting(connection)
        old = [wish.player for wish in waiting if wish.since < unchanged_since]
        store.wishes.end(connection, *old)
    with site.database.read() as connection:
        players = store.players.idle_since(connection, idle_since)
        to_come = store.tickets.waiting(connection)
        games = store.games.idle_since(connection, unchanged_since)
    # One after the other: a change of many at once would keep all players waiting.
    for player in players:
        forget(site, player, idle_since=idle_since)
    for ticket in to_come:
        if ticket.made_at < looked - WAITS_DAYS * DAY:
            forget(site, ticket.player)
    for game in games:
        with site.database.write() as connection:
            store.games.delete_unfinished(connection, game, unchanged_since)


def _looked_a_day_ago(site: Site) -> int:
    """Return the last look, if it was a day ago, and note a new one; otherwise 0.

    What was idle then, and still is, may go: if the clock was ahead then, it has not been set back
    for a day, and a clock that is ahead now is not asked. Only one of several servers gets this.
    """
    with site.database.write(store.tidying.ABOUT) as connection:
        before, now = store.tidying.looked_at(connection), site.now()
        if not before <= now < before + DAY:
            store.tidying.note(connection, now)
    return before if now >= before + DAY else 0
