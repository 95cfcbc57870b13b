"""Three lessons ready to teach: their steps, and what the button of each one does.

What the teacher says is beside this file, in English and German, a line for each step.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from webapp.service.refusals import Unacceptable
from webapp.web.forms import Form, text
from webapp.words.language import N_


class Act(NamedTuple):
    """A form of the desk that a step fills in: the text of its button, where it goes, what with."""

    says: str
    endpoint: str
    fields: Mapping[str, object]


class Step(NamedTuple):
    """A step of a lesson, and what it takes of the 45 minutes."""

    minutes: int
    title: str
    act: Act | None = None


def _ask(moves: str) -> Act:
    return Act(N_("Ask the class"), "asking.ask", {"moves": moves})


def _show(page: str) -> Act:
    return Act(N_("Show on the projector"), "teacher.wall", {"tournament": page})


_ARENA = Act(
    N_("Make a tournament"),
    "teacher.new_tournament",
    {"format": "arena", "opening": "empty", "clock": 15, "minutes": 5},
)
_QUIZ = Act(N_("Start the quiz"), "asking.new_quiz", {"number": 5, "kinds": "fork", "seconds": 30})

TITLES = {
    "rules": N_("Rules that never lose"),
    "ahead": N_("Looking ahead"),
    "learns": N_("A machine that learns"),
}
"""The lessons by their slugs."""

STEPS = {
    "rules": (
        Step(6, N_("On paper")),
        Step(5, N_("Two opposite corners"), _ask("048")),
        Step(8, N_("Beat Medium")),
        Step(8, N_("Seven rules"), _show("rules")),
        Step(8, N_("Rule lab")),
        Step(6, N_("A tournament by the rules"), _ARENA),
        Step(4, N_("What is intelligent here?")),
    ),
    "ahead": (
        Step(6, N_("Say it before you play")),
        Step(5, N_("Win in three moves"), _ask("08")),
        Step(10, N_("A computer looks ahead"), _show("minimax")),
        Step(6, N_("Only one cell wins"), _ask("0578")),
        Step(6, N_("Why not chess?")),
        Step(8, N_("A quiz about forks"), _QUIZ),
        Step(4, N_("How far did you look?")),
    ),
    "learns": (
        Step(5, N_("Nobody tells it how")),
        Step(10, N_("Teach it"), _show("menace")),
        Step(6, N_("Better than a bead?"), _ask("01")),
        Step(8, N_("Open a box"), _show("menace")),
        Step(8, N_("Train it"), _show("menace")),
        Step(5, N_("What it does not know")),
        Step(3, N_("Who taught it?")),
    ),
}


def step_of(written: str | None) -> tuple[str, int] | None:
    """Read where a lesson is, such as ``rules.2``; ``None`` if that is no step of any."""
    plan, _dot, number = (written or "").partition(".")
    known = plan in STEPS and number in map(str, range(1, 1 + len(STEPS[plan])))
    return (plan, int(number)) if known else None


def chosen(form: Form) -> str | None:
    """Read ``at``, a step to go to; ``None`` ends the lesson."""
    at = text(form, "at", "")
    if at and not step_of(at):
        raise Unacceptable("There is no such lesson.")
    return at or None


@cache
def said(language: str) -> dict[str, list[str]]:
    """Return what the teacher says in the steps of each lesson."""
    file = Path(__file__).with_name(f"lessons.{language}.txt")
    parts = file.read_text(encoding="utf-8").removeprefix("# ").split("\n# ")
    return {slug: told.split("\n") for slug, told in (it.strip().split("\n", 1) for it in parts)}
