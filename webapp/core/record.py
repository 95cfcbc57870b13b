"""A player's results against one opponent. May import ``game``."""

from __future__ import annotations

from dataclasses import dataclass, replace

from webapp.core.game import Result

RECENT_RESULTS = 5  # results that are kept in order; ratings use only these


@dataclass(frozen=True, slots=True)
class Record:
    """A player's rated games against one opponent.

    :param opponent: slug of an engine, or a player
    :param recent: the last results, the newest last: ``"wwdlw"``; empty if the opponent was removed
    :param run: games won in a row, up to the last game
    :param person: whether the opponent is or was a player
    :param earlier: the best result before the standings were reset: ``w``, ``d`` or empty
    """

    player: str
    opponent: str
    recent: str = ""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    run: int = 0
    best_run: int = 0
    person: bool = False
    earlier: str = ""

    @property
    def best(self) -> str:
        """The best result ever, resets included: ``w``, ``d`` or empty."""
        return "w" if self.won else self.earlier or ("d" if self.drawn else "")

    def after(self, result: Result) -> Record:
        run = self.run + 1 if result == "w" else 0
        return replace(
            self,
            recent=(self.recent + result)[-RECENT_RESULTS:],
            won=self.won + (result == "w"),
            drawn=self.drawn + (result == "d"),
            lost=self.lost + (result == "l"),
            run=run,
            best_run=max(self.best_run, run),
        )
