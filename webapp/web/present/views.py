"""The cells and the buttons that the templates of the play page print."""

from typing import NamedTuple

from webapp.core.board import Mark


class CellView(NamedTuple):
    """One cell. ``ghost`` is the mark that a click would draw, if any; ``new`` when it was drawn.

    In a review ``note`` says what playing it leads to, ``worth`` as a value's class.
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
    """One button beside the board; ``name`` is the end of the address that it posts to.

    ``asks`` is the question to confirm first, if it cannot be taken back. A button that ``leaves``
    a game which counts as lost then only leads to the front page, which asks. One that goes ``on``
    looks for another opponent. Its ``id`` on the page is its name, unless it means something else
    there.
    """

    name: str
    text: str
    possible: bool = True
    primary: bool = False
    asks: str = ""
    leaves: bool = False
    on: bool = False
    id: str = ""
