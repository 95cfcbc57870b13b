"""Which games count, and what leaving one costs."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.engines.registry import ENGINES
from webapp.store import records as stored_records
from webapp.store.games import CLASSMATE, GameRecord
from webapp.store.records import Result

LEFT_LOSES = 2
"""After how many moves of one's own a game that is left counts as lost."""

BOTH_MOVED = 2
"""How many moves a game between two people has before its end counts: both have made one."""


def leaving_loses(record: GameRecord) -> bool:
    """Tell whether beginning another game instead counts this one as lost."""
    engine = record.engine_mark
    if record.outcome or record.helped or engine is None or record.opponent not in ENGINES:
        return False
    mine = len(record.moves[0 if engine is Mark.O else 1 :: 2])
    return mine >= LEFT_LOSES


def counts(record: GameRecord) -> bool:
    """Tell whether the end of a game is noted at all: played without help, and by both."""
    if record.opponent == CLASSMATE:
        return len(record.moves) >= BOTH_MOVED
    return not record.helped


def count(connection: sa.Connection, record: GameRecord) -> None:
    """Note a finished game in the records of its players, unless it counts nowhere."""
    if not counts(record):
        return
    for mark, player, other in (
        (Mark.X, record.x_seat, record.o_seat),
        (Mark.O, record.o_seat, record.x_seat),
    ):
        opponent = other if record.opponent == CLASSMATE else record.opponent
        if player and opponent and (record.opponent == CLASSMATE or opponent in ENGINES):
            drawn = record.outcome == "draw"
            result: Result = "d" if drawn else "w" if record.outcome == mark.slug else "l"
            stored_records.add(connection, player, opponent, result)
