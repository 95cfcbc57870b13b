"""The fields of a POST, exactly as the contract allows them, and nothing else.

A value is matched as text against those allowed: ``int`` would also take ``"٣"`` or ``" 3 "``.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from werkzeug.datastructures import MultiDict

from webapp.core import board
from webapp.service.refusals import Unacceptable
from webapp.service.setup import FRIEND, Wish

Form = MultiDict[str, str]

MARKS = ("x", "o", "alternate")
_CELLS = {str(cell): cell for cell in board.CELLS}
_NUMBER = re.compile(r"[0-9]+")


def wish(form: Form, engines: Collection[str]) -> Wish:
    """Read ``opponent`` and ``mark`` where they accompany a request.

    :raises Unacceptable: if one is given twice, or none of those allowed
    """
    opponents = (*engines, FRIEND)
    return Wish(
        _one_of(form, "opponent", opponents, "choose one from the list")
        if "opponent" in form
        else None,
        _one_of(form, "mark", MARKS, "choose X, O or Alternate") if "mark" in form else None,
    )


def setup(form: Form, engines: Collection[str]) -> Wish:
    """Read ``opponent`` and ``mark``, both of which must be there.

    :raises Unacceptable: if one is missing, or as :func:`wish` does
    """
    for field in ("opponent", "mark"):
        if field not in form:
            raise Unacceptable(f"A new game needs to know its {field}.")
    return wish(form, engines)


def cell(form: Form) -> int:
    """Read ``cell``, a digit from 0 to 8.

    :raises Unacceptable: if it is missing, given twice, or anything else
    """
    return _CELLS[_one_of(form, "cell", _CELLS, "a cell is a number from 0 to 8")]


def cell_if_any(form: Form) -> int | None:
    """Read ``cell`` where it is there.

    :raises Unacceptable: as :func:`cell`
    """
    return cell(form) if "cell" in form else None


def version(form: Form) -> int:
    """Read ``version``, the version of the game that the page shows.

    :raises Unacceptable: if it is missing, given twice, or no number
    """
    return _number(
        form, "version", "That request does not say which version of the game it was made from."
    )


def since(form: Form) -> int | None:
    """Read ``since`` where it is there: the version that a watcher's page shows.

    :raises Unacceptable: if it is given twice, or no number
    """
    if "since" not in form:
        return None
    return _number(form, "since", "Which version of the game does the page show?")


def _number(form: Form, field: str, complaint: str) -> int:
    values = form.getlist(field)
    if len(values) != 1 or not _NUMBER.fullmatch(values[0]):
        raise Unacceptable(complaint)
    digits = values[0].lstrip("0") or "0"
    # Python refuses to read thousands of digits, and no game has changed that often.
    return int(digits) if len(digits) < 20 else 10**20


def _one_of(form: Form, field: str, allowed: Collection[str], advice: str) -> str:
    values = form.getlist(field)
    if len(values) != 1 or values[0] not in allowed:
        raise Unacceptable(f"There is no such {field} here: {advice}.")
    return values[0]
