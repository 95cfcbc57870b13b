"""A database with very many games."""

import random
import time
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from webapp.config import Settings
from webapp.core.game import Kind
from webapp.store import prepare, schema

RIVAL = "medium"
_GAMES_EACH = 200  # of a player, on the average
_BETWEEN_TWO = 0.3  # of all games


def fill(settings: Settings, number: int, cookies: Sequence[str] = (), own: int = 0) -> None:
    """Make a database with so many finished games, their players, and what is counted of them.

    :param cookies: of players who have finished ``own`` games more, all against one engine
    """
    prepare(settings)
    now, results = int(time.time()), defaultdict[tuple[str, str], str](str)
    names = [*map(str, range(max(2, number // _GAMES_EACH))), *cookies]
    people = [sha256(name.encode()).hexdigest() for name in names]
    crowd, veterans = people[: len(people) - len(cookies)], people[len(people) - len(cookies) :]

    def game(n: int) -> dict[str, Any]:
        moves, outcome = random.choice((("03142", "x"), ("031485", "o"), ("402635178", "draw")))
        (x, other), person = random.sample(crowd, 2), False
        if n >= number:
            x, other = veterans[(n - number) // own], RIVAL
        elif not (person := random.random() < _BETWEEN_TWO):
            other = random.choice(("easy", "medium", "hard"))
        for mark, player, rival in (("x", x, other), ("o", other, x))[: 1 + person]:
            results[player, rival] += "d" if outcome == "draw" else "lw"[outcome == mark]
        return {
            "id": f"{n:022}", "x_seat": x, "o_seat": other if person else None,
            "engine": None if person else other, "moves": moves, "outcome": outcome,
            "kind": Kind.TWO_DEVICES if person else Kind.ENGINE, "version": len(moves),
            "reasons": "[]", "given": 0, "helped": False, "created_at": now, "updated_at": now,
        }  # fmt: skip

    engine = sa.create_engine(settings.url)
    with engine.begin() as connection:
        for first in range(0, total := number + own * len(veterans), 20_000):
            some = range(first, min(first + 20_000, total))
            connection.execute(sa.insert(schema.games), [game(n) for n in some])
        players = [
            {"id": player, "opponent": RIVAL, "mark": "x", "created_at": now, "seen_at": now,
             "name": f"Player {n}", "name_key": f"player {n}"}
            for n, player in enumerate(people)
        ]  # fmt: skip
        counts = [
            {"player": player, "opponent": opponent, "won": how.count("w"), "drawn": how.count("d"),
             "lost": how.count("l"), "recent": how[-5:], "person": len(opponent) == 64,
             "run": len(how) - len(how.rstrip("w")), "best_run": how.count("w"), "earlier": ""}
            for (player, opponent), how in results.items()
        ]  # fmt: skip
        connection.execute(sa.insert(schema.players), players)
        connection.execute(sa.insert(schema.records), counts)
    with engine.begin() as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()
