"""One visitor asks for the most expensive pages without end, and a class plays on beside it."""

import asyncio
from concurrent.futures import Executor
from pathlib import Path

import pytest

from tests.bench import servers
from tests.bench.patience import ATTACKS, CONNECTIONS, COOKIES, PLAYERS, beside
from tests.support.pace import slowness
from webapp.config import Settings

SECONDS = 3
LONGEST = 2.0
"""The bench measures what docs/performance.md says; here another test is at work as well."""


@pytest.mark.alone
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_class_plays_on_beside_an_attack_and_no_move_is_refused(
    attack: str, tmp_path: Path, attacker: Executor
) -> None:
    with servers.game(Settings(data=tmp_path), 2) as server:
        found = asyncio.run(beside(attacker, server, attack, COOKIES, SECONDS))
    assert found.answered + found.refused >= CONNECTIONS, "there was an attack"
    assert len(found.times) > PLAYERS
    assert sorted(found.times)[-len(found.times) // 20] < LONGEST * slowness()
