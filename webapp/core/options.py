"""What a player chose for the next game, and the game that follows from it.

May import ``board`` and ``game``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from webapp.core.board import Mark
from webapp.core.game import MENACE, Game, Kind

FRIEND = "friend"  # the opponent at the same device, where others are engines by slug


@dataclass(frozen=True, slots=True)
class Options:
    """What a player chose for the next game; the defaults are a newcomer's.

    :param opponent: slug of an engine, or :data:`FRIEND`
    :param mark: the player's: ``"x"``, ``"o"`` or ``"alternate"``
    :param last_mark: the player's mark in the last game against an engine, ``"x"`` or ``"o"``
    """

    opponent: str = "medium"
    mark: str = "x"
    last_mark: str | None = None

    def new_game(self, player: str, game_id: str = "") -> Game:
        if self.opponent == FRIEND:
            return Game(kind=Kind.ONE_DEVICE, x_seat=player, o_seat=player, id=game_id)
        mine = self._next_mark()
        return Game(
            kind=Kind.ENGINE,
            x_seat=player if mine is Mark.X else None,
            o_seat=player if mine is Mark.O else None,
            engine=self.opponent,
            id=game_id,
        )

    def after(self, game: Game) -> Options:
        """Remember the player's mark once a game against an engine has begun."""
        if game.engine_mark is None or not game.moves:
            return self
        return replace(self, last_mark=game.engine_mark.other.slug)

    def _next_mark(self) -> Mark:
        """Alternating begins with X; MENACE always has X."""
        if self.opponent == MENACE:
            return Mark.O
        if self.mark == "alternate":
            return Mark.O if self.last_mark == "x" else Mark.X
        return Mark(self.mark.upper())
