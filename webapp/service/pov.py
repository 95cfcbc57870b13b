"""A game as one viewer sees it: the point of view that every use case returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webapp.analysis.puzzles import Puzzle
from webapp.core.board import Mark
from webapp.core.game import ABSENT_AFTER, Game, Kind, Score
from webapp.core.options import Options
from webapp.core.record import Record
from webapp.names import Player
from webapp.service.tournaments import Standing
from webapp.store.wishes import Wish
from webapp.tournament.event import Tournament

PHASES = (ABSENT_AFTER, 600)
"""After how many seconds without a change the pages of a game between two devices change: first
the game can be claimed; after the last, the page of a finished game asks for no more news."""

JUST = 5
"""For how many seconds after a game has begun its players count as here in any case: their pages
have not had the time to ask."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that the front page leads back to.

    :param turn: whether the viewer is to move
    :param lost_by_another: whether a new game as the page offers it counts this one as lost
    """

    game: Game
    turn: bool
    lost_by_another: bool


@dataclass(frozen=True, slots=True)
class Pov:
    """A game as one viewer sees it; on the front page the next game, not stored yet.

    :param marks: those that the viewer moves; none for a watcher
    :param options: what the viewer chose for the next game
    :param viewer: the viewer, without a name before the first game
    :param score: the viewer's score against the opponent; ``None`` where none is kept
    :param records: the viewer's, against every opponent; ``None`` where they were not asked for
    :param people: in a game between two devices the two, by mark
    :param idle: for how many seconds a game between two devices has not changed
    :param away: whether it is another player's turn who is not present
    :param paused: why no one can move, as a sentence; empty if the game goes on
    :param question: the id of what the class is asked, if that is why
    :param left: how many seconds the player to move has, in a tournament
    :param begins_in: in how many seconds that clock begins, before the first move of a game
    :param unfinished: on the front page, what the viewer may go on with instead
    :param wish: likewise, what the viewer waits for
    :param others: likewise, how many others are here; ``faces``: who came last
    :param puzzle: likewise, today's
    :param standing: the tournament that the viewer sees beside a game of it
    :param event: after a game between two devices, the tournament that the viewer has joined
    :param may_seek: whether the viewer may look for another opponent after it
    """

    game: Game
    marks: frozenset[Mark]
    options: Options
    viewer: Player
    score: Score | None = None
    records: tuple[Record, ...] | None = None
    people: Mapping[Mark, Player] = field(default_factory=dict)
    idle: int = 0
    away: bool = False
    paused: str = ""
    question: str | None = None
    left: int | None = None
    begins_in: int = 0
    unfinished: tuple[Unfinished, ...] = ()
    wish: Wish | None = None
    others: int = 0
    faces: Sequence[Player] = ()
    puzzle: Puzzle | None = None
    standing: Standing | None = None
    event: Tournament | None = None
    may_seek: bool = True

    @property
    def turn(self) -> bool:
        """Whether the game goes on and the viewer is to move."""
        return self.game.turn in self.marks

    @property
    def live(self) -> bool:
        """Whether it is between two people at two devices."""
        return self.game.kind is Kind.TWO_DEVICES

    @property
    def engine_begins(self) -> bool:
        """Whether the engine is to begin, once the viewer lets it."""
        return self.game.engine_to_move and bool(self.marks)

    @property
    def at_stake(self) -> Unfinished | None:
        """The game that a new one counts as lost: the front page asks about it."""
        return next((game for game in self.unfinished if game.lost_by_another), None)

    @property
    def may_play(self) -> bool:
        """Whether the viewer may play a cell of the board that the page shows."""
        return self.turn and not self.paused and not self.at_stake

    @property
    def won(self) -> bool:
        """Whether the viewer has won it."""
        return self.game.outcome is not None and self.game.outcome.winner in self.marks

    @property
    def claimable(self) -> bool:
        """Whether the opponent has been away for so long that the viewer may claim the game."""
        waits = self.live and self.game.turn is not None and not self.turn and not self.paused
        return waits and bool(self.marks) and self.idle >= ABSENT_AFTER

    @property
    def phase(self) -> int:
        """How many of the moments in :data:`PHASES` have passed."""
        return sum(self.idle >= moment for moment in PHASES)

    @property
    def changes_in_s(self) -> float:
        """After how many seconds time alone changes the page."""
        if not self.live or self.paused:
            return float("inf")
        moments = (JUST, *PHASES) if len(self.game.moves) < len(Mark) else PHASES
        return next((moment - self.idle for moment in moments if moment > self.idle), float("inf"))


def to_go_on_with(waiting: Iterable[Game], player: str, opponent: str) -> tuple[Unfinished, ...]:
    """Choose what the front page leads back to: a game with a classmate, and one of the others.

    :param waiting: the player's unfinished games, the last changed first
    :param opponent: against whom a new game would be: one that it counts as lost goes first
    """
    offered = [
        Unfinished(
            game,
            turn=game.turn in game.marks_of(player),
            lost_by_another=game.engine == opponent and game.forfeits_if_left,
        )
        for game in waiting
    ]
    live = [each for each in offered if each.game.kind is Kind.TWO_DEVICES]
    others = [each for each in offered if each.game.kind is not Kind.TWO_DEVICES]
    return (*live[:1], *sorted(others, key=lambda it: not it.lost_by_another)[:1])
