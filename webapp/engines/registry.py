"""The engines by slug, in the order in which people choose among them."""

from __future__ import annotations

from webapp.engines.base import Engine
from webapp.engines.perfect import HARD
from webapp.engines.rules import EASY, MEDIUM

ENGINES: dict[str, Engine] = {engine.slug: engine for engine in (EASY, MEDIUM, HARD)}
