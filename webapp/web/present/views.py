"""What the templates of the play page print, and nothing that decides it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from webapp import words
from webapp.core.board import Outcome
from webapp.service.pov import Pov
from webapp.web.present.goals import GoalsView

OpponentGroup: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A label, empty for the first group, and the slug and text of each line."""


class CellView(NamedTuple):
    """One cell. ``ghost`` is the mark that a click would draw, if any; ``new`` when it was drawn.

    In a review ``note`` says what playing it leads to, ``worth`` as a value's class.
    """

    number: int
    label: str
    mark: str = ""
    ghost: str = ""
    winning: bool = False
    hinted: bool = False
    new: str = ""
    worth: str = ""
    note: str = ""


class ActionView(NamedTuple):
    """One button beside the board; ``name`` is the end of the address that it posts to.

    ``asks`` is the question to confirm first, if it cannot be taken back. A button that ``leaves``
    a game which counts as lost then only leads to the front page, which asks. One that goes ``on``
    looks for another opponent. Its ``id`` on the page is its name, unless it means something else
    there.
    """

    name: str
    text: str
    possible: bool = True
    primary: bool = False
    asks: str = ""
    leaves: bool = False
    on: bool = False
    id: str = ""


class MoveView(NamedTuple):
    """One line of the list of moves; ``done`` is what the move did, the main thing first."""

    number: int
    mark: str
    cell: str
    done: tuple[str, ...]


class UnfinishedView(NamedTuple):
    """A game to continue; ``remark`` is anything that the link does not say."""

    id: str
    text: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class PlayView:
    """The play page, and the fragment of it that every answer to htmx carries.

    :param id: of the stored game; empty on the front page, which has a ``key`` instead
    :param opponent: the name of the opponent, for the score
    :param uncounted: why the game counts nowhere; empty where it does, or nothing is counted
    :param review: where a finished game is reviewed: its moves, the opponent, the player's mark
    :param live: between two people at two devices
    :param waits: whether the page waits for news
    :param alone: whether the viewer plays it without anyone at another device
    :param claimable_in: after how many seconds the game can be claimed from a player who is away,
        as the asides say
    :param asides: other sentences
    :param people: who plays which mark, between two people
    :param unfinished: on the front page, games to continue instead
    :param question: on the front page, the game that a new one counts as lost: asked about in the
        board's place, with its board in sight
    :param goals: what there is to be proud of; ``None`` where it has not changed
    :param refusal: why the last request was refused; empty otherwise
    :param notice: what was done, where the board does not say it
    :param told: whether the page shows this board already, and time has brought what is new
    """

    pov: Pov
    id: str
    key: str
    heading: str
    sentence: str
    cells: tuple[CellView, ...]
    actions: tuple[ActionView, ...]
    opponent: str
    uncounted: str
    review: Mapping[str, str | None] | None
    moves: tuple[MoveView, ...]
    people: str
    unfinished: tuple[UnfinishedView, ...]
    question: UnfinishedView | None
    goals: GoalsView | None
    live: bool
    waits: bool
    alone: bool
    claimable_in: int | None
    asides: tuple[str, ...]
    refusal: str = ""
    notice: str = ""
    told: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return self.pov.game.outcome

    @property
    def won(self) -> bool:
        """Whether the viewer has won it."""
        return self.outcome is not None and self.outcome.winner in self.pov.marks

    @property
    def looking(self) -> bool:
        """Whether the viewer cannot play on this board."""
        return not self.pov.marks or self.question is not None

    @property
    def announcement(self) -> str:
        """What a screen reader says after a change: at most fifteen words."""
        if self.refusal:
            return self.refusal
        if self.pov.paused:
            return self.sentence
        if self.question:
            return f"{self.question.text} {self.heading}"
        if self.notice:
            return f"{self.notice} {self.heading}."
        if self.asides and (self.outcome or self.told):
            # Anyone who looks again after a time may not have heard yet how it ended.
            return " ".join((f"{self.heading}.", *self.asides) if self.outcome else self.asides)
        if not self.outcome:
            return f"{self.sentence} {self.heading}."
        said = f"{self.heading}. {self.sentence}"
        return said if len(said.split()) <= words.MOST_AT_ONCE else f"{self.heading}."
