"""What a transaction changes for pages that wait: noted in it, published after its commit.

A topic is a text. Functions take a connection.
"""

from collections.abc import Sequence
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

_NOTED = "topics"


class Change(NamedTuple):
    """A topic that has changed.

    :param by: the player whose move changed it, whose own page has the answer already
    """

    topic: str
    by: str = ""


def game(game_id: str) -> str:
    """Return the topic of one game."""
    return f"game:{game_id}"


def calls(player: str) -> str:
    """Return the topic of whatever may call a player to another page."""
    return f"calls:{player}"


def seek(player: str) -> str:
    """Return the topic of a player who looks for an opponent: it changes when that ends."""
    return f"seek:{player}"


def gone(player: str) -> str:
    """Return the topic of a player who deletes their data, which changes all their games."""
    return f"gone:{player}"


def here(player: str) -> str:
    """Return the topic of a player who comes or goes."""
    return f"here:{player}"


def tournament(id_: str) -> str:
    """Return the topic of one tournament."""
    return f"tournament:{id_}"


def note(connection: sa.Connection, *topics: str, by: str = "") -> None:
    """Note in a transaction that topics change with it.

    :param by: as in :class:`Change`
    """
    noted = connection.info.setdefault(_NOTED, {})
    for topic in topics:
        noted[topic] = by if noted.get(topic, by) == by else ""


def take(connection: sa.Connection) -> Sequence[Change]:
    """Return what was noted in a transaction, once.

    The results come first: pages that the class wakes compute the table again.
    """
    if connection.invalidated:  # a lost connection has lost them
        return ()
    noted = connection.info.pop(_NOTED, {})
    return [
        Change(topic, noted[topic]) for topic in sorted(noted, key=lambda name: name != RESULTS)
    ]
