"""The fields of forms and addresses, exactly as the contract allows them.

Functions raise ``Unacceptable`` if a field is repeated or has another value; most return ``None``
if it is missing. Values are compared as text: ``int`` would also take ``"٣"`` or ``" 3 "``.
"""

import re
from collections.abc import Collection, Iterable
from enum import Enum
from typing import TypeVar

from werkzeug.datastructures import MultiDict

from webapp.analysis.puzzles import Kind
from webapp.classroom import MINIMAX, PLACES, Wall
from webapp.core import board
from webapp.core.board import Board, IllegalMove, Mark
from webapp.core.game import MENACE, boards, digits, moves_of
from webapp.core.messages import N_, Complaint
from webapp.core.options import FRIEND
from webapp.engines.base import Engine
from webapp.engines.registry import Catalogue
from webapp.engines.rules import PREFIX, rule_list
from webapp.polls import NUMBERS, SECONDS
from webapp.service.refusals import Unacceptable
from webapp.tournament.event import CLOCKS, MINUTES, ROUNDS, Format, Opening

Form = MultiDict[str, str]
T = TypeVar("T")

MARKS = ("x", "o", "alternate")
MIXED = "mixed"
MOST_STEPS = 18  # of the search on the wall
ON_A_SHEET = (4, 6, 9, 12)
MOST_SHEETS = 9999  # worksheets of each kind and number
_KINDS = {kind.value for kind in Kind}
_NUMBER = re.compile(r"[0-9]+")
_SEED = re.compile(r"[A-Za-z0-9_.-]{1,40}")


def options(form: Form, engines: Catalogue) -> dict[str, str]:
    """Read ``opponent`` and ``mark`` for the next game, as far as they are there."""
    chosen = {}
    if "opponent" in form:
        chosen["opponent"] = _slug(form, "opponent", engines, FRIEND)
    if "mark" in form:
        chosen["mark"] = _one_of(form, "mark", MARKS, "Choose a mark: X, O or both in turn.")
    return chosen


def all_options(form: Form, engines: Catalogue) -> dict[str, str]:
    """Read ``opponent`` and ``mark``, which a game from the empty board must have."""
    if not form.get("moves"):
        if "opponent" not in form:
            raise Unacceptable("Choose an opponent for the new game.")
        if "mark" not in form:
            raise Unacceptable("Choose a mark: X, O or both in turn.")
    return options(form, engines)


def cell(form: Form) -> int:
    return _one_of(form, "cell", board.CELLS, "A cell is a number from 0 to 8.")


def moves(form: Form, field: str = "moves") -> tuple[int, ...]:
    """Read ``moves``, from which a game begins; none if they are missing."""
    written = form.getlist(field)
    if len(written) > 1 or not set("".join(written)) <= set("012345678"):
        raise Unacceptable("Write a game's moves as the cells played, 0 to 8, such as 402.")
    return moves_of("".join(written))


def clicked(form: Form) -> tuple[str, Board]:
    played = moves(form)
    if "cell" in form:
        played = (*played, cell(form))
    try:
        return digits(played), boards(played)[-1]
    except IllegalMove as error:
        raise Unacceptable.of(error) from error


def wall(form: Form) -> Wall:
    """Read what the wall shows: a ``game``, or a review of ``moves`` after ``at`` of them.

    Or the ``tournament`` with this id, ``blank`` for how to join, ``class``, or a page of Learn,
    perhaps ``at`` a step; with none of these, how to join until the class begins to play.
    """
    played, shown = digits(moves(form)), text(form, "tournament", "")
    return Wall(
        game=text(form, "game", "") or None,
        moves=played or None,
        at=number(form, "at", 0, MOST_STEPS if shown == MINIMAX else len(played)) or 0,
        values=flag(form, "values"),
        tournament=shown or None,
    )


def tournament(form: Form) -> tuple[Format, Opening, int, int]:
    """Read ``format``, ``opening``, ``clock``, and the length: ``minutes`` or ``rounds``."""
    format_ = _one_of(form, "format", Format, "Choose a format: Arena or Swiss.")
    opening = _one_of(form, "opening", Opening, "Choose an opening: empty or sharp.")
    clock = _one_of(form, "clock", CLOCKS, "Choose a clock: 10, 15, 20 or 30 seconds.")
    field, span = ("minutes", MINUTES) if format_ is Format.ARENA else ("rounds", ROUNDS)
    length = number(form, field, span.start, span.stop - 1)
    if length is None:
        raise Unacceptable("Say how long the tournament should last.")
    return format_, opening, clock, length


def poll_kind(form: Form) -> Kind | None:
    if "kind" not in form:
        return None
    return _one_of(form, "kind", Kind, "There is no question of that kind.")


def poll_seconds(form: Form) -> int:
    """Read the ``seconds`` for an answer; 0, which means no limit, if they are missing."""
    if "seconds" not in form:
        return 0
    return _one_of(form, "seconds", SECONDS, "Choose 0, 15, 30 or 60 seconds.")


