"""An engine under examination, such as a student's own. May import ``core`` and ``engines``."""

from dataclasses import dataclass

from webapp.analysis.policy import cell_played, may_follow, policy_of, result, unpack
from webapp.analysis.worth import Worth, worth
from webapp.core.board import Mark
from webapp.engines.base import Engine, EngineFault

_ENOUGH_SLOW_ANSWERS = 3


@dataclass(frozen=True, slots=True)
class Report:
    """What an examination found.

    :param positions: how many positions it was asked about: all that it can meet on its move
    :param worth: ``None`` where there are faults, so that nothing can be computed
    """

    engine: Engine
    positions: int
    faults: tuple[EngineFault, ...]
    worth: Worth | None


def examine(engine: Engine) -> Report:
    """Ask an engine about every position that it can meet, twice, then compute what it is worth."""
    positions, faults = _interrogate(engine)
    return Report(engine, positions, faults, None if faults else worth(engine))


def _interrogate(engine: Engine) -> tuple[int, tuple[EngineFault, ...]]:
    """Walk through everything that can happen, and keep what went wrong, by position."""
    faults: list[EngineFault] = []
    asked = 0
    for mark in Mark:
        level = {0}
        while level:
            following: set[int] = set()
            for packed in sorted(level):
                if unpack(packed).turn is not mark:
                    following.update(may_follow(packed))
                    continue
                asked += 1
                if fault := _fault(engine, packed):
                    faults.append(fault)
                    if [f.kind for f in faults].count("slow") >= _ENOUGH_SLOW_ANSWERS:
                        return asked, tuple(faults)
                else:
                    following.update(policy_of(engine).may_follow(packed))
            level = {after for after in following if result(after) is None}
    return asked, tuple(faults)


def _fault(engine: Engine, packed: int) -> EngineFault | None:
    board = unpack(packed)
    try:
        remembered = policy_of(engine).may_follow(packed)
        again = engine.choices(board)
    except EngineFault as error:
        return error
    first = [cell_played(packed, after) for after in remembered]
    if {choice.cell for choice in again} == set(first):
        return None
    return EngineFault(board, f"it answered {first[0]}, then {again[0].cell}", "inconsistent")
