"""What a program answers on every board that it can meet: asked in two processes, and again.

The processes begin with different hashes and ask in different orders. Then each asks again, the
quickest boards first, for a moment. A program that never answers a board in another way is taken to
look at nothing but the board: no one can prove that it does, so its figures say what they rest on.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from webapp.core.board import Board, Mark
from webapp.core.solver import positions_from
from webapp.engines.base import EngineFault
from webapp.programs.files import CannotLoad, Program
from webapp.programs.process import Ended, Process

AGAIN = 0.3
"""The seconds in which a process asks again what it has asked."""

SLOW = 1.0
"""The seconds from which an answer is worth a word."""

_MET = (0, 8, 105, 30, 135, 30, 35, 8, 9, 1)
"""About how many boards with so many free cells a program meets; a guess, for the time left."""

_GLANCE = 0.1  # seconds between two looks at the progress

Weights = tuple[tuple[int, int], ...]
"""Cells with whole-number weights, in cell order."""


@dataclass(slots=True)
class Tabulation:
    """What is known of a program once it has been asked.

    :param idea: the first line of what its author says of it, if anything
    :param answers: cells with weights, by board
    :param seconds: the least that an answer to each board took, as a first may fill a cache
    :param met: the boards on its move that it can meet in games from the empty board
    :param faults: where it gave no legal answer, the boards that it can meet first
    :param doubt: two answers to one board, in a sentence; empty where it never answered otherwise
    :param printed: how many lines it printed when first asked, and the beginning of the first
    """

    program: Program
    idea: str = ""
    answers: dict[Board, Weights] = field(default_factory=dict)
    seconds: dict[Board, float] = field(default_factory=dict)
    met: set[Board] = field(default_factory=set)
    faults: dict[Board, EngineFault] = field(default_factory=dict)
    doubt: str = ""
    printed: tuple[int, str] = (0, "")

    @property
    def given_up(self) -> EngineFault | None:
        """The board on which it stopped answering, so that it was not asked everywhere."""
        silent = (fault for fault in self.faults.values() if fault.kind in ("slow", "ended"))
        return next(silent, None)

    @property
    def slow(self) -> list[tuple[float, Board]]:
        """The boards that took more than a second, with the seconds, the slowest first."""
        slow = [(taken, board) for board, taken in self.seconds.items() if taken > SLOW]
        return sorted(slow, key=lambda one: -one[0])


def tabulate(
    programs: Sequence[Program],
    *,
    every: bool = False,
    boards: Iterable[Board] | None = None,
    glance: Callable[[Sequence["Asking"]], object] = lambda _: None,
) -> list[Tabulation | CannotLoad]:
    """Ask programs, in as many processes as there are processors; what cannot be loaded says why.

    :param every: ask about all 4,520 unfinished positions, not only about those that can be met
    :param boards: ask about these and no others
    :param glance: called again and again with the progress, two for each program
    """
    asking = [Asking(program, start) for program in programs for start in (1, 2)]
    with ExitStack() as stack:
        # Leaves first, so that no one waits for a program when the asking is called off.
        threads = stack.enter_context(ThreadPoolExecutor(os.cpu_count() or 1))
        for one in asking:
            stack.callback(one.call_off)
        asked = [threads.submit(one.ask, every, boards) for one in asking]
        waiting = set(asked)
        while waiting:
            waiting = wait(waiting, _GLANCE).not_done
            glance(asking)
        found = [one.result() for one in asked]
    return [_together(*two) for two in zip(found[::2], found[1::2], strict=True)]


def _together(
    one: Tabulation | CannotLoad, other: Tabulation | CannotLoad
) -> Tabulation | CannotLoad:
    """Add to one what another process told of the same program."""
    if isinstance(one, CannotLoad) or isinstance(other, CannotLoad):
        return one if isinstance(one, CannotLoad) else other
    # Boards without any answer say nothing about chance.
    both = sorted(one.seconds.keys() & other.seconds.keys(), key=str)
    apart = (board for board in both if one.answers.get(board) != other.answers.get(board))
    if board := next(apart, None):
        one.doubt = _doubt(board, one.answers.get(board), other.answers.get(board))
    one.doubt = one.doubt or other.doubt
    one.met |= other.met
    faults = other.faults | one.faults
    ordered = sorted(faults, key=lambda board: (board not in one.met, board.ply, str(board)))
    one.faults = {board: faults[board] for board in ordered}
    one.seconds = {board: min(one.seconds[board], other.seconds[board]) for board in both}
    return one


def _doubt(board: Board, *answers: Weights | None) -> str:
    first, second = (
        dict(answer) if answer and len(answer) > 1 else answer[0][0] if answer else "nothing legal"
        for answer in answers
    )
    return (
        f"It uses chance, or remembers: on {board} it answered {first}, then {second}. Return "
        "every cell that it may choose, as a list such as [0, 2, 6, 8] or as weights such as "
        "{4: 3, 0: 1}, and its figures are exact."
    )


class Asking:
    """A program that is asked in a process of its own.

    :ivar board: the board of the moment
    :ivar done: whether nothing more is asked
    """

    def __init__(self, program: Program, start: int) -> None:
        self.program, self._start = program, start
        self.board: Board | None = None
        self.done = self._called_off = False
        self._process: Process | None = None
        self._found = Tabulation(program)
        self._expected: Sequence[int] = _MET
        self._took, self._asked = [0.0] * 10, [0] * 10

    @property
    def left(self) -> float:
        """For about how many seconds it will be asked yet.

        A search takes about n times as long with n free cells as with one cell less.
        """
        each = left = 0.0
        for free, (number, asked) in enumerate(zip(self._expected, self._asked, strict=True)):
            each = self._took[free] / asked if asked else each * free
            left += max(0, number - asked) * each
        return left

    def call_off(self) -> None:
        """End the process; nothing is asked any more."""
        self._called_off = True
        if self._process:
            self._process.end()

    def ask(self, every: bool, boards: Iterable[Board] | None) -> Tabulation | CannotLoad:
        """Ask all there is to ask, until an answer does not come."""
        found = self._found
        try:
            self._process = Process(self.program.file, self.program.function, str(self._start))
            if self._called_off:  # there may have been no process to end
                self._process.end()
            function, found.idea = self._process.loaded()
            found.program = replace(self.program, function=function)
            for some in self._forwards(every) if boards is None else (boards,):
                self._each(self._process, sorted(some, key=str, reverse=self._start == 2))
            self._again(self._process)
        except CannotLoad as error:
            return error
        except Ended as error:
            if self.board:
                found.faults[self.board] = EngineFault(self.board, error.why, error.kind)
            else:
                found.doubt = f"It uses chance, or remembers: asked again, it ended. {error.why}"
        finally:
            self.call_off()
            self.done = True
        return found

    def _forwards(self, every: bool) -> Iterator[set[Board]]:
        """What it can meet with one mark and the other, ply by ply; then, of all, the rest."""
        found = self._found
        unfinished = {board for board in positions_from(Board()) if not board.outcome}
        if every:
            number = Counter(9 - board.ply for board in unfinished)
            self._expected = [number[free] for free in range(10)]
        for mark in Mark if self._start == 1 else reversed(Mark):
            boards = {board for board in unfinished if board.ply == (mark is Mark.O)}
            while boards:
                found.met |= boards
                yield boards
                answers = ((board, found.answers.get(board, ())) for board in boards)
                replied = {board.play(cell) for board, weights in answers for cell, _ in weights}
                boards = {b.play(cell) for b in replied for cell in b.legal_moves} & unfinished
        # One that fails where a game can lead is of no use, whatever it does elsewhere.
        if every and not found.faults:
            yield unfinished - found.met

    def _each(self, process: Process, boards: Sequence[Board]) -> None:
        """Ask about boards for the first time, and keep what comes."""
        told = process.answers(boards)
        for board in boards:
            self.board = board
            self._take(board, next(told))
        self.board = None

    def _again(self, process: Process) -> None:
        """Ask again about all of it, for a moment."""
        found, told = self._found, process.again(AGAIN)
        if "least" in told:
            found.seconds = {Board.parse(text): taken for text, taken in told["least"].items()}
            return
        board = Board.parse(told["board"])
        before = found.answers.get(board)
        self._take(board, told)
        found.doubt = _doubt(board, before, None if "fault" in told else found.answers[board])

    def _take(self, board: Board, told: Mapping[str, Any]) -> None:
        """Keep one answer."""
        found, (lines, first) = self._found, told["printed"]
        found.printed = found.printed[0] + lines, found.printed[1] or first
        found.seconds[board] = told["seconds"]
        self._took[9 - board.ply] += told["seconds"]
        self._asked[9 - board.ply] += 1
        if "fault" in told:
            found.faults[board] = fault_of(board, told["fault"])
        else:
            found.answers[board] = tuple((cell, weight) for cell, weight in told["answer"])


def fault_of(board: Board, told: Mapping[str, str]) -> EngineFault:
    """Read what went wrong from what a process told."""
    return EngineFault(board, told["why"], told["kind"], told.get("where", ""), told["alike"])
