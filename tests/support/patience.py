"""How long tests wait for what they want to see."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds. Only a broken program takes that long, however busy the computer is."""


def until(holds: Callable[[], object], otherwise: str = "it never came") -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, otherwise
        time.sleep(0.01)
