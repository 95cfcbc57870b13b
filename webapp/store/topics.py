"""What a transaction changes: noted in it, and published after its commit.

A topic is a text. Functions take a connection.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import NamedTuple

import sqlalchemy as sa

CLASS, BOARDS, WALL, PAUSE, RESULTS = "class", "boards", "wall", "pause", "results"
"""The class as everyone sees it; boards of games in progress; the wall; whether games are paused;
and the results that rank the players.
"""

POLLS, ANSWERS = "polls", "answers"
"""Questions to the class, and what the teacher and the wall see of the answers."""

COMPUTER = "computer"  # games against the computer, which only the desk and the wall show
NAMES = "names"  # players' names, for pages that show no more of the class

MENACE, AFRESH = "menace", "afresh"
"""The games that MENACE learns from; a restart of it, or the end of a training."""

ROOM = CLASS, BOARDS, COMPUTER, WALL, POLLS, ANSWERS
"""The parts of the class on the desk and the wall."""

TICKETS = "tickets"  # the browsers that go on as another player

DESK = "desk"  # the teacher's sessions; only the desk is told

COUNTED = frozenset({CLASS, RESULTS, MENACE, AFRESH, TICKETS})
"""Topics with a counter, which tells whether cached data still holds."""

PAGE: ContextVar[str] = ContextVar("page", default="")
"""The page that sends this request, by the id that it chose."""

_NOTED = "topics"


class Change(NamedTuple):
    """A topic that has changed, and the page whose request did it, and so has the answer."""

    topic: str
    by: str = ""


def game(game_id: str) -> str:
    return f"game:{game_id}"


def calls(player: str) -> str:
    """A player's own wish, and what calls them to another page."""
    return f"calls:{player}"


def turn(player: str) -> str:
    """A move in a player's game, for their other pages."""
    return f"turn:{player}"


def player(player: str) -> str:
    """A player who comes, goes, or is deleted."""
    return f"player:{player}"


def tournament(id_: str) -> str:
    return f"tournament:{id_}"


def note(connection: sa.Connection, *topics: str) -> None:
    """Note in a transaction that it changes these topics."""
    connection.info.setdefault(_NOTED, {}).update(dict.fromkeys(topics))


def take(connection: sa.Connection) -> Sequence[Change]:
    """Return a transaction's topics, once; results first, as the class computes the table again."""
    if connection.invalidated:  # a lost connection has lost them
        return ()
    noted = connection.info.pop(_NOTED, {})
    return [Change(topic, PAGE.get()) for topic in sorted(noted, key=lambda name: name != RESULTS)]
