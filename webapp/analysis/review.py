"""What each move of a game was worth, and which decided it. May import ``core``, ``engines``."""

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from webapp.core.board import Board, Mark
from webapp.core.game import Game, Reason
from webapp.core.solver import Evaluation, best_moves, evaluate
from webapp.engines.perfect import explain


class Judgement(Enum):
    """What a move did to what its player could still reach."""

    BEST = "best"
    SLOWER_WIN = "slower win"
    GAVE_AWAY_THE_WIN = "gave away the win"
    GAVE_AWAY_THE_DRAW = "gave away the draw"
    NOTHING_COULD_BE_DONE = "nothing could be done"


class ReviewedMove(NamedTuple):
    """A move, judged: the board before it, and its worth to the player.

    :param after: the worth to the same player after the move, and the plies left then
    :param better: the best cells with their reasons; empty if the move was one of them
    """

    cell: int
    mark: Mark
    board: Board
    before: Evaluation
    after: Evaluation
    judgement: Judgement
    better: tuple[tuple[int, Reason], ...]

    @property
    def mistake(self) -> bool:
        """Whether it gave away something that the player could have kept."""
        return self.judgement not in (Judgement.BEST, Judgement.NOTHING_COULD_BE_DONE)


class Review(NamedTuple):
    """A game, judged move by move; the turning point is the last move that changed its value."""

    game: Game
    moves: tuple[ReviewedMove, ...]
    turning_point: int | None


@lru_cache(maxsize=1024)
def review(moves: tuple[int, ...]) -> Review:
    """Judge the moves of a game, finished or not; ``IllegalMove`` if they cannot be played."""
    game = Game(moves)
    reviewed = tuple(map(judge, game.boards, game.moves))
    turning = [at for at, move in enumerate(reviewed) if move.after.value != move.before.value]
    return Review(game, reviewed, turning[-1] if turning else None)


def worth_after(board: Board, cell: int) -> Evaluation:
    """Return what a move is worth to its player, and the plies left after it."""
    theirs = evaluate(board.play(cell))
    return Evaluation(-theirs.value, theirs.distance)


def judge(board: Board, cell: int) -> ReviewedMove:
    before, after, best = evaluate(board), worth_after(board, cell), best_moves(board)
    return ReviewedMove(
        cell=cell,
        mark=board.turn,
        board=board,
        before=before,
        after=after,
        judgement=_judgement(before, after),
        better=() if cell in best else tuple((other, explain(board, other)) for other in best),
    )


def _judgement(before: Evaluation, after: Evaluation) -> Judgement:
    if before.value == -1:
        return Judgement.NOTHING_COULD_BE_DONE
    if after.value == before.value:
        slower = before.value == 1 and after.distance + 1 > before.distance
        return Judgement.SLOWER_WIN if slower else Judgement.BEST
    return Judgement.GAVE_AWAY_THE_WIN if before.value == 1 else Judgement.GAVE_AWAY_THE_DRAW
