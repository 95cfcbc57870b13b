"""The buttons beside the board."""

from typing import NamedTuple


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