def quiz(form: Form) -> tuple[int, list[Kind]]:
    number = _one_of(form, "number", NUMBERS, "Choose 5, 10 or 15 questions.")
    kinds = form.getlist("kinds")
    if not kinds or len(set(kinds)) < len(kinds) or not set(kinds) <= _KINDS:
        raise Unacceptable("Choose at least one kind of question.")
    return number, list(map(Kind, kinds))


def worksheet(form: Form) -> tuple[Kind | None, int, int | None]:
    """Read the ``kind`` of puzzles (``None``: all), their ``number``, and the ``seed``, if any."""
    kind = text(form, "kind", MIXED)
    if kind not in {MIXED, *_KINDS}:
        raise Unacceptable("There is no puzzle of that kind.")
    number_ = text(form, "number", "6")
    if number_ not in map(str, ON_A_SHEET):
        raise Unacceptable("Choose 4, 6, 9 or 12 puzzles.")
    seed = number(form, "seed", 1, MOST_SHEETS)
    return None if kind == MIXED else Kind(kind), int(number_), seed


def map_mark(form: Form) -> Mark:
    """Read the ``mark`` of the map; X if it is missing."""
    if "mark" not in form:
        return Mark.X
    return Mark(_one_of(form, "mark", ("x", "o"), "There is a map for X and one for O.").upper())


def places(form: Form) -> str:
    return _one_of(form, "places", PLACES, "Choose whose places are shown: all, three or none.")


def vote_mark(form: Form) -> Mark:
    return Mark(_one_of(form, "mark", ("x", "o"), "Choose a mark for the class: X or O.").upper())


def seed(form: Form, otherwise: str) -> str:
    seed = text(form, "seed", otherwise)
    if not _SEED.fullmatch(seed):
        raise Unacceptable(
            "A seed can have up to 40 letters, digits, dots, hyphens or underscores."
        )
    return seed


def rival(form: Form, allowed: Collection[str]) -> str:
    return _one_of(form, "rival", allowed, "Choose who MENACE trains against.")


def guest(form: Form) -> int:
    return _number(form, "player", "We cannot tell which player you mean.")


def asked(form: Form) -> int:
    return _number(form, "to", "We cannot tell who you want to play.")


def version(form: Form) -> int:
    return _number(form, "version", "We cannot tell which version of the game you mean.")


def engine(form: Form, field: str, engines: Catalogue) -> Engine | None:
    """Read an engine's slug, or a list of rules, which raises ``UnknownRules`` itself."""
    slug = text(form, field, "")
    if slug.startswith(PREFIX):
        return rule_list(slug)
    if slug == MENACE:
        raise Unacceptable("MENACE changes with every game. Its own page shows how good it is now.")
    return engines[_slug(form, field, engines)] if field in form else None


def challenge_mark(form: Form) -> str:
    return _one_of(form, "mark", ("x", "o", "random"), "Choose a mark: X, O or Random.")


def text(form: Form, field: str, otherwise: str) -> str:
    values = form.getlist(field)
    if len(values) > 1:
        raise Unacceptable("There can be only one {field} in a request.", field=field)
    return values[0] if values else otherwise


def number(form: Form, field: str, least: int, most: int) -> int | None:
    if field not in form:
        return None
    # Its label is a message of the page.
    limits = {"name": Complaint(field.capitalize()), "least": least, "most": most}
    # Translators: name is the label of a field, such as Games, Minutes or Rounds
    message = N_("{name} must be a number from {least} to {most}.")
    value = _number(form, field, message, **limits)
    if not least <= value <= most:
        raise Unacceptable(message, **limits)
    return value


def flag(form: Form, field: str) -> bool:
    """Read a switch, which is on with ``1``."""
    return form.get(field) == "1"


def _number(form: Form, field: str, complaint: str, **limits: object) -> int:
    values = form.getlist(field)
    if len(values) != 1 or not _NUMBER.fullmatch(values[0]):
        raise Unacceptable(complaint, **limits)
    digits = values[0].lstrip("0") or "0"
    # Python refuses to read thousands of digits, and no game has changed that often.
    return int(digits) if len(digits) < 20 else 10**20


def _slug(form: Form, field: str, engines: Catalogue, *more: str) -> str:
    slug = text(form, field, "")
    if slug in engines or slug in more:
        return slug
    if slug.startswith(PREFIX):
        raise Unacceptable("This is not a list of rules. You can make one in the rule lab.")
    raise Unacceptable(
        "There is no such computer player. The page “Computer players” lists them all."
    )


def _one_of(form: Form, field: str, allowed: Iterable[T], complaint: str) -> T:
    named = {str(value.value if isinstance(value, Enum) else value): value for value in allowed}
    values = form.getlist(field)
    if len(values) != 1 or values[0] not in named:
        raise Unacceptable(complaint)
    return named[values[0]]
