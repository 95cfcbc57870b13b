"""All that is stored, and rows of games held against the rules and what they were before."""

from collections.abc import Iterator
from itertools import count
from typing import Any, TypeAlias

import sqlalchemy as sa

from tests.support import rules
from webapp.core.game import Kind
from webapp.store import Database
from webapp.store.schema import metadata

Row: TypeAlias = dict[str, Any]
Stored: TypeAlias = dict[str, dict[Any, Row]]
"""All that is stored: the rows of each table, by their keys."""

LIVE, ABSENT_AFTER = Kind.TWO_DEVICES, 60
NONE: Row = {"x_seat": None, "o_seat": None, "moves": "", "version": 0, "outcome": ""}


def rows(database: Database) -> Stored:
    with database.read() as connection:
        return {
            table.name: {
                tuple(row[column.name] for column in table.primary_key): dict(row)
                for row in connection.execute(sa.select(table)).mappings()
            }
            for table in metadata.sorted_tables
        }


def seats(row: Row) -> tuple[str | None, str | None]:
    return row["x_seat"], row["o_seat"]


def mover(row: Row) -> str | None:
    """The player of the mark whose turn it is; ``None`` where an engine has it, or no one."""
    return seats(row)[len(row["moves"]) % 2]


def is_live(row: Row) -> bool:
    return row.get("kind") == LIVE and not row["outcome"]


def check_moves(row: Row) -> None:
    boards = [rules.after(map(int, row["moves"][:ply])) for ply in range(len(row["moves"]) + 1)]
    assert not any(map(rules.outcome, boards[:-1])), "it went on after its end"
    ended = rules.outcome(boards[-1])
    if row["ending"]:
        assert not ended
        assert row["outcome"] in ("x", "o", row["ending"])
    else:
        assert row["outcome"] == ended
    assert row["kind"] != LIVE or None not in seats(row), "a game has two players"


def results(row: Row, was: Row) -> Iterator[tuple[str, str, str]]:
    """What a finished game counts for, by the players who sat in it before it ended."""
    outcome, (x, o) = row["outcome"], seats(was)
    lost = outcome not in ("x" if x else "o", "draw")
    counts = {
        LIVE: len(row["moves"]) - row["given"] >= 2,
        Kind.ONE_DEVICE: False,
        Kind.ENGINE: not row["given"] and (lost or not row["helped"]),
    }
    if not counts[row["kind"]] or outcome not in ("x", "o", "draw"):
        return
    for mark, player, other in (("x", x, o), ("o", o, x)):
        if player:
            result = "d" if outcome == "draw" else "w" if outcome == mark else "l"
            yield player, other or row["engine"], result


Results: TypeAlias = dict[tuple[str, str], str]
"""All results that count, in order, of each player against each opponent: such as ``wwdl``."""

_LEFT, GONE = count(), "gone "  # what the opponent begins with who is a player no more


def left(known: Results, player: str) -> Results:
    stand_in = f"{GONE}{next(_LEFT)}"
    return {
        (one, stand_in if other == player else other): results
        for (one, other), results in known.items()
        if one != player
    }


def check_records(found: Stored, known: Results) -> None:
    counted = ("player", "opponent", "recent", "won", "drawn", "lost", "run")
    stored, expected = list[Any](), list[Any]()
    for row in found["records"].values():
        left = row["person"] and (row["opponent"],) not in found["players"]
        stored.append([(row | {"opponent": GONE} if left else row)[name] for name in counted])
    for (player, opponent), results in known.items():
        whom = [GONE, ""] if opponent.startswith(GONE) else [opponent, results[-5:]]
        run = len(results) - len(results.rstrip("w"))
        expected.append([player, *whom, *map(results.count, "wdl"), run])
    assert sorted(stored) == sorted(expected)
