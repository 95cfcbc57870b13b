"""What very many games cost: those that are stored, and those that one worker has seen."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import Any

import sqlalchemy as sa

from tests.bench import servers
from tests.bench.client import Connection, encoded_get
from tests.bench.measure import Throughput, compare
from tests.bench.servers import Server
from webapp import names
from webapp.config import Settings
from webapp.core.board import Mark
from webapp.core.game import Game, Reason
from webapp.engines.registry import ENGINES
from webapp.store import Database, prepare, schema
from webapp.store.games import CLASSMATE, GameRecord, row_of
from webapp.store.records import Record, Result

GAMES_EACH = 200
"""How many games a player has, on the average."""

_DIFFERENT = 500
_AT_ONCE = 20_000
_LONG_AGO = 1_700_000_000
_OPPONENTS = ("easy", "medium", "hard")
# Of all games, those between two people.
_BETWEEN_TWO = 0.3
# Moves on each connection in a round, while memory is looked at.
_ROUND = 25

# Looks at the class, of which the middle one and the longest count.
_LOOKS = 40
_MIB = 1024 * 1024

Row = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """How a server does that has so many games.

    :param line: its moves, beside those of the one with the fewest
    :param looks: seconds that the class page took
    :param started: seconds from the start of the program to its first answer
    :param memory: of the worker afterwards, in MiB
    """

    kind: str
    games: int
    line: Throughput
    looks: list[float]
    started: float
    memory: float


@dataclass(frozen=True)
class Memory:
    """What a worker held after a tenth of many moves, and after all of them, in MiB."""

    moves: int
    early: float
    late: float


def measure(
    kind: str, numbers: Sequence[int], all_settings: Sequence[Settings], moves: int, seconds: float
) -> list[Stored]:
    """Let people play on servers with so many games each, by turns, and look at the class."""
    with ExitStack() as stack:
        running = [
            stack.enter_context(servers.game(settings, workers=1)) for settings in all_settings
        ]
        lines: list[Throughput] = []
        for number, server in zip(numbers, running, strict=True):
            title = f"{kind}, {number:,} games"
            lines.append(Throughput(title, server, lines[0] if lines else None))
        compare(lines, 1000, 0, moves, seconds)
        return [
            Stored(kind, number, line, _looks(server), server.started, server.memory() / _MIB)
            for number, line, server in zip(numbers, lines, running, strict=True)
        ]


def _looks(server: Server) -> list[float]:
    """Look at the class again and again, for longer than its standings are remembered."""
    found = []
    with closing(Connection(server)) as connection:
        for _ in range(_LOOKS):
            start = time.perf_counter()
            connection.send(encoded_get("/class", server, htmx=False))
            connection.receive()
            found.append(time.perf_counter() - start)
            time.sleep(0.1)
    return found


def many_moves(server: Server, moves: int) -> Memory:
    """Make so many moves, and look twice at what the worker holds."""
    line, rng = Throughput("", server), random.Random(9)
    early = 0
    while line.requests < moves:
        line.round(_ROUND, rng)
        if not early and line.requests >= moves / 10:
            early = server.memory()
    return Memory(line.requests, early / _MIB, server.memory() / _MIB)


# --- what is stored ------------------------------------------------------------------------------


def fill(settings: Settings, number: int) -> None:
    """Make a database with so many finished games, their players, and their records."""
    prepare(settings)
    rng = random.Random(number)
    people = [sha256(str(n).encode()).hexdigest() for n in range(max(2, number // GAMES_EACH))]
    played: dict[tuple[str, str], Record] = {}
    database = Database(settings)
    with database.write(patient=True) as connection:
        _insert(connection, schema.players, map(_player, range(len(people)), people))
        _insert(connection, schema.games, _games(rng, number, people, played))
        _insert(connection, schema.records, map(asdict, played.values()))
    with database.read() as connection:
        connection.exec_driver_sql("ANALYZE")
    database.close()


def _insert(connection: sa.Connection, table: sa.Table, rows: Iterable[Row]) -> None:
    remaining = iter(rows)
    while some := list(islice(remaining, _AT_ONCE)):
        connection.execute(sa.insert(table), some)


def _player(n: int, player: str) -> Row:
    name = f"Player {n}"
    return {
        "id": player, "opponent": "medium", "mark": "x", "created_at": _LONG_AGO,
        "seen_at": _LONG_AGO + n, "name": name, "name_key": names.key(name),
    }  # fmt: skip


def _games(
    rng: random.Random, number: int, people: list[str], played: dict[tuple[str, str], Record]
) -> Iterator[Row]:
    """Games against engines and between two people; and count them in the records."""
    patterns = [_pattern(rng) for _ in range(_DIFFERENT)]
    for n in range(number):
        record = replace(rng.choice(patterns), id=f"{n:022d}")
        one = rng.randrange(len(people))
        if rng.random() < _BETWEEN_TWO:
            # Within a class of thirty.
            other = min(one - one % 30 + rng.randrange(30), len(people) - 1)
            other = other if other != one else one - 1
            record = replace(record, opponent=CLASSMATE, x_seat=people[one], o_seat=people[other])
        else:
            record = replace(record, x_seat=people[one], opponent=rng.choice(_OPPONENTS))
        _count(record, played)
        yield row_of(record, None, _LONG_AGO + n)


def _pattern(rng: random.Random) -> GameRecord:
    """A finished game with an engine's reasons, of nobody yet."""
    game, reasons = Game((), None, 0), list[Reason | None]()
    while not game.outcome:
        choice = ENGINES["medium"].choose(game.board, rng)
        reasons.append(choice.reason if game.board.turn is Mark.O else None)
        game = Game((*game.moves, choice.cell), None, 0)
    winner = game.outcome.winner
    return GameRecord(
        id="", x_seat=None, o_seat=None, opponent="", version=len(game.moves),
        moves=game.moves, reasons=tuple(reasons),
        outcome=str(winner).lower() if winner else "draw",
    )  # fmt: skip


def _count(record: GameRecord, played: dict[tuple[str, str], Record]) -> None:
    for mark, player, other in (
        ("x", record.x_seat, record.o_seat or record.opponent),
        ("o", record.o_seat, record.x_seat or record.opponent),
    ):
        if player:
            result: Result = (
                "d" if record.outcome == "draw" else "w" if record.outcome == mark else "l"
            )
            known = played.get((player, other)) or Record(player, other)
            played[player, other] = known.after(result)
