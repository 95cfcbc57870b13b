"""One visitor asks for the most expensive pages without end, and a class plays on beside it."""

import asyncio
from concurrent.futures import Executor
from pathlib import Path

import pytest

from tests.bench import servers
from tests.bench.patience import ATTACKS, CONNECTIONS, COOKIES, PLAYERS, beside
from tests.support.loops import run
from tests.support.patience import PATIENCE
from webapp.config import Settings

SECONDS = 3
"""The bench measures for longer, and how long a move takes then."""


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_class_plays_on_beside_an_attack_and_no_move_is_refused(
    attack: str, tmp_path: Path, attacker: Executor, waits_for_locks: None
) -> None:
    with servers.game(Settings(data=tmp_path / "data")) as server:
        attacked = beside(attacker, server, attack, COOKIES, SECONDS)
        found = run(asyncio.wait_for(attacked, SECONDS + PATIENCE))
    assert found.answered + found.refused >= CONNECTIONS, "there was an attack"
    assert len(found.times) >= PLAYERS, "each has moved"
