"""Why a player's request is refused; a page can show each message."""

from webapp.core.messages import Complaint


class Refusal(Complaint):
    """A refused request; nothing has been stored."""


class UnknownGame(Refusal):
    """There is no game with this id."""


class Unknown(Refusal):
    """There is nothing with this name or at this address."""


class NotYourGame(Refusal):
    """The game belongs to another player."""


class Unacceptable(Refusal):
    """A value is not allowed."""


class Conflict(Refusal):
    """A request came too late: things have changed."""


class Paused(Refusal):
    """All games are paused; the message says why."""


class Raced(Exception):  # noqa: N818 - no error: another request was first, so look again
    """A game changed between reading and saving it."""
