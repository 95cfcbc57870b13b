"""What a program answers on every board that it can meet: asked plainly, then again in games.

First each board is asked once, ply by ply. Then each is asked again, in fresh processes and in the
games of :mod:`webapp.programs.rehearsal`. A program that answers a board in another way then has
something other than the board to go by.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from webapp.core.board import Board, Mark
from webapp.core.solver import positions_from
from webapp.engines.base import EngineFault
from webapp.programs import process
from webapp.programs.files import CannotLoad, Program
from webapp.programs.process import Ended, Process
from webapp.programs.rehearsal import STARTS, Question, Rehearsal

MOST_DEATHS = 3
"""Boards without an answer after which the asking stops."""

SLOW = 1.0
"""The seconds from which an answer is worth a word."""

_GLANCE = 0.1  # seconds between two looks at the progress

Weights = tuple[tuple[int, int], ...]
"""Cells with whole-number weights, in cell order."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why it cannot be known exactly what a program does.

    :param kind: of what cannot be enumerated, or ``"earlier"`` for earlier calls
    :param what: the function that it was asked from, if it is known
    :param where: the line of the file, if it is known
    :param answers: where two answers differ, both
    """

    board: Board
    kind: str
    what: str = ""
    where: str = ""
    answers: tuple[Weights, Weights] = ((), ())


@dataclass(slots=True)
class Tabulation:
    """What is known of a program once it has been asked.

    :param idea: the first line of what its author says of it, if anything
    :param answers: cells with weights, by board
    :param seconds: how long the first answer to each board took
    :param met: the boards on its move that it can meet in games from the empty board
    :param faults: where it gave no legal answer, the boards that it can meet first
    :param doubt: why nothing exact can be said; ``None`` where all answers are exact
    :param printed: how many lines it printed when first asked, and the beginning of the first
    :param finished: whether it was asked all that there was to ask
    """

    program: Program
    idea: str = ""
    answers: dict[Board, Weights] = field(default_factory=dict)
    seconds: dict[Board, float] = field(default_factory=dict)
    met: set[Board] = field(default_factory=set)
    faults: dict[Board, EngineFault] = field(default_factory=dict)
    doubt: Doubt | None = None
    printed: tuple[int, str] = (0, "")
    finished: bool = True

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
    """Ask programs, as many at once as there are processors; what cannot be loaded says why.

    :param every: ask about all 4,520 unfinished positions, not only about those that can be met
    :param boards: ask about these and no others
    :param glance: called again and again with the progress of each
    """
    asking = [Asking(program) for program in programs]
    with ExitStack() as stack:
        # Leaves first, so that no one waits for a program when the asking is called off.
        threads = stack.enter_context(ThreadPoolExecutor(max(1, os.cpu_count() or 1)))
        for one in asking:
            stack.callback(one.call_off)
        asked = [threads.submit(one.tabulation, every, boards) for one in asking]
        waiting = set(asked)
        while waiting:
            waiting = wait(waiting, _GLANCE).not_done
            glance(asking)
        return [one.result() for one in asked]


class _GivenUp(Exception):  # noqa: N818 - within this module only
    """The asking has stopped."""


class Asking:
    """One program that is asked, in a new process each time that one has ended.

    :ivar share: how far it has been asked, from 0 to 1
    :ivar board: the board of the moment
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.share = 0.0
        self.board: Board | None = None
        self._found = Tabulation(program)
        self._process: Process | None = None
        self._called_off = False
        self._end = 0.0
        self._deaths = 0
        self._rehearsal: Rehearsal | None = None

    def call_off(self) -> None:
        """End the process; nothing is asked any more."""
        self._called_off = True
        if self._process:
            self._process.end()

    def tabulation(self, every: bool, boards: Iterable[Board] | None) -> Tabulation | CannotLoad:
        """Ask all there is to ask."""
        found = self._found
        self._end = time.monotonic() + process.TOGETHER
        try:
            found.doubt = self._forwards(every) if boards is None else self._first(boards, 0.5)
            found.doubt = found.doubt or self._again()
        except CannotLoad as error:
            return error
        except _GivenUp:
            found.finished = False
        finally:
            self._end_process()
            self.share = 1.0
        found.faults = dict(sorted(found.faults.items(), key=lambda one: one[0] not in found.met))
        return found

    def _forwards(self, every: bool) -> Doubt | None:
        """Ask about what it can meet with either mark, ply by ply, then about all the rest."""
        met, boards = self._found.met, {mark: {Board()} for mark in Mark}
        for ply in range(9):
            mark = Mark.X if ply % 2 == 0 else Mark.O
            met |= boards[mark]
            if doubt := self._first(boards[mark], (ply + 1) / 20):
                return doubt
            boards[mark] = {
                board.play(cell)
                for board in boards[mark]
                for cell, _ in self._found.answers.get(board, ())
            }
            other = boards[mark.other]
            boards[mark.other] = {b.play(cell) for b in other for cell in b.legal_moves}
            for each, some in boards.items():
                boards[each] = {board for board in some if not board.outcome}
        # One that fails where a game can lead is of no use, whatever it does elsewhere.
        if not every or self._found.faults:
            return None
        unfinished = {board for board in positions_from(Board()) if not board.outcome}
        return self._first(unfinished - met, 0.5)

    def _first(self, boards: Iterable[Board], share: float) -> Doubt | None:
        """Ask about boards for the first time."""
        ordered = sorted(boards, key=lambda board: (board.ply, str(board)))
        return self._ask([(board, None) for board in ordered], 0, share)

    def _again(self) -> Doubt | None:
        """Ask about all of it again, in games that lead there."""
        found = self._found
        self._rehearsal = Rehearsal({board: found.seconds[board] for board in found.answers})
        for start in range(1, STARTS + 1):
            self._end_process()
            questions = self._rehearsal.questions(start - 1)
            if doubt := self._ask(questions, start, 0.5 + 0.5 * start / STARTS):
                return doubt
        return None

    def _ask(self, questions: Sequence[Question], start: int, share: float) -> Doubt | None:
        """Put questions, and keep what comes; stop at the first that cannot be known."""
        left = deque(questions)
        step = (share - self.share) / (len(left) or 1)
        while left:
            self.board = left[0][0]
            try:
                for told in self._running(start).answers(left):
                    if doubt := self._take(left[0], told):
                        return doubt
                    left.popleft()
                    self.share += step
                    self.board = left[0][0] if left else None
                    if time.monotonic() > self._end:
                        raise _GivenUp
            except Ended as error:
                if self._called_off:
                    raise _GivenUp from error
                self._end_process()
                board, _ = left.popleft()
                self._found.faults[board] = EngineFault(board, error.why, error.kind)
                self._found.answers.pop(board, None)
                self._deaths += 1
                if self._deaths == MOST_DEATHS:
                    raise _GivenUp from error
        return None

    def _end_process(self) -> None:
        if self._process:
            self._process.end()
            self._process = None

    def _running(self, start: int) -> Process:
        """Return the process that can be asked, with the file loaded."""
        if self._process is None:
            self._process = Process(self.program.file, self.program.function, start=start)
            if self._called_off:  # there may have been no process to end
                raise _GivenUp
            function, self._found.idea = self._process.loaded()
            self._found.program = replace(self.program, function=function)
        return self._process

    def _take(self, question: Question, told: Mapping[str, Any]) -> Doubt | None:
        """Keep one answer, or return why it cannot be known."""
        (board, number), found = question, self._found
        try:
            if not self._rehearsal:
                lines, first = told["printed"]
                found.printed = max(found.printed, (int(lines), str(first)))
            seconds = float(told["seconds"])
            if "doubt" in told:
                return Doubt(board, *told["doubt"])
            if "fault" in told:
                found.faults[board] = fault_of(board, told)
                return None
            answer = weights_of(board, told)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Ended(process.NONSENSE) from error
        if not self._rehearsal:
            found.answers[board], found.seconds[board] = answer, seconds
            return None
        self._rehearsal.took(question, seconds)
        # One way that its draws can go has some of the cells; all ways together have all of them.
        known = found.answers.get(board, answer)
        alike = answer == known if number is None else dict(answer).keys() <= dict(known).keys()
        return None if alike else Doubt(board, "earlier", answers=(known, answer))


def fault_of(board: Board, told: Mapping[str, Any]) -> EngineFault:
    """Read what went wrong from what a process told."""
    said: Mapping[str, str] = told["fault"]
    return EngineFault(board, said["why"], said["kind"], said.get("where", ""), said["alike"])


def weights_of(board: Board, told: Mapping[str, Any]) -> Weights:
    """Read an answer from what a process told; ``ValueError`` if it is none."""
    weights = tuple(sorted((int(cell), int(weight)) for cell, weight in told["answer"]))
    if not weights or not all(c in board.legal_moves and weight > 0 for c, weight in weights):
        raise ValueError("not an answer")
    return weights
