"""Whom a player plays next and with which mark: what was remembered, and what was asked for."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from webapp.core.board import Mark
from webapp.store.games import CLASSMATE, FRIEND, GameRecord
from webapp.store.players import Preferences


@dataclass(frozen=True, slots=True)
class Wish:
    """What accompanies a request about the next game; ``None`` leaves a thing as it was.

    :param opponent: slug of an engine, or :data:`FRIEND`
    :param mark: ``"x"``, ``"o"``, or ``"alternate"``: the opposite of the last one
    """

    opponent: str | None = None
    mark: str | None = None

    def __bool__(self) -> bool:
        return self.opponent is not None or self.mark is not None


def engine_mark(preferred: Preferences) -> Mark | None:
    """Return the mark that an engine gets in the next game, ``None`` against a friend.

    Those who alternate have X in their first game.
    """
    if preferred.opponent == FRIEND:
        return None
    if preferred.mark == "alternate":
        return Mark.X if preferred.last_mark == "x" else Mark.O
    return Mark(preferred.mark.upper()).other


def offered(preferred: Preferences, engines: Container[str]) -> Preferences:
    """Return what was remembered, with an opponent whom this server still offers."""
    if preferred.opponent in engines or preferred.opponent == FRIEND:
        return preferred
    return replace(preferred, opponent=Preferences().opponent)


def wished(preferred: Preferences, wish: Wish) -> Preferences:
    """Return what is remembered after a request with this wish."""
    return replace(
        preferred,
        opponent=wish.opponent or preferred.opponent,
        mark=wish.mark or preferred.mark,
    )


def after_first_move(preferred: Preferences, record: GameRecord) -> Preferences:
    """Return what is remembered once a game has its first mark: which one was the player's.

    Marks alternate against engines only; between two people a rematch swaps them.
    """
    if record.opponent in (FRIEND, CLASSMATE):
        return preferred
    return replace(preferred, last_mark="x" if record.x_seat else "o")


def dealt(record: GameRecord, player: str, preferred: Preferences) -> GameRecord:
    """Return an untouched game set up as preferred: its opponent, and who sits where."""
    engine = engine_mark(preferred)
    return replace(
        record,
        x_seat=None if engine is Mark.X else player,
        o_seat=None if engine is Mark.O else player,
        opponent=preferred.opponent,
    )


def shown(record: GameRecord, preferred: Preferences) -> Preferences:
    """Return what the controls show beside a game.

    As long as its board is empty they are about this game, and so agree with it; afterwards they
    are about the next one.
    """
    if record.moves or record.opponent == CLASSMATE:
        return preferred
    mark = preferred.mark
    if mark != "alternate" and record.opponent != FRIEND:
        mark = "x" if record.x_seat else "o"
    return replace(preferred, opponent=record.opponent, mark=mark)


def redealt(
    record: GameRecord, player: str, preferred: Preferences, wish: Wish
) -> tuple[GameRecord, Preferences]:
    """Return a game and what is remembered, with what accompanied a request of its player.

    On an empty board another opponent or mark applies at once. Those who alternate have their
    mark in it already.
    """
    if record.moves or record.opponent == CLASSMATE or not wish:
        return record, wished(preferred, wish)
    before = shown(record, preferred)
    after = wished(before, wish)
    if FRIEND in (before.opponent, after.opponent) or after.mark != before.mark:
        return dealt(record, player, after), after
    return replace(record, opponent=after.opponent), after
