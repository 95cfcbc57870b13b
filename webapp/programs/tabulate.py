"""A program's answers on every board that it can meet, asked in two processes, and again.

The processes use different hash seeds and orders. Then each asks again, the quickest boards first,
for a moment. A program whose answers never differ is assumed to look only at the board. That cannot
be proved, so its figures name the assumption.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from webapp.core.board import Board, Mark
from webapp.core.solver import positions
from webapp.engines.base import EngineFault
from webapp.programs.files import CannotLoad, Program
from webapp.programs.process import Ended, Process

ASK_AGAIN_S = 0.3  # the time in which a process asks again
_PROGRESS_S = 0.1

Weights = tuple[tuple[int, int], ...]  # cells with whole-number weights, in cell order


@dataclass(slots=True)
class Tabulation:
    """What a program answered.

    :param told: the boards on which it answered anything, even with an error
    :param met: the boards on which it may have to move in a game
    :param faults: the boards without a legal answer, those that it can meet first
    :param doubt: two answers on the same board, in a sentence; empty if answers never differed
    :param printed: the number of lines printed when first asked, and the beginning of the first
    """

    program: Program
    idea: str = ""
    answers: dict[Board, Weights] = field(default_factory=dict)
    told: set[Board] = field(default_factory=set)
    met: set[Board] = field(default_factory=set)
    faults: dict[Board, EngineFault] = field(default_factory=dict)
    doubt: str = ""
    printed: tuple[int, str] = (0, "")

    @property
    def given_up(self) -> EngineFault | None:
        """The fault after which it was not asked any more."""
        silent = (fault for fault in self.faults.values() if fault.kind in ("slow", "ended"))
        return next(silent, None)


def tabulate(
    programs: Sequence[Program],
    *,
    every: bool = False,
    boards: Iterable[Board] | None = None,
    glance: Callable[[Sequence["Asking"]], object] = lambda _: None,
) -> list[Tabulation | CannotLoad]:
    """Ask programs, in as many processes as there are processors.

    :param every: ask about all 4,520 unfinished positions, not only about those that can be met
    :param boards: ask only about these
    :param glance: called regularly with the progress of both processes of each program
    """
    asking = [Asking(program, number) for program in programs for number in (1, 2)]
    with ExitStack() as stack:
        # Entered first and so left last: when called off, no thread waits for a program.
        threads = stack.enter_context(ThreadPoolExecutor(os.cpu_count() or 1))
        for run in asking:
            stack.callback(run.call_off)
        futures = [threads.submit(run.ask, every, boards) for run in asking]
        waiting = set(futures)
        while waiting:
            waiting = wait(waiting, _PROGRESS_S).not_done
            glance(asking)
        answers = [future.result() for future in futures]
    return [_merged(*two) for two in zip(answers[::2], answers[1::2], strict=True)]


def _merged(
    first: Tabulation | CannotLoad, second: Tabulation | CannotLoad
) -> Tabulation | CannotLoad:
    if isinstance(first, CannotLoad) or isinstance(second, CannotLoad):
        return first if isinstance(first, CannotLoad) else second
    # A board without an answer says nothing about chance.
    both = sorted(first.told & second.told, key=str)
    different = (board for board in both if first.answers.get(board) != second.answers.get(board))
    if board := next(different, None):
        first.doubt = _doubt(board, first.answers.get(board), second.answers.get(board))
    first.doubt = first.doubt or second.doubt
    first.met |= second.met
    faults = second.faults | first.faults
    ordered = sorted(faults, key=lambda board: (board not in first.met, board.ply, str(board)))
    first.faults = {board: faults[board] for board in ordered}
    return first


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
    """The questions to a program in process 1 or 2; the second asks in reverse order."""

    def __init__(self, program: Program, number: int) -> None:
        self.program, self._number = program, number
        self.board: Board | None = None
        self.done = self._called_off = False
        self._process: Process | None = None
        self._tabulation = Tabulation(program)

    def call_off(self) -> None:
        self._called_off = True
        if self._process:
            self._process.end()

    def ask(self, every: bool, boards: Iterable[Board] | None) -> Tabulation | CannotLoad:
        """Ask until the end, or until an answer does not come."""
        tabulation = self._tabulation
        try:
            self._process = Process(self.program.file, self.program.function, str(self._number))
            if self._called_off:  # there may have been no process to end
                self._process.end()
            function, tabulation.idea = self._process.loaded()
            tabulation.program = replace(self.program, function=function)
            for level in self._forwards(every) if boards is None else (boards,):
                self._ask_each(self._process, sorted(level, key=str, reverse=self._number == 2))
            self._ask_again(self._process)
        except CannotLoad as error:
            return error
        except Ended as error:
            if self.board:
                tabulation.faults[self.board] = EngineFault(self.board, error.why, error.kind)
            else:
                tabulation.doubt = (
                    f"It uses chance, or remembers: asked again, it ended. {error.why}"
                )
        finally:
            self.call_off()
            self.done = True
        return tabulation

    def _forwards(self, every: bool) -> Iterator[set[Board]]:
        """Yield the boards that it can meet with each mark, ply by ply; then all others."""
        tabulation = self._tabulation
        unfinished = {board for board in positions() if not board.outcome}
        for mark in Mark if self._number == 1 else reversed(Mark):
            boards = {board for board in unfinished if board.ply == (mark is Mark.O)}
            while boards:
                tabulation.met |= boards
                yield boards
                answers = ((board, tabulation.answers.get(board, ())) for board in boards)
                replied = {board.play(cell) for board, weights in answers for cell, _ in weights}
                boards = {b.play(cell) for b in replied for cell in b.legal_moves} & unfinished
        # A program that fails in a game is of no use, whatever it does elsewhere.
        if every and not tabulation.faults:
            yield unfinished - tabulation.met

    def _ask_each(self, process: Process, boards: Sequence[Board]) -> None:
        told = process.answers(boards)
        for board in boards:
            self.board = board
            self._keep(board, next(told))
        self.board = None

    def _ask_again(self, process: Process) -> None:
        tabulation, told = self._tabulation, process.again(ASK_AGAIN_S)
        if "board" not in told:
            return
        board = Board.parse(told["board"])
        before = tabulation.answers.get(board)
        self._keep(board, told)
        after = None if "fault" in told else tabulation.answers[board]
        tabulation.doubt = _doubt(board, before, after)

    def _keep(self, board: Board, told: Mapping[str, Any]) -> None:
        tabulation, (lines, first) = self._tabulation, told["printed"]
        tabulation.printed = tabulation.printed[0] + lines, tabulation.printed[1] or first
        tabulation.told.add(board)
        if "fault" in told:
            tabulation.faults[board] = EngineFault(board, **told["fault"])
        else:
            tabulation.answers[board] = tuple((cell, weight) for cell, weight in told["answer"])
