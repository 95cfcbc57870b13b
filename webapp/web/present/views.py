"""The cells and the buttons that the templates of the play page print."""

from typing import NamedTuple

from webapp.core.board import Mark


class CellView(NamedTuple):
    """One cell.

    :param ghost: the mark that a click would draw
    :param new: when the mark is drawn before the viewer's eyes: ``now``, ``then`` or not at all
    :param worth: in a review, what playing it is worth, as a class of the stylesheet
    :param note: in a review, what playing it leads to
    """

    number: int
    mark: Mark | None
    ghost: Mark | None = None
    winning: bool = False
    hinted: bool = False
    new: str = ""
    worth: str = ""
    note: str = ""


class ActionView(NamedTuple):
    """One button beside the board.

    :param name: the end of the address that it posts to, and its id unless ``id`` is given
    :param asks: the question to confirm first
    :param leaves: the game would count as lost: the button leads to the front page, which asks
    :param on: looks for another opponent
    """

    name: str
    text: str
    possible: bool = True
    primary: bool = False
    asks: str = ""
    leaves: bool = False
    on: bool = False
    id: str = ""
