"""What was played in a class, line by line. Moments are seconds since 1970. May import ``game``."""

from typing import NamedTuple

from webapp.core.game import Kind, Score


class Counted(NamedTuple):
    """A player, and what counts of their games.

    :param people: against other players; ``computer``: against engines
    :param seen_at: when the player last began a game
    """

    player: str
    name: str
    people: Score
    computer: Score
    seen_at: int


class Played(NamedTuple):
    """A game that is over.

    :param x: the name of the player of X; ``None`` for an engine, and for a player who left
    :param o: likewise of O
    :param x_seat: whether X was a player
    :param o_seat: whether O was one
    :param engine: its slug, in a game against one
    :param moves: the cells in order, such as ``402``
    :param given: how many of the moves stood on the board when it began
    :param outcome: ``x``, ``o``, ``draw``, ``left`` or ``cancelled``
    :param ending: as in :class:`~webapp.core.board.Outcome`
    :param tournament: the number of the tournament that it belongs to
    :param round: of a Swiss; 0 in an arena
    """

    began_at: int
    ended_at: int
    x: str | None
    o: str | None
    x_seat: bool
    o_seat: bool
    kind: Kind
    engine: str | None
    moves: str
    given: int
    outcome: str
    ending: str | None
    tournament: int | None
    round: int | None
