"""What very many games cost: those stored, a player's own, and those that one worker has seen."""

import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from tests.bench import servers
from tests.bench.client import Player, leave
from tests.bench.moves import COLUMNS, Line, compare
from tests.bench.plan import Databases, Plan, progress, spread, table
from webapp.config import Settings
from webapp.core.game import Kind
from webapp.store import prepare, schema

_GAMES_EACH = 200  # of a player, on the average
_BETWEEN_TWO = 0.3  # of all games
_RIVAL = "medium"
_VETERANS, _ROUNDS = 10, 30  # so few players can make no more rounds within their limits


async def growth(plan: Plan, databases: Databases) -> str:
    """Compare servers that have few games and very many."""
    rows = []
    for kind, make in databases.items():
        with ExitStack() as stack:
            lines: list[Line] = []
            for number in plan.stored:
                title = f"{kind}, {number:,} games"
                progress(f"{title} are stored.")
                fill(settings := make(), number)
                server = stack.enter_context(servers.game(settings))
                lines.append(Line(title, server, lines[0] if lines else None))
            await compare(lines, plan.growing)
            for line in lines:
                visitor, looks = Player(line.server), []
                for _ in range(12):
                    start = time.perf_counter()
                    await visitor.ask("GET /class", htmx=False)
                    looks.append(time.perf_counter() - start)
                    time.sleep(0.25)
                await leave([visitor])
                started, memory = f"{line.server.started * 1e3:.0f} ms", line.server.memory()
                figures = *line.figures(), *spread(looks, (50, 100)), started, f"{memory:.0f}"
                rows.append((line.title, *figures))
    heads = f"so much stored | {COLUMNS} | `/class`: p50 | longest | start | MiB"
    return table(heads, rows)


async def veterans(plan: Plan, databases: Databases) -> str:
    """Compare players who have finished very many games against an engine with newcomers."""
    rows = []
    cookies = [f"{n:043}" for n in range(_VETERANS)]
    digests = [sha256(cookie.encode()).hexdigest() for cookie in cookies]
    for kind, make in databases.items():
        title = f"{kind}, players with {plan.own:,} games against the same opponent"
        progress(f"{title}.")
        # Ten players who never pause begin more games than the limits let them.
        fill(settings := replace(make(), limits="off"), 1_000, digests, plan.own)
        with servers.game(settings) as server:
            new = [Player(server, opponent=_RIVAL) for _ in cookies]
            newcomers = Line(f"{kind}, newcomers", server, players=new)
            old = [Player(server, cookie, _RIVAL) for cookie in cookies]
            lines = [newcomers, Line(title, server, newcomers, old)]
            await compare(lines, plan.growing, _ROUNDS)
        rows += [(line.title, *line.figures()) for line in lines]
    return table(f"by turns | {COLUMNS}", rows)


async def memory(plan: Plan, databases: Databases) -> str:
    """Make so many moves, and look twice at what the worker holds."""
    progress(f"{plan.many:,} moves at one worker.")
    with servers.game(next(iter(databases.values()))()) as server:
        line, seen = Line("", server), list[str]()
        for moves in (plan.many // 10, plan.many):
            while (made := sum(requests for requests, *_ in line.rounds)) < moves:
                await line.round()
            seen.append(f"{server.memory():.1f} MiB after {made:,} moves")
        await leave(line.players)
    return f"A worker held {seen[0]} without a pause, and {seen[1]}."


def fill(settings: Settings, number: int, veterans: Sequence[str] = (), own: int = 0) -> None:
    """Make a database with so many finished games, their players, and what is counted of them.

    :param veterans: players who have finished ``own`` games more, all against one engine
    """
    prepare(settings)
    now, results = int(time.time()), defaultdict[tuple[str, str], str](str)
    people = [sha256(b"%d" % n).hexdigest() for n in range(max(2, number // _GAMES_EACH))]

    def game(n: int) -> dict[str, Any]:
        moves, outcome = random.choice((("03142", "x"), ("031485", "o"), ("402635178", "draw")))
        x, o, engine = *random.sample(people, 2), ""
        if n >= number:
            x, o, engine = veterans[(n - number) // own], "", _RIVAL
        elif random.random() > _BETWEEN_TWO:
            o, engine = "", random.choice(("easy", "medium", "hard"))
        for mark, player, other in (("x", x, o or engine), ("o", o, x)):
            results[player, other] += "d" if outcome == "draw" else "lw"[outcome == mark]
        return {
            "id": f"{n:022}", "x_seat": x, "o_seat": o or None, "engine": engine or None,
            "kind": Kind.ENGINE if engine else Kind.TWO_DEVICES, "given": 0, "moves": moves,
            "reasons": "[]", "helped": False, "outcome": outcome, "version": len(moves),
            "created_at": now, "updated_at": now,
        }  # fmt: skip

    engine = sa.create_engine(settings.url)
    with engine.begin() as connection:
        for first in range(0, total := number + own * len(veterans), 20_000):
            some = range(first, min(first + 20_000, total))
            connection.execute(sa.insert(schema.games), [game(n) for n in some])
        players = [
            {"id": player, "opponent": _RIVAL, "mark": "x", "created_at": now, "seen_at": now,
             "name": f"Player {n}", "name_key": f"player {n}"}
            for n, player in enumerate([*people, *veterans])
        ]  # fmt: skip
        connection.execute(sa.insert(schema.players), players)
        counts = [
            {"player": player, "opponent": opponent, "won": found.count("w"),
             "drawn": found.count("d"), "lost": found.count("l"), "recent": found[-5:],
             "person": len(opponent) == 64, "run": len(found) - len(found.rstrip("w")),
             "best_run": max(map(len, re.split("[dl]", found))), "earlier": ""}
            for (player, opponent), found in results.items() if player
        ]  # fmt: skip
        connection.execute(sa.insert(schema.records), counts)
    with engine.begin() as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()
