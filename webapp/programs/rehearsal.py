"""The games in which a program is asked again about every board that it has answered.

A program that is nothing but a function of the board and of chance answers there as it did before.
Each board comes at the end of a game that leads to it: the same player's earlier boards are asked
once each. From game to game their draws come out in every way, so that a mood that was drawn for
one game, a count of the games and whatever else a game leaves behind shows in later answers. The
games are dealt to several processes, as the order of sets differs from start to start.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import product
from random import Random
from typing import TypeAlias

from webapp.core.board import CELLS_IN, Board

STARTS = 6
"""In how many processes a program is asked again."""

GAMES = 2_000
"""How many games are played with a quick program; more if it has answered more boards."""

SECONDS = 2.0
"""How long a program may be asked about boards for more than a first time, going by its answers so
far; of a slow one each board is asked twice at least, once with its draws in all ways."""

Question: TypeAlias = tuple[Board, int | None]
"""A board, asked in all ways that chance allows; with a number once, with the draws of that way."""


class Rehearsal:
    """The questions for each start; they are the same each time, but for the time that is left.

    :param seconds: how long the first answer to each board took
    """

    def __init__(self, seconds: Mapping[Board, float]) -> None:
        self._rng = Random(1)  # noqa: S311 - an order
        self._boards = self._rng.sample(list(seconds), len(seconds))
        self._before = {board: before(board, seconds) for board in seconds}
        self._asked = Counter[Board]()
        # The least that was seen, as a first answer may fill a cache.
        self._all_ways, self._once = dict(seconds), dict(seconds)

    def took(self, question: Question, seconds: float) -> None:
        """Learn how long an answer has taken."""
        board, number = question
        least = self._all_ways if number is None else self._once
        least[board] = min(least[board], seconds)

    def questions(self, start: int) -> list[Question]:
        """Return what is asked after one of the starts, which are numbered from 0."""
        boards, time_left = self._boards[start::STARTS], SECONDS / STARTS
        if not boards:
            return []
        together = sum(self._all_ways[board] for board in boards)
        times = 1 + int(min(GAMES / len(self._boards), time_left / together))
        # Each ply has the same share of the time: early boards are few, and moods are drawn there.
        alike = Counter(board.ply for board in self._boards)
        left = {board: time_left / len(alike) / alike[board.ply] for board in self._boards}
        games = (self._game(board, left) for _ in range(times) for board in boards)
        return [question for game in games for question in game]

    def _game(self, board: Board, left: dict[Board, float]) -> list[Question]:
        """Return a game that leads to a board, without earlier boards that have no time left."""
        game: list[Question] = [(board, None)]
        while self._before[board]:
            board = self._rng.choice(self._before[board])
            if left[board] >= self._once[board] or not self._asked[board]:
                game.append((board, self._asked[board]))
                self._asked[board] += 1
                left[board] -= self._once[board]
        return game[::-1]


def before(board: Board, known: Collection[Board]) -> list[Board]:
    """Return the known boards from which one move of each player leads to a board.

    >>> before(Board.parse("XO......."), [Board(), Board.parse("X........")])
    [Board('.........')]
    """
    pairs = product(CELLS_IN[board.x], CELLS_IN[board.o])
    found = (Board(board.x & ~(1 << x), board.o & ~(1 << o)) for x, o in pairs)
    return [one for one in found if one in known]
