"""What a program answers on every board that it can meet: asked plainly, then again in games.

First each board is asked once, ply by ply. Then each is asked again, in fresh processes and in the
games of :mod:`webapp.programs.rehearsal`, where whatever is imported beyond a few harmless modules
is watched for chance that cannot be enumerated. A program that answers a board in another way then
has something other than the board to go by.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from webapp.core.board import Board, Mark
from webapp.core.solver import positions_from
from webapp.engines.base import EngineFault
from webapp.programs import process
from webapp.programs.files import CannotLoad, Program
from webapp.programs.process import Ended, Process
from webapp.programs.rehearsal import STARTS, Question, Rehearsal

MOST_DEATHS = 3
"""After how many boards without an answer the asking stops."""

SLOW = 1.0
"""An answer that took so many seconds is worth a word."""

_GLANCE = 0.1  # how often progress is shown, in seconds

Weights = tuple[tuple[int, int], ...]
"""Cells with whole-number weights, in cell order."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why it cannot be known exactly what a program does.

    :param kind: what it was that cannot be enumerated, or ``"earlier"`` for earlier calls
    :param where: the line of the file, if one is known
    :param answers: where two answers differ, both
    """

    board: Board
    kind: str
    where: str = ""
    answers: tuple[Weights, Weights] = ((), ())


@dataclass(frozen=True, slots=True)
class Tabulation:
    """What is known of a program once it has been asked.

    :param idea: the first line of what its author says of it, if anything
    :param answers: cells with weights, by board
    :param met: the boards on its move that it can meet in games from the empty board
    :param faults: where it gave no legal answer, the gravest first
    :param doubt: why nothing exact can be said; ``None`` where all answers are exact
    :param slow: the boards that took more than a second, the slowest first, with the seconds
    :param printed: how many lines it printed when first asked, and the beginning of the first
    :param finished: whether it was asked all that there was to ask
    """

    program: Program
    idea: str
    answers: Mapping[Board, Weights]
    met: frozenset[Board]
    faults: tuple[EngineFault, ...] = ()
    doubt: Doubt | None = None
    slow: tuple[tuple[Board, float], ...] = ()
    printed: tuple[int, str] = (0, "")
    finished: bool = True


@dataclass(slots=True)
class Progress:
    """How far one program has been asked: the share from 0 to 1, and the board of the moment."""

    program: Program
    share: float = 0.0
    board: Board | None = None


def tabulate(
    programs: Sequence[Program],
    *,
    every: bool = False,
    boards: Iterable[Board] | None = None,
    glance: Callable[[Sequence[Progress]], object] = lambda _: None,
) -> list[Tabulation | CannotLoad]:
    """Ask programs, as many at once as there are processors; what cannot be loaded says why.

    :param every: ask about all 4,520 unfinished positions, not only about those that can be met
    :param boards: ask about these and no others
    :param glance: called again and again with the progress of each
    """
    progress = [Progress(program) for program in programs]
    with ExitStack() as stack:
        # Leaves first, so that no one waits for a program when the asking is called off.
        threads = stack.enter_context(ThreadPoolExecutor(max(1, os.cpu_count() or 1)))
        questions = [_Questions(one) for one in progress]
        for one in questions:
            stack.callback(one.call_off)
        asked = [threads.submit(one.tabulation, every, boards) for one in questions]
        waiting = set(asked)
        while waiting:
            waiting = wait(waiting, _GLANCE).not_done
            glance(progress)
        return [one.result() for one in asked]


class _GivenUp(Exception):  # noqa: N818 - within this module only
    """The asking has stopped."""


class _Questions:
    """Puts the questions to one program, in a new process each time that one has ended."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._program = progress, progress.program
        self._process: Process | None = None
        self._called_off = False
        self._end = 0.0
        self._idea = ""
        self._imports = False
        self._deaths = 0
        self._answers: dict[Board, Weights] = {}
        self._faults: dict[Board, EngineFault] = {}
        self._seconds: dict[Board, float] = {}
        self._rehearsal: Rehearsal | None = None
        self._printed = (0, "")

    def call_off(self) -> None:
        """End the process; nothing is asked any more."""
        self._called_off = True
        if self._process:
            self._process.end()

    def tabulation(self, every: bool, boards: Iterable[Board] | None) -> Tabulation | CannotLoad:
        """Ask all there is to ask."""
        self._end = time.monotonic() + process.TOGETHER
        met: set[Board] = set()
        doubt, finished = None, True
        try:
            doubt = self._forwards(met, every) if boards is None else self._first(boards, 0.5)
            doubt = doubt or self._again()
        except CannotLoad as error:
            return error
        except _GivenUp:
            finished = False
        finally:
            self._end_process()
            self._progress.share = 1.0
        slow = [(board, taken) for board, taken in self._seconds.items() if taken > SLOW]
        return Tabulation(
            self._program,
            self._idea,
            self._answers,
            frozenset(met),
            tuple(sorted(self._faults.values(), key=lambda one: one.board not in met)),
            doubt,
            tuple(sorted(slow, key=lambda one: -one[1])),
            self._printed,
            finished,
        )

    def _forwards(self, met: set[Board], every: bool) -> Doubt | None:
        """Ask about what it can meet with either mark, ply by ply, then about all the rest."""
        boards = {mark: {Board()} for mark in Mark}
        for ply in range(9):
            mark = Mark.X if ply % 2 == 0 else Mark.O
            met |= boards[mark]
            if doubt := self._first(boards[mark], (ply + 1) / 20):
                return doubt
            boards[mark] = {
                board.play(cell)
                for board in boards[mark]
                for cell, _ in self._answers.get(board, ())
            }
            other = boards[mark.other]
            boards[mark.other] = {b.play(cell) for b in other for cell in b.legal_moves}
            for each, some in boards.items():
                boards[each] = {board for board in some if not board.outcome}
        # One that fails where a game can lead is of no use, whatever it does elsewhere.
        return self._first(_unfinished() - met, 0.5) if every and not self._faults else None

    def _first(self, boards: Iterable[Board], share: float) -> Doubt | None:
        """Ask about boards for the first time."""
        ordered = sorted(boards, key=lambda board: (board.ply, str(board)))
        return self._ask([(board, None) for board in ordered], 0, share)

    def _again(self) -> Doubt | None:
        """Ask about all of it again, in games that lead there."""
        self._rehearsal = Rehearsal({board: self._seconds[board] for board in self._answers})
        for start in range(1, STARTS + 1):
            self._end_process()
            questions = self._rehearsal.questions(start - 1)
            if doubt := self._ask(questions, start, 0.5 + 0.5 * start / STARTS):
                return doubt
        return None

    def _ask(self, questions: Sequence[Question], start: int, share: float) -> Doubt | None:
        """Put questions, and keep what comes; stop at the first that cannot be known."""
        left = deque(questions)
        step = (share - self._progress.share) / (len(left) or 1)
        while left:
            self._progress.board = left[0][0]
            try:
                for told in self._running(start).answers(left):
                    if doubt := self._take(left[0], told):
                        return doubt
                    left.popleft()
                    self._progress.share += step
                    self._progress.board = left[0][0] if left else None
                    if time.monotonic() > self._end:
                        raise _GivenUp
            except Ended as error:
                if self._called_off:
                    raise _GivenUp from error
                self._end_process()
                board, _ = left.popleft()
                self._faults[board] = EngineFault(board, error.why, error.kind)
                self._answers.pop(board, None)
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
        if self._called_off:
            raise _GivenUp
        if self._process is None:
            watched = bool(self._rehearsal) and self._imports
            self._process = Process(
                self._program.file, self._program.function, watched=watched, start=start
            )
            if self._called_off:  # meanwhile, before there was a process to end
                raise _GivenUp
            function, self._idea = self._process.loaded()
            self._program = replace(self._program, function=function)
        return self._process

    def _take(self, question: Question, told: Mapping[str, Any]) -> Doubt | None:
        """Keep one answer, or return why it cannot be known."""
        board, number = question
        try:
            self._imports = self._imports or bool(told["imports"])
            if not self._rehearsal:
                self._printed = max(self._printed, printed_of(told), key=lambda one: one[0])
            seconds = float(told["seconds"])
            if "doubt" in told:
                return Doubt(board, *told["doubt"])
            if "fault" in told:
                self._faults[board] = fault_of(board, told)
                return None
            answer = weights_of(board, told)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Ended(process.NONSENSE, "ended") from error
        if not self._rehearsal:
            self._answers[board], self._seconds[board] = answer, seconds
            return None
        self._rehearsal.took(question, seconds)
        # One way that its draws can go has some of the cells; all ways together have all of them.
        known = self._answers.get(board, answer)
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


def printed_of(told: Mapping[str, Any]) -> tuple[int, str]:
    """Read how many lines were printed, and the beginning of the first."""
    lines, first = told["printed"]
    return int(lines), str(first)


def _unfinished() -> set[Board]:
    return {board for board in positions_from(Board()) if not board.outcome}
