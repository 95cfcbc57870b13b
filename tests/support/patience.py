import time
from collections.abc import Callable
from typing import TypeAlias

Times: TypeAlias = Callable[[int, int], int]
"""How often to do something: what the fixture ``times`` gives."""

PATIENCE = 120.0  # seconds. Only a broken program takes that long, however busy the computer is


def until(holds: Callable[[], object], otherwise: str = "it never came") -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, otherwise
        time.sleep(0.01)
