"""What a transaction changes for pages that wait: noted in it, published after its commit.

A topic is a text. Functions take a connection.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import NamedTuple

import sqlalchemy as sa

CLASS, BOARDS, WALL, PAUSE, RESULTS = "class", "boards", "wall", "pause", "results"
"""What all of the class see; the boards of the games that go on; what the teacher shows on the
wall; whether the teacher has paused the games; and the results that rank the players."""

POLLS, ANSWERS = "polls", "answers"
"""What the class is asked, and what the teacher and the wall see of its answers."""

COMPUTER = "computer"
"""The games against the computer, which only the desk and the wall show."""

NAMES = "names"
"""What players are called, for pages that show names and nothing else of the class."""

MENACE, AFRESH = "menace", "afresh"
"""The games that MENACE learns from; and that it starts over, or its training ends."""

ROOM = CLASS, BOARDS, COMPUTER, WALL, POLLS, ANSWERS
"""What the desk and the wall show of the class."""

DESK = "desk"
"""Who is signed in as the teacher: of it the desk alone is told."""

COUNTED = frozenset({CLASS, RESULTS, MENACE, AFRESH})
"""Topics by whose number it is known whether what was read of them still holds."""

PAGE: ContextVar[str] = ContextVar("page", default="")
"""The page that sends the present request, by the name that it has given itself."""

_NOTED = "topics"


class Change(NamedTuple):
    """A topic that has changed.

    :param by: the page whose request changed it, which gets the answer to that
    """

    topic: str
    by: str = ""


def game(game_id: str) -> str:
    """Return the topic of one game."""
    return f"game:{game_id}"


def calls(player: str) -> str:
    """Return the topic of whatever may call a player to another page, and of their own wish."""
    return f"calls:{player}"


def turn(player: str) -> str:
    """Return the topic of a player in whose game there was a move, for all other pages."""
    return f"turn:{player}"


def player(player: str) -> str:
    """Return the topic of a player who comes, goes, or is deleted."""
    return f"player:{player}"


def tournament(id_: str) -> str:
    """Return the topic of one tournament."""
    return f"tournament:{id_}"


def note(connection: sa.Connection, *topics: str) -> None:
    """Note in a transaction that topics change with it."""
    connection.info.setdefault(_NOTED, {}).update(dict.fromkeys(topics))


def take(connection: sa.Connection) -> Sequence[Change]:
    """Return what was noted in a transaction, once.

    The results come first: pages that the class wakes compute the table again.
    """
    if connection.invalidated:  # a lost connection has lost them
        return ()
    noted = connection.info.pop(_NOTED, {})
    return [Change(topic, PAGE.get()) for topic in sorted(noted, key=lambda name: name != RESULTS)]
