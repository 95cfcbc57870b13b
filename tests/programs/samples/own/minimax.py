"""Source B: the first best cell on an immutable board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class Board:
    squares: tuple[str, ...]
    turn: str

    def move(self, cell: int) -> Board:
        squares = (*self.squares[:cell], self.turn, *self.squares[cell + 1 :])
        return replace(self, squares=squares, turn="XO".replace(self.turn, ""))

    @property
    def legal_moves(self) -> list[int]:
        return [cell for cell in range(9) if self.squares[cell] == "."]

    @property
    def is_win(self) -> bool:
        of = self.squares
        return any(of[a] == of[b] == of[c] != "." for a, b, c in LINES)


@cache
def minimax(board: Board, maximizing: bool, original: str) -> int:
    if board.is_win:
        return -1 if board.turn == original else 1
    if not board.legal_moves:
        return 0
    values = [minimax(board.move(c), not maximizing, original) for c in board.legal_moves]
    return max(values) if maximizing else min(values)


def best(board: str, mark: str) -> int:
    now = Board(tuple(board), mark)
    value, cell = -2, -1
    for move in now.legal_moves:
        result = minimax(now.move(move), False, mark)
        if result > value:
            value, cell = result, move
    return cell
