"""What only two people can do in a game: give up, claim it, and play once more."""

from __future__ import annotations

import secrets
from dataclasses import replace

from webapp.service.changes import OVER, STALE, check_version, ended, game_of
from webapp.service.refusals import Conflict
from webapp.service.visits import ABSENT_AFTER, Seat, Visit, Visits
from webapp.store import games as stored_games
from webapp.store import players as stored_players
from webapp.store.games import CLASSMATE, GameRecord


def check_seat(record: GameRecord, player: str) -> None:
    """Check that it is this player's turn, if the game is between two people.

    :raises Conflict: if nobody has joined yet, or it is the other one's turn
    """
    if record.opponent != CLASSMATE or record.outcome:
        return
    if record.open:
        raise Conflict("Nobody has joined this game yet.")
    if game_of(record).board.turn not in record.marks_of(player):
        raise Conflict("It is not your turn.")


class Duels:
    """The games of two people at two devices; their moves are as in any other game."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def resign(self, seat: Seat, version: int) -> Visit | None:
        """Give a game up; a challenge that nobody has taken is withdrawn.

        :return: ``None`` where the challenge is gone
        :raises Conflict: if the game has changed or is over, or is not between two people
        """
        record = _going(seat, version)
        if record.open:
            with self._visits.database.write(record.id) as connection:
                if not stored_games.delete(connection, record.id, version):
                    raise Conflict(STALE)
            return None
        (mine,) = record.marks_of(seat.player)
        return self._visits.store(seat, ended(record, mine.other, "resign"), seat.preferred)

    def claim(self, seat: Seat, version: int) -> Visit:
        """Win against somebody who has been away for too long.

        :raises Conflict: if the game has changed or is over, or the opponent has still time
        """
        record = _going(seat, version)
        (mine,) = record.marks_of(seat.player)
        if record.open or game_of(record).board.turn is mine:
            raise Conflict("It is not your opponent's turn.")
        if self._visits.clock.since(record.changed_at) < ABSENT_AFTER:
            raise Conflict(f"A game can be claimed after {ABSENT_AFTER} seconds without a move.")
        return self._visits.store(seat, ended(record, mine, "claim"), seat.preferred)

    def rematch(self, seat: Seat) -> Visit:
        """Ask to play once more with the marks swapped; return the next game once both have.

        Until then the same game is returned.

        :raises Conflict: if the game still goes on
        """
        visits, (mine,) = self._visits, seat.record.marks_of(seat.player)
        # Who asks is remembered, and both are noted to play: about both, as all that ends a game.
        people = filter(None, (seat.record.x_seat, seat.record.o_seat))
        with visits.database.write(*people) as connection:
            record, preferred = visits.find(connection, seat.record.id, seat.player)
            here = Seat(record, seat.player, preferred)
            if not record.outcome:
                raise Conflict("This game still goes on.")
            if record.next_id:
                following, _ = visits.find(connection, record.next_id, seat.player)
                return visits.visit(connection, replace(here, record=following))
            if record.rematch == mine.slug:
                return visits.visit(connection, here)
            now = visits.now()
            if record.rematch is None:
                asked = replace(record, rematch=mine.slug, version=record.version + 1)
                stored_games.replace(connection, record, asked, now)
                asked = replace(asked, changed_at=now)
                return visits.visit(connection, replace(here, record=asked))
            new = GameRecord(
                id=secrets.token_urlsafe(16), version=1, opponent=CLASSMATE,
                x_seat=record.o_seat, o_seat=record.x_seat,
            )  # fmt: skip
            if not stored_games.set_next(connection, record.id, new.id):
                raise Conflict(STALE)
            stored_players.touch(connection, filter(None, (new.x_seat, new.o_seat)), now)
            return visits.add(connection, replace(here, record=new))


def _going(seat: Seat, version: int) -> GameRecord:
    """The game between two people that a request is about, if it goes on.

    :raises Conflict: if it has changed or is over, or is not between two people
    """
    record = seat.record
    if record.opponent != CLASSMATE:
        raise Conflict("That is for games between two people.")
    check_version(record, version)
    if record.outcome:
        raise Conflict(OVER)
    return record
